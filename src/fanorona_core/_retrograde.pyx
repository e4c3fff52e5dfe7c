"""Solving a pair of stone counts together with its mirror pair."""

cimport cython
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memchr

from fanorona_core._bitboard cimport bit, bitboard_t, ctz, popcount
from fanorona_core._geometry cimport Geometry, Tables, get_geometry
from fanorona_core._index cimport (
    Index, Place, SetIndex, place, rank_minor, slot_at, slot_of, transformed, unranked,
)
from fanorona_core._movegen cimport COMPULSORY, capturers
from fanorona_core._resolve cimport (
    DRAW, MAX_DISTANCE, NO_MOVE_DRAW, PlaceCache, best_capture, cached_place, clear_places,
    set_up_judge,
)


cdef inline bint _marked(const uint64_t *marks, uint64_t i) noexcept nogil:
    return marks[i >> 6] >> (i & 63) & 1


cdef void _open_block(const Problem *p, uint64_t number, Block *b) noexcept nogil:
    cdef bitboard_t free_points
    b.number, b.major = number, p.members[number]
    b.free_points, b.links = 0, -1
    free_points = p.judge.index.mask & ~b.major
    while free_points:
        b.free[b.free_points] = free_points & (0 - free_points)
        b.free_points += 1
        free_points &= free_points - 1
    b.free[b.free_points] = 0


cdef void _open_links(const Problem *p, Block *b) noexcept nogil:
    """Fill in the block's links, in the order in which they were stored."""
    cdef const Tables *t = p.judge.board
    cdef const uint32_t *stored = p.links + p.first_link[b.number]
    cdef bitboard_t stones = b.major, ends
    cdef Link *link
    cdef int point
    if b.links >= 0:
        return
    b.links = 0
    while stones:
        point = ctz(stones)
        stones &= stones - 1
        ends = t.neighbours[point] & ~b.major
        while ends:
            link = &b.link[b.links]
            link.start, link.end = bit(point), ends & (0 - ends)
            ends &= ends - 1
            link.number, link.symmetry = stored[b.links] >> 2, stored[b.links] & 3
            link.member = p.members[link.number]
            b.links += 1


cdef inline bitboard_t _unpacked(const Block *b, bitboard_t packed) noexcept nogil:
    cdef bitboard_t result = 0
    while packed:
        result |= b.free[ctz(packed)]
        packed &= packed - 1
    return result


# First pass: captures.

cdef void _resolve_block(Problem *p, uint64_t number, PlaceCache *cache) noexcept nogil:
    """Decide the slots with a capture, mark the others."""
    cdef const Tables *t = p.judge.board
    cdef uint8_t *value0 = p.values[0] + number * p.size
    cdef uint8_t *value1 = p.values[1] + number * p.size
    cdef uint64_t *quiet0 = p.quiet[0] + number * p.words
    cdef uint64_t *quiet1 = p.quiet[1] + number * p.words
    cdef bint both = p.stones[0] != p.stones[1]
    cdef bitboard_t minor = 0, movers
    cdef int at[MAX_POINTS + 1]
    cdef int k, value
    cdef uint64_t i
    cdef Block b
    _open_block(p, number, &b)
    for k in range(p.stones[1]):
        at[k] = k
        minor ^= b.free[k]
    at[p.stones[1]] = MAX_POINTS + 1
    for i in range(p.size):
        movers = capturers(t, b.major, minor)
        if movers:
            value = best_capture(&p.judge, cache, b.major, p.stones[0], minor, movers)
            value0[i] = value
            if MAX_DISTANCE < value < DRAW:
                p.failed = True
        else:
            quiet0[i >> 6] |= bit(<int>(i & 63))
        if both:
            movers = capturers(t, minor, b.major)
            if movers:
                value = best_capture(&p.judge, cache, minor, p.stones[1], b.major, movers)
                value1[i] = value
                if MAX_DISTANCE < value < DRAW:
                    p.failed = True
            else:
                quiet1[i >> 6] |= bit(<int>(i & 63))
        k = 0
        while at[k] + 1 == at[k + 1]:
            minor ^= b.free[at[k]] ^ b.free[k]
            at[k] = k
            k += 1
        if at[k] + 1 <= b.free_points:
            minor ^= b.free[at[k]] ^ b.free[at[k] + 1]
            at[k] += 1


