from __future__ import annotations

import dataclasses
import sys

import pytest
from interrupted import interrupt
from suite_positions import SUITES, position_of, row_id, sample

from perftkit import KIWIPETE, STARTPOS, PerftResult, divide, perft
from perftkit.core.counts import COUNTERS
from perftkit.core.perft import BOTH, FAST, MAX_DEPTH, METHODS, STRICT
from perftkit.errors import DepthError, FenError
from perftkit.suite.convention import comparable

POSITION_3 = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
POSITION_4 = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"
POSITION_4_MIRRORED = "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1"
POSITION_5 = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8"
POSITION_6 = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"
methods = pytest.mark.parametrize("method", [FAST, STRICT])

MATED = "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1"

# Depth, nodes, captures, en passant, castles, promotions, checks, discovered checks, double checks,
# checkmates, in the convention of the Chess Programming Wiki's tables: mates are no discovered and
# no double checks. What those leave blank was counted by two other programs.
PUBLISHED = [
    (STARTPOS, 1, 20, 0, 0, 0, 0, 0, 0, 0, 0),
    (STARTPOS, 2, 400, 0, 0, 0, 0, 0, 0, 0, 0),
    (STARTPOS, 3, 8902, 34, 0, 0, 0, 12, 0, 0, 0),
    (STARTPOS, 4, 197281, 1576, 0, 0, 0, 469, 0, 0, 8),
    (STARTPOS, 5, 4865609, 82719, 258, 0, 0, 27351, 6, 0, 347),
    (KIWIPETE, 1, 48, 8, 0, 2, 0, 0, 0, 0, 0),
    (KIWIPETE, 2, 2039, 351, 1, 91, 0, 3, 0, 0, 0),
    (KIWIPETE, 3, 97862, 17102, 45, 3162, 0, 993, 0, 0, 1),
    (KIWIPETE, 4, 4085603, 757163, 1929, 128013, 15172, 25523, 42, 6, 43),
    (POSITION_3, 1, 14, 1, 0, 0, 0, 2, 0, 0, 0),
    (POSITION_3, 2, 191, 14, 0, 0, 0, 10, 0, 0, 0),
    (POSITION_3, 3, 2812, 209, 2, 0, 0, 267, 3, 0, 0),
    (POSITION_3, 4, 43238, 3348, 123, 0, 0, 1680, 106, 0, 17),
    (POSITION_3, 5, 674624, 52051, 1165, 0, 0, 52950, 1292, 3, 0),
    (POSITION_4, 1, 6, 0, 0, 0, 0, 0, 0, 0, 0),
    (POSITION_4, 2, 264, 87, 0, 6, 48, 10, 0, 0, 0),
    (POSITION_4, 3, 9467, 1021, 4, 0, 120, 38, 2, 0, 22),
    (POSITION_4, 4, 422333, 131393, 0, 7795, 60032, 15492, 19, 0, 5),
    (POSITION_4_MIRRORED, 1, 6, 0, 0, 0, 0, 0, 0, 0, 0),
    (POSITION_4_MIRRORED, 2, 264, 87, 0, 6, 48, 10, 0, 0, 0),
    (POSITION_4_MIRRORED, 3, 9467, 1021, 4, 0, 120, 38, 2, 0, 22),
    (POSITION_4_MIRRORED, 4, 422333, 131393, 0, 7795, 60032, 15492, 19, 0, 5),
    (POSITION_5, 1, 44, 6, 0, 1, 4, 0, 0, 0, 0),
    (POSITION_5, 2, 1486, 222, 0, 0, 0, 117, 0, 0, 0),
    (POSITION_5, 3, 62379, 8517, 0, 1081, 5068, 1201, 0, 0, 44),
    (POSITION_5, 4, 2103487, 296153, 0, 0, 0, 158486, 10877, 1766, 240),
    (POSITION_6, 1, 46, 4, 0, 0, 0, 1, 0, 0, 0),
    (POSITION_6, 2, 2079, 203, 0, 0, 0, 40, 0, 0, 0),
    (POSITION_6, 3, 89890, 9470, 0, 0, 0, 1783, 0, 0, 0),
    (POSITION_6, 4, 3894594, 440388, 0, 0, 0, 68985, 62, 20, 0),
]


@methods
@pytest.mark.parametrize("row", PUBLISHED, ids=lambda row: f"{row[0].split()[0]}-{row[1]}")
def test_published_tables(row, method):
    fen, depth, nodes, *published = row
    result = perft(fen, depth, method=method)
    counts = result.counts
    assert (result.depth, result.nodes) == (depth, nodes)
    assert published == [
        counts["captures"],
        counts["en_passant"],
        counts["castles"],
        counts["promotions"],
        counts["checks"],
        counts["discovered_checks"] - counts["discovered_checkmates"],
        counts["double_checks"] - counts["double_checkmates"],
        counts["checkmates"],
    ]


@pytest.mark.parametrize("name", SUITES)
def test_every_row_of_the_suites_up_to_50_000_nodes(name):
    for row in SUITES[name]:
        wanted = [given for given in row.expectations if given.nodes <= 50_000]
        if not wanted:
            continue
        given = wanted[-1]
        result = perft(row.fen, given.depth, chess960=row.chess960, method=BOTH)
        expected, counted = comparable(given.counts, result.counts, row_convention=row.convention)
        assert (row.id, result.nodes) == (row.id, given.nodes)
        assert (row.id, expected) == (row.id, {name: counted[name] for name in expected})


