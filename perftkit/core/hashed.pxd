"""The fast walker with a hash table: all children of a position first, then what is below them.

The children are queued with their keys and their places in the table are fetched, so that the
memory answers while the next ones are made. Only positions whose children are looked up go this
way; the last two plies are the plain walker's.
"""

from perftkit.core.attacks cimport pawn_attacks
from perftkit.core.bitboard cimport Bitboard, first_square, pop_lsb
from perftkit.core.board cimport (
    BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, Color, opponent,
)
from perftkit.core.fast cimport FastWalk, Snapshot
from perftkit.core.table cimport (
    KEYS, Key, Table, TableUse, mix_in, prefetch_entry,
)

cdef enum:
    LEAST_HASHED = 2    # plies below a position that is looked up
    # `counting` is this where moves are made to be queued: whether counters are wanted is decided
    # when what is below them is counted.
    QUEUEING = 2

cdef struct Queued:
    Snapshot at
    Key key             # of what changes by moves: pieces and rights
    Key subtree         # of that, en passant, the side to move and the depth

cdef struct HashedWalk:
    FastWalk walk       # comes first: a pointer to it is one to this
    Table table
    TableUse use
    bint counting
    Key key             # of the position whose children are queued
    Queued* end         # of the queue


cdef inline void mix_in_squares(
    Key* key, Bitboard squares, const int piece_type, const Color color
) noexcept nogil:
    while squares:
        mix_in(key, &KEYS.piece[color][piece_type][pop_lsb(&squares)])


cdef inline void mix_in_rights(Key* key, Bitboard rights) noexcept nogil:
    while rights:
        mix_in(key, &KEYS.right[pop_lsb(&rights)])


cdef inline Key key_of(const Snapshot* at) noexcept nogil:
    cdef Key key
    cdef int color
    key.place = key.check = 0
    for color in range(2):
        mix_in_squares(&key, at.pieces[color][PAWN], PAWN, color)
        mix_in_squares(&key, at.pieces[color][KNIGHT], KNIGHT, color)
        mix_in_squares(&key, at.pieces[color][BISHOP], BISHOP, color)
        mix_in_squares(&key, at.pieces[color][ROOK], ROOK, color)
        mix_in_squares(&key, at.pieces[color][QUEEN], QUEEN, color)
        mix_in_squares(&key, at.pieces[color][KING], KING, color)
    mix_in_rights(&key, at.rights)
    return key


cdef inline Key subtree_key(
    const Snapshot* at, const Key* key, int depth, const Color us
) noexcept nogil:
    """The key of what `us` can do in so many plies."""
    cdef Key found = key[0]
    mix_in(&found, &KEYS.subtree[us][depth])
    # An e.p. square that no pawn attacks changes nothing.
    if at.en_passant and (
        pawn_attacks(opponent(us), first_square(at.en_passant)) & at.pieces[us][PAWN]
    ):
        mix_in(&found, &KEYS.en_passant[first_square(at.en_passant)])
    return found


cdef inline int type_of(const Snapshot* at, Bitboard square, const Color color) noexcept nogil:
    """The type of the piece of a colour that stands on a square, no king."""
    return (
        (at.pieces[color][KNIGHT] & square != 0) * KNIGHT
        + (at.pieces[color][BISHOP] & square != 0) * BISHOP
        + (at.pieces[color][ROOK] & square != 0) * ROOK
        + (at.pieces[color][QUEEN] & square != 0) * QUEEN
    )


cdef inline void queue_child(
    const Snapshot* at, const Snapshot* child, int depth, HashedWalk* walk,
    const int leaves, const int arrives, const Color us
) noexcept nogil:
    """Queue the position after a move of `us`, by which pieces of one or two types change."""
    cdef Queued* queued = walk.end
    cdef Color them = opponent(us)
    cdef Bitboard taken = at.side[them] ^ child.side[them]
    queued.at = child[0]
    queued.key = walk.key
    mix_in_squares(&queued.key, at.pieces[us][leaves] ^ child.pieces[us][leaves], leaves, us)
    if arrives != leaves:
        mix_in_squares(
            &queued.key, at.pieces[us][arrives] ^ child.pieces[us][arrives], arrives, us
        )
    if taken:
        mix_in(&queued.key, &KEYS.piece[them][type_of(at, taken, them)][first_square(taken)])
    if at.rights != child.rights:
        mix_in_rights(&queued.key, at.rights ^ child.rights)
    queued.subtree = subtree_key(child, &queued.key, depth - 1, them)
    prefetch_entry(&walk.table, &queued.subtree, walk.counting)
    walk.end += 1
