from __future__ import annotations

import json
import subprocess
import sys
import time
from datetime import datetime
from io import StringIO
from pathlib import Path

import pytest

from perftkit.bench.clocks import CPU, can_time_engines, engines_cpu_seconds
from perftkit.bench.contestants import Contestant
from perftkit.bench.cycles import PERF_EVENTS, PerfEvents, TimeStamps, open_cycle_counter
from perftkit.bench.machine import this_machine
from perftkit.bench.measure import Failed, Sample, Wrong, measure
from perftkit.bench.positions import POSITION_NAMES, bench_positions
from perftkit.bench.results import Results
from perftkit.core import cycles
from perftkit.errors import EngineError
from perftkit.report.bench import write_json

# From the Chess Programming Wiki's page of perft results.
PUBLISHED = {
    "start": (6, 119060324, 4865609),
    "kiwipete": (5, 193690690, 4085603),
    "position-3": (6, 11030083, 674624),
    "position-4": (5, 15833292, 422333),
    "position-5": (5, 89941194, 2103487),
    "position-6": (5, 164075551, 3894594),
}


def test_the_six_positions_and_their_counts():
    deep, quick = bench_positions(), bench_positions(quick=True)
    assert {p.name: (p.task.depth, p.task.nodes, p.warm_up.nodes) for p in deep} == PUBLISHED
    assert {p.name: (p.task.depth + 1, p.task.nodes) for p in quick} == {
        name: (depth, shallower) for name, (depth, _, shallower) in PUBLISHED.items()
    }
    assert list(POSITION_NAMES) == list(PUBLISHED)


def test_every_position_has_published_counters():
    for position in bench_positions():
        assert {"captures", "en_passant", "castles", "promotions", "checks", "checkmates"} <= set(
            position.task.counts
        )


