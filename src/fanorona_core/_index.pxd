"""The number of a position among those with the same stone counts.

The larger set of stones (the mover's if both are equal) is the major set, the
other one the minor set.  Sets of n points are ranked in colexicographic order,
which is the order of their masks as numbers.  Of the four sets that the
symmetries of the board make of a major set the least is its representative;
representatives are numbered in their order.  A slot is

    number of the representative * C(points - major, minor) + rank of the minor set,

the minor set turned with the major one and ranked among the points that are
left.  Slots and pairs (representative, minor set) correspond one to one.
"""

from libc.stdint cimport uint64_t

from fanorona_core._bitboard cimport bit, bitboard_t, ctz, popcount
from fanorona_core._geometry cimport MAX_POINTS

cdef enum:
    MAX_STONES = 22     # of one side: as many as the largest board starts with
    MAX_ROW_PAIRS = 7   # the tallest board has 15 rows

# 64 sets of one size, in the order of their ranks.  A mark and the count before
# it lie together: numbering a set reads one line of memory.
cdef struct SetWord:
    uint64_t least              # a bit for each set: is it its class's representative?
    uint64_t before             # representatives before this word

# The sets of one size, up to symmetry.
cdef struct SetClasses:
    uint64_t sets               # how many sets
    uint64_t count              # how many classes; 0 before `prepare`
    SetWord *words
    bitboard_t *members         # the representatives; NULL before `prepare` was asked for them

cdef struct Index:
    int points
    int row_pairs
    bitboard_t mask
    bitboard_t middle                       # the row that a top-bottom mirror keeps
    bitboard_t low_row[MAX_ROW_PAIRS]       # rows that it swaps, and how far apart they are
    int row_distance[MAX_ROW_PAIRS]
    uint64_t binomial[MAX_STONES + 1][MAX_POINTS + 1]   # [k][n]: n over k
    SetClasses classes[MAX_STONES + 1]

# A set seen through the symmetry that makes it its class's representative.
cdef struct Place:
    bitboard_t member
    uint64_t number
    int symmetry

cdef class SetIndex:
    cdef Index index
    cdef readonly int columns
    cdef readonly int rows

    cdef int prepare(self, int stones, bint members) except -1
    cdef int check(self, int own_stones, int enemy_stones) except -1


cdef inline bitboard_t turned(const Index *x, bitboard_t b) noexcept nogil:
    """Half a turn: the bits in reverse order."""
    b = (b >> 1 & 0x5555555555555555ULL) | (b & 0x5555555555555555ULL) << 1
    b = (b >> 2 & 0x3333333333333333ULL) | (b & 0x3333333333333333ULL) << 2
    b = (b >> 4 & 0x0F0F0F0F0F0F0F0FULL) | (b & 0x0F0F0F0F0F0F0F0FULL) << 4
    b = (b >> 8 & 0x00FF00FF00FF00FFULL) | (b & 0x00FF00FF00FF00FFULL) << 8
    b = (b >> 16 & 0x0000FFFF0000FFFFULL) | (b & 0x0000FFFF0000FFFFULL) << 16
    b = b >> 32 | b << 32
    return b >> (64 - x.points)


cdef inline bitboard_t flipped(const Index *x, bitboard_t b) noexcept nogil:
    """The mirror that swaps top and bottom."""
    cdef bitboard_t result = b & x.middle
    cdef int i
    for i in range(x.row_pairs):
        result |= (b & x.low_row[i]) << x.row_distance[i] | (b >> x.row_distance[i] & x.low_row[i])
    return result


cdef inline bitboard_t transformed(const Index *x, bitboard_t b, int symmetry) noexcept nogil:
    """Apply a symmetry: 0 none, 1 left-right mirror, 2 top-bottom mirror, 3 half turn.

    Each is its own inverse.
    """
    if symmetry == 0:
        return b
    if symmetry == 2:
        return flipped(x, b)
    b = turned(x, b)
    return flipped(x, b) if symmetry == 1 else b


cdef inline uint64_t rank_set(const Index *x, bitboard_t b) noexcept nogil:
    """The rank of a set among all sets of its size."""
    cdef uint64_t rank = 0
    cdef int k = 1
    while b:
        rank += x.binomial[k][ctz(b)]
        b &= b - 1
        k += 1
    return rank


cdef inline uint64_t rank_minor(const Index *x, bitboard_t major, bitboard_t b) noexcept nogil:
    """The rank of a set among those of its size on the points without the major set."""
    cdef uint64_t rank = 0
    cdef int k = 1, point
    while b:
        point = ctz(b)
        rank += x.binomial[k][point - popcount(major & (bit(point) - 1))]
        b &= b - 1
        k += 1
    return rank


cdef inline bitboard_t spread(bitboard_t free, bitboard_t packed) noexcept nogil:
    """Move bit i of a packed set to the i-th point of `free`."""
    cdef bitboard_t result = 0
    while packed:
        if packed & 1:
            result |= free & (0 - free)
        free &= free - 1
        packed >>= 1
    return result


cdef inline Place place(const Index *x, int stones, bitboard_t b) noexcept nogil:
    """Find the representative of a set and its number; the classes must be prepared."""
    cdef bitboard_t half = turned(x, b), other
    cdef const SetWord *word
    cdef uint64_t rank
    cdef Place found
    found.member, found.symmetry = b, 0
    other = flipped(x, half)
    if other < found.member:
        found.member, found.symmetry = other, 1
    other = flipped(x, b)
    if other < found.member:
        found.member, found.symmetry = other, 2
    if half < found.member:
        found.member, found.symmetry = half, 3
    rank = rank_set(x, found.member)
    word = &x.classes[stones].words[rank >> 6]
    found.number = word.before + popcount(word.least & (bit(<int>(rank & 63)) - 1))
    return found


cdef inline uint64_t slot_at(const Index *x, const Place *found, int major_stones, int minor_stones,
                             bitboard_t minor) noexcept nogil:
    """The slot of a position whose major set has been placed."""
    return (
        found.number * x.binomial[minor_stones][x.points - major_stones]
        + rank_minor(x, found.member, transformed(x, minor, found.symmetry))
    )


cdef inline uint64_t slot_of(const Index *x, bitboard_t mover, bitboard_t other) noexcept nogil:
    """The slot of a position in the table of its stone counts."""
    cdef int m = popcount(mover), o = popcount(other)
    cdef Place found
    if m >= o:
        found = place(x, m, mover)
        return slot_at(x, &found, m, o, other)
    found = place(x, o, other)
    return slot_at(x, &found, o, m, mover)


cdef bitboard_t unranked(const Index *x, int stones, uint64_t rank) noexcept nogil
