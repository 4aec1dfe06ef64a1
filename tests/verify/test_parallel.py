"""What happens in a run does not depend on the number of threads.

Counts of the start position and of Kiwipete are the published ones.
"""

import dataclasses
import threading
import time
from itertools import count

import pytest

from perftkit import KIWIPETE, STARTPOS
from perftkit.core import crew
from perftkit.core.crew import Count, Crew
from perftkit.engines.builtin import BuiltinGenerator
from perftkit.errors import SuiteError
from perftkit.suite.builtin import DEFAULT, resolve
from perftkit.suite.model import Expectation, SuiteProblem, SuiteRow
from perftkit.suite.reader import read_suite
from perftkit.verify import parallel
from perftkit.verify.events import MISMATCH, OK, SKIPPED, Advanced, Outcome
from perftkit.verify.runner import RunOptions, run

START = SuiteRow(
    "start",
    STARTPOS,
    expectations=(Expectation(1, 20), Expectation(3, 8902, {"checks": 12}), Expectation(4, 197281)),
)
KIWI = SuiteRow(
    "kiwipete",
    KIWIPETE,
    expectations=(Expectation(1, 48), Expectation(4, 4085603, {"en_passant": 1929})),
)
WRONG = SuiteRow("wrong", STARTPOS, expectations=(Expectation(1, 20), Expectation(3, 8903)))
TWICE = SuiteRow("twice", STARTPOS, expectations=(Expectation(3, 8902), Expectation(3, 8902)))
BARE = SuiteRow("bare", KIWIPETE)
PROBLEM = SuiteProblem("suite.epd", 4, 1, "not a row")
ITEMS = [START, PROBLEM, KIWI, BARE, WRONG, TWICE, START]


@pytest.fixture(autouse=True)
def _busy(monkeypatch):
    """Leaves nothing to the thread that asks, and cuts what can be."""
    monkeypatch.setattr(parallel, "LEAST_COST", 0)
    monkeypatch.setattr(crew, "LEAST_PART", 1000)


def events(items, threads, method="fast", **options):
    """All that happens but the progress, and without the time it took."""
    found = run(items, RunOptions(**options), BuiltinGenerator(method, threads))
    return [
        dataclasses.replace(event, seconds=0.0) if isinstance(event, Outcome) else event
        for event in found
        if not isinstance(event, Advanced)
    ]


def collect(happening, outcomes):
    for event in happening:
        if isinstance(event, Outcome):
            outcomes.append(event)


def workers():
    return sum(thread.name == "perftkit" for thread in threading.enumerate())


@pytest.mark.parametrize("method", ["fast", "strict", "both"])
@pytest.mark.parametrize(
    "options",
    [
        {"depth": 4},
        {"depth": 4, "fail_fast": True},
        {"depth": 4, "max_nodes": 10_000},
        {"depth": 3, "ids": ("b*", "k*")},
        {"depth": 4, "convention": "wiki"},
    ],
    ids=str,
)
def test_the_same_happens_in_the_same_order(options, method):
    found = events(ITEMS, 1, method, **options)
    assert found == events(ITEMS, 2, method, **options)
    assert found == events(ITEMS, 5, method, **options)
    assert workers() == 0


def test_published_counts():
    found = events([START, KIWI, WRONG], 2, depth=4)
    assert [(event.row.id, event.depth, event.nodes, event.status) for event in found] == [
        ("start", 1, 20, OK),
        ("start", 3, 8902, OK),
        ("start", 4, 197281, OK),
        ("kiwipete", 1, 48, OK),
        ("kiwipete", 4, 4085603, OK),
        ("wrong", 1, 20, OK),
        ("wrong", 3, 8902, MISMATCH),
    ]


@pytest.mark.parametrize("threads", [2, 3])
def test_every_row_of_the_reference_suite_up_to_depth_3(threads, monkeypatch):
    monkeypatch.setattr(parallel, "LEAST_COST", 5000)  # some at once, some at their turn
    items = list(read_suite(resolve(DEFAULT)))
    found = events(items, threads, depth=3)
    assert found == events(items, 1, depth=3)
    assert {event.status for event in found} == {OK}


