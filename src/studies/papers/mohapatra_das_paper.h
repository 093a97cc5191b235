/* P. Mohapatra and C. R. Das, "Performance Analysis of Finite-Buffered Asynchronous Multistage
 * Interconnection Networks": the points its figures are made of. */
#ifndef FC_STUDIES_PAPERS_MOHAPATRA_DAS_PAPER_H
#define FC_STUDIES_PAPERS_MOHAPATRA_DAS_PAPER_H

#include "studies/paper_points.h"

/* The context of an item whose simulations are long: 2 % unless asked otherwise. */
fc_paper_context fc_min_coarse(const fc_paper_context *context);

fc_paper_points fc_min_points(const fc_paper_context *context);
/* The item's scenario with the load and up to two more settings (a key of NULL: none). */
void fc_min_points_add(fc_paper_points *points, const char *item, double rate, fc_setting first,
                       fc_setting second);

/* How points are laid out: per_series for each of the series, over x. */
typedef struct fc_min_layout {
    const char *series_name, *x_name; /* columns of tables */
    const char *x_label;              /* of plots */
    const char *const *series;        /* their names */
    const double *x;
    size_t per_series;
    bool x_of_point; /* x has an entry for each point: series have abscissae of their own */
} fc_min_layout;

/* One table of a metric: paper's model, simulation, both models' errors. */
void fc_min_table(fc_report *report, const fc_paper_points *points, const fc_min_layout *layout,
                  const char *title, fc_metric_id metric);
/* One plot of a metric: a line for the paper's model, marks for the simulation (if there is one).
 */
void fc_min_plot(fc_report *report, const fc_paper_points *points, const fc_min_layout *layout,
                 const char *title, const char *y_label, fc_metric_id metric);
/* Tables of delay and throughput, then plots of them. */
void fc_min_both(fc_report *report, const fc_paper_points *points, const fc_min_layout *layout);

fc_status fc_mohapatra_das_figure_9(const fc_paper_context *asked, fc_error *error,
                                    fc_report *report);
fc_status fc_mohapatra_das_figure_10(const fc_paper_context *context, fc_error *error,
                                     fc_report *report);
fc_status fc_mohapatra_das_figure_11(const fc_paper_context *context, fc_error *error,
                                     fc_report *report);
fc_status fc_mohapatra_das_figure_12(const fc_paper_context *context, fc_error *error,
                                     fc_report *report);

#endif
