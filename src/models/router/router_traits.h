/* What the learned correction of router-queueing sees of a network. */
#ifndef FC_MODELS_ROUTER_TRAITS_H
#define FC_MODELS_ROUTER_TRAITS_H

#include "forecast/traits.h"
#include "models/router/router_split.h"

/* Raised when the numbers filled change, for the same names. */
enum { FC_ROUTER_TRAITS_REVISION = 4 };
extern const fc_trait_names fc_router_trait_names;

/* prepared: an fc_router_prepared, as made: headers not yet divided by a load. Changes the waits
 * that its solver holds. NULL with FC_OK where nothing like the network was drawn for the fit, or
 * where the model has no answer at any load. */
fc_status fc_router_traits(const fc_scenario *scenario, void *prepared, fc_error *error,
                           fc_traits **traits);

#endif
