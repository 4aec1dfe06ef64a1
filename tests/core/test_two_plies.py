"""The last two plies, which the fast walker counts at once, where a move changes what replies do.

Each position has moves of one kind that `replies.pxd` or `check_replies.pxd` has to know. All are
compared with python-chess, as they are and with the colours exchanged.
"""

from __future__ import annotations

import chess
import pytest
from oracle import python_chess_table

from perftkit import perft
from perftkit.core.kernel import available_kernels, kernel

POSITIONS = {
    "pins-a-knight": "4k3/8/4n3/8/8/8/8/R5K1 w - - 0 1",
    "pins-a-pawn-on-its-file": "4k3/4p3/8/3N4/8/8/8/R5K1 w - - 0 1",
    "pins-a-pawn-on-a-diagonal": "6k1/5p2/4P1N1/8/8/8/B7/K7 w - - 0 1",
    "pins-a-pawn-that-promotes": "8/8/8/8/8/8/k1p4R/1N1N3K w - - 0 1",
    "pins-sliders": "4k3/8/2b1q1b1/8/8/8/8/Q2R2KB w - - 0 1",
    "captures-and-pins": "4k3/8/4r3/8/4n3/8/8/4RK2 w - - 0 1",
    "pinner-leaves": "4k3/4r3/8/8/8/4Q3/8/K7 w - - 0 1",
    "pinner-leaves-another-behind": "4k3/4r3/8/8/4Q3/8/4R3/K7 w - - 0 1",
    "pinner-of-a-pawn-leaves": "8/8/8/8/1R2pk2/3P4/8/K7 w - - 0 1",
    "second-leaves-and-pins": "4k3/8/4n3/8/4N3/8/4R3/K7 w - - 0 1",
    "shield-uncovers": "4k3/8/8/8/4N3/8/4R3/K7 w - - 0 1",
    "blocks-a-pinning-line": "4k3/8/4n3/8/2B5/8/4R3/K7 w - - 0 1",
    "en-passant-uncovers-the-rank": "8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1",
    "en-passant-along-the-pin": "8/8/1k6/8/3p4/8/4P3/K5B1 w - - 0 1",
    "en-passant-by-a-pinned-pawn": "3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1",
    "en-passant-by-two": "4k3/8/8/8/3p1p2/8/4P3/4K3 w - - 0 1",
    "en-passant-gives-check": "8/8/8/8/3p4/8/3KP3/7k w - - 0 1",
    "king-recaptures": "8/8/3kr3/8/8/4R3/4Q3/K7 w - - 0 1",
    "king-can-not-recapture": "8/8/3kr3/8/3P4/1B2R3/8/K7 w - - 0 1",
    "king-step-opened-by-arrival": "8/8/8/3k4/8/R7/1N6/K7 w - - 0 1",
    "king-step-opened-by-leaving": "8/8/8/3k4/8/R2N4/8/K7 w - - 0 1",
    "castling-attacked-and-blocked": "r3k2r/8/8/8/8/8/8/R2QK2R w KQkq - 0 1",
    "castling-through-a-shut-line": "r3k2r/p6p/8/8/2B5/7N/6B1/4K3 w kq - 0 1",
    "castling-gives-check": "r3k3/8/8/8/8/8/3P4/3KN3 w q - 0 1",
    "castling-rook-captured": "r3k2r/8/8/3B4/8/8/8/4K3 w kq - 0 1",
    "king-uncovers": "4r3/8/8/8/4k3/8/8/R3K3 w Q - 0 1",
    "piece-uncovers": "4r2k/8/4n3/8/8/8/8/R3K3 w Q - 0 1",
    "pawn-uncovers": "k7/1b6/2p5/8/4N3/8/6K1/1R6 w - - 0 1",
    "promotions-give-check": "4k3/8/8/8/8/8/1p4PP/R1B3K1 w - - 0 1",
    "promotion-uncovers": "k7/8/8/8/8/8/r1p3K1/1N1N4 w - - 0 1",
    "mate-on-the-back-rank": "3r2k1/5ppp/8/8/8/8/1R3PPP/1N4K1 w - - 0 1",
    "mate-unless-captured": "6k1/5ppp/8/8/7q/8/5PPP/1R3RK1 w - - 0 1",
    "mate-if-a-flight-is-taken": "6k1/8/8/8/8/1r6/r4NPP/6K1 w - - 0 1",
    "mate-if-a-line-opens": "q5k1/8/8/3N4/8/8/1r5P/r5BK w - - 0 1",
    "mate-once-a-flight-is-open-to-a-slider": "4k3/2q5/8/1q2r3/8/6R1/2q3Pn/6K1 w - - 0 1",
    "captor-pinned-once-two-have-left": "4r1k1/8/4n3/8/4N3/4B3/3r4/4K3 w - - 0 1",
    "double-checks": "4r1k1/8/8/4n3/8/8/3P1P2/3QKB2 w - - 0 1",
    "knights-capture-what-leaves": "6k1/8/8/3n4/1N3N2/4P3/8/K7 w - - 0 1",
    "sliders-shut-and-opened": "4k3/8/1q3b2/8/3P4/2N1B3/1r4r1/K6R w - - 0 1",
    "pawns-stopped-and-freed": "4k3/pp2p3/N3N3/8/2B5/8/8/4K3 w - - 0 1",
}


def counted(build, position, depth):
    nodes, counts = kernel(build).count(position, depth)
    assert kernel(build).count_nodes(position, depth) == nodes
    return nodes, counts


@pytest.mark.parametrize("name", POSITIONS)
@pytest.mark.parametrize("mirrored", [False, True], ids=["white", "black"])
def test_replies_equal_those_of_python_chess(name, mirrored):
    board = chess.Board(POSITIONS[name])
    assert board.is_valid(), board.status()
    fen = (board.mirror() if mirrored else board).fen(en_passant="fen")
    table = python_chess_table(fen, 3)
    for depth in (2, 3):
        result = perft(fen, depth, method="both")
        assert (result.nodes, result.counts) == table[depth]
        assert perft(fen, depth, breakdown=False).nodes == table[depth][0]


@pytest.mark.parametrize("build", available_kernels())
@pytest.mark.parametrize("name", POSITIONS)
def test_every_build_counts_the_same(build, name):
    from perftkit import Position

    table = python_chess_table(POSITIONS[name], 2)
    assert counted(build, Position(POSITIONS[name]), 2) == table[2]
