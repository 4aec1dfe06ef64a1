"""Filled counts are those of python-chess, and numbers of a row are never changed."""

from __future__ import annotations

import pytest
from oracle import python_chess_table

from perftkit import KIWIPETE, STARTPOS
from perftkit.suite.convention import to_wiki
from perftkit.suite.fill import FillError, fill_row
from perftkit.suite.model import Expectation, SuiteRow


def row(fen, *expectations, **more):
    return SuiteRow(
        "x",
        fen,
        expectations=tuple(Expectation(*given) for given in expectations),
        file="f",
        line=7,
        **more,
    )


def filled(filled_row):
    return {given.depth: (given.nodes, given.counts) for given in filled_row.expectations}


def test_depths_and_counters_are_added():
    table = python_chess_table(KIWIPETE, 3)
    result = fill_row(row(KIWIPETE, (2, 2039, {"captures": 351})), max_depth=3)
    assert filled(result) == {depth: table[depth] for depth in (1, 2, 3)}
    assert result.id == "x"


def test_nothing_larger_than_the_limit():
    result = fill_row(row(KIWIPETE, (4, 4085603, {})), max_depth=6, max_nodes=2039)
    assert {depth: bool(counts) for depth, (_, counts) in filled(result).items()} == {
        1: True,
        2: True,
        4: False,
    }


def test_no_depths_are_added_unless_asked():
    assert [given.depth for given in fill_row(row(STARTPOS, (3, 8902))).expectations] == [3]
    assert fill_row(row(STARTPOS)).expectations == ()


def test_a_finished_game_gets_no_depth_after_the_first():
    mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
    result = fill_row(row(mate), max_depth=6)
    assert [(given.depth, given.nodes) for given in result.expectations] == [(1, 0)]


def test_a_row_of_the_published_convention_stays_in_it():
    fen = "RB5k/KP4pp/PP6/8/8/8/8/8 w - - 0 1"  # six moves, all mates by a discovered check
    _, counts = python_chess_table(fen, 1)[1]
    (given,) = fill_row(row(fen, convention="wiki"), max_depth=1).expectations
    assert given.counts == to_wiki(counts)
    assert (given.counts["checkmates"], given.counts["discovered_checks"]) == (6, 0)


def test_chess960():
    xfen = "r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1"
    result = fill_row(row(xfen, chess960=True), max_depth=2)
    assert filled(result) == {depth: python_chess_table(xfen, 2, True)[depth] for depth in (1, 2)}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((3, 8903, {}), "f:7:1: x: depth 3 has 8903 nodes, counted 8902"),
        ((3, 8902, {"captures": 35}), "f:7:1: x: depth 3 has cap=35, counted 34"),
        ((3, 1, {"checks": 0}), "f:7:1: x: depth 3 has 1 nodes, counted 8902; chk=0, counted 12"),
    ],
)
def test_a_contradiction_is_an_error(given, message):
    with pytest.raises(FillError) as caught:
        fill_row(row(STARTPOS, given))
    assert str(caught.value) == message
    assert caught.value.problem.line == 7
