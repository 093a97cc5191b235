/* Scouting switching in n-dimensional bidirectional tori, any radices (our own model).
 *
 * T = empty + M (E[slowness] - 1) + late + W_ejection + W_path + astray + W_source
 *
 * empty: exact for every distance d, d + M + 2K - 1 if d >= K >= 1, else 3d + 1 + M (K = 0 as 1).
 *
 * Sharing. A message moves at the pace of its slowest channel. The number of others on a channel
 * is that of a processor-sharing queue whose customers may be slower elsewhere: n of them draw
 * E[min(1, sum of x)] flits a cycle, x the paces the rest of their paths allows. What one more gets
 * beside them is max-min fair (scouting_channels.c), and how many it meets depends on how long it
 * takes: half of them are there when it starts, the others come on the way. Slowness is the largest
 * over the path. Channels are taken as independent, except for messages that were met before: the
 * next link can only slow a message down further if some of the messages on it did not come over
 * the previous link. A header picks a channel in proportion to its free virtual channels, so that
 * arrivals prefer emptier channels. It waits for its turn on each link: late.
 *
 * Search (scouting_paths.c). A header reaches its destination if there is a free path: directed
 * percolation on the lattice of remaining hops. P(all V virtual channels of a channel are held)
 * comes from the same queue, whose customers hold the channel for the lead of the header (2K
 * cycles), the wait for ejection and the search itself. If there is no free path the header waits
 * until one appears. With f = P(a free path) and J the rate at which one appears, as channels are
 * released one by one, there is no path for (1 - f)/J cycles on average, so that a header waits
 * (1 - f)^2 / J. Each waiting header finally takes one of the released channels. With q the share
 * that they take, the wait is 1/(1 - q) times as long. A link entered in vain costs two cycles; a
 * channel held by a searching header is released at once.
 *
 * Node links. At most V messages share the injection link, and the ejection link, of a node; others
 * queue. This is a birth-death queue whose service is slower the more messages share the link; its
 * wait is halved because service is nearly constant, and raised for the variance of the waits that
 * follow. A message that waits for ejection meets messages from the other 2nV - 1 virtual channels
 * of the node, which come from N nodes with at most V messages under way each. A message that holds
 * an injection channel shares the link only while it sends, and leaves it before its flits are
 * delivered.
 *
 * Fixed point: paces depend on the slowness of the rest of the path, which depends on the others.
 * Rounds start from the empty network and approach the solution from below; a channel that cannot
 * carry its load on the way means that there is no solution: saturated. So does a latency of more
 * than 20 times that of the empty network.
 *
 * Symbols, and what they are called in the code (scouting_sharing_solve.c, scouting_paths.h):
 *
 *   M           flits of a message                          flits
 *   K           scouting distance                           lead = max(K, 1)
 *   V           virtual channels of a link                  channels
 *   N, n        nodes, dimensions                           nodes, dimensions
 *   d, D        hops of a message, their mean               paths->spread, distance
 *   slowness    cycles per flit; x = 1/slowness: a pace     fc_slowness_at(level)
 *   late        wait of a header for its turn on links      late
 *   f           P(there is a free path)                     search.none = 1 - f
 *   J           rate at which a free path appears           search.wait = (1 - f)^2 / J
 *   q           share of openings that waiting headers take retaken
 *   astray      cycles on links entered in vain             astray
 *   W_path      wait for a free path                        path_wait
 *   W_ejection  wait for an ejection channel                eject_wait
 *   W_source    wait for an injection channel               source_wait
 *
 * The first order in the load, checked alone: 8x8, V=6, M=32, K=0, rate 0.0003, where
 * it adds 1.451 cycles to the empty network, simulation (3 million messages) 1.472 +- 0.011.
 * The form was developed against simulations of 29 networks, their waits and holding times
 * (docs/theory/scouting.md); no constant was fitted.
 * Accuracy: docs/validation/scouting.md. Weakest: one dimension; the saturation load, and with it
 * what lies close to it, in small networks (5 % early on 4x4) and large ones (up to 18 % late on
 * 16x16 with V = 1); K = 0 near saturation (low); V >= 6, where 3 to 5 % of the max-min
 * fair pace is lost, which the model does not know (measured, docs/theory/scouting.md). */
#include "models/scouting/scouting_sharing.h"
#include "models/scouting/scouting_traits.h"

#include <math.h>
#include <string.h>
#include "models/scouting/scouting_models.h"
#include "models/scouting/scouting_paths.h"
#include "registry/parts.h"

