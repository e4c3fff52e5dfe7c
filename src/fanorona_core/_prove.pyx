"""Proving what a side can force, by depth-first proof-number search above tables.

The prover asks whether one side, the claimant, can force at least a result.  A
position that has occurred before on the way counts as a failure of the
claimant, so that whatever is proved holds whichever way the position was
reached.  A failure says nothing about the game: it is "not proved".

The search is df-pn (Nagai, "Df-pn algorithm for searching AND/OR trees and its
applications", 2002): `phi` is the least number of leaves that the mover must
turn to its favour, `delta` that of its opponent.
"""

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free

from fanorona_core._bitboard cimport bitboard_t, mix, popcount
from fanorona_core._geometry cimport Geometry, Tables
from fanorona_core._movegen cimport (
    TurnList, captured_of, free_turns, list_results, moved,
)
from fanorona_core._resolve cimport NO_MOVE_DRAW
from fanorona_core._tablebase cimport (
    TABLE_LOSS, TABLE_UNKNOWN, LoadedTables, TableSet, probe_wdl,
)

cdef enum:
    INFINITE = 1 << 30
    BUCKET = 4
    MAX_DEPTH = 600
    POLL_NODES = 1 << 12
    CLAIMANT = 1ULL << 63   # in `own` of an entry: the claimant is to move

cdef struct Entry:
    uint64_t own
    uint64_t enemy
    uint32_t phi
    uint32_t delta
    uint64_t work           # nodes below, to decide which entry is kept

cdef struct Child:
    bitboard_t own
    bitboard_t enemy
    uint32_t phi
    uint32_t delta

cdef struct ChildList:
    Child *items
    size_t count
    size_t capacity

cdef struct Proof:
    const TableSet *tables
    const Tables *board
    int flags
    int goal                # what the claimant must reach at least
    Entry *entries
    uint64_t buckets
    uint64_t nodes
    uint64_t limit
    bint stopped
    bint no_memory
    ChildList children      # of all levels, one behind the other
    TurnList turns
    uint64_t path[MAX_DEPTH][2]
    int depth


cdef inline uint64_t _name(bitboard_t own, bint claimant) noexcept nogil:
    return own | (<uint64_t>CLAIMANT if claimant else 0)


cdef inline Entry *_bucket(const Proof *p, uint64_t own, uint64_t enemy) noexcept nogil:
    return p.entries + (mix(own ^ mix(enemy)) % p.buckets) * BUCKET


cdef bint _recall(const Proof *p, uint64_t own, uint64_t enemy, uint32_t *phi,
                  uint32_t *delta) noexcept nogil:
    cdef const Entry *e = _bucket(p, own, enemy)
    cdef int i
    for i in range(BUCKET):
        if e[i].own == own and e[i].enemy == enemy:
            phi[0], delta[0] = e[i].phi, e[i].delta
            return True
    return False


cdef void _store(Proof *p, uint64_t own, uint64_t enemy, uint32_t phi, uint32_t delta,
                 uint64_t work) noexcept nogil:
    cdef Entry *e = _bucket(p, own, enemy)
    cdef Entry *worst = e
    cdef int i
    for i in range(BUCKET):
        if e[i].own == own and e[i].enemy == enemy:
            worst = &e[i]
            work += worst.work
            break
        if e[i].work < worst.work:
            worst = &e[i]
    worst.own, worst.enemy, worst.phi, worst.delta, worst.work = own, enemy, phi, delta, work


cdef inline void _decide(bint good, uint32_t *phi, uint32_t *delta) noexcept nogil:
    """The numbers of a position whose mover gets what it wants, or does not."""
    phi[0], delta[0] = INFINITE, 0
    if good:
        phi[0], delta[0] = 0, INFINITE


cdef void _settle(const Proof *p, int result, bint claimant, Child *c) noexcept nogil:
    """Give a child the numbers of a known result for its mover."""
    cdef bint reached = (result if claimant else -result) >= p.goal
    _decide(reached == claimant, &c.phi, &c.delta)


