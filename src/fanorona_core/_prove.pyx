"""Depth-first proof-number search (df-pn; Nagai 2002) over whole turns.

Why what it says follows is argued in docs/proof.md.  In short: a win is a finite
tree, whatever the path, and is kept; a hold may lean on positions of the path
and is kept only by the position at which the last of these ties ends.
"""

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport exp
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memset

from fanorona_core._bitboard cimport bitboard_t, clz, popcount
from fanorona_core._clock cimport now_us
from fanorona_core._evaluate cimport Gains, best_first_captures
from fanorona_core._geometry cimport MAX_POINTS
from fanorona_core._movegen cimport (
    COMPULSORY, captured_of, free_turns, list_results, moved,
)
from fanorona_core._network cimport NetworkFile, static_value
from fanorona_core._proofhash cimport (
    BUSY_SLOTS, ENDLESS, FAILS, LARGEST, MOST_TIES, OPEN, SUCCEEDS, TIED, Known, ProofTable, TieEntry, fetch,
    keep, keep_ties, recall, recall_ties,
)
from fanorona_core._resolve cimport NO_MOVE_DRAW
from fanorona_core._tablebase cimport TABLE_UNKNOWN, LoadedTables, probe_wdl

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

cdef int64_t NO_LIMIT = 1LL << 60
cdef uint64_t MANY = <uint64_t>-1   # ties that are not told apart


cdef bint _signals(void *owner) noexcept with gil:
    """Let Python handle signals and report; keep what is raised."""
    cdef Prover prover = <Prover>owner
    try:
        PyErr_CheckSignals()
        if prover.report is not None:
            prover.report()
        return False
    except BaseException as error:
        prover.interruption = error
        return True


cdef void _poll(Seeker *s) noexcept nogil:
    cdef int64_t now = now_us()
    s.until_poll = POLL_NODES
    if (<Prover>s.owner).stop_flag:
        s.status = STOPPED
    elif s.node_limit and s.nodes >= s.node_limit:
        s.status = STOPPED
    elif s.deadline_us and now >= s.deadline_us:
        s.status = STOPPED
    elif now >= s.report_us:
        s.report_us = now + REPORT_US // 10
        if _signals(s.owner):
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


cdef void _make_guesses(Seeker *s) noexcept nogil:
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
    cdef size_t first = s.turns.count, i
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
        fetch(s.table, child.key)
        s.count += 1
    s.turns.count = first
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


@cython.final
cdef class Prover:
    """One thread's search; several may share a hash table.

    The network, on the board it is made for, helps to tell where to search first.
    Threads that work on one question have numbers from 1 on.
    """

    def __cinit__(self, LoadedTables tables, ProofTable hash_table, bint compulsory,
                  bint no_move_draw, int most_stones, NetworkFile network=None,
                  int number=0):
        cdef Seeker *s = <Seeker *>calloc(1, sizeof(Seeker))
        if s == NULL:
            raise MemoryError("no memory for a search")
        self.seeker = s
        self.hash_table, self.loaded, self.set_index = hash_table, tables, tables.index
        s.board, s.tables, s.index = &tables.geometry.tables, &tables.tables, &tables.index.index
        s.table = &hash_table.table
        s.flags = COMPULSORY if compulsory else 0
        s.no_move_draw = no_move_draw
        if (s.tables.flags & COMPULSORY != 0) == compulsory and (
            (s.tables.flags & NO_MOVE_DRAW != 0) == no_move_draw
        ):
            s.most_stones = min(most_stones, s.tables.most_stones)
        s.owner, s.number = <void *>self, number
        self.network = network
        if network is not None:
            s.net = network.for_board(s.board)
        s.largest, s.widen = LARGEST, 4
        _make_guesses(s)

    def __dealloc__(self):
        if self.seeker != NULL:
            free_turns(&self.seeker.turns)
            free(self.seeker.children)
            free(self.seeker)

    @property
    def nodes(self) -> int:
        """Positions expanded so far."""
        return self.seeker.nodes

    @property
    def numbers(self) -> tuple:
        """The proof numbers of the root, of its mover's success and of his failure."""
        return self.seeker.root_phi, self.seeker.root_delta

    @property
    def deepest(self) -> int:
        """The longest path so far, in turns."""
        return self.seeker.deepest

    def stop(self) -> None:
        """End a running search soon; may be called from any thread."""
        self.stop_flag = 1

    def prove(self, bitboard_t own, bitboard_t enemy, bint holder, int64_t node_limit,
              int64_t deadline_us, report) -> bool | None:
        """Return whether the mover succeeds, or None if a limit came first.

        The mover wants to hold if he is the holder, else to win.  `node_limit`
        counts from the prover's beginning, `deadline_us` is on the monotonic
        clock; 0 is no limit.  `report` is called now and then.  Releases the GIL.

        Raises:
            MemoryError: the turns do not fit into memory.
            RecursionError: the answer depends on a path of more than LONGEST_PATH turns.
        """
        cdef Seeker *s = self.seeker
        cdef Outcome out
        self.begin(node_limit, deadline_us, report)
        fold(s.index, &own, &enemy)
        with nogil:
            search(s, own, enemy, key_of(own, enemy, holder), holder, 0, 0, NO_LIMIT, NO_LIMIT,
                   &out)
        if self.ended() != SETTLED:
            return None
        if (out.phi == 0) == holder and out.tie < 0:
            raise RecursionError(f"the search has reached a depth of {LONGEST_PATH} turns")
        return out.phi == 0

    cdef int begin(self, int64_t node_limit, int64_t deadline_us, object report) except -1:
        cdef Seeker *s = self.seeker
        s.node_limit, s.deadline_us, self.report = node_limit, deadline_us, report
        s.status, s.until_poll, s.count, s.turns.count = SETTLED, 0, 0, 0
        s.report_us = 0
        memset(s.met, 0, sizeof(s.met))
        return 0

    cdef int ended(self) except -1:
        """Why the search ended, or what it must raise."""
        cdef int status = self.seeker.status
        self.report = None
        if status == INTERRUPTED:
            error, self.interruption = self.interruption, None
            raise error
        if status == NO_MEMORY:
            raise MemoryError("the turns of the search do not fit into memory")
        return status

    def known(self, bitboard_t own, bitboard_t enemy, bint holder) -> bool | None:
        """Return whether the mover succeeds, if the hash table knows."""
        cdef Known known
        fold(self.seeker.index, &own, &enemy)
        recall(self.seeker.table, key_of(own, enemy, holder), &known)
        if known.kind == SUCCEEDS or known.kind == FAILS:
            return known.kind == SUCCEEDS
        return None
