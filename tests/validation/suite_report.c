#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "suite.h"

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
    double mean;
    const suite_case *worst;
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
        if (!s.worst || fabs(c->error) > fabs(s.worst->error))
            s.worst = c;
    }
    s.mean /= s.solved ? (double)s.solved : 1;
    return s;
}

/* ---- tables ---- */

static void put_place(FILE *stream, const suite_case *c) {
    if (!isnan(c->load))
        fprintf(stream, "%.0f %%: ", 100 * c->load);
    fprintf(stream, "%s%s%s", c->entry->network, c->entry->traffic[0] ? "; " : "",
            c->entry->traffic);
}

static void put_sums(FILE *stream, const sums *s) {
    fprintf(stream, "%zu | %zu |", s->solved, s->unsolved);
    if (s->worst)
        fprintf(stream, " %.2f %% | %+.2f %% |", 100 * s->mean, 100 * s->worst->error);
    else
        fprintf(stream, " | |");
}

static const char *metric_name(const suite *s, size_t metric) {
    return metric == SUITE_METRICS ? "saturation load" : s->design->metrics[metric];
}

static bool is_measured(const suite *s, size_t metric) {
    return metric < s->metrics || (metric == SUITE_METRICS && !suite_knows_saturation(s));
}

static void write_summary(FILE *stream, const suite *s) {
    static const bool parts[] = {false, true};
    fprintf(stream, "| metric | model | part | cases | no answer | mean error | worst |\n"
                    "|---|---|---|---|---|---|---|\n");
    for (size_t k = 0; k <= SUITE_METRICS; ++k)
        for (size_t m = 0; m < s->models && is_measured(s, k); ++m) {
            cases all = collect(s, k, m);
            const sums rows[] = {sum(&all, every, NULL), sum(&all, in_part, &parts[0]),
                                 sum(&all, in_part, &parts[1])};
            static const char *const names[] = {"all", "develop", "test"};
            for (size_t r = 0; r < 3; ++r) {
                if (rows[r].solved + rows[r].unsolved == 0)
                    continue;
                fprintf(stream, "| %s | `%s` | %s | ", metric_name(s, k), s->design->models[m],
                        names[r]);
                put_sums(stream, &rows[r]);
                fputc('\n', stream);
            }
            free(all.list);
        }
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
    if (count == 0)
        return;
    fprintf(stream, "\n## By load\n\n| load / saturation | model | cases | no answer | mean error "
                    "| worst |\n|---|---|---|---|---|---|\n");
    for (size_t m = 0; m < s->models; ++m) {
        cases all = collect(s, 0, m);
        for (size_t l = 0; l < count; ++l) {
            const sums row = sum(&all, at_load, &loads[l]);
            if (row.solved + row.unsolved == 0)
                continue;
            fprintf(stream, "| %.0f %% | `%s` | ", 100 * loads[l], s->design->models[m]);
            put_sums(stream, &row);
            fputc('\n', stream);
        }
        free(all.list);
    }
}

/* ---- by structure ---- */

typedef struct structure {
    const suite *s;
    const suite_entry *like;
} structure;

static bool alike(const suite *s, const suite_entry *a, const suite_entry *b) {
    for (size_t f = 0; s->features->features[f].name; ++f)
        if (s->features->features[f].scale == FC_FEATURE_CHOICE && a->features[f] != b->features[f])
            return false;
    return true;
}

static bool of_structure(const suite_case *c, const void *context) {
    const structure *wanted = context;
    return alike(wanted->s, c->entry, wanted->like);
}

/* The choices in which the networks of the design differ. */
static void put_structure(FILE *stream, const suite *s, const suite_entry *entry) {
    const char *separator = "";
    for (size_t f = 0; s->features->features[f].name; ++f) {
        const fc_feature *feature = &s->features->features[f];
        bool varies = false;
        for (size_t e = 0; e < s->count; ++e)
            varies |= s->entries[e].features[f] != s->entries[0].features[f];
        if (feature->scale != FC_FEATURE_CHOICE || !varies)
            continue;
        char text[32];
        fc_feature_text(feature, entry->features[f], text);
        fprintf(stream, "%s%s %s", separator, feature->name, text);
        separator = ", ";
    }
}

static void write_by_structure(FILE *stream, const suite *s) {
    fprintf(stream, "\n## By kind of network\n\n| networks | model | cases | no answer | mean "
                    "error | worst |\n|---|---|---|---|---|---|\n");
    for (size_t e = 0; e < suite_grid_count(s); ++e) {
        const structure wanted = {s, &s->entries[e]};
        size_t first = 0;
        while (!alike(s, &s->entries[first], wanted.like))
            ++first;
        for (size_t m = 0; m < s->models && first == e; ++m) {
            cases all = collect(s, 0, m);
            const sums row = sum(&all, of_structure, &wanted);
            if (row.solved + row.unsolved > 0) {
                fputs("| ", stream);
                put_structure(stream, s, wanted.like);
                fprintf(stream, " | `%s` | ", s->design->models[m]);
                put_sums(stream, &row);
                fputc('\n', stream);
            }
            free(all.list);
        }
    }
}

