/* A result back from its JSON object, as the store keeps it. */
#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "output/text/json.h"
#include "registry/metrics.h"
#include "registry/result.h"

static void copy_text(char *target, size_t size, const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    snprintf(target, size, "%s", text ? text : "");
}

double fc_json_number_of(const json_t *object, const char *key, double otherwise) {
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : otherwise;
}

/* 0 for what does not fit: a cast would be undefined. */
static uint64_t count_of(const json_t *object, const char *key, uint64_t most) {
    const json_t *value = json_object_get(object, key);
    if (json_is_integer(value)) {
        const json_int_t whole = json_integer_value(value);
        return whole >= 0 && (uint64_t)whole <= most ? (uint64_t)whole : 0;
    }
    const double number = fc_json_number_of(object, key, 0);
    return number >= 0 && number < 0x1p63 && (uint64_t)number <= most ? (uint64_t)number : 0;
}

static void read_run(const json_t *run, fc_run_info *info) {
    info->iterations = count_of(run, "iterations", UINT64_MAX);
    info->residual = fc_json_number_of(run, "residual", 0);
    info->seconds = fc_json_number_of(run, "seconds", 0);
    info->cpu_seconds = fc_json_number_of(run, "cpu_seconds", 0);
    info->cycles = fc_json_number_of(run, "cycles", 0);
    info->warmup_cycles = fc_json_number_of(run, "warmup_cycles", 0);
    info->cycles_saved = fc_json_number_of(run, "cycles_saved", 0);
    copy_text(info->engine, sizeof info->engine, run, "engine");
    copy_text(info->engine_reason, sizeof info->engine_reason, run, "engine_reason");
    info->events = count_of(run, "events", UINT64_MAX);
    info->replications = (uint32_t)count_of(run, "replications", UINT32_MAX);
    info->seed = count_of(run, "seed", UINT64_MAX);
}

static void read_interval(const json_t *metric, double *low, double *high) {
    const json_t *interval = json_object_get(metric, "interval");
    *low = fc_json_number_of(interval, "low", 0);
    *high = interval ? fc_json_number_of(interval, "high", INFINITY) : 0;
}

/* What a forecast says beside its values. */
static void read_forecast(const json_t *tree, fc_result *result) {
    const json_t *metrics = json_object_get(tree, "metrics"), *flag;
    size_t index;
    read_interval(json_object_get(metrics, result->main_metric), &result->value_low,
                  &result->value_high);
    read_interval(json_object_get(metrics, fc_metrics[FC_METRIC_NETWORK_TIME].name),
                  &result->time_low, &result->time_high);
    read_interval(json_object_get(metrics, fc_metrics[FC_METRIC_RESPONSE_TIME_HOT].name),
                  &result->hot_low, &result->hot_high);
    read_interval(json_object_get(metrics, fc_metrics[FC_METRIC_RESPONSE_TIME_COLD].name),
                  &result->cold_low, &result->cold_high);
    json_array_foreach(json_object_get(tree, "flags"), index, flag) {
        for (unsigned i = 0; i < FC_FLAGS; ++i)
            if (json_is_string(flag) && strcmp(json_string_value(flag), fc_flag_name(1U << i)) == 0)
                result->flags |= 1U << i;
    }
    result->calibrated = (unsigned)count_of(tree, "calibration_networks", UINT32_MAX);
    for (size_t m = 0; m < result->metric_count; ++m)
        result->metrics[m].uncalibrated = fc_json_number_of(
            json_object_get(metrics, result->metrics[m].name), "uncalibrated", NAN);
}

/* What a name is written as: a metric, or one of a class, with a point between them. */
static bool is_name(const char *class, const char *metric) {
    const size_t length = strlen(metric) + (class ? strlen(class) + 1 : 0);
    return *metric && length < FC_NAME_SIZE && !strchr(metric, '.') &&
           (!class || (*class && !strchr(class, '.')));
}

