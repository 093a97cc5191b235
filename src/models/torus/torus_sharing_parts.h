/* What the parts of the model torus-sharing work on; private to them. Symbols in comments are those
 * of torus_sharing.c. */
#ifndef FC_MODELS_TORUS_SHARING_PARTS_H
#define FC_MODELS_TORUS_SHARING_PARTS_H

#include "models/torus/torus_sharing.h"
#include "models/torus/torus_sharing_ring.h"
#include "queueing/channel_occupancy.h"

enum { RING_POSITIONS_MAX = 8, POSITIONS_MAX = 32 };

/* A kind of channel: a dimension, injection or ejection. */
typedef struct channel {
    int servers;            /* virtual channels */
    int most;               /* largest number of others worth computing */
    fc_rate_row *caps;      /* [m]: caps of the worms on a channel that carries m + 1 */
    fc_rate_row *shares;    /* [m]: P(a worm gets x beside m others) */
    fc_rate_row *elsewhere; /* [m] dimensions: allowed by the rest of the ring */
    double *capacity;       /* [n]: drawn together by n worms */
    double *busy;           /* [n]: P(n channels busy) */
    double *met;            /* [m]: P(m others), as a worm meets them */
    double *work;           /* [n]: rate at which n give channels back, times P(n) */
    double blocked;         /* node channels: P(all busy) */
    double condition;       /* node channels: mean wait then, if service were exponential */
    double load;            /* node channels: of each with all busy */
    fc_rate_row crossing;   /* P(a worm that takes such channels keeps x) */
} channel;

/* A place along a dimension, standing for several alike. Pairs are for the two classes. */
typedef struct position {
    double weight;     /* share of the channels it stands for */
    double load;       /* messages over the mean of the dimension */
    double fresh;      /* share of the messages that enter the dimension here */
    double share[2];   /* of the classes among the messages */
    double theta[2];   /* share of the blocking that headers already in the dimension meet here */
    double blocked[2]; /* time shares in which a class finds no channel, relaxed */
    double beta[2];
    double held[2];                  /* H */
    double *work;                    /* [n]: rate at which channels are, with n busy, times P(n) */
    double slow_held, slow_variance; /* g_c: slowness of the worms here */
    double stall[2], square[2];      /* S, and the mean of its square */
    double wait_along[2], square_along[2]; /* W_along, and the mean square of that wait */
} position;

typedef struct dimension {
    fc_ring_paths paths;
    channel channel;
    int positions;
    position position[POSITIONS_MAX];
    double *ahead; /* [from][class][to][class]: channels of a place that lie ahead of a worm in this
                      dimension, near enough for its header to wait there while it holds the first
                    */
    double enter_ahead[FC_LIST_MAX + 1]; /* [i]: P(a worm on a channel of dimension i - 1, or being
                                            injected, enters this one, near enough likewise) */
    double along_ahead[FC_LIST_MAX + 1]; /* its mean further hops here */
    double rate;                         /* messages per cycle and channel */
    double leaving;                      /* q */
    double changing;                     /* the same for those met by one that goes on */
    double turning;                      /* wt */
    double together;                     /* P(two messages that enter came over the same channel) */
    double stopped;                      /* share of the others stopped by a worm that moves */
    double behind, forward;              /* mean hops behind and ahead of a worm on a channel */
    /* means over the places */
    double blocked;                    /* PE */
    double held, stall;                /* H, S */
    double wait_enter, wait_along;     /* W_enter, W_along */
    double square_enter, square_along; /* of the squares of those waits */
} dimension;

