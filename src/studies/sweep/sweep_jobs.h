/* The jobs of a sweep: one for each point and method.
 *
 * A job is opened (its scenario read, its method chosen, the store asked), run by whoever is free,
 * and closed (its result or the reason why there is none kept, in the sweep and in the store). */
#ifndef FC_STUDIES_SWEEP_JOBS_H
#define FC_STUDIES_SWEEP_JOBS_H

#include "output/store.h"
#include "studies/simulate_list.h"

enum { FC_SWEEP_AXES = 16 };

/* A sweep under way. */
typedef struct fc_sweeping {
    const fc_scenario *base;
    const fc_sweep_settings *settings;
    fc_sweep *sweep;
    fc_store *store; /* may be NULL */
    const volatile int *cancel;
} fc_sweeping;

/* How many of the methods are models; the simulation, if any, comes after them. */
size_t fc_sweep_models(const fc_sweep_settings *settings);

/* The settings of a point; the last axis runs fastest. */
void fc_sweep_settings_of(const fc_axis *axes, size_t count, size_t point, fc_setting *settings);
fc_status fc_sweep_scenario(const fc_scenario *base, const fc_sweep_settings *settings,
                            size_t point, fc_error *error, fc_scenario **scenario);
/* The method of a job for its scenario. */
fc_status fc_sweep_method(const fc_sweep_settings *settings, size_t job,
                          const fc_scenario *scenario, fc_error *error, fc_method *method);

bool fc_sweep_in_shard(const fc_sweeping *run, size_t point);
bool fc_sweep_cancelled(const fc_sweeping *run);

/* *scenario is NULL if the point is not a valid one: all its jobs are closed with the reason. */
fc_status fc_sweep_open_point(const fc_sweeping *run, size_t point, fc_error *error,
                              fc_scenario **scenario);

/* index: point * methods + method */
typedef fc_simulation fc_sweep_job;

typedef enum fc_sweep_state {
    FC_SWEEP_OPEN,
    FC_SWEEP_CLOSED,   /* in the store, or not covered */
    FC_SWEEP_ELSEWHERE /* another process on the same store is simulating it */
} fc_sweep_state;

/* The index and the scenario of the job are set. */
fc_status fc_sweep_open_job(const fc_sweeping *run, fc_sweep_job *job, fc_error *error,
                            fc_sweep_state *state);
/* Takes the result over. Only failures that end the whole sweep are returned. */
fc_status fc_sweep_close_job(const fc_sweeping *run, fc_sweep_job *job, fc_error *error);

/* sweep_queue.c: the simulations, or with a crew everything. */
fc_status fc_sweep_run_queue(const fc_sweeping *run, const fc_run_settings *settings,
                             fc_error *error);

/* sweep_lines.c: the saturation load of a forecast; NaN: not known. Fails only if out of memory or
 * cancelled. */
fc_status fc_sweep_saturation(fc_method method, const fc_scenario *scenario, double *load);
/* sweep_lines.c: fills the lines of the sweep, if its load is varied. */
fc_status fc_sweep_draw_lines(const fc_sweeping *run, fc_error *error);
void fc_sweep_lines_free(fc_sweep *sweep);

#endif
