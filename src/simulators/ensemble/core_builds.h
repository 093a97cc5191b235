/* The builds of the core (core_rules.h) for processors: with words of 32 or 64 bits, one lane or
 * FC_CORE_LANES, and the vector instructions of several generations. All give the same bits. */
#ifndef FC_SIMULATORS_CORE_BUILDS_H
#define FC_SIMULATORS_CORE_BUILDS_H

#include "simulators/ensemble/core_types.h"

/* Simulates up to the start of cycle `until`. */
typedef void (*fc_core_advance)(fc_core *core, uint32_t until);

void fc_core_scalar_32(fc_core *core, uint32_t until);
void fc_core_scalar_64(fc_core *core, uint32_t until);
/* With the vector instructions that every processor of the kind has. */
void fc_core_lanes_32(fc_core *core, uint32_t until);
void fc_core_lanes_64(fc_core *core, uint32_t until);
#ifdef FC_CORE_X86 /* only where the processor has them */
void fc_core_avx2_32(fc_core *core, uint32_t until);
void fc_core_avx2_64(fc_core *core, uint32_t until);
void fc_core_avx512_32(fc_core *core, uint32_t until);
void fc_core_avx512_64(fc_core *core, uint32_t until);
void fc_core_wide_32(fc_core *core, uint32_t until); /* FC_CORE_MOST_LANES */
#endif

#endif
