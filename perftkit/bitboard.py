"""Bitboards for Python: sets of squares as integers of 64 bits.

Bit 0 is a1, bit 7 is h1, bit 63 is h8. Every function takes an integer from 0 to 2**64 - 1 and
raises OverflowError outside it, TypeError for what is no integer.

>>> rank_1 = 0xFF
>>> popcount(rank_1), lsb(rank_1), msb(rank_1)
(8, 0, 7)
>>> squares(1 << 4 | 1 << 60)
[4, 60]
"""

from __future__ import annotations

from operator import index

from perftkit.core.bitboard import COUNTS_BY_INSTRUCTION, INSTRUCTION, TABLE, squares_of

__all__ = ["lsb", "msb", "popcount", "squares"]

_count = INSTRUCTION if COUNTS_BY_INSTRUCTION else TABLE


def popcount(board: int) -> int:
    """Return the number of squares in `board`, 0 to 64."""
    return _count.popcount(index(board))


def lsb(board: int) -> int | None:
    """Return the least significant square of `board` (0 to 63), or None when it is empty."""
    return INSTRUCTION.lsb(index(board))


def msb(board: int) -> int | None:
    """Return the most significant square of `board` (0 to 63), or None when it is empty."""
    return INSTRUCTION.msb(index(board))


def squares(board: int) -> list[int]:
    """Return the squares of `board` in ascending order, a1 = 0 to h8 = 63."""
    return squares_of(index(board))