cdef void _store_links(Problem *p, uint64_t number) noexcept nogil:
    cdef const Tables *t = p.judge.board
    cdef bitboard_t major = p.members[number], stones = major, ends
    cdef uint32_t *stored = p.links + p.first_link[number]
    cdef Place found
    cdef int point
    while stones:
        point = ctz(stones)
        stones &= stones - 1
        ends = t.neighbours[point] & ~major
        while ends:
            found = place(p.judge.index, p.stones[0], major ^ bit(point) ^ (ends & (0 - ends)))
            ends &= ends - 1
            stored[0] = <uint32_t>(found.number << 2) | found.symmetry
            stored += 1


cdef void _mirror_block(Problem *p, uint64_t number) noexcept nogil:
    """With equal counts, side 1 is side 0 of the position with the sets exchanged."""
    cdef uint64_t i, slot, block
    cdef Block b
    _open_block(p, number, &b)
    for i in range(p.size):
        slot = slot_of(p.judge.index, _unpacked(&b, p.packed[i]), b.major)
        block = slot // p.size
        p.values[1][number * p.size + i] = p.values[0][slot]
        if _marked(p.quiet[0] + block * p.words, slot % p.size):
            p.quiet[1][number * p.words + (i >> 6)] |= bit(<int>(i & 63))


# Second pass: what the turns of each quiet slot lead to, as far as it is known.

cdef struct Tally:
    int turns
    int pending
    int win         # the fastest, or DRAW
    int loss        # the slowest
    bint drawn


cdef inline void _count_turn(Tally *tally, int value) noexcept nogil:
    tally.turns += 1
    if value == DRAW:
        tally.drawn = True
    elif value & 1:
        if value >= tally.loss:
            tally.loss = value + 1
    elif value < tally.win:
        tally.win = value + 1


cdef void _tally(const Problem *p, Block *b, int side, bitboard_t minor, bint final,
                 Tally *tally) noexcept nogil:
    """Look at all that the turns of a quiet slot lead to; `final` if that is all decided."""
    cdef const Index *x = p.judge.index
    cdef bitboard_t stones = minor, ends, turned[4]
    cdef uint64_t slot
    cdef Link *link
    cdef int i, point
    cdef uint8_t *values
    cdef uint64_t *quiet
    tally.turns, tally.pending, tally.drawn, tally.win, tally.loss = 0, 0, False, DRAW, 0
    if side == 0:
        _open_links(p, b)
        for i in range(4):
            turned[i] = transformed(x, minor, i)
        for i in range(b.links):
            link = &b.link[i]
            if minor & link.end:
                continue
            slot = rank_minor(x, link.member, turned[link.symmetry])
            if not final and _marked(p.quiet[1] + link.number * p.words, slot):
                tally.turns += 1
                tally.pending += 1
            else:
                _count_turn(tally, p.values[1][link.number * p.size + slot])
        return
    values, quiet = p.values[0] + b.number * p.size, p.quiet[0] + b.number * p.words
    while stones:
        point = ctz(stones)
        stones &= stones - 1
        ends = p.judge.board.neighbours[point] & ~(b.major | minor)
        while ends:
            slot = rank_minor(x, b.major, minor ^ bit(point) ^ (ends & (0 - ends)))
            ends &= ends - 1
            if not final and _marked(quiet, slot):
                tally.turns += 1
                tally.pending += 1
            else:
                _count_turn(tally, values[slot])


cdef int _prepare_block(Problem *p, uint64_t number, int side) noexcept nogil:
    """Set the first state of the quiet slots; return the latest depth that one is due at."""
    cdef uint8_t *values = p.values[side] + number * p.size
    cdef uint64_t w, word
    cdef int value, last = 0
    cdef uint32_t count = 0
    cdef Tally tally
    cdef Block b
    _open_block(p, number, &b)
    for w in range(p.words):
        word = p.quiet[side][number * p.words + w]
        count += popcount(word)
        while word:
            _tally(p, &b, side, _unpacked(&b, p.packed[w * 64 + ctz(word)]), False, &tally)
            if tally.win < DRAW:
                value = tally.win
            elif not tally.turns:
                value = DRAW if p.judge.flags & NO_MOVE_DRAW else 0
            elif tally.drawn:
                value = NOT_LOST if tally.pending else DRAW
            elif tally.pending:
                value = PENDING + tally.pending
                if tally.pending > MAX_PENDING:
                    p.failed = True
            else:
                value = tally.loss
            if value < PENDING:
                last = max(last, value)
                if value > MAX_DISTANCE:
                    p.failed = True
            values[w * 64 + ctz(word)] = value
            word &= word - 1
    p.open[side][number] = count
    return last


