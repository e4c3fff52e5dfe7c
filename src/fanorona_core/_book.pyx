"""Looking positions up in proofs: what their positions and the tables say, two turns deep.

Levels: 0 nothing is known, 1 a side holds at least a draw, 2 it wins.  Where
one side wins, the other has 0.
"""

cimport cython
from libc.stdint cimport int64_t

from fanorona_core._bitboard cimport bitboard_t
from fanorona_core._dfpn cimport fold
from fanorona_core._movegen cimport (
    COMPULSORY, TurnList, captured_of, free_turns, list_results, moved,
)
from fanorona_core._proofset cimport PositionSet, find
from fanorona_core._resolve cimport NO_MOVE_DRAW
from fanorona_core._tablebase cimport TABLE_UNKNOWN, LoadedTables, probe_wdl

cdef enum:
    UNKNOWN = 0
    HOLDS = 1
    WINS = 2


@cython.final
cdef class BookReader:
    """The positions of proofs of one board, and the tables that they end in.

    `holds` and `wins` are the positions in which the side to move holds or
    wins, the latter with ranks.  Neither may change any more.
    """

    cdef LoadedTables tables
    cdef PositionSet holds
    cdef PositionSet wins

    def __cinit__(self, LoadedTables tables not None, PositionSet holds not None,
                  PositionSet wins not None):
        self.tables, self.holds, self.wins = tables, holds, wins

    def look(self, bitboard_t own, bitboard_t enemy, int64_t bound=0) -> tuple:
        """Return what is known of the side to move, and of the other one, as levels.

        The other one has what it has after every turn.  With a `bound` it wins
        only where all the ranks then are lower: so a win comes nearer.

        Raises:
            MemoryError: the turns of the position do not fit into memory.
        """
        cdef TurnList turns
        cdef int flags = self.tables.tables.flags, mover, other, result
        cdef size_t i
        cdef bitboard_t left
        if not own or not enemy:
            return (WINS, UNKNOWN) if own else (UNKNOWN, WINS)
        result = probe_wdl(&self.tables.tables, &self.tables.geometry.tables, own, enemy, flags)
        if result != TABLE_UNKNOWN:
            return result + 1, 1 - result
        mover, other = self._level(own, enemy, 0), WINS
        turns.items, turns.count, turns.capacity = NULL, 0, 0
        try:
            if list_results(&self.tables.geometry.tables, own, enemy, flags & COMPULSORY,
                            &turns) < 0:
                raise MemoryError("the turns of a position do not fit into memory")
            if not turns.count:
                return (HOLDS, HOLDS) if flags & NO_MOVE_DRAW else (UNKNOWN, WINS)
            for i in range(turns.count):
                left = enemy & ~captured_of(turns.items[i])
                other = min(other, self._level(left, moved(own, turns.items[i]), bound))
                if other == UNKNOWN:
                    break
        finally:
            free_turns(&turns)
        return mover, other

    def rank(self, bitboard_t own, bitboard_t enemy) -> int:
        """Return the rank of a listed win of the side to move; 0 if it is none."""
        return self.wins.rank(own, enemy) or 0

    cdef int _level(self, bitboard_t own, bitboard_t enemy, int64_t bound) noexcept:
        """What the tables and the lists know of the side to move."""
        cdef int result
        cdef int64_t place
        if not own:
            return UNKNOWN
        result = probe_wdl(
            &self.tables.tables, &self.tables.geometry.tables, own, enemy,
            self.tables.tables.flags,
        )
        if result != TABLE_UNKNOWN:
            return result + 1
        fold(&self.wins.index.index, &own, &enemy)
        place = find(&self.wins.members, own, enemy)
        if place >= 0:
            return WINS if not bound or self.wins.members.items[place].rank < bound else HOLDS
        return HOLDS if find(&self.holds.members, own, enemy) >= 0 else UNKNOWN
