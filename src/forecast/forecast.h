/* What the public header does not say of a forecast (fc_forecast in flitcast.h). */
#ifndef FC_FORECAST_FORECAST_H
#define FC_FORECAST_FORECAST_H

#include "registry/method.h"

/* A forecast by a method that was chosen before. The scenario must outlive it. */
fc_status fc_forecast_by(fc_method method, const fc_scenario *scenario, fc_error *error,
                         fc_forecast **forecast);
const fc_model *fc_forecast_model(const fc_forecast *forecast);
bool fc_forecast_is_corrected(const fc_forecast *forecast);

#endif
