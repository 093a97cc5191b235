/* What the models of hierarchical rings share: the loads of the rings, which follow from the
 * traffic alone, and how the delay of a packet is put together from the waits that a model
 * supplies. */
#ifndef FC_MODELS_RING_DELAYS_H
#define FC_MODELS_RING_DELAYS_H

#include "registry/method.h"
#include "scenario/rings.h"

typedef enum fc_ring_way {
    FC_RING_SEND, /* from a station, at the source */
    FC_RING_UP,   /* from a ring into the one above */
    FC_RING_DOWN, /* from a ring into the one below */
} fc_ring_way;

/* A queue, and the ring that it feeds. */
typedef struct fc_ring_queue {
    fc_ring_way way;
    size_t level;    /* of that ring */
    double load;     /* share of the slots that are full on the link behind the queue */
    double inserted; /* packets per cycle out of the queue */
} fc_ring_queue;

/* Ticks from joining the queue until entering the ring. A queue at a crossing counts the step from
 * the ring into the queue, so it is at least 1; infinity: the queue grows for ever. */
typedef double (*fc_ring_wait_function)(const fc_rings *rings, double rate,
                                        const fc_ring_queue *queue);

/* What a packet waits and travels on average, at so many packets per station and cycle, of which a
 * share joins the queue of its station; the others find a slot at once. */
typedef struct fc_ring_delay {
    double busiest;                   /* share of full slots on the busiest link; 1: saturated */
    double station, up, down, travel; /* ticks; station: of those that queue there */
    double use[FC_RING_LEVELS];       /* share of full slots */
} fc_ring_delay;
fc_ring_delay fc_ring_delay_alike(const fc_rings *rings, double rate, double queued,
                                  fc_ring_wait_function wait);

/* The waits of ring-trains. */
double fc_ring_trains_wait(const fc_rings *rings, double rate, const fc_ring_queue *queue);

/* The hooks `suits` and `covers` of every ring model of open traffic. */
bool fc_ring_suits_open(const fc_scenario *scenario);
fc_status fc_ring_covers(const fc_scenario *scenario, fc_error *error);

/* What of it does not depend on the traffic. */
fc_status fc_ring_covers_network(const fc_rings *rings, fc_error *error);

/* The `unlike` hook: `make validate` draws what the paper has. */
const char *fc_ring_unlike(const fc_scenario *scenario);

/* Solves for the scenario with the given waits and fills the result. */
fc_status fc_ring_solve(const fc_scenario *scenario, fc_ring_wait_function wait, fc_error *error,
                        fc_result *result);

/* The `saturation` hook of every ring model: the loads are exact, so all agree. */
fc_status fc_ring_saturation(const fc_scenario *scenario, void *prepared, fc_error *error,
                             double *load);

#endif
