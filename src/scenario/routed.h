/* What a network of routers has beside its topology: timing, channels, buffers, traffic.
 *
 * Tori and meshes (torus.h) and the other topologies (fabric.h) share it, so that the router
 * simulator sees one kind of network. The idealised router of the papers routes a header, gives it
 * a virtual channel and sends it on in the cycle it arrives, and every virtual channel has its own
 * port of the crossbar. The pipelined one has stages, credits and allocators. */
#ifndef FC_SCENARIO_ROUTED_H
#define FC_SCENARIO_ROUTED_H

#include "scenario/classes.h"
#include "scenario/family.h"
#include "scenario/faults.h"
#include "scenario/profile.h"
#include "scenario/traffic.h"
#include "scenario/workload.h"

enum { FC_IDEALISED, FC_PIPELINED };                  /* network.router */
enum { FC_WORMHOLE, FC_SCOUTING, FC_CUT_THROUGH };    /* network.switching */
enum { FC_SAME_CYCLE, FC_NEXT_CYCLE, FC_WHEN_EMPTY }; /* network.handover */
enum { FC_ROUND_ROBIN, FC_OLDEST_FIRST };             /* network.arbitration */
enum { FC_IN_TURN, FC_DRAWN };                        /* network.injection_choice */
enum { FC_AT_FRONT, FC_AHEAD_BY_ONE };                /* network.decision */

/* The stages of a router, in the order a header passes them (network.router_delay). */
enum {
    FC_STAGE_ROUTING,    /* its next output is found; 0: known when it arrives */
    FC_STAGE_ALLOCATION, /* the header is given a virtual channel of the next link */
    FC_STAGE_SWITCH,     /* every flit: the switch is given to it */
    FC_STAGE_CROSSING,   /* every flit: from its buffer to the link */
    FC_ROUTER_STAGES,
};

enum { FC_DELAY_MAX = 100000 };  /* of a link, cycles */
enum { FC_BUFFER_MAX = 1024 };   /* network.buffer, flits */
enum { FC_NODES_MAX = 1 << 20 }; /* of a network */

typedef enum fc_process { FC_POISSON, FC_BERNOULLI, FC_ON_OFF } fc_process;
typedef struct fc_injection { /* traffic.injection */
    fc_process process;
    double on, off; /* on-off: mean cycles of a burst and of a silence, both geometric */
} fc_injection;
/* The rate in a burst over the mean rate. */
static inline double fc_burst_peak(const fc_injection *injection) {
    return injection->process == FC_ON_OFF ? (injection->on + injection->off) / injection->on : 1;
}

/* network.energy: in any unit of the user's; metrics have the same. */
typedef struct fc_energy {
    bool given;
    double buffer_write, buffer_read, crossbar; /* of a flit, in every router */
    double link;    /* of a flit, for each cycle of delay of a link between routers */
    double leakage; /* of a router, in every cycle */
} fc_energy;

/* What every network of routers has, the idealised one of the papers too. An fc_torus has these by
 * their own names as well (torus->buffer is torus->routed.buffer). */
#define FC_ROUTER_FIELDS                                                                           \
    int64_t virtual_channels; /* of a link */                                                      \
    int64_t buffer;           /* flits of a virtual channel; FC_INFINITE in the ideal router */    \
    int switching;            /* FC_WORMHOLE, FC_CUT_THROUGH; ideal router: FC_SCOUTING */         \
    int handover;             /* FC_NEXT_CYCLE, FC_WHEN_EMPTY; ideal router: FC_SAME_CYCLE */      \
    int64_t injection_channels, ejection_channels;                                                 \
    fc_faults faults;                                                                              \
    double rate; /* messages (requests, if there are replies) per node per cycle */                \
    int64_t message_flits;                                                                         \
    int64_t hot_node; /* derived: the one hot spot's node, or -1 */

