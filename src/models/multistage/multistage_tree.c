#include "models/multistage/multistage_tree.h"

#include <math.h>
#include "registry/parts.h"
#include "scenario/scenario.h"

double fc_tree_share(const fc_multistage *network, int64_t stage, bool tree) {
    const double hot = network->hot.share;
    if (!tree)
        return 1.0 - hot;
    return stage == 1 ? 1.0
                      : 1.0 - hot + hot * pow((double)network->switch_size, (double)(stage - 1));
}

double fc_tree_group_size(const fc_multistage *network, int64_t group) {
    const double a = (double)network->switch_size;
    return group == 0 ? 1.0 : (a - 1.0) * pow(a, (double)(group - 1));
}

/* Without contention the last tree buffers are the busiest, with it the line into the memory. */
double fc_tree_capacity(const fc_multistage *network) {
    const bool lines = network->contention == FC_CONTENTION_OUTPUT_PORT;
    const int64_t last = network->stages + (lines ? 1 : 0);
    return 1.0 / (network->service * fmax(1.0, fc_tree_share(network, last, true)));
}

/* Packets delivered per node and cycle if buffers are infinite: every stage of the tree passes on
 * what it can serve, in the proportions in which it came. */
static double overloaded_throughput(const fc_multistage *network) {
    const double most = 1.0 / network->service;
    double rate = network->rate, lost = 0.0, buffers = 1.0; /* buffers: of the stage, over N */
    for (int64_t i = 1; i <= network->stages; ++i) {
        if (i > 1) {
            rate *= fc_tree_share(network, i, true) / fc_tree_share(network, i - 1, true);
            buffers /= network->hot.share > 0.0 ? (double)network->switch_size : 1.0;
        }
        if (rate > most) {
            lost += buffers * (rate - most);
            rate = most;
        }
    }
    return network->rate - lost;
}

void fc_multistage_sum_paths(const fc_multistage *network, fc_multistage_solution *solution) {
    const int64_t stages = network->stages;
    const double hot = network->hot.share;
    double cold = 0.0, memories = 0.0;
    for (int64_t group = 0; group <= stages; ++group) {
        const int64_t on_tree = group == 0 ? stages : stages - group + 1;
        double latency = group == 0 ? solution->exit_hot : solution->exit_cold;
        for (int64_t i = 1; i <= stages; ++i)
            latency += i <= on_tree ? solution->tree[i].path : solution->off[i].path;
        const double size = fc_tree_group_size(network, group);
        solution->groups[group] = latency;
        cold += size * latency;
        memories += size;
        if (!(hot > 0.0))
            break;
    }
    solution->latency_hot = solution->groups[0];
    solution->latency_cold = cold / memories;
    solution->latency = hot * solution->latency_hot + (1.0 - hot) * solution->latency_cold;
}

static void add_row(fc_table *table, size_t row, const char *label, int64_t stage,
                    const fc_stage_solution *solution) {
    double *values = &table->values[row * table->columns];
    snprintf(table->row_labels[row], FC_NAME_SIZE, "stage %lld%s", (long long)stage, label);
    values[0] = solution->utilisation;
    values[1] = solution->wait;
    values[2] = solution->blocking;
    if (table->columns > 3)
        values[3] = solution->held;
}

static void add_channels(const fc_multistage *network, const fc_multistage_solution *solution,
                         fc_result *result) {
    static const char *const columns[] = {"utilisation", "wait", "blocking", "held"};
    const bool hot = network->hot.share > 0.0;
    const size_t stages = (size_t)network->stages;
    fc_table *table = fc_result_add_table(result, "channels", hot ? 2 * stages - 1 : stages,
                                          columns, solution->has_held ? 4 : 3);
    if (!table)
        return;
    size_t row = 0;
    for (int64_t i = 1; i <= network->stages; ++i) {
        add_row(table, row++, hot ? ", hot tree" : "", i, &solution->tree[i]);
        if (hot && i > 1)
            add_row(table, row++, ", off the tree", i, &solution->off[i]);
    }
}

