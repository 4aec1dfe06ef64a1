"""The fast walker: legal moves from check and pin masks, the last ply counted in whole bitboards.

It shares with the strict walker the attack tables, and nothing of what decides a count. A position
is copied for each move instead of being unmade; nothing is generated into a list. At the last ply
the moves of a piece are a bitboard, counted at once; only moves that can give check, en passant and
castling are looked at one by one, and checks only when the breakdown is asked for.
"""

from libc.stdint cimport uint32_t

from perftkit.core.attacks cimport (
    between, bishop_attacks, bishop_rays, king_attacks, knight_attacks, line, pawn_attacks,
    rook_attacks, rook_rays,
)
from perftkit.core.bitboard cimport (
    Bitboard, Square, bit, east, file_a, first_square, more_than_one, north, pop_lsb, rank_mask,
    south, west,
)
from perftkit.core.board cimport (
    BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE, Board, Color,
    castled_king, castled_rook, opponent,
)
from perftkit.core.counts cimport Counts

cdef struct Snapshot:
    Bitboard[2][6] pieces       # by colour and type
    Bitboard[2] side            # all of a colour
    Bitboard rights             # rooks that may still castle
    Bitboard en_passant         # the square behind a pawn that has just moved two, as a bitboard

cdef struct FastWalk:
    Counts counts
    const Board* root           # for the facts about castling, which no move changes
    Bitboard[4] rook_of_right   # the rook of each right that the root has, as a bitboard
    bint odd_castling       # whether a castling of the root is one that only Chess960 has
    uint32_t visits         # inner nodes seen, to ask for Ctrl-C now and then
    const int* stop         # the flag that ends the walk; NULL on the main thread

cdef struct Masks:
    # What decides which moves of a position are legal.
    Square king
    Bitboard occupied
    Bitboard own
    Bitboard enemy
    Bitboard checkers
    Bitboard attacked       # by the enemy, were the own king not there
    Bitboard evasions       # where a move ends the check; everywhere when there is none
    Bitboard pinned_straight    # own pieces pinned along a rank or file
    Bitboard pinned_diagonal
    # What decides which of them give check; worked out only for the breakdown of the last ply.
    Square their_king
    Bitboard[6] checks      # where a piece of each type attacks their king
    Bitboard shields        # own pieces that alone stand between own sliders and their king


cdef inline Bitboard straight_sliders(const Snapshot* at, const Color color) noexcept nogil:
    return at.pieces[color][ROOK] | at.pieces[color][QUEEN]


cdef inline Bitboard diagonal_sliders(const Snapshot* at, const Color color) noexcept nogil:
    return at.pieces[color][BISHOP] | at.pieces[color][QUEEN]


cdef inline Bitboard advance(Bitboard board, const Color us) noexcept nogil:
    return north(board) if us == WHITE else south(board)


cdef inline Bitboard retreat(Bitboard board, const Color us) noexcept nogil:
    return south(board) if us == WHITE else north(board)


cdef inline Bitboard attackers_by_views(
    const Snapshot* at, Square square, Bitboard straight, Bitboard diagonal, const Color color
) noexcept nogil:
    """The attackers of a square from which a rook and a bishop would see so much."""
    return (
        (pawn_attacks(opponent(color), square) & at.pieces[color][PAWN])
        | (knight_attacks(square) & at.pieces[color][KNIGHT])
        | (king_attacks(square) & at.pieces[color][KING])
        | (diagonal & diagonal_sliders(at, color))
        | (straight & straight_sliders(at, color))
    )


cdef inline Bitboard attackers_of(
    const Snapshot* at, Square square, Bitboard occupancy, const Color color
) noexcept nogil:
    return attackers_by_views(
        at, square, rook_attacks(square, occupancy), bishop_attacks(square, occupancy), color
    )


cdef inline Bitboard free_to_push(
    Square king, Bitboard pawns, Bitboard straight, Bitboard diagonal
) noexcept nogil:
    """Pawns that a pin does not keep from pushing: along the king's file it never does."""
    return pawns & ~diagonal & (~straight | file_a() << (king & 7))


