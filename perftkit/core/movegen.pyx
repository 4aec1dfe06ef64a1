"""The door of the pseudo-legal generator: the one branch on the side to move."""


cdef void pseudo_legal_moves(ConstBoard board, MoveList* found) noexcept nogil:
    """Fill `found` with the pseudo-legal moves of the side to move, in no promised order."""
    if board.side == WHITE:
        generate(board, found, WHITE)
    else:
        generate(board, found, BLACK)
