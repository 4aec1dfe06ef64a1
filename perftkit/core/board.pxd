"""The board: where the pieces stand, whose turn it is, and what may still be done.

A plain struct with free functions. It always holds exactly one king a side; `fen` is the only door
by which a position comes in, and it refuses any other.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from perftkit.core.attacks cimport (
    bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks,
)
from perftkit.core.bitboard cimport C1, D1, F1, G1, Bitboard, Square, bit, first_square

ctypedef int Color

cdef enum:
    WHITE = 0
    BLACK = 1

cdef enum:
    PAWN = 0
    KNIGHT = 1
    BISHOP = 2
    ROOK = 3
    QUEEN = 4
    KING = 5
    NO_PIECE = 6        # what stands on an empty square

cdef enum:
    # The four castling rights; right r is bit 1 << r of Board.castling.
    WHITE_KINGSIDE = 0
    WHITE_QUEENSIDE = 1
    BLACK_KINGSIDE = 2
    BLACK_QUEENSIDE = 3

cdef struct State:
    # What a move overwrites and can't be worked out backwards: unmake restores it.
    uint64_t key                # Polyglot key
    uint64_t en_passant_key     # the part of it for the e.p. file; 0 unless a pawn can capture
    uint32_t halfmove_clock
    uint8_t castling            # rights that are left
    uint8_t en_passant          # square behind a pawn that has just moved two, or NO_SQUARE

cdef struct Board:
    Bitboard[6] by_type         # both colours' pieces of a type
    Bitboard[2] by_color
    State state
    uint8_t[64] mailbox         # type of the piece on each square, or NO_PIECE
    uint8_t side                # to move
    bint chess960               # how castling moves and rights are written
    uint64_t first_move_number  # fullmove number when the position was set up
    # Facts about each right, set with the position and never changed by a move.
    uint8_t[64] castling_loss         # rights that go when a piece leaves or reaches a square
    uint8_t[4] castling_rook          # where the right's rook stands
    Bitboard[4] castling_empty        # squares that must be empty, king and rook aside
    Bitboard[4] castling_king_path    # squares that must not be attacked, first and last included

ctypedef const Board* ConstBoard


cdef inline Color opponent(Color color) noexcept nogil:
    return color ^ 1


cdef inline int castling_right(Color color, bint kingside) noexcept nogil:
    return 2 * color + (0 if kingside else 1)


cdef inline Square castled_king(bint kingside, Color color) noexcept nogil:
    """Where the king stands after castling, in Chess960 too."""
    return (G1 if kingside else C1) + 56 * color


cdef inline Square castled_rook(bint kingside, Color color) noexcept nogil:
    return (F1 if kingside else D1) + 56 * color


cdef inline Bitboard occupied(ConstBoard board) noexcept nogil:
    return board.by_color[WHITE] | board.by_color[BLACK]


cdef inline Bitboard pieces(ConstBoard board, Color color, int piece_type) noexcept nogil:
    return board.by_color[color] & board.by_type[piece_type]


cdef inline Bitboard rook_likes(ConstBoard board, Color color) noexcept nogil:
    """Rooks and queens."""
    return board.by_color[color] & (board.by_type[ROOK] | board.by_type[QUEEN])


cdef inline Bitboard bishop_likes(ConstBoard board, Color color) noexcept nogil:
    """Bishops and queens."""
    return board.by_color[color] & (board.by_type[BISHOP] | board.by_type[QUEEN])


cdef inline Square king_square(ConstBoard board, Color color) noexcept nogil:
    return first_square(pieces(board, color, KING))


cdef inline Color color_at(ConstBoard board, Square square) noexcept nogil:
    """The colour of the piece on a square that is not empty."""
    return board.by_color[BLACK] >> square & 1


cdef inline bint has_piece(
    ConstBoard board, Square square, int piece_type, Color color
) noexcept nogil:
    return pieces(board, color, piece_type) >> square & 1


cdef inline void put_piece(
    Board* board, Square square, int piece_type, Color color
) noexcept nogil:
    board.by_type[piece_type] |= bit(square)
    board.by_color[color] |= bit(square)
    board.mailbox[square] = piece_type


cdef inline void remove_piece(
    Board* board, Square square, int piece_type, Color color
) noexcept nogil:
    board.by_type[piece_type] &= ~bit(square)
    board.by_color[color] &= ~bit(square)
    board.mailbox[square] = NO_PIECE


cdef inline void move_piece(
    Board* board, Square source, Square target, int piece_type, Color color
) noexcept nogil:
    """Move a piece to an empty square."""
    board.by_type[piece_type] ^= bit(source) | bit(target)
    board.by_color[color] ^= bit(source) | bit(target)
    board.mailbox[source] = NO_PIECE
    board.mailbox[target] = piece_type


cdef inline Bitboard attackers(
    ConstBoard board, Square square, Color color, Bitboard occupancy
) noexcept nogil:
    """The pieces of a colour that attack a square, were the board occupied as given.

    A piece that is not in `occupancy` still counts; the caller masks what it has taken off.
    """
    return (
        (pawn_attacks(opponent(color), square) & pieces(board, color, PAWN))
        | (knight_attacks(square) & pieces(board, color, KNIGHT))
        | (bishop_attacks(square, occupancy) & bishop_likes(board, color))
        | (rook_attacks(square, occupancy) & rook_likes(board, color))
        | (king_attacks(square) & pieces(board, color, KING))
    )


cdef void clear_board(Board* board) noexcept nogil
cdef void grant_castling(Board* board, Color color, Square rook, bint kingside) noexcept nogil
cdef bint is_consistent(ConstBoard board) noexcept nogil
