"""Turn generation on bitboards."""

from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport free, qsort, realloc
from libc.string cimport memcpy

from fanorona_core._bitboard cimport bit, bitboard_t, ctz, popcount
from fanorona_core._geometry cimport DIRECTIONS, NO_DIRECTION, Ray, Tables


cdef bitboard_t capturers(const Tables *t, bitboard_t own, bitboard_t enemy) noexcept nogil:
    """The stones that can begin a capture, found for all of them at once."""
    cdef bitboard_t empty = t.mask & ~(own | enemy), found = 0, movers, near
    cdef int d
    for d in range(DIRECTIONS):
        movers = own & t.has_neighbour[d] & shifted(t, empty, d ^ 1)
        near = shifted(t, enemy, d ^ 1)
        found |= movers & t.has_second[d] & shifted(t, near, d ^ 1)
        found |= movers & t.has_neighbour[d ^ 1] & shifted(t, enemy, d)
    return found


cdef bint has_paika(const Tables *t, bitboard_t own, bitboard_t enemy) noexcept nogil:
    """Whether any stone has an empty neighbour."""
    cdef bitboard_t empty = t.mask & ~(own | enemy)
    cdef int d
    for d in range(DIRECTIONS):
        if own & t.has_neighbour[d] & shifted(t, empty, d ^ 1):
            return True
    return False


cdef bint can_continue(const Tables *t, bitboard_t own, bitboard_t enemy,
                       const Chain *chain) noexcept nogil:
    """Whether the stone of a chain can capture again."""
    cdef bitboard_t landings = (
        t.neighbours[chain.point] & ~(own | enemy | chain.visited)
    )
    cdef const Ray *ray
    cdef int d
    while landings:
        d = t.direction[chain.point][ctz(landings)]
        landings &= landings - 1
        ray = &t.rays[chain.point][d]
        if d != chain.last and enemy & (ray.ahead | ray.behind):
            return True
    return False


# Counting: chains are followed, not stored.  `open` holds the empty points that
# the stone has not stood on; the stone's start is not among them.

cdef uint64_t _count_prefixes(const Tables *t, int point, bitboard_t open, bitboard_t enemy,
                              int last) noexcept nogil:
    """Count the chains that go on from here, each stop along the way as one."""
    cdef bitboard_t landings = t.neighbours[point] & open, taken
    cdef uint64_t total = 0
    cdef const Ray *ray
    cdef int landing, d
    while landings:
        landing = ctz(landings)
        landings &= landings - 1
        d = t.direction[point][landing]
        ray = &t.rays[point][d]
        if d == last or not enemy & (ray.ahead | ray.behind):
            continue
        taken = approached(ray, enemy, d)
        if taken:
            total += 1 + _count_prefixes(t, landing, (open | taken) & ~ray.step, enemy & ~taken, d)
        taken = withdrawn(ray, enemy, d)
        if taken:
            total += 1 + _count_prefixes(t, landing, (open | taken) & ~ray.step, enemy & ~taken, d)
    return total


cdef uint64_t _count_maximal(const Tables *t, int point, bitboard_t open, bitboard_t enemy,
                             int last) noexcept nogil:
    """Count the chains from here that end only where they must; 0 if there is no step."""
    cdef bitboard_t landings = t.neighbours[point] & open, taken
    cdef uint64_t total = 0, below
    cdef const Ray *ray
    cdef int landing, d, kind
    while landings:
        landing = ctz(landings)
        landings &= landings - 1
        d = t.direction[point][landing]
        ray = &t.rays[point][d]
        if d == last or not enemy & (ray.ahead | ray.behind):
            continue
        for kind in range(2):
            taken = approached(ray, enemy, d) if kind == 0 else withdrawn(ray, enemy, d)
            if taken:
                below = _count_maximal(t, landing, (open | taken) & ~ray.step, enemy & ~taken, d)
                total += below if below else 1
    return total


cdef uint64_t _count_first_steps(const Tables *t, bitboard_t own, bitboard_t enemy) noexcept nogil:
    """Count the single capturing steps."""
    cdef bitboard_t empty = t.mask & ~(own | enemy), movers, near
    cdef uint64_t total = 0
    cdef int d
    for d in range(DIRECTIONS):
        movers = own & t.has_neighbour[d] & shifted(t, empty, d ^ 1)
        near = shifted(t, enemy, d ^ 1)
        total += popcount(movers & t.has_second[d] & shifted(t, near, d ^ 1))
        total += popcount(movers & t.has_neighbour[d ^ 1] & shifted(t, enemy, d))
    return total


