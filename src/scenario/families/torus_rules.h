/* What must agree in a scenario of a torus or mesh, and what follows from it. */
#ifndef FC_SCENARIO_TORUS_RULES_H
#define FC_SCENARIO_TORUS_RULES_H

#include "scenario/torus.h"

/* The family's `finish`. */
fc_status fc_torus_finish(const fc_scenario *scenario, void *parameters, fc_error *error);

#endif
