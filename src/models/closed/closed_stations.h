/* The stations around the network in a closed system: processors, memories and the queued links
 * from the nodes into their switches. Shared by the closed models; equations (1) and (10)-(23) of
 * Adve and Vernon, Technical Report 1001b, 1993, as read in docs/theory/torus_closed.md.
 *
 * A model gives the times for which messages hold the node links and the times they spend in the
 * network; the stations compute the round-trip times. Their queues and the throughput are solved
 * together: a longer queue lowers N_out / R at once, so that every queue stays bounded however
 * crude the present estimate of the network is. Iterating network and stations together instead
 * runs into limit cycles near saturation.
 *
 * Symbols, and what they are called in the code:
 *
 *   N_out     requests a processor may have unanswered           work.outstanding
 *   tau       mean think time                                    work.think
 *   R         round trip: processor, network and memory          round_trip
 *   N_out/R   requests per cycle of a processor                  throughput
 *   E         efficiency, at most 1                              throughput * tau
 *   F         share of a node's messages to a destination        closed_paths.h
 *   r_node    residual time of a node link, times its use        link_residual,
 *                                                                link_request_residual
 *   j, j'     types of requests                                  types, share, flits
 *
 * A *class* is a set of nodes that are equal by symmetry (an orbit of closed_paths.h); a *visit* is
 * the use of a node link by the replies of a class, a *pair* a class and the memory it sends to. */
#ifndef FC_MODELS_CLOSED_STATIONS_H
#define FC_MODELS_CLOSED_STATIONS_H

#include "models/closed/closed_paths.h"
#include "registry/result.h"

enum { FC_REQUEST, FC_REPLY, FC_MESSAGES };

typedef struct fc_closed_work {
    double outstanding; /* N_out */
    double think;       /* tau, cycles */
    int processors;     /* traffic.processors */
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
    double processor_residual; /* mean remaining time of the service that an arrival finds */
    /* Constants of routing and traffic. */
    double *link_request_share; /* link: requests over it, per request of its owner */
    double *link_reply_share;   /* link: replies over it, sum of F over their classes */
    /* What the model provides. Residuals are time shares times mean remaining time, per unit of
     * throughput of the class that causes them. */
    double *network_fixed;         /* class: network time without the waits for node links */
    double *link_request_residual; /* link */
    double *link_hold[2];          /* link: mean time requests, replies hold it */
    double *link_spacing;          /* link: share of the replies' residual that replies see */
    double *visit_residual;        /* visit */
    /* Further waits that differ from class to class, or NULL; update, if any, is called before
     * each sweep and may change all of the above. */
    double *link_extra, *visit_extra;
    void (*update)(void *context, fc_closed_stations *stations);
    void *update_context;
    /* What the stations compute. */
    double *throughput;                                /* class: requests per cycle, N_out / R */
    double *round_trip, *processor, *network, *memory; /* class: cycles */
    double *rest;                                      /* class: network and memory */
    double *handling;      /* class: share of its time that a processor handles messages */
    double *link_wait;     /* link: of its owner's requests */
    double *visit_wait;    /* visit: of its class's replies */
    double *pair_work;     /* pair: mean wait at the memory times the busy time behind it */
    double *pair_wait;     /* pair: mean wait at the memory */
    double *link_residual; /* link: residual work of replies */
    double *link_queue;    /* link: replies waiting */
    double *link_found;    /* link: work of its owner's requests that a reply finds */
    double *pair_flow;     /* pair: requests per cycle of a sender */
    double *pair_part;     /* pair: of the requests of its class */
    double *block;
};

fc_status fc_closed_stations_create(const fc_torus *torus, const fc_closed_paths *paths,
                                    fc_closed_stations **stations);
void fc_closed_stations_free(fc_closed_stations *stations);

/* The first guess, and with `outstanding` requests per processor. */
void fc_closed_stations_start(fc_closed_stations *stations, double outstanding);

/* Sweeps from the present state until R and its parts change by less than tolerance (relative).
 * With any but the finest tolerance only a few sweeps are made: more would be wasted while the
 * equations of the network are not solved either. */
void fc_closed_stations_solve(fc_closed_stations *stations, double tolerance);

/* `outstanding` requests at the throughput found for fewer: the round trips of Little's law, and
 * network times that leave the processors and memories theirs. What that adds is spent in front of
 * the node links. */
void fc_closed_stations_obey_little(fc_closed_stations *stations, double outstanding);

/* Equation (18), with tau instead of tau - 1 because the service is memoryless: the remaining time,
 * when the tail arrives, of the service that an arriving header finds. */
double fc_closed_published_residual(const fc_closed_work *work);

/* The tolerance to use while the residual of the network's equations is this large (in cycles): a
 * finer one would be wasted. */
double fc_closed_tolerance(double residual);
double fc_closed_distance(const double *x, const double *y, size_t size); /* largest |x - y| */

#endif
