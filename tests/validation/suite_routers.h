/* Networks of routers that were drawn at random and simulated: one line each in a table. */
#ifndef SUITE_ROUTERS_H
#define SUITE_ROUTERS_H

#include "suite.h"

enum { ROUTER_LOADS = 10, ROUTER_CASES = 100000 };

typedef struct router_point {
    double rate, latency, latency_half, p99, p99_half; /* NaN: saturated */
} router_point;

typedef struct router_case {
    char network[320], traffic[320];
    double saturation, saturation_half; /* 0: not searched for */
    size_t count;
    router_point points[ROUTER_LOADS];
} router_case;

/* Those of DIRECTORY/NAME.csv, as validate_points writes them; returns their number. */
size_t router_cases_read(const char *directory, const char *name, router_case *list, size_t room);
/* Those of the suite's table. */
size_t router_cases_of(const suite *s, router_case *list, size_t room);
/* NULL: a load that is not accepted. */
fc_scenario *router_case_scenario(const router_case *at, double rate);

#endif