cdef inline Bitboard off_line(
    Square king, Bitboard pawns, const int step
) noexcept nogil:
    """Those of some diagonally pinned pawns whose capture by a step would leave their line."""
    cdef Bitboard found = 0
    cdef Square square
    while pawns:
        square = pop_lsb(&pawns)
        if not line(king, square) & bit((square + step) & 63):
            found |= bit(square)
    return found


cdef inline Bitboard all_attacks(
    const Snapshot* at, Bitboard occupancy, const Color color
) noexcept nogil:
    """Every square that a colour attacks, its own pieces' squares included."""
    cdef Bitboard pawns = advance(at.pieces[color][PAWN], color)
    cdef Bitboard found = east(pawns) | west(pawns)
    cdef Bitboard movers = at.pieces[color][KNIGHT]
    while movers:
        found |= knight_attacks(pop_lsb(&movers))
    movers = diagonal_sliders(at, color)
    while movers:
        found |= bishop_attacks(pop_lsb(&movers), occupancy)
    movers = straight_sliders(at, color)
    while movers:
        found |= rook_attacks(pop_lsb(&movers), occupancy)
    return found | king_attacks(first_square(at.pieces[color][KING]))


cdef inline Bitboard attacks_of(
    Square square, int piece_type, Bitboard occupancy, Color color
) noexcept nogil:
    """What a piece attacks."""
    if piece_type == PAWN:
        return pawn_attacks(color, square)
    if piece_type == KNIGHT:
        return knight_attacks(square)
    if piece_type == BISHOP:
        return bishop_attacks(square, occupancy)
    if piece_type == ROOK:
        return rook_attacks(square, occupancy)
    if piece_type == KING:
        return king_attacks(square)
    return bishop_attacks(square, occupancy) | rook_attacks(square, occupancy)


cdef inline Bitboard flights(
    const Snapshot* at, Square king, Bitboard occupied, Square source, Square target,
    int arrives, Color them, int wanted
) noexcept nogil:
    """Squares where a king is safe after a move of the other side, `them`, that did not castle.

    No more than `wanted` are looked for. A piece that the move takes is in the way of nothing: its
    square is the target.
    """
    cdef Bitboard found = 0, steps = king_attacks(king) & (
        ~at.side[opponent(them)] | bit(target)
    )
    cdef Square step
    occupied = (occupied & ~(bit(source) | bit(king))) | bit(target)
    steps &= ~attacks_of(target, arrives, occupied, them)
    while steps:
        step = pop_lsb(&steps)
        if attackers_of(at, step, occupied, them) & ~bit(source):
            continue
        found |= bit(step)
        wanted -= 1
        if not wanted:
            break
    return found


cdef inline Bitboard lone_pieces(
    Square king, Bitboard snipers, Bitboard occupancy
) noexcept nogil:
    """The pieces that stand alone between the king and one of some aligned sliders."""
    cdef Bitboard found = 0, shield
    while snipers:
        shield = between(king, pop_lsb(&snipers)) & occupancy
        if not more_than_one(shield):
            found |= shield
    return found


cdef inline Bitboard sort_snipers(
    Square king, Bitboard snipers, const Masks* masks, Bitboard* checkers
) noexcept nogil:
    """Of aligned enemy sliders, add those that give check; return the own pieces others pin."""
    cdef Bitboard pinned = 0, shield
    cdef Square sniper
    while snipers:
        sniper = pop_lsb(&snipers)
        shield = between(king, sniper) & masks.occupied
        if not shield:
            checkers[0] |= bit(sniper)
        elif not more_than_one(shield):
            pinned |= shield & masks.own
    return pinned


cdef inline Bitboard find_pinned(const Snapshot* at, Masks* masks, const Color us) noexcept nogil:
    """Fill what is pinned; return the sliders that give check."""
    cdef Color them = opponent(us)
    cdef Bitboard checkers = 0
    masks.pinned_straight = sort_snipers(
        masks.king, rook_rays(masks.king) & straight_sliders(at, them), masks, &checkers
    )
    masks.pinned_diagonal = sort_snipers(
        masks.king, bishop_rays(masks.king) & diagonal_sliders(at, them), masks, &checkers
    )
    return checkers


