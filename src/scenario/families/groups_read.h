/* The key traffic.groups. */
#ifndef FC_SCENARIO_GROUPS_READ_H
#define FC_SCENARIO_GROUPS_READ_H

#include "scenario/document.h"
#include "scenario/workload.h"

fc_status fc_groupings_read(const fc_document *document, const fc_value *value, void *field,
                            fc_error *error);
void fc_groupings_write(const void *field, FILE *stream);
void fc_groupings_release(fc_groupings *groupings);

#endif
