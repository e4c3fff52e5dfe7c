"""Sets of positions, and how they are written: sorted, as differences.

A set is written in the order of (own, enemy) as numbers.  Each member is a few
integers of seven bits a byte, the lowest first, the high bit set but in the
last byte of each:

    own - own of the member before (at the beginning 0)
    enemy xor the enemy of the member before (at the beginning 0)
    rank, if the set has ranks
"""

cimport cython
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, qsort, realloc

from fanorona_core._bitboard cimport bitboard_t, mix, popcount
from fanorona_core._dfpn cimport fold
from fanorona_core._index cimport SetIndex

cdef enum:
    LEAST_SLOTS = 1024


cdef inline size_t _slot(const Members *m, bitboard_t own, bitboard_t enemy) noexcept nogil:
    return mix(own * 0x9E3779B97F4A7C15ULL + enemy) & m.slot_mask


cdef int64_t find(const Members *m, bitboard_t own, bitboard_t enemy) noexcept nogil:
    """The place of a position, or -1."""
    cdef size_t i
    cdef uint32_t place
    if not m.count:
        return -1
    i = _slot(m, own, enemy)
    while True:
        place = m.slots[i]
        if not place:
            return -1
        if m.items[place - 1].own == own and m.items[place - 1].enemy == enemy:
            return place - 1
        i = (i + 1) & m.slot_mask


cdef int _grow(Members *m) noexcept nogil:
    """Make room for another member; -1 when memory has ended."""
    cdef size_t size, i, k
    cdef Member *items
    cdef uint32_t *slots
    if m.count == m.capacity:
        size = 2 * m.capacity if m.capacity else LEAST_SLOTS // 2
        items = <Member *>realloc(m.items, size * sizeof(Member))
        if items == NULL:
            return -1
        m.items, m.capacity = items, size
    if m.slots == NULL or 3 * m.count >= 2 * m.slot_mask:
        size = 2 * (m.slot_mask + 1) if m.slots != NULL else LEAST_SLOTS
        slots = <uint32_t *>calloc(size, sizeof(uint32_t))
        if slots == NULL:
            return -1
        free(m.slots)
        m.slots, m.slot_mask = slots, size - 1
        for i in range(m.count):
            k = _slot(m, m.items[i].own, m.items[i].enemy)
            while slots[k]:
                k = (k + 1) & m.slot_mask
            slots[k] = <uint32_t>(i + 1)
    return 0


cdef int64_t insert(Members *m, bitboard_t own, bitboard_t enemy) noexcept nogil:
    """Add a position that is not a member; return its place, or -1 when memory has ended."""
    cdef size_t k
    if _grow(m) < 0:
        return -1
    k = _slot(m, own, enemy)
    while m.slots[k]:
        k = (k + 1) & m.slot_mask
    m.slots[k] = <uint32_t>(m.count + 1)
    m.items[m.count].own, m.items[m.count].enemy, m.items[m.count].rank = own, enemy, 0
    m.count += 1
    return m.count - 1


cdef int _compare(const void *a, const void *b) noexcept nogil:
    cdef const Member *x = <const Member *>a
    cdef const Member *y = <const Member *>b
    if x.own != y.own:
        return 1 if x.own > y.own else -1
    return (x.enemy > y.enemy) - (x.enemy < y.enemy)


