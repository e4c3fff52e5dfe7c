/* The hidden layer of the evaluation network: rows of weights added up, clipped, times more weights.
 *
 * 64 integers of 16 bits side by side, whose sums wrap.  Where a compiler can make the same code
 * for AVX2 too, that is used if the processor has it, which is looked up when the module is loaded.
 */
#ifndef FANORONA_LAYER_H
#define FANORONA_LAYER_H

#include "_portable.h"

#define FANORONA_NEURONS 64
#define FANORONA_LAYER_ROWS 13

/* The plain form. */
FANORONA_INLINE int32_t fanorona_layer_plain(const int16_t *const *rows, const int16_t *weights,
                                             int16_t one) {
    int16_t sums[FANORONA_NEURONS];
    int32_t total = 0;
    int row, i;
    for (i = 0; i < FANORONA_NEURONS; i++) {
        sums[i] = rows[0][i];
    }
    for (row = 1; row < FANORONA_LAYER_ROWS; row++) {
        for (i = 0; i < FANORONA_NEURONS; i++) {
            sums[i] = (int16_t)(sums[i] + rows[row][i]);
        }
    }
    for (i = 0; i < FANORONA_NEURONS; i++) {
        int16_t x = sums[i] < 0 ? 0 : sums[i] > one ? one : sums[i];
        total += (int32_t)x * weights[i];
    }
    return total;
}

#if defined(FANORONA_GNU) && defined(__x86_64__) && !defined(_WIN32)
#include <immintrin.h>

__attribute__((target("avx2"))) static int32_t fanorona_layer_avx2(
    const int16_t *const *rows, const int16_t *weights, int16_t one) {
    const __m256i zero = _mm256_setzero_si256(), most = _mm256_set1_epi16(one);
    __m256i total = zero;
    __m128i half;
    int row, i;
    for (i = 0; i < FANORONA_NEURONS; i += 16) {
        __m256i sums = _mm256_loadu_si256((const __m256i *)(rows[0] + i));
        for (row = 1; row < FANORONA_LAYER_ROWS; row++) {
            sums = _mm256_add_epi16(sums, _mm256_loadu_si256((const __m256i *)(rows[row] + i)));
        }
        sums = _mm256_min_epi16(_mm256_max_epi16(sums, zero), most);
        total = _mm256_add_epi32(
            total, _mm256_madd_epi16(sums, _mm256_loadu_si256((const __m256i *)(weights + i))));
    }
    half = _mm_add_epi32(_mm256_castsi256_si128(total), _mm256_extracti128_si256(total, 1));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, _MM_SHUFFLE(1, 0, 3, 2)));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, _MM_SHUFFLE(2, 3, 0, 1)));
    return _mm_cvtsi128_si32(half);
}

static int fanorona_has_avx2;
__attribute__((constructor)) static void fanorona_detect_avx2(void) {
    __builtin_cpu_init();
    fanorona_has_avx2 = __builtin_cpu_supports("avx2");
}

FANORONA_INLINE int32_t fanorona_layer(const int16_t *const *rows, const int16_t *weights,
                                       int16_t one) {
    if (fanorona_has_avx2) {
        return fanorona_layer_avx2(rows, weights, one);
    }
    return fanorona_layer_plain(rows, weights, one);
}
#else
#define fanorona_layer(rows, weights, one) fanorona_layer_plain(rows, weights, one)
#endif

#endif
