/* How many packets a cycle enter, leave and pass every node of hierarchical rings: exact for any
 * sizes and a hot station, from the traffic alone. */
#ifndef FC_NETWORK_RING_FLOWS_H
#define FC_NETWORK_RING_FLOWS_H

#include "base/status.h"
#include "scenario/rings.h"

typedef struct fc_ring_flow {
    double inserted; /* packets per cycle into the ring at this node ... */
    double load;     /* ... and on the link out of it */
} fc_ring_flow;

typedef struct fc_ring_flows {
    /* ring by ring from the first local ring up to the global one, position 0 first */
    fc_ring_flow *nodes;
    size_t count;
    double busiest[FC_RING_LEVELS]; /* largest share of full slots on a link of each level */
    double travel;                  /* mean links on the path of a packet */
} fc_ring_flows;

/* At a rate; all flows are proportional to it. Whole sizes only. */
fc_status fc_ring_flows_create(const fc_rings *rings, double rate, fc_error *error,
                               fc_ring_flows *flows);
void fc_ring_flows_free(fc_ring_flows *flows);

#endif
