/* Classes of messages in the model of routers: who sends what to whom along chains of answers, the
 * memories on their way, and what going first changes of a wait. */
#ifndef FC_MODELS_ROUTER_CLASSES_H
#define FC_MODELS_ROUTER_CLASSES_H

#include "models/router/router_flows.h"

/* Where classes have names: fills flows->kind_rate, from the classes that nodes generate on through
 * all that answer them. */
fc_status fc_class_flows_create(const fc_routed *routed, fc_router_flows *flows, fc_error *error);
void fc_class_flows_free(fc_router_flows *flows);

/* The wait of a class at a link over that of first come, first served (Mandal et al., Analytical
 * performance models for NoCs with multiple priority traffic classes, ACM TECS 2019, use the same
 * queues). With l messages per cycle of M flits of each class, s the load of the classes before it
 * and S of those and its own,
 *
 *   W = R / ((1 - s) (1 - S)) + (m + 1/2) s / (1 - s)
 *   R = sum over these classes of l M^2 / 2
 *
 * m = M - 1: flits of classes that go first come between its own. Where a message holds the link
 * from header to tail, m = 0, and those that go after it add l M (M - 1) / 2 to R: the rest of one
 * that is under way. Arrivals are counted in cycles; with continuous time the half and the 1 would
 * not be there. rate: traffic.rate. */
double fc_class_wait_ratio(const fc_routed *routed, const fc_router_flows *flows, uint32_t link,
                           size_t kind, double rate);

/* The memories of a network, at traffic.rate = 1. */
typedef struct fc_memory_load {
    double requests; /* per cycle, all together */
    double use;      /* of the busiest */
} fc_memory_load;

bool fc_class_memories(const fc_routed *routed);
/* wait: mean of a request at this rate, infinite if one is overloaded. */
fc_memory_load fc_class_memory_load(const fc_routed *routed, const fc_router_flows *flows,
                                    double rate, double *wait);

/* The traffic.rate at which the busiest memory is occupied all the time; infinity: there are none.
 */
double fc_class_memory_limit(const fc_routed *routed, const fc_router_flows *flows);

#endif
