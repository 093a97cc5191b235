/* The answer of an optimization: the best configurations, near-ties, what simulation says of them.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "flitcast/flitcast.h"
#include "output/text/json.h"
#include "output/pictures/plot.h"
#include "output/study_writer.h"
#include "output/text/writing.h"
#include "registry/metrics.h"

/* An objective that is itself a varied key has its column already. */
static bool is_setting(const fc_optimum *optimum, const fc_candidate *candidates,
                       const char *name) {
    for (size_t s = 0; s < optimum->setting_count; ++s) {
        if (strcmp(candidates[0].settings[s].key, name) == 0)
            return true;
    }
    return false;
}

/* Whether a model has the objective of any of them. */
static bool has_model(const fc_candidate *candidates, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        if (isfinite(candidates[i].objective))
            return true;
    }
    return false;
}

static bool has_second_column(const fc_optimum *optimum, const fc_candidate *candidates) {
    return optimum->second_name[0] && !is_setting(optimum, candidates, optimum->second_name);
}

/* Whether what the second objective is was simulated, and is not what the settings say anyhow. */
static bool has_second_simulated(const fc_optimum *optimum, const fc_candidate *candidates,
                                 size_t count) {
    bool differs = false;
    for (size_t i = 0; i < count; ++i)
        differs |= isfinite(candidates[i].second_simulated) &&
                   candidates[i].second_simulated != candidates[i].second;
    return differs && has_second_column(optimum, candidates);
}

/* The columns of a table of candidates, besides their settings. */
typedef struct shown {
    bool modelled, simulated, second_simulated, verdict;
} shown;

/* The settings, what they give by model, and what simulation says if there is one. */
static void add_header(fc_report *report, const fc_optimum *optimum, const char *title,
                       const fc_candidate *candidates, shown show) {
    enum { FURTHER = 7, NAME = sizeof optimum->second_name + 16 };
    char second[NAME];
    const bool modelled = show.modelled;
    const char **columns = fc_allocate(optimum->setting_count + FURTHER, sizeof *columns);
    if (!columns) {
        fc_report_fail(report, FC_ERROR_MEMORY);
        return;
    }
    size_t used = 0;
    for (size_t s = 0; s < optimum->setting_count; ++s)
        columns[used++] = candidates[0].settings[s].key;
    if (modelled && !is_setting(optimum, candidates, optimum->objective_name))
        columns[used++] = optimum->objective_name;
    if (has_second_column(optimum, candidates))
        columns[used++] = optimum->second_name;
    if (modelled)
        columns[used++] = "from best";
    if (show.simulated) {
        columns[used++] = modelled ? "simulated" : optimum->objective_name;
        if (modelled)
            columns[used++] = "model error";
        snprintf(second, sizeof second, "%s simulated", optimum->second_name);
        if (show.second_simulated)
            columns[used++] = second;
        if (show.verdict)
            columns[used++] = "verdict";
    }
    fc_report_add_table(report, title, columns, used);
    fc_report_set_keys(report, optimum->setting_count, false);
    fc_release(columns);
}

static void add_candidates(fc_report *report, const fc_optimum *optimum, const char *title,
                           const fc_candidate *candidates, size_t count, bool verdict) {
    const bool modelled = has_model(candidates, count), simulated = optimum->survivors > 0;
    const shown show = {modelled, simulated, has_second_simulated(optimum, candidates, count),
                        verdict};
    add_header(report, optimum, title, candidates, show);
    for (size_t i = 0; i < count; ++i) {
        const fc_candidate *candidate = &candidates[i];
        fc_report_row(report);
        for (size_t s = 0; s < optimum->setting_count; ++s)
            fc_report_cell_text(report, "%s", candidate->settings[s].value);
        if (modelled && !is_setting(optimum, candidates, optimum->objective_name))
            fc_report_cell_number(report, candidate->objective, 6);
        if (has_second_column(optimum, candidates))
            fc_report_cell_number(report, candidate->second, 6);
        if (modelled)
            fc_report_cell_percent(report,
                                   candidate->objective / optimum->candidates[0].objective - 1);
        if (!simulated || !isfinite(candidate->simulated))
            continue;
        fc_report_cell_interval(report, candidate->simulated, candidate->half_width);
        if (modelled)
            fc_report_cell_percent(report, candidate->objective / candidate->simulated - 1);
        if (show.second_simulated)
            fc_report_cell_number(report, candidate->second_simulated, 6);
        if (!verdict)
            continue;
        fc_report_cell_text(report, "%s",
                            candidate == &optimum->candidates[optimum->winner] ? "best"
                            : candidate->survivor                              ? "as good"
                            : !candidate->feasible ? "against a constraint"
                                                   : "worse");
    }
}

