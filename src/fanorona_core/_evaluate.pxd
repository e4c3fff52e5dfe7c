"""The static value of a position for the side to move, in centipawns."""

from fanorona_core._bitboard cimport bitboard_t, popcount
from fanorona_core._geometry cimport DIRECTIONS, Tables

cdef enum:
    MATERIAL = 2300         # times the difference of stones over their sum: a stone of 23 is 100
    STRONG_POINT = 8        # a stone on a strong point

cdef inline int material(int own, int enemy) noexcept nogil:
    return MATERIAL * (own - enemy) // (own + enemy)

# The most stones that one capturing step of each side would take; 0 if there is none.
cdef struct Gains:
    int own
    int enemy

cdef inline Gains best_first_captures(const Tables *t, bitboard_t own,
                                      bitboard_t enemy) noexcept nogil:
    """Find both sides' best first captures, of all stones at once.

    A capture needs a stone and an empty point next to each other, and enemy
    stones behind one of them: behind the empty point the stone approaches
    them, behind the stone it withdraws from them.  So both kinds are found
    together, first all steps that take one stone, of these all that take a
    second one, and so on.
    """
    cdef bitboard_t empty = t.mask & ~(own | enemy), free, pairs, any_own = 0, any_enemy = 0
    cdef bitboard_t own_runs[DIRECTIONS]
    cdef bitboard_t enemy_runs[DIRECTIONS]
    cdef Gains gains
    cdef int d, s
    for d in range(0, DIRECTIONS, 2):
        s = t.shift[d]
        free = empty << s
        # Pairs that lie along the line, at their upper point.
        pairs = ((own << s) & empty) | (free & own)
        own_runs[d] = (pairs << s) & enemy & t.has_second[d ^ 1]
        own_runs[d ^ 1] = (pairs >> 2 * s) & enemy & t.has_second[d]
        any_own |= own_runs[d] | own_runs[d ^ 1]
        pairs = ((enemy << s) & empty) | (free & enemy)
        enemy_runs[d] = (pairs << s) & own & t.has_second[d ^ 1]
        enemy_runs[d ^ 1] = (pairs >> 2 * s) & own & t.has_second[d]
        any_enemy |= enemy_runs[d] | enemy_runs[d ^ 1]
    gains.own = gains.enemy = 0
    while any_own | any_enemy:
        gains.own += any_own != 0
        gains.enemy += any_enemy != 0
        any_own = any_enemy = 0
        for d in range(0, DIRECTIONS, 2):
            s = t.shift[d]
            own_runs[d] = (own_runs[d] << s) & enemy & t.has_neighbour[d ^ 1]
            own_runs[d ^ 1] = (own_runs[d ^ 1] >> s) & enemy & t.has_neighbour[d]
            any_own |= own_runs[d] | own_runs[d ^ 1]
            enemy_runs[d] = (enemy_runs[d] << s) & own & t.has_neighbour[d ^ 1]
            enemy_runs[d ^ 1] = (enemy_runs[d ^ 1] >> s) & own & t.has_neighbour[d]
            any_enemy |= enemy_runs[d] | enemy_runs[d ^ 1]
    return gains

cdef inline int evaluate(const Tables *t, bitboard_t own, bitboard_t enemy, int gain) noexcept nogil:
    """The value for the side to move, whose best first capture takes `gain` stones."""
    cdef int a = popcount(own), b = popcount(enemy)
    cdef int value = material(a, b)
    if gain:
        # Half of what the capture brings: the other side takes back.
        value = (value + material(a, b - gain)) // 2
    return value + STRONG_POINT * (popcount(own & t.strong) - popcount(enemy & t.strong))
