"""Walking the strategy of a finished proof.

Each position in which the proving side moves gets one turn, of those that the
hash table knows to be right, or that a short search finds.  What the table has
lost is searched again; what it says is only a guide: the checker decides.
"""

cimport cython
from libc.stdint cimport int64_t, uint32_t

from fanorona_core._bitboard cimport bitboard_t, popcount
from fanorona_core._movegen cimport captured_of, list_results, moved
from fanorona_core._proofhash cimport FAILS, SUCCEEDS, TIED, Known, keep, recall
from fanorona_core._proofset cimport Member, Members, PositionSet, find, insert
from fanorona_core._prove cimport (
    NO_MEMORY, STOPPED, UNTIED, Child, Outcome, Prover, Seeker, add_children, fold, key_of, search,
    still_holds,
)
from fanorona_core._tablebase cimport TABLE_UNKNOWN, probe_wdl

cdef uint32_t ON_PATH = <uint32_t>-1     # the rank of a position whose turn is still looked for

cdef enum:
    NEVER_LOST = 63             # the work of what must stay in the hash table
    BY_TABLE = 1
    CHOSEN = 2
    FAULT = -1                  # the hash table was wrong
    ENDED = -2                  # by a limit
    CYCLE = -3                  # leads back to a position of the path
    MANY = 1 << 20


