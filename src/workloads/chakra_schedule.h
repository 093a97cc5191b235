/* A Chakra trace as messages that wait for each other. */
#ifndef FC_WORKLOADS_CHAKRA_SCHEDULE_H
#define FC_WORKLOADS_CHAKRA_SCHEDULE_H

#include "workloads/phase_plan.h"

/* Of the plan of a phase of that kind; to be cleared with fc_trace_clear in any case. Fails if
 * ranks do not agree on their operations, or if nodes wait for each other in a circle. */
fc_status fc_chakra_schedule(const fc_phase_plan *plan, fc_error *error, fc_trace *trace);

#endif
