"""Looking positions up in tables in memory, for search and proofs."""

from libc.stdint cimport uint8_t

from fanorona_core._bitboard cimport bitboard_t
from fanorona_core._geometry cimport Geometry, Tables
from fanorona_core._index cimport MAX_STONES, Index, SetIndex

cdef enum:
    TABLE_LOSS = -1
    TABLE_DRAW = 0
    TABLE_WIN = 1
    TABLE_UNKNOWN = 2       # no table, or tables of other rules
    NO_VALUE = -1

cdef struct StoredTable:
    const uint8_t *data     # NULL without a table
    bint complete           # else only positions without a capture are right

# Tables in memory, [mover's stones][other's].
cdef struct TableSet:
    const Index *index
    int flags               # COMPULSORY, NO_MOVE_DRAW: the rules that they hold for
    int most_stones         # no table has more stones on the board
    StoredTable results[MAX_STONES + 1][MAX_STONES + 1]     # five results in a byte
    StoredTable values[MAX_STONES + 1][MAX_STONES + 1]      # values, a byte each

cdef class LoadedTables:
    cdef TableSet tables
    cdef SetIndex index
    cdef Geometry geometry
    cdef list kept

cdef int probe_wdl(const TableSet *tables, const Tables *board, bitboard_t own, bitboard_t enemy,
                   int flags) noexcept nogil
cdef int probe_value(const TableSet *tables, const Tables *board, bitboard_t own,
                     bitboard_t enemy, int flags) noexcept nogil
