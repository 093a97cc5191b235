#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "output/text/characters.h"
#include "suite.h"
#include "output/pictures/plot.h"

/* An error that counts, and where it is. */
typedef struct suite_case {
    const suite_entry *entry;
    const suite_point *point; /* NULL: the saturation load */
    double load, error;       /* error infinite: no answer */
} suite_case;

typedef struct cases {
    suite_case *list;
    size_t count;
} cases;

/* metric SUITE_METRICS: the saturation load. */
static cases collect(const suite *s, size_t metric, size_t model) {
    cases found = {calloc(SUITE_ENTRIES * SUITE_POINTS, sizeof *found.list), 0};
    if (!found.list)
        suite_stop("report", "out of memory");
    for (size_t e = 0; e < s->count; ++e) {
        const suite_entry *entry = &s->entries[e];
        if (entry->random) /* on a page of their own */
            continue;
        const bool limit = metric == SUITE_METRICS;
        for (size_t i = 0; i < (limit ? 1 : entry->point_count); ++i) {
            const suite_point *point = limit ? NULL : &entry->points[i];
            const suite_value *value = limit ? &entry->saturation : &point->metrics[metric];
            if (!suite_counts(entry, value, model))
                continue;
            const double error = value->predicted[model] / value->simulated - 1;
            found.list[found.count++] =
                (suite_case){entry, point, limit ? (double)NAN : point->fraction, error};
        }
    }
    return found;
}

/* ---- sums ---- */

typedef struct sums {
    size_t solved, unsolved;
    double mean, worst;
} sums;

typedef bool (*chooser)(const suite_case *c, const void *context);

static bool every(const suite_case *c, const void *context) {
    (void)context;
    return c != NULL;
}
static bool in_part(const suite_case *c, const void *held_out) {
    return c->entry->held_out == *(const bool *)held_out;
}
static bool at_load(const suite_case *c, const void *load) {
    return fabs(c->load - *(const double *)load) < 1e-6;
}

static sums sum(const cases *all, chooser choose, const void *context) {
    sums s = {0};
    for (size_t i = 0; i < all->count; ++i) {
        const suite_case *c = &all->list[i];
        if (!choose(c, context))
            continue;
        if (isinf(c->error)) {
            ++s.unsolved;
            continue;
        }
        ++s.solved;
        s.mean += fabs(c->error);
        if (fabs(c->error) > fabs(s.worst))
            s.worst = c->error;
    }
    s.mean /= s.solved ? (double)s.solved : 1;
    return s;
}

/* ---- tables ---- */

/* Of groups with fewer cases the page says nothing. COLUMNS: of a line. */
enum { CASES_LEAST = 20, COLUMNS = 100 };

static const char *metric_name(const suite *s, size_t metric) {
    return metric == SUITE_METRICS ? "saturation load" : s->design->metrics[metric];
}

static bool is_measured(const suite *s, size_t metric) {
    return metric < s->metrics || (metric == SUITE_METRICS && !suite_knows_saturation(s));
}

static void put_sums(FILE *stream, const sums *s) {
    fprintf(stream, " %zu | ", s->solved);
    if (s->solved)
        fprintf(stream, "%.1f %% | %+.0f %% |", 100 * s->mean, 100 * s->worst);
    else
        fprintf(stream, "| |");
}

static void write_summary(FILE *stream, const suite *s) {
    static const bool held_out = true;
    fprintf(stream, "| metric | model | no answer | cases | mean | worst | held out | mean | worst "
                    "|\n|---|---|---|---|---|---|---|---|---|\n");
    for (size_t k = 0; k <= SUITE_METRICS; ++k)
        for (size_t m = 0; m < s->models && is_measured(s, k); ++m) {
            cases all = collect(s, k, m);
            const sums whole = sum(&all, every, NULL), test = sum(&all, in_part, &held_out);
            free(all.list);
            if (whole.solved + whole.unsolved == 0)
                continue;
            fprintf(stream, "| %s | `%s` | %zu |", metric_name(s, k), s->design->models[m],
                    whole.unsolved);
            put_sums(stream, &whole);
            put_sums(stream, &test);
            fputc('\n', stream);
        }
}

