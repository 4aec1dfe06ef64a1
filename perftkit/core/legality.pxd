"""The legality filter: which pseudo-legal moves leave the own king in check.

Two ways that must agree. The plain way makes the move and looks at the king. The filter works out
checkers and pinned pieces once a position and looks only at moves that can be illegal: all moves
in check, king moves, en passant captures, and a pinned piece leaving its line.
"""

from perftkit.core.attacks cimport bishop_attacks, between, line, rook_attacks
from perftkit.core.bitboard cimport Bitboard, Square, bit, more_than_one, pop_lsb
from perftkit.core.board cimport (
    Board, Color, ConstBoard,
    attackers, bishop_likes, castling_right, king_square, occupied, opponent, rook_likes,
)
from perftkit.core.movegen cimport (
    CASTLE_KINGSIDE, EN_PASSANT, MoveList, PackedMove, is_castling, move_from, move_kind, move_to,
)

cdef struct KingSafety:
    Square king
    Bitboard checkers     # enemy pieces that give check
    Bitboard pinned       # own pieces that alone shield the king from a slider


cdef inline KingSafety king_safety(ConstBoard board, const Color us) noexcept nogil:
    cdef KingSafety safety
    cdef Bitboard occupancy = occupied(board), snipers, shield
    safety.king = king_square(board, us)
    safety.checkers = attackers(board, safety.king, opponent(us), occupancy)
    safety.pinned = 0
    # Sliders that would attack the king if its own side's pieces were not there.
    snipers = (
        rook_attacks(safety.king, board.by_color[opponent(us)]) & rook_likes(board, opponent(us))
    ) | (
        bishop_attacks(safety.king, board.by_color[opponent(us)])
        & bishop_likes(board, opponent(us))
    )
    while snipers:
        shield = between(safety.king, pop_lsb(&snipers)) & occupancy
        if shield and not more_than_one(shield):
            safety.pinned |= shield
    return safety


cdef inline bint can_be_illegal(const KingSafety* safety, PackedMove move) noexcept nogil:
    """Whether a pseudo-legal move has to be looked at; False only for moves sure to be legal."""
    if safety.checkers or move_from(move) == safety.king or move_kind(move) == EN_PASSANT:
        return True
    return (
        safety.pinned & bit(move_from(move)) != 0
        and not line(safety.king, move_from(move)) & bit(move_to(move))
    )


cdef inline bint king_attacked(ConstBoard board, const Color us) noexcept nogil:
    return attackers(board, king_square(board, us), opponent(us), occupied(board)) != 0


cdef inline bint castles_through_check(
    ConstBoard board, PackedMove move, const Color us
) noexcept nogil:
    """Whether a square the king stands on, crosses or reaches is attacked before it castles.

    The king itself shields nothing on its way. What the rook's departure uncovers shows only after
    the move; that look is the same as for any other king move.
    """
    cdef Bitboard occupancy = occupied(board) & ~bit(move_from(move))
    cdef Bitboard path = board.castling_king_path[
        castling_right(us, move_kind(move) == CASTLE_KINGSIDE)
    ]
    while path:
        if attackers(board, pop_lsb(&path), opponent(us), occupancy):
            return True
    return False


cdef KingSafety king_safety_of_mover(ConstBoard board) noexcept nogil
cdef bint is_legal_plain(Board* board, PackedMove move) noexcept nogil
cdef bint is_legal_filtered(
    Board* board, const KingSafety* safety, PackedMove move
) noexcept nogil
cdef void legal_moves(Board* board, MoveList* found) noexcept nogil
cdef bint has_legal_move(Board* board) noexcept nogil
