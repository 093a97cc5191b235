/* A result as a page of text that needs no manual. */
#include "base/memory.h"
#include "base/units.h"
#include "output/text/characters.h"
#include "output/text/grid.h"
#include "output/text/numbers.h"
#include "output/text/writing.h"
#include "registry/result.h"

#include <math.h>
#include <string.h>

enum { INDENT = 2, INTERVAL_SIZE = 2 * FC_NUMBER_SIZE + 8 };

static void write_warning(const char *text, const fc_write_settings *settings, FILE *stream) {
    fc_ink(stream, settings->colour, FC_INK_YELLOW);
    fc_write_wrapped(stream, text, 0, settings->width);
    fc_ink_end(stream, settings->colour);
}

/* The metric that may be furthest off, as shares of its value; NULL: no interval is known. */
static const fc_metric *widest_metric(const fc_result *result, double *below, double *above) {
    const fc_metric *widest = NULL;
    for (size_t m = 0; m < result->metric_count; ++m) {
        const fc_metric *metric = &result->metrics[m];
        double low, high;
        if (!fc_result_interval_of(result, metric, &low, &high))
            continue;
        const double less = 1 - low / metric->value, more = high / metric->value - 1;
        if (!widest || fmax(less, more) > fmax(*below, *above)) {
            widest = metric;
            *below = less;
            *above = more;
        }
    }
    return widest;
}

/* A sentence for what is to be minded, beside the number and not below it. */
static void write_flags(const fc_result *result, const fc_write_settings *settings, FILE *stream) {
    char text[FC_ACCURACY_SIZE];
    const double low = result->value_low;
    double below = 0, above = 0;
    const fc_metric *widest = widest_metric(result, &below, &above);
    if (result->flags & FC_FLAG_NOT_VALIDATED) {
        snprintf(text, sizeof text, "not validated here%s%s",
                 result->accuracy.reason[0] ? ": " : "", result->accuracy.reason);
        write_warning(text, settings, stream);
    }
    if (!(result->flags & FC_FLAG_WIDE) ||
        (result->outcome == FC_OUTCOME_OK && !(low > 0))) /* the note says what is uncertain */
        return;
    if (!widest || result->outcome == FC_OUTCOME_SATURATED)
        snprintf(text, sizeof text,
                 "uncertain: the load is within the interval of the saturation load; simulate it");
    else if (isinf(above))
        snprintf(text, sizeof text,
                 "uncertain: the true %s may be %.4g %s or more, up to saturation (90 %% "
                 "interval); simulate it",
                 widest->name, (1 - below) * widest->value, widest->unit);
    else
        snprintf(text, sizeof text,
                 "uncertain: the true %s may be %.0f %% lower to %.0f %% higher (90 %% interval); "
                 "simulate it",
                 widest->name, 100 * below, 100 * above);
    write_warning(text, settings, stream);
}

static void write_title(const fc_result *result, const fc_write_settings *settings, FILE *stream) {
    const bool colour = settings->colour;
    fc_ink(stream, colour, FC_INK_BOLD);
    fputs(result->scenario_name[0] ? result->scenario_name : "unnamed scenario", stream);
    fc_ink_end(stream, colour);
    fprintf(stream, "\n%s %s: ", result->kind == FC_MODEL ? "model" : "simulator", result->method);
    const bool ok = result->outcome == FC_OUTCOME_OK;
    fc_ink(stream, colour, ok ? FC_INK_GREEN : FC_INK_YELLOW);
    fputs(fc_outcome_name(result->outcome), stream);
    fc_ink_end(stream, colour);
    fputc('\n', stream);
    write_flags(result, settings, stream);
}

static void interval_text(double low, double high, char text[INTERVAL_SIZE]) {
    char from[FC_NUMBER_SIZE], to[FC_NUMBER_SIZE];
    fc_number_text(low, 4, from);
    fc_number_text(high, 4, to);
    if (isfinite(high))
        snprintf(text, INTERVAL_SIZE, "%s to %s", from, to);
    else
        snprintf(text, INTERVAL_SIZE, "above %s", from);
}

