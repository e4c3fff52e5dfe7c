/* What differs between compilers and processors, with a plain C form of each.
 *
 * Everything that is not standard C stands here, and in _layer.h.  FANORONA_PORTABLE forces the
 * plain C of all of it, so that a build can test what no compiler at hand needs.
 *
 * A bit count is one instruction on processors newer than the baseline of
 * x86-64, which asks for none: whether this one has it is looked up when the
 * module is loaded, and the instruction stands in the code next to what
 * replaces it.  ARM64 always has one, and compilers know it.
 */
#ifndef FANORONA_PORTABLE_H
#define FANORONA_PORTABLE_H

#include <stddef.h>
#include <stdint.h>

#if defined(FANORONA_PORTABLE)
#define FANORONA_PLAIN 1
#elif defined(__GNUC__) || defined(__clang__)
#define FANORONA_GNU 1
#elif defined(_MSC_VER) && (defined(_M_X64) || defined(_M_ARM64))
#define FANORONA_MSVC 1
#include <intrin.h>
#else
#define FANORONA_PLAIN 1
#endif

#if defined(FANORONA_GNU)
#define FANORONA_INLINE static inline __attribute__((unused, always_inline))
#elif defined(FANORONA_MSVC)
#define FANORONA_INLINE static __forceinline
#else
#define FANORONA_INLINE static inline
#endif

/* Bit count. */