static void add_groups(const fc_multistage *network, const fc_multistage_solution *solution,
                       fc_result *result) {
    static const char *const columns[] = {"memories", "latency"};
    fc_table *table =
        fc_result_add_table(result, "groups", (size_t)network->stages + 1, columns, 2);
    if (!table)
        return;
    for (int64_t group = 0; group <= network->stages; ++group) {
        if (group == 0)
            snprintf(table->row_labels[0], FC_NAME_SIZE, "hot memory");
        else
            snprintf(table->row_labels[group], FC_NAME_SIZE, "cold group %lld", (long long)group);
        table->values[2 * group] = fc_tree_group_size(network, group);
        table->values[2 * group + 1] = solution->groups[group];
    }
}

/* Waiting and holding, each weighted as the traffic meets it. */
static void add_parts(const fc_multistage *network, const fc_multistage_solution *solution,
                      fc_result *result) {
    const double service = (double)network->stages * network->service;
    double held = 0.0;
    for (int64_t i = 1; i <= network->stages && solution->has_held; ++i) {
        /* Of all packets, those in stage i on the tree: N / a^(i-1) buffers, f_i each. */
        const double buffers =
            network->hot.share > 0.0 ? pow((double)network->switch_size, (double)(1 - i)) : 1.0;
        const double on_tree = buffers * fc_tree_share(network, i, true);
        held += on_tree * solution->tree[i].held + (1.0 - on_tree) * solution->off[i].held;
    }
    fc_result_add_part(result, FC_PART_SERVICE, "cycles", service);
    if (solution->has_held)
        fc_result_add_part(result, FC_PART_HELD, "cycles", held);
    fc_result_add_part(result, FC_PART_BUFFERS, "cycles", solution->latency - service - held);
}

void fc_multistage_fill(const fc_multistage *network, const fc_multistage_solution *solution,
                        fc_result *result) {
    fc_result_add(result, FC_METRIC_LATENCY, solution->latency, NAN);
    if (network->hot.share > 0.0) {
        fc_result_add(result, FC_METRIC_LATENCY_HOT, solution->latency_hot, NAN);
        fc_result_add(result, FC_METRIC_LATENCY_COLD, solution->latency_cold, NAN);
    }
    fc_result_add(result, FC_METRIC_THROUGHPUT, solution->throughput, NAN);
    fc_result_add(result, FC_METRIC_OFFERED, solution->offered, NAN);
    fc_result_add(result, FC_METRIC_LOSS, solution->loss, NAN);
    fc_result_add(result, FC_METRIC_POWER,
                  (double)network->ports * solution->throughput / solution->latency, NAN);
    if (network->buffer != FC_INFINITE)
        fc_result_add(result, FC_METRIC_BUFFER_SPACE,
                      (double)network->ports * (double)network->stages * (double)network->buffer,
                      NAN);
    add_parts(network, solution, result);
    add_channels(network, solution, result);
    if (network->hot.share > 0.0)
        add_groups(network, solution, result);
}

void fc_multistage_fill_saturated(const fc_multistage *network, fc_result *result) {
    const double capacity = fc_tree_capacity(network);
    result->outcome = FC_OUTCOME_SATURATED;
    fc_result_add(result, FC_METRIC_THROUGHPUT, overloaded_throughput(network), NAN);
    fc_result_add(result, FC_METRIC_OFFERED, network->rate, NAN);
    fc_result_note(result,
                   "%s are offered more than they can serve from a rate of %.6g packets "
                   "per source and cycle",
                   network->hot.share > 0.0 && network->stages > 1
                       ? "the last buffers before the hot memory"
                       : "the buffers",
                   capacity);
}

fc_status fc_multistage_saturation(const fc_scenario *scenario, void *prepared, fc_error *error,
                                   double *load) {
    (void)prepared;
    (void)error;
    const fc_multistage *network = scenario->parameters;
    const bool piles_up = network->buffer == FC_INFINITE && network->outstanding == FC_INFINITE;
    *load = piles_up ? fc_tree_capacity(network) : (double)INFINITY;
    return FC_OK;
}
