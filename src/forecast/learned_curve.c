/* With the outputs o_l of lane l and n of the network, c the capacity, knots u_k and
 * v = -log(1 - u):
 *
 *     log(c / saturation) = 1/8 log(1 + sum over used lanes of e^(8 o_l0))
 *     g_l(v_1) = o_l1,  g_l(v_k) = g_l(v_(k-1)) + (v_k - v_(k-1)) p(o_lk)
 *     growth_k = log(sum over lanes of weight_l unit_l e^(g_l(v_k)))
 *     tail_k = n_k,  log spread_k = n_(K+k)
 *
 * with p(x) = (x + sqrt(x^2 + 4)) / 2: positive, so that every lane's wait grows faster than the
 * load. A lane with bursts counts with at least the wait of its source alone. What p99 has beyond
 * the empty network's, load e^(growth + tail), is not to fall from knot to knot. */
#include "forecast/learned_curve.h"

#include <string.h>
#include "base/memory.h"
#include "forecast/learned_kernels.h"
#include "forecast/learned_numbers.h"
#include "forecast/learned_weights.h"

const double fc_knots[FC_KNOTS] = {0.1, 0.3, 0.5, 0.7, 0.8, 0.88, 0.94, 0.98};
const double fc_knot_places[FC_KNOTS] = {
    0.10536051565782628, 0.35667494393873245, 0.6931471805599453, 1.203972804325936,
    1.6094379124341005,  2.120263536200091,   2.8134107167600364, 3.912023005428145};
/* Logarithms of the knots. */
static const double knot_logs[FC_KNOTS] = {
    -2.302585092994046,  -1.2039728043259361,  -0.6931471805599453,  -0.35667494393873245,
    -0.2231435513142097, -0.12783337150988489, -0.06187540371808753, -0.02020270731751945};

const double fc_start_least = -8, fc_start_most = 6;
const double fc_full_least = -4, fc_full_most = 2;
static const double sharpness = FC_SHARPNESS;
static const double spread_least = -6, spread_most = 1; /* of logarithms */
static const double smallest = 1e-30;                   /* wait per load, for its logarithm */

static double bounded(double x, double least, double most) {
    return x > most ? most : x > least ? x : least;
}

/* Factors of the waits at the knots, and how full each lane is. */
FC_INLINE void read_lanes_any(const fc_trait_graph *graph, const float *out,
                              fc_member_curve *curve) {
    for (uint32_t k = 0; k < graph->traits->lane_count; ++k) {
        const float *o = out + k * FC_LANE_OUTPUTS;
        float growth[FC_AT_ONCE] = {(float)bounded((double)o[1], fc_start_least, fc_start_most)};
        for (int i = 1; i < FC_KNOTS; ++i)
            growth[i] = growth[i - 1] + (float)((fc_knot_places[i] - fc_knot_places[i - 1]) *
                                                fc_positive((double)o[1 + i]));
        fc_eight factors = *(const fc_eight *)growth;
        fc_to_exponential(&factors);
        *(fc_eight *)(curve->shares + k * FC_KNOTS) = factors;
        const float full = (float)(sharpness * bounded((double)o[0], fc_full_least, fc_full_most));
        fc_eight fullness = {full};
        fc_to_exponential(&fullness);
        curve->full[k] = fullness[0];
    }
}

FC_FOR_ALL(read_lanes, (const fc_trait_graph *graph, const float *out, fc_member_curve *curve),
           (graph, out, curve))

/* Lanes that messages cross. */
static double used(const fc_lane_traits *lane) {
    return lane->weight > 0 ? (double)lane->copies : 0;
}

static void find_saturation(const fc_trait_graph *graph, fc_member_curve *curve) {
    double sum = 1;
    for (uint32_t k = 0; k < graph->traits->lane_count; ++k)
        sum += used(&graph->traits->lanes[k]) * (double)curve->full[k];
    for (uint32_t k = 0; k < graph->traits->lane_count; ++k)
        curve->full[k] = (float)(used(&graph->traits->lanes[k]) * (double)curve->full[k] / sum);
    curve->below = fc_learned_log(sum) / sharpness;
}

