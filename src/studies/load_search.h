/* The saturation load by simulation: the one search of saturate, curve and whatever else asks. */
#ifndef FC_STUDIES_LOAD_SEARCH_H
#define FC_STUDIES_LOAD_SEARCH_H

#include "flitcast/flitcast.h"

typedef struct fc_load_search {
    const fc_scenario *scenario;
    const fc_run_settings *settings;
    double
        forecast; /* of the saturation load; NaN: none, the search starts at the scenario's load */
    double width; /* of the bracket, over its upper end; 0: 0.02 */
    double work_most; /* after so much work the bracket stays as wide as it is; 0: no limit */
} fc_load_search;

typedef struct fc_load_bracket {
    double low;  /* the largest load that settles; 0: none was found */
    double high; /* the smallest one that does not; infinity: all that the scenario can have do */
    double carried; /* of the load, by the network at high; NaN: not known */
    size_t looks;   /* simulations it took */
    double work;    /* of these: their events */
    double cpu_seconds;
} fc_load_bracket;

/* A network that refuses what it cannot carry never saturates: the search ends where it refuses
 * nearly all of what is offered in addition, or at the largest load a scenario can have.
 * FC_ERROR_CANCELLED if it was stopped. */
fc_status fc_find_saturation(const fc_load_search *search, fc_error *error, fc_load_bracket *found);

/* The middle of the bracket. */
static inline double fc_bracket_load(const fc_load_bracket *bracket) {
    return 0.5 * (bracket->low + bracket->high); /* infinity stays so */
}

#endif
