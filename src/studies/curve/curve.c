/* A curve from few simulations.
 *
 *  1. Short simulations find a load just above saturation; the range ends at a share of it.
 *  2. A light load is simulated, and the end of the range and its middle.
 *  3. The shape (curve_shape.h) is corrected by what was measured, and further loads are simulated
 *     (curve_choice.c) until the band is as narrow as asked for.
 *
 * Each load has a seed of its own: with one seed for all, the errors of neighbouring loads would be
 * alike, and the band too narrow. A seed depends on the load alone, and every choice on what was
 * measured: the curve does not depend on the number of threads. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/c_locale.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/status.h"
#include "registry/method.h"
#include "registry/metrics.h"
#include "scenario/routed.h"
#include "studies/curve/curve_study.h"
#include "studies/evaluate.h"
#include "studies/run.h"

typedef fc_curve_study study;

static const double default_precision = 0.02;
static const double vanishing_load = 1e-6; /* of the end of the range: where a model is exact */
/* The model is taken for exact if its latency at the light load differs from the simulated one by
 * no more than its half width times the first number and the latency times the second. */
static const double zero_half_widths = 1.5, zero_error = 0.001;
/* The width of the bracket of the saturation load; and the load simulated above it, to show what a
 * saturated network carries. */
static const double bracket_width = 0.05, above_saturation = 1.1;
/* The model's shape is replaced if the shape without a model explains the simulations clearly
 * better (difference of log evidence). */
static const double clearly_better = 2;
/* Work (flits over links, those of the tests of recovery too) of the search for the saturation
 * load, and of the simulations. Where it is not enough, in large networks and those that fill
 * slowly, the band stays wider. A simulation may take at most this share of what is left. Where
 * headers compare queues a flit takes about six times as long. */
static const double work_of_search = 1.2e8, work_of_simulations = 2e8, work_share = 0.4;
static const double work_by_queues = 1.0 / 6;
/* After a load that did not settle the range ends below it. */
static const double step_back = 0.92;
/* Measured loads, the light one not counted; and simulations, those that did not settle included.
 */
enum { LOADS_LEAST = 4, LOADS_MOST = 6, SIMULATIONS_MOST = 12, ZERO_ROUNDS = 3 };

/* Of what a curve may take. */
static double work_allowed(const fc_scenario *scenario) {
    const fc_routed *routed = fc_scenario_routed(scenario);
    return routed && routed->routes_by_queues ? work_by_queues : 1;
}

void fc_curve_free(fc_curve *curve) {
    if (!curve)
        return;
    free(curve->scenario);
    fc_release(curve->points);
    fc_release(curve);
}

/* ---- what the curve is of ---- */

static fc_status find_key(study *s, fc_error *error) {
    const char *key = fc_scenario_load_key(s->scenario);
    double value;
    s->closed = fc_metric_find(fc_scenario_main_metric(s->scenario)) == FC_METRIC_EFFICIENCY;
    if (!key && s->closed)
        key = "traffic.think_time";
    if (!key || fc_scenario_number(s->scenario, key, NULL, &value) != FC_OK)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "this traffic has no load to vary: a curve needs open traffic with a rate, "
                       "or closed traffic with a think time");
    snprintf(s->curve->key, sizeof s->curve->key, "%s", key);
    return FC_OK;
}

static void name_metrics(const study *s) {
    static const fc_metric_id open[] = {FC_METRIC_LATENCY,     FC_METRIC_LATENCY_P50,
                                        FC_METRIC_LATENCY_P95, FC_METRIC_LATENCY_P99,
                                        FC_METRIC_THROUGHPUT,  FC_METRIC_NONE};
    static const fc_metric_id closed[] = {FC_METRIC_EFFICIENCY, FC_METRIC_THROUGHPUT,
                                          FC_METRIC_NONE};
    fc_curve *curve = s->curve;
    curve->physical = fc_scenario_units(s->scenario);
    snprintf(curve->load_unit, sizeof curve->load_unit, "%s",
             fc_metrics[s->closed ? FC_METRIC_LATENCY : FC_METRIC_OFFERED].unit);
    for (const fc_metric_id *id = s->closed ? closed : open; *id != FC_METRIC_NONE; ++id) {
        const size_t m = curve->metric_count++;
        snprintf(curve->metrics[m], sizeof curve->metrics[m], "%s", fc_metrics[*id].name);
        snprintf(curve->units[m], sizeof curve->units[m], "%s", fc_metrics[*id].unit);
    }
}

