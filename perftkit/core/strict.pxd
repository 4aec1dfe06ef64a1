"""The strict walker: the tree as the textbook has it.

Pseudo-legal moves into a list, make, filter, recurse, unmake. A leaf is a position that was really
made. Nothing is cached, ordered or pruned.
"""

from libc.stdint cimport uint32_t

from perftkit.core.board cimport Board
from perftkit.core.counts cimport Tally
from perftkit.core.movegen cimport PackedMove

cdef struct Walk:
    Tally tally
    uint32_t visits     # inner nodes seen, to ask for Ctrl-C now and then
    const int* stop     # the flag that ends the walk; NULL on the main thread

cdef int walk(Board* board, int depth, Walk* walk) except -1 nogil
cdef int walk_move(Board* board, PackedMove move, int depth, Walk* walk) except -1 nogil
