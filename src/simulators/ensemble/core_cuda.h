/* The core on a GPU: what libflitcast_cuda.so offers. The host makes all arrays, in the order that
 * suits a GPU (core_rules.h), and the library keeps a copy on the device. Functions return NULL, or
 * a sentence that says what went wrong. */
#ifndef FC_SIMULATORS_CORE_CUDA_H
#define FC_SIMULATORS_CORE_CUDA_H

#include <stddef.h>
#include "simulators/ensemble/core_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Raised whenever the structures of core_types.h or these functions change. */
enum { FC_CUDA_REVISION = 5 };

typedef struct fc_cuda_job {
    const fc_core_plan *plan;
    const void *tables; /* that the plan points into */
    size_t table_bytes;
    uint32_t word_bits; /* 32 or 64 */
    uint32_t networks;  /* lanes */
    fc_core core;       /* arrays as they are at the start */
    uint32_t laws;      /* of fc_core_lane.law of all lanes, which is the same */
} fc_cuda_job;

typedef struct fc_cuda fc_cuda;

typedef struct fc_cuda_functions {
    int revision;
    /* NULL if there is a GPU that can be used. */
    const char *(*check)(void);
    const char *(*start)(const fc_cuda_job *job, fc_cuda **cuda);
    void (*stop)(fc_cuda *cuda); /* accepts NULL */
    /* All networks up to the start of the last of some cycles, at each of which the tallies are set
     * (stops x networks), and the flits that have crossed each output of the first network (stops x
     * outputs). */
    const char *(*run)(fc_cuda *cuda, const uint32_t *stop, uint32_t stops, fc_core_tally *tallies,
                       uint32_t *crossed);
    /* Copies state, node and output counters of all networks into the job's arrays. */
    const char *(*read)(fc_cuda *cuda);
    /* Clears the counters of nodes and outputs and the histograms of all networks. */
    const char *(*clear)(fc_cuda *cuda);
    const char *(*histogram)(fc_cuda *cuda, uint32_t network, uint64_t *counts);
} fc_cuda_functions;

/* The one symbol of the library. */
const fc_cuda_functions *fc_cuda_library(void);
#define FC_CUDA_SYMBOL "fc_cuda_library"

#ifdef __cplusplus
}
#endif

#endif
