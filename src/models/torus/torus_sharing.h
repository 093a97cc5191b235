/* The model torus-sharing as a function of plain numbers. */
#ifndef FC_MODELS_TORUS_SHARING_H
#define FC_MODELS_TORUS_SHARING_H

#include "network/torus_combinatorics.h"
#include "registry/method.h"
#include "scenario/torus.h"

typedef struct fc_sharing_case {
    fc_integer_list radix; /* in the order of travel, each at least 2 */
    fc_path_kind kind;     /* of every dimension */
    int rule;              /* FC_HIGH_LOW .. FC_FREE: which virtual channels a message may take */
    int channels;          /* L, virtual channels of a physical channel */
    int injection_channels, ejection_channels; /* messages that share the links of a node */
    bool idle_cycle; /* a virtual channel rests for a cycle between messages (next-cycle handover)
                      */
    double flits;    /* M, of a message, header included */
} fc_sharing_case;

typedef struct fc_sharing_solution {
    bool saturated, converged;
    double limit; /* if saturated: the largest rate with a solution, to a relative 5e-3 */
    uint64_t iterations;
    double residual;                 /* relative change of the latency in the last iteration */
    double utilisation[FC_LIST_MAX]; /* flits per cycle of a channel of the dimension, mean */
    double wait[FC_LIST_MAX];        /* mean cycles a header waits at a channel of it */
    double hops;                     /* mean path */
    double slowness;                 /* g, cycles per flit at the slowest channel of a path */
    double sharing;                  /* cycles that g, and waits of a header for its turn, add */
    double header_delay;             /* the latter, on the whole path */
    double blocking;                 /* cycles a header waits on its path */
    double source_wait;
    double latency;
} fc_sharing_solution;

typedef struct fc_sharing_solver fc_sharing_solver;

/* Allocates for the network of the case; NULL if out of memory. */
fc_sharing_solver *fc_sharing_solver_create(const fc_sharing_case *input);
/* The same for a scenario that the model covers. */
fc_sharing_solver *fc_sharing_solver_of(const fc_scenario *scenario);
void fc_sharing_solver_free(fc_sharing_solver *solver);
/* rate: messages per node per cycle. */
void fc_sharing_solve(fc_sharing_solver *solver, double rate, fc_sharing_solution *solution);
/* A solution to three digits, from the empty network or from the last solution of a lower rate;
 * false: none was found. */
bool fc_sharing_look_at(fc_sharing_solver *solver, double rate, bool anew,
                        fc_sharing_solution *solution);
enum { FC_SHARING_STATES = 12 };
/* What a forecast sees of the last solution beside its latency: at most FC_SHARING_STATES
 * numbers. Returns how many. */
size_t fc_sharing_read_state(const fc_sharing_solver *solver, const fc_sharing_solution *solution,
                             double *state);
/* The largest rate with a solution, to a relative 1e-3. */
double fc_sharing_saturation(fc_sharing_solver *solver);
/* The same within a few per cent, in a quarter of the time. */
double fc_sharing_rough_saturation(fc_sharing_solver *solver);

extern const fc_model fc_model_torus_sharing;

#endif
