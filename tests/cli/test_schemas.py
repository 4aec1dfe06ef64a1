"""What the JSON formats write is what docs/schemas promises."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from perftkit import KIWIPETE

SCHEMAS = Path(__file__).parents[2] / "docs" / "schemas"


def validator(name):
    schema = json.loads((SCHEMAS / f"{name}.json").read_text())
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@pytest.fixture
def suite(tmp_path):
    path = tmp_path / "all_kinds.epd"
    path.write_text(
        f"{KIWIPETE} ;D1 48 cap=8 ;D2 2038 ;D3 97862 ;D4 4085603\n"
        f"{KIWIPETE} conv=wiki ;D1 47\nno position at all\n{KIWIPETE}\n"
    )
    return path


@pytest.fixture(params=["built-in", "broken", "dying"])
def subject(request, engine):
    """The words that name who counts."""
    if request.param == "built-in":
        return ()
    spec = engine("castling") if request.param == "broken" else engine("dies")
    return ("--engine", spec, "--explain", "--reference")


def test_run(invoke, suite, subject):
    args = ("run", suite, "--depth", 3, "--max-nodes", 50_000, *subject)
    result = invoke(*args, "--report", "ndjson=lines.ndjson", "--format", "json")
    document = json.loads(result.stdout)
    validator("run").validate(document)
    lines = [json.loads(line) for line in Path("lines.ndjson").read_text().splitlines()]
    for line in lines:
        validator("run-line").validate(line)
    assert {"run", "row", "error", "summary"} <= {line["type"] for line in lines}


def test_a_run_of_nothing(invoke):
    result = invoke("run", "--id", "none", "--format", "json")
    validator("run").validate(json.loads(result.stdout))


def test_divide(invoke):
    result = invoke("divide", "kiwipete", "--depth", 2, "--format", "json")
    validator("divide").validate(json.loads(result.stdout))


@pytest.mark.parametrize("bug", ["castling", "none"])
def test_divide_against_an_engine(invoke, engine, bug):
    args = ("divide", "kiwipete", "--depth", 2, "--engine", engine(bug), "--format", "json")
    validator("divide").validate(json.loads(invoke(*args).stdout))


def test_a_pasted_division(invoke):
    args = ("divide", "kiwipete", "--depth", 2, "--paste", "-", "--format", "json")
    document = json.loads(invoke(*args, input="e1g1: 43\ntotal: 43\n").stdout)
    validator("divide").validate(document)


def test_a_schema_refuses_what_is_no_count(invoke):
    document = json.loads(invoke("divide", "--depth", 1, "--format", "json").stdout)
    document["nodes"] = 20.5
    assert not validator("divide").is_valid(document)
