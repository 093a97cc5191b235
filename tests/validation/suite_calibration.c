/* The data of the calibrations that the library carries: fitted to the networks that were simulated
 * for it, all of the grids and those of the random part that are not held out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "gp_fit.h"
#include "registry/calibration.h"
#include "suite.h"

enum { POINTS = 200, FOLDS = 5 };

/* Networks of routers have a calibration of another kind (suite_routers.c). */
static bool is_learned_here(const suite *s) {
    return fc_calibration_inputs(s->design->models[0]) && strcmp(s->design->name, "routers") != 0;
}

/* A simulated case, and what its calibration starts from. */
typedef struct learned {
    const suite_entry *entry;
    const suite_point *point; /* NULL: the saturation load */
    fc_calibration_input input;
    double shift, variance;
} learned;

typedef struct lesson {
    learned *list;
    size_t count, networks;
} lesson;

/* The widest half width, as a share of what the latency has beyond the empty network's. */
static const double widest_excess = 0.3;

/* What a calibration of the model is asked with at a load; false: nothing to calibrate. */
static bool read_input(const suite *s, const suite_entry *entry, const fc_model *model, double rate,
                       fc_calibration_input *input) {
    fc_scenario *scenario = suite_scenario(s, entry, rate);
    fc_result *result;
    fc_error error;
    double below;
    if (fc_predict(scenario, model->info.name, &error, &result) != FC_OK)
        suite_stop(entry->network, error.text);
    const bool usable =
        result->outcome == FC_OUTCOME_OK &&
        model->latency_at(scenario, rate * (1 - fc_calibration_step), &error, &below) == FC_OK &&
        fc_calibration_read(scenario, result, below, input);
    fc_result_free(result);
    fc_scenario_free(scenario);
    return usable;
}

static bool learn_from(const suite *s, const suite_entry *entry, const suite_point *point,
                       const fc_model *model, learned *made) {
    const suite_value *value = &point->metrics[0];
    if (!point->done || !suite_counts(entry, value, 0))
        return false;
    const bool usable = read_input(s, entry, model, point->rate, &made->input);
    const double excess = usable ? value->simulated - made->input.empty : 0;
    if (!(excess > 0) || value->half_width > widest_excess * excess)
        return false;
    double derivative;
    made->entry = entry;
    made->point = point;
    made->shift =
        fc_calibration_shift(made->input.values[0], excess / made->input.excess, &derivative);
    const double deviation = value->half_width / 1.96 / excess * derivative;
    made->variance = deviation * deviation;
    return true;
}

/* The simulated saturation load: searched for, or else between the highest load that settled and
 * the lowest that did not. False: neither is known. */
static bool find_limit(const suite_entry *entry, double *load, double *deviation) {
    /* what a search of moderate runs is uncertain by beside its bracket */
    static const double search = 0.01;
    double low = 0, high = INFINITY;
    for (size_t i = 0; i < entry->point_count; ++i) {
        const suite_point *point = &entry->points[i];
        if (point->done && isnan(point->metrics[0].simulated))
            high = fmin(high, point->rate);
        else if (point->done && !isnan(point->rate))
            low = fmax(low, point->rate);
    }
    *load = entry->saturation.simulated;
    *deviation = hypot(entry->saturation.half_width / *load, search);
    if (*load > 0 && isfinite(*load))
        return true;
    *load = sqrt(low * high);
    *deviation = log(high / low) / sqrt(12);
    return entry->random && low > 0 && isfinite(high);
}

/* The model's saturation load against the simulated one is a shift too: that just below the
 * model's. */
