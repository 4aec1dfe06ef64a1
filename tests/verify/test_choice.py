"""Counts of the start position and of Kiwipete are the published ones."""

import pytest

from perftkit import KIWIPETE, STARTPOS
from perftkit.suite.builtin import builtin_path
from perftkit.suite.model import Expectation, SuiteProblem, SuiteRow
from perftkit.suite.reader import read_suite
from perftkit.verify.choice import ENGINE_PACE, Choice, Pace, Timekeeper, choose
from perftkit.verify.runner import RunOptions, selected

PACE = Pace(nps=1000, question=0.0)
START = SuiteRow(
    "start",
    STARTPOS,
    expectations=(Expectation(1, 20), Expectation(2, 400), Expectation(3, 8902)),
    line=1,
)
KIWI = SuiteRow("kiwi", KIWIPETE, expectations=(Expectation(1, 48), Expectation(2, 2039)), line=2)
BARE = SuiteRow("bare", KIWIPETE, line=3)
MATE = SuiteRow("mate", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", line=4)
PROBLEM = SuiteProblem("suite.epd", 5, 1, "not a row")
ANY = RunOptions(64)


def depths(choice, row):
    return [case.depth for case in selected(row, RunOptions(64, choice=choice)) if not case.skipped]


def clock(monkeypatch, *times):
    """Make the clock of a timekeeper show some times, the last one from then on."""
    left = list(times)
    monkeypatch.setattr(
        "perftkit.verify.choice.time.monotonic", lambda: left.pop(0) if len(left) > 1 else left[0]
    )


def test_what_is_cheap_comes_first_and_the_time_is_kept():
    choice = choose([START, KIWI, PROBLEM], ANY, 0.5, PACE)
    assert depths(choice, START) == [1, 2]
    assert depths(choice, KIWI) == [1]
    assert sum(choice.costs) == pytest.approx((20 + 48 + 400) / 1000)


def test_the_order_is_that_of_worth_and_a_row_begins_with_its_shallow_depths():
    choice = choose([START, KIWI], ANY, 100, PACE)
    # 48 leaves with captures and both castlings find more a leaf than 20 without any of them.
    assert [choice.rank(KIWI, 1), choice.rank(START, 1), choice.rank(START, 2)] == [0, 1, 2]
    assert choice.rank(START, 2) < choice.rank(START, 3)


def test_kinds_that_were_not_seen_are_worth_more_than_what_was():
    quiet = [SuiteRow(f"quiet{line}", STARTPOS, (), (Expectation(1, 20),), line=line)
             for line in range(10, 30)]  # fmt: skip
    # Twenty moves at the first ply as well, by python-chess; with e.p., a promotion and a check.
    lively = SuiteRow(
        "lively", "4k3/1P6/8/3pP3/8/8/P7/4K3 w - d6 0 1", (), (Expectation(1, 15),), line=50
    )
    choice = choose([*quiet, lively], ANY, 0.016, PACE)
    assert list(choice.ranks) == [("<none>", 50, "lively")]


def test_a_row_without_counts_is_counted_by_the_reference():
    choice = choose([BARE], ANY, 3, PACE)
    assert depths(choice, BARE) == [1, 2]
    assert list(choice.costs) == [0.048, 2.039]
    cases = list(selected(BARE, RunOptions(64, choice=choice)))
    assert [(case.depth, case.is_left_out) for case in cases] == [(1, False), (2, False), (3, True)]


def test_a_game_that_is_over_has_a_cost_and_no_end():
    choice = choose([MATE], RunOptions(3), 1, ENGINE_PACE)
    assert depths(choice, MATE) == [1, 2, 3]


def test_what_is_not_asked_for_takes_no_time():
    choice = choose([START, KIWI], RunOptions(64, ids=("kiwi",)), 100, PACE)
    assert {line for _, line, _ in choice.ranks} == {2}
    choice = choose([START, KIWI], ANY, 100, PACE, lambda row, _: row.id == "kiwi")
    assert {line for _, line, _ in choice.ranks} == {1}
    assert depths(choose([START], RunOptions(64, max_nodes=400), 100, PACE), START) == [1, 2]
    assert not choose([BARE], RunOptions(64, max_nodes=40), 100, PACE).costs


def test_the_choice_is_the_same_on_every_run_and_grows_with_the_time():
    items = list(read_suite(builtin_path("perft_positions")))
    choices = [choose(items, ANY, seconds, ENGINE_PACE) for seconds in (1, 1, 10)]
    assert choices[0].ranks == choices[1].ranks
    assert len(choices[0].costs) < len(choices[2].costs)
    for choice in choices:
        assert sum(choice.costs) <= choice.budget


def test_many_rows_are_chosen_from_quickly():
    rows = [SuiteRow(f"{n}", STARTPOS, line=n) for n in range(20_000)]
    assert len(choose(rows, RunOptions(2), 1e6, ENGINE_PACE).costs) == 40_000


def test_an_engine_as_fast_as_reckoned_gets_all_of_it(monkeypatch):
    choice = Choice(10, PACE, {("<none>", 1, "start"): {1: 0, 2: 1, 3: 2}}, [0.02, 0.4, 8.9])
    clock(monkeypatch, 0.0, 0.01, 0.5)
    keeper = Timekeeper(choice)
    assert keeper.reason_to_skip(START, 1) is None
    keeper.finished(START, 1)
    keeper.finished(START, 2)
    assert keeper.reason_to_skip(START, 3) is None


def test_a_slow_engine_gives_up_what_was_chosen_last(monkeypatch):
    ranks = {("<none>", 1, "start"): {1: 0, 2: 1, 3: 3}, ("<none>", 2, "kiwi"): {1: 2}}
    choice = Choice(10, PACE, ranks, [0.02, 0.4, 0.048, 8.9])
    clock(monkeypatch, 0.0, 4.2)
    keeper = Timekeeper(choice)
    keeper.finished(START, 1)
    keeper.finished(START, 2)
    # 0.42 s of the choice took 4.2 s: 0.048 s more would take 0.48 s, 8.9 s more 89 s.
    assert "slower than 1,000 n/s" in keeper.reason_to_skip(START, 3)
    assert keeper.reason_to_skip(KIWI, 1) is None


def test_when_the_time_is_up_nothing_is_begun(monkeypatch):
    clock(monkeypatch, 0.0, 10.0)
    keeper = Timekeeper(Choice(10, PACE, {("<none>", 1, "start"): {1: 0}}, [0.02]))
    assert keeper.reason_to_skip(START, 1) == "the budget of 10 s was used up"
