"""Positions as text: FEN, Shredder-FEN and X-FEN."""

from perftkit.core.board cimport Board, ConstBoard

cdef int read_fen(Board* board, object fen, object chess960) except -1
cdef str write_fen(ConstBoard board)
