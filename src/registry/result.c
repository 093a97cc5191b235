#include "registry/result.h"

#include "base/memory.h"
#include "scenario/scenario.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

enum { CONVERTED_MAX = 16 }; /* columns of a table that are times */

/* A text that was cut to fit must not end inside a UTF-8 character. */
static void drop_cut_character(char *text, size_t size, size_t wanted) {
    if (wanted < size)
        return;
    size_t end = size - 1;
    while (end > 0 && ((unsigned char)text[end - 1] & 0xC0) == 0x80)
        end--;
    if (end > 0 && ((unsigned char)text[end - 1] & 0xC0) == 0xC0)
        text[end - 1] = '\0';
}

static void copy_name(char *target, size_t size, const char *source) {
    const size_t length = source ? strlen(source) : 0, kept = length < size ? length : size - 1;
    if (kept)
        memcpy(target, source, kept);
    target[kept] = '\0';
    drop_cut_character(target, size, length);
}

fc_result *fc_result_create(const fc_method_info *method, const fc_scenario *scenario) {
    fc_result *result = fc_allocate(1, sizeof *result);
    if (!result)
        return NULL;
    result->kind = method->kind;
    copy_name(result->method, sizeof result->method, method->name);
    result->revision = method->revision;
    copy_name(result->version, sizeof result->version, fc_version());
    fc_result_set_parts_of(result, FC_METRIC_LATENCY);
    if (scenario) {
        result->packets = scenario->family->packets;
        result->units = scenario->units;
        copy_name(result->main_metric, sizeof result->main_metric,
                  fc_scenario_main_metric(scenario));
        copy_name(result->scenario_name, sizeof result->scenario_name, fc_scenario_name(scenario));
        copy_name(result->scenario_hash, sizeof result->scenario_hash, fc_scenario_hash(scenario));
    }
    return result;
}

static void table_release(fc_table *table) {
    fc_release(table->column_names);
    fc_release(table->row_labels);
    fc_release(table->values);
    memset(table, 0, sizeof *table);
}

void fc_result_free(fc_result *result) {
    if (!result)
        return;
    for (size_t t = 0; t < result->table_count; t++)
        table_release(&result->tables[t]);
    fc_release(result->tables);
    fc_release(result->parts);
    fc_release(result->metrics);
    fc_release(result->deliveries);
    fc_release(result);
}

/* Room for one more: the arrays double whenever their length is a power of two. */
static fc_metric *append(fc_metric **metrics, size_t *count) {
    if ((*count & (*count - 1)) == 0) {
        fc_metric *grown = fc_reallocate(*metrics, *count ? 2 * *count : 1, sizeof **metrics);
        if (!grown)
            return NULL;
        *metrics = grown;
    }
    return &(*metrics)[(*count)++];
}

static void fill(fc_metric *metric, const char *name, const char *unit, double value,
                 double half_width) {
    copy_name(metric->name, sizeof metric->name, name);
    copy_name(metric->unit, sizeof metric->unit, unit);
    metric->value = value;
    metric->half_width = isfinite(half_width) ? half_width : (double)NAN;
    metric->uncalibrated = (double)NAN;
    metric->bound = FC_EXACT;
}

bool fc_result_interval(const fc_result *result, double *low, double *high) {
    *low = result->value_low;
    *high = result->value_high;
    return *low > 0 && isfinite(*low);
}

bool fc_result_interval_of(const fc_result *result, const fc_metric *metric, double *low,
                           double *high) {
    const struct {
        fc_metric_id metric;
        double low, high;
    } others[] = {
        {FC_METRIC_NETWORK_TIME, result->time_low, result->time_high},
        {FC_METRIC_RESPONSE_TIME_HOT, result->hot_low, result->hot_high},
        {FC_METRIC_RESPONSE_TIME_COLD, result->cold_low, result->cold_high},
    };
    if (strcmp(metric->name, result->main_metric) == 0)
        return fc_result_interval(result, low, high);
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
        *low = others[i].low;
        *high = others[i].high;
        if (strcmp(metric->name, fc_metrics[others[i].metric].name) == 0)
            return *low > 0;
    }
    return false;
}

