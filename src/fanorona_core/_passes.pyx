"""The passes that solve one block of slots after another, none of which touches Python."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport realloc
from libc.string cimport memchr

from fanorona_core._bitboard cimport bit, bitboard_t, ctz, popcount
from fanorona_core._geometry cimport MAX_POINTS, Tables
from fanorona_core._index cimport Index, Place, place, rank_minor, slot_of, transformed
from fanorona_core._movegen cimport capturers
from fanorona_core._resolve cimport (
    DRAW, MAX_DISTANCE, NO_MOVE_DRAW, Explorer, explore, value_of,
)


cdef void open_block(const Problem *p, uint64_t number, Block *b) noexcept nogil:
    cdef bitboard_t free_points
    b.number, b.major = number, p.members[number]
    b.free_points, b.links = 0, -1
    free_points = p.sources.index.mask & ~b.major
    while free_points:
        b.free[b.free_points] = free_points & (0 - free_points)
        b.free_points += 1
        free_points &= free_points - 1
    b.free[b.free_points] = 0


cdef void _open_links(const Problem *p, Block *b) noexcept nogil:
    """Fill in the block's links, in the order in which they were stored."""
    cdef const Tables *t = p.board
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

cdef int _best(Problem *p, Explorer *e, bitboard_t own, bitboard_t enemy,
               bitboard_t movers) noexcept nogil:
    """The value of a slot with a capture."""
    explore(e, own, enemy, movers)
    if value_of(e.best) > MAX_DISTANCE and e.best:
        p.failed = True
    return value_of(e.best)


cdef void resolve_block(Problem *p, uint64_t number, Explorer *e) noexcept nogil:
    """Decide the slots with a capture, mark the others."""
    cdef const Tables *t = p.board
    cdef uint8_t *value0 = p.values[0] + number * p.size
    cdef uint8_t *value1 = p.values[1] + number * p.size
    cdef uint64_t *quiet0 = p.quiet[0] + number * p.words
    cdef uint64_t *quiet1 = p.quiet[1] + number * p.words
    cdef bint both = p.stones[0] != p.stones[1]
    cdef bitboard_t minor = 0, movers
    cdef int at[MAX_POINTS + 1]
    cdef int k
    cdef uint64_t i
    cdef Block b
    open_block(p, number, &b)
    for k in range(p.stones[1]):
        at[k] = k
        minor ^= b.free[k]
    at[p.stones[1]] = MAX_POINTS + 1
    for i in range(p.size):
        movers = capturers(t, b.major, minor)
        if movers:
            value0[i] = _best(p, e, b.major, minor, movers)
        else:
            quiet0[i >> 6] |= bit(<int>(i & 63))
        if both:
            movers = capturers(t, minor, b.major)
            if movers:
                value1[i] = _best(p, e, minor, b.major, movers)
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


cdef void store_links(Problem *p, uint64_t number) noexcept nogil:
    cdef const Tables *t = p.board
    cdef bitboard_t major = p.members[number], stones = major, ends
    cdef uint32_t *stored = p.links + p.first_link[number]
    cdef Place found
    cdef int point
    while stones:
        point = ctz(stones)
        stones &= stones - 1
        ends = t.neighbours[point] & ~major
        while ends:
            found = place(p.sources.index, p.stones[0], major ^ bit(point) ^ (ends & (0 - ends)))
            ends &= ends - 1
            stored[0] = <uint32_t>(found.number << 2) | found.symmetry
            stored += 1


cdef void mirror_block(Problem *p, uint64_t number) noexcept nogil:
    """With equal counts, side 1 is side 0 of the position with the sets exchanged."""
    cdef uint64_t i, slot, block
    cdef Block b
    open_block(p, number, &b)
    for i in range(p.size):
        slot = slot_of(p.sources.index, _unpacked(&b, p.packed[i]), b.major)
        block = slot // p.size
        p.values[1][number * p.size + i] = p.values[0][slot]
        if marked(p.quiet[0] + block * p.words, slot % p.size):
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
    cdef const Index *x = p.sources.index
    cdef bitboard_t stones = minor, ends
    cdef bitboard_t[4] turned
    cdef uint64_t slot
    cdef Link *link
    cdef int i, point
    cdef const uint8_t *values
    cdef const uint64_t *quiet
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
            if not final and marked(p.quiet[1] + link.number * p.words, slot):
                tally.turns += 1
                tally.pending += 1
            else:
                _count_turn(tally, p.values[1][link.number * p.size + slot])
        return
    values, quiet = p.values[0] + b.number * p.size, p.quiet[0] + b.number * p.words
    while stones:
        point = ctz(stones)
        stones &= stones - 1
        ends = p.board.neighbours[point] & ~(b.major | minor)
        while ends:
            slot = rank_minor(x, b.major, minor ^ bit(point) ^ (ends & (0 - ends)))
            ends &= ends - 1
            if not final and marked(quiet, slot):
                tally.turns += 1
                tally.pending += 1
            else:
                _count_turn(tally, values[slot])


cdef int prepare_block(Problem *p, uint64_t number, int side) noexcept nogil:
    """Set the first state of the quiet slots; return the latest depth that one is due at."""
    cdef uint8_t *values = p.values[side] + number * p.size
    cdef uint64_t w, word
    cdef int value, last = 0
    cdef uint32_t count = 0
    cdef Tally tally
    cdef Block b
    open_block(p, number, &b)
    for w in range(p.words):
        word = p.quiet[side][number * p.words + w]
        count += popcount(word)
        while word:
            _tally(p, &b, side, _unpacked(&b, p.packed[w * 64 + ctz(word)]), False, &tally)
            if tally.win < DRAW:
                value = tally.win
            elif not tally.turns:
                value = DRAW if p.flags & NO_MOVE_DRAW else 0
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
    cdef uint64_t slot = rank_minor(p.sources.index, b.major, minor)
    cdef uint8_t *value = p.values[side] + b.number * p.size + slot
    cdef Tally tally
    if depth & 1:
        if value[0] > depth and marked(p.quiet[side] + b.number * p.words, slot):
            value[0] = depth
    elif PENDING < value[0] <= PENDING + MAX_PENDING:
        value[0] -= 1
        if value[0] == PENDING:
            _tally(p, b, side, minor, True, &tally)
            value[0] = tally.loss
            return tally.loss
    return 0


cdef int pull(Problem *p, Block *b, int depth) noexcept nogil:
    """Update a block by what the depth before has decided; return the latest depth now due."""
    cdef const Frontier *decided = &p.frontiers[(depth - 1) & 1][1]
    cdef const Index *x = p.sources.index
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
                ends = p.board.neighbours[point] & ~(b.major | items[k])
                while ends:
                    due = max(
                        due, _update(p, b, 1, items[k] ^ start ^ (ends & (0 - ends)), depth)
                    )
                    ends &= ends - 1
    return due


cdef int collect(Problem *p, Block *b, int side, int depth) noexcept nogil:
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
            if marked(quiet, next - values):
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
