"""Ranks of won positions: how far it is at most to the tables.

A win must not turn in circles.  Ranks are computed from the tables upwards.
Where that does not reach the root, since the proof of something lost leans on
what it is needed for, positions are proved anew with a hash table of their own
that knows only what has a rank.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t

from fanorona_core._bitboard cimport bitboard_t, popcount
from fanorona_core._choice cimport BY_TABLE, CHOSEN, ENDED, FAULT, NEVER_LOST, choose
from fanorona_core._dfpn cimport (
    NO_MEMORY, SETTLED, STOPPED, Outcome, Seeker, add_children, fold, key_of, search,
)
from fanorona_core._movegen cimport captured_of, list_results, moved
from fanorona_core._proofhash cimport SUCCEEDS, ProofHash, keep
from fanorona_core._proofset cimport Member, Members, find, insert
from fanorona_core._tablebase cimport TABLE_UNKNOWN, probe_wdl

# What stands for the rank of a member that has none: the round in which its turn was last chosen.
cdef uint32_t UNRANKED = 1U << 31

cdef enum:
    FIRST_NODES = 2000          # of a search for a win that the hash table has lost
    TOO_HARD = -3               # not found within so many nodes


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


cdef int64_t rank_members(Seeker *s, Members *m, uint32_t mark, ProofHash *again) noexcept nogil:
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
    chosen = choose(s, m, False, m.items[place].own, m.items[place].enemy, &out)
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


cdef int mend(Seeker *s, Members *m, ProofHash *again, size_t roots) noexcept nogil:
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
    while done >= 0 and not are_ranked(m, roots):
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
            if done < 0 or rank_members(s, m, mark, again) < 0:
                break
        if s.status or (done >= 0 and rank_members(s, m, 0, again) < 0):
            done = ENDED
        if not found:
            nodes *= 4
    s.table = table
    return done


cdef bint are_ranked(const Members *m, size_t count) noexcept nogil:
    cdef size_t i
    for i in range(count):
        if not 0 < m.items[i].rank < UNRANKED:
            return False
    return True


cdef int drop_the_rest(Seeker *s, Members *m, size_t roots, uint8_t *needed) noexcept nogil:
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
