/* Sixteen lanes. Compiled with -mavx512 and the like (CMakeLists.txt); called only where the
 * processor has it. */
#define FC_WORD_BITS 32
#define FC_LANES 16
#define FC_CORE_ADVANCE fc_core_wide_32
#include "simulators/ensemble/core_build.h"
