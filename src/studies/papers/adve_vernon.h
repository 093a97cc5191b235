/* What the files of this paper share: curves of one method over one parameter, and their figure. */
#ifndef FC_STUDIES_PAPERS_ADVE_VERNON_H
#define FC_STUDIES_PAPERS_ADVE_VERNON_H

#include "studies/paper.h"

enum { FC_CURVE_SETTINGS = 4, FC_CURVES_MAX = 16, FC_ABSCISSAE_MAX = 16 };

/* What the abscissa of a figure sets. */
typedef enum fc_abscissa {
    FC_BY_RATE,        /* 1 / traffic.think_time */
    FC_BY_RADIX,       /* network.radix, both dimensions */
    FC_BY_OUTSTANDING, /* traffic.outstanding */
} fc_abscissa;

typedef struct fc_curve {
    const char *label;
    const char *file;        /* papers/adve-vernon/FILE.yaml */
    const char *method;      /* a model's name, or NULL: the simulation */
    const char *metric;      /* of the result, or "imbalance": efficiency_max / efficiency_min */
    const char *outstanding; /* NULL: the abscissa, or as in the file */
    double think;            /* 0: the abscissa */
    fc_setting more[FC_CURVE_SETTINGS];
} fc_curve;

typedef struct fc_closed_figure {
    const char *title, *x_label, *y_label;
    fc_abscissa abscissa;
    const double *x;
    size_t points;
    const fc_curve *curves;
    size_t curve_count;
    double scale; /* of the ordinates; 0: 1 */
} fc_closed_figure;

/* y[curve][point]; NaN where a model did not converge. */
typedef double fc_ordinates[FC_CURVES_MAX][FC_ABSCISSAE_MAX];

/* Evaluates all curves. */
fc_status fc_closed_figure_evaluate(const fc_paper_context *context, const fc_closed_figure *figure,
                                    fc_error *error, fc_ordinates y);
/* Adds the table and the plot of what was evaluated. */
void fc_closed_figure_add(fc_report *report, const fc_closed_figure *figure, fc_ordinates y);

/* A scenario of papers/adve-vernon with the settings and the context's precision (or `precision`,
 * where the context leaves the choice). */
fc_status fc_closed_paper_scenario(const fc_paper_context *context, const char *file,
                                   double precision, const fc_setting *settings, size_t count,
                                   fc_error *error, fc_scenario **scenario);

/* Rows of a built-in CSV file as numbers: comment lines and the header are skipped, a cell that is
 * not a number reads as NaN. Returns the number of rows. */
size_t fc_closed_paper_csv(const char *file, size_t columns, double *values, size_t rows_max);

fc_status fc_adve_vernon_table_42a(const fc_paper_context *, fc_error *, fc_report *);
fc_status fc_adve_vernon_table_42b(const fc_paper_context *, fc_error *, fc_report *);
fc_status fc_adve_vernon_table_43(const fc_paper_context *, fc_error *, fc_report *);
fc_status fc_adve_vernon_table_44a(const fc_paper_context *, fc_error *, fc_report *);
fc_status fc_adve_vernon_table_44b(const fc_paper_context *, fc_error *, fc_report *);
fc_status fc_adve_vernon_figure_24(const fc_paper_context *, fc_error *, fc_report *);
fc_status fc_adve_vernon_figure_41(const fc_paper_context *, fc_error *, fc_report *);
fc_status fc_adve_vernon_figure_42(const fc_paper_context *, fc_error *, fc_report *);
fc_status fc_adve_vernon_figure_43(const fc_paper_context *, fc_error *, fc_report *);
fc_status fc_adve_vernon_figure_44(const fc_paper_context *, fc_error *, fc_report *);
fc_status fc_adve_vernon_figure_45a(const fc_paper_context *, fc_error *, fc_report *);
fc_status fc_adve_vernon_figure_45b(const fc_paper_context *, fc_error *, fc_report *);
fc_status fc_adve_vernon_figure_46a(const fc_paper_context *, fc_error *, fc_report *);
fc_status fc_adve_vernon_figure_46b(const fc_paper_context *, fc_error *, fc_report *);
fc_status fc_adve_vernon_figure_47(const fc_paper_context *, fc_error *, fc_report *);
fc_status fc_adve_vernon_figure_48(const fc_paper_context *, fc_error *, fc_report *);
fc_status fc_adve_vernon_figure_49(const fc_paper_context *, fc_error *, fc_report *);
fc_status fc_adve_vernon_figure_410(const fc_paper_context *, fc_error *, fc_report *);
fc_status fc_adve_vernon_figure_411(const fc_paper_context *, fc_error *, fc_report *);
fc_status fc_adve_vernon_figure_412(const fc_paper_context *, fc_error *, fc_report *);

#endif
