/* What the learned correction of multistage-backpressure sees of a network. */
#ifndef FC_MODELS_MULTISTAGE_TRAITS_H
#define FC_MODELS_MULTISTAGE_TRAITS_H

#include "forecast/traits.h"
#include "scenario/scenario.h"

/* Raised when the numbers filled change, for the same names. */
enum { FC_MULTISTAGE_TRAITS_REVISION = 1 };
extern const fc_trait_names fc_multistage_trait_names;

/* result: of the model at the scenario's load. NULL with FC_OK where the model is exact, or has no
 * answer. */
fc_status fc_multistage_traits(const fc_scenario *scenario, const fc_result *result,
                               fc_error *error, fc_traits **traits);

#endif
