/* Hierarchical slotted rings after V. C. Hamacher and H. Jiang, "Performance and Configuration of
 * Hierarchical Ring Networks for Multiprocessors".
 *
 * Implements the closed forms: equation (22) for two levels and (23) for three. Each term is the
 * wait in one queue or a path length:
 *
 *     two levels    T = T1 + P T2 + (1-P)(T3 + T4 + T5) + 1
 *     three levels  T = T6 + P_L T7 + P_M (T8 + T9 + T10) + P_G (T8 + T9 + T11 + T12 + T13) + 1
 *
 * Networks of more levels have the middle terms of (23) for each ring between the local and the
 * global one; one level is the station's term alone, with the links of a ring without crossing.
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

static double wait(const fc_rings *rings, double rate, const fc_ring_queue *queue) {
    if (queue->way == FC_RING_SEND) {
        const double passing = 0.5 * rate * (2.0 - rings->shares[0]) *
                               (rings->sizes.values[0] - 1.0 - rings->shares[0]); /* X, Y */
        return passing * inverse(1.0 - passing * (1.0 + rate));                   /* T1, T6 */
    }
    if (queue->way == FC_RING_DOWN || queue->level + 1 == rings->levels)
        return inverse(1.0 - queue->load); /* T3, T4, T9, T11, T12 */
    const double entering = fc_rings_reaching(rings, queue->level);
    const double turning = entering > 0.0 ? rings->shares[queue->level] / entering : 0.0;
    const double size = rings->sizes.values[queue->level];
    return inverse(1.0 - queue->load / size * (size - 1.0 - turning) - queue->inserted); /* T8 */
}

static fc_status covers(const fc_scenario *scenario, fc_error *error) {
    const fc_rings *rings = scenario->parameters;
    if (!fc_rings_are_alike(rings))
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "the paper's rings of one level are alike, and no station is hot");
    for (size_t level = 0; level < rings->levels; ++level)
        if (fc_ring_slots(rings, level) > 1)
            return fc_fail(error, FC_ERROR_UNSUPPORTED,
                           "the paper's links have one slot; network.ring_slots has %g",
                           fc_ring_slots(rings, level));
    return fc_ring_covers(scenario, error);
}

static fc_status solve(const fc_scenario *scenario, void *prepared, fc_error *error,
                       fc_result *result) {
    (void)prepared;
    return fc_ring_solve(scenario, wait, error, result);
}

const fc_model fc_model_hamacher_jiang = {
    .info =
        {
            .name = "hamacher-jiang",
            .kind = FC_MODEL,
            .family = "ring-hierarchy",
            .title = "hierarchical slotted rings, closed forms",
            .source = "Hamacher and Jiang, Performance and Configuration of Hierarchical Ring "
                      "Networks for Multiprocessors",
            .validity = "alike rings of one slot a link and any locality, below saturation",
        },
    .suits = fc_ring_suits_open,
    .covers = covers,
    .solve = solve,
    .unlike = fc_ring_unlike,
    .saturation = fc_ring_saturation,
};
