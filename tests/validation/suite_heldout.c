/* The table of the random networks that were held out: what `predict` says of them, corrected and
 * by the model alone, how often its intervals hold, and whether that is what was asked for. */
#include <math.h>
#include <string.h>
#include "registry/result.h"
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
        const bool known = fc_result_interval_of(result, found, &low, &high);
        const bool warned = has_warning(result);
        t->warned += warned;
        t->far += after > far_off;
        t->told += after > far_off && warned;
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

enum { TORI, MESHES, SCOUTING, MULTISTAGE, RINGS, CLOSED, PARTS };
static const struct {
    const char *design, *name;
    chooser choose;
} parts[PARTS] = {
    [TORI] = {"torus", "tori", is_torus},
    [MESHES] = {"torus", "meshes", is_mesh},
    [SCOUTING] = {"scouting", "scouting", every},
    [MULTISTAGE] = {"multistage", "multistage", every},
    [RINGS] = {"rings", "rings", every},
    [CLOSED] = {"closed", "closed", every},
};

/* ---- the saturation load ---- */

typedef struct limits {
    size_t cases;
    double alone, worst_alone, with, worst;
} limits;

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

static void count_limit(const suite *s, const suite_entry *entry, limits *t) {
    const double simulated = entry->saturation.simulated;
    fc_scenario *scenario = suite_scenario(s, entry, 1e-4);
    const double alone = saturation_by(entry, scenario, FC_UNCALIBRATED);
    if (isfinite(alone)) {
        const double before = fabs(alone / simulated - 1);
        const double after = fabs(saturation_by(entry, scenario, NULL) / simulated - 1);
        ++t->cases;
        t->alone += before;
        t->with += after;
        t->worst_alone = fmax(t->worst_alone, before);
        t->worst = fmax(t->worst, after);
    }
    fc_scenario_free(scenario);
}

static limits put_limits(const suite *s, const char *name, chooser choose, FILE *stream) {
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
    return t;
}

/* ---- all of them, and what was asked for ---- */

enum { LOADS = 3, ROWS = LOADS }; /* of closed traffic: a row for each metric */
_Static_assert((int)ROWS >= (int)SUITE_METRICS, "closed traffic has a row for each metric");
static const double loads[LOADS] = {0.6, 0.8, 0.9};

typedef struct scores {
    sums rows[PARTS][ROWS], all;
    limits limits[PARTS];
} scores;

static void add_to(sums *all, const sums *t) {
    all->cases += t->cases;
    all->far += t->far;
    all->told += t->told;
    all->warned += t->warned;
    all->intervals += t->intervals;
    all->held += t->held;
}

static void put_part(FILE *stream, const suite *s, size_t part, scores *found) {
    const bool closed = part == CLOSED;
    for (size_t r = 0; r < (closed ? s->metrics : LOADS); ++r) {
        found->rows[part][r] = put_row(stream, s, parts[part].name, parts[part].choose,
                                       closed ? (double)NAN : loads[r], closed ? r : 0);
        add_to(&found->all, &found->rows[part][r]);
    }
    found->limits[part] = put_limits(s, parts[part].name, parts[part].choose, stream);
}

/* NaN: nothing was asked for. */
static void put_goal(FILE *stream, const char *name, const char *load, double mean_asked,
                     double worst_asked, double mean, double worst) {
    const bool mean_met = !(mean > mean_asked), worst_met = !(worst > worst_asked);
    fprintf(stream, "| %s, %s | ", name, load);
    if (!isnan(mean_asked))
        fprintf(stream, "%g ", 100 * mean_asked);
    if (!isnan(worst_asked))
        fprintf(stream, "(%g) ", 100 * worst_asked);
    fprintf(stream, "%% | %.1f (%.0f) %% | %s |\n", 100 * mean, 100 * worst,
            mean_met && worst_met              ? "yes"
            : mean_met && !isnan(mean_asked)   ? "mean only"
            : worst_met && !isnan(worst_asked) ? "worst only"
                                               : "no");
}