cdef void _first_look(const Proof *p, bint claimant, Child *c) noexcept nogil:
    """The numbers of a position as it stands; `claimant`: is it to move there?"""
    cdef int result, i
    if not c.own:
        _settle(p, -1, claimant, c)
        return
    # The position before a capture cannot come again: look back as far as the stones are as many.
    i = p.depth - 2
    while i >= 0:
        if p.path[i][0] == _name(c.own, claimant) and p.path[i][1] == c.enemy:
            _decide(not claimant, &c.phi, &c.delta)
            return
        if popcount(p.path[i][0] & ~<uint64_t>CLAIMANT) != popcount(c.own) or (
            popcount(p.path[i][1]) != popcount(c.enemy)
        ):
            break
        i -= 2
    result = probe_wdl(p.tables, p.board, c.own, c.enemy, p.flags)
    if result != TABLE_UNKNOWN:
        _settle(p, result, claimant, c)
    elif not _recall(p, _name(c.own, claimant), c.enemy, &c.phi, &c.delta):
        c.phi = c.delta = 1


cdef int _expand(Proof *p, bitboard_t own, bitboard_t enemy, bint claimant) noexcept nogil:
    """Append the children of a position, each with its first numbers; -1 without memory."""
    cdef size_t i, capacity
    cdef Child *grown
    cdef Child *c
    p.turns.count = 0
    if list_results(p.board, own, enemy, p.flags & ~NO_MOVE_DRAW, &p.turns) < 0:
        return -1
    if p.children.count + p.turns.count > p.children.capacity:
        capacity = 2 * (p.children.count + p.turns.count) + 1024
        grown = <Child *>calloc(capacity, sizeof(Child))
        if grown == NULL:
            return -1
        for i in range(p.children.count):
            grown[i] = p.children.items[i]
        free(p.children.items)
        p.children.items, p.children.capacity = grown, capacity
    for i in range(p.turns.count):
        c = &p.children.items[p.children.count]
        c.own, c.enemy = enemy & ~captured_of(p.turns.items[i]), moved(own, p.turns.items[i])
        _first_look(p, not claimant, c)
        p.children.count += 1
        if c.delta == 0:
            return 0    # the mover has what it wants: nothing else matters
    return 0


cdef bint _is_interrupted() noexcept nogil:
    with gil:
        try:
            PyErr_CheckSignals()
        except KeyboardInterrupt:
            return True
    return False


