/* The state of a curve while it is drawn. */
#ifndef FC_STUDIES_CURVE_STUDY_H
#define FC_STUDIES_CURVE_STUDY_H

#include "studies/curve/curve_runs.h"
#include "studies/curve/curve_shape.h"
#include "studies/load_search.h"

typedef struct fc_curve_study {
    const fc_scenario *scenario;
    const fc_curve_settings *wanted;
    const fc_run_settings *settings;
    fc_curve *curve;
    fc_curve_runs runs;
    fc_curve_shape shape;
    fc_regression *fit; /* room to work in */
    bool closed, cancelled;
    fc_forecast *forecast;   /* NULL: no model covers the scenario, or none is wanted */
    const char *model;       /* its name; NULL likewise */
    double model_saturation; /* NaN: never, or not known */
    double precision;
    double work_left;      /* of simulations */
    fc_load_bracket found; /* open networks: where they saturate */
    double ceiling;        /* loads above this have been found to take too long; infinity: none */
    double begin, end;     /* of the range of loads that shall be known */
} fc_curve_study;

/* The loads of the curve: a grid over the range, a few beyond it, those asked for and those
 * simulated, with what was measured and what the model says of them. */
fc_status fc_curve_place_points(fc_curve_study *study, fc_error *error);
/* Brings what was measured to its points. */
void fc_curve_take_runs(fc_curve_study *study);
/* Values that contradict neither the simulation of the same load nor each other, and no points that
 * nothing is known of. After the last correction. */
void fc_curve_settle_points(fc_curve_study *study);

/* Which loads are simulated (curve_choice.c). */

/* The precision of a simulation. From light loads, which are cheap, to the end of the range it
 * changes evenly over the coordinate. */
double fc_curve_precision_at(const fc_curve_study *study, double load);
/* The half width over the value where it is largest among loads up to `end`, and that point; of the
 * loads not yet simulated alone if so asked (below 0: there are none). */
double fc_curve_widest(const fc_curve_study *study, double end, bool not_simulated, size_t *at);
/* Whether the model has a shape for the whole range. */
bool fc_curve_model_fits(const fc_curve_study *study);
/* The load to simulate after the end of the range. */
double fc_curve_middle_load(const fc_curve_study *study);
/* The point to simulate next; confirm: the band is narrow enough already. False: all are simulated.
 */
bool fc_curve_next_point(fc_curve_study *study, bool confirm, size_t *at);

#endif
