/* Curves as text, JSON, CSV and reports: one row per load. */
#include <math.h>
#include <string.h>
#include "flitcast/flitcast.h"
#include "output/text/characters.h"
#include "output/study_writer.h"
#include "output/text/numbers.h"
#include "output/text/writing.h"
#include "registry/result.h"

enum { SHOWN_EVERY = 3 }; /* of the loads nobody asked for and that were not simulated */

/* ---- JSON ---- */

static json_t *json_of_value(const fc_curve *curve, size_t metric, fc_curve_value value) {
    json_t *object = json_object();
    fc_json_set(&object, "value", fc_json_number(value.value));
    fc_json_set(&object, "half_width", fc_json_number(value.half_width));
    fc_json_set_physical(&object, &curve->physical, curve->units[metric], value.value,
                         value.half_width);
    return object;
}

static void set_values(const fc_curve *curve, const fc_curve_value *values, json_t **object) {
    for (size_t m = 0; m < curve->metric_count; ++m) {
        if (isfinite(values[m].value))
            fc_json_set(object, curve->metrics[m], json_of_value(curve, m, values[m]));
        else
            fc_json_set(object, curve->metrics[m], json_null());
    }
}

static json_t *json_of_point(const fc_curve *curve, const fc_curve_point *point) {
    json_t *object = json_object();
    fc_json_set(&object, "load", fc_json_number(point->load));
    fc_json_set_physical(&object, &curve->physical, curve->load_unit, point->load, NAN);
    fc_json_set(&object, "simulated", json_boolean(point->simulated));
    fc_json_set(&object, "reliable", json_boolean(point->reliable));
    fc_json_set(&object, "outcome", fc_json_text(fc_outcome_name(point->outcome)));
    set_values(curve, point->values, &object);
    if (curve->predicted_by[0])
        fc_json_set(&object, "model", fc_json_number(point->model));
    if (point->simulated) {
        json_t *measured = json_object();
        set_values(curve, point->measured, &measured);
        fc_json_set(&object, "measured", measured);
    }
    return object;
}

static json_t *json_of_saturation(const fc_curve *curve) {
    if (isnan(curve->saturation))
        return json_null();
    json_t *object = json_object();
    fc_json_set(&object, "load", fc_json_number(curve->saturation));
    fc_json_set(&object, "low", fc_json_number(curve->low));
    fc_json_set(&object, "high", fc_json_number(curve->high));
    fc_json_set_physical(&object, &curve->physical, curve->load_unit, curve->saturation, NAN);
    return object;
}

static json_t *json_of_run(const fc_curve *curve) {
    json_t *object = json_object();
    fc_json_set(&object, "simulations", fc_json_integer(curve->simulations));
    fc_json_set(&object, "probes", fc_json_integer(curve->probes));
    fc_json_set(&object, "cycles", fc_json_number(curve->cycles));
    fc_json_set(&object, "seconds", fc_json_number(curve->seconds));
    fc_json_set(&object, "cpu_seconds", fc_json_number(curve->cpu_seconds));
    return object;
}

static json_t *json_of_curve(const fc_curve *curve) {
    json_t *tree = fc_json_document(), *scenario = json_object(), *points = json_array();
    fc_json_set(&scenario, "name", fc_json_text(curve->scenario_name));
    fc_json_set(&scenario, "hash", fc_json_text(curve->scenario_hash));
    for (size_t p = 0; p < curve->point_count; ++p)
        fc_json_append(&points, json_of_point(curve, &curve->points[p]));
    fc_json_set(&tree, "scenario", scenario);
    fc_json_set(&tree, "key", fc_json_text(curve->key));
    fc_json_set(&tree, "model", curve->model[0] ? fc_json_text(curve->model) : json_null());
    if (curve->predicted_by[0])
        fc_json_set(&tree, "predicted_by", fc_json_text(curve->predicted_by));
    fc_json_set(&tree, "saturation", json_of_saturation(curve));
    if (isfinite(curve->zero_load))
        fc_json_set(&tree, "zero_load", fc_json_number(curve->zero_load));
    fc_json_set(&tree, "reliable_load", fc_json_number(curve->reliable));
    fc_json_set(&tree, "precision", fc_json_number(curve->precision));
    fc_json_set(&tree, "points", points);
    fc_json_set(&tree, "run", json_of_run(curve));
    if (curve->note[0])
        fc_json_set(&tree, "note", fc_json_text(curve->note));
    return tree;
}

struct curves {
    const fc_curve *const *list;
    size_t count;
};

