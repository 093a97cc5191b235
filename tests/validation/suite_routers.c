/* The calibration of router-queueing: fitted to the networks of routers.csv and of
 * router_training.csv (written by validate_routers.c), all drawn at random over all keys. */
#include "suite_routers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/pool.h"
#include "studies/run.h"
#include "tree_fit.h"

enum { FOLDS = 5, LINE = 2048 };

/* The widest half width, as a share of what the latency has beyond the empty network's. */
static const double widest_excess = 0.3;

/* ---- networks ---- */

static void take_entry(const suite_entry *entry, router_case *made) {
    *made = (router_case){.saturation = entry->saturation.simulated,
                          .saturation_half = entry->saturation.half_width};
    snprintf(made->network, sizeof made->network, "%s", entry->network);
    snprintf(made->traffic, sizeof made->traffic, "%s", entry->traffic);
    for (size_t i = 0; i < entry->point_count; ++i) {
        const suite_point *from = &entry->points[i];
        if (from->done && made->count < ROUTER_LOADS)
            made->points[made->count++] =
                (router_point){from->rate, from->metrics[0].simulated, from->metrics[0].half_width,
                               from->metrics[1].simulated, from->metrics[1].half_width};
    }
}

static char *next_field(char **at) {
    char *field = *at;
    const bool quoted = *field == '"';
    field += quoted;
    char *end = strpbrk(field, quoted ? "\"" : ",\n");
    if (!end)
        return field;
    *end++ = '\0';
    *at = end + (quoted && *end == ',');
    return field;
}

static void take_line(char *line, router_case *made) {
    *made = (router_case){.count = 4};
    snprintf(made->network, sizeof made->network, "%.319s", next_field(&line));
    snprintf(made->traffic, sizeof made->traffic, "%.319s", next_field(&line));
    made->saturation = strtod(next_field(&line), NULL);
    made->saturation_half = strtod(next_field(&line), NULL);
    for (size_t i = 0; i < made->count; ++i) {
        double *numbers[] = {&made->points[i].rate, &made->points[i].latency,
                             &made->points[i].latency_half, &made->points[i].p99,
                             &made->points[i].p99_half};
        for (size_t k = 0; k < 5; ++k)
            *numbers[k] = strtod(next_field(&line), NULL);
    }
}

size_t router_cases_read(const char *directory, const char *name, router_case *list, size_t room) {
    char path[1024], line[LINE];
    size_t count = 0;
    snprintf(path, sizeof path, "%s/%s.csv", directory, name);
    FILE *stream = fopen(path, "r");
    while (stream && count < room && fgets(line, sizeof line, stream))
        if (line[0] == '"')
            take_line(line, &list[count++]);
    if (stream)
        fclose(stream);
    return count;
}

static size_t cases_of(const suite *s, router_case *list, size_t room) {
    size_t count = 0;
    for (size_t e = 0; e < s->count && count < room; ++e)
        take_entry(&s->entries[e], &list[count++]);
    return count;
}

fc_scenario *router_case_scenario(const router_case *at, double rate) {
    char text[1024];
    const int length = snprintf(text, sizeof text, "network: {%s}\ntraffic: {%s, rate: %.9g}\n",
                                at->network, at->traffic, rate);
    fc_scenario *scenario;
    return fc_scenario_read_text(text, (size_t)length, "case", NULL, 0, NULL, &scenario) == FC_OK
               ? scenario
               : NULL;
}

/* ---- what the model says ---- */

/* A simulated load, and what its calibration starts from. */
typedef struct lesson {
    bool usable, tail_usable;
    double times; /* the model's excess is that at its saturation load, the load so much more */
    double excess, tail; /* of the mean and of the 99th percentile, by the model */
    double fraction;     /* of the simulated saturation load */
    double simulated, p99;
    double level, shift, variance; /* u, t */
    double tail_level, tail_shift, tail_variance;
} lesson;

typedef struct lessons {
    bool usable, limit_usable;
    fc_reference reference;
    double limit[FC_CALIBRATION_LIMIT_INPUTS], limit_shift, limit_variance;
    lesson points[ROUTER_LOADS];
} lessons;

typedef struct class_room {
    const fc_model *model;
    const router_case *cases;
    lessons *of;
} class_room;

/* t that moves the model's level to that of the simulated excess, and its variance. */
static double shift_of(double level, double simulated, double scale, double deviation,
                       double *variance) {
    const double to = fc_calibration_level(simulated, scale);
    const double slope = deviation / simulated * (1 - to); /* of log to */
    *variance = slope * slope;
    return log(to / level);
}

