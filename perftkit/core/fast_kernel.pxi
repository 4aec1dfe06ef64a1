# The body of the fast walker, compiled once for each kind of processor: see fast.pxd.

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from perftkit.core.attacks cimport (
    between, beyond, bishop_attacks, bishop_rays, king_attacks, knight_attacks, line, pawn_attacks,
    rook_attacks, rook_rays,
)
from perftkit.core.bitboard cimport (
    Bitboard, Square, bit, east, first_square, more_than_one, pop_lsb, popcount,
    rank_mask, west,
)
from perftkit.core.board cimport (
    BISHOP, BLACK, BLACK_KINGSIDE, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE, Board, Color,
    castled_king, castled_rook, castling_right, opponent, pieces,
)
from perftkit.core.fast cimport (
    FastWalk, Masks, Snapshot,
    advance, attackers_by_views, attackers_of, attacks_of, castle_in, diagonal_sliders,
    find_checks, find_masks, find_parries, find_pinned, flights, free_to_push, move_in, off_line,
    retreat, straight_sliders, take_en_passant_in,
)
from perftkit.core.check_replies cimport (
    MOST_CHECKS, CheckReplies, CheckReply,
    castling_may_check, notice_more, tally_checks, undecided,
)
from perftkit.core.replies cimport (
    MOST_SLIDERS, Left, PawnReplies, Replies,
    en_passant_replies, find_replies, leave, release, replies_to,
)
from perftkit.core.counts cimport Counts, counts_as_python
from perftkit.core.hashed cimport (
    LEAST_HASHED, QUEUEING, HashedWalk, Queued, key_of, queue_child, subtree_key,
)
from perftkit.core.movegen cimport MAX_MOVES
from perftkit.core.position cimport Position
from perftkit.core.signals cimport StopFlag, ask_to_end, flag_of, heed_signals
from perftkit.core.table cimport (
    HashTable, Key, recall_counts, recall_nodes, remember_counts, remember_nodes,
)


# The last ply

cdef inline bint king_can_step(const Snapshot* at, Square king, const Color us) noexcept nogil:
    cdef Bitboard steps = king_attacks(king) & ~at.side[us]
    cdef Bitboard occupancy = (at.side[us] | at.side[opponent(us)]) & ~bit(king)
    while steps:
        if not attackers_of(at, pop_lsb(&steps), occupancy, opponent(us)):
            return True
    return False


cdef inline bint can_go(
    const Snapshot* at, const Masks* masks, const int piece_type, const Color us
) noexcept nogil:
    cdef Bitboard movers = at.pieces[us][piece_type]
    while movers:
        if piece_targets(masks, pop_lsb(&movers), piece_type):
            return True
    return False


cdef inline bint can_parry(const Snapshot* at, const Color us) noexcept nogil:
    """Whether a piece other than the checked king of `us` has a legal move."""
    cdef Masks masks
    cdef PawnTargets targets
    cdef FastWalk walk
    find_parries(at, &masks, us)
    if not masks.evasions:
        return False
    find_pawn_targets(at, &masks, &targets, us)
    if targets.pushes | targets.double_pushes | targets.to_west | targets.to_east:
        return True
    if (
        can_go(at, &masks, KNIGHT, us) or can_go(at, &masks, BISHOP, us)
        or can_go(at, &masks, ROOK, us) or can_go(at, &masks, QUEEN, us)
    ):
        return True
    walk.counts.nodes = 0
    if at.en_passant:
        visit_en_passant(at, &masks, 1, &walk, us, True, False)
    return walk.counts.nodes != 0


# Not inlined: few moves come here, and each would bring the whole of it along.

cdef bint can_parry_white(const Snapshot* at) noexcept nogil:
    return can_parry(at, WHITE)


cdef bint can_parry_black(const Snapshot* at) noexcept nogil:
    return can_parry(at, BLACK)


cdef inline bint is_parried(const Snapshot* at, const Color us) noexcept nogil:
    """Whether the side that a move of `us` has put in check can parry without its king."""
    return can_parry_black(at) if us == WHITE else can_parry_white(at)


cdef inline void add_check(
    FastWalk* walk, bint double, bint discovered, bint mate
) noexcept nogil:
    walk.counts.checks += 1
    walk.counts.double_checks += double
    walk.counts.discovered_checks += discovered
    walk.counts.checkmates += mate
    walk.counts.double_checkmates += mate and double
    walk.counts.discovered_checkmates += mate and discovered


