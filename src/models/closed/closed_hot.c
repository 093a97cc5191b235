#include "models/closed/closed_hot.h"

#include <math.h>

const double fc_closed_hot_shift_most = 2.5;

/* As warned of: flits per cycle into the hot node. */
static const double busy = 0.4;

/* The share that a node other than the hot one sends to it. */
static double sent_to(const fc_torus *torus) {
    const double share = torus->destinations.share;
    return share + (1 - share) / (double)(torus->nodes - 1);
}

static double throughput_of(const fc_table *nodes, size_t node) {
    enum { THROUGHPUT = 4 };
    return nodes->values[node * nodes->columns + THROUGHPUT];
}

fc_closed_hot fc_closed_hot_of(const fc_scenario *scenario, const fc_result *result) {
    const fc_torus *torus = scenario->parameters;
    const fc_table *nodes = fc_result_table(result, "nodes");
    const fc_request_means means = fc_request_means_of(&torus->requests);
    const fc_closed_cycle cycle = fc_closed_cycle_of(scenario, result);
    const double mean = fc_result_value(result, FC_METRIC_THROUGHPUT), count = (double)torus->nodes;
    const double most = cycle.outstanding / (cycle.think + cycle.reply + cycle.empty);
    fc_closed_hot hot = {.requests = 1,
                         .response = fc_result_value(result, FC_METRIC_RESPONSE_TIME),
                         .wait = fc_table_sums(nodes, 1).mean};
    double own = mean; /* what the node itself requests */
    if (torus->destinations.pattern == FC_HOT_SPOT) {
        const size_t node = (size_t)torus->hot_node;
        own = throughput_of(nodes, node);
        hot.share = sent_to(torus) * (1 - own / (count * mean));
        hot.requests = count * hot.share;
        hot.response = fc_result_value(result, FC_METRIC_RESPONSE_TIME_HOT);
        hot.log_ratio = log(hot.response / fc_result_value(result, FC_METRIC_RESPONSE_TIME_COLD));
        hot.wait = nodes->values[node * nodes->columns + 1];
    }
    hot.use = mean * hot.requests * means.flits + own * means.reply_flits;
    hot.use_without_wait = most * (hot.requests * means.flits + means.reply_flits);
    return hot;
}

fc_closed_responses fc_closed_hot_split(const fc_closed_hot *at, double response, double t) {
    const double ratio =
        exp(at->log_ratio + fmax(-fc_closed_hot_shift_most, fmin(fc_closed_hot_shift_most, t)));
    const double cold = response / (at->share * ratio + 1 - at->share);
    return (fc_closed_responses){ratio * cold, cold};
}

double fc_closed_hot_shift(const fc_closed_hot *at, double hot, double cold) {
    const double t = log(hot / cold) - at->log_ratio;
    return fmax(-fc_closed_hot_shift_most, fmin(fc_closed_hot_shift_most, t));
}

void fc_closed_warn_of_hot_times(const fc_torus *torus, double use, const char *errors,
                                 fc_result *result) {
    if (torus->node_links != FC_LINK_PER_CHANNEL || use < busy)
        return;
    result->flags |= FC_FLAG_WIDE;
    fc_result_add_note(result, "response_time_hot and response_time_cold are uncertain: %s",
                       errors);
}
