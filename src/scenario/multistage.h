/* Multistage networks of a x a switches: omega wiring, finite buffers. */
#ifndef FC_SCENARIO_MULTISTAGE_H
#define FC_SCENARIO_MULTISTAGE_H

#include "scenario/hot_share.h"

enum { FC_CONTENTION_NONE, FC_CONTENTION_OUTPUT_PORT }; /* network.contention */

enum { FC_STAGES_MAX = 24 }; /* 2^24 ports at most */

typedef struct fc_multistage {
    int topology;
    int64_t ports;       /* N */
    int64_t switch_size; /* a */
    int64_t buffer;      /* L packets waiting at a switch input, or FC_INFINITE */
    double service;      /* d, cycles to pass a switch */
    int contention;
    int kind;            /* open, the only one */
    double rate;         /* packets per source per cycle */
    fc_hot_share hot;    /* traffic.destinations */
    int64_t outstanding; /* m, or FC_INFINITE */
    double memory_busy;  /* cycles of a memory for a packet, which then returns; 0: it ends there */
    /* derived */
    int64_t stages; /* n */
} fc_multistage;

extern const fc_family fc_multistage_family;

#endif
