"""Setting up a board and checking that all its parts tell the same story."""

from libc.string cimport memset

from perftkit.core.bitboard cimport NO_SQUARE, more_than_one
from perftkit.core.attacks cimport between


cdef void clear_board(Board* board) noexcept nogil:
    """Take everything off: no pieces, no rights, white to move, move 1."""
    memset(board, 0, sizeof(Board))
    memset(board.mailbox, NO_PIECE, sizeof(board.mailbox))
    board.state.en_passant = NO_SQUARE
    board.first_move_number = 1


cdef void grant_castling(Board* board, Color color, Square rook, bint kingside) noexcept nogil:
    """Give the right to castle with the rook on `rook`; king and rook stand on the first rank."""
    cdef int right = castling_right(color, kingside)
    cdef Square king = king_square(board, color)
    cdef Square king_to = castled_king(kingside, color)
    cdef Square rook_to = castled_rook(kingside, color)
    board.state.castling |= 1 << right
    board.castling_loss[king] |= 1 << right
    board.castling_loss[rook] |= 1 << right
    board.castling_rook[right] = rook
    board.castling_king_path[right] = between(king, king_to) | bit(king) | bit(king_to)
    board.castling_empty[right] = (
        between(king, king_to) | bit(king_to) | between(rook, rook_to) | bit(rook_to)
    ) & ~(bit(king) | bit(rook))


cdef bint is_consistent(ConstBoard board) noexcept nogil:
    """Whether bitboards, mailbox, kings, rights and e.p. square agree with each other."""
    cdef Bitboard union = 0
    cdef Square square
    cdef int piece_type, color
    for piece_type in range(6):
        if union & board.by_type[piece_type]:
            return False
        union |= board.by_type[piece_type]
    if union != occupied(board) or board.by_color[WHITE] & board.by_color[BLACK]:
        return False
    for square in range(64):
        piece_type = board.mailbox[square]
        if piece_type == NO_PIECE:
            if union & bit(square):
                return False
        elif not board.by_type[piece_type] & bit(square):
            return False
    for color in range(2):
        if not pieces(board, color, KING) or more_than_one(pieces(board, color, KING)):
            return False
    return castling_is_consistent(board) and en_passant_is_consistent(board)


cdef bint castling_is_consistent(ConstBoard board) noexcept nogil:
    cdef int right
    cdef Square rook
    for right in range(4):
        if not board.state.castling >> right & 1:
            continue
        rook = board.castling_rook[right]
        if not has_piece(board, rook, ROOK, right >> 1):
            return False
        if not board.castling_loss[king_square(board, right >> 1)] >> right & 1:
            return False
    return True


cdef bint en_passant_is_consistent(ConstBoard board) noexcept nogil:
    if board.state.en_passant == NO_SQUARE:
        return board.state.en_passant_key == 0
    return (
        board.mailbox[board.state.en_passant] == NO_PIECE
        and has_piece(board, board.state.en_passant ^ 8, PAWN, opponent(board.side))
    )
