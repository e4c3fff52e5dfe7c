"""One thread's proof search, from Python."""

from libc.stdint cimport int64_t

from fanorona_core._dfpn cimport Seeker
from fanorona_core._index cimport SetIndex
from fanorona_core._network cimport NetworkFile
from fanorona_core._proofhash cimport ProofTable
from fanorona_core._tablebase cimport LoadedTables

cdef class Prover:
    cdef Seeker *seeker
    cdef ProofTable hash_table
    cdef LoadedTables loaded
    cdef NetworkFile network
    cdef SetIndex set_index
    cdef object interruption
    cdef object report
    cdef int stop_flag                  # set by any thread
    cdef int begin(self, int64_t node_limit, int64_t deadline_us, object report) except -1
    cdef int ended(self) except -1
