"""Proof-number search for one question: does a side hold at least a draw?

The side that wants to hold is the holder, the other one the winner.  A position
is two bitboards from the mover's side and whether the mover is the holder.  The
mover succeeds if the question is answered as he wants.
"""

from libc.stdint cimport int64_t, uint16_t, uint32_t, uint64_t

from fanorona_core._bitboard cimport bitboard_t, mix
from fanorona_core._geometry cimport MAX_POINTS, Tables
from fanorona_core._index cimport Index, flipped, turned
from fanorona_core._movegen cimport TurnList
from fanorona_core._network cimport Network
from fanorona_core._proofhash cimport ProofHash
from fanorona_core._tablebase cimport TableSet

cdef enum:
    LONGEST_PATH = 1000
    UNTIED = 1 << 30        # leans on no position of the path
    MET_SLOTS = 4096
    TIE_WINDOW = 62         # ties that reach back further are not told apart
    VALUE_STEP = 25         # centipawns that starting numbers do not tell apart
    VALUES = 201            # of them, the middle one is 0

# Why a search ended.
cdef enum:
    SETTLED = 0
    STOPPED = 1             # by a limit or from outside
    INTERRUPTED = 2         # a signal handler or the report raised
    NO_MEMORY = 3

# A limit that no number reaches.
cdef int64_t NO_LIMIT

cdef struct Child:
    bitboard_t own          # from the child's mover, folded
    bitboard_t enemy
    uint64_t key
    uint32_t phi            # proof number of its mover's success
    uint32_t delta          # ... of his failure
    bint quiet

cdef struct Outcome:
    uint32_t phi
    uint32_t delta
    int tie                 # of a hold: the least ply of the path that it leans on, or UNTIED
    uint64_t lean           # ... all of these plies, as bits modulo 64, or MANY
    int rank                # of a win: the number of turns it takes at most
    bitboard_t own          # the child that settled it for the mover, if that has success
    bitboard_t enemy

# Everything that changes while one thread searches.
cdef struct Seeker:
    const Tables *board
    const TableSet *tables
    const Index *index
    ProofHash *table
    int flags                           # of the move generator
    bint no_move_draw
    int most_stones                     # of a table; 0 without one
    TurnList turns                      # of all plies, one behind the other
    Child *children                     # likewise
    size_t count
    size_t capacity
    int64_t nodes                       # positions expanded
    int64_t node_limit                  # 0: none
    int64_t deadline_us                 # 0: none
    int64_t report_us                   # when the next report is due
    int until_poll
    int status
    int deepest                         # the longest path so far
    void *owner                         # the Prover
    bint (*has_signals)(void *owner) noexcept nogil     # ... which is to raise something, or stop
    const int *stop_flag                # ... set by any thread
    int number                          # of the thread among those with one question; 0: alone
    uint64_t root_phi                   # the root's numbers now
    uint64_t root_delta
    int64_t largest
    int64_t widen
    const Network *net                  # NULL: none for this board
    # Starting numbers by stones on the board and the holder's value, in VALUE_STEP from the least.
    uint32_t hold_guess[MAX_POINTS + 1][VALUES]
    uint32_t win_guess[MAX_POINTS + 1][VALUES]
    uint64_t path[LONGEST_PATH + 2]
    uint16_t met[MET_SLOTS]             # how many keys of the path fall on each slot

cdef inline void fold(const Index *x, bitboard_t *own, bitboard_t *enemy) noexcept nogil:
    """Turn a position into the least of the four that the board's symmetries make of it."""
    cdef bitboard_t a = own[0], b = enemy[0], other, partner
    cdef bitboard_t half = turned(x, a), half_enemy = turned(x, b)
    if half < a or (half == a and half_enemy < b):
        own[0], enemy[0] = half, half_enemy
    other = flipped(x, a)
    if other <= own[0]:
        partner = flipped(x, b)
        if other < own[0] or partner < enemy[0]:
            own[0], enemy[0] = other, partner
    other = flipped(x, half)
    if other <= own[0]:
        partner = flipped(x, half_enemy)
        if other < own[0] or partner < enemy[0]:
            own[0], enemy[0] = other, partner

cdef inline uint64_t key_of(bitboard_t own, bitboard_t enemy, bint holder) noexcept nogil:
    """The key of a folded position."""
    return mix(
        mix(own + 0x9E3779B97F4A7C15ULL) ^ (enemy * 0xD6E8FEB86659FD93ULL + holder)
    )

cdef void search(Seeker *s, bitboard_t own, bitboard_t enemy, uint64_t key, bint holder, int ply,
                 int quiet, int64_t phi_limit, int64_t delta_limit, Outcome *out) noexcept nogil
cdef int add_children(Seeker *s, bitboard_t own, bitboard_t enemy, bint holder,
                      Outcome *out) noexcept nogil
cdef bint still_holds(Seeker *s, uint64_t key, int ply, int quiet, Outcome *out) noexcept nogil
cdef void make_guesses(Seeker *s) noexcept nogil
