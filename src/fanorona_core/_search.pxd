"""Alpha-beta search over whole turns."""

from libc.stdint cimport int32_t, int64_t, uint64_t

from fanorona_core._geometry cimport MAX_POINTS, Tables
from fanorona_core._movegen cimport TurnList, TurnRules, turn_t
from fanorona_core._network cimport Network, NetworkFile
from fanorona_core._position cimport RawPosition
from fanorona_core._tablebase cimport LoadedTables, TableSet
from fanorona_core._transposition cimport HashTable, Transpositions

cdef enum:
    MAX_PLY = 128
    MAX_HISTORY = 1024      # positions before the root that count for repetition
    INFINITE = 32000
    WIN = 31000             # minus the number of turns to the end
    DECIDED = 30000         # scores beyond are wins and losses with their distance
    WON = 20000             # what a win is worth that tables know without its distance
    FAR = 15000             # scores beyond, also those of WON, get worse with each turn
    POLL_NODES = 2048       # between two looks at clock, stop flag and signals

# Why a search ended.
cdef enum:
    COMPLETE = 0
    STOPPED = 1             # by a limit or from outside
    INTERRUPTED = 2         # a signal handler raised
    NO_MEMORY = 3

cdef struct DrawRules:
    bint no_turn            # a side without a turn has drawn, not lost
    int repetition          # 0: none
    int quiet_limit         # 0: none
    int turn_limit          # 0: none

# Everything that changes while one thread searches.
cdef struct Worker:
    const Tables *tables
    TurnRules rules
    DrawRules draws
    Transpositions *table
    const Network *net                  # NULL: none for this board
    const TableSet *endings             # NULL: none
    int most_stones                     # results count for positions of no more stones
    TurnList turns                      # of all plies, one behind the other
    int32_t *order                      # their sort keys, at the same places
    size_t order_capacity
    int64_t nodes
    int64_t node_limit                  # 0: none
    int64_t deadline_us                 # 0: none
    int until_poll
    int status
    bint poll_signals
    void *owner                         # the Search
    int draw[2]                         # the score of a draw at even and at odd plies
    uint64_t salt[2]                    # what keeps results apart that contempt makes different
    int root                            # index of the root in `path`
    uint64_t path[MAX_HISTORY + MAX_PLY + 2]    # keys of the game and the line
    int32_t history[MAX_POINTS][MAX_POINTS]     # paikas that cut off, by start and end
    turn_t line[MAX_PLY + 1][MAX_PLY + 1]
    int line_length[MAX_PLY + 1]

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
    cdef object interruption
    cdef int stop_flag                  # set by any thread
    cdef int check(self, int rank) except -1
    cdef void _aspire(self, int depth, int rank) noexcept nogil
    cdef int _search_roots(self, int depth, int rank, int alpha, int beta) noexcept nogil
    cdef void _promote(self, size_t at, size_t first, int score) noexcept nogil
