#include "models/torus/torus_forecast.h"

#include <math.h>
#include <string.h>
#include "models/torus/torus_sharing_parts.h"

/* The reference loads: a share of the capacity, which the model carries in every network that was
 * simulated, and one of the forecast saturation load. Where the model does not carry the second,
 * the first counts for it. */
static const double reference_load = 0.2, reference_share = 0.65;
/* Where the hyperbola ends, and how far along it loads count, as shares of the saturation load. A
 * pole nearer to saturation makes small errors of that load large ones of the latency (with 1.15,
 * errors at 90 % of saturation were half as large again); 1.5 was no better. */
static const double pole = 1.3, share_most = 1.22;
/* The more uncertain t is, the lower is the forecast (fc_calibration_forecast); beyond this
 * standard deviation no more, so that it does not fall as the load rises. */
static const double median_most = 0.05;
/* Inputs may exceed those of the networks fitted by this share of their range. */
static const double margin_share = 0.05;

const double fc_torus_wide = 0.07;
const double fc_torus_knots[FC_TORUS_KNOTS] = {0.2, 0.45, 0.65, 0.8, 0.9, 1};

/* ---- what is known ---- */

typedef struct extents {
    double shortest, longest;       /* nodes along a dimension of at least two */
    double most_hops, last_hops;    /* shares of the hops: the largest, the last crossed */
    double first_nodes, last_nodes; /* along the dimensions crossed first and last */
} extents;

static extents measure(const fc_sharing_solver *solver) {
    extents e = {.shortest = INFINITY};
    double hops = 0;
    for (size_t d = 0; d < solver->dimensions; ++d) {
        const fc_ring_paths *paths = &solver->dimension[d].paths;
        const double nodes = (double)paths->radix;
        e.shortest = fmin(e.shortest, nodes);
        e.longest = fmax(e.longest, nodes);
        e.most_hops = fmax(e.most_hops, paths->mean_hops);
        e.last_hops = paths->mean_hops;
        e.last_nodes = nodes;
        e.first_nodes = d == 0 ? nodes : e.first_nodes;
        hops += paths->mean_hops;
    }
    e.most_hops /= hops;
    e.last_hops /= hops;
    return e;
}

static void read_shape(const fc_sharing_solver *solver, double *x) {
    const fc_sharing_case *input = &solver->input;
    const extents e = measure(solver);
    const double channels = input->channels, flits = input->flits, hops = solver->mean_hops;
    const double values[FC_TORUS_SHAPE] = {
        log(flits),
        log(channels),
        log((double)solver->blockers),
        log((double)input->ejection_channels),
        log((double)input->injection_channels),
        log(hops),
        input->kind == FC_LINE,
        input->kind == FC_UNIDIRECTIONAL_RING,
        input->rule == FC_DATELINE,
        input->rule == FC_FREE,
        input->idle_cycle,
        log((double)solver->dimensions),
        e.most_hops,
        e.last_hops,
        log(e.shortest),
        log(e.longest),
        log(flits / hops),
        log(channels / input->ejection_channels),
        log(channels / input->injection_channels),
        log(solver->limit * flits), /* below 0: links of the network fill before those of nodes */
        log(e.first_nodes),
        log(e.last_nodes)};
    memcpy(x, values, sizeof values);
}

/* The model's solution at a reference load. */
static void read_state(const fc_sharing_solver *solver, const fc_sharing_solution *solution,
                       double empty, double *x) {
    const double excess = solution->latency - empty;
    double state[FC_REFERENCE_STATES];
    fc_sharing_read_state(solver, solution, state);
    x[0] = log(excess / empty);
    x[1] = solution->blocking / excess;
    x[2] = solution->source_wait / excess;
    memcpy(x + 3, state, (FC_TORUS_STATE - 3) * sizeof *x);
}

bool fc_torus_know(fc_sharing_solver *solver, fc_torus_known *known) {
    fc_sharing_solution solution;
    known->capacity = solver->limit;
    known->empty = solver->mean_hops + solver->input.flits;
    read_shape(solver, known->values);
    if (!fc_sharing_look_at(solver, reference_load * solver->limit, true, &solution))
        return false;
    known->excess = solution.latency - known->empty;
    read_state(solver, &solution, known->empty, known->values + FC_TORUS_SHAPE);
    return true;
}

/* ---- the curve ---- */

double fc_torus_log_limit(const fc_perceptrons *limit, const fc_torus_known *known) {
    return fmin(0, fc_perceptrons_value(limit, known->values));
}

