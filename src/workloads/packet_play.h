/* A workload on a network whose packets move as wholes: an estimate of its duration.
 *
 * A packet of F flits asks for a virtual channel of its next link and, once it has one, for F
 * cycles of the link, first come first served. Behind a header that waits m links further on there
 * is room for m buffers of b flits, so that the tail crosses link i not before
 *
 *     start(i) + F   and   start(i + m) + F - m b   for every m with m b < F.
 *
 * The next packet takes the channel when the tail has crossed, and so late that it does not come
 * before the tail has left the buffer. So packets in small buffers block each other as they do in
 * the network. What is left out: flits of packets that share a link do not mix.
 *
 * Large workloads are played with pieces of several packets, the buffers made larger in proportion,
 * so that the work stays within a limit. */
#ifndef FC_WORKLOADS_PACKET_PLAY_H
#define FC_WORKLOADS_PACKET_PLAY_H

#include "network/router_network.h"
#include "workloads/critical_chain.h"
#include "workloads/work.h"

typedef struct fc_play {
    double duration;
    double *phase;  /* cycles a rank spends in each phase, on average */
    double *load;   /* outputs: flits */
    uint64_t piece; /* packets that were moved together */
    double moves;   /* of pieces over links */
    fc_critical_chain chain;
    bool stuck; /* pieces waited for each other for ever: there is no estimate */
} fc_play;

fc_status fc_play_work(const fc_router_network *network, const fc_routed *routed, uint64_t seed,
                       fc_error *error, fc_play *play);
void fc_play_clear(fc_play *play);

#endif
