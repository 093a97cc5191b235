/* The points of a figure: scenarios built into the library, with some keys changed, and what every
 * method makes of them. */
#ifndef FC_STUDIES_PAPER_POINTS_H
#define FC_STUDIES_PAPER_POINTS_H

#include "studies/paper.h"
#include "registry/result.h"

/* The methods of a point, in the order of its results. */
enum { FC_POINT_PAPER, FC_POINT_OURS, FC_POINT_SIMULATION, FC_POINT_METHODS };

/* Begins with the first four. Adders remember a failure; fc_paper_points_evaluate reports it. */
typedef struct fc_paper_points {
    const fc_paper_context *context;
    const char *paper;         /* folder of the scenarios */
    const char *const *models; /* the paper's and ours */
    double precision;          /* of the simulations, if the context asks for none */
    fc_scenario **scenarios;
    fc_result **results; /* FC_POINT_METHODS per scenario; NULL where there is none */
    size_t count, room;
    size_t first; /* of its points in the context's trail */
    fc_status status;
    fc_error error;
} fc_paper_points;

/* The item's scenario with settings. */
void fc_paper_points_add(fc_paper_points *points, const char *item, const fc_setting *settings,
                         size_t count);
fc_status fc_paper_points_evaluate(fc_paper_points *points, bool simulate, fc_error *error);
void fc_paper_points_free(fc_paper_points *points);

/* NaN where the method has no such metric (saturated, not simulated). */
double fc_paper_points_value(const fc_paper_points *points, size_t point, size_t method,
                             fc_metric_id metric);
double fc_paper_points_half_width(const fc_paper_points *points, size_t point, fc_metric_id metric);
/* (method - simulation) / simulation. */
double fc_paper_points_error(const fc_paper_points *points, size_t point, size_t method,
                             fc_metric_id metric);

#endif