FANORONA_INLINE int fanorona_popcount_plain(uint64_t b) {
    b = b - ((b >> 1) & 0x5555555555555555ULL);
    b = (b & 0x3333333333333333ULL) + ((b >> 2) & 0x3333333333333333ULL);
    b = (b + (b >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
    return (int)((b * 0x0101010101010101ULL) >> 56);
}

#if defined(FANORONA_GNU) && defined(__x86_64__) && !defined(__POPCNT__)
#include <cpuid.h>
static int fanorona_has_popcnt;
__attribute__((constructor)) static void fanorona_detect(void) {
    unsigned int a, b, c = 0, d;
    fanorona_has_popcnt = __get_cpuid(1, &a, &b, &c, &d) && (c & (1u << 23));
}
FANORONA_INLINE int fanorona_popcount(uint64_t b) {
    if (__builtin_expect(fanorona_has_popcnt, 1)) {
        uint64_t count;
        /* volatile: else a compiler may move it out of a loop, and before the question. */
        __asm__ __volatile__("popcntq %1, %0" : "=r"(count) : "rm"(b) : "cc");
        return (int)count;
    }
    return fanorona_popcount_plain(b);
}
#elif defined(FANORONA_GNU) && (defined(__POPCNT__) || defined(__aarch64__))
#define fanorona_popcount(b) __builtin_popcountll(b)
#elif defined(FANORONA_MSVC) && defined(_M_X64)
static int fanorona_popcnt_state; /* 0 not known, 1 there, 2 missing */
static __declspec(noinline) int fanorona_popcount_slow(uint64_t b) {
    if (fanorona_popcnt_state == 0) {
        int registers[4];
        __cpuid(registers, 1);
        fanorona_popcnt_state = registers[2] & (1 << 23) ? 1 : 2;
    }
    return fanorona_popcount_plain(b);
}
FANORONA_INLINE int fanorona_popcount(uint64_t b) {
    return fanorona_popcnt_state == 1 ? (int)__popcnt64(b) : fanorona_popcount_slow(b);
}
#else
#define fanorona_popcount(b) fanorona_popcount_plain(b)
#endif

/* The place of the lowest bit, and the number of zeros above the highest; not of 0. */

#if defined(FANORONA_GNU)
#define fanorona_ctz(b) __builtin_ctzll(b)
#define fanorona_clz(b) __builtin_clzll(b)
#elif defined(FANORONA_MSVC)
FANORONA_INLINE int fanorona_ctz(uint64_t b) {
    unsigned long i;
    _BitScanForward64(&i, b);
    return (int)i;
}
FANORONA_INLINE int fanorona_clz(uint64_t b) {
    unsigned long i;
    _BitScanReverse64(&i, b);
    return 63 - (int)i;
}
#else
FANORONA_INLINE int fanorona_ctz(uint64_t b) {
    return fanorona_popcount((b & (0 - b)) - 1);
}
FANORONA_INLINE int fanorona_clz(uint64_t b) {
    b |= b >> 1; b |= b >> 2; b |= b >> 4;
    b |= b >> 8; b |= b >> 16; b |= b >> 32;
    return 64 - fanorona_popcount(b);
}
#endif

/* A hint that memory will be read soon. */

#if defined(FANORONA_GNU)
#define fanorona_prefetch(p) __builtin_prefetch(p)
#else
#define fanorona_prefetch(p) ((void)(p))
#endif

/* Words that threads share without locks: no order is promised, and a word of 64 bits may be
 * torn where pointers are smaller.  A volatile access is what the plain form has. */

#if defined(FANORONA_GNU) && defined(__SIZEOF_POINTER__) && __SIZEOF_POINTER__ >= 8
#define fanorona_load(p) __atomic_load_n((p), __ATOMIC_RELAXED)
#define fanorona_store(p, x) __atomic_store_n((p), (x), __ATOMIC_RELAXED)
#define fanorona_load_int(p) __atomic_load_n((p), __ATOMIC_RELAXED)
#define fanorona_store_int(p, x) __atomic_store_n((p), (x), __ATOMIC_RELAXED)
#else
#define fanorona_load(p) (*(const volatile uint64_t *)(p))
#define fanorona_store(p, x) ((void)(*(volatile uint64_t *)(p) = (x)))
#define fanorona_load_int(p) (*(const volatile int *)(p))
#define fanorona_store_int(p, x) ((void)(*(volatile int *)(p) = (x)))
#endif

/* Publish what was written before through a pointer, and see it. */

#if defined(FANORONA_GNU)
#define fanorona_acquire(p) __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define fanorona_release(p, x) __atomic_store_n((p), (x), __ATOMIC_RELEASE)
#else
#if defined(FANORONA_MSVC) && defined(_M_ARM64)
#define fanorona_fence() __dmb(11) /* inner shareable */
#else
#define fanorona_fence() ((void)0) /* loads and stores keep their order, or a lock of Python's does */
#endif
FANORONA_INLINE const uint8_t *fanorona_acquire(const uint8_t *const *p) {
    const uint8_t *x = *(const uint8_t *const volatile *)p;
    fanorona_fence();
    return x;
}
FANORONA_INLINE void fanorona_release(const uint8_t **p, const uint8_t *x) {
    fanorona_fence();
    *(const uint8_t *volatile *)p = x;
}
#endif

/* A clock that never goes back, in microseconds. */

#if defined(_WIN32)
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>
FANORONA_INLINE int64_t fanorona_now_us(void) {
    LARGE_INTEGER count, frequency;
    QueryPerformanceCounter(&count);
    QueryPerformanceFrequency(&frequency);
    return (int64_t)(count.QuadPart / frequency.QuadPart * 1000000
        + count.QuadPart % frequency.QuadPart * 1000000 / frequency.QuadPart);
}
#else
#include <time.h>
FANORONA_INLINE int64_t fanorona_now_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}
#endif

/* Large pages, for memory that is read at random: with small ones it waits for the page table as
 * long as for the data. */

#if defined(FANORONA_GNU) && defined(__linux__)
#include <sys/mman.h>
#endif
#if defined(FANORONA_GNU) && defined(__linux__) && defined(MADV_HUGEPAGE)
FANORONA_INLINE void fanorona_large_pages(void *start, size_t size) {
    uintptr_t first = ((uintptr_t)start + 4095) & ~(uintptr_t)4095;
    uintptr_t last = ((uintptr_t)start + size) & ~(uintptr_t)4095;
    if (last > first) {
        (void)madvise((void *)first, last - first, MADV_HUGEPAGE);
    }
}
#else
FANORONA_INLINE void fanorona_large_pages(void *start, size_t size) {
    (void)start;
    (void)size;
}
#endif

#endif
