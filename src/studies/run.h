/* A method that was chosen for a scenario, run. */
#ifndef FC_STUDIES_RUN_H
#define FC_STUDIES_RUN_H

#include "registry/calibration.h"
#include "registry/method.h"

/* settings: of a simulation; may be NULL. */
fc_status fc_method_run(fc_method method, const fc_scenario *scenario,
                        const fc_run_settings *settings, fc_error *error, fc_result **result);

/* fc_predict, calibrated although the model is asked for by name. */
fc_status fc_predict_calibrated(const fc_scenario *scenario, const char *model, fc_error *error,
                                fc_result **result);

/* Solves at the scenario's load and reads what a calibration of the model is asked with; usable
 * false: there is nothing to calibrate. */
fc_status fc_calibration_solve(const fc_model *model, const fc_scenario *scenario, double load,
                               fc_error *error, fc_result *result, fc_calibration_input *input,
                               bool *usable);

/* limit: the model's own saturation load. NaN: there is no calibration for it here. */
fc_status fc_calibrated_saturation(const fc_model *model, const fc_scenario *scenario, double limit,
                                   fc_error *error, double *calibrated);

#endif
