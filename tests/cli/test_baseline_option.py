"""`perftkit run --baseline`, in every format."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from test_schemas import validator

from perftkit import KIWIPETE


@pytest.fixture
def suite(tmp_path):
    path = tmp_path / "suite.epd"
    path.write_text(f'{KIWIPETE} ;D1 48 ;D2 2039 ;id "<b>kiwi</b>"\n')
    return path


@pytest.fixture
def old(invoke, suite, engine):
    """Two earlier runs: of a right engine, and of one that can't castle."""
    for name in ("none", "castling"):
        invoke(
            "run", suite, "--depth", 2, "--engine", engine(name), "--report", f"json={name}.json"
        )


@pytest.mark.usefixtures("old")
def test_a_new_failure_in_every_format(invoke, suite, engine):
    result = invoke(
        *("run", suite, "--depth", 2, "--engine", engine("castling"), "--baseline", "none.json"),
        *("--report", "json=new.json", "--report", "ndjson=new.ndjson"),
        *("--report", "markdown=new.md", "--report", "html=new.html", "--report", "github"),
        *("--report", "junit=new.xml"),
    )
    assert result.exit_code == 1
    line = "new: <b>kiwi</b>, depth 2: ok then, differs now"
    assert "Against none.json: 2 new failures, 0 fixed, 0 as before" in result.stdout
    assert line in result.stdout
    assert line in result.stderr
    document = json.loads(Path("new.json").read_text())
    validator("run").validate(document)
    assert document["baseline"]["new"] == 2
    lines = [json.loads(line) for line in Path("new.ndjson").read_text().splitlines()]
    for each in lines:
        validator("run-line").validate(each)
    (entry,) = (each for each in lines if each["type"] == "baseline")
    assert entry == {"type": "baseline", **document["baseline"]}
    markdown = Path("new.md").read_text()
    assert "### Against none.json: 2 new failures" in markdown
    assert line in markdown
    said = ElementTree.parse("new.xml").find(".//system-out").text
    assert "Against none.json: 2 new failures" in said
    assert line in said
    page = Path("new.html").read_text()
    assert "Against none.json: 2 new failures" in page
    assert f"<li>{line.replace('<', '&lt;').replace('>', '&gt;')}" in page


@pytest.mark.usefixtures("old")
def test_a_fixed_failure_and_an_old_one(invoke, suite, engine):
    args = ("run", suite, "--depth", 2, "--baseline", "castling.json", "--engine")
    result = invoke(*args, engine("none"))
    assert result.exit_code == 0
    assert "0 new failures, 2 fixed, 0 as before" in result.stdout
    result = invoke(*args, engine("castling"))
    assert result.exit_code == 1
    assert "0 new failures, 0 fixed, 2 as before" in result.stdout


@pytest.mark.usefixtures("old")
def test_the_earlier_result_may_be_replaced_by_the_new_one(invoke, suite):
    args = ("run", suite, "--depth", 2, "--baseline", "castling.json")
    result = invoke(*args, "--report", "json=castling.json")
    assert "2 fixed" in result.stdout
    assert "0 fixed" in invoke(*args).stdout


@pytest.mark.usefixtures("old")
def test_another_engine_is_named(invoke, suite, engine):
    args = ("run", suite, "--depth", 2, "--baseline", "castling.json")
    then = engine("castling")
    assert "another engine" not in invoke(*args, "--engine", then).stdout
    said = " ".join(invoke(*args).stdout.split())
    assert f"another engine: {then} then, perftkit's own generator now" in said


def test_a_baseline_that_was_cut_off(invoke, suite):
    invoke("run", suite, "--report", "json=old.json")
    cut = Path("old.json")
    cut.write_text(cut.read_text()[:200])
    result = invoke("run", suite, "--baseline", "old.json")
    assert result.exit_code == 2
    assert "old.json is no JSON: line 3, column" in result.stderr
    assert "make one with perftkit run --report json=FILE" in result.stderr


def test_a_baseline_that_is_none(invoke, suite):
    result = invoke("run", suite, "--baseline", suite)
    assert result.exit_code == 2
    assert f"{suite} is no JSON: line 1, column 1" in result.stderr
    assert result.stdout == ""


def test_a_run_of_a_budget_says_so(invoke):
    result = invoke("run", "--budget", "50ms", "--nps", "20M", "--format", "json")
    document = json.loads(result.stdout)
    validator("run").validate(document)
    assert document["budget"] == {"seconds": 0.05, "nps": 20_000_000}