/* The forecast, or that of the model asked for. Without one a curve has a shape all the same. */
static fc_status make_forecast(study *s, fc_error *error) {
    if (s->wanted->no_model)
        return FC_OK;
    const fc_status status = fc_forecast_create(s->scenario, s->wanted->model, error, &s->forecast);
    if (status == FC_ERROR_UNSUPPORTED && !s->wanted->model) {
        s->forecast = NULL;
        return FC_OK;
    }
    if (status == FC_OK)
        s->model = fc_forecast_method(s->forecast);
    return status;
}

/* The main metric by the forecast; NaN where it has no answer. */
static fc_status predict(const study *s, double load, fc_error *error, double *value) {
    fc_forecast_point point;
    const fc_status status = fc_forecast_points(s->forecast, &load, 1, error, &point);
    if (status == FC_OK)
        *value = point.outcome == FC_OUTCOME_OK ? point.value : (double)NAN;
    return status;
}

/* ---- saturation ---- */

static fc_status ask_model(study *s, fc_error *error) {
    fc_load_range range;
    s->model_saturation = NAN;
    if (!s->forecast)
        return FC_OK;
    const fc_status status = fc_forecast_saturation(s->forecast, error, &range);
    if (status == FC_OK && range.load > 0 && range.load < INFINITY)
        s->model_saturation = range.load;
    return status;
}

static fc_status find_saturation(study *s, fc_error *error) {
    fc_status status = ask_model(s, error);
    if (status != FC_OK)
        return status;
    fc_slice slice = {s->settings, 0, 0.25};
    const fc_run_settings inner = fc_slice_settings(&slice);
    const fc_load_search search = {.work_most = work_allowed(s->scenario) * work_of_search,
                                   .scenario = s->scenario,
                                   .settings = &inner,
                                   .forecast = s->model_saturation,
                                   .width = bracket_width};
    status = fc_find_saturation(&search, error, &s->found);
    s->curve->probes = s->found.looks;
    s->curve->cpu_seconds = s->found.cpu_seconds;
    return status;
}

/* ---- simulations ---- */

/* Loads of the range that were measured, the light one not counted. */
static size_t measured_loads(const study *s) {
    size_t count = 0;
    for (size_t p = 0; p < s->curve->point_count; ++p) {
        const fc_curve_point *point = &s->curve->points[p];
        count += point->simulated && point->outcome == FC_OUTCOME_OK && point->load <= s->end &&
                 (s->closed || point->load > s->begin);
    }
    return count;
}

static fc_status simulate(study *s, double load, double precision, fc_error *error,
                          fc_curve_measurement **run) {
    const double done = (double)measured_loads(s) / (LOADS_MOST + 1);
    fc_slice slice = {s->settings, 0.25 + 0.75 * done, 0.75 / (LOADS_MOST + 1)};
    fc_run_settings inner = fc_slice_settings(&slice);
    inner.work_most = work_share * s->work_left;
    const fc_curve_request request = {.scenario = s->scenario,
                                      .key = s->curve->key,
                                      .load = load,
                                      .precision = precision,
                                      .cycles_most = INFINITY};
    const fc_status status = fc_curve_simulate(&s->runs, &request, &inner, error, run);
    if (status == FC_OK)
        s->work_left = fmax(s->work_left - (*run)->work,
                            0.02 * work_allowed(s->scenario) * work_of_simulations);
    s->cancelled |= fc_cancelled(s->settings);
    return status;
}

/* A load below the upper end of the bracket did not settle, in a longer run than the search makes.
 */
static void lower_bracket(study *s, double load) {
    fc_load_bracket *found = &s->found;
    if (load >= found->high)
        return;
    found->high = load;
    if (found->low >= load)
        found->low = 0;
    for (size_t r = 0; r < s->runs.count; ++r) {
        const fc_curve_measurement *run = &s->runs.list[r];
        if (run->outcome == FC_OUTCOME_OK && run->load < load)
            found->low = fmax(found->low, run->load);
    }
}

/* What a saturated network carries. */
static fc_status measure_saturated(study *s, fc_error *error) {
    fc_curve_measurement *run;
    fc_scenario *scenario;
    const double load = fc_curve_rounded(above_saturation * s->found.high);
    if (!(load < INFINITY) || s->cancelled)
        return FC_OK;
    const fc_status status =
        fc_curve_scenario(s->scenario, s->curve->key, load, NULL, error, &scenario);
    if (status != FC_OK) /* the scenario has no such load */
        return status == FC_ERROR_MEMORY ? status : FC_OK;
    fc_scenario_free(scenario);
    return simulate(s, load, s->precision, error, &run);
}

