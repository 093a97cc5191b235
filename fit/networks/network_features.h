/* Features: the few numbers and choices of a scenario that decide how accurate a model is.
 *
 * Each kind of network has a list of features. Two scenarios are of the same structure if all their
 * choices are equal; their distance is that of their numbers. The load is not a feature. */
#ifndef FEATURES_H
#define FEATURES_H

#include "scenario/scenario.h"

enum { FC_FEATURES_MAX = 16 };

typedef enum fc_feature_scale {
    FC_FEATURE_CHOICE,     /* a number of labels */
    FC_FEATURE_RATIO,      /* one unit apart: a factor of two */
    FC_FEATURE_DIFFERENCE, /* one unit apart: by `unit` */
} fc_feature_scale;

typedef struct fc_feature {
    const char *name;
    fc_feature_scale scale;
    double unit;
    const char *const *labels; /* of a choice; NULL-terminated */
    /* A choice that changes the errors of models little (docs/theory/accuracy.md): cases that
     * differ in it count where there are not enough that do not. */
    bool minor;
} fc_feature;

typedef struct fc_feature_list {
    const char *name; /* "rings": also of the files in docs/validation */
    const char *family;
    const fc_feature *features; /* ends with a name of NULL */
    /* Where a family has several kinds of networks; NULL: always. */
    bool (*suits)(const fc_scenario *scenario);
    void (*read)(const fc_scenario *scenario, double *values);
    /* The load at which the busiest part is used all the time, where it is known without a model
     * and loads are given as shares of it; NULL: of the saturation load. */
    double (*capacity)(const fc_scenario *scenario);
    /* Why no simulated network is like this one; NULL: some may be. */
    const char *(*unlike)(const fc_scenario *scenario);
} fc_feature_list;

extern const fc_feature_list *const fc_feature_lists[]; /* NULL-terminated */

/* NULL: networks that were never compared with a model. */
const fc_feature_list *fc_features_of(const fc_scenario *scenario);
size_t fc_feature_count(const fc_feature_list *list);
/* "torus", "0.25"; text has room for 32 characters. */
void fc_feature_text(const fc_feature *feature, double value, char text[32]);

#endif
