"""Turn generation on bitboards, for every module that needs speed.

A position is two bitboards seen from the side to move, `own` and `enemy`.
"""

from libc.stdint cimport uint8_t, uint64_t

from fanorona_core._bitboard cimport bit, bitboard_t, clz, popcount
from fanorona_core._geometry cimport NO_DIRECTION, Ray, Tables

# The result of a turn in one word: captured stones in bits 0-44, start in bits
# 45-50, end in bits 51-56.  Turns with equal results are equal words.
ctypedef uint64_t turn_t

cdef enum:
    COMPULSORY = 1      # a chain must go on while the stone can capture
    SINGLE = 2          # one capture only (first-turn restriction)
    MAX_STEPS = 45      # each step of a chain visits a new point
    WITHDRAWAL = 64     # added to a landing point in a path

# What the legal turns depend on besides the stones.
cdef struct TurnRules:
    bint compulsory
    int first_turn          # one of the next three
    int start_count[2]      # White's and Black's stones in the start position

cdef enum:
    UNRESTRICTED = 0
    WHITE_SINGLE = 1        # White's first turn has one capture only
    BOTH_SINGLE = 2         # ... the first capturing turn of each side

# The state of a turn: a chain in progress, or a stone about to begin one.
cdef struct Chain:
    int point               # where the stone stands
    bitboard_t visited      # points it stood on earlier in the turn
    int last                # direction of the last step, or NO_DIRECTION

# Turns, in a list that grows.
cdef struct TurnList:
    turn_t *items
    size_t count
    size_t capacity

# The steps of the turns of a list: for each turn one byte with their number,
# then a byte for each, its landing point (plus WITHDRAWAL).
cdef struct PathList:
    uint8_t *bytes
    size_t size
    size_t capacity

cdef inline bitboard_t captured_of(turn_t turn) noexcept nogil:
    return turn & 0x1FFFFFFFFFFFULL

cdef inline int start_of(turn_t turn) noexcept nogil:
    return <int>(turn >> 45) & 63

cdef inline int end_of(turn_t turn) noexcept nogil:
    return <int>(turn >> 51) & 63

cdef inline turn_t make_turn(int start, int end, bitboard_t captured) noexcept nogil:
    return captured | (<turn_t>start << 45) | (<turn_t>end << 51)

cdef inline bitboard_t moved(bitboard_t own, turn_t turn) noexcept nogil:
    """The stones of the side that made the turn."""
    return (own & ~bit(start_of(turn))) | bit(end_of(turn))

cdef inline bitboard_t shifted(const Tables *t, bitboard_t b, int d) noexcept nogil:
    """Shift a bitboard one line in direction d; the caller masks the edges."""
    return b >> t.shift[d] if d & 1 else b << t.shift[d]

cdef inline bitboard_t run(bitboard_t path, bitboard_t enemy, int d) noexcept nogil:
    """The unbroken run of enemy stones at the near end of a path that leads in direction d."""
    cdef bitboard_t stops = path & ~enemy
    if d & 1:
        # Keep what lies above the highest stop; the shift makes room for "no stop".
        return path & (<bitboard_t>-1 << (63 - clz((stops << 1) | 1)))
    return path & ~stops & (stops - 1)

cdef inline bitboard_t approached(const Ray *ray, bitboard_t enemy, int d) noexcept nogil:
    """What a step along the ray takes by approach, if anything."""
    return run(ray.path, enemy, d) if enemy & ray.ahead else 0

cdef inline bitboard_t withdrawn(const Ray *ray, bitboard_t enemy, int d) noexcept nogil:
    """What a step along the ray takes by withdrawal, if anything."""
    return run(ray.back, enemy, d ^ 1) if enemy & ray.behind else 0

cdef inline int restriction(const TurnRules *rules, int side, int turn_number,
                            bitboard_t enemy) noexcept nogil:
    """The flags under which a side generates its turn."""
    if rules.first_turn == WHITE_SINGLE and side == 0 and turn_number <= 2:
        return SINGLE
    if rules.first_turn == BOTH_SINGLE and popcount(enemy) == rules.start_count[side ^ 1]:
        return SINGLE
    return COMPULSORY if rules.compulsory else 0

cdef bitboard_t capturers(const Tables *t, bitboard_t own, bitboard_t enemy) noexcept nogil
cdef bint can_continue(const Tables *t, bitboard_t own, bitboard_t enemy, const Chain *chain) noexcept nogil
cdef bint has_paika(const Tables *t, bitboard_t own, bitboard_t enemy) noexcept nogil
cdef uint64_t count_turns(const Tables *t, bitboard_t own, bitboard_t enemy, int flags) noexcept nogil
cdef int list_turns(const Tables *t, bitboard_t own, bitboard_t enemy, int flags,
                    TurnList *turns, PathList *paths) noexcept nogil
cdef int list_chains(const Tables *t, bitboard_t own, bitboard_t enemy, const Chain *chain, int flags,
                     TurnList *turns, PathList *paths) noexcept nogil
cdef int list_results(const Tables *t, bitboard_t own, bitboard_t enemy, int flags,
                      TurnList *turns) noexcept nogil
cdef int reserve(TurnList *turns, size_t more) noexcept nogil
cdef void free_turns(TurnList *turns) noexcept nogil
cdef void free_paths(PathList *paths) noexcept nogil
