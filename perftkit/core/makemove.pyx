"""The doors of make and unmake: the one branch on the side to move."""

from perftkit.core.board cimport BLACK


cdef void make(Board* board, PackedMove move, Undo* undo) noexcept nogil:
    """Play a pseudo-legal move of the side to move."""
    remember(board, undo)
    if board.side == WHITE:
        make_move(board, move, undo, WHITE)
    else:
        make_move(board, move, undo, BLACK)


cdef void unmake(Board* board, PackedMove move, const Undo* undo) noexcept nogil:
    """Take back the last move made."""
    if board.side == WHITE:
        unmake_move(board, move, undo, BLACK)
    else:
        unmake_move(board, move, undo, WHITE)
