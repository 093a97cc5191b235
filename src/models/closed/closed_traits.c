/* Traits of closed traffic: what the network is like, and what closed-refined says of it. */
#include "models/closed/closed_traits.h"

#include <math.h>
#include <string.h>
#include "models/closed/closed_hot.h"
#include "registry/parts.h"
#include "registry/result.h"
#include "scenario/torus.h"

enum { INPUTS = 49 };
static const char *const whole_names[] = {"log network over empty",
                                          "log efficiency",
                                          "logit efficiency over most",
                                          "reach",
                                          "node link share",
                                          "memory wait share",
                                          "processor wait share",
                                          "most use",
                                          "mean use",
                                          "root square use",
                                          "log most wait",
                                          "log mean wait",
                                          "log memory use",
                                          "log hot memory use",
                                          "log flits",
                                          "log spread of node waits",
                                          "log node wait",
                                          "log spread of network times",
                                          "log spread of efficiencies",
                                          "log requests",
                                          "log think",
                                          "log request length",
                                          "log reply length",
                                          "variation of requests",
                                          "variation of replies",
                                          "log memory busy",
                                          "log memory reply",
                                          "mesh",
                                          "unidirectional",
                                          "links per channel",
                                          "log hops",
                                          "log shortest",
                                          "log longest",
                                          "dimensions",
                                          "log nodes",
                                          "log requests of hot node",
                                          "near",
                                          "hot",
                                          "log sharing a hop",
                                          "unsettled",
                                          "log hot over cold",
                                          "share to hot node",
                                          "log flits into hot node",
                                          "log flits into hot node without waits",
                                          "log wait of hot node",
                                          "log hops to hot node over mean",
                                          "log last radix",
                                          "memory wait of hot response",
                                          "log flits waiting for hot node",
                                          NULL};
_Static_assert(sizeof whole_names == (INPUTS + 1) * sizeof *whole_names, "a name each");
static const char *const none[] = {NULL};
const fc_trait_names fc_closed_trait_names = {whole_names, none, none};

static double length_of(const fc_request_means *means) {
    return 0.5 * (means->flits + means->reply_flits);
}

/* Along a dimension, under uniform traffic. */
static double mean_hops(const fc_torus *torus, int64_t radix) {
    const double k = (double)radix;
    return torus->topology == FC_MESH          ? (k * k - 1) / (3 * k)
           : torus->links == FC_UNIDIRECTIONAL ? (k - 1) / 2
           : radix % 2 == 0                    ? k / 4
                                               : (k * k - 1) / (4 * k);
}

typedef struct torus_shape {
    double hops, hot_hops, shortest, longest, last, dimensions;
} torus_shape;

/* Mean along a dimension, from a node whose digit is at. */
static double hops_from(const fc_torus *torus, int64_t radix, int64_t at) {
    const double k = (double)radix, below = (double)at, above = k - 1 - below;
    return torus->topology == FC_MESH ? (below * (below + 1) + above * (above + 1)) / (2 * k)
                                      : mean_hops(torus, radix);
}

static torus_shape shape_of(const fc_torus *torus) {
    torus_shape shape = {.shortest = INFINITY, .longest = 1};
    int64_t rest = torus->hot_node;
    for (size_t d = 0; d < torus->radix.count; ++d) {
        const double radix = (double)torus->radix.values[d];
        shape.hops += mean_hops(torus, torus->radix.values[d]);
        shape.hot_hops += hops_from(torus, torus->radix.values[d], rest % torus->radix.values[d]);
        rest /= torus->radix.values[d];
        shape.shortest = radix > 1 ? fmin(shape.shortest, radix) : shape.shortest;
        shape.longest = fmax(shape.longest, radix);
        shape.dimensions += radix > 1;
    }
    const size_t last = torus->order == FC_DESCENDING ? 0 : torus->radix.count - 1;
    shape.last = (double)torus->radix.values[last];
    return shape;
}

/* The model's equations are off by more than they can be solved for: they do not settle for all
 * requests. */
static bool is_unsettled(const fc_result *result) {
    static const double exact = 1e-6;
    return result->run.residual > exact * fc_result_value(result, FC_METRIC_ROUND_TRIP);
}

/* Of the inputs: the first, of the model's answer; the last, of hot nodes; and those before. */
enum { ANSWER = 19, HOT = 9, LAST = 2 };

