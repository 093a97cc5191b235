/* Lanes and movements that no correction can tell apart, as one each. */
#ifndef FC_FORECAST_TRAITS_MERGE_H
#define FC_FORECAST_TRAITS_MERGE_H

#include "forecast/traits.h"

/* Traits with a lane for each class of lanes that are alike (copies: how many), and a movement for
 * each class of movements between two of them. A lane's weight is that of all of its class. `kept`
 * of a movement is the sum over those of its class that leave one lane, `share` and `load` that
 * over those that enter one. Merging what is merged changes nothing. The wait of bursts stays with
 * the traits given. */
fc_status fc_traits_merge(const fc_traits *traits, fc_error *error, fc_traits **merged);

#endif
