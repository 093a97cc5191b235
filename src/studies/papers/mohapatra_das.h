/* P. Mohapatra and C. R. Das, "Performance Analysis of Finite-Buffered Asynchronous Multistage
 * Interconnection Networks": the points its figures are made of. */
#ifndef FC_STUDIES_PAPERS_MOHAPATRA_DAS_H
#define FC_STUDIES_PAPERS_MOHAPATRA_DAS_H

#include "studies/paper.h"

typedef enum fc_min_method {
    FC_MIN_PAPER, /* mohapatra-das */
    FC_MIN_OURS,  /* multistage-backpressure */
    FC_MIN_SIMULATION
} fc_min_method;

/* Scenarios, and what every method makes of them. Adders remember a failure. */
typedef struct fc_min_points {
    fc_scenario **scenarios;
    fc_result **results; /* three per scenario */
    size_t count, room;
    fc_status status;
    fc_error error;
} fc_min_points;

/* The context of an item whose simulations are long: 2 % unless asked otherwise. */
fc_paper_context fc_min_coarse(const fc_paper_context *context);

/* The item's scenario with the load and up to two more settings (a key of NULL: none). */
void fc_min_points_add(fc_min_points *points, const fc_paper_context *context, const char *item,
                       double rate, fc_setting first, fc_setting second);
fc_status fc_min_points_evaluate(fc_min_points *points, const fc_paper_context *context,
                                 bool simulate, fc_error *error);
void fc_min_points_free(fc_min_points *points);

/* NaN where a method has no such metric. */
double fc_min_value(const fc_min_points *points, size_t point, fc_min_method method,
                    const char *metric);
double fc_min_half_width(const fc_min_points *points, size_t point, const char *metric);
double fc_min_error(const fc_min_points *points, size_t point, fc_min_method method,
                    const char *metric);

/* One table of a metric: paper's model, simulation, both models' errors. Labels are per point. */
void fc_min_table(fc_report *report, const fc_min_points *points, const char *title,
                  const char *series_name, const char *x_name, const char *const *series,
                  const double *x, size_t per_series, const char *metric);
/* One plot of a metric: a line for the paper's model, marks for the simulation (if there is one).
 */
void fc_min_plot(fc_report *report, const fc_min_points *points, const char *title,
                 const char *x_label, const char *y_label, const char *const *series,
                 const double *x, size_t per_series, const char *metric);

fc_status fc_mohapatra_das_figure_9(const fc_paper_context *asked, fc_error *error,
                                    fc_report *report);
fc_status fc_mohapatra_das_figure_10(const fc_paper_context *context, fc_error *error,
                                     fc_report *report);
fc_status fc_mohapatra_das_figure_11(const fc_paper_context *context, fc_error *error,
                                     fc_report *report);
fc_status fc_mohapatra_das_figure_12(const fc_paper_context *context, fc_error *error,
                                     fc_report *report);

#endif
