# Listing the replies that give check, a part of the fast walker: see check_replies.pxd.

cdef enum:
    MOST_LINES = 8      # to a king

cdef struct CheckSearch:
    # What is the same for all replies of a list. The mover's king is the one that is checked.
    const Snapshot* at
    const Replies* replies
    CheckReplies* checks
    Color us
    Bitboard occupied
    Bitboard movers
    Bitboard reachable      # what pieces may go to: no own piece, but one that the mover captures
    Square king
    Bitboard straight       # from where a piece of each kind checks
    Bitboard diagonal
    Bitboard knight
    Bitboard pawn
    Bitboard lines          # between the king and all aligned sliders
    Bitboard discoverers    # that alone stand on one of these lines
    int count
    Square[MOST_LINES] discoverer
    Square[MOST_LINES] sniper


cdef inline void find_discoverers(CheckSearch* search, Bitboard snipers) noexcept nogil:
    cdef Square sniper
    cdef Bitboard segment, shield
    while snipers:
        sniper = pop_lsb(&snipers)
        segment = between(search.king, sniper)
        shield = segment & search.occupied
        search.lines |= segment
        if shield & search.replies.repliers and not more_than_one(shield):
            search.discoverers |= shield
            search.discoverer[search.count] = first_square(shield)
            search.sniper[search.count] = sniper
            search.count += 1


cdef inline void find_escapes(
    const CheckSearch* search, CheckReply* reply, Square source, Square target, int arrives
) noexcept nogil:
    """Fill up to two squares where the king is safe after a reply from `source` to `target`."""
    cdef const Snapshot* at = search.at
    cdef Color them = opponent(search.us)
    cdef Bitboard steps = king_attacks(search.king) & (~search.movers | bit(target))
    cdef Bitboard occupied = (
        (search.occupied & ~(bit(source) | bit(search.king))) | bit(target)
    )
    cdef Bitboard straight, diagonal
    cdef Square step
    reply.flights = 0
    reply.flight_views = 0
    steps &= ~attacks_of(target, arrives, occupied, them)
    while steps:
        step = pop_lsb(&steps)
        straight = rook_attacks(step, occupied)
        diagonal = bishop_attacks(step, occupied)
        if attackers_by_views(at, step, straight, diagonal, them) & ~bit(source):
            continue
        reply.flight_views |= straight | diagonal
        if reply.flights:
            reply.flights |= bit(step)
            return
        reply.flights = bit(step)


cdef inline void add_parries(
    const CheckSearch* search, CheckReply* reply, Bitboard parries, Square target
) noexcept nogil:
    """Note pieces that can go to `target`; who stands on a line to the king may be pinned."""
    parries &= search.occupied & ~(search.lines | bit(search.king))
    reply.parries |= parries
    while parries:
        reply.shut_out &= between(pop_lsb(&parries), target)


cdef inline void find_parries_of(
    const CheckSearch* search, CheckReply* reply, Square source, Square target
) noexcept nogil:
    """Fill who can capture the checking piece, or else step between."""
    cdef const Snapshot* at = search.at
    cdef Bitboard occupied = (search.occupied & ~bit(source)) | bit(target)
    cdef Bitboard steps = between(target, search.king)
    cdef Bitboard walkers = ~(at.pieces[search.us][PAWN] | bit(target))
    cdef Square step
    reply.shut_out = ~<Bitboard> 0
    add_parries(search, reply, attackers_of(at, target, occupied, search.us), target)
    while steps and reply.shut_out:
        step = pop_lsb(&steps)
        add_parries(
            search, reply, attackers_of(at, step, occupied, search.us) & walkers, step
        )


cdef inline Bitboard sniper_line(const CheckSearch* search, Square discoverer) noexcept nogil:
    """The squares where an arrival stops the check that a piece uncovers."""
    cdef int index = 0
    while search.discoverer[index] != discoverer:
        index += 1
    return between(search.king, search.sniper[index]) | bit(search.sniper[index])


cdef void list_check(
    CheckSearch* search, Square source, Square target, int arrives, Bitboard travel, bint direct,
    Bitboard only
) noexcept nogil:
    """Note a reply, if it gives check."""
    cdef CheckReply* reply
    cdef CheckReplies* checks = search.checks
    cdef bint discovered = search.discoverers >> source & 1 and not (
        line(search.king, source) >> target & 1
    )
    cdef Bitboard king_line = line(search.replies.king, source)
    if not direct and not discovered:
        return
    if checks.count == MOST_CHECKS:
        checks.complete = False
        return
    reply = &checks.reply[checks.count]
    checks.count += 1
    reply.only = only
    reply.stopped = bit(source) | travel
    reply.direct_stopped = between(target, search.king) if direct else ~<Bitboard> 0
    reply.discovered_stopped = sniper_line(search, source) if discovered else ~<Bitboard> 0
    reply.pinnable = (
        0 if king_line >> target & 1 else beyond(search.replies.king, source)
    )
    find_escapes(search, reply, source, target, arrives)
    reply.parries = 0
    if direct and not discovered and not more_than_one(reply.flights):
        find_parries_of(search, reply, source, target)


