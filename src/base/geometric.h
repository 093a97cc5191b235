/* Geometric gaps by integers alone: the same on every processor, vector unit and GPU.
 *
 * With success probability p the number of failures before a success is floor(-log2(U) c), U
 * uniform over (0, 1) and c = -1 / log2(1 - p). The logarithm is a polynomial in fixed point, to
 * 2e-10 of its value: what that does to a mean no simulation can see. */
#ifndef FC_BASE_GEOMETRIC_H
#define FC_BASE_GEOMETRIC_H

#include <stdint.h>

#ifdef __CUDACC__
#define FC_BOTH __host__ __device__ static inline
#else
#define FC_BOTH static inline
#endif

/* c of a probability: scale 2^(exponent - 64). */
typedef struct fc_geometric {
    uint64_t scale;   /* 0: every gap is 1 */
    int32_t exponent; /* FC_GEOMETRIC_NEVER: there is no success */
} fc_geometric;

enum { FC_GEOMETRIC_FRACTION = 57, FC_GEOMETRIC_NEVER = FC_GEOMETRIC_FRACTION + 62 };
#define FC_GAP_MAX ((uint64_t)1 << 62)

FC_BOTH int64_t fc_multiply_high(int64_t a, int64_t b) {
#ifdef __CUDA_ARCH__
    return __mul64hi(a, b);
#else
    return (int64_t)((__int128)a * b >> 64);
#endif
}

FC_BOTH uint64_t fc_multiply_high_unsigned(uint64_t a, uint64_t b) {
#ifdef __CUDA_ARCH__
    return __umul64hi(a, b);
#else
    return (uint64_t)((unsigned __int128)a * b >> 64);
#endif
}

/* log2(1 + t) / t for 1 + t from 1/sqrt(2) to sqrt(2), in units of 2^-61: sums of powers of t. */
#define FC_LOG2_COEFFICIENTS                                                                       \
    {                                                                                              \
        0x2e2a8eca608b17dc, -0x171547678f1fedd9, 0xf6384dad99e0cc0, -0xb8aa1c76a86b977,            \
            0x93bbb4a6226fe90, -0x7b232eca291b4b9, 0x69823934350271f, -0x5bac9a63c84c55e,          \
            0x519179668651cec, -0x507ffee659649c4, 0x4e915fdee1ced9d, -0x2b2dfc15a306f0a,          \
    }

/* The number t of u, from which the logarithm follows, and how often u was halved. */
FC_BOTH int64_t fc_log2_argument(uint64_t u, uint32_t *halvings) {
    const uint64_t square_root = 0xb504f333f9de6484; /* of 2, times 2^63 */
    u |= u == 0;
#ifdef __CUDA_ARCH__
    const uint32_t zeros = (uint32_t)__clzll((long long)u);
#else
    const uint32_t zeros = (uint32_t)__builtin_clzll(u);
#endif
    const uint64_t mantissa = u << zeros;
    const uint32_t low = mantissa < square_root;
    *halvings = zeros + low;
    return low ? (int64_t)(mantissa - ((uint64_t)1 << 63)) : (int64_t)mantissa >> 1;
}

FC_BOTH uint64_t fc_log2_finish(int64_t product, uint32_t halvings) {
    return ((uint64_t)halvings << FC_GEOMETRIC_FRACTION) - (uint64_t)(product >> 3);
}

/* -log2(u / 2^64) in units of 2^-FC_GEOMETRIC_FRACTION; 0 counts as 1. */
FC_BOTH uint64_t fc_minus_log2(uint64_t u) {
    const int64_t coefficient[] = FC_LOG2_COEFFICIENTS;
    uint32_t halvings;
    const int64_t t = fc_log2_argument(u, &halvings);
    int64_t sum = coefficient[11];
    for (int k = 10; k >= 0; --k)
        sum = coefficient[k] + fc_multiply_high(sum, t) * 2;
    return fc_log2_finish(fc_multiply_high(sum, t), halvings);
}

/* Trials up to and including the next success: 1, 2, ... FC_GAP_MAX. */
FC_BOTH uint64_t fc_geometric_scaled(fc_geometric law, uint64_t minus_log2) {
    const uint64_t product = fc_multiply_high_unsigned(minus_log2, law.scale);
    const int32_t shift = law.exponent - FC_GEOMETRIC_FRACTION;
    if (shift <= 0)
        return shift > -64 ? 1 + (product >> -shift) : 1;
    return shift < 62 && product >> (62 - shift) == 0 ? 1 + (product << shift) : FC_GAP_MAX;
}

/* The same of 64 random bits. */
FC_BOTH uint64_t fc_geometric_gap(fc_geometric law, uint64_t u) {
    return fc_geometric_scaled(law, fc_minus_log2(u));
}

/* p: above 0; 1 or more: every trial succeeds. */
fc_geometric fc_geometric_law(double p);

#endif
