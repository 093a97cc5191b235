/* Whether the passes of a repetition take equally long, so that the ones that are left need not be
 * simulated. A pass ends when the last rank has ended it; its length is the time from the end of
 * the one before. Passes are alike if the mean length of the last eight is that of the eight before
 * and is known, by how these sixteen differ, to half a percent. */
#ifndef FC_WORKLOADS_REPETITION_H
#define FC_WORKLOADS_REPETITION_H

#include "base/status.h"

enum { FC_PASSES_ALIKE = 16, FC_PASSES_KEPT = 32 };

typedef struct fc_pass {
    uint64_t number;
    uint32_t ranks; /* that have ended it */
    uint64_t ended; /* by the last of them */
} fc_pass;

typedef struct fc_repetition {
    fc_pass last[FC_PASSES_KEPT];
} fc_repetition;

/* The length of the passes to come: their mean, and by how much it may be another. */
typedef struct fc_pass_cycles {
    double mean, error;
} fc_pass_cycles;

/* A rank has ended a pass: its number from 0, above it, from bit FC_PASS_BITS on, the number of the
 * repetition. True: all `ranks` have, and the last passes were alike. */
enum { FC_PASS_BITS = 32 };
bool fc_repetition_add(fc_repetition *repetition, uint32_t ranks, uint64_t number, uint64_t time,
                       fc_pass_cycles *cycles);

#endif
