/* Hierarchical slotted rings: 2 levels [L, G] or 3 levels [L, M, G]. */
#ifndef FC_SCENARIO_RINGS_H
#define FC_SCENARIO_RINGS_H

#include "scenario/family.h"

typedef struct fc_rings {
    int topology, kind, destinations;
    /* from the stations of a local ring up; the last (G) may be fractional for models */
    fc_number_list sizes;
    double rate;             /* packets per station per cycle */
    fc_number_list locality; /* [P] or [P_L, P_M] as given; count 0: uniform */
    /* derived */
    size_t levels;   /* 2 or 3 */
    double local;    /* L: stations on a local ring */
    double middle;   /* M: local rings on a middle ring; 1 with two levels */
    double global;   /* G: rings on the global ring */
    double stations; /* N = L M G */
    double share_local, share_middle, share_global; /* P_L, P_M (0 with two levels), P_G */
} fc_rings;

extern const fc_family fc_rings_family;

#endif
