/* Saturation loads: one row per method. */
#include <math.h>
#include "flitcast/flitcast.h"
#include "output/study_writer.h"
#include "registry/metrics.h"

/* Adds the loads of a scenario to an object. */
static void add_loads(json_t **tree, const fc_scenario *scenario, const fc_saturation *found) {
    json_t *list = json_array();
    const fc_units units = fc_scenario_units(scenario);
    fc_json_set(tree, "key", fc_json_text(fc_scenario_load_key(scenario)));
    for (const fc_saturation *at = found; at->method[0]; ++at) {
        json_t *item = json_object();
        fc_json_set(&item, "method", fc_json_text(at->method));
        fc_json_set(&item, "kind", fc_json_text(at->kind == FC_MODEL ? "model" : "simulator"));
        fc_json_set(&item, "load", fc_json_number(at->load));
        fc_json_set(&item, "low", fc_json_number(at->low));
        fc_json_set(&item, "high", fc_json_number(at->high));
        if (at->calibrated)
            fc_json_set(&item, "calibrated", json_true());
        fc_json_set_physical(&item, &units, fc_metrics[FC_METRIC_OFFERED].unit, at->load, NAN);
        fc_json_append(&list, item);
    }
    fc_json_set(tree, "saturation", list);
}

struct saturations {
    const fc_scenario *const *scenarios;
    const fc_saturation *const *found;
    size_t count;
};

static json_t *json_of(const void *study, bool detail) {
    const struct saturations *of = study;
    json_t *tree = fc_json_document();
    (void)detail;
    if (of->count == 1) {
        add_loads(&tree, of->scenarios[0], of->found[0]);
        return tree;
    }
    json_t *networks = json_array();
    for (size_t i = 0; i < of->count; ++i) {
        json_t *item = json_object(), *about = json_object();
        fc_json_set(&about, "name", fc_json_text(fc_scenario_name(of->scenarios[i])));
        fc_json_set(&about, "hash", fc_json_text(fc_scenario_hash(of->scenarios[i])));
        fc_json_set(&item, "scenario", about);
        add_loads(&item, of->scenarios[i], of->found[i]);
        fc_json_append(&networks, item);
    }
    fc_json_set(&tree, "networks", networks);
    return tree;
}

static void put_load(fc_report *report, double load) {
    if (load < INFINITY)
        fc_report_cell_number(report, load, 5);
    else
        fc_report_cell_text(report, "never");
}

static void put_range(fc_report *report, const fc_saturation *at) {
    const bool known = at->low < at->high;
    fc_report_cell_number(report, known ? at->low : NAN, 5);
    fc_report_cell_number(report, known && at->high < INFINITY ? at->high : NAN, 5);
}

static const fc_saturation *find_measured(const fc_saturation *found) {
    for (; found->method[0]; ++found)
        if (found->kind == FC_SIMULATOR && found->load < INFINITY)
            return found;
    return NULL;
}

static fc_report *report_of_one(const fc_scenario *scenario, const fc_saturation *found) {
    const fc_units units = fc_scenario_units(scenario);
    fc_physical physical;
    const bool known = fc_physical_of(&units, fc_metrics[FC_METRIC_OFFERED].unit, &physical);
    const char *columns[6] = {"method", "saturation load"};
    size_t used = 2;
    fc_report *report = fc_report_create(fc_scenario_name(scenario));
    if (!report)
        return NULL;
    const fc_saturation *measured = find_measured(found);
    fc_report_add_text(
        report,
        "The largest %s the network can carry. A forecast is between `at least` and "
        "`at most` with 90 %%; a simulation settled at the one and not at the other.",
        fc_scenario_load_key(scenario));
    if (known)
        columns[used++] = physical.unit;
    columns[used++] = "at least";
    columns[used++] = "at most";
    if (measured)
        columns[used++] = "error";
    fc_report_add_table(report, "", columns, used);
    for (const fc_saturation *at = found; at->method[0]; ++at) {
        fc_report_row(report);
        fc_report_cell_text(report, "%s%s", at->kind == FC_SIMULATOR ? "simulation" : at->method,
                            at->calibrated ? ", calibrated" : "");
        put_load(report, at->load);
        if (known)
            fc_report_cell_number(report, at->load * physical.factor, 5);
        put_range(report, at);
        if (measured && at->kind == FC_MODEL && at->load < INFINITY)
            fc_report_cell_percent(report, at->load / measured->load - 1);
    }
    return report;
}

static fc_report *report_of(const void *study, const fc_write_settings *settings) {
    const struct saturations *of = study;
    (void)settings;
    return report_of_one(of->scenarios[0], of->found[0]);
}

fc_status fc_saturation_write(const fc_scenario *const *scenarios,
                              const fc_saturation *const *found, size_t count,
                              const fc_write_settings *settings, FILE *stream) {
    static const fc_study_writer writer = {.report = report_of, .json = json_of};
    const bool together = settings && settings->format == FC_FORMAT_JSON;
    fc_status status = count ? FC_OK : FC_ERROR_ARGUMENT;
    for (size_t i = 0; i < (together ? 1 : count) && status == FC_OK; ++i) {
        const struct saturations of = {scenarios + i, found + i, together ? count : 1};
        if (i > 0)
            fputc('\n', stream);
        status = fc_study_write(&of, &writer, settings, stream);
    }
    return status;
}
