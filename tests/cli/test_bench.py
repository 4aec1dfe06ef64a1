from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest
from processes import environment

from perftkit import perft
from perftkit.bench import contestants
from perftkit.bench.positions import bench_positions
from perftkit.cli import bench
from perftkit.core.kernel import available_kernels, kernel_name

QUICK = ("bench", "--quick", "--runs", "2", "--position", "position-3")

# Position 3 as published in the Chess Programming Wiki, by depth.
POSITION_3 = {4: 43238, 5: 674624}

# A UCI engine that knows only these numbers, and those of the start position, by which engines are
# probed. What it is told to do at a depth comes first.
ENGINE = """
import sys, time
known, behaviour = {known}, {behaviour}
start = True
for line in sys.stdin:
    words = line.split()
    if words == ["uci"]:
        print("id name Parrot", "uciok", sep="\\n", flush=True)
    if words == ["isready"]:
        print("readyok", flush=True)
    if words[:1] == ["position"]:
        start = words[1] == "startpos" or words[2].startswith("rnbqkbnr/")
    if words[:2] == ["go", "perft"] and start:
        print("Nodes searched:", {{"1": 20, "2": 400}}[words[2]], flush=True)
    elif words[:2] == ["go", "perft"]:
        depth = int(words[2])
        if behaviour.get(depth) == "die":
            print("out of ideas", flush=True)
            sys.exit(1)
        if behaviour.get(depth) == "hang":
            time.sleep(60)
        print(f"Nodes searched: {{known[depth]}}\\n", flush=True)
"""


@pytest.fixture
def engine(tmp_path):
    """The command of an engine that answers with given numbers, or behaves badly at a depth."""

    def make(known=POSITION_3, **behaviour):
        path = tmp_path / "engine.py"
        at = {int(depth.lstrip("d")): what for depth, what in behaviour.items()}
        path.write_text(ENGINE.format(known=known, behaviour=at))
        return f"{sys.executable} {path}"

    return make


def results_of(document):
    return {
        (result["method"] or result["engine"], result["kernel"]): result
        for result in document["positions"][0]["results"]
    }


def test_every_method_and_kernel_is_measured(invoke):
    result = invoke(*QUICK, "--json")
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    [position] = document["positions"]
    assert (position["id"], position["depth"], position["nodes"]) == ("position-3", 5, 674624)
    measured = results_of(document)
    expected = {(method, name) for method in ("nodes", "fast") for name in available_kernels()}
    assert set(measured) == {*expected, ("strict", None)}
    for one in measured.values():
        assert one["status"] == "ok"
        assert len(one["seconds"]) == 2
        nps = one["nps"]
        assert 0 < nps["least"] <= nps["median"] <= nps["most"]
    assert {one["kernel"] for one in document["geometric_mean"]} == {*available_kernels(), None}
    assert document["machine"]["kernels"] == list(available_kernels())


def test_the_table_has_a_line_for_each(invoke):
    result = invoke(*QUICK)
    assert result.exit_code == 0
    assert "position-3 d5, 674,624 leaves" in result.stdout
    for title in ("fast, nodes only", "fast, all counters", "strict, all counters"):
        assert title in result.stdout
    assert "Python" in result.stdout
    assert "compiler" in result.stdout
    assert "geometric mean" not in result.stdout


def test_one_method_and_kernel_on_two_positions(invoke):
    result = invoke(*QUICK, "--position", "position-4", "--method", "nodes", "--kernel", "baseline")
    assert result.exit_code == 0
    assert result.stdout.count("fast, nodes only") == 3
    assert "x86-64-v3  " not in result.stdout.partition("position-3")[2]
    assert "geometric mean" in result.stdout


def test_the_environment_chooses_the_kernel_that_is_measured(invoke, monkeypatch):
    monkeypatch.setenv("PERFTKIT_KERNEL", "baseline")
    document = json.loads(invoke(*QUICK, "--method", "fast", "--json").stdout)
    assert set(results_of(document)) == {("fast", "baseline")}
    assert document["machine"]["kernel_reason"] == "PERFTKIT_KERNEL asks for it"


def test_the_result_to_a_file(invoke, tmp_path):
    result = invoke(*QUICK, "--method", "nodes", "--format", "json", "--output", "out.json")
    assert (result.exit_code, result.stdout) == (0, "")
    assert json.loads((tmp_path / "out.json").read_text())["command"] == "bench"


