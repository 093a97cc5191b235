/* H. H. Najaf-abadi and H. Sarbazi-azad, "An Accurate Combinatorial Model for Performance
 * Prediction of Deterministic Wormhole Routing in Torus Multicomputer Systems" (the equations are
 * not numbered; all of section 2.2 is here).
 *
 * System: unidirectional torus, any dimensions and radices, dimension-order wormhole routing,
 * M-flit messages, L >= 2 virtual channels of which v3..vL are common and v1, v2 are escapes chosen
 * by digit comparison; Poisson sources of rate lambda_g, uniform destinations.
 *
 *   lambda_c = h lambda_g / n             W_ej = M^2 lambda_g / (2 (1 - M lambda_g))
 *
 * and, from the last dimension travelled to the first, with rho = lambda_c D_d:
 *
 *   P_l  = (1 - rho) rho^l for l < L, P_L = rho^L;   PB = P_L + P_{L-1}/L
 *   N_d  = sum_{j=L}^{J} j p_j, p as P but cut at J = (2d + 1) L
 *   A_d  = W_d (k_d - 2)/2 + sum_{j>d} W_j (k_j - 1)/2     waits ahead of a message in d
 *   W_d  = PB N_d (c A_d + M),  c = (1 - q_d)^(L-1)        q_d: a message ends after this hop
 *   D_d  = A_d + M + W_ej
 *
 * then S = sum_i P(first in i) (D_i + W_i), the multiplexing degree l = E[l^2]/E[l] averaged over
 * the dimensions with weights k_d, the M/G/1 wait W_s at the source and T = S l + W_s + h l.
 *
 * Bidirectional tori, which the paper leaves to "a few simple modifications": a channel has half
 * the rate, lambda_c = h lambda_g / (2n); h, q_d and the hops in A_d, printed above as (k - 1)/2
 * and (k - 2)/2, are those of shortest paths. All else is as it was.
 *
 * Method: A_d contains W_d, which solves linearly, so that D_d = g(D_d) is one scalar equation. PB
 * and N_d are power series in rho with non-negative coefficients (N_d = L rho^L + sum of rho^j over
 * L < j <= J), so g is increasing and convex. Newton's iteration on D - g(D) from D = g(0)
 * therefore climbs to the smallest root without passing it, and where the slope of D - g(D) turns
 * before zero is reached, there is no root: the fold is decided exactly.
 *
 * Departures from the print, each because the printed form contradicts its own text:
 *
 *   1. W_d includes PB. Printed is W = What N, but What is the wait of a message known to be
 *      blocked while D and S add W unconditionally; the print saturates 26-72 % too early.
 *   2. J counts dimensions from 1 (from 0 the printed (2 d - 1) L is negative).
 *   3. P_d: the repeated tail dropped, and the 1/L of its first product, which the choice of the
 *      useless escape channel does not have; then P_d / PB = (1 - q)^(L-1).
 *   4. The exponent of P_{d,j} is j; P_t is P(last in d)/P(crosses d), the sums of the denominator
 *      over all lengths (network/torus_combinatorics.h).
 *
 * The variant `-literal` keeps 1 and 3 as printed.
 *
 * Measured against simulation with one-flit buffers: docs/validation/torus.md. */
#include "models/torus/najafabadi_sarbaziazad.h"

#include <math.h>
#include "models/torus/torus_models.h"
#include "network/torus_combinatorics.h"

/* A value and its derivative with respect to rho. */
typedef struct slope {
    double value, derivative;
} slope;

static slope times(slope a, slope b) {
    return (slope){a.value * b.value, a.derivative * b.value + a.value * b.derivative};
}

static slope blocking_probability(double rho, int channels) { /* PB */
    const double inverse = 1.0 / channels, power = pow(rho, channels - 2), l = channels;
    return (slope){power * rho * (rho * (1.0 - inverse) + inverse),
                   power * (rho * (l - 1.0) + (l - 1.0) * inverse)};
}

static slope mean_waiting(double rho, int channels, int most) { /* N */
    double sum = 0.0, derivative = 0.0; /* of rho^1 + .. + rho^(most - channels) */
    for (int j = channels; j < most; ++j) {
        derivative = derivative * rho + sum + 1.0;
        sum = (sum + 1.0) * rho;
    }
    const double power = pow(rho, channels - 1), l = channels;
    return times((slope){power * rho, l * power}, (slope){l + sum, derivative});
}

