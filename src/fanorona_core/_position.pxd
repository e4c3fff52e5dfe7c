"""The Python class of a position, for the modules that search and count."""

from fanorona_core._bitboard cimport bitboard_t
from fanorona_core._geometry cimport Geometry
from fanorona_core._movegen cimport Chain, TurnRules
from fanorona_core._turn cimport Turn

cdef class RawPosition:
    cdef readonly Geometry geometry
    cdef readonly object rules          # the facade's rule set, carried along
    cdef readonly Turn chain
    cdef readonly int quiet
    cdef readonly int turn_number
    cdef bitboard_t stones[2]           # White's and Black's
    cdef int to_move                    # 0 White, 1 Black
    cdef TurnRules turn_rules
    cdef Chain state                    # where the chain stands, if there is one

    cdef int flags(self) noexcept
    cdef int steps_of(self, list found, int point, bitboard_t open, bint capturing) except -1
    cdef int follow(self, Turn turn, bitboard_t *taken) except -1
    cdef RawPosition like(self)
    cdef RawPosition after(self, int start, int end, bitboard_t captured, bint capture)