/* Times in units of a message's length; the small numbers keep logarithms finite. */
static void read_answer(const fc_closed_cycle *cycle, const fc_result *result,
                        const fc_request_means *means, const fc_closed_hot *hot, double *x) {
    const double excess = cycle->network - cycle->empty;
    const double round_trip = fc_result_value(result, FC_METRIC_ROUND_TRIP);
    const fc_table *channels = fc_result_table(result, "channels"),
                   *nodes = fc_result_table(result, "nodes");
    const fc_column_sums use = fc_table_sums(channels, 0), wait = fc_table_sums(channels, 1),
                         link = fc_table_sums(nodes, 1), network = fc_table_sums(nodes, 2);
    const double length = length_of(means), rate = fc_result_value(result, FC_METRIC_THROUGHPUT);
    const double reached = fmin(1 - 1e-9, cycle->efficiency / fc_closed_cycle_most(cycle));
    const double lowest = fc_result_value(result, FC_METRIC_EFFICIENCY_MIN),
                 highest = fc_result_value(result, FC_METRIC_EFFICIENCY_MAX);
    const double values[ANSWER] = {
        log(cycle->network / cycle->empty),
        log(cycle->efficiency),
        fmin(8, log(reached / (1 - reached))),
        cycle->outstanding * cycle->think / (cycle->think + cycle->reply + cycle->empty),
        fc_result_part_value(result, FC_PART_NODE_LINK) / excess,
        fc_result_part_value(result, FC_PART_MEMORY_WAIT) / round_trip,
        fc_result_part_value(result, FC_PART_PROCESSOR_WAIT) / round_trip,
        use.most,
        use.mean / use.most,
        use.root_square / use.most,
        log(wait.most / length + 0.01),
        log(wait.mean / length + 0.001),
        log(rate * means->busy),
        log(rate * means->busy * hot->requests),
        log(rate * 2 * length),
        fmin(5, log((link.most + 1e-9) / (link.mean + 1e-9))),
        log(link.mean / length + 0.001),
        log(network.most / network.mean),
        log(lowest / highest),
    };
    memcpy(x, values, sizeof values);
}

static void read_network(const fc_torus *torus, const fc_closed_cycle *cycle,
                         const fc_request_means *means, const fc_closed_hot *hot, double *x) {
    const torus_shape shape = shape_of(torus);
    const double length = length_of(means);
    const bool near = torus->destinations.pattern == FC_NEAR_NEIGHBOUR;
    const double values[INPUTS - ANSWER - LAST - HOT] = {
        log(cycle->outstanding),
        log(cycle->think),
        log(means->flits),
        log(means->reply_flits),
        means->variation,
        means->reply_variation,
        log(means->busy / length),
        log(means->reply / length),
        torus->topology == FC_MESH,
        torus->topology != FC_MESH && torus->links == FC_UNIDIRECTIONAL,
        torus->node_links == FC_LINK_PER_CHANNEL,
        log(shape.hops),
        log(shape.shortest),
        log(shape.longest),
        shape.dimensions,
        log((double)torus->nodes),
        log(hot->requests),
        near ? torus->destinations.share : 0,
        hot->share > 0,
    };
    memcpy(x, values, sizeof values);
}

static void read_hot(const fc_torus *torus, const fc_result *result, const fc_request_means *means,
                     const fc_closed_hot *hot, double *x) {
    const torus_shape shape = shape_of(torus);
    const double length = length_of(means), rate = fc_result_value(result, FC_METRIC_THROUGHPUT);
    /* nearly all of the waiting for memories is at that of the hot node */
    const double share = hot->share > 0 ? hot->share : 1;
    const double at_memory =
        fmin(0.99 * hot->response, fc_result_part_value(result, FC_PART_MEMORY_WAIT) / share);
    const double values[HOT] = {
        hot->log_ratio,
        hot->share,
        log(hot->use),
        log(hot->use_without_wait),
        log(hot->wait / length + 0.001),
        hot->share > 0 ? log(shape.hot_hops / shape.hops) : 0,
        log(shape.last),
        at_memory / hot->response,
        log(rate * hot->requests * (hot->response - at_memory) * length + 0.001),
    };
    memcpy(x, values, sizeof values);
}

/* In the order of whole_names. False: there is hardly anything to correct. */
static bool read_whole(const fc_scenario *scenario, const fc_result *result, double *x) {
    static const double least_excess = 1e-4;
    const fc_torus *torus = scenario->parameters;
    const fc_closed_cycle cycle = fc_closed_cycle_of(scenario, result);
    if (!(cycle.network - cycle.empty > least_excess * cycle.empty) ||
        !(fc_result_value(result, FC_METRIC_ROUND_TRIP) > 0))
        return false;
    const fc_request_means means = fc_request_means_of(&torus->requests);
    const fc_closed_hot hot = fc_closed_hot_of(scenario, result);
    read_answer(&cycle, result, &means, &hot, x);
    read_network(torus, &cycle, &means, &hot, x + ANSWER);
    double *last = x + INPUTS - HOT - LAST;
    last[0] = log(fc_result_part_value(result, FC_PART_SHARING) / shape_of(torus).hops /
                      length_of(&means) +
                  0.001);
    last[1] = is_unsettled(result);
    read_hot(torus, result, &means, &hot, x + INPUTS - HOT);
    return fc_all_finite(x, INPUTS);
}

fc_status fc_closed_traits(const fc_scenario *scenario, const fc_result *result, fc_error *error,
                           fc_traits **traits) {
    double whole[INPUTS];
    fc_traits *made;
    *traits = NULL;
    const fc_torus *torus = scenario->parameters;
    if (torus->processors != FC_PROCESSOR_SINGLE) /* never drawn */
        return FC_OK;
    if (result->outcome != FC_OUTCOME_OK || !read_whole(scenario, result, whole))
        return FC_OK;
    const fc_status status = fc_traits_of_whole(&fc_closed_trait_names, whole, 0, error, &made);
    if (status != FC_OK)
        return status;
    made->empty[FC_MEAN] = fc_result_part_value(result, FC_PART_ALONE);
    *traits = made;
    return FC_OK;
}
