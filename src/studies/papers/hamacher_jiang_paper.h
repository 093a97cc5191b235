/* What the two files of this paper share: scenarios by item, their results, published values. */
#ifndef FC_STUDIES_PAPERS_HAMACHER_JIANG_PAPER_H
#define FC_STUDIES_PAPERS_HAMACHER_JIANG_PAPER_H

#include "studies/paper_points.h"

fc_paper_points fc_ring_points(const fc_paper_context *context);
/* Adds the scenario of an item with some keys changed: rings and locality as YAML lists or NULL;
 * rate 0: as in the file. */
void fc_ring_points_add(fc_paper_points *points, const char *item, const char *rings, double rate,
                        const char *locality);

/* Utilisation of the local (first) or global (last) ring, from the paper's model. */
double fc_ring_utilisation(const fc_paper_points *points, size_t point, bool global);
/* A part of the latency by name. */
double fc_ring_part(const fc_paper_points *points, size_t point, size_t method, const char *name);

/* A value of papers/hamacher-jiang/published.csv; NaN if it is not there. */
double fc_ring_published(const char *item, const char *quantity);

/* hamacher_jiang_optima.c */
fc_status fc_hamacher_jiang_figure_7(const fc_paper_context *context, fc_error *error,
                                     fc_report *report);

typedef struct fc_ring_surface { /* delay over L and M */
    const char *item, *title;
} fc_ring_surface;
fc_status fc_hamacher_jiang_surface(const fc_paper_context *context, fc_error *error,
                                    fc_report *report);

#endif