static void put_goals(FILE *stream, const scores *found) {
    static const struct {
        size_t part;
        double means[ROWS], worst;
        const char *rows[ROWS];
    } goals[] = {
        {TORI, {0.02, 0.03, 0.06}, 0.15, {"60 %", "80 %", "90 %"}},
        {MESHES, {0.02, 0.03, 0.06}, 0.15, {"60 %", "80 %", "90 %"}},
        {SCOUTING, {0.02, 0.03, 0.06}, (double)NAN, {"60 %", "80 %", "90 %"}},
        {MULTISTAGE, {0.015, 0.015, 0.015}, 0.06, {"60 %", "80 %", "90 %"}},
        {CLOSED, {0.02, (double)NAN}, 0.06, {"efficiency", "network time"}},
    };
    static const double limit_mean = 0.03, limit_worst = 0.08;
    for (size_t g = 0; g < sizeof goals / sizeof *goals; ++g)
        for (size_t r = 0; r < ROWS && goals[g].rows[r]; ++r) {
            const sums *t = &found->rows[goals[g].part][r];
            put_goal(stream, parts[goals[g].part].name, goals[g].rows[r], goals[g].means[r],
                     goals[g].worst, t->with / fmax(1, (double)t->cases), t->worst);
        }
    for (size_t p = 0; p < PARTS; ++p) {
        const limits *t = &found->limits[p];
        if (t->cases)
            put_goal(stream, parts[p].name, "saturation load", limit_mean, limit_worst,
                     t->with / (double)t->cases, t->worst);
    }
}

/* How many were simulated: a run that was stopped has simulated the first of those drawn. */
static size_t put_counts(FILE *stream, suite *const *suites) {
    size_t drawn = 0, simulated = 0;
    for (size_t i = 0; suites[i]; ++i)
        for (size_t e = suite_grid_count(suites[i]); e < suites[i]->count; ++e) {
            const suite_entry *entry = &suites[i]->entries[e];
            drawn += entry->held_out;
            simulated += entry->held_out && entry->points[0].done;
        }
    fprintf(stream, "Of %zu networks drawn %zu were simulated, in the order of drawing.\n\n", drawn,
            simulated);
    return simulated;
}

static void put_totals(FILE *stream, const sums *all, size_t networks) {
    enum { NETWORKS_ASKED = 120 };
    static const double least = 0.85, most = 0.95;
    const double share = (double)all->held / fmax(1, (double)all->intervals);
    fprintf(stream,
            "| answers more than %.0f %% off that carry a warning | all | %zu of %zu | %s |\n"
            "| 90 %% intervals that hold | %.0f to %.0f %% | %zu of %zu, %.0f %% | %s |\n"
            "| networks | %d | %zu | %s |\n",
            100 * far_off, all->told, all->far, all->told == all->far ? "yes" : "no", 100 * least,
            100 * most, all->held, all->intervals, 100 * share,
            share < least  ? "no, too narrow"
            : share > most ? "no, too wide"
                           : "yes",
            NETWORKS_ASKED, networks, networks >= NETWORKS_ASKED ? "yes" : "no");
}

void suite_report_held_out(suite *const *suites, FILE *stream) {
    const size_t networks = put_counts(stream, suites);
    fprintf(stream,
            "| networks | load or metric | cases | no answer | simulation saturated or imprecise | "
            "model alone: mean (worst) | forecast: mean (worst) | size of the correction, "
            "corrected cases | 90 %% interval holds |\n|---|---|---|---|---|---|---|---|---|\n");
    scores found = {0};
    for (size_t p = 0; p < PARTS; ++p)
        for (size_t i = 0; suites[i]; ++i)
            if (strcmp(suites[i]->design->name, parts[p].design) == 0)
                put_part(stream, suites[i], p, &found);
    const sums *all = &found.all;
    fprintf(stream,
            "\nOf all %zu answers %zu are more than %.0f %% off; %zu of these carry a warning, and "
            "so do %zu of the other %zu. The 90 %% interval holds in %zu of %zu cases (%.0f %%). A "
            "warning is a note on the answer, or the line \"uncertain\" that text output has where "
            "the interval reaches further than %.0f %%.\n\n"
            "## Targets, and what is missing\n\n"
            "| | target: mean (worst) | held out: mean (worst) | met |\n|---|---|---|---|\n",
            all->cases, all->far, 100 * far_off, all->told, all->warned - all->told,
            all->cases - all->far, all->held, all->intervals,
            100 * (double)all->held / fmax(1, (double)all->intervals), 100 * far_off);
    put_goals(stream, &found);
    put_totals(stream, all, networks);
}