cdef inline void find_parries(const Snapshot* at, Masks* masks, const Color us) noexcept nogil:
    """Fill the masks, but for what the enemy attacks."""
    cdef Color them = opponent(us)
    cdef Bitboard checkers
    masks.own = at.side[us]
    masks.enemy = at.side[them]
    masks.occupied = masks.own | masks.enemy
    masks.king = first_square(at.pieces[us][KING])
    checkers = find_pinned(at, masks, us) | (
        pawn_attacks(us, masks.king) & at.pieces[them][PAWN]
    ) | (knight_attacks(masks.king) & at.pieces[them][KNIGHT])
    masks.checkers = checkers
    masks.evasions = ~<Bitboard> 0
    if checkers:
        masks.evasions = (
            0 if more_than_one(checkers)
            else checkers | between(masks.king, first_square(checkers))
        )


cdef inline void find_masks(const Snapshot* at, Masks* masks, const Color us) noexcept nogil:
    find_parries(at, masks, us)
    masks.attacked = all_attacks(at, masks.occupied ^ bit(masks.king), opponent(us))


cdef inline void find_checks(const Snapshot* at, Masks* masks, const Color us) noexcept nogil:
    cdef Square king = first_square(at.pieces[opponent(us)][KING])
    masks.their_king = king
    masks.checks[PAWN] = pawn_attacks(opponent(us), king)
    masks.checks[KNIGHT] = knight_attacks(king)
    masks.checks[BISHOP] = bishop_attacks(king, masks.occupied)
    masks.checks[ROOK] = rook_attacks(king, masks.occupied)
    masks.checks[QUEEN] = masks.checks[BISHOP] | masks.checks[ROOK]
    masks.checks[KING] = 0
    masks.shields = masks.own & lone_pieces(
        king,
        (rook_rays(king) & straight_sliders(at, us))
        | (bishop_rays(king) & diagonal_sliders(at, us)),
        masks.occupied,
    )


# Children

cdef inline void capture_on(Snapshot* at, Bitboard square, const Color them) noexcept nogil:
    cdef int piece_type
    for piece_type in range(5):
        at.pieces[them][piece_type] &= ~square
    at.side[them] &= ~square


cdef inline void move_in(
    Snapshot* child, const Snapshot* at, Bitboard source, Bitboard target,
    const int leaves, const int arrives, const bint quiet, const Color us
) noexcept nogil:
    """Fill `child` with the position after a move that neither castles nor takes en passant."""
    child[0] = at[0]
    child.pieces[us][leaves] ^= source
    child.pieces[us][arrives] ^= target
    child.side[us] ^= source | target
    if not quiet:
        capture_on(child, target, opponent(us))
    if leaves == KING:
        child.rights &= ~(rank_mask(0 if us == WHITE else 7) | target)
    else:
        child.rights &= ~(source | target)
    child.en_passant = 0


cdef inline void take_en_passant_in(
    Snapshot* child, const Snapshot* at, Bitboard source, const Color us
) noexcept nogil:
    cdef Bitboard victim = retreat(at.en_passant, us)
    child[0] = at[0]
    child.pieces[us][PAWN] ^= source | at.en_passant
    child.side[us] ^= source | at.en_passant
    child.pieces[opponent(us)][PAWN] ^= victim
    child.side[opponent(us)] ^= victim
    child.en_passant = 0


cdef inline void castle_in(
    Snapshot* child, const Snapshot* at, Square king, Square rook, const bint kingside,
    const Color us
) noexcept nogil:
    cdef Bitboard king_to = bit(castled_king(kingside, us))
    cdef Bitboard rook_to = bit(castled_rook(kingside, us))
    child[0] = at[0]
    child.pieces[us][KING] = king_to
    child.pieces[us][ROOK] ^= bit(rook)
    child.pieces[us][ROOK] |= rook_to
    child.side[us] = (at.side[us] & ~(bit(king) | bit(rook))) | king_to | rook_to
    child.rights &= ~rank_mask(0 if us == WHITE else 7)
    child.en_passant = 0