cdef inline void list_piece_checks(
    CheckSearch* search, Square source, Bitboard attacked, Bitboard checking, int arrives
) noexcept nogil:
    cdef Bitboard found = attacked & search.reachable
    cdef Square target
    if not search.discoverers & bit(source):
        found &= checking
    while found:
        target = pop_lsb(&found)
        list_check(
            search, source, target, arrives, between(source, target), checking >> target & 1,
            bit(target) if search.replies.repliers & bit(target) else ~<Bitboard> 0,
        )


cdef void list_pawn_checks(CheckSearch* search, Bitboard found, int step) noexcept nogil:
    """Note those of some pawn moves by one step that give check."""
    cdef Color them = opponent(search.us)
    cdef Bitboard last_rank = rank_mask(7 if them == WHITE else 0)
    cdef Bitboard only = ~<Bitboard> 0, travel = 0
    cdef Square source, target
    cdef int arrives
    while found:
        target = pop_lsb(&found)
        source = target - step
        if step == 8 or step == -8:
            travel = bit(target)
        elif step == 16 or step == -16:
            travel = bit(target) | between(source, target)
        else:
            only = ~<Bitboard> 0 if search.movers & bit(target) else bit(target)
        if not bit(target) & last_rank:
            list_check(search, source, target, PAWN, travel, search.pawn >> target & 1, only)
            continue
        for arrives in range(KNIGHT, KING):
            list_check(
                search, source, target, arrives, travel,
                attacks_of(target, arrives, search.occupied ^ bit(source), them)
                >> search.king & 1,
                only,
            )


cdef inline void list_all_pawn_checks(
    CheckSearch* search, const PawnReplies* pawns, Bitboard targets, const Color us
) noexcept nogil:
    """Those that arrive where they give check, promote, or uncover something."""
    cdef Color them = opponent(us)
    cdef Bitboard uncovering = search.discoverers & search.at.pieces[them][PAWN]
    cdef Bitboard last_rank = rank_mask(7 if them == WHITE else 0)
    cdef Bitboard found
    targets |= search.movers
    found = pawns.pushes & (search.pawn | last_rank | advance(uncovering, them))
    if found:
        list_pawn_checks(search, found, 8 if them == WHITE else -8)
    found = pawns.double_pushes & (search.pawn | advance(advance(uncovering, them), them))
    if found:
        list_pawn_checks(search, found, 16 if them == WHITE else -16)
    found = pawns.to_west & targets & (search.pawn | last_rank | advance(west(uncovering), them))
    if found:
        list_pawn_checks(search, found, 7 if them == WHITE else -9)
    found = pawns.to_east & targets & (search.pawn | last_rank | advance(east(uncovering), them))
    if found:
        list_pawn_checks(search, found, 9 if them == WHITE else -7)


cdef inline void find_check_replies(
    const Snapshot* at, const Replies* replies, const Left* left, Bitboard targets,
    CheckReplies* checks, const Color us
) noexcept nogil:
    """Fill `checks` for moves to `targets` of a piece that has left."""
    cdef Color them = opponent(us)
    cdef CheckSearch search
    cdef Bitboard knights = replies.knights, queens = at.pieces[them][QUEEN], checking
    cdef Square square
    cdef int index
    search.at = at
    search.replies = replies
    search.checks = checks
    search.us = us
    search.occupied = left.occupied
    search.movers = left.movers
    search.reachable = ~replies.repliers | targets
    search.king = first_square(at.pieces[us][KING])
    search.straight = rook_attacks(search.king, left.occupied)
    search.diagonal = bishop_attacks(search.king, left.occupied)
    search.knight = knight_attacks(search.king)
    search.pawn = pawn_attacks(us, search.king)
    search.lines = 0
    search.discoverers = 0
    search.count = 0
    find_discoverers(&search, rook_rays(search.king) & straight_sliders(at, them))
    find_discoverers(&search, bishop_rays(search.king) & diagonal_sliders(at, them))
    checks.count = 0
    checks.complete = not search.discoverers & at.pieces[them][KING]
    if not checks.complete:
        return
    for index in range(replies.sliders):
        square = replies.slider[index]
        checking = search.straight if index < replies.straight else search.diagonal
        if queens & bit(square):
            list_piece_checks(
                &search, square, left.sees[index], search.straight | search.diagonal, QUEEN
            )
        elif index < replies.straight:
            list_piece_checks(&search, square, left.sees[index], checking, ROOK)
        else:
            list_piece_checks(&search, square, left.sees[index], checking, BISHOP)
    while knights:
        square = pop_lsb(&knights)
        list_piece_checks(&search, square, knight_attacks(square), search.knight, KNIGHT)
    list_all_pawn_checks(&search, left.pawns, targets, us)
