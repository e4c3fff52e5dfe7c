"""Solving a pair of stone counts together with its mirror pair."""

cimport cython
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from fanorona_core._bitboard cimport bitboard_t, popcount
from fanorona_core._geometry cimport Geometry, get_geometry
from fanorona_core._index cimport SetIndex, unranked
from fanorona_core._movegen cimport COMPULSORY
from fanorona_core._passes cimport (
    MAX_CHUNKS, PENDING, Block, Problem, collect, is_quiet, mirror_block, open_block,
    prepare_block, pull, resolve_block, store_links,
)
from fanorona_core._resolve cimport (
    BEST_SCORE, DRAW, MAX_DISTANCE, NO_MOVE_DRAW, Explorer, PlaceCache, judge_by_sources,
    set_up_sources,
)
from fanorona_core._tablepack cimport RESULTS_A_BYTE, digit, result_of, weight


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
        cdef uint64_t size, i
        cdef int parity, side, k
        if not major >= minor >= 1:
            raise ValueError(f"{major} and {minor} stones: expected the larger count first")
        size = index.size(major, minor)
        if <uint64_t>majors_turn.shape[0] != size or <uint64_t>minors_turn.shape[0] != size:
            raise ValueError(f"buffers of a wrong size: expected {size} bytes each")
        index.prepare(major, True)
        self.index, self.geometry = index, get_geometry(index.columns, index.rows)
        self.kept = [majors_turn, minors_turn]
        self.is_mirrored = major == minor
        set_up_sources(&p.sources, &index.index)
        p.board = &self.geometry.tables
        p.flags = (COMPULSORY if compulsory else 0) | (NO_MOVE_DRAW if no_move_draw else 0)
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
        self.problem.sources.values[own_stones][enemy_stones] = &values[0]

    def resolve(self, int chunk) -> None:
        """Decide all slots with a capture."""
        cdef Problem *p = &self.problem
        cdef uint64_t i, first = self.begin(chunk), last = self.end(chunk)
        cdef PlaceCache cache
        cdef Explorer e
        cache.sources = &p.sources
        memset(cache.keys, 0, sizeof(cache.keys))
        e.board, e.flags, e.goal = p.board, p.flags, BEST_SCORE - 1
        e.judge, e.context = judge_by_sources, &cache
        with nogil:
            for i in range(first, last):
                store_links(p, i)
                resolve_block(p, i, &e)
        self.check()

    def mirror(self, int chunk) -> None:
        """With equal counts, take the other side's slots from the first side's."""
        cdef uint64_t i, first = self.begin(chunk), last = self.end(chunk)
        with nogil:
            for i in range(first, last):
                mirror_block(&self.problem, i)

    def prepare(self, int chunk) -> int:
        """Look ahead from all quiet slots; return the last depth at which one is due."""
        cdef uint64_t i, first = self.begin(chunk), last = self.end(chunk)
        cdef int side, due = 0
        with nogil:
            for i in range(first, last):
                for side in range(2):
                    due = max(due, prepare_block(&self.problem, i, side))
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
                open_block(p, i, &b)
                if depth:
                    due = max(due, pull(p, &b, depth))
                for side in range(2):
                    if collect(p, &b, side, depth) < 0:
                        status = -1
        if status < 0:
            raise MemoryError("the slots of one depth do not fit into memory")
        return (
            p.frontiers[depth & 1][0].lists[chunk].count
            + p.frontiers[depth & 1][1].lists[chunk].count
        ), due

    def adopt(self, int side, uint64_t first, const uint8_t[::1] values) -> None:
        """Take the values of slots without a capture, from slot `first` on, from another source."""
        cdef Problem *p = &self.problem
        cdef uint64_t i, count = values.shape[0]
        if first + count > p.blocks * p.size:
            raise ValueError("more values than slots")
        with nogil:
            for i in range(count):
                if is_quiet(p, side, first + i):
                    p.values[side][first + i] = values[i]

    def quiet_results(self, int side, uint64_t first, uint64_t count) -> bytes:
        """Return packed results in which those with a capture are whatever packs best."""
        cdef Problem *p = &self.problem
        cdef uint64_t size = (count + RESULTS_A_BYTE - 1) // RESULTS_A_BYTE, i, slot
        cdef bytearray packed = bytearray(size)
        cdef uint8_t[::1] view = packed
        cdef int k, result, last = 1, sum, known
        cdef bint same
        cdef uint8_t before = 0
        if first + count > p.blocks * p.size:
            raise ValueError("more values than slots")
        with nogil:
            for i in range(size):
                # The byte before again, if the quiet slots allow it; else the result before.
                same, sum, known = True, 0, last
                for k in range(RESULTS_A_BYTE):
                    slot = first + i * RESULTS_A_BYTE + k
                    if slot < first + count and is_quiet(p, side, slot):
                        known = result_of(p.values[side][slot])
                        same = same and known == digit(before, k)
                    sum += known * weight(<int>k)
                last = known
                if not same:
                    before = sum
                view[i] = before
        return bytes(packed)

    def quiet_values(self, int side, uint64_t first, uint64_t count) -> bytes:
        """Return values in which those with a capture repeat the one before."""
        cdef Problem *p = &self.problem
        cdef bytearray values = bytearray(count)
        cdef uint8_t[::1] view = values
        cdef uint64_t i
        cdef uint8_t known = DRAW
        if first + count > p.blocks * p.size:
            raise ValueError("more values than slots")
        with nogil:
            for i in range(count):
                if is_quiet(p, side, first + i):
                    known = p.values[side][first + i]
                view[i] = known
        return bytes(values)

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