/* P_d / PB: the messages ahead all go on after this hop. */
static slope going_on(double rho, int channels, double ends, bool literal) {
    const double all = pow(1.0 - ends, channels - 1);
    if (!literal)
        return (slope){all, 0.0};
    const double l = channels, below = rho * (l - 1.0) + 1.0; /* P_L / PB = l rho / below */
    const double weight = all * ends * (1.0 - 1.0 / l);
    return (slope){all - weight * l * rho / below, -weight * l / (below * below)};
}

typedef struct dimension_case {
    double channel_rate, flits, ends, ahead, higher_waits, constant;
    int channels, most;
    bool literal;
} dimension_case;

/* W_d and its derivative with respect to rho; false beyond the pole. */
static bool hop_wait(const dimension_case *d, double rho, slope *wait) {
    slope factor = mean_waiting(rho, d->channels, d->most);
    if (!d->literal)
        factor = times(factor, blocking_probability(rho, d->channels));
    const slope on = going_on(rho, d->channels, d->ends, d->literal);
    const slope top = times(
        factor, (slope){on.value * d->higher_waits + d->flits, on.derivative * d->higher_waits});
    const slope feedback = times(factor, on);
    const double rest = 1.0 - feedback.value * d->ahead;
    if (rest <= 0.0)
        return false;
    wait->value = top.value / rest;
    wait->derivative = (top.derivative + wait->value * feedback.derivative * d->ahead) / rest;
    return true;
}

/* Smallest root of D = constant + ahead W(lambda_c D); false if there is none below 1/lambda_c. */
static bool solve_dimension(const dimension_case *d, fc_najafabadi_solution *solution,
                            double *service, double *wait) {
    enum { LIMIT = 200 };
    double at = d->constant;
    for (int step = 0; step < LIMIT; ++step) {
        const double rho = d->channel_rate * at;
        slope hop;
        if (!(rho < 1.0) || !hop_wait(d, rho, &hop))
            return false;
        const double excess = d->constant + d->ahead * hop.value - at;
        const double rise = 1.0 - d->ahead * hop.derivative * d->channel_rate;
        ++solution->iterations;
        *service = at;
        *wait = hop.value;
        solution->residual = fabs(excess) / at;
        if (solution->residual <= 4e-16)
            return true;
        if (rise <= 0.0)
            return solution->residual < 1e-12; /* on the fold itself, to rounding */
        const double next = at + excess / rise;
        if (!(next > at))
            return true; /* rounding: the climb has ended */
        at = next;
    }
    return solution->residual < 1e-9;
}

/* E[l^2]/E[l] of the number of busy channels. */
static double multiplexing_degree(double rho, int channels) {
    double first = 0.0, second = 0.0, power = 1.0; /* power: rho^(l-1); a factor rho cancels */
    for (int l = 1; l <= channels; ++l) {
        const double p = l < channels ? (1.0 - rho) * power : power;
        first += l * p;
        second += (double)l * l * p;
        power *= rho;
    }
    return second / first;
}

static dimension_case dimension_of(const fc_najafabadi_case *input, size_t d,
                                   const fc_najafabadi_solution *solution, double ejection) {
    const fc_integer_list *radix = &input->radix;
    dimension_case result = {.channel_rate = solution->channel_rate,
                             .flits = input->flits,
                             .ends = fc_torus_ends_after_hop(radix, input->kind, d),
                             .ahead = fc_torus_hops_ahead(radix, input->kind, d, d),
                             .channels = input->channels,
                             .most = (2 * (int)d + 1) * input->channels,
                             .literal = input->literal};
    for (size_t j = d + 1; j < radix->count; ++j)
        result.higher_waits += solution->wait[j] * fc_torus_hops_ahead(radix, input->kind, j, d);
    result.constant = result.higher_waits + input->flits + ejection;
    return result;
}

