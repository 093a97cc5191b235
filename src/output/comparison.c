/* Comparisons: one, or several networks side by side. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/units.h"
#include "flitcast/flitcast.h"
#include "output/text/numbers.h"
#include "output/study_writer.h"
#include "output/text/writing.h"
#include "registry/metrics.h"

static const fc_prediction_error *find_error(const fc_comparison *comparison, const char *model,
                                             const char *metric) {
    for (size_t i = 0; i < comparison->error_count; ++i) {
        const fc_prediction_error *error = &comparison->errors[i];
        if (strcmp(error->model, model) == 0 && strcmp(error->metric, metric) == 0)
            return error;
    }
    return NULL;
}

static bool is_known(const fc_comparison *comparison, size_t results, const char *metric) {
    for (size_t i = 0; i < results; ++i) {
        if (fc_result_metric(comparison->results[i], metric))
            return true;
    }
    return false;
}

/* Value and error of a model: as two cells for programs, as "36.8 (+0.4 %)" for people, so that the
 * two stay together when a terminal is too narrow for the table. */
static void add_prediction(fc_report *report, const fc_metric *predicted,
                           const fc_prediction_error *error, bool separate) {
    if (separate) {
        fc_report_cell_number(report, predicted ? predicted->value : NAN, 5);
        fc_report_cell_number(report, error ? error->relative : NAN, 5);
        return;
    }
    fc_report_cell_compared(report, predicted ? predicted->value : NAN,
                            error ? error->relative : NAN);
}

static const fc_units *units_of(const fc_comparison *comparison) {
    return &comparison->results[comparison->result_count - 1]->units;
}

static bool has_units(const fc_comparison *comparison) {
    return fc_units_given(units_of(comparison));
}

/* One line: what the simulation measured, then what each model says. */
static void add_metric(fc_report *report, const fc_comparison *comparison, const fc_metric *metric,
                       bool separate) {
    const size_t models = comparison->result_count - 1;
    const fc_metric *measured = fc_result_metric(comparison->results[models], metric->name);
    fc_report_row(report);
    fc_report_cell_text(report, "%s", metric->name);
    fc_report_cell_text(report, "%s", metric->unit);
    if (has_units(comparison))
        fc_report_cells_physical(report, units_of(comparison), measured ? measured : metric);
    if (measured)
        fc_report_cell_interval(report, measured->value, measured->half_width);
    else
        fc_report_cell_number(report, NAN, 0);
    for (size_t i = 0; i < models; ++i) {
        const fc_metric *predicted = fc_result_metric(comparison->results[i], metric->name);
        const fc_prediction_error *error =
            find_error(comparison, comparison->results[i]->method, metric->name);
        add_prediction(report, predicted, error, separate);
    }
}

static void add_metrics(fc_report *report, const fc_comparison *comparison, bool separate) {
    const size_t models = comparison->result_count - 1;
    size_t count = 0;
    const char **columns = fc_allocate(5 + 2 * models, sizeof *columns);
    if (!columns) {
        fc_report_fail(report, FC_ERROR_MEMORY);
        return;
    }
    columns[count++] = "metric";
    columns[count++] = "unit";
    if (has_units(comparison)) {
        columns[count++] = "physical";
        columns[count++] = "";
    }
    columns[count++] = "simulation";
    for (size_t i = 0; i < models; ++i) {
        columns[count++] = comparison->results[i]->method;
        if (separate)
            columns[count++] = "error";
    }
    fc_report_add_table(report, "", columns, count);
    fc_report_set_keys(report, 2, false);
    fc_release(columns);
    const fc_result *simulation = comparison->results[models];
    for (size_t m = 0; m < simulation->metric_count; ++m)
        if (!fc_metric_is_count(simulation->metrics[m].name))
            add_metric(report, comparison, &simulation->metrics[m], separate);
    for (size_t i = 0; i < models; ++i) {
        const fc_result *model = comparison->results[i];
        for (size_t m = 0; m < model->metric_count; ++m) {
            const char *name = model->metrics[m].name;
            if (!fc_result_metric(simulation, name) && !is_known(comparison, i, name))
                add_metric(report, comparison, &model->metrics[m], separate);
        }
    }
}

/* An error relative to a value that is itself hardly known says nothing. */
static bool is_measured(const fc_prediction_error *error) {
    static const double uncertainty_most = 0.2;
    return error && !(error->uncertainty > uncertainty_most);
}

