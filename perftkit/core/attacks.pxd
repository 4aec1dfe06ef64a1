"""Attack tables: leapers, pawns, sliders, and the squares between two squares.

A slider's attacks are one look-up: the occupancy of its relevant squares is turned into an index
by PEXT where the build may use BMI2, by a magic multiplication elsewhere. Each has a table of its
own ("fancy" layout: a square has as many entries as its mask has subsets), so that modules built
for different processors can work side by side.
"""

from libc.stdint cimport uint64_t

from perftkit.core.bitboard cimport Bitboard, Square

cdef extern from *:
    """
    #if defined(__BMI2__)
    #include <immintrin.h>
    #define PERFTKIT_HAS_PEXT 1
    #define perftkit_pext(x, mask) _pext_u64(x, mask)
    #else
    #define PERFTKIT_HAS_PEXT 0
    #define perftkit_pext(x, mask) (x)
    #endif
    """
    uint64_t perftkit_pext(uint64_t x, uint64_t mask) noexcept nogil
    const bint HAS_PEXT "PERFTKIT_HAS_PEXT"

cdef enum:
    # Subsets of the relevant squares, summed over the 64 squares of each slider.
    ROOK_ENTRIES = 102400
    BISHOP_ENTRIES = 5248

cdef struct SliderSquare:
    Bitboard mask          # relevant squares: the rays without the last square of each
    uint64_t magic
    const Bitboard* by_magic   # this square's first entry in each table
    const Bitboard* by_pext
    int shift              # 64 - number of relevant squares

cdef struct AttackTables:
    Bitboard[64] knight
    Bitboard[64] king
    Bitboard[2][64] pawn          # captures of a pawn of that colour (0 white, 1 black)
    SliderSquare[64] rook
    SliderSquare[64] bishop
    Bitboard[64] rook_rays        # attacks on the empty board
    Bitboard[64] bishop_rays
    Bitboard[64][64] between      # the squares strictly between two aligned squares, else none
    Bitboard[64][64] beyond       # the squares past the second on the ray from the first, else none
    Bitboard[64][64] line         # the whole line through two aligned squares, else none

cdef AttackTables ATTACKS


cdef inline uint64_t magic_index(const SliderSquare* slider, Bitboard occupancy) noexcept nogil:
    return ((occupancy & slider.mask) * slider.magic) >> slider.shift


cdef inline Bitboard slider_attacks(const SliderSquare* slider, Bitboard occupancy) noexcept nogil:
    if HAS_PEXT:
        return slider.by_pext[perftkit_pext(occupancy, slider.mask)]
    return slider.by_magic[magic_index(slider, occupancy)]


cdef inline Bitboard rook_attacks(Square square, Bitboard occupancy) noexcept nogil:
    return slider_attacks(&ATTACKS.rook[square], occupancy)


cdef inline Bitboard bishop_attacks(Square square, Bitboard occupancy) noexcept nogil:
    return slider_attacks(&ATTACKS.bishop[square], occupancy)


cdef inline Bitboard rook_rays(Square square) noexcept nogil:
    return ATTACKS.rook_rays[square]


cdef inline Bitboard bishop_rays(Square square) noexcept nogil:
    return ATTACKS.bishop_rays[square]


cdef inline Bitboard knight_attacks(Square square) noexcept nogil:
    return ATTACKS.knight[square]


cdef inline Bitboard king_attacks(Square square) noexcept nogil:
    return ATTACKS.king[square]


cdef inline Bitboard pawn_attacks(int color, Square square) noexcept nogil:
    return ATTACKS.pawn[color][square]


cdef inline Bitboard between(Square a, Square b) noexcept nogil:
    return ATTACKS.between[a][b]


cdef inline Bitboard beyond(Square a, Square b) noexcept nogil:
    return ATTACKS.beyond[a][b]


cdef inline Bitboard line(Square a, Square b) noexcept nogil:
    return ATTACKS.line[a][b]
