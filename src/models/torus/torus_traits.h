/* What the learned correction of torus-sharing sees of a network. */
#ifndef FC_MODELS_TORUS_TRAITS_H
#define FC_MODELS_TORUS_TRAITS_H

#include "forecast/traits.h"
#include "models/torus/torus_sharing.h"

/* Raised when the numbers filled change, for the same names. */
enum { FC_TORUS_TRAITS_REVISION = 1 };
extern const fc_trait_names fc_torus_trait_names;

/* prepared: an fc_sharing_solver of the scenario, whose state changes. NULL with FC_OK where the
 * model has no answer even at a light load. */
fc_status fc_torus_traits(const fc_scenario *scenario, void *prepared, fc_error *error,
                          fc_traits **traits);

#endif
