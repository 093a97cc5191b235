/* An axis: its range rounded to whole steps, its ticks and their labels. */
#ifndef FC_OUTPUT_SCALE_H
#define FC_OUTPUT_SCALE_H

#include "output/text/numbers.h"

#include <stddef.h>

enum { FC_TICKS_MAX = 80 };

typedef struct fc_tick {
    double value;
    double position;            /* 0..1 along the axis */
    char label[FC_NUMBER_SIZE]; /* empty: a minor tick */
} fc_tick;

typedef struct fc_scale {
    bool log;
    double low, high; /* logarithmic: both above 0 */
    size_t tick_count;
    fc_tick ticks[FC_TICKS_MAX];
} fc_scale;

/* The axis for data between low and high, with about that many labelled ticks. low > high: there
 * is no data. Linear axes that would start near 0 start at 0. */
void fc_scale_fit(fc_scale *axis, double low, double high, bool log, int wanted);
/* The same for bytes: ticks are powers of two, or multiples of one, in B, KiB, MiB, GiB. */
void fc_scale_bytes(fc_scale *axis, double low, double high, bool log, int wanted);
/* The axis ends at a value, which need not have a tick. */
void fc_scale_end(fc_scale *axis, double high);
/* One tick only, at that value. */
void fc_scale_single(fc_scale *axis, double value);
/* A tick for each name, at 0, 1, 2, ..., with half a step of room at both ends. Long names are cut.
 */
void fc_scale_names(fc_scale *axis, const char *const *names, size_t count);
/* 0 at the low end, 1 at the high end; outside of 0..1 for values outside, but never further than
 * a thousand lengths of the axis. */
double fc_scale_position(const fc_scale *axis, double value);

#endif
