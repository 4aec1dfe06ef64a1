"""All notations of python-chess, an independent program, for positions of the suite."""

from __future__ import annotations

import chess
import pytest

from perftkit import KIWIPETE, STARTPOS, Position
from perftkit.engines.notation import Notation, style_of

PROMOTIONS = "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1"
TWO_KNIGHTS = "4k3/8/8/1N3N2/8/8/1N6/4K3 w - - 0 1"
EN_PASSANT = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"
FENS = [STARTPOS, KIWIPETE, PROMOTIONS, TWO_KNIGHTS, EN_PASSANT]
CHESS960 = [
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "1rk1r3/8/8/8/8/8/8/1RK1R3 w EBeb - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1",
]


def spellings(board, move):
    san = board.san(move)
    yield move.uci()
    yield move.uci().upper()
    yield move.uci()[:4] + move.uci()[4:].upper()
    yield san
    yield san.rstrip("+#")
    yield san.replace("=", "")
    yield san.replace("O", "0")
    yield san.replace("x", "")
    if not board.is_castling(move):
        letter = chess.piece_symbol(board.piece_type_at(move.from_square)).upper()
        sign = "x" if board.is_capture(move) else "-"
        squares = chess.square_name(move.from_square) + sign + chess.square_name(move.to_square)
        promotion = chess.piece_symbol(move.promotion).upper() if move.promotion else ""
        yield ("" if letter == "P" else letter) + squares + ("=" + promotion if promotion else "")
        yield letter + squares + (f"({promotion})" if promotion else "")


@pytest.mark.parametrize(
    ("fen", "chess960"), [*((fen, False) for fen in FENS), *((fen, True) for fen in CHESS960)]
)
def test_every_legal_move_in_every_notation(fen, chess960):
    board = chess.Board(fen, chess960=chess960)
    notation = Notation(Position(fen, chess960=chess960))
    for move in board.legal_moves:
        for text in spellings(board, move):
            assert notation.read(text) == (move.uci(), False), text


def test_promotions_without_their_letter_are_merged():
    notation = Notation(Position(PROMOTIONS))
    assert notation.read("g2g1") == ("g2g1", True)
    assert notation.read("g2xh1") == ("g2h1", True)
    assert notation.read("gxh1") == ("g2h1", True)
    assert notation.read("e2f1") == ("e2f1", False)  # the king's move


@pytest.mark.parametrize("fen", ["r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"])
@pytest.mark.parametrize(("text", "uci"), [("e1g1", "e1g1"), ("e1h1", "e1g1"), ("e1a1", "e1c1")])
def test_castling_in_standard_chess(fen, text, uci):
    assert Notation(Position(fen)).read(text) == (uci, False)


@pytest.mark.parametrize(
    ("fen", "text", "uci"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "e1g1", "e1h1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "e1c1", "e1a1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "O-O-O", "e1a1"),
        # The king's step to g1 is a move of its own, so that g1 can't mean castling.
        ("5k1r/8/8/8/8/8/8/5K1R w Hh - 0 1", "f1g1", "f1g1"),
        ("5k1r/8/8/8/8/8/8/5K1R w Hh - 0 1", "f1h1", "f1h1"),
    ],
)
def test_castling_in_chess960(fen, text, uci):
    assert Notation(Position(fen, chess960=True)).read(text) == (uci, False)


@pytest.mark.parametrize(
    ("fen", "text", "uci"),
    [
        # Out of check, through check, without rights, and in Chess960.
        ("4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1", "O-O", "e1g1"),
        ("4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1", "e1h1", "e1g1"),
        ("4k3/8/8/8/5r2/8/8/R3K2R w KQ - 0 1", "e1g1", "e1g1"),
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "O-O-O", "e1c1"),
        ("r3k2r/8/8/4R3/8/8/8/4K3 b kq - 0 1", "0-0-0", "e8c8"),
        # A pinned knight, a pawn that jumps, a piece that can't get there at all.
        ("4k3/4r3/8/8/8/4N3/8/4K3 w - - 0 1", "Nd5", "e3d5"),
        ("4k3/8/8/8/8/4n3/4P3/4K3 w - - 0 1", "e2e4", "e2e4"),
        ("4k3/8/8/8/8/4n3/4P3/4K3 w - - 0 1", "e4", "e2e4"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "Rb5", "a1b5"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8k", "a7a8k"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4q", "e2e4q"),
    ],
)
def test_illegal_moves_are_given_as_far_as_they_can_be_read(fen, text, uci):
    assert Notation(Position(fen)).read(text) == (uci, False)


def test_illegal_castling_in_chess960_is_king_takes_rook():
    fen = "4k3/8/8/8/4r3/8/8/1R2K1R1 w GB - 0 1"
    notation = Notation(Position(fen, chess960=True))
    assert notation.read("O-O") == ("e1g1", False)
    assert notation.read("O-O-O") == ("e1b1", False)
    assert notation.read("e1c1") == ("e1b1", False)


@pytest.mark.parametrize("text", ["", "?", "e9e10", "\x1b[31m", "Q@h4", "z" * 5000, "e2"])
def test_what_is_no_move_stays_harmless_and_short(text):
    uci, merged = Notation(Position(STARTPOS)).read(text)
    assert uci.isprintable()
    assert len(uci) <= 12
    assert not merged


def test_a_push_and_an_en_passant_capture_to_one_square():
    notation = Notation(Position("4k3/8/8/3PpP2/8/8/4P3/4K3 w - e6 0 1"))
    assert notation.read("dxe6") == ("d5e6", False)
    assert notation.read("fxe6") == ("f5e6", False)
    assert notation.read("e6")[0] not in ("d5e6", "f5e6")


def test_figurines():
    assert Notation(Position(STARTPOS)).read("♘f3") == ("g1f3", False)


@pytest.mark.parametrize(
    ("text", "style"),
    [
        ("e2e4", "UCI"),
        ("a7a8q", "UCI"),
        ("a7a8Q", "upper-case promotion"),
        ("e2-e4", "long algebraic"),
        ("Ng1f3", "long algebraic"),
        ("Nf3", "SAN"),
        ("exd6", "SAN"),
        ("O-O", "castling as O-O"),
        ("0-0-0", "castling as O-O"),
        ("Q@h4", "other"),
    ],
)
def test_the_name_of_a_notation(text, style):
    assert style_of(text) == style