@cython.final
cdef class PositionSet:
    """Positions of one board, with ranks or without, from the mover's side.

    Positions are folded: those that a symmetry makes equal are one.
    """

    def __cinit__(self, SetIndex index, bint ranked):
        self.index, self.ranked = index, ranked

    def __dealloc__(self):
        free(self.members.items)
        free(self.members.slots)

    def __reduce__(self):
        raise TypeError(
            "the positions of a proof cannot be pickled or copied: write its certificate to a file"
        )

    def __len__(self):
        return self.members.count

    def __eq__(self, other):
        cdef PositionSet that
        cdef size_t i
        if not isinstance(other, PositionSet):
            return NotImplemented
        that = <PositionSet>other
        if (
            self.ranked != that.ranked
            or self.members.count != that.members.count
            or self.index.columns != that.index.columns
            or self.index.rows != that.index.rows
        ):
            return False
        for i in range(self.members.count):
            if (
                self.members.items[i].own != that.members.items[i].own
                or self.members.items[i].enemy != that.members.items[i].enemy
                or self.members.items[i].rank != that.members.items[i].rank
            ):
                return False
        return True

    __hash__ = None

    def __repr__(self):
        return f"<PositionSet: {len(self)} positions>"

    def add(self, bitboard_t own, bitboard_t enemy, uint32_t rank=0) -> bool:
        """Add a position; return whether it is new.

        Raises:
            MemoryError: there is no room for it.
        """
        cdef int64_t place
        fold(&self.index.index, &own, &enemy)
        if find(&self.members, own, enemy) >= 0:
            return False
        place = insert(&self.members, own, enemy)
        if place < 0:
            raise MemoryError("the positions of the proof do not fit into memory")
        self.members.items[place].rank = rank
        return True

    def update(self, PositionSet other not None) -> None:
        """Add all positions of another set of the board; of two ranks the lower one counts.

        Raises:
            MemoryError: there is no room for them.
        """
        cdef const Member *item
        cdef int64_t place
        cdef size_t i
        for i in range(other.members.count):
            item = other.members.items + i
            place = find(&self.members, item.own, item.enemy)
            if place < 0:
                place = insert(&self.members, item.own, item.enemy)
                if place < 0:
                    raise MemoryError("the positions of the proofs do not fit into memory")
                self.members.items[place].rank = item.rank
            elif item.rank < self.members.items[place].rank:
                self.members.items[place].rank = item.rank

    def rank(self, bitboard_t own, bitboard_t enemy) -> int | None:
        """Return the rank of a position, or None if it is no member."""
        cdef int64_t place
        fold(&self.index.index, &own, &enemy)
        place = find(&self.members, own, enemy)
        return None if place < 0 else self.members.items[place].rank

    def member(self, size_t place) -> tuple:
        """Return (own, enemy, rank) of the member at a place.

        Raises:
            IndexError: there are not so many.
        """
        if place >= self.members.count:
            raise IndexError(f"member {place} of {self.members.count}")
        cdef Member *item = self.members.items + place
        return item.own, item.enemy, item.rank

    def sort(self) -> None:
        """Put the members in order; those of rank 0 leave a set with ranks.

        Raises:
            MemoryError: there is no room.
        """
        cdef Members *m = &self.members
        cdef size_t i, kept = 0, count = m.count
        for i in range(count):
            if m.items[i].rank or not self.ranked:
                m.items[kept] = m.items[i]
                kept += 1
        with nogil:
            qsort(m.items, kept, sizeof(Member), _compare)
        free(m.slots)
        m.slots, m.slot_mask, m.count = NULL, 0, 0
        for i in range(kept):
            if insert_sorted(m) < 0:
                raise MemoryError("the positions of the proof do not fit into memory")

    def encoded(self, size_t first, size_t count) -> bytes:
        """Return some members, from place `first` on, as the head of this file says.

        Raises:
            IndexError: there are not so many.
        """
        cdef Members *m = &self.members
        cdef uint64_t own = 0, enemy = 0
        cdef bytearray result = bytearray()
        cdef size_t i
        if first + count > m.count:
            raise IndexError(f"members {first} to {first + count} of {m.count}")
        if first:
            own, enemy = m.items[first - 1].own, m.items[first - 1].enemy
        for i in range(first, first + count):
            _put(result, m.items[i].own - own)
            _put(result, m.items[i].enemy ^ enemy)
            if self.ranked:
                _put(result, m.items[i].rank)
            own, enemy = m.items[i].own, m.items[i].enemy
        return bytes(result)

    def decode(self, const uint8_t[::1] data) -> None:
        """Read more of an encoded set.

        Raises:
            ValueError: it is none: too large a number, an impossible position, or a wrong order.
            MemoryError: there is no room.
        """
        cdef Py_ssize_t i
        for i in range(data.shape[0]):
            if self.shift > 56:
                raise ValueError("a number of more than 63 bits")
            self.partial |= <uint64_t>(data[i] & 127) << self.shift
            self.shift += 7
            if not data[i] & 128:
                self._take(self.partial)
                self.partial, self.shift = 0, 0

    def is_whole(self) -> bool:
        """Say whether what was decoded ends with a whole member."""
        return self.field == 0 and self.shift == 0

    cdef int _take(self, uint64_t value) except -1:
        cdef uint64_t own, enemy
        cdef bitboard_t least_own, least_enemy
        cdef int64_t place
        if self.field == 0:
            self.delta, self.field = value, 1
            return 0
        if self.field == 1:
            own, enemy = self.last_own + self.delta, self.last_enemy ^ value
            least_own, least_enemy = own, enemy
            if not own or not enemy or own & enemy or (own | enemy) & ~self.index.index.mask:
                raise ValueError(f"member {len(self)} is not a position")
            if popcount(own) > self.index.index.points // 2 or popcount(enemy) > self.index.index.points // 2:
                raise ValueError(f"member {len(self)} has more stones than a side starts with")
            fold(&self.index.index, &least_own, &least_enemy)
            if least_own != own or least_enemy != enemy:
                raise ValueError(f"member {len(self)} is not folded")
            if self.members.count and own == self.last_own and enemy <= self.last_enemy:
                raise ValueError(f"member {len(self)} is out of order")
            place = insert(&self.members, own, enemy)
            if place < 0:
                raise MemoryError("the positions of the proof do not fit into memory")
            self.last_own, self.last_enemy = own, enemy
            self.field = 2 if self.ranked else 0
            return 0
        if not 0 < value < 1 << 31:
            raise ValueError(f"member {len(self) - 1} has the rank {value}")
        self.members.items[self.members.count - 1].rank = <uint32_t>value
        self.field = 0
        return 0


cdef int insert_sorted(Members *m) noexcept nogil:
    """Enter the next item, which is in its place already, into the table."""
    cdef Member item = m.items[m.count]
    cdef int64_t place = insert(m, item.own, item.enemy)
    if place < 0:
        return -1
    m.items[place].rank = item.rank
    return 0


cdef int _put(bytearray result, uint64_t value) except -1:
    while value > 127:
        result.append(value & 127 | 128)
        value >>= 7
    result.append(value)
    return 0
