"""The Python-facing owner of a board."""

from perftkit.core.board cimport Board
from perftkit.core.makemove cimport Undo
from perftkit.core.movegen cimport MoveList, PackedMove


cdef class Move:
    cdef readonly bint chess960
    cdef PackedMove packed


cdef struct Played:
    PackedMove move
    Undo undo


cdef class Position:
    cdef Board board
    cdef Played* history
    cdef Py_ssize_t played
    cdef Py_ssize_t capacity

    cdef list as_list(self, const MoveList* found)
    cdef bint passes_filter(self, PackedMove packed)
    cdef int resolve(self, move) except -1
    cdef int reserve(self) except -1


cdef Move make_python_move(PackedMove packed, bint chess960)
