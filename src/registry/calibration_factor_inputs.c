/* What a calibration by factors is asked with. */
#include <math.h>
#include <string.h>
#include "registry/calibration_factors.h"
#include "registry/calibration_inputs.h"
#include "registry/features.h"
#include "registry/parts.h"
#include "scenario/multistage.h"
#include "scenario/torus.h"

/* Of a column of a table. */
typedef struct column_sums {
    double most, mean, root_square;
} column_sums;

static column_sums sums_of(const fc_table *table, size_t column) {
    column_sums sums = {0};
    if (!table || column >= table->columns || table->rows == 0)
        return sums;
    for (size_t row = 0; row < table->rows; ++row) {
        const double value = table->values[row * table->columns + column];
        sums.most = fmax(sums.most, value);
        sums.mean += value / (double)table->rows;
        sums.root_square += value * value / (double)table->rows;
    }
    sums.root_square = sqrt(sums.root_square);
    return sums;
}

/* ---- closed traffic ---- */

/* Means over requests, and of their lengths the coefficients of variation. */
typedef struct request_means {
    double flits, reply_flits, reply, busy, variation, reply_variation;
} request_means;

static request_means means_of(const fc_requests *requests) {
    request_means means = {0};
    double square = 0, reply_square = 0;
    for (size_t j = 0; j < requests->count; ++j) {
        const fc_request_type *type = &requests->types[j];
        const double flits = (double)type->flits, reply_flits = (double)type->reply_flits;
        means.flits += type->share * flits;
        means.reply_flits += type->share * reply_flits;
        means.reply += type->share * type->memory_reply;
        means.busy += type->share * type->memory_busy;
        square += type->share * flits * flits;
        reply_square += type->share * reply_flits * reply_flits;
    }
    means.variation = sqrt(fmax(0, square / (means.flits * means.flits) - 1));
    means.reply_variation =
        sqrt(fmax(0, reply_square / (means.reply_flits * means.reply_flits) - 1));
    return means;
}

typedef struct torus_shape {
    double hops, shortest, longest, dimensions;
} torus_shape;

static torus_shape shape_of(const fc_torus *torus) {
    torus_shape shape = {.shortest = INFINITY, .longest = 1};
    for (size_t d = 0; d < torus->radix.count; ++d) {
        const double radix = (double)torus->radix.values[d];
        shape.hops += fc_calibration_hops(torus, torus->radix.values[d]);
        shape.shortest = radix > 1 ? fmin(shape.shortest, radix) : shape.shortest;
        shape.longest = fmax(shape.longest, radix);
        shape.dimensions += radix > 1;
    }
    return shape;
}

/* Times in units of a message's length; the small numbers keep logarithms finite. */
static bool read_closed(const fc_scenario *scenario, const fc_result *result, double *values) {
    static const double least_excess = 1e-4;
    const fc_torus *torus = scenario->parameters;
    const fc_cycle cycle = fc_cycle_of(scenario, result);
    const double excess = cycle.network - cycle.empty, most = fc_cycle_most(&cycle);
    const double round_trip = fc_result_value(result, FC_METRIC_ROUND_TRIP);
    if (!(excess > least_excess * cycle.empty) || !(round_trip > 0))
        return false;
    const request_means means = means_of(&torus->requests);
    const torus_shape shape = shape_of(torus);
    const fc_table *channels = fc_result_table(result, "channels"),
                   *nodes = fc_result_table(result, "nodes");
    const column_sums use = sums_of(channels, 0), wait = sums_of(channels, 1),
                      link = sums_of(nodes, 1), network = sums_of(nodes, 2);
    const double length = 0.5 * (means.flits + means.reply_flits), count = (double)torus->nodes;
    const double rate = fc_result_value(result, FC_METRIC_THROUGHPUT);
    const double hot = torus->destinations.pattern == FC_HOT_SPOT ? torus->destinations.share : 0;
    const double near =
        torus->destinations.pattern == FC_NEAR_NEIGHBOUR ? torus->destinations.share : 0;
    const double at_hot = count * hot + 1 - hot; /* requests of a node, over those of all */
    const double reached = fmin(1 - 1e-9, cycle.efficiency / most);
    const double lowest = fc_result_value(result, FC_METRIC_EFFICIENCY_MIN),
                 highest = fc_result_value(result, FC_METRIC_EFFICIENCY_MAX);
    const double inputs[] = {
        log(cycle.network / cycle.empty),
        log(cycle.efficiency),
        fmin(8, log(reached / (1 - reached))),
        cycle.outstanding * cycle.think / (cycle.think + cycle.reply + cycle.empty),
        fc_calibration_part(result, FC_PART_NODE_LINK) / excess,
        fc_calibration_part(result, FC_PART_MEMORY_WAIT) / round_trip,
        fc_calibration_part(result, FC_PART_PROCESSOR_WAIT) / round_trip,
        use.most,
        use.mean / use.most,
        use.root_square / use.most,
        log(wait.most / length + 0.01),
        log(wait.mean / length + 0.001),
        log(rate * means.busy),
        log(rate * means.busy * at_hot),
        log(rate * 2 * length),
        fmin(5, log((link.most + 1e-9) / (link.mean + 1e-9))),
        log(link.mean / length + 0.001),
        log(network.most / network.mean),
        log(lowest / highest),
        log(cycle.outstanding),
        log(cycle.think),
        log(means.flits),
        log(means.reply_flits),
        means.variation,
        means.reply_variation,
        log(means.busy / length),
        log(means.reply / length),
        torus->topology == FC_MESH,
        torus->topology != FC_MESH && torus->links == FC_UNIDIRECTIONAL,
        torus->node_links == FC_LINK_PER_CHANNEL,
        log(shape.hops),
        log(shape.shortest),
        log(shape.longest),
        shape.dimensions,
        log(count),
        log(at_hot),
        near,
        hot > 0,
        log(fc_calibration_part(result, FC_PART_SHARING) / shape.hops / length + 0.001),
        result->note[0] != '\0', /* the equations do not settle for all requests */
    };
    memcpy(values, inputs, sizeof inputs);
    return true;
}
enum { CLOSED_INPUTS = 40, UNEVEN = 18, UNSETTLED = 39 };

