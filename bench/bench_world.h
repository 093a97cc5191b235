/* A network of routers as the benchmarks of its engines need it: scenario, network, traffic. */
#ifndef FC_BENCH_WORLD_H
#define FC_BENCH_WORLD_H

#include "bench_support.h"
#include "network/router_traffic.h"
#include "simulators/router/sources.h"

typedef struct world {
    fc_scenario *scenario;
    fc_router_network *network;
    fc_traffic *traffic;
} world;

static inline world make_world(const char *text) {
    fc_error error;
    world w = {.scenario = read_scenario(text)};
    demand(fc_router_network_create(w.scenario, &error, &w.network), &error);
    demand(fc_router_traffic_create(w.scenario, w.network, &error, &w.traffic), &error);
    return w;
}

static inline void free_world(world *w) {
    fc_traffic_free(w->traffic);
    fc_router_network_free(w->network);
    fc_scenario_free(w->scenario);
}

/* The event engine with its sources, after a warm-up. */
static inline fc_router *start_engine(const world *w, uint64_t warm_up) {
    fc_error error;
    fc_router *engine;
    demand(fc_router_create(w->network, fc_scenario_routed(w->scenario), &error, &engine), &error);
    demand(fc_open_sources_create(engine, w->traffic, 1, 0, &error), &error);
    demand(fc_router_run(engine, warm_up, &error), &error);
    return engine;
}

#endif
