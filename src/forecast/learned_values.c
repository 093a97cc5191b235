/* Form `values`: the outputs of the network are the corrections, each with the logarithm of its
 * standard deviation; members are averaged. */
#include "forecast/learned_values.h"

#include <string.h>
#include "forecast/learned_numbers.h"
#include "forecast/learned_weights.h"

static const double spread_least = -8, spread_most = 2; /* of logarithms */

double fc_learned_log_spread(const fc_learned_tape *tape, size_t value) {
    const double x = (double)tape->network[FC_LEARNED_VALUES_MOST + value];
    return x > spread_most ? spread_most : x > spread_least ? x : spread_least;
}

static void finish(const fc_weights *w, const double squares[FC_LEARNED_VALUES_MOST],
                   fc_learned_values *values) {
    const double members = (double)w->members;
    for (size_t v = 0; v < values->count; ++v) {
        const double mean = values->value[v] / members;
        const double spread = fc_learned_exp(values->spread[v] / members);
        const double apart =
            w->members > 1 ? fmax(0, squares[v] - members * mean * mean) / (members - 1) : 0;
        values->value[v] = mean;
        values->spread[v] = (double)w->spread_factors[v] * sqrt(spread * spread + apart);
    }
}

fc_status fc_learned_values_of(const fc_weights *w, const fc_traits *traits, fc_error *error,
                               fc_learned_values *values) {
    fc_trait_graph *graph = NULL;
    fc_learned_tape *tape = NULL;
    double squares[FC_LEARNED_VALUES_MOST] = {0};
    *values = (fc_learned_values){.count = w->values};
    fc_status status = fc_trait_graph_create(&w->norms, &w->shape, traits, error, &graph);
    if (status == FC_OK)
        status = fc_learned_tape_create(&w->shape, traits->lane_count, traits->movement_count,
                                        false, error, &tape);
    for (size_t i = 0; i < w->members && status == FC_OK; ++i) {
        fc_learned_forward(&w->shape, &w->layout, w->floats + i * w->layout.count, graph, tape);
        for (size_t v = 0; v < w->values; ++v) {
            const double value = (double)tape->network[v];
            values->value[v] += value;
            values->spread[v] += fc_learned_log_spread(tape, v);
            squares[v] += value * value;
        }
    }
    if (status == FC_OK)
        finish(w, squares, values);
    fc_learned_tape_free(tape);
    fc_trait_graph_free(graph);
    return status;
}
