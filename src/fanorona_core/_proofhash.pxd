"""A table of what a proof search knows of positions, shared by threads without locks."""

from libc.stdint cimport int64_t, uint32_t, uint64_t

cdef enum:
    MOST_TIES = 7
    BUSY_SLOTS = 1 << 14
    ENDLESS = (1 << 27) - 1     # the number of what cannot be proved
    LARGEST = ENDLESS - 1       # larger sums of an open position are cut to this

# What is known of a position, for the side to move in it.
cdef enum:
    NOTHING = 0
    OPEN = 1
    SUCCEEDS = 2
    FAILS = 3
    TIED = 4        # holds, if all positions hold that its ties name

# `check` is the key xor the data: a torn write is seen as another position
# (Hyatt and Mann, "A lock-less transposition table implementation", 2002).
cdef struct ProofEntry:
    uint64_t check
    uint64_t data   # first number 27, second 27, work (log2) 6, kind 2

# The positions on which a hold leans; `check` is the key xor all of them.
cdef struct TieEntry:
    uint64_t check
    uint64_t keys[MOST_TIES]        # 0 beyond the last

cdef struct Known:
    int kind
    uint32_t phi        # OPEN: proof number of the mover's success
    uint32_t delta      # OPEN: ... of his failure; else the rank of a won position
    int work

cdef struct ProofHash:
    ProofEntry *entries
    uint64_t buckets    # of four entries
    TieEntry *ties
    uint64_t tie_count
    int busy[BUSY_SLOTS]    # by key: the number of a thread that is below such a position, or 0

cdef bint recall(const ProofHash *table, uint64_t key, Known *known) noexcept nogil
cdef void keep(ProofHash *table, uint64_t key, int kind, uint32_t phi, uint32_t delta,
               int work) noexcept nogil
cdef void fetch(const ProofHash *table, uint64_t key) noexcept nogil

cdef bint recall_ties(const ProofHash *table, uint64_t key, TieEntry *found) noexcept nogil
cdef void keep_ties(ProofHash *table, uint64_t key, TieEntry *ties) noexcept nogil

cdef class ProofTable:
    cdef ProofHash table
    cdef void *memory
    cdef readonly int size_mib