/* Measures one of the points. A load that turns out not to settle shortens the range. */
static fc_status measure(study *s, double load, fc_error *error) {
    fc_curve_measurement *run;
    const fc_status status = simulate(s, load, fc_curve_precision_at(s, load), error, &run);
    if (status != FC_OK || run->outcome == FC_OUTCOME_OK || s->closed) {
        if (status == FC_OK)
            fc_curve_take_runs(s);
        return status;
    }
    s->ceiling = fmin(s->ceiling, step_back * load);
    if (run->outcome == FC_OUTCOME_SATURATED)
        lower_bracket(s, load);
    return fc_curve_place_points(s, error);
}

/* The latency of an empty network: the model's, which is exact there, unless the simulation of a
 * light load says otherwise. Messages are rare at a light load and precision is dear. */
static fc_status find_zero_load(study *s, fc_error *error) {
    fc_curve_measurement *light;
    fc_curve_shape *shape = &s->shape;
    double predicted = NAN;
    fc_status status = simulate(
        s, s->begin, s->model ? s->precision : fc_curve_precision_at(s, s->begin), error, &light);
    if (status != FC_OK)
        return status;
    shape->light = light->measured[0];
    shape->zero = shape->light;
    shape->model_zero = NAN;
    if (s->model)
        status = predict(s, vanishing_load * s->end, error, &shape->model_zero);
    if (s->model && status == FC_OK)
        status = predict(s, s->begin, error, &predicted);
    shape->exact = fabs(shape->light.value - predicted) <=
                   zero_half_widths * shape->light.half_width + zero_error * predicted;
    if (shape->exact)
        shape->zero = (fc_curve_value){shape->model_zero, 0};
    fc_curve_take_runs(s);
    return status;
}

/* ---- the shape ---- */

static double evidence_of(study *s, fc_curve_form form) {
    s->shape.form = form;
    fc_curve_correct(&s->shape, 0, s->fit, s->curve);
    return s->fit->evidence;
}

/* The model's shape if it has one and it is no worse than the plain one. */
static void choose_form(study *s) {
    const fc_curve_form with = s->closed ? FC_FORM_CLOSED_MODEL : FC_FORM_MODEL;
    const fc_curve_form without = s->closed                   ? FC_FORM_CLOSED_PLAIN
                                  : s->shape.pole == INFINITY ? FC_FORM_BOUNDED
                                                              : FC_FORM_PLAIN;
    const bool plain = fc_curve_form_fits(&s->shape, without, s->curve);
    const bool modelled = s->forecast && fc_curve_form_fits(&s->shape, with, s->curve);
    if (modelled && evidence_of(s, with) + clearly_better < evidence_of(s, without))
        s->shape.form = without;
    else
        s->shape.form = modelled ? with : plain ? without : FC_FORM_FLAT;
}

static void refine(study *s) {
    choose_form(s);
    for (int round = 0; round < ZERO_ROUNDS; ++round) {
        fc_curve_correct(&s->shape, 0, s->fit, s->curve);
        fc_curve_find_zero(&s->shape, s->begin, s->curve);
    }
    if (!s->closed)
        s->curve->zero_load = s->shape.zero.value;
    if (!s->closed)
        fc_curve_find_bend(&s->shape, s->fit, s->curve);
    for (size_t m = 0; m < s->curve->metric_count; ++m)
        fc_curve_correct(&s->shape, m, s->fit, s->curve);
}

/* ---- the loads to simulate ---- */

static bool is_measured(const study *s, double load) {
    for (size_t p = 0; p < s->curve->point_count; ++p) {
        if (s->curve->points[p].load == load && s->curve->points[p].simulated)
            return true;
    }
    return false;
}

/* The end of the range, as often as it turns out not to settle and moves. */
static fc_status measure_end(study *s, fc_error *error) {
    fc_status status = FC_OK;
    double tried = -1;
    while (status == FC_OK && !s->cancelled && s->end > 0 && s->end != tried &&
           s->runs.count < SIMULATIONS_MOST && !is_measured(s, s->end)) {
        tried = s->end;
        status = measure(s, s->end, error);
    }
    return status;
}

static fc_status start(study *s, fc_error *error) {
    s->shape.form = s->closed ? FC_FORM_CLOSED_PLAIN : FC_FORM_PLAIN;
    fc_status status = s->closed ? measure(s, s->begin, error) : find_zero_load(s, error);
    if (status == FC_OK)
        status = measure_end(s, error);
    if (status == FC_OK && !s->cancelled && measured_loads(s) < (s->closed ? 3 : 2))
        status = measure(s, fc_curve_middle_load(s), error);
    return status;
}

