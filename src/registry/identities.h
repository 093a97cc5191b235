/* What must hold of any result, whatever model it comes from. */
#ifndef FC_REGISTRY_IDENTITIES_H
#define FC_REGISTRY_IDENTITIES_H

#include "registry/result.h"
#include "scenario/scenario.h"

/* A result with outcome ok whose numbers contradict each other becomes not-converged, with a note
 * that says which of them do. Other results are left alone. */
void fc_result_check_identities(fc_result *result, const fc_scenario *scenario);

#endif
