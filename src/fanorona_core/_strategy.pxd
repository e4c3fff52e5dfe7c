"""From a finished proof to the positions of a strategy."""

from fanorona_core._prove cimport Prover
from fanorona_core._proofset cimport PositionSet

cdef class Strategy:
    cdef Prover prover
    cdef readonly PositionSet positions
    cdef readonly bint holding
    cdef readonly size_t done