@methods
@pytest.mark.parametrize("row", sample(60), ids=row_id)
def test_divide_adds_up_to_perft_in_every_counter(row, method):
    position = position_of(row)
    depth = 2
    whole = perft(position, depth, method=method)
    children = divide(position, depth, method=method)
    assert list(children) == sorted(move.uci() for move in position.legal_moves())
    assert sum(child.nodes for child in children.values()) == whole.nodes
    for counter in COUNTERS:
        assert sum(child.counts[counter] for child in children.values()) == whole.counts[counter]
    for uci, child in children.items():
        position.push(uci)
        below = perft(position, depth - 1, method=method)
        position.pop()
        assert (child.depth, child.nodes, child.counts) == (depth, below.nodes, below.counts)


@pytest.mark.parametrize("row", sample(120), ids=row_id)
def test_counting_changes_nothing(row):
    position = position_of(row)
    if position.legal_moves():
        position.push(position.legal_moves()[0])
    before = position.fen(), position.key
    perft(position, 2, method=BOTH)
    divide(position, 2, method=BOTH)
    assert (position.fen(), position.key) == before
    assert position.is_consistent()


@methods
def test_depth_1_of_divide_has_the_kind_of_each_move(method):
    children = divide("4k3/P7/8/8/8/8/8/4K2R w K - 0 1", 1, method=method)
    assert all(child.nodes == 1 for child in children.values())
    assert children["e1g1"].counts["castles_kingside"] == 1
    assert children["a7a8q"].counts["promotions"] == children["a7a8q"].counts["checks"] == 1
    assert children["a7a8n"].counts["checks"] == 0
    assert children["e1e2"].counts == dict.fromkeys(COUNTERS, 0)


@pytest.mark.parametrize("row", sample(60), ids=row_id)
def test_without_the_breakdown_the_nodes_are_the_same(row):
    position = position_of(row)
    for method in METHODS:
        result = perft(position, 2, method=method, breakdown=False)
        assert result.nodes == perft(position, 2).nodes
        assert result.counts == {}


@methods
@pytest.mark.parametrize("fen", [STARTPOS, MATED])
def test_depth_0_is_the_position_itself(fen, method):
    assert perft(fen, 0, method=method) == PerftResult(depth=0, nodes=1, counts={}, seconds=0.0)


@methods
@pytest.mark.parametrize("depth", [1, 2, 64])
def test_a_finished_game_has_no_leaves(depth, method):
    result = perft(MATED, depth, method=method)
    assert (result.nodes, result.counts) == (0, dict.fromkeys(COUNTERS, 0))
    assert divide(MATED, depth, method=method) == {}


def test_draws_by_rule_do_not_end_the_tree():
    assert (
        perft("4k3/8/8/8/8/8/8/4K3 w - - 150 200", 3).nodes
        == perft("4k3/8/8/8/8/8/8/4K3 w - -", 3).nodes
    )


@pytest.mark.parametrize("depth", [-1, 65, 99, 2**70, "x", "3", True, False, 1.0, None])
def test_a_depth_is_an_integer_from_0_to_64(depth):
    assert MAX_DEPTH == 64
    with pytest.raises(DepthError, match="from 0 to 64"):
        perft(STARTPOS, depth)
    with pytest.raises(DepthError, match="from 1 to 64"):
        divide(STARTPOS, depth)


def test_divide_has_no_depth_0():
    with pytest.raises(DepthError, match="from 1 to 64, not 0"):
        divide(STARTPOS, 0)


def test_bad_positions_and_methods_are_refused():
    with pytest.raises(FenError, match="no king"):
        perft("8/8/8/8/8/8/8/8 w - - 0 1", 1)
    with pytest.raises(ValueError, match="expected one of"):
        perft(STARTPOS, 1, method="magic")
    with pytest.raises(ValueError, match="expected one of"):
        divide(STARTPOS, 1, method="")
    for method in METHODS:
        assert perft(STARTPOS, 2, method=method).nodes == 400


def test_chess960_says_how_a_fen_is_read():
    fen = "4k3/8/8/8/8/8/8/4KR2 w K - 0 1"
    with pytest.raises(FenError, match="Chess960"):
        perft(fen, 1)
    assert perft(fen, 1, chess960=True).counts["castles_kingside"] == 1
    assert "e1f1" in divide(fen, 1, chess960=True)


def test_results_are_values_with_a_speed():
    result = PerftResult(depth=1, nodes=20, counts={}, seconds=0.5)
    assert result.nps == 40
    assert dataclasses.replace(result, seconds=0.0).nps == 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.nodes = 21
    assert perft(STARTPOS, 3).seconds > 0


def test_counters_come_in_the_order_of_the_contract():
    assert tuple(perft(STARTPOS, 1).counts) == COUNTERS


INTERRUPTED = """
import time
from perftkit import KIWIPETE, Position, divide, perft

position = Position(KIWIPETE)
position.push("e1g1")
before = position.fen(), position.key
print("counting", flush=True)
try:
    {count}(position, 64, method={method!r})
except KeyboardInterrupt:
    stopped = time.monotonic()
assert (position.fen(), position.key) == before
assert position.is_consistent()
position.pop()
print(stopped, perft(position, 3).nodes)
"""


def seconds_to_stop(count, method):
    """How long after Ctrl-C a count ends."""
    seconds, words = interrupt(INTERRUPTED.format(count=count, method=method), after=0.2)
    assert words == ["97862"]
    return seconds


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends Ctrl-C to a whole console")
@methods
@pytest.mark.parametrize("count", ["perft", "divide"])
def test_ctrl_c_stops_a_long_count_within_a_fifth_of_a_second(count, method):
    # The best of three: a busy machine may hold up either process.
    assert min(seconds_to_stop(count, method) for _ in range(3)) < 0.2
