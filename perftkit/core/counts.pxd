"""The breakdown: what kind of move leads to each leaf."""

from libc.stdint cimport uint64_t

from perftkit.core.attacks cimport (
    bishop_attacks, bishop_rays, knight_attacks, pawn_attacks, rook_attacks, rook_rays,
)
from perftkit.core.bitboard cimport Bitboard, Square, bit, more_than_one
from perftkit.core.board cimport (
    BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, Board, Color, ConstBoard,
    attackers, bishop_likes, castled_king, castled_rook, king_square, occupied, opponent,
    rook_likes,
)
from perftkit.core.legality cimport has_legal_move, lone_shields
from perftkit.core.movegen cimport (
    CAPTURE, CASTLE_KINGSIDE, DOUBLE_PUSH, EN_PASSANT, PackedMove,
    is_castling, move_from, move_kind, move_to, move_type,
)

cdef struct Counts:
    # The counters of the public contract. No walk without a hash table lasts long enough for one
    # of them to pass 2^64.
    uint64_t nodes
    uint64_t captures
    uint64_t en_passant
    uint64_t castles_kingside
    uint64_t castles_queenside
    uint64_t promotions
    uint64_t checks
    uint64_t discovered_checks
    uint64_t double_checks
    uint64_t checkmates
    uint64_t discovered_checkmates
    uint64_t double_checkmates

cdef struct Tally:
    # What the strict walker counts: the kinds of moves tell nodes, captures, en passant, castles
    # and promotions with one addition a leaf.
    uint64_t[16] kinds
    uint64_t checks
    uint64_t discovered_checks
    uint64_t double_checks
    uint64_t checkmates
    uint64_t discovered_checkmates
    uint64_t double_checkmates


cdef struct Threats:
    # Where the enemy king can be attacked from, worked out once before the moves of a position
    # are made: a move that none of these concerns gives no check.
    Square king
    Bitboard[6] squares     # from which a piece of each type attacks the king
    Bitboard shields        # own pieces that alone stand between own sliders and the king


cdef inline Threats threats_to_king(ConstBoard board, const Color us) noexcept nogil:
    cdef Threats threats
    cdef Bitboard occupancy = occupied(board)
    threats.king = king_square(board, opponent(us))
    threats.squares[PAWN] = pawn_attacks(opponent(us), threats.king)
    threats.squares[KNIGHT] = knight_attacks(threats.king)
    threats.squares[BISHOP] = bishop_attacks(threats.king, occupancy)
    threats.squares[ROOK] = rook_attacks(threats.king, occupancy)
    threats.squares[QUEEN] = threats.squares[BISHOP] | threats.squares[ROOK]
    threats.squares[KING] = 0
    threats.shields = board.by_color[us] & lone_shields(
        threats.king,
        (rook_rays(threats.king) & rook_likes(board, us))
        | (bishop_rays(threats.king) & bishop_likes(board, us)),
        occupancy,
    )
    return threats


cdef inline bint can_give_check(
    const Threats* threats, PackedMove move
) noexcept nogil:
    """Whether the enemy king has to be looked at after `move`, which has just been made."""
    # En passant, castling and promotion change the lines to the king in more than one square.
    if move_kind(move) & ~(CAPTURE | DOUBLE_PUSH) or move_kind(move) == EN_PASSANT:
        return True
    return (
        threats.squares[move_type(move)] & bit(move_to(move))
        | threats.shields & bit(move_from(move))
    ) != 0


cdef inline Bitboard moved_pieces(PackedMove move, const Color us) noexcept nogil:
    """Where the moved piece stands after the move; castling moves the king and the rook."""
    cdef bint kingside = move_kind(move) == CASTLE_KINGSIDE
    if is_castling(move):
        return bit(castled_king(kingside, us)) | bit(castled_rook(kingside, us))
    return bit(move_to(move))


cdef inline void tally_leaf(
    Tally* tally, Board* board, PackedMove move, const Threats* threats, const Color us
) noexcept nogil:
    """Count the position that `move` of `us` has just led to."""
    cdef Bitboard checkers
    cdef bint discovered, double, mate
    tally.kinds[move_kind(move)] += 1
    if not can_give_check(threats, move):
        return
    checkers = attackers(board, threats.king, us, occupied(board))
    if not checkers:
        return
    double = more_than_one(checkers)
    discovered = not double and not checkers & moved_pieces(move, us)
    mate = not has_legal_move(board)
    tally.checks += 1
    tally.double_checks += double
    tally.discovered_checks += discovered
    tally.checkmates += mate
    tally.double_checkmates += mate and double
    tally.discovered_checkmates += mate and discovered


cdef Counts summed(const Tally* tally) noexcept nogil
cdef tuple counts_as_python(Counts counts)