cdef inline void tally_check(
    FastWalk* walk, const Snapshot* child, Square their_king, Bitboard moved, const Color us
) noexcept nogil:
    """Count the check, if there is one, of the position that a move of `us` has led to."""
    cdef Bitboard checkers = attackers_of(
        child, their_king, child.side[WHITE] | child.side[BLACK], us
    )
    cdef bint double = more_than_one(checkers)
    if checkers:
        add_check(
            walk, double, not double and not checkers & moved,
            not king_can_step(child, their_king, opponent(us)) and not is_parried(child, us),
        )


cdef inline void tally_move(
    FastWalk* walk, const Snapshot* at, const Masks* masks, Square source, Square target,
    bint direct, const int leaves, const int arrives, const bint double_push, const Color us
) noexcept nogil:
    """Count the check, if there is one, of a move that neither castles nor takes en passant."""
    cdef Snapshot child
    cdef bint uncovers = masks.shields >> source & 1 and not (
        line(masks.their_king, source) >> target & 1
    )
    cdef bint mate = False
    if not direct and not uncovers:
        return
    if not flights(at, masks.their_king, masks.occupied, source, target, arrives, us, 1):
        move_in(&child, at, bit(source), bit(target), leaves, arrives, False, us)
        if double_push:
            child.en_passant = retreat(bit(target), us)
        mate = not is_parried(&child, us)
    add_check(walk, direct and uncovers, uncovers and not direct, mate)


# One kind of move after the other: at the last ply they are counted, above it they are made.

cdef inline int descend(
    const Snapshot* at, const Snapshot* child, int depth, FastWalk* walk,
    const int leaves, const int arrives, const Color us, const int counting
) except -1 nogil:
    """Go on below a move of `us`, whose piece leaves as one type and arrives as one."""
    if counting == QUEUEING:
        queue_child(at, child, depth, <HashedWalk*> walk, leaves, arrives, us)
        return 0
    if counting:
        if us == WHITE:
            return count_black(child, depth - 1, walk)
        return count_white(child, depth - 1, walk)
    if us == WHITE:
        return nodes_black(child, depth - 1, walk)
    return nodes_white(child, depth - 1, walk)


cdef inline int visit_piece(
    const Snapshot* at, const Masks* masks, Square source, Bitboard targets, int depth,
    FastWalk* walk, const int piece_type, const Color us, const bint leaf, const int counting
) except -1 nogil:
    """The moves of one piece, no pawn."""
    cdef Snapshot child
    cdef Bitboard quiets, target
    cdef Square square
    if leaf:
        walk.counts.nodes += popcount(targets)
        if counting:
            walk.counts.captures += popcount(targets & masks.enemy)
            if not masks.shields & bit(source):
                targets &= masks.checks[piece_type]
            while targets:
                square = pop_lsb(&targets)
                tally_move(
                    walk, at, masks, source, square, masks.checks[piece_type] >> square & 1,
                    piece_type, piece_type, False, us,
                )
        return 0
    quiets = targets & ~masks.enemy
    targets &= masks.enemy
    while quiets:
        target = bit(pop_lsb(&quiets))
        move_in(&child, at, bit(source), target, piece_type, piece_type, True, us)
        descend(at, &child, depth, walk, piece_type, piece_type, us, counting)
    while targets:
        target = bit(pop_lsb(&targets))
        move_in(&child, at, bit(source), target, piece_type, piece_type, False, us)
        descend(at, &child, depth, walk, piece_type, piece_type, us, counting)
    return 0


cdef inline int visit_pawns(
    const Snapshot* at, const Masks* masks, Bitboard targets, int depth, FastWalk* walk,
    const int step, const bint capture, const Color us, const bint leaf, const int counting
) except -1 nogil:
    """Pawn moves that reach `targets` by one step, none on the last rank, none en passant."""
    cdef Snapshot child
    cdef Bitboard source, target, discoverers
    cdef Square square
    if leaf:
        walk.counts.nodes += popcount(targets)
        if not counting:
            return 0
        if capture:
            walk.counts.captures += popcount(targets)
        discoverers = masks.shields & at.pieces[us][PAWN]
        discoverers = discoverers << step if step > 0 else discoverers >> -step
        targets &= masks.checks[PAWN] | discoverers
    while targets:
        square = pop_lsb(&targets)
        if leaf:
            tally_move(
                walk, at, masks, square - step, square, masks.checks[PAWN] >> square & 1,
                PAWN, PAWN, step == 16 or step == -16, us,
            )
            continue
        target = bit(square)
        source = bit(square - step)
        move_in(&child, at, source, target, PAWN, PAWN, not capture, us)
        if step == 16 or step == -16:
            child.en_passant = retreat(target, us)
        descend(at, &child, depth, walk, PAWN, PAWN, us, counting)
    return 0


