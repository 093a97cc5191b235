/* Links that are alike: one is solved, and stands for the others. Symmetric networks under
 * symmetric traffic have many: in a torus under uniform traffic all of a dimension, in a mesh four
 * of each. */
#ifndef FC_MODELS_ROUTER_ALIKE_H
#define FC_MODELS_ROUTER_ALIKE_H

#include "models/router/router_flows.h"

/* A movement between lanes that stand for others. */
typedef struct fc_alike_movement {
    fc_movement of; /* of the flows; from, to: lanes that stand for others */
    uint32_t pair; /* tells pairs of links apart that join the same two, but carry other messages */
} fc_alike_movement;

typedef struct fc_alike {
    uint32_t link_count, lane_count, movement_count;
    uint32_t *link_of, *lane_of; /* of the links and lanes of the flows: what stands for them */
    uint32_t *first_link, *first_lane; /* the other way: the first that each stands for */
    uint32_t *copies;                  /* links of the flows that each link stands for */
    fc_alike_movement *movements;
} fc_alike;

/* merges false: every link stands for itself. */
fc_status fc_router_alike_create(const fc_router_flows *flows, bool merges, fc_error *error,
                                 fc_alike **alike);
void fc_router_alike_free(fc_alike *alike); /* accepts NULL */

#endif
