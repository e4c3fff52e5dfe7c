"""Values of positions with a capture, from the tables of fewer stones.

A value is one byte: the number of turns to the end, even for a loss (0: no
turn left), odd for a win, as the winner hurries and the loser delays; or DRAW.
"""

from libc.stdint cimport int16_t, uint8_t

from fanorona_core._bitboard cimport bitboard_t
from fanorona_core._geometry cimport Tables
from fanorona_core._index cimport MAX_STONES, Index, Place, place

cdef enum:
    DRAW = 255
    MAX_DISTANCE = 190      # the codes above it serve unfinished tables
    BEST_SCORE = 1000       # of a win at once; each turn later costs one
    CACHED_PLACES = 1024
    NO_MOVE_DRAW = 4        # a flag next to those of the move generator

# What positions are judged by.
cdef struct Judge:
    const Tables *board
    const Index *index
    int flags
    int16_t score[256]      # what it is worth to leave the other side with a value
    const uint8_t *values[MAX_STONES + 1][MAX_STONES + 1]   # [mover's stones][other's]

# Where sets lie that were asked for a short while ago; one for each thread.
cdef struct PlaceCache:
    bitboard_t keys[CACHED_PLACES]
    Place places[CACHED_PLACES]

cdef inline const Place *cached_place(PlaceCache *cache, const Index *x, int stones,
                                      bitboard_t b) noexcept nogil:
    """The place of a set that is not empty."""
    cdef size_t i = (b * 0x9E3779B97F4A7C15ULL) >> 54
    if cache.keys[i] != b:
        cache.keys[i] = b
        cache.places[i] = place(x, stones, b)
    return &cache.places[i]

cdef inline int value_of(int score) noexcept nogil:
    """The value that a mover's best score is."""
    if score > 0:
        return BEST_SCORE - score
    return DRAW if score == 0 else BEST_SCORE + score

cdef void set_up_judge(Judge *judge, const Tables *board, const Index *index, int flags) noexcept nogil
cdef void clear_places(PlaceCache *cache) noexcept nogil
cdef int best_capture(const Judge *judge, PlaceCache *cache, bitboard_t own, int own_stones,
                      bitboard_t enemy, bitboard_t movers) noexcept nogil