/* ---- the worst cases ---- */

static int by_size(const void *a, const void *b) {
    const double x = fabs(((const suite_case *)a)->error);
    const double y = fabs(((const suite_case *)b)->error);
    return (x < y) - (x > y);
}

static void write_worst(FILE *stream, const suite *s) {
    enum { SHOWN = 8 };
    fprintf(stream, "\n## Where the errors are largest\n\n| model | part | error | simulated | "
                    "predicted | where |\n|---|---|---|---|---|---|\n");
    for (size_t m = 0; m < s->models; ++m) {
        cases all = collect(s, 0, m);
        size_t solved = 0;
        for (size_t i = 0; i < all.count; ++i)
            if (!isinf(all.list[i].error))
                all.list[solved++] = all.list[i];
        qsort(all.list, solved, sizeof *all.list, by_size);
        for (size_t i = 0; i < solved && i < SHOWN; ++i) {
            const suite_case *c = &all.list[i];
            const suite_value *value = &c->point->metrics[0];
            fprintf(stream, "| `%s` | %s | %+.1f %% | %.4g ± %.2g | %.4g | ", s->design->models[m],
                    c->entry->held_out ? "test" : "develop", 100 * c->error, value->simulated,
                    value->half_width, value->predicted[m]);
            put_place(stream, c);
            fputs(" |\n", stream);
        }
        free(all.list);
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
    fc_plot_set_log(plot, work, false);
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
            fc_plot_add_series(plot, s->design->models[m], FC_STYLE_POINTS, x, y, NULL, all.count);
        free(x);
        free(all.list);
    }
    fc_plot_set_y_limit(plot, 40);
    FILE *stream = suite_open(directory, s->design->name, "-errors.svg");
    fc_plot_write_svg(plot, stream);
    fclose(stream);
    fc_plot_free(plot);
}

static void write_intro(FILE *stream, const suite *s) {
    const size_t count = suite_grid_count(s);
    size_t held_out = 0, points = 0, done = 0, networks_done = 0, coarse = 0, useless = 0;
    for (size_t e = 0; e < count; ++e) {
        const suite_entry *entry = &s->entries[e];
        size_t simulated = 0;
        for (size_t i = 0; i < entry->point_count; ++i) {
            const suite_point *point = &entry->points[i];
            simulated += point->done;
            coarse +=
                point->done && !suite_within(&point->metrics[0], suite_precision_of(s, entry));
            useless += point->done && !suite_within(&point->metrics[0], suite_widest);
        }
        held_out += entry->held_out;
        points += entry->point_count;
        done += simulated;
        networks_done += simulated > 0;
    }
    fprintf(stream,
            "# %s: models against simulation\n\n"
            "Written by `tests/validation/validate_suite.c` (`make validate`); every case is in "
            "[%s.csv](../../fit/tables/%s.csv.xz)%s. %s\n\n"
            "%zu networks are planned; %zu of them are the part `test`, held out when they were "
            "drawn. Simulated are %zu networks, at one load or more, and %zu of %zu cases",
            s->design->title, s->design->name, s->design->name,
            s->design->draw ? "; random networks are summed up in [forecasts.md](forecasts.md)"
                            : "",
            s->design->text, count, held_out, networks_done, done, points);
    fprintf(stream,
            ". Simulations run to a 95 %% half width of %g %%, or to %g cycles in each of 4 "
            "replications (the column `cycles` has what each was allowed). In %zu cases the cycles "
            "were used up first; %zu of these did not even reach %g %% and are not counted. Errors "
            "are (model - simulation) / simulation, so the simulation's own uncertainty is in "
            "them. A model has no answer where it is saturated or does not converge although the "
            "simulated network is not saturated.\n\n",
            100 * suite_precision_of(s, &s->entries[0]), s->design->max_cycles, coarse, useless,
            100 * suite_widest);
}

void suite_report(const suite *s, const char *directory) {
    plot_errors(s, directory);
    FILE *stream = suite_open(directory, s->design->name, ".md");
    write_intro(stream, s);
    write_summary(stream, s);
    fprintf(stream, "\n![errors](%s-errors.svg)\n", s->design->name);
    write_by_load(stream, s);
    write_by_structure(stream, s);
    write_worst(stream, s);
    fclose(stream);
}
