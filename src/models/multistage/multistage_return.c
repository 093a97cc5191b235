/* As Mohapatra and Das say (section 2): both networks are alike, so that the analysis of one is
 * used for both, the second with its effective input rate. That is X, the throughput of the first.
 * A memory is offered X packets a cycle and serves one in b cycles:
 *
 *     response time = D(lambda) + X b^2 / (2 (1 - X b)) + b + D(X)
 *
 * with the wait of an M/D/1 queue and D as the model of one network has it. */
#include "models/multistage/multistage_return.h"

#include <math.h>

fc_status fc_multistage_return_covers(const fc_multistage *network, fc_error *error) {
    if (!(network->memory_busy > 0))
        return FC_OK;
    if (network->hot.share > 0)
        return fc_fail(
            error, FC_ERROR_UNSUPPORTED,
            "with traffic.memory_busy the models know uniform destinations: a hot memory "
            "sends back by one line, which no network with a hot destination has");
    if (network->outstanding != FC_INFINITE)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "with traffic.memory_busy the models know no limit on outstanding packets");
    return FC_OK;
}

static fc_status solve_at(const fc_scenario *scenario, double rate, fc_multistage_one_way one_way,
                          fc_error *error, fc_result *result) {
    fc_multistage network = *(const fc_multistage *)scenario->parameters;
    fc_scenario alone = *scenario;
    network.memory_busy = 0;
    network.rate = rate;
    alone.parameters = &network;
    return one_way(&alone, error, result);
}

static void add_answers(const fc_multistage *network, double there, double back, double rate,
                        fc_result *result) {
    const double busy = network->memory_busy;
    const double wait = rate * busy * busy / (2 * (1 - rate * busy));
    fc_result_add(result, FC_METRIC_RESPONSE_TIME, there + wait + busy + back, NAN);
    fc_result_add(result, FC_METRIC_MEMORY_WAIT, wait, NAN);
}

/* The load at which memories become busy all the time: as much as that gets through the network. */
fc_status fc_multistage_return_saturation(const fc_scenario *scenario, const fc_method_info *info,
                                          fc_multistage_one_way one_way, fc_error *error,
                                          double *load) {
    enum { HALVINGS = 60 };
    static const double most = 10; /* times what a first buffer can serve */
    const fc_multistage *network = scenario->parameters;
    if (!(network->memory_busy > 0))
        return FC_OK;
    double low = 0, high = fmin(*load, most / network->service);
    for (int i = 0; i < HALVINGS; ++i) {
        const double middle = 0.5 * (low + high);
        fc_result *there = fc_result_create(info, scenario);
        if (!there)
            return fc_fail_memory(error);
        const fc_status status = solve_at(scenario, middle, one_way, error, there);
        const double rate = fc_result_value(there, FC_METRIC_THROUGHPUT);
        const bool enough = there->outcome == FC_OUTCOME_OK && rate * network->memory_busy < 1;
        fc_result_free(there);
        if (status != FC_OK)
            return status;
        *(enough ? &low : &high) = middle;
    }
    if (high < fmin(*load, most / network->service))
        *load = low;
    return FC_OK;
}

fc_status fc_multistage_solve_return(const fc_scenario *scenario, const fc_method_info *info,
                                     fc_multistage_one_way one_way, fc_error *error,
                                     fc_result *result) {
    const fc_multistage *network = scenario->parameters;
    fc_status status = solve_at(scenario, network->rate, one_way, error, result);
    if (status != FC_OK || !(network->memory_busy > 0) || result->outcome != FC_OUTCOME_OK)
        return status;
    fc_metric *space = fc_result_find(result, FC_METRIC_BUFFER_SPACE);
    if (space)
        fc_metric_correct(space, 2 * space->value);
    const double rate = fc_result_value(result, FC_METRIC_THROUGHPUT);
    const double there = fc_result_value(result, FC_METRIC_LATENCY);
    if (!(rate * network->memory_busy < 1)) {
        result->outcome = FC_OUTCOME_SATURATED;
        fc_metric_correct(fc_result_find(result, FC_METRIC_THROUGHPUT), 1 / network->memory_busy);
        fc_result_note(result,
                       "the memories are offered more than they can serve, %.6g packets a "
                       "cycle each",
                       1 / network->memory_busy);
        return fc_result_status(result);
    }
    fc_result *back = fc_result_create(info, scenario);
    if (!back)
        return fc_fail_memory(error);
    status = solve_at(scenario, rate, one_way, error, back);
    if (status == FC_OK && back->outcome != FC_OUTCOME_OK) {
        result->outcome = back->outcome;
        fc_result_note(result, "on the way back: %s", back->note);
    } else if (status == FC_OK) {
        add_answers(network, there, fc_result_value(back, FC_METRIC_LATENCY), rate, result);
    }
    fc_result_free(back);
    return status == FC_OK ? fc_result_status(result) : status;
}
