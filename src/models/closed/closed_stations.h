/* What surrounds the network in a closed system: processors, memories and the queued links from the
 * nodes into their switches. Shared by the closed models; equations (1) and (10)-(23) of Adve and
 * Vernon, Technical Report 1001b, 1993, in the reading of docs/theory/torus_closed.md.
 *
 * A model tells how long messages hold the node links and how long they spend in the network; the
 * stations find the round-trip times. Their queues and the throughput are solved together: a longer
 * queue lowers N_out / R at once, so that every queue stays bounded however crude the present
 * estimate of the network is. Iterating everything at once instead runs into limit cycles near
 * saturation. */
#ifndef FC_MODELS_CLOSED_STATIONS_H
#define FC_MODELS_CLOSED_STATIONS_H

#include "models/closed/closed_paths.h"
#include "registry/result.h"

enum { FC_REQUEST, FC_REPLY, FC_MESSAGES };

typedef struct fc_closed_work {
    double outstanding; /* N_out */
    double think;       /* tau, cycles */
    size_t types;
    double share[FC_REQUEST_TYPES_MAX];
    size_t flits[FC_MESSAGES][FC_REQUEST_TYPES_MAX];
    double memory_reply[FC_REQUEST_TYPES_MAX];
    double memory_busy[FC_REQUEST_TYPES_MAX];
    /* derived */
    double mean_flits[FC_MESSAGES];
    double mean_reply;
    size_t longest;
} fc_closed_work;

typedef struct fc_closed_stations fc_closed_stations;

struct fc_closed_stations {
    const fc_closed_paths *paths;
    fc_closed_work work;
    double processor_residual; /* mean rest of the service an arrival finds */
    /* Constants of routing and traffic. */
    double *link_request_share; /* link: requests over it, per request of its owner */
    double *link_reply_share;   /* link: replies over it, sum of F over their classes */
    /* What the model provides. Residuals are time shares times mean remaining time, per unit of
     * throughput of the class that causes them. */
    double *network_fixed;         /* class: network time, node-link waits excepted */
    double *link_request_residual; /* link */
    double *link_hold[2];          /* link: mean time requests, replies hold it */
    double *link_spacing;          /* link: share of the replies' residual that replies see */
    double *visit_residual;        /* visit */
    /* Further waits that differ from class to class, or NULL; update, if any, is called before
     * each sweep and may change all of the above. */
    double *link_extra, *visit_extra;
    void (*update)(void *context, fc_closed_stations *stations);
    void *update_context;
    /* What they find. */
    double *throughput;                                /* class: requests per cycle, N_out / R */
    double *round_trip, *processor, *network, *memory; /* class: cycles */
    double *rest;                                      /* class: network and memory */
    double *link_wait;                                 /* link: of its owner's requests */
    double *visit_wait;                                /* visit: of its class's replies */
    double *pair_work;     /* pair: mean wait at the memory times the busy time behind it */
    double *pair_wait;     /* pair: mean wait at the memory */
    double *link_residual; /* link: residual work of replies */
    double *link_queue;    /* link: replies waiting */
    double *block;
};

fc_status fc_closed_stations_create(const fc_torus *torus, const fc_closed_paths *paths,
                                    fc_closed_stations **stations);
void fc_closed_stations_free(fc_closed_stations *stations);

/* Sweeps from the present state until R and its parts change by less than tolerance (relative); a
 * few times at most unless it is the finest: more would be wasted while the network's equations are
 * not solved either. */
void fc_closed_stations_solve(fc_closed_stations *stations, double tolerance);

/* (18), with tau instead of tau - 1 because the service is memoryless: what is left of the service
 * an arriving header finds when the tail is there. */
double fc_closed_published_residual(const fc_closed_work *work);

/* The tolerance to ask for while the network's equations are this far (in cycles) from solved:
 * finer would be wasted. */
double fc_closed_tolerance(double residual);
double fc_closed_distance(const double *x, const double *y, size_t size); /* largest |x - y| */

#endif
