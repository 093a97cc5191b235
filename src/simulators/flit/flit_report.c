/* What a run of the flit simulator reports in addition to its metrics. */
#include <math.h>
#include "base/statistics.h"
#include "simulators/flit/flit_closed.h"
#include "simulators/flit/flit_simulator.h"

static fc_flit_run_state *run_of(void *const *states, size_t index) {
    return states[index];
}

static double measured_cycles(void *const *states, size_t replications) {
    double cycles = 0;
    for (size_t i = 0; i < replications; ++i) {
        const fc_flit_run_state *run = run_of(states, i);
        cycles += (double)(run->engine->time - run->measured_from);
    }
    return cycles;
}

/* ---- parts ---- */

static void add_parts(void *const *states, size_t replications, fc_result *result) {
    fc_flit_sums all = {0};
    for (size_t i = 0; i < replications; ++i) {
        const fc_flit_sums *total = &run_of(states, i)->total;
        all.messages += total->messages;
        all.latency += total->latency;
        all.source_wait += total->source_wait;
        all.hops += total->hops;
        all.served += total->served;
        all.network += total->network;
        all.remote += total->remote;
        all.round_trip += total->round_trip;
    }
    const fc_flit *engine = run_of(states, 0)->engine;
    if (engine->closed) {
        if (all.served == 0)
            return;
        fc_result_set_parts_of(result, FC_METRIC_ROUND_TRIP);
        fc_result_add_part(result, "at the processor", "cycles",
                           (all.round_trip - all.network - all.remote) / all.served);
        fc_result_add_part(result, "in the network", "cycles", all.network / all.served);
        fc_result_add_part(result, "at the memory", "cycles", all.remote / all.served);
        return;
    }
    if (all.messages == 0)
        return;
    const double latency = all.latency / all.messages, wait = all.source_wait / all.messages;
    const double hops = all.hops / all.messages, flits = (double)engine->torus->message_flits;
    fc_result_add_part(result, "waiting at the source", "cycles", wait);
    fc_result_add_part(result, "hops of the header", "cycles", hops);
    fc_result_add_part(result, "length of the message", "cycles", flits);
    fc_result_add_part(result, "blocked or sharing links", "cycles", latency - wait - hops - flits);
}

/* ---- channels ---- */

static uint32_t count_channels(const fc_flit *engine) {
    uint32_t count = 0;
    for (uint32_t channel = 0; channel < engine->geometry->channels; ++channel)
        count += fc_channel_end(engine->geometry, channel, NULL, NULL) != FC_NO_NODE;
    return count;
}

static void add_channels(void *const *states, size_t replications, double cycles,
                         fc_result *result) {
    static const char *const columns[] = {"utilisation", "wait"};
    const fc_flit *engine = run_of(states, 0)->engine;
    const fc_geometry *geometry = engine->geometry;
    fc_table *table = fc_result_add_table(result, "channels", count_channels(engine), columns, 2);
    size_t row = 0;
    for (uint32_t channel = 0; table && channel < geometry->channels; ++channel) {
        uint32_t dimension;
        bool rising;
        if (fc_channel_end(geometry, channel, &dimension, &rising) == FC_NO_NODE)
            continue;
        const uint32_t node = channel / geometry->slots;
        const uint32_t link = engine->link_of_channel[channel];
        double crossed = 0, granted = 0, waited = 0;
        for (size_t i = 0; i < replications; ++i) {
            const fc_flit *one = run_of(states, i)->engine;
            crossed += (double)one->waiting[link].crossed;
            granted += (double)one->waiting[link].granted;
            waited += (double)one->waiting[link].waited;
        }
        char label[FC_NAME_SIZE - 16];
        fc_node_label(geometry, node, label, sizeof label);
        snprintf(table->row_labels[row], FC_NAME_SIZE, "%s %c%u", label, rising ? '+' : '-',
                 (unsigned)dimension);
        table->values[2 * row] = fc_mean(crossed, cycles);
        table->values[2 * row + 1] = fc_mean(waited, granted);
        ++row;
    }
}

/* ---- nodes ---- */

/* Links out of the node: how much of the time they send. */
static double injection_use(const fc_flit *engine, uint32_t node) {
    const uint32_t links = engine->sending ? engine->sources_per_node : 1;
    const uint32_t first = engine->network_link_end + node * links;
    double crossed = 0;
    for (uint32_t i = 0; i < links; ++i)
        crossed += (double)engine->waiting[first + i].crossed;
    return crossed;
}

static void add_nodes(void *const *states, size_t replications, double cycles, fc_result *result) {
    static const char *const open_columns[] = {"latency",   "source_wait", "throughput",
                                               "injection", "ejection",    "ejection_wait"};
    static const char *const closed_columns[] = {"efficiency", "throughput", "injection",
                                                 "ejection", "ejection_wait"};
    const fc_flit *engine = run_of(states, 0)->engine;
    const bool closed = engine->closed != NULL;
    const size_t width = closed ? 5 : 6;
    fc_table *table = fc_result_add_table(result, "nodes", engine->geometry->nodes,
                                          closed ? closed_columns : open_columns, width);
    for (uint32_t node = 0; table && node < engine->geometry->nodes; ++node) {
        double messages = 0, latency = 0, wait = 0, out = 0, in = 0, granted = 0, waited = 0;
        for (size_t i = 0; i < replications; ++i) {
            const fc_flit *one = run_of(states, i)->engine;
            const uint32_t into = one->node_link_first + node;
            messages +=
                closed ? (double)one->closed->node[node].served : (double)one->node[node].messages;
            latency += closed ? fc_closed_busy_cycles(one, node) : (double)one->node[node].latency;
            wait += (double)one->node[node].source_wait;
            out += injection_use(one, node);
            in += (double)one->waiting[into].crossed;
            granted += (double)one->waiting[into].granted;
            waited += (double)one->waiting[into].waited;
        }
        double *row = &table->values[node * width];
        *row++ = closed ? fc_mean(latency, cycles) : fc_mean(latency, messages);
        if (!closed)
            *row++ = fc_mean(wait, messages);
        *row++ = fc_mean(messages, cycles);
        *row++ = fc_mean(out, cycles);
        *row++ = fc_mean(in, cycles);
        *row++ = fc_mean(waited, granted);
        fc_node_label(engine->geometry, node, table->row_labels[node], FC_NAME_SIZE);
    }
    if (!table || !closed)
        return;
    double largest = 0, smallest = 1;
    for (uint32_t node = 0; node < engine->geometry->nodes; ++node) {
        largest = fmax(largest, table->values[node * width]);
        smallest = fmin(smallest, table->values[node * width]);
    }
    fc_result_add(result, FC_METRIC_EFFICIENCY_MAX, largest, NAN);
    fc_result_add(result, FC_METRIC_EFFICIENCY_MIN, smallest, NAN);
}

void fc_flit_report(void *const *states, size_t replications, fc_result *result) {
    const double cycles = measured_cycles(states, replications);
    add_parts(states, replications, result);
    add_nodes(states, replications, cycles, result);
    add_channels(states, replications, cycles, result);
}
