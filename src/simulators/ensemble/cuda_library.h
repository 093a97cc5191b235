/* The GPU's part of ensembles, opened at run time: nothing else needs CUDA. */
#ifndef FC_SIMULATORS_CUDA_LIBRARY_H
#define FC_SIMULATORS_CUDA_LIBRARY_H

#include "base/status.h"
#include "simulators/ensemble/core_cuda.h"

/* NULL and what is missing if there is no library or no GPU. */
const fc_cuda_functions *fc_cuda_open(fc_error *error);
/* For tests: these functions instead of those of the library; NULL: those of the library. */
void fc_cuda_replace(const fc_cuda_functions *functions);

#endif
