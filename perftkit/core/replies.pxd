"""The last two plies at once: how many replies there are after each of many moves.

The moves of one piece differ little in what the other side can answer. So the replies are worked
out once, as if the mover had passed, and each move's effect on them is added up: lines that it
opens by leaving a square and closes on another, pawns that it stops or offers to, squares round the
king that it takes or gives up. No position between the two plies is built.

That holds for moves that neither give check nor cut a line by which a reply is pinned, and neither
castle, promote nor capture en passant. The others are `special`, and their positions are built and
counted as always.
"""

from perftkit.core.attacks cimport (
    beyond, between, bishop_attacks, bishop_rays, king_attacks, knight_attacks, line, pawn_attacks,
    rook_attacks, rook_rays,
)
from perftkit.core.bitboard cimport (
    Bitboard, Square, bit, east, first_square, more_than_one, pop_lsb, popcount, rank_mask, west,
)
from perftkit.core.board cimport (
    BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE, Color, castling_right, opponent,
)
from perftkit.core.counts cimport Counts
from perftkit.core.fast cimport (
    FastWalk, Masks, Snapshot,
    advance, attackers_by_views, attackers_of, diagonal_sliders, free_to_push, off_line, retreat,
    straight_sliders,
)

cdef enum:
    MOST_SLIDERS = 12       # that reply, a queen twice; positions with more are counted without
    MOST_SQUARES = 12       # eight round the king, and four more that castling crosses

cdef struct PawnReplies:
    Bitboard pushes         # by one square, two squares, and what is attacked to each side
    Bitboard double_pushes
    Bitboard to_west
    Bitboard to_east
    int count
    int captures
    int promotions

cdef struct Left:
    # The replies once a piece of the mover has left its square, or none has.
    Bitboard source
    Bitboard occupied
    Bitboard movers
    const Bitboard* sees        # what each slider attacks, own pieces included
    const PawnReplies* pawns
    int piece_moves             # of knights and sliders
    int piece_captures          # filled only for the breakdown

cdef struct Replies:
    # All of the side that replies, if the mover passed.
    Left passed
    PawnReplies pawns
    Square king
    Bitboard occupied
    Bitboard movers             # the pieces of the side that moves now
    Bitboard repliers
    # Sliders, those along ranks and files first; a queen is one of each.
    int straight
    int sliders
    Square[MOST_SLIDERS] slider
    Bitboard[MOST_SLIDERS] sees
    Bitboard[MOST_SLIDERS] pin      # where a pin lets it go; everywhere without one
    Bitboard seen                   # by all of them
    Bitboard knights                # that are not pinned
    Bitboard pushers                # pawns that may push and capture to each side
    Bitboard west_capturers
    Bitboard east_capturers
    Bitboard pawn_squares           # where a piece that comes or goes changes what pawns can do
    # The squares that the king can go to, then more that castling crosses.
    int steps
    int squares
    Square[MOST_SQUARES] square
    Bitboard[MOST_SQUARES] guards   # pieces of the mover that attack the square
    Bitboard[MOST_SQUARES] straight_view    # what a rook or a bishop on the square would see
    Bitboard[MOST_SQUARES] diagonal_view
    Bitboard[MOST_SQUARES] watched  # pieces that may guard it or stand in a guard's way
    Bitboard[MOST_SQUARES] opened   # where a piece must arrive for the square to be unguarded
    int[MOST_SQUARES] crossed       # castlings whose king crosses it, one bit each
    Bitboard all_watched
    Bitboard noticed                # pieces of the mover whose leaving may change what replies do
    int castlings                   # how many are not blocked by the replying side itself
    Bitboard[2] castling_empty
    bint kingside_first             # whether the first of them is kingside
    # Pieces of the mover on lines to the king: what they hold changes when they leave.
    Bitboard shields                # alone between a slider and the king
    Bitboard pinners
    Bitboard seconds                # without which a slider would pin what else is between
    Bitboard held                   # squares between pinners and the king
    # Targets by the type that moves there.
    Bitboard[6] checks
    Bitboard[6] pinning             # where it pins the piece before it