static bool learn_saturation(const suite *s, const suite_entry *entry, const fc_model *model,
                             learned *made) {
    fc_error error;
    double limit, below, simulated, deviation;
    if (!fc_calibration_inputs(model->info.name) || !find_limit(entry, &simulated, &deviation))
        return false;
    fc_scenario *scenario = suite_scenario(s, entry, 1e-4);
    if (model->saturation(scenario, &error, &limit) != FC_OK)
        suite_stop(entry->network, error.text);
    fc_scenario_free(scenario);
    if (!isfinite(limit))
        return false;
    const double load = fc_calibration_near_limit * limit;
    scenario = suite_scenario(s, entry, load);
    fc_result *result;
    if (fc_predict(scenario, model->info.name, &error, &result) != FC_OK)
        suite_stop(entry->network, error.text);
    const bool usable =
        result->outcome == FC_OUTCOME_OK &&
        model->latency_at(scenario, load * (1 - fc_calibration_step), &error, &below) == FC_OK &&
        fc_calibration_read(scenario, result, below, &made->input);
    fc_result_free(result);
    fc_scenario_free(scenario);
    made->entry = entry;
    made->point = NULL;
    made->shift = log(limit / simulated);
    made->variance = deviation * deviation;
    return usable;
}

/* What a process is fitted to. */
typedef enum subject { LATENCIES = 1, LIMITS = 2 } subject;

static lesson learn(const suite *s, subject of) {
    const fc_model *model = fc_model_find(s->design->models[0], NULL);
    lesson all = {calloc(s->count * (SUITE_POINTS + 1) + 1, sizeof *all.list), 0, 0};
    if (!all.list || !model)
        suite_stop(s->design->name, "out of memory");
    for (size_t e = 0; e < s->count; ++e) {
        const suite_entry *entry = &s->entries[e];
        const size_t before = all.count;
        if (entry->held_out && entry->random)
            continue;
        if (of & LIMITS)
            all.count += learn_saturation(s, entry, model, &all.list[all.count]);
        for (size_t i = 0; i < entry->point_count && (of & LATENCIES); ++i)
            all.count += learn_from(s, entry, &entry->points[i], model, &all.list[all.count]);
        all.networks += all.count > before;
    }
    return all;
}

/* Free with gp_data_free. The choice of a kernel is judged by random networks: it is such that a
 * calibration is made for. */
static gp_data data_of(const suite *s, const lesson *all) {
    gp_data data = gp_data_create(all->count);
    for (; data.count < all->count; ++data.count) {
        const learned *one = &all->list[data.count];
        memcpy(data.inputs[data.count], one->input.values, sizeof *data.inputs);
        data.values[data.count] = one->shift;
        data.variances[data.count] = one->variance;
        data.groups[data.count] = (size_t)(one->entry - s->entries);
        data.judged[data.count] = one->entry->random;
    }
    return data;
}

/* ---- cross-validation ---- */

typedef struct score {
    size_t cases, used, held;
    double alone, calibrated, worst_alone, worst;
} score;

/* Of the simulated saturation load, if it was searched for: that is what matters to a forecast. */
static double share_of_saturation(const learned *one) {
    const double limit = one->entry->saturation.simulated;
    return limit > 0 ? one->point->rate / limit : one->point->fraction;
}

static void count_one(const learned *one, fc_gp_value value, const gp_choice *choice,
                      double near_share, score *sums) {
    const fc_calibration_points points = {
        .nugget = choice->nugget, .process = {.kernel = choice->kernel}, .near_share = near_share};
    if (!one->point) {
        const bool found = one->entry->saturation.simulated > 0;
        const double error = fabs(exp(one->shift - value.mean) - 1);
        sums->cases += found;
        sums->used += found && fc_calibration_is_near(&points, &value);
        sums->held += found && fabs(one->shift - value.mean) <=
                                   1.645 * sqrt(value.variance + choice->nugget + one->variance);
        sums->alone += found * fabs(exp(one->shift) - 1);
        sums->calibrated += found * error;
        sums->worst_alone = fmax(sums->worst_alone, found * fabs(exp(one->shift) - 1));
        sums->worst = fmax(sums->worst, found * error);
        return;
    }
    const double simulated = one->point->metrics[0].simulated;
    const double alone = (one->input.empty + one->input.excess) / simulated - 1;
    const bool near = fc_calibration_is_near(&points, &value);
    const double deviation = sqrt(value.variance + choice->nugget);
    const fc_calibrated_excess excess = fc_calibration_forecast(&one->input, value.mean, deviation);
    const double stretch = near ? excess.stretch : 1, low = excess.low, high = excess.high;
    const double error = (one->input.empty + one->input.excess * stretch) / simulated - 1;
    ++sums->cases;
    sums->used += near;
    sums->held += near && simulated >= (one->input.empty + one->input.excess * low) * 0.99 &&
                  simulated <= (one->input.empty + one->input.excess * high) * 1.01;
    sums->alone += fabs(alone);
    sums->calibrated += fabs(error);
    sums->worst_alone = fmax(sums->worst_alone, fabs(alone));
    sums->worst = fmax(sums->worst, fabs(error));
}

