"""Sets of positions, as proofs are made of: folded, and all with the same side to move."""

from libc.stdint cimport int64_t, uint32_t, uint64_t

from fanorona_core._bitboard cimport bitboard_t
from fanorona_core._index cimport SetIndex

cdef struct Member:
    bitboard_t own
    bitboard_t enemy
    uint32_t rank       # of a win: the turns it takes at most; else 0

# Members in the order in which they came, and an open-addressed table of their places + 1.
cdef struct Members:
    Member *items
    size_t count
    size_t capacity
    uint32_t *slots
    size_t slot_mask

cdef int64_t find(const Members *m, bitboard_t own, bitboard_t enemy) noexcept nogil
cdef int64_t insert(Members *m, bitboard_t own, bitboard_t enemy) noexcept nogil

cdef class PositionSet:
    cdef Members members
    cdef SetIndex index
    # What has been read of an encoded set so far.
    cdef uint64_t partial
    cdef int shift
    cdef int field
    cdef uint64_t last_own
    cdef uint64_t last_enemy
    cdef uint64_t delta
    cdef readonly bint ranked
    cdef int _take(self, uint64_t value) except -1
