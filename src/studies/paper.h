/* A paper is one descriptor in a file of its own under papers/, and one line in paper.c. Its
 * scenarios and published numbers live in the top folder papers/NAME/ and are built into the
 * library (fc_embedded). */
#ifndef FC_STUDIES_PAPER_H
#define FC_STUDIES_PAPER_H

#include "base/status.h"
#include "flitcast/flitcast.h"
#include "studies/evaluate.h"
#include "studies/paper_claims.h"
#include "studies/paper_trail.h"

typedef struct fc_paper_context {
    double precision; /* asked for; 0: the item's own choice */
    const fc_run_settings *settings;
    const void *shown;     /* the item's */
    fc_paper_trail *trail; /* what was run; NULL: not kept */
} fc_paper_context;

typedef struct fc_paper_item {
    fc_paper_item_info info;
    /* Adds headings, tables, plots and claims to the report. */
    fc_status (*run)(const fc_paper_context *context, fc_error *error, fc_report *report);
    const void *shown; /* what to run, where items differ in that alone; may be NULL */
    /* How the paper is read where it is open, and what of it was chosen here; NULL: nothing is. */
    const char *reading;
} fc_paper_item;

typedef struct fc_paper {
    fc_paper_info info;
    const fc_paper_item *items; /* ends with a name of NULL */
    const char *pages; /* where its model is derived, and its symbols and limits are said */
} fc_paper;

/* A point of an item: the scenario papers/PAPER/FILE.yaml with settings, to be evaluated by these
 * methods. It is added to the context's trail. */
typedef struct fc_paper_point {
    const char *paper, *file;
    const fc_setting *settings;
    size_t count;
    fc_paper_methods methods;
} fc_paper_point;
fc_status fc_paper_scenario(const fc_paper_context *context, const fc_paper_point *point,
                            fc_error *error, fc_scenario **scenario);
/* A built-in file, by its path, with settings. */
fc_status fc_paper_scenario_of(const char *path, const fc_setting *settings, size_t count,
                               fc_error *error, fc_scenario **scenario);
/* The number that follows `start` at the beginning of a line of a built-in file, not the first;
 * NaN if there is no such line. */
double fc_paper_number(const char *path, const char *start);

#endif
