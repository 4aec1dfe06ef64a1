"""--hash of run and divide: what is counted does not depend on it."""

import json

import pytest

from perftkit.cli import divide, run
from perftkit.cli.options import table_of


@pytest.fixture
def tables(monkeypatch):
    """All hash tables that are made, with what was done with them."""
    made = []

    def seen(*args):
        found = table_of(*args)
        if found is not None:
            made.append(found)
        return found

    monkeypatch.setattr(run, "table_of", seen)
    monkeypatch.setattr(divide, "table_of", seen)
    return made


def without_times(value):
    if isinstance(value, dict):
        left_out = ("seconds", "nps")
        return {key: without_times(one) for key, one in value.items() if key not in left_out}
    return [without_times(one) for one in value] if isinstance(value, list) else value


COMMANDS = {
    "a built-in suite": ("run", "--depth", "4", "--max-nodes", "50000"),
    "Chess960": ("run", "chess960_hard", "--depth", "3"),
    "one position": ("run", "--fen", "startpos", "--depth", "5"),
    "several threads": ("run", "--fen", "startpos", "--depth", "5", "--threads", "2"),
    "both methods": ("run", "--fen", "startpos", "--depth", "5", "--method", "both"),
    "divide": ("divide", "kiwipete", "--depth", "4"),
    "divide on threads": ("divide", "startpos", "--depth", "6", "--threads", "2"),
}


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_totals_are_those_without(invoke, tables, words):
    plain = invoke(*words, "--format", "json")
    assert not tables
    hashed = invoke(*words, "--format", "json", "--hash", "2")
    assert hashed.exit_code == plain.exit_code == 0
    documents = [without_times(json.loads(result.stdout)) for result in (hashed, plain)]
    assert documents[0] == documents[1]
    [used] = tables
    assert used.megabytes == 2
    assert 0 < used.statistics["hits"] < used.statistics["lookups"]


def test_the_suites_counts_are_compared_with_a_table_too(invoke, wrong):
    # The suite lacks the 45 e.p. captures that the Chess Programming Wiki has for Kiwipete.
    result = invoke("run", wrong, "--hash", "1", "--format", "json")
    assert result.exit_code == 1
    assert '"nodes": 97862' in result.stdout


def test_the_environment_and_the_configuration_ask_for_it(invoke, tables, good, tmp_path):
    assert invoke("run", good, env={"PERFTKIT_RUN_HASH": "3"}).exit_code == 0
    assert invoke("divide", env={"PERFTKIT_DIVIDE_HASH": "4"}).exit_code == 0
    (tmp_path / "pyproject.toml").write_text(
        "[tool.perftkit.run]\nhash = 5\n[tool.perftkit.divide]\nhash = 6\n"
    )
    assert invoke("run", good).exit_code == 0
    assert invoke("divide").exit_code == 0
    assert invoke("run", good, "--hash", "7").exit_code == 0
    assert [one.megabytes for one in tables] == [3, 4, 5, 6, 7]


def test_zero_overrules_what_is_configured(invoke, tables, good, tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.perftkit.run]\nhash = 5\n")
    assert invoke("run", good, "--method", "strict").exit_code == 2
    assert invoke("run", good, "--method", "strict", "--hash", "0").exit_code == 0
    assert not tables


@pytest.mark.parametrize("command", ["run", "divide"])
def test_the_strict_method_uses_none(invoke, command):
    result = invoke(command, "--method", "strict", "--hash", "16")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--method strict uses no hash table" in result.stderr


@pytest.mark.parametrize("command", ["run", "divide"])
def test_more_memory_than_there_is(invoke, command, tmp_path):
    result = invoke(command, "--hash", "10000000", "--output", "out.json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "there is no memory for a hash table of 10000000 MB" in result.stderr
    assert not (tmp_path / "out.json").exists()


@pytest.mark.parametrize("command", ["run", "divide"])
@pytest.mark.parametrize("size", ["-1", "1.5", "many", "", "9" * 5000])
def test_what_is_no_size(invoke, command, size):
    result = invoke(command, "--hash", size)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr


@pytest.mark.parametrize("value", ["true", "1.5", "-1", '"many"', "[16]"])
def test_what_is_no_size_in_the_configuration(invoke, good, tmp_path, value):
    (tmp_path / "pyproject.toml").write_text(f"[tool.perftkit.run]\nhash = {value}\n")
    result = invoke("run", good)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "hash" in result.stderr
