/* Traits of multistage networks: what the network is like, and what multistage-backpressure says of
 * it at the load. */
#include "models/multistage/multistage_traits.h"

#include <math.h>
#include <string.h>
#include "registry/parts.h"
#include "registry/result.h"
#include "scenario/multistage.h"

enum { INPUTS = 35 };
static const char *const whole_names[] = {"log latency over empty",
                                          "log excess over empty",
                                          "held share",
                                          "rate over capacity",
                                          "load",
                                          "root loss",
                                          "most use",
                                          "mean use",
                                          "root square use",
                                          "log most wait",
                                          "log mean wait",
                                          "root most blocking",
                                          "root mean blocking",
                                          "log most held",
                                          "log mean held",
                                          "first: use",
                                          "first: log wait",
                                          "first: log held",
                                          "second: use",
                                          "second: log wait",
                                          "last: use",
                                          "last: log wait",
                                          "last: root blocking",
                                          "log switch",
                                          "stages",
                                          "log places",
                                          "infinite",
                                          "one over service",
                                          "contention",
                                          "root hot share",
                                          "log hot",
                                          "outstanding used",
                                          "one over root outstanding",
                                          "log ports",
                                          "log hot over cold",
                                          NULL};
_Static_assert(sizeof whole_names == (INPUTS + 1) * sizeof *whole_names, "a name each");
static const char *const none[] = {NULL};
const fc_trait_names fc_multistage_trait_names = {whole_names, none, none};

/* One stage without contention is a single queue. A source with one packet at a time goes round:
 * its rate is tied to the latency. */
static bool is_exact(const fc_multistage *network) {
    return network->outstanding == 1 ||
           (network->stages == 1 && network->contention == FC_CONTENTION_NONE &&
            network->outstanding == FC_INFINITE);
}

/* A row of the table of stages: its utilisation, wait, blocking and held time. */
typedef struct stage_row {
    double utilisation, wait, blocking, held;
} stage_row;

static stage_row row_of(const fc_table *table, size_t row) {
    const double *values = &table->values[row * table->columns];
    return (stage_row){values[0], values[1], values[2], values[3]};
}

/* The rate at which the last links to the hot memory are full; any link without one. */
static double capacity_of(const fc_multistage *network) {
    const double share = network->hot.share;
    const double sources = (double)network->ports / (double)network->switch_size;
    return 1 / (network->service * (1 - share + share * sources));
}

enum { NETWORK = 12 }; /* of the inputs, the last: what the network is like, and its outstanding */

static void read_network(const fc_multistage *network, const fc_result *result, double *x) {
    static const double longest = 64; /* places that count */
    const bool hot = network->hot.share > 0, infinite = network->buffer == FC_INFINITE,
               limited = network->outstanding != FC_INFINITE;
    const double rate = fc_result_value(result, FC_METRIC_THROUGHPUT);
    const double latency = fc_result_value(result, FC_METRIC_LATENCY);
    const double limit = (double)network->outstanding, places = (double)network->buffer;
    const double values[NETWORK] = {
        log((double)network->switch_size),
        (double)network->stages,
        log(infinite ? longest : fmin(places, longest)),
        infinite,
        1 / network->service,
        network->contention == FC_CONTENTION_OUTPUT_PORT,
        sqrt(network->hot.share),
        log(1 + network->hot.share * ((double)network->ports - 1)),
        limited ? rate * latency / limit : 0,
        limited ? 1 / sqrt(limit) : 0,
        log((double)network->ports),
        hot ? log(fc_result_value(result, FC_METRIC_LATENCY_HOT) /
                  fc_result_value(result, FC_METRIC_LATENCY_COLD))
            : 0,
    };
    memcpy(x, values, sizeof values);
}

/* In the order of whole_names. False: the model is exact. */
static bool read_whole(const fc_multistage *network, const fc_result *result, double *x) {
    static const double least_excess = 1e-4;
    const fc_table *stages = fc_result_table(result, "channels");
    const double service = fc_result_part_value(result, FC_PART_SERVICE), d = network->service;
    const double latency = fc_result_value(result, FC_METRIC_LATENCY), excess = latency - service;
    if (is_exact(network) || !(excess > least_excess * service) || !stages || stages->columns < 4)
        return false;
    const bool hot = network->hot.share > 0;
    const fc_column_sums use = fc_table_sums(stages, 0), wait = fc_table_sums(stages, 1),
                         blocking = fc_table_sums(stages, 2), held = fc_table_sums(stages, 3);
    const stage_row first = row_of(stages, 0),
                    second = stages->rows > 1 ? row_of(stages, 1) : (stage_row){0},
                    last = row_of(stages, stages->rows - (hot && stages->rows > 1 ? 2 : 1));
    const double rate = fc_result_value(result, FC_METRIC_THROUGHPUT);
    const double answer[INPUTS - NETWORK] = {
        log(latency / service),
        log(excess / service + 1e-4),
        fc_result_part_value(result, FC_PART_HELD) / excess,
        network->rate / capacity_of(network),
        rate * d,
        sqrt(fc_result_value(result, FC_METRIC_LOSS)),
        use.most,
        use.mean,
        use.root_square,
        log(wait.most / d + 0.01),
        log(wait.mean / d + 0.01),
        sqrt(blocking.most),
        sqrt(blocking.mean),
        log(held.most / d + 0.01),
        log(held.mean / d + 0.01),
        first.utilisation,
        log(first.wait / d + 0.01),
        log(first.held / d + 0.01),
        second.utilisation,
        log(second.wait / d + 0.01),
        last.utilisation,
        log(last.wait / d + 0.01),
        sqrt(last.blocking),
    };
    memcpy(x, answer, sizeof answer);
    read_network(network, result, x + INPUTS - NETWORK);
    return fc_all_finite(x, INPUTS);
}

fc_status fc_multistage_traits(const fc_scenario *scenario, const fc_result *result,
                               fc_error *error, fc_traits **traits) {
    const fc_multistage *network = scenario->parameters;
    double whole[INPUTS];
    fc_traits *made;
    *traits = NULL;
    if (result->outcome != FC_OUTCOME_OK || !read_whole(network, result, whole))
        return FC_OK;
    const fc_status status =
        fc_traits_of_whole(&fc_multistage_trait_names, whole, capacity_of(network), error, &made);
    if (status != FC_OK)
        return status;
    made->empty[FC_MEAN] = fc_result_part_value(result, FC_PART_SERVICE);
    *traits = made;
    return FC_OK;
}
