/* Forecasts of latency and saturation load for router-queueing, from its graph networks. */
#ifndef FC_MODELS_ROUTER_FORECAST_H
#define FC_MODELS_ROUTER_FORECAST_H

#include "models/router/router_split.h"
#include "registry/method.h"

/* At a rate, messages per node per cycle. Changes the waits that the solver holds. */
fc_status fc_router_forecast(fc_router_prepared *p, double rate, fc_error *error,
                             fc_forecast *forecast);
/* NaN: no simulated network is like it. */
fc_status fc_router_forecast_saturation(fc_router_prepared *p, fc_error *error, double *load);

#endif