enum { LOADS = 5, BINS = LOADS + 1 }; /* the last: the saturation load */
static const double loads_up_to[LOADS] = {0.45, 0.7, 0.85, 0.93, INFINITY};

/* Each fifth of the networks by the weights of the others. */
static void cross_validate(const suite *s, const fc_calibration_points *carried, subject of,
                           score sums[2][BINS]) {
    if (!carried || carried->process.kernel.inputs != fc_calibration_inputs(carried->model))
        suite_stop(s->design->name, "the library carries no calibration that fits its inputs");
    const gp_choice choice = {carried->process.kernel, carried->nugget};
    const lesson all = learn(s, of);
    gp_data data = data_of(s, &all);
    for (size_t fold = 0; fold < FOLDS; ++fold) {
        gp_data others = gp_data_create(data.count);
        for (size_t i = 0; i < data.count; ++i)
            if (data.groups[i] % FOLDS != fold)
                gp_data_add(&others, &data, i);
        gp_dense *dense = gp_dense_create(&others, &choice);
        for (size_t i = 0; i < all.count; ++i) {
            const learned *one = &all.list[i];
            if (data.groups[i] % FOLDS != fold)
                continue;
            size_t bin = one->point ? 0 : LOADS;
            while (one->point && share_of_saturation(one) > loads_up_to[bin])
                ++bin;
            count_one(one, gp_dense_predict(dense, one->input.values), &choice, carried->near_share,
                      &sums[one->entry->random][bin]);
        }
        gp_dense_free(dense);
        gp_data_free(&others);
    }
    gp_data_free(&data);
    free(all.list);
}

static void put_score(const suite *s, bool random, size_t bin, const score *at, FILE *stream) {
    const double n = (double)at->cases;
    char load[32] = "saturation load";
    if (bin < LOADS)
        snprintf(load, sizeof load, "%s %.0f %%", bin < LOADS - 1 ? "up to" : "above",
                 100 * loads_up_to[bin < LOADS - 1 ? bin : LOADS - 2]);
    fprintf(stream, "| %s, %s | %s | %zu | %.1f (%.0f) %% | %.1f (%.0f) %% | %zu | %.2f |\n",
            s->design->name, random ? "random" : "grid", load, at->cases, 100 * at->alone / n,
            100 * at->worst_alone, 100 * at->calibrated / n, 100 * at->worst, at->used,
            (double)at->held / (at->used ? (double)at->used : 1));
}

void suite_check_calibration(const suite *s, FILE *stream) {
    const char *model = s->design->models[0];
    score sums[2][BINS] = {{{0}}};
    if (!is_learned_here(s))
        return;
    cross_validate(s, fc_calibration_find(model), LATENCIES, sums);
    cross_validate(s, fc_calibration_find_limit(model), LIMITS, sums);
    for (int random = 0; random < 2; ++random)
        for (size_t b = 0; b < BINS; ++b)
            if (sums[random][b].cases)
                put_score(s, random, b, &sums[random][b], stream);
}

/* ---- the source file ---- */

