/* What a run of the router engine reports in addition to its metrics: parts of the latency, nodes,
 * channels. */
#include <math.h>
#include <stdio.h>
#include "base/memory.h"
#include "base/statistics.h"
#include "scenario/families/routed_rules.h"
#include "simulators/router/router_simulator.h"
#include "simulators/router/sources.h"
#include "network/router_faults.h"

static const fc_router_run_state *run_of(void *const *states, size_t i) {
    return states[i];
}

static double measured_cycles(void *const *states, size_t replications) {
    double cycles = 0;
    for (size_t i = 0; i < replications; ++i) {
        const fc_router *engine = run_of(states, i)->engine;
        cycles += (double)(engine->time - run_of(states, i)->measured_from);
        cycles -= engine->routed->workload ? (double)fc_work_idle(engine) : 0;
    }
    return cycles;
}

static void add_parts(void *const *states, size_t replications, fc_result *result) {
    fc_router_sums all = {0};
    for (size_t i = 0; i < replications; ++i) {
        const fc_router_sums *total = &run_of(states, i)->total;
        all.messages += total->messages;
        all.latency += total->latency;
        all.source_wait += total->source_wait;
        all.routers += total->routers;
        all.path += total->path;
        all.flits += total->flits;
    }
    if (all.messages == 0)
        return;
    const fc_router *engine = run_of(states, 0)->engine;
    const double latency = all.latency / all.messages, wait = all.source_wait / all.messages;
    const double flits = all.flits / all.messages;
    int64_t stages = 0;
    for (int stage = 0; stage < FC_ROUTER_STAGES; ++stage)
        stages += engine->delay[stage];
    const double passed = all.routers / all.messages;
    const double routers = (double)fc_routed_cycles_at_least(engine->routed, stages) * passed;
    /* The first cycle to the router is not counted; the last one of the header is the length's. */
    const double links =
        all.path / all.messages - (double)stages * passed + (double)engine->node_delay - 2;
    fc_result_add_part(result, "waiting at the source", "cycles", wait);
    fc_result_add_part(result, "links of the header", "cycles", links);
    fc_result_add_part(result, "routers of the header", "cycles", routers);
    fc_result_add_part(result, "length of the message", "cycles", flits);
    fc_result_add_part(result, "blocked or sharing links", "cycles",
                       latency - wait - links - routers - flits);
}

/* Parts of a cycle in which flits of work that ends cross an output after its end: the last flit
 * is there before a narrow link is done with it. */
static double beyond_end(const fc_router *engine, uint32_t o) {
    const uint64_t end = (engine->time - fc_work_idle(engine)) << FC_PACE_BITS;
    const uint64_t next = engine->pace[o].next;
    return next > end ? (double)(next - end) : 0;
}

/* Cycles for which an output was in use. What waits behind it, at a pace of its own, has crossed
 * the router but not the link. */
static double cycles_in_use(const fc_router *engine, uint32_t o) {
    const double crossed = (double)engine->output[o].crossed;
    if (!engine->pace)
        return crossed;
    const fc_pace *pace = &engine->pace[o];
    const double waiting = engine->routed->workload
                               ? beyond_end(engine, o)
                               : (double)fc_router_promised(engine, o) - (double)pace->promised;
    return ldexp((double)pace->interval * crossed - waiting, -FC_PACE_BITS);
}

