/* Message traces: one message a line, comma-separated.
 *
 *     time,source,destination,flits,after
 *     0,3,12,5
 *     20,12,3,9,0
 *
 * The header line and the last column may be missing, '#' begins a comment line. Messages are
 * numbered from 0 in the file's order. Without `after` a message is generated at cycle `time`; with
 * it, `time` cycles after the delivery of message number `after`, which must stand above: so no
 * messages can wait for each other. Rows need not be in the order of time. */
#ifndef FC_SCENARIO_TRACE_FILE_H
#define FC_SCENARIO_TRACE_FILE_H

#include "scenario/routed.h"

enum { FC_TRACE_MESSAGES_MAX = 1 << 23 };

/* From text, which it changes; path is only named in messages. trace->messages is freed with
 * fc_release. */
fc_status fc_trace_parse(char *text, const char *path, fc_error *error, fc_trace *trace);

/* The key traffic.trace. */
fc_status fc_trace_read(const fc_document *document, const fc_value *value, void *field,
                        fc_error *error);
void fc_trace_write(const void *field, FILE *stream);

#endif