static void add_words(fc_report *report, const fc_optimum *optimum) {
    const double feasible = optimum->evaluated - optimum->invalid - optimum->infeasible;
    fc_report_add_text(report,
                       "%.0f configurations: %.0f possible, %.0f saturated or against a "
                       "constraint, %.0f not valid or not covered. To %s: %s.",
                       optimum->evaluated, feasible, optimum->infeasible, optimum->invalid,
                       optimum->maximize ? "maximize" : "minimize", optimum->objective_name);
    if (optimum->unmodelled > 0)
        fc_report_add_text(report, "No model covers %.0f of them: these were simulated.",
                           optimum->unmodelled);
    else if (optimum->by_simulation)
        fc_report_add_text(report,
                           "Models lack some of the metrics asked for: the points that are best "
                           "by the others were simulated.");
}

static void add_verdict(fc_report *report, const fc_optimum *optimum) {
    if (optimum->unconfirmed)
        fc_report_add_text(report, "No simulator covers the best configuration: only the model "
                                   "says that it meets the constraints.");
    if (optimum->survivors == 0)
        return;
    size_t simulated = 0, against = 0;
    for (size_t i = 0; i < optimum->candidate_count; ++i) {
        const bool known = isfinite(optimum->candidates[i].simulated);
        simulated += known;
        against += known && !optimum->candidates[i].feasible;
    }
    if (against)
        fc_report_add_text(report,
                           "%zu of the %zu simulated configurations do not meet the constraints, "
                           "although by the model they do.",
                           against, simulated);
    if (simulated - against == 1 && optimum->survivors == 1) {
        fc_report_add_text(report, "Simulation confirms that the best meets the constraints.");
        return;
    }
    if (optimum->survivors == 1)
        fc_report_add_text(report,
                           "Simulation separates the best from the other simulated ones with at "
                           "least %.0f %% confidence.",
                           100 * optimum->confidence);
    else if (isfinite(optimum->confidence))
        fc_report_add_text(report,
                           "%zu of the simulated configurations differ by less than the "
                           "indifference (at least %.0f %% confidence).",
                           optimum->survivors, 100 * optimum->confidence);
    else
        fc_report_add_text(report,
                           "%zu of the simulated configurations could not be distinguished in "
                           "the time given to them.",
                           optimum->survivors);
    if (has_model(optimum->candidates, optimum->candidate_count))
        fc_report_add_text(report, optimum->orders_agree
                                       ? "Model and simulation rank them in the same order."
                                       : "Model and simulation disagree on their order.");
}

static void add_front_words(fc_report *report, const fc_optimum *optimum) {
    if (!optimum->survivors)
        fc_report_add_text(report,
                           "The front is by the model only: its points were not simulated.");
    else if (optimum->front_dropped)
        fc_report_add_text(report,
                           "%zu more of the model's front %s simulated and left out: saturated, "
                           "against a constraint or dominated.",
                           optimum->front_dropped, optimum->front_dropped == 1 ? "was" : "were");
}

enum { LABEL_SIZE = sizeof((fc_optimum *)NULL)->objective_name + 32 };

