/* The keys traffic.workload and traffic.placement. */
#ifndef FC_SCENARIO_WORKLOAD_READ_H
#define FC_SCENARIO_WORKLOAD_READ_H

#include "scenario/workload.h"

/* Names of phases, as in traffic.workload. */
extern const char *const fc_phase_names[];

extern const char *const fc_repeats_names[];

/* Into an fc_workload. */
fc_status fc_workload_read(const fc_document *document, const fc_value *value, void *field,
                           fc_error *error);
void fc_workload_write(const void *field, FILE *stream);
/* The list alone; content: what the files in it hold is mixed into it. */
void fc_workload_write_phases(const fc_workload *workload, uint64_t *content, FILE *stream);
/* Into its fc_placement. */
fc_status fc_placement_read(const fc_document *document, const fc_value *value, void *field,
                            fc_error *error);
/* A file with the node of each rank. Changes the text; placement->node is freed by
 * fc_workload_release, or with fc_release. */
fc_status fc_placement_parse(char *text, const char *path, fc_error *error,
                             fc_placement *placement);
void fc_placement_write(const void *field, FILE *stream);
void fc_placement_write_value(const fc_placement *placement, FILE *stream); /* without a comment */

#endif