static void put_heading(FILE *stream, const suite *s, size_t models, const char *title,
                        const char *first) {
    fprintf(stream, "\n## %s\n\nMean (worst) error of %s, in %%:\n\n| %s | cases |", title,
            s->design->metrics[0], first);
    for (size_t m = 0; m < models; ++m)
        fprintf(stream, " `%s` |", s->design->models[m]);
    fputs("\n|---|---|", stream);
    for (size_t m = 0; m < models; ++m)
        fputs("---|", stream);
    fputc('\n', stream);
}

/* The mean and the worst error of the main metric by the first models, of the cases chosen: nothing
 * if they are few. */
static void put_row(FILE *stream, const suite *s, size_t models, const char *name, chooser choose,
                    const void *context) {
    sums of[SUITE_MODELS];
    size_t most = 0;
    for (size_t m = 0; m < models; ++m) {
        cases all = collect(s, 0, m);
        of[m] = sum(&all, choose, context);
        most = of[m].solved + of[m].unsolved > most ? of[m].solved + of[m].unsolved : most;
        free(all.list);
    }
    if (most < CASES_LEAST)
        return;
    fprintf(stream, "| %s | %zu |", name, most);
    for (size_t m = 0; m < models; ++m) {
        if (of[m].solved >= CASES_LEAST)
            fprintf(stream, " %.1f (%+.0f) |", 100 * of[m].mean, 100 * of[m].worst);
        else
            fputs(" |", stream);
    }
    fputc('\n', stream);
}

/* Loads that were drawn are none to report by. */
static bool is_of_design(const suite *s, double load) {
    const double *at = s->design->loads;
    while (at && *at > 0 && fabs(*at - load) > 1e-6)
        ++at;
    return !at || *at > 0;
}

static size_t loads_of(const suite *s, double *loads) {
    size_t count = 0;
    for (size_t e = 0; e < s->count; ++e)
        for (size_t i = 0; i < s->entries[e].point_count && !s->entries[e].random; ++i) {
            const double load = s->entries[e].points[i].fraction;
            size_t at = 0;
            while (at < count && loads[at] < load - 1e-6)
                ++at;
            if (isnan(load) || !is_of_design(s, load) || (at < count && loads[at] < load + 1e-6))
                continue;
            memmove(&loads[at + 1], &loads[at], (count++ - at) * sizeof *loads);
            loads[at] = load;
        }
    return count;
}

static void write_by_load(FILE *stream, const suite *s) {
    double loads[SUITE_ENTRIES];
    const size_t count = loads_of(s, loads);
    char name[16];
    if (count == 0)
        return;
    put_heading(stream, s, s->models, "By load", "load / saturation");
    for (size_t l = 0; l < count; ++l) {
        snprintf(name, sizeof name, "%.0f %%", 100 * loads[l]);
        put_row(stream, s, s->models, name, at_load, &loads[l]);
    }
}

/* ---- by the choices of a network ---- */

typedef struct choice {
    size_t feature;
    double value;
} choice;

static bool has_choice(const suite_case *c, const void *context) {
    const choice *wanted = context;
    return c->entry->features[wanted->feature] == wanted->value;
}

/* Whether an entry is the first of the grid with its value of a feature. */
static bool is_first(const suite *s, size_t entry, size_t feature) {
    size_t first = 0;
    while (s->entries[first].features[feature] != s->entries[entry].features[feature])
        ++first;
    return first == entry;
}

/* The mean error of the main metric by the default model. */
static double mean_of(const suite *s, chooser choose, const void *context) {
    cases all = collect(s, 0, 0);
    const double mean = sum(&all, choose, context).mean;
    free(all.list);
    return mean;
}

