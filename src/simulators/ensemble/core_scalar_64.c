#define FC_WORD_BITS 64
#define FC_LANES 1
#define FC_CORE_ADVANCE fc_core_scalar_64
#include "simulators/ensemble/core_build.h"
