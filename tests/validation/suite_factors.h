/* The calibration by factors of closed and of multistage networks (registry/calibration_factors.h):
 * what was simulated, and what the models say of it. */
#ifndef SUITE_FACTORS_H
#define SUITE_FACTORS_H

#include "registry/calibration_factors.h"
#include "suite.h"

typedef struct factor_case {
    size_t network; /* its number: cases of one network are left out together */
    double load;    /* over the capacity; NaN: closed traffic */
    double values[FC_FACTOR_INPUTS];
    fc_cycle cycle;          /* closed traffic */
    double service, latency; /* else: of the empty network, and what the model says */
    double simulated[2];     /* efficiency and network time, or latency and throughput */
    double deviation[2];     /* standard deviations of these, as shares of them */
} factor_case;

typedef struct factor_cases {
    factor_case *list; /* free with free */
    size_t count, networks;
} factor_cases;

/* Those of the suite that are not held out, and of DIRECTORY/NAME_points.csv, as validate_points
 * writes it. What is not precise enough to learn from is left out. */
factor_cases factor_cases_read(const suite *s, const char *directory);

/* Fits the calibrations, writes them as a source file, and how well each does on networks that it
 * was not fitted to as rows of a table. */
void suite_write_factors(suite *const *suites, const char *directory, FILE *stream, FILE *scores);

#endif
