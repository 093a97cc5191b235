/* Runs of the router engine on messages given one by one. */
#ifndef ROUTER_RUNS_H
#define ROUTER_RUNS_H

#include "router_support.h"
#include "simulators/router/sources.h"

typedef struct observed {
    uint64_t *latency; /* by number in the trace */
    size_t count;
} observed;

static inline void observe_message(void *context, const fc_router_message *message,
                                   uint64_t latency) {
    observed *seen = context;
    seen->latency[message->tag] = latency;
    ++seen->count;
}

/* A trace as the workload it is; workload points into the rest. */
typedef struct trace_work {
    fc_workload workload;
    fc_phase phase;
    fc_phase_group group;
} trace_work;

static inline void make_trace_work(const fc_trace *trace, uint32_t nodes, trace_work *work) {
    *work = (trace_work){.phase = {.kind = FC_PHASE_FILE, .trace = *trace},
                         .group = {.count = 1, .times = 1}};
    work->workload = (fc_workload){.of_trace = true,
                                   .count = 1,
                                   .phases = &work->phase,
                                   .group_count = 1,
                                   .groups = &work->group,
                                   .flit_bytes = 32,
                                   .packet_flits = 16,
                                   .ranks = nodes};
}

/* Runs the messages of a trace to the end; latencies in the order of the trace. */
static inline void run_trace(const fc_router_network *network, fc_routed *routed,
                             const fc_trace *trace, uint64_t *latency) {
    fc_router *engine;
    fc_error error = {{0}};
    trace_work work;
    make_trace_work(trace, network->nodes, &work);
    routed->workload = &work.workload;
    assert_int_equal(fc_router_create(network, routed, &error, &engine), FC_OK);
    assert_int_equal(fc_work_sources_create(engine, 1, 0, &error), FC_OK);
    observed seen = {.latency = latency};
    engine->observer = observe_message;
    engine->observer_context = &seen;
    while (!fc_work_done(fc_work_of(engine))) {
        if (fc_router_run(engine, engine->time + 1000, &error) != FC_OK)
            fail_msg("%s", error.text);
        assert_true(engine->time < 100000000);
    }
    assert_int_equal(seen.count, trace->count);
    assert_int_equal(engine->messages_alive, 0);
    fc_router_free(engine);
    routed->workload = NULL;
}

#endif
