"""The transposition table."""

cimport cython
from libc.stdint cimport uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

cdef extern from "_portable.h":
    void large_pages "fanorona_large_pages"(void *start, size_t size) noexcept nogil
    void keep "fanorona_store"(uint64_t *word, uint64_t value) noexcept nogil
    int load_int "fanorona_load_int"(const int *word) noexcept nogil
    void keep_int "fanorona_store_int"(int *word, int value) noexcept nogil


cdef void store(Transpositions *table, uint64_t key, int score, int depth, int bound,
                uint32_t turn) noexcept nogil:
    """Keep a result, over the same position or else over the least useful of its bucket."""
    cdef Entry *bucket = bucket_of(table, key)
    cdef Entry *victim = bucket
    cdef uint64_t data
    cdef int i, worth, least = 1 << 30, age = load_int(&table.age)
    for i in range(BUCKET):
        data = load(&bucket[i].data)
        if load(&bucket[i].check) ^ data == key:
            victim = bucket + i
            if not turn:
                turn = <uint32_t>(data >> 32)
            break
        # Old results are worth less than shallow ones.
        worth = <int>((data >> 8) & 255) - 8 * ((age - <int>((data >> 2) & 63)) & 63)
        if not data:
            worth = -(1 << 29)
        if worth < least:
            least, victim = worth, bucket + i
    data = (
        <uint64_t>turn << 32 | <uint64_t>(score & 0xFFFF) << 16
        | <uint64_t>(depth if depth > 0 else 0) << 8 | age << 2 | bound
    )
    keep(&victim.check, key ^ data)
    keep(&victim.data, data)


@cython.final
cdef class HashTable:
    """Memory for searched positions, `size_mib` MiB of it, shared by any number of threads.

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
        count = (<uint64_t>size_mib << 20) // (BUCKET * sizeof(Entry))
        self.memory = malloc(count * BUCKET * sizeof(Entry) + 63)
        if self.memory == NULL:
            raise MemoryError(f"no memory for a hash table of {size_mib} MiB")
        self.table.entries = <Entry *>((<uintptr_t>self.memory + 63) & ~<uintptr_t>63)
        self.table.buckets = count
        large_pages(self.memory, count * BUCKET * sizeof(Entry))
        with nogil:
            # The system gives memory at the first touch: now, not in the time of the first search.
            memset(self.memory, 0, count * BUCKET * sizeof(Entry) + 63)
        self.table.age = 0

    def __dealloc__(self):
        free(self.memory)

    def clear(self) -> None:
        """Forget everything."""
        cdef uint64_t i
        with nogil:
            # Not memset: another thread may be searching.
            for i in range(self.table.buckets * BUCKET):
                keep(&self.table.entries[i].check, 0)
                keep(&self.table.entries[i].data, 0)
        keep_int(&self.table.age, 0)

    def new_search(self) -> None:
        """Mark what is there as old: it goes first when room is needed."""
        keep_int(&self.table.age, (load_int(&self.table.age) + 1) & 63)

    def permille_used(self) -> int:
        """Return how full the table is with results of this search, in thousandths (a sample)."""
        cdef uint64_t i, count = min(<uint64_t>1000, self.table.buckets * BUCKET), used = 0
        cdef uint64_t data
        for i in range(count):
            data = load(&self.table.entries[i].data)
            if data and (data >> 2 & 63) == <uint64_t>load_int(&self.table.age):
                used += 1
        return used * 1000 // count
