/* Who sends to whom (traffic.destinations) in a network: for simulators as draws, for models as
 * probabilities. scenario/patterns/ defines each pattern. */
#ifndef FC_NETWORK_DESTINATIONS_H
#define FC_NETWORK_DESTINATIONS_H

#include "network/geometry.h"
#include "scenario/patterns/pattern.h"

/* destinations must outlive the traffic, shape need not. */
fc_status fc_traffic_create_over(const fc_destinations *destinations, const fc_traffic_shape *shape,
                                 fc_error *error, fc_traffic **traffic);
/* Of a torus or mesh with one node a router. */
fc_status fc_traffic_create(const fc_torus *torus, const fc_geometry *geometry, fc_error *error,
                            fc_traffic **traffic);
/* And those of the classes behind it. */
void fc_traffic_free(fc_traffic *traffic);

/* The traffic of a class of messages, from that of the first one; NULL: answers that go back. */
static inline const fc_traffic *fc_traffic_of_class(const fc_traffic *traffic, size_t number) {
    while (number-- > 0 && traffic)
        traffic = traffic->next;
    return traffic && traffic->pattern ? traffic : NULL;
}

/* Whether a node sends anything in this traffic. */
bool fc_traffic_sends(const fc_traffic *traffic, uint32_t node);

/* The destination of a message of a node that sends. Draws nothing for permutations. */
static inline uint32_t fc_traffic_draw(const fc_traffic *traffic, fc_random *random,
                                       uint32_t source) {
    if (traffic->image)
        return traffic->image[source];
    uint32_t drawn = traffic->pattern->draw(traffic, random, source);
    while (traffic->absent && traffic->absent[drawn])
        drawn = traffic->pattern->draw(traffic, random, source);
    return drawn;
}

/* The probability that a message of `source` is for `to`; 0 for a node that does not send. */
double fc_traffic_share(const fc_traffic *traffic, uint32_t source, uint32_t to);

#endif