cdef uint64_t count_turns(const Tables *t, bitboard_t own, bitboard_t enemy,
                          int flags) noexcept nogil:
    """Count the legal turns, every chain by its path and kinds."""
    cdef bitboard_t movers, empty = t.mask & ~(own | enemy)
    cdef uint64_t total = 0
    cdef int point, d
    if not enemy:
        return 0
    movers = capturers(t, own, enemy)
    if not movers:
        for d in range(DIRECTIONS):
            total += popcount(own & t.has_neighbour[d] & shifted(t, empty, d ^ 1))
        return total
    if flags & SINGLE:
        return _count_first_steps(t, own, enemy)
    while movers:
        point = ctz(movers)
        movers &= movers - 1
        if flags & COMPULSORY:
            total += _count_maximal(t, point, empty, enemy, NO_DIRECTION)
        else:
            total += _count_prefixes(t, point, empty, enemy, NO_DIRECTION)
    return total


# Listing.

cdef int reserve(TurnList *turns, size_t more) noexcept nogil:
    """Make room for more turns; -1 when memory has ended, the list unharmed."""
    cdef size_t capacity = turns.capacity if turns.capacity else 256
    cdef turn_t *grown
    if turns.count + more <= turns.capacity:
        return 0
    while capacity < turns.count + more:
        capacity *= 2
    grown = <turn_t *>realloc(turns.items, capacity * sizeof(turn_t))
    if grown == NULL:
        return -1
    turns.items, turns.capacity = grown, capacity
    return 0


cdef void free_turns(TurnList *turns) noexcept nogil:
    free(turns.items)
    turns.items, turns.count, turns.capacity = NULL, 0, 0


cdef void free_paths(PathList *paths) noexcept nogil:
    free(paths.bytes)
    paths.bytes, paths.size, paths.capacity = NULL, 0, 0


cdef int _add_path(PathList *paths, const uint8_t *steps, int length) noexcept nogil:
    cdef size_t capacity = paths.capacity if paths.capacity else 1024
    cdef uint8_t *grown
    while capacity < paths.size + length + 1:
        capacity *= 2
    if capacity != paths.capacity:
        grown = <uint8_t *>realloc(paths.bytes, capacity)
        if grown == NULL:
            return -1
        paths.bytes, paths.capacity = grown, capacity
    paths.bytes[paths.size] = length
    memcpy(paths.bytes + paths.size + 1, steps, length)
    paths.size += length + 1
    return 0


# What stays the same while the chains of one stone are listed.
cdef struct Walk:
    const Tables *tables
    int flags
    int start
    TurnList *turns
    PathList *paths             # may be NULL
    int length                  # steps taken so far
    uint8_t steps[MAX_STEPS]


cdef int _add(Walk *w, int end, bitboard_t captured) noexcept nogil:
    if reserve(w.turns, 1) < 0:
        return -1
    w.turns.items[w.turns.count] = make_turn(w.start, end, captured)
    w.turns.count += 1
    return _add_path(w.paths, w.steps, w.length) if w.paths != NULL else 0


cdef int _walk(Walk *w, int point, bitboard_t open, bitboard_t enemy, bitboard_t captured,
               int last) noexcept nogil:
    """List the chains that go on from here; -1 when memory has ended."""
    cdef bitboard_t landings = w.tables.neighbours[point] & open, taken
    cdef size_t before
    cdef const Ray *ray
    cdef int landing, d, kind
    while landings:
        landing = ctz(landings)
        landings &= landings - 1
        d = w.tables.direction[point][landing]
        ray = &w.tables.rays[point][d]
        if d == last or not enemy & (ray.ahead | ray.behind):
            continue
        for kind in range(2):
            taken = approached(ray, enemy, d) if kind == 0 else withdrawn(ray, enemy, d)
            if not taken:
                continue
            w.steps[w.length] = landing + kind * WITHDRAWAL
            w.length += 1
            if not w.flags & COMPULSORY and _add(w, landing, captured | taken) < 0:
                return -1
            before = w.turns.count
            if not w.flags & SINGLE and _walk(
                w, landing, (open | taken) & ~ray.step, enemy & ~taken, captured | taken, d
            ) < 0:
                return -1
            if w.flags & COMPULSORY and w.turns.count == before:
                if _add(w, landing, captured | taken) < 0:
                    return -1
            w.length -= 1
    return 0