const char *fc_flag_name(unsigned flag) {
    switch (flag) {
    case FC_FLAG_EXTRAPOLATED:
        return "extrapolated";
    case FC_FLAG_WIDE:
        return "wide";
    case FC_FLAG_ABOVE_SATURATION:
        return "above-saturation";
    case FC_FLAG_NOT_CONVERGED:
        return "not-converged";
    case FC_FLAG_NOT_VALIDATED:
        return "not-validated";
    default:
        return NULL;
    }
}

static fc_metric *find(fc_metric *metrics, size_t count, const char *name) {
    for (size_t m = 0; m < count; m++) {
        if (strcmp(metrics[m].name, name) == 0)
            return &metrics[m];
    }
    return NULL;
}

fc_metric *fc_result_part(const fc_result *result, const char *name) {
    return find(result->parts, result->part_count, name);
}

double fc_result_part_value(const fc_result *result, const char *name) {
    const fc_metric *part = fc_result_part(result, name);
    return part ? part->value : 0;
}

void fc_metric_correct(fc_metric *metric, double value) {
    metric->uncalibrated = metric->value;
    metric->value = value;
}

fc_column_sums fc_table_sums(const fc_table *table, size_t column) {
    fc_column_sums sums = {0};
    if (!table || column >= table->columns || table->rows == 0)
        return sums;
    for (size_t row = 0; row < table->rows; ++row) {
        const double value = table->values[row * table->columns + column];
        sums.most = fmax(sums.most, value);
        sums.mean += value / (double)table->rows;
        sums.root_square += value * value / (double)table->rows;
    }
    sums.root_square = sqrt(sums.root_square);
    return sums;
}

void fc_result_add_named(fc_result *result, const char *name, const char *unit, double value,
                         double half_width) {
    if (!isfinite(value))
        return;
    fc_metric *metric = find(result->metrics, result->metric_count, name);
    if (!metric)
        metric = append(&result->metrics, &result->metric_count);
    if (metric)
        fill(metric, name, unit, value, half_width);
    else
        result->incomplete = true;
}

void fc_result_add(fc_result *result, fc_metric_id metric, double value, double half_width) {
    const fc_metric_info *info = &fc_metrics[metric];
    const char *unit = result->packets && info->packet_unit ? info->packet_unit : info->unit;
    fc_result_add_named(result, info->name, unit, value, half_width);
}

void fc_result_add_counts(fc_result *result, const fc_counts *counts) {
    for (int id = FC_METRIC_NONE + 1; id < FC_METRICS; ++id)
        if (fc_metrics[id].count)
            fc_result_add(result, (fc_metric_id)id, fc_count_of(counts, (fc_metric_id)id), NAN);
    fc_metric *bisection = fc_result_find(result, FC_METRIC_BISECTION);
    if (bisection)
        bisection->bound = counts->bisection_bound;
}

void fc_result_add_of_class(fc_result *result, const char *class, fc_metric_id metric, double value,
                            double half_width) {
    char name[FC_NAME_SIZE];
    snprintf(name, sizeof name, "%s.%s", class, fc_metrics[metric].name);
    fc_result_add_named(result, name, fc_metrics[metric].unit, value, half_width);
}

bool fc_metric_physical(const fc_units *units, const fc_metric *metric, fc_physical *physical) {
    fc_units known = *units;
    if (fc_metric_is_of_class(metric->name))
        known.message_flits = 0;
    return fc_physical_of(&known, metric->unit, physical);
}

void fc_result_set_parts_of(fc_result *result, fc_metric_id metric) {
    copy_name(result->parts_of, sizeof result->parts_of, fc_metrics[metric].name);
}

void fc_result_add_part(fc_result *result, const char *name, const char *unit, double value) {
    if (!isfinite(value))
        return;
    fc_metric *part = append(&result->parts, &result->part_count);
    if (part)
        fill(part, name, unit, value, (double)NAN);
    else
        result->incomplete = true;
}

