/* The simulated cases that the library carries: accuracy_cases.c, written by 'make validate'. */
#ifndef FC_REGISTRY_ACCURACY_CASES_H
#define FC_REGISTRY_ACCURACY_CASES_H

#include "registry/features.h"

#include <limits.h>

enum { FC_CASE_LOADS = 10 };

/* Whole numbers, so that what is printed of them has no digits that were not measured: loads in
 * thousandths of the saturation load, errors in units of 1e-5. */
#define FC_CASE_CLOSED (-1)      /* a load: closed traffic has none */
#define FC_CASE_NONE INT_MIN     /* an error: not simulated, or not precisely enough to tell */
#define FC_CASE_UNSOLVED INT_MAX /* an error: simulated, but the model had no answer */

typedef struct fc_case_network {
    bool held_out;              /* no model was developed on it */
    short loads[FC_CASE_LOADS]; /* 0: no more */
    double features[FC_FEATURES_MAX];
} fc_case_network;

typedef struct fc_case_row {
    unsigned network;
    int errors[FC_CASE_LOADS]; /* (model - simulation) / simulation of the metric */
} fc_case_row;

typedef struct fc_case_model {
    const char *model;
    const char *features; /* the name of its list */
    const fc_case_network *networks;
    const fc_case_row *rows;
    size_t count;
    const char *metric; /* NULL: the main one */
} fc_case_model;

extern const fc_case_model fc_case_models[]; /* ends with a model of NULL */

#endif
