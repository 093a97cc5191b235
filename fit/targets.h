/* Corrections that would make a model's answer that of a simulation: form `values`. */
#ifndef FC_FIT_TARGETS_H
#define FC_FIT_TARGETS_H

#include "dataset.h"
#include "suite_points.h"

/* Fill value, variance and value_count. A variance is that of the correction, by what the
 * simulation is uncertain by and half of what no trait tells of the metric. False: not precise
 * enough to learn from. */
bool fit_closed_targets(const fc_scenario *scenario, const fc_result *result,
                        const drawn_point *point, bool is_short, fit_network *network);
bool fit_multistage_targets(const fc_scenario *scenario, const fc_result *result,
                            const drawn_point *point, bool is_short, fit_network *network);

#endif