cdef inline int visit_promotion(
    const Snapshot* at, const Masks* masks, Bitboard source, Bitboard target, int depth,
    FastWalk* walk, const int arrives, const Color us, const bint leaf, const int counting
) except -1 nogil:
    cdef Snapshot child
    cdef Bitboard occupancy = masks.occupied ^ source
    cdef Bitboard reach = 0
    if leaf:
        if arrives == KNIGHT:
            reach = knight_attacks(masks.their_king)
        if arrives == BISHOP or arrives == QUEEN:
            reach |= bishop_attacks(masks.their_king, occupancy)
        if arrives == ROOK or arrives == QUEEN:
            reach |= rook_attacks(masks.their_king, occupancy)
        tally_move(
            walk, at, masks, first_square(source), first_square(target), reach & target != 0,
            PAWN, arrives, False, us,
        )
        return 0
    move_in(&child, at, source, target, PAWN, arrives, False, us)
    return descend(at, &child, depth, walk, PAWN, arrives, us, counting)


cdef inline int visit_promotions(
    const Snapshot* at, const Masks* masks, Bitboard targets, int depth, FastWalk* walk,
    const int step, const bint capture, const Color us, const bint leaf, const int counting
) except -1 nogil:
    """Pawn moves to the last rank by one step, each to four pieces."""
    cdef Bitboard source, target
    cdef Square square
    if leaf:
        walk.counts.nodes += 4 * popcount(targets)
        if not counting:
            return 0
        walk.counts.promotions += 4 * popcount(targets)
        if capture:
            walk.counts.captures += 4 * popcount(targets)
    while targets:
        square = pop_lsb(&targets)
        target = bit(square)
        source = bit(square - step)
        visit_promotion(at, masks, source, target, depth, walk, KNIGHT, us, leaf, counting)
        visit_promotion(at, masks, source, target, depth, walk, BISHOP, us, leaf, counting)
        visit_promotion(at, masks, source, target, depth, walk, ROOK, us, leaf, counting)
        visit_promotion(at, masks, source, target, depth, walk, QUEEN, us, leaf, counting)
    return 0


cdef inline int visit_pawn_step(
    const Snapshot* at, const Masks* masks, Bitboard targets, int depth, FastWalk* walk,
    const int step, const bint capture, const Color us, const bint leaf, const int counting
) except -1 nogil:
    cdef Bitboard last_rank = rank_mask(7 if us == WHITE else 0)
    visit_pawns(at, masks, targets & ~last_rank, depth, walk, step, capture, us, leaf, counting)
    if targets & last_rank:
        visit_promotions(
            at, masks, targets & last_rank, depth, walk, step, capture, us, leaf, counting
        )
    return 0


cdef struct PawnTargets:
    Bitboard pushes
    Bitboard double_pushes
    Bitboard to_west
    Bitboard to_east


cdef inline void find_pawn_targets(
    const Snapshot* at, const Masks* masks, PawnTargets* targets, const Color us
) noexcept nogil:
    """Where pawns may go, en passant aside."""
    cdef int up = 8 if us == WHITE else -8
    cdef Bitboard pawns = at.pieces[us][PAWN]
    cdef Bitboard empty = ~masks.occupied
    cdef Bitboard pushers = free_to_push(
        masks.king, pawns, masks.pinned_straight, masks.pinned_diagonal
    )
    cdef Bitboard capturers = pawns & ~masks.pinned_straight
    cdef Bitboard pushes = advance(pushers, us) & empty
    cdef Bitboard third_rank = rank_mask(2 if us == WHITE else 5)
    targets.double_pushes = advance(pushes & third_rank, us) & empty & masks.evasions
    targets.pushes = pushes & masks.evasions
    targets.to_west = advance(west(capturers), us) & masks.enemy & masks.evasions
    targets.to_east = advance(east(capturers), us) & masks.enemy & masks.evasions
    pawns &= masks.pinned_diagonal
    if pawns:
        targets.to_west &= ~advance(west(off_line(masks.king, pawns, up - 1)), us)
        targets.to_east &= ~advance(east(off_line(masks.king, pawns, up + 1)), us)


