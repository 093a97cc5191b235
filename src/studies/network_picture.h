#ifndef FC_STUDIES_NETWORK_PICTURE_H
#define FC_STUDIES_NETWORK_PICTURE_H

#include "output/report/report.h"

/* fc_scenario_draw as part of a report, shown on its page; a sentence if the network is too large.
 */
void fc_report_add_network(fc_report *report, const fc_scenario *scenario, const fc_result *result);

#endif
