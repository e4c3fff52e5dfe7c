"""Packing, unpacking and counting the values of a table."""

from libc.stdint cimport uint8_t, uint64_t

from fanorona_core._bitboard cimport bitboard_t
from fanorona_core._index cimport Index, SetIndex, flipped, turned


def pack_results(const uint8_t[::1] values) -> bytes:
    """Return the results that values are, five in a byte."""
    cdef uint64_t count = values.shape[0], i, k
    cdef bytearray packed = bytearray((count + RESULTS_A_BYTE - 1) // RESULTS_A_BYTE)
    cdef uint8_t[::1] view = packed
    cdef int sum
    with nogil:
        for i in range(<uint64_t>view.shape[0]):
            sum = 0
            for k in range(min(<uint64_t>RESULTS_A_BYTE, count - i * RESULTS_A_BYTE)):
                sum += result_of(values[i * RESULTS_A_BYTE + k]) * weight(<int>k)
            view[i] = sum
    return bytes(packed)


def unpack_results(const uint8_t[::1] packed, uint8_t[::1] values) -> None:
    """Fill `values` with what packed results stand for: 1 a win, 2 a loss, 255 a draw.

    Raises:
        ValueError: too few results, or a byte that does not hold five.
    """
    cdef uint64_t count = values.shape[0], i
    cdef uint8_t known[3]
    cdef bint wrong = False
    if <uint64_t>packed.shape[0] * RESULTS_A_BYTE < count:
        raise ValueError(f"{packed.shape[0]} bytes do not hold {count} results")
    known[0], known[1], known[2] = LOST, 255, WON
    with nogil:
        for i in range(count):
            if packed[i // RESULTS_A_BYTE] >= BYTE_OF_RESULTS:
                wrong = True
                break
            values[i] = known[digit(packed[i // RESULTS_A_BYTE], <int>(i % RESULTS_A_BYTE))]
    if wrong:
        raise ValueError(f"byte {i // RESULTS_A_BYTE} does not hold five results")


def count_values(SetIndex index, int own_stones, int enemy_stones, const uint8_t[::1] values,
                 uint64_t first_block, uint64_t last_block) -> list:
    """Return how many placements have each value from 0 to 255.

    Takes the slots of some blocks, all those of one larger set being a block;
    placements that symmetries make equal are counted each.
    """
    cdef const Index *x = &index.index
    cdef uint64_t counts[256]
    cdef uint64_t block, i, size
    cdef bitboard_t b, half
    cdef int equal, v
    index.check(own_stones, enemy_stones)
    index.prepare(max(own_stones, enemy_stones), True)
    size = x.binomial[min(own_stones, enemy_stones)][x.points - max(own_stones, enemy_stones)]
    if <uint64_t>values.shape[0] < (last_block - first_block) * size:
        raise ValueError(f"{values.shape[0]} values are too few for these blocks")
    for v in range(256):
        counts[v] = 0
    with nogil:
        for block in range(first_block, last_block):
            b = x.classes[max(own_stones, enemy_stones)].members[block]
            half = turned(x, b)
            # The four sets that symmetries make, each once.
            equal = 4
            if b == half or b == flipped(x, b) or b == flipped(x, half):
                equal = 2
            if b == half and b == flipped(x, b):
                equal = 1
            for i in range(size):
                counts[values[(block - first_block) * size + i]] += equal
    return [counts[v] for v in range(256)]
