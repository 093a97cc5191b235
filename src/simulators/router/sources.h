/* Where messages come from: processes that draw them (router_open.c), or a trace (router_trace.c).
 */
#ifndef FC_SIMULATORS_ROUTER_SOURCES_H
#define FC_SIMULATORS_ROUTER_SOURCES_H

#include "simulators/router/router.h"

typedef struct fc_source_kind {
    /* The first cycle, not before the engine's, in which it has something to do; UINT64_MAX: none
     * as things are. */
    uint64_t (*next)(const fc_router *engine);
    /* Queues what is due in the engine's cycle. */
    void (*generate)(fc_router *engine);
    /* A message has been delivered; its record is given back afterwards. */
    void (*delivered)(fc_router *engine, uint32_t message);
    void (*release)(fc_sources *sources);
} fc_source_kind;

struct fc_sources { /* the first member of each kind's own */
    const fc_source_kind *kind;
};

/* Messages drawn from the engine's fc_routed. traffic must outlive the engine. */
fc_status fc_open_sources_create(fc_router *engine, const fc_traffic *traffic, uint64_t seed,
                                 uint32_t replication, fc_error *error);
/* The messages of the engine's trace. */
fc_status fc_trace_sources_create(fc_router *engine, uint64_t seed, fc_error *error);
/* Messages of the trace not yet delivered. */
size_t fc_trace_left(const fc_router *engine);
/* Cycles since the last one was delivered; 0 while there are some left. */
uint64_t fc_trace_idle(const fc_router *engine);

static inline uint64_t fc_sources_next(const fc_router *engine) {
    return engine->sources->kind->next(engine);
}

static inline void fc_sources_generate(fc_router *engine) {
    engine->sources->kind->generate(engine);
}

static inline void fc_sources_delivered(fc_router *engine, uint32_t message) {
    engine->sources->kind->delivered(engine, message);
}

static inline void fc_sources_free(fc_sources *sources) {
    if (sources)
        sources->kind->release(sources);
}

#endif
