"""Walking the strategy of a finished proof.

Each position in which the proving side moves gets one turn, of those that the
hash table knows to be right, or that a short search finds.  What the table has
lost is searched again; what it says is only a guide: the checker decides.

A win must not turn in circles: ranks say how far it is at most to the tables.
They are computed from the tables upwards.  Where that does not reach the root,
since the proof of something lost leans on what it is needed for, positions are
proved anew with a hash table of their own that knows only what has a rank.
"""

cimport cython
from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.stdlib cimport calloc, free

from fanorona_core._bitboard cimport bitboard_t, popcount
from fanorona_core._movegen cimport captured_of, list_results, moved
from fanorona_core._proofhash cimport (
    FAILS, SUCCEEDS, TIED, Known, ProofHash, ProofTable, keep, recall,
)
from fanorona_core._proofset cimport Member, Members, PositionSet, find, insert
from fanorona_core._prove cimport (
    NO_MEMORY, SETTLED, STOPPED, UNTIED, Child, Outcome, Prover, Seeker, add_children, fold, key_of, search,
    still_holds,
)
from fanorona_core._tablebase cimport TABLE_UNKNOWN, probe_wdl

# What stands for the rank of a member that has none: the round in which its turn was last chosen.
cdef uint32_t UNRANKED = 1U << 31

cdef enum:
    FIRST_NODES = 2000          # of a search for a win that the hash table has lost
    NEVER_LOST = 63             # the work of what must stay in the hash table
    BY_TABLE = 1
    CHOSEN = 2
    FAULT = -1                  # the hash table was wrong
    ENDED = -2                  # by a limit
    TOO_HARD = -3               # not found within so many nodes
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
            if holding:
                keep(s.table, key_of(left, stones, True), SUCCEEDS, 1, 0, NEVER_LOST)
        elif fresh >= limit:
            break
    s.turns.count = first
    return fresh


