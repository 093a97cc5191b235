/* A channel shared by messages that may be slower elsewhere: how many there are, and how slow it
 * makes one more.
 *
 * Slowness is cycles per flit, on the grid 1, 1 + 1/12, ... : FC_SLOWNESS_STEPS to the unit, which
 * holds halves, thirds and quarters. A distribution is an array of P(slowness <= level). */
#ifndef FC_MODELS_SCOUTING_CHANNELS_H
#define FC_MODELS_SCOUTING_CHANNELS_H

#include <stdbool.h>
#include <stddef.h>

enum { FC_SLOWNESS_STEPS = 12, FC_SCOUTING_SHARERS_MAX = 64 };
enum { FC_SLOWNESS_LEVELS = (FC_SCOUTING_SHARERS_MAX - 1) * FC_SLOWNESS_STEPS + 1 };

static inline double fc_slowness_at(size_t level) {
    return 1 + (double)level / FC_SLOWNESS_STEPS;
}

/* Mean of a distribution over the first `levels`. */
double fc_slowness_mean(const double *within, size_t levels);

/* A network channel with V virtual channels. A message that is alone on it draws `pace` flits a
 * cycle, n of them min(1, n pace). Messages come faster to an emptier channel, in proportion to
 * preference(n). To a full one come only those that wait: a share `retaken` of its virtual channels
 * goes to them as soon as it is free. The rate of the others is such that the channel carries
 * `load` flits a cycle. */
typedef struct fc_channel_use {
    double met[FC_SCOUTING_SHARERS_MAX]; /* P(n others on it when a message joins), n < V */
    double full;                         /* P(all V are held) */
    double mean;                         /* held, on average */
} fc_channel_use;

typedef struct fc_channel_demand {
    double load, pace, retaken;
    const double *choices; /* [m]: share of the arrivals that pick it from m channels by their
                              number of free virtual channels, m = 1..most */
    size_t most;
    double mean_others; /* virtual channels held on the others */
} fc_channel_demand;

/* channels: V. False if the channel cannot carry the load. */
bool fc_channel_use_solve(int channels, const fc_channel_demand *demand, fc_channel_use *use);

/* The link between a node and its switch: V messages at a time, the others queue. rate: messages a
 * cycle; services[n]: cycles a message takes while n are served, n = 1..V. False if it cannot carry
 * the load. */
typedef struct fc_node_link {
    double met[FC_SCOUTING_SHARERS_MAX]; /* as above; those that had to queue join V-1 others */
    double queue;                        /* messages that wait, if service times were exponential */
    double waits;                        /* P(a message has to queue) */
    double busy;                         /* rate as a share of the most it can carry */
} fc_node_link;

bool fc_node_link_solve(int channels, double rate, const double *services, fc_node_link *link);

/* met[] where n others hold a virtual channel -> met[] where each of them sends, with probability
 * `sending`. */
void fc_met_sending(double *met, int channels, double sending);

/* slowness[n], n = 1..V: of one of n holders, where beside[b] is that of one beside b others that
 * send, and each of them sends with probability `sending`. */
void fc_slowness_beside(const double *beside, int channels, double sending, double *slowness);

/* within[l] = P(slowness that one more message finds <= level l), beside n others with probability
 * met[n]. elsewhere: slowness of the others over the rest of their paths, as they would choose it;
 * the share of time at a level is weighted by it. By max-min fairness a rate x is had if the others
 * leave it: n_fast x + n_slow E[their rate | slower than x] <= 1 - x, n_fast binomial.
 * beside[n], unless NULL: mean slowness of a message that meets exactly n others here and is itself
 * as slow elsewhere as they are. */
void fc_sharing_slowness(const double *met, int channels, const double *elsewhere, size_t levels,
                         double *within, double *beside);

#endif
