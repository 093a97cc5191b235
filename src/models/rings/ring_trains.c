/* Hierarchical slotted rings: our closed form, which knows that full slots come in trains.
 *
 * The loads of the rings, the paths and the structure of the delay are those of Hamacher and Jiang
 * (hamacher_jiang.c), and exact. New are the waits. A queue that inserts A packets per cycle into a
 * ring of utilisation U waits
 *
 *     W = c0 + (U - A)/(1 - U) R
 *
 * before entering, where c0 is the step from a ring into the queue: 1 at a crossing, 0 at a
 * station. U - A is the chance that a slot passes the queue full, and (U - A)/(1 - U) is the exact
 * wait for Bernoulli arrivals and independent slots. R is how much longer it gets because full
 * slots follow one another in trains. It depends on the load and on n = 2 U/A, the number of nodes
 * of a ring on which every node inserts as much as this one: n is G at the global ring, L (2 - P_L)
 * at a station, M (2 P_G + P_M)/(P_G + P_M) at a local ring's way up.
 *
 *     station, way up:  1/R = 1 - 0.45 U - (0.55 - 1/E) U^3,  E = 0.635 n ln n/(n - 2)   (n >= 3)
 *     way down:         1/R = 1 - (0.09 + 0.13 ln n + 0.13/(n - 1.8)) U                  (n <= 64)
 *
 * A station gets several Poisson arrivals in some cycles. Alone (n = 2: every slot comes empty) it
 * waits (lambda/2)/(1 - U) longer for that, exactly; among others only (lambda/2)(1 + U) was
 * measured. Between n = 2 and n = 3.2 the model goes linearly from the one to the other.
 *
 * The form of W, the role of n and the case n = 2 are reasoned; the rest is EMPIRICAL: the
 * constants were read off simulated waits of single rings (docs/theory/rings.md says which). On a
 * ring near saturation W is about 0.635 ln n/(1 - U): the trains make the wait grow with the
 * logarithm of the ring's size.
 *
 * Valid for any sizes and locality below saturation. Measured on networks that were not used to
 * find the constants: docs/validation/rings.md. */
#include "models/rings/ring_delays.h"

#include <math.h>

/* The wait for an empty slot if slots are full independently of one another, where a packet a cycle
 * may join the queue. With several slots a link what is left of the queue after the sending is a
 * walk that goes up by one at most, so its length is geometric: the ratio s solves E s^(sent -
 * joined) = 1. */
static double independent_slots(double load, double inserted, double slots) {
    const double passing = fmax(0.0, load - inserted / slots); /* chance that a slot comes full */
    if (!(slots > 1))
        return passing / (1.0 - load);
    double low = 0, high = 1;
    for (int step = 0; step < 60; ++step) {
        const double s = 0.5 * (low + high);
        const double drift =
            log(1 - inserted + inserted / s) + slots * log(passing + (1 - passing) * s);
        *(drift > 0 ? &low : &high) = s;
    }
    return low / (1 - low) / inserted;
}

/* Nothing waits in a queue that nothing enters. */
static double blocked(const fc_ring_queue *queue, double slots) {
    if (!(queue->inserted > 0.0))
        return 0.0;
    const double load = queue->load;
    const double nodes = fmax(2.0 * load * slots / queue->inserted, 3.0);
    const double full_ring = (nodes - 2.0) / (0.635 * nodes * log(nodes)); /* 1/E */
    const double cube = load * load * load;
    return independent_slots(load, queue->inserted, slots) /
           (1.0 - 0.45 * load - (0.55 - full_ring) * cube);
}

static double blocked_down(const fc_ring_queue *queue, double slots) {
    if (!(queue->inserted > 0.0))
        return 0.0;
    const double nodes = fmin(fmax(2.0 * queue->load * slots / queue->inserted, 2.0), 64.0);
    const double trains = 0.09 + 0.13 * log(nodes) + 0.13 / (nodes - 1.8);
    return independent_slots(queue->load, queue->inserted, slots) / (1.0 - trains * queue->load);
}

static double bursts(double load, double rate) {
    const double alone = fmax(0.0, (3.2 - 2.0 * load / rate) / 1.2);
    return 0.5 * rate * (alone / (1.0 - load) + (1.0 - alone) * (1.0 + load));
}

static double wait(const fc_rings *rings, double rate, const fc_ring_queue *queue) {
    const double slots = fc_ring_slots(rings, queue->level);
    (void)rate;
    if (queue->way == FC_RING_SEND)
        return blocked(queue, slots) + bursts(queue->load, queue->inserted) / slots;
    return 1.0 + (queue->way == FC_RING_UP ? blocked(queue, slots) : blocked_down(queue, slots));
}

static fc_status solve(const fc_scenario *scenario, void *prepared, fc_error *error,
                       fc_result *result) {
    (void)prepared;
    return fc_ring_solve(scenario, wait, error, result);
}

const fc_model fc_model_ring_trains = {
    .info =
        {
            .name = "ring-trains",
            .kind = FC_MODEL,
            .family = "ring-hierarchy",
            .title = "hierarchical slotted rings, closed form with trains of full slots",
            .source = "ours",
            .validity = "any ring sizes and locality, below saturation",
        },
    .covers = fc_ring_covers,
    .solve = solve,
    .unlike = fc_ring_unlike,
    .saturation = fc_ring_saturation,
};
