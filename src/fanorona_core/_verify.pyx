"""Checking the positions of a proof, without any search.

Nothing is shared with the search but the rules and the tables.
"""

from libc.stdint cimport int64_t, uint32_t
from cpython.exc cimport PyErr_CheckSignals

from fanorona_core._bitboard cimport bitboard_t, popcount
from fanorona_core._dfpn cimport fold
from fanorona_core._geometry cimport Tables
from fanorona_core._movegen cimport (
    COMPULSORY, TurnList, captured_of, free_turns, list_results, moved,
)
from fanorona_core._proofset cimport Members, PositionSet, find
from fanorona_core._tablebase cimport TABLE_UNKNOWN, LoadedTables, TableSet, probe_wdl

cdef enum:
    RIGHT = 1
    WRONG = 0
    NO_MEMORY = -1

cdef struct Checker:
    const Tables *board
    const TableSet *tables
    const Members *members
    int flags
    int most_stones
    bint holding
    bint no_move_draw
    TurnList turns


cdef int _reaches(Checker *c, PositionSet positions, bitboard_t own, bitboard_t enemy,
                  int64_t rank) noexcept nogil:
    """Whether each turn of the other side, who moves here, leads to a member or a good table value.

    The ranks of the members must be below `rank`.
    """
    cdef size_t first = c.turns.count, i
    cdef bitboard_t left, stones
    cdef int64_t place
    cdef int result, verdict = RIGHT
    if list_results(c.board, own, enemy, c.flags, &c.turns) < 0:
        return NO_MEMORY
    if c.turns.count == first:
        return RIGHT if c.holding or not c.no_move_draw else WRONG
    for i in range(first, c.turns.count):
        left, stones = enemy & ~captured_of(c.turns.items[i]), moved(own, c.turns.items[i])
        if not left:
            verdict = WRONG
            break
        if popcount(left | stones) <= c.most_stones:
            result = probe_wdl(c.tables, c.board, left, stones, c.tables.flags)
            if result == TABLE_UNKNOWN or result < 0 or (result == 0 and not c.holding):
                verdict = WRONG
                break
            continue
        fold(&positions.index.index, &left, &stones)
        place = find(c.members, left, stones)
        if place < 0 or (not c.holding and c.members.items[place].rank >= rank):
            verdict = WRONG
            break
    c.turns.count = first
    return verdict


cdef int _has_turn(Checker *c, PositionSet positions, bitboard_t own, bitboard_t enemy,
                   int64_t rank) noexcept nogil:
    """Whether the proving side, who moves here, has a turn that keeps to the proof."""
    cdef size_t first = c.turns.count, i, last
    cdef bitboard_t left, stones
    cdef int result, verdict = WRONG
    if list_results(c.board, own, enemy, c.flags, &c.turns) < 0:
        return NO_MEMORY
    last = c.turns.count
    if last == first and c.no_move_draw and c.holding:
        return RIGHT
    for i in range(first, last):
        left, stones = enemy & ~captured_of(c.turns.items[i]), moved(own, c.turns.items[i])
        if not left:
            verdict = RIGHT
        elif popcount(left | stones) <= c.most_stones:
            result = probe_wdl(c.tables, c.board, left, stones, c.tables.flags)
            if result < 0 or (result == 0 and c.holding):
                verdict = RIGHT
        else:
            verdict = _reaches(c, positions, left, stones, rank)
        if verdict != WRONG:
            break
    c.turns.count = first
    return verdict


def first_fault(LoadedTables tables, PositionSet positions, int most_stones, bint holding,
                bint compulsory, bint no_move_draw, bitboard_t own, bitboard_t enemy,
                bint to_move) -> int | None:
    """Return the place of the first member without a turn that keeps to the proof, or None.

    -1 is the root, (own, enemy) from the mover's side, in which `to_move` says
    whether the proving side moves.  All tables of up to `most_stones` stones
    must be there.

    Raises:
        MemoryError: the turns of a position do not fit into memory.
    """
    cdef Checker c
    cdef size_t i = 0, end
    cdef int verdict
    c.board, c.tables = &tables.geometry.tables, &tables.tables
    c.members, c.flags = &positions.members, COMPULSORY if compulsory else 0
    c.most_stones, c.holding, c.no_move_draw = most_stones, holding, no_move_draw
    c.turns.items, c.turns.count, c.turns.capacity = NULL, 0, 0
    try:
        if to_move:
            verdict = _has_turn(&c, positions, own, enemy, 1 << 40)
        else:
            verdict = _reaches(&c, positions, own, enemy, 1 << 40)
        if verdict == WRONG:
            return -1
        while verdict == RIGHT and i < c.members.count:
            PyErr_CheckSignals()
            end = min(i + 4096, c.members.count)
            with nogil:
                while i < end:
                    verdict = _has_turn(
                        &c, positions, c.members.items[i].own, c.members.items[i].enemy,
                        c.members.items[i].rank,
                    )
                    if verdict != RIGHT:
                        break
                    i += 1
        if verdict == NO_MEMORY:
            raise MemoryError("the turns of a position do not fit into memory")
        return None if verdict == RIGHT else i
    finally:
        free_turns(&c.turns)