/* The error of each model for each metric, with what the simulation leaves open. */
static void add_picture(fc_report *report, const fc_comparison *comparison) {
    enum { METRICS_MAX = 8 }; /* as many names as the axis has room for */
    const size_t models = comparison->result_count - 1;
    const fc_result *simulation = comparison->results[models];
    const char *names[METRICS_MAX];
    size_t count = 0;
    for (size_t m = 0; m < simulation->metric_count && count < METRICS_MAX; ++m) {
        bool compared = false;
        for (size_t i = 0; i < models; ++i)
            compared |= is_measured(find_error(comparison, comparison->results[i]->method,
                                               simulation->metrics[m].name));
        if (compared)
            names[count++] = simulation->metrics[m].name;
    }
    if (count == 0)
        return;
    fc_plot *plot = fc_plot_create("Error of each model against the simulation", "metric",
                                   "error (%), bars: 95 % interval of the simulation");
    if (!plot || fc_plot_set_x_names(plot, names, count) != FC_OK) {
        fc_plot_free(plot);
        fc_report_fail(report, FC_ERROR_MEMORY);
        return;
    }
    for (size_t i = 0; i < models; ++i) {
        double x[METRICS_MAX], y[METRICS_MAX], bars[METRICS_MAX];
        for (size_t m = 0; m < count; ++m) {
            const fc_prediction_error *error =
                find_error(comparison, comparison->results[i]->method, names[m]);
            /* models stand side by side, not on top of each other */
            x[m] = (double)m + 0.5 * ((double)i + 0.5) / (double)models - 0.25;
            y[m] = error ? 100 * error->relative : NAN;
            bars[m] = error ? 100 * error->uncertainty : NAN;
        }
        fc_plot_add_series(plot, &(fc_series){.label = comparison->results[i]->method,
                                              .style = FC_STYLE_POINTS,
                                              .x = x,
                                              .y = y,
                                              .half_widths = bars,
                                              .count = count});
    }
    fc_report_add_plot(report, plot);
}

static bool has_intervals(const fc_result *simulation) {
    for (size_t m = 0; m < simulation->metric_count; ++m) {
        if (isfinite(simulation->metrics[m].half_width))
            return true;
    }
    return false;
}

/* A run that comes to an end by itself is one, without a warm-up. */
static void add_run(fc_report *report, const fc_result *simulation) {
    const fc_run_info *run = &simulation->run;
    char cycles[FC_NUMBER_SIZE], warmup[FC_NUMBER_SIZE], time[FC_NUMBER_SIZE], parts[96] = "";
    fc_number_count(run->cycles, cycles);
    fc_number_count(run->warmup_cycles, warmup);
    fc_number_seconds(run->seconds, time);
    if (run->warmup_cycles > 0)
        snprintf(parts, sizeof parts, " in %u replication%s (%s of each discarded as warm-up)",
                 run->replications, run->replications == 1 ? "" : "s", warmup);
    fc_report_add_text(report, "Simulated %s cycles%s, seed %llu, in %s.%s", cycles, parts,
                       (unsigned long long)run->seed, time,
                       has_intervals(simulation) ? " Intervals are 95 %." : "");
}

static void add_notes(fc_report *report, const fc_comparison *comparison) {
    const size_t models = comparison->result_count - 1;
    for (size_t i = 0; i <= models; ++i) {
        const fc_result *result = comparison->results[i];
        const char *name = i == models ? "simulation" : result->method;
        if (result->outcome != FC_OUTCOME_OK || result->note[0])
            fc_report_add_text(report, "%s: %s%s%s", name, fc_outcome_name(result->outcome),
                               result->note[0] ? ". " : "", result->note);
    }
    if (comparison->note[0])
        fc_report_add_text(report, "Simulation only: %s%s", comparison->note,
                           fc_full_stop(comparison->note));
    add_run(report, comparison->results[models]);
    for (size_t i = 0; i < models; ++i) {
        char time[FC_NUMBER_SIZE];
        fc_number_seconds(comparison->results[i]->run.seconds, time);
        fc_report_add_text(report, "%s took %s.", comparison->results[i]->method, time);
        fc_report_add_accuracy(report, comparison->results[i]);
    }
    fc_report_add_text(report, "Flitcast %s, scenario %s.", fc_version(),
                       comparison->results[models]->scenario_hash);
}

