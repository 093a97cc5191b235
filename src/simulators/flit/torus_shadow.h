/* The shadow queues of a torus or mesh with open traffic (simulators/shadow_queues.h): injections,
 * channels and ejections. */
#ifndef FC_SIMULATORS_TORUS_SHADOW_H
#define FC_SIMULATORS_TORUS_SHADOW_H

#include "network/torus_network.h"
#include "scenario/scenario.h"
#include "simulators/shadow_queues.h"

/* Shared by all replications. */
typedef struct fc_torus_shadow_plan {
    const fc_torus_network *network;
    uint32_t flits; /* of every message */
    uint32_t *path; /* nodes x nodes, or nodes if destinations are fixed: the first of a pair */
    fc_shadow_plan queues;
} fc_torus_shadow_plan;

/* *plan: NULL if the scenario has no control variates, closed traffic or too many pairs of nodes.
 * adaptive: a header chooses among the dimensions left. lead: cycles that messages stay behind
 * their headers. The network must outlive the plan. */
fc_status fc_torus_shadow_plan_create(const fc_scenario *scenario, const fc_torus_network *network,
                                      bool adaptive, uint32_t lead, fc_error *error,
                                      fc_torus_shadow_plan **plan);
void fc_torus_shadow_plan_free(fc_torus_shadow_plan *plan); /* accepts NULL */

/* One replication. */
typedef struct fc_torus_shadow {
    const fc_torus_shadow_plan *plan; /* NULL: there are no shadow queues */
    fc_shadow queues;
} fc_torus_shadow;

/* plan may be NULL. */
fc_status fc_torus_shadow_create(const fc_torus_shadow_plan *plan, fc_error *error,
                                 fc_torus_shadow *shadow);
void fc_torus_shadow_free(fc_torus_shadow *shadow);
typedef struct fc_torus_journey {
    uint32_t source, destination;
    uint32_t rising, ties; /* its directions: fc_route_rising */
} fc_torus_journey;
/* A message is generated in this cycle. Does nothing without shadow queues. */
fc_status fc_torus_shadow_message(fc_torus_shadow *shadow, uint64_t cycle, fc_torus_journey journey,
                                  fc_error *error);
/* The control variate of the cycles up to `until`, `cycles` of them since the last call; 0 without
 * shadow queues. */
double fc_torus_shadow_surplus(fc_torus_shadow *shadow, uint64_t until, uint64_t cycles);

#endif
