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

/* What lies ahead of a header. */
typedef struct fc_outlook {
    double found;   /* P(there is a free path) */
    double opens;   /* rate at which one comes to be, in units of that at which a channel opens */
    double astray;  /* links entered in vain by a depth-first search */
    double entered; /* the same of a search that finds no path */
    double held;    /* cycles for which that search holds them, all together */
    double stuck;   /* P(that search cannot leave at all) */
} fc_outlook;

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
    double straight;   /* P(a hop goes on in the dimension of the one before) */
    double *weight;    /* [points]: P(a message starts there) */
    fc_outlook *ahead; /* [points]: work space of the searches */
} fc_scouting_paths;

fc_status fc_scouting_paths_create(const fc_torus *torus, fc_error *error,
                                   fc_scouting_paths **paths);
void fc_scouting_paths_free(fc_scouting_paths *paths);

/* Every channel of dimension i is full with probability full[i]. A header that finds no free path
 * waits until one opens; a full channel has V holders of the holding time `hold`, each at a random
 * point of it. Channels are independent, except in one dimension, where all but the messages that
 * start there came over the link before: then a link behind a free one is full only if not all its
 * holders did. Waits are exponential with a mean that depends on where the message goes. */
typedef struct fc_search {
    double none;   /* P(there is no path at once) */
    double wait;   /* until a path exists, cycles, mean over all headers */
    double square; /* mean square of that */
    double detour; /* until a searching header comes by where it opened, cycles */
    double held;   /* links times cycles that searches hold during the wait */
    double astray; /* links entered in vain by the search that finds the path */
} fc_search;

fc_search fc_scouting_search(fc_scouting_paths *paths, const double *full, double channels,
                             double hold);

#endif