typedef struct fc_routed {
    FC_ROUTER_FIELDS
    /* network */
    int router;               /* where network.router does not say it: by the other keys */
    const char *pipelined_by; /* derived: the key that makes the routers pipelined: network.router,
                                 or the first that only pipelined ones have; NULL: idealised */
    int64_t router_delay[FC_ROUTER_STAGES]; /* cycles */
    int64_t link_delay;          /* cycles from a router to the next, at least 1; the longest */
    fc_integer_list link_delays; /* of each kind of link, if they differ (link_kinds) */
    double link_width;           /* flits a cycle that a link between routers takes; the widest */
    fc_number_list link_widths;  /* of each kind of link, if they differ */
    int64_t node_delay;    /* cycles between a node and its router; the first one into the router is
                              not counted in the latency */
    int64_t credit_delay;  /* cycles beyond the link's until a freed slot is known upstream */
    int64_t input_speedup; /* flits a router takes from one input in a cycle: virtual channel v
                              uses crossbar port v mod input_speedup; FC_INFINITE: one for each
                              channel */
    double internal_speedup;  /* ticks of the routers' clock, in which router_delay counts, in a
                                 cycle */
    int64_t allocator_rounds; /* of the switch and channel allocators in a cycle */
    int arbitration;
    int injection_choice; /* of a virtual channel from a node into its router */
    int decision;         /* when a header compares queues */
    fc_energy energy;
    int preset;             /* network.preset: which; only read where it is given */
    int64_t concentration;  /* nodes of a router */
    int64_t reply_channels; /* the upper virtual channels carry replies; 0 without replies */
    /* traffic: open */
    fc_lengths lengths;
    fc_injection injection;
    fc_requests requests;    /* count 0: messages without replies */
    fc_profile *profile;     /* traffic.profile; NULL: the rate stays */
    fc_given_classes *given; /* traffic.classes; NULL: none. Ask fc_classes_of */
    int64_t outstanding;     /* requests of a node under way at most; FC_INFINITE */
    const fc_destinations *destinations;
    const fc_workload *workload; /* instead of rate, lengths, injection and destinations; or NULL */
    int64_t nodes;               /* derived */
    fc_integer_list digits;      /* derived: radices of the digits that patterns act on, the least
                                    significant first: of routers, `concentration` nodes each */
    fc_around around;            /* derived: the paths of a network with faults */
    bool channels_by_rule;       /* derived: network.channel_rule divides the virtual channels */
    const char *link_kinds;      /* derived: what kinds of links are told apart by: "dimension", and
                                    in these topologies how many there are; NULL: one kind */
    size_t link_kind_count;
    bool widths_differ;    /* derived: some links take more or less than a flit per cycle */
    bool adaptive;         /* derived: routing: adaptive; channels are taken as they are free */
    bool routes_by_queues; /* derived: the route of a message depends on the traffic */
} fc_routed;

/* Of a kind of link, from 0. */
static inline int64_t fc_routed_delay_of(const fc_routed *routed, size_t kind) {
    return routed->link_delays.count ? routed->link_delays.values[kind] : routed->link_delay;
}
static inline double fc_routed_width_of(const fc_routed *routed, size_t kind) {
    return routed->link_widths.count ? routed->link_widths.values[kind] : routed->link_width;
}

/* NULL: the family has no routers. */
const fc_routed *fc_scenario_routed(const fc_scenario *scenario);
/* Of open traffic: the duration of a workload, else the latency. */
const char *fc_routed_main_metric(const fc_routed *routed);
/* Flits of the longest message: message_flits, unless message_mix or requests replace it. */
int64_t fc_routed_longest_message(const fc_routed *routed);
/* Mean flits that a message brings, a request together with its reply. */
double fc_routed_message_flits(const fc_routed *routed, const fc_requests *requests);
/* FC_ERROR_UNSUPPORTED, naming the key that makes them so, if the routers are pipelined. For the
 * model called `who`, which covers that router only. */
fc_status fc_scenario_require_ideal(const fc_scenario *scenario, const char *who, fc_error *error);

#endif
