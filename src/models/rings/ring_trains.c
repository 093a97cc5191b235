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

/* ---- several slots a link: the queue as a random walk ----
 *
 * If slots are full independently of one another, what is left of a queue after the sending is V' =
 * max(0, V + joined - sent): packets join from each slot of the ring they come from (from a station
 * Poisson, cut off at POISSON_MOST), and each slot that comes empty takes one. The stationary V
 * follows by eliminating states from the top (Grassmann, Taksar and Heyman). */

enum { POISSON_MOST = 8, STEPS_MOST = POISSON_MOST + FC_RING_SLOTS_MAX + 1, STATES = 400 };

/* The load up to which that many states are enough; beyond, waits grow as 1 / (1 - load). */
static const double HIGHEST_LOAD = 0.98;

/* chance of k of n; n 0: Poisson with that mean */
static double chance(int k, int n, double p) {
    double value = n > 0 ? pow(1 - p, n - k) : exp(-p);
    for (int i = 0; i < k; ++i)
        value *= (n > 0 ? (n - i) * p : p) / (i + 1);
    return value;
}

/* step[i]: the chance that the queue changes by i - down. */
static double mean_walk(const double *step, int down, int up) {
    double move[STATES][STEPS_MOST], lower[STATES], share[STATES] = {1};
    for (int n = 0; n < STATES; ++n)
        for (int i = 0; i <= down + up; ++i)
            move[n][i] = step[i];
    for (int n = STATES - 1; n > 0; --n) {
        /* moves below 0 end at 0 */
        for (int i = 0; n + i - down < 0; ++i) {
            move[n][down - n] += move[n][i];
            move[n][i] = 0;
        }
        lower[n] = 0;
        for (int i = 0; i < down; ++i)
            lower[n] += move[n][i];
        for (int from = n - 1; from >= 0 && from >= n - up; --from)
            for (int i = 0; i < down; ++i)
                if (n + i - down >= 0)
                    move[from][n + i - from] += move[from][n - from + down] * move[n][i] / lower[n];
    }
    double sum = 1, mean = 0;
    for (int n = 1; n < STATES; ++n) {
        for (int from = n - 1; from >= 0 && from >= n - up; --from)
            share[n] += share[from] * move[from][n - from + down] / lower[n];
        sum += share[n];
        mean += n * share[n];
    }
    return mean / sum;
}

/* from: slots that packets come from; 0: a station. */
static double independent_walk(double load, double inserted, int slots, int from) {
    const double passing = fmax(0.0, load - inserted / slots); /* chance that a slot comes full */
    const int most = from > 0 ? from : POISSON_MOST;
    double step[STEPS_MOST] = {0};
    for (int joined = 0; joined <= most; ++joined)
        for (int sent = 0; sent <= slots; ++sent)
            step[joined - sent + slots] +=
                chance(joined, from, from > 0 ? inserted / from : inserted) *
                chance(sent, slots, 1 - passing);
    return mean_walk(step, slots, most) / inserted;
}

/* ---- trains ---- */

/* The wait without the step into the queue, given how much longer trains make it. On a ring of one
 * slot a link, packets that join together wait for each other in any case: trains do not make that
 * longer. Nothing waits in a queue that nothing enters. */
static double stretched(const fc_rings *rings, const fc_ring_queue *queue, double trains) {
    static const int towards[] = {0, -1, 1}; /* the level that packets come from */
    const double load = queue->load, inserted = queue->inserted;
    if (!(inserted > 0.0))
        return 0.0;
    const int slots = (int)fc_ring_slots(rings, queue->level);
    const size_t level = queue->level + (size_t)towards[queue->way];
    const int from = queue->way == FC_RING_SEND ? 0 : (int)fc_ring_slots(rings, level);
    const double alone = (load - inserted) / (1.0 - load);
    if (slots == 1 && from <= 1)
        return alone * trains;
    const double most = fmin(1.0, HIGHEST_LOAD / load);
    const double walk = independent_walk(load * most, inserted * most, slots, from) *
                        (1.0 - load * most) / (1.0 - load);
    return slots == 1 ? alone * trains + fmax(0.0, walk - alone) : walk * trains;
}

static double blocked(const fc_rings *rings, const fc_ring_queue *queue) {
    const double load = queue->load, slots = fc_ring_slots(rings, queue->level);
    const double nodes = fmax(2.0 * load * slots / queue->inserted, 3.0);
    const double full_ring = (nodes - 2.0) / (0.635 * nodes * log(nodes)); /* 1/E */
    const double cube = load * load * load;
    return stretched(rings, queue, 1.0 / (1.0 - 0.45 * load - (0.55 - full_ring) * cube));
}

static double blocked_down(const fc_rings *rings, const fc_ring_queue *queue) {
    const double slots = fc_ring_slots(rings, queue->level);
    const double nodes = fmin(fmax(2.0 * queue->load * slots / queue->inserted, 2.0), 64.0);
    const double trains = 0.09 + 0.13 * log(nodes) + 0.13 / (nodes - 1.8);
    return stretched(rings, queue, 1.0 / (1.0 - trains * queue->load));
}

static double bursts(double load, double rate) {
    const double alone = fmax(0.0, (3.2 - 2.0 * load / rate) / 1.2);
    return 0.5 * rate * (alone / (1.0 - load) + (1.0 - alone) * (1.0 + load));
}

double fc_ring_trains_wait(const fc_rings *rings, double rate, const fc_ring_queue *queue) {
    (void)rate;
    if (queue->way == FC_RING_DOWN)
        return 1.0 + blocked_down(rings, queue);
    if (queue->way == FC_RING_UP)
        return 1.0 + blocked(rings, queue);
    const bool several = fc_ring_slots(rings, queue->level) > 1;
    return blocked(rings, queue) + (several ? 0.0 : bursts(queue->load, queue->inserted));
}

static fc_status solve(const fc_scenario *scenario, void *prepared, fc_error *error,
                       fc_result *result) {
    (void)prepared;
    return fc_ring_solve(scenario, fc_ring_trains_wait, error, result);
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
    .suits = fc_ring_suits_open,
    .covers = fc_ring_covers,
    .solve = solve,
    .unlike = fc_ring_unlike,
    .saturation = fc_ring_saturation,
};
