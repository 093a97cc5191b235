/* What the learned correction of closed-refined sees of a network. */
#ifndef FC_MODELS_CLOSED_TRAITS_H
#define FC_MODELS_CLOSED_TRAITS_H

#include "forecast/traits.h"
#include "scenario/scenario.h"

/* Raised when the numbers filled change, for the same names. */
enum { FC_CLOSED_TRAITS_REVISION = 2 };
extern const fc_trait_names fc_closed_trait_names;

/* result: of the model. NULL with FC_OK where there is hardly anything to correct, or no answer. */
fc_status fc_closed_traits(const fc_scenario *scenario, const fc_result *result, fc_error *error,
                           fc_traits **traits);

#endif
