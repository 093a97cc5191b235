/* One build of the core for a processor: the including file has set FC_WORD_BITS, FC_LANES and
 * FC_CORE_ADVANCE, the name of the function. */
#include "simulators/ensemble/core_builds.h"

#include "base/histogram.h"
#include "network/destinations.h"
#include "simulators/router/arrivals.h"
#if defined(__AVX__)
#include <immintrin.h>
#endif

static inline uint32_t core_destination(const fc_core_plan *plan, fc_random *random,
                                        uint32_t node) {
    return fc_traffic_draw(plan->traffic, random, node);
}

#include "simulators/ensemble/core_rules.h"

void FC_CORE_ADVANCE(fc_core *x, uint32_t until) {
    const uint32_t routers = x->plan->routers;
    for (uint32_t r = 0; r < routers; ++r)
        core_begin_stretch(x, r, until);
    for (; x->time < until; ++x->time) {
        for (uint32_t r = 0; r < routers; ++r)
            core_step_router(x, r, x->time, until);
    }
    for (uint32_t r = 0; r < routers; ++r)
        core_end_stretch(x, r, until);
}
