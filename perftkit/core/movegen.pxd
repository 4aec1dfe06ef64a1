"""Pseudo-legal moves: what the pieces can do, whether or not their king is left in check.

A castling move is pseudo-legal when the right is there and the way is free; attacked squares are
the legality filter's business. A move is packed into an integer; castling is king takes rook.
"""

from libc.stdint cimport uint32_t

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

# Bits 0-5 from, 6-11 to, 12-15 kind, 16-18 type of the piece that moves. The board knows the type
# too, but making one move after the other would wait for it to be stored and loaded each time.
ctypedef uint32_t PackedMove

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


cdef inline PackedMove pack(
    Square source, Square target, int kind, int piece_type
) noexcept nogil:
    return <PackedMove> (source | target << 6 | kind << 12 | piece_type << 16)


cdef inline Square move_from(PackedMove move) noexcept nogil:
    return move & 63


cdef inline Square move_to(PackedMove move) noexcept nogil:
    return move >> 6 & 63


cdef inline int move_kind(PackedMove move) noexcept nogil:
    return move >> 12 & 15


cdef inline int move_type(PackedMove move) noexcept nogil:
    """The type of the piece that moves, a pawn where it promotes."""
    return move >> 16


cdef inline bint is_castling(PackedMove move) noexcept nogil:
    return move_kind(move) >> 1 == CASTLE_KINGSIDE >> 1


cdef inline void append(MoveList* found, PackedMove move) noexcept nogil:
    found.moves[found.count] = move
    found.count += 1


cdef inline void append_moves_from(
    MoveList* found, Square source, Bitboard targets, const int kind, int piece_type
) noexcept nogil:
    while targets:
        append(found, pack(source, pop_lsb(&targets), kind, piece_type))


cdef inline void generate_piece_moves(
    ConstBoard board, MoveList* found, Bitboard targets, const int kind, const Color us
) noexcept nogil:
    """The moves of all but pawns to some squares: all empty, or all taken by the enemy."""
    cdef Bitboard occupancy = occupied(board), movers
    cdef Square source
    movers = pieces(board, us, KNIGHT)
    while movers:
        source = pop_lsb(&movers)
        append_moves_from(found, source, knight_attacks(source) & targets, kind, KNIGHT)
    movers = bishop_likes(board, us)
    while movers:
        source = pop_lsb(&movers)
        append_moves_from(
            found, source, bishop_attacks(source, occupancy) & targets, kind,
            board.mailbox[source],
        )
    movers = rook_likes(board, us)
    while movers:
        source = pop_lsb(&movers)
        append_moves_from(
            found, source, rook_attacks(source, occupancy) & targets, kind,
            board.mailbox[source],
        )
    source = king_square(board, us)
    append_moves_from(found, source, king_attacks(source) & targets, kind, KING)


cdef inline void append_pawn_moves(
    MoveList* found, Bitboard targets, int step, int kind
) noexcept nogil:
    """Moves of pawns that reach `targets`, none on the last rank, by a step of `step` squares."""
    cdef Square target
    while targets:
        target = pop_lsb(&targets)
        append(found, pack(target - step, target, kind, PAWN))


cdef inline void append_promotions(
    MoveList* found, Bitboard targets, int step, int kind
) noexcept nogil:
    cdef Square target
    cdef int piece
    while targets:
        target = pop_lsb(&targets)
        for piece in range(4):
            append(found, pack(target - step, target, kind + piece, PAWN))


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
    if board.state.en_passant != NO_SQUARE:
        capturers = pawn_attacks(opponent(us), board.state.en_passant) & pawns
        while capturers:
            append(found, pack(pop_lsb(&capturers), board.state.en_passant, EN_PASSANT, PAWN))


cdef inline void generate_castling(
    ConstBoard board, MoveList* found, const Color us, const bint kingside
) noexcept nogil:
    cdef int right = castling_right(us, kingside)
    if board.state.castling >> right & 1 and not board.castling_empty[right] & occupied(board):
        append(found, pack(
            king_square(board, us),
            board.castling_rook[right],
            CASTLE_KINGSIDE if kingside else CASTLE_QUEENSIDE,
            KING,
        ))


cdef inline void generate(ConstBoard board, MoveList* found, const Color us) noexcept nogil:
    """Fill `found` with the pseudo-legal moves of `us`, a constant at every call."""
    found.count = 0
    generate_pawn_moves(board, found, us)
    generate_piece_moves(board, found, board.by_color[opponent(us)], CAPTURE, us)
    generate_piece_moves(board, found, ~occupied(board), QUIET, us)
    if board.state.castling:
        generate_castling(board, found, us, True)
        generate_castling(board, found, us, False)


cdef void pseudo_legal_moves(ConstBoard board, MoveList* found) noexcept nogil
