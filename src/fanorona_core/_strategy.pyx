"""Walking the strategy of a finished proof.

Each position in which the proving side moves gets one turn, and all positions
that the answers to it lead to are collected as well.
"""

cimport cython
from libc.stdint cimport int64_t, uint8_t
from libc.stdlib cimport calloc, free

from fanorona_core._bitboard cimport bitboard_t
from fanorona_core._choice cimport CHOSEN, FAULT, MANY, NEVER_LOST, choose, replies
from fanorona_core._dfpn cimport Outcome, Seeker, fold, key_of
from fanorona_core._proofhash cimport SUCCEEDS, ProofTable, keep
from fanorona_core._proofset cimport Members, PositionSet, insert
from fanorona_core._prove cimport Prover
from fanorona_core._ranks cimport are_ranked, drop_the_rest, mend, rank_members


cdef int _close(Seeker *s, Members *m, bint holding, size_t *done) noexcept nogil:
    """Give each member its turn, until no new ones come."""
    cdef bitboard_t own, enemy
    cdef Outcome out
    cdef int64_t fresh
    cdef int chosen
    while done[0] < m.count:
        own, enemy = m.items[done[0]].own, m.items[done[0]].enemy
        chosen = choose(s, m, holding, own, enemy, &out)
        if chosen < 0:
            return chosen
        if chosen == CHOSEN:
            if holding:
                keep(s.table, key_of(own, enemy, True), SUCCEEDS, 1, 0, NEVER_LOST)
            fresh = replies(s, m, holding, out.own, out.enemy, MANY, True)
            if fresh < 0:
                return <int>fresh
        done[0] += 1
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
            result = replies(s, m, self.holding, own, enemy, MANY, True)
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
            result = rank_members(s, m, 0, NULL)
        if result > 0 and not are_ranked(m, roots):
            again = ProofTable(max(8, self.prover.hash_table.size_mib // 4))
            with nogil:
                result = mend(s, m, &again.table, roots)
        if result < 0:
            return result
        needed = <uint8_t *>calloc(m.count + 1, 1)
        if needed == NULL:
            raise MemoryError("no memory for the positions of the proof")
        with nogil:
            result = drop_the_rest(s, m, roots, needed)
        free(needed)
        return result
