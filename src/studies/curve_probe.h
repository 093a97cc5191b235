/* Looks for the saturation load of a curve with short simulations. */
#ifndef FC_STUDIES_CURVE_PROBE_H
#define FC_STUDIES_CURVE_PROBE_H

#include "studies/curve_runs.h"

typedef struct fc_curve_probe {
    double low;     /* the largest load that settled; 0: none */
    double high;    /* the smallest one that did not; infinity: none */
    double carried; /* of the load, by the network at high; NaN: not known */
} fc_curve_probe;

/* A network that refuses what it cannot carry never saturates: the search ends where it refuses
 * half, or at the largest load a scenario can have.
 *
 * Finds a load just above saturation: from `guess` on, with steps of `factor` until one does not
 * settle. That is the cheap side: a saturated network shows it soon, while one just below
 * saturation must be watched for long before it can be said to settle. So low may be far below. All
 * runs are kept in `runs`. */
fc_status fc_curve_find_saturation(fc_curve_runs *runs, const fc_curve_request *base, double guess,
                                   double factor, const fc_run_settings *settings, fc_error *error,
                                   fc_curve_probe *found);

#endif