static fc_status narrow_band(study *s, fc_error *error) {
    const size_t most = LOADS_MOST + (s->closed ? 1 : 0); /* there the first load is one of them */
    fc_status status = FC_OK;
    while (status == FC_OK && !s->cancelled && s->runs.count < FC_CURVE_RUNS_MOST / 2) {
        size_t at = 0;
        const size_t loads = measured_loads(s);
        refine(s);
        if (s->wanted->update)
            s->wanted->update(s->wanted->update_context, s->curve);
        const bool narrow = fc_curve_widest(s, s->end, false, &at) <= s->precision;
        if (loads >= most || (loads >= LOADS_LEAST && narrow))
            break;
        if (!fc_curve_next_point(s, narrow, &at))
            break;
        status = measure(s, s->curve->points[at].load, error);
    }
    return status;
}

/* Loads asked for beyond the range are simulated: the shape says too little there. */
static fc_status measure_beyond(study *s, fc_error *error) {
    fc_status status = FC_OK;
    for (size_t i = 0; i < s->wanted->at_count && status == FC_OK && !s->closed; ++i) {
        const double load = s->wanted->at[i];
        fc_curve_measurement *run;
        if (load > s->end && !fc_curve_runs_find(&s->runs, load) && !s->cancelled)
            status = simulate(s, load, s->precision, error, &run);
    }
    return status;
}

/* ---- the saturation load and the note ---- */

static void tell_saturation(study *s) {
    fc_curve *curve = s->curve;
    curve->saturation = curve->low = curve->high = NAN;
    if (s->closed)
        return;
    curve->low = s->found.low;
    curve->high = s->found.high;
    curve->saturation = fc_bracket_load(&s->found);
}

static void tell_runs(study *s) {
    fc_curve *curve = s->curve;
    for (size_t r = 0; r < s->runs.count; ++r) {
        curve->cycles += s->runs.list[r].cycles;
        curve->cpu_seconds += s->runs.list[r].cpu_seconds;
    }
    for (size_t p = 0; p < curve->point_count; ++p)
        curve->simulations +=
            curve->points[p].simulated && curve->points[p].outcome == FC_OUTCOME_OK;
    curve->probes += s->runs.count - curve->simulations;
}

/* A bound alone is no prediction. */
static bool grows(const study *s) {
    bool growing = false;
    for (size_t p = 0; p < s->curve->point_count; ++p)
        growing |= s->curve->points[p].model > 1.01 * s->shape.model_zero;
    return growing;
}

static void write_note(study *s, double width) {
    fc_curve *curve = s->curve;
    const bool modelled = fc_curve_form_is_model(s->shape.form);
    if (modelled)
        snprintf(curve->model, sizeof curve->model, "%s", s->model);
    if (s->model && (s->closed || grows(s)))
        snprintf(curve->predicted_by, sizeof curve->predicted_by, "%s", s->model);
    const size_t room = sizeof curve->note;
    int used = 0;
    if (!s->closed && curve->low == 0)
        used = snprintf(curve->note, room, "The network did not settle at any load tried.");
    else if (s->cancelled)
        used = snprintf(curve->note, room,
                        "Stopped early, with fewer simulations: the band may be wider.");
    else if (width > s->precision)
        used = snprintf(curve->note, room,
                        "The band is %.2g %% where it is widest, not the %.2g %% asked for.",
                        100 * width, 100 * s->precision);
    if (!s->closed && s->found.work > work_allowed(s->scenario) * work_of_search && curve->low > 0)
        used += snprintf(curve->note + used, room - (size_t)used,
                         "%sThe search for the saturation load ended early: its bracket is wide.",
                         used ? " " : "");
    const char *why = NULL; /* a model that is a mere bound needs no word */
    if (s->model && !modelled && s->model_saturation < s->end)
        why = "saturates within the range";
    else if (s->model && !modelled && fc_curve_model_fits(s))
        why = "fits the simulations less well";
    if (why && curve->low != 0)
        snprintf(curve->note + used, room - (size_t)used,
                 "%sThe shape is not that of the model %s, which %s.", used ? " " : "", s->model,
                 why);
}

static fc_status draw_curve(study *s, fc_error *error) {
    fc_status status = s->closed ? FC_OK : find_saturation(s, error);
    if (status == FC_OK)
        status = fc_curve_place_points(s, error);
    if (status == FC_OK && s->end > 0) {
        status = start(s, error);
        if (status == FC_OK)
            status = narrow_band(s, error);
        /* stopped: what there is, if it makes a curve */
        if (status == FC_ERROR_CANCELLED && measured_loads(s) >= 2)
            status = FC_OK;
    }
    if (status == FC_OK && !s->closed)
        status = measure_saturated(s, error);
    if (status == FC_OK)
        status = measure_beyond(s, error);
    if (status == FC_OK)
        status = fc_curve_place_points(s, error);
    if (status != FC_OK)
        return status;
    double width = 0;
    size_t unused;
    tell_saturation(s);
    if (s->end > 0) {
        refine(s);
        width = fc_curve_widest(s, s->end, false, &unused);
    }
    tell_runs(s);
    fc_curve_settle_points(s);
    write_note(s, width);
    return FC_OK;
}