class Clock:
    """Stands still but while somebody counts."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


class Fake:
    """Counts as it is published, in a given time that changes from run to run."""

    def __init__(self, clock, times, log=None):
        self.clock = clock
        self.times = iter(times)
        self.log = [] if log is None else log

    def __call__(self, position, depth):
        timed = depth == position.task.depth
        expected = position.task if timed else position.warm_up
        if timed:
            self.clock.now += next(self.times)
            self.log.append((position.name, self))
        return expected.nodes, {}


def contestants(*fakes, engine=None):
    return [
        Contestant(f"fake {index}", fake, "nodes", engine=engine)
        for index, fake in enumerate(fakes)
    ]


def collect(positions, who, runs, wall, **kwargs):
    results = Results(positions, who, runs)
    events = list(measure(positions, who, runs=runs, wall=wall, **kwargs))
    for event in events:
        results.add(event)
    return results, events


def test_medians_and_ratios_pair_by_pair():
    clock = Clock()
    slow, fast = contestants(Fake(clock, [4.0, 6.0, 30.0]), Fake(clock, [1.0, 2.0, 5.0]))
    [kiwipete] = positions = bench_positions(["kiwipete"])
    results, _ = collect(positions, [slow, fast], 3, clock)
    assert results.seconds(kiwipete, fast) == [1.0, 2.0, 5.0]
    nps = results.nps(kiwipete, fast)
    assert (nps.median, nps.least, nps.most) == (193690690 / 2, 193690690 / 5, 193690690)
    # The ratios of the runs are 4, 3 and 6; that of the medians would be 3.
    ratio = results.ratio(kiwipete, fast, slow)
    assert (ratio.median, ratio.least, ratio.most) == (4, 3, 6)


def test_the_mean_over_positions_is_geometric_and_by_runs():
    clock = Clock()
    # Run 0: start, kiwipete; run 1 the same. Ratios: 2 and 8, then 1 and 1.
    own, other = contestants(Fake(clock, [1, 1, 1, 1]), Fake(clock, [2, 8, 1, 1]))
    results, _ = collect(bench_positions(["start", "kiwipete"]), [own, other], 2, clock)
    mean = results.mean_ratio(own, other)
    assert (mean.median, mean.least, mean.most) == pytest.approx((2.5, 1, 4))
    assert results.mean_nps(own).median == pytest.approx((119060324 * 193690690) ** 0.5)


def test_they_take_turns_and_every_second_run_goes_backwards():
    clock, log = Clock(), []
    fakes = [Fake(clock, [1] * 9, log) for _ in range(3)]
    collect(bench_positions(["start"]), contestants(*fakes), 3, clock)
    assert [fake for _, fake in log] == [*fakes, *fakes[::-1], *fakes]


def test_a_short_count_is_repeated():
    clock = Clock()
    [one] = who = contestants(Fake(clock, [0.25] * 4))
    [start] = positions = bench_positions(["start"])
    results, _ = collect(positions, who, 1, clock, least_seconds=1.0)
    assert results.seconds(start, one) == [0.25]


@pytest.mark.parametrize("counts", [{}, {"captures": 34}], ids=["nodes", "counter"])
def test_a_wrong_count_is_no_measurement(counts):
    clock = Clock()
    right = Fake(clock, [1, 1])

    def wrong(position, depth):
        nodes, _ = right_count(position, depth)
        return (nodes, counts) if counts else (nodes - 1, {})

    def right_count(position, depth):
        expected = position.task if depth == position.task.depth else position.warm_up
        return expected.nodes, {}

    [start] = positions = bench_positions(["start"])
    who = contestants(wrong, right)
    results, events = collect(positions, who, 2, clock)
    assert [type(event) for event in events] == [Wrong, Sample, Sample]
    assert results.nps(start, who[0]) is None
    assert results.nps(start, who[1]).median == 119060324
    [difference] = results.wrong_of(start, who[0]).differences
    assert difference.name == ("captures" if counts else "nodes")


def test_an_engine_that_fails_is_out_and_the_others_go_on():
    clock = Clock()
    calls = []

    def dies(position, depth):
        calls.append(depth)
        if len(calls) == 3:
            raise EngineError("it died")
        return (position.task if depth == position.task.depth else position.warm_up).nodes, {}

    who = contestants(dies, Fake(clock, [1, 1]))
    results, events = collect(bench_positions(["start"]), who, 2, clock)
    assert [type(event) for event in events] == [Sample, Sample, Sample, Failed]
    assert [failed.message for failed in results.failed] == ["it died"]


def spin(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_the_clock_of_the_processor_does_not_see_who_sleeps():
    def works(position, depth):
        if depth == position.task.depth:
            time.sleep(0.5)
            spin(0.05)
        return (position.task if depth == position.task.depth else position.warm_up).nodes, {}

    [own] = contestants(works)
    [start] = positions = bench_positions(["start"])
    results, [sample] = collect(positions, [own], 1, time.perf_counter, clock=CPU)
    assert 0.05 <= sample.seconds < 0.5
    assert 0 < results.busy() < 0.9
    assert results.nps(start, own).median == pytest.approx(119060324 / sample.seconds)


ENGINE = """
import sys, time
for line in sys.stdin:
    time.sleep(0.5)
    end = time.process_time() + 0.05
    while time.process_time() < end:
        pass
    print(flush=True)
