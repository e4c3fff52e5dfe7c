"""Ranks of won positions: how far it is at most to the tables."""

from libc.stdint cimport int64_t, uint8_t, uint32_t

from fanorona_core._dfpn cimport Seeker
from fanorona_core._proofhash cimport ProofHash
from fanorona_core._proofset cimport Members

cdef int64_t rank_members(Seeker *s, Members *m, uint32_t mark, ProofHash *again) noexcept nogil
cdef bint are_ranked(const Members *m, size_t count) noexcept nogil
cdef int mend(Seeker *s, Members *m, ProofHash *again, size_t roots) noexcept nogil
cdef int drop_the_rest(Seeker *s, Members *m, size_t roots, uint8_t *needed) noexcept nogil
