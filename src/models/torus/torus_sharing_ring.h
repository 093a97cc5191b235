/* The rate that a worm can keep along a ring: the number of worms it meets changes from channel to
 * channel, because some leave and others join, and whenever that happens its share is drawn again.
 */
#ifndef FC_MODELS_TORUS_SHARING_RING_H
#define FC_MODELS_TORUS_SHARING_RING_H

#include "network/torus_combinatorics.h"
#include "queueing/rate_sharing.h"

typedef double fc_rate_row[FC_RATE_POINTS];

typedef struct fc_ring_survival_input {
    const fc_ring_paths *paths;
    int others;                /* most others met at a channel */
    const double *met;         /* [0..others]: P(m others at a channel), as a worm meets them */
    const fc_rate_row *shares; /* [0..others]: P(share >= x) beside m others */
    double leaving;            /* q: probability that a worm leaves the ring at a hop */
    double turning;            /* wt: probability that a worm met on the first channel was already
                                  met on the last channel before the turn */
} fc_ring_survival_input;

/* Doubles of scratch that fc_ring_survival needs. */
size_t fc_ring_survival_scratch(int64_t longest, int others);
/* crossing: P(a worm crossing the ring keeps rate x);
 * elsewhere[0..others]: P(a worm found on a channel with m others is allowed x by the other
 * channels of its path in the ring). */
void fc_ring_survival(const fc_ring_survival_input *input, double *scratch, double *crossing,
                      fc_rate_row *elsewhere);

#endif
