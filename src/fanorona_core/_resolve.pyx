"""The best result of a turn that captures, by whatever judges the results."""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from fanorona_core._bitboard cimport bit, bitboard_t, ctz, popcount
from fanorona_core._geometry cimport NO_DIRECTION, Ray, Tables
from fanorona_core._index cimport Index, Place, slot_at
from fanorona_core._movegen cimport COMPULSORY, approached, withdrawn


cdef bint _follow(Explorer *e, int point, bitboard_t open, bitboard_t enemy, int last) noexcept nogil:
    """Take in every way to go on from here; return whether there is one."""
    cdef const Tables *t = e.board
    cdef bitboard_t landings = t.neighbours[point] & open, taken, left
    cdef const Ray *ray
    cdef int landing, d, kind, score
    cdef bint found = False, further
    while landings:
        landing = ctz(landings)
        landings &= landings - 1
        d = t.direction[point][landing]
        ray = &t.rays[point][d]
        if d == last or not enemy & (ray.ahead | ray.behind):
            continue
        found = True
        for kind in range(2):
            taken = approached(ray, enemy, d) if kind == 0 else withdrawn(ray, enemy, d)
            if not taken:
                continue
            left = enemy & ~taken
            further = left and _follow(e, landing, (open | taken) & ~ray.step, left, d)
            if not (further and e.flags & COMPULSORY):
                score = e.judge(e.context, left, e.others | bit(landing)) if left else BEST_SCORE - 1
                if score > e.best:
                    e.best = score
            if e.best >= e.goal:
                return True
    return found


cdef void explore(Explorer *e, bitboard_t own, bitboard_t enemy, bitboard_t movers) noexcept nogil:
    """Find the best score of a mover whose stones `movers`, not none, can begin a capture.

    Taking the last enemy stone scores BEST_SCORE - 1.
    """
    cdef bitboard_t empty = e.board.mask & ~(own | enemy)
    cdef int point
    e.best = -BEST_SCORE
    while movers and e.best < e.goal:
        point = ctz(movers)
        movers &= movers - 1
        e.others = own & ~bit(point)
        _follow(e, point, empty, enemy, NO_DIRECTION)


cdef void set_up_sources(Sources *sources, const Index *index) noexcept nogil:
    """Prepare for tables that are still to come."""
    cdef int value
    memset(sources, 0, sizeof(Sources))
    sources.index = index
    for value in range(256):
        sources.score[value] = score_of(value)


cdef int judge_by_sources(void *cache, bitboard_t mover, bitboard_t other) noexcept nogil:
    """Look a position up; the context is a place cache."""
    cdef PlaceCache *c = <PlaceCache *>cache
    cdef const Sources *s = c.sources
    cdef int m = popcount(mover), o = popcount(other)
    cdef uint64_t slot
    if m >= o:
        slot = slot_at(s.index, cached_place(c, m, mover), m, o, other)
    else:
        slot = slot_at(s.index, cached_place(c, o, other), o, m, mover)
    return s.score[s.values[m][o][slot]]
