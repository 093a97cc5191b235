/* Minimal routes, detours over a router drawn at random (Valiant), and the choice between them: the
 * common routing of dragonflies, HyperX and Slim Fly networks.
 *
 * A message on a detour first goes to the intermediate router or group of the detour, its *middle*;
 * from there, or from the start if it takes no detour, it takes a minimal route. An undecided
 * message takes a minimal route and may still change to a detour: at its first router (UGAL) or
 * also later (progressive).
 *
 *   minimal               never a detour
 *   valiant               always a detour
 *   ugal-local, -global   decided by the queues at its first router (Singh, 2005)
 *   progressive-adaptive  the same, decided again at every router where `undecided_at` holds
 *                         (Jiang, Kim, Dally, ISCA 2009)
 *
 * So that messages cannot wait for each other in a circle, the virtual channels are divided into
 * layers, through which a message only rises: by one at each event that the topology names. */
#ifndef FC_NETWORK_ROUTER_DETOUR_H
#define FC_NETWORK_ROUTER_DETOUR_H

#include "network/router_wiring.h"
#include "scenario/fabric.h"

/* When a message rises by a layer. */
enum {
    FC_RISE_LINK = 1,   /* before every link but the first */
    FC_RISE_GLOBAL = 2, /* before a link between groups */
    FC_RISE_MIDDLE = 4, /* where a detour has reached its middle */
    FC_RISE_LEAVE = 8,  /* where a minimal path is left for a detour, but not at the first router */
    FC_RISE_DETOUR = 16, /* the same, at the first router, too, if queues decide */
};

/* Of routers `at` and `to`, which are not the same. */
typedef struct fc_detour_topology {
    uint32_t rises;    /* mask of the events above */
    bool direct_above; /* UGAL: messages that take no detour begin in the layer after the detour */
    /* The first of the outputs on minimal routes, and how many successive ones there are. draw: the
     * number that was drawn for the message, below `draws`. */
    uint32_t (*step)(const fc_router_network *network, uint32_t at, uint32_t to, uint32_t draw,
                     uint32_t *count);
    /* The length of the minimal route, as it counts in comparisons of queues. */
    uint32_t (*weight)(const fc_router_network *network, uint32_t at, uint32_t to);
    /* Whether a message on a detour over `middle` has reached it. */
    bool (*reached)(const fc_router_network *network, uint32_t at, uint32_t middle);
    /* Whether an undecided message may still change to a detour here; NULL: everywhere. */
    bool (*undecided_at)(const fc_router_network *network, uint32_t at, uint32_t to);
    /* The middle that a message at router `at` uses if `middle` was drawn; NULL: that one. */
    uint32_t (*middle_from)(const fc_router_network *network, uint32_t at, uint32_t to,
                            uint32_t middle);
    bool (*is_global)(const fc_router_network *network, uint32_t output); /* NULL: none is */
} fc_detour_topology;

/* The first member of the private data of a topology with detours. */
typedef struct fc_detour {
    const fc_detour_topology *kind;
    uint32_t rises;   /* those of its kind that count */
    int routing;      /* FC_ROUTE_MINIMAL ... */
    uint32_t middles; /* detours lead over router 0, middle_step, ... */
    uint32_t middle_step;
    uint32_t draws; /* how many numbers a message may draw in addition, for `step` */
    fc_layers layers;
    bool eject_by_layer; /* into the node, too, messages stay in their layer */
} fc_detour;

/* What a topology with detours is made of. */
typedef struct fc_detour_plan {
    void *topology; /* its own data, which begin with a filled fc_detour */
    void (*release)(void *topology);
    uint32_t routers, links;
    uint32_t hosts; /* nodes of a router: those of router 0 first, then those of 1, ... */
    /* All links, ascending by the router they leave. */
    void (*list_links)(const fc_fabric *fabric, const void *topology, fc_router_link *link);
} fc_detour_plan;

/* Wires the network and gives it its routing. It owns the plan's topology from then on; if it
 * cannot be made, that is released. */
fc_status fc_detour_build(const fc_fabric *fabric, const fc_routed *routed,
                          const fc_detour_plan *plan, fc_error *error, fc_router_network **network);

#endif
