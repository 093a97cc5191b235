/* Products and activations of the learned networks, eight numbers at once. Each sum is taken in the
 * order of its terms whatever the processor has: the same bits everywhere. What includes this
 * inlines it into functions that are compiled for processors with wider vectors, and again for
 * those without. */
#ifndef FC_FORECAST_LEARNED_KERNELS_H
#define FC_FORECAST_LEARNED_KERNELS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "base/wide_vectors.h"

typedef float fc_eight __attribute__((vector_size(32), aligned(4), may_alias));
/* Where the processor has such vectors. */
typedef float fc_sixteen __attribute__((vector_size(64), aligned(4), may_alias));
typedef int32_t fc_eight_whole __attribute__((vector_size(32), aligned(4), may_alias));

/* x becomes e^x, by its series around the nearest power of two; 3e-7 off at most. */
FC_INLINE void fc_to_exponential(fc_eight *at) {
    fc_eight x = *at;
    static const float round = 12582912; /* added and taken away: the nearest whole number */
    const fc_eight_whole above = x > 80, below = x < -80;
    const fc_eight_whole bounds =
        (above & (fc_eight_whole)(x * 0 + 80)) | (below & (fc_eight_whole)(x * 0 - 80));
    x = (fc_eight)(((fc_eight_whole)x & ~(above | below)) | bounds);
    const fc_eight n = (x * 1.44269504F + round) - round;
    const fc_eight r = (x - n * 0.693359375F) + n * 2.12194440e-4F;
    fc_eight sum = r * (1 / 720.0F) + 1 / 120.0F;
    sum = sum * r + 1 / 24.0F;
    sum = sum * r + 1 / 6.0F;
    sum = sum * r + 0.5F;
    sum = sum * r + 1;
    sum = sum * r + 1;
    *at = sum * (fc_eight)((__builtin_convertvector(n, fc_eight_whole) + 127) << 23);
}

/* s(x) = x / (1 + e^-x) of many numbers, in place; slope: its derivative there. count: a multiple
 * of eight. */
FC_INLINE void fc_activate(size_t count, float *at, float *slope) {
    for (size_t i = 0; i < count; i += 8) {
        const fc_eight x = *(const fc_eight *)(at + i);
        fc_eight share = -x;
        fc_to_exponential(&share);
        share = 1 / (1 + share);
        const fc_eight y = x * share;
        *(fc_eight *)(at + i) = y;
        *(fc_eight *)(slope + i) = share + y * (1 - share);
    }
}

/* Rows of numbers, `stride` apart. */
typedef struct fc_rows {
    const float *first;
    size_t stride, count;
} fc_rows;
/* out += in weights. Rows have `inputs` numbers; columns: a multiple of eight. */
void fc_multiply(fc_rows in, const float *weights, size_t inputs, size_t columns, float *out);

/* Every row becomes this one. */
FC_INLINE void fc_fill(const float *row, size_t columns, size_t rows, float *out) {
    for (size_t r = 0; r < rows; ++r)
        memcpy(out + r * columns, row, columns * sizeof *out);
}

/* to += factor from. */
FC_INLINE void fc_add_scaled(const float *from, float factor, size_t columns, float *to) {
    for (size_t i = 0; i < columns; i += 8)
        *(fc_eight *)(to + i) += factor * *(const fc_eight *)(from + i);
}

#endif
