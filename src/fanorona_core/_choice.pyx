"""Choosing turns of the proving side, by what a hash table knows.

What it has lost is searched again; what it says is only a guide: the checker
decides.
"""

from libc.stdint cimport int64_t

from fanorona_core._bitboard cimport bitboard_t, popcount
from fanorona_core._dfpn cimport (
    NO_MEMORY, Child, Outcome, Seeker, add_children, fold, key_of, search, still_holds,
)
from fanorona_core._movegen cimport captured_of, list_results, moved
from fanorona_core._proofhash cimport FAILS, SUCCEEDS, TIED, Known, keep, recall
from fanorona_core._proofset cimport Members, find, insert
from fanorona_core._tablebase cimport TABLE_UNKNOWN, probe_wdl


# The positions to which the other side's turns lead: how many of them are new, up to a limit;
# or FAULT, if one of them is not what the strategy needs; with `enter` they are added.
cdef int64_t replies(Seeker *s, Members *m, bint holding, bitboard_t own, bitboard_t enemy,
                      int64_t limit, bint enter) noexcept nogil:
    cdef size_t first = s.turns.count, i
    cdef bitboard_t left, stones
    cdef int64_t fresh = 0
    cdef int result
    if list_results(s.board, own, enemy, s.flags, &s.turns) < 0:
        s.status = NO_MEMORY
        return ENDED
    if s.turns.count == first:
        return FAULT if s.no_move_draw and not holding else 0
    for i in range(first, s.turns.count):
        left, stones = enemy & ~captured_of(s.turns.items[i]), moved(own, s.turns.items[i])
        if not left:
            fresh = FAULT
            break
        if popcount(left | stones) <= s.most_stones:
            result = probe_wdl(s.tables, s.board, left, stones, s.tables.flags)
            if result != TABLE_UNKNOWN:
                if result < 0 or (result == 0 and not holding):
                    fresh = FAULT
                    break
                continue
        fold(s.index, &left, &stones)
        if find(m, left, stones) >= 0:
            continue
        fresh += 1
        if enter:
            if insert(m, left, stones) < 0:
                s.status = NO_MEMORY
                fresh = ENDED
                break
            if holding:
                keep(s.table, key_of(left, stones, True), SUCCEEDS, 1, 0, NEVER_LOST)
        elif fresh >= limit:
            break
    s.turns.count = first
    return fresh


# Choose a turn in a position of the proving side: BY_TABLE if it leads to a table or to the end,
# CHOSEN with what it leads to in `out`, or FAULT or ENDED.
cdef int choose(Seeker *s, Members *m, bint holding, bitboard_t own, bitboard_t enemy,
                 Outcome *out) noexcept nogil:
    cdef size_t first = s.count, i
    cdef int64_t best = MANY, fresh, bound = MANY
    cdef Known known
    cdef Outcome tied
    cdef Child *child
    cdef int settled = add_children(s, own, enemy, holding, out)
    if settled < 0:
        s.status = NO_MEMORY
        return ENDED
    if settled:
        return BY_TABLE if out.phi == 0 else FAULT
    if not holding:
        # Ranks fall on the way to the end.
        recall(s.table, key_of(own, enemy, False), &known)
        if known.kind == SUCCEEDS:
            bound = known.delta
    for i in range(first, s.count):
        child = s.children + i
        recall(s.table, child.key, &known)
        if known.kind == TIED and holding:
            if not still_holds(s, child.key, 1, 0, &tied):
                continue
        elif known.kind != FAILS or (not holding and <int64_t>known.delta >= bound):
            continue
        fresh = replies(s, m, holding, child.own, child.enemy, best, False)
        if fresh == ENDED:
            break
        if 0 <= fresh < best:
            best, out.own, out.enemy = fresh, child.own, child.enemy
    s.count = first
    if s.status:
        return ENDED
    if best < MANY:
        return CHOSEN
    search(
        s, own, enemy, key_of(own, enemy, holding), holding, 0, 0, 1LL << 60, 1LL << 60, out
    )
    if s.status:
        return ENDED
    return CHOSEN if out.phi == 0 and out.tie >= 0 else FAULT
