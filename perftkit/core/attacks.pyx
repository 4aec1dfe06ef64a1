"""Filling the attack tables, once, at import.

The magic multipliers come from `tools/find_magics.py`, a random search with a fixed seed for each
square: candidates with few bits set, tried until no two occupancies with different attacks share
an index.
"""

from perftkit.core.bitboard cimport bit, east, north, south, square_argument, west

cdef uint64_t[64] ROOK_MAGICS = [
    0x0080001420400082ULL, 0x0440062000100040ULL, 0x0080100180200008ULL, 0x0080100228008004ULL,
    0x0100100d00080006ULL, 0x0200010c02001810ULL, 0x0100440100019200ULL, 0x0200024400820021ULL,
    0x0020800440002686ULL, 0x8000401008200040ULL, 0x0000801000200083ULL, 0x4082001040082201ULL,
    0x0808800800800400ULL, 0x4002005002002428ULL, 0x0204000802102104ULL, 0x0000800080004100ULL,
    0x4405060020804200ULL, 0x0240008020009040ULL, 0x0300420022001080ULL, 0x1010048010801800ULL,
    0x1030808004000800ULL, 0x0124008002000c80ULL, 0x0080840061080210ULL, 0x0800060004028161ULL,
    0x1000400080008520ULL, 0x08002000c0100040ULL, 0x0100200080300080ULL, 0x0101004900213000ULL,
    0x0009008d00280030ULL, 0x4422000901000400ULL, 0x8002005600114408ULL, 0x4000800880006700ULL,
    0x0140002c42800080ULL, 0x8206810029004006ULL, 0x0000812004801000ULL, 0x4000801002800800ULL,
    0x0004803401800800ULL, 0x040200080200100cULL, 0x0800115024000288ULL, 0x04100094020000c1ULL,
    0x8064401020888001ULL, 0x0846200040008080ULL, 0xb008306001010040ULL, 0x100a0049c0120020ULL,
    0x8028010008050011ULL, 0x02520108700a0004ULL, 0x0a04080a30040041ULL, 0x250800c183020024ULL,
    0x8480002040108080ULL, 0x8140208040090100ULL, 0x0020050020324100ULL, 0x0008900184080080ULL,
    0x4830640280880080ULL, 0x0904402030048801ULL, 0x0800c80510320c00ULL, 0x8154004094110200ULL,
    0x0000800021004013ULL, 0x0213014082006212ULL, 0x0000c1805200220aULL, 0x8401001000600409ULL,
    0x201200482024100aULL, 0x9022004401181002ULL, 0x800050020800c104ULL, 0x0003001840208201ULL,
]

cdef uint64_t[64] BISHOP_MAGICS = [
    0x0040100100459180ULL, 0x0220041422424100ULL, 0x8008280100200100ULL, 0x0209040100000001ULL,
    0x110202110012008aULL, 0x0021012030018002ULL, 0x2889080202200404ULL, 0x0000208410080a09ULL,
    0x4100441030212500ULL, 0x4800441084250060ULL, 0x00084850a1060009ULL, 0x0220780481010008ULL,
    0x01000a0210001101ULL, 0x0040418220200040ULL, 0x0010120822080400ULL, 0x0000123088080880ULL,
    0x4120383002b02300ULL, 0x0a04603001080500ULL, 0x0030049200820008ULL, 0x0012400405020080ULL,
    0x1104010220a00600ULL, 0x9082000841502400ULL, 0x0200e844040a8300ULL, 0x8000a142050c0a01ULL,
    0x0420201030040100ULL, 0x2001a020b0040b00ULL, 0x400403000a0e0400ULL, 0x0042080024010c60ULL,
    0x0041010028704000ULL, 0x0008004002050780ULL, 0x60580c4009042210ULL, 0x1b04210000410889ULL,
    0x0870021245081040ULL, 0x8000b04425101404ULL, 0x1562211000010400ULL, 0x0040020280480080ULL,
    0x0030008a00042200ULL, 0x0001050200110044ULL, 0x0422a40c00810180ULL, 0x02080500611a4200ULL,
    0x1c01231040403001ULL, 0x0001030802006000ULL, 0x8042092804000800ULL, 0x420920b148003400ULL,
    0x4000401408200900ULL, 0x0002040800886200ULL, 0x0012900101010221ULL, 0x0110008081001080ULL,
    0x0052069004100000ULL, 0x440040426820000dULL, 0x0008003108080020ULL, 0x0400200920880000ULL,
    0x9000015002020010ULL, 0x0a40200409060800ULL, 0x0540089154009004ULL, 0x040c100200410100ULL,
    0x2002806882104000ULL, 0x0008248404050c60ULL, 0x1022421108611000ULL, 0x5000200200840c04ULL,
    0x3020008422224400ULL, 0x0800406018109120ULL, 0x0c04482898080a40ULL, 0x824c0824880a0040ULL,
]

cdef Bitboard[ROOK_ENTRIES] ROOKS_BY_MAGIC, ROOKS_BY_PEXT
cdef Bitboard[BISHOP_ENTRIES] BISHOPS_BY_MAGIC, BISHOPS_BY_PEXT

# File and rank steps: the four of a rook, then the four of a bishop.
cdef int[8] FILE_STEP = [1, 0, -1, 0, 1, -1, 1, -1]
cdef int[8] RANK_STEP = [0, 1, 0, -1, 1, 1, -1, -1]


