"""Counts of the start position and of Kiwipete are the published ones."""

import threading
import time
from dataclasses import replace

import pytest
from fake_engine import FakeEngine, without_castling, without_en_passant

from perftkit import KIWIPETE, STARTPOS
from perftkit.errors import EngineError
from perftkit.suite.model import Expectation, SuiteProblem, SuiteRow
from perftkit.verify.check import CheckOptions, check
from perftkit.verify.choice import Pace, choose
from perftkit.verify.events import ERROR, MISMATCH, OK, SKIPPED, Outcome, Unreadable
from perftkit.verify.runner import RunOptions
from perftkit.verify.verdict import ExitStatus, Tally, verdict

START = SuiteRow(
    "start",
    STARTPOS,
    expectations=(Expectation(1, 20), Expectation(2, 400), Expectation(3, 8902, {"checks": 12})),
)
KIWI = SuiteRow(
    "kiwipete", KIWIPETE, expectations=(Expectation(1, 48), Expectation(2, 2039, {"captures": 351}))
)
BARE = SuiteRow("bare", KIWIPETE)
WRONG = SuiteRow("wrong", STARTPOS, expectations=(Expectation(1, 20), Expectation(2, 401)))
CHESS960 = SuiteRow("960", "4k3/8/8/8/8/8/8/1RK2R2 w BF - 0 1")
PROBLEM = SuiteProblem("suite.epd", 4, 1, "not a row")


SLOW = Pace(100, 0.0)


def outcomes(
    items,
    engine,
    *,
    depth=2,
    another=None,
    recount=False,
    budget=None,
    pace=SLOW,
    jobs=1,
    **run,
):
    options = RunOptions(depth, **run)
    if budget is not None:
        items = list(items)
        options = replace(options, choice=choose(items, options, budget, pace))
    options = CheckOptions(options, recount, jobs)
    return [event for event in check(items, options, engine, another) if isinstance(event, Outcome)]


def statuses(found):
    return [(event.row.id, event.depth, event.status) for event in found]


def test_a_healthy_engine():
    found = outcomes([START, KIWI], FakeEngine(), depth=3)
    assert {event.status for event in found} == {OK}
    assert [event.nodes for event in found] == [20, 400, 8902, 48, 2039]
    assert found[2].expected_counts == {"checks": 12}
    assert found[2].counts == {}


def test_a_wrong_engine():
    found = outcomes([KIWI], FakeEngine(without_en_passant))
    assert statuses(found) == [("kiwipete", 1, OK), ("kiwipete", 2, MISMATCH)]
    (difference,) = found[1].differences
    assert (difference.expected, difference.got) == (2039, 2038)
    assert any("en passant" in hint for hint in found[1].hints)
    assert found[1].disputed is None


def test_a_row_that_is_only_a_fen_is_compared_with_the_reference():
    found = outcomes([BARE], FakeEngine(without_en_passant))
    assert statuses(found) == [("bare", 1, OK), ("bare", 2, MISMATCH)]
    assert [event.expected_nodes for event in found] == [48, 2039]


def test_only_nodes_decide_and_other_counters_are_remarked():
    engine = FakeEngine(counts={2: {"captures": 350}})
    found = outcomes([KIWI], engine)
    assert {event.status for event in found} == {OK}
    assert found[1].counts == {"captures": 350}
    assert found[1].remarks == ("captures: the engine prints 350, the row has 351",)


def test_a_total_that_contradicts_right_rows_is_a_mismatch():
    found = outcomes([KIWI], FakeEngine(prints_total=lambda nodes: nodes % 256))
    assert [event.status for event in found] == [OK, MISMATCH]
    assert found[1].differences[0].got == 2039 % 256


def test_a_wrong_suite_is_never_taken_for_a_wrong_engine():
    found = outcomes([WRONG], FakeEngine())
    assert found[1].status == MISMATCH
    assert (found[1].expected_nodes, found[1].nodes, found[1].disputed) == (401, 400, 400)
    assert found[1].hints == ()


