/* A paper is one descriptor in a file of its own under papers/, and one line in paper.c. Its
 * scenarios and published numbers live in the top folder papers/NAME/ and are built into the
 * library (fc_embedded). */
#ifndef FC_STUDIES_PAPER_H
#define FC_STUDIES_PAPER_H

#include "base/status.h"
#include "flitcast/flitcast.h"
#include "studies/evaluate.h"

typedef struct fc_paper_context {
    double precision; /* asked for; 0: the item's own choice */
    const fc_run_settings *settings;
    const void *shown; /* the item's */
} fc_paper_context;

typedef struct fc_paper_item {
    fc_paper_item_info info;
    /* Adds headings, tables, plots and claims to the report. */
    fc_status (*run)(const fc_paper_context *context, fc_error *error, fc_report *report);
    const void *shown; /* what to run, where items differ in that alone; may be NULL */
} fc_paper_item;

typedef struct fc_paper {
    fc_paper_info info;
    const fc_paper_item *items; /* ends with a name of NULL */
} fc_paper;

/* The scenario papers/PAPER/FILE.yaml with settings. */
fc_status fc_paper_scenario(const char *paper, const char *file, const fc_setting *settings,
                            size_t count, fc_error *error, fc_scenario **scenario);
/* The number that follows `start` at the beginning of a line of a built-in file, not the first;
 * NaN if there is no such line. */
double fc_paper_number(const char *path, const char *start);

#endif
