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


cdef uint64_t tally_nodes(const Tally* tally) noexcept nogil:
    return sum_of_kinds(tally, 0)


cdef uint64_t sum_of_kinds(const Tally* tally, int flag) noexcept nogil:
    """The moves whose kind has all the bits of `flag`."""
    cdef uint64_t total = 0
    cdef int kind
    for kind in range(16):
        if kind & flag == flag:
            total += tally.kinds[kind]
    return total


cdef dict tally_as_dict(const Tally* tally):
    kingside = tally.kinds[CASTLE_KINGSIDE]
    queenside = tally.kinds[CASTLE_QUEENSIDE]
    return {
        "captures": sum_of_kinds(tally, CAPTURE),
        "en_passant": tally.kinds[EN_PASSANT],
        "castles_kingside": kingside,
        "castles_queenside": queenside,
        "castles": kingside + queenside,
        "promotions": sum_of_kinds(tally, PROMOTION),
        "checks": tally.checks,
        "discovered_checks": tally.discovered_checks,
        "double_checks": tally.double_checks,
        "checkmates": tally.checkmates,
        "discovered_checkmates": tally.discovered_checkmates,
        "double_checkmates": tally.double_checkmates,
    }
