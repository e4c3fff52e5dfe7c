"""The Python classes of a turn and of one step of it."""

from libc.stdint cimport uint8_t, uint64_t

from fanorona_core._bitboard cimport bitboard_t

cdef class Turn:
    cdef readonly int columns
    cdef int length                 # steps
    cdef bint capture
    cdef uint64_t withdrawals       # bit i: step i is a withdrawal
    cdef uint8_t path[46]           # start, then every landing point

cdef class Step:
    cdef readonly int columns
    cdef readonly int start
    cdef readonly int end
    cdef readonly str kind
    cdef bitboard_t taken

cdef Turn new_turn(int columns, Turn prefix, int start, const uint8_t *steps, int length,
                   bint capture)
