/* A channel shared by messages, each of which may be limited by another channel of its path: the
 * number of messages that share it, and how slow one more message is then.
 *
 * Slowness is measured in cycles per flit, on the grid 1, 1 + 1/12, ...: with FC_SLOWNESS_STEPS =
 * 12 steps in a unit, halves, thirds and quarters are grid points. A distribution is an array of
 * P(slowness <= level). */
#ifndef FC_MODELS_SCOUTING_CHANNELS_H
#define FC_MODELS_SCOUTING_CHANNELS_H

#include <stdbool.h>
#include <stddef.h>

enum { FC_SLOWNESS_STEPS = 12, FC_SCOUTING_SHARERS_MAX = 64 };
/* A utilisation above this counts as saturated: closer to 1, rounding errors dominate. */
#define FC_SCOUTING_FULL 0.999999
enum { FC_SLOWNESS_LEVELS = (FC_SCOUTING_SHARERS_MAX - 1) * FC_SLOWNESS_STEPS + 1 };

static inline double fc_slowness_at(size_t level) {
    return 1 + (double)level / FC_SLOWNESS_STEPS;
}

/* Mean of a distribution over the first `levels`. */
double fc_slowness_mean(const double *within, size_t levels);

/* Squared coefficient of variation of the pace 1/slowness, over the time messages take. */
double fc_pace_variation(const double *within, size_t levels);

/* Flits a cycle that n messages draw from a channel which carries one: E[min(1, sum of their
 * paces)]. */
double fc_flits_drawn(int n, double pace, double variation);

/* A network channel with V virtual channels. A message that is alone on it draws `pace` flits a
 * cycle on average, n of them fc_flits_drawn(). Messages come faster to an emptier channel, in
 * proportion to preference(n). To a full one come only those that wait: a share `retaken` of its
 * virtual channels goes to them as soon as it is free. The rate of the others is such that the
 * channel carries `load` flits a cycle. */
typedef struct fc_channel_demand {
    double load, pace, variation, retaken;
    const double *choices; /* [m]: share of the arrivals that pick it from m channels by their
                              number of free virtual channels, m = 1..most */
    size_t most;
    double mean_others; /* virtual channels held on the others */
} fc_channel_demand;

typedef struct fc_channel_use {
    int channels; /* V */
    double flits; /* of a message, its header apart */
    double variation, retaken;
    double arrivals[FC_SCOUTING_SHARERS_MAX]; /* a cycle beside n others, in units of its time */
    double full;                              /* P(all V are held) */
    double mean;                              /* held, on average */
} fc_channel_use;

/* False if the channel cannot carry the load. */
bool fc_channel_use_solve(int channels, double flits, const fc_channel_demand *demand,
                          fc_channel_use *use);

/* The link between a node and its switch: V messages at a time, the others queue. They come at
 * `rate` a cycle on average, beside n others less often by 1 - few n; services[n]: cycles a message
 * takes while n are served, n = 1..V. False if it cannot carry the load. */
typedef struct fc_node_link {
    double met[FC_SCOUTING_SHARERS_MAX]; /* P(n others when a message joins), n < V; those that had
                                            to queue join V-1 others */
    double queue;                        /* messages that wait, if service times were exponential */
    double waits;                        /* P(a message has to queue) */
    double busy;                         /* rate as a share of the most it can carry */
    double mean, variance;               /* of the number served */
} fc_node_link;

bool fc_node_link_solve(int channels, double rate, double few, const double *services,
                        fc_node_link *link);

/* What fc_meet_at_node needs: messages of `flits` that hold the link of a node for `extra` cycles
 * beyond sending and send with probability `sending`. */
typedef struct fc_node_use {
    int channels;
    double rate, few, flits, extra, sending, variation;
} fc_node_use;

/* met[n] = P(a message meets n others, n < V), if the others take `slowness` cycles a flit where
 * they are alone. channel: an fc_channel_use or fc_node_use. */
typedef void fc_meeting(const void *channel, double slowness, double *met);
void fc_meet_on_link(const void *channel_use, double slowness, double *met);
void fc_meet_at_node(const void *node_use, double slowness, double *met);

/* met[] where n others hold a virtual channel -> met[] where each of them sends, with probability
 * `sending`. */
void fc_met_sending(double *met, int channels, double sending);

/* slowness[n], n = 1..V: of one of n holders, where beside[b] is that of one beside b others that
 * send, and each of them sends with probability `sending`. */
void fc_slowness_beside(const double *beside, int channels, double sending, double *slowness);

/* within[l] = P(slowness that one more message finds <= level l), beside the others that it meets.
 * elsewhere: slowness of the others over the rest of their paths, as they would choose it; the
 * share of time at a level is weighted by it. By max-min fairness a rate x is had if the others
 * leave it: n_fast x + n_slow E[their rate | slower than x] <= 1 - x, n_fast binomial. How many it
 * meets depends on the level; scouting_channels.c explains why.
 * beside[n], unless NULL: mean slowness of a message that meets exactly n others here and is itself
 * as slow elsewhere as they are. */
typedef struct fc_meeting_place {
    fc_meeting *meet;
    const void *channel; /* for meet */
    int channels;        /* V */
} fc_meeting_place;
void fc_sharing_slowness(fc_meeting_place place, const double *elsewhere, size_t levels,
                         double *within, double *beside);

/* The number of others on a channel taken as Poisson: its mean, if it is less than `limit` with
 * probability `below`. */
double fc_others_mean(double below, int limit);

/* Two channels of a path with a share `same` of their others in common: the power of P(fewer than
 * limit) that is P(fewer than limit on the second, if so on the first). */
double fc_further_weight(double mean, double same, int limit);

#endif
