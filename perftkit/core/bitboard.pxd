"""Sets of squares as 64-bit integers: bit 0 is a1, bit 7 is h1, bit 63 is h8."""

from libc.stdint cimport uint8_t, uint16_t, uint64_t

ctypedef uint64_t Bitboard
ctypedef int Square

cdef enum:
    # What lsb and msb answer for an empty board, and "no en passant square".
    NO_SQUARE = 64

cdef extern from *:
    """
    #ifdef _MSC_VER
    #include <intrin.h>
    static __inline int perftkit_ctz(unsigned __int64 x) {
        unsigned long i; _BitScanForward64(&i, x); return (int)i;
    }
    static __inline int perftkit_clz(unsigned __int64 x) {
        unsigned long i; _BitScanReverse64(&i, x); return 63 - (int)i;
    }
    #ifdef _M_ARM64
    #define perftkit_count(x) ((int)_CountOneBits64(x))
    #else
    #define perftkit_count(x) ((int)__popcnt64(x))
    #endif
    #else
    #define perftkit_ctz(x) __builtin_ctzll(x)
    #define perftkit_clz(x) __builtin_clzll(x)
    #define perftkit_count(x) __builtin_popcountll(x)
    #endif

    #if defined(__POPCNT__) || defined(__AVX__) || defined(__aarch64__) || defined(_M_ARM64)
    #define PERFTKIT_HAS_POPCOUNT 1
    #else
    #define PERFTKIT_HAS_POPCOUNT 0
    #endif
    """
    int perftkit_ctz(uint64_t x) noexcept nogil
    int perftkit_clz(uint64_t x) noexcept nogil
    int perftkit_count(uint64_t x) noexcept nogil
    # Whether every processor that this build may run on counts bits with one instruction.
    const bint HAS_POPCOUNT "PERFTKIT_HAS_POPCOUNT"


cdef struct BitTables:
    # Answers for every 16-bit value: 65,536 bytes each, filled once at import.
    uint8_t[65536] popcount
    uint8_t[65536] lsb
    uint8_t[65536] msb

cdef BitTables BIT_TABLES


cdef inline Bitboard bit(Square square) noexcept nogil:
    return <Bitboard> 1 << square


# The processor's instruction.

cdef inline int popcount_instruction(Bitboard board) noexcept nogil:
    return perftkit_count(board)


cdef inline Square lsb_instruction(Bitboard board) noexcept nogil:
    return perftkit_ctz(board) if board else NO_SQUARE


cdef inline Square msb_instruction(Bitboard board) noexcept nogil:
    return 63 - perftkit_clz(board) if board else NO_SQUARE


# The same from the 16-bit tables, for processors without the instruction.

cdef inline int popcount_table(Bitboard board) noexcept nogil:
    return (
        BIT_TABLES.popcount[<uint16_t> board]
        + BIT_TABLES.popcount[<uint16_t> (board >> 16)]
        + BIT_TABLES.popcount[<uint16_t> (board >> 32)]
        + BIT_TABLES.popcount[<uint16_t> (board >> 48)]
    )


cdef inline Square lsb_table(Bitboard board) noexcept nogil:
    cdef Square shift = 0
    while shift < 64:
        if <uint16_t> (board >> shift):
            return shift + BIT_TABLES.lsb[<uint16_t> (board >> shift)]
        shift += 16
    return NO_SQUARE


cdef inline Square msb_table(Bitboard board) noexcept nogil:
    cdef Square shift = 48
    while shift >= 0:
        if <uint16_t> (board >> shift):
            return shift + BIT_TABLES.msb[<uint16_t> (board >> shift)]
        shift -= 16
    return NO_SQUARE


# What the core calls. Every processor scans bits with an instruction; not every one counts them.

cdef inline int popcount(Bitboard board) noexcept nogil:
    return popcount_instruction(board) if HAS_POPCOUNT else popcount_table(board)


cdef inline Square lsb(Bitboard board) noexcept nogil:
    return lsb_instruction(board)


cdef inline Square msb(Bitboard board) noexcept nogil:
    return msb_instruction(board)


cdef inline Square first_square(Bitboard board) noexcept nogil:
    """The least significant square of a board that is not empty."""
    return perftkit_ctz(board)


cdef inline Square pop_lsb(Bitboard* board) noexcept nogil:
    """Take the least significant square off a board that is not empty."""
    cdef Square square = perftkit_ctz(board[0])
    board[0] &= board[0] - 1
    return square


cdef inline bint more_than_one(Bitboard board) noexcept nogil:
    return (board & (board - 1)) != 0


cdef Square square_argument(object square) except -1


cdef enum:
    A1 = 0
    C1 = 2
    D1 = 3
    F1 = 5
    G1 = 6

cdef inline Bitboard file_a() noexcept nogil:
    return 0x0101010101010101ULL


cdef inline Bitboard file_h() noexcept nogil:
    return 0x8080808080808080ULL


cdef inline Bitboard rank_mask(int rank) noexcept nogil:
    """The squares of a rank, numbered from 0."""
    return <Bitboard> 0xFF << (8 * rank)


cdef inline Bitboard north(Bitboard board) noexcept nogil:
    return board << 8


cdef inline Bitboard south(Bitboard board) noexcept nogil:
    return board >> 8


cdef inline Bitboard east(Bitboard board) noexcept nogil:
    return (board & ~file_h()) << 1


cdef inline Bitboard west(Bitboard board) noexcept nogil:
    return (board & ~file_a()) >> 1
