/* The fits of the calibrations by factors. t is fitted first, then, of closed traffic, t' given
 * what t makes of the efficiency, each by perceptrons; then the spreads, by trees, to the errors on
 * networks left out. An error of t counts by what it makes of the metrics. */
#include "suite_factors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/pool.h"
#include "fit_write.h"
#include "perceptron_fit.h"
#include "tree_fit.h"

enum { FOLDS = 5, FITS = 2 }; /* fits: of the main metric, of the network time */

/* About what the inputs do not tell, as shares of efficiency, network time and latency. */
static const double unexplained_efficiency = 0.01, unexplained_time = 0.015,
                    unexplained_latency = 0.008;
/* About the size of t, and of t'. */
static const double unit = 0.1, share_unit = 0.2;
/* Passes over the data. */
static const size_t passes = 60;
/* Of a normal variable: the mean of log |x / standard deviation|; and errors that are smaller count
 * as this one. */
static const double mean_log = -0.635, error_least = 0.004;

/* What is fitted to a case. */
typedef struct target {
    double value, weight;
} target;

typedef struct fit {
    const suite *s;
    const factor_cases *all;
    bool closed;
    size_t inputs;
    size_t which; /* of FITS, while it is fitted */
    target *targets[FITS];
    double *t[FITS];      /* by what was fitted without the case's network */
    double *errors[FITS]; /* of the metric's logarithm */
    fitted_perceptrons *value[FITS][FOLDS + 1];
    fitted_trees *spread[FITS][FOLDS + 1];
    double moves[FITS]; /* of the logarithms that the spread is fitted to */
} fit;

static size_t fold_of(const factor_case *one) {
    return one->network % FOLDS;
}

static size_t inputs_of(const fit *f, size_t which) {
    return f->inputs + which; /* t' is asked with t too */
}

/* ---- closed traffic ---- */

/* By Little's law, efficiency and network time are two measurements of one round trip, if the rest
 * of it is known. What the model says of the rest is taken to be right to a fifth. */
typedef struct round_trip {
    double rest;                 /* by the model */
    double whole, deviation;     /* of the round trip, from both measurements */
    double network, network_off; /* the same of the network time */
    bool consistent;             /* the two agree within what they are uncertain by */
} round_trip;

static double combined(double a, double off_a, double b, double off_b, double *off) {
    const double weight = 1 / (off_a * off_a), other = 1 / (off_b * off_b);
    *off = 1 / sqrt(weight + other);
    return (weight * a + other * b) / (weight + other);
}

static round_trip round_trip_of(const factor_case *one) {
    static const double rest_off = 0.2, model_off = 0.003, farthest = 4;
    const fc_cycle *c = &one->cycle;
    const double alone = c->think + c->reply, requests = c->outstanding * c->think;
    round_trip trip = {.rest = fmax(0, requests / c->efficiency - alone - c->network)};
    const double measured = requests / one->simulated[0], time = one->simulated[1];
    const double off = measured * fmax(0.001, one->deviation[0]),
                 time_off = time * fmax(0.002, one->deviation[1]);
    const double doubt = rest_off * trip.rest + model_off * c->network;
    const double gap = fabs(measured - alone - trip.rest - time);
    trip.consistent =
        gap <= farthest * hypot(hypot(off, time_off), 0.5 * trip.rest + 0.03 * c->network);
    trip.whole =
        combined(measured, off, time + alone + trip.rest, hypot(time_off, doubt), &trip.deviation);
    trip.network = combined(time, time_off, measured - alone - trip.rest, hypot(off, doubt),
                            &trip.network_off);
    return trip;
}

/* Its effect on the efficiency, and on the network time where that is most of what is waited. */
static target efficiency_target(const factor_case *one) {
    const fc_cycle *c = &one->cycle;
    const round_trip trip = round_trip_of(one);
    const double efficiency = c->outstanding * c->think / trip.whole;
    const double below = fmax(0, 1 - efficiency / fc_cycle_most(c));
    const double off = trip.deviation / trip.whole, time_off = trip.deviation / trip.network;
    const double time = fc_cycle_share(c) * trip.whole * below / trip.network;
    const double u = unexplained_efficiency, v = unexplained_time;
    const double weight =
        below * below / (off * off + u * u) + time * time / (time_off * time_off + v * v);
    return (target){fc_cycle_shift(c, efficiency), trip.consistent ? u * u * weight : 0};
}