cdef inline void find_pawn_replies(
    const Replies* replies, PawnReplies* pawns, Bitboard occupied, Bitboard movers,
    Bitboard taken, const Color them
) noexcept nogil:
    """What the pawns can do once `taken` is no longer one of them."""
    cdef Bitboard third_rank = rank_mask(2 if them == WHITE else 5)
    cdef Bitboard pushes = advance(replies.pushers & ~taken, them) & ~occupied
    cdef Bitboard doubles = advance(pushes & third_rank, them) & ~occupied
    cdef Bitboard to_west = advance(west(replies.west_capturers & ~taken), them)
    cdef Bitboard to_east = advance(east(replies.east_capturers & ~taken), them)
    pawns.pushes = pushes
    pawns.double_pushes = doubles
    pawns.to_west = to_west
    pawns.to_east = to_east
    count_pawn_moves(pawns, pushes, doubles, to_west & movers, to_east & movers, them)


cdef inline void count_pawn_moves(
    PawnReplies* pawns, Bitboard pushes, Bitboard doubles, Bitboard to_west, Bitboard to_east,
    const Color them
) noexcept nogil:
    cdef Bitboard last_rank = rank_mask(7 if them == WHITE else 0)
    cdef int to_last = popcount(to_west & last_rank) + popcount(to_east & last_rank)
    pawns.captures = popcount(to_west) + popcount(to_east) + 3 * to_last
    pawns.promotions = 4 * (to_last + popcount(pushes & last_rank))
    pawns.count = (
        popcount(pushes) + popcount(doubles) + 3 * popcount(pushes & last_rank) + pawns.captures
    )


cdef inline int add_arrivals(
    const PawnReplies* pawns, Bitboard targets, Counts* counts, const Color them,
    const bint counting
) noexcept nogil:
    """How many pawn moves are gained or lost by a piece on each of `targets`, added up."""
    cdef Bitboard last_rank = rank_mask(7 if them == WHITE else 0)
    cdef Bitboard doubles = pawns.double_pushes
    cdef Bitboard far = targets & last_rank
    cdef int to_last = popcount(far & pawns.to_west) + popcount(far & pawns.to_east)
    cdef int blocked = popcount(far & pawns.pushes)
    cdef int captures = (
        popcount(targets & pawns.to_west) + popcount(targets & pawns.to_east) + 3 * to_last
    )
    if counting:
        counts.captures += captures
        counts.promotions += <Bitboard> (4 * (to_last - blocked))
    return (
        captures - popcount(targets & pawns.pushes) - popcount(targets & doubles)
        - popcount(targets & retreat(doubles, them)) - 3 * blocked
    )


cdef inline bint add_sliders(
    Replies* replies, Bitboard pieces, const bint straight
) noexcept nogil:
    """Note sliders of one kind and what they see; False when there are too many."""
    cdef int index = replies.sliders
    cdef Square square
    while pieces:
        if index == MOST_SLIDERS:
            return False
        square = pop_lsb(&pieces)
        replies.slider[index] = square
        replies.pin[index] = ~<Bitboard> 0
        replies.sees[index] = (
            rook_attacks(square, replies.occupied) if straight
            else bishop_attacks(square, replies.occupied)
        )
        replies.seen |= replies.sees[index]
        index += 1
    replies.sliders = index
    return True


cdef inline bint find_attacks(
    const Snapshot* at, Replies* replies, Masks* masks, const Color us
) noexcept nogil:
    """Fill what the replying pieces attack; False when the position is not one to add up.

    In check there are few moves to add up, and the sliders would have to be looked at through the
    king.
    """
    cdef Color them = opponent(us)
    cdef Bitboard pawns = advance(at.pieces[them][PAWN], them)
    cdef Bitboard knights = at.pieces[them][KNIGHT]
    masks.own = replies.movers = at.side[us]
    masks.enemy = replies.repliers = at.side[them]
    masks.occupied = replies.occupied = at.side[us] | at.side[them]
    masks.king = first_square(at.pieces[us][KING])
    replies.king = first_square(at.pieces[them][KING])
    replies.sliders = 0
    replies.seen = 0
    if not add_sliders(replies, straight_sliders(at, them), True):
        return False
    replies.straight = replies.sliders
    if not add_sliders(replies, diagonal_sliders(at, them), False):
        return False
    masks.attacked = replies.seen | east(pawns) | west(pawns) | king_attacks(replies.king)
    while knights:
        masks.attacked |= knight_attacks(pop_lsb(&knights))
    masks.checkers = 0
    masks.evasions = ~<Bitboard> 0
    return not masks.attacked & at.pieces[us][KING]


