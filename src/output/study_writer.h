/* How every study is written: what it found as one report, for text, tables of CSV and pages, and
 * as one tree, for JSON. */
#ifndef FC_OUTPUT_STUDY_WRITER_H
#define FC_OUTPUT_STUDY_WRITER_H

#include "output/report/report.h"
#include "output/text/json.h"

typedef struct fc_study_writer {
    /* NULL if out of memory; what fails later the report remembers. settings.format: for whom. A
     * page has pictures and the scenario too; a terminal shows plots below and has the file. */
    fc_report *(*report)(const void *study, const fc_write_settings *settings);
    json_t *(*json)(const void *study, bool detail);
    /* NULL: CSV is the report's tables. */
    void (*csv)(const void *study, const fc_write_settings *settings, FILE *stream);
} fc_study_writer;

/* settings may be NULL: the defaults. */
fc_status fc_study_write(const void *study, const fc_study_writer *as,
                         const fc_write_settings *settings, FILE *stream);

#endif
