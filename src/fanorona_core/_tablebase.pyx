"""Looking positions up in tables in memory."""

cimport cython
from libc.stdint cimport uint8_t, uint64_t

from fanorona_core._bitboard cimport bitboard_t, popcount
from fanorona_core._geometry cimport Tables, get_geometry
from fanorona_core._index cimport SetIndex, slot_of, spread, unranked
from fanorona_core._movegen cimport (
    COMPULSORY, SINGLE, TurnList, capturers, captured_of, free_turns, list_results, moved,
)
from fanorona_core._resolve cimport (
    BEST_SCORE, DRAW, NO_MOVE_DRAW, Explorer, explore, judge_t, score_of, value_of,
)
from fanorona_core._tablepack cimport RESULTS_A_BYTE, result_at, result_of


cdef extern from "_portable.h":
    int load_int "fanorona_load_int"(const int *word) noexcept nogil
    void keep_int "fanorona_store_int"(int *word, int value) noexcept nogil
    const uint8_t *data_of "fanorona_acquire"(const uint8_t *const *place) noexcept nogil
    void publish "fanorona_release"(const uint8_t **place, const uint8_t *data) noexcept nogil


# The context of the judges below.
cdef struct Lookup:
    const TableSet *tables
    const Tables *board
    bint unknown            # some result was in no table


cdef int _judge_result(void *context, bitboard_t mover, bitboard_t other) noexcept nogil:
    cdef Lookup *l = <Lookup *>context
    cdef int result = probe_wdl(l.tables, l.board, mover, other, l.tables.flags)
    if result == TABLE_UNKNOWN:
        l.unknown = True
        return -BEST_SCORE
    return -result * (BEST_SCORE - 1)


cdef int _judge_value(void *context, bitboard_t mover, bitboard_t other) noexcept nogil:
    cdef Lookup *l = <Lookup *>context
    cdef int value = probe_value(l.tables, l.board, mover, other, l.tables.flags)
    if value == NO_VALUE:
        l.unknown = True
        return -BEST_SCORE
    return score_of(value)


cdef int _best(const TableSet *tables, const Tables *board, bitboard_t own, bitboard_t enemy,
               bitboard_t movers, judge_t judge) noexcept nogil:
    """The best score of the captures that `movers` begin, or -BEST_SCORE if it is not known."""
    cdef Explorer e
    cdef Lookup lookup
    lookup.tables, lookup.board, lookup.unknown = tables, board, False
    e.board, e.flags, e.goal = board, tables.flags, BEST_SCORE - 1
    e.judge, e.context = judge, &lookup
    explore(&e, own, enemy, movers)
    return -BEST_SCORE if lookup.unknown and e.best < e.goal else e.best


cdef inline bint _fits(const TableSet *tables, bitboard_t own, bitboard_t enemy,
                       int flags) noexcept nogil:
    return (
        popcount(own | enemy) <= load_int(&tables.most_stones)
        and popcount(own) <= MAX_STONES and popcount(enemy) <= MAX_STONES
        and (flags ^ tables.flags) & (COMPULSORY | SINGLE | NO_MOVE_DRAW) == 0
    )


cdef int probe_wdl(const TableSet *tables, const Tables *board, bitboard_t own, bitboard_t enemy,
                   int flags) noexcept nogil:
    """The result for the mover, in no time limit: TABLE_WIN, _DRAW, _LOSS or _UNKNOWN.

    `flags` are those that the turn is generated under.  If a table leaves out
    positions with a capture, their turns are looked up in tables with fewer
    stones.
    """
    cdef const StoredTable *table
    cdef const uint8_t *data
    cdef bitboard_t movers
    cdef int score
    if not own:
        return TABLE_LOSS
    if not enemy:
        return TABLE_WIN
    if not _fits(tables, own, enemy, flags):
        return TABLE_UNKNOWN
    table = &tables.results[popcount(own)][popcount(enemy)]
    data = data_of(&table.data)
    if data == NULL:
        return TABLE_UNKNOWN
    if not table.complete:
        movers = capturers(board, own, enemy)
        if movers:
            score = _best(tables, board, own, enemy, movers, _judge_result)
            return (score > 0) - (score < 0) if score > -BEST_SCORE else TABLE_UNKNOWN
    return result_at(data, slot_of(tables.index, own, enemy)) - 1


