"""Types and bit operations that every compiled module shares.

A bitboard is a 64-bit word with one bit a point.  Point (column c, row r),
both from 0, is bit r * columns + c, without padding; on 9x5:

    row 5   36 37 38 39 40 41 42 43 44
    row 4   27 28 29 30 31 32 33 34 35
    row 3   18 19 20 21 22 23 24 25 26
    row 2    9 10 11 12 13 14 15 16 17
    row 1    0  1  2  3  4  5  6  7  8
             a  b  c  d  e  f  g  h  i
"""

from libc.stdint cimport uint8_t, uint64_t

ctypedef uint64_t bitboard_t

# The builtins of GCC and Clang, the intrinsics of MSVC, and plain C for every
# other compiler (FANORONA_PORTABLE forces plain C, so that it can be tested).
cdef extern from *:
    """
    #include <stdint.h>
    #if !defined(FANORONA_PORTABLE) && (defined(__GNUC__) || defined(__clang__))
    #define fanorona_ctz(b) __builtin_ctzll(b)
    #define fanorona_clz(b) __builtin_clzll(b)
    #define fanorona_popcount(b) __builtin_popcountll(b)
    #define fanorona_prefetch(p) __builtin_prefetch(p)
    #define FANORONA_LIKELY(x) __builtin_expect(!!(x), 1)
    #define FANORONA_UNLIKELY(x) __builtin_expect(!!(x), 0)
    #elif !defined(FANORONA_PORTABLE) && defined(_MSC_VER) && (defined(_M_X64) || defined(_M_ARM64))
    #include <intrin.h>
    static __forceinline int fanorona_ctz(uint64_t b) {
        unsigned long i; _BitScanForward64(&i, b); return (int)i;
    }
    static __forceinline int fanorona_clz(uint64_t b) {
        unsigned long i; _BitScanReverse64(&i, b); return 63 - (int)i;
    }
    static __forceinline int fanorona_popcount(uint64_t b) {
        b = b - ((b >> 1) & 0x5555555555555555ULL);
        b = (b & 0x3333333333333333ULL) + ((b >> 2) & 0x3333333333333333ULL);
        b = (b + (b >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
        return (int)((b * 0x0101010101010101ULL) >> 56);
    }
    #define fanorona_prefetch(p) ((void)(p))
    #define FANORONA_LIKELY(x) (x)
    #define FANORONA_UNLIKELY(x) (x)
    #else
    static int fanorona_popcount(uint64_t b) {
        b = b - ((b >> 1) & 0x5555555555555555ULL);
        b = (b & 0x3333333333333333ULL) + ((b >> 2) & 0x3333333333333333ULL);
        b = (b + (b >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
        return (int)((b * 0x0101010101010101ULL) >> 56);
    }
    static int fanorona_ctz(uint64_t b) {
        return fanorona_popcount((b & (0 - b)) - 1);
    }
    static int fanorona_clz(uint64_t b) {
        b |= b >> 1; b |= b >> 2; b |= b >> 4;
        b |= b >> 8; b |= b >> 16; b |= b >> 32;
        return 64 - fanorona_popcount(b);
    }
    #define fanorona_prefetch(p) ((void)(p))
    #define FANORONA_LIKELY(x) (x)
    #define FANORONA_UNLIKELY(x) (x)
    #endif
    """
    int ctz "fanorona_ctz"(bitboard_t b) noexcept nogil
    int clz "fanorona_clz"(bitboard_t b) noexcept nogil
    int popcount "fanorona_popcount"(bitboard_t b) noexcept nogil
    void prefetch "fanorona_prefetch"(const void *p) noexcept nogil
    bint likely "FANORONA_LIKELY"(bint x) noexcept nogil
    bint unlikely "FANORONA_UNLIKELY"(bint x) noexcept nogil


cdef inline bitboard_t bit(int point) noexcept nogil:
    return 1ULL << point


cdef inline uint64_t mix(uint64_t x) noexcept nogil:
    """A bijection that spreads every bit (finalizer of SplitMix64, Steele et al. 2014)."""
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL
    return x ^ (x >> 31)
