/* A sweep as one flat table: a row per point and method, a column per varied key and metric. */
#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "flitcast/flitcast.h"
#include "output/sweep_distribution.h"
#include "output/text/characters.h"
#include "output/study_writer.h"
#include "output/text/numbers.h"
#include "output/text/writing.h"
#include "registry/result.h"

enum { METRICS_MAX = 64, COLUMNS_MAX = 16 + 2 + 2 * METRICS_MAX };

struct listed_metric {
    const char *name;
    bool measured;        /* some result has an interval for it */
    const char *physical; /* "ns" if some result says what it is physically; or NULL */
};
struct metric_list {
    size_t count;
    struct listed_metric metrics[METRICS_MAX];
};

/* What a reader looks for first: a terminal leaves the last columns out. */
static int importance(const fc_sweep *sweep, const char *metric) {
    if (strcmp(metric, sweep->main_metric) == 0)
        return 4;
    switch (fc_metric_find(metric)) {
    case FC_METRIC_LATENCY_P99:
        return 3;
    case FC_METRIC_THROUGHPUT:
        return 2;
    case FC_METRIC_OFFERED:
        return 0; /* mostly what the load key says */
    default:
        return 1;
    }
}

/* The metrics of all results, in the order in which they first appear. */
static struct metric_list gather(const fc_sweep *sweep) {
    struct metric_list list = {0};
    for (size_t i = 0; i < sweep->point_count * sweep->method_count; ++i) {
        const fc_result *result = sweep->results[i];
        for (size_t m = 0; result && m < result->metric_count; ++m) {
            size_t at = 0;
            while (at < list.count && strcmp(list.metrics[at].name, result->metrics[m].name) != 0)
                ++at;
            if (at == METRICS_MAX)
                continue;
            if (at == list.count)
                list.metrics[list.count++].name = result->metrics[m].name;
            list.metrics[at].measured |= isfinite(result->metrics[m].half_width);
            fc_physical physical;
            if (fc_metric_physical(&result->units, &result->metrics[m], &physical))
                list.metrics[at].physical = physical.unit;
        }
    }
    return list;
}

/* Why job i has no result, or NULL. */
static const char *reason_of(const fc_sweep *sweep, size_t i) {
    return sweep->gaps ? sweep->gaps[i].reason : NULL;
}

static bool has_gaps(const fc_sweep *sweep) {
    for (size_t i = 0; i < sweep->point_count * sweep->method_count; ++i) {
        if (reason_of(sweep, i))
            return true;
    }
    return false;
}

static const char *method_of(const fc_sweep *sweep, size_t i) {
    return sweep->results[i] ? sweep->results[i]->method : sweep->methods[i % sweep->method_count];
}

static const char *outcome_of(const fc_sweep *sweep, size_t i) {
    if (sweep->results[i])
        return fc_outcome_name(sweep->results[i]->outcome);
    return sweep->gaps[i].status == FC_ERROR_INPUT ? "invalid" : "not-covered";
}

static const char *axis_value(const fc_sweep *sweep, size_t axis, size_t point) {
    return sweep->axes[axis].values[fc_sweep_index(sweep, axis, point)];
}

/* Whether a name is in a list such as "latency,latency_p99"; at: how many come before it. */
static bool is_listed(const char *list, const char *name, size_t *at) {
    const size_t length = strlen(name);
    *at = 0;
    for (const char *entry = list; *entry; ++*at) {
        const size_t size = strcspn(entry, ",");
        if (size == length && memcmp(entry, name, length) == 0)
            return true;
        entry += size + (entry[size] == ',');
    }
    return false;
}

/* Keeps the metrics that were asked for, in the order asked. */
static void keep_listed(struct metric_list *list, const char *columns) {
    struct metric_list kept = {0};
    size_t entries = 0;
    for (const char *c = columns; *c; ++c)
        entries += *c == ',';
    for (size_t wanted = 0; wanted <= entries; ++wanted) {
        for (size_t m = 0; m < list->count; ++m) {
            size_t at;
            if (!is_listed(columns, list->metrics[m].name, &at) || at != wanted)
                continue;
            kept.metrics[kept.count++] = list->metrics[m];
        }
    }
    *list = kept;
}

