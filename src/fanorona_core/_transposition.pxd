"""A table of searched positions that threads share without locks."""

from libc.stdint cimport int16_t, uint8_t, uint32_t, uint64_t

from fanorona_core._bitboard cimport prefetch

cdef extern from "_portable.h":
    uint64_t load "fanorona_load"(const uint64_t *word) noexcept nogil

cdef enum:
    BUCKET = 4      # entries, a line of the cache

# What is known of a score.
cdef enum:
    EXACT = 3
    LOWER = 1       # the true value is at least this
    UPPER = 2       # ... at most this

# `check` is the key xor the data: a torn write is seen as another position
# (Hyatt and Mann, "A lock-less transposition table implementation", 2002).
cdef struct Entry:
    uint64_t check
    uint64_t data   # turn signature 32, score 16, depth 8, age 6, bound 2

cdef struct Found:
    int16_t score
    uint8_t depth
    uint8_t bound
    uint32_t turn

cdef struct Transpositions:
    Entry *entries
    uint64_t buckets
    int age

cdef inline Entry *bucket_of(const Transpositions *table, uint64_t key) noexcept nogil:
    # The high half of key times size: spreads over any number of buckets.
    return table.entries + BUCKET * (((key >> 32) * table.buckets) >> 32)

cdef inline void prefetch_bucket(const Transpositions *table, uint64_t key) noexcept nogil:
    prefetch(bucket_of(table, key))

cdef inline bint look_up(const Transpositions *table, uint64_t key, Found *found) noexcept nogil:
    """Find what is known of a position."""
    cdef const Entry *entry = bucket_of(table, key)
    cdef uint64_t data
    cdef int i
    for i in range(BUCKET):
        data = load(&entry[i].data)
        if load(&entry[i].check) ^ data == key and data:
            found.turn = <uint32_t>(data >> 32)
            found.score = <int16_t>(data >> 16)
            found.depth = <uint8_t>(data >> 8)
            found.bound = data & 3
            return True
    return False

cdef void store(Transpositions *table, uint64_t key, int score, int depth, int bound,
                uint32_t turn) noexcept nogil

cdef class HashTable:
    cdef Transpositions table
    cdef void *memory
    cdef readonly int size_mib
