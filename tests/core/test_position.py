from __future__ import annotations

import copy
import pickle
import subprocess
import sys

import pytest
from suite_positions import board_of, position_of, row_id, sample

from perftkit import KIWIPETE, STARTPOS, Move, Position
from perftkit.errors import MoveError

EMPTY_FIELDS = "8/8/8/8/8/1k6/8/3K4 b - -"


def facts(position):
    return position.fen(), position.key, position.chess960, sorted(map(str, position.legal_moves()))


@pytest.mark.parametrize("row", sample(60), ids=row_id)
def test_pieces_stand_where_python_chess_has_them(row):
    position = position_of(row)
    board = board_of(position)
    for square in range(64):
        piece = board.piece_at(square)
        assert position.piece_at(square) == (piece.symbol() if piece else None)


@pytest.mark.parametrize("square", [-1, 64])
def test_there_is_nothing_off_the_board(square):
    with pytest.raises(ValueError, match="from 0"):
        Position().piece_at(square)


@pytest.mark.parametrize("row", sample(60), ids=row_id)
def test_copies_and_pickles_are_the_same_position(row):
    position = position_of(row)
    for twin in (
        position.copy(),
        copy.copy(position),
        copy.deepcopy(position),
        pickle.loads(pickle.dumps(position)),
    ):
        assert facts(twin) == facts(position)


def test_a_copy_goes_its_own_way():
    position = Position()
    position.push("e2e4")
    twin = position.copy()
    twin.push("e7e5")
    assert position.fen() == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
    twin.pop()
    with pytest.raises(IndexError, match="no move was played"):
        twin.pop()


def test_a_long_game_is_taken_back_move_by_move():
    position = Position()
    seen = []
    for _ in range(100):
        for move in ("g1f3", "g8f6", "f3g1", "f6g8"):
            seen.append(position.fen())
            position.push(move)
    assert position.halfmove_clock == 400
    while seen:
        position.pop()
        assert position.fen() == seen.pop()
    with pytest.raises(IndexError, match="no move was played"):
        position.pop()


@pytest.mark.parametrize("row", sample(60), ids=row_id)
def test_moves_are_values(row):
    position = position_of(row)
    for move, again in zip(position.legal_moves(), position.legal_moves(), strict=True):
        assert move == again
        assert hash(move) == hash(again)
        assert pickle.loads(pickle.dumps(move)) == move
        assert copy.deepcopy(move) == move
        assert str(move) == move.uci()
        assert move.uci() in repr(move)
        assert position.parse_move(move.uci()) == move
    assert len(set(position.legal_moves())) == len(position.legal_moves())
    assert len({move.uci() for move in position.legal_moves()}) == len(position.legal_moves())


def test_a_move_equals_no_text():
    move = Position().parse_move("e2e4")
    assert move != "e2e4"
    assert move != Position().parse_move("e2e3")


def test_a_move_can_not_be_made_nor_changed():
    with pytest.raises(TypeError, match="made by a Position"):
        Move()
    move = Position().parse_move("e2e4")
    for name in ("from_square", "promotion", "chess960", "anything"):
        with pytest.raises(AttributeError):
            setattr(move, name, 1)


def test_castling_is_read_in_both_spellings():
    standard, chess960 = Position(KIWIPETE), Position(KIWIPETE, chess960=True)
    assert standard.parse_move("e1g1") == standard.parse_move("e1h1")
    assert standard.parse_move("e1h1").uci() == "e1g1"
    assert chess960.parse_move("e1g1") == chess960.parse_move("e1h1")
    assert chess960.parse_move("e1g1").uci() == "e1h1"


def test_a_step_of_the_king_wins_over_castling_of_the_same_name():
    position = Position("4k3/8/8/8/8/8/8/5K1R w H - 0 1")
    assert not position.parse_move("f1g1").is_castling
    assert position.parse_move("f1h1").is_castling


@pytest.mark.parametrize("text", ["", "e2e5", "e7e5", "e2e4q", "e1g1", "nonsense", "♟", "e2\0e4"])
def test_what_is_no_legal_move_is_refused_and_changes_nothing(text):
    position = Position()
    with pytest.raises(MoveError, match="not a move in"):
        position.push(text)
    with pytest.raises(MoveError):
        position.parse_move(text)
    assert position.fen() == STARTPOS


def test_a_move_that_leaves_the_king_in_check_is_refused():
    position = Position("4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1")
    with pytest.raises(MoveError, match="leaves the king in check"):
        position.push("e2d2")
    with pytest.raises(MoveError, match="leaves the king in check"):
        position.parse_move("e2d2")


@pytest.mark.parametrize("move", [None, 12, b"e2e4"])
def test_a_move_is_a_move_or_a_text(move):
    for method in (Position().push, Position().is_legal, Position().parse_move):
        with pytest.raises(TypeError, match="a Move or a str"):
            method(move)


def test_a_position_shows_itself():
    assert repr(Position()) == f"Position({STARTPOS!r})"
    assert "chess960=True" in repr(Position(KIWIPETE, chess960=True))


@pytest.mark.parametrize(
    ("fen", "check", "mate", "stalemate"),
    [
        (STARTPOS, False, False, False),
        ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", True, True, False),
        ("R5k1/5pp1/8/8/8/8/8/4K3 b - - 0 1", True, False, False),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", False, False, True),
    ],
)
def test_check_mate_and_stalemate(fen, check, mate, stalemate):
    position = Position(fen)
    assert (position.is_check, position.is_checkmate, position.is_stalemate) == (
        check,
        mate,
        stalemate,
    )


def test_clocks_at_their_largest_can_still_be_written_copied_and_pickled():
    position = Position(f"{EMPTY_FIELDS} 65535 4294967295")
    position.push("b3b2")
    for twin in (position, position.copy(), pickle.loads(pickle.dumps(position))):
        assert Position(twin.fen()).key == position.key
    assert position.halfmove_clock >= 65535


@pytest.mark.parametrize("made", ["Position.__new__(Position)", "Careless()"])
def test_a_position_that_was_never_set_up_does_not_crash(made):
    script = f"""
from perftkit import Position, perft

class Careless(Position):
    def __init__(self):
        pass

position = {made}
for ask in (
    position.fen, position.legal_moves, position.pseudo_legal_moves, position.key_from_scratch,
    position.is_consistent, position.copy, lambda: position.checkers, lambda: position.pinned,
    lambda: position.is_check, lambda: position.is_checkmate, lambda: position.is_stalemate,
    lambda: position.is_legal("e2e4"), lambda: position.push("e2e4"), lambda: perft(position, 3),
):
    try:
        ask()
    except Exception:
        pass
print("alive")
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "alive\n", "")
