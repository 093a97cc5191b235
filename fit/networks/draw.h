/* What random networks are drawn with. A draw is a statement of its own: a compiler may evaluate
 * arguments in any order. */
#ifndef DRAW_H
#define DRAW_H

#include <math.h>
#include <stdbool.h>
#include "base/random.h"

static inline unsigned whole(fc_random *random, unsigned low, unsigned high) {
    return low + fc_random_below(random, high - low + 1);
}

/* A whole number, small as often as large. */
static inline unsigned spread(fc_random *random, unsigned low, unsigned high) {
    return (unsigned)(low * pow((high + 1.0) / low, fc_random_unit(random)));
}

static inline bool chance(fc_random *random, double probability) {
    return fc_random_unit(random) < probability;
}

#endif
