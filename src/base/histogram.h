/* A streaming histogram of latencies with a stated relative resolution.
 *
 * Values below 2^(FC_HISTOGRAM_BITS + 1) = 512 are counted exactly (one bin per cycle); above, each
 * power of two is divided into 2^FC_HISTOGRAM_BITS bins and a percentile is given as the middle of
 * its bin, so it is off by at most 1/512 = 0.2 % of itself. Values of 2^47 and more share the last
 * bin. */
#ifndef FC_BASE_HISTOGRAM_H
#define FC_BASE_HISTOGRAM_H

#include <stdint.h>

enum { FC_HISTOGRAM_BITS = 8, FC_HISTOGRAM_BINS = (1 << FC_HISTOGRAM_BITS) * 40 };

typedef struct fc_histogram {
    uint64_t total;
    uint64_t count[FC_HISTOGRAM_BINS];
} fc_histogram;

static inline uint32_t fc_histogram_bin(uint64_t value) {
    if (value < (1u << FC_HISTOGRAM_BITS))
        return (uint32_t)value;
    const int shift = 63 - __builtin_clzll(value) - FC_HISTOGRAM_BITS;
    const uint32_t bin = ((uint32_t)shift << FC_HISTOGRAM_BITS) + (uint32_t)(value >> shift);
    return bin < FC_HISTOGRAM_BINS ? bin : FC_HISTOGRAM_BINS - 1;
}

static inline void fc_histogram_add(fc_histogram *histogram, uint64_t value) {
    ++histogram->count[fc_histogram_bin(value)];
    ++histogram->total;
}

void fc_histogram_clear(fc_histogram *histogram);
void fc_histogram_merge(fc_histogram *into, const fc_histogram *from);
/* The smallest value with at least this share (0..1; 1: the largest) of the observations at or
 * below it (middle of its bin); NaN if there are none. */
double fc_histogram_percentile(const fc_histogram *histogram, double share);
/* What a bin stands for: the middle of the values that it counts. */
double fc_histogram_value(uint32_t bin);
/* The width of the bin that holds a value: the resolution of percentiles there; 1 for NaN. */
double fc_histogram_resolution(double value);

#endif
