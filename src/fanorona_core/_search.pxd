"""The search of one thread."""

from libc.stdint cimport int32_t, int64_t

from fanorona_core._alphabeta cimport Worker
from fanorona_core._movegen cimport TurnList, turn_t
from fanorona_core._network cimport NetworkFile
from fanorona_core._position cimport RawPosition
from fanorona_core._tablebase cimport LoadedTables
from fanorona_core._transposition cimport HashTable

cdef class Search:
    cdef Worker *worker
    cdef HashTable hash_table
    cdef NetworkFile network
    cdef LoadedTables endings
    cdef RawPosition position
    cdef TurnList roots
    cdef int32_t *scores                # of the roots
    cdef turn_t *lines                  # of the first `ranks` roots, MAX_PLY + 1 each
    cdef int *lengths
    cdef readonly int ranks
    cdef readonly int looked_at         # roots that the last call of deepen has searched in full
    cdef object interruption
    cdef int stop_flag                  # set by any thread
    cdef int check(self, int rank) except -1
    cdef void _begin(self, int64_t node_limit, int64_t deadline_us, bint poll_signals) noexcept
    cdef int _ended(self) except -1
    cdef void _aspire(self, int depth, int rank) noexcept nogil
    cdef int _search_roots(self, int depth, int rank, int alpha, int beta) noexcept nogil
    cdef void _promote(self, size_t at, size_t first, int score) noexcept nogil
