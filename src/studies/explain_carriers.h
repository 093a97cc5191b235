/* What would raise the saturation load, and the best of it simulated. */
#ifndef FC_STUDIES_EXPLAIN_CARRIERS_H
#define FC_STUDIES_EXPLAIN_CARRIERS_H

#include "flitcast/flitcast.h"

/* Fills carriers from the levers, which are in their final order. */
void fc_explain_rank_carriers(fc_explanation *explanation);
/* Simulates base and changed between their saturation loads, and fills explanation->check. */
fc_status fc_explain_check(const fc_scenario *base, const fc_scenario *changed, double saturation,
                           const fc_run_settings *settings, fc_error *error,
                           fc_explanation *explanation);

#endif
