import json

import pytest

from perftkit.core import crew
from perftkit.core import perft as perft_module
from perftkit.verify import parallel


@pytest.fixture(autouse=True)
def _busy(monkeypatch):
    monkeypatch.setattr(parallel, "LEAST_COST", 0)
    monkeypatch.setattr(perft_module, "WORTH_THREADS", 0)


@pytest.fixture
def threads(monkeypatch):
    """How many threads the crews had that were made."""
    sizes = set()
    init = crew.Crew.__init__

    def noted(self, size, table=None):
        sizes.add(size)
        init(self, size, table)

    monkeypatch.setattr(crew.Crew, "__init__", noted)
    return sizes


COMMANDS = [("run", "--fen", "startpos", "--depth", "3"), ("divide", "--depth", "3")]
commands = pytest.mark.parametrize("command", COMMANDS, ids=lambda words: words[0])


def without_times(text):
    document = json.loads(text)
    for name in ("seconds", "nps"):
        document.pop(name, None)
        document.get("summary", {}).pop(name, None)
    for position in document.get("positions", []):
        for row in position["rows"]:
            del row["seconds"]
    return document


@commands
@pytest.mark.parametrize("number", [2, 5])
def test_the_result_does_not_depend_on_the_threads(invoke, threads, command, number):
    one = invoke(*command, "--format", "json", "--threads", 1)
    several = invoke(*command, "--format", "json", "--threads", number)
    assert one.exit_code == several.exit_code == 0
    assert without_times(one.stdout) == without_times(several.stdout)
    assert "8902" in one.stdout  # as published
    assert number in threads


@commands
def test_all_that_the_process_may_use_is_the_default(invoke, threads, command, monkeypatch):
    monkeypatch.setattr(crew, "available_threads", lambda: 3)
    assert invoke(*command).exit_code == 0
    assert invoke(*command, "--threads", 0).exit_code == 0
    assert threads == {3}


@commands
def test_the_environment_and_the_configuration(invoke, threads, command, tmp_path):
    (tmp_path / "pyproject.toml").write_text(f"[tool.perftkit.{command[0]}]\nthreads = 2\n")
    invoke(*command)
    assert threads == {2}
    invoke(*command, env={"PERFTKIT_THREADS": "3"})
    assert threads == {2, 3}
    invoke(*command, "--threads", 4, env={"PERFTKIT_THREADS": "3"})
    assert threads == {2, 3, 4}
    invoke(*command, env={f"PERFTKIT_{command[0].upper()}_THREADS": "5"})
    assert threads == {2, 3, 4, 5}


@commands
@pytest.mark.parametrize("number", ["-1", "1025", "x", "1.5", "9" * 5000])
def test_what_is_no_number_of_threads(invoke, command, number):
    result = invoke(*command, f"--threads={number}")
    assert result.exit_code == 2
    assert "--threads" in result.stderr
    result = invoke(*command, env={"PERFTKIT_THREADS": number})
    assert result.exit_code == 2
    assert "--threads" in result.stderr