static void learn_point(const router_point *point, const fc_reference *r, const fc_result *result,
                        lesson *made) {
    const double empty = r->empty[FC_MEAN], excess = point->latency - empty;
    if (!(point->latency > 0) || point->latency_half > suite_widest * point->latency ||
        !(excess > 0) || point->latency_half > widest_excess * excess)
        return;
    const fc_metric *mean = fc_result_metric(result, "latency");
    const fc_metric *tail = fc_result_metric(result, "latency_p99");
    made->excess = mean->value - empty;
    if (!(made->excess > 0))
        return;
    made->usable = true;
    made->simulated = point->latency;
    made->p99 = point->p99;
    made->level = made->times * fc_calibration_level(made->excess, r->scale);
    made->shift =
        shift_of(made->level, excess, r->scale, point->latency_half / 1.96, &made->variance);
    const double scale = fc_calibration_scale(r, FC_P99), p99 = point->p99 - r->empty[FC_P99];
    made->tail = tail ? tail->value - r->empty[FC_P99] : 0;
    if (!(p99 > 0) || !(made->tail > 0) || !(point->p99_half < 0.5 * p99))
        return;
    made->tail_usable = true;
    made->tail_level = made->times * fc_calibration_level(made->tail, scale);
    made->tail_shift =
        shift_of(made->tail_level, p99, scale, point->p99_half / 1.96 + 0.5, &made->tail_variance);
}

static fc_result *ask(const fc_model *model, const router_case *at, double rate, fc_reference *r) {
    fc_scenario *scenario = router_case_scenario(at, 1e-4);
    fc_result *result = NULL;
    fc_error error;
    if (!scenario ||
        fc_calibration_solve_reference(model, scenario, rate, &error, r, &result) != FC_OK)
        suite_stop(at->network, error.text);
    fc_scenario_free(scenario);
    return result;
}

static double limit_of(const fc_model *model, const router_case *at) {
    fc_scenario *scenario = router_case_scenario(at, 1e-4);
    fc_error error;
    double limit;
    if (!scenario || model->saturation(scenario, &error, &limit) != FC_OK)
        suite_stop(at->network, error.text);
    fc_scenario_free(scenario);
    return limit;
}

/* A network that is hardly slower near its saturation load than without load, while the model says
 * that it carries much more: the simulations were too short to see that. */
static bool is_doubtful(const router_case *at, double limit, double empty) {
    double share = 0, latency = (double)INFINITY;
    for (size_t i = 0; i < at->count; ++i)
        if (at->points[i].rate / at->saturation > share && at->points[i].latency > 0) {
            share = at->points[i].rate / at->saturation;
            latency = at->points[i].latency;
        }
    return share > 0.85 && latency < 1.1 * empty && limit > 1.5 * at->saturation;
}

static fc_status learn_one(void *context, size_t index) {
    const class_room *room = context;
    const router_case *at = &room->cases[index];
    lessons *made = &room->of[index];
    const double limit = limit_of(room->model, at);
    fc_reference near;
    *made = (lessons){.usable = false};
    if (!isfinite(limit) || !(at->saturation > 0))
        return FC_OK;
    fc_result *result = ask(room->model, at, fc_calibration_near_limit * limit, &near);
    made->usable = result != NULL;
    made->limit_usable = result && !is_doubtful(at, limit, near.empty[FC_MEAN]);
    if (result) {
        const double deviation = at->saturation_half / at->saturation;
        made->reference = near;
        fc_calibration_limit_inputs(&near, limit, made->limit);
        made->limit_shift = log(limit / at->saturation);
        made->limit_variance = deviation * deviation;
    }
    fc_result_free(result);
    for (size_t i = 0; i < at->count && made->usable; ++i) {
        const router_point *point = &at->points[i];
        lesson *one = &made->points[i];
        one->times = 1;
        one->fraction = point->rate / at->saturation;
        result = ask(room->model, at, point->rate, &near);
        if (!result) {
            one->times = fmax(1, point->rate / limit);
            result = ask(room->model, at, limit, &near);
        }
        if (result)
            learn_point(point, &near, result, one);
        fc_result_free(result);
    }
    return FC_OK;
}

/* ---- the fit ---- */

typedef enum target { SHIFT, TAIL, LIMIT, TARGETS } target;
/* Of the values: what the inputs do not tell, about; and the largest one learned. */
static const double unexplained = 0.02, shift_most = 1;

static void add_datum(tree_data *data, double value, double variance, double importance) {
    data->values[data->count] = fmax(-shift_most, fmin(shift_most, value));
    data->weights[data->count++] = importance / (1 + variance / unexplained);
}

