/* The curve of a forecast: latencies at every load up to the saturation load, from what was learned
 * at a few of them. By construction they never fall with the load, and have a pole at the
 * saturation load. docs/theory/forecast.md. */
#ifndef FC_FORECAST_LOAD_CURVE_H
#define FC_FORECAST_LOAD_CURVE_H

#include "forecast/learned.h"

typedef struct fc_load_curve {
    double empty[FC_LATENCIES];   /* of the empty network, exact; NaN: not known */
    double saturation, low, high; /* load; between low and high with 90 % */
    double growth[FC_KNOTS];      /* log of what the mean has beyond the empty one, over load */
    double median[FC_KNOTS];      /* the same in the middle of its interval */
    double tail[FC_KNOTS]; /* log of what p99 has beyond the empty one, over the saturation load */
    double spread[FC_KNOTS]; /* standard deviation of growth */
} fc_load_curve;

/* In cycles; NaN: not known. */
typedef struct fc_load_point {
    double latency[FC_LATENCIES];
    double low,
        high; /* the mean is between with 90 %; high infinite: the network may be saturated */
} fc_load_point;

fc_load_curve fc_load_curve_of(const fc_traits *traits, const fc_learned_curve *learned,
                               bool percentiles);
/* load: below the saturation load. */
fc_load_point fc_load_curve_at(const fc_load_curve *curve, double load);

#endif
