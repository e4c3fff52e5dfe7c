"""Depth-first proof-number search (df-pn; Nagai 2002) over whole turns.

Why what it says follows is argued in docs/proof.md.  In short: a win is a finite
tree, whatever the path, and is kept; a hold may lean on positions of the path
and is kept only by the position at which the last of these ties ends.
"""

from libc.math cimport exp
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport realloc

from fanorona_core._bitboard cimport bitboard_t, clz, popcount
from fanorona_core._clock cimport now_us
from fanorona_core._evaluate cimport Gains, best_first_captures
from fanorona_core._geometry cimport MAX_POINTS
from fanorona_core._movegen cimport captured_of, list_results, moved
from fanorona_core._network cimport static_value
from fanorona_core._proofhash cimport (
    BUSY_SLOTS, ENDLESS, FAILS, MOST_TIES, OPEN, SUCCEEDS, TIED, Known, TieEntry, fetch, keep,
    keep_ties, recall, recall_ties,
)
from fanorona_core._tablebase cimport TABLE_UNKNOWN, probe_wdl

cdef extern from "_portable.h":
    int load_int "fanorona_load_int"(const int *word) noexcept nogil
    void keep_int "fanorona_store_int"(int *word, int value) noexcept nogil

cdef enum:
    POLL_NODES = 512
    REPORT_US = 1_000_000
    # What a hold that leans on the path leaves behind: likely, and soon found again.
    TIED_PHI = 1
    TIED_DELTA = 1 << 12

# Starting numbers: for each stone at a value of 0, and the centipawns that multiply them by e.
cdef double HOLD_EFFORT = 3.2, WIN_EFFORT = 16, EFFORT_SCALE = 450

NO_LIMIT = 1LL << 60
cdef uint64_t MANY = <uint64_t>-1   # ties that are not told apart


cdef void _poll(Seeker *s) noexcept nogil:
    cdef int64_t now = now_us()
    s.until_poll = POLL_NODES
    if load_int(s.stop_flag):
        s.status = STOPPED
    elif s.node_limit and s.nodes >= s.node_limit:
        s.status = STOPPED
    elif s.deadline_us and now >= s.deadline_us:
        s.status = STOPPED
    elif now >= s.report_us:
        s.report_us = now + REPORT_US // 10
        if s.has_signals(s.owner):
            s.status = INTERRUPTED
    if s.node_limit and s.node_limit - s.nodes < POLL_NODES:
        s.until_poll = <int>(s.node_limit - s.nodes)


cdef inline int _log2(int64_t nodes) noexcept nogil:
    return 63 - clz(nodes) if nodes > 0 else 0


cdef inline bint _succeed(Outcome *out, int rank, int tie, uint64_t lean, bitboard_t own,
                          bitboard_t enemy) noexcept nogil:
    out.phi, out.delta, out.rank, out.tie, out.lean = 0, ENDLESS, rank, tie, lean
    out.own, out.enemy = own, enemy
    return True


cdef inline void _guess(const Seeker *s, Child *child, bint holder) noexcept nogil:
    """Starting numbers, from the static value; `holder`: the child's mover."""
    cdef Gains gains = best_first_captures(s.board, child.own, child.enemy)
    cdef int value = static_value(s.board, s.net, child.own, child.enemy, &gains)
    cdef int stones = popcount(child.own | child.enemy), at
    at = (value if holder else -value) // VALUE_STEP + VALUES // 2
    at = 0 if at < 0 else VALUES - 1 if at >= VALUES else at
    if holder:
        child.phi, child.delta = s.hold_guess[stones][at], s.win_guess[stones][at]
    else:
        child.phi, child.delta = s.win_guess[stones][at], s.hold_guess[stones][at]


