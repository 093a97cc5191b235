/* Ring scenarios made without a file, for tests that need thousands of them. */
#ifndef RINGS_SUPPORT_H
#define RINGS_SUPPORT_H

#include "registry/method.h"
#include "scenario/rings.h"
#include <math.h>

extern const fc_model fc_model_hamacher_jiang;
extern const fc_model fc_model_ring_trains;
extern const fc_simulator fc_simulator_slotted_rings;

/* middle 0: two levels. share_local negative: uniform destinations. */
static inline fc_rings make_rings(double local, double middle, double global, double rate,
                                  double share_local, double share_middle) {
    fc_rings rings = {.rate = rate, .local = local, .global = global};
    rings.levels = middle > 0.0 ? 3 : 2;
    rings.middle = middle > 0.0 ? middle : 1.0;
    rings.sizes.count = rings.levels;
    rings.sizes.values[0] = local;
    rings.sizes.values[1] = middle > 0.0 ? middle : global;
    rings.sizes.values[2] = global;
    rings.stations = local * rings.middle * global;
    if (share_local < 0.0) {
        rings.share_local = (local - 1.0) / (rings.stations - 1.0);
        rings.share_middle = (rings.middle - 1.0) * local / (rings.stations - 1.0);
    } else {
        rings.share_local = share_local;
        rings.share_middle = share_middle;
    }
    rings.share_global = 1.0 - rings.share_local - rings.share_middle;
    return rings;
}

static inline fc_scenario rings_scenario(fc_rings *rings) {
    static char name[] = "rings";
    return (fc_scenario){.name = name, .family = &fc_rings_family, .parameters = rings};
}

/* The rate at which the busiest ring has the given utilisation. */
static inline double rate_at_utilisation(const fc_rings *rings, double utilisation) {
    const double local = 0.5 * rings->local * (2.0 - rings->share_local);
    const double middle = rings->levels == 3 ? 0.5 * rings->local * rings->middle *
                                                   (2.0 * rings->share_global + rings->share_middle)
                                             : 0.0;
    const double global = 0.5 * rings->stations * rings->share_global;
    return utilisation / fmax(local, fmax(middle, global));
}

#endif