fc_table *fc_result_add_table(fc_result *result, const char *name, size_t rows,
                              const char *const *column_names, size_t columns) {
    if (!result->tables)
        result->tables = fc_allocate(FC_TABLES_MAX, sizeof *result->tables);
    if (!result->tables || result->table_count == FC_TABLES_MAX ||
        (columns && rows > SIZE_MAX / columns)) {
        result->incomplete = true;
        return NULL;
    }
    fc_table *table = &result->tables[result->table_count];
    copy_name(table->name, sizeof table->name, name);
    table->rows = rows;
    table->columns = columns;
    table->column_names = fc_allocate(columns, sizeof *table->column_names);
    table->row_labels = fc_allocate(rows, sizeof *table->row_labels);
    table->values = fc_allocate(rows * columns, sizeof *table->values);
    if (!table->column_names || !table->row_labels || !table->values) {
        table_release(table);
        result->incomplete = true;
        return NULL;
    }
    for (size_t c = 0; c < columns; c++)
        copy_name(table->column_names[c], sizeof table->column_names[c], column_names[c]);
    result->table_count++;
    return table;
}

/* ---- what tables are physically ---- */

/* Whether a column has times in cycles. What nodes or links send is not converted: their messages
 * may have other lengths than those of all. */
static bool is_time(const char *name) {
    static const char *const cycles[] = {
        "wait",   "ejection_wait", "latency_max", "half_width", "zero_load",     "behind",
        "credit", "channel",       "switch",      "lag",        "begin",         "end",
        "cycles", "alone",         "until",       "blocking",   "node_link_wait"};
    for (size_t i = 0; i < sizeof cycles / sizeof *cycles; ++i)
        if (strcmp(name, cycles[i]) == 0)
            return true;
    const fc_metric_id metric = fc_metric_find(name);
    return metric != FC_METRIC_NONE && strcmp(fc_metrics[metric].unit, "cycles") == 0;
}

static bool has_column(const fc_table *table, const char *name) {
    size_t c = 0;
    while (c < table->columns && strcmp(table->column_names[c], name) != 0)
        ++c;
    return c < table->columns;
}

static size_t physical_columns(const fc_table *table, const fc_physical *physical,
                               char (*names)[FC_NAME_SIZE], size_t *from) {
    size_t count = 0;
    for (size_t c = 0; c < table->columns && count < CONVERTED_MAX; ++c) {
        if (!is_time(table->column_names[c]))
            continue;
        snprintf(names[count], FC_NAME_SIZE, "%.40s_%s", table->column_names[c], physical->unit);
        if (!has_column(table, names[count]))
            from[count++] = c;
    }
    return count;
}

static void widen_table(fc_result *result, const fc_physical *physical, fc_table *table) {
    char names[CONVERTED_MAX][FC_NAME_SIZE];
    size_t from[CONVERTED_MAX];
    const size_t old = table->columns;
    const size_t more = physical_columns(table, physical, names, from), wide = old + more;
    if (!more)
        return;
    char(*all)[FC_NAME_SIZE] = fc_allocate(wide, sizeof *all);
    double *values = fc_allocate(table->rows * wide, sizeof *values);
    if (!all || !values) {
        fc_release(all);
        fc_release(values);
        result->incomplete = true;
        return;
    }
    memcpy(all, table->column_names, old * sizeof *all);
    memcpy(all + old, names, more * sizeof *all);
    for (size_t r = 0; r < table->rows; ++r) {
        const double *row = &table->values[r * old];
        memcpy(&values[r * wide], row, old * sizeof *row);
        for (size_t c = 0; c < more; ++c)
            values[r * wide + old + c] = row[from[c]] * physical->factor;
    }
    fc_release(table->column_names);
    fc_release(table->values);
    table->column_names = all;
    table->values = values;
    table->columns = wide;
}

void fc_result_add_physical(fc_result *result) {
    fc_physical physical;
    if (!fc_physical_of(&result->units, "cycles", &physical))
        return;
    for (size_t t = 0; t < result->table_count; ++t)
        widen_table(result, &physical, &result->tables[t]);
}

