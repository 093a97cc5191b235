/* The memory that an engine needs, computed from the scenario alone, so that what is too large is
 * refused before anything is allocated. The topology says how many ports there are: exactly as
 * router_build.c counts them, or somewhat more. */
#include <math.h>
#include "simulators/router/router_simulator.h"

/* Bytes of a wheel for each event of a cycle. */
static double turn(double longest) {
    return (double)sizeof(uint64_t) * exp2(floor(log2(fmax(longest, 1))) + 1);
}

static double wheels(const fc_routed *routed, double link, double interval, double ports) {
    const int64_t *delay = routed->router_delay;
    const double through = (double)(delay[FC_STAGE_SWITCH] + delay[FC_STAGE_CROSSING]);
    const double channels = (double)routed->virtual_channels;
    const double crossbar_ports = routed->input_speedup == FC_INFINITE
                                      ? channels
                                      : fmin(channels, (double)routed->input_speedup);
    const double stages = channels * (turn((double)delay[FC_STAGE_ROUTING] + 1) +
                                      turn((double)delay[FC_STAGE_ALLOCATION]));
    const bool paced = routed->internal_speedup > 1 || interval > 1;
    const double behind = paced ? interval * channels * (double)routed->buffer : 0;
    const double speedup = ceil(fmax(routed->internal_speedup, 1));
    const double back = (double)(delay[FC_STAGE_SWITCH] + routed->credit_delay) + link;
    return ports * (turn(through + link + behind) + stages +
                    speedup * crossbar_ports * turn(back + (paced ? through + link + behind : 0)));
}

double fc_router_memory(const fc_routed *routed, const fc_router_extent *extent) {
    const double ports = (double)routed->nodes + extent->links;
    const double candidates =
        extent->candidates > 0 ? extent->candidates : fmin(2 * extent->outputs, FC_CANDIDATES_MAX);
    const double buffer = exp2(ceil(log2((double)routed->buffer)));
    const double channel = (double)(sizeof(fc_in_channel) + sizeof(fc_out_channel) +
                                    sizeof(fc_claim) + sizeof(fc_contest)) +
                           candidates * (double)sizeof(fc_route_candidate) +
                           buffer * (double)sizeof(uint32_t);
    return ports * (double)routed->virtual_channels * channel +
           wheels(routed, fmax(extent->longest_link, (double)routed->node_delay),
                  fmax(extent->slowest, 1), ports);
}