/* class: NULL, or what their names begin with. */
static void read_metrics(json_t *metrics, const char *class, fc_result *result) {
    const char *name;
    json_t *item;
    char unit[24], whole[2 * FC_NAME_SIZE];
    json_object_foreach(metrics, name, item) {
        if (!is_name(class, name))
            continue;
        copy_text(unit, sizeof unit, item, "unit");
        snprintf(whole, sizeof whole, "%s%s%s", class ? class : "", class ? "." : "", name);
        const size_t before = result->metric_count;
        fc_result_add_named(result, whole, unit, fc_json_number_of(item, "value", NAN),
                            fc_json_number_of(item, "half_width", NAN));
        const char *bound = json_string_value(json_object_get(item, "bound"));
        for (int b = FC_AT_MOST; bound && b <= FC_AT_LEAST && result->metric_count > before; ++b)
            if (strcmp(bound, fc_bound_name((fc_bound)b)) == 0)
                result->metrics[before].bound = (fc_bound)b;
    }
}

static void read_values(const json_t *tree, fc_result *result) {
    json_t *item;
    size_t index;
    char unit[24];
    read_metrics(json_object_get(tree, "metrics"), NULL, result);
    json_array_foreach(json_object_get(tree, "classes"), index, item) {
        const char *class = json_string_value(json_object_get(item, "name"));
        if (class)
            read_metrics(json_object_get(item, "metrics"), class, result);
    }
    json_array_foreach(json_object_get(tree, "parts"), index, item) {
        const char *part = json_string_value(json_object_get(item, "name"));
        copy_text(unit, sizeof unit, item, "unit");
        if (part)
            fc_result_add_part(result, part, unit, fc_json_number_of(item, "value", NAN));
        fc_metric *added = part ? fc_result_part(result, part) : NULL;
        if (added)
            added->uncalibrated = fc_json_number_of(item, "uncalibrated", NAN);
    }
}

/* Its columns: what is no text in the first row. Words of the labels are texts, beside the label.
 */
static size_t read_columns(const json_t *first, const char **columns, const char **words) {
    const char *name;
    json_t *member;
    size_t count = 0, word = 0;
    json_object_foreach((json_t *)first, name, member) {
        if (!json_is_string(member))
            columns[count++] = name;
        else if (strcmp(name, "label") != 0 && word < FC_LABEL_WORDS)
            words[word++] = name;
    }
    return count;
}

static void read_table(const char *name, const json_t *rows, fc_result *result) {
    const json_t *first = json_array_get(rows, 0), *row;
    const char *words[FC_LABEL_WORDS] = {0};
    const char **columns = fc_allocate(json_object_size(first), sizeof *columns);
    const size_t count = columns ? read_columns(first, columns, words) : 0;
    fc_table *table =
        columns ? fc_result_add_table(result, name, json_array_size(rows), columns, count) : NULL;
    size_t r;
    json_array_foreach(rows, r, row) {
        if (!table)
            break;
        copy_text(table->row_labels[r], sizeof table->row_labels[r], row, "label");
        for (size_t c = 0; c < count; ++c)
            table->values[r * count + c] = fc_json_number_of(row, columns[c], NAN);
    }
    if (table)
        fc_result_name_words(table, words);
    result->incomplete |= !columns;
    fc_release(columns);
}

/* The members that are lists of what has labels. */
static void read_tables(const json_t *tree, fc_result *result) {
    const char *name;
    json_t *member;
    json_object_foreach((json_t *)tree, name, member) {
        if (json_is_string(json_object_get(json_array_get(member, 0), "label")) &&
            strlen(name) < FC_NAME_SIZE && result->table_count < FC_TABLES_MAX)
            read_table(name, member, result);
    }
}

static void read_chain(const json_t *object, fc_chain *chain) {
    chain->messages = count_of(object, "messages", UINT64_MAX);
    chain->cycles = fc_json_number_of(object, "cycles", NAN);
    chain->alone = fc_json_number_of(object, "alone", NAN);
    chain->waiting = fc_json_number_of(object, "waiting", NAN);
    chain->computing = fc_json_number_of(object, "computing", NAN);
    copy_text(chain->path, sizeof chain->path, object, "path");
}

