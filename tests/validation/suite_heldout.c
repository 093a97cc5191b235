/* The page about the random networks that were held out: what `predict` says of them, with its
 * calibration and without, and how often its intervals hold. */
#include <math.h>
#include <string.h>
#include "registry/accuracy.h"
#include "suite.h"

typedef struct sums {
    size_t cases, unsolved, calibrated, intervals, held;
    double alone, worst_alone, with, worst, size;
    size_t saturated;         /* simulated networks that were, or never precise enough */
    size_t far, told, warned; /* more than 15 % off, those that carried a warning, all that did */
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

/* The interval of a calibrated result is its own; else that of the measured errors of others. */
static bool find_interval(const fc_result *result, const fc_scenario *scenario, double load,
                          double *low, double *high) {
    fc_accuracy accuracy;
    if (result->calibrated)
        return fc_result_interval(result, low, high);
    const double value = fc_result_metric(result, result->main_metric)->value;
    if (fc_accuracy_of_others(result->method, scenario, load, NULL, &accuracy) != FC_OK ||
        !accuracy.known || isnan(accuracy.error_low) || !(accuracy.error_low > -1))
        return false;
    *low = value / (1 + accuracy.error_high);
    *high = value / (1 + accuracy.error_low);
    return true;
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
    if (result->outcome != FC_OUTCOME_OK || !found) {
        ++t->unsolved;
    } else {
        const double alone = isnan(found->uncalibrated) ? found->value : found->uncalibrated;
        const double before = fabs(alone / value->simulated - 1);
        const double after = fabs(found->value / value->simulated - 1);
        ++t->cases;
        t->calibrated += result->calibrated > 0;
        t->alone += before;
        t->with += after;
        t->worst_alone = fmax(t->worst_alone, before);
        t->worst = fmax(t->worst, after);
        t->size += fabs(found->value / alone - 1);
        const bool warned = strstr(result->note, "uncertain") ||
                            strstr(result->note, "rough guide") ||
                            strstr(result->note, "close to saturation");
        t->warned += warned;
        t->far += after > far_off;
        t->told += after > far_off && warned;
        const bool known =
            metric == 0 && find_interval(result, scenario, point->fraction, &low, &high);
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
            else
                ++t.saturated;
        }
    }
    return t;
}

static sums put_row(FILE *stream, const suite *s, const char *name, chooser choose, double load,
                    size_t metric) {
    const sums t = sum_up(s, choose, load, metric);
    const double n = t.cases ? (double)t.cases : 1;
    if (t.cases + t.unsolved + t.saturated == 0)
        return t;
    fprintf(stream, "| %s | ", name);
    if (isnan(load))
        fprintf(stream, "%s", s->design->metrics[metric]);
    else
        fprintf(stream, "%.0f %%", 100 * load);
    fprintf(stream, " | %zu | %zu | %zu | %.1f (%.0f) %% | ", t.cases, t.unsolved, t.saturated,
            100 * t.alone / n, 100 * t.worst_alone);
    if (t.calibrated)
        fprintf(stream, "%.1f (%.0f) %% | %.1f %%, %zu", 100 * t.with / n, 100 * t.worst,
                100 * t.size / n, t.calibrated);
    else
        fprintf(stream, " | ");
    if (t.intervals)
        fprintf(stream, " | %.2f of %zu |\n", (double)t.held / (double)t.intervals, t.intervals);
    else
        fprintf(stream, " | |\n");
    return t;
}

static const struct {
    const char *design, *name;
    chooser choose;
} parts[] = {
    {"torus", "tori", is_torus},     {"torus", "meshes", is_mesh},
    {"scouting", "scouting", every}, {"multistage", "multistage", every},
    {"rings", "rings", every},       {"closed", "closed", every},
};

/* ---- the saturation load ---- */

typedef struct limits {
    size_t cases;
    double alone, worst_alone, with, worst;
} limits;

static void count_limit(const suite *s, const suite_entry *entry, limits *t) {
    const fc_saturation_settings settings = {0};
    const double simulated = entry->saturation.simulated;
    fc_scenario *scenario = suite_scenario(s, entry, 1e-4);
    fc_saturation *found;
    size_t count;
    fc_error error;
    if (fc_saturate(scenario, &settings, NULL, &error, &found, &count) != FC_OK)
        suite_stop(entry->network, error.text);
    fc_scenario_free(scenario);
    size_t at = 0;
    while (at < count && strcmp(found[at].method, s->design->models[0]) != 0)
        ++at;
    if (at < count && isfinite(found[at].load)) {
        const fc_saturation *model = &found[at];
        const double alone = isnan(model->uncalibrated) ? model->load : model->uncalibrated;
        const double before = fabs(alone / simulated - 1),
                     after = fabs(model->load / simulated - 1);
        ++t->cases;
        t->alone += before;
        t->with += after;
        t->worst_alone = fmax(t->worst_alone, before);
        t->worst = fmax(t->worst, after);
    }
    fc_saturation_free(found);
}

static void report_limits(const suite *s, const char *name, chooser choose, FILE *stream) {
    limits t = {0};
    for (size_t e = 0; e < s->count; ++e) {
        const suite_entry *entry = &s->entries[e];
        if (entry->random && entry->held_out && choose(entry) && entry->saturation.simulated > 0 &&
            !suite_knows_saturation(s))
            count_limit(s, entry, &t);
    }
    const double n = (double)t.cases;
    if (t.cases)
        fprintf(stream,
                "| %s | saturation load | %zu | | | %.1f (%.0f) %% | %.1f (%.0f) %% | | |\n", name,
                t.cases, 100 * t.alone / n, 100 * t.worst_alone, 100 * t.with / n, 100 * t.worst);
}

void suite_report_held_out(suite *const *suites, FILE *stream) {
    static const double loads[] = {0.3, 0.6, 0.8, 0.9};
    fprintf(stream,
            "| networks | load or metric | cases | no answer | simulation saturated or imprecise | "
            "model alone: mean (worst) | calibrated: mean (worst) | size of the calibration, "
            "calibrated cases | 90 %% interval holds |\n|---|---|---|---|---|---|---|---|---|\n");
    sums all = {0};
    for (size_t p = 0; p < sizeof parts / sizeof *parts; ++p)
        for (size_t i = 0; suites[i]; ++i) {
            const suite *s = suites[i];
            if (strcmp(s->design->name, parts[p].design) != 0)
                continue;
            const bool closed = strcmp(s->design->name, "closed") == 0;
            for (size_t k = 0; k < (closed ? s->metrics : 1); ++k)
                for (size_t l = 0; l < (closed ? 1 : 4); ++l) {
                    const sums t = put_row(stream, s, parts[p].name, parts[p].choose,
                                           closed ? (double)NAN : loads[l], k);
                    all.cases += t.cases;
                    all.far += t.far;
                    all.told += t.told;
                    all.warned += t.warned;
                    all.intervals += t.intervals;
                    all.held += t.held;
                }
            report_limits(s, parts[p].name, parts[p].choose, stream);
        }
    fprintf(stream,
            "\nOf all %zu answers %zu are more than %.0f %% off; %zu of these carry a warning, and "
            "so do %zu of the others. The 90 %% interval holds in %zu of %zu cases (%.0f %%).\n",
            all.cases, all.far, 100 * far_off, all.told, all.warned - all.told, all.held,
            all.intervals, 100 * (double)all.held / fmax(1, (double)all.intervals));
}