struct fc_sharing_solver {
    fc_sharing_case input;
    double rate; /* messages per node per cycle, being solved for */
    size_t dimensions;
    int blockers;  /* virtual channels a header needs busy to be blocked */
    bool separate; /* no virtual channel is open to both classes */
    int64_t reach; /* hops over which a worm stretches, at most those of the longest path */
    double step;   /* the most beta may change in a round, a factor */
    double idle;   /* cycles that a virtual channel rests between messages */
    dimension dimension[FC_LIST_MAX];
    channel injection, ejection;
    double overlap;               /* w0 */
    double arrive_together;       /* P(one message more than ejection takes may arrive at a time) */
    double mean_hops, correction; /* h, f */
    double self;                  /* 1/N */
    double limit;                 /* rate at which the flits fill a channel, or a node's link */
    double eject_ahead[FC_LIST_MAX + 1]; /* as enter_ahead of dimensions */
    double slowness, slowness_variance, blocking;
    double source_wait;
    double injection_stall;  /* of a header while its worm holds the injection channel */
    double injection_held;   /* by a message */
    double injection_repeat; /* what messages of a node have in common, see meets_again */
    bool overloaded;         /* in this round */
    double injection_spread, ejection_spread; /* squared variation of the time they are held */
    double ejection_wait, ejection_condition; /* of a header for it, and given that it waits */
    fc_occupancy_chain *chain;
    size_t memory_size;
    double *memory, *scratch;
    struct fc_sharing_solver *saved; /* by fc_sharing_save, with the memory's contents after it */
    double *places;                  /* ahead and work of the dimensions */
    double *one_place;               /* [3][n]: busy, and departure of each class, at one of them */
    double *moving;                  /* [m] of one dimension */
};

/* Share of a round's change that is taken over; the feedbacks overshoot if all of it is. */
#define FC_SHARING_RELAX 0.7

/* On the way to the solution a round may overshoot: these bounds keep its equations finite. */
#define FC_SHARING_QUEUE_MOST 0.98 /* load of a queue of headers, in 1 / (1 - load) */
#define FC_SHARING_NODE_MOST 0.99  /* load of a node's link, likewise */
#define FC_SHARING_STALL_MOST 0.95 /* share of its time that a worm is stalled */
#define FC_SHARING_BETA_LEAST 0.1  /* of beta; 1: sharing lengthens the holding time in full */
#define FC_SHARING_BETA_MOST 3.0

/* ---- counting (torus_sharing_places.c) ---- */

/* scratch: 2 channels + longest path of the dimension, + 1 */
void fc_sharing_place(fc_sharing_solver *solver, dimension *dim, double *scratch);
/* Sets what lies ahead of a worm on a channel of dimension `from` - 1, or being injected, in the
 * dimensions after it, and returns P(its destination does). Near enough only: a worm that has left
 * a channel does not hold it, however long its header waits. scratch: 2 (reach + 1) */
double fc_sharing_look_ahead(fc_sharing_solver *solver, size_t from, double *scratch);
/* P(two messages that start at a digit go the same way), mean over the digits. */
double fc_sharing_same_way(const fc_ring_paths *paths);
/* wt: P(one met on the first channel of `dim` was met on the last channel before it). */
double fc_sharing_turning(const fc_ring_paths *before, const dimension *dim);
/* P(a message that goes on in the dimension loses one that it has met), mean over its hops. */
double fc_sharing_changing(const dimension *dim);
/* P(two messages on a channel leave the dimension at the same node). */
double fc_sharing_same_end(const dimension *dim);

/* ---- steps b, c, f and g (torus_sharing_channels.c) ---- */

/* Returns the time share at the limit of the occupancy chain. */
double fc_sharing_occupy(fc_sharing_solver *solver, dimension *dim);
void fc_sharing_wait(const fc_sharing_solver *solver, dimension *dim);
void fc_sharing_hold(fc_sharing_solver *solver);
/* Waits of a header that crosses a dimension, given that it does. */
double fc_sharing_crossing_wait(const dimension *dim);

/* Keeps the state of the iteration, and goes back to it. */
void fc_sharing_save(fc_sharing_solver *solver);
void fc_sharing_restore(fc_sharing_solver *solver);

#endif
