/* How many virtual channels of one physical channel are busy: a Markov chain for two classes of
 * messages that share common channels and have reserved ones of their own.
 *
 * State: common channels busy, reserved channels of each class busy, messages of each class waiting
 * (at most FC_WAITING_MAX each; arrivals beyond are lost, which the result shows). A message takes
 * a common channel if one is free, else a reserved one of its class, else it waits. With n channels
 * busy a reserved channel of class i is given back at rate departure[i][n], a common one at
 * departure[0][n]. A freed reserved channel goes to a waiting message
 * of its class, a freed common one to either class in proportion to how many wait. */
#ifndef FC_QUEUEING_CHANNEL_OCCUPANCY_H
#define FC_QUEUEING_CHANNEL_OCCUPANCY_H

#include <stddef.h>

enum { FC_WAITING_MAX = 4 };

typedef struct fc_occupancy_chain fc_occupancy_chain;

/* common >= 0; reserved[2] >= 0 each, all three not 0. NULL if out of memory. */
fc_occupancy_chain *fc_occupancy_chain_create(int common, const int *reserved);
void fc_occupancy_chain_free(fc_occupancy_chain *chain);

typedef struct fc_occupancy_arrivals {
    double admitted[2]; /* arrival rate of a class while a channel is free for it */
    double blocked[2];  /* while none is */
} fc_occupancy_arrivals;

typedef struct fc_occupancy {
    double blocked[2];  /* time share in which no channel is free for the class */
    double reserved[2]; /* mean number of reserved channels busy */
    double cut;         /* time share in which a class has FC_WAITING_MAX waiting */
} fc_occupancy;

/* departure[class][1..channels]; busy[0..channels] receives the distribution of the busy channels,
 * work[0..channels] the rate at which channels are given back with n busy, times their probability.
 */
void fc_occupancy_solve(fc_occupancy_chain *chain, const fc_occupancy_arrivals *arrivals,
                        const double *const departure[2], double *busy, double *work,
                        fc_occupancy *occupancy);

#endif
