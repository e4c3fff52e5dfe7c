"""The best result of a turn that captures, by whatever judges the results.

A value, of a position or in a table, is one byte: the number of turns to the
end, even for a loss (0: no turn left), odd for a win, as the winner hurries and
the loser delays; or DRAW.  A score is larger for what the mover likes better.
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

# The score, for the side that has just moved, of a position that the other side moves in.
ctypedef int (*judge_t)(void *context, bitboard_t mover, bitboard_t other) noexcept nogil

# The chains of one stone after the other, and the best score that they lead to.
cdef struct Explorer:
    const Tables *board
    int flags
    judge_t judge
    void *context
    int goal                # there is no better score
    int best
    bitboard_t others       # the mover's stones that stay

# What a table's values are made of: the tables with fewer stones, a byte a slot.
cdef struct Sources:
    const Index *index
    int16_t score[256]      # of leaving the other side with a value
    const uint8_t *values[MAX_STONES + 1][MAX_STONES + 1]   # [mover's stones][other's]

# Where sets lie that were asked for a short while ago; one for each thread.
cdef struct PlaceCache:
    const Sources *sources
    bitboard_t keys[CACHED_PLACES]
    Place places[CACHED_PLACES]

cdef inline const Place *cached_place(PlaceCache *cache, int stones, bitboard_t b) noexcept nogil:
    """The place of a set that is not empty."""
    cdef size_t i = (b * 0x9E3779B97F4A7C15ULL) >> 54
    if cache.keys[i] != b:
        cache.keys[i] = b
        cache.places[i] = place(cache.sources.index, stones, b)
    return &cache.places[i]

cdef inline int value_of(int score) noexcept nogil:
    """The value of a position whose mover's best score is this."""
    if score > 0:
        return BEST_SCORE - score
    return DRAW if score == 0 else BEST_SCORE + score

cdef inline int score_of(int value) noexcept nogil:
    """The score of leaving the other side with a value."""
    if value == DRAW:
        return 0
    return value + 1 - BEST_SCORE if value & 1 else BEST_SCORE - (value + 1)

cdef void explore(Explorer *e, bitboard_t own, bitboard_t enemy, bitboard_t movers) noexcept nogil
cdef void set_up_sources(Sources *sources, const Index *index) noexcept nogil
cdef int judge_by_sources(void *cache, bitboard_t mover, bitboard_t other) noexcept nogil