# The positions to which the other side's turns lead: how many of them are new, up to a limit;
# or FAULT, if one of them is not what the strategy needs; with `enter` they are added.
cdef int64_t _replies(Seeker *s, Members *m, bint holding, bitboard_t own, bitboard_t enemy,
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
            keep(s.table, key_of(left, stones, True), SUCCEEDS, 1, 0, NEVER_LOST)
        elif fresh >= limit:
            break
    s.turns.count = first
    return fresh


# Choose a turn in a position of the proving side: BY_TABLE if it leads to a table or to the end,
# CHOSEN with what it leads to in `out`, or FAULT or ENDED.  At a later attempt, take the next of
# the turns that are known to win, or CYCLE if there is none.
cdef int _choose(Seeker *s, Members *m, bint holding, bitboard_t own, bitboard_t enemy,
                 int attempt, Outcome *out) noexcept nogil:
    cdef size_t first = s.count, i
    cdef int64_t best = MANY, fresh, bound = MANY
    cdef Known known
    cdef Outcome tied
    cdef Child *child
    cdef int settled = add_children(s, own, enemy, holding, out), left = attempt
    if settled < 0:
        s.status = NO_MEMORY
        return ENDED
    if settled:
        return BY_TABLE if out.phi == 0 else FAULT
    if not holding and not attempt:
        # Ranks fall on the way to the end, so that a win does not turn in circles.
        recall(s.table, key_of(own, enemy, False), &known)
        if known.kind == SUCCEEDS:
            bound = known.delta
    for i in range(first, s.count):
        child = s.children + i
        recall(s.table, child.key, &known)
        if attempt:
            left -= known.kind == FAILS
            if not left:
                best, out.own, out.enemy = 0, child.own, child.enemy
                break
            continue
        if known.kind == TIED and holding:
            if not still_holds(s, child.key, 1, 0, &tied):
                continue
        elif known.kind != FAILS or (not holding and <int64_t>known.delta >= bound):
            continue
        fresh = _replies(s, m, holding, child.own, child.enemy, best, False)
        if fresh == ENDED:
            break
        if 0 <= fresh < best:
            best, out.own, out.enemy = fresh, child.own, child.enemy
    s.count = first
    if s.status:
        return ENDED
    if best < MANY:
        return CHOSEN
    if attempt:
        return CYCLE
    search(
        s, own, enemy, key_of(own, enemy, holding), holding, 0, 0, 1LL << 60, 1LL << 60, out
    )
    if s.status:
        return ENDED
    return CHOSEN if out.phi == 0 and out.tie >= 0 else FAULT


cdef int _hold(Seeker *s, Members *m, size_t *done) noexcept nogil:
    """Give each member its turn, until no new ones come."""
    cdef bitboard_t own, enemy
    cdef Outcome out
    cdef int64_t fresh
    cdef int chosen
    while done[0] < m.count:
        own, enemy = m.items[done[0]].own, m.items[done[0]].enemy
        chosen = _choose(s, m, True, own, enemy, 0, &out)
        if chosen < 0:
            return chosen
        if chosen == CHOSEN:
            keep(s.table, key_of(own, enemy, True), SUCCEEDS, 1, 0, NEVER_LOST)
            fresh = _replies(s, m, True, out.own, out.enemy, MANY, True)
            if fresh < 0:
                return <int>fresh
        done[0] += 1
    return 0


cdef int64_t _rank(Seeker *s, Members *m, bitboard_t own, bitboard_t enemy) noexcept nogil:
    """The rank of a won position of the proving side, all that it needs being entered; or < 0."""
    cdef int64_t place = find(m, own, enemy), rank
    cdef Outcome out
    cdef int chosen, attempt = 0
    if place >= 0 and m.items[place].rank:
        if m.items[place].rank == ON_PATH:
            return CYCLE
        return m.items[place].rank
    if place < 0:
        place = insert(m, own, enemy)
    if place < 0:
        s.status = NO_MEMORY
        return ENDED
    m.items[place].rank = ON_PATH
    while True:
        chosen = _choose(s, m, False, own, enemy, attempt, &out)
        if chosen == CHOSEN:
            rank = _rank_of_replies(s, m, out.own, out.enemy)
        else:
            rank = 1 if chosen == BY_TABLE else chosen
        if rank != CYCLE or chosen == CYCLE:
            break
        attempt += 1
    # Without a rank it may be tried again, from another path.
    m.items[place].rank = <uint32_t>rank if rank > 0 else 0
    return rank


cdef int64_t _rank_of_replies(Seeker *s, Members *m, bitboard_t own, bitboard_t enemy) noexcept nogil:
    """The rank of a position whose chosen turn leads to this one, of the other side; or < 0."""
    cdef size_t first = s.turns.count, i, last
    cdef int64_t most = 1, rank
    cdef bitboard_t left, stones
    cdef int result
    if list_results(s.board, own, enemy, s.flags, &s.turns) < 0:
        s.status = NO_MEMORY
        return ENDED
    last = s.turns.count
    for i in range(first, last):
        left, stones = enemy & ~captured_of(s.turns.items[i]), moved(own, s.turns.items[i])
        result = TABLE_UNKNOWN
        if left and popcount(left | stones) <= s.most_stones:
            result = probe_wdl(s.tables, s.board, left, stones, s.tables.flags)
        if not left or (result != TABLE_UNKNOWN and result <= 0):
            most = FAULT
            break
        if result != TABLE_UNKNOWN:
            continue
        fold(s.index, &left, &stones)
        rank = _rank(s, m, left, stones)
        if rank < 0:
            most = rank
            break
        if rank + 1 > most:
            most = rank + 1
    s.turns.count = first
    return most


@cython.final
cdef class Strategy:
    """Collects the positions of the side that a prover has found to hold, or to win."""

    def __cinit__(self, Prover prover, bint holding):
        self.prover, self.holding = prover, holding
        self.positions = PositionSet(prover.set_index, not holding)

    def collect(self, bitboard_t own, bitboard_t enemy, bint to_move, int64_t node_limit,
                int64_t deadline_us, report) -> bool:
        """Collect from a proved position; return False if a limit came first.

        `to_move` says whether the proving side moves.  A later call goes on
        where a hold was left.

        Raises:
            LookupError: what the hash table said is not so.
            MemoryError: there is no room.
        """
        cdef Seeker *s = self.prover.seeker
        cdef Members *m = &self.positions.members
        cdef int64_t result = 0
        self.prover.begin(node_limit, deadline_us, report)
        fold(s.index, &own, &enemy)
        if self.holding:
            if not m.count:
                if to_move:
                    if insert(m, own, enemy) < 0:
                        raise MemoryError("no memory for the positions of the proof")
                else:
                    result = _replies(s, m, True, own, enemy, MANY, True)
            with nogil:
                if result >= 0:
                    result = _hold(s, m, &self.done)
        else:
            with nogil:
                if to_move:
                    result = _rank(s, m, own, enemy)
                else:
                    result = _rank_of_replies(s, m, own, enemy)
        self.prover.ended()
        if result == FAULT or result == CYCLE:
            raise LookupError("the hash table was wrong about a position of the proof")
        return result != ENDED
