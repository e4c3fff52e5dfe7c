"""The static value of a position for the side to move, in centipawns."""

from fanorona_core._bitboard cimport bitboard_t, popcount
from fanorona_core._geometry cimport DIRECTIONS, Tables
from fanorona_core._movegen cimport shifted

cdef enum:
    MATERIAL = 2300         # times the difference of stones over their sum: a stone of 23 is 100
    STRONG_POINT = 8        # a stone on a strong point

cdef inline int material(int own, int enemy) noexcept nogil:
    return MATERIAL * (own - enemy) // (own + enemy)

cdef inline int best_first_capture(const Tables *t, bitboard_t own, bitboard_t enemy) noexcept nogil:
    """The most stones that one capturing step takes; 0 if there is none.

    All stones at once: those whose step takes one stone, of these those whose
    step takes a second one, and so on.
    """
    cdef bitboard_t empty = t.mask & ~(own | enemy), movers, takers, run, line
    cdef int d, length, best = 0
    for d in range(DIRECTIONS):
        movers = own & t.has_neighbour[d] & shifted(t, empty, d ^ 1)
        if not movers:
            continue
        # By approach: the run begins two lines ahead of the mover; in terms of its last point.
        run = shifted(t, movers & t.has_second[d], d)
        length = 0
        while run:
            run = shifted(t, run & t.has_neighbour[d], d) & enemy
            length += run != 0
        if length > best:
            best = length
        run = movers
        length = 0
        while run:
            run = shifted(t, run & t.has_neighbour[d ^ 1], d ^ 1) & enemy
            length += run != 0
        if length > best:
            best = length
    return best

cdef inline int evaluate(const Tables *t, bitboard_t own, bitboard_t enemy, int gain) noexcept nogil:
    """The value for the side to move, whose best first capture takes `gain` stones."""
    cdef int a = popcount(own), b = popcount(enemy)
    cdef int value = material(a, b)
    if gain:
        # Half of what the capture brings: the other side takes back.
        value = (value + material(a, b - gain)) // 2
    return value + STRONG_POINT * (popcount(own & t.strong) - popcount(enemy & t.strong))
