/* The state of the model torus-sharing, shared by its files and private to them. Symbols in
 * comments are those of the table in torus_sharing.c. A *worm* is a message that is spread over
 * several channels; a *position* is a group of channels along a dimension that are treated alike.
 */
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
    fc_rate_row *elsewhere; /* [m]: P(the rest of the ring allows x); dimensions only */
    double *capacity;       /* [n]: C(n), flits per cycle that n worms send together */
    double *busy;           /* [n]: P(n channels busy) */
    double *ready;          /* [m]: of m others, the mean number that are ready to send whenever an
                               unlimited worm is: g - 1 beside them */
    double *met;            /* [m]: P(m others), as a worm meets them */
    double *work;           /* [n]: rate at which n busy channels are released, times P(n) */
    double blocked;         /* node channels: P(all busy) */
    double condition;       /* node channels: mean wait if all are busy, for exponential service */
    double load;            /* node channels: utilisation */
    fc_rate_row crossing;   /* P(a worm that takes such a channel keeps rate x) */
} channel;

/* A position along a dimension, which represents several similar channels. Pairs are for the two
 * classes. */
typedef struct position {
    double weight;     /* share of the channels that it represents */
    double load;       /* messages, divided by the mean of the dimension */
    double fresh;      /* share of the messages that enter the dimension here */
    double share[2];   /* of the classes among the messages */
    double theta[2];   /* share of the blocking that headers already in the dimension meet here */
    double blocked[2]; /* PE: time shares in which a class finds no channel, relaxed */
    double beta[2];
    double held[2];                        /* H */
    double *work;                          /* [n]: as channel.work, at this position */
    double slow_held, slow_variance;       /* g_c: slowness of the worms here */
    double gaps;                           /* as of the solver, for the worms here */
    double stall[2], square[2];            /* S, and the mean of its square */
    double wait_along[2], square_along[2]; /* W_along, and the mean square of that wait */
    double anew; /* P(one that a message meets here is met here first, not a channel before) */
    double turn; /* delta: mean wait of a header for its turn here */
} position;

typedef struct dimension {
    fc_ring_paths paths;
    channel channel;
    int positions;
    position position[POSITIONS_MAX];
    double *ahead; /* [from][class][to][class]: mean number of channels of position `to` that are
                      ahead of a worm on a channel of position `from`, near enough that its header
                      may wait there while the worm still holds the first */
    double enter_ahead[FC_LIST_MAX + 1]; /* [i]: P(a worm on a channel of dimension i - 1, or being
                                            injected if i is 0, enters this dimension, near enough
                                            in the same sense) */
    double along_ahead[FC_LIST_MAX + 1]; /* its mean further hops here */
    double rate;                         /* messages per cycle and channel */
    double leaving;                      /* q */
    double changing;                     /* the same for worms met by one that stays in it */
    double turning;                      /* wt */
    double together;                     /* P(two messages that enter came over the same channel) */
    double stopped;                      /* share of the others that stand while this worm moves,
                                            since they are bound for the same node */
    double behind, forward;              /* mean hops behind and ahead of a worm on a channel */
    /* means over the positions */
    double blocked;                    /* PE */
    double held, stall;                /* H, S */
    double turn;                       /* delta: mean wait of a header for its turn, a hop */
    double anew;                       /* P(one met on a channel is met there first), a hop */
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
    double step;   /* the largest factor by which beta may change in a round */
    double idle;   /* cycles that a virtual channel is idle between messages */
    double gaps;   /* step e: cycles for which a message is slower than alone, over g - 1 */
    dimension dimension[FC_LIST_MAX];
    channel injection, ejection;
    double overlap;               /* w0 */
    double arrive_together;       /* P(one message more than ejection takes can arrive at once) */
    double mean_hops, correction; /* h, f */
    double self;                  /* 1/N */
    double
        beyond; /* of the pairs of channels of a path, the share that a worm never holds both of */
    double limit; /* rate at which the busiest channel or node link is full */
    double eject_ahead[FC_LIST_MAX + 1]; /* as enter_ahead of dimensions */
    double slowness, slowness_variance, blocking;
    double source_wait;
    double injection_stall;  /* wait of a header while its worm holds the injection channel */
    double injection_held;   /* time for which a message holds the injection channel */
    double injection_repeat; /* what messages of a node have in common, see meets_again */
    double injection_turn, ejection_turn;     /* delta on the links of a node */
    bool overloaded;                          /* in this round */
    double injection_spread, ejection_spread; /* squared variation of the time they are held */
    double ejection_wait, ejection_condition; /* of a header for it, and given that it waits */
    fc_occupancy_chain *chain;
    size_t memory_size;
    double *memory, *scratch;
    struct fc_sharing_solver *saved; /* by fc_sharing_save, with the memory's contents after it */
    double *of_positions;            /* ahead and work of the dimensions */
    double *one_position;            /* [3][n]: busy, and departure of each class, at one of them */
    double *moving;                  /* [m] of one dimension */
};

/* Relaxation: the share of a round's change that is applied; with all of it the iteration
 * overshoots.
 */
#define FC_SHARING_RELAX 0.7

/* Before it converges a round may overshoot: these bounds keep its equations finite. */
#define FC_SHARING_QUEUE_MOST 0.98    /* load of a queue of headers, in 1 / (1 - load) */
#define FC_SHARING_NODE_MOST 0.99     /* load of a node's link, in the same form */
#define FC_SHARING_STALL_MOST 0.95    /* share of its time that a worm is stalled */
#define FC_SHARING_BLOCKED_MOST 0.999 /* time share in which a header finds no channel */
#define FC_SHARING_BETA_LEAST 0.1     /* of beta; 1: sharing lengthens the holding time in full */
#define FC_SHARING_BETA_MOST 3.0

/* ---- counting (torus_sharing_positions.c) ---- */

/* scratch: 2 channels + longest path of the dimension, + 1 */
void fc_sharing_find_positions(fc_sharing_solver *solver, dimension *dim, double *scratch);
/* Sets enter_ahead[from] and along_ahead[from] of the dimensions after `from` - 1, and returns
 * P(the destination is as near): for a worm on a channel of dimension `from` - 1, or being injected
 * if `from` is 0. Only channels near enough count: a worm whose tail has left a channel no longer
 * holds it, however long its header waits. scratch: 2 (reach + 1) */
double fc_sharing_look_ahead(fc_sharing_solver *solver, size_t from, double *scratch);
/* P(two messages that start at a digit take the same direction), mean over the digits. */
double fc_sharing_same_direction(const fc_ring_paths *paths);
/* wt: P(one met on the first channel of `dim` was met on the last channel before it). */
double fc_sharing_turning(const fc_ring_paths *before, const dimension *dim);
/* P(a message that stays in the dimension loses one that it has met), mean over its hops. */
double fc_sharing_changing(const dimension *dim);
/* P(two messages on a channel leave the dimension at the same node). */
double fc_sharing_same_end(const dimension *dim);

/* ---- steps b, c, f and g (torus_sharing_channels.c) ---- */

/* Mean wait of a header for its turn on a channel of which m others hold busy[m] of the time. */
double fc_sharing_wait_for_turn(const fc_sharing_solver *solver, const channel *c,
                                const double *busy);

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
