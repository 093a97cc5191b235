/* The fixed point of the model scouting-sharing (described in scouting_sharing.c). */
#ifndef FC_MODELS_SCOUTING_SHARING_H
#define FC_MODELS_SCOUTING_SHARING_H

#include "base/status.h"
#include "scenario/torus.h"

typedef struct fc_scouting_solver fc_scouting_solver;

struct fc_scouting_paths;

typedef struct fc_scouting_solution {
    bool saturated;
    unsigned iterations;
    double residual;
    double network;       /* latency but for the wait at the source: the sum of the next five */
    double empty;         /* latency of the empty network */
    double sharing;       /* cycles the flits lose on shared channels */
    double ejection_wait; /* of headers for an ejection channel */
    double path_wait;     /* until a free path exists */
    double astray;        /* spent on links entered in vain */
    double source_wait;
    double load[FC_LIST_MAX]; /* flits a cycle on a channel, per dimension */
    double held[FC_LIST_MAX]; /* virtual channels held */
    double full[FC_LIST_MAX]; /* P(all are) */
} fc_scouting_solution;

fc_status fc_scouting_solver_create(const fc_torus *torus, fc_error *error,
                                    fc_scouting_solver **solver);
void fc_scouting_solver_free(fc_scouting_solver *solver);
/* rate: messages per node per cycle. */
void fc_scouting_solve(fc_scouting_solver *solver, double rate, fc_scouting_solution *solution);
/* A quick look: just above the largest rate that has a solution it may find one. */
void fc_scouting_solve_briefly(fc_scouting_solver *solver, double rate,
                               fc_scouting_solution *solution);
/* What a steady state adds to the latency of the empty network, at most. */
double fc_scouting_latency_limit(const fc_scouting_solver *solver);
/* Where messages go, while the solver is there. */
const struct fc_scouting_paths *fc_scouting_solver_paths(const fc_scouting_solver *solver);
/* The rate at which the busiest channel would be full. */
double fc_scouting_capacity(const fc_torus *torus);
/* The largest rate up to `most` that has a solution, to a share `precision` of it. */
double fc_scouting_limit(fc_scouting_solver *solver, double most, double precision);

#endif