fc_torus_curve fc_torus_curve_at(const fc_torus_known *known, double log_limit, double rate) {
    const double limit = exp(log_limit), load = rate / known->capacity;
    const double reference = fmin(share_most, reference_load / limit);
    fc_torus_curve curve = {.share = load / limit};
    const double share = fmin(share_most, curve.share);
    curve.r = share / pole;
    curve.excess = known->excess * load / reference_load * (pole - reference) / (pole - share);
    memcpy(curve.inputs, known->values, sizeof known->values);
    double *last = curve.inputs + FC_TORUS_KNOWN;
    last[0] = load;
    last[1] = share;
    last[2] = 1 / (pole - share);
    last[3] = log_limit;
    return curve;
}

double fc_torus_correction(const double corrections[FC_TORUS_KNOTS], double share) {
    size_t i = 1;
    while (i < FC_TORUS_KNOTS - 1 && share > fc_torus_knots[i])
        ++i;
    const double width = fc_torus_knots[i] - fc_torus_knots[i - 1];
    const double part = fmin(1, fmax(0, (share - fc_torus_knots[i - 1]) / width));
    return corrections[i - 1] + part * (corrections[i] - corrections[i - 1]);
}

fc_calibrated_excess fc_torus_shifted(const fc_torus_known *known, const fc_torus_curve *curve,
                                      double shift, double deviation) {
    const fc_calibration_input input = {
        .empty = known->empty, .excess = curve->excess, .values = {curve->r}};
    fc_calibrated_excess excess = fc_calibration_forecast(&input, shift, deviation);
    excess.stretch = fc_calibration_forecast(&input, shift, fmin(deviation, median_most)).stretch;
    excess.low = fmin(excess.low, excess.stretch);
    excess.high = fmax(excess.high, excess.stretch);
    return excess;
}

void fc_torus_know_more(fc_sharing_solver *solver, double log_limit, fc_torus_known *known) {
    const double rate = reference_share * exp(log_limit) * known->capacity;
    fc_sharing_solution solution = {.latency = known->empty + known->excess};
    double *state = known->values + FC_TORUS_FIRST;
    const bool carried = fc_sharing_look_at(solver, rate, false, &solution);
    if (carried) {
        read_state(solver, &solution, known->empty, state);
        state[0] = log((solution.latency - known->empty) /
                       fc_torus_curve_at(known, log_limit, rate).excess);
    } else {
        memcpy(state, known->values + FC_TORUS_SHAPE, FC_TORUS_STATE * sizeof *state);
        state[0] = 0;
    }
    known->values[FC_TORUS_KNOWN - 1] = carried;
}

/* ---- forecasts ---- */

static bool is_near(const fc_torus_known *known) {
    const fc_torus_learned *learned = &fc_torus_weights;
    bool near = true;
    for (size_t i = 0; i < FC_TORUS_FIRST; ++i) {
        const double margin = margin_share * (learned->high[i] - learned->low[i]);
        near &= known->values[i] >= learned->low[i] - margin &&
                known->values[i] <= learned->high[i] + margin;
    }
    return near;
}

/* What is known first, and the saturation load; false: no simulated network is like it. */
static bool know_first(fc_sharing_solver *solver, fc_torus_known *known, double *log_limit) {
    if (!fc_torus_know(solver, known))
        return false;
    *log_limit = fc_torus_log_limit(&fc_torus_weights.limit, known);
    return is_near(known);
}

fc_forecast fc_torus_forecast(fc_sharing_solver *solver, double rate) {
    const fc_torus_learned *learned = &fc_torus_weights;
    fc_torus_known known;
    double log_limit;
    if (!know_first(solver, &known, &log_limit))
        return (fc_forecast){.known = false};
    fc_torus_know_more(solver, log_limit, &known);
    const fc_torus_curve curve = fc_torus_curve_at(&known, log_limit, rate);
    const double shift = fc_perceptrons_value(&learned->shift, curve.inputs);
    const double deviation = exp(fc_perceptrons_value(&learned->spread, curve.inputs) +
                                 fc_torus_correction(learned->corrections, curve.share));
    const fc_calibrated_excess excess = fc_torus_shifted(&known, &curve, shift, deviation);
    return (fc_forecast){.known = true,
                         .empty = {[FC_MEAN] = known.empty},
                         .latency = known.empty + curve.excess * excess.stretch,
                         .low = known.empty + curve.excess * excess.low,
                         .high = known.empty + curve.excess * excess.high,
                         .margin = log(curve.share),
                         .wide = fc_torus_wide};
}

double fc_torus_forecast_saturation(fc_sharing_solver *solver) {
    fc_torus_known known;
    double log_limit;
    return know_first(solver, &known, &log_limit) ? known.capacity * exp(log_limit) : (double)NAN;
}