cdef int probe_value(const TableSet *tables, const Tables *board, bitboard_t own,
                     bitboard_t enemy, int flags) noexcept nogil:
    """The value for the mover: turns to the end, odd to win and even to lose, or DRAW.

    NO_VALUE if there is no table with distances.  Otherwise as `probe_wdl`.
    """
    cdef const StoredTable *table
    cdef const uint8_t *data
    cdef bitboard_t movers
    cdef int score
    if not own:
        return 0
    if not enemy:
        return NO_VALUE
    if not _fits(tables, own, enemy, flags):
        return NO_VALUE
    table = &tables.values[popcount(own)][popcount(enemy)]
    data = data_of(&table.data)
    if data == NULL:
        return NO_VALUE
    if not table.complete:
        movers = capturers(board, own, enemy)
        if movers:
            score = _best(tables, board, own, enemy, movers, _judge_value)
            return value_of(score) if score > -BEST_SCORE else NO_VALUE
    return data[slot_of(tables.index, own, enemy)]


cdef int _implied(const TableSet *tables, const Tables *board, bitboard_t own, bitboard_t enemy,
                  bint values, TurnList *turns) noexcept nogil:
    """The value, or the result + 1, that follows from all turns; -1 unknown, -2 no memory."""
    cdef int best = -BEST_SCORE, score, found
    cdef size_t i
    cdef bitboard_t left, stones
    turns.count = 0
    if list_results(board, own, enemy, tables.flags & ~NO_MOVE_DRAW, turns) < 0:
        return -2
    if not turns.count:
        if tables.flags & NO_MOVE_DRAW:
            return DRAW if values else 1
        return 0
    for i in range(turns.count):
        left, stones = enemy & ~captured_of(turns.items[i]), moved(own, turns.items[i])
        if values:
            found = probe_value(tables, board, left, stones, tables.flags)
            if found == NO_VALUE:
                return -1
            score = score_of(found)
        else:
            found = probe_wdl(tables, board, left, stones, tables.flags)
            if found == TABLE_UNKNOWN:
                return -1
            score = -found
        best = max(best, score)
    return value_of(best) if values else best + 1