/* With its unit, if it is a time; what other objectives count depends on the network. */
static void label_of(const char *objective, char label[LABEL_SIZE]) {
    const fc_metric_info *info = &fc_metrics[fc_metric_find(objective)];
    fc_plot_metric_label(objective, info->time ? info->unit : NULL, LABEL_SIZE, label);
}

static void add_front(fc_report *report, const fc_optimum *optimum) {
    const size_t count = optimum->front_count;
    double *values = fc_allocate(2 * count, sizeof *values);
    char first[LABEL_SIZE], second[LABEL_SIZE];
    label_of(optimum->objective_name, first);
    label_of(optimum->second_name, second);
    fc_plot *plot = fc_plot_create("Pareto front", first, second);
    fc_status status = FC_ERROR_MEMORY;
    if (values && plot) {
        for (size_t i = 0; i < count; ++i) {
            const fc_candidate *at = &optimum->front[i];
            values[i] = isfinite(at->simulated) ? at->simulated : at->objective;
            values[count + i] = isfinite(at->simulated) ? at->second_simulated : at->second;
        }
        status = fc_plot_add_series(plot, &(fc_series){.label = "not dominated",
                                                       .style = FC_STYLE_LINE_POINTS,
                                                       .x = values,
                                                       .y = values + count,
                                                       .count = count});
    }
    fc_release(values);
    if (status == FC_OK) {
        fc_report_add_plot(report, plot);
    } else {
        fc_plot_free(plot);
        fc_report_fail(report, status);
    }
}

/* Whether the first key has another number in each candidate: then the picture is drawn over it. */
static bool first_key_is_axis(const fc_optimum *optimum) {
    for (size_t i = 0; i < optimum->candidate_count; ++i) {
        char *end;
        const char *value = optimum->candidates[i].settings[0].value;
        strtod(value, &end);
        if (end == value || *end)
            return false;
        for (size_t j = 0; j < i; ++j) {
            if (strcmp(value, optimum->candidates[j].settings[0].value) == 0)
                return false;
        }
    }
    return optimum->setting_count > 0;
}

/* The objective of the candidates, by model and by simulation, over the varied key or, if there are
 * several, over the rank. */
static void add_picture(fc_report *report, const fc_optimum *optimum) {
    const size_t count = optimum->candidate_count;
    const bool over_key = first_key_is_axis(optimum);
    double *values = count > 1 ? fc_allocate(4 * count, sizeof *values) : NULL;
    char label[LABEL_SIZE];
    label_of(optimum->objective_name, label);
    fc_plot *plot = values ? fc_plot_create("Objective of the best configurations",
                                            over_key ? optimum->candidates[0].settings[0].key
                                                     : "rank in the table below (1: best by model)",
                                            label)
                           : NULL;
    if (!plot) {
        fc_release(values);
        if (count > 1)
            fc_report_fail(report, FC_ERROR_MEMORY);
        return;
    }
    double *x = values, *model = x + count, *simulated = model + count, *bars = simulated + count;
    for (size_t i = 0; i < count; ++i) {
        const fc_candidate *candidate = &optimum->candidates[i];
        x[i] = over_key ? strtod(candidate->settings[0].value, NULL) : (double)i + 1;
        model[i] = candidate->objective;
        simulated[i] = candidate->simulated;
        bars[i] = candidate->half_width;
    }
    fc_plot_add_series(
        plot, &(fc_series){
                  .label = "model", .style = FC_STYLE_POINTS, .x = x, .y = model, .count = count});
    if (optimum->survivors)
        fc_plot_add_series(plot, &(fc_series){.label = "simulation",
                                              .style = FC_STYLE_POINTS,
                                              .x = x,
                                              .y = simulated,
                                              .half_widths = bars,
                                              .count = count});
    fc_release(values);
    fc_report_add_plot(report, plot);
}