/* Near saturation a small shift is a large error of the latency: how much larger, bounded, and
 * its square root, so that light loads count too. */
static double importance_of(double latency, double empty, double level) {
    return sqrt(fmin(3, (latency - empty) / latency / (1 - level)));
}

/* fold: networks left out; -1: none. */
static tree_data data_of(const class_room *room, size_t count, target of, int fold) {
    tree_data data = tree_data_create(of == LIMIT ? count : count * ROUTER_LOADS);
    for (size_t n = 0; n < count; ++n) {
        const lessons *from = &room->of[n];
        if ((fold >= 0 && (int)(n % FOLDS) == fold) || !from->usable)
            continue;
        data.inputs_used = 1 + from->reference.inputs + (of == LIMIT ? from->reference.states : 0);
        if (of == LIMIT && from->limit_usable) {
            memcpy(data.inputs[data.count], from->limit, sizeof from->limit);
            add_datum(&data, from->limit_shift, from->limit_variance, 1);
        }
        for (size_t i = 0; i < ROUTER_LOADS && of != LIMIT; ++i) {
            const lesson *one = &from->points[i];
            if (!(of == TAIL ? one->tail_usable : one->usable))
                continue;
            const fc_reference *r = &from->reference;
            double *inputs = data.inputs[data.count];
            if (of == TAIL) {
                fc_calibration_curve_inputs(r, one->tail_level, inputs);
                add_datum(&data, one->tail_shift, one->tail_variance,
                          importance_of(one->p99, r->empty[FC_P99],
                                        one->tail_level * exp(one->tail_shift)));
            } else {
                fc_calibration_curve_inputs(r, one->level, inputs);
                add_datum(
                    &data, one->shift, one->variance,
                    importance_of(one->simulated, r->empty[FC_MEAN], one->level * exp(one->shift)));
            }
        }
    }
    return data;
}

enum { FITS = TARGETS * (FOLDS + 1) };
typedef struct fit {
    const class_room *room;
    size_t count;
    tree_data data[FITS]; /* of each target: those without a fold, then all */
    fitted_trees *trees[FITS];
} fit;

static size_t fit_of(target of, size_t fold) {
    return of * (FOLDS + 1) + fold;
}

static fc_status fit_one(void *context, size_t index) {
    fit *all = context;
    all->trees[index] = tree_fit(&all->data[index]);
    return FC_OK;
}

/* ---- cross-validation ---- */

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static size_t nearest_knot(double level) {
    size_t k = 0;
    while (k < FC_CALIBRATION_KNOTS - 1 &&
           level > 0.5 * (fc_calibration_knots[k] + fc_calibration_knots[k + 1]))
        ++k;
    return k;
}

/* Standard deviations that a normal distribution would need for 90 % of the errors of t. */
static void find_deviations(const fit *all, target of, double *deviation) {
    double *errors = calloc(all->count * ROUTER_LOADS, sizeof *errors);
    if (!errors)
        suite_stop("deviations", "out of memory");
    for (size_t k = 0; k < FC_CALIBRATION_KNOTS; ++k) {
        size_t used = 0;
        for (size_t n = 0; n < all->count; ++n)
            for (size_t i = 0; i < ROUTER_LOADS && all->room->of[n].usable; ++i) {
                const lesson *one = &all->room->of[n].points[i];
                const double level = of == TAIL ? one->tail_level : one->level;
                double at[TREE_INPUTS];
                if (!(of == TAIL ? one->tail_usable : one->usable) || nearest_knot(level) != k)
                    continue;
                fc_calibration_curve_inputs(&all->room->of[n].reference, level, at);
                const fc_boosted_trees *trees = &all->trees[fit_of(of, n % FOLDS)]->trees;
                errors[used++] =
                    fabs(fc_boosted_value(trees, at) - (of == TAIL ? one->tail_shift : one->shift));
            }
        qsort(errors, used, sizeof *errors, by_size);
        deviation[k] = used > 20 ? fmax(0.01, errors[used * 9 / 10] / 1.645) : 0.1;
    }
    free(errors);
}

typedef struct sums {
    size_t cases, held, tails, unsolved;
    double alone, calibrated, tail_alone, tail;
} sums;

