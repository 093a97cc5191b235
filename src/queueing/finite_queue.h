/* Single queues with Poisson arrivals: M/D/1 with and without a limit on its places, and the two
 * Erlang formulas. Loads are in Erlang (arrival rate times service time); times are in units of the
 * service time. */
#ifndef FC_QUEUEING_FINITE_QUEUE_H
#define FC_QUEUEING_FINITE_QUEUE_H

#include <stddef.h>
#include "flitcast/flitcast.h"

/* ---- M/D/1/K: L waiting places and one in service, arrivals that find K = L + 1 are lost ---- */

typedef struct fc_md1k {
    double empty;    /* p_0 */
    double blocking; /* p_K: share of arrivals lost; accurate to its last digits however small */
    double mean;     /* E[Q], waiting and in service */
    double waiting;  /* E[(Q - 1)^+], waiting only */
} fc_md1k;

/* Room for the recursion, so that a solver which asks many times allocates once. */
typedef struct fc_md1k_room fc_md1k_room;
fc_md1k_room *fc_md1k_room_create(size_t places_max); /* the largest L; NULL: out of memory */
void fc_md1k_room_free(fc_md1k_room *room);           /* accepts NULL */

/* load >= 0 (below, at or above 1), places = L <= places_max. Where probabilities is not NULL it
 * receives p_0 .. p_{L+1}. */
void fc_md1k_solve(fc_md1k_room *room, double load, size_t places, fc_md1k *queue,
                   double *probabilities);

/* ---- M/D/1: infinitely many places; load < 1, else infinite ---- */

double fc_md1_waiting(double load); /* E[(Q - 1)^+] */

#endif
