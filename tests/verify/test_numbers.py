"""The counters of the start position and of Kiwipete are the published ones."""

import pytest

from perftkit import KIWIPETE, STARTPOS, Position, perft
from perftkit.verify.numbers import number_hints

POSITION_4 = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"


def words(fen, depth, nodes, counts=None):
    found = number_hints(Position(fen), perft(fen, depth), nodes, counts or {})
    return " ".join(found)


@pytest.mark.parametrize(
    ("fen", "depth", "delta", "said"),
    [
        (STARTPOS, 5, -258, "the 258 en passant captures"),
        (KIWIPETE, 3, -45, "the 45 en passant captures"),
        (KIWIPETE, 3, -1537, "the 1537 queenside castles"),
        (KIWIPETE, 3, -1625, "the 1625 kingside castles"),
        (KIWIPETE, 3, -3162, "the 3162 castles"),
        (POSITION_4, 3, -120, "the 120 promotions"),
        (POSITION_4, 3, -90, "three of every four of the 120 promotions"),
        (STARTPOS, 3, 2**32, "1 x 2^32"),
        (STARTPOS, 3, -(2**33), "2 x 2^32"),
        # The eight mates of the start position in four plies, counted as leaves of five.
        (STARTPOS, 5, 8, "exactly 8 too many"),
        (KIWIPETE, 4, 1, "exactly 1 too many"),
    ],
)
def test_what_a_number_says(fen, depth, delta, said):
    assert said in words(fen, depth, perft(fen, depth).nodes + delta)


@pytest.mark.parametrize("delta", [-44, -1, 2, 45])
def test_what_it_does_not_say(delta):
    assert words(KIWIPETE, 3, 97862 + delta) == ""


def test_stalemates_are_games_that_are_over():
    fen = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
    assert Position(fen).is_stalemate
    assert "exactly 1 too many" in words(fen, 2, 1)


def test_counters_of_the_engine_say_more():
    assert words(KIWIPETE, 3, 97862 - 7, {"captures": 17102 - 7, "other": 3})


def test_mates_of_every_ply_are_games_that_are_over():
    # Fool's mate and the other mates in four plies (8, the published table), and of depth 5 those
    # in five: in six plies all of these have no leaves.
    mates = sum(perft(STARTPOS, depth).counts["checkmates"] for depth in (4, 5))
    assert mates == 8 + 347
    said = words(STARTPOS, 6, 119060324 + mates)
    assert f"exactly {mates} too many, as many as there are mates" in said
    assert words(STARTPOS, 6, 119060324 + 347) == ""
