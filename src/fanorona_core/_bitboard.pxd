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

from libc.stdint cimport uint64_t

ctypedef uint64_t bitboard_t

cdef extern from "_portable.h":
    int ctz "fanorona_ctz"(bitboard_t b) noexcept nogil
    int clz "fanorona_clz"(bitboard_t b) noexcept nogil
    int popcount "fanorona_popcount"(bitboard_t b) noexcept nogil
    void prefetch "fanorona_prefetch"(const void *p) noexcept nogil


cdef inline bitboard_t bit(int point) noexcept nogil:
    return 1ULL << point


cdef inline uint64_t mix(uint64_t x) noexcept nogil:
    """A bijection that spreads every bit (finalizer of SplitMix64, Steele et al. 2014)."""
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL
    return x ^ (x >> 31)
