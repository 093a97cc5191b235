/* The key traffic.jobs. */
#ifndef FC_SCENARIO_JOBS_READ_H
#define FC_SCENARIO_JOBS_READ_H

#include "scenario/workload.h"

/* Into an fc_workload. */
fc_status fc_jobs_read(const fc_document *document, const fc_value *value, void *field,
                       fc_error *error);
void fc_jobs_write(const void *field, FILE *stream);
void fc_jobs_release(fc_workload *workload);

#endif