static fc_status covers(const fc_scenario *scenario, fc_error *error) {
    const fc_torus *torus = scenario->parameters;
    const fc_status status = fc_scouting_model_covers(torus, "scouting-sharing", error);
    if (status != FC_OK)
        return status;
    double points = 1;
    for (size_t i = 0; i < torus->radix.count; ++i) {
        const int64_t half = torus->radix.values[i] / 2;
        points *= (double)half + 1;
    }
    if (points > FC_LATTICE_MAX)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "scouting-sharing takes at most %d combinations of hops, this network has "
                       "%.0f",
                       FC_LATTICE_MAX, points);
    return FC_OK;
}

/* Above this rate a channel would have to carry more than a flit a cycle. */
static double rate_limit(const fc_torus *torus) {
    const double nodes = (double)torus->nodes, flits = (double)torus->message_flits;
    double most = flits;
    for (size_t i = 0; i < torus->radix.count; ++i) {
        const double radix = (double)torus->radix.values[i];
        const double hops = floor(radix * radix / 4) / radix * nodes / (nodes - 1);
        most = fmax(most, hops / 2 * (flits + 1));
    }
    return 1 / most;
}

/* ---- saturation ---- */

/* Rates with a steady state (low) and without one (high), and the last two of the former with what
 * they add to the latency of the empty network: near a rate that is a hyperbola,
 * a rate / (most - rate), so that its inverse is linear in 1 / rate. */
typedef struct bracket {
    double low, high;
    double rates[2], added[2];
} bracket;

/* Where the hyperbola reaches the latency that counts as saturated; the middle without one. */
static double next_rate(const bracket *b, double limit, double precision) {
    const double middle = (b->low + b->high) / 2;
    if (!(b->rates[0] > 0) || !(b->added[1] > b->added[0]))
        return middle;
    const double slope = (1 / b->added[1] - 1 / b->added[0]) / (1 / b->rates[1] - 1 / b->rates[0]);
    const double ends = 1 / (1 / b->rates[1] + (1 / limit - 1 / b->added[1]) / slope);
    const double margin = 0.4 * precision;
    const double below = ends * (1 - margin), above = ends * (1 + margin);
    return below > b->low && below < b->high   ? below
           : above > b->low && above < b->high ? above
                                               : middle;
}

/* The highest rate with a steady state, up to `most`, to a share of it. */
static double find_saturation(double most, double precision, bool brief,
                              fc_scouting_solver *solver) {
    bracket b = {.high = most};
    for (int step = 0; b.high - b.low > precision * b.high; ++step) {
        fc_scouting_solution solution;
        /* guesses that go on may mislead for ever */
        const double rate = step % 3 == 2
                                ? (b.low + b.high) / 2
                                : next_rate(&b, fc_scouting_latency_limit(solver), precision);
        (brief ? fc_scouting_solve_briefly : fc_scouting_solve)(solver, rate, &solution);
        if (solution.saturated) {
            b.high = rate;
            continue;
        }
        b.low = rate;
        b.rates[0] = b.rates[1];
        b.added[0] = b.added[1];
        b.rates[1] = rate;
        b.added[1] = solution.network + solution.source_wait - solution.empty;
    }
    return b.low;
}

double fc_scouting_capacity(const fc_torus *torus) {
    return rate_limit(torus);
}

double fc_scouting_limit(fc_scouting_solver *solver, double most, double precision) {
    return find_saturation(most, precision, true, solver);
}

static void report_solution(const fc_torus *torus, const fc_scouting_solution *solution,
                            fc_result *result) {
    const double network = solution->network;
    const double none = (double)NAN;
    fc_result_add(result, FC_METRIC_LATENCY, network + solution->source_wait, none);
    fc_result_add(result, FC_METRIC_NETWORK_LATENCY, network, none);
    fc_result_add(result, FC_METRIC_SOURCE_WAIT, solution->source_wait, none);
    fc_result_add(result, FC_METRIC_THROUGHPUT, torus->rate, none);
    fc_result_add(result, FC_METRIC_OFFERED, torus->rate, none);
    fc_result_add_part(result, FC_PART_EMPTY, "cycles", solution->empty);
    fc_result_add_part(result, "shared links", "cycles", solution->sharing);
    fc_result_add_part(result, FC_PART_PATH_WAIT, "cycles", solution->path_wait);
    fc_result_add_part(result, "links entered in vain", "cycles", solution->astray);
    fc_result_add_part(result, "wait for ejection", "cycles", solution->ejection_wait);
    fc_result_add_part(result, FC_PART_WAIT_AT_SOURCE, "cycles", solution->source_wait);
    static const char *const columns[] = {"utilisation", "held", "full"};
    const double flits = (double)torus->message_flits;
    const size_t links = torus->radix.count;
    fc_table *table = fc_result_add_table(result, "channels", links + 2, columns, 3);
    if (!table)
        return;
    for (size_t i = 0; i < links; ++i) {
        snprintf(table->row_labels[i], FC_NAME_SIZE, "dimension %zu", i);
        table->values[3 * i] = solution->load[i];
        table->values[3 * i + 1] = solution->held[i];
        table->values[3 * i + 2] = solution->full[i];
    }
    for (size_t i = links; i < links + 2; ++i) {
        snprintf(table->row_labels[i], FC_NAME_SIZE, i == links ? "injection" : "ejection");
        table->values[3 * i] = torus->rate * flits;
        table->values[3 * i + 1] = table->values[3 * i + 2] = none;
    }
}

