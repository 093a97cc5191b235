/* Minimal paths of headers through a torus under uniform traffic: how far they go, how many
 * dimensions they can choose from, how long they look for a free path.
 *
 * A lattice point is the vector of hops left in each dimension; its number is the sum of
 * hops[i] * stride[i], so that a point one hop further has a smaller number. */
#ifndef FC_MODELS_SCOUTING_PATHS_H
#define FC_MODELS_SCOUTING_PATHS_H

#include "base/status.h"
#include "scenario/torus.h"

enum { FC_LATTICE_MAX = 1 << 18 }; /* points */

typedef struct fc_scouting_paths {
    size_t dimensions;
    size_t half[FC_LIST_MAX];   /* longest hops in a dimension */
    size_t stride[FC_LIST_MAX]; /* of the lattice */
    size_t points;
    double *chance[FC_LIST_MAX]; /* [half + 1]: P(that many hops), source itself not excluded */
    double self;                 /* P(destination = source) in those chances */
    double hops[FC_LIST_MAX];    /* mean, destination != source */
    double distance;             /* mean, all dimensions */
    double *spread;              /* [longest + 1]: P(distance), destination != source */
    size_t longest;
    /* per dimension: share of its hops made with m dimensions to choose from; [dimensions + 1] */
    double *choices[FC_LIST_MAX];
    double straight; /* P(a hop goes on in the dimension of the one before) */
    /* work space of the searches: [points] each */
    double *weight, *found, *effort;
} fc_scouting_paths;

fc_status fc_scouting_paths_create(const fc_torus *torus, fc_error *error,
                                   fc_scouting_paths **paths);
void fc_scouting_paths_free(fc_scouting_paths *paths);

/* A header that finds no free path waits until one opens. Every channel of dimension i is full with
 * probability full[i], independently; it then stays full for a time t with probability
 * (1 - t/hold)^channels. A path exists at time t with the probability of directed percolation in
 * which channels are full with the reduced probability, taken as independent beyond each node. */
typedef struct fc_search {
    double wait;   /* mean time until a path exists, cycles */
    double none;   /* P(there is none at once) */
    double astray; /* mean links a depth-first header enters in vain */
} fc_search;

fc_search fc_scouting_search(fc_scouting_paths *paths, const double *full, double channels,
                             double hold);

#endif
