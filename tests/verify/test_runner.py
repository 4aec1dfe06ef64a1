"""Counts of the start position and of Kiwipete are the published ones."""

import pytest

from perftkit import KIWIPETE, STARTPOS, Position
from perftkit.engines.builtin import BuiltinGenerator
from perftkit.suite.model import Expectation, SuiteProblem, SuiteRow
from perftkit.verify import runner
from perftkit.verify.events import MISMATCH, OK, SKIPPED, Advanced, Outcome, Unreadable
from perftkit.verify.runner import RunOptions, Work, estimate, run

START = SuiteRow(
    "start",
    STARTPOS,
    expectations=(Expectation(1, 20), Expectation(2, 400), Expectation(3, 8902, {"checks": 12})),
)
BARE = SuiteRow("bare", KIWIPETE)
WRONG = SuiteRow(
    "wrong", STARTPOS, expectations=(Expectation(1, 21), Expectation(2, 400, {"captures": 1}))
)
PROBLEM = SuiteProblem("suite.epd", 4, 1, "not a row")


def outcomes(items, **options):
    found = run(items, RunOptions(**options), BuiltinGenerator())
    return [event for event in found if isinstance(event, Outcome)]


def test_depths_up_to_the_limit_are_counted_and_agree():
    found = outcomes([START], depth=2)
    assert [(event.depth, event.status, event.nodes) for event in found] == [
        (1, OK, 20),
        (2, OK, 400),
    ]


def test_counters_are_compared():
    first, second = outcomes([WRONG], depth=2)
    assert (first.status, first.nodes, first.expected_nodes) == (MISMATCH, 20, 21)
    assert (second.status, [found.name for found in second.differences]) == (MISMATCH, ["captures"])
    assert second.hints


def test_a_row_that_is_only_a_fen_is_counted_from_one():
    found = outcomes([BARE], depth=3)
    assert [(event.depth, event.nodes) for event in found] == [(1, 48), (2, 2039), (3, 97862)]
    assert {event.expected_nodes for event in found} == {None}
    assert {event.status for event in found} == {OK}


def test_too_many_nodes_are_skipped_with_a_reason():
    found = outcomes([START], depth=3, max_nodes=400)
    assert [event.status for event in found] == [OK, OK, SKIPPED]
    assert "8902" in found[2].reason
    assert found[2].nodes is None
    assert found[2].expected_nodes == 8902


def test_the_limit_stops_a_row_that_is_only_a_fen():
    found = outcomes([BARE], depth=9, max_nodes=1000)
    assert [event.status for event in found] == [OK, OK, *[SKIPPED] * 7]
    assert "2039" in found[2].reason


def test_bad_rows_are_told_and_good_ones_still_counted():
    found = list(run([PROBLEM, START], RunOptions(1), BuiltinGenerator()))
    assert found[0] == Unreadable(PROBLEM)
    assert found[1].status == OK


def test_fail_fast_stops_after_the_first_difference():
    found = outcomes([START, WRONG, BARE], depth=2, fail_fast=True)
    assert [event.status for event in found] == [OK, OK, MISMATCH]


def test_id_patterns():
    assert {event.row.id for event in outcomes([START, BARE], depth=1, ids=("b*",))} == {"bare"}


# Two of the knight's eight moves, f7 and g6, give check together with the bishop and are mate; the
# other six give a discovered check that Rg7 answers. Every other move is quiet.
MATES_AMONG_DOUBLES = "6rk/7p/8/4N3/8/8/8/B3K3 w - - 0 1"
PUBLISHED = {"checks": 8, "discovered_checks": 6, "double_checks": 0, "checkmates": 2}
OURS = {**PUBLISHED, "double_checks": 2, "double_checkmates": 2}


@pytest.mark.parametrize(
    ("row_convention", "given", "asked", "status"),
    [
        ("wiki", PUBLISHED, "perftkit", OK),
        ("wiki", PUBLISHED, "wiki", OK),
        ("perftkit", OURS, "perftkit", OK),
        ("perftkit", OURS, "wiki", OK),
        ("perftkit", PUBLISHED, "perftkit", MISMATCH),
    ],
)
def test_conventions(row_convention, given, asked, status):
    row = SuiteRow(
        "mates",
        MATES_AMONG_DOUBLES,
        expectations=(Expectation(1, 16, given),),
        convention=row_convention,
    )
    (found,) = outcomes([row], depth=1, convention=asked)
    assert found.status == status
    assert ("double_checkmates" in found.counts) == ("wiki" not in (row_convention, asked))


def test_a_long_count_is_told_in_parts_that_add_up(monkeypatch):
    monkeypatch.setattr(runner, "MOST_NODES_AT_ONCE", 1000)
    row = SuiteRow(
        "kiwipete",
        KIWIPETE,
        expectations=(Expectation(3, 97862, {"captures": 17102, "checkmates": 1}),),
    )
    *parts, last = run([row], RunOptions(3), BuiltinGenerator())
    assert len(parts) == 48
    assert sum(part.nodes for part in parts if isinstance(part, Advanced)) == 97862
    assert (last.status, last.nodes, last.counts["captures"]) == (OK, 97862, 17102)


def test_a_long_count_of_a_finished_game_has_all_counters(monkeypatch):
    monkeypatch.setattr(runner, "MOST_NODES_AT_ONCE", 0)
    mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
    (found,) = outcomes([SuiteRow("mate", mate, expectations=(Expectation(2, 1),))], depth=2)
    assert found.nodes == 0
    assert found.counts["captures"] == 0


def test_the_work_is_known_when_all_counts_are_given():
    assert estimate([START, PROBLEM], RunOptions(2)) == Work(2, 420)
    assert estimate([START], RunOptions(3, max_nodes=400)) == Work(2, 420)
    assert estimate([START, BARE], RunOptions(2)) == Work(4, None)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_children_add_up_to_the_count(depth):
    generator = BuiltinGenerator()
    position = Position(KIWIPETE)
    children = dict(generator.children(position, depth))
    total = generator.count(position, depth)
    assert list(children) == sorted(children)
    assert len(children) == 48
    assert sum(child.nodes for child in children.values()) == total.nodes
    for name, count in total.counts.items():
        assert sum(child.counts[name] for child in children.values()) == count
    assert position.fen() == KIWIPETE


def test_games_that_are_over_are_recognised_in_a_row():
    # Qh4 mates at once, the only game that is over after one ply.
    fen = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2"
    right = BuiltinGenerator().count(Position(fen), 2).nodes
    row = SuiteRow("mate", fen, expectations=(Expectation(2, right + 1),))
    (found,) = outcomes([row], depth=2)
    assert "over by mate or stalemate before the last ply" in " ".join(found.hints)
