/* In many dimensions hardly any case is near a scenario in every number (closed traffic has eight).
 * Inside the range that was simulated the nearest cases still say how large errors are: the
 * distance is the sum of the squares of how far apart two scenarios are in each number, in its
 * units, and in the load, and of a constant for each choice in which they differ.
 * docs/theory/accuracy.md says how often the intervals made of them hold. */
#include "registry/accuracy_nearest.h"

#include <math.h>

/* A choice that differs counts as much as two units, a minor one as one; loads are apart by units
 * of a sixth of the saturation load. */
static const double choice_weight = 4, minor_weight = 1, load_unit = 0.16;
static const double slack = 1e-5; /* the tables hold six digits */

typedef struct nearest {
    double distance[FC_NEAREST_CASES];
    int error[FC_NEAREST_CASES];
    size_t count;
} nearest;

/* Keeps the list sorted; of cases at the same distance the first stays. */
static void add(nearest *n, double distance, int error) {
    size_t at = n->count;
    while (at > 0 && n->distance[at - 1] > distance)
        --at;
    if (at == FC_NEAREST_CASES)
        return;
    n->count += n->count < FC_NEAREST_CASES;
    for (size_t i = n->count - 1; i > at; --i) {
        n->distance[i] = n->distance[i - 1];
        n->error[i] = n->error[i - 1];
    }
    n->distance[at] = distance;
    n->error[at] = error;
}

/* In units; of choices 0 or their weight. */
static double apart_in(const fc_feature *feature, double a, double b) {
    if (feature->scale == FC_FEATURE_CHOICE)
        return a == b ? 0 : feature->minor ? minor_weight : choice_weight;
    const double units = feature->scale == FC_FEATURE_RATIO ? log2(a / b) : (a - b) / feature->unit;
    return units * units;
}

static double distance_between(const fc_feature *features, const double *a, const double *b) {
    double sum = 0;
    for (size_t f = 0; features[f].name; ++f)
        if (a[f] != b[f]) /* 0 has no logarithm */
            sum += apart_in(&features[f], a[f], b[f]);
    return sum;
}

static bool is_same(const fc_feature *features, const double *a, const double *b) {
    bool same = true;
    for (size_t f = 0; features[f].name; ++f)
        same &= fabs(a[f] - b[f]) <= slack * fabs(b[f]);
    return same;
}

/* What is simulated: the choices seen, and between which two each number was. */
typedef struct range {
    bool seen[FC_FEATURES_MAX];
    double low[FC_FEATURES_MAX], high[FC_FEATURES_MAX];
    double load;
} range;

static void widen(range *r, const fc_feature *features, const double *values, const double *other) {
    for (size_t f = 0; features[f].name; ++f) {
        r->seen[f] |= features[f].scale != FC_FEATURE_CHOICE || values[f] == other[f];
        r->low[f] = fmin(r->low[f], other[f]);
        r->high[f] = fmax(r->high[f], other[f]);
    }
}

static bool is_inside(const range *r, const fc_feature *features, const double *values,
                      double load) {
    bool inside = !(load > r->load * (1 + slack));
    for (size_t f = 0; features[f].name; ++f)
        inside &= r->seen[f] && (features[f].scale == FC_FEATURE_CHOICE ||
                                 (values[f] >= r->low[f] - slack * fabs(r->low[f]) &&
                                  values[f] <= r->high[f] + slack * fabs(r->high[f])));
    return inside;
}

bool fc_nearest_errors(const fc_case_model *cases, const fc_feature *features, const double *values,
                       double load, bool others, double errors[FC_NEAREST_CASES]) {
    nearest found = {.count = 0};
    range r = {.load = 0};
    for (size_t f = 0; features[f].name; ++f) {
        r.low[f] = INFINITY;
        r.high[f] = -INFINITY;
    }
    for (size_t i = 0; i < cases->count; ++i) {
        const fc_case_row *row = &cases->rows[i];
        const fc_case_network *network = &cases->networks[row->network];
        if (others && is_same(features, values, network->features))
            continue;
        const double distance = distance_between(features, values, network->features);
        for (size_t k = 0; k < FC_CASE_LOADS && network->loads[k]; ++k) {
            const double at = network->loads[k] / 1e3;
            const bool closed = network->loads[k] == FC_CASE_CLOSED;
            if (row->errors[k] == FC_CASE_NONE || closed != isnan(load))
                continue;
            const double further = closed ? 0 : (at - load) / load_unit;
            widen(&r, features, values, network->features);
            r.load = closed ? 0 : fmax(r.load, at);
            add(&found, distance + further * further, row->errors[k]);
        }
    }
    bool usable = found.count == FC_NEAREST_CASES && is_inside(&r, features, values, load);
    for (size_t i = 0; usable && i < FC_NEAREST_CASES; ++i) {
        usable = found.error[i] != FC_CASE_UNSOLVED;
        errors[i] = found.error[i] / 1e5;
    }
    return usable;
}
