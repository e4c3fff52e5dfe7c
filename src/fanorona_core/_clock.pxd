"""A clock that never goes back, readable without the GIL."""

from libc.stdint cimport int64_t

cdef extern from "_portable.h":
    int64_t now_us "fanorona_now_us"() noexcept nogil