void fc_najafabadi_solve(const fc_najafabadi_case *input, fc_najafabadi_solution *solution) {
    const fc_integer_list *radix = &input->radix;
    const double flits = input->flits, rate = input->rate;
    *solution = (fc_najafabadi_solution){.saturated = true, .bottleneck = radix->count};
    const double directions = input->kind == FC_BIDIRECTIONAL_RING ? 2 : 1;
    solution->hops = fc_torus_mean_hops(radix, input->kind);
    solution->channel_rate = solution->hops * rate / (directions * (double)radix->count);
    if (!(flits * rate < 1.0))
        return;
    const double ejection = flits * flits * rate / (2.0 * (1.0 - flits * rate));
    double weighted_degree = 0.0, weights = 0.0;
    for (size_t d = radix->count; d-- > 0;) {
        const dimension_case dimension = dimension_of(input, d, solution, ejection);
        if (!solve_dimension(&dimension, solution, &solution->service[d], &solution->wait[d])) {
            solution->bottleneck = d;
            return;
        }
        const double rho = solution->channel_rate * solution->service[d];
        weighted_degree += (double)radix->values[d] * multiplexing_degree(rho, input->channels);
        weights += (double)radix->values[d];
        solution->network +=
            fc_torus_first_in(radix, d) * (solution->service[d] + solution->wait[d]);
    }
    solution->multiplexing = weighted_degree / weights;
    const double network = solution->network, share = rate / input->channels;
    if (!(share * network < 1.0))
        return;
    solution->source_wait = share * (network * network + (network - flits) * (network - flits)) /
                            (2.0 * (1.0 - share * network));
    solution->latency = (network + solution->hops) * solution->multiplexing + solution->source_wait;
    solution->saturated = !isfinite(solution->latency);
}

double fc_najafabadi_saturation(const fc_najafabadi_case *input) {
    fc_najafabadi_case trial = *input;
    fc_najafabadi_solution solution;
    double low = 0.0, high = 1.0 / input->flits; /* the ejection channel is full there */
    while (high - low > 1e-13 * high) {
        trial.rate = 0.5 * (low + high);
        fc_najafabadi_solve(&trial, &solution);
        if (solution.saturated)
            high = trial.rate;
        else
            low = trial.rate;
    }
    return low;
}

/* ---- as methods of the registry ---- */

static fc_status covers(const fc_scenario *scenario, fc_error *error) {
    const fc_torus *torus = scenario->parameters;
    const fc_status status = fc_torus_model_covers(scenario, "the paper's model", error);
    if (status != FC_OK)
        return status;
    if (torus->shape == FC_HYPERCUBE)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "the paper's hypercube is topology: torus with unidirectional links and a "
                       "radix of 2 in each dimension; topology: hypercube has no escape channels");
    if (torus->topology != FC_TORUS)
        return fc_fail(error, FC_ERROR_UNSUPPORTED, "the paper's model is for tori");
    if (torus->virtual_channels < 2)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "the paper's model needs at least 2 virtual channels");
    if (torus->channel_rule != FC_ESCAPE &&
        !(torus->channel_rule == FC_HIGH_LOW && torus->virtual_channels == 2))
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "the paper's model needs the channel rule 'escape': virtual channels v3.. "
                       "common to all, v1 and v2 by digit comparison");
    return FC_OK;
}

static fc_najafabadi_case case_of(const fc_torus *torus, bool literal) {
    return (fc_najafabadi_case){.radix = fc_travel_order(torus),
                                .kind = torus->links == FC_BIDIRECTIONAL ? FC_BIDIRECTIONAL_RING
                                                                         : FC_UNIDIRECTIONAL_RING,
                                .channels = (int)torus->virtual_channels,
                                .flits = (double)torus->message_flits,
                                .rate = torus->rate,
                                .literal = literal};
}

static void report_saturated(const fc_torus *torus, const fc_najafabadi_case *input,
                             const fc_najafabadi_solution *solution, fc_result *result) {
    const double limit = fc_najafabadi_saturation(input);
    result->outcome = FC_OUTCOME_SATURATED;
    fc_result_add(result, FC_METRIC_THROUGHPUT, limit, NAN);
    if (solution->bottleneck < input->radix.count)
        fc_result_note(result,
                       "no steady state: blocking in dimension %zu feeds on itself; the model "
                       "saturates at a rate of %.4g",
                       fc_travelled_dimension(torus, solution->bottleneck), limit);
    else
        fc_result_note(result,
                       "no steady state: the source queue or the ejection channel is overloaded; "
                       "the model saturates at a rate of %.4g",
                       limit);
}

static void report_solution(const fc_torus *torus, const fc_najafabadi_case *input,
                            const fc_najafabadi_solution *solution, fc_result *result) {
    const double held = solution->network + solution->hops;
    const double network = held * solution->multiplexing;
    const fc_torus_latency latency = {
        .travel = solution->hops,
        .transfer = input->flits,
        .sharing = network - held,
        .blocking = solution->network - input->flits,
        .source_wait = solution->source_wait,
    };
    fc_torus_report_latency(result, &latency, input->rate);
    fc_table *table = fc_torus_add_channels(result, torus, input->radix.count);
    for (size_t d = 0; table != NULL && d < input->radix.count; ++d)
        fc_torus_set_channel(table, d, solution->channel_rate * input->flits, solution->wait[d]);
}

