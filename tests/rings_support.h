/* Ring scenarios made without a file, for tests that need thousands of them. */
#ifndef RINGS_SUPPORT_H
#define RINGS_SUPPORT_H

#include "registry/method.h"
#include "scenario/rings.h"
#include <math.h>

extern const fc_model fc_model_hamacher_jiang;
extern const fc_model fc_model_ring_trains;
extern const fc_simulator fc_simulator_slotted_rings;

/* Of any sizes, from the stations of a local ring up. shares NULL: uniform destinations. */
static inline fc_rings make_levels(size_t levels, const double *sizes, double rate,
                                   const double *shares) {
    fc_rings rings = {.rate = rate, .levels = levels, .queue = FC_INFINITE, .stations = 1};
    rings.sizes.count = levels;
    for (size_t level = 0; level < levels; ++level) {
        rings.sizes.values[level] = sizes[level];
        rings.below[level] = rings.stations *= sizes[level];
    }
    double rest = 1;
    for (size_t level = 0; level + 1 < levels; ++level) {
        const double child = level > 0 ? rings.below[level - 1] : 1;
        rings.shares[level] =
            shares ? shares[level] : (sizes[level] - 1) * child / (rings.stations - 1);
        rest -= rings.shares[level];
    }
    rings.shares[levels - 1] = rest;
    rings.locality.count = shares ? levels - 1 : 0;
    return rings;
}

/* middle 0: two levels. share_local negative: uniform destinations. */
static inline fc_rings make_rings(double local, double middle, double global, double rate,
                                  double share_local, double share_middle) {
    const bool three = middle > 0;
    const double sizes[] = {local, three ? middle : global, global};
    const double shares[] = {share_local, share_middle};
    return make_levels(three ? 3 : 2, sizes, rate, share_local < 0.0 ? NULL : shares);
}

static inline fc_scenario rings_scenario(fc_rings *rings) {
    static char name[] = "rings";
    return (fc_scenario){.name = name, .family = &fc_rings_family, .parameters = rings};
}

/* The rate at which the busiest ring has the given utilisation. */
static inline double rate_at_utilisation(const fc_rings *rings, double utilisation) {
    double busiest = 0;
    for (size_t level = 0; level < rings->levels; ++level)
        busiest = fmax(busiest, fc_rings_use(rings, level, 1));
    return utilisation / busiest;
}

#endif