def test_several_threads_are_compared_with_one(invoke):
    words = [*QUICK, "--threads", "1, 2", "--method", "nodes", "--method", "strict"]
    document = json.loads(invoke(*words, "--json").stdout)
    measured = document["positions"][0]["results"]
    assert {one["status"] for one in measured} == {"ok"}
    assert [one["threads"] for one in measured if one["method"] == "strict"] == [1, 2]
    for one in [*measured, *document["geometric_mean"]]:
        if one["threads"] == 1:
            assert one["gain"] is None
        else:
            assert 0 < one["gain"]["least"] <= one["gain"]["median"] <= one["gain"]["most"]
    assert "gain" in invoke(*words).stdout


@pytest.mark.parametrize("name", available_kernels())
def test_the_kernel_on_several_threads_is_the_one_that_is_named(name, monkeypatch):
    seen = []

    def spy(*args, **kwargs):
        seen.append(kernel_name())
        return perft(*args, **kwargs)

    monkeypatch.setenv("PERFTKIT_KERNEL", "baseline")
    monkeypatch.setattr(contestants, "perft", spy)
    [position] = bench_positions(["position-3"], quick=True)
    [walker] = contestants.builtin_contestants(["nodes"], [name], [2])
    assert walker.count(position, 5) == (674624, {})
    assert seen == [name]
    assert kernel_name() == "baseline"


def test_against_an_engine(invoke, engine):
    command = engine()
    result = invoke(*QUICK, "--method", "nodes", "--against", command, "--format", "json")
    assert result.exit_code == 0
    measured = results_of(json.loads(result.stdout))
    assert measured.pop((command, None))["ratios"] == {}
    for one in measured.values():
        ratio = one["ratios"][command]
        assert 0 < ratio["least"] <= ratio["median"] <= ratio["most"]


def test_against_an_engine_that_has_a_name(invoke, engine, tmp_path):
    (tmp_path / "pyproject.toml").write_text(
        f"[tool.perftkit.engines.bird]\nspec = {json.dumps(engine())}\n"
    )
    words = [*QUICK, "--method", "nodes", "--kernel", "baseline"]
    result = invoke(*words, "--against", "bird", "--json")
    assert result.exit_code == 0
    rival, walker = json.loads(result.stdout)["positions"][0]["results"]
    assert (rival["engine"], rival["name"], rival["status"]) == ("bird", "Parrot", "ok")
    assert list(walker["ratios"]) == ["bird"]


@pytest.mark.skipif(
    shutil.which("stockfish", path="/usr/games:/usr/bin:/usr/local/bin") is None,
    reason="Stockfish is not installed",
)
def test_against_stockfish(invoke):
    result = invoke(*QUICK, "--method", "nodes", "--against", "stockfish", "--json")
    assert result.exit_code == 0
    rival = json.loads(result.stdout)["positions"][0]["results"][0]
    assert rival["name"].startswith("Stockfish")
    assert (rival["status"], len(rival["seconds"])) == ("ok", 2)


def test_by_the_clock_of_the_processor(invoke, engine, monkeypatch):
    words = [*QUICK, "--method", "nodes", "--clock", "cpu", "--against", engine(), "--json"]
    result = invoke(*words)
    if result.exit_code == 0:
        assert json.loads(result.stdout)["clock"] == "cpu"
    monkeypatch.setattr(bench, "can_time_engines", lambda: False)
    result = invoke(*words)
    assert result.exit_code == 2
    assert "leave out --clock cpu" in result.stderr


def test_a_table_against_an_engine_fits_in_a_terminal(invoke, engine):
    result = invoke(*QUICK, "--against", engine())
    table = result.stdout.partition("position-3 d5")[2]
    assert "ratio" in table
    assert max(len(line) for line in table.splitlines()[:-1]) <= 80


def test_two_engines_in_a_table(invoke, engine):
    command = engine()
    result = invoke(*QUICK, "--method", "nodes", "--against", command, "--against", f"{command} x")
    assert result.exit_code == 0
    assert result.stdout.count("ratio") == 2


def test_an_engine_that_counts_wrongly(invoke, engine):
    command = engine({4: 43238, 5: 674623})
    result = invoke(*QUICK, "--method", "nodes", "--against", command)
    assert result.exit_code == 1
    assert "WRONG COUNT" in result.stderr
    assert "nodes 674,623, published 674,624" in result.stderr
    assert "WRONG: depth 5" in result.stdout
    assert "fast, nodes only" in result.stdout