/* Errors are in columns of their own in CSV. */
static fc_report *report_of_one(const fc_comparison *comparison,
                                const fc_write_settings *settings) {
    const fc_result *simulation = comparison->results[comparison->result_count - 1];
    const bool page = settings->format == FC_FORMAT_HTML;
    fc_report *report = fc_report_create(simulation->scenario_name);
    if (!report)
        return NULL;
    if (page)
        add_picture(report, comparison);
    add_metrics(report, comparison, settings->format == FC_FORMAT_CSV);
    add_notes(report, comparison);
    if (page && comparison->scenario)
        fc_report_add_code(report, "The scenario", comparison->scenario);
    return report;
}

static json_t *json_of_one(const fc_comparison *comparison, bool detail) {
    json_t *tree = fc_json_document();
    json_t *results = json_array(), *errors = json_array();
    for (size_t i = 0; i < comparison->result_count; ++i)
        fc_json_append(&results, fc_json_result(comparison->results[i], detail));
    for (size_t i = 0; i < comparison->error_count; ++i) {
        const fc_prediction_error *error = &comparison->errors[i];
        json_t *item = json_object();
        fc_json_set(&item, "model", fc_json_text(error->model));
        fc_json_set(&item, "metric", fc_json_text(error->metric));
        fc_json_set(&item, "relative", fc_json_number(error->relative));
        if (isfinite(error->uncertainty))
            fc_json_set(&item, "uncertainty", fc_json_number(error->uncertainty));
        fc_json_append(&errors, item);
    }
    fc_json_set(&tree, "results", results);
    fc_json_set(&tree, "errors", errors);
    if (comparison->note[0])
        fc_json_set(&tree, "note", fc_json_text(comparison->note));
    if (comparison->equal[0])
        fc_json_set(&tree, "equal", fc_json_text(comparison->equal));
    return tree;
}

/* ---- several networks ---- */

static const fc_result *simulation_of(const fc_comparison *comparison) {
    return comparison->results[comparison->result_count - 1];
}

static double value_of(const fc_result *result, const char *metric) {
    const fc_metric *found = fc_result_metric(result, metric);
    return found ? found->value : (double)NAN;
}

static void add_network(fc_report *report, const fc_comparison *comparison) {
    static const char *const counts[] = {"cables", "ports", "bisection"};
    const fc_result *simulation = simulation_of(comparison);
    const char *main_metric = simulation->main_metric;
    const fc_metric *measured = fc_result_metric(simulation, main_metric);
    const bool modelled = comparison->result_count > 1;
    fc_report_row(report);
    fc_report_cell_text(report, "%s", simulation->scenario_name);
    fc_report_cell_text(report, "%s", fc_outcome_name(simulation->outcome));
    if (measured)
        fc_report_cell_interval(report, measured->value, measured->half_width);
    else
        fc_report_cell_number(report, NAN, 0);
    fc_report_cell_number(report, modelled ? value_of(comparison->results[0], main_metric) : NAN,
                          5);
    fc_report_cell_number(report, value_of(simulation, "throughput"), 5);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i)
        fc_report_cell_number(report, value_of(simulation, counts[i]), 7);
}

struct comparisons {
    const fc_comparison *const *list;
    size_t count;
};

static fc_report *report_of(const void *study, const fc_write_settings *settings) {
    const struct comparisons *of = study;
    if (of->count == 1)
        return report_of_one(of->list[0], settings);
    const char *columns[] = {"network",  "outcome",    simulation_of(of->list[0])->main_metric,
                             "forecast", "throughput", "cables",
                             "ports",    "bisection"};
    fc_report *report = fc_report_create("Networks side by side");
    if (!report)
        return NULL;
    for (size_t i = 0; i < of->count; ++i)
        if (of->list[i]->equal[0])
            fc_report_add_text(report, "%s.", of->list[i]->equal);
    fc_report_add_table(report, "", columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < of->count; ++i)
        add_network(report, of->list[i]);
    return report;
}

static json_t *json_of(const void *study, bool detail) {
    const struct comparisons *of = study;
    if (of->count == 1)
        return json_of_one(of->list[0], detail);
    json_t *tree = fc_json_document(), *networks = json_array();
    for (size_t i = 0; i < of->count; ++i)
        fc_json_append(&networks, json_of_one(of->list[i], detail));
    fc_json_set(&tree, "networks", networks);
    return tree;
}

fc_status fc_comparison_write(const fc_comparison *const *comparisons, size_t count,
                              const fc_write_settings *settings, FILE *stream) {
    const struct comparisons of = {comparisons, count};
    static const fc_study_writer writer = {.report = report_of, .json = json_of};
    return count ? fc_study_write(&of, &writer, settings, stream) : FC_ERROR_ARGUMENT;
}