cdef inline Bitboard sort_own_snipers(
    Replies* replies, Bitboard snipers, Bitboard occupied
) noexcept nogil:
    """Of the mover's sliders aligned with the other king: note what they hold, return pinned."""
    cdef Bitboard pinned = 0, shield, segment
    cdef Square sniper
    while snipers:
        sniper = pop_lsb(&snipers)
        segment = between(replies.king, sniper)
        shield = segment & occupied
        if not more_than_one(shield):
            if shield & replies.movers:
                replies.shields |= shield
            else:
                pinned |= shield
                replies.pinners |= bit(sniper)
                replies.held |= segment
        elif not more_than_one(shield & (shield - 1)) and not more_than_one(
            shield & replies.repliers
        ):
            replies.seconds |= shield & replies.movers
    return pinned


cdef inline Bitboard slider_sight(
    const Replies* replies, int index, Bitboard occupied
) noexcept nogil:
    """What a slider attacks when the board is occupied so."""
    if index < replies.straight:
        return rook_attacks(replies.slider[index], occupied)
    return bishop_attacks(replies.slider[index], occupied)


cdef inline void find_pins(
    const Snapshot* at, Replies* replies, Bitboard source, const Color us
) noexcept nogil:
    """Fill what is pinned once the mover's piece on `source`, if any, has left."""
    cdef Color them = opponent(us)
    cdef Square king = replies.king
    cdef Bitboard occupied = replies.occupied ^ source
    cdef Bitboard straight, diagonal, pinned, pawns = at.pieces[them][PAWN]
    cdef int up = 8 if them == WHITE else -8
    cdef int index
    replies.shields = 0
    replies.pinners = 0
    replies.seconds = 0
    replies.held = 0
    straight = sort_own_snipers(
        replies, rook_rays(king) & straight_sliders(at, us) & ~source, occupied
    )
    diagonal = sort_own_snipers(
        replies, bishop_rays(king) & diagonal_sliders(at, us) & ~source, occupied
    )
    pinned = straight | diagonal
    replies.knights = at.pieces[them][KNIGHT] & ~pinned
    replies.pushers = pawns
    replies.west_capturers = pawns
    replies.east_capturers = pawns
    if pinned & pawns:
        replies.pushers = free_to_push(king, pawns, straight, diagonal)
        replies.west_capturers = pawns & ~straight & ~off_line(king, pawns & diagonal, up - 1)
        replies.east_capturers = pawns & ~straight & ~off_line(king, pawns & diagonal, up + 1)
    for index in range(replies.sliders):
        if pinned & bit(replies.slider[index]):
            replies.pin[index] = line(king, replies.slider[index])
            replies.sees[index] = replies.pin[index] & slider_sight(replies, index, occupied)
        elif ~replies.pin[index]:
            # Pinned before the source left.
            replies.pin[index] = ~<Bitboard> 0
            replies.sees[index] = slider_sight(replies, index, replies.occupied)


cdef inline void count_moves(
    const Snapshot* at, Replies* replies, const Color us, const bint counting
) noexcept nogil:
    """Fill how many moves knights, sliders and pawns have, as they are pinned."""
    cdef Color them = opponent(us)
    cdef Left* passed = &replies.passed
    cdef Bitboard knights = replies.knights, attacks
    cdef int index
    passed.source = 0
    passed.occupied = replies.occupied
    passed.movers = replies.movers
    passed.sees = replies.sees
    passed.pawns = &replies.pawns
    passed.piece_moves = 0
    passed.piece_captures = 0
    while knights:
        attacks = knight_attacks(pop_lsb(&knights))
        passed.piece_moves += popcount(attacks & ~replies.repliers)
        if counting:
            passed.piece_captures += popcount(attacks & replies.movers)
    for index in range(replies.sliders):
        passed.piece_moves += popcount(replies.sees[index] & ~replies.repliers)
        if counting:
            passed.piece_captures += popcount(replies.sees[index] & replies.movers)
    find_pawn_replies(replies, &replies.pawns, replies.occupied, replies.movers, 0, them)
    replies.pawn_squares = (
        advance(replies.pushers, them) | replies.pawns.to_west | replies.pawns.to_east
        | advance(advance(replies.pushers, them), them)
    )
    replies.noticed = replies.seen | replies.pawn_squares | replies.all_watched