@cython.final
cdef class LoadedTables:
    """The tables of one board and one rule of continuation that are in memory.

    Probing is safe from many threads, also while tables are added.  Positions
    are masks from the mover's side.
    """

    def __cinit__(self, SetIndex index not None, bint compulsory, bint no_move_draw):
        self.index, self.geometry = index, get_geometry(index.columns, index.rows)
        self.kept = []
        self.tables.index = &index.index
        self.tables.flags = (
            (COMPULSORY if compulsory else 0) | (NO_MOVE_DRAW if no_move_draw else 0)
        )

    def __reduce__(self):
        raise TypeError(
            "tables in memory cannot be pickled or copied: pickle the Tables that they come from"
        )

    def add(self, int own_stones, int enemy_stones, const uint8_t[::1] data not None,
            bint complete, bint values) -> None:
        """Add a table: packed results, or with `values` a byte a slot.

        Raises:
            ValueError: the data has a wrong size.
        """
        cdef StoredTable *table
        size = self.index.size(own_stones, enemy_stones)
        if data.shape[0] != (size if values else -(-size // RESULTS_A_BYTE)):
            raise ValueError(f"{own_stones} against {enemy_stones}: data of a wrong size")
        if values:
            table = &self.tables.values[own_stones][enemy_stones]
        else:
            table = &self.tables.results[own_stones][enemy_stones]
        self.kept.append(data)
        with cython.critical_section(self):
            if own_stones + enemy_stones > self.tables.most_stones:
                keep_int(&self.tables.most_stones, own_stones + enemy_stones)
        table.complete = complete
        publish(&table.data, &data[0])

    def is_for(self, int columns, int rows, bint compulsory, bint no_move_draw) -> bool:
        """Say whether the tables are those of a board and its rules."""
        cdef int flags = self.tables.flags
        return (
            self.geometry.columns == columns
            and self.geometry.rows == rows
            and (flags & COMPULSORY != 0) == compulsory
            and (flags & NO_MOVE_DRAW != 0) == no_move_draw
        )

    def has(self, int own_stones, int enemy_stones, bint values) -> bool:
        """Say whether a table is there."""
        if not (0 <= own_stones <= MAX_STONES and 0 <= enemy_stones <= MAX_STONES):
            return False
        if values:
            return data_of(&self.tables.values[own_stones][enemy_stones].data) != NULL
        return data_of(&self.tables.results[own_stones][enemy_stones].data) != NULL

    cdef int check(self, bitboard_t own, bitboard_t enemy) except -1:
        if own & enemy or (own | enemy) & ~self.geometry.tables.mask:
            raise ValueError("the stones overlap or are not on the board")
        return 0

    def result(self, bitboard_t own, bitboard_t enemy) -> int | None:
        """Return 1 for a win of the mover, 0, -1 for a loss, or None without a table.

        Raises:
            ValueError: the sets overlap or leave the board.
        """
        self.check(own, enemy)
        cdef int found = probe_wdl(
            &self.tables, &self.geometry.tables, own, enemy, self.tables.flags
        )
        return None if found == TABLE_UNKNOWN else found

    def value(self, bitboard_t own, bitboard_t enemy) -> int | None:
        """Return the turns to the end, odd to win, even to lose, 255 for a draw, or None.

        Raises:
            ValueError: the sets overlap or leave the board.
        """
        self.check(own, enemy)
        cdef int found = probe_value(
            &self.tables, &self.geometry.tables, own, enemy, self.tables.flags
        )
        return None if found == NO_VALUE else found

    def resolved(self, bitboard_t own, bitboard_t enemy, bint values) -> int | None:
        """Return what `value` or `result` would, from the tables that captures lead to.

        Raises:
            ValueError: the mover has no capture, or the sets overlap or leave the board.
        """
        cdef const Tables *board = &self.geometry.tables
        cdef bitboard_t movers
        cdef int score
        self.check(own, enemy)
        movers = capturers(board, own, enemy)
        if not movers:
            raise ValueError("the side to move has no capture")
        score = _best(
            &self.tables, board, own, enemy, movers, _judge_value if values else _judge_result
        )
        if score == -BEST_SCORE:
            return None
        return value_of(score) if values else (score > 0) - (score < 0)

    def has_capture(self, bitboard_t own, bitboard_t enemy) -> bool:
        """Say whether the mover has a capture."""
        self.check(own, enemy)
        return capturers(&self.geometry.tables, own, enemy) != 0

    def count_results(self, const uint64_t[::1] own not None,
                      const uint64_t[::1] enemy not None) -> tuple:
        """Return how many of many positions are won, drawn, lost and in no table.

        Raises:
            ValueError: the two arrays are not of one length, or hold no stones of this board.
        """
        cdef size_t counts[4]
        cdef size_t i
        cdef bitboard_t wrong = 0
        if own.shape[0] != enemy.shape[0]:
            raise ValueError(f"{own.shape[0]} masks of own stones, {enemy.shape[0]} of the enemy's")
        counts[0] = counts[1] = counts[2] = counts[3] = 0
        with nogil:
            for i in range(<size_t>own.shape[0]):
                wrong |= own[i] & enemy[i] | (own[i] | enemy[i]) & ~self.geometry.tables.mask
        if wrong:
            raise ValueError("the stones overlap or are not on the board")
        with nogil:
            for i in range(<size_t>own.shape[0]):
                counts[1 + probe_wdl(
                    &self.tables, &self.geometry.tables, own[i], enemy[i], self.tables.flags
                )] += 1
        return counts[1 + TABLE_WIN], counts[1 + TABLE_DRAW], counts[1 + TABLE_LOSS], counts[
            1 + TABLE_UNKNOWN
        ]

    def first_fault(self, int own_stones, int enemy_stones, bint values, uint64_t first,
                    uint64_t last, uint64_t step) -> int | None:
        """Return the first of the slots whose value does not follow from its turns, or None.

        Looks at every `step`-th slot from `first` to before `last`.  All turns
        are listed, and all that they lead to is looked up.

        Raises:
            LookupError: a table that the turns lead to is missing.
            ValueError: there are no such slots.
            MemoryError: the turns of a position do not fit into memory.
        """
        cdef const TableSet *t = &self.tables
        cdef const Tables *board = &self.geometry.tables
        cdef int major = max(own_stones, enemy_stones), minor = min(own_stones, enemy_stones)
        cdef bitboard_t large, small, own, enemy
        cdef uint64_t slot, block
        cdef int implied = 0, found
        cdef bint faulty = False
        cdef TurnList turns
        if not step or first > last or last > self.index.size(own_stones, enemy_stones):
            raise ValueError(f"no slots {first} to {last} in steps of {step}")
        self.index.prepare(major, True)
        block = t.index.binomial[minor][t.index.points - major]
        turns.items, turns.count, turns.capacity = NULL, 0, 0
        slot = first
        with nogil:
            while slot < last and not faulty:
                large = t.index.classes[major].members[slot // block]
                small = spread(t.index.mask & ~large, unranked(t.index, minor, slot % block))
                own, enemy = large, small
                if own_stones < enemy_stones:
                    own, enemy = small, large
                implied = _implied(t, board, own, enemy, values, &turns)
                if implied < 0:
                    break
                if values:
                    found = probe_value(t, board, own, enemy, t.flags)
                else:
                    found = probe_wdl(t, board, own, enemy, t.flags) + 1
                faulty = found != implied
                if not faulty:
                    slot += step
        free_turns(&turns)
        if implied == -2:
            raise MemoryError("the turns of one position do not fit into memory")
        if implied == -1:
            raise LookupError(f"a table that {own_stones} against {enemy_stones} leads to is missing")
        return slot if faulty else None
