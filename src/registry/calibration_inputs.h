/* What calibrations share: reading the result of a model, and changing it. */
#ifndef FC_REGISTRY_CALIBRATION_INPUTS_H
#define FC_REGISTRY_CALIBRATION_INPUTS_H

#include "registry/calibration.h"
#include "scenario/torus.h"

/* A part of the latency; 0: there is none of that name. */
double fc_calibration_part(const fc_result *result, const char *name);
/* The largest utilisation of a link. */
double fc_calibration_busiest(const fc_result *result);

/* Mean hops along a dimension under uniform traffic. */
double fc_calibration_hops(const fc_torus *torus, int64_t radix);

/* ---- what both kinds of calibrations do with a result ---- */

/* Multiplies all that the latency has beyond the empty network's, and every part of it. */
void fc_calibration_move(const fc_calibration_points *points, double empty, double stretch,
                         fc_result *result);
/* For an answer at `times` the load that the model was solved at: raises what is proportional to
 * the load. The model alone has no answer there, so that nothing is `uncalibrated`. */
void fc_calibration_raise_load(double times, fc_result *result);
/* Where the simulated latency is expected with 90 %; an interval that reaches further than `wide`
 * (0: the usual share) is named in a note. */
void fc_calibration_set_interval(fc_result *result, double value, double low, double high,
                                 double wide);
/* Of a sum of trees, added to a hash: of its last tree, which depends on all that was fitted. */
uint64_t fc_calibration_hash(const fc_boosted_trees *trees, uint64_t hash);

#endif
