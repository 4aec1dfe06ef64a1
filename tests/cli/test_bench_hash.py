"""`perftkit bench --hash`: the schemes of replacement side by side."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest
from processes import environment

from perftkit import perft
from perftkit.core import hashing
from perftkit.core.kernel import available_kernels, kernel_name
from perftkit.core.table import SCHEMES, HashTable
from perftkit.errors import HashTableError

QUICK = ("bench", "--hash", "2", "--quick", "--runs", "2", "--position", "start")

# The start position at depth 6, from the Chess Programming Wiki.
NODES, CAPTURES = 119060324, 2812008


def results_of(document):
    return {(one["method"], one["scheme"]): one for one in document["positions"][0]["results"]}


def test_every_scheme_is_measured_with_and_without_counters(invoke):
    result = invoke(*QUICK, "--json")
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    assert (document["command"], document["hash"], document["runs"]) == ("bench", 2, 2)
    [position] = document["positions"]
    assert (position["id"], position["depth"], position["nodes"]) == ("start", 6, NODES)
    measured = results_of(document)
    assert set(measured) == {(method, scheme) for method in ("nodes", "fast") for scheme in SCHEMES}
    for (_, scheme), one in measured.items():
        assert one["status"] == "ok"
        assert one["kernel"] == kernel_name()
        assert all(
            len(one[times]) == 2 and min(one[times]) >= 0
            for times in ("seconds", "cpu_seconds", "setup_seconds")
        )
        assert 0 < one["nps"]["least"] <= one["nps"]["median"] <= one["nps"]["most"]
        # Each run had a fresh table, so that one thread does exactly the same again.
        first, second = one["statistics"]
        assert first == second
        rate = first["hits"] / first["lookups"]
        assert one["hit_rate"]["median"] == pytest.approx(rate, abs=1e-6)
        assert 0 < rate < 1
        assert list(one["ratios"]) == ([] if scheme == "two-slot" else ["two-slot"])
    # One slot that is always replaced keeps nothing; two slots and the deeper do in so small a one.
    assert [measured["fast", scheme]["statistics"][0]["kept"] > 0 for scheme in SCHEMES] == [
        scheme != "always" for scheme in SCHEMES
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the peak since some moment")
def test_the_peak_memory_is_that_of_each_table(invoke):
    words = (*QUICK, "--method", "nodes", "--json")
    small = results_of(json.loads(invoke(*words).stdout))
    large = results_of(json.loads(invoke(*words, "--hash", "66").stdout))
    again = results_of(json.loads(invoke(*words).stdout))
    for scheme in SCHEMES:
        before, between, after = (
            results["nodes", scheme]["peak_memory"] for results in (small, large, again)
        )
        assert before < between > after
        assert 60 << 20 <= between - before <= 70 << 20


def test_the_table_of_numbers(invoke):
    result = invoke(*QUICK, "--method", "nodes", "--threads", "1,2")
    assert result.exit_code == 0
    _, blank, table = result.stdout.partition("\nstart d6, 119,060,324 leaves; fast, nodes only\n")
    assert blank
    rows = [line.split()[:2] for line in table.splitlines()[1:7]]
    assert rows == [[scheme, threads] for threads in "12" for scheme in SCHEMES]
    assert max(len(line) for line in table.splitlines()[:7]) <= 80
    assert "all counters" not in table


def test_threads_share_the_table_and_the_kernel_is_the_one_that_is_named(invoke, monkeypatch):
    seen = []

    def spy(*args, **kwargs):
        if args[1] == 6:  # not the one before the first run
            seen.append((kwargs["threads"], kernel_name(), kwargs["table"].scheme))
        return perft(*args, **kwargs)

    monkeypatch.setattr(hashing, "perft", spy)
    kernels = [word for name in available_kernels() for word in ("--kernel", name)]
    words = ["--method", "nodes", "--threads", "2", "--runs", "1", *kernels]
    assert invoke(*QUICK, *words).exit_code == 0
    assert seen == [(2, name, scheme) for name in available_kernels() for scheme in SCHEMES]


def test_the_clock_of_the_processor(invoke):
    result = invoke(*QUICK, "--method", "nodes", "--clock", "cpu", "--json")
    document = json.loads(result.stdout)
    assert document["clock"] == "cpu"
    for one in results_of(document).values():
        assert one["nps"]["most"] == pytest.approx(NODES / min(one["cpu_seconds"]), rel=1e-3)


@pytest.mark.parametrize(
    ("wrong", "said", "right"),
    [
        ({"nodes": NODES + 1}, "nodes 119,060,325, published 119,060,324", ()),
        ({"captures": CAPTURES - 1}, "captures 2,812,007, published 2,812,008", ("nodes",)),
    ],
)
def test_a_wrong_count(invoke, monkeypatch, wrong, said, right):
    def broken(*args, **kwargs):
        result = perft(*args, **kwargs)
        counts = {name: wrong.get(name, count) for name, count in result.counts.items()}
        return replace(result, nodes=wrong.get("nodes", result.nodes), counts=counts)

    monkeypatch.setattr(hashing, "perft", broken)
    result = invoke(*QUICK, "--json")
    assert result.exit_code == 1
    assert f"WRONG COUNT of fast, all counters, two-slot, {kernel_name()}" in result.stderr
    assert said in result.stderr
    for (method, _), one in results_of(json.loads(result.stdout)).items():
        assert one["status"] == ("ok" if method in right else "mismatch")
        assert bool(one["differences"]) == (method not in right)
    table = invoke(*QUICK)
    assert table.exit_code == 1
    assert f"WRONG: {said}" in table.stdout


def test_more_memory_than_there_is(invoke, tmp_path):
    result = invoke(*QUICK, "--hash", "10000000", "--output", "out.json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "there is no memory for a hash table of 10000000 MB" in result.stderr
    assert not (tmp_path / "out.json").exists()


def test_memory_that_goes_away_meanwhile(invoke, monkeypatch):
    left = iter([True, True, False])  # the first is that of the count before the first run

    def table(*args):
        if next(left):
            return HashTable(*args)
        raise HashTableError("there is no memory for a hash table of 2 MB")

    monkeypatch.setattr(hashing, "HashTable", table)
    result = invoke(*QUICK, "--json")
    assert result.exit_code == 2
    assert "FAILED: there is no memory" in result.stderr
    document = json.loads(result.stdout)
    assert [error["message"] for error in document["errors"]] == [
        "there is no memory for a hash table of 2 MB"
    ]
    assert [one["status"] for one in results_of(document).values()] == ["ok", *["error"] * 5]


@pytest.mark.parametrize(
    "words",
    [
        ["--hash", "0"],
        ["--hash", "many"],
        ["--method", "strict"],
        ["--against", "stockfish"],
        ["--clock", "cpu", "--threads", "2"],
        ["--kernel", "x86-64-v9"],
        ["--position", "position-7"],
    ],
    ids=" ".join,
)
def test_bad_usage(invoke, words):
    result = invoke(*QUICK, *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr


def test_the_environment_asks_for_it(invoke):
    words = [
        "bench",
        "--quick",
        "--runs",
        "1",
        "--position",
        "start",
        "--method",
        "nodes",
        "--json",
    ]
    document = json.loads(invoke(*words, env={"PERFTKIT_BENCH_HASH": "3"}).stdout)
    assert document["hash"] == 3


def test_ctrl_c_reports_what_was_finished(tmp_path):
    words = ["bench", "--hash", "16", "--runs", "1000", "--quick", "--method", "nodes", "--json"]
    with subprocess.Popen(
        [sys.executable, "-m", "perftkit", *words],
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
