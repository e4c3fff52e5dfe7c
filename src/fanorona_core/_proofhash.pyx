"""The hash table of proof searches."""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from fanorona_core._bitboard cimport prefetch

cdef enum:
    BUCKET = 4

cdef extern from "_portable.h":
    void large_pages "fanorona_large_pages"(void *start, size_t size) noexcept nogil


cdef inline ProofEntry *_bucket(const ProofHash *table, uint64_t key) noexcept nogil:
    # The high half of key times size: spreads over any number of buckets.
    return table.entries + BUCKET * (((key >> 32) * table.buckets) >> 32)


cdef void fetch(const ProofHash *table, uint64_t key) noexcept nogil:
    """Ask for the memory of a position that will be looked up soon."""
    prefetch(_bucket(table, key))


cdef bint recall(const ProofHash *table, uint64_t key, Known *known) noexcept nogil:
    """Find what is known of a position."""
    cdef const ProofEntry *entry = _bucket(table, key)
    cdef uint64_t data
    cdef int i
    for i in range(BUCKET):
        data = entry[i].data
        if entry[i].check ^ data == key and data:
            known.phi = <uint32_t>(data & ENDLESS)
            known.delta = <uint32_t>(data >> 27 & ENDLESS)
            known.work = <int>(data >> 54 & 63)
            known.kind = <int>(data >> 60)
            return True
    known.kind, known.work = NOTHING, 0
    return False


cdef void keep(ProofHash *table, uint64_t key, int kind, uint32_t phi, uint32_t delta,
               int work) noexcept nogil:
    """Keep what is known, over the same position or else over the cheapest of its bucket."""
    cdef ProofEntry *bucket = _bucket(table, key)
    cdef ProofEntry *victim = bucket
    cdef uint64_t data
    cdef int i, found, least = 64
    for i in range(BUCKET):
        data = bucket[i].data
        if bucket[i].check ^ data == key and data:
            victim = bucket + i
            break
        found = <int>(data >> 54 & 63) if data else -1
        if found < least:
            least, victim = found, bucket + i
    data = (
        <uint64_t>phi | <uint64_t>delta << 27 | <uint64_t>work << 54 | <uint64_t>kind << 60
    )
    victim.check, victim.data = key ^ data, data


cdef inline TieEntry *_ties(const ProofHash *table, uint64_t key) noexcept nogil:
    return table.ties + (((key & 0xFFFFFFFFULL) * table.tie_count) >> 32)


cdef inline uint64_t _all(const TieEntry *ties) noexcept nogil:
    cdef uint64_t result = 0
    cdef int i
    for i in range(MOST_TIES):
        result ^= ties.keys[i]
    return result


cdef bint recall_ties(const ProofHash *table, uint64_t key, TieEntry *found) noexcept nogil:
    """Find the ties of a position."""
    found[0] = _ties(table, key)[0]
    return found.check ^ _all(found) == key and found.keys[0] != 0


cdef void keep_ties(ProofHash *table, uint64_t key, TieEntry *ties) noexcept nogil:
    """Keep the ties of a position, over those of any other one in the same place."""
    ties.check = key ^ _all(ties)
    _ties(table, key)[0] = ties[0]


@cython.final
cdef class ProofTable:
    """Memory for proof searches, `size_mib` MiB of it, shared by any number of threads.

    What it holds is true for one board and one rule of continuation.

    Raises:
        ValueError: the size is not positive.
        MemoryError: the memory cannot be had.
    """

    def __cinit__(self, Py_ssize_t size_mib):
        cdef uint64_t count
        if size_mib < 1:
            raise ValueError(f"hash size {size_mib} MiB: expected 1 or more")
        if size_mib >> 31:
            raise MemoryError(f"no memory for a hash table of {size_mib} MiB")
        self.size_mib = <int>size_mib
        # One part in eight for ties.
        count = (<uint64_t>size_mib << 17) // sizeof(TieEntry)
        self.table.tie_count = count
        self.table.ties = <TieEntry *>calloc(count, sizeof(TieEntry))
        count = (<uint64_t>size_mib << 17) * 7 // (BUCKET * sizeof(ProofEntry))
        self.memory = calloc(count * BUCKET * sizeof(ProofEntry) + 63, 1)
        if self.memory == NULL or self.table.ties == NULL:
            raise MemoryError(f"no memory for a hash table of {size_mib} MiB")
        self.table.entries = <ProofEntry *>((<uintptr_t>self.memory + 63) & ~<uintptr_t>63)
        self.table.buckets = count
        large_pages(self.memory, count * BUCKET * sizeof(ProofEntry))

    def __dealloc__(self):
        free(self.memory)
        free(self.table.ties)

    def clear(self) -> None:
        """Forget everything."""
        with nogil:
            memset(self.table.entries, 0, self.table.buckets * BUCKET * sizeof(ProofEntry))
            memset(self.table.ties, 0, self.table.tie_count * sizeof(TieEntry))

    @property
    def buckets(self) -> int:
        """The number of buckets, of 64 bytes each."""
        return self.table.buckets

    def used(self) -> float:
        """Return which part of the table is in use, from a sample of its buckets."""
        cdef uint64_t i, seen = 0, taken = 0, step = self.table.buckets // 1024 + 1
        cdef int place
        for i in range(0, self.table.buckets, step):
            for place in range(BUCKET):
                taken += self.table.entries[BUCKET * i + place].data != 0
            seen += BUCKET
        return taken / <double>seen

    def read(self, uint64_t first, uint64_t count) -> bytes:
        """Return the memory of some buckets, for a checkpoint.

        Raises:
            IndexError: there are not so many buckets.
        """
        if first + count > self.table.buckets:
            raise IndexError(f"buckets {first} to {first + count} of {self.table.buckets}")
        return PyBytes_FromStringAndSize(
            <const char *>(self.table.entries + BUCKET * first), BUCKET * count * sizeof(ProofEntry)
        )

    def write(self, uint64_t first, bytes data) -> None:
        """Put back what `read` returned.

        Raises:
            IndexError: there are not so many buckets.
        """
        cdef uint64_t count = len(data) // (BUCKET * sizeof(ProofEntry))
        if first + count > self.table.buckets:
            raise IndexError(f"buckets {first} to {first + count} of {self.table.buckets}")
        memcpy(
            self.table.entries + BUCKET * first, PyBytes_AS_STRING(data),
            BUCKET * count * sizeof(ProofEntry),
        )
