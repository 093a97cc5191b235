/* Random scenarios over all families, the same for the same number, and what was found of each. */
#ifndef AUDIT_H
#define AUDIT_H

#include "flitcast/flitcast.h"

typedef struct audit_text {
    const char *kind;
    char text[600];
} audit_text;

audit_text audit_draw(unsigned number);

/* What one scenario showed. */
typedef struct audit_finding {
    bool refused, settled; /* no simulator takes it; both runs have a mean */
    bool missed;           /* the intervals of the run and of one ten times as long do not meet */
    bool certain;          /* an interval of width 0 */
    char identity[160];    /* the identity that does not hold; empty: all do */
    char model[FC_NAME_SIZE];
    double value, half_width, longer, longer_half_width, error; /* error of the model; NaN: none */
    bool warned; /* the model's answer says that it was not validated, or an error as large */
    bool misled; /* off by more than 15 %, or ok where the simulation saturated, and no warning */
    double seconds; /* of processor time, both runs */
} audit_finding;

/* precision: of the run; the longer one asks for 1/sqrt(10) of it. cycles: at most, of the run. */
audit_finding audit_scenario(const audit_text *scenario, double precision, double cycles);

#endif
