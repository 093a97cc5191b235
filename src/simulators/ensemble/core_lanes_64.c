#define FC_WORD_BITS 64
#define FC_LANES 8
#define FC_CORE_ADVANCE fc_core_lanes_64
#include "simulators/ensemble/core_build.h"
