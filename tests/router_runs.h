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

/* Runs the messages of a trace to the end; latencies in the order of the trace. */
static inline void run_trace(const fc_router_network *network, fc_routed *routed,
                             const fc_trace *trace, uint64_t *latency) {
    fc_router *engine;
    fc_error error = {{0}};
    routed->trace = trace;
    assert_int_equal(fc_router_create(network, routed, &error, &engine), FC_OK);
    assert_int_equal(fc_trace_sources_create(engine, 1, &error), FC_OK);
    observed seen = {.latency = latency};
    engine->observer = observe_message;
    engine->observer_context = &seen;
    while (fc_trace_left(engine)) {
        if (fc_router_run(engine, engine->time + 1000, &error) != FC_OK)
            fail_msg("%s", error.text);
        assert_true(engine->time < 100000000);
    }
    assert_int_equal(seen.count, trace->count);
    assert_int_equal(engine->messages_alive, 0);
    fc_router_free(engine);
    routed->trace = NULL;
}

#endif
