#include "scenario/routed.h"

#include "scenario/scenario.h"
#include "scenario/torus.h"

const fc_routed *fc_scenario_routed(const fc_scenario *scenario) {
    if (scenario->family == &fc_torus_family)
        return &((const fc_torus *)scenario->parameters)->routed;
    return NULL;
}
