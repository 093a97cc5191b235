/* What no network can beat: the longest chain of messages that wait for each other, alone in the
 * network; the flits of the busiest link, of the node that sends most and of the one that receives
 * most. */
#ifndef FC_WORKLOADS_WORK_BOUNDS_H
#define FC_WORKLOADS_WORK_BOUNDS_H

#include "network/router_network.h"
#include "workloads/critical_chain.h"
#include "workloads/work.h"

enum { FC_BOUND_CHAIN, FC_BOUND_LINK, FC_BOUND_INJECTION, FC_BOUND_EJECTION, FC_BOUNDS };
extern const char *const fc_bound_names[FC_BOUNDS];

typedef struct fc_work_bounds {
    double cycles[FC_BOUNDS];
    int largest;   /* of them */
    uint32_t link; /* the busiest output; UINT32_MAX: headers choose, and it may be any */
    uint32_t sender, receiver; /* nodes */
    fc_critical_chain chain;   /* the longest one */
    double *phase_alone; /* cycles a rank spends in each phase, on average, if messages are alone;
                            freed by fc_work_bounds_clear */
} fc_work_bounds;

fc_status fc_work_bounds_find(const fc_router_network *network, const fc_routed *routed,
                              uint64_t seed, uint32_t replication, fc_error *error,
                              fc_work_bounds *bounds);
void fc_work_bounds_clear(fc_work_bounds *bounds);
double fc_work_bound(const fc_work_bounds *bounds); /* the largest */
/* "The bound is the busiest link, 3 to 4." */
void fc_work_bounds_text(const fc_work_bounds *bounds, const fc_router_network *network,
                         size_t size, char *text);
/* A workload of more messages than this has no bounds: they would take longer than the answer is
 * worth. */
#define FC_BOUNDED_MESSAGES_MAX 2e7

#endif
