/* What the graph networks (router_learned.h) say of a network, as forecasts with intervals: of the
 * latency at a load, and of the saturation load, whose margin is zero. */
#include "models/router/router_forecast.h"

#include <math.h>
#include "models/router/router_learned.h"
#include "models/router/router_percentiles.h"

/* Where 90 % of the simulated latencies lie: what they have beyond the empty network's is e^-d to
 * e^d times the forecast. d is larger the more the graph networks differ and the closer saturation
 * is, linear between these margins. All numbers are chosen such that this holds for the networks of
 * router_intervals.csv, which were not fitted. */
static const double of_deviation = 1.8;
static const struct {
    double margin, spread;
} spreads[] = {{-1, 0.02}, {-0.5, 0.05}, {-0.25, 0.14}, {-0.1, 0.16}, {0, 0.35}};
enum { SPREADS = sizeof spreads / sizeof *spreads };

static double spread_at(double margin) {
    size_t i = 1;
    while (i < SPREADS - 1 && margin > spreads[i].margin)
        ++i;
    const double width = spreads[i].margin - spreads[i - 1].margin;
    const double part = fmin(1, fmax(0, (margin - spreads[i - 1].margin) / width));
    return spreads[i - 1].spread + part * (spreads[i].spread - spreads[i - 1].spread);
}

/* NULL: no simulated network is like it. */
static fc_status create(fc_router_prepared *p, fc_error *error, fc_learned_inputs *inputs,
                        fc_router_graph_learned **graph) {
    bool known;
    *graph = NULL;
    /* No network with a limit of outstanding requests was simulated for it; and links that stand
     * for many (multiple) hide which lanes meet. */
    if (isfinite(p->solver->timing.outstanding) || p->flows->multiple > 1)
        return FC_OK;
    fc_status status = fc_learned_inputs_create(p, error, &known, inputs);
    if (status != FC_OK || !known)
        return status;
    if (fc_stop_asked(p->flows->cancel))
        status = fc_fail_cancelled(error);
    else if (fc_learned_lanes_are_near(inputs))
        status = fc_router_graph_learned_create(inputs, error, graph);
    fc_learned_inputs_release(inputs);
    return status;
}

fc_status fc_router_forecast(fc_router_prepared *p, double rate, fc_error *error,
                             fc_forecast *forecast) {
    static const double levels[] = {[FC_P50] = 0.5, [FC_P95] = 0.95, [FC_P99] = 0.99};
    fc_learned_inputs inputs;
    fc_router_graph_learned *graph;
    *forecast = (fc_forecast){.known = false};
    const fc_status status = create(p, error, &inputs, &graph);
    if (!graph)
        return status;
    const fc_learned_answer answer = fc_router_graph_learned_evaluate(graph, rate);
    const double spread = spread_at(answer.margin) + of_deviation * answer.deviation;
    forecast->known = true;
    forecast->empty[FC_MEAN] = inputs.empty;
    for (int k = FC_P50; k < FC_LATENCIES; ++k)
        forecast->empty[k] = fc_router_percentile_alone(p->solver, levels[k]);
    forecast->latency = inputs.empty + answer.excess;
    forecast->low = inputs.empty + answer.excess * exp(-spread);
    forecast->high = inputs.empty + answer.excess * exp(spread);
    forecast->p99 = forecast->empty[FC_P99] + answer.tail;
    forecast->margin = answer.margin;
    fc_router_graph_learned_free(graph);
    return FC_OK;
}

/* The load whose margin is zero: each step goes as far as the margin says. */
fc_status fc_router_forecast_saturation(fc_router_prepared *p, fc_error *error, double *load) {
    enum { STEPS_MAX = 16 };
    static const double first = 0.6, step_most = 1.2, near = 3e-3;
    fc_learned_inputs inputs;
    fc_router_graph_learned *graph;
    *load = NAN;
    const fc_status status = create(p, error, &inputs, &graph);
    if (!graph)
        return status;
    double at = first * inputs.capacity, margin = INFINITY;
    for (int i = 0; i < STEPS_MAX && fabs(margin) > near; ++i) {
        margin = fc_router_graph_learned_evaluate(graph, at).margin;
        if (margin < 0 && at >= inputs.capacity)
            break;
        at = fmin(inputs.capacity, at * exp(-fmin(step_most, fmax(-step_most, margin))));
    }
    *load = at;
    fc_router_graph_learned_free(graph);
    return FC_OK;
}
