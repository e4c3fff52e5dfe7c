"""From a finished proof to the positions of a strategy."""

from libc.stdint cimport int64_t

from fanorona_core._proofset cimport PositionSet
from fanorona_core._prove cimport Prover

cdef class Strategy:
    cdef Prover prover
    cdef readonly PositionSet positions
    cdef readonly bint holding
    cdef int64_t _rank(self, size_t roots) except? -1