def test_the_reference_recounts_where_the_engine_agrees_with_a_wrong_suite():
    class Agreeing(FakeEngine):
        def ask(self, question):
            answer = super().ask(question)
            return answer if question.depth == 1 else type(answer)(401)

    assert outcomes([WRONG], Agreeing())[1].status == OK
    found = outcomes([WRONG], Agreeing(), recount=True)
    assert (found[1].status, found[1].disputed) == (MISMATCH, 400)


def test_too_many_nodes_are_skipped_before_they_are_asked_for():
    engine = FakeEngine()
    found = outcomes([START, BARE], engine, depth=3, max_nodes=400)
    assert [event.status for event in found] == [OK, OK, SKIPPED, OK, SKIPPED, SKIPPED]
    assert "2039" in found[4].reason
    assert [question.depth for question in engine.asked] == [1, 2, 1]


def test_an_engine_that_fails_makes_the_row_an_error_and_the_run_goes_on():
    found = outcomes([START, KIWI], FakeEngine(fails=frozenset([2])), depth=3)
    assert statuses(found) == [
        ("start", 1, OK),
        ("start", 2, ERROR),
        ("start", 3, SKIPPED),
        ("kiwipete", 1, OK),
        ("kiwipete", 2, ERROR),
    ]
    assert "segmentation fault" in found[1].reason
    assert found[1].expected_nodes == 400
    assert "depth 2" in found[2].reason
    tally = Tally()
    for event in found:
        tally.add(event)
    assert (tally.failed, tally.ok, tally.skipped) == (2, 2, 1)
    assert verdict(tally) is ExitStatus.ENGINE_FAILED
    tally.add(Unreadable(PROBLEM))
    assert verdict(tally) is ExitStatus.ENGINE_FAILED
    assert verdict(tally, interrupted=True) is ExitStatus.INTERRUPTED


def test_chess960_is_skipped_where_it_is_not_known():
    found = outcomes([CHESS960, START], FakeEngine(knows_chess960=False), depth=1)
    assert [event.status for event in found] == [SKIPPED, OK]
    assert "Chess960" in found[0].reason
    assert outcomes([CHESS960], FakeEngine(knows_chess960=None), depth=1)[0].status == OK


def test_optional_rows_are_asked_for_by_their_id():
    row = SuiteRow("rare", KIWIPETE, notes={"optional": "no game leads to it"})
    (found,) = outcomes([row], FakeEngine(), depth=1)
    assert (found.status, found.reason) == (
        SKIPPED,
        "no game leads to it; --id rare asks for it",
    )
    assert outcomes([row], FakeEngine(), depth=1, ids=("rare",))[0].status == OK


def test_a_budget_leaves_out_what_it_has_no_time_for():
    engine = FakeEngine()
    found = outcomes([START, KIWI], engine, depth=3, budget=6)
    assert statuses(found) == [
        ("start", 1, OK),
        ("start", 2, OK),
        ("start", 3, SKIPPED),
        ("kiwipete", 1, OK),
        ("kiwipete", 2, SKIPPED),
    ]
    assert [event.is_left_out for event in found] == [False, False, True, False, True]
    assert found[2].reason == "left out for the budget of 6 s"
    assert len(engine.asked) == 3


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_slow_engine_is_kept_within_the_budget(jobs):
    class Slow(FakeEngine):
        def ask(self, question):
            time.sleep(0.2)
            return super().ask(question)

    # By the pace there is time for 20 leaves ten times, and ten answers take two seconds.
    rows = [replace(START, id=f"start{line}", line=line) for line in range(1, 11)]
    start = time.monotonic()
    found = outcomes(rows, Slow(), depth=1, budget=1, another=Slow, jobs=jobs, pace=Pace(200, 0.0))
    assert time.monotonic() - start < 1.9
    late = [event.reason for event in found if event.is_left_out]
    assert 1 <= len(late) < 10
    assert all("slower than" in reason or "used up" in reason for reason in late)


