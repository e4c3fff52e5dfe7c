"""Counting sequences of turns, the measure of a move generator."""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport uint64_t

from fanorona_core._bitboard cimport bit, bitboard_t, ctz
from fanorona_core._geometry cimport NO_DIRECTION, Ray, Tables
from fanorona_core._movegen cimport (
    COMPULSORY, SINGLE, Chain, TurnList, TurnRules, approached, can_continue, captured_of, capturers,
    count_turns, free_turns, list_results, list_turns, moved, restriction, turn_t, withdrawn,
)
from fanorona_core._position cimport RawPosition

cdef enum:
    POLL_NODES = 1 << 14    # interior nodes between two looks at pending signals
    MAX_PERFT_DEPTH = 1000  # a level of recursion each: more would need a larger stack

cdef struct Count:
    const Tables *tables
    TurnRules rules
    bint merged
    TurnList turns      # of all levels, one behind the other
    int until_poll


cdef int _poll(Count *c) except -1 nogil:
    c.until_poll -= 1
    if c.until_poll < 0:
        c.until_poll = POLL_NODES
        with gil:
            PyErr_CheckSignals()
    return 0


cdef int _no_memory() except -1 nogil:
    with gil:
        raise MemoryError("the turns do not fit into memory")


cdef uint64_t _turns(Count *c, bitboard_t own, bitboard_t enemy, int side, int turn_number,
                     int depth) except? 0 nogil:
    """Count sequences of whole turns."""
    cdef int flags = restriction(&c.rules, side, turn_number, enemy)
    cdef size_t base = c.turns.count, i
    cdef uint64_t total = 0
    cdef turn_t turn
    if depth == 1 and not c.merged:
        return count_turns(c.tables, own, enemy, flags)
    _poll(c)
    if (
        list_results(c.tables, own, enemy, flags, &c.turns) if c.merged
        else list_turns(c.tables, own, enemy, flags, &c.turns, NULL)
    ) < 0:
        _no_memory()
    if depth == 1:
        total = c.turns.count - base
    else:
        for i in range(base, c.turns.count):
            turn = c.turns.items[i]
            total += _turns(
                c, enemy & ~captured_of(turn), moved(own, turn), side ^ 1, turn_number + 1, depth - 1
            )
    c.turns.count = base
    return total


cdef uint64_t _steps(Count *c, bitboard_t own, bitboard_t enemy, const Chain *chain, int side,
                     int turn_number, int depth) except? 0 nogil:
    """Count sequences of steps, where stopping a chain that could go on is a step too.

    `chain` is NULL at the start of a turn.
    """
    cdef bitboard_t movers, landings, open, taken
    cdef uint64_t total = 0
    cdef Chain next
    cdef const Ray *ray
    cdef int d, kind, landing
    cdef bint capturing = True, single = False
    if depth == 0:
        return 1
    _poll(c)
    if chain != NULL:
        # The caller has seen that the chain can go on.
        if not c.rules.compulsory:
            total = _steps(c, enemy, own, NULL, side ^ 1, turn_number + 1, depth - 1)
        movers = bit(chain.point)
        next = chain[0]
    else:
        if not enemy:
            return 0
        single = restriction(&c.rules, side, turn_number, enemy) == SINGLE
        movers = capturers(c.tables, own, enemy)
        capturing = movers != 0
        if not capturing:
            movers = own
        next.visited, next.last = 0, NO_DIRECTION
    open = c.tables.mask & ~(own | enemy | next.visited)
    while movers:
        next.point = ctz(movers)
        movers &= movers - 1
        landings = c.tables.neighbours[next.point] & open
        while landings:
            landing = ctz(landings)
            landings &= landings - 1
            d = c.tables.direction[next.point][landing]
            ray = &c.tables.rays[next.point][d]
            if not capturing:
                total += _steps(
                    c, enemy, own ^ bit(next.point) ^ bit(landing), NULL, side ^ 1,
                    turn_number + 1, depth - 1,
                )
            elif d != next.last:
                for kind in range(2):
                    taken = approached(ray, enemy, d) if kind == 0 else withdrawn(ray, enemy, d)
                    if taken:
                        total += _capture(
                            c, own, enemy & ~taken, &next, landing, d, side, turn_number, depth,
                            single,
                        )
    return total


cdef uint64_t _capture(Count *c, bitboard_t own, bitboard_t enemy, const Chain *chain, int landing,
                       int d, int side, int turn_number, int depth, bint single) except? 0 nogil:
    """Count what follows a capturing step, whose stones are already off the board."""
    cdef Chain next
    next.point, next.last = landing, d
    next.visited = chain.visited | bit(chain.point)
    own ^= bit(chain.point) ^ bit(landing)
    if not single and can_continue(c.tables, own, enemy, &next):
        return _steps(c, own, enemy, &next, side, turn_number, depth - 1)
    return _steps(c, enemy, own, NULL, side ^ 1, turn_number + 1, depth - 1)


POLICIES = ("distinct", "merged", "steps")


def perft(RawPosition position not None, Py_ssize_t depth, str policy not None="distinct") -> int:
    """Return the number of sequences of `depth` plies from a position.

    Policies: "distinct" counts every chain by its path and kinds, "merged"
    counts turns with equal start, end and captured stones once, "steps" takes
    each step, and each stop of a chain that could go on, as a ply.  With a
    chain in progress the turns that can still be made of it are the first ply.
    Releases the GIL; interrupts are seen.

    Raises:
        ValueError: depth is negative or more than 1000, or the policy has no such name.
        MemoryError: the turns of one line do not fit into memory.

    Examples:
        >>> from fanorona_core import Position, perft
        >>> perft(Position.start(), 3), perft(Position.start(), 3, "steps")
        (724, 64)
    """
    cdef Count c
    cdef uint64_t total
    cdef bitboard_t own = position.stones[position.to_move]
    cdef bitboard_t enemy = position.stones[position.to_move ^ 1]
    cdef int side = position.to_move, turn_number = position.turn_number
    cdef bint steps = policy == "steps"
    cdef const Chain *chain = NULL if position.chain is None else &position.state
    if policy not in POLICIES:
        raise ValueError(f"no counting policy {policy!r}: use one of {', '.join(POLICIES)}")
    if depth < 0:
        raise ValueError(f"perft depth must not be negative, not {depth}")
    if depth > MAX_PERFT_DEPTH:
        raise ValueError(f"perft depth {depth}: expected at most {MAX_PERFT_DEPTH}")
    if depth == 0:
        return 1
    if chain != NULL and not steps:
        turns = [position._play(turn) for turn in position.legal_turns()]
        if policy == "merged":  # the stone and its start are given: equal results are equal keys
            turns = list({after.key: after for after in turns}.values())
        return sum([perft(after, depth - 1, policy) for after in turns])
    c.tables, c.rules = &position.geometry.tables, position.turn_rules
    c.merged, c.until_poll = policy == "merged", POLL_NODES
    c.turns.items, c.turns.count, c.turns.capacity = NULL, 0, 0
    try:
        with nogil:
            if steps:
                total = _steps(&c, own, enemy, chain, side, turn_number, depth)
            else:
                total = _turns(&c, own, enemy, side, turn_number, depth)
        return total
    finally:
        free_turns(&c.turns)
