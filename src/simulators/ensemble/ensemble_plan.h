/* A network of routers as the core sees it. */
#ifndef FC_SIMULATORS_ENSEMBLE_PLAN_H
#define FC_SIMULATORS_ENSEMBLE_PLAN_H

#include "network/destinations.h"
#include "network/router_network.h"
#include "simulators/ensemble/core_types.h"

/* The plan of a scenario that fc_ensemble_covers, its tables included. */
typedef struct fc_ensemble_plan {
    fc_core_plan core;
    void *tables;       /* that the plan points into */
    size_t table_bytes; /* a GPU copies them at once */
    fc_geometric *law;  /* one, or one for each node */
    bool own_laws;
    uint8_t *sends; /* nodes */
} fc_ensemble_plan;

fc_status fc_ensemble_plan_create(const fc_scenario *scenario, const fc_router_network *network,
                                  const fc_traffic *traffic, fc_error *error,
                                  fc_ensemble_plan **plan);
void fc_ensemble_plan_free(fc_ensemble_plan *plan);

#endif
