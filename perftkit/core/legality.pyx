"""Legal moves by either way, for whoever is to move."""

from perftkit.core.attacks cimport king_attacks
from perftkit.core.board cimport BLACK, WHITE
from perftkit.core.makemove cimport Undo, make_move, remember, unmake_move
from perftkit.core.movegen cimport pseudo_legal_moves


cdef inline bint survives(Board* board, PackedMove move, const Color us) noexcept nogil:
    """Make the move, look at the own king, take it back."""
    cdef Undo undo
    cdef bint safe
    if is_castling(move) and castles_through_check(board, move, us):
        return False
    remember(board, &undo)
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
    """The same answer; checkers and pins alone decide most moves."""
    cdef Verdict verdict = judge(safety, move)
    return verdict == LEGAL or (verdict == LOOK and is_legal_plain(board, move))


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
    """Whether the side to move has a legal move; asked mostly of a king in check."""
    cdef MoveList found
    cdef KingSafety safety
    cdef int index
    if king_can_step(board, board.side):
        return True
    safety = king_safety_of_mover(board)
    pseudo_legal_moves(board, &found)
    for index in range(found.count):
        if is_legal_filtered(board, &safety, found.moves[index]):
            return True
    return False


cdef bint king_can_step(ConstBoard board, Color us) noexcept nogil:
    """Whether the king of `us` has a square to go to, castling aside."""
    cdef Square king = king_square(board, us)
    cdef Bitboard steps = king_attacks(king) & ~board.by_color[us]
    cdef Bitboard occupancy = occupied(board) & ~bit(king)
    while steps:
        # A piece that the king takes does not attack its own square.
        if not attackers(board, pop_lsb(&steps), opponent(us), occupancy):
            return True
    return False
