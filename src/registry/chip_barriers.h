/* The barriers of a chip's trace beside what a method says of them. */
#ifndef FC_REGISTRY_CHIP_BARRIERS_H
#define FC_REGISTRY_CHIP_BARRIERS_H

#include "registry/result.h"
#include "scenario/families/chip.h"

/* Adds `duration_measured`, the table `barriers` (every one that was measured and that ended: its
 * core, processor and network, and when it ended) and `barrier_error`. end: cycle of the last data
 * of each barrier; left: how many of its transfers are not done. */
void fc_result_add_barriers(fc_result *result, const fc_chip *chip, const uint64_t *end,
                            const uint32_t *left);

#endif