static target time_target(const factor_case *one, double t) {
    const fc_cycle *c = &one->cycle;
    const round_trip trip = round_trip_of(one);
    const double efficiency = fc_cycle_efficiency(c, t), excess = fc_cycle_excess(c, efficiency);
    const double share = fmax(1e-5, fmin(1 - 1e-5, (trip.network - c->empty) / fmax(1e-9, excess)));
    const double effect = excess * share * (1 - share) / trip.network;
    const double off = trip.network_off / trip.network, v = unexplained_time;
    const double weight = effect * effect / (off * off + v * v) * 1e-4 + 1e-7;
    return (target){fc_cycle_network_shift(c, efficiency, fmax(trip.network, 1.0001 * c->empty)),
                    trip.consistent ? weight : 0};
}

/* ---- multistage networks ---- */

static double bounded(double t) {
    return fmax(-fc_factor_latency_most, fmin(fc_factor_latency_most, t));
}

static target latency_target(const factor_case *one) {
    const double excess = one->latency - one->service;
    const double simulated = fmax(0.02 * excess, one->simulated[0] - one->service);
    const double effect = simulated / one->simulated[0], u = unexplained_latency;
    return (target){bounded(log(simulated / excess)),
                    effect * effect * u * u / (one->deviation[0] * one->deviation[0] + u * u)};
}

/* ---- fitting ---- */

static void set_targets(fit *f, size_t which) {
    for (size_t i = 0; i < f->all->count; ++i) {
        const factor_case *one = &f->all->list[i];
        f->targets[which][i] = which       ? time_target(one, f->t[0][i])
                               : f->closed ? efficiency_target(one)
                                           : latency_target(one);
    }
}

static void values_of(const fit *f, size_t i, double *values) {
    memcpy(values, f->all->list[i].values, sizeof f->all->list[i].values);
    values[f->inputs] = f->t[0][i];
}

static tree_data data_of(const fit *f, size_t fold, bool spread) {
    tree_data data = tree_data_create(f->all->count);
    data.inputs_used = inputs_of(f, f->which);
    for (size_t i = 0; i < f->all->count; ++i) {
        const target *at = &f->targets[f->which][i];
        if (fold_of(&f->all->list[i]) == fold || (at->weight == 0 && !spread))
            continue;
        const size_t n = data.count++;
        values_of(f, i, data.inputs[n]);
        data.values[n] = spread ? log(fmax(error_least, fabs(f->errors[f->which][i]))) - mean_log +
                                      f->moves[f->which]
                                : at->value;
        data.weights[n] = spread ? 1 : at->weight;
    }
    return data;
}

static fc_status fit_value(void *context, size_t fold) {
    fit *f = context;
    tree_data data = data_of(f, fold, false);
    f->value[f->which][fold] = perceptron_fit(&data, f->which ? share_unit : unit, passes);
    if (!f->closed) /* the model takes no longer than all of them */
        f->value[f->which][fold]->mean.count = PERCEPTRONS / 2;
    tree_data_free(&data);
    return FC_OK;
}

static fc_status fit_spread(void *context, size_t fold) {
    fit *f = context;
    tree_data data = data_of(f, fold, true);
    free(f->spread[f->which][fold]);
    f->spread[f->which][fold] = tree_fit_of(&data, 1, 80, 3, 0.08);
    tree_data_free(&data);
    return FC_OK;
}

