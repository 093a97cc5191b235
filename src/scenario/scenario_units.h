/* Numbers with units in a scenario: "12 GB/s", "5 ns".
 *
 * A key says in `measures` what its numbers count. Where the user wrote a unit, the scenario's
 * document is a copy in which the number is converted, so that everything behind sees cycles and
 * flits; the document as it was given is kept for fc_scenario_with, whose settings may change the
 * clock. */
#ifndef FC_SCENARIO_SCENARIO_UNITS_H
#define FC_SCENARIO_SCENARIO_UNITS_H

#include "scenario/scenario.h"

/* Before the family's keys are read: all but the load. Nothing is copied if there is no unit. */
fc_status fc_scenario_settle_units(fc_scenario *scenario, fc_error *error);
/* After they are read: the load, for which the length of a message has to be known. */
fc_status fc_scenario_settle_load(fc_scenario *scenario, fc_error *error);
/* After everything is checked: what converts the scenario's results. */
void fc_scenario_fill_units(fc_scenario *scenario);

#endif
