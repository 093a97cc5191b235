/* Networks of routers that are not tori or meshes: butterflies, fat trees, dragonflies, HyperX and
 * Slim Fly networks, graphs from a file. Always simulated with the router simulator. */
#ifndef FC_SCENARIO_FABRIC_H
#define FC_SCENARIO_FABRIC_H

#include "scenario/routed.h"

/* Every topology of this family: its number, the name of its descriptor (fc_fabric_NAME, in a file
 * of src/network/), its word in a scenario. Measured cases name topologies by number, so that a new
 * one is added at the end. */
#define FC_FABRIC_LIST(X)                                                                          \
    X(FC_FLY, fly, "fly")                                                                          \
    X(FC_FAT_TREE, fat_tree, "fat-tree")                                                           \
    X(FC_GRAPH, graph, "graph")                                                                    \
    X(FC_DRAGONFLY, dragonfly, "dragonfly")                                                        \
    X(FC_HYPERX, hyperx, "hyperx")                                                                 \
    X(FC_FLATTENED_BUTTERFLY, flattened_butterfly, "flattened-butterfly")                          \
    X(FC_SLIM_FLY, slim_fly, "slim-fly")                                                           \
    X(FC_GPU_CLUSTER, gpu_cluster, "gpu-cluster")

#define FC_FABRIC_NUMBER(id, symbol, word) id,
enum { FC_FABRIC_LIST(FC_FABRIC_NUMBER) FC_FABRIC_TOPOLOGIES }; /* network.topology */
#undef FC_FABRIC_NUMBER

/* network.routing; which of them a topology has: its descriptor. */
enum {
    FC_ROUTE_DESTINATION, /* fly, fat tree: outputs by the destination's digits */
    FC_ROUTE_RANDOM,      /* the same, free choices drawn for each message */
    FC_ROUTE_ADAPTIVE,    /* the same, free choices as channels are free */
    FC_ROUTE_MINIMAL,     /* a shortest path */
    FC_ROUTE_UP_DOWN,     /* graph: over the order of a spanning tree, cannot deadlock */
    FC_ROUTE_VALIANT,     /* over a router or group drawn at random */
    FC_ROUTE_UGAL_LOCAL,  /* minimal or valiant, by the queues of the source's router */
    FC_ROUTE_UGAL_GLOBAL, /* the same, by the queues of the whole path */
    FC_ROUTE_PROGRESSIVE, /* as ugal-local, and a minimal path may still be left later */
    FC_ROUTE_ANCA,        /* fat tree: of two drawn links up the one with the shorter queue */
};

enum { FC_ABSOLUTE, FC_RELATIVE, FC_CIRCULANT }; /* network.arrangement */
enum { FC_OVER_GROUP, FC_OVER_ROUTER };          /* network.intermediate */
enum { FC_QUEUES_ROUTER, FC_QUEUES_LINK };       /* network.queues */
enum { FC_EJECT_ANY, FC_EJECT_LAYER };           /* network.ejection_choice */
enum { FC_TIES_SPREAD, FC_TIES_FIRST };          /* network.ties */
enum { FC_ONE_PATH, FC_BY_HASH, FC_BY_CHOICE };  /* network.multipath */
enum { FC_PORTS_NEAREST, FC_PORTS_SPREAD };      /* network.port_choice */

/* A graph's file (network.file), as read: routers and nodes are numbered from 0 without gaps. */
typedef struct fc_graph_link {
    uint32_t from, to;             /* routers */
    uint32_t delay;                /* cycles */
    double width;                  /* flits per cycle; 0: 1 */
    double nanoseconds, bandwidth; /* with units, the second in bytes per nanosecond; 0: without */
    uint32_t line;
} fc_graph_link;
typedef struct fc_graph {
    char file[FC_PATH_SIZE];
    uint64_t checksum;
    uint32_t routers, nodes, ports, links;
    uint32_t *router_of_port; /* ports of nodes, those of node 0 first */
    uint32_t *first_port;     /* nodes + 1 */
    double *place;            /* routers: x and y; NULL: not given */
    uint64_t converted;       /* hash of what units became; 0: there are none */
    fc_graph_link *link;      /* links, one for each direction */
} fc_graph;

/* network.extra_links: cables beside those of the file. */
enum { FC_EXTRA_LINKS_MAX = 64 };
typedef struct fc_extra_link {
    int64_t from, to; /* routers */
    int64_t delay;    /* cycles; 0: as a link of the file between them, else network.link_delay */
} fc_extra_link;
typedef struct fc_extra_links {
    size_t count;
    fc_extra_link list[FC_EXTRA_LINKS_MAX];
} fc_extra_links;

/* Ways from a file (network.routes), as read. */
typedef struct fc_route_entry {
    uint32_t at, to, via; /* routers */
    uint32_t line;
} fc_route_entry;
typedef struct fc_given_route {
    uint32_t first, count; /* of the stops */
    uint32_t line;
} fc_given_route;
typedef struct fc_routes {
    char file[FC_PATH_SIZE];
    uint64_t checksum;
    fc_route_entry *entries;
    fc_given_route *routes;
    uint32_t *stops;                             /* routers */
    size_t entry_count, route_count, stop_count; /* entries and routes 0: no file */
} fc_routes;

enum { FC_CROSS_SPINE, FC_CROSS_INNER }; /* network.cross_rail */
typedef struct fc_gpu_cluster {
    int64_t nodes, gpus;       /* of a node */
    int64_t rails, leaf_nodes; /* 0: as many as there are GPUs; all nodes */
    int64_t spines;            /* 0: none */
    double inner_width;        /* flits of an inner link for one of a rail's; 0: 1 */
    double taper;              /* width below a leaf to that above it; 0: 1 */
    int cross_rail;
} fc_gpu_cluster;

typedef struct fc_fabric {
    int topology;
    int64_t arity;                   /* k: fly, fat-tree */
    int64_t levels;                  /* n: stages of a fly, levels of a fat tree */
    int64_t extra_stages;            /* fly: stages of random outputs before the n */
    fc_number_list oversubscription; /* fat-tree: links down for one up, from level 0 on */
    int64_t hosts;                   /* dragonfly: p, nodes of a router */
    int64_t group_size;              /* a, routers of a group */
    int64_t global_links;            /* h, of a router to other groups */
    int64_t groups;                  /* g */
    int arrangement;                 /* of the links between groups */
    int64_t global_delay;            /* cycles of a link between groups */
    int intermediate;                /* what a detour goes over */
    fc_integer_list shape, trunks;   /* hyperx: routers and parallel links along each dimension */
    fc_integer_list spacing;         /* cycles of a link for each position it spans; empty: none */
    int64_t q;                       /* slim-fly */
    int routing;
    int64_t bias; /* flits that a minimal path's queue may be longer before a detour is taken */
    int queues;   /* what the queue of an output is, for routing by queues */
    int ejection_choice;
    int kind; /* FC_OPEN */
    fc_gpu_cluster cluster;
    fc_graph graph;
    fc_extra_links extra_links;
    int ties;         /* graph: which of equally short paths is taken */
    int multipath;    /* graph: whether messages of a pair take several of them */
    int port_choice;  /* which ports of their nodes messages take */
    fc_routes routes; /* graph */
    fc_routed routed;
    fc_destinations destinations;
    fc_workload workload; /* traffic.workload, traffic.trace */
} fc_fabric;

extern const fc_family fc_fabric_family;

#endif
