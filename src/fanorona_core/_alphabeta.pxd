"""Alpha-beta search over whole turns."""

from libc.stdint cimport int32_t, int64_t, uint64_t

from fanorona_core._bitboard cimport bitboard_t, mix
from fanorona_core._geometry cimport MAX_POINTS, Tables
from fanorona_core._movegen cimport TurnList, TurnRules, turn_t
from fanorona_core._network cimport Network
from fanorona_core._tablebase cimport TableSet
from fanorona_core._transposition cimport Found, Transpositions

cdef enum:
    MAX_PLY = 128
    MAX_HISTORY = 1024      # positions before the root that count for repetition
    INFINITE = 32000
    WIN = 31000             # minus the number of turns to the end
    DECIDED = 30000         # scores beyond are wins and losses with their distance
    WON = 20000             # what a win is worth that tables know without its distance
    FAR = 15000             # scores beyond, also those of WON, get worse with each turn
    RECENT = 1 << 13        # results kept of positions one ply above the leaves
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

# Of the positions one ply above the leaves each thread keeps the last ones to
# itself: they are most of all, and waiting for the shared table's memory costs
# more than searching some of them again.
cdef struct Recent:
    uint64_t key
    Found found

# Everything that changes while one thread searches.
cdef struct Worker:
    const Tables *tables
    TurnRules rules
    DrawRules draws
    Transpositions *table
    const Network *net                  # NULL: none for this board
    const TableSet *endings             # NULL: none
    int most_stones                     # results count for positions of no more stones
    bint past_draws                     # draws of tables are searched through: the root is one
    bint may_repeat                     # a position of the game may come back once more as a draw
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
    bint (*has_signals)(void *owner) noexcept nogil     # ... which is to raise something
    const int *stop_flag                # ... set by any thread
    int draw[2]                         # the score of a draw at even and at odd plies
    uint64_t salt[2]                    # what keeps results apart that contempt makes different
    int root                            # index of the root in `path`
    uint64_t path[MAX_HISTORY + MAX_PLY + 2]    # keys of the game and the line
    int32_t history[MAX_POINTS][MAX_POINTS]     # paikas that cut off, by start and end
    turn_t line[MAX_PLY + 1][MAX_PLY + 1]
    int line_length[MAX_PLY + 1]
    Recent recent[RECENT]

cdef inline uint64_t stones_key(bitboard_t own, bitboard_t enemy) noexcept nogil:
    """The stones seen from the side to move; colours do not matter to their value."""
    return mix(own + 0x9E3779B97F4A7C15ULL) ^ mix(enemy * 0xD6E8FEB86659FD93ULL + 1)

cdef int search(Worker *w, bitboard_t own, bitboard_t enemy, int side, int depth, int alpha,
                int beta, int ply, int quiet, int turn_number) noexcept nogil
