/* What the models of networks of routers have in common. */
#ifndef FC_MODELS_ROUTER_MODELS_H
#define FC_MODELS_ROUTER_MODELS_H

#include "models/router/router_flows.h"
#include "registry/method.h"

/* Routers with timing of their own, as the router simulator has them. */
bool fc_router_model_suits(const fc_scenario *scenario);
fc_status fc_router_model_covers(const fc_scenario *scenario, const char *who, fc_error *error);

/* The link that is full first; UINT32_MAX if nothing is sent. */
uint32_t fc_router_busiest(const fc_router_flows *flows);
/* The traffic.rate at which it is; infinity if nothing is sent. */
double fc_router_capacity(const fc_router_flows *flows);
/* A traffic.rate above which there is no steady state: the same, but where headers choose, however
 * they do. */
double fc_router_capacity_at_most(const fc_router_flows *flows);
/* That, by the links of nodes and the mean of the others. */
double fc_router_capacity_in_the_mean(const fc_router_flows *flows);

/* Parts of the latency of messages alone, named as the simulator names them. */
void fc_router_report_alone(const fc_router_flows *flows, const fc_routed *routed,
                            fc_result *result);
/* energy_per_flit and power, if the scenario has network.energy. */
void fc_router_report_energy(const fc_router_flows *flows, const fc_routed *routed,
                             fc_result *result);
/* Mean number of links between routers that a message crosses. */
double fc_router_hops(const fc_router_flows *flows);
/* Tables "channels" (utilisation, wait) and "nodes" (injection, ejection, source_wait,
 * ejection_wait); waits: of each link, or NULL. */
void fc_router_report_links(const fc_router_flows *flows, double rate, const double *waits,
                            fc_result *result);

#endif
