/* Reader of a torus' broken channels. */
#ifndef FC_SCENARIO_TORUS_READERS_H
#define FC_SCENARIO_TORUS_READERS_H

#include "scenario/torus.h"

fc_status fc_faults_read(const fc_document *document, const fc_value *value, void *field,
                         fc_error *error);
void fc_faults_write(const void *field, FILE *stream);

#endif