/* Where not to trust the model. Near saturation a latency is no better known than the saturation
 * load; only where a good part of it is the wait at the source can it be that steep. */
static void add_warning(const fc_torus *torus, fc_scouting_solver *solver,
                        const fc_scouting_solution *solution, fc_result *result) {
    if (torus->radix.count == 1) {
        fc_result_note(result,
                       "a rough guide in one dimension: 3 %% off at half of the load that a "
                       "ring of 8 to 16 nodes can carry, 11 %% too low at 80 %% of it, and "
                       "the model's saturation load is far too high for long rings");
        return;
    }
    if (solution->source_wait < solution->empty / 2)
        return;
    const double percent = 3; /* mean error of the saturation load up to 10x10 */
    fc_scouting_solution beyond;
    fc_scouting_solve(solver, torus->rate * (1 + percent / 100), &beyond);
    const double now = solution->network + solution->source_wait;
    const double more = beyond.network + beyond.source_wait - now;
    if (beyond.saturated)
        fc_result_note(result,
                       "close to saturation: the model has no steady state with %.0f %% more load, "
                       "and knows the saturation load no better",
                       percent);
    else if (more > now / 4)
        fc_result_note(result,
                       "close to saturation: %.0f %% more load makes the latency %.0f %% longer, "
                       "and the model knows the saturation load no better",
                       percent, 100 * more / now);
}

static double limit_of(const fc_torus *torus, fc_scouting_solver *solver) {
    return find_saturation(rate_limit(torus), 1e-5, false, solver);
}

static fc_status solve(const fc_scenario *scenario, void *prepared, fc_error *error,
                       fc_result *result) {
    const fc_torus *torus = scenario->parameters;
    fc_scouting_solver *solver;
    (void)prepared;
    const fc_status status = fc_scouting_solver_create(torus, error, &solver);
    if (status != FC_OK)
        return status;
    fc_scouting_solution solution;
    fc_scouting_solve(solver, torus->rate, &solution);
    result->run.iterations = solution.iterations;
    result->run.residual = solution.residual;
    if (solution.saturated) {
        const double limit = limit_of(torus, solver);
        result->outcome = FC_OUTCOME_SATURATED;
        fc_result_note(result, "no steady state at %.4g; the model saturates at %.4g", torus->rate,
                       limit);
        fc_result_add(result, FC_METRIC_THROUGHPUT, limit, (double)NAN);
        fc_result_add(result, FC_METRIC_OFFERED, torus->rate, (double)NAN);
    } else {
        report_solution(torus, &solution, result);
        add_warning(torus, solver, &solution, result);
    }
    fc_scouting_solver_free(solver);
    return fc_result_status(result);
}

static fc_status saturation(const fc_scenario *scenario, void *prepared, fc_error *error,
                            double *load) {
    const fc_torus *torus = scenario->parameters;
    fc_scouting_solver *solver;
    (void)prepared;
    const fc_status status = fc_scouting_solver_create(torus, error, &solver);
    if (status != FC_OK)
        return status;
    *load = limit_of(torus, solver);
    fc_scouting_solver_free(solver);
    return FC_OK;
}

static fc_status traits_of(const fc_scenario *scenario, void *prepared, const fc_result *solved,
                           fc_error *error, fc_traits **traits) {
    fc_scouting_solver *solver;
    (void)prepared;
    (void)solved;
    fc_status status = fc_scouting_solver_create(scenario->parameters, error, &solver);
    if (status != FC_OK)
        return status;
    status = fc_scouting_traits(scenario, solver, error, traits);
    fc_scouting_solver_free(solver);
    return status;
}

static const fc_correction correction = {.weights = "data/scouting.weights",
                                         .names = &fc_scouting_trait_names,
                                         .revision = FC_SCOUTING_TRAITS_REVISION,
                                         .traits = traits_of,
                                         .empty = {FC_PART_EMPTY}};

const fc_model fc_model_scouting_sharing = {
    .info =
        {
            .name = "scouting-sharing",
            .kind = FC_MODEL,
            .family = "torus",
            .title = "scouting switching by shared channels and searched paths",
            .source = "ours",
            .validity = "bidirectional tori, any radices and dimensions, uniform open traffic, any "
                        "V, M, K; rough in one dimension",
            .revision = 1,
        },
    .suits = fc_scouting_model_suits,
    .covers = covers,
    .solve = solve,
    .saturation = saturation,
    .correction = &correction,
};
