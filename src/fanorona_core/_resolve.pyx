"""Values of positions with a capture, from the tables of fewer stones."""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from fanorona_core._bitboard cimport bit, bitboard_t, ctz, popcount
from fanorona_core._geometry cimport NO_DIRECTION, Ray, Tables
from fanorona_core._index cimport Index, Place, slot_at
from fanorona_core._movegen cimport COMPULSORY, approached, withdrawn


cdef void set_up_judge(Judge *judge, const Tables *board, const Index *index, int flags) noexcept nogil:
    """Fill in a judge that has no tables yet."""
    cdef int v
    memset(judge, 0, sizeof(Judge))
    judge.board, judge.index, judge.flags = board, index, flags
    for v in range(DRAW):
        judge.score[v] = BEST_SCORE - (v + 1)
        if v & 1:
            judge.score[v] = -judge.score[v]
    judge.score[DRAW] = 0


cdef void clear_places(PlaceCache *cache) noexcept nogil:
    memset(cache.keys, 0, sizeof(cache.keys))


# The chains of one stone, and the best that they lead to.
cdef struct Chains:
    const Judge *judge
    PlaceCache *cache
    bitboard_t others       # the mover's stones that stay
    int stones              # all of the mover's
    int best


cdef inline void _weigh(Chains *c, int landing, bitboard_t left) noexcept nogil:
    """Take in the result of a turn: the stone on `landing`, enemy stones `left`."""
    cdef const Index *x = c.judge.index
    cdef const Place *found
    cdef bitboard_t own
    cdef uint64_t slot
    cdef int score, count
    if not left:
        c.best = BEST_SCORE - 1
        return
    own = c.others | bit(landing)
    count = popcount(left)
    if count >= c.stones:
        found = cached_place(c.cache, x, count, left)
        slot = slot_at(x, found, count, c.stones, own)
    else:
        found = cached_place(c.cache, x, c.stones, own)
        slot = slot_at(x, found, c.stones, count, left)
    score = c.judge.score[c.judge.values[count][c.stones][slot]]
    if score > c.best:
        c.best = score


cdef bint _follow(Chains *c, int point, bitboard_t open, bitboard_t enemy, int last) noexcept nogil:
    """Take in every way to go on from here; return whether there is one."""
    cdef const Tables *t = c.judge.board
    cdef bitboard_t landings = t.neighbours[point] & open, taken, left
    cdef const Ray *ray
    cdef int landing, d, kind
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
            further = left and _follow(c, landing, (open | taken) & ~ray.step, left, d)
            if not (further and c.judge.flags & COMPULSORY):
                _weigh(c, landing, left)
            if c.best == BEST_SCORE - 1:
                return True
    return found


cdef int best_capture(const Judge *judge, PlaceCache *cache, bitboard_t own, int own_stones,
                      bitboard_t enemy, bitboard_t movers) noexcept nogil:
    """The value for a mover whose stones `movers`, not none, can begin a capture."""
    cdef bitboard_t empty = judge.board.mask & ~(own | enemy)
    cdef Chains c
    cdef int point
    c.judge, c.cache, c.stones, c.best = judge, cache, own_stones, -BEST_SCORE
    while movers and c.best < BEST_SCORE - 1:
        point = ctz(movers)
        movers &= movers - 1
        c.others = own & ~bit(point)
        _follow(&c, point, empty, enemy, NO_DIRECTION)
    return value_of(c.best)