/* ---- the whole ---- */

static fc_status check_request(const study *s, fc_error *error) {
    for (size_t i = 0; i < s->wanted->at_count; ++i) {
        const double load = s->wanted->at[i];
        fc_scenario *scenario;
        if (!(load > 0 && isfinite(load)))
            return fc_fail(error, FC_ERROR_INPUT, "a load of a curve is a number above 0, not %g",
                           load);
        const fc_status status =
            fc_curve_scenario(s->scenario, s->curve->key, load, NULL, error, &scenario);
        if (status != FC_OK)
            return status;
        fc_scenario_free(scenario);
    }
    if (s->precision > 0 && s->precision <= 0.5)
        return FC_OK;
    return fc_fail(error, FC_ERROR_INPUT,
                   "the precision of a curve is above 0 and at most 0.5, not %g", s->precision);
}

/* The load at which the busiest link is full with uniform traffic, by the model of link loads. */
static fc_status find_capacity(const study *s, fc_error *error, double *capacity) {
    static const fc_setting uniform = {"traffic.destinations", "uniform", NULL};
    fc_scenario *scenario = NULL;
    fc_forecast *forecast = NULL;
    fc_load_range range = {.load = NAN};
    fc_error reason = {{0}};
    fc_status status = fc_scenario_with(s->scenario, &uniform, 1, &reason, &scenario);
    if (status == FC_OK)
        status = fc_forecast_create(scenario, "channel-load", &reason, &forecast);
    if (status == FC_OK)
        status = fc_forecast_saturation(forecast, &reason, &range);
    fc_forecast_free(forecast);
    fc_scenario_free(scenario);
    *capacity = range.load;
    return status == FC_OK ? FC_OK
                           : fc_fail(error, status, "the capacity of '%s' is not known: %.800s",
                                     fc_scenario_name(s->scenario), reason.text);
}

static fc_status prepare(study *s, fc_error *error) {
    fc_curve *curve = s->curve;
    curve->scenario = fc_scenario_text(s->scenario);
    if (!curve->scenario)
        return fc_fail_memory(error);
    snprintf(curve->scenario_name, sizeof curve->scenario_name, "%s",
             fc_scenario_name(s->scenario));
    snprintf(curve->scenario_hash, sizeof curve->scenario_hash, "%s",
             fc_scenario_hash(s->scenario));
    curve->precision = s->precision;
    curve->zero_load = NAN;
    curve->capacity = NAN;
    fc_status status = find_key(s, error);
    if (status == FC_OK && s->wanted->capacity)
        status = find_capacity(s, error, &curve->capacity);
    if (status != FC_OK)
        return status;
    name_metrics(s);
    status = check_request(s, error);
    if (status == FC_OK)
        status = make_forecast(s, error);
    return status == FC_OK ? fc_curve_runs_open(&s->runs, curve, s->wanted->store, error) : status;
}

fc_status fc_curve_run(const fc_scenario *scenario, const fc_curve_settings *wanted,
                       const fc_run_settings *settings, fc_error *error, fc_curve **result) {
    FC_IN_C_LOCALE;
    const double begun = fc_clock_elapsed();
    study *s = fc_allocate(1, sizeof *s);
    if (!s)
        return fc_fail_memory(error);
    *s = (study){.scenario = scenario,
                 .wanted = wanted,
                 .settings = settings,
                 .ceiling = INFINITY,
                 .work_left = work_allowed(scenario) * work_of_simulations,
                 .shape = {.pole = INFINITY},
                 .precision = wanted->precision != 0 ? wanted->precision : default_precision};
    s->curve = fc_allocate(1, sizeof *s->curve);
    s->fit = fc_allocate(1, sizeof *s->fit);
    fc_status status = s->curve && s->fit ? prepare(s, error) : fc_fail_memory(error);
    if (status == FC_OK)
        status = draw_curve(s, error);
    fc_curve_runs_close(&s->runs);
    fc_forecast_free(s->forecast);
    if (status == FC_OK) {
        s->curve->seconds = fc_clock_elapsed() - begun;
        *result = s->curve;
    } else {
        fc_curve_free(s->curve);
    }
    fc_release(s->fit);
    fc_release(s);
    return status;
}