static void put_numbers(FILE *stream, const char *name, const char *what, const double *numbers,
                        size_t count) {
    fprintf(stream, "\nstatic const double %s_%s[] = {", name, what);
    for (size_t i = 0; i < count; ++i)
        fprintf(stream, "%s%.8g,", i % 8 ? " " : "\n    ", numbers[i]);
    fprintf(stream, "\n};\n");
}

static void put_process(FILE *stream, const char *name, const fc_gp *process) {
    const size_t m = process->points;
    put_numbers(stream, name, "inducing", process->inducing, m * process->kernel.inputs);
    put_numbers(stream, name, "weights", process->weights, m);
    put_numbers(stream, name, "factor", process->factor, m * (m + 1) / 2);
}

static void put_kernel(FILE *stream, const fc_gp_kernel *kernel) {
    fprintf(stream, "{%zu, {", kernel->inputs);
    for (size_t i = 0; i < kernel->inputs; ++i)
        fprintf(stream, "%s%.9g", i ? ", " : "", kernel->scale[i]);
    fprintf(stream, "}, %.9g, {%.9g, %.9g, %.9g}}", kernel->base, kernel->growth[0],
            kernel->growth[1], kernel->growth[2]);
}

/* A kernel is searched for where there is none that fits the inputs, or if it is not to be kept:
 * the search takes minutes, and a few more networks hardly change what it finds. Its nugget is
 * doubled: at 90 % of saturation the intervals of networks left out held too seldom. */
static gp_choice choose(const gp_data *data, size_t inputs, const fc_calibration_points *carried,
                        bool keep) {
    static const double caution = 2;
    if (keep && carried && carried->process.kernel.inputs == inputs)
        return (gp_choice){carried->process.kernel, carried->nugget};
    gp_choice choice = gp_choose(data, inputs);
    choice.nugget *= caution;
    return choice;
}

/* The numbers of a process, and its entry in the list. */
static void write_process(const suite *s, subject of, bool keep, FILE *numbers, FILE *entries) {
    const char *model = s->design->models[0];
    char name[64];
    snprintf(name, sizeof name, "%s%s", s->design->name, of == LIMITS ? "_limit" : "");
    const size_t inputs = fc_calibration_inputs(model);
    const lesson all = learn(s, of);
    gp_data data = data_of(s, &all);
    const gp_choice choice =
        choose(&data, inputs,
               of == LIMITS ? fc_calibration_find_limit(model) : fc_calibration_find(model), keep);
    fc_gp process = gp_sparse_create(&data, &choice, POINTS);
    put_process(numbers, name, &process);
    fprintf(entries, "    {\"%s\", %zu, %zu, %.9g, {", model, all.networks, all.count,
            choice.nugget);
    put_kernel(entries, &process.kernel);
    fprintf(entries, ", %zu, %s_inducing, %s_weights, %s_factor}},\n", process.points, name, name,
            name);
    gp_sparse_free(&process);
    gp_data_free(&data);
    free(all.list);
}

static void write_list(suite *const *suites, subject of, const char *name, bool keep,
                       FILE *stream) {
    char *list = NULL;
    size_t length;
    FILE *entries = open_memstream(&list, &length);
    for (size_t i = 0; suites[i]; ++i)
        if (is_learned_here(suites[i]))
            write_process(suites[i], of, keep, stream, entries);
    fclose(entries);
    fprintf(stream, "\nconst fc_calibration_points %s[] = {\n%s    {.model = NULL},\n};\n", name,
            list);
    free(list);
}

void suite_write_calibrations(suite *const *suites, bool keep, FILE *stream) {
    fprintf(stream, "/* clang-format off */\n"
                    "/* Written by tests/validation/validate_calibration.c from the tables in "
                    "docs/validation: not to be edited. */\n"
                    "#include \"registry/calibration.h\"\n");
    write_list(suites, LATENCIES, "fc_calibrations", keep, stream);
    write_list(suites, LIMITS, "fc_limit_calibrations", keep, stream);
}