/* The growth at a knot, and the shares of the lanes in it. */
static double find_growth(const fc_trait_graph *graph, const fc_traits *traits, int knot,
                          fc_member_curve *curve) {
    const double load = traits->capacity * fc_learned_exp(-curve->below) * fc_knots[knot];
    double sum = smallest, last = 0, wait = 0; /* most sources have the same rate */
    for (uint32_t k = 0; k < graph->traits->lane_count; ++k) {
        const fc_lane_traits *lane = &graph->traits->lanes[k];
        double unit = (double)lane->unit;
        if (lane->bursts > 0 && traits->burst_wait) {
            const double bursts = load * (double)lane->bursts;
            if (bursts != last)
                wait = traits->burst_wait(traits->burst_context, bursts) / load;
            last = bursts;
            unit = wait > unit ? wait : unit;
        }
        float *share = &curve->shares[k * FC_KNOTS + (size_t)knot];
        const double waited = (double)lane->weight * unit * (double)*share;
        *share = (float)waited;
        sum += waited;
    }
    for (uint32_t k = 0; k < graph->traits->lane_count; ++k)
        curve->shares[k * FC_KNOTS + (size_t)knot] =
            (float)((double)curve->shares[k * FC_KNOTS + (size_t)knot] / sum);
    return fc_learned_log(sum);
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

/* The tail at a knot with which p99 is that of the knot before. */
static double least_tail(const double *growth, const double *tail, int k) {
    return knot_logs[k - 1] + growth[k - 1] + tail[k - 1] - knot_logs[k] - growth[k];
}

void fc_member_curve_of(const fc_trait_graph *graph, const fc_traits *traits,
                        const fc_learned_tape *tape, fc_member_curve *curve) {
    read_lanes(graph, tape->out, curve);
    find_saturation(graph, curve);
    for (int k = 0; k < FC_KNOTS; ++k) {
        const double growth = find_growth(graph, traits, k, curve);
        curve->growth_of[k] = growth;
        curve->growth[k] = k ? larger(growth, curve->growth[k - 1]) : growth;
        curve->tail_of[k] = (double)tape->network[k];
        curve->tail[k] = curve->tail_of[k];
        if (k > 0)
            curve->tail[k] = larger(curve->tail[k], least_tail(curve->growth, curve->tail, k));
        curve->log_spread[k] =
            bounded((double)tape->network[FC_KNOTS + k], spread_least, spread_most);
    }
    curve->log_saturation_spread =
        bounded((double)tape->network[2 * FC_KNOTS], spread_least, spread_most);
}

/* ---- all members ---- */

typedef struct moments {
    double sum, squares;
} moments;

static void add(double value, moments *to) {
    to->sum += value;
    to->squares += value * value;
}

static double variance_of(const moments *of, size_t count) {
    const double mean = of->sum / (double)count;
    return count > 1 ? larger(0, (of->squares - of->sum * mean) / (double)(count - 1)) : 0;
}

typedef struct together {
    moments below, growth[FC_KNOTS];
    double tail[FC_KNOTS], log_spread[FC_KNOTS], log_saturation_spread;
} together;

static void add_member(const fc_member_curve *one, size_t members, together *all) {
    const double part = 1 / (double)members;
    add(one->below, &all->below);
    all->log_saturation_spread += part * one->log_saturation_spread;
    for (int k = 0; k < FC_KNOTS; ++k) {
        add(one->growth[k], &all->growth[k]);
        all->tail[k] += part * one->tail[k];
        all->log_spread[k] += part * one->log_spread[k];
    }
}

/* The spread of what the members expect, and how far they are apart. */
static double spread_of(double log_spread, const moments *values, size_t members, double factor) {
    const double spread = fc_learned_exp(log_spread);
    return factor * sqrt(spread * spread + variance_of(values, members));
}

/* If the logarithm of the simulated value is normal with variance s^2, the forecast with the least
 * expected relative error is e^(-s^2) times the median: one that is too high may be wrong by any
 * factor, one that is too low by 100 % at most. */
void fc_learned_curve_expect(fc_learned_curve *curve) {
    static const double variance_most = 0.5;
    for (int k = 0; k < FC_KNOTS; ++k) {
        const double variance = curve->spread[k] * curve->spread[k];
        curve->growth[k] = curve->median[k] - (variance < variance_most ? variance : variance_most);
        if (k > 0) {
            curve->growth[k] = larger(curve->growth[k], curve->growth[k - 1]);
            curve->tail[k] = larger(curve->tail[k], least_tail(curve->growth, curve->tail, k));
        }
    }
}

static void finish(const fc_weights *w, const fc_traits *traits, const together *all,
                   fc_learned_curve *curve) {
    const double below = all->below.sum / (double)w->members;
    curve->saturation = traits->capacity * fc_learned_exp(-below);
    curve->saturation_spread = spread_of(all->log_saturation_spread, &all->below, w->members,
                                         (double)w->spread_factors[FC_KNOTS]);
    for (int k = 0; k < FC_KNOTS; ++k) {
        curve->median[k] = all->growth[k].sum / (double)w->members;
        curve->tail[k] = all->tail[k];
        curve->spread[k] = spread_of(all->log_spread[k], &all->growth[k], w->members,
                                     (double)w->spread_factors[k]);
    }
    fc_learned_curve_expect(curve);
    for (int k = 0; k < FC_KNOTS; ++k) /* of intervals alone: what is expected stays */
        curve->spread[k] *= w->reach;
}

static fc_status evaluate(const fc_weights *w, const fc_traits *traits, const fc_trait_graph *graph,
                          fc_error *error, fc_learned_curve *curve) {
    const size_t classes = graph->traits->lane_count;
    together all = {0};
    fc_member_curve one = {.shares = fc_allocate(classes, FC_KNOTS * sizeof(float)),
                           .full = fc_allocate(classes, sizeof(float))};
    fc_learned_tape *tape = NULL;
    fc_status status = one.shares && one.full ? FC_OK : fc_fail_memory(error);
    if (status == FC_OK)
        status = fc_learned_tape_create(&w->shape, classes, graph->traits->movement_count, false,
                                        error, &tape);
    for (size_t i = 0; i < w->members && status == FC_OK; ++i) {
        fc_learned_forward(&w->shape, &w->layout, w->floats + i * w->layout.count, graph, tape);
        fc_member_curve_of(graph, traits, tape, &one);
        add_member(&one, w->members, &all);
    }
    if (status == FC_OK)
        finish(w, traits, &all, curve);
    fc_learned_tape_free(tape);
    fc_release(one.shares);
    fc_release(one.full);
    return status;
}

fc_status fc_learned_curve_of(const fc_weights *weights, const fc_traits *traits, fc_error *error,
                              fc_learned_curve *curve) {
    fc_trait_graph *graph = NULL;
    fc_status status =
        fc_trait_graph_create(&weights->norms, &weights->shape, traits, error, &graph);
    if (status == FC_OK)
        status = evaluate(weights, traits, graph, error, curve);
    fc_trait_graph_free(graph);
    return status;
}
