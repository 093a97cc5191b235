/* Multistage networks of a x a switches: omega wiring, finite buffers. */
#ifndef FC_SCENARIO_MULTISTAGE_H
#define FC_SCENARIO_MULTISTAGE_H

#include "scenario/family.h"

enum { FC_CONTENTION_NONE, FC_CONTENTION_OUTPUT_PORT }; /* network.contention */

typedef struct fc_multistage {
    int topology;
    int64_t ports;       /* N */
    int64_t switch_size; /* a */
    int64_t buffer;      /* L packets waiting at a switch input, or FC_INFINITE */
    double service;      /* d, cycles to pass a switch */
    int contention;
    double rate;         /* packets per source per cycle */
    double hot_share;    /* h; 0: uniform */
    int64_t hot_memory;  /* index; meaningful if hot_share > 0 */
    int64_t outstanding; /* m, or FC_INFINITE */
    /* derived */
    int64_t stages; /* n */
} fc_multistage;

extern const fc_family fc_multistage_family;

#endif