static void check_one(const lesson *one, const fc_reference *r, const fc_calibration_curve *mean,
                      const fc_calibration_curve *tail, sums *to) {
    const double empty = r->empty[FC_MEAN], bottom = r->empty[FC_P99];
    const double value = fc_calibration_forecast_at(mean, r->scale, empty, one->level);
    double low, high;
    fc_calibration_interval_at(mean, r->scale, empty, one->level, &low, &high);
    ++to->cases;
    to->unsolved += one->times > 1;
    to->alone += one->times > 1 ? 0 : fabs((empty + one->excess) / one->simulated - 1);
    to->calibrated += fabs(value / one->simulated - 1);
    to->held += one->simulated >= 0.99 * low && one->simulated <= 1.01 * high;
    if (!one->tail_usable)
        return;
    const double p99 =
        fc_calibration_forecast_at(tail, fc_calibration_scale(r, FC_P99), bottom, one->tail_level);
    ++to->tails;
    to->tail_alone += one->times > 1 ? 0 : fabs((bottom + one->tail) / one->p99 - 1);
    to->tail += fabs(p99 / one->p99 - 1);
}

enum { BINS = 5 };
static void check_network(const fit *all, size_t n, const fc_curve_trees *trees, sums sum[BINS]) {
    static const double loads[] = {0.4, 0.7, 0.85, 2};
    const lessons *of = &all->room->of[n];
    fc_calibration_curve mean, tail;
    if (!of->usable)
        return;
    fc_calibration_find_curve(&all->trees[fit_of(SHIFT, n % FOLDS)]->trees, trees->deviation,
                              &of->reference, FC_MEAN, &mean);
    fc_calibration_find_curve(&all->trees[fit_of(TAIL, n % FOLDS)]->trees, trees->tail_deviation,
                              &of->reference, FC_P99, &tail);
    for (size_t i = 0; i < ROUTER_LOADS; ++i) {
        size_t bin = 0;
        while (of->points[i].fraction > loads[bin])
            ++bin;
        if (of->points[i].usable)
            check_one(&of->points[i], &of->reference, &mean, &tail, &sum[bin]);
    }
    if (!of->limit_usable)
        return;
    const double t = fc_boosted_value(&all->trees[fit_of(LIMIT, n % FOLDS)]->trees, of->limit);
    sums *last = &sum[BINS - 1];
    ++last->cases;
    last->alone += fabs(exp(of->limit_shift) - 1);
    last->calibrated += fabs(exp(of->limit_shift - t) - 1);
}

/* What the fit expects on networks that it has not seen: each fifth left out in turn. */
static void cross_validate(const fit *all, const fc_curve_trees *trees, const char *kind) {
    static const char *const names[] = {"15-40 %", "40-70 %", "70-85 %", "85-95 %", "saturation"};
    sums sum[BINS] = {{0}};
    for (size_t n = 0; n < all->count; ++n)
        if (strstr(all->room->cases[n].network, kind) || strstr(all->room->cases[n].traffic, kind))
            check_network(all, n, trees, sum);
    fprintf(stderr, "networks with '%s':\n", kind);
    for (size_t b = 0; b < BINS; ++b) {
        const double c = fmax(1, (double)sum[b].cases), t = fmax(1, (double)sum[b].tails);
        const double answered = fmax(1, (double)(sum[b].cases - sum[b].unsolved));
        fprintf(stderr,
                "%-10s %5zu cases, %3zu beyond the model: %.2f -> %.2f %%, interval holds "
                "%.2f; p99 %.1f -> %.1f %%\n",
                names[b], sum[b].cases, sum[b].unsolved, 100 * sum[b].alone / answered,
                100 * sum[b].calibrated / c, (double)sum[b].held / c, 100 * sum[b].tail_alone / t,
                100 * sum[b].tail / t);
    }
}

/* ---- the source file ---- */

static const char *const names[TARGETS] = {"shift", "tail", "limit"};

static void put_trees(FILE *stream, const char *name, const fitted_trees *trees) {
    fprintf(stream, "\nstatic const uint32_t %s_roots[] = {", name);
    for (size_t t = 0; t < TREE_COUNT; ++t)
        fprintf(stream, "%s%u,", t % 12 ? " " : "\n    ", (unsigned)trees->roots[t]);
    fprintf(stream, "\n};\n\nstatic const fc_tree_node %s_nodes[] = {", name);
    for (size_t i = 0; i < trees->used; ++i) {
        const fc_tree_node *node = &trees->nodes[i];
        fprintf(stream, "%s{%d, %u, %.*gF},", i % 5 ? " " : "\n    ", node->input,
                (unsigned)node->right, node->input < 0 ? 4 : 9, (double)node->value);
    }
    fprintf(stream, "\n};\n");
}

static void put_numbers(FILE *stream, const char *before, const double *values, size_t count,
                        const char *after) {
    fprintf(stream, "%s", before);
    for (size_t i = 0; i < count; ++i)
        fprintf(stream, "%s%.6g,", i % 8 ? " " : "\n    ", values[i]);
    fprintf(stream, "%s", after);
}

