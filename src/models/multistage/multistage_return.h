/* Packets that return from the memories: a model of one network, used for both. */
#ifndef FC_MODELS_MULTISTAGE_RETURN_H
#define FC_MODELS_MULTISTAGE_RETURN_H

#include "registry/method.h"
#include "scenario/multistage.h"

/* Why a model of one network cannot be put together for the way back; FC_OK without one. */
fc_status fc_multistage_return_covers(const fc_multistage *network, fc_error *error);

/* `solve` of a model: there, the memories, and back by `one_way`, which is given scenarios whose
 * packets end at the memories. */
typedef fc_status (*fc_multistage_one_way)(const fc_scenario *scenario, fc_error *error,
                                           fc_result *result);
fc_status fc_multistage_solve_return(const fc_scenario *scenario, const fc_method_info *info,
                                     fc_multistage_one_way one_way, fc_error *error,
                                     fc_result *result);

/* Lowers a saturation load to what the memories can serve. */
fc_status fc_multistage_return_saturation(const fc_scenario *scenario, const fc_method_info *info,
                                          fc_multistage_one_way one_way, fc_error *error,
                                          double *load);

#endif
