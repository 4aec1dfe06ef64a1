"""Pseudo-legal moves: what the pieces can do, whether or not their king is left in check.

A castling move is pseudo-legal when the right is there and the way is free; attacked squares are
the legality filter's business. Moves of 16 bits: from, to, kind; castling is king takes rook.
"""

from libc.stdint cimport uint16_t

from perftkit.core.attacks cimport (
    bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks,
)
from perftkit.core.bitboard cimport (
    NO_SQUARE, Bitboard, Square, bit, east, north, pop_lsb, rank_mask, south, west,
)
from perftkit.core.board cimport (
    BLACK, KNIGHT, PAWN, WHITE, Board, Color, ConstBoard, KING,
    bishop_likes, castling_right, king_square, occupied, opponent, pieces, rook_likes,
)

ctypedef uint16_t PackedMove    # bits 0-5 from, 6-11 to, 12-15 kind

cdef enum:
    # Bit 2 of a kind says capture, bit 3 promotion; a promotion's low two bits are the piece.
    QUIET = 0
    DOUBLE_PUSH = 1
    CASTLE_KINGSIDE = 2
    CASTLE_QUEENSIDE = 3
    CAPTURE = 4
    EN_PASSANT = 5
    PROMOTION = 8               # 8 knight, 9 bishop, 10 rook, 11 queen; 12 to 15 with capture

cdef enum:
    # No board has more pseudo-legal moves than 714. With n own pieces, each has at most 27 moves
    # (a queen), and each of the 64 - n other squares is reached along at most 8 lines and from at
    # most 8 knight's squares: at most min(27 n, 16 (64 - n)) <= 640 pairs of squares. Promotions
    # add 3 moves to each of at most 8 x 3 such pairs, castling adds 2.
    MAX_MOVES = 768

cdef struct MoveList:
    int count
    PackedMove[MAX_MOVES] moves


cdef inline PackedMove pack(Square source, Square target, int kind) noexcept nogil:
    return <PackedMove> (source | target << 6 | kind << 12)


cdef inline Square move_from(PackedMove move) noexcept nogil:
    return move & 63


cdef inline Square move_to(PackedMove move) noexcept nogil:
    return move >> 6 & 63


cdef inline int move_kind(PackedMove move) noexcept nogil:
    return move >> 12


cdef inline bint is_castling(PackedMove move) noexcept nogil:
    return move >> 13 == CASTLE_KINGSIDE >> 1


cdef inline void append(MoveList* found, PackedMove move) noexcept nogil:
    found.moves[found.count] = move
    found.count += 1


cdef inline void append_piece_moves(
    MoveList* found, Square source, Bitboard targets, Bitboard enemy
) noexcept nogil:
    cdef Square target
    while targets:
        target = pop_lsb(&targets)
        append(found, pack(source, target, CAPTURE if enemy >> target & 1 else QUIET))


cdef inline void append_pawn_moves(
    MoveList* found, Bitboard targets, int step, int kind
) noexcept nogil:
    """Moves of pawns that reach `targets`, none on the last rank, by a step of `step` squares."""
    cdef Square target
    while targets:
        target = pop_lsb(&targets)
        append(found, pack(target - step, target, kind))


cdef inline void append_promotions(
    MoveList* found, Bitboard targets, int step, int kind
) noexcept nogil:
    cdef Square target
    cdef int piece
    while targets:
        target = pop_lsb(&targets)
        for piece in range(4):
            append(found, pack(target - step, target, kind + piece))


cdef inline Bitboard forward(Bitboard board, const Color us) noexcept nogil:
    return north(board) if us == WHITE else south(board)


cdef inline void generate_pawn_moves(
    ConstBoard board, MoveList* found, const Color us
) noexcept nogil:
    cdef int up = 8 if us == WHITE else -8
    cdef Bitboard last_rank = rank_mask(7 if us == WHITE else 0)
    cdef Bitboard third_rank = rank_mask(2 if us == WHITE else 5)
    cdef Bitboard pawns = pieces(board, us, PAWN)
    cdef Bitboard empty = ~occupied(board)
    cdef Bitboard enemy = board.by_color[opponent(us)]
    cdef Bitboard pushes = forward(pawns, us) & empty
    cdef Bitboard double_pushes = forward(pushes & third_rank, us) & empty
    cdef Bitboard west_captures = forward(west(pawns), us) & enemy
    cdef Bitboard east_captures = forward(east(pawns), us) & enemy
    cdef Bitboard capturers
    append_pawn_moves(found, pushes & ~last_rank, up, QUIET)
    append_pawn_moves(found, double_pushes, 2 * up, DOUBLE_PUSH)
    append_pawn_moves(found, west_captures & ~last_rank, up - 1, CAPTURE)
    append_pawn_moves(found, east_captures & ~last_rank, up + 1, CAPTURE)
    append_promotions(found, pushes & last_rank, up, PROMOTION)
    append_promotions(found, west_captures & last_rank, up - 1, PROMOTION | CAPTURE)
    append_promotions(found, east_captures & last_rank, up + 1, PROMOTION | CAPTURE)
    if board.en_passant != NO_SQUARE:
        capturers = pawn_attacks(opponent(us), board.en_passant) & pawns
        while capturers:
            append(found, pack(pop_lsb(&capturers), board.en_passant, EN_PASSANT))


cdef inline void generate_castling(
    ConstBoard board, MoveList* found, const Color us, const bint kingside
) noexcept nogil:
    cdef int right = castling_right(us, kingside)
    if board.castling >> right & 1 and not board.castling_empty[right] & occupied(board):
        append(found, pack(
            king_square(board, us),
            board.castling_rook[right],
            CASTLE_KINGSIDE if kingside else CASTLE_QUEENSIDE,
        ))


cdef inline void generate(ConstBoard board, MoveList* found, const Color us) noexcept nogil:
    """Fill `found` with the pseudo-legal moves of `us`, a constant at every call."""
    cdef Bitboard targets = ~board.by_color[us]
    cdef Bitboard enemy = board.by_color[opponent(us)]
    cdef Bitboard occupancy = occupied(board)
    cdef Bitboard movers
    cdef Square source
    found.count = 0
    generate_pawn_moves(board, found, us)
    movers = pieces(board, us, KNIGHT)
    while movers:
        source = pop_lsb(&movers)
        append_piece_moves(found, source, knight_attacks(source) & targets, enemy)
    movers = bishop_likes(board, us)
    while movers:
        source = pop_lsb(&movers)
        append_piece_moves(found, source, bishop_attacks(source, occupancy) & targets, enemy)
    movers = rook_likes(board, us)
    while movers:
        source = pop_lsb(&movers)
        append_piece_moves(found, source, rook_attacks(source, occupancy) & targets, enemy)
    source = king_square(board, us)
    append_piece_moves(found, source, king_attacks(source) & targets, enemy)
    if board.castling:
        generate_castling(board, found, us, True)
        generate_castling(board, found, us, False)


cdef void pseudo_legal_moves(ConstBoard board, MoveList* found) noexcept nogil