void fc_result_name_words(fc_table *table, const char *const names[FC_LABEL_WORDS]) {
    for (size_t w = 0; w < FC_LABEL_WORDS; w++)
        copy_name(table->label_words[w], sizeof table->label_words[w], names[w]);
}

void fc_result_add_rows(fc_result *result, const char *name, fc_table_columns columns, size_t rows,
                        char (*labels)[FC_NAME_SIZE], const double *values) {
    fc_table *table =
        rows ? fc_result_add_table(result, name, rows, columns.names, columns.count) : NULL;
    if (!table)
        return;
    memcpy(table->row_labels, labels, rows * sizeof *labels);
    memcpy(table->values, values, rows * columns.count * sizeof *values);
}

/* The row with the largest value of a column; NULL: there is no such table. */
static const char *largest(const fc_result *result, const char *name, const char *column,
                           double *value) {
    const fc_table *table = fc_result_table(result, name);
    size_t at = 0, best = 0;
    while (table && at < table->columns && strcmp(table->column_names[at], column) != 0)
        ++at;
    if (!table || !table->rows || at == table->columns)
        return NULL;
    for (size_t r = 1; r < table->rows; ++r) {
        if (table->values[r * table->columns + at] > table->values[best * table->columns + at])
            best = r;
    }
    *value = table->values[best * table->columns + at];
    return table->row_labels[best];
}

void fc_result_find_critical(fc_result *result) {
    fc_critical *critical = &result->critical;
    const fc_metric *duration = fc_result_find(result, FC_METRIC_DURATION);
    double cycles = 0;
    const char *phase = largest(result, "phases", "cycles", &cycles);
    const char *link = largest(result, "channels", "utilisation", &critical->link_utilisation);
    if (phase && duration && duration->value > 0) {
        copy_name(critical->phase, sizeof critical->phase, phase);
        critical->phase_share = cycles / duration->value;
    }
    if (link)
        copy_name(critical->link, sizeof critical->link, link);
}

static void write_note(fc_result *result, size_t at, const char *format, va_list arguments) {
    const size_t room = sizeof result->note - at;
    const int wanted = vsnprintf(result->note + at, room, format, arguments);
    drop_cut_character(result->note + at, room, wanted < 0 ? 0 : (size_t)wanted);
}

void fc_result_note(fc_result *result, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    write_note(result, 0, format, arguments);
    va_end(arguments);
}

void fc_result_add_note(fc_result *result, const char *format, ...) {
    size_t at = strlen(result->note);
    va_list arguments;
    if (at && at + 2 < sizeof result->note)
        at += (size_t)snprintf(result->note + at, sizeof result->note - at,
                               result->note[at - 1] == '.' ? " " : "; "); /* sentences */
    va_start(arguments, format);
    write_note(result, at, format, arguments);
    va_end(arguments);
}

fc_status fc_result_status(const fc_result *result) {
    return result->incomplete ? FC_ERROR_MEMORY : FC_OK;
}

fc_metric *fc_result_find(const fc_result *result, fc_metric_id metric) {
    return find(result->metrics, result->metric_count, fc_metrics[metric].name);
}

double fc_result_value(const fc_result *result, fc_metric_id metric) {
    const fc_metric *found = fc_result_find(result, metric);
    return found ? found->value : (double)NAN;
}

const fc_metric *fc_result_metric(const fc_result *result, const char *name) {
    return find(result->metrics, result->metric_count, name);
}

const fc_table *fc_result_table(const fc_result *result, const char *name) {
    for (size_t t = 0; t < result->table_count; t++) {
        if (strcmp(result->tables[t].name, name) == 0)
            return &result->tables[t];
    }
    return NULL;
}

const char *fc_outcome_name(fc_outcome outcome) {
    switch (outcome) {
    case FC_OUTCOME_OK:
        return "ok";
    case FC_OUTCOME_SATURATED:
        return "saturated";
    case FC_OUTCOME_NOT_CONVERGED:
        return "not-converged";
    }
    return "unknown";
}
