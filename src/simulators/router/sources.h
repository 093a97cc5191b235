/* Where messages come from: processes that draw them (router_open.c), or a workload
 * (router_work.c). */
#ifndef FC_SIMULATORS_ROUTER_SOURCES_H
#define FC_SIMULATORS_ROUTER_SOURCES_H

#include "simulators/router/router.h"
#include "workloads/work.h"

typedef struct fc_source_kind {
    /* The first cycle, not before the engine's, in which it has something to do; UINT64_MAX: none
     * as things are. */
    uint64_t (*next)(const fc_router *engine);
    /* Queues what is due in the engine's cycle. */
    void (*generate)(fc_router *engine);
    /* The tail of a message has left its node; may be NULL. */
    void (*sent)(fc_router *engine, uint32_t node);
    /* A message has been delivered; its record is given back afterwards. */
    void (*delivered)(fc_router *engine, uint32_t message);
    void (*release)(fc_sources *sources);
} fc_source_kind;

struct fc_sources { /* the first member of each kind's own */
    const fc_source_kind *kind;
};

/* Messages drawn from the engine's fc_routed. traffic: of the first class; it must outlive the
 * engine. */
fc_status fc_open_sources_create(fc_router *engine, const fc_traffic *traffic, uint64_t seed,
                                 uint32_t replication, fc_error *error);
/* Before the first cycle: so many messages wait at the sources already, at each in proportion to
 * its rate. */
fc_status fc_open_sources_flood(fc_router *engine, double messages);
/* Nodes that send the messages of a class, or what it answers. */
double fc_open_sources_senders(const fc_router *engine, uint32_t class);
/* The messages of the engine's workload. */
fc_status fc_work_sources_create(fc_router *engine, uint64_t seed, uint32_t replication,
                                 fc_error *error);
/* Of an engine with a workload: how far it has come. */
const fc_work *fc_work_of(const fc_router *engine);
/* Whether anything of it, or the path of one of its messages, was drawn. */
bool fc_work_drew(const fc_router *engine);
uint64_t fc_work_seed(const fc_router *engine);
/* Cycles since its end; 0 before. */
uint64_t fc_work_idle(const fc_router *engine);
/* Why it cannot continue; NULL: nothing is wrong, or out of memory. */
const fc_error *fc_work_error(const fc_router *engine);

static inline uint64_t fc_sources_next(const fc_router *engine) {
    return engine->sources->kind->next(engine);
}

static inline void fc_sources_generate(fc_router *engine) {
    engine->sources->kind->generate(engine);
}

static inline void fc_sources_sent(fc_router *engine, uint32_t node) {
    if (engine->sources->kind->sent)
        engine->sources->kind->sent(engine, node);
}

static inline void fc_sources_delivered(fc_router *engine, uint32_t message) {
    engine->sources->kind->delivered(engine, message);
}

static inline void fc_sources_free(fc_sources *sources) {
    if (sources)
        sources->kind->release(sources);
}

#endif
