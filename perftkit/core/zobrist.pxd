"""Zobrist keys with the constants of the Polyglot opening book format.

The key of a position is the exclusive or of one constant for each piece on its square, each
castling right, the e.p. file (only if a pawn of the side to move stands ready to capture, pinned
or not), and the side to move (white).
"""

from libc.stdint cimport uint64_t

from perftkit.core.board cimport ConstBoard

cdef struct ZobristKeys:
    uint64_t[2][6][64] piece    # by colour and type
    uint64_t[16] castling       # by the set of rights
    uint64_t[8] en_passant      # by file
    uint64_t white_to_move

cdef ZobristKeys ZOBRIST

cdef uint64_t key_from_scratch(ConstBoard board) noexcept nogil
cdef uint64_t en_passant_key_from_scratch(ConstBoard board) noexcept nogil