static void read_critical(const json_t *object, fc_critical *critical) {
    const json_t *phase = json_object_get(object, "phase"), *link = json_object_get(object, "link");
    copy_text(critical->phase, sizeof critical->phase, phase, "name");
    critical->phase_share = fc_json_number_of(phase, "share", 0);
    copy_text(critical->link, sizeof critical->link, link, "name");
    critical->link_utilisation = fc_json_number_of(link, "utilisation", 0);
    read_chain(json_object_get(object, "chain"), &critical->chain);
    read_chain(json_object_get(object, "chain_alone"), &critical->alone);
}

static void read_accuracy(const json_t *accuracy, fc_accuracy *read) {
    read->cases = count_of(accuracy, "cases", UINT32_MAX);
    read->networks = count_of(accuracy, "networks", UINT32_MAX);
    read->unsolved = count_of(accuracy, "unsolved", UINT32_MAX);
    read->known = json_object_get(accuracy, "cases") != NULL;
    read->typical = fc_json_number_of(accuracy, "typical", NAN);
    read->worst = fc_json_number_of(accuracy, "worst", NAN);
    read->low = fc_json_number_of(accuracy, "load_low", NAN);
    read->high = fc_json_number_of(accuracy, "load_high", NAN);
    const char *text = json_string_value(json_object_get(accuracy, "text"));
    /* in brackets at the end: fc_accuracy_text */
    const char *reason = text && !read->known ? strchr(text, '(') : NULL;
    if (reason && reason[1])
        snprintf(read->reason, sizeof read->reason, "%.*s", (int)strlen(reason) - 2, reason + 1);
}

fc_status fc_result_read(const char *text, fc_error *error, fc_result **result) {
    json_error_t problem;
    json_t *tree = json_loads(text, 0, &problem);
    if (!tree && problem.text[0] == '\0') /* Jansson 2.14 has no words for it */
        return fc_fail_memory(error);
    if (!tree)
        return fc_fail(error, FC_ERROR_INPUT, "a stored result is not readable: %s", problem.text);
    const json_t *method = json_object_get(tree, "method");
    char name[FC_NAME_SIZE], outcome[24];
    copy_text(name, sizeof name, method, "name");
    const char *kind = json_string_value(json_object_get(method, "kind"));
    const fc_method_info info = {
        .name = name, .kind = kind && strcmp(kind, "model") == 0 ? FC_MODEL : FC_SIMULATOR};
    fc_result *made = fc_result_create(&info, NULL);
    if (!made) {
        json_decref(tree);
        return fc_fail_memory(error);
    }
    copy_text(made->version, sizeof made->version, tree, "version");
    made->revision = (unsigned)count_of(method, "revision", UINT32_MAX);
    copy_text(made->main_metric, sizeof made->main_metric, tree, "main_metric");
    if (json_object_get(tree, "parts_of"))
        copy_text(made->parts_of, sizeof made->parts_of, tree, "parts_of");
    const json_t *units = json_object_get(tree, "units");
    made->units = (fc_units){fc_json_number_of(units, "clock_ghz", 0),
                             fc_json_number_of(units, "flit_bytes", 0),
                             fc_json_number_of(units, "message_flits", 0)};
    const json_t *scenario = json_object_get(tree, "scenario");
    copy_text(made->scenario_name, sizeof made->scenario_name, scenario, "name");
    copy_text(made->scenario_hash, sizeof made->scenario_hash, scenario, "hash");
    copy_text(made->note, sizeof made->note, tree, "note");
    copy_text(outcome, sizeof outcome, tree, "outcome");
    for (int o = FC_OUTCOME_OK; o <= FC_OUTCOME_NOT_CONVERGED; ++o) {
        if (strcmp(outcome, fc_outcome_name((fc_outcome)o)) == 0)
            made->outcome = (fc_outcome)o;
    }
    read_values(tree, made);
    read_forecast(tree, made);
    read_tables(tree, made);
    read_critical(json_object_get(tree, "critical"), &made->critical);
    if (json_is_object(json_object_get(tree, "accuracy")))
        read_accuracy(json_object_get(tree, "accuracy"), &made->accuracy);
    read_run(json_object_get(tree, "run"), &made->run);
    json_decref(tree);
    if (fc_result_status(made) != FC_OK) {
        fc_result_free(made);
        return fc_fail_memory(error);
    }
    *result = made;
    return FC_OK;
}