# Choose a turn in a position of the proving side: BY_TABLE if it leads to a table or to the end,
# CHOSEN with what it leads to in `out`, or FAULT or ENDED.
cdef int _choose(Seeker *s, Members *m, bint holding, bitboard_t own, bitboard_t enemy,
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
    search(
        s, own, enemy, key_of(own, enemy, holding), holding, 0, 0, 1LL << 60, 1LL << 60, out
    )
    if s.status:
        return ENDED
    return CHOSEN if out.phi == 0 and out.tie >= 0 else FAULT


cdef int _close(Seeker *s, Members *m, bint holding, size_t *done) noexcept nogil:
    """Give each member its turn, until no new ones come."""
    cdef bitboard_t own, enemy
    cdef Outcome out
    cdef int64_t fresh
    cdef int chosen
    while done[0] < m.count:
        own, enemy = m.items[done[0]].own, m.items[done[0]].enemy
        chosen = _choose(s, m, holding, own, enemy, &out)
        if chosen < 0:
            return chosen
        if chosen == CHOSEN:
            if holding:
                keep(s.table, key_of(own, enemy, True), SUCCEEDS, 1, 0, NEVER_LOST)
            fresh = _replies(s, m, holding, out.own, out.enemy, MANY, True)
            if fresh < 0:
                return <int>fresh
        done[0] += 1
    return 0


# The rank of a position of the other side: one more than that of the replies, or 1 if there are
# only tables; 0 if some reply has no rank below `bound`, or is none of a win; ENDED.
cdef int64_t _rank_of_replies(Seeker *s, Members *m, bitboard_t own, bitboard_t enemy,
                              uint32_t bound) noexcept nogil:
    cdef size_t first = s.turns.count, i
    cdef bitboard_t left, stones
    cdef int64_t rank = 1, place
    cdef int result
    if list_results(s.board, own, enemy, s.flags, &s.turns) < 0:
        s.status = NO_MEMORY
        return ENDED
    if s.turns.count == first and s.no_move_draw:
        return 0
    for i in range(first, s.turns.count):
        left, stones = enemy & ~captured_of(s.turns.items[i]), moved(own, s.turns.items[i])
        result = TABLE_UNKNOWN
        if left and popcount(left | stones) <= s.most_stones:
            result = probe_wdl(s.tables, s.board, left, stones, s.tables.flags)
        if not left or (result != TABLE_UNKNOWN and result <= 0):
            rank = 0
            break
        if result != TABLE_UNKNOWN:
            continue
        fold(s.index, &left, &stones)
        place = find(m, left, stones)
        if place < 0 or not 0 < m.items[place].rank < bound:
            rank = 0
            break
        if m.items[place].rank >= rank:
            rank = m.items[place].rank + 1
    s.turns.count = first
    return rank


# The best turn of a position by the ranks of the replies, all below `bound`: what it leads to in
# `out`, if that is no table.  Its rank, 0 without such a turn, or ENDED.
cdef int64_t _best_by_rank(Seeker *s, Members *m, bitboard_t own, bitboard_t enemy, uint32_t bound,
                           Outcome *out) noexcept nogil:
    cdef size_t first = s.count, i
    cdef int64_t best = 0, rank
    cdef int settled = add_children(s, own, enemy, False, out)
    if settled < 0:
        s.status = NO_MEMORY
        return ENDED
    if settled:
        out.own = 0
        return 1 if out.phi == 0 else 0
    for i in range(first, s.count):
        rank = _rank_of_replies(s, m, s.children[i].own, s.children[i].enemy, bound)
        if rank < 0:
            best = rank
            break
        if rank and (not best or rank < best):
            best, out.own, out.enemy = rank, s.children[i].own, s.children[i].enemy
    s.count = first
    return best


cdef int64_t _rank_members(Seeker *s, Members *m, uint32_t mark, ProofHash *again) noexcept nogil:
    """Rank all members whose turns lead down to tables, or those with a mark, and tell the table.

    Return how many could not be, or ENDED.
    """
    cdef size_t i
    cdef int64_t rank, found = 1, left = 0
    cdef Outcome out
    while found:
        found = left = 0
        # The later members are mostly nearer to the end.
        for i in range(m.count - 1, -1, -1):
            if 0 < m.items[i].rank < UNRANKED or (mark and m.items[i].rank != mark):
                continue
            rank = _best_by_rank(s, m, m.items[i].own, m.items[i].enemy, UNRANKED, &out)
            if rank < 0:
                return rank
            if not rank:
                left += 1
                continue
            m.items[i].rank = <uint32_t>rank
            found += 1
            if again != NULL:
                _tell(again, &m.items[i])
        if not left:
            break
    return left


cdef inline void _tell(ProofHash *table, const Member *member) noexcept nogil:
    keep(table, key_of(member.own, member.enemy, False), SUCCEEDS, 0, member.rank, NEVER_LOST)


cdef int _prove_again(Seeker *s, Members *m, size_t place, int64_t nodes) noexcept nogil:
    """Search for the win of a member: 0, TOO_HARD, FAULT or ENDED."""
    cdef int64_t limit = s.node_limit
    cdef bitboard_t own = m.items[place].own, enemy = m.items[place].enemy
    cdef Outcome out
    s.node_limit = s.nodes + nodes
    if limit and limit < s.node_limit:
        s.node_limit = limit
    s.until_poll = 0
    search(s, own, enemy, key_of(own, enemy, False), False, 0, 0, 1LL << 60, 1LL << 60, &out)
    nodes, s.node_limit = s.node_limit, limit
    if s.status == STOPPED and nodes != limit and s.nodes >= nodes:
        s.status = SETTLED
        return TOO_HARD
    if s.status:
        return ENDED
    return 0 if out.phi == 0 and out.tie >= 0 else FAULT


cdef int _enter_again(Seeker *s, Members *m, size_t place, uint32_t mark) noexcept nogil:
    """Choose the turns of a member and all below it afresh; `mark` tells those that have one."""
    cdef size_t first = s.turns.count, i, last
    cdef bitboard_t left, stones
    cdef int64_t reply
    cdef Outcome out
    cdef int chosen
    m.items[place].rank = mark
    chosen = _choose(s, m, False, m.items[place].own, m.items[place].enemy, &out)
    if chosen != CHOSEN:
        return 0 if chosen == BY_TABLE else chosen
    if list_results(s.board, out.own, out.enemy, s.flags, &s.turns) < 0:
        s.status = NO_MEMORY
        return ENDED
    chosen, last = 0, s.turns.count
    for i in range(first, last):
        left = out.enemy & ~captured_of(s.turns.items[i])
        stones = moved(out.own, s.turns.items[i])
        if popcount(left | stones) <= s.most_stones:
            continue
        fold(s.index, &left, &stones)
        reply = find(m, left, stones)
        if reply < 0:
            reply = insert(m, left, stones)
            if reply < 0:
                s.status = NO_MEMORY
                chosen = ENDED
                break
        elif m.items[reply].rank == mark or 0 < m.items[reply].rank < UNRANKED:
            continue
        chosen = _enter_again(s, m, reply, mark)
        if chosen < 0:
            break
    s.turns.count = first
    return chosen


cdef int _mend(Seeker *s, Members *m, ProofHash *again, size_t roots) noexcept nogil:
    """Prove what has no rank anew, the easiest first, until all roots have one."""
    cdef ProofHash *table = s.table
    cdef int64_t nodes = FIRST_NODES
    cdef uint32_t mark = UNRANKED
    cdef size_t i
    cdef int done = 0
    cdef bint found
    for i in range(m.count):
        if 0 < m.items[i].rank < UNRANKED:
            _tell(again, &m.items[i])
    s.table = again
    while done >= 0 and not _are_ranked(m, roots):
        found = False
        for i in range(m.count - 1, -1, -1):
            if 0 < m.items[i].rank < UNRANKED:
                continue
            done = _prove_again(s, m, i, nodes)
            if done == TOO_HARD:
                done = 0
                continue
            if done < 0:
                break
            mark += 1
            found = True
            done = _enter_again(s, m, i, mark)
            if done < 0 or _rank_members(s, m, mark, again) < 0:
                break
        if s.status or (done >= 0 and _rank_members(s, m, 0, again) < 0):
            done = ENDED
        if not found:
            nodes *= 4
    s.table = table
    return done


cdef bint _are_ranked(const Members *m, size_t count) noexcept nogil:
    cdef size_t i
    for i in range(count):
        if not 0 < m.items[i].rank < UNRANKED:
            return False
    return True


cdef int _drop_the_rest(Seeker *s, Members *m, size_t roots, uint8_t *needed) noexcept nogil:
    """Take the rank from members that the strategy does not need; `needed` has room for all."""
    cdef size_t i, first = s.turns.count
    cdef bitboard_t left, stones
    cdef int64_t place, rank
    cdef bint more = True
    cdef Outcome out
    for i in range(roots):
        needed[i] = 1
    while more:
        more = False
        for i in range(m.count):
            if needed[i] != 1:
                continue
            needed[i] = 2
            rank = _best_by_rank(s, m, m.items[i].own, m.items[i].enemy, m.items[i].rank, &out)
            if rank < 0:
                return ENDED
            if not out.own:
                continue
            if list_results(s.board, out.own, out.enemy, s.flags, &s.turns) < 0:
                s.status = NO_MEMORY
                return ENDED
            while s.turns.count > first:
                s.turns.count -= 1
                left = out.enemy & ~captured_of(s.turns.items[s.turns.count])
                stones = moved(out.own, s.turns.items[s.turns.count])
                if popcount(left | stones) <= s.most_stones:
                    continue
                fold(s.index, &left, &stones)
                place = find(m, left, stones)
                if not needed[place]:
                    needed[place], more = 1, True
    for i in range(m.count):
        if not needed[i]:
            m.items[i].rank = 0
    return 0


@cython.final
cdef class Strategy:
    """Collects the positions of the side that a prover has found to hold, or to win."""

    def __cinit__(self, Prover prover, bint holding):
        self.prover, self.holding = prover, holding
        self.positions = PositionSet(prover.set_index, not holding)

    def collect(self, bitboard_t own, bitboard_t enemy, bint to_move, int64_t node_limit,
                int64_t deadline_us, report) -> bool:
        """Collect from a proved position; return False if a limit came first.

        `to_move` says whether the proving side moves.

        Raises:
            LookupError: what the hash table said is not so.
            MemoryError: there is no room.
        """
        cdef Seeker *s = self.prover.seeker
        cdef Members *m = &self.positions.members
        cdef size_t done = 0, roots
        cdef int64_t result = 0
        self.prover.begin(node_limit, deadline_us, report)
        fold(s.index, &own, &enemy)
        if to_move:
            if insert(m, own, enemy) < 0:
                raise MemoryError("no memory for the positions of the proof")
        else:
            result = _replies(s, m, self.holding, own, enemy, MANY, True)
        roots = m.count
        if result >= 0:
            with nogil:
                result = _close(s, m, self.holding, &done)
        if result >= 0 and not self.holding:
            result = self._rank(roots)
        self.prover.ended()
        if result == FAULT:
            raise LookupError("the hash table was wrong about a position of the proof")
        return result >= 0

    cdef int64_t _rank(self, size_t roots) except? -1:
        """Give the members that a win needs their ranks, and take those of the others."""
        cdef Seeker *s = self.prover.seeker
        cdef Members *m = &self.positions.members
        cdef ProofTable again
        cdef uint8_t *needed
        cdef int64_t result
        with nogil:
            result = _rank_members(s, m, 0, NULL)
        if result > 0 and not _are_ranked(m, roots):
            again = ProofTable(max(8, self.prover.hash_table.size_mib // 4))
            with nogil:
                result = _mend(s, m, &again.table, roots)
        if result < 0:
            return result
        needed = <uint8_t *>calloc(m.count + 1, 1)
        if needed == NULL:
            raise MemoryError("no memory for the positions of the proof")
        with nogil:
            result = _drop_the_rest(s, m, roots, needed)
        free(needed)
        return result