/* Whether any of them is known in ns or GB/s. */
static bool any_physical(const fc_result *result, const fc_metric *metrics, size_t count) {
    fc_physical unused;
    bool any = false;
    for (size_t m = 0; m < count; m++)
        any |= !fc_metric_is_count(metrics[m].name) &&
               fc_metric_physical(&result->units, &metrics[m], &unused);
    return any;
}

/* Two cells: the value and its unit; empty if nothing is known. */
static void put_physical(fc_grid *grid, const fc_result *result, const fc_metric *metric) {
    char value[FC_NUMBER_SIZE] = "", half_width[FC_NUMBER_SIZE];
    fc_physical physical = {.unit = ""};
    if (fc_metric_physical(&result->units, metric, &physical))
        fc_number_interval(metric->value * physical.factor, metric->half_width * physical.factor,
                           value, half_width);
    fc_grid_cell(grid, value, true);
    fc_grid_cell(grid, physical.unit, false);
}

static fc_status write_metrics(const fc_result *result, const fc_write_settings *settings,
                               FILE *stream) {
    bool intervals = false;
    for (size_t m = 0; m < result->metric_count; m++)
        intervals |= isfinite(result->metrics[m].half_width);
    double low, high;
    const bool expected = fc_result_interval(result, &low, &high);
    const bool physical = any_physical(result, result->metrics, result->metric_count);
    const char *columns[7] = {"metric", "value"};
    size_t count = 2;
    if (intervals || expected)
        columns[count++] = intervals ? "95 % interval" : "90 % interval";
    if (result->calibrated)
        columns[count++] = "model alone";
    columns[count++] = "unit";
    if (physical) {
        columns[count++] = "physical";
        columns[count++] = "";
    }
    intervals |= expected;
    fc_grid *grid = fc_grid_create(columns, count);
    for (size_t m = 0; m < result->metric_count; m++) {
        const fc_metric *metric = &result->metrics[m];
        if (fc_metric_is_count(metric->name))
            continue; /* in a sentence below */
        char value[FC_NUMBER_SIZE], half_width[FC_NUMBER_SIZE], interval[INTERVAL_SIZE] = "";
        fc_number_interval(metric->value, metric->half_width, value, half_width);
        if (half_width[0])
            snprintf(interval, sizeof interval, "%s %s", settings->colour ? "±" : "+-", half_width);
        if (expected && fc_result_interval_of(result, metric, &low, &high))
            interval_text(low, high, interval);
        fc_grid_row(grid);
        fc_grid_cell(grid, metric->name, false);
        fc_grid_cell(grid, value, true);
        if (intervals)
            fc_grid_cell(grid, interval, true);
        if (result->calibrated) {
            fc_number_text(metric->uncalibrated, 6, value);
            fc_grid_cell(grid, value, true);
        }
        fc_grid_cell(grid, metric->unit, false);
        if (physical)
            put_physical(grid, result, metric);
    }
    fputc('\n', stream);
    return fc_grid_write(grid, INDENT, settings, stream);
}

/* "Built of 64 routers, 112 cables, 288 ports; bisection 8 flits/cycle." */
static void write_counts(const fc_result *result, const fc_write_settings *settings, FILE *stream) {
    char text[400] = "";
    size_t used = 0;
    for (size_t m = 0; m < result->metric_count; m++) {
        const fc_metric *metric = &result->metrics[m];
        char value[FC_NUMBER_SIZE];
        fc_physical physical = {.unit = ""};
        if (!fc_metric_is_count(metric->name) || used >= sizeof text)
            continue;
        fc_number_text(metric->value, 9, value);
        const char *bound = metric->bound == FC_EXACT     ? ""
                            : metric->bound == FC_AT_MOST ? "at most "
                                                          : "at least ";
        if (metric->unit[0])
            used += (size_t)snprintf(text + used, sizeof text - used, ", %s %s%s %s", metric->name,
                                     bound, value, metric->unit);
        else
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %s",
                                     used ? ", " : "Built of ", value, metric->name);
        if (used < sizeof text && fc_physical_of(&result->units, metric->unit, &physical)) {
            fc_number_text(metric->value * physical.factor, 6, value);
            used +=
                (size_t)snprintf(text + used, sizeof text - used, " (%s %s)", value, physical.unit);
        }
    }
    if (!used || used + 1 >= sizeof text)
        return;
    snprintf(text + used, sizeof text - used, ".");
    fputc('\n', stream);
    fc_write_wrapped(stream, text, 0, settings->width);
}

