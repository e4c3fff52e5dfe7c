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
    /* The digits of every byte that holds five results. */
    static const unsigned char fanorona_power3[5] = {1, 3, 9, 27, 81};
    #define fanorona_digit(b, i) ((unsigned char)((b) / fanorona_power3[i] % 3))
    """
    int digit "fanorona_digit"(uint8_t packed, int i) noexcept nogil
    const uint8_t *power3 "fanorona_power3"

cdef inline int result_of(int value) noexcept nogil:
    """The result that a value is."""
    return 1 if value == 255 else (value & 1) << 1

cdef inline int result_at(const uint8_t *packed, uint64_t slot) noexcept nogil:
    return digit(packed[slot // RESULTS_A_BYTE], <int>(slot % RESULTS_A_BYTE))