/* A slow processor has the same share in all mean times as a fast one, but its requests take longer
 * than a simulation lasts. */
bool fc_factor_doubts(const double *values) {
    static const double most_uneven = 20; /* times as often */
    return values[UNEVEN] < -log(most_uneven) || values[UNSETTLED] > 0;
}

/* ---- multistage networks ---- */

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

static bool read_multistage(const fc_scenario *scenario, const fc_result *result, double *values) {
    static const double least_excess = 1e-4;
    static const double longest = 64; /* places that count */
    const fc_multistage *network = scenario->parameters;
    const fc_table *stages = fc_result_table(result, "channels");
    const double service = fc_calibration_part(result, FC_PART_SERVICE), d = network->service;
    const double latency = fc_result_value(result, FC_METRIC_LATENCY), excess = latency - service;
    if (is_exact(network) || !(excess > least_excess * service) || !stages || stages->columns < 4)
        return false;
    const bool hot = network->hot.share > 0, infinite = network->buffer == FC_INFINITE,
               limited = network->outstanding != FC_INFINITE;
    const column_sums use = sums_of(stages, 0), wait = sums_of(stages, 1),
                      blocking = sums_of(stages, 2), held = sums_of(stages, 3);
    const stage_row first = row_of(stages, 0),
                    second = stages->rows > 1 ? row_of(stages, 1) : (stage_row){0},
                    last = row_of(stages, stages->rows - (hot && stages->rows > 1 ? 2 : 1));
    const double rate = fc_result_value(result, FC_METRIC_THROUGHPUT);
    const double limit = (double)network->outstanding, places = (double)network->buffer;
    const double inputs[] = {
        log(latency / service),
        log(excess / service + 1e-4),
        fc_calibration_part(result, FC_PART_HELD) / excess,
        network->rate / fc_features_of(scenario)->capacity(scenario),
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
        log((double)network->switch_size),
        (double)network->stages,
        log(infinite ? longest : fmin(places, longest)),
        infinite,
        1 / d,
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
    memcpy(values, inputs, sizeof inputs);
    return true;
}
enum { MULTISTAGE_INPUTS = 35 };

/* ---- */

typedef struct factor_model {
    const char *name;
    size_t inputs;
    bool (*read)(const fc_scenario *scenario, const fc_result *result, double *values);
} factor_model;

static const factor_model models[] = {
    {"closed-refined", CLOSED_INPUTS, read_closed},
    {"multistage-backpressure", MULTISTAGE_INPUTS, read_multistage},
};
_Static_assert((int)CLOSED_INPUTS < (int)FC_FACTOR_INPUTS &&
                   (int)MULTISTAGE_INPUTS < (int)FC_FACTOR_INPUTS,
               "one more: t");

static const factor_model *find_model(const char *name) {
    for (size_t i = 0; i < sizeof models / sizeof *models; ++i)
        if (strcmp(models[i].name, name) == 0)
            return &models[i];
    return NULL;
}

size_t fc_factor_inputs(const char *model) {
    const factor_model *found = find_model(model);
    return found ? found->inputs : 0;
}

bool fc_factor_read(const fc_scenario *scenario, const fc_result *result, double *values) {
    const factor_model *model = find_model(result->method);
    if (!model || result->outcome != FC_OUTCOME_OK || !model->read(scenario, result, values))
        return false;
    bool finite = true;
    for (size_t i = 0; i < model->inputs; ++i)
        finite &= isfinite(values[i]) != 0;
    return finite;
}