cdef void _search(Proof *p, bitboard_t own, bitboard_t enemy, bint claimant, uint32_t max_phi,
                  uint32_t max_delta, uint32_t *phi_out, uint32_t *delta_out) noexcept nogil:
    """Search a position until one of its numbers reaches its bound."""
    cdef size_t base = p.children.count, i, best
    cdef uint64_t before = p.nodes
    cdef uint32_t phi, delta, second, least_phi, child_phi, child_delta, hardest, others
    cdef Child *c
    cdef Child root
    p.nodes += 1
    if p.nodes % POLL_NODES == 0:
        p.stopped = p.stopped or _is_interrupted()
    if p.nodes >= p.limit or p.depth >= MAX_DEPTH - 1:
        p.stopped = p.stopped or p.nodes >= p.limit
        # Too deep is a failure of the claimant here, but not one to remember.
        _decide(not claimant, phi_out, delta_out)
        return
    p.path[p.depth][0], p.path[p.depth][1] = _name(own, claimant), enemy
    p.depth += 1
    if _expand(p, own, enemy, claimant) < 0:
        p.no_memory = p.stopped = True
    if p.children.count == base and not p.stopped:
        # No turn: a loss, or a draw by option.
        root.own, root.enemy = own, enemy
        _settle(p, 0 if p.flags & NO_MOVE_DRAW else TABLE_LOSS, claimant, &root)
        phi, delta = root.phi, root.delta
        _store(p, _name(own, claimant), enemy, phi, delta, 1)
        phi_out[0], delta_out[0] = phi, delta
        p.depth -= 1
        return
    while True:
        phi, second, best, least_phi = INFINITE, INFINITE, base, INFINITE
        hardest, others = 0, 0
        for i in range(base, p.children.count):
            c = &p.children.items[i]
            hardest = max(hardest, c.phi)
            others += c.phi != 0
            if c.delta < phi or (c.delta == phi and c.phi < least_phi):
                second, phi, best, least_phi = phi, c.delta, i, c.phi
            elif c.delta < second:
                second = c.delta
        # The hardest child and one for each of the others, not the sum: lines that meet again would
        # be counted many times over (weak proof numbers: Ueda, Hashimoto, Hashimoto, Iida, 2008).
        others -= others > 0
        delta = INFINITE if phi == 0 else min(<uint32_t>INFINITE, hardest + others)
        if phi >= max_phi or delta >= max_delta or p.stopped or phi == 0 or delta == 0:
            break
        c = &p.children.items[best]
        # A quarter more than the second best: fewer changes of mind (Pawlewicz and Lew, 2007).
        child_phi = max_delta - others
        child_delta = min(max_phi, min(<uint32_t>INFINITE, second + second // 4 + 1))
        _search(p, c.own, c.enemy, not claimant, child_phi, child_delta, &phi, &delta)
        c = &p.children.items[best]     # the list may have moved
        c.phi, c.delta = phi, delta
    p.children.count = base
    p.depth -= 1
    if not p.stopped:
        _store(p, _name(own, claimant), enemy, phi, delta, p.nodes - before)
    phi_out[0], delta_out[0] = phi, delta


@cython.final
cdef class Prover:
    """Tries to prove that a side can force at least a result, 1 a win or 0 a draw.

    What has been found is kept, so that a search that has reached its limit can
    be taken up again.  One thread at a time.

    Raises:
        MemoryError: the memory asked for is not there.
    """

    cdef Proof proof
    cdef LoadedTables loaded
    cdef Geometry geometry

    def __cinit__(self, LoadedTables tables, int goal, int hash_mib):
        cdef Proof *p = &self.proof
        if goal not in (0, 1):
            raise ValueError(f"goal {goal}: expected 1 for a win or 0 for a draw")
        if hash_mib < 1:
            raise ValueError(f"hash_mib {hash_mib}: expected at least 1")
        self.loaded, self.geometry = tables, tables.geometry
        p.tables, p.board = &tables.tables, &self.geometry.tables
        p.flags, p.goal = tables.tables.flags, goal
        p.buckets = (<uint64_t>hash_mib << 20) // (BUCKET * sizeof(Entry))
        p.entries = <Entry *>calloc(p.buckets * BUCKET, sizeof(Entry))
        if p.entries == NULL:
            raise MemoryError(f"{hash_mib} MiB for a proof do not fit into memory")

    def __dealloc__(self):
        free(self.proof.entries)
        free(self.proof.children.items)
        free_turns(&self.proof.turns)

    @property
    def nodes(self) -> int:
        """How many positions have been searched."""
        return self.proof.nodes

    def search(self, bitboard_t own, bitboard_t enemy, bint claimant, uint64_t more_nodes) -> bool | None:
        """Search on; return whether the claim is proved, or None if that is still open.

        `own` is to move, which is the claimant's turn or not.  False means that
        this way of proving fails, not that the claim is wrong.

        Raises:
            KeyboardInterrupt: if it was interrupted; what was found is kept.
            MemoryError: the turns of a line do not fit into memory.
        """
        cdef Proof *p = &self.proof
        cdef uint32_t phi, delta
        cdef Child root
        p.limit, p.stopped, p.no_memory = p.nodes + more_nodes, False, False
        p.depth, p.children.count = 0, 0
        root.own, root.enemy = own, enemy
        with nogil:
            _first_look(p, claimant, &root)
            if root.phi and root.delta:
                _search(p, own, enemy, claimant, INFINITE, INFINITE, &phi, &delta)
                root.phi, root.delta = phi, delta
        if p.no_memory:
            raise MemoryError("the turns of one line do not fit into memory")
        if p.stopped and p.nodes < p.limit:
            raise KeyboardInterrupt
        if p.stopped or (root.phi and root.delta):
            return None
        return (root.phi == 0) == claimant
