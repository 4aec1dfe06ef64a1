"""What is said when an engine fails, a suite is wrong, or somebody ends the command."""

import json
import shlex
import signal

import pytest
from test_engine_interrupt import ended  # noqa: F401

from perftkit import KIWIPETE, STARTPOS
from perftkit.report.text import alike, shortened_inside


def test_nothing_compared_is_not_ok(ended):  # noqa: F811
    status, out = ended(signal.SIGINT, "divide", "kiwipete", "-d", 3, "--format", "json")
    assert status == 130
    document = json.loads(out)
    assert (document["verdict"], document["stopped"]) == ("error", "interrupted")
    assert document["diagnosis"] is None


@pytest.mark.parametrize(("sign", "expected"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_other_signals_end_like_an_interrupt(ended, tmp_path, sign, expected):  # noqa: F811
    (tmp_path / "suite.epd").write_text(f"{KIWIPETE} ;D1 48 ;D3 97862\n{KIWIPETE} ;D1 48\n")
    status, out = ended(sign, "run", "suite.epd", "--format", "json")
    assert status == expected
    document = json.loads(out)
    assert document["summary"]["stopped"] == "interrupted"
    assert document["summary"]["ok"] == 1


@pytest.mark.parametrize(("sign", "expected"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_other_signals_end_divide_like_an_interrupt(ended, sign, expected):  # noqa: F811
    status, out = ended(sign, "divide", "kiwipete", "-d", 3, "--format", "json")
    assert status == expected
    document = json.loads(out)
    assert (document["verdict"], document["stopped"]) == ("error", "interrupted")


@pytest.mark.parametrize("more", [[], ["--explain"]])
def test_an_engine_that_agrees_with_the_reference_is_not_to_blame(invoke, tmp_path, engine, more):
    suite = tmp_path / "wrong.epd"
    suite.write_text(f'{STARTPOS} ;D1 20 ;D2 401 ;id "start"\n')
    args = ["run", suite, "--depth", 2, "--reference", "--engine", engine("none"), *more]
    result = invoke(*args)
    assert result.exit_code == 1
    text = " ".join(result.stdout.split())
    assert "1 number of the suite to check:" in text
    assert "the engine and perftkit agree on 400, and the suite says 401" in text
    assert "to look at" not in text
    assert "unknown" not in text
    document = json.loads(invoke(*args, "--format", "json").stdout)
    assert not document.get("causes")


@pytest.mark.parametrize("more", [[], ["--explain"]])
def test_rows_without_an_answer_come_with_what_to_type_next(invoke, tmp_path, engine, more):
    suite = tmp_path / "suite.epd"
    suite.write_text(f'{KIWIPETE} ;D1 48 ;D3 97862 ;id "kiwi"\n')
    spec = engine("dies")
    text = invoke("run", suite, "--depth", 3, "--engine", spec, *more).stdout
    assert "1 position without an answer:" in text
    line = next(line for line in text.splitlines() if "perftkit divide" in line)
    assert shlex.split(line) == [
        *("perftkit", "divide", KIWIPETE, "--depth", "3", "--engine", spec)
    ]


def test_names_are_cut_where_they_are_alike():
    names = [f"castling-rights-after-capture-{number}" for number in range(3)]
    cut = [shortened_inside(name, 16) for name in names]
    assert cut == ["castling…pture-0", "castling…pture-1", "castling…pture-2"]
    assert shortened_inside("short", 16) == "short"
    assert alike("a total 1,234 for 5") == alike("a total 99 for 1,000,000")
