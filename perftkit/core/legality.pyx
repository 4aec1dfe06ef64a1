"""Legal moves by either way, for whoever is to move."""

from perftkit.core.board cimport BLACK, WHITE
from perftkit.core.makemove cimport Undo, make_move, unmake_move
from perftkit.core.movegen cimport pseudo_legal_moves


cdef inline bint survives(Board* board, PackedMove move, const Color us) noexcept nogil:
    """Make the move, look at the own king, take it back."""
    cdef Undo undo
    cdef bint safe
    if is_castling(move) and castles_through_check(board, move, us):
        return False
    make_move(board, move, &undo, us)
    safe = not king_attacked(board, us)
    unmake_move(board, move, &undo, us)
    return safe


cdef KingSafety king_safety_of_mover(ConstBoard board) noexcept nogil:
    if board.side == WHITE:
        return king_safety(board, WHITE)
    return king_safety(board, BLACK)


cdef bint is_legal_plain(Board* board, PackedMove move) noexcept nogil:
    """Whether a pseudo-legal move is legal, found by making it. The board is left as it was."""
    if board.side == WHITE:
        return survives(board, move, WHITE)
    return survives(board, move, BLACK)


cdef bint is_legal_filtered(
    Board* board, const KingSafety* safety, PackedMove move
) noexcept nogil:
    """The same answer; most moves are known legal from checkers and pins alone."""
    return not can_be_illegal(safety, move) or is_legal_plain(board, move)


cdef void legal_moves(Board* board, MoveList* found) noexcept nogil:
    """Fill `found` with the legal moves of the side to move, in no promised order."""
    cdef KingSafety safety = king_safety_of_mover(board)
    cdef int index, kept = 0
    pseudo_legal_moves(board, found)
    for index in range(found.count):
        if is_legal_filtered(board, &safety, found.moves[index]):
            found.moves[kept] = found.moves[index]
            kept += 1
    found.count = kept


cdef bint has_legal_move(Board* board) noexcept nogil:
    cdef MoveList found
    cdef KingSafety safety = king_safety_of_mover(board)
    cdef int index
    pseudo_legal_moves(board, &found)
    for index in range(found.count):
        if is_legal_filtered(board, &safety, found.moves[index]):
            return True
    return False
