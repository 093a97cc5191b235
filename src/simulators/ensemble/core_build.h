/* One build of the core for a processor: the including file has set FC_WORD_BITS, FC_LANES and
 * FC_CORE_ADVANCE, the name of the function. */
#include "simulators/ensemble/core_builds.h"

#include <string.h>

#include "base/histogram.h"
#include "network/destinations.h"
#include "simulators/arrivals.h"
#if defined(__AVX__)
#include <immintrin.h>
#endif

static inline uint32_t core_destination(const fc_core_plan *plan, fc_random *random,
                                        uint32_t node) {
    if (plan->pattern == FC_CORE_UNIFORM && !plan->to_self) { /* as fc_draw_any */
        const uint32_t other = fc_random_below(random, plan->nodes - 1);
        return other + (other >= node ? 1u : 0u);
    }
    return fc_traffic_draw(plan->traffic, random, node);
}

#include "simulators/ensemble/core_rules.h"

/* For routers of a given kind. Its numbers are known to the compiler, which unrolls the loops over
 * them, and nothing that is written can change the copy. */
static inline __attribute__((always_inline)) void
advance_kind(const fc_core *x, uint32_t until, uint32_t channels, uint32_t count_planes,
             uint32_t held_planes, uint32_t per_channel, uint32_t ports) {
    fc_core_plan plan = *x->plan;
    fc_core y = *x;
    y.plan = &plan;
    y.same_plan = x->plan;
    uint64_t sums[FC_CORE_SUMS][FC_CORE_MOST_LANES] = {{0}};
    y.sums = sums;
    plan.channels = channels;
    plan.count_planes = count_planes;
    plan.held_planes = held_planes;
    plan.per_channel = per_channel;
    plan.in_ports = plan.out_ports = ports;
    for (uint32_t r = 0; r < plan.routers; ++r)
        core_begin_stretch(&y, r, until);
    for (uint32_t time = x->time; time < until; ++time) {
        const core_moment moment = core_moment_of(&plan, time, until);
        for (uint32_t r = 0; r < plan.routers; ++r)
            core_step_router(&y, r, &moment);
    }
    for (uint32_t r = 0; r < plan.routers; ++r)
        core_end_stretch(&y, r, until);
    for (uint32_t lane = 0; lane < FC_LANES; ++lane) {
        fc_core_tally *tally = &x->tally[lane];
        tally->messages += sums[FC_CORE_MESSAGES][lane];
        tally->latency += sums[FC_CORE_LATENCY][lane];
        tally->source_wait += sums[FC_CORE_SOURCE_WAIT][lane];
        tally->routers += sums[FC_CORE_ROUTERS][lane];
        tally->flits += sums[FC_CORE_FLITS][lane];
        tally->flit_routers += sums[FC_CORE_FLIT_ROUTERS][lane];
    }
}

void FC_CORE_ADVANCE(fc_core *x, uint32_t until) {
    const fc_core_plan *p = x->plan;
    if (p->channels == 4 && p->count_planes == 4 && !p->per_channel && p->in_ports == 5 &&
        p->out_ports == 5) /* the most frequent one */
        advance_kind(x, until, 4, 4, 2, 0, 5);
    else
        advance_kind(x, until, p->channels, p->count_planes, p->held_planes, p->per_channel,
                     p->in_ports);
    x->time = until;
}
