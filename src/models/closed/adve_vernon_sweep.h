/* The flit times of the published model along the trees of paths. Private to adve_vernon.c. */
#ifndef FC_MODELS_ADVE_VERNON_SWEEP_H
#define FC_MODELS_ADVE_VERNON_SWEEP_H

#include "models/closed/closed_stations.h"

/* What is summed per edge: F and X F, of requests and replies. */
enum { FC_SHARE_REQUEST, FC_FLOW_REQUEST, FC_SHARE_REPLY, FC_FLOW_REPLY, FC_SUMS };

typedef struct fc_flit_times {
    const fc_closed_paths *paths;
    const fc_closed_work *work;
    size_t longest; /* flits of the longest message */
    /* in: per edge, header time on the channel it leaves; per edge, use of that channel's link by
     * the companion channel */
    double *header, *companion;
    /* out: per link, [k]: F-weighted sums of the time of flit k on the node link (k from 0) */
    double *link_flits[FC_MESSAGES];
    /* out: per edge, [k][FC_SUMS]: weighted sums of the time of flit k on the channel entered,
     * and the weights themselves */
    double *edge_flits, *edge_weight;
    /* scratch: the path from the present vertex to the root */
    double *heads, *sum_heads, *sum_companions, *weights;
    uint32_t *held;
    double *block;
} fc_flit_times;

fc_status fc_flit_times_create(const fc_closed_paths *paths, const fc_closed_work *work,
                               fc_flit_times *sums);
void fc_flit_times_release(fc_flit_times *sums);

/* Fills link_flits and, per class, the mean network time of its requests and replies without the
 * wait for the node link (equations (2), (3)). The header's time on the node link is included as it
 * stands in `header`. */
void fc_flit_times_links(fc_flit_times *sums, double *network_fixed);

/* Per leaf: mean network time of its requests, of its replies, without the wait for the node link;
 * the extra waits of the stations are added. */
void fc_flit_times_leaves(fc_flit_times *sums, const fc_closed_stations *stations, double *request,
                          double *reply);

/* Per visit: the sum over its messages of F times the sum over k of (time of flit k on the node
 * link) gain[link][k], k from 1 (the second flit) on if skip_header. */
void fc_flit_times_visits(fc_flit_times *sums, const double *gain, bool skip_header,
                          double *visit_sum);

/* Fills edge_flits and edge_weight for the throughputs of the classes (equations (7), (8)). */
void fc_flit_times_edges(fc_flit_times *sums, const double *throughput);

#endif