cdef inline int visit_pawn_targets(
    const Snapshot* at, const Masks* masks, const PawnTargets* targets, int depth, FastWalk* walk,
    const Color us, const bint leaf, const int counting
) except -1 nogil:
    visit_pawn_step(at, masks, targets.pushes, depth, walk, 8 if us == WHITE else -8,
                    False, us, leaf, counting)
    visit_pawns(at, masks, targets.double_pushes, depth, walk, 16 if us == WHITE else -16,
                False, us, leaf, counting)
    visit_pawn_step(at, masks, targets.to_west, depth, walk, 7 if us == WHITE else -9,
                    True, us, leaf, counting)
    visit_pawn_step(at, masks, targets.to_east, depth, walk, 9 if us == WHITE else -7,
                    True, us, leaf, counting)
    if at.en_passant:
        visit_en_passant(at, masks, depth, walk, us, leaf, counting)
    return 0


cdef inline int visit_all_pawns(
    const Snapshot* at, const Masks* masks, int depth, FastWalk* walk, const Color us,
    const bint leaf, const int counting
) except -1 nogil:
    cdef PawnTargets targets
    find_pawn_targets(at, masks, &targets, us)
    return visit_pawn_targets(at, masks, &targets, depth, walk, us, leaf, counting)


cdef inline int visit_en_passant(
    const Snapshot* at, const Masks* masks, int depth, FastWalk* walk, const Color us,
    const bint leaf, const int counting
) except -1 nogil:
    cdef Snapshot child
    cdef Bitboard capturers = (
        pawn_attacks(opponent(us), first_square(at.en_passant)) & at.pieces[us][PAWN]
    )
    while capturers:
        take_en_passant_in(&child, at, bit(pop_lsb(&capturers)), us)
        if attackers_of(&child, masks.king, child.side[WHITE] | child.side[BLACK], opponent(us)):
            continue
        if not leaf:
            descend(at, &child, depth, walk, PAWN, PAWN, us, counting)
            continue
        walk.counts.nodes += 1
        if counting:
            walk.counts.captures += 1
            walk.counts.en_passant += 1
            tally_check(walk, &child, masks.their_king, at.en_passant, us)
    return 0


cdef inline bint may_castle(
    const Snapshot* at, const Masks* masks, const FastWalk* walk, const bint kingside,
    const Color us
) noexcept nogil:
    """Whether the right is there and the way is free."""
    cdef int right = castling_right(us, kingside)
    return (
        at.rights & walk.rook_of_right[right] != 0
        and not walk.root.castling_empty[right] & masks.occupied
    )


cdef inline bint castling_looks_at(
    const Snapshot* at, const Masks* masks, Bitboard occupied, Square rook, const Color us
) noexcept nogil:
    """Whether a slider may see the other king once king and rook have castled."""
    return (
        rook_attacks(masks.their_king, occupied) & (straight_sliders(at, us) | bit(rook))
        | bishop_attacks(masks.their_king, occupied) & diagonal_sliders(at, us)
    ) != 0


cdef inline int visit_castling(
    const Snapshot* at, const Masks* masks, int depth, FastWalk* walk, const bint kingside,
    const Color us, const bint leaf, const int counting
) except -1 nogil:
    cdef Snapshot child
    cdef int right = castling_right(us, kingside)
    cdef Square rook = walk.root.castling_rook[right]
    cdef Square king_to = castled_king(kingside, us)
    cdef Bitboard occupied
    if not may_castle(at, masks, walk, kingside, us):
        return 0
    if walk.root.castling_king_path[right] & masks.attacked:
        return 0
    # In Chess960 the rook's departure may uncover an attack along the rank.
    occupied = (
        masks.occupied & ~(bit(masks.king) | bit(rook)) | bit(king_to)
        | bit(castled_rook(kingside, us))
    )
    if rook_attacks(king_to, occupied) & straight_sliders(at, opponent(us)):
        return 0
    if leaf:
        walk.counts.nodes += 1
        if not counting:
            return 0
        if kingside:
            walk.counts.castles_kingside += 1
        else:
            walk.counts.castles_queenside += 1
        if not castling_looks_at(at, masks, occupied, castled_rook(kingside, us), us):
            return 0
    castle_in(&child, at, masks.king, rook, kingside, us)
    if not leaf:
        return descend(at, &child, depth, walk, KING, ROOK, us, counting)
    tally_check(
        walk, &child, masks.their_king, bit(king_to) | bit(castled_rook(kingside, us)), us
    )
    return 0