cdef inline void release(
    const Snapshot* at, const Replies* replies, Replies* released, Bitboard source,
    const Color us, const bint counting
) noexcept nogil:
    """The replies with what is pinned, or not, after `source` has left its line to the king."""
    released[0] = replies[0]
    find_pins(at, released, source, us)
    count_moves(at, released, us, counting)


cdef inline void find_checks_and_pinning(
    const Snapshot* at, Replies* replies, const Color us
) noexcept nogil:
    cdef Square king = replies.king
    cdef Bitboard straight = rook_attacks(king, replies.occupied)
    cdef Bitboard diagonal = bishop_attacks(king, replies.occupied)
    replies.checks[PAWN] = pawn_attacks(opponent(us), king)
    replies.checks[KNIGHT] = knight_attacks(king)
    replies.checks[BISHOP] = diagonal
    replies.checks[ROOK] = straight
    replies.checks[QUEEN] = straight | diagonal
    replies.checks[KING] = 0
    replies.pinning[PAWN] = 0
    replies.pinning[KNIGHT] = 0
    replies.pinning[KING] = 0
    # What is seen through the first piece in the way, and not before.
    straight = ~straight & rook_attacks(king, replies.occupied ^ (straight & replies.repliers))
    diagonal = ~diagonal & bishop_attacks(king, replies.occupied ^ (diagonal & replies.repliers))
    replies.pinning[BISHOP] = diagonal
    replies.pinning[ROOK] = straight
    replies.pinning[QUEEN] = straight | diagonal


cdef inline Bitboard arrivals_that_open(Square square, Bitboard guards) noexcept nogil:
    """Where a piece has to arrive for a square not to be attacked: a single slider is shut out."""
    if not guards:
        return ~<Bitboard> 0
    return 0 if more_than_one(guards) else between(square, first_square(guards))


cdef inline void add_square(
    const Snapshot* at, Replies* replies, const Bitboard* castling_path, Square square,
    const Color us
) noexcept nogil:
    cdef int index = replies.squares
    cdef Bitboard straight = rook_attacks(square, replies.occupied)
    cdef Bitboard diagonal = bishop_attacks(square, replies.occupied)
    cdef Bitboard guards = attackers_by_views(at, square, straight, diagonal, us)
    replies.square[index] = square
    replies.straight_view[index] = straight
    replies.diagonal_view[index] = diagonal
    replies.guards[index] = guards
    replies.watched[index] = guards | straight | diagonal
    replies.opened[index] = arrivals_that_open(square, guards)
    replies.all_watched |= guards | straight | diagonal
    replies.crossed[index] = (
        (castling_path[0] >> square & 1) | (castling_path[1] >> square & 1) << 1
    )
    replies.squares = index + 1


cdef inline bint find_squares(
    const Snapshot* at, Replies* replies, const FastWalk* walk, const Color us
) noexcept nogil:
    """Fill the squares that the king may cross; False for a castling that can't be added up."""
    cdef Color them = opponent(us)
    cdef Bitboard steps = king_attacks(replies.king) & ~replies.repliers
    cdef Bitboard more = 0
    cdef Bitboard[2] path
    cdef int right, side
    replies.squares = 0
    replies.all_watched = 0
    replies.castlings = 0
    path[0] = path[1] = 0
    if at.rights & replies.repliers:
        for side in range(2):
            right = castling_right(them, side == 0)
            if (
                not at.rights & walk.rook_of_right[right]
                or walk.root.castling_empty[right] & replies.repliers
            ):
                continue
            if walk.odd_castling:
                return False
            replies.castling_empty[replies.castlings] = walk.root.castling_empty[right]
            if not replies.castlings:
                replies.kingside_first = side == 0
            path[replies.castlings] = walk.root.castling_king_path[right]
            more |= path[replies.castlings]
            replies.castlings += 1
        more &= ~steps & ~bit(replies.king)
    while steps:
        add_square(at, replies, path, pop_lsb(&steps), us)
    replies.steps = replies.squares
    while more:
        add_square(at, replies, path, pop_lsb(&more), us)
    return True


