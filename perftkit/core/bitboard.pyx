"""Population count, least and most significant square, in two implementations.

The processor's instruction, and 16-bit tables as engines use them on machines without it. The
tables answer for each 16-bit part of a board: 65,536 bytes for each question.
"""

import operator


cdef void fill_bit_tables() noexcept nogil:
    cdef int value
    BIT_TABLES.popcount[0] = 0
    BIT_TABLES.lsb[0] = NO_SQUARE
    BIT_TABLES.msb[0] = NO_SQUARE
    for value in range(1, 65536):
        BIT_TABLES.popcount[value] = BIT_TABLES.popcount[value >> 1] + (value & 1)
        BIT_TABLES.lsb[value] = 0 if value & 1 else BIT_TABLES.lsb[value >> 1] + 1
        BIT_TABLES.msb[value] = 0 if value == 1 else BIT_TABLES.msb[value >> 1] + 1


fill_bit_tables()


cdef Square square_argument(object square) except -1:
    """A square that Python gives, 0 to 63."""
    index = operator.index(square)
    if not 0 <= index < 64:
        raise ValueError(f"a square is a number from 0 (a1) to 63 (h8), not {index}")
    return index


cdef object square_or_none(Square square):
    return None if square == NO_SQUARE else square


# The Python face keeps the names of the C functions, which need an alias to be told apart.

cdef object _popcount(uint64_t board, bint table):
    return popcount_table(board) if table else popcount_instruction(board)


class BitScan:
    """One implementation of the three questions, for the tests that hold the two equal."""

    def __init__(self, table):
        self.table = bool(table)

    def popcount(self, uint64_t board):
        """Return how many squares are set, 0 to 64."""
        return _popcount(board, self.table)

    def lsb(self, uint64_t board):
        """Return the least significant square, or None."""
        return square_or_none(lsb_table(board) if self.table else lsb_instruction(board))

    def msb(self, uint64_t board):
        """Return the most significant square, or None."""
        return square_or_none(msb_table(board) if self.table else msb_instruction(board))


INSTRUCTION = BitScan(table=False)
TABLE = BitScan(table=True)
COUNTS_BY_INSTRUCTION = bool(HAS_POPCOUNT)


def squares_of(uint64_t board):
    """Return the squares of a board as a list, a1 = 0 first."""
    cdef list found = []
    while board:
        found.append(pop_lsb(&board))
    return found
