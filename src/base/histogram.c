#include "base/histogram.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

void fc_histogram_clear(fc_histogram *histogram) {
    memset(histogram, 0, sizeof *histogram);
}

void fc_histogram_merge(fc_histogram *into, const fc_histogram *from) {
    into->total += from->total;
    for (size_t bin = 0; bin < FC_HISTOGRAM_BINS; ++bin)
        into->count[bin] += from->count[bin];
}

double fc_histogram_value(uint32_t bin) {
    const uint32_t octave = 1u << FC_HISTOGRAM_BITS;
    if (bin < 2 * octave)
        return (double)bin;
    const uint32_t shift = (bin >> FC_HISTOGRAM_BITS) - 1;
    const uint64_t lowest = (uint64_t)(octave + (bin & (octave - 1))) << shift;
    return (double)lowest + 0.5 * (double)(((uint64_t)1 << shift) - 1);
}

double fc_histogram_percentile(const fc_histogram *histogram, double share) {
    if (histogram->total == 0)
        return NAN;
    const double wanted = ceil(share * (double)histogram->total);
    uint64_t below = 0;
    uint32_t last = 0;
    for (uint32_t bin = 0; bin < FC_HISTOGRAM_BINS; ++bin) {
        if (histogram->count[bin] == 0)
            continue;
        below += histogram->count[bin];
        last = bin;
        if ((double)below >= wanted)
            break;
    }
    return fc_histogram_value(last);
}

double fc_histogram_resolution(double value) {
    return value >= 2 << FC_HISTOGRAM_BITS ? ldexp(1, ilogb(value) - FC_HISTOGRAM_BITS) : 1;
}
