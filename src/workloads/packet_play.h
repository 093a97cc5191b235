/* A workload on a network whose packets move as wholes: an estimate of its duration.
 *
 * A packet of F flits asks for a virtual channel of its next link and, once it has one, for F
 * cycles of the link (more of a narrow one), first come first served. Where the buffer of a channel
 * holds b flits and their credits take a loop of c cycles with c > b, flits follow each other in
 * groups of b, one in each loop: the packet crosses in
 *
 *     T(F) = floor((F - 1) / b) c + (F - 1) mod b + 1   cycles,
 *
 * and leaves gaps for the flits of others. Behind a header that waits m links further on there is
 * room for m buffers, so that the tail crosses link i not before
 *
 *     start(i) + T(F)   and   start(i + m) + T(F - m b)   for every m with m b < F,
 *
 * nor before it has come over the link before. The next packet takes the channel when the tail has
 * crossed and, if the packet filled the buffer, a slot of it is known to be free; and so late that
 * it does not come before the tail has left the buffer and the next header's stages have passed. So
 * packets in small buffers block each other as they do in the network. A node sends as many packets
 * at once as its link has channels for, and their flits take turns. What is left out: further on,
 * flits of packets that share a link do not mix.
 *
 * Where routing goes by queues, a header compares them when it comes to a router, as far as links
 * are known to be busy.
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
