/* The shadow queues of a network of routers (simulators/shadow_queues.h): injections, links and
 * ejections. The engine `events` passes on each message that it generates. For the others, which
 * keep no order of messages, the messages are drawn again from their own streams. The control
 * variate is the same: the order of the messages of one cycle does not matter. */
#ifndef FC_SIMULATORS_ROUTER_SHADOW_H
#define FC_SIMULATORS_ROUTER_SHADOW_H

#include "network/destinations.h"
#include "network/router_network.h"
#include "simulators/router/drawn_message.h"
#include "simulators/shadow_queues.h"

/* Shared by all replications. */
typedef struct fc_router_shadow_plan {
    const fc_router_network *network;
    const fc_traffic *traffic;
    const fc_routed *routed;
    fc_lengths lengths;
    fc_sorts sorts;
    uint32_t *path; /* nodes x nodes, or nodes if destinations are fixed: the first variant */
    fc_shadow_plan queues;
} fc_router_shadow_plan;

/* *plan: NULL if they would cost too much (many replications, many paths) or their mean is not
 * known (bursts, replies). Network, traffic and scenario must outlive the plan. */
fc_status fc_router_shadow_plan_create(const fc_scenario *scenario,
                                       const fc_router_network *network, const fc_traffic *traffic,
                                       fc_error *error, fc_router_shadow_plan **plan);
void fc_router_shadow_plan_free(fc_router_shadow_plan *plan);

/* One replication. */
typedef struct fc_router_shadow {
    const fc_router_shadow_plan *plan; /* NULL: there are no shadow queues */
    bool draws;                        /* the messages, too */
    fc_arrivals arrivals;
    fc_shadow queues;
} fc_router_shadow;

fc_status fc_router_shadow_create(const fc_router_shadow_plan *plan, fc_error *error,
                                  fc_router_shadow *shadow);
/* Before the first message: it draws them itself. */
fc_status fc_router_shadow_draw(fc_router_shadow *shadow, uint64_t seed, uint32_t replication,
                                fc_error *error);
void fc_router_shadow_free(fc_router_shadow *shadow);
/* A message is generated in this cycle. */
fc_status fc_router_shadow_message(fc_router_shadow *shadow, uint64_t cycle, uint32_t source,
                                   const fc_drawn_message *message, fc_error *error);
/* The control variate of the cycles up to `until`, `cycles` of them since the last call. */
fc_status fc_router_shadow_advance(fc_router_shadow *shadow, uint64_t until, uint64_t cycles,
                                   fc_error *error, double *surplus);

#endif