static fc_status write_parts(const fc_result *result, const fc_write_settings *settings,
                             FILE *stream) {
    double sum = 0;
    bool shares = true;
    for (size_t p = 0; p < result->part_count; p++) {
        sum += result->parts[p].value;
        shares &= result->parts[p].value >= 0;
    }
    shares &= sum > 0;
    fprintf(stream, "\n%s is made of\n", result->parts_of[0] ? result->parts_of : "The whole");
    const bool physical = any_physical(result, result->parts, result->part_count);
    const char *header[7] = {"part", "value", "unit"};
    size_t columns = 3;
    if (physical) {
        header[columns++] = "physical";
        header[columns++] = "";
    }
    if (shares) {
        header[columns++] = "share";
        header[columns++] = "";
    }
    fc_grid *grid = fc_grid_create(header, columns);
    for (size_t p = 0; p < result->part_count; p++) {
        const fc_metric *part = &result->parts[p];
        char value[FC_NUMBER_SIZE];
        fc_number_text(part->value, 6, value);
        fc_grid_row(grid);
        fc_grid_cell(grid, part->name, false);
        fc_grid_cell(grid, value, true);
        fc_grid_cell(grid, part->unit, false);
        if (physical)
            put_physical(grid, result, part);
        if (shares) {
            char share[FC_NUMBER_SIZE], bar[FC_BAR_SIZE];
            snprintf(share, sizeof share, "%.1f %%", 100 * part->value / sum);
            fc_bar_text(part->value / sum, !settings->colour, bar);
            fc_grid_cell(grid, share, true);
            fc_grid_cell(grid, bar, false);
        }
    }
    return fc_grid_write(grid, INDENT, settings, stream);
}

enum { COLUMNS_MOST = 24 }; /* that are read in a terminal */

static fc_status write_table(const fc_table *table, const fc_write_settings *settings,
                             FILE *stream) {
    const size_t columns = table->columns;
    if (columns > COLUMNS_MOST) {
        fprintf(stream, "\n%s\n  %zu rows of %zu columns: CSV and JSON have them.\n", table->name,
                table->rows, columns);
        return FC_OK;
    }
    const char **header = fc_allocate(columns + 1, sizeof *header);
    if (!header)
        return FC_ERROR_MEMORY;
    for (size_t c = 0; c < columns; c++)
        header[c + 1] = table->column_names[c];
    fc_grid *grid = fc_grid_create(header, columns + 1);
    fc_release(header);
    for (size_t r = 0; r < table->rows; r++) {
        fc_grid_row(grid);
        fc_grid_cell(grid, table->row_labels[r], false);
        for (size_t c = 0; c < columns; c++) {
            char value[FC_NUMBER_SIZE];
            fc_number_text(table->values[r * columns + c], 6, value);
            fc_grid_cell(grid, value, true);
        }
    }
    fprintf(stream, "\n%s\n", table->name);
    return fc_grid_write(grid, INDENT, settings, stream);
}

static void write_critical(const fc_result *result, const fc_write_settings *settings,
                           FILE *stream) {
    char text[FC_CRITICAL_MAX][FC_CRITICAL_SIZE];
    const size_t count = fc_critical_sentences(result, true, text);
    if (count)
        fputc('\n', stream);
    for (size_t i = 0; i < count; ++i)
        fc_write_wrapped(stream, text[i], 0, settings->width);
}

static void model_run(const fc_run_info *run, char *text, size_t size) {
    char seconds[FC_NUMBER_SIZE], residual[FC_NUMBER_SIZE];
    fc_number_seconds(run->seconds, seconds);
    fc_number_text(run->residual, 2, residual);
    int used = snprintf(text, size, "Computed");
    if (run->seconds > 0)
        used += snprintf(text + used, size - (size_t)used, " in %s", seconds);
    if (run->iterations > 0) {
        used += snprintf(text + used, size - (size_t)used, ", %llu iteration%s",
                         (unsigned long long)run->iterations, run->iterations == 1 ? "" : "s");
        if (residual[0])
            snprintf(text + used, size - (size_t)used, ", residual %s", residual);
    }
}