cdef inline bint find_replies(
    const Snapshot* at, Replies* replies, Masks* masks, const FastWalk* walk, const Color us,
    const bint counting
) noexcept nogil:
    """Fill `replies`, and of `masks` all that moves need; False when they can't be added up."""
    if not find_attacks(at, replies, masks, us) or not find_squares(at, replies, walk, us):
        return False
    find_pins(at, replies, 0, us)
    find_checks_and_pinning(at, replies, us)
    count_moves(at, replies, us, counting)
    return True


cdef inline Bitboard reached_from(
    Square square, Bitboard straight, Bitboard diagonal, const int piece_type, const Color us
) noexcept nogil:
    """From where a piece attacks a square, whose views are given."""
    if piece_type == PAWN:
        return pawn_attacks(opponent(us), square)
    if piece_type == KNIGHT:
        return knight_attacks(square)
    if piece_type == BISHOP:
        return diagonal
    if piece_type == ROOK:
        return straight
    if piece_type == QUEEN:
        return straight | diagonal
    return king_attacks(square)


cdef inline int king_replies(
    const Snapshot* at, const Replies* replies, Bitboard source, Bitboard targets,
    Counts* counts, const int piece_type, const Color us, const bint counting
) noexcept nogil:
    """King moves and castlings after the moves from `source` to each of `targets`, added up."""
    cdef Bitboard occupied = replies.occupied ^ source
    cdef Bitboard guards, straight, diagonal, unguarded
    cdef Bitboard castling_0 = 0, castling_1 = 0
    cdef int count = 0, index
    cdef Square square
    if replies.castlings:
        if not replies.castling_empty[0] & occupied:
            castling_0 = targets & ~replies.castling_empty[0]
        if replies.castlings > 1 and not replies.castling_empty[1] & occupied:
            castling_1 = targets & ~replies.castling_empty[1]
    for index in range(replies.squares):
        square = replies.square[index]
        straight = replies.straight_view[index]
        diagonal = replies.diagonal_view[index]
        unguarded = targets & replies.opened[index]
        if replies.watched[index] & source:
            guards = replies.guards[index] & ~source
            if straight & source:
                straight = rook_attacks(square, occupied)
                guards |= straight & straight_sliders(at, us) & ~source
            if diagonal & source:
                diagonal = bishop_attacks(square, occupied)
                guards |= diagonal & diagonal_sliders(at, us) & ~source
            unguarded = targets & arrivals_that_open(square, guards)
        unguarded &= ~reached_from(square, straight, diagonal, piece_type, us)
        if index < replies.steps:
            count += popcount(unguarded)
            if counting:
                counts.captures += popcount(
                    unguarded if replies.movers & ~source & bit(square) else unguarded & bit(square)
                )
        if replies.crossed[index]:
            if replies.crossed[index] & 1:
                castling_0 &= unguarded
            if replies.crossed[index] & 2:
                castling_1 &= unguarded
    if replies.castlings:
        count += popcount(castling_0) + popcount(castling_1)
        if counting:
            if replies.kingside_first:
                counts.castles_kingside += popcount(castling_0)
                counts.castles_queenside += popcount(castling_1)
            else:
                counts.castles_queenside += popcount(castling_0)
    return count