static fc_report *report_of(const void *study, const fc_write_settings *settings) {
    const fc_optimum *optimum = study;
    const bool page = settings->format == FC_FORMAT_HTML;
    fc_report *report = fc_report_create(optimum->scenario_name);
    if (!report)
        return NULL;
    add_words(report, optimum);
    if (page)
        add_picture(report, optimum);
    add_candidates(report, optimum, "", optimum->candidates, optimum->candidate_count, true);
    add_verdict(report, optimum);
    if (optimum->front_count) {
        add_front(report, optimum);
        add_candidates(report, optimum, "Pareto front", optimum->front, optimum->front_count,
                       false);
        add_front_words(report, optimum);
    }
    if (page && optimum->scenario) {
        fc_report_add_code(report, "The scenario of which the keys above were varied",
                           optimum->scenario);
        fc_report_add_text(report, "Flitcast %s, scenario %s.", fc_version(),
                           optimum->scenario_hash);
    }
    return report;
}

static json_t *json_candidates(const fc_optimum *optimum, const fc_candidate *candidates,
                               size_t count) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; ++i) {
        const fc_candidate *candidate = &candidates[i];
        json_t *item = json_object(), *settings = json_object();
        for (size_t s = 0; s < optimum->setting_count; ++s) {
            const char *value = candidate->settings[s].value;
            char *end;
            const double number = strtod(value, &end);
            fc_json_set(&settings, candidate->settings[s].key,
                        *end ? fc_json_text(value) : fc_json_number(number));
        }
        fc_json_set(&item, "settings", settings);
        fc_json_set(&item, "objective", fc_json_number(candidate->objective));
        if (optimum->second_name[0])
            fc_json_set(&item, "second", fc_json_number(candidate->second));
        if (isfinite(candidate->simulated)) {
            fc_json_set(&item, "simulated", fc_json_number(candidate->simulated));
            fc_json_set(&item, "half_width", fc_json_number(candidate->half_width));
            if (optimum->second_name[0])
                fc_json_set(&item, "second_simulated", fc_json_number(candidate->second_simulated));
            fc_json_set(&item, "survivor", json_boolean(candidate->survivor));
            fc_json_set(&item, "feasible", json_boolean(candidate->feasible));
        }
        fc_json_append(&list, item);
    }
    return list;
}

static json_t *json_of(const void *study, bool detail) {
    const fc_optimum *optimum = study;
    (void)detail;
    json_t *tree = fc_json_document();
    fc_json_set(&tree, "objective", fc_json_text(optimum->objective_name));
    fc_json_set(&tree, "direction", fc_json_text(optimum->maximize ? "maximize" : "minimize"));
    fc_json_set(&tree, "evaluated", fc_json_number(optimum->evaluated));
    fc_json_set(&tree, "invalid", fc_json_number(optimum->invalid));
    fc_json_set(&tree, "infeasible", fc_json_number(optimum->infeasible));
    fc_json_set(&tree, "unmodelled", fc_json_number(optimum->unmodelled));
    fc_json_set(&tree, "winner", fc_json_integer(optimum->winner));
    if (optimum->unconfirmed)
        fc_json_set(&tree, "unconfirmed", json_true());
    if (optimum->survivors) {
        fc_json_set(&tree, "survivors", fc_json_integer(optimum->survivors));
        fc_json_set(&tree, "confidence", fc_json_number(optimum->confidence));
        fc_json_set(&tree, "orders_agree", json_boolean(optimum->orders_agree));
    }
    fc_json_set(&tree, "candidates",
                json_candidates(optimum, optimum->candidates, optimum->candidate_count));
    if (optimum->front_count)
        fc_json_set(&tree, "front", json_candidates(optimum, optimum->front, optimum->front_count));
    return tree;
}

fc_status fc_optimum_write(const fc_optimum *optimum, const fc_write_settings *settings,
                           FILE *stream) {
    static const fc_study_writer writer = {.report = report_of, .json = json_of};
    return fc_study_write(optimum, &writer, settings, stream);
}