cdef inline Bitboard piece_targets(
    const Masks* masks, Square source, const int piece_type
) noexcept nogil:
    """Where a knight, bishop, rook or queen may go."""
    cdef Bitboard targets
    if piece_type == KNIGHT:
        targets = knight_attacks(source)
    elif piece_type == BISHOP:
        targets = bishop_attacks(source, masks.occupied)
    elif piece_type == ROOK:
        targets = rook_attacks(source, masks.occupied)
    else:
        targets = bishop_attacks(source, masks.occupied) | rook_attacks(source, masks.occupied)
    targets &= ~masks.own & masks.evasions
    if (masks.pinned_straight | masks.pinned_diagonal) & bit(source):
        targets &= line(masks.king, source)
    return targets


cdef inline int visit_type(
    const Snapshot* at, const Masks* masks, int depth, FastWalk* walk, const int piece_type,
    const Color us, const bint leaf, const int counting
) except -1 nogil:
    """The moves of all knights, bishops, rooks or queens."""
    cdef Bitboard movers = at.pieces[us][piece_type], targets
    cdef Square source
    while movers:
        source = pop_lsb(&movers)
        targets = piece_targets(masks, source, piece_type)
        visit_piece(at, masks, source, targets, depth, walk, piece_type, us, leaf, counting)
    return 0


cdef inline int visit_moves(
    const Snapshot* at, int depth, FastWalk* walk, const Color us, const bint leaf,
    const int counting
) except -1 nogil:
    cdef Masks masks
    find_masks(at, &masks, us)
    if leaf and counting:
        find_checks(at, &masks, us)
    visit_piece(
        at, &masks, masks.king, king_attacks(masks.king) & ~masks.own & ~masks.attacked,
        depth, walk, KING, us, leaf, counting,
    )
    if not masks.evasions:
        return 0
    visit_all_pawns(at, &masks, depth, walk, us, leaf, counting)
    visit_type(at, &masks, depth, walk, KNIGHT, us, leaf, counting)
    visit_type(at, &masks, depth, walk, BISHOP, us, leaf, counting)
    visit_type(at, &masks, depth, walk, ROOK, us, leaf, counting)
    visit_type(at, &masks, depth, walk, QUEEN, us, leaf, counting)
    if at.rights & masks.own and not masks.checkers:
        visit_castling(at, &masks, depth, walk, True, us, leaf, counting)
        visit_castling(at, &masks, depth, walk, False, us, leaf, counting)
    return 0


# The last two plies at once: see replies.pxd.

include "check_replies.pxi"


cdef inline Bitboard tally_up(
    const Snapshot* at, const Replies* replies, const CheckReplies* idle_checks, Bitboard source,
    Bitboard mover, Bitboard targets, Bitboard pinning, Counts* counts, int piece_type,
    const Color us
) noexcept nogil:
    """Count leaves and kinds of moves after moves of a piece, none of them special.

    Returns the targets for which it can't be told: nothing is counted for these.
    """
    cdef Left own
    cdef Bitboard[MOST_SLIDERS] sees
    cdef PawnReplies pawns
    cdef const Left* left = &replies.passed
    cdef CheckReplies checks
    cdef Bitboard left_out = 0
    if not source:
        left_out = undecided(idle_checks, mover, targets, pinning)
        if left_out and piece_type != PAWN:
            # Without this piece on the board it can be told more often.
            source = mover
        else:
            tally_checks(idle_checks, targets & ~left_out, pinning, counts)
    if source:
        leave(replies, &own, sees, &pawns, source, us, True)
        left = &own
        find_check_replies(at, replies, left, targets, &checks, us)
        left_out = undecided(&checks, 0, targets, pinning)
        tally_checks(&checks, targets & ~left_out, pinning, counts)
    targets &= ~left_out
    if targets:
        counts.nodes += replies_to(
            at, replies, left, source, targets & ~replies.repliers, targets & replies.repliers,
            pinning & targets, counts, piece_type, us, True,
        )
    return left_out


# Not inlined: the last two plies are large enough for one body a colour.

cdef Bitboard tally_up_white(
    const Snapshot* at, const Replies* replies, const CheckReplies* idle_checks, Bitboard source,
    Bitboard mover, Bitboard targets, Bitboard pinning, Counts* counts, int piece_type
) noexcept nogil:
    return tally_up(
        at, replies, idle_checks, source, mover, targets, pinning, counts, piece_type, WHITE
    )


cdef Bitboard tally_up_black(
    const Snapshot* at, const Replies* replies, const CheckReplies* idle_checks, Bitboard source,
    Bitboard mover, Bitboard targets, Bitboard pinning, Counts* counts, int piece_type
) noexcept nogil:
    return tally_up(
        at, replies, idle_checks, source, mover, targets, pinning, counts, piece_type, BLACK
    )