static json_t *json_of(const void *study, bool detail) {
    const struct curves *of = study;
    (void)detail;
    if (of->count == 1)
        return json_of_curve(of->list[0]);
    json_t *tree = fc_json_document(), *list = json_array();
    for (size_t c = 0; c < of->count; ++c)
        fc_json_append(&list, json_of_curve(of->list[c]));
    fc_json_set(&tree, "curves", list);
    return tree;
}

/* ---- CSV ---- */

static void write_cell(double value, FILE *stream) {
    char text[FC_NUMBER_SIZE] = "";
    if (isfinite(value))
        fc_number_exact(value, text);
    fprintf(stream, ",%s", text);
}

/* The factor of a column in ns or GB/s; false: there is no such column. */
static bool has_physical(const fc_curve *curve, const char *unit, fc_physical *physical) {
    return fc_physical_of(&curve->physical, unit, physical);
}

static void write_physical(const fc_curve *curve, const char *unit, double value, FILE *stream) {
    fc_physical physical;
    if (has_physical(curve, unit, &physical))
        write_cell(value * physical.factor, stream);
}

static void write_physical_name(const fc_curve *curve, const char *unit, const char *name,
                                FILE *stream) {
    fc_physical physical;
    if (has_physical(curve, unit, &physical))
        fprintf(stream, ",%s_%s", name, physical.unit);
}

static void write_csv_rows(const fc_curve *curve, FILE *stream) {
    for (size_t p = 0; p < curve->point_count; ++p) {
        const fc_curve_point *point = &curve->points[p];
        fc_write_csv(stream, curve->scenario_name);
        write_cell(point->load, stream);
        write_physical(curve, curve->load_unit, point->load, stream);
        fprintf(stream, ",%d,%d,%s", point->simulated, point->reliable,
                fc_outcome_name(point->outcome));
        for (size_t m = 0; m < curve->metric_count; ++m) {
            write_cell(point->values[m].value, stream);
            write_cell(point->values[m].half_width, stream);
            write_physical(curve, curve->units[m], point->values[m].value, stream);
        }
        write_cell(point->model, stream);
        fputc('\n', stream);
    }
}

static void write_csv(const void *study, const fc_write_settings *settings, FILE *stream) {
    const struct curves *of = study;
    const fc_curve *first = of->list[0];
    (void)settings;
    fprintf(stream, "scenario,%s", first->key);
    write_physical_name(first, first->load_unit, first->key, stream);
    fputs(",simulated,reliable,outcome", stream);
    for (size_t m = 0; m < first->metric_count; ++m) {
        fprintf(stream, ",%s,%s_half_width", first->metrics[m], first->metrics[m]);
        write_physical_name(first, first->units[m], first->metrics[m], stream);
    }
    fputs(",model\n", stream);
    for (size_t c = 0; c < of->count; ++c)
        write_csv_rows(of->list[c], stream);
}

/* ---- tables ---- */

static const char *how(const fc_curve_point *point) {
    if (point->outcome == FC_OUTCOME_SATURATED)
        return "saturated";
    if (point->outcome == FC_OUTCOME_NOT_CONVERGED)
        return "did not settle";
    if (!point->reliable)
        return "uncertain";
    return point->simulated ? "simulated" : "";
}

/* "latency_p99" as "p99": the table has a column of latencies before it. */
static const char *short_name(const char *metric) {
    static const char prefix[] = "latency_";
    return strncmp(metric, prefix, sizeof prefix - 1) == 0 ? metric + sizeof prefix - 1 : metric;
}

/* Left out in a terminal, which is narrow; JSON, CSV and pages have them. */
static bool is_spared(const char *metric) {
    const fc_metric_id id = fc_metric_find(metric);
    return id == FC_METRIC_LATENCY_P50 || id == FC_METRIC_LATENCY_P95;
}

