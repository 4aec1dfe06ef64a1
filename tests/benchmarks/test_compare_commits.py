"""benchmarks/compare.py, without building anything: that takes minutes."""

from __future__ import annotations

import argparse
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

import perftkit
from perftkit.bench.positions import bench_positions

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "compare.py"
QUICK = argparse.Namespace(runs=2, quick=True, method=["nodes", "fast", "strict"])


@pytest.fixture
def compare(monkeypatch):
    spec = importlib.util.spec_from_file_location("compare", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "LEAST_SECONDS", 0.0)
    monkeypatch.setattr(
        module, "POSITIONS", [one for one in module.POSITIONS if one[0] in ("position-3",)]
    )
    return module


@pytest.fixture
def build(compare, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(Path(perftkit.__file__).parents[1]))
    builds = []

    def make(name):
        builds.append(compare.Build(name, Path(sys.executable)))
        return builds[-1]

    yield make
    for one in builds:
        one.close()


def test_its_positions_are_those_of_bench():
    spec = importlib.util.spec_from_file_location("compare", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    theirs = [
        (p.name, p.fen, p.task.depth, (p.warm_up.nodes, p.task.nodes)) for p in bench_positions()
    ]
    assert list(module.POSITIONS) == theirs


def test_two_builds_are_compared_pair_by_pair(compare, build, capsys):
    compare.measure(build("old"), build("new"), QUICK)
    out = capsys.readouterr().out
    for method in QUICK.method:
        assert f"\n{method} " in out
    assert out.count("position-3") == 3
    assert out.count("geometric mean") == 3


def test_a_wrong_count_ends_it(compare, build, monkeypatch):
    monkeypatch.setattr(compare, "POSITIONS", [("start", perftkit.STARTPOS, 3, (401, 8902))])
    with pytest.raises(SystemExit, match=r"WRONG COUNT of old, method nodes: 400, not 401"):
        compare.measure(build("old"), build("new"), QUICK)


def test_a_build_that_dies_ends_it(compare, build):
    old = build("old")
    old.process.kill()
    old.process.wait()
    with pytest.raises(SystemExit, match="old ended while it counted"):
        compare.measure(old, build("new"), QUICK)


@pytest.mark.parametrize(
    ("words", "said"),
    [(["--runs", "0", "a", "b"], "--runs is 1 or more"), (["no-such-commit", "HEAD"], "git")],
    ids=" ".join,
)
def test_bad_usage(words, said):
    done = subprocess.run(
        [sys.executable, SCRIPT, *words], capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert said in done.stderr
    assert "Traceback" not in done.stderr