cdef int _list_paikas(const Tables *t, bitboard_t own, bitboard_t enemy,
                      TurnList *turns, PathList *paths) noexcept nogil:
    cdef bitboard_t empty = t.mask & ~(own | enemy), landings
    cdef uint8_t landing
    cdef int point
    while own:
        point = ctz(own)
        own &= own - 1
        landings = t.neighbours[point] & empty
        while landings:
            landing = ctz(landings)
            landings &= landings - 1
            if reserve(turns, 1) < 0:
                return -1
            turns.items[turns.count] = make_turn(point, landing, 0)
            turns.count += 1
            if paths != NULL and _add_path(paths, &landing, 1) < 0:
                return -1
    return 0


cdef int list_turns(const Tables *t, bitboard_t own, bitboard_t enemy, int flags,
                    TurnList *turns, PathList *paths) noexcept nogil:
    """Append every legal turn, chains told apart by path and kinds; -1 when memory has ended."""
    cdef bitboard_t movers
    cdef Walk w
    if not enemy:
        return 0
    movers = capturers(t, own, enemy)
    if not movers:
        return _list_paikas(t, own, enemy, turns, paths)
    w.tables, w.flags, w.turns, w.paths, w.length = t, flags, turns, paths, 0
    while movers:
        w.start = ctz(movers)
        movers &= movers - 1
        if _walk(&w, w.start, t.mask & ~(own | enemy), enemy, 0, NO_DIRECTION) < 0:
            return -1
    return 0


cdef int list_chains(const Tables *t, bitboard_t own, bitboard_t enemy, const Chain *chain,
                     int flags, TurnList *turns, PathList *paths) noexcept nogil:
    """Append every way to end a chain that can go on; stopping at once is a turn without steps."""
    cdef Walk w
    w.tables, w.flags, w.turns, w.paths, w.length = t, flags, turns, paths, 0
    w.start = chain.point
    if not flags & COMPULSORY and _add(&w, chain.point, 0) < 0:
        return -1
    return _walk(
        &w, chain.point, t.mask & ~(own | enemy | chain.visited), enemy, 0, chain.last
    )


cdef int _compare(const void *a, const void *b) noexcept nogil:
    cdef turn_t x = (<const turn_t *>a)[0], y = (<const turn_t *>b)[0]
    return (x > y) - (x < y)


cdef size_t _unique(turn_t *items, size_t count) noexcept nogil:
    """Drop repeated words, keeping the first of each; a long list comes back sorted."""
    cdef size_t kept = 0, i, k
    if count > 64:
        qsort(items, count, sizeof(turn_t), _compare)
        for i in range(count):
            if kept == 0 or items[i] != items[kept - 1]:
                items[kept] = items[i]
                kept += 1
        return kept
    for i in range(count):
        for k in range(kept):
            if items[k] == items[i]:
                break
        else:
            items[kept] = items[i]
            kept += 1
    return kept


cdef int list_results(const Tables *t, bitboard_t own, bitboard_t enemy, int flags,
                      TurnList *turns) noexcept nogil:
    """Append every result once (start, end, captured); -1 when memory has ended."""
    cdef bitboard_t movers, empty
    cdef size_t first
    cdef Walk w
    if not enemy:
        return 0
    movers = capturers(t, own, enemy)
    if not movers:
        return _list_paikas(t, own, enemy, turns, NULL)
    empty = t.mask & ~(own | enemy)
    w.tables, w.flags, w.turns, w.paths, w.length = t, flags, turns, NULL, 0
    while movers:
        w.start = ctz(movers)
        movers &= movers - 1
        first = turns.count
        if _walk(&w, w.start, empty, enemy, 0, NO_DIRECTION) < 0:
            return -1
        if turns.count - first > 2:
            turns.count = first + _unique(turns.items + first, turns.count - first)
    return 0
