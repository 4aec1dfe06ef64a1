from __future__ import annotations

import sys

import pytest

from perftkit.bench import memory
from perftkit.bench.clocks import CPU
from perftkit.bench.hashed import HashContestant, HashResults, HashSample, HashWrong
from perftkit.bench.hashed import hash_contestants as schemes_of
from perftkit.bench.memory import peak_bytes, reset_peak
from perftkit.bench.positions import POSITION_NAMES, hash_bench_positions
from perftkit.core.hashing import HashRun
from perftkit.core.kernel import kernel_name
from perftkit.core.table import SCHEMES
from perftkit.verify.compare import Difference

# From the Chess Programming Wiki's page of perft results.
PUBLISHED = {
    "start": (7, 3195901860, 119060324),
    "kiwipete": (6, 8031647685, 193690690),
    "position-3": (8, 3009794393, 178633661),
    "position-4": (6, 706045033, 15833292),
    "position-5": (6, 3048196529, 89941194),
    "position-6": (6, 6923051137, 164075551),
}


def test_the_positions_and_their_counts():
    deep = hash_bench_positions(POSITION_NAMES)
    quick = hash_bench_positions(POSITION_NAMES, quick=True)
    assert {p.name: (p.task.depth, p.task.nodes) for p in deep} == {
        name: (depth, nodes) for name, (depth, nodes, _) in PUBLISHED.items()
    }
    assert {p.name: (p.task.depth + 1, p.task.nodes) for p in quick} == {
        name: (depth, shallower) for name, (depth, _, shallower) in PUBLISHED.items()
    }
    assert [p.name for p in hash_bench_positions()] == ["start", "kiwipete"]
    assert all("checkmates" in p.task.counts for p in hash_bench_positions())


def run(seconds, cpu_seconds=1.0, hits=1):
    return HashRun(
        scheme="two-slot",
        megabytes=1,
        depth=6,
        nodes=119060324,
        counts={},
        seconds=seconds,
        cpu_seconds=cpu_seconds,
        setup_seconds=100.0,
        statistics={"lookups": 4, "hits": hits},
    )


def results_of(*times, clock="wall"):
    """Results of the start position of (two-slot, always, deeper) in several runs."""
    [start] = hash_bench_positions(["start"], quick=True)
    who = schemes_of(["nodes"], [kernel_name()])
    results = HashResults([start], who, 1, len(times), clock)
    for index, row in enumerate(times):
        for contestant, hashed in zip(who, row, strict=True):
            if hashed is not None:
                results.add(HashSample(start, contestant, index, hashed, peak_memory=index + 1))
    return results, start, who


def test_ratios_are_of_the_pairs_of_each_run_and_know_nothing_of_the_setup():
    results, start, (two_slot, always, deeper) = results_of(
        [run(2.0), run(1.0), run(4.0)],
        [run(6.0), run(2.0), None],
        [run(10.0), run(1.0), None],
    )
    assert results.ratio(start, two_slot) is None
    spread = results.ratio(start, always)
    assert (spread.median, spread.least, spread.most) == (3.0, 2.0, 10.0)
    spread = results.ratio(start, deeper)
    assert (spread.median, spread.least, spread.most) == (0.5, 0.5, 0.5)
    assert results.nps(start, two_slot).median == pytest.approx(119060324 / 6)
    assert results.peak_memory(start, always) == 3
    assert results.busy() == pytest.approx(0.5)


def test_by_the_clock_of_the_processor():
    results, start, (_, always, _) = results_of(
        [run(1.0, cpu_seconds=4.0), run(1.0, cpu_seconds=2.0), run(1.0)], clock=CPU
    )
    assert results.ratio(start, always).median == 2.0
    assert results.nps(start, always).median == pytest.approx(119060324 / 2)


def test_a_time_that_is_too_short_to_be_seen_is_no_speed():
    results, start, (_, always, _) = results_of([run(1.0), run(0.0), run(1.0)])
    assert results.nps(start, always) is None
    assert results.ratio(start, always) is None


def test_what_goes_wrong_in_a_later_run_is_no_measurement():
    results, start, (two_slot, always, _) = results_of([run(1.0), run(2.0), run(1.0)])
    wrong = HashWrong(start, two_slot, (Difference("nodes", 1, 2),))
    results.add(wrong)
    assert results.wrong_of(start, two_slot) is wrong
    assert results.wrong_of(start, always) is None
    assert results.nps(start, two_slot) is None
    assert results.ratio(start, always) is None


def test_each_method_and_number_of_threads_with_each_scheme():
    name = kernel_name()
    assert schemes_of([], [name, name], [1, 2, 1]) == tuple(
        HashContestant(method, scheme, name, threads)
        for method in ("nodes", "fast")
        for threads in (1, 2)
        for scheme in SCHEMES
    )


def test_the_peak_of_memory_can_be_taken_anew(tmp_path, monkeypatch):
    held = bytearray(b"x" * (64 << 20))
    high = peak_bytes()
    if high is None:
        pytest.skip("the system does not tell")
    assert high >= 64 << 20
    del held
    assert peak_bytes() >= high
    if reset_peak():
        assert peak_bytes() <= high - (60 << 20)
    elif sys.platform == "linux":
        pytest.skip("this system has no clear_refs")
    monkeypatch.setattr(memory, "CLEAR", tmp_path / "none" / "clear_refs")
    monkeypatch.setattr(memory, "STATUS", tmp_path / "none" / "status")
    assert not reset_peak()
    assert 1 << 20 <= peak_bytes() <= high  # by another way
