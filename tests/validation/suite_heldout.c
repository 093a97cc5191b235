/* The tables of the random networks that were held out: what `predict` says of them, corrected and
 * by the model alone, and how often its intervals hold. */
#include <math.h>
#include <string.h>
#include "registry/result.h"
#include "suite.h"

typedef struct sums {
    size_t cases, intervals, held;
    double alone, with, worst;
    size_t far, told; /* more than 15 % off, and those of them that carried a warning */
} sums;

static const double far_off = 0.15; /* an answer so far off must carry a warning */

typedef bool (*chooser)(const suite_entry *entry);
static bool every(const suite_entry *entry) {
    return entry != NULL;
}
static bool is_mesh(const suite_entry *entry) {
    return strstr(entry->network, "topology: mesh") != NULL;
}
static bool is_torus(const suite_entry *entry) {
    return !is_mesh(entry);
}

static bool has_warning(const fc_result *result) {
    return result->flags != 0 || strstr(result->note, "rough guide") ||
           strstr(result->note, "close to saturation");
}

static void count_point(const suite *s, const suite_entry *entry, const suite_point *point,
                        size_t metric, sums *t) {
    const suite_value *value = &point->metrics[metric];
    fc_scenario *scenario = suite_scenario(s, entry, point->rate);
    fc_result *result;
    fc_error error;
    double low, high;
    if (fc_predict(scenario, NULL, &error, &result) != FC_OK)
        suite_stop(entry->network, error.text);
    const fc_metric *found = fc_result_metric(result, s->design->metrics[metric]);
    if (result->outcome == FC_OUTCOME_OK && found) {
        const double alone = isnan(found->uncalibrated) ? found->value : found->uncalibrated;
        const double after = fabs(found->value / value->simulated - 1);
        ++t->cases;
        t->alone += fabs(alone / value->simulated - 1);
        t->with += after;
        t->worst = fmax(t->worst, after);
        const bool known = fc_result_interval_of(result, found, &low, &high);
        t->far += after > far_off;
        t->told += after > far_off && has_warning(result);
        t->intervals += known;
        t->held += known && value->simulated >= low && value->simulated <= high;
    }
    fc_result_free(result);
    fc_scenario_free(scenario);
}

static sums sum_up(const suite *s, chooser choose, double load, size_t metric) {
    sums t = {0};
    for (size_t e = 0; e < s->count; ++e) {
        const suite_entry *entry = &s->entries[e];
        if (!entry->random || !entry->held_out || !choose(entry))
            continue;
        for (size_t i = 0; i < entry->point_count; ++i) {
            const suite_point *point = &entry->points[i];
            if (!point->done || !(isnan(load) || fabs(point->fraction - load) < 1e-6))
                continue;
            if (suite_within(&point->metrics[metric], suite_widest))
                count_point(s, entry, point, metric, &t);
        }
    }
    return t;
}

enum { TORI, MESHES, SCOUTING, MULTISTAGE, CLOSED, PARTS };
static const struct {
    const char *design, *name;
    chooser choose;
} parts[PARTS] = {
    [TORI] = {"torus", "tori", is_torus},
    [MESHES] = {"torus", "meshes", is_mesh},
    [SCOUTING] = {"scouting", "scouting", every},
    [MULTISTAGE] = {"multistage", "multistage", every},
    [CLOSED] = {"closed", "closed", every},
};

/* ---- the saturation load ---- */

static double saturation_by(const suite_entry *entry, const fc_scenario *scenario,
                            const char *model) {
    fc_forecast *forecast;
    fc_load_range range;
    fc_error error;
    if (fc_forecast_create(scenario, model, &error, &forecast) != FC_OK ||
        fc_forecast_saturation(forecast, &error, &range) != FC_OK)
        suite_stop(entry->network, error.text);
    fc_forecast_free(forecast);
    return range.load;
}

static void count_limit(const suite *s, const suite_entry *entry, sums *t) {
    const double simulated = entry->saturation.simulated;
    fc_scenario *scenario = suite_scenario(s, entry, 1e-4);
    const double alone = saturation_by(entry, scenario, FC_UNCALIBRATED);
    if (isfinite(alone)) {
        const double after = fabs(saturation_by(entry, scenario, NULL) / simulated - 1);
        ++t->cases;
        t->alone += fabs(alone / simulated - 1);
        t->with += after;
        t->worst = fmax(t->worst, after);
    }
    fc_scenario_free(scenario);
}

static sums sum_up_limits(const suite *s, chooser choose) {
    sums t = {0};
    for (size_t e = 0; e < s->count; ++e) {
        const suite_entry *entry = &s->entries[e];
        if (entry->random && entry->held_out && choose(entry) && entry->saturation.simulated > 0 &&
            !suite_knows_saturation(s))
            count_limit(s, entry, &t);
    }
    return t;
}

/* ---- the tables ---- */

enum { LOADS = 3 };
static const double loads[LOADS] = {0.6, 0.8, 0.9};

static void add_to(sums *all, const sums *t) {
    all->cases += t->cases;
    all->far += t->far;
    all->told += t->told;
    all->intervals += t->intervals;
    all->held += t->held;
}

static void put_errors(FILE *stream, const sums *t) {
    const double n = (double)t->cases;
    if (t->cases)
        fprintf(stream, " %.1f (%.0f); %.1f |", 100 * t->with / n, 100 * t->worst,
                100 * t->alone / n);
    else
        fputs(" |", stream);
}

static void put_held(FILE *stream, const sums *t) {
    fprintf(stream, " %.0f %% |\n", 100 * (double)t->held / fmax(1, (double)t->intervals));
}

/* A row of the loads and the saturation load, or, of closed traffic, one for each metric. */
static void put_part(FILE *stream, const suite *s, size_t part, sums *all) {
    if (part == CLOSED) {
        fputs("\n| closed networks | cases | error | interval holds |\n|---|---|---|---|\n",
              stream);
        for (size_t m = 0; m < s->metrics; ++m) {
            const sums t = sum_up(s, every, (double)NAN, m);
            fprintf(stream, "| %s | %zu |", s->design->metrics[m], t.cases);
            put_errors(stream, &t);
            put_held(stream, &t);
            add_to(all, &t);
        }
        return;
    }
    sums row = {0}, of[LOADS];
    for (size_t l = 0; l < LOADS; ++l) {
        of[l] = sum_up(s, parts[part].choose, loads[l], 0);
        add_to(&row, &of[l]);
    }
    fprintf(stream, "| %s | %zu |", parts[part].name, row.cases);
    for (size_t l = 0; l < LOADS; ++l)
        put_errors(stream, &of[l]);
    const sums limits = sum_up_limits(s, parts[part].choose);
    put_errors(stream, &limits);
    put_held(stream, &row);
    add_to(all, &row);
}

void suite_report_held_out(suite *const *suites, FILE *stream) {
    sums all = {0};
    fputs("| networks | cases | 60 % | 80 % | 90 % | saturation load | interval holds |\n"
          "|---|---|---|---|---|---|---|\n",
          stream);
    for (size_t p = 0; p < PARTS; ++p)
        for (size_t i = 0; suites[i]; ++i)
            if (strcmp(suites[i]->design->name, parts[p].design) == 0)
                put_part(stream, suites[i], p, &all);
    fprintf(stream,
            "\nOf all %zu answers %zu are more than %.0f %% off; %zu of these have a warning. The "
            "90 %% interval\nholds in %zu of %zu cases (%.0f %%).\n",
            all.cases, all.far, 100 * far_off, all.told, all.held, all.intervals,
            100 * (double)all.held / fmax(1, (double)all.intervals));
}
