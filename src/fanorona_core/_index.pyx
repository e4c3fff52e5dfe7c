"""Numbering positions: classes of stone sets up to symmetry, and slots made of them."""

cimport cython
from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free, malloc

from fanorona_core._bitboard cimport bit, bitboard_t, ctz, popcount
from fanorona_core._geometry cimport get_geometry

cdef enum:
    # 2**33 sets take 1.5 GiB to number; every set of a board of 35 points fits.
    MAX_SETS_LOG2 = 33


@cython.final
cdef class SetIndex:
    """Numbers the positions of one board size; its tables grow as larger sets are asked for.

    Positions are given from the mover's side, as masks.  Use from several
    threads is safe.

    Raises:
        ValueError: no such board.
    """

    def __cinit__(self, int columns, int rows):
        cdef Index *x = &self.index
        cdef int k, n, i
        get_geometry(columns, rows)
        self.columns, self.rows = columns, rows
        x.points = columns * rows
        x.mask = (1ULL << x.points) - 1
        for k in range(MAX_STONES + 1):
            for n in range(MAX_POINTS + 1):
                if k == 0:
                    x.binomial[k][n] = 1
                elif n == 0:
                    x.binomial[k][n] = 0
                else:
                    x.binomial[k][n] = x.binomial[k][n - 1] + x.binomial[k - 1][n - 1]
        x.row_pairs = rows // 2
        x.middle = ((1ULL << columns) - 1) << (columns * (rows // 2))
        for i in range(x.row_pairs):
            x.low_row[i] = ((1ULL << columns) - 1) << (columns * i)
            x.row_distance[i] = columns * (rows - 1 - 2 * i)
        for k in range(MAX_STONES + 1):
            x.classes[k].sets = x.binomial[k][x.points]

    def __dealloc__(self):
        for k in range(MAX_STONES + 1):
            free(self.index.classes[k].words)
            free(self.index.classes[k].members)

    cdef int prepare(self, int stones, bint members) except -1:
        """Make the classes of sets of a size; with `members`, the list of representatives too."""
        cdef SetClasses *classes
        cdef SetWord *words
        cdef bitboard_t *listed
        cdef uint64_t count
        if not 0 <= stones <= MAX_STONES or stones > self.index.points:
            raise ValueError(f"sets of {stones} stones: expected 0 to {MAX_STONES}")
        classes = &self.index.classes[stones]
        if classes.sets >> MAX_SETS_LOG2:
            raise MemoryError(f"{classes.sets} sets of {stones} stones are too many to number")
        if not classes.count:
            words = <SetWord *>calloc((classes.sets >> 6) + 1, sizeof(SetWord))
            if words == NULL:
                raise MemoryError(f"the sets of {stones} stones do not fit into memory")
            with nogil:
                count = _number(&self.index, stones, words)
            if classes.count:   # another thread was faster
                free(words)
            else:
                classes.words, classes.count = words, count
        if members and classes.members == NULL:
            listed = <bitboard_t *>malloc(classes.count * sizeof(bitboard_t))
            if listed == NULL:
                raise MemoryError(f"the sets of {stones} stones do not fit into memory")
            with nogil:
                _list(&self.index, stones, classes.words, listed)
            if classes.members == NULL:
                classes.members = listed
            else:
                free(listed)
        return 0

    cdef int check(self, int own_stones, int enemy_stones) except -1:
        """Refuse stones that do not fit on the board; prepare the others' classes."""
        if own_stones < 0 or enemy_stones < 0 or own_stones + enemy_stones > self.index.points:
            raise ValueError(
                f"{own_stones} against {enemy_stones} stones do not fit on "
                f"{self.columns}x{self.rows}"
            )
        return self.prepare(max(own_stones, enemy_stones), False)

    def classes(self, int stones) -> int:
        """Return the number of sets of a size, up to symmetry.

        Raises:
            ValueError: no board has so many stones of one side.
            MemoryError: they are too many to number.
        """
        self.prepare(stones, False)
        return self.index.classes[stones].count

    def size(self, int own_stones, int enemy_stones) -> int:
        """Return the number of slots of a pair of stone counts.

        Raises:
            ValueError: the stones do not fit on the board.
            MemoryError: there are too many sets to number.
        """
        cdef int major = max(own_stones, enemy_stones), minor = min(own_stones, enemy_stones)
        self.check(own_stones, enemy_stones)
        return self.index.classes[major].count * <object>self.index.binomial[minor][
            self.index.points - major
        ]

    def slot(self, bitboard_t own, bitboard_t enemy) -> int:
        """Return the slot of a position; positions that a symmetry makes equal may share it.

        Raises:
            ValueError: the sets overlap or leave the board.
        """
        if own & enemy or (own | enemy) & ~self.index.mask:
            raise ValueError("the stones overlap or are not on the board")
        self.check(popcount(own), popcount(enemy))
        return slot_of(&self.index, own, enemy)

    def position(self, int own_stones, int enemy_stones, slot) -> tuple:
        """Return the masks (own, enemy) of the position that a slot stands for.

        Raises:
            IndexError: there is no such slot.
            ValueError: the stones do not fit on the board.
        """
        cdef int major = max(own_stones, enemy_stones), minor = min(own_stones, enemy_stones)
        cdef bitboard_t large, small
        cdef uint64_t block
        if not 0 <= slot < self.size(own_stones, enemy_stones):
            raise IndexError(f"no slot {slot} for {own_stones} against {enemy_stones} stones")
        self.prepare(major, True)
        block = self.index.binomial[minor][self.index.points - major]
        large = self.index.classes[major].members[slot // block]
        small = spread(self.index.mask & ~large, unranked(&self.index, minor, slot % block))
        return (large, small) if own_stones >= enemy_stones else (small, large)

    def transformed(self, bitboard_t stones, int symmetry) -> int:
        """Return a mask after one of the board's symmetries, 0 to 3.

        0 is none, 1 mirrors left and right, 2 top and bottom, 3 is the half turn.
        """
        return transformed(&self.index, stones & self.index.mask, symmetry & 3)

    def __reduce__(self):
        return SetIndex, (self.columns, self.rows)

    def __repr__(self):
        return f"SetIndex({self.columns}, {self.rows})"


cdef bitboard_t unranked(const Index *x, int stones, uint64_t rank) noexcept nogil:
    """The set of a rank, as packed bits."""
    cdef bitboard_t result = 0
    cdef int k = stones, point = x.points
    while k:
        point -= 1
        if x.binomial[k][point] <= rank:
            rank -= x.binomial[k][point]
            result |= bit(point)
            k -= 1
    return result


cdef inline bitboard_t _next(bitboard_t b) noexcept nogil:
    """The next larger number with as many bits (HAKMEM, item 175)."""
    cdef bitboard_t low = b & (0 - b), high = b + low
    return high | ((b ^ high) >> 2) >> ctz(b)


cdef uint64_t _number(const Index *x, int stones, SetWord *words) noexcept nogil:
    """Mark the representatives; return how many there are."""
    cdef uint64_t rank, count = 0, sets = x.classes[stones].sets
    cdef bitboard_t b = (1ULL << stones) - 1, half
    for rank in range(sets):
        if rank & 63 == 0:
            words[rank >> 6].before = count
        half = turned(x, b)
        if b <= half and b <= flipped(x, b) and b <= flipped(x, half):
            words[rank >> 6].least |= bit(<int>(rank & 63))
            count += 1
        if b:
            b = _next(b)
    return count


cdef void _list(const Index *x, int stones, const SetWord *words, bitboard_t *members) noexcept nogil:
    cdef uint64_t rank, sets = x.classes[stones].sets
    cdef bitboard_t b = (1ULL << stones) - 1
    for rank in range(sets):
        if words[rank >> 6].least >> (rank & 63) & 1:
            members[0] = b
            members += 1
        if b:
            b = _next(b)