cdef void make_guesses(Seeker *s) noexcept nogil:
    """How hard holding and winning look at first; the constants come from trials (docs/proof.md)."""
    cdef int stones, i
    cdef double value
    for stones in range(MAX_POINTS + 1):
        for i in range(VALUES):
            value = (i - VALUES // 2) * VALUE_STEP
            s.hold_guess[stones][i] = <uint32_t>(
                1.5 + HOLD_EFFORT * stones * exp(-value / EFFORT_SCALE)
            )
            s.win_guess[stones][i] = <uint32_t>(
                1.5 + WIN_EFFORT * stones * exp(value / EFFORT_SCALE)
            )


cdef int add_children(Seeker *s, bitboard_t own, bitboard_t enemy, bint holder,
                      Outcome *out) noexcept nogil:
    """Append what the turns lead to, but for what tables know.

    Return 1 if the position is settled by that alone, with its outcome, 0 if
    not, then with the outcome's rank so far, and -1 when memory has ended.
    """
    cdef size_t first = s.turns.count, before = s.count, i
    cdef bitboard_t left, stones
    cdef Child *grown
    cdef Child *child
    cdef int result
    out.rank, out.tie, out.lean = 0, UNTIED, 0
    if list_results(s.board, own, enemy, s.flags, &s.turns) < 0:
        return -1
    if s.turns.count == first:
        # No turn is a loss, or by option a draw: the holder then has what he wants.
        if s.no_move_draw and holder:
            return _succeed(out, 0, UNTIED, 0, 0, 0)
        out.phi, out.delta = ENDLESS, 0
        return 1
    if s.count + s.turns.count - first > s.capacity:
        i = 2 * (s.count + s.turns.count - first)
        grown = <Child *>realloc(s.children, i * sizeof(Child))
        if grown == NULL:
            s.turns.count = first
            return -1
        s.children, s.capacity = grown, i
    for i in range(first, s.turns.count):
        left = enemy & ~captured_of(s.turns.items[i])
        stones = moved(own, s.turns.items[i])
        if not left:
            s.turns.count = first
            return _succeed(out, 1, UNTIED, 0, left, stones)
        if popcount(left | stones) <= s.most_stones:
            result = probe_wdl(s.tables, s.board, left, stones, s.tables.flags)
            if result != TABLE_UNKNOWN:
                if (result <= 0) if holder else (result < 0):
                    s.turns.count = first
                    return _succeed(out, 1, UNTIED, 0, left, stones)
                out.rank = 1
                continue
        child = s.children + s.count
        child.own, child.enemy = left, stones
        child.quiet = captured_of(s.turns.items[i]) == 0
        fold(s.index, &child.own, &child.enemy)
        child.key = key_of(child.own, child.enemy, not holder)
        s.count += 1
    s.turns.count = first
    # Not one by one above: a processor looks up the pages of several addresses side by side only if
    # they are asked for one right after the other.
    for i in range(before, s.count):
        fetch(s.table, s.children[i].key)
    return 0


cdef int _repeated(const Seeker *s, uint64_t key, int ply, int quiet) noexcept nogil:
    """The ply at which a position is on the path, or -1; `ply` is its own, `quiet` how far to look."""
    cdef int back
    if not s.met[key & (MET_SLOTS - 1)]:
        return -1
    for back in range(ply - 2, ply - quiet - 1, -2):
        if s.path[back] == key:
            return back
    return -1


cdef inline uint64_t _lean(int back, int ply) noexcept nogil:
    return 1ULL << (back & 63) if ply - back <= TIE_WINDOW else MANY


cdef bint still_holds(Seeker *s, uint64_t key, int ply, int quiet, Outcome *out) noexcept nogil:
    """Whether a hold with ties is one here: each is on the path, or holds; the ties go to `out`.

    `ply` is the position's own, `quiet` the number of quiet turns before it.
    """
    cdef TieEntry ties
    cdef Known known
    cdef int i, back
    out.tie, out.lean = UNTIED, 0
    if not recall_ties(s.table, key, &ties):
        return False
    for i in range(MOST_TIES):
        if not ties.keys[i]:
            break
        back = ply - 1 if s.met[ties.keys[i] & (MET_SLOTS - 1)] else -1
        for back in range(back, ply - quiet - 1, -1):
            if s.path[back] == ties.keys[i]:
                if back < out.tie:
                    out.tie = back
                out.lean |= _lean(back, ply)
                break
        else:
            # Only positions that hold are ever named.
            if not recall(s.table, ties.keys[i], &known) or known.kind not in (SUCCEEDS, FAILS):
                return False
            if known.phi != 1:
                return False
    return True


cdef void _keep_ties(Seeker *s, uint64_t key, int ply, uint64_t lean) noexcept nogil:
    cdef TieEntry ties
    cdef int back, i = 0
    for back in range(MOST_TIES):
        ties.keys[back] = 0
    for back in range(ply - 1, ply - TIE_WINDOW - 1, -1):
        if back < 0:
            break
        if lean >> (back & 63) & 1:
            ties.keys[i] = s.path[back]
            i += 1
    keep_ties(s.table, key, &ties)


cdef bint _look_up(Seeker *s, size_t first, bint holder, int ply, int quiet,
                   Outcome *out) noexcept nogil:
    """Give the children of a position their numbers; return whether one of them settles it.

    Children with success for their mover are dropped.
    """
    cdef size_t i, kept = first
    cdef Child *child
    cdef Known known
    cdef Outcome held
    cdef int back
    for i in range(first, s.count):
        child = s.children + i
        recall(s.table, child.key, &known)
        if known.kind == TIED and still_holds(
            s, child.key, ply + 1, quiet + 1 if child.quiet else 0, &held
        ):
            if holder:
                return _succeed(out, 0, held.tie, held.lean, child.own, child.enemy)
            if held.tie < out.tie:
                out.tie = held.tie
            out.lean |= held.lean
            continue
        if known.kind == FAILS:
            return _succeed(out, known.delta + 1, UNTIED, 0, child.own, child.enemy)
        if known.kind == SUCCEEDS:
            if <int>known.delta + 1 > out.rank:
                out.rank = known.delta + 1
            continue
        if known.kind == OPEN or known.kind == TIED:
            child.phi, child.delta = known.phi, known.delta
        else:
            _guess(s, child, not holder)
        s.children[kept] = child[0]
        kept += 1
    s.count = kept
    if kept == first or not s.children[first].quiet or quiet < 1:
        return False
    # All turns are quiet: any may lead back to the path, which the holder likes.
    kept = first
    for i in range(first, s.count):
        child = s.children + i
        back = _repeated(s, child.key, ply + 1, quiet + 1)
        if back >= 0:
            if holder:
                return _succeed(out, 0, back, _lean(back, ply + 1), child.own, child.enemy)
            if back < out.tie:
                out.tie = back
            out.lean |= _lean(back, ply + 1)
            continue
        s.children[kept] = child[0]
        kept += 1
    s.count = kept
    return False


cdef inline bint _is_busy(const Seeker *s, uint64_t key) noexcept nogil:
    """Whether another thread is below this position."""
    cdef int there = load_int(&s.table.busy[key & (BUSY_SLOTS - 1)])
    return there != 0 and there != s.number


cdef size_t _way_round(const Seeker *s, size_t first, size_t best, int64_t limit) noexcept nogil:
    """A child to search while other threads are below the best one: it may cost twice as much."""
    cdef size_t i, found = best
    cdef int64_t least = 2 * <int64_t>s.children[best].delta + 1
    if least > limit:
        least = limit
    for i in range(first, s.count):
        if s.children[i].delta < least and not _is_busy(s, s.children[i].key):
            least, found = s.children[i].delta, i
    return found


cdef void _work(Seeker *s, size_t first, bint holder, int ply, int quiet, int64_t phi_limit,
                int64_t delta_limit, Outcome *out) noexcept nogil:
    """Search the children of a position until it is settled or its numbers reach a limit."""
    cdef int64_t phi, delta, second, phi_next, delta_next
    cdef uint64_t key
    cdef size_t i, best
    cdef Child *child
    cdef Outcome below
    cdef Known known
    while True:
        phi = second = ENDLESS
        delta = 0
        best = first
        for i in range(first, s.count):
            child = s.children + i
            delta += child.phi
            if child.delta < phi or (child.delta == phi and child.phi < s.children[best].phi):
                second, phi, best = phi, child.delta, i
            elif child.delta < second:
                second = child.delta
        if ply == 0:
            s.root_phi, s.root_delta = phi, delta
        if s.count == first:
            out.phi, out.delta = ENDLESS, 0
            return
        if phi >= phi_limit or delta >= delta_limit:
            out.phi = <uint32_t>(phi if phi < s.largest else s.largest)
            out.delta = <uint32_t>(delta if delta < s.largest else s.largest)
            return
        if s.number and _is_busy(s, s.children[best].key):
            i = _way_round(s, first, best, phi_limit)
            if i != best:
                # The best one is now the best of the others.
                best, second = i, phi if phi > s.children[i].delta else s.children[i].delta
        child = s.children + best
        recall(s.table, child.key, &known)
        if known.kind == SUCCEEDS or known.kind == FAILS:
            # Another way has led there in the meantime.
            below.rank, below.tie, below.lean = known.delta, UNTIED, 0
            below.phi = 0 if known.kind == SUCCEEDS else ENDLESS
            below.delta = ENDLESS - below.phi
        else:
            phi_next = delta_limit - (delta - child.phi)
            delta_next = second + second * s.widen // 8 + 1
            if delta_next > s.largest:
                # Numbers are cut there, and would never reach it.
                delta_next = NO_LIMIT
            if phi_next > s.largest:
                phi_next = NO_LIMIT
            if phi_limit < delta_next:
                delta_next = phi_limit
            key = child.key
            if s.number:
                keep_int(&s.table.busy[key & (BUSY_SLOTS - 1)], s.number)
            search(
                s, child.own, child.enemy, key, not holder, ply + 1,
                quiet + 1 if child.quiet else 0, phi_next, delta_next, &below,
            )
            if s.number:
                keep_int(&s.table.busy[key & (BUSY_SLOTS - 1)], 0)
            if s.status:
                return
            child = s.children + best
        if below.phi == ENDLESS:
            _succeed(out, below.rank + 1, below.tie, below.lean, child.own, child.enemy)
            return
        if below.phi == 0:
            if below.rank + 1 > out.rank:
                out.rank = below.rank + 1
            if below.tie < out.tie:
                out.tie = below.tie
            out.lean |= below.lean
            s.count -= 1
            child[0] = s.children[s.count]
        else:
            child.phi, child.delta = below.phi, below.delta


cdef void search(Seeker *s, bitboard_t own, bitboard_t enemy, uint64_t key, bint holder, int ply,
                 int quiet, int64_t phi_limit, int64_t delta_limit, Outcome *out) noexcept nogil:
    """Search a folded position until it is settled or one of its numbers reaches a limit."""
    cdef size_t first = s.count
    cdef int64_t before = s.nodes
    cdef int work, settled
    cdef Known known
    s.path[ply] = key
    s.nodes += 1
    s.until_poll -= 1
    if s.until_poll <= 0:
        _poll(s)
    if s.status:
        return
    if ply > s.deepest:
        s.deepest = ply
    if ply >= LONGEST_PATH:
        # Taken for a hold that leans on what is above the root: never kept, and no answer.
        out.phi = 0 if holder else ENDLESS
        out.delta = ENDLESS - out.phi
        out.rank, out.tie, out.lean = 0, -1, MANY
        return
    settled = add_children(s, own, enemy, holder, out)
    if settled < 0:
        s.status = NO_MEMORY
        return
    s.met[key & (MET_SLOTS - 1)] += 1
    if not settled and not _look_up(s, first, holder, ply, quiet, out):
        _work(s, first, holder, ply, quiet, phi_limit, delta_limit, out)
    s.count = first
    s.met[key & (MET_SLOTS - 1)] -= 1
    if s.status:
        return
    work = _log2(s.nodes - before)
    if out.phi and out.delta:
        recall(s.table, key, &known)
        if known.kind == OPEN and known.work > work:
            work = known.work
        keep(s.table, key, OPEN, out.phi, out.delta, work)
    elif (out.phi == 0) != holder:
        # A win; the 0 tells it from a hold.  The least rank stays, so that ranks fall.
        recall(s.table, key, &known)
        if (known.kind == SUCCEEDS or known.kind == FAILS) and <int>known.delta < out.rank:
            out.rank = known.delta
        keep(s.table, key, FAILS if out.phi else SUCCEEDS, 0, out.rank, work)
    elif out.tie >= ply:
        # A hold that leans on nothing but this position and those below it.
        out.tie, out.lean = UNTIED, 0
        keep(s.table, key, FAILS if out.phi else SUCCEEDS, 1, 0, work)
    else:
        if out.lean != MANY:
            out.lean &= ~(1ULL << (ply & 63))
            if popcount(out.lean) <= MOST_TIES:
                _keep_ties(s, key, ply, out.lean)
        if holder:
            keep(s.table, key, TIED, TIED_PHI, TIED_DELTA, work)
        else:
            keep(s.table, key, TIED, TIED_DELTA, TIED_PHI, work)