/* A count that is the same at all points is no column, unless it was asked for. */
static void drop_constant_counts(const fc_sweep *sweep, struct metric_list *list) {
    size_t kept = 0;
    for (size_t m = 0; m < list->count; ++m) {
        double first = NAN;
        bool differs = !fc_metric_is_count(list->metrics[m].name);
        for (size_t i = 0; i < sweep->point_count * sweep->method_count && !differs; ++i) {
            const fc_metric *metric =
                sweep->results[i] ? fc_result_metric(sweep->results[i], list->metrics[m].name)
                                  : NULL;
            if (!metric)
                continue;
            differs = isfinite(first) && metric->value != first;
            first = metric->value;
        }
        if (differs)
            list->metrics[kept++] = list->metrics[m];
    }
    list->count = kept;
}

/* What the table shows, of all metrics. */
static void choose_columns(const fc_sweep *sweep, const char *only, struct metric_list *list) {
    if (only)
        keep_listed(list, only);
    else
        drop_constant_counts(sweep, list);
}

static bool has_forecasts(const fc_sweep *sweep) {
    for (size_t i = 0; i < sweep->point_count * sweep->method_count; ++i)
        if (sweep->results[i] && sweep->results[i]->kind == FC_MODEL)
            return true;
    return false;
}

/* ",48.91,53.62,yes": the interval of the main metric of a forecast, and whether networks like it
 * were simulated; of a simulation three empty cells. */
static void write_forecast(const fc_result *result, FILE *stream) {
    char text[FC_NUMBER_SIZE] = "";
    double low, high;
    const bool forecast = result && result->kind == FC_MODEL;
    const bool known = forecast && fc_result_interval(result, &low, &high);
    if (known)
        fc_number_exact(low, text);
    fprintf(stream, ",%s", text);
    text[0] = '\0';
    if (known && isfinite(high))
        fc_number_exact(high, text);
    fprintf(stream, ",%s,%s", text,
            !forecast                               ? ""
            : result->flags & FC_FLAG_NOT_VALIDATED ? "no"
                                                    : "yes");
}

/* NaN: not known. */
static double physical_value(const fc_result *result, const fc_metric *metric) {
    fc_physical physical;
    return metric && fc_metric_physical(&result->units, metric, &physical)
               ? metric->value * physical.factor
               : (double)NAN;
}

static void write_csv_header(const fc_sweep *sweep, const struct metric_list *list, FILE *stream) {
    for (size_t a = 0; a < sweep->axis_count; ++a)
        fprintf(stream, "%s,", sweep->axes[a].key);
    fputs("method,outcome", stream);
    for (size_t m = 0; m < list->count; ++m) {
        const struct listed_metric *metric = &list->metrics[m];
        fprintf(stream, ",%s", metric->name);
        if (metric->measured)
            fprintf(stream, ",%s_half_width", metric->name);
        if (metric->physical)
            fprintf(stream, ",%s_%s", metric->name, metric->physical);
        if (has_forecasts(sweep) && strcmp(metric->name, sweep->main_metric) == 0)
            fputs(",low,high,validated", stream);
    }
    fputs(has_gaps(sweep) ? ",reason\n" : "\n", stream);
}

/* A value; nothing where it is not known. */
static void write_csv_number(double value, FILE *stream) {
    char text[FC_NUMBER_SIZE];
    fc_number_exact(value, text);
    fprintf(stream, ",%s", text);
}

static void write_csv_metric(const fc_result *result, const struct listed_metric *listed,
                             FILE *stream) {
    const fc_metric *metric = result ? fc_result_metric(result, listed->name) : NULL;
    write_csv_number(metric ? metric->value : (double)NAN, stream);
    if (listed->measured)
        write_csv_number(metric ? metric->half_width : (double)NAN, stream);
    if (listed->physical)
        write_csv_number(physical_value(result, metric), stream);
}

