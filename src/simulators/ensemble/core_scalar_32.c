#define FC_WORD_BITS 32
#define FC_LANES 1
#define FC_CORE_ADVANCE fc_core_scalar_32
#include "simulators/ensemble/core_build.h"
