/* Readers of who sends to whom, when and how much, as families of networks share them. */
#ifndef FC_SCENARIO_TRAFFIC_READERS_H
#define FC_SCENARIO_TRAFFIC_READERS_H

#include "scenario/routed.h"

/* A node: one number, or digits in brackets. */
fc_status fc_coordinates_read(const fc_document *document, const fc_value *value, const char *name,
                              fc_error *error, fc_integer_list *coordinates);
void fc_coordinates_write(const fc_integer_list *coordinates, FILE *stream);

/* Of fc_destinations, fc_requests, fc_lengths and fc_injection, for their keys. */
fc_status fc_destinations_read(const fc_document *document, const fc_value *value, void *field,
                               fc_error *error);
void fc_destinations_write(const void *field, FILE *stream);
void fc_destinations_release(fc_destinations *destinations);

fc_status fc_requests_read(const fc_document *document, const fc_value *value, void *field,
                           fc_error *error);
void fc_requests_write(const void *field, FILE *stream);

fc_status fc_lengths_read(const fc_document *document, const fc_value *value, void *field,
                          fc_error *error);
void fc_lengths_write(const void *field, FILE *stream);

fc_status fc_injection_read(const fc_document *document, const fc_value *value, void *field,
                            fc_error *error);
void fc_injection_write(const void *field, FILE *stream);

#endif
