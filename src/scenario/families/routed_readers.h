/* Readers of the keys of networks of routers that are more than a number or a choice. */
#ifndef FC_SCENARIO_ROUTED_READERS_H
#define FC_SCENARIO_ROUTED_READERS_H

#include "scenario/routed.h"

extern const char *const fc_router_names[];
extern const char *const fc_arbitration_names[];
extern const char *const fc_switching_names[];
extern const char *const fc_handover_names[];
extern const char *const fc_self_names[];

fc_status fc_router_delay_read(const fc_document *document, const fc_value *value, void *field,
                               fc_error *error);
void fc_router_delay_write(const void *field, FILE *stream);
fc_status fc_energy_read(const fc_document *document, const fc_value *value, void *field,
                         fc_error *error);
void fc_energy_write(const void *field, FILE *stream);

#endif