# Third pass, depth by depth: what has just been decided decides slots that lead to it.

cdef int _update(Problem *p, Block *b, int side, bitboard_t minor, int depth) noexcept nogil:
    """Note that a turn of this slot leads to one decided at the depth before.

    Returns a depth that the slot is due at later, or 0.
    """
    cdef uint64_t slot = rank_minor(p.judge.index, b.major, minor)
    cdef uint8_t *value = p.values[side] + b.number * p.size + slot
    cdef Tally tally
    if depth & 1:
        if value[0] > depth and _marked(p.quiet[side] + b.number * p.words, slot):
            value[0] = depth
    elif PENDING < value[0] <= PENDING + MAX_PENDING:
        value[0] -= 1
        if value[0] == PENDING:
            _tally(p, b, side, minor, True, &tally)
            value[0] = tally.loss
            return tally.loss
    return 0


cdef int _pull(Problem *p, Block *b, int depth) noexcept nogil:
    """Update a block by what the depth before has decided; return the latest depth now due."""
    cdef const Frontier *decided = &p.frontiers[(depth - 1) & 1][1]
    cdef const Index *x = p.judge.index
    cdef const uint32_t *stored = p.links + p.first_link[b.number]
    cdef const bitboard_t *items
    cdef bitboard_t minor, stones, ends, start
    cdef uint64_t count, k
    cdef Link *link
    cdef int i, due = 0, point
    cdef int links = <int>(p.first_link[b.number + 1] - p.first_link[b.number])
    if p.open[0][b.number]:
        for i in range(links):
            if not decided.count[stored[i] >> 2]:
                continue
            _open_links(p, b)
            link = &b.link[i]
            items = decided.lists[link.number >> p.chunk_shift].items + decided.start[link.number]
            for k in range(decided.count[link.number]):
                minor = transformed(x, items[k], link.symmetry)
                if not minor & link.start:
                    due = max(due, _update(p, b, 0, minor, depth))
    decided = &p.frontiers[(depth - 1) & 1][0]
    count = decided.count[b.number]
    if count and p.open[1][b.number]:
        items = decided.lists[b.number >> p.chunk_shift].items + decided.start[b.number]
        for k in range(count):
            stones = items[k]
            while stones:
                start = stones & (0 - stones)
                stones &= stones - 1
                point = ctz(start)
                ends = p.judge.board.neighbours[point] & ~(b.major | items[k])
                while ends:
                    due = max(
                        due, _update(p, b, 1, items[k] ^ start ^ (ends & (0 - ends)), depth)
                    )
                    ends &= ends - 1
    return due


cdef int _collect(Problem *p, Block *b, int side, int depth) noexcept nogil:
    """Put the quiet slots decided at a depth into its frontier; -1 when memory has ended."""
    cdef Frontier *found = &p.frontiers[depth & 1][side]
    cdef BoardList *boards = &found.lists[b.number >> p.chunk_shift]
    cdef const uint8_t *values = p.values[side] + b.number * p.size
    cdef const uint8_t *next = values
    cdef const uint64_t *quiet = p.quiet[side] + b.number * p.words
    cdef size_t capacity
    cdef bitboard_t *grown
    found.start[b.number] = boards.count
    if p.open[side][b.number]:
        next = <const uint8_t *>memchr(values, depth, p.size)
        while next != NULL:
            if _marked(quiet, next - values):
                if boards.count == boards.capacity:
                    capacity = boards.capacity * 2 if boards.capacity else 256
                    grown = <bitboard_t *>realloc(boards.items, capacity * sizeof(bitboard_t))
                    if grown == NULL:
                        return -1
                    boards.items, boards.capacity = grown, capacity
                boards.items[boards.count] = _unpacked(b, p.packed[next - values])
                boards.count += 1
            next += 1
            next = <const uint8_t *>memchr(next, depth, p.size - (next - values))
    found.count[b.number] = boards.count - found.start[b.number]
    p.open[side][b.number] -= found.count[b.number]
    return 0


