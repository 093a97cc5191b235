#include "scenario/counts.h"

#include <math.h>

const char *fc_bound_name(fc_bound bound) {
    switch (bound) {
    case FC_EXACT:
        return "exact";
    case FC_AT_MOST:
        return "at-most";
    case FC_AT_LEAST:
        return "at-least";
    }
    return NULL;
}

void fc_count_butterfly(int64_t arity, int64_t stages, int64_t extra_stages, fc_counts *counts) {
    const double nodes = pow((double)arity, (double)stages), columns = nodes / (double)arity;
    const double all = (double)(stages + extra_stages);
    counts->routers = columns * all;
    counts->cables = nodes * (all - 1);
    counts->ports = 2 * counts->cables + 2 * nodes;
    if (stages == 1) /* all nodes are at one router */
        return;
    const double half = floor(columns / 2) * (double)arity; /* whole routers */
    counts->bisection = half * (nodes - half) / nodes;
    counts->bisection_bound = arity % 2 == 0 || stages == 2 ? FC_EXACT : FC_AT_LEAST;
}