cdef inline Bitboard add_up(
    const Snapshot* at, const Replies* replies, const CheckReplies* idle_checks, Bitboard source,
    Bitboard mover, Bitboard targets, Bitboard pinning, FastWalk* walk, const int piece_type,
    const Color us, const bint counting
) noexcept nogil:
    """Count the leaves after moves of a piece, none of them special; the rest as `tally_up`."""
    cdef Left own
    cdef Bitboard[MOST_SLIDERS] sees
    cdef PawnReplies pawns
    cdef const Left* left = &replies.passed
    pinning &= targets
    if counting and us == WHITE:
        return tally_up_white(
            at, replies, idle_checks, source, mover, targets, pinning, &walk.counts, piece_type
        )
    if counting:
        return tally_up_black(
            at, replies, idle_checks, source, mover, targets, pinning, &walk.counts, piece_type
        )
    if source:
        leave(replies, &own, sees, &pawns, source, us, False)
        left = &own
    walk.counts.nodes += replies_to(
        at, replies, left, source, targets & ~replies.repliers, targets & replies.repliers, pinning,
        &walk.counts, piece_type, us, False,
    )
    return 0


cdef inline Bitboard add_up_unless_idle(
    const Snapshot* at, const Replies* replies, const CheckReplies* idle_checks, Bitboard source,
    Bitboard targets, Bitboard pinning, FastWalk* walk, const int piece_type, const Color us,
    const bint counting
) noexcept nogil:
    """The same; a piece whose leaving changes nothing for the other side takes less work."""
    if not targets:
        return 0
    if source & replies.noticed or targets & replies.repliers & king_attacks(replies.king):
        return add_up(
            at, replies, idle_checks, source, source, targets, pinning, walk, piece_type, us,
            counting,
        )
    return add_up(
        at, replies, idle_checks, 0, source, targets, pinning, walk, piece_type, us, counting
    )


cdef inline int add_up_piece(
    const Snapshot* at, const Masks* masks, const Replies* replies,
    const CheckReplies* idle_checks, Square source, Bitboard targets, FastWalk* walk,
    const int piece_type, const Color us, const bint counting
) except -1 nogil:
    """Count the leaves after the moves of one piece, no pawn."""
    cdef Replies released
    cdef Bitboard here = bit(source)
    cdef Bitboard special = targets & (replies.checks[piece_type] | (at.rights & masks.enemy))
    cdef Bitboard leaving = 0
    if here & replies.shields or (counting and piece_type == KING):
        special = targets
    elif here & (replies.pinners | replies.seconds):
        # Along the line nothing changes. When it leaves the line, something is pinned or released.
        leaving = targets & ~special & ~line(replies.king, source)
        if not more_than_one(leaving):
            special |= leaving
            leaving = 0
        special |= targets & replies.held & ~line(replies.king, source)
    else:
        special |= targets & replies.held
    special |= add_up_unless_idle(
        at, replies, idle_checks, here, targets & ~(special | leaving),
        replies.pinning[piece_type] & ~replies.held, walk, piece_type, us, counting,
    )
    if leaving:
        release(at, replies, &released, here, us, counting)
        special |= leaving & released.held
        special |= add_up(
            at, &released, idle_checks, here, here, leaving & ~special,
            replies.pinning[piece_type], walk, piece_type, us, counting,
        )
    if special:
        visit_piece(at, masks, source, special, 2, walk, piece_type, us, False, counting)
    return 0