static void write_csv(const void *study, const fc_write_settings *settings, FILE *stream) {
    const fc_sweep *sweep = study;
    const bool forecasts = has_forecasts(sweep), gaps = has_gaps(sweep);
    struct metric_list list = gather(sweep);
    choose_columns(sweep, settings->columns, &list);
    write_csv_header(sweep, &list, stream);
    for (size_t i = 0; i < sweep->point_count * sweep->method_count; ++i) {
        const fc_result *result = sweep->results[i];
        if (!result && !reason_of(sweep, i))
            continue;
        for (size_t a = 0; a < sweep->axis_count; ++a) {
            fc_write_csv(stream, axis_value(sweep, a, i / sweep->method_count));
            fputc(',', stream);
        }
        fprintf(stream, "%s,%s", method_of(sweep, i), outcome_of(sweep, i));
        for (size_t m = 0; m < list.count; ++m) {
            write_csv_metric(result, &list.metrics[m], stream);
            if (forecasts && strcmp(list.metrics[m].name, sweep->main_metric) == 0)
                write_forecast(result, stream);
        }
        if (gaps) {
            fputc(',', stream);
            fc_write_csv(stream, reason_of(sweep, i) ? reason_of(sweep, i) : "");
        }
        fputs("\n", stream);
    }
}

static json_t *json_gap(const fc_sweep *sweep, size_t i) {
    json_t *gap = json_object();
    fc_json_set(&gap, "method", fc_json_text(method_of(sweep, i)));
    fc_json_set(&gap, "outcome", json_string(outcome_of(sweep, i)));
    fc_json_set(&gap, "reason", fc_json_text(reason_of(sweep, i)));
    return gap;
}

/* ---- all seeds together ---- */

/* Calls `add` for every value of the other keys, method and metric. */
static void each_distribution(const fc_sweep *sweep, const struct metric_list *list,
                              void (*add)(const fc_sweep *, const fc_distribution *, void *),
                              void *into) {
    const size_t axis = fc_sweep_seed_axis(sweep);
    fc_distribution d;
    for (size_t p = 0; axis != SIZE_MAX && p < sweep->point_count; ++p) {
        if (fc_sweep_index(sweep, axis, p) > 0)
            continue;
        for (size_t m = 0; m < sweep->method_count; ++m)
            for (size_t k = 0; k < list->count; ++k) {
                if (fc_sweep_distribution(sweep, axis, p, m, list->metrics[k].name, &d))
                    add(sweep, &d, into);
            }
    }
}

static void add_json_distribution(const fc_sweep *sweep, const fc_distribution *d, void *into) {
    json_t *item = json_object(), *settings = json_object();
    for (size_t a = 0; a < sweep->axis_count; ++a) {
        if (a != fc_sweep_seed_axis(sweep))
            fc_json_set(&settings, sweep->axes[a].key,
                        fc_json_text(axis_value(sweep, a, d->point)));
    }
    fc_json_set(&item, "settings", settings);
    fc_json_set(&item, "method", fc_json_text(d->method));
    fc_json_set(&item, "metric", fc_json_text(d->metric));
    fc_json_set(&item, "seeds", json_integer((json_int_t)d->seeds));
    fc_json_set(&item, "results", json_integer((json_int_t)d->results));
    fc_json_set(&item, "mean", fc_json_number(d->mean));
    fc_json_set(&item, "deviation", fc_json_number(d->deviation));
    fc_json_set(&item, "least", fc_json_number(d->least));
    fc_json_set(&item, "largest", fc_json_number(d->largest));
    fc_json_set(&item, "worst_seed", fc_json_text(d->worst_seed));
    fc_json_append(into, item);
}

static void add_distribution_row(const fc_sweep *sweep, const fc_distribution *d, void *into) {
    fc_report *report = into;
    fc_report_row(report);
    for (size_t a = 0; a < sweep->axis_count; ++a) {
        if (a != fc_sweep_seed_axis(sweep))
            fc_report_cell_text(report, "%s", axis_value(sweep, a, d->point));
    }
    fc_report_cell_text(report, "%s", d->method);
    fc_report_cell_text(report, "%s", d->metric);
    fc_report_cell_text(report, "%zu of %zu", d->results, d->seeds);
    fc_report_cell_number(report, d->mean, 5);
    fc_report_cell_number(report, d->deviation, 2);
    fc_report_cell_number(report, d->least, 5);
    fc_report_cell_number(report, d->largest, 5);
    fc_report_cell_text(report, "%s", d->worst_seed);
}