@cython.final
cdef class Solver:
    """Solves one pair of stone counts and its mirror pair, in passes over chunks of blocks.

    Run each pass over all chunks, in any order and on any threads, before the
    next pass: `resolve`; `mirror`, if `is_mirrored`; `prepare`; `advance` for
    depth 0, 1, 2 ... until nothing is found and nothing is due; `finish`.
    `values` are two writable buffers of zeros, a byte a slot, for the side with
    the larger count and the other; they hold the result.

    Raises:
        ValueError: counts that do not fit the board, or buffers of a wrong size.
        MemoryError: the work does not fit into memory.
    """

    cdef Problem problem
    cdef SetIndex index
    cdef Geometry geometry
    cdef list kept
    cdef readonly int chunks
    cdef readonly bint is_mirrored

    def __cinit__(self, SetIndex index, int major, int minor, bint compulsory, bint no_move_draw,
                  uint8_t[::1] majors_turn, uint8_t[::1] minors_turn):
        cdef Problem *p = &self.problem
        cdef uint64_t size, i, k
        cdef int parity, side
        if not major >= minor >= 1:
            raise ValueError(f"{major} and {minor} stones: expected the larger count first")
        size = index.size(major, minor)
        if <uint64_t>majors_turn.shape[0] != size or <uint64_t>minors_turn.shape[0] != size:
            raise ValueError(f"buffers of a wrong size: expected {size} bytes each")
        index.prepare(major, True)
        self.index, self.geometry = index, get_geometry(index.columns, index.rows)
        self.kept = [majors_turn, minors_turn]
        self.is_mirrored = major == minor
        set_up_judge(
            &p.judge, &self.geometry.tables, &index.index,
            (COMPULSORY if compulsory else 0) | (NO_MOVE_DRAW if no_move_draw else 0),
        )
        p.stones[0], p.stones[1] = major, minor
        p.values[0], p.values[1] = &majors_turn[0], &minors_turn[0]
        p.members, p.blocks = index.index.classes[major].members, index.index.classes[major].count
        p.size = size // p.blocks
        p.words = (p.size + 63) >> 6
        while (p.blocks >> p.chunk_shift) >= MAX_CHUNKS:
            p.chunk_shift += 1
        # A chunk of less than a million slots costs more to hand out than to work on.
        while p.size << p.chunk_shift < 1 << 18 and p.blocks >> p.chunk_shift:
            p.chunk_shift += 1
        self.chunks = <int>((p.blocks - 1) >> p.chunk_shift) + 1
        for side in range(2):
            p.quiet[side] = <uint64_t *>self.cleared(p.blocks * p.words, sizeof(uint64_t))
            p.open[side] = <uint32_t *>self.cleared(p.blocks, sizeof(uint32_t))
            for parity in range(2):
                p.frontiers[parity][side].start = <uint32_t *>self.cleared(p.blocks, sizeof(uint32_t))
                p.frontiers[parity][side].count = <uint32_t *>self.cleared(p.blocks, sizeof(uint32_t))
        p.packed = <bitboard_t *>self.cleared(p.size, sizeof(bitboard_t))
        for i in range(p.size):
            p.packed[i] = unranked(&index.index, minor, i)
        p.first_link = <uint64_t *>self.cleared(p.blocks + 1, sizeof(uint64_t))
        for i in range(p.blocks):
            p.first_link[i + 1] = p.first_link[i]
            for k in range(index.index.points):
                if p.members[i] >> k & 1:
                    p.first_link[i + 1] += popcount(
                        self.geometry.tables.neighbours[k] & ~p.members[i]
                    )
        p.links = <uint32_t *>self.cleared(p.first_link[p.blocks] + 1, sizeof(uint32_t))

    def __dealloc__(self):
        cdef Problem *p = &self.problem
        free(p.packed)
        free(p.first_link)
        free(p.links)
        for side in range(2):
            free(p.quiet[side])
            free(p.open[side])
            for parity in range(2):
                free(p.frontiers[parity][side].start)
                free(p.frontiers[parity][side].count)
                for chunk in range(MAX_CHUNKS):
                    free(p.frontiers[parity][side].lists[chunk].items)

    cdef void *cleared(self, size_t count, size_t size) except NULL:
        cdef void *memory = calloc(count, size)
        if memory == NULL:
            raise MemoryError("the work on these tables does not fit into memory")
        return memory

    cdef uint64_t begin(self, int chunk) except? 0:
        """The first block of a chunk."""
        if not 0 <= chunk < self.chunks:
            raise IndexError(f"no chunk {chunk}: there are {self.chunks}")
        return <uint64_t>chunk << self.problem.chunk_shift

    cdef uint64_t end(self, int chunk) noexcept:
        return min(self.problem.blocks, <uint64_t>(chunk + 1) << self.problem.chunk_shift)

    cdef int check(self) except -1:
        if self.problem.failed:
            raise OverflowError("a distance or a number of turns does not fit into a byte")
        return 0

    def use(self, int own_stones, int enemy_stones, const uint8_t[::1] values) -> None:
        """Give the finished values of a pair with fewer stones, which captures lead to.

        Raises:
            ValueError: a buffer of a wrong size.
        """
        if <uint64_t>values.shape[0] != self.index.size(own_stones, enemy_stones):
            raise ValueError(f"{own_stones} against {enemy_stones}: a buffer of a wrong size")
        self.kept.append(values)
        self.problem.judge.values[own_stones][enemy_stones] = &values[0]

    def needs(self) -> list:
        """Return the pairs (mover's stones, other's) that `use` must be called for."""
        cdef int major = self.problem.stones[0], minor = self.problem.stones[1]
        pairs = {(left, major) for left in range(1, minor)}
        return sorted(pairs | {(left, minor) for left in range(1, major)})

    def resolve(self, int chunk) -> None:
        """Decide all slots with a capture."""
        cdef Problem *p = &self.problem
        cdef uint64_t i, first = self.begin(chunk), last = self.end(chunk)
        cdef PlaceCache cache
        with nogil:
            clear_places(&cache)
            for i in range(first, last):
                _store_links(p, i)
                _resolve_block(p, i, &cache)
        self.check()

    def mirror(self, int chunk) -> None:
        """With equal counts, take the other side's slots from the first side's."""
        cdef uint64_t i, first = self.begin(chunk), last = self.end(chunk)
        with nogil:
            for i in range(first, last):
                _mirror_block(&self.problem, i)

    def prepare(self, int chunk) -> int:
        """Look ahead from all quiet slots; return the last depth at which one is due."""
        cdef uint64_t i, first = self.begin(chunk), last = self.end(chunk)
        cdef int side, due = 0
        with nogil:
            for i in range(first, last):
                for side in range(2):
                    due = max(due, _prepare_block(&self.problem, i, side))
        self.check()
        return due

    def advance(self, int depth, int chunk) -> tuple:
        """Decide the slots of a depth; return how many, and the last depth newly due.

        Raises:
            MemoryError: the list of these slots does not fit into memory.
        """
        cdef Problem *p = &self.problem
        cdef uint64_t i, first = self.begin(chunk), last = self.end(chunk)
        cdef int side, due = 0, status = 0
        cdef Block b
        if not 0 <= depth <= MAX_DISTANCE:
            raise OverflowError(f"depth {depth} does not fit into a table")
        with nogil:
            for side in range(2):
                p.frontiers[depth & 1][side].lists[chunk].count = 0
            for i in range(first, last):
                if not p.open[0][i] and not p.open[1][i]:
                    for side in range(2):
                        p.frontiers[depth & 1][side].count[i] = 0
                    continue
                _open_block(p, i, &b)
                if depth:
                    due = max(due, _pull(p, &b, depth))
                for side in range(2):
                    if _collect(p, &b, side, depth) < 0:
                        status = -1
        if status < 0:
            raise MemoryError("the slots of one depth do not fit into memory")
        return (
            p.frontiers[depth & 1][0].lists[chunk].count
            + p.frontiers[depth & 1][1].lists[chunk].count
        ), due

    def finish(self, int chunk) -> None:
        """Call what nobody could decide a draw."""
        cdef Problem *p = &self.problem
        cdef uint64_t i, first = self.begin(chunk) * p.size, last = self.end(chunk) * p.size
        cdef int side
        with nogil:
            for side in range(2):
                for i in range(first, last):
                    if p.values[side][i] >= PENDING:
                        p.values[side][i] = DRAW
