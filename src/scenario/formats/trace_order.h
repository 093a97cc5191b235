/* Messages that wait for each other: circles are named, and they are put in the order in which they
 * are run. Both change or check trace->messages and trace->waits. */
#ifndef FC_SCENARIO_TRACE_ORDER_H
#define FC_SCENARIO_TRACE_ORDER_H

#include "scenario/workload.h"

typedef struct fc_trace_names {
    const char *path; /* for messages */
    /* How a message is called; NULL: by its number. */
    void (*name)(const void *context, uint32_t message, size_t size, char *text);
    const void *context;
} fc_trace_names;

fc_status fc_trace_refuse_circles(const fc_trace *trace, const fc_trace_names *names,
                                  fc_error *error);
/* Brings the messages that wait for none to the front, in the order of their times. */
fc_status fc_trace_put_in_order(fc_trace *trace, fc_error *error);

#endif
