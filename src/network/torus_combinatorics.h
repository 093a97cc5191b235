/* What dimension-order routing under uniform traffic looks like, by exact counting over all pairs
 * of nodes: how far messages go in each dimension, where they turn and end.
 *
 * Radices are given in the order in which the dimensions are travelled. Sums over the
 * combinations of hops (the way Najaf-abadi and Sarbazi-azad write these probabilities) collapse
 * because the offsets of a uniform destination in the dimensions are independent but for the one
 * excluded case in which all are zero; the closed forms here are those sums, and the tests check
 * both against each other and against enumeration. */
#ifndef FC_NETWORK_TORUS_COMBINATORICS_H
#define FC_NETWORK_TORUS_COMBINATORICS_H

#include <stdbool.h>
#include "scenario/torus.h"

/* The radices in the order of travel; dimensions with a single node, which no message crosses, are
 * left out. */
fc_integer_list fc_travel_order(const fc_torus *torus);

/* ---- one dimension of a torus or mesh ---- */

typedef enum fc_path_kind { FC_UNIDIRECTIONAL_RING, FC_BIDIRECTIONAL_RING, FC_LINE } fc_path_kind;

/* Shortest paths within one dimension between two random digits (which may be equal). Channels and
 * shares are those of one direction, the one in which digits grow; the other is its mirror image.
 */
typedef struct fc_ring_paths {
    fc_path_kind kind;
    int64_t radix;
    int64_t channels;       /* of one direction: radix, in a line one less */
    int64_t longest;        /* hops of the longest path */
    int directions;         /* 1 or 2 */
    double crossed;         /* P(the digits differ) */
    double mean_hops;       /* of a message, both directions */
    double hops;            /* of a message over a channel, if there are as many messages as nodes:
                               the load of a channel per rate of a node, mean over the channels */
    double hops_if_crossed; /* mean hops given that the digits differ */
    double ahead;           /* mean hops still ahead after a random hop, in this dimension */
} fc_ring_paths;

fc_ring_paths fc_ring_paths_of(int64_t radix, fc_path_kind kind);
/* P(s hops, given that the digits differ). */
double fc_ring_distance(const fc_ring_paths *paths, int64_t s);
/* Load of the channel out of digit `position` over the mean of all. */
double fc_ring_load(const fc_ring_paths *paths, int64_t position);
/* Share of the messages on the channel out of digit `position` whose destination digit is larger,
 * so that they have no wrap-around ahead. */
double fc_ring_no_wrap_ahead(const fc_ring_paths *paths, int64_t position);
/* Share of the messages on that channel which have crossed the wrap-around channel before. */
double fc_ring_wrapped(const fc_ring_paths *paths, int64_t position);

/* ---- tori, whose dimensions are all of one kind of ring ---- */

/* Hops of a message, all dimensions. */
double fc_torus_mean_hops(const fc_integer_list *radix, fc_path_kind kind);
/* P(its first hop is in dimension i). */
double fc_torus_first_in(const fc_integer_list *radix, size_t i);
/* P(a message on a random channel of dimension i is at its destination after it). */
double fc_torus_ends_after_hop(const fc_integer_list *radix, fc_path_kind kind, size_t i);
/* Mean hops in dimension j of a message that crosses i < j; for j = i: after its first one there.
 * The same holds given that its first hop is in i. */
double fc_torus_hops_ahead(const fc_integer_list *radix, fc_path_kind kind, size_t j, size_t i);

#endif
