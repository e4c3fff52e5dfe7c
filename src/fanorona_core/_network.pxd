"""A small network that corrects the static value on the 9x5 board."""

from libc.stdint cimport int16_t, int32_t

from fanorona_core._bitboard cimport bitboard_t, popcount
from fanorona_core._evaluate cimport Gains, evaluate
from fanorona_core._geometry cimport Tables

from fanorona_core._bitboard cimport bitboard_t

cdef enum:
    NEURONS = 64
    NETWORK_COLUMNS = 9
    NETWORK_ROWS = 5
    GAINS = 6               # best first captures of 0, 1, ... 5 or more stones
    BUCKETS = 6             # output weights by the number of stones on the board
    ROW_STATES = 512

# The first layer as sums over rows: what a whole row of one colour adds, for
# each of its 512 states, so that a position costs one addition a row.
cdef struct Network:
    int16_t rows[2][NETWORK_ROWS][ROW_STATES][NEURONS]     # own, enemy
    int16_t gains[2][GAINS][NEURONS]                       # the mover's best capture, the other's
    int16_t bias[NEURONS]
    int16_t output[BUCKETS][NEURONS]
    int32_t output_bias[BUCKETS]
    int bucket[46]

cdef int correction(const Network *net, bitboard_t own, bitboard_t enemy, int stones, int gain,
                    int enemy_gain) noexcept nogil

cdef inline int static_value(const Tables *t, const Network *net, bitboard_t own, bitboard_t enemy,
                             const Gains *gains) noexcept nogil:
    """The value for the side to move, by what each side could capture first.

    `net` may be NULL: then the evaluation's terms stand alone.
    """
    cdef int value = evaluate(t, own, enemy, gains.own)
    if net != NULL:
        value += correction(net, own, enemy, popcount(own | enemy), gains.own, gains.enemy)
    return value

cdef class NetworkFile:
    cdef void *memory
    cdef Network *net
    cdef const Network *for_board(self, const Tables *t) noexcept
