"""Choosing turns of the proving side, by what a hash table knows."""

from libc.stdint cimport int64_t

from fanorona_core._bitboard cimport bitboard_t
from fanorona_core._dfpn cimport Outcome, Seeker
from fanorona_core._proofset cimport Members

cdef enum:
    BY_TABLE = 1
    CHOSEN = 2
    FAULT = -1                  # the hash table was wrong
    ENDED = -2                  # by a limit
    MANY = 1 << 20
    NEVER_LOST = 63             # the work of what must stay in the hash table

cdef int64_t replies(Seeker *s, Members *m, bint holding, bitboard_t own, bitboard_t enemy,
                     int64_t limit, bint enter) noexcept nogil
cdef int choose(Seeker *s, Members *m, bint holding, bitboard_t own, bitboard_t enemy,
                Outcome *out) noexcept nogil