cdef inline int add_up_pawns(
    const Snapshot* at, const Masks* masks, const Replies* replies,
    const CheckReplies* idle_checks, FastWalk* walk, const Color us, const bint counting
) except -1 nogil:
    cdef PawnTargets targets
    cdef Color them = opponent(us)
    cdef Bitboard pawns = at.pieces[us][PAWN]
    cdef Bitboard free = pawns & ~(replies.shields | replies.pinners | replies.seconds)
    # Their leaving changes nothing that the other side can do.
    cdef Bitboard near = retreat(king_attacks(replies.king) & masks.enemy, us)
    cdef Bitboard idle = free & ~(replies.noticed | east(near) | west(near))
    cdef Bitboard usual = ~(
        replies.checks[PAWN] | replies.held | at.rights | rank_mask(7 if us == WHITE else 0)
    )
    cdef Bitboard beside = at.pieces[them][PAWN]
    cdef Bitboard pushes, double_pushes, to_west, to_east, source
    find_pawn_targets(at, masks, &targets, us)
    beside = east(beside) | west(beside)
    pushes = targets.pushes & usual & advance(free, us)
    double_pushes = targets.double_pushes & usual & advance(advance(free, us), us)
    if counting:
        double_pushes &= ~beside
    to_west = targets.to_west & usual & advance(west(free), us)
    to_east = targets.to_east & usual & advance(east(free), us)
    targets.pushes ^= pushes
    targets.double_pushes ^= double_pushes
    targets.to_west ^= to_west
    targets.to_east ^= to_east
    beside &= double_pushes
    while beside:
        walk.counts.nodes += en_passant_replies(at, replies, pop_lsb(&beside), us)
    add_up_idle_pawns(
        at, replies, idle_checks, &targets, idle, pushes & advance(idle, us),
        double_pushes & advance(advance(idle, us), us), to_west & advance(west(idle), us),
        to_east & advance(east(idle), us), walk, us, counting,
    )
    free ^= idle
    while free:
        source = bit(pop_lsb(&free))
        add_up_pawn(
            at, replies, idle_checks, &targets, source, source, pushes & advance(source, us),
            double_pushes & advance(advance(source, us), us), to_west & advance(west(source), us),
            to_east & advance(east(source), us), walk, us, counting,
        )
    return visit_pawn_targets(at, masks, &targets, 2, walk, us, False, counting)


cdef inline void add_up_pawn(
    const Snapshot* at, const Replies* replies, const CheckReplies* idle_checks,
    PawnTargets* special, Bitboard source, Bitboard mover, Bitboard pushes,
    Bitboard double_pushes, Bitboard to_west, Bitboard to_east, FastWalk* walk, const Color us,
    const bint counting
) noexcept nogil:
    """Count the leaves after moves of pawns that share a source, or of idle ones."""
    cdef Bitboard left_out = 0
    if not pushes | double_pushes | to_west | to_east:
        return
    left_out = add_up(
        at, replies, idle_checks, source, mover, pushes | double_pushes | to_west | to_east, 0,
        walk, PAWN, us, counting,
    )
    if counting:
        special.pushes |= left_out & pushes
        special.double_pushes |= left_out & double_pushes
        special.to_west |= left_out & to_west
        special.to_east |= left_out & to_east


cdef inline void add_up_idle_pawns(
    const Snapshot* at, const Replies* replies, const CheckReplies* idle_checks,
    PawnTargets* special, Bitboard idle, Bitboard pushes, Bitboard double_pushes,
    Bitboard to_west, Bitboard to_east, FastWalk* walk, const Color us, const bint counting
) noexcept nogil:
    # Two pawns may capture on one square.
    cdef Bitboard both = to_west & to_east
    add_up_pawn(
        at, replies, idle_checks, special, 0, idle, pushes, double_pushes, to_west,
        to_east & ~both, walk, us, counting,
    )
    add_up_pawn(at, replies, idle_checks, special, 0, idle, 0, 0, 0, both, walk, us, counting)


cdef inline int add_up_type(
    const Snapshot* at, const Masks* masks, const Replies* replies,
    const CheckReplies* idle_checks, FastWalk* walk, const int piece_type, const Color us,
    const bint counting
) except -1 nogil:
    cdef Bitboard movers = at.pieces[us][piece_type]
    cdef Square source
    while movers:
        source = pop_lsb(&movers)
        add_up_piece(
            at, masks, replies, idle_checks, source, piece_targets(masks, source, piece_type),
            walk, piece_type, us, counting,
        )
    return 0


cdef inline int visit_two_plies(
    const Snapshot* at, FastWalk* walk, const Color us, const bint counting
) except -1 nogil:
    cdef Masks masks
    cdef Replies replies
    cdef CheckReplies checks
    if not find_replies(at, &replies, &masks, walk, us, counting):
        return visit_moves(at, 2, walk, us, False, counting)
    find_pinned(at, &masks, us)
    if counting:
        if castling_may_check(&replies, masks.king, us):
            return visit_moves(at, 2, walk, us, False, counting)
        notice_more(at, &replies, &masks, us)
        find_check_replies(at, &replies, &replies.passed, ~<Bitboard> 0, &checks, us)
    add_up_piece(
        at, &masks, &replies, &checks, masks.king,
        king_attacks(masks.king) & ~masks.own & ~masks.attacked, walk, KING, us, counting,
    )
    add_up_pawns(at, &masks, &replies, &checks, walk, us, counting)
    add_up_type(at, &masks, &replies, &checks, walk, KNIGHT, us, counting)
    add_up_type(at, &masks, &replies, &checks, walk, BISHOP, us, counting)
    add_up_type(at, &masks, &replies, &checks, walk, ROOK, us, counting)
    add_up_type(at, &masks, &replies, &checks, walk, QUEEN, us, counting)
    if at.rights & masks.own:
        visit_castling(at, &masks, 2, walk, True, us, False, counting)
        visit_castling(at, &masks, 2, walk, False, us, False, counting)
    return 0


