/* Readers of the keys of tori and meshes that are more than a number or a choice. */
#ifndef FC_SCENARIO_TORUS_READERS_H
#define FC_SCENARIO_TORUS_READERS_H

#include "scenario/torus.h"

fc_status fc_destinations_read(const fc_document *document, const fc_value *value, void *field,
                               fc_error *error);
void fc_destinations_write(const void *field, FILE *stream);
/* NULL if the pattern fits the network's shape; otherwise why not, as a part of a sentence. */
const char *fc_pattern_misfit(fc_pattern pattern, const fc_torus *torus);

fc_status fc_requests_read(const fc_document *document, const fc_value *value, void *field,
                           fc_error *error);
void fc_requests_write(const void *field, FILE *stream);

fc_status fc_faults_read(const fc_document *document, const fc_value *value, void *field,
                         fc_error *error);
void fc_faults_write(const void *field, FILE *stream);

#endif
