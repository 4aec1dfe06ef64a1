"""From tallied kinds of moves to the named counters of the public contract."""

from perftkit.core.movegen cimport CASTLE_QUEENSIDE, CAPTURE, EN_PASSANT, PROMOTION

COUNTERS = (
    "captures",
    "en_passant",
    "castles_kingside",
    "castles_queenside",
    "castles",
    "promotions",
    "checks",
    "discovered_checks",
    "double_checks",
    "checkmates",
    "discovered_checkmates",
    "double_checkmates",
)


cdef uint64_t sum_of_kinds(const Tally* tally, int flag) noexcept nogil:
    """The moves whose kind has all the bits of `flag`."""
    cdef uint64_t total = 0
    cdef int kind
    for kind in range(16):
        if kind & flag == flag:
            total += tally.kinds[kind]
    return total


cdef Counts summed(const Tally* tally) noexcept nogil:
    cdef Counts counts
    counts.nodes = sum_of_kinds(tally, 0)
    counts.captures = sum_of_kinds(tally, CAPTURE)
    counts.en_passant = tally.kinds[EN_PASSANT]
    counts.castles_kingside = tally.kinds[CASTLE_KINGSIDE]
    counts.castles_queenside = tally.kinds[CASTLE_QUEENSIDE]
    counts.promotions = sum_of_kinds(tally, PROMOTION)
    counts.checks = tally.checks
    counts.discovered_checks = tally.discovered_checks
    counts.double_checks = tally.double_checks
    counts.checkmates = tally.checkmates
    counts.discovered_checkmates = tally.discovered_checkmates
    counts.double_checkmates = tally.double_checkmates
    return counts


cdef tuple counts_as_python(Counts counts):
    """The nodes, and the counters by name in the order of `COUNTERS`."""
    return counts.nodes, {
        "captures": counts.captures,
        "en_passant": counts.en_passant,
        "castles_kingside": counts.castles_kingside,
        "castles_queenside": counts.castles_queenside,
        "castles": counts.castles_kingside + counts.castles_queenside,
        "promotions": counts.promotions,
        "checks": counts.checks,
        "discovered_checks": counts.discovered_checks,
        "double_checks": counts.double_checks,
        "checkmates": counts.checkmates,
        "discovered_checkmates": counts.discovered_checkmates,
        "double_checkmates": counts.double_checkmates,
    }