cdef inline int visit_position(
    const Snapshot* at, int depth, FastWalk* walk, const Color us, const int counting
) except -1 nogil:
    if depth == 1:
        return visit_moves(at, 1, walk, us, True, counting)
    heed_signals(&walk.visits, walk.stop)
    if depth == 2:
        return visit_two_plies(at, walk, us, counting)
    return visit_moves(at, depth, walk, us, False, counting)


cdef int nodes_white(const Snapshot* at, int depth, FastWalk* walk) except -1 nogil:
    return visit_position(at, depth, walk, WHITE, False)


cdef int nodes_black(const Snapshot* at, int depth, FastWalk* walk) except -1 nogil:
    return visit_position(at, depth, walk, BLACK, False)


cdef int count_white(const Snapshot* at, int depth, FastWalk* walk) except -1 nogil:
    return visit_position(at, depth, walk, WHITE, True)


cdef int count_black(const Snapshot* at, int depth, FastWalk* walk) except -1 nogil:
    return visit_position(at, depth, walk, BLACK, True)


# Python's face

cdef void take_snapshot(const Board* board, Snapshot* at) noexcept nogil:
    cdef int color, piece_type, right
    memset(at, 0, sizeof(Snapshot))
    for color in range(2):
        at.side[color] = board.by_color[color]
        for piece_type in range(6):
            at.pieces[color][piece_type] = board.by_color[color] & board.by_type[piece_type]
    for right in range(4):
        if board.state.castling >> right & 1:
            at.rights |= bit(board.castling_rook[right])
    if board.state.en_passant_key:
        at.en_passant = bit(board.state.en_passant)


cdef bint is_classical(const Board* board, int right) noexcept nogil:
    """Whether king and rook of a right stand where they stand in standard chess."""
    cdef int rank = 56 if right >= BLACK_KINGSIDE else 0
    cdef int rook = 7 if castling_right(WHITE, True) == right & 1 else 0
    return board.castling_rook[right] == rank + rook and (
        first_square(pieces(board, 1 if rank else 0, KING)) == rank + 4
    )


cdef void set_out(
    const Board* board, Snapshot* root, FastWalk* walk, StopFlag stop
) noexcept:
    """Fill the root and, in an empty walk, the facts about it."""
    cdef int right
    take_snapshot(board, root)
    walk.root = board
    walk.stop = flag_of(stop)
    for right in range(4):
        if board.state.castling >> right & 1:
            walk.rook_of_right[right] = bit(board.castling_rook[right])
            walk.odd_castling |= not is_classical(board, right)


cdef int walk_board(
    const Board* board, int depth, bint counting, FastWalk* walk, StopFlag stop
) except -1:
    cdef Snapshot root
    memset(walk, 0, sizeof(FastWalk))
    set_out(board, &root, walk, stop)
    with nogil:
        if board.side == WHITE:
            if counting:
                count_white(&root, depth, walk)
            else:
                nodes_white(&root, depth, walk)
        elif counting:
            count_black(&root, depth, walk)
        else:
            nodes_black(&root, depth, walk)
    return 0


include "hashed_kernel.pxi"


cdef Counts count_board(
    Position position, int depth, bint counting, StopFlag stop, HashTable table
) except *:
    cdef HashedWalk walk
    cdef Board board = position.board
    if table is None or depth < LEAST_HASHED:
        walk_board(&board, depth, counting, &walk.walk, stop)
    else:
        walk_hashed(&board, depth, counting, table, &walk, stop)
    return walk.walk.counts


def count_nodes(Position position, int depth, StopFlag stop=None, HashTable table=None):
    """Return the leaves of the tree of `depth` plies, 1 or more; a table is used if given."""
    return count_board(position, depth, False, stop, table).nodes


def count(Position position, int depth, StopFlag stop=None, HashTable table=None):
    """Return the nodes and counters of the tree of `depth` plies, 1 or more; a table if given."""
    return counts_as_python(count_board(position, depth, True, stop, table))