static void put_ranges(FILE *stream, const fit *all, size_t inputs) {
    double low[FC_REFERENCE_INPUTS], high[FC_REFERENCE_INPUTS];
    for (size_t k = 0; k < inputs; ++k) {
        low[k] = (double)INFINITY;
        high[k] = -(double)INFINITY;
        for (size_t n = 0; n < all->count; ++n) {
            if (!all->room->of[n].usable)
                continue;
            low[k] = fmin(low[k], all->room->of[n].reference.input[k]);
            high[k] = fmax(high[k], all->room->of[n].reference.input[k]);
        }
    }
    put_numbers(stream, "\nstatic const double low[] = {", low, inputs, "\n};\n");
    put_numbers(stream, "\nstatic const double high[] = {", high, inputs, "\n};\n");
}

static void write_source(const fit *all, const fc_curve_trees *trees, FILE *stream) {
    const size_t inputs = all->data[fit_of(SHIFT, FOLDS)].inputs_used - 1;
    size_t cases = 0;
    fprintf(stream, "/* clang-format off */\n"
                    "/* Written by tests/validation/validate_calibration.c from "
                    "docs/validation/routers.csv and router_training.csv: not to be edited. */\n"
                    "#include \"registry/calibration.h\"\n");
    for (int of = 0; of < TARGETS; ++of) {
        put_trees(stream, names[of], all->trees[fit_of((target)of, FOLDS)]);
        cases += of == TAIL ? 0 : all->data[fit_of((target)of, FOLDS)].count;
    }
    put_ranges(stream, all, inputs);
    fprintf(stream, "\nstatic const fc_curve_trees trees = {\n");
    for (int of = 0; of < TARGETS; ++of)
        fprintf(stream, "    .%s = {%.7g, %d, %s_roots, %s_nodes},\n", names[of],
                all->trees[fit_of((target)of, FOLDS)]->trees.base, TREE_COUNT, names[of],
                names[of]);
    fprintf(stream, "    .inputs = %zu, .low = low, .high = high,", inputs);
    put_numbers(stream, "\n    .deviation = {", trees->deviation, FC_CALIBRATION_KNOTS, "},");
    put_numbers(stream, "\n    .tail_deviation = {", trees->tail_deviation, FC_CALIBRATION_KNOTS,
                "},\n};\n");
    fprintf(stream,
            "\nconst fc_calibration_points fc_router_calibration = {\n"
            "    .model = \"router-queueing\", .networks = %zu, .cases = %zu, "
            ".curve = &trees};\n",
            all->count, cases);
}

void suite_write_router_calibration(const suite *s, const char *directory, FILE *stream) {
    static const char *const kinds[] = {"topology",
                                        "virtual_channels: 1,",
                                        "buffer: 1,",
                                        "cut-through",
                                        "internal_speedup",
                                        "adaptive",
                                        "mesh",
                                        "torus",
                                        "ring",
                                        "hypercube",
                                        "fly",
                                        "fat-tree",
                                        "hot-spot",
                                        "permutation",
                                        "on-off",
                                        "requests",
                                        "valiant",
                                        "dragonfly",
                                        "hyperx"};
    router_case *cases = calloc(ROUTER_CASES, sizeof *cases);
    lessons *of = calloc(ROUTER_CASES, sizeof *of);
    const fc_model *model = fc_model_find(s->design->models[0], NULL);
    if (!cases || !of || !model)
        suite_stop(s->design->name, "out of memory");
    size_t count = cases_of(s, cases, ROUTER_CASES);
    count += router_cases_read(directory, "router_training", cases + count, ROUTER_CASES - count);
    class_room room = {model, cases, of};
    fc_pool_run(NULL, NULL, count, learn_one, &room);
    fit all = {.room = &room, .count = count};
    for (int i = 0; i < TARGETS; ++i)
        for (int fold = 0; fold <= FOLDS; ++fold)
            all.data[fit_of((target)i, (size_t)fold)] =
                data_of(&room, count, (target)i, fold < FOLDS ? fold : -1);
    fc_pool_run(NULL, NULL, FITS, fit_one, &all);
    fc_curve_trees trees = {.inputs = 0};
    find_deviations(&all, SHIFT, trees.deviation);
    find_deviations(&all, TAIL, trees.tail_deviation);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k)
        cross_validate(&all, &trees, kinds[k]);
    write_source(&all, &trees, stream);
    for (size_t i = 0; i < FITS; ++i) {
        tree_data_free(&all.data[i]);
        free(all.trees[i]);
    }
    free(cases);
    free(of);
}
