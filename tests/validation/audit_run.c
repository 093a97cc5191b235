/* What must hold for every scenario, whatever it is: laws that a result has to obey, bounds that no
 * run may beat, engines that must agree, intervals that must hold. */
#include "audit.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char bounding[] = "channel-load"; /* the model whose answers are bounds */

typedef struct audit {
    const audit_text *what;
    const audit_settings *settings;
    fc_scenario *scenario;
    audit_finding *finding;
} audit;

/* ---- words ---- */

static void broken(audit_finding *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void broken(audit_finding *f, const char *format, ...) {
    va_list values;
    if (f->broken[0])
        return;
    va_start(values, format);
    vsnprintf(f->broken, sizeof f->broken, format, values);
    va_end(values);
}

static fc_scenario *read_scenario(const audit *a, double precision, double cycles, unsigned seed,
                                  const char *engine, double rate) {
    char text[AUDIT_TEXT + 200], load[32];
    const fc_setting setting = {"traffic.rate", load};
    const int length = snprintf(text, sizeof text,
                                "%ssimulation: {precision: %g, max_cycles: %.0f, seed: %u, "
                                "engine: %s}\n",
                                a->what->text, precision, cycles, seed, engine);
    fc_scenario *scenario = NULL;
    snprintf(load, sizeof load, "%.9g", rate);
    fc_scenario_read_text(text, (size_t)length, "audit", &setting, rate > 0, NULL, &scenario);
    return scenario;
}

static audit_value value_of(const fc_result *result, const char *name) {
    const fc_metric *metric = fc_result_metric(result, name);
    return metric ? (audit_value){metric->value, metric->half_width} : (audit_value){NAN, NAN};
}

static double width(audit_value v) {
    return isnan(v.half_width) ? 0 : v.half_width;
}

/* left and right agree to within three times what their intervals allow, and `share`. */
static void check_close(audit_finding *f, const char *what, audit_value left, audit_value right,
                        double share) {
    const double allowed = 1.5 * hypot(width(left), width(right)) + share * fabs(right.value);
    if (!isnan(left.value) && !isnan(right.value) && !(fabs(left.value - right.value) <= allowed))
        broken(f, "%s: %.6g and %.6g", what, left.value, right.value);
}

static audit_value times(audit_value v, double factor) {
    return (audit_value){v.value * factor, v.half_width * fabs(factor)};
}

/* ---- laws of any result ---- */

static void check_parts(const fc_result *result, const char *who, audit_finding *f) {
    const audit_value whole = value_of(result, result->parts_of);
    double sum = 0;
    for (size_t i = 0; i < result->part_count; ++i) {
        const double part = result->parts[i].value;
        sum += part;
        if (!(part >= -1e-6 * whole.value - 0.5 * width(whole)))
            broken(f, "%s: part %s is %.6g", who, result->parts[i].name, part);
    }
    if (result->part_count && !(fabs(sum - whole.value) <= 1e-6 * fabs(whole.value)))
        broken(f, "%s: parts add up to %.9g, not %.9g", who, sum, whole.value);
}

static void check_percentiles(const fc_result *result, const char *who, audit_finding *f) {
    double last = 0, share = 0;
    for (size_t m = 0; m < fc_metric_count(); ++m) {
        const fc_metric_info *info = fc_metric_at(m);
        const audit_value v = value_of(result, info->name);
        if (info->percentile == 0 || isnan(v.value))
            continue;
        if (info->percentile < share)
            last = 0; /* of another time */
        if (v.value < last)
            broken(f, "%s: %s is %.6g, a lower percentile %.6g", who, info->name, v.value, last);
        last = v.value;
        share = info->percentile;
    }
}

static void check_finite(const fc_result *result, const char *who, audit_finding *f) {
    for (size_t i = 0; i < result->metric_count; ++i)
        if (!isfinite(result->metrics[i].value))
            broken(f, "%s: %s is not finite", who, result->metrics[i].name);
    if (value_of(result, "efficiency").value > 1 + 1e-9)
        broken(f, "%s: efficiency %.6g", who, value_of(result, "efficiency").value);
    const audit_value bound = value_of(result, "duration_bound");
    const audit_value duration = value_of(result, "duration");
    if (result->outcome == FC_OUTCOME_OK &&
        bound.value > duration.value * (1 + 1e-9) + 1.5 * width(duration))
        broken(f, "%s: duration %.6g, bound %.6g", who, duration.value, bound.value);
}

static void check_result(const fc_result *result, const char *who, audit_finding *f) {
    check_finite(result, who, f);
    check_percentiles(result, who, f);
    check_parts(result, who, f);
    const audit_value source = value_of(result, "source_wait");
    const audit_value network = value_of(result, "network_latency");
    const audit_value latency = value_of(result, "latency");
    if (fabs(source.value + network.value - latency.value) > 1e-6 * latency.value)
        broken(f, "%s: latency %.9g, its parts %.9g and %.9g", who, latency.value, source.value,
               network.value);
    if (source.value < -1e-9 - width(source))
        broken(f, "%s: source_wait %.6g", who, source.value);
}

/* ---- laws of a steady state ---- */

static void check_steady(const audit *a, const fc_result *result) {
    const audit_value loss = value_of(result, "loss"), lost = value_of(result, "unreachable");
    const audit_value throughput = value_of(result, "throughput");
    const double arrive =
        (1 - (isnan(loss.value) ? 0 : loss.value)) * (1 - (isnan(lost.value) ? 0 : lost.value));
    const bool ends = !isnan(value_of(result, "duration").value);
    for (size_t i = 0; !ends && i < result->metric_count; ++i)
        if (result->metrics[i].half_width == 0)
            broken(a->finding, "%s is certain", result->metrics[i].name);
    if (!ends && result->outcome == FC_OUTCOME_OK)
        check_close(a->finding, "throughput and what is offered", throughput,
                    times(value_of(result, "offered"), arrive), 0.005);
    double think, outstanding;
    if (fc_scenario_load_key(a->scenario) || ends)
        return;
    if (fc_scenario_number(a->scenario, "traffic.think_time", NULL, &think) == FC_OK)
        check_close(a->finding, "throughput x think time and efficiency", times(throughput, think),
                    value_of(result, "efficiency"), 0.005);
    if (fc_scenario_number(a->scenario, "traffic.outstanding", NULL, &outstanding) == FC_OK &&
        outstanding > 0)
        check_close(
            a->finding, "Little's law of the round trip",
            times(throughput, value_of(result, "round_trip").value),
            (audit_value){outstanding, outstanding * value_of(result, "round_trip").half_width /
                                           value_of(result, "round_trip").value},
            0.005);
}

/* Nothing is in use more than all of the time. */
static void check_use(const fc_result *result, const char *name, const char *column,
                      audit_finding *f) {
    const fc_table *table = fc_result_table(result, name);
    size_t c = 0;
    while (table && c < table->columns && strcmp(table->column_names[c], column) != 0)
        ++c;
    for (size_t row = 0; table && c < table->columns && row < table->rows; ++row) {
        const double use = table->values[row * table->columns + c];
        if (!isnan(use) && !(use >= 0 && use <= 1 + 1e-9))
            broken(f, "%s of %s %s is %.6g", column, name, table->row_labels[row], use);
    }
}

/* ---- bounds ---- */

static void check_bounds(const audit *a, const fc_result *result) {
    fc_forecast *alone;
    fc_load_range full;
    fc_result *empty = NULL;
    double rate;
    if (fc_method_covers(bounding, a->scenario, NULL) != FC_OK ||
        fc_scenario_number(a->scenario, "traffic.rate", NULL, &rate) != FC_OK ||
        fc_forecast_create(a->scenario, bounding, NULL, &alone) != FC_OK)
        return;
    const audit_value latency = value_of(result, "latency");
    const audit_value carried = value_of(result, "throughput");
    if (fc_forecast_saturation(alone, NULL, &full) == FC_OK &&
        carried.value > full.load * 1.005 + 1.5 * width(carried))
        broken(a->finding, "carries %.6g, its busiest link %.6g", carried.value, full.load);
    if (fc_forecast_at(alone, 1e-3 * fmin(rate, full.load), NULL, &empty) == FC_OK &&
        latency.value + 1.5 * width(latency) < 0.999 * value_of(empty, "latency").value)
        broken(a->finding, "latency %.6g, of a message alone %.6g", latency.value,
               value_of(empty, "latency").value);
    fc_result_free(empty);
    fc_forecast_free(alone);
}

/* ---- engines ---- */

static bool same(const fc_result *a, const fc_result *b) {
    bool equal = a->outcome == b->outcome && a->metric_count == b->metric_count;
    for (size_t i = 0; equal && i < a->metric_count; ++i) {
        const fc_metric *m = &a->metrics[i], *n = &b->metrics[i];
        equal = strcmp(m->name, n->name) == 0 && m->value == n->value &&
                (m->half_width == n->half_width || (isnan(m->half_width) && isnan(n->half_width)));
    }
    return equal;
}

static fc_result *simulate(const fc_scenario *scenario, unsigned threads, audit_finding *f) {
    static const double work = 6e6; /* flits over links: a few seconds */
    const fc_run_settings settings = {.threads = threads, .work_most = work};
    fc_result *result = NULL;
    if (scenario && fc_simulate(scenario, &settings, NULL, &result) == FC_OK)
        f->seconds += result->run.cpu_seconds;
    return result;
}

static void check_engines(const audit *a) {
    static const char *const engines[] = {"lanes", "auto"};
    const double cycles = fmin(a->settings->cycles, 4000);
    fc_scenario *scenario = read_scenario(a, a->settings->precision, cycles, 7, "events", 0);
    fc_result *events = simulate(scenario, 1, a->finding);
    for (size_t i = 0; events && i < sizeof engines / sizeof *engines; ++i) {
        fc_scenario *other = read_scenario(a, a->settings->precision, cycles, 7, engines[i], 0);
        fc_result *result = simulate(other, i == 0 ? 1 : 3, a->finding);
        if (result && !same(events, result))
            broken(a->finding, "engine %s differs from events", engines[i]);
        if (!result && i == 1)
            broken(a->finding, "three threads fail where one does not");
        fc_result_free(result);
        fc_scenario_free(other);
    }
    fc_result_free(events);
    fc_scenario_free(scenario);
}

/* ---- the forecast ---- */

/* Whether it holds what was simulated: a saturated network is beyond an open end. */
static void compare(audit_finding *f) {
    const audit_value seen = isnan(f->longer.value) ? f->found : f->longer;
    const bool full = f->outcome == FC_OUTCOME_SATURATED;
    const bool said_full = f->forecast == FC_OUTCOME_SATURATED;
    if (isnan(f->low) && !said_full)
        return;
    if (said_full || full) {
        f->holds = said_full == full || (!said_full && isinf(f->high));
        f->clear = !f->holds;
        return;
    }
    f->holds = seen.value >= f->low && seen.value <= f->high;
    f->clear = seen.value + width(seen) < f->low || seen.value - width(seen) > f->high;
}

static void check_forecast(const audit *a) {
    audit_finding *f = a->finding;
    fc_result *predicted;
    if (fc_predict(a->scenario, NULL, NULL, &predicted) != FC_OK)
        return;
    snprintf(f->model, sizeof f->model, "%s", predicted->method);
    f->flags = predicted->flags;
    f->forecast = predicted->outcome;
    snprintf(f->reason, sizeof f->reason, "%s", predicted->accuracy.reason);
    f->value = value_of(predicted, fc_scenario_main_metric(a->scenario)).value;
    if (predicted->outcome == FC_OUTCOME_OK) {
        check_result(predicted, "forecast", f);
        double low, high;
        if (fc_result_interval(predicted, &low, &high)) {
            f->low = low;
            f->high = high;
            if (!(f->low <= f->value && f->value <= f->high))
                broken(f, "forecast %.6g outside of %.6g to %.6g", f->value, f->low, f->high);
        } else if (!(f->flags & FC_FLAG_NOT_VALIDATED) && predicted->calibrated) {
            broken(f, "a validated forecast without an interval");
        }
    }
    fc_result_free(predicted);
}

/* ---- one scenario ---- */

/* A longer run with other random numbers. */
static void look_longer(const audit *a) {
    audit_finding *f = a->finding;
    fc_scenario *again = read_scenario(a, a->settings->longer_precision, a->settings->longer_cycles,
                                       1000003, "auto", 0);
    fc_result *longer = simulate(again, 1, f);
    if (longer) {
        check_result(longer, "longer run", f);
        if (f->outcome != FC_OUTCOME_SATURATED)
            f->outcome = longer->outcome;
        if (longer->outcome == FC_OUTCOME_OK)
            f->longer = value_of(longer, fc_scenario_main_metric(a->scenario));
    }
    f->missed = f->outcome == FC_OUTCOME_OK && !isnan(f->longer.value) &&
                fabs(f->found.value - f->longer.value) > hypot(width(f->found), width(f->longer));
    fc_result_free(longer);
    fc_scenario_free(again);
}

static void judge(const audit *a, const fc_result *result) {
    audit_finding *f = a->finding;
    f->outcome = result->outcome;
    f->found = value_of(result, fc_scenario_main_metric(a->scenario));
    check_result(result, "simulation", f);
    check_steady(a, result);
    check_use(result, "channels", "utilisation", f);
    check_use(result, "nodes", "injection", f);
    check_use(result, "nodes", "ejection", f);
    check_use(result, "nodes", "efficiency", f);
    check_bounds(a, result);
    if (a->settings->engines)
        check_engines(a);
    check_forecast(a);
    const bool claims = !isnan(f->low) && !(f->flags & FC_FLAG_NOT_VALIDATED);
    if (f->outcome == FC_OUTCOME_OK && (claims || a->settings->twice))
        look_longer(a);
    compare(f);
}

audit_finding audit_nothing_found(void) {
    return (audit_finding){
        .found = {NAN, NAN}, .longer = {NAN, NAN}, .value = NAN, .low = NAN, .high = NAN};
}

audit_finding audit_scenario(const audit_text *what, const audit_settings *settings) {
    audit_finding f = audit_nothing_found();
    audit a = {.what = what, .settings = settings, .finding = &f};
    a.scenario = read_scenario(&a, settings->precision, settings->cycles, 1, "auto", 0);
    fc_result *result = simulate(a.scenario, 1, &f);
    f.refused = !result;
    if (result)
        judge(&a, result);
    fc_result_free(result);
    fc_scenario_free(a.scenario);
    return f;
}