def test_a_walker_that_counts_wrongly(invoke, monkeypatch):
    class Broken:
        @staticmethod
        def count(position, depth):
            return POSITION_3[depth], {"en_passant": 0}

    monkeypatch.setattr(contestants, "strict", Broken)
    result = invoke(*QUICK, "--json")
    assert result.exit_code == 1
    said = "WRONG COUNT of strict, all counters at position-3: depth 4, en_passant 0, published 123"
    assert said in result.stderr
    measured = results_of(json.loads(result.stdout))
    wrong = measured.pop(("strict", None))
    assert (wrong["status"], wrong["nps"]) == ("mismatch", None)
    assert wrong["differences"] == [{"depth": 4, "name": "en_passant", "expected": 123, "got": 0}]
    assert {one["status"] for one in measured.values()} == {"ok"}


def test_an_engine_that_is_not_there(invoke):
    result = invoke(*QUICK, "--against", "/no/such/engine")
    assert result.exit_code == 3
    assert result.stdout == ""
    assert "/no/such/engine" in result.stderr


@pytest.mark.parametrize(("what", "said"), [("die", "ended|died|exit"), ("hang", "gave no answer")])
def test_an_engine_that_fails_while_it_counts(invoke, engine, what, said):
    command = engine(d5=what)
    result = invoke(*QUICK, "--method", "nodes", "--against", command, "--timeout", "1", "--json")
    assert result.exit_code == 3
    assert "FAILED" in result.stderr
    document = json.loads(result.stdout)
    [error] = document["errors"]
    assert error["engine"] == command
    assert re.search(said, error["message"])
    measured = results_of(document)
    assert measured.pop((command, None))["status"] == "error"
    assert {one["status"] for one in measured.values()} == {"ok"}


@pytest.mark.parametrize(
    "words",
    [
        ["--runs", "0"],
        ["--runs", "many"],
        ["--kernel", "x86-64-v9"],
        ["--method", "slow"],
        ["--position", "position-7"],
        ["--timeout", "0"],
        ["--clock", "sand"],
        ["--clock", "cpu", "--threads", "2"],
        ["--threads", "0"],
        ["--threads", "1,,2"],
        ["--threads", "1025"],
        ["--threads", "two"],
        ["--against", ""],
        ["--against", '"'],
        ["extra"],
    ],
    ids=" ".join,
)
def test_bad_usage(invoke, words):
    result = invoke(*QUICK, *words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr


def test_a_kernel_that_is_not_there(invoke, monkeypatch):
    monkeypatch.setenv("PERFTKIT_KERNEL", "x86-64-v9")
    result = invoke(*QUICK)
    assert result.exit_code == 2
    assert "PERFTKIT_KERNEL=x86-64-v9: there is no such kernel here" in result.stderr


def test_ctrl_c_reports_what_was_finished(tmp_path):
    words = ["bench", "--quick", "--runs", "1000", "--position", "position-3", "--json"]
    with subprocess.Popen(
        [sys.executable, "-m", "perftkit", *words, "--method", "nodes"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env=environment(),
    ) as running:
        time.sleep(2)
        os.kill(running.pid, signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert b"Traceback" not in err
    if out:  # else it came before anything was measured
        assert json.loads(out)["stopped"] == "interrupted"


def test_the_version_with_what_it_runs_on(invoke):
    for words in (["--version", "--verbose"], ["--verbose", "--version"]):
        result = invoke(*words)
        assert result.exit_code == 0
        first, *rest = result.stdout.splitlines()
        assert first.startswith("perftkit ")
        assert [line.split()[0] for line in rest] == ["Python", "processor", "kernel", "compiler"]
        assert f"kernel     {available_kernels()[-1]}" in result.stdout or "PEXT" in result.stdout


def test_the_version_says_why_a_kernel_is_not_there(invoke, monkeypatch):
    monkeypatch.setenv("PERFTKIT_KERNEL", "x86-64-v9")
    result = invoke("--version", "--verbose")
    assert result.exit_code == 2
    assert "there is no such kernel here" in result.stderr
    assert invoke("--version").exit_code == 0


def test_verbose_alone(invoke):
    result = invoke("--verbose", "show", "startpos")
    assert result.exit_code == 2
    assert "--version" in result.stderr
