"""Which replies give check after each of many moves, for the breakdown of the last ply.

As with `replies`, they are listed once for all moves of a piece. An entry says after which arrivals
of the piece the reply exists at all, and which arrivals get in the way of its check. A check is no
mate where the king can step to one of two squares; where that can't be told for all moves alike,
the move is left to be made and looked at.
"""

from perftkit.core.attacks cimport (
    between, bishop_attacks, bishop_rays, rook_attacks, rook_rays,
)
from perftkit.core.bitboard cimport Bitboard, Square, more_than_one, pop_lsb, popcount
from perftkit.core.board cimport Color, castled_rook, opponent
from perftkit.core.counts cimport Counts
from perftkit.core.fast cimport Masks, Snapshot, diagonal_sliders, straight_sliders
from perftkit.core.replies cimport Replies

cdef enum:
    MOST_CHECKS = 24    # with more, every move is made

cdef struct CheckReply:
    Bitboard only               # the arrivals after which it exists
    Bitboard stopped            # the arrivals that make it impossible
    Bitboard direct_stopped     # those that stop the moved piece's own check; all if it has none
    Bitboard discovered_stopped     # those that stop the check of the piece behind it
    Bitboard pinnable           # where an arrival that pins anything pins this piece
    Bitboard flights            # one or two squares to which the king can step away, if it can
    Bitboard flight_views       # from where a piece might shield them
    Bitboard parries            # pieces that can capture the checking one, or step between
    Bitboard shut_out           # the arrivals that stop all of them

cdef struct CheckReplies:
    int count
    bint complete               # False when not all could be listed
    CheckReply[MOST_CHECKS] reply


cdef inline Bitboard undecided(
    const CheckReplies* checks, Bitboard idle, Bitboard targets, Bitboard pinning
) noexcept nogil:
    """The targets after which a reply may be mate.

    The piece that moves has left already, or is one of some `idle` ones that still stand.
    """
    cdef Bitboard found = 0, alive
    cdef const CheckReply* reply
    cdef int index
    if not checks.complete:
        return targets
    for index in range(checks.count):
        reply = &checks.reply[index]
        alive = reply.only & ~(reply.stopped | (pinning & reply.pinnable))
        alive &= ~(reply.direct_stopped & reply.discovered_stopped)
        if reply.flights and not reply.flight_views & idle:
            if more_than_one(reply.flights):
                continue
            alive &= reply.flights
        if reply.parries and not reply.parries & idle:
            alive &= reply.shut_out
        found |= alive
    return found & targets


cdef inline void tally_checks(
    const CheckReplies* checks, Bitboard targets, Bitboard pinning, Counts* counts
) noexcept nogil:
    """Count the checks after the moves to each of `targets`, none of them undecided."""
    cdef Bitboard alive, direct, discovered
    cdef const CheckReply* reply
    cdef int index
    for index in range(checks.count):
        reply = &checks.reply[index]
        alive = targets & reply.only & ~(reply.stopped | (pinning & reply.pinnable))
        direct = alive & ~reply.direct_stopped
        discovered = alive & ~reply.discovered_stopped
        counts.checks += popcount(direct | discovered)
        counts.double_checks += popcount(direct & discovered)
        counts.discovered_checks += popcount(discovered & ~direct)


cdef inline Bitboard seconds_on_lines(
    Square king, Bitboard snipers, Bitboard occupied, Bitboard movers
) noexcept nogil:
    """Pieces of the mover that stand with one more piece between a slider and the king."""
    cdef Bitboard found = 0, shield
    while snipers:
        shield = between(king, pop_lsb(&snipers)) & occupied
        if not more_than_one(shield & (shield - 1)):
            found |= shield & movers
    return found


cdef inline void notice_more(
    const Snapshot* at, Replies* replies, const Masks* masks, const Color us
) noexcept nogil:
    """Notice what matters only to kinds of moves as well: pieces that a reply may capture, and
    those whose leaving opens a line to the mover's king, or shortens one."""
    cdef Color them = opponent(us)
    cdef Square king = masks.king
    replies.noticed |= masks.attacked | (
        rook_attacks(king, replies.occupied) | bishop_attacks(king, replies.occupied)
        | seconds_on_lines(
            king,
            (rook_rays(king) & straight_sliders(at, them))
            | (bishop_rays(king) & diagonal_sliders(at, them)),
            replies.occupied, replies.movers,
        )
    )


cdef inline bint may_see(
    const Replies* replies, Square rook, Square king
) noexcept nogil:
    """Whether a castled rook might see the king after one more move."""
    return rook_rays(rook) >> king & 1 and not more_than_one(
        between(rook, king) & replies.occupied
    )


cdef inline bint castling_may_check(
    const Replies* replies, Square king, const Color us
) noexcept nogil:
    """Whether a castling of the replying side might give check."""
    cdef Color them = opponent(us)
    if not replies.castlings:
        return False
    if may_see(replies, castled_rook(replies.kingside_first, them), king):
        return True
    return replies.castlings > 1 and may_see(replies, castled_rook(False, them), king)
