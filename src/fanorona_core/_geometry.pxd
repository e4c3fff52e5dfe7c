"""Tables of one board size, made once and shared by all that play on it."""

from libc.stdint cimport uint8_t

from fanorona_core._bitboard cimport bitboard_t

cdef enum:
    MAX_POINTS = 45
    DIRECTIONS = 8
    NO_DIRECTION = 255

# Directions come in opposite pairs, d and d ^ 1.  An even direction leads to a
# higher bit, an odd one to a lower bit: E W N S NE SW NW SE.
cdef struct Ray:
    bitboard_t step     # the neighbouring point in this direction; 0 without a line
    bitboard_t ahead    # the point after it: the first that an approach takes
    bitboard_t behind   # the neighbour the other way: the first that a withdrawal takes
    bitboard_t path     # every point beyond the neighbour
    bitboard_t back     # every point the other way

cdef struct Tables:
    int columns
    int rows
    int points
    bitboard_t mask                                     # all points of the board
    bitboard_t strong                                   # those with diagonal lines
    int shift[DIRECTIONS]                               # distance in bits, positive
    bitboard_t has_neighbour[DIRECTIONS]                # points with a line in a direction
    bitboard_t has_second[DIRECTIONS]                   # ... and another line beyond it
    bitboard_t neighbours[MAX_POINTS]
    Ray rays[MAX_POINTS][DIRECTIONS]
    uint8_t direction[MAX_POINTS][MAX_POINTS]           # from a point to its neighbour

cdef class Geometry:
    cdef Tables tables
    cdef readonly int columns
    cdef readonly int rows
    cdef readonly int points
    cdef tuple names

cdef Geometry get_geometry(Py_ssize_t columns, Py_ssize_t rows)
