from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perftkit import bitboard
from perftkit.core.bitboard import INSTRUCTION, TABLE

FULL = 2**64 - 1
SINGLE = [1 << square for square in range(64)]
PREFIXES = [(2 << square) - 1 for square in range(64)]  # a1 up to each square
SUFFIXES = [FULL ^ prefix for prefix in PREFIXES]

implementations = pytest.mark.parametrize(
    "scan", [INSTRUCTION, TABLE, bitboard], ids=["instruction", "table", "face"]
)
boards = st.integers(0, FULL)
# Random numbers have bits everywhere; the product of three has a few, far apart.
sparse_boards = st.builds(lambda a, b, c: a & b & c, boards, boards, boards)


def answers(scan, board):
    return scan.popcount(board), scan.lsb(board), scan.msb(board)


def answers_of_plain_python(board):
    found = [square for square in range(64) if board >> square & 1]
    return len(found), found[0] if found else None, found[-1] if found else None


@implementations
@pytest.mark.parametrize("family", [SINGLE, PREFIXES, SUFFIXES], ids=["single", "prefix", "suffix"])
def test_equals_plain_python_on_each_board_of_a_family(scan, family):
    for board in family:
        assert answers(scan, board) == answers_of_plain_python(board), hex(board)


@implementations
def test_a_single_square_is_both_first_and_last(scan):
    assert [answers(scan, board) for board in SINGLE] == [(1, sq, sq) for sq in range(64)]


@implementations
def test_the_empty_board_has_no_first_and_no_last_square(scan):
    assert answers(scan, 0) == (0, None, None)


@implementations
def test_the_full_board(scan):
    assert answers(scan, FULL) == (64, 0, 63)


@implementations
@given(board=boards | sparse_boards)
def test_equals_plain_python_on_random_boards(scan, board):
    assert answers(scan, board) == answers_of_plain_python(board)


@implementations
def test_every_16_bit_part_is_looked_up_at_its_own_place(scan):
    for shift in (0, 16, 32, 48):
        for value in (0x0001, 0x8000, 0x0100, 0x0080, 0xFFFF, 0x5A5A):
            board = value << shift
            assert answers(scan, board) == answers_of_plain_python(board), hex(board)


@implementations
@pytest.mark.parametrize("board", [-1, 2**64, -(2**63), 10**30])
@pytest.mark.parametrize("question", ["popcount", "lsb", "msb"])
def test_numbers_of_more_than_64_bits_are_refused(scan, question, board):
    with pytest.raises(OverflowError):
        getattr(scan, question)(board)


@implementations
@pytest.mark.parametrize("question", ["popcount", "lsb", "msb"])
def test_what_is_no_integer_is_refused(scan, question):
    with pytest.raises(TypeError):
        getattr(scan, question)("e4")


@given(board=boards | sparse_boards)
def test_squares_are_listed_from_a1_up(board):
    found = bitboard.squares(board)
    assert found == sorted(set(found))
    assert sum(1 << square for square in found) == board


def test_squares_of_the_empty_and_the_full_board():
    assert bitboard.squares(0) == []
    assert bitboard.squares(FULL) == list(range(64))


@pytest.mark.parametrize("board", [-1, 2**64])
def test_squares_refuses_numbers_of_more_than_64_bits(board):
    with pytest.raises(OverflowError):
        bitboard.squares(board)


@pytest.mark.parametrize("face", [bitboard.popcount, bitboard.lsb, bitboard.msb, bitboard.squares])
def test_a_float_is_no_board(face):
    with pytest.raises(TypeError):
        face(1.5)
