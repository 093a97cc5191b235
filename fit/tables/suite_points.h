/* Networks that were drawn at random and simulated: one line each in a table. */
#ifndef SUITE_POINTS_H
#define SUITE_POINTS_H

#include "suite.h"

enum { DRAWN_LOADS = 10, DRAWN_METRICS = 4, DRAWN_CASES = 100000 };

typedef struct drawn_point {
    double rate; /* 0: closed traffic */
    /* Of the metrics of the family (points.c), for open networks the mean latency and its 99th
     * percentile. NaN: saturated, or none. */
    double value[DRAWN_METRICS], half[DRAWN_METRICS];
} drawn_point;

typedef struct drawn_case {
    char network[320], traffic[320];
    double saturation, saturation_half; /* 0: not searched for */
    size_t count;
    drawn_point points[DRAWN_LOADS];
} drawn_case;

/* Of which nothing is known but its load. */
drawn_point drawn_point_at(double rate);
/* Those of the table (table_text.h) of that name, as fit_points writes it; returns their number. */
size_t drawn_cases_read(const char *directory, const char *name, drawn_case *list, size_t room);
/* Those of the suite's table. */
size_t drawn_cases_of(const suite *s, drawn_case *list, size_t room);
/* rate 0: closed traffic. NULL: a load that is not accepted. */
fc_scenario *drawn_case_scenario(const drawn_case *at, double rate);

#endif
