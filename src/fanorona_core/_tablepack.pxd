"""How values lie in memory and in files: bytes, or five results in a byte.

A result is 0 for a loss, 1 for a draw, 2 for a win; five of them are the digits
of a number to the base 3, the first with the lowest weight.
"""

from libc.stdint cimport uint8_t, uint64_t

cdef enum:
    RESULTS_A_BYTE = 5
    BYTE_OF_RESULTS = 243   # 3 ** 5
    WON = 1                 # the values that results without distances stand for
    LOST = 2

cdef extern from *:
    """
    /* 3**i, and 65536 / 3**i rounded up: multiplying by that divides any byte exactly. */
    static const unsigned int fanorona_power3[2][5] = {
        {1, 3, 9, 27, 81}, {65536, 21846, 7282, 2428, 810}
    };
    #define fanorona_digit(b, i) ((int)(((b) * fanorona_power3[1][i] >> 16) % 3))
    #define fanorona_weight(i) (fanorona_power3[0][i])
    """
    int digit "fanorona_digit"(uint8_t packed, int i) noexcept nogil
    int weight "fanorona_weight"(int i) noexcept nogil

cdef inline int result_of(int value) noexcept nogil:
    """The result that a value is."""
    return 1 if value == 255 else (value & 1) << 1

cdef inline int result_at(const uint8_t *packed, uint64_t slot) noexcept nogil:
    return digit(packed[slot // RESULTS_A_BYTE], <int>(slot % RESULTS_A_BYTE))
