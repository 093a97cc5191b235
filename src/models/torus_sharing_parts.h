/* What the parts of the model torus-sharing work on; private to them. Symbols in comments are those
 * of torus_sharing.c. */
#ifndef FC_MODELS_TORUS_SHARING_PARTS_H
#define FC_MODELS_TORUS_SHARING_PARTS_H

#include "models/torus_sharing.h"
#include "models/torus_sharing_ring.h"
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
    double *departure;      /* [n]: rate at which each of n gives its channel back */
    double queue_wait;      /* node channels: mean wait if service were exponential */
    double blocked;         /* node channels: P(all busy) */
    double load;            /* node channels: of each with all busy */
    fc_rate_row crossing;   /* P(a worm that takes such channels keeps x) */
} channel;

/* A place along a dimension, standing for several alike. */
typedef struct position {
    double weight;     /* share of the channels it stands for */
    double load;       /* messages over the mean of the dimension */
    double fresh;      /* share of the messages that enter the dimension here */
    double theta;      /* share of the blocking that headers already in the dimension meet here */
    double share[2];   /* of the two classes of messages */
    double blocked[2]; /* time shares in which a class finds no channel, relaxed */
} position;

typedef struct dimension {
    fc_ring_paths paths;
    channel channel;
    int positions;
    position position[POSITIONS_MAX];
    double rate;            /* messages per cycle and channel */
    double leaving;         /* q */
    double turning;         /* ct */
    double turning_blocked; /* the same among those that could block a header */
    double stopped;         /* share of the others stopped by a worm that moves */
    double same_class;      /* cs: load of a header's own class where it is, over the mean load */
    double behind, forward; /* mean hops behind and ahead of a worm on a channel */
    double stall, variance; /* S, V */
    double beta;
    double blocked;                /* PE */
    double blocked_enter;          /* the same where headers enter */
    double blocked_along;          /* where they go on, times kc */
    double held;                   /* Hm */
    double condition;              /* cond */
    double second;                 /* second moment of that wait over the square of its mean */
    double wait_enter, wait_along; /* We, Wc */
    double slow_held;              /* gb */
} dimension;

struct fc_sharing_solver {
    fc_sharing_case input;
    double rate; /* messages per node per cycle, being solved for */
    size_t dimensions;
    int blockers; /* virtual channels a header needs busy to be blocked */
    double step;  /* the most beta may change in a round, a factor */
    dimension dimension[FC_LIST_MAX];
    channel injection, ejection;
    double overlap;               /* ov */
    double arrive_together;       /* P(one message more than ejection takes may arrive at a time) */
    double mean_hops, correction; /* h, f */
    double self;                  /* 1/N */
    double slowness, slowness_variance, blocking;
    double source_wait;
    bool overloaded;                          /* in this round */
    double injection_spread, ejection_spread; /* squared variation of the time they are held */
    double ejection_wait, ejection_condition; /* of a header for it, and given that it waits */
    fc_occupancy_chain *chain;
    size_t memory_size;
    double *memory, *scratch;
    struct fc_sharing_solver *saved; /* by fc_sharing_save, with the memory's contents after it */
    double *chain_busy;              /* [n] of one position */
    double *moving;                  /* [m] of one dimension */
};

/* Keeps the state of the iteration, and goes back to it. */
void fc_sharing_save(fc_sharing_solver *solver);
void fc_sharing_restore(fc_sharing_solver *solver);

#endif
