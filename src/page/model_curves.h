/* The main metric of a scenario over its load, by every model, quickly enough to follow a slider.
 */
#ifndef PAGE_MODEL_CURVES_H
#define PAGE_MODEL_CURVES_H

#include "flitcast/flitcast.h"

enum { CURVE_POINTS = 64, CURVES_MAX = 6 };

typedef struct model_curve {
    char model[FC_NAME_SIZE];
    size_t count;
    double x[CURVE_POINTS], y[CURVE_POINTS]; /* by growing load */
    double end;                              /* the largest load that was drawn */
    double saturation;                       /* NaN: not known yet */
} model_curve;

typedef struct model_curves {
    char key[128]; /* that the load is the value of: traffic.rate, or traffic.think_time */
    char metric[FC_NAME_SIZE], unit[24];
    model_curve curve[CURVES_MAX]; /* the model that predict chooses first */
    size_t count;
} model_curves;

typedef struct curve_cache curve_cache;
curve_cache *curve_cache_create(void);
void curve_cache_free(curve_cache *cache);

/* count is 0 where no model covers the scenario, or its traffic has no load. Models run side by
 * side; a curve that takes longer than a second has fewer points. forecast: of the scenario; NULL:
 * it is made if the curve needs it. cache: by scenario without its load; may be used by several
 * threads. */
void model_curves_find(const fc_scenario *scenario, fc_forecast *forecast, curve_cache *cache,
                       model_curves *curves);

#endif
