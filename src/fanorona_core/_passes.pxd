"""Solving a pair of stone counts together with its mirror pair, block by block.

Both sides' tables have the same slots: `major` stones of the set that numbers
them against `minor` stones, with the one (side 0) or the other (side 1) to
move.  All slots of one major set are a block; a thread works on a block and
writes nowhere else.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from fanorona_core._bitboard cimport bitboard_t
from fanorona_core._geometry cimport MAX_POINTS, Tables
from fanorona_core._resolve cimport Explorer, Sources

cdef enum:
    MAX_CHUNKS = 256
    MAX_LINKS = 8 * 22
    # Codes of quiet slots that are not decided; candidates for a later depth are
    # their values already.
    PENDING = 192           # plus the number of turns that lead to such slots
    MAX_PENDING = 60
    NOT_LOST = 254          # has a turn that draws: can only be won or drawn

# Bitboards, in a list that grows.
cdef struct BoardList:
    bitboard_t *items
    size_t count
    size_t capacity

# The slots decided at one depth, of one side, by blocks: minor sets.
cdef struct Frontier:
    uint32_t *start         # of each block, within the list of its chunk
    uint32_t *count
    BoardList lists[MAX_CHUNKS]

# A turn of a stone of the major set, and the block it leads to.
cdef struct Link:
    bitboard_t start
    bitboard_t end
    bitboard_t member       # the major set of that block
    uint64_t number
    int symmetry            # which turns this block's sets into that one's

cdef struct Problem:
    const Tables *board
    int flags
    Sources sources
    int stones[2]           # major, minor
    uint64_t blocks
    uint64_t size           # slots in a block
    uint64_t words          # of marks for a block
    int chunk_shift         # blocks in a chunk, as a power of two
    const bitboard_t *members
    uint8_t *values[2]
    uint64_t *quiet[2]      # a mark for each slot whose mover has no capture
    uint32_t *open[2]       # quiet slots of each block that no frontier has held
    uint64_t *first_link    # of each block, and one past the last
    uint32_t *links         # number * 4 + symmetry
    bitboard_t *packed      # minor sets in the order of their ranks
    Frontier frontiers[2][2]    # [depth & 1][side]
    bint failed             # a value that does not fit

# One block while it is worked on.
cdef struct Block:
    uint64_t number
    bitboard_t major
    int free_points
    bitboard_t free[MAX_POINTS + 1]     # bits of the points left to the minor set
    int links
    Link link[MAX_LINKS]


cdef inline bint marked(const uint64_t *marks, uint64_t i) noexcept nogil:
    return marks[i >> 6] >> (i & 63) & 1

cdef inline bint is_quiet(const Problem *p, int side, uint64_t slot) noexcept nogil:
    return marked(p.quiet[side] + slot // p.size * p.words, slot % p.size)

cdef void open_block(const Problem *p, uint64_t number, Block *b) noexcept nogil
cdef void store_links(Problem *p, uint64_t number) noexcept nogil
cdef void resolve_block(Problem *p, uint64_t number, Explorer *e) noexcept nogil
cdef void mirror_block(Problem *p, uint64_t number) noexcept nogil
cdef int prepare_block(Problem *p, uint64_t number, int side) noexcept nogil
cdef int pull(Problem *p, Block *b, int depth) noexcept nogil
cdef int collect(Problem *p, Block *b, int side, int depth) noexcept nogil