/* The paper has one rate for the channels of all dimensions: theirs is the mean. */
static void note_unequal(const fc_torus *torus, fc_result *result) {
    const fc_najafabadi_case input = case_of(torus, false);
    double sum = 0.0, most = 0.0;
    for (size_t d = 0; d < input.radix.count; ++d) {
        const double hops = fc_ring_paths_of(input.radix.values[d], input.kind).mean_hops;
        sum += hops;
        most = fmax(most, hops);
    }
    const double share = most * (double)input.radix.count / sum;
    if (share > 1.02)
        fc_result_add_note(result,
                           "the paper gives the channels of all dimensions one rate; with these "
                           "unequal radices the busiest carry %.2f times as much, and the network "
                           "saturates earlier than the model",
                           share);
}

static fc_status solve_reading(const fc_scenario *scenario, bool literal, fc_error *error,
                               fc_result *result) {
    const fc_torus *torus = scenario->parameters;
    const fc_najafabadi_case input = case_of(torus, literal);
    fc_najafabadi_solution solution;
    fc_najafabadi_solve(&input, &solution);
    result->run.iterations = solution.iterations;
    result->run.residual = solution.residual;
    fc_result_add(result, FC_METRIC_OFFERED, input.rate, NAN);
    if (solution.saturated)
        report_saturated(torus, &input, &solution, result);
    else
        report_solution(torus, &input, &solution, result);
    note_unequal(torus, result);
    (void)error;
    return fc_result_status(result);
}

static fc_status solve(const fc_scenario *scenario, void *prepared, fc_error *error,
                       fc_result *result) {
    (void)prepared;
    return solve_reading(scenario, false, error, result);
}

static fc_status solve_literal(const fc_scenario *scenario, void *prepared, fc_error *error,
                               fc_result *result) {
    (void)prepared;
    return solve_reading(scenario, true, error, result);
}

static fc_status saturation(const fc_scenario *scenario, void *prepared, fc_error *error,
                            double *load) {
    (void)prepared;
    const fc_najafabadi_case input = case_of(scenario->parameters, false);
    (void)error;
    *load = fc_najafabadi_saturation(&input);
    return FC_OK;
}

static fc_status saturation_literal(const fc_scenario *scenario, void *prepared, fc_error *error,
                                    double *load) {
    (void)prepared;
    const fc_najafabadi_case input = case_of(scenario->parameters, true);
    (void)error;
    *load = fc_najafabadi_saturation(&input);
    return FC_OK;
}

static const char *unlike(const fc_scenario *scenario) {
    const fc_torus *torus = scenario->parameters;
    return torus->links == FC_UNIDIRECTIONAL
               ? NULL
               : "measured with unidirectional links; see docs/theory/torus_open.md";
}

#define SOURCE                                                                                     \
    "Najaf-abadi and Sarbazi-azad, An Accurate Combinatorial Model for Performance Prediction of " \
    "Deterministic Wormhole Routing in Torus Multicomputer Systems"

const fc_model fc_model_najafabadi_sarbaziazad = {
    .info = {.name = "najafabadi-sarbaziazad",
             .kind = FC_MODEL,
             .family = "torus",
             .title = "torus with L virtual channels, combinatorial blocking; a "
                      "reconstruction: the print contradicts itself",
             .source = SOURCE,
             .validity = "torus (bidirectional: adapted), dimension order, channel rule escape, "
                         "uniform open traffic; does not see the buffer size"},
    .suits = fc_torus_model_suits,
    .covers = covers,
    .solve = solve,
    .saturation = saturation,
    .unlike = unlike,
};

const fc_model fc_model_najafabadi_sarbaziazad_literal = {
    .info = {.name = "najafabadi-sarbaziazad-literal",
             .kind = FC_MODEL,
             .family = "torus",
             .title = "the same with the waiting time exactly as printed (kept for comparison)",
             .source = SOURCE,
             .validity =
                 "as najafabadi-sarbaziazad; the printed wait leaves out the probability of "
                 "being blocked",
             .variant = true},
    .suits = fc_torus_model_suits,
    .covers = covers,
    .solve = solve_literal,
    .saturation = saturation_literal,
    .unlike = unlike,
};
