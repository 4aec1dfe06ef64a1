from __future__ import annotations

import chess
import pytest
from suite_positions import board_of, position_of, row_id, sample

from perftkit import KIWIPETE, STARTPOS, Position
from perftkit.bitboard import squares

MOST_MOVES = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"
# No game leads here: 218 moves are the most of any game, but the parser takes any number of queens.
CROWDED = "QQQQQQnk/Q4Qpn/Q5QQ/Q6Q/Q6Q/Q1Q4Q/Q6Q/KQQQQQQQ w - - 0 1"


def texts(moves):
    return sorted(map(str, moves))


def legal_by_python_chess(board):
    return sorted(board.uci(move) for move in board.legal_moves)


@pytest.mark.parametrize("row", sample(20), ids=row_id)
def test_legal_moves_equal_those_of_python_chess_here_and_one_move_on(row):
    position = position_of(row)
    board = board_of(position)
    assert texts(position.legal_moves()) == legal_by_python_chess(board)
    for move in position.legal_moves():
        position.push(move)
        board.push(board.parse_uci(move.uci()))
        assert texts(position.legal_moves()) == legal_by_python_chess(board), board.fen()
        assert position.checkers == board.checkers_mask(), board.fen()
        position.pop()
        board.pop()


@pytest.mark.parametrize("row", sample(20), ids=row_id)
def test_pseudo_legal_moves_of_pieces_equal_those_of_python_chess(row):
    # Castling aside: python-chess calls it pseudo-legal only when the king's way is not attacked.
    position = position_of(row)
    found = [move for move in position.pseudo_legal_moves() if not move.is_castling]
    board = board_of(position)
    expected = [m for m in board.pseudo_legal_moves if not board.is_castling(m)]
    assert texts(found) == sorted(move.uci() for move in expected)
    assert set(position.legal_moves()) <= set(position.pseudo_legal_moves())


@pytest.mark.parametrize("row", sample(20), ids=row_id)
def test_check_mate_stalemate_and_pins_equal_those_of_python_chess(row):
    position = position_of(row)
    board = board_of(position)
    assert position.turn == ("white" if board.turn else "black")
    assert position.checkers == board.checkers_mask()
    assert position.is_check == board.is_check()
    assert position.is_checkmate == board.is_checkmate()
    assert position.is_stalemate == board.is_stalemate()
    own = squares(board.occupied_co[board.turn] & ~board.kings)
    assert squares(position.pinned) == [sq for sq in own if board.is_pinned(board.turn, sq)]


@pytest.mark.parametrize("row", sample(40), ids=row_id)
def test_properties_of_moves_equal_those_of_python_chess(row):
    position = position_of(row)
    board = board_of(position)
    for move in position.legal_moves():
        known = board.parse_uci(move.uci())
        assert move.from_square == known.from_square
        assert (move.promotion or "") == (chess.piece_symbol(known.promotion or 0) or "")
        assert move.is_promotion == (known.promotion is not None)
        assert move.is_capture == board.is_capture(known)
        assert move.is_en_passant == board.is_en_passant(known)
        assert move.is_castling == board.is_castling(known)
        pawn = board.piece_type_at(known.from_square) == chess.PAWN
        assert move.is_double_push == (pawn and abs(known.from_square - known.to_square) == 16)
        if not move.is_castling:
            assert move.to_square == known.to_square


def test_the_position_with_the_most_moves_of_a_game():
    assert len(Position(MOST_MOVES).legal_moves()) == 218


def test_more_than_256_moves_are_all_listed():
    position = Position(CROWDED)
    expected = legal_by_python_chess(board_of(position))
    assert len(expected) == 262
    assert texts(position.legal_moves()) == expected


@pytest.mark.parametrize(
    ("fen", "chess960", "written"),
    [
        (KIWIPETE, False, {"e1g1", "e1c1"}),
        (KIWIPETE, True, {"e1h1", "e1a1"}),
        (KIWIPETE.replace(" w ", " b "), False, {"e8g8", "e8c8"}),
        ("8/2k5/8/8/8/8/8/RR1K1R1R w FB - 0 1", None, {"d1f1", "d1b1"}),
        # The king stands where it castles to, and where the rook castles to.
        ("2k5/8/8/8/8/8/8/6KR w H - 0 1", None, {"g1h1"}),
        ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", None, {"f1g1"}),
    ],
)
def test_castling_is_written_as_the_rules_in_force_ask(fen, chess960, written):
    position = Position(fen, chess960=chess960)
    castlings = [move for move in position.legal_moves() if move.is_castling]
    assert {move.uci() for move in castlings} == written
    for move in castlings:
        assert (position.piece_at(move.from_square) or "").upper() == "K"
        assert (position.piece_at(move.to_square) or "").upper() == "R"


def test_the_start_position_has_its_20_moves():
    pawns = [f"{file}2{file}{rank}" for file in "abcdefgh" for rank in "34"]
    assert texts(Position(STARTPOS).legal_moves()) == sorted(
        [*pawns, "b1a3", "b1c3", "g1f3", "g1h3"]
    )


def test_the_four_promotions_are_four_moves():
    position = Position("8/P6k/8/8/8/8/8/K7 w - - 0 1")
    promotions = [move for move in position.legal_moves() if move.is_promotion]
    assert {(move.uci(), move.promotion) for move in promotions} == {
        ("a7a8n", "n"),
        ("a7a8b", "b"),
        ("a7a8r", "r"),
        ("a7a8q", "q"),
    }


def test_no_pawn_captures_across_the_edge():
    position = Position("4k3/8/8/8/p6p/P6P/P6P/4K3 w - - 0 1")
    assert [move for move in position.pseudo_legal_moves() if move.is_capture] == []
    position = Position("4k3/8/7p/p6P/P7/8/8/4K3 w - - 0 1")
    assert [move for move in position.pseudo_legal_moves() if move.is_capture] == []
    position = Position("4k3/8/8/p6p/P6p/7P/7P/4K3 b - - 0 1")
    assert [move for move in position.pseudo_legal_moves() if move.is_capture] == []
