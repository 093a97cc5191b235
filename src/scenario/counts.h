/* What several families count alike. */
#ifndef FC_SCENARIO_COUNTS_H
#define FC_SCENARIO_COUNTS_H

#include "flitcast/flitcast.h"

/* Butterflies of arity ^ stages nodes, which are joined to the first stage and to the last. Uniform
 * traffic fills every link, so that no halving passes less than its share of it; with an even arity
 * the highest digit makes one that does not pass more. */
void fc_count_butterfly(int64_t arity, int64_t stages, int64_t extra_stages, fc_counts *counts);

#endif