static void add_table(fc_report *report, const fc_curve *curve, bool all) {
    const char *columns[FC_CURVE_METRICS + 5];
    size_t count = 0;
    fc_physical load, value;
    const bool has_load = fc_physical_of(&curve->physical, curve->load_unit, &load);
    const bool has_value = fc_physical_of(&curve->physical, curve->units[0], &value);
    columns[count++] = curve->key;
    if (has_load)
        columns[count++] = load.unit;
    for (size_t m = 0; m < curve->metric_count; ++m) {
        if (all || !is_spared(curve->metrics[m]))
            columns[count++] = short_name(curve->metrics[m]);
        if (m == 0 && has_value)
            columns[count++] = value.unit;
    }
    if (curve->predicted_by[0])
        columns[count++] = "model";
    columns[count++] = "how";
    fc_report_add_table(report, "", columns, count);
    for (size_t p = 0; p < curve->point_count; ++p) {
        const fc_curve_point *point = &curve->points[p];
        if (!all && !point->simulated && !point->asked && p % SHOWN_EVERY != 0)
            continue;
        fc_report_row(report);
        fc_report_cell_number(report, point->load, 6);
        if (has_load)
            fc_report_cell_number(report, point->load * load.factor, 5);
        for (size_t m = 0; m < curve->metric_count; ++m) {
            const fc_curve_value *at = &point->values[m];
            if (!all && is_spared(curve->metrics[m]))
                continue;
            if (all || m + 1 < curve->metric_count ||
                (point->outcome == FC_OUTCOME_OK && at->half_width > curve->precision * at->value))
                fc_report_cell_interval(report, at->value, at->half_width);
            else /* the throughput, which is mostly known much better than it need be */
                fc_report_cell_number(report, at->value, 4);
            if (m == 0 && has_value)
                fc_report_cell_number(report, at->value * value.factor, 5);
        }
        if (curve->predicted_by[0])
            fc_report_cell_number(report, point->model, 4);
        fc_report_cell_text(report, "%s", how(point));
    }
}

static void add_summary(fc_report *report, const fc_curve *curve) {
    char low[FC_NUMBER_SIZE], high[FC_NUMBER_SIZE], zero[FC_NUMBER_SIZE];
    fc_number_text(curve->low, 3, low);
    fc_number_text(curve->high, 3, high);
    fc_number_text(curve->zero_load, 4, zero);
    if (isfinite(curve->saturation))
        fc_report_add_text(report,
                           "Saturates at %s between %s, where it settles, and %s, where it does "
                           "not. Latency of the empty network: %s cycles.",
                           curve->key, low, high, isfinite(curve->zero_load) ? zero : "?");
    else if (!isnan(curve->saturation))
        fc_report_add_text(report,
                           "Does not saturate up to %s %s. Latency of the empty network: %s "
                           "cycles.",
                           curve->key, low, zero);
    char search[64] = "";
    if (curve->probes > 0)
        snprintf(search, sizeof search, ", and %zu more to find the saturation load",
                 curve->probes);
    fc_report_add_text(report, "Simulated %zu %s%s: %.3g cycles in %.2g s. %s%s%s",
                       curve->simulations, isnan(curve->saturation) ? "think times" : "loads",
                       search, curve->cycles, curve->seconds,
                       curve->model[0] ? "Shape by " : "Shape without a model.", curve->model,
                       curve->model[0] ? ", corrected by the simulations." : "");
    if (curve->note[0])
        fc_report_add_text(report, "%s", curve->note);
}

static void add_plots(fc_report *report, const struct curves *of) {
    const char *const metrics[] = {NULL, fc_metrics[FC_METRIC_THROUGHPUT].name};
    for (size_t m = 0; m < sizeof metrics / sizeof *metrics; ++m) {
        const fc_curve_view view = {.metric = metrics[m]};
        fc_plot *plot = NULL;
        const fc_status status = fc_curve_plot(of->list, of->count, &view, NULL, &plot);
        if (status == FC_OK || status == FC_ERROR_MEMORY)
            fc_report_add_plot(report, plot);
    }
}

static fc_report *report_of(const void *study, const fc_write_settings *settings) {
    const struct curves *of = study;
    const bool page = settings->format == FC_FORMAT_HTML;
    fc_report *report = fc_report_create(of->count == 1 ? of->list[0]->scenario_name : "Curves");
    if (!report)
        return NULL;
    if (page)
        add_plots(report, of);
    for (size_t c = 0; c < of->count; ++c) {
        if (of->count > 1)
            fc_report_add_heading(report, of->list[c]->scenario_name);
        add_summary(report, of->list[c]);
        add_table(report, of->list[c], page);
    }
    for (size_t c = 0; page && c < of->count; ++c) {
        fc_report_add_code(report, "Scenario", of->list[c]->scenario);
        fc_report_add_text(report, "Flitcast %s, scenario %s.", fc_version(),
                           of->list[c]->scenario_hash);
    }
    return report;
}

fc_status fc_curve_write(const fc_curve *const *curves, size_t count,
                         const fc_write_settings *settings, FILE *stream) {
    const struct curves of = {curves, count};
    static const fc_study_writer writer = {.report = report_of, .json = json_of, .csv = write_csv};
    return count ? fc_study_write(&of, &writer, settings, stream) : FC_ERROR_ARGUMENT;
}
