/* How far forecasts are from simulations. */
#ifndef FC_FIT_SCORE_H
#define FC_FIT_SCORE_H

#include <stdio.h>
#include "fit/dataset.h"
#include "forecast/learned.h"
#include "fit/team.h"

/* What is forecast of a network. */
typedef struct fit_forecast {
    bool made;
    fc_learned_curve curve;
    fc_learned_values values;
} fit_forecast;

/* Of the networks that are asked for. */
void fit_forecast_some(const fit_dataset *dataset, const bool *asked, const fc_weights *weights,
                       fit_team *team, fit_forecast *forecasts);

/* One line of means, for a fit that goes on. */
void fit_score_line(const fit_dataset *dataset, const fit_forecast *forecasts, FILE *to);
/* The errors of the forecasts that were made, by groups of networks and loads; how many of the 90 %
 * intervals hold. */
void fit_score_table(const fit_dataset *dataset, const fit_forecast *forecasts, FILE *to);

/* What the spreads have to be multiplied by, at each knot and for the saturation load (form
 * `values`: for each correction), so that 90 % of the intervals hold. */
void fit_score_factors(const fit_dataset *dataset, const fit_forecast *forecasts,
                       float factors[FC_KNOTS + 1]);

#endif