/* Of what matters most, or of what was asked for. */
static void add_distributions(fc_report *report, const fc_sweep *sweep, const char *only) {
    enum { IMPORTANT = 2 };
    struct metric_list list = gather(sweep), kept = {0};
    const char *columns[COLUMNS_MAX];
    size_t count = 0;
    const size_t axis = fc_sweep_seed_axis(sweep);
    if (only)
        keep_listed(&list, only);
    for (size_t m = 0; m < list.count; ++m) {
        if (only || importance(sweep, list.metrics[m].name) >= IMPORTANT)
            kept.metrics[kept.count++] = list.metrics[m];
    }
    for (size_t a = 0; a < sweep->axis_count; ++a) {
        if (a != axis)
            columns[count++] = sweep->axes[a].key;
    }
    static const char *const rest[] = {"method",    "metric", "seeds",   "mean",
                                       "deviation", "least",  "largest", "worst seed"};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; ++i)
        columns[count++] = rest[i];
    char title[96];
    snprintf(title, sizeof title, "All values of %.60s", sweep->axes[axis].key);
    fc_report_add_table(report, title, columns, count);
    each_distribution(sweep, &kept, add_distribution_row, report);
}

static json_t *json_of(const void *study, bool detail) {
    const fc_sweep *sweep = study;
    json_t *tree = fc_json_document(), *points = json_array();
    fc_json_set(&tree, "name", fc_json_text(sweep->scenario_name));
    for (size_t p = 0; p < sweep->point_count; ++p) {
        json_t *point = json_object(), *settings = json_object(), *results = json_array();
        bool missing = false; /* some method has no result here */
        for (size_t m = 0; m < sweep->method_count; ++m) {
            const size_t i = p * sweep->method_count + m;
            missing |= !sweep->results[i] && reason_of(sweep, i);
        }
        json_t *gaps = missing ? json_array() : NULL;
        for (size_t a = 0; a < sweep->axis_count; ++a)
            fc_json_set(&settings, sweep->axes[a].key, fc_json_text(axis_value(sweep, a, p)));
        for (size_t m = 0; m < sweep->method_count; ++m) {
            const size_t i = p * sweep->method_count + m;
            if (sweep->results[i])
                fc_json_append(&results, fc_json_result(sweep->results[i], detail));
            else if (reason_of(sweep, i))
                fc_json_append(&gaps, json_gap(sweep, i));
        }
        fc_json_set(&point, "settings", settings);
        fc_json_set(&point, "results", results);
        if (missing)
            fc_json_set(&point, "without_result", gaps);
        fc_json_append(&points, point);
    }
    fc_json_set(&tree, "points", points);
    if (fc_sweep_seed_axis(sweep) != SIZE_MAX) {
        const struct metric_list list = gather(sweep);
        json_t *distributions = json_array();
        each_distribution(sweep, &list, add_json_distribution, &distributions);
        fc_json_set(&tree, "distributions", distributions);
    }
    return tree;
}

/* Keeps the order of those of equal importance. */
static void order_by_importance(const fc_sweep *sweep, struct metric_list *list) {
    for (size_t i = 1; i < list->count; ++i) {
        for (size_t j = i; j > 0 && importance(sweep, list->metrics[j].name) >
                                        importance(sweep, list->metrics[j - 1].name);
             --j) {
            const struct listed_metric moved = list->metrics[j];
            list->metrics[j] = list->metrics[j - 1];
            list->metrics[j - 1] = moved;
        }
    }
}