cdef inline Bitboard moves_off_line(
    const Snapshot* at, const Replies* replies, const Left* left, Square square, const Color us
) noexcept nogil:
    """The moves that a piece loses when it is pinned to the king."""
    cdef Color them = opponent(us)
    cdef Bitboard here = bit(square), moves = 0
    cdef int index
    if at.pieces[them][PAWN] & here:
        moves = advance(here, them) & left.pawns.pushes
        moves |= advance(moves, them) & left.pawns.double_pushes
        moves |= advance(west(here & replies.west_capturers), them) & left.movers
        moves |= advance(east(here & replies.east_capturers), them) & left.movers
    elif at.pieces[them][KNIGHT] & here:
        moves = knight_attacks(square)
    else:
        for index in range(replies.sliders):
            if replies.slider[index] == square:
                moves |= left.sees[index]
    return moves & ~(line(replies.king, square) | replies.repliers)


cdef inline int lose_moves_off_line(
    const Snapshot* at, const Replies* replies, const Left* left, Square square, Counts* counts,
    const Color us, const bint counting
) noexcept nogil:
    cdef Color them = opponent(us)
    cdef Bitboard lost = moves_off_line(at, replies, left, square, us)
    cdef Bitboard promotions = 0
    if at.pieces[them][PAWN] & bit(square):
        promotions = lost & rank_mask(7 if them == WHITE else 0)
    if counting:
        counts.captures -= popcount(lost & left.movers) + 3 * popcount(promotions & left.movers)
        counts.promotions -= 4 * popcount(promotions)
    return popcount(lost) + 3 * popcount(promotions)


cdef inline void clear_sight(
    const Replies* replies, Left* left, Bitboard* sees, const bint counting
) noexcept nogil:
    """Fill what sliders see through the square that has been left."""
    cdef int index
    left.sees = sees
    for index in range(replies.sliders):
        sees[index] = replies.sees[index]
        if not sees[index] & left.source:
            continue
        sees[index] = replies.pin[index] & slider_sight(replies, index, left.occupied)
        left.piece_moves += popcount(sees[index] & ~replies.repliers)
        left.piece_moves -= popcount(replies.sees[index] & ~replies.repliers)
        if counting:
            left.piece_captures += popcount(sees[index] & left.movers)
            left.piece_captures -= popcount(replies.sees[index] & replies.movers)


cdef inline void leave(
    const Replies* replies, Left* left, Bitboard* sees, PawnReplies* pawns, Bitboard source,
    const Color us, const bint counting
) noexcept nogil:
    """Fill `left` for a piece that leaves `source`, with room for what that changes."""
    left.source = source
    left.occupied = replies.occupied ^ source
    left.movers = replies.movers ^ source
    left.sees = replies.sees
    left.pawns = &replies.pawns
    left.piece_moves = replies.passed.piece_moves
    if counting:
        left.piece_captures = replies.passed.piece_captures - popcount(
            knight_attacks(first_square(source)) & replies.knights
        )
    if replies.seen & source:
        clear_sight(replies, left, sees, counting)
    if replies.pawn_squares & source:
        left.pawns = pawns
        find_pawn_replies(replies, pawns, left.occupied, left.movers, 0, opponent(us))


cdef inline int pawn_recaptures(
    const PawnReplies* pawns, Square square, Counts* counts, const Color them, const bint counting
) noexcept nogil:
    cdef int captures = (pawns.to_west >> square & 1) + (pawns.to_east >> square & 1)
    if rank_mask(7 if them == WHITE else 0) >> square & 1:
        captures *= 4
        if counting:
            counts.promotions += captures
    if counting:
        counts.captures += captures
    return captures


cdef inline int change_of_pawns(
    const Replies* replies, const Left* left, Square square, Counts* counts, const Color them,
    const bint counting
) noexcept nogil:
    """How many pawn moves are gained or lost when the pawn on `square` is captured."""
    cdef PawnReplies pawns
    find_pawn_replies(
        replies, &pawns, left.occupied, left.movers | bit(square), bit(square), them
    )
    if counting:
        counts.captures += <Bitboard> (pawns.captures - left.pawns.captures)
        counts.promotions += <Bitboard> (pawns.promotions - left.pawns.promotions)
    return pawns.count - left.pawns.count


