"""A clock that never goes back, readable without the GIL."""

from libc.stdint cimport int64_t

cdef extern from *:
    """
    #ifdef _WIN32
    #define WIN32_LEAN_AND_MEAN
    #include <windows.h>
    static int64_t fanorona_now_us(void) {
        LARGE_INTEGER count, frequency;
        QueryPerformanceCounter(&count);
        QueryPerformanceFrequency(&frequency);
        return (int64_t)(count.QuadPart / frequency.QuadPart * 1000000
            + count.QuadPart % frequency.QuadPart * 1000000 / frequency.QuadPart);
    }
    #else
    #include <time.h>
    static int64_t fanorona_now_us(void) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
    }
    #endif
    """
    int64_t now_us "fanorona_now_us"() noexcept nogil