cdef Bitboard ray(Square square, int direction, Bitboard occupancy) noexcept nogil:
    """The squares from `square` in a direction, up to and with the first occupied one."""
    cdef Bitboard reached = 0
    cdef int file = square % 8 + FILE_STEP[direction]
    cdef int rank = square // 8 + RANK_STEP[direction]
    while 0 <= file < 8 and 0 <= rank < 8:
        reached |= bit(8 * rank + file)
        if occupancy & bit(8 * rank + file):
            break
        file += FILE_STEP[direction]
        rank += RANK_STEP[direction]
    return reached


cdef Bitboard walk_rays(Square square, int first, Bitboard occupancy) noexcept nogil:
    cdef Bitboard reached = 0
    cdef int direction
    for direction in range(first, first + 4):
        reached |= ray(square, direction, occupancy)
    return reached


cdef Bitboard relevant_squares(Square square, int first) noexcept nogil:
    """The rays without the last square of each: whether that is occupied changes nothing."""
    cdef Bitboard relevant = 0, reached
    cdef int direction, last
    for direction in range(first, first + 4):
        reached = ray(square, direction, 0)
        last = square
        while (0 <= last % 8 + FILE_STEP[direction] < 8
               and 0 <= last // 8 + RANK_STEP[direction] < 8):
            last += FILE_STEP[direction] + 8 * RANK_STEP[direction]
        relevant |= reached & ~bit(last)
    return relevant


cdef int fill_slider_square(
    SliderSquare* slider, Square square, int first, uint64_t magic,
    Bitboard* by_magic, Bitboard* by_pext,
) noexcept nogil:
    """Fill both tables of one square and return how many entries each has."""
    cdef Bitboard subset = 0, rest
    cdef int bits = 0, entry
    slider.mask = relevant_squares(square, first)
    rest = slider.mask
    while rest:
        rest &= rest - 1
        bits += 1
    slider.magic = magic
    slider.shift = 64 - bits
    slider.by_magic = by_magic
    slider.by_pext = by_pext
    for entry in range(1 << bits):
        # Subsets of the mask in counting order, which is the order of their PEXT.
        by_pext[entry] = walk_rays(square, first, subset)
        by_magic[magic_index(slider, subset)] = by_pext[entry]
        subset = (subset - slider.mask) & slider.mask
    return 1 << bits


cdef void fill_leapers(Square square) noexcept nogil:
    cdef Bitboard here = bit(square)
    cdef Bitboard beside = east(here) | west(here)
    cdef Bitboard two_beside = east(east(here)) | west(west(here))
    ATTACKS.knight[square] = (
        north(north(beside)) | south(south(beside)) | north(two_beside) | south(two_beside)
    )
    ATTACKS.king[square] = beside | north(beside | here) | south(beside | here)
    ATTACKS.pawn[0][square] = north(beside)
    ATTACKS.pawn[1][square] = south(beside)


cdef void fill_lines(Square a) noexcept nogil:
    cdef Square b
    cdef int direction, opposite
    cdef Bitboard along
    for direction in range(8):
        along = ray(a, direction, 0)
        for b in range(64):
            if not along & bit(b):
                continue
            ATTACKS.between[a][b] = ray(a, direction, bit(b)) & ~bit(b)
            ATTACKS.beyond[a][b] = along & ~ray(a, direction, bit(b))
            for opposite in range(8):
                if (FILE_STEP[opposite] == -FILE_STEP[direction]
                        and RANK_STEP[opposite] == -RANK_STEP[direction]):
                    ATTACKS.line[a][b] = along | ray(a, opposite, 0) | bit(a)


cdef void fill_attack_tables() noexcept nogil:
    cdef Square square
    cdef int rooks = 0, bishops = 0
    for square in range(64):
        fill_leapers(square)
        fill_lines(square)
        ATTACKS.rook_rays[square] = walk_rays(square, 0, 0)
        ATTACKS.bishop_rays[square] = walk_rays(square, 4, 0)
        rooks += fill_slider_square(
            &ATTACKS.rook[square], square, 0, ROOK_MAGICS[square],
            &ROOKS_BY_MAGIC[rooks], &ROOKS_BY_PEXT[rooks],
        )
        bishops += fill_slider_square(
            &ATTACKS.bishop[square], square, 4, BISHOP_MAGICS[square],
            &BISHOPS_BY_MAGIC[bishops], &BISHOPS_BY_PEXT[bishops],
        )


fill_attack_tables()

SLIDER_METHOD = "pext" if HAS_PEXT else "magic"


def attacks(str piece, square, uint64_t occupancy=0):
    """Return the bitboard that a piece attacks.

    Args:
        piece: ``N B R Q K`` in either case, or ``P`` (white pawn) and ``p`` (black pawn).
        square: 0 (a1) to 63 (h8).
        occupancy: The occupied squares, which stop sliders.

    Raises:
        ValueError: No such piece or square.
    """
    cdef Square here = square_argument(square)
    if piece == "P" or piece == "p":
        return pawn_attacks(piece == "p", here)
    kind = piece.upper()
    if kind == "N":
        return knight_attacks(here)
    if kind == "K":
        return king_attacks(here)
    if kind == "R":
        return rook_attacks(here, occupancy)
    if kind == "B":
        return bishop_attacks(here, occupancy)
    if kind == "Q":
        return rook_attacks(here, occupancy) | bishop_attacks(here, occupancy)
    raise ValueError(f"no piece is called {piece!r}: expected one of P p N B R Q K")


def between_squares(a, b):
    """Return the bitboard strictly between two squares of one line, 0 if they share none."""
    return between(square_argument(a), square_argument(b))


def beyond_square(a, b):
    """Return the bitboard past b on the ray from a, 0 if they share none."""
    return beyond(square_argument(a), square_argument(b))


def line_through(a, b):
    """Return the bitboard of the whole line through two squares, 0 if they share none."""
    return line(square_argument(a), square_argument(b))
