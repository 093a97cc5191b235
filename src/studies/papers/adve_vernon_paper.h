/* What the files of this paper share: curves of one method over one parameter, and their figure. */
#ifndef FC_STUDIES_PAPERS_ADVE_VERNON_PAPER_H
#define FC_STUDIES_PAPERS_ADVE_VERNON_PAPER_H

#include "studies/paper.h"
#include "registry/result.h"

enum { FC_CURVE_SETTINGS = 4, FC_CURVES_MAX = 16, FC_ABSCISSAE_MAX = 16 };

/* What the abscissa of a figure sets. */
typedef enum fc_abscissa {
    FC_BY_RATE,        /* 1 / traffic.think_time */
    FC_BY_RADIX,       /* network.radix, both dimensions */
    FC_BY_OUTSTANDING, /* traffic.outstanding */
} fc_abscissa;

typedef struct fc_paper_curve {
    const char *label;
    const char *file;        /* papers/adve-vernon/FILE.yaml */
    const char *method;      /* a model's name, or NULL: the simulation */
    fc_metric_id metric;     /* FC_METRIC_NONE: efficiency_max / efficiency_min */
    const char *outstanding; /* NULL: the abscissa, or as in the file */
    double think;            /* 0: the abscissa */
    fc_setting more[FC_CURVE_SETTINGS];
} fc_paper_curve;

/* y[curve][point]; NaN where a model did not converge. */
typedef double fc_ordinates[FC_CURVES_MAX][FC_ABSCISSAE_MAX];

/* Curves that share a table and a picture. */
typedef struct fc_figure_panel {
    const char *title;
    size_t curves;
} fc_figure_panel;
enum { FC_PANELS_MAX = 3 };

typedef struct fc_closed_figure {
    const char *title, *x_label, *y_label;
    fc_figure_panel panels[FC_PANELS_MAX]; /* none: one for all curves */
    fc_abscissa abscissa;
    const double *x;
    size_t points;
    double x_scale; /* of the abscissae where they are shown; 0: 1 */
    const fc_paper_curve *curves;
    size_t curve_count;
    double scale;                                     /* of the ordinates; 0: 1 */
    void (*adjust)(fc_ordinates y);                   /* before they are shown; may be NULL */
    void (*claim)(fc_report *report, fc_ordinates y); /* what the paper says of them */
} fc_closed_figure;

/* Parts of an initialiser: the request rate as abscissa, curves, curves of efficiencies. */
#define FC_OVER_RATE(rates)                                                                        \
    .x_label = "request rate 1/tau", .abscissa = FC_BY_RATE, .x = (rates),                         \
    .points = sizeof(rates) / sizeof *(rates)
#define FC_CURVES(list) .curves = (list), .curve_count = sizeof(list) / sizeof *(list)
#define FC_EFFICIENCIES(list) .y_label = "efficiency, %", .scale = 100, FC_CURVES(list)

/* Request rates of several figures. */
enum { FC_CLOSED_RATES = 7 };
extern const double fc_closed_rates[FC_CLOSED_RATES];

fc_status fc_closed_figure_evaluate(const fc_paper_context *context, const fc_closed_figure *figure,
                                    fc_error *error, fc_ordinates y);
/* Evaluates a figure and adds its tables and plots. */
fc_status fc_closed_figure_draw(const fc_paper_context *context, const fc_closed_figure *figure,
                                fc_error *error, fc_report *report, fc_ordinates y);

/* A point (its `paper` is this one) with the context's precision (or `precision`,
 * where the context leaves the choice). */
fc_status fc_closed_paper_scenario(const fc_paper_context *context, double precision,
                                   const fc_paper_point *point, fc_error *error,
                                   fc_scenario **scenario);

/* What the paper's model says of papers/adve-vernon/FILE.yaml. */
fc_status fc_closed_paper_predict(const fc_paper_context *context, const char *file,
                                  const char *outstanding, const char *think, fc_error *error,
                                  fc_result **result);
/* A column of the table "channels" for the virtual channel from (x, row) to the row before it
 * (north) or after it (south); NaN if no message takes it. */
double fc_closed_column_channel(const fc_result *result, int x, size_t row, bool south, bool high,
                                size_t column);

/* Rows of a built-in CSV file as numbers: comment lines and the header are skipped, a cell that is
 * not a number reads as NaN. Returns the number of rows. */
size_t fc_closed_paper_csv(const char *file, size_t columns, double *values, size_t rows_max);

fc_status fc_adve_vernon_table_42a(const fc_paper_context *, fc_error *, fc_report *);
fc_status fc_adve_vernon_table_42b(const fc_paper_context *, fc_error *, fc_report *);
fc_status fc_adve_vernon_table_43(const fc_paper_context *, fc_error *, fc_report *);
fc_status fc_adve_vernon_table_44a(const fc_paper_context *, fc_error *, fc_report *);
fc_status fc_adve_vernon_table_44b(const fc_paper_context *, fc_error *, fc_report *);
fc_status fc_adve_vernon_figure_24(const fc_paper_context *, fc_error *, fc_report *);
fc_status fc_adve_vernon_figure_46b(const fc_paper_context *, fc_error *, fc_report *);
fc_status fc_adve_vernon_figure_412(const fc_paper_context *, fc_error *, fc_report *);

extern const fc_closed_figure fc_adve_vernon_figure_41, fc_adve_vernon_figure_42,
    fc_adve_vernon_figure_43, fc_adve_vernon_figure_44, fc_adve_vernon_figure_45a,
    fc_adve_vernon_figure_45b, fc_adve_vernon_figure_46a, fc_adve_vernon_figure_47,
    fc_adve_vernon_figure_48, fc_adve_vernon_figure_49, fc_adve_vernon_figure_410,
    fc_adve_vernon_figure_411;

#endif