cdef inline int change_by_capture(
    const Snapshot* at, const Replies* replies, const Left* left, Square square, Counts* counts,
    const Color us, const bint counting
) noexcept nogil:
    """How many replies are gained or lost when the piece on `square` is captured."""
    cdef Color them = opponent(us)
    cdef int index, gained = popcount(knight_attacks(square) & replies.knights), change = 0
    for index in range(replies.sliders):
        gained += left.sees[index] >> square & 1
        if replies.slider[index] == square:
            change -= popcount(left.sees[index] & ~replies.repliers)
            if counting:
                counts.captures -= popcount(left.sees[index] & left.movers)
    if replies.knights >> square & 1:
        change -= popcount(knight_attacks(square) & ~replies.repliers)
        if counting:
            counts.captures -= popcount(knight_attacks(square) & left.movers)
    if king_attacks(replies.king) >> square & 1:
        gained += not attackers_of(at, square, left.occupied, us) & ~left.source
    if counting:
        counts.captures += gained
    if at.pieces[them][PAWN] >> square & 1:
        change += change_of_pawns(replies, left, square, counts, them, counting)
    else:
        change += pawn_recaptures(left.pawns, square, counts, them, counting)
    return change + gained


cdef inline void tally_captures(
    const Replies* replies, const Left* left, Bitboard quiets, Bitboard captures, Counts* counts
) noexcept nogil:
    """Count the captures and promotions of knights, sliders and pawns, in so far as all moves
    leave them as they are, and what knights capture that arrives."""
    cdef Bitboard knights = replies.knights
    cdef int moves = popcount(quiets | captures)
    counts.captures += (left.piece_captures + left.pawns.captures) * moves
    counts.promotions += left.pawns.promotions * moves
    while knights:
        counts.captures += popcount(knight_attacks(pop_lsb(&knights)) & quiets)


cdef inline int replies_to(
    const Snapshot* at, const Replies* replies, const Left* left, Bitboard source,
    Bitboard quiets, Bitboard captures, Bitboard pinning, Counts* counts, const int piece_type,
    const Color us, const bint counting
) noexcept nogil:
    """How many replies there are after all moves of a piece that has left, none of them special.

    Those of the moves that pin something are given in `pinning` as well. What kinds of moves the
    replies are is added to `counts`, checks aside.
    """
    cdef Color them = opponent(us)
    cdef Bitboard hits, lost
    cdef int index, count
    if counting:
        tally_captures(replies, left, quiets, captures, counts)
    count = popcount(quiets | captures) * (left.piece_moves + left.pawns.count)
    for index in range(replies.sliders):
        hits = quiets & left.sees[index]
        if counting:
            counts.captures += popcount(hits)
        while hits:
            lost = (
                left.sees[index] & ~replies.repliers
                & beyond(replies.slider[index], pop_lsb(&hits))
            )
            count -= popcount(lost)
            if counting:
                counts.captures -= popcount(lost & left.movers)
    count += add_arrivals(left.pawns, quiets, counts, them, counting)
    count += king_replies(
        at, replies, source, quiets | captures, counts, piece_type, us, counting
    )
    if piece_type == BISHOP or piece_type == ROOK or piece_type == QUEEN:
        while pinning:
            count -= lose_moves_off_line(
                at, replies, left,
                first_square(between(replies.king, pop_lsb(&pinning)) & left.occupied),
                counts, us, counting,
            )
    while captures:
        count += change_by_capture(at, replies, left, pop_lsb(&captures), counts, us, counting)
    return count


cdef inline int en_passant_replies(
    const Snapshot* at, const Replies* replies, Square target, const Color us
) noexcept nogil:
    """How many pawns may capture the pawn that arrives on `target` with a double push."""
    cdef Bitboard passed = retreat(bit(target), us)
    cdef Bitboard capturers = (
        pawn_attacks(us, first_square(passed)) & at.pieces[opponent(us)][PAWN]
    )
    cdef Bitboard left = (replies.occupied ^ retreat(passed, us)) | passed, occupied
    cdef int count = 0
    while capturers:
        occupied = left ^ bit(pop_lsb(&capturers))
        count += not (
            rook_attacks(replies.king, occupied) & straight_sliders(at, us)
            | bishop_attacks(replies.king, occupied) & diagonal_sliders(at, us)
        )
    return count