static void add_table(fc_report *report, const fc_sweep *sweep, const char *only) {
    struct metric_list list = gather(sweep);
    const char *columns[COLUMNS_MAX];
    size_t count = 0;
    for (size_t a = 0; a < sweep->axis_count; ++a)
        columns[count++] = sweep->axes[a].key;
    columns[count++] = "method";
    columns[count++] = "outcome";
    order_by_importance(sweep, &list);
    choose_columns(sweep, only, &list);
    char physical[METRICS_MAX][FC_NAME_SIZE + 16];
    for (size_t m = 0; m < list.count; ++m) {
        const char *unit = list.metrics[m].physical;
        columns[count++] = list.metrics[m].name;
        snprintf(physical[m], sizeof physical[m], "%s (%s)", list.metrics[m].name,
                 unit ? unit : "");
        if (unit)
            columns[count++] = physical[m];
    }
    fc_report_add_table(report, "", columns, count);
    /* Columns that were asked for are not left out: they continue below. */
    fc_report_set_keys(report, sweep->axis_count + 1, !only);
    for (size_t i = 0; i < sweep->point_count * sweep->method_count; ++i) {
        const fc_result *result = sweep->results[i];
        if (!result && !reason_of(sweep, i))
            continue;
        fc_report_row(report);
        for (size_t a = 0; a < sweep->axis_count; ++a)
            fc_report_cell_text(report, "%s", axis_value(sweep, a, i / sweep->method_count));
        fc_report_cell_text(report, "%s", method_of(sweep, i));
        fc_report_cell_text(report, "%s", outcome_of(sweep, i));
        for (size_t m = 0; m < list.count; ++m) {
            const fc_metric *metric =
                result ? fc_result_metric(result, list.metrics[m].name) : NULL;
            if (metric && isfinite(metric->half_width))
                fc_report_cell_interval(report, metric->value, metric->half_width);
            else
                fc_report_cell_number(report, metric ? metric->value : NAN, 5);
            if (list.metrics[m].physical)
                fc_report_cell_number(report, physical_value(result, metric), 5);
        }
    }
}

/* Sentences need more room than the table has. */
static void add_reasons(fc_report *report, const fc_sweep *sweep) {
    const char *columns[COLUMNS_MAX];
    size_t count = 0;
    for (size_t a = 0; a < sweep->axis_count; ++a)
        columns[count++] = sweep->axes[a].key;
    columns[count++] = "method";
    columns[count++] = "reason";
    fc_report_add_table(report, "Points without a result", columns, count);
    for (size_t i = 0; i < sweep->point_count * sweep->method_count; ++i) {
        if (!reason_of(sweep, i))
            continue;
        fc_report_row(report);
        for (size_t a = 0; a < sweep->axis_count; ++a)
            fc_report_cell_text(report, "%s", axis_value(sweep, a, i / sweep->method_count));
        fc_report_cell_text(report, "%s", method_of(sweep, i));
        fc_report_cell_text(report, "%s", reason_of(sweep, i));
    }
}

static fc_report *report_of(const void *study, const fc_write_settings *settings) {
    const fc_sweep *sweep = study;
    const bool page = settings->format == FC_FORMAT_HTML;
    fc_report *report = fc_report_create(sweep->scenario_name);
    if (!report)
        return NULL;
    fc_plot *plot = NULL;
    const fc_status plotted = page ? fc_sweep_plot(sweep, NULL, NULL, &plot) : FC_OK;
    if (plot || plotted == FC_ERROR_MEMORY) /* not every sweep can be plotted */
        fc_report_add_plot(report, plot);
    add_table(report, sweep, settings->columns);
    if (fc_sweep_seed_axis(sweep) != SIZE_MAX)
        add_distributions(report, sweep, settings->columns);
    if (has_gaps(sweep))
        add_reasons(report, sweep);
    if (page && sweep->scenario) {
        fc_report_add_code(report, "The scenario of which the keys above were varied",
                           sweep->scenario);
        fc_report_add_text(report, "Flitcast %s, scenario %s.", fc_version(), sweep->scenario_hash);
    }
    return report;
}

fc_status fc_sweep_write(const fc_sweep *sweep, const fc_write_settings *settings, FILE *stream) {
    static const fc_study_writer writer = {.report = report_of, .json = json_of, .csv = write_csv};
    return fc_study_write(sweep, &writer, settings, stream);
}
