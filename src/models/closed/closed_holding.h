/* How long messages hold channels and node links, in two moments, along the trees of paths. Private
 * to closed_two_moment.c. */
#ifndef FC_MODELS_CLOSED_HOLDING_H
#define FC_MODELS_CLOSED_HOLDING_H

#include "models/closed/closed_stations.h"

/* Mean over the request types of a message's holding time, its square, and the last flit's time. */
typedef struct fc_holding {
    double time, square, last;
} fc_holding;

typedef struct fc_edge_load { /* what enters a channel over one edge */
    double flow;              /* messages per cycle */
    double busy;              /* flow times mean holding time: the time share of the channel */
    double square;            /* flow times mean squared holding time */
    double last;              /* flow times mean time of the last flit */
    double flits;             /* per cycle */
} fc_edge_load;

typedef struct fc_holding_sums {
    const fc_closed_paths *paths;
    const fc_closed_work *work;
    /* in, per edge */
    double *header;      /* time of a header on the channel the edge leaves */
    double *companion;   /* use of that channel's link by its companion */
    double *variance;    /* of the wait for the channel it enters */
    double *wait;        /* mean of it */
    double *correlation; /* how much longer it is for a header that had to wait before */
    /* out */
    fc_edge_load *edge;
    fc_holding *link_request; /* per link: sums of F times the holding of it by requests */
    fc_holding *visit;        /* per visit: the same for the replies of the class */
    /* scratch: the path from the present vertex to the root */
    struct fc_holding_step *step;
    double *block;
} fc_holding_sums;

fc_status fc_holding_sums_create(const fc_closed_paths *paths, const fc_closed_work *work,
                                 fc_holding_sums *sums);
void fc_holding_sums_release(fc_holding_sums *sums);

/* Fills link_request and visit, and per class the network time without the wait for the node link.
 * Per leaf, where the arrays are given, the same for its requests and replies. */
void fc_holding_sums_links(fc_holding_sums *sums, double *network_fixed, double *leaf_request,
                           double *leaf_reply);

/* Fills edge for the throughputs of the classes. */
void fc_holding_sums_edges(fc_holding_sums *sums, const double *throughput);

#endif
