"""The legality filter: which pseudo-legal moves leave the own king in check.

Two ways that must agree. The plain way makes the move and looks at the king. The filter works out
checkers and pinned pieces once a position; they decide every move but those of the king and en
passant captures, and only these are made to look.
"""

from perftkit.core.attacks cimport bishop_attacks, between, line, rook_attacks
from perftkit.core.bitboard cimport Bitboard, Square, bit, lsb, more_than_one, pop_lsb
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
    Bitboard evasions     # where a move of another piece ends the check; everywhere if none

cdef enum Verdict:
    ILLEGAL
    LEGAL
    LOOK                  # make the move to find out


cdef inline KingSafety king_safety(ConstBoard board, const Color us) noexcept nogil:
    cdef KingSafety safety
    cdef Bitboard occupancy = occupied(board), snipers
    safety.king = king_square(board, us)
    safety.checkers = attackers(board, safety.king, opponent(us), occupancy)
    if not safety.checkers:
        safety.evasions = ~<Bitboard> 0
    elif more_than_one(safety.checkers):
        safety.evasions = 0
    else:
        safety.evasions = safety.checkers | between(safety.king, lsb(safety.checkers))
    # Sliders that would attack the king if its own side's pieces were not there.
    snipers = (
        rook_attacks(safety.king, board.by_color[opponent(us)]) & rook_likes(board, opponent(us))
    ) | (
        bishop_attacks(safety.king, board.by_color[opponent(us)])
        & bishop_likes(board, opponent(us))
    )
    safety.pinned = lone_shields(safety.king, snipers, occupancy)
    return safety


cdef inline Bitboard lone_shields(
    Square king, Bitboard snipers, Bitboard occupancy
) noexcept nogil:
    """The pieces that stand alone between the king and one of the sliders that aim at it."""
    cdef Bitboard shields = 0, shield
    while snipers:
        shield = between(king, pop_lsb(&snipers)) & occupancy
        if not more_than_one(shield):
            shields |= shield
    return shields


cdef inline Verdict judge(const KingSafety* safety, PackedMove move) noexcept nogil:
    """What checkers and pins say of a pseudo-legal move."""
    cdef Square source = move_from(move), target = move_to(move)
    if source == safety.king or move_kind(move) == EN_PASSANT:
        return LOOK
    if not safety.evasions & bit(target):
        return ILLEGAL
    if safety.pinned & bit(source) and not line(safety.king, source) & bit(target):
        return ILLEGAL
    return LEGAL


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
