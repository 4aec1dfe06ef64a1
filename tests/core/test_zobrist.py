from __future__ import annotations

import chess
import chess.polyglot
import pytest
from suite_positions import board_of, position_of, row_id, sample

from perftkit import KIWIPETE, Position

# Position and key after each move, as the documentation of the Polyglot book format prints them.
PUBLISHED = {
    "": 0x463B96181691FC9C,
    "e2e4": 0x823C9B50FD114196,
    "e2e4 d7d5": 0x0756B94461C50FB0,
    "e2e4 d7d5 e4e5": 0x662FAFB965DB29D4,
    "e2e4 d7d5 e4e5 f7f5": 0x22A48B5A8E47FF78,
    "e2e4 d7d5 e4e5 f7f5 e1e2": 0x652A607CA3F242C1,
    "e2e4 d7d5 e4e5 f7f5 e1e2 e8f7": 0x00FDD303C946BDD9,
    "a2a4 b7b5 h2h4 b5b4 c2c4": 0x3C8123EA7B067637,
    "a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3": 0x5C3F9B829B279560,
}

TREES = {
    "en-passant-and-castling": (KIWIPETE, 3),
    "promotions": ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 3),
    "rooks-take-rooks": ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", 3),
    "en-passant-pins": ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4),
    "captures-that-promote-take-rights": ("r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R w KQkq - 0 1", 3),
    "chess960-king-and-rook-swap": ("2rkr3/8/8/8/8/8/8/2RKR3 w ECec - 0 1", 3),
    "chess960-king-stays": (
        "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
        3,
    ),
}


def facts(position):
    """All that make and unmake could lose."""
    return (
        position.fen(),
        position.key,
        position.checkers,
        position.pinned,
        position.castling,
        position.ep_square,
        sorted(map(str, position.pseudo_legal_moves())),
    )


def walk(position, depth):
    """Every position of the tree; each is left as it was before the walk goes on."""
    yield position
    if depth == 0:
        return
    before = facts(position)
    for move in position.legal_moves():
        position.push(move)
        yield from walk(position, depth - 1)
        assert position.pop() == move
        assert facts(position) == before


@pytest.mark.parametrize("moves", PUBLISHED)
def test_published_keys_are_reached_by_moves_and_by_fen(moves):
    position = Position()
    for move in moves.split():
        position.push(move)
    assert f"{position.key:016x}" == f"{PUBLISHED[moves]:016x}"
    assert Position(position.fen()).key == PUBLISHED[moves]


@pytest.mark.parametrize(("fen", "depth"), TREES.values(), ids=TREES)
def test_the_incremental_key_is_the_key_from_scratch_at_every_node(fen, depth):
    nodes = 0
    for position in walk(Position(fen), depth):
        assert position.key == position.key_from_scratch(), position.fen()
        assert position.is_consistent(), position.fen()
        nodes += 1
    assert nodes > 500


@pytest.mark.parametrize("row", sample(60), ids=row_id)
def test_keys_equal_those_of_python_chess(row):
    position = position_of(row)
    for move in [None, *position.legal_moves()]:
        if move is not None:
            position.push(move)
        assert position.key == chess.polyglot.zobrist_hash(board_of(position)), position.fen()
        if move is not None:
            position.pop()


@pytest.mark.parametrize(
    ("with_square", "hashed"),
    [
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", True),
        ("4k3/8/8/8/4Pp2/8/8/4K3 b - e3 0 1", True),
        ("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", False),
        ("4k3/8/8/8/2p1P3/8/8/4K3 b - e3 0 1", False),
        ("4k3/8/8/8/4P2n/8/8/4K3 b - e3 0 1", False),
        ("4k3/8/8/7p/P7/8/8/4K3 b - a3 0 1", False),  # b4 and h5 touch only across the edge
        ("3qk3/8/8/3pP3/8/8/8/3K4 w - d6 0 1", True),
        # The pawn stands ready although it is pinned: the format does not ask for legality.
        ("4k3/8/8/8/r2pP2K/8/8/8 b - e3 0 1", True),
        ("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1", True),
    ],
)
def test_the_en_passant_file_is_hashed_only_if_a_pawn_stands_ready(with_square, hashed):
    fields = with_square.split()
    fields[3] = "-"
    assert (Position(with_square).key != Position(" ".join(fields)).key) is hashed


def test_clocks_are_not_hashed():
    assert Position(KIWIPETE).key == Position(KIWIPETE.replace("0 1", "42 99")).key


def test_rights_and_turn_are_hashed():
    board, _, _ = KIWIPETE.partition(" ")
    rights = ["-", "K", "Q", "k", "q", "KQ", "Kk", "Kq", "Qk", "Qq", "kq", "KQk", "KQkq"]
    keys = {Position(f"{board} {side} {right} -").key for side in "wb" for right in rights}
    assert len(keys) == 2 * len(rights)


def test_python_chess_and_the_published_keys_agree():
    """The judge of these tests is judged too."""
    for moves, key in PUBLISHED.items():
        board = chess.Board()
        for move in moves.split():
            board.push_uci(move)
        assert chess.polyglot.zobrist_hash(board) == key
