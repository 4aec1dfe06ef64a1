"""The breakdown: what kind of move leads to each leaf."""

from libc.stdint cimport uint64_t

from perftkit.core.bitboard cimport Bitboard, Square, bit, more_than_one
from perftkit.core.board cimport (
    Board, Color, attackers, castled_king, castled_rook, king_square, occupied, opponent,
)
from perftkit.core.legality cimport has_legal_move
from perftkit.core.movegen cimport (
    CASTLE_KINGSIDE, PackedMove, is_castling, move_kind, move_to,
)

cdef struct Tally:
    # One count for each kind of move tells nodes, captures, en passant, castles and promotions.
    # No walk of one leaf at a time lasts long enough to pass 2^64.
    uint64_t[16] kinds
    uint64_t checks
    uint64_t discovered_checks
    uint64_t double_checks
    uint64_t checkmates
    uint64_t discovered_checkmates
    uint64_t double_checkmates


cdef inline Bitboard moved_pieces(PackedMove move, const Color us) noexcept nogil:
    """Where the moved piece stands after the move; castling moves the king and the rook."""
    cdef bint kingside = move_kind(move) == CASTLE_KINGSIDE
    if is_castling(move):
        return bit(castled_king(kingside, us)) | bit(castled_rook(kingside, us))
    return bit(move_to(move))


cdef inline void tally_leaf(
    Tally* tally, Board* board, PackedMove move, const Color us
) noexcept nogil:
    """Count the position that `move` of `us` has just led to."""
    cdef Color them = opponent(us)
    cdef Bitboard checkers
    cdef bint discovered, double, mate
    tally.kinds[move_kind(move)] += 1
    checkers = attackers(board, king_square(board, them), us, occupied(board))
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


cdef dict tally_as_dict(const Tally* tally)
cdef uint64_t tally_nodes(const Tally* tally) noexcept nogil
