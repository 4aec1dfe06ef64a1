"""Positions as text: FEN, Shredder-FEN and X-FEN."""

from perftkit.core.bitboard cimport Square
from perftkit.core.board cimport Board, ConstBoard

cdef int read_fen(Board* board, object fen, object chess960) except -1
cdef str write_fen(ConstBoard board, object fullmove_number)
cdef str castling_field(ConstBoard board)
cdef str piece_symbol(ConstBoard board, Square square)
