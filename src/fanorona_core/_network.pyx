"""The evaluation network: weights from a file, integers only."""

cimport cython
import struct
import zlib

from libc.stdint cimport int16_t, int32_t, int64_t, uintptr_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

cdef extern from "_layer.h":
    enum:
        FANORONA_NEURONS
        FANORONA_LAYER_ROWS
    int32_t layer "fanorona_layer"(const int16_t *const *rows, const int16_t *weights,
                                   int16_t one) noexcept nogil


cdef enum:
    ONE = 256               # the hidden layer's 1.0, where it is clipped
    OUTPUT_ONE = 64         # the output weights' 1.0
    LARGEST = 10000         # no correction is larger: scores beyond 15000 are not the network's
    CACHE_LINE = 64         # bytes
    LAYER_ROWS = 3 + 2 * NETWORK_ROWS   # the bias, both gains, the board's rows in both colours
    CENTIPAWNS = 600        # an output of 1.0: the scale of the logistic curve in score.py

_MAGIC = b"FNNW"
_HEADER = struct.Struct("<4sHHHHI")     # magic, version, neurons, gains, buckets, CRC-32
_VERSION = 1
# The first number of stones of each bucket but the first.
_BUCKET_STARTS = (7, 12, 18, 25, 33)

if (FANORONA_NEURONS, FANORONA_LAYER_ROWS) != (NEURONS, LAYER_ROWS):
    raise ImportError("_layer.h was written for a network of another size")


cdef int correction(const Network *net, bitboard_t own, bitboard_t enemy, int stones, int gain,
                    int enemy_gain) noexcept nogil:
    """The centipawns to add for the side to move."""
    cdef const int16_t *rows[LAYER_ROWS]
    cdef int64_t scaled
    cdef int row
    rows[0] = &net.bias[0]
    rows[1] = &net.gains[0][gain if gain < GAINS else GAINS - 1][0]
    rows[2] = &net.gains[1][enemy_gain if enemy_gain < GAINS else GAINS - 1][0]
    for row in range(NETWORK_ROWS):
        rows[3 + 2 * row] = &net.rows[0][row][own & (ROW_STATES - 1)][0]
        rows[4 + 2 * row] = &net.rows[1][row][enemy & (ROW_STATES - 1)][0]
        own >>= NETWORK_COLUMNS
        enemy >>= NETWORK_COLUMNS
    # In 64 bits and within bounds, whatever weights a file may hold.
    scaled = <int64_t>layer(rows, net.output[net.bucket[stones]], ONE) + (
        net.output_bias[net.bucket[stones]]
    )
    scaled = scaled * CENTIPAWNS // (ONE * OUTPUT_ONE)
    if scaled > LARGEST:
        return LARGEST
    return -LARGEST if scaled < -LARGEST else <int>scaled


@cython.final
cdef class NetworkFile:
    """The weights of an evaluation network, read from the bytes of a file.

    After the header, little-endian 16-bit integers: input weights (own points,
    enemy points, own gains, enemy gains; for each the neurons), biases, output
    weights by bucket; then the output biases in 32 bits.

    Raises:
        ValueError: not such a file, another version, or damaged.
        MemoryError: no memory for the tables made from it.
    """

    def __cinit__(self, bytes data not None):
        cdef const int16_t *weights
        cdef const unsigned char *raw = data
        cdef Network *net
        cdef uintptr_t place
        cdef int points = NETWORK_COLUMNS * NETWORK_ROWS, inputs = 2 * points + 2 * GAINS
        cdef int colour, row, state, column, i, total
        if len(data) < _HEADER.size:
            raise ValueError("not an evaluation network: too short")
        magic, version, neurons, gains, buckets, check = _HEADER.unpack_from(data)
        if magic != _MAGIC or (version, neurons, gains, buckets) != (
            _VERSION, NEURONS, GAINS, BUCKETS
        ):
            raise ValueError("not an evaluation network of this version")
        expected = 2 * NEURONS * (inputs + 1 + BUCKETS) + 4 * BUCKETS
        if len(data) != _HEADER.size + expected or zlib.crc32(data[_HEADER.size:]) != check:
            raise ValueError("the evaluation network is damaged")
        self.memory = calloc(1, sizeof(Network) + CACHE_LINE)
        if self.memory == NULL:
            raise MemoryError("no memory for the evaluation network")
        # Rows that begin with a cache line lie in two of them, others in three.
        place = <uintptr_t>self.memory + CACHE_LINE
        self.net = net = <Network *>(place - place % CACHE_LINE)
        weights = <const int16_t *>(raw + <int>_HEADER.size)
        for colour in range(2):
            for row in range(NETWORK_ROWS):
                for state in range(ROW_STATES):
                    for i in range(NEURONS):
                        total = 0
                        for column in range(NETWORK_COLUMNS):
                            if state >> column & 1:
                                total += weights[
                                    (colour * points + row * NETWORK_COLUMNS + column) * NEURONS + i
                                ]
                        net.rows[colour][row][state][i] = total
        weights += 2 * points * NEURONS
        memcpy(net.gains, weights, sizeof(net.gains))
        weights += 2 * GAINS * NEURONS
        memcpy(net.bias, weights, sizeof(net.bias))
        weights += NEURONS
        memcpy(net.output, weights, sizeof(net.output))
        weights += BUCKETS * NEURONS
        memcpy(net.output_bias, weights, sizeof(net.output_bias))
        for i in range(46):
            net.bucket[i] = sum([i >= start for start in _BUCKET_STARTS])

    def __dealloc__(self):
        free(self.memory)

    cdef const Network *for_board(self, const Tables *t) noexcept:
        """The network if it is made for this board, else NULL."""
        return self.net if (t.columns, t.rows) == (NETWORK_COLUMNS, NETWORK_ROWS) else NULL
