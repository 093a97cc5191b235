/* Hierarchical slotted rings after V. C. Hamacher and H. Jiang, "Performance and Configuration of
 * Hierarchical Ring Networks for Multiprocessors".
 *
 * Implements the closed forms: equation (22) for two levels and (23) for three. Each term is the
 * wait in one queue or a path length:
 *
 *     two levels    T = T1 + P T2 + (1-P)(T3 + T4 + T5) + 1
 *     three levels  T = T6 + P_L T7 + P_M (T8 + T9 + T10) + P_G (T8 + T9 + T11 + T12 + T13) + 1
 *
 * The long route, equations (1) to (21), is in tests/unit/test_ring_models.c and gives the same
 * numbers once the misprints listed in docs/theory/rings.md are corrected; (22) and (23) need no
 * correction.
 *
 * Assumes Poisson arrivals at every queue, slots that are full independently of one another,
 * unbounded queues, and destinations uniform within each class. Valid while every denominator is
 * positive: a negative term is a saturated ring, not a short wait.
 *
 * Measured accuracy: docs/validation/rings.md. Worst on small busy rings with mostly local packets,
 * where the station's wait is underestimated. The delay is underestimated on busy large rings,
 * where full slots follow one another in trains, and overestimated where small rings are entered
 * from crossings, at which at most one packet arrives per cycle. */
#include "models/rings/ring_delays.h"

#include <math.h>

static double inverse(double denominator) {
    return denominator > 0.0 ? 1.0 / denominator : INFINITY;
}

static fc_ring_waits waits(const fc_rings *rings, const fc_ring_loads *loads) {
    const double passing = 0.5 * rings->rate * (2.0 - rings->share_local) *
                           (rings->local - 1.0 - rings->share_local); /* X of T1, Y of T6 */
    fc_ring_waits result = {
        .station = passing * inverse(1.0 - passing * (1.0 + rings->rate)), /* T1, T6 */
        .up_global = inverse(1.0 - loads->global),                         /* T3, T11 */
        .down_local = inverse(1.0 - loads->local),                         /* T4, T9 */
    };
    if (rings->levels == 3) {
        const double leaving = rings->share_middle + rings->share_global;
        const double turning = leaving > 0.0 ? rings->share_middle / leaving : 0.0;
        const double half = loads->middle / rings->middle; /* (L lambda / 2)(2 P_G + P_M) */
        result.up_middle =
            inverse(1.0 - half * (rings->middle - 1.0 - turning) - loads->across_local); /* T8 */
        result.down_middle = inverse(1.0 - loads->middle);                               /* T12 */
    }
    return result;
}

static fc_status solve(const fc_scenario *scenario, void *prepared, fc_error *error,
                       fc_result *result) {
    (void)prepared;
    (void)error;
    return fc_ring_solve(scenario, waits, result);
}

const fc_model fc_model_hamacher_jiang = {
    .info =
        {
            .name = "hamacher-jiang",
            .kind = FC_MODEL,
            .family = "ring-hierarchy",
            .title = "hierarchical slotted rings, closed forms for 2 and 3 levels",
            .source = "Hamacher and Jiang, Performance and Configuration of Hierarchical Ring "
                      "Networks for Multiprocessors",
            .validity = "any ring sizes and locality, below saturation",
        },
    .covers = fc_ring_covers,
    .solve = solve,
    .saturation = fc_ring_saturation,
};
