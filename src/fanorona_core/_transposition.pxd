"""A table of searched positions that threads share without locks."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

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
    int score
    int depth
    int bound
    uint32_t turn

cdef struct Transpositions:
    Entry *entries
    uint64_t buckets        # of four entries
    int age

cdef bint look_up(const Transpositions *table, uint64_t key, Found *found) noexcept nogil
cdef void store(Transpositions *table, uint64_t key, int score, int depth, int bound,
                uint32_t turn) noexcept nogil
cdef void prefetch_bucket(const Transpositions *table, uint64_t key) noexcept nogil

cdef class HashTable:
    cdef Transpositions table
    cdef void *memory
    cdef readonly int size_mib