/* What is forecast of a metric with what was fitted without the case's network. */
static double forecast_of(const fit *f, size_t which, size_t i) {
    const factor_case *one = &f->all->list[i];
    if (!f->closed)
        return one->service + (one->latency - one->service) * exp(bounded(f->t[0][i]));
    const double efficiency = fc_cycle_efficiency(&one->cycle, f->t[0][i]);
    return which ? fc_cycle_network(&one->cycle, efficiency, f->t[1][i]) : efficiency;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* What the forecast of a metric's logarithm is uncertain by, with 90 %, and what a simulation is.
 */
static const double simulation_share = 0.01;
static double reach_of(const fit *f, size_t which, size_t i) {
    const factor_case *one = &f->all->list[i];
    double values[FC_FACTOR_INPUTS];
    values_of(f, i, values);
    return 1.645 * exp(fc_boosted_value(&f->spread[which][fold_of(one)]->trees, values));
}

/* The half width of a logarithm's interval, over that forecast, that would hold a case. */
static double needed(const fit *f, size_t which, size_t i) {
    return fmax(1e-6, fabs(f->errors[which][i]) - simulation_share) / reach_of(f, which, i);
}

/* How far the spreads have to move so that 90 % of the errors are within the interval. */
static void find_move(fit *f, size_t which) {
    double *sizes = calloc(f->all->count + 1, sizeof *sizes);
    if (!sizes)
        suite_stop(f->s->design->name, "out of memory");
    for (size_t i = 0; i < f->all->count; ++i)
        sizes[i] = log(needed(f, which, i));
    qsort(sizes, f->all->count, sizeof *sizes, by_size);
    f->moves[which] += fmax(-1, fmin(1, sizes[f->all->count * 9 / 10]));
    free(sizes);
}

static void fit_one(fit *f, size_t which) {
    const factor_cases *all = f->all;
    f->which = which;
    f->targets[which] = calloc(all->count + 1, sizeof *f->targets[which]);
    f->t[which] = calloc(all->count + 1, sizeof *f->t[which]);
    f->errors[which] = calloc(all->count + 1, sizeof *f->errors[which]);
    if (!f->targets[which] || !f->t[which] || !f->errors[which])
        suite_stop(f->s->design->name, "out of memory");
    set_targets(f, which);
    fc_pool_run(NULL, NULL, FOLDS + 1, fit_value, f);
    for (size_t i = 0; i < all->count; ++i) {
        double values[FC_FACTOR_INPUTS];
        values_of(f, i, values);
        f->t[which][i] =
            fc_perceptrons_value(&f->value[which][fold_of(&all->list[i])]->mean, values);
        f->errors[which][i] = log(forecast_of(f, which, i) / all->list[i].simulated[which]);
    }
    for (int round = 0; round < 3; ++round) {
        fc_pool_run(NULL, NULL, FOLDS + 1, fit_spread, f);
        if (round < 2)
            find_move(f, which);
    }
}

/* ---- how good it is ---- */

static double alone_of(const fit *f, size_t which, const factor_case *one) {
    return !f->closed ? one->latency : which ? one->cycle.network : one->cycle.efficiency;
}

static double wide_of(const fit *f, size_t which) {
    return !f->closed ? fc_factor_wide_latency
           : which    ? fc_factor_wide_time
                      : fc_factor_wide_efficiency;
}

/* Cases at loads between two, over the capacity; NaN: all. */
static void put_score(const fit *f, size_t which, const char *what, double low, double high,
                      FILE *stream) {
    double alone = 0, worst_alone = 0, with = 0, worst = 0;
    static const double far_off = 0.15;
    size_t cases = 0, held = 0, far = 0, told = 0, warned = 0;
    for (size_t i = 0; i < f->all->count; ++i) {
        const factor_case *one = &f->all->list[i];
        if (!isnan(low) && !(one->load > low && one->load <= high))
            continue;
        const double before = fabs(alone_of(f, which, one) / one->simulated[which] - 1);
        const double after = fabs(exp(f->errors[which][i]) - 1);
        const bool wide =
            exp(reach_of(f, which, i)) * (1 + simulation_share) > 1 + wide_of(f, which) ||
            (f->closed && fc_factor_doubts(one->values));
        ++cases;
        far += after > far_off;
        told += after > far_off && wide;
        warned += wide;
        held += needed(f, which, i) <= 1;
        alone += before;
        with += after;
        worst_alone = fmax(worst_alone, before);
        worst = fmax(worst, after);
    }
    const double n = cases ? (double)cases : 1;
    fprintf(stream,
            "| %s | %s | %zu | %.1f (%.0f) %% | %.1f (%.0f) %% | %.2f | %zu of %zu | %zu |\n",
            f->s->design->name, what, cases, 100 * alone / n, 100 * worst_alone, 100 * with / n,
            100 * worst, (double)held / n, told, far, warned - told);
}

static void put_scores(const fit *f, FILE *stream) {
    if (f->closed) {
        put_score(f, 0, "efficiency", NAN, NAN, stream);
        put_score(f, 1, "network_time", NAN, NAN, stream);
        return;
    }
    put_score(f, 0, "latency, up to 50 %", 0, 0.5, stream);
    put_score(f, 0, "latency, 50 to 85 %", 0.5, 0.85, stream);
    put_score(f, 0, "latency, above 85 %", 0.85, INFINITY, stream);
}

/* ---- writing ---- */

/* The least and the most of every input. */
static void put_ranges(const fit *f, FILE *stream) {
    for (int high = 0; high < 2; ++high) {
        fprintf(stream, "\nstatic const double %s_%s[] = {", f->s->design->name,
                high ? "high" : "low");
        for (size_t k = 0; k < f->inputs; ++k) {
            double value = f->all->list[0].values[k];
            for (size_t i = 1; i < f->all->count; ++i)
                value = high ? fmax(value, f->all->list[i].values[k])
                             : fmin(value, f->all->list[i].values[k]);
            fprintf(stream, "%s%.6g,", k % 8 ? " " : "\n    ", value);
        }
        fprintf(stream, "\n};\n");
    }
}

static void put_fit(const fit *f, size_t which, const char *field, FILE *numbers, FILE *entries) {
    char name[64];
    const fitted_perceptrons *value = f->value[which][FOLDS];
    const fitted_trees *spread = f->spread[which][FOLDS];
    snprintf(name, sizeof name, "%s_%s", f->s->design->name, field);
    fit_put_perceptrons(numbers, name, value);
    fit_put_trees(numbers, name, "spread", spread);
    fprintf(entries,
            "     .%s = {{%zu, %zu, %s_centre, %s_scale, %s_weights},\n"
            "              {%.9g, %zu, %s_spread_roots, %s_spread_nodes}},\n",
            field, value->mean.count, value->mean.inputs, name, name, name, spread->trees.base,
            spread->trees.trees, name, name);
}

static void fit_free(fit *f) {
    for (size_t which = 0; which < FITS; ++which) {
        free(f->targets[which]);
        free(f->t[which]);
        free(f->errors[which]);
        for (size_t fold = 0; fold <= FOLDS; ++fold) {
            free(f->value[which][fold]);
            free(f->spread[which][fold]);
        }
    }
    free(f);
}

static void write_fit(const suite *s, const char *directory, FILE *numbers, FILE *entries,
                      FILE *scores) {
    const char *model = s->design->models[0];
    const factor_cases all = factor_cases_read(s, directory);
    fit *f = calloc(1, sizeof *f);
    if (!f || !all.count)
        suite_stop(s->design->name, "has nothing to fit");
    f->s = s;
    f->all = &all;
    f->closed = isnan(all.list[0].load);
    f->inputs = fc_factor_inputs(model);
    f->t[0] = NULL;
    fprintf(entries,
            "    {.model = \"%s\", .networks = %zu, .cases = %zu, .inputs = %zu,\n"
            "     .low = %s_low, .high = %s_high,\n",
            model, all.networks, all.count, f->inputs, s->design->name, s->design->name);
    put_ranges(f, numbers);
    fit_one(f, 0);
    put_fit(f, 0, "main", numbers, entries);
    if (f->closed) {
        fit_one(f, 1);
        put_fit(f, 1, "time", numbers, entries);
    }
    fprintf(entries, "    },\n");
    put_scores(f, scores);
    fit_free(f);
    free(all.list);
}

void suite_write_factors(suite *const *suites, const char *directory, FILE *stream, FILE *scores) {
    char *list = NULL;
    size_t length;
    FILE *entries = open_memstream(&list, &length);
    fprintf(stream, "/* clang-format off */\n"
                    "/* Written by tests/validation/validate_calibration.c from the tables in "
                    "docs/validation: not to be edited. */\n"
                    "#include \"registry/calibration_factors.h\"\n");
    for (size_t i = 0; suites[i]; ++i)
        if (fc_factor_inputs(suites[i]->design->models[0]))
            write_fit(suites[i], directory, stream, entries, scores);
    fclose(entries);
    fprintf(stream,
            "\nconst fc_factor_calibration fc_factor_calibrations[] = {\n%s    {.model = NULL},\n"
            "};\n",
            list);
    free(list);
}