static void simulator_run(const fc_run_info *run, char *text, size_t size) {
    char cycles[FC_NUMBER_SIZE], warmup[FC_NUMBER_SIZE], events[FC_NUMBER_SIZE];
    char seconds[FC_NUMBER_SIZE], cpu[FC_NUMBER_SIZE];
    fc_number_count(run->cycles, cycles);
    fc_number_count(run->warmup_cycles, warmup);
    fc_number_count((double)run->events, events);
    fc_number_seconds(run->seconds, seconds);
    fc_number_seconds(run->cpu_seconds, cpu);
    int used = snprintf(text, size, "Simulated %s cycles in %u replication%s", cycles,
                        run->replications, run->replications == 1 ? "" : "s");
    if (run->warmup_cycles > 0)
        used += snprintf(text + used, size - (size_t)used, ", of which %s%s discarded as warm-up",
                         warmup, run->replications == 1 ? "" : " each");
    if (run->events > 0)
        used += snprintf(text + used, size - (size_t)used, ", %s events", events);
    if (run->seconds > 0)
        used += snprintf(text + used, size - (size_t)used, ", in %s", seconds);
    if (run->cpu_seconds > 0)
        used += snprintf(text + used, size - (size_t)used, " (%s of processor time)", cpu);
    used +=
        snprintf(text + used, size - (size_t)used, "; seed %llu", (unsigned long long)run->seed);
    if (run->engine_asked)
        snprintf(text + used, size - (size_t)used, "; engine %s", run->engine);
}

static void write_accuracy(const fc_result *result, const fc_write_settings *settings,
                           FILE *stream) {
    char accuracy[FC_ACCURACY_SIZE], text[FC_ACCURACY_SIZE + 160];
    if (result->calibrated && result->outcome == FC_OUTCOME_OK)
        snprintf(text, sizeof text,
                 "The model's %s corrected with data from %u simulated networks.",
                 result->time_low > 0 ? "efficiency and waits were"
                                      : "latency above that of the empty network was",
                 result->calibrated);
    else if (result->accuracy.known) {
        fc_accuracy_text(&result->accuracy, accuracy);
        snprintf(text, sizeof text, "Measured error%s%s against simulation: %s.",
                 result->main_metric[0] ? " of " : "", result->main_metric, accuracy);
    } else
        return;
    fputc('\n', stream);
    fc_write_wrapped(stream, text, 0, settings->width);
}

static void write_run(const fc_result *result, const fc_write_settings *settings, FILE *stream) {
    char run[500], text[512];
    if (result->kind == FC_MODEL)
        model_run(&result->run, run, sizeof run);
    else
        simulator_run(&result->run, run, sizeof run);
    snprintf(text, sizeof text, "%s.", run);
    fputc('\n', stream);
    fc_write_wrapped(stream, text, 0, settings->width);
    fprintf(stream, "Flitcast %s", result->version);
    if (result->scenario_hash[0])
        fprintf(stream, ", scenario %s", result->scenario_hash);
    fputs(".\n", stream);
}

fc_status fc_result_write_text(const fc_result *result, const fc_write_settings *settings,
                               FILE *stream) {
    fc_status status = FC_OK;
    write_title(result, settings, stream);
    if (result->note[0])
        fc_write_wrapped(stream, result->note, 0, settings->width);
    if (result->metric_count)
        status = write_metrics(result, settings, stream);
    if (status == FC_OK && settings->detail)
        write_counts(result, settings, stream);
    if (status == FC_OK && result->part_count)
        status = write_parts(result, settings, stream);
    if (status == FC_OK)
        write_critical(result, settings, stream);
    for (size_t t = 0; status == FC_OK && settings->detail && t < result->table_count; t++)
        status = write_table(&result->tables[t], settings, stream);
    write_accuracy(result, settings, stream);
    write_run(result, settings, stream);
    return status;
}