def test_a_row_takes_its_own_time():
    for event in run([START, KIWI], RunOptions(4), BuiltinGenerator("fast", 2)):
        if isinstance(event, Outcome):
            assert 0 < event.seconds < 60


def test_the_limit_stops_a_row_that_is_only_a_fen():
    # Depth 9 would take days.
    found = events([BARE, START], 2, depth=9, max_nodes=1000)
    assert [event.status for event in found] == [OK, OK, *[SKIPPED] * 7, OK, SKIPPED, SKIPPED]


def test_a_row_is_given_up_when_it_turns_out_too_large():
    # Both expectations are wrong; the second, begun ahead of its turn, would take days.
    row = SuiteRow("row", KIWIPETE, expectations=(Expectation(3, 20), Expectation(12, 30)))
    found = events([row, START], 2, depth=12, max_nodes=50)
    assert [event.status for event in found] == [MISMATCH, SKIPPED, OK, SKIPPED, SKIPPED]


def test_a_difference_ends_what_was_begun_after_it():
    endless = SuiteRow("endless", KIWIPETE, expectations=(Expectation(12, 1),))
    found = events([WRONG, endless, endless], 2, depth=12, fail_fast=True)
    assert [event.status for event in found] == [OK, MISMATCH]
    assert workers() == 0


@pytest.mark.parametrize("least", [0, 1e99])
def test_rows_are_read_as_they_are_needed(monkeypatch, least):
    monkeypatch.setattr(parallel, "LEAST_COST", least)
    read = count()
    rows = (START for _ in zip(range(10_000), read, strict=False))
    happening = run(rows, RunOptions(1), BuiltinGenerator("fast", 2))
    next(happening)
    happening.close()
    assert next(read) <= 2 * parallel.MOST_ROWS
    assert workers() == 0


def test_long_counts_are_not_begun_far_ahead():
    read = count()

    def endless():
        while True:
            next(read)
            yield KIWI

    happening = run(endless(), RunOptions(4), BuiltinGenerator("fast", 2))
    next(happening)
    happening.close()
    assert next(read) <= 8


def test_what_was_read_before_a_file_breaks_off_is_counted():
    def broken():
        yield START
        yield KIWI
        raise SuiteError("gone")

    happening = run(broken(), RunOptions(3), BuiltinGenerator("fast", 2))
    found = []
    with pytest.raises(SuiteError, match="gone"):
        collect(happening, found)
    assert [event.nodes for event in found] == [20, 8902, 48]
    assert workers() == 0


def test_what_was_finished_before_ctrl_c_is_reported(monkeypatch):
    monkeypatch.setattr(crew, "LEAST_PART", 1e99)  # one count keeps one thread only
    endless = SuiteRow("endless", KIWIPETE, expectations=(Expectation(12, 1),))
    begun = []
    start, advances = Crew.start, Count.advances

    def noted(self, position, depth, *more, **options):
        begun.append((depth, start(self, position, depth, *more, **options)))
        return begun[-1][1]

    def interrupted(self):
        if self is not begun[3][1]:
            return advances(self)
        while not all(count.is_finished() for depth, count in begun if depth < 12):
            time.sleep(0.001)
        raise KeyboardInterrupt

    monkeypatch.setattr(Crew, "start", noted)
    monkeypatch.setattr(Count, "advances", interrupted)
    found = []
    with pytest.raises(KeyboardInterrupt):
        collect(run([START, endless, KIWI], RunOptions(12), BuiltinGenerator("fast", 2)), found)
    assert [(event.row.id, event.depth, event.nodes, event.status) for event in found] == [
        ("start", 1, 20, OK),
        ("start", 3, 8902, OK),
        ("start", 4, 197281, OK),
        ("kiwipete", 1, 48, OK),
        ("kiwipete", 4, 4085603, OK),
    ]
    assert workers() == 0


@pytest.mark.parametrize("method", ["fast", "strict", "both"])
def test_depth_0_is_no_work_for_threads(method):
    row = SuiteRow("zero", STARTPOS, expectations=(Expectation(0, 1), Expectation(1, 20)))
    found = [event for event in events([row], 2, method, depth=1) if isinstance(event, Outcome)]
    assert [(event.depth, event.status, event.nodes) for event in found] == [
        (0, OK, 1),
        (1, OK, 20),
    ]
