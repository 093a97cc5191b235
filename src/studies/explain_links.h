/* Which links a graph could have besides: where one more may relieve the busiest. */
#ifndef FC_STUDIES_EXPLAIN_LINKS_H
#define FC_STUDIES_EXPLAIN_LINKS_H

#include "scenario/scenario.h"

/* Calls add for each: `now` the present value of network.extra_links or "none", `value` that with
 * one link more. Nothing where the network is no graph, or one too large. */
fc_status fc_explain_links(const fc_scenario *scenario, fc_error *error,
                           void (*add)(void *context, const char *now, const char *value),
                           void *context);

#endif
