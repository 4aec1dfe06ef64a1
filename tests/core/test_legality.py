from __future__ import annotations

import pytest
from suite_positions import board_of, position_of, row_id, sample

from perftkit import KIWIPETE, Position

TEXTS_POSITIONS = {
    "kiwipete": KIWIPETE,
    "in-double-check": "4k3/8/8/8/4r3/5n2/8/3QK2R w K - 0 1",
    "castling-out-of-check": "4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1",
    "castling-through-check": "4k3/8/8/8/2r2r2/8/8/R3K2R w KQ - 0 1",
    "en-passant-uncovers-the-king": "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    "promotions-and-pins": "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "black-promotes": "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "chess960": "2rkr3/8/8/8/8/8/8/2RKR3 w ECec - 0 1",
    "chess960-king-beside-rook": "4k3/8/8/8/8/8/8/4KR2 w F - 0 1",
    "mated": "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1",
    "stalemate": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
}

NAMES = [file + rank for rank in "12345678" for file in "abcdefgh"]


def two_ways(position):
    """Each pseudo-legal move's answer by the filter and by making it."""
    return {
        str(move): (position.is_legal(move), position.is_legal_by_making(move))
        for move in position.pseudo_legal_moves()
    }


@pytest.mark.parametrize("row", sample(20), ids=row_id)
def test_filter_and_making_agree_on_every_move_here_and_one_move_on(row):
    position = position_of(row)
    for move in [None, *position.legal_moves()]:
        if move is not None:
            position.push(move)
        answers = two_ways(position)
        assert all(filtered == made for filtered, made in answers.values()), position.fen()
        legal = {text for text, (filtered, _) in answers.items() if filtered}
        assert legal == {str(move) for move in position.legal_moves()}
        if move is not None:
            position.pop()


@pytest.mark.parametrize("row", sample(20), ids=row_id)
def test_asking_changes_nothing(row):
    position = position_of(row)
    before = position.fen(), position.key
    two_ways(position)
    assert (position.fen(), position.key) == before
    assert position.is_consistent()


def spellings(position):
    """What each legal move may be called: castling has the rook's square too, in Chess960 also
    the king's, unless a step of the king has that name."""
    taken = {move.uci() for move in position.pseudo_legal_moves()}
    names = {move.uci() for move in position.legal_moves()}
    for move in position.legal_moves():
        if move.is_castling:
            kingside = move.to_square > move.from_square
            king_to = NAMES[move.from_square // 8 * 8 + (6 if kingside else 2)]
            others = {NAMES[move.to_square], king_to}
            names |= {NAMES[move.from_square] + other for other in others} - taken
    return names


@pytest.mark.parametrize("fen", TEXTS_POSITIONS.values(), ids=TEXTS_POSITIONS)
def test_of_all_texts_just_the_legal_moves_are_legal(fen):
    position = Position(fen)
    legal = {
        source + target + promotion
        for source in NAMES
        for target in NAMES
        for promotion in ("", "n", "b", "r", "q")
        if position.is_legal(source + target + promotion)
    }
    board = board_of(position)
    assert {board.uci(move) for move in board.legal_moves} <= legal
    assert legal == spellings(position)


@pytest.mark.parametrize(
    ("fen", "move", "legal"),
    [
        # A pinned piece may move along its line and take the piece that pins it.
        ("4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1", "e2e5", True),
        ("4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1", "e2e7", True),
        ("4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1", "e2d2", False),
        ("4k3/8/8/8/7b/8/5P2/4K3 w - - 0 1", "f2f3", False),
        ("4k3/8/8/8/8/6b1/5P2/4K3 w - - 0 1", "f2g3", True),
        # The king may not go back along the line of the check, nor next to the other king.
        ("4k3/8/8/8/r3K3/8/8/8 w - - 0 1", "e4f4", False),
        ("8/8/8/8/8/3k4/8/3K4 w - - 0 1", "d1d2", False),
        # It may take what nobody guards, and not what somebody guards.
        ("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1", "e1e2", True),
        ("4k3/8/8/8/8/8/4q3/4K2r w - - 0 1", "e1e2", True),
        ("4k3/8/8/8/8/4r3/4q3/4K3 w - - 0 1", "e1e2", False),
        # En passant takes the checking pawn, and may not open the rank that two pawns close.
        ("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", "e4d3", True),
        ("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", "e4d3", False),
        ("8/8/8/8/k2Pp1NQ/8/8/3K4 b - d3 0 1", "e4d3", True),
        ("4k3/8/8/3pP3/8/8/8/4K2q w - d6 0 1", "e5d6", False),
        ("4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", False),
        # Castling: b1 and the rook may be attacked; e1, f1 and g1 may not.
        ("1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", True),
        ("r3k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", True),
        ("2r1k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", False),
        ("3rk3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", False),
        ("4kr2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", False),
        ("4k1r1/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", False),
        ("4k2r/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", True),
        ("r3k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", "e1c1", False),
        # Chess960: a rook that shields its king can't castle away from it.
        ("4k3/8/8/8/8/8/8/rR1K4 w B - 0 1", "d1b1", False),
        ("4k3/8/8/8/8/8/8/qRK5 w B - 0 1", "c1b1", False),
        ("4k3/8/8/8/8/8/8/1RK4q w B - 0 1", "c1b1", False),
        ("4k3/8/8/8/8/8/8/1RK5 w B - 0 1", "c1b1", True),
    ],
)
def test_rules_one_by_one(fen, move, legal):
    position = Position(fen)
    assert position.is_legal(move) is legal
    assert position.is_legal_by_making(move) is legal
    board = board_of(position)
    assert board.parse_uci(move) in board.legal_moves if legal else True
    assert (move in {board.uci(known) for known in board.legal_moves}) is legal


@pytest.mark.parametrize(
    "text", ["", "e2", "e2e", "e2e4e", "E2E4", "e2e4q", "e9e4", "0000", "♟", "\0"]
)
def test_what_is_no_move_is_not_legal(text):
    assert not Position().is_legal(text)
    assert not Position().is_legal_by_making(text)


def test_a_move_of_another_position_is_judged_here():
    (move,) = [move for move in Position().legal_moves() if move.uci() == "e2e4"]
    position = Position()
    position.push(move)
    assert not position.is_legal(move)
    assert Position(KIWIPETE).is_legal(move) is False
