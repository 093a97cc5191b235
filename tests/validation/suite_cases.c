#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "suite.h"

const double suite_widest = 0.05;

bool suite_within(const suite_value *value, double share) {
    return value->half_width <= 1.01 * share * fabs(value->simulated); /* of rounded numbers */
}

/* Whether a longer run may reach the precision. */
static bool can_be_better(const suite *s, const suite_entry *entry, const suite_point *point) {
    return !suite_within(&point->metrics[0], suite_precision_of(s, entry)) &&
           !(point->cycles >= suite_cycles_of(s, entry));
}

bool suite_lacks(const suite *s, const suite_entry *entry, const suite_point *point) {
    return !point->done || can_be_better(s, entry, point);
}

bool suite_counts(const suite_entry *entry, const suite_value *value, size_t model) {
    return entry->covered[model] && !isnan(value->predicted[model]) &&
           suite_within(value, suite_widest);
}

/* ---- data/accuracy.csv ---- */

/* Bands of loads, as shares of the saturation load. */
static const double edges[] = {0, 0.35, 0.6, 0.75, 0.85, 0.93, 1.35};
enum { BANDS = sizeof edges / sizeof *edges - 1, ERRORS_MAX = 1 << 16 };
/* Networks of at most so many nodes have bands of their own, where there are so many cases. */
static const double small_nodes = 64;
enum { SMALL_CASES = 20 };

typedef struct tally {
    size_t networks, unsolved, cases;
    double low, high; /* loads */
    double errors[ERRORS_MAX];
} tally;

/* Errors are written with five digits: counted as they are written. */
static double error_of(const suite_value *value, size_t model) {
    return rint(1e5 * (value->predicted[model] / value->simulated - 1)) / 1e5;
}

typedef struct selection {
    const char *part;
    size_t band;       /* of loads; BANDS: all */
    double nodes_most; /* infinity: all sizes */
} selection;

static void count_entry(const suite_entry *entry, size_t model, const selection *wanted, tally *t) {
    const size_t before = t->cases + t->unsolved, band = wanted->band;
    if (!(entry->nodes <= wanted->nodes_most))
        return;
    for (size_t i = 0; i < entry->point_count; ++i) {
        const suite_value *value = &entry->points[i].metrics[0];
        const double load = rint(1e3 * entry->points[i].fraction) / 1e3;
        if (!suite_counts(entry, value, model) ||
            (band < BANDS && !(load > edges[band] && load <= edges[band + 1])))
            continue;
        if (isinf(value->predicted[model])) {
            ++t->unsolved;
            continue;
        }
        t->low = fmin(t->low, load);
        t->high = fmax(t->high, load);
        if (t->cases < ERRORS_MAX)
            t->errors[t->cases++] = error_of(value, model);
    }
    t->networks += t->cases + t->unsolved > before;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void put_tally(const char *model, const selection *wanted, tally *t, FILE *stream) {
    double sum = 0, worst = 0;
    const bool of_small = isfinite(wanted->nodes_most);
    if (t->cases == 0 || (of_small && t->cases < SMALL_CASES))
        return;
    for (size_t i = 0; i < t->cases; ++i) {
        sum += fabs(t->errors[i]);
        worst = fabs(t->errors[i]) > fabs(worst) ? t->errors[i] : worst;
    }
    qsort(t->errors, t->cases, sizeof *t->errors, by_size);
    const double last = (double)(t->cases - 1);
    fprintf(stream, "%s,%s,", model, wanted->part);
    if (isfinite(t->low))
        fprintf(stream, "%.3g,%.3g,", t->low, t->high);
    else
        fputs(",,", stream);
    if (of_small)
        fprintf(stream, "%.0f", wanted->nodes_most);
    fprintf(stream, ",%zu,%zu,%zu,%.5f,%.5f,%.5f,%.5f\n", t->networks, t->cases, t->unsolved,
            sum / (double)t->cases, worst, t->errors[(size_t)(0.05 * last + 0.5)],
            t->errors[(size_t)(0.95 * last + 0.5)]);
}

/* One model may be in several suites. */
static void put_model(suite *const *suites, const char *model, const char *part, size_t band,
                      double nodes_most, FILE *stream) {
    const selection wanted = {part, band, nodes_most};
    tally *t = calloc(1, sizeof *t);
    if (!t)
        suite_stop("accuracy.csv", "out of memory");
    t->low = INFINITY;
    for (size_t i = 0; suites[i]; ++i)
        for (size_t m = 0; m < suites[i]->models; ++m) {
            if (strcmp(suites[i]->design->models[m], model) != 0)
                continue;
            for (size_t e = 0; e < suites[i]->count; ++e)
                if (suites[i]->entries[e].held_out || strcmp(part, "held-out") != 0)
                    count_entry(&suites[i]->entries[e], m, &wanted, t);
        }
    if (band < BANDS && t->cases) {
        t->low = edges[band];
        t->high = edges[band + 1];
    }
    put_tally(model, &wanted, t, stream);
    free(t);
}

/* Whether a suite before has the model too. */
static bool was_written(suite *const *suites, size_t last, size_t model) {
    for (size_t i = 0; i < last; ++i)
        for (size_t m = 0; m < suites[i]->models; ++m)
            if (strcmp(suites[i]->design->models[m], suites[last]->design->models[model]) == 0)
                return true;
    return false;
}

void suite_write_accuracy(suite *const *suites, FILE *stream) {
    fputs(
        "model,part,load_low,load_high,nodes_most,networks,cases,unanswered,mean_error,worst_error,"
        "error_5,error_95\n",
        stream);
    for (size_t i = 0; suites[i]; ++i)
        for (size_t m = 0; m < suites[i]->models; ++m) {
            const char *model = suites[i]->design->models[m];
            if (was_written(suites, i, m))
                continue;
            put_model(suites, model, "all", BANDS, INFINITY, stream);
            put_model(suites, model, "held-out", BANDS, INFINITY, stream);
            for (size_t band = 0; band < BANDS; ++band) {
                put_model(suites, model, "band", band, small_nodes, stream);
                put_model(suites, model, "band", band, INFINITY, stream);
            }
        }
}
