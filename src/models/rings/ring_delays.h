/* What the models of hierarchical rings share: the loads of the rings, which follow from the
 * traffic alone, and how the delay of a packet is put together from the waits that a model
 * supplies. */
#ifndef FC_MODELS_RING_DELAYS_H
#define FC_MODELS_RING_DELAYS_H

#include "registry/method.h"
#include "scenario/rings.h"

typedef struct fc_ring_loads {
    double local;         /* utilisation of each link of a local ring ... */
    double middle;        /* ... of a middle ring; 0 with two levels */
    double global;        /* ... of the global ring */
    double across_local;  /* packets per cycle each way between a local ring and the one above it */
    double across_middle; /* the same between a middle ring and the global ring */
} fc_ring_loads;

/* Ticks from joining a queue until entering the ring it feeds. A queue at a crossing counts the
 * step from the ring into the queue, so it is at least 1; infinity: the queue grows for ever. */
typedef struct fc_ring_waits {
    double station;     /* into the local ring, at the source */
    double up_middle;   /* from a local into the middle ring; three levels only */
    double up_global;   /* into the global ring */
    double down_middle; /* from the global into the middle ring; three levels only */
    double down_local;  /* into the local ring of the destination */
} fc_ring_waits;

typedef fc_ring_waits (*fc_ring_wait_function)(const fc_rings *rings, const fc_ring_loads *loads);

/* The `covers` hook of every ring model. */
fc_status fc_ring_covers(const fc_scenario *scenario, fc_error *error);

/* Solves for the scenario with the given waits and fills the result. */
fc_status fc_ring_solve(const fc_scenario *scenario, fc_ring_wait_function waits,
                        fc_result *result);

/* The `saturation` hook of every ring model: the loads are exact, so all agree. */
fc_status fc_ring_saturation(const fc_scenario *scenario, void *prepared, fc_error *error,
                             double *load);

#endif