def test_fail_fast_stops_at_a_difference_and_at_an_error():
    found = outcomes([KIWI, START], FakeEngine(without_castling), fail_fast=True)
    assert statuses(found) == [("kiwipete", 1, MISMATCH)]
    found = outcomes([KIWI, START], FakeEngine(fails=frozenset([1])), fail_fast=True)
    assert statuses(found) == [("kiwipete", 1, ERROR)]


def test_bad_rows_are_told_and_patterns_select():
    options = CheckOptions(RunOptions(1, ids=("k*",)))
    events = list(check([PROBLEM, START, KIWI], options, FakeEngine()))
    assert events[0] == Unreadable(PROBLEM)
    assert [event.row.id for event in events[1:]] == ["kiwipete"]


# Several at once.


class Sleepy(FakeEngine):
    """Answers the later the earlier it was asked."""

    def ask(self, question):
        time.sleep(0.05 if question.fen == STARTPOS else 0)
        return super().ask(question)


@pytest.mark.parametrize("jobs", [2, 3])
def test_rows_come_in_the_order_of_the_suite(jobs):
    opened = []

    def another():
        opened.append(Sleepy())
        return opened[-1]

    rows = [START, KIWI, BARE, START, KIWI, BARE] * 2
    first = Sleepy()
    found = outcomes([PROBLEM, *rows], first, another=another, jobs=jobs)
    expected = [(row.id, depth, OK) for row in rows for depth in (1, 2)]
    assert statuses(found) == expected
    assert 1 <= len(opened) <= jobs - 1
    assert all(engine.closed for engine in opened)
    assert first.closed == 0
    assert sum(len(engine.asked) for engine in (first, *opened)) == 2 * len(rows)


class Hanging(FakeEngine):
    """Answers only when it is closed."""

    def __init__(self):
        super().__init__()
        self.released = threading.Event()

    def ask(self, question):
        assert self.released.wait(30)
        raise EngineError("it was closed")

    def close(self):
        self.released.set()
        super().close()


def test_a_run_that_is_broken_off_leaves_no_engine_and_no_thread():
    before = set(threading.enumerate())
    engines = [Hanging()]

    def another():
        engines.append(Hanging())
        return engines[-1]

    options = CheckOptions(RunOptions(2), jobs=2)
    events = check([PROBLEM, *[START] * 20], options, engines[0], another)
    assert isinstance(next(events), Unreadable)
    start = time.monotonic()
    threading.Timer(0.2, lambda: engines[0].close()).start()
    next(events)
    events.close()
    assert time.monotonic() - start < 5
    assert all(engine.closed for engine in engines)
    assert set(threading.enumerate()) <= before | {threading.current_thread()}


def test_an_engine_that_can_not_be_opened_twice_is_an_error_of_the_run():
    def another():
        raise EngineError("out of memory")

    with pytest.raises(EngineError, match="out of memory"):
        outcomes([START] * 8, Sleepy(), another=another, jobs=2)


def test_no_engine_is_asked_for_depth_0():
    row = SuiteRow("zero", STARTPOS, expectations=(Expectation(0, 1), Expectation(1, 20)))
    engine = FakeEngine()
    found = outcomes([row], engine)
    assert statuses(found) == [("zero", 0, SKIPPED), ("zero", 1, OK)]
    assert "depth 0" in found[0].reason
    assert [question.depth for question in engine.asked] == [1]


def test_an_engine_that_fails_when_it_is_asked_what_it_can_do():
    class Silent(FakeEngine):
        @property
        def abilities(self):
            raise EngineError("silent says nothing")

    found = outcomes([CHESS960, START], Silent(), depth=1)
    assert [(each.row.id, each.status, each.reason) for each in found] == [
        ("960", ERROR, "silent says nothing"),
        ("start", OK, None),
    ]
