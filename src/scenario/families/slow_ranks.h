/* The key traffic.slow_ranks. */
#ifndef FC_SCENARIO_SLOW_RANKS_H
#define FC_SCENARIO_SLOW_RANKS_H

#include "scenario/workload.h"

/* Into an fc_slow_ranks. */
fc_status fc_slow_ranks_read(const fc_document *document, const fc_value *value, void *field,
                             fc_error *error);
void fc_slow_ranks_write(const void *field, FILE *stream);

#endif