static void write_by_choice(FILE *stream, const suite *s) {
    const double usual = mean_of(s, every, NULL);
    put_heading(stream, s, 1, "Kinds of networks with more than the usual error", "networks");
    for (size_t f = 0; s->features->features[f].name; ++f) {
        const fc_feature *feature = &s->features->features[f];
        size_t values = 0;
        for (size_t e = 0; e < suite_grid_count(s); ++e)
            values += is_first(s, e, f);
        for (size_t e = 0; e < suite_grid_count(s); ++e) {
            char text[32], name[96];
            const choice wanted = {f, s->entries[e].features[f]};
            if (feature->scale != FC_FEATURE_CHOICE || values < 2 || !is_first(s, e, f))
                continue;
            fc_feature_text(feature, wanted.value, text);
            snprintf(name, sizeof name, "%s: %s", feature->name, text);
            if (mean_of(s, has_choice, &wanted) > usual)
                put_row(stream, s, 1, name, has_choice, &wanted);
        }
    }
}

/* ---- the page ---- */

static void plot_errors(const suite *s, const char *directory) {
    char title[128], y_label[96];
    const bool closed = isnan(s->entries[0].points[0].fraction);
    snprintf(title, sizeof title, "%s: error of the models", s->design->title);
    snprintf(y_label, sizeof y_label, "error of %s, %%", s->design->metrics[0]);
    const bool work = strcmp(s->design->metrics[0], "duration") == 0;
    fc_plot *plot = fc_plot_create(title,
                                   work     ? "simulated duration, cycles"
                                   : closed ? "simulated efficiency, %"
                                            : "load, % of saturation",
                                   y_label);
    fc_plot_look_of(plot)->log_x = work;
    fc_plot_look_of(plot)->log_y = false;
    for (size_t m = s->models; m-- > 0;) { /* the default on top */
        cases all = collect(s, 0, m);
        double *x = calloc(2 * all.count + 1, sizeof *x), *y = x + all.count;
        for (size_t i = 0; x && i < all.count; ++i) {
            const suite_case *c = &all.list[i];
            /* networks side by side around their common load */
            const double shift =
                (double)(c->entry - s->entries) / (double)suite_grid_count(s) - 0.5;
            x[i] = closed ? (work ? 1 : 100) * c->point->metrics[0].simulated
                          : 100 * c->load + 3 * shift;
            y[i] = 100 * c->error;
        }
        if (x && all.count)
            fc_plot_add_series(plot, &(fc_series){.label = s->design->models[m],
                                                  .style = FC_STYLE_POINTS,
                                                  .x = x,
                                                  .y = y,
                                                  .count = all.count});
        free(x);
        free(all.list);
    }
    fc_plot_look_of(plot)->y_limit = 40;
    FILE *stream = suite_open(directory, s->design->name, "-errors.svg");
    fc_plot_write_svg(plot, stream);
    fclose(stream);
    fc_plot_free(plot);
}

static void write_intro(FILE *stream, const suite *s) {
    const size_t count = suite_grid_count(s);
    size_t held_out = 0, done = 0;
    for (size_t e = 0; e < count; ++e) {
        held_out += s->entries[e].held_out;
        for (size_t i = 0; i < s->entries[e].point_count; ++i)
            done += s->entries[e].points[i].done;
    }
    fprintf(stream,
            "# %s: models against simulation\n\nModels without a correction "
            "([how to read this](../theory/accuracy.md#how-errors-are-measured)).\nWhat "
            "`predict` says: [forecasts](forecasts.md).\n\n",
            s->design->title);
    fc_write_wrapped(stream, s->design->text, 0, COLUMNS);
    fprintf(stream,
            "\n%zu networks, %zu of them held out; %zu cases, to %g %% or %.0f cycles:\n"
            "[%s.csv](../../fit/tables/%s.csv.xz). Written by `validate_suite` (`make "
            "validate`).\n\n",
            count, held_out, done, 100 * suite_precision_of(s, &s->entries[0]),
            s->design->max_cycles, s->design->name, s->design->name);
}

void suite_report(const suite *s, const char *directory) {
    plot_errors(s, directory);
    FILE *stream = suite_open(directory, s->design->name, ".md");
    write_intro(stream, s);
    write_summary(stream, s);
    fprintf(stream, "\n![errors](%s-errors.svg)\n", s->design->name);
    write_by_load(stream, s);
    write_by_choice(stream, s);
    fclose(stream);
}
