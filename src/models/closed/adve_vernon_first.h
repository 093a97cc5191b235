/* Several node links: the wait for the first network channel depends on the class (equations
 * (24)-(26)). Private to adve_vernon.c. */
#ifndef FC_MODELS_ADVE_VERNON_FIRST_H
#define FC_MODELS_ADVE_VERNON_FIRST_H

#include "models/closed/adve_vernon_sweep.h"

/* w'(c|q) = (1 - b) idle + sum over (t, j) of b_tj tail_tj + b queue, where b_tj is the probability
 * that a message of class q finds the link busy with type j of message t. One per link. */
typedef struct fc_first_terms {
    double idle;  /* residual work of the other inputs, and what they block, link found idle */
    double queue; /* messages of other inputs blocked by the predecessor */
    double tail[FC_MESSAGES][FC_REQUEST_TYPES_MAX]; /* last flit of the predecessor, less a cycle */
} fc_first_terms;

typedef struct fc_first_waits {
    const fc_closed_paths *paths;
    const fc_closed_work *work;
    fc_first_terms *terms; /* per link; part of the unknowns of the fixed point */
    /* What does not depend on the header's wait; all per link or visit. */
    double *residual;                           /* request residual from the second flit on */
    double *visit_residual;                     /* the same for the replies of a class */
    double *rest[FC_MESSAGES];                  /* mean holding time from the second flit on */
    double *request_rest[FC_REQUEST_TYPES_MAX]; /* sums of F times it, requests, by type */
    double *visit_rest[FC_REQUEST_TYPES_MAX];   /* the same for the replies of a class */
    double *link_wait, *visit_wait;             /* w' of requests; of the replies of a class */
    double *reply_mean;                         /* scratch, per link */
    double *reply_busy[FC_REQUEST_TYPES_MAX];   /* scratch, per link */
    double *block;
} fc_first_waits;

fc_status fc_first_waits_create(const fc_closed_paths *paths, const fc_closed_work *work,
                                fc_first_waits *waits);
void fc_first_waits_release(fc_first_waits *waits);

/* To be called by the stations before each of their sweeps. */
void fc_first_waits_update(void *waits, fc_closed_stations *stations);

/* X F summed over the messages of a link times their header's time on it (w' + 1). */
void fc_first_waits_headers(const fc_first_waits *waits, const fc_closed_stations *stations,
                            double *headers[FC_MESSAGES]);

#endif