"""


@pytest.mark.skipif(not can_time_engines(), reason="only for Linux")
@pytest.mark.parametrize("shell", [False, True], ids=["child", "grandchild"])
def test_the_clock_of_the_processor_sees_what_an_engine_does(shell):
    words = [sys.executable, "-c", ENGINE]
    words = ["sh", "-c", '"$@"; exit', "sh", *words] if shell else words
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:

        def asks(position, depth):
            if depth == position.task.depth:
                process.stdin.write(b"go\n")
                process.stdin.flush()
                process.stdout.readline()
            return (position.task if depth == position.task.depth else position.warm_up).nodes, {}

        [engine] = contestants(asks, engine="slow")
        who = [engine]
        _, [sample] = collect(bench_positions(["start"]), who, 1, time.perf_counter, clock=CPU)
        process.stdin.close()
    assert 0.05 <= sample.seconds < 0.5
    # What has ended is not forgotten.
    assert engines_cpu_seconds() >= 0.05


class Cycles:
    source = PERF_EVENTS

    def __init__(self, clock):
        self.clock = clock

    def read(self):
        return int(self.clock.now * 1000), int(self.clock.now * 3000)

    def close(self):
        pass


def test_cycles_and_instructions_a_leaf():
    clock = Clock()
    [own] = contestants(Fake(clock, [119060.324]))
    [engine] = contestants(Fake(clock, [1]), engine="other")
    [start] = positions = bench_positions(["start"])
    results, _ = collect(positions, [own, engine], 1, clock, cycles=Cycles(clock))
    assert results.cycles_per_leaf(start, own).median == pytest.approx(1)
    assert results.instructions_per_leaf(start, own).median == pytest.approx(3)
    # What another process spends is not seen by the counters of this one.
    assert results.cycles_per_leaf(start, engine) is None


def test_the_best_counter_of_this_machine_goes_up():
    counter = open_cycle_counter()
    if counter is None:
        pytest.skip("nothing here counts cycles")
    before = counter.read()[0]
    sum(range(10_000))
    assert counter.read()[0] > before
    counter.close()


def test_perf_events_are_read():
    try:
        counter = PerfEvents((1, 1))  # the time of this process: PERF_COUNT_SW_TASK_CLOCK
    except OSError:
        pytest.skip("no perf events here")
    before, _ = counter.read()
    sum(range(100_000))
    after, instructions = counter.read()
    assert 0 < after - before < 10**10
    assert instructions is None
    counter.close()


def test_a_machine_without_hardware_events_falls_back(monkeypatch):
    monkeypatch.setattr(cycles, "open_event", lambda *_: -1)
    monkeypatch.setattr(cycles, "HAS_TICKS", True)
    assert isinstance(open_cycle_counter(), TimeStamps)
    monkeypatch.setattr(cycles, "HAS_TICKS", False)
    assert open_cycle_counter() is None


def test_time_stamps_are_left_out_where_other_programs_should_not_count(monkeypatch):
    monkeypatch.setattr(cycles, "open_event", lambda *_: -1)
    assert open_cycle_counter(time_stamps=False) is None


def test_the_document_says_what_was_measured():
    clock = Clock()
    [own] = contestants(Fake(clock, [1, 2]))
    [engine] = contestants(Fake(clock, [4, 4]), engine="other --uci")
    positions = bench_positions(["start"])
    results, _ = collect(positions, [own, engine], 2, clock)
    stream = StringIO()
    write_json(stream, "1.2.3", this_machine(), results, None)
    document = json.loads(stream.getvalue())
    assert document["perftkit"] == "1.2.3"
    assert document["command"] == "bench"
    assert datetime.fromisoformat(document["date"]).tzinfo is not None
    assert document["machine"]["kernel"] in document["machine"]["kernels"]
    [start] = document["positions"]
    first, second = start["results"]
    assert first["seconds"] == [1, 2]
    assert first["nps"] == {"median": 89295243, "least": 59530162, "most": 119060324}
    assert first["ratios"] == {"fake 0": {"median": 3, "least": 2, "most": 4}}
    assert second["engine"] == "other --uci"
    assert document["geometric_mean"][0]["nps"] == first["nps"]


def test_the_stored_results_are_readable_and_right():
    stored = sorted((Path(__file__).parents[2] / "benchmarks" / "results").glob("*.json"))
    assert stored
    for path in stored:
        document = json.loads(path.read_text(encoding="utf-8"))
        assert path.name.startswith(f"{document['perftkit']}-")
        assert {p["id"]: (p["depth"], p["nodes"]) for p in document["positions"]} == {
            name: (depth, nodes) for name, (depth, nodes, _) in PUBLISHED.items()
        }
        assert document["machine"]["compiler"]
        results = [one for p in document["positions"] for one in p["results"]]
        assert {one["status"] for one in results} == {"ok"}