static void add_channels(void *const *states, size_t replications, double cycles,
                         fc_result *result) {
    static const char *const columns[] = {"utilisation", "wait", "flits"};
    enum { WIDTH = 3 };
    const fc_router_network *network = run_of(states, 0)->engine->network;
    uint32_t links = 0;
    for (uint32_t o = 0; o < network->outputs; ++o)
        links += !(network->output_end[o] & FC_TO_NODE);
    fc_table *table = fc_result_add_table(result, "channels", links, columns, WIDTH);
    size_t row = 0;
    for (uint32_t o = 0; table && o < network->outputs; ++o) {
        if (network->output_end[o] & FC_TO_NODE)
            continue;
        double used = 0, crossed = 0, granted = 0, waited = 0;
        for (size_t i = 0; i < replications; ++i) {
            const fc_output *output = &run_of(states, i)->engine->output[o];
            used += cycles_in_use(run_of(states, i)->engine, o);
            crossed += (double)output->crossed;
            granted += (double)output->granted;
            waited += (double)output->waited / run_of(states, i)->engine->speedup;
        }
        snprintf(table->row_labels[row], FC_NAME_SIZE, "%u to %u",
                 (unsigned)network->output_router[o],
                 (unsigned)network->input_router[network->output_end[o]]);
        table->values[WIDTH * row] = fc_mean(used, cycles);
        table->values[WIDTH * row + 1] = fc_mean(waited, granted);
        table->values[WIDTH * row + 2] = crossed;
        ++row;
    }
}

static void add_nodes(void *const *states, size_t replications, double cycles, fc_result *result) {
    static const char *const columns[] = {"latency",   "source_wait", "throughput",
                                          "injection", "ejection",    "ejection_wait"};
    enum { WIDTH = 6 };
    const fc_router_network *network = run_of(states, 0)->engine->network;
    fc_table *table = fc_result_add_table(result, "nodes", network->nodes, columns, WIDTH);
    for (uint32_t n = 0; table && n < network->nodes; ++n) {
        double messages = 0, latency = 0, wait = 0, out = 0, in = 0, granted = 0, waited = 0;
        for (size_t i = 0; i < replications; ++i) {
            const fc_router *engine = run_of(states, i)->engine;
            const fc_router_node *node = &engine->node[n];
            const fc_output *ejection = &engine->output[network->node_output[n]];
            messages += (double)node->messages;
            latency += (double)node->latency;
            wait += (double)node->source_wait;
            out += (double)node->injected;
            in += cycles_in_use(engine, network->node_output[n]);
            granted += (double)ejection->granted;
            waited += (double)ejection->waited / engine->speedup;
        }
        const double row[WIDTH] = {fc_mean(latency, messages), fc_mean(wait, messages),
                                   fc_mean(messages, cycles),  fc_mean(out, cycles),
                                   fc_mean(in, cycles),        fc_mean(waited, granted)};
        for (size_t c = 0; c < WIDTH; ++c)
            table->values[n * WIDTH + c] = row[c];
        fc_end_name(network, n, FC_NAME_SIZE, table->row_labels[n]);
    }
}

/* Of the first replication. */
static void add_windows(fc_router_run_state *run, fc_result *result) {
    const uint64_t idle = run->engine->routed->workload ? fc_work_idle(run->engine) : 0;
    fc_router_windows_close(run->engine, &run->windows);
    fc_router_windows_report(run->engine, &run->windows, run->engine->time - idle, result);
    if (run->engine->routed->workload)
        fc_router_progress_report(run->engine, &run->windows, run->engine->time - idle, result);
}

static void add_load(void *const *states, size_t replications, fc_result *result) {
    const fc_router_run_state *first = run_of(states, 0);
    const fc_router *engine = first->engine;
    const fc_load_windows **windows = fc_allocate(replications, sizeof *windows);
    const fc_load_measured measured = {.from = first->measured_from,
                                       .until = engine->time,
                                       .rate = engine->routed->rate,
                                       .senders = engine->senders};
    for (size_t i = 0; windows && i < replications; ++i)
        windows[i] = run_of(states, i)->engine->load;
    if (windows)
        fc_load_windows_report(windows, replications, &measured, result);
    fc_release(windows);
}

void fc_router_report(void *const *states, size_t replications, fc_result *result) {
    const double cycles = measured_cycles(states, replications);
    add_parts(states, replications, result);
    add_nodes(states, replications, cycles, result);
    add_channels(states, replications, cycles, result);
    add_windows(states[0], result);
    if (run_of(states, 0)->engine->load)
        add_load(states, replications, result);
    if (run_of(states, 0)->engine->routed->workload)
        fc_router_work_report(states, replications, result);
    const fc_failures *failures = run_of(states, 0)->engine->network->failures;
    if (failures)
        fc_result_add_note(result, "%s", failures->text);
}
