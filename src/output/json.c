#include "output/json.h"

#include "base/memory.h"
#include "output/characters.h"
#include "output/numbers.h"
#include "output/writing.h"

#include <math.h>
#include <string.h>

json_t *fc_json_text(const char *text) {
    json_t *string = json_string(text);
    if (string)
        return string;
    char *clean = fc_copy_text(text);
    if (!clean)
        return NULL;
    for (char *at = clean; *at;) {
        const size_t bytes = fc_text_character(at);
        if (bytes == 0)
            *at = '?';
        at += bytes ? bytes : 1;
    }
    string = json_string(clean);
    fc_release(clean);
    return string;
}

json_t *fc_json_number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *fc_json_integer(uint64_t value) {
    return value <= INT64_MAX ? json_integer((json_int_t)value) : json_real((double)value);
}

json_t *fc_json_document(void) {
    return json_pack("{s:s, s:s}", "tool", "flitcast", "version", fc_version());
}

/* ---- a result as a tree; any call may fail, the last line of each function tells ---- */

static json_t *metric_object(const fc_metric *metric, bool named) {
    json_t *object = json_object();
    int failed = 0;
    if (named)
        failed |= json_object_set_new(object, "name", fc_json_text(metric->name));
    failed |= json_object_set_new(object, "value", fc_json_number(metric->value));
    failed |= json_object_set_new(object, "unit", fc_json_text(metric->unit));
    if (isfinite(metric->half_width))
        failed |= json_object_set_new(object, "half_width", json_real(metric->half_width));
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}

static json_t *metrics_object(const fc_result *result) {
    json_t *object = json_object();
    int failed = 0;
    for (size_t m = 0; m < result->metric_count; m++) {
        const fc_metric *metric = &result->metrics[m];
        if (isfinite(metric->value))
            failed |= json_object_set_new(object, metric->name, metric_object(metric, false));
    }
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}

static json_t *parts_array(const fc_result *result) {
    json_t *array = json_array();
    int failed = 0;
    for (size_t p = 0; p < result->part_count; p++) {
        if (isfinite(result->parts[p].value))
            failed |= json_array_append_new(array, metric_object(&result->parts[p], true));
    }
    if (!failed)
        return array;
    json_decref(array);
    return NULL;
}

static json_t *table_array(const fc_table *table) {
    json_t *array = json_array();
    int failed = 0;
    for (size_t r = 0; r < table->rows && !failed; r++) {
        json_t *row = json_object();
        failed |= json_object_set_new(row, "label", fc_json_text(table->row_labels[r]));
        for (size_t c = 0; c < table->columns; c++) {
            failed |= json_object_set_new(row, table->column_names[c],
                                          fc_json_number(table->values[r * table->columns + c]));
        }
        failed |= json_array_append_new(array, row);
    }
    if (!failed)
        return array;
    json_decref(array);
    return NULL;
}

static json_t *accuracy_object(const fc_accuracy *accuracy) {
    char text[FC_ACCURACY_SIZE];
    json_t *object = json_object();
    int failed = json_object_set_new(object, "validated", json_boolean(accuracy->known));
    if (accuracy->known) {
        failed |= json_object_set_new(object, "typical", fc_json_number(accuracy->typical));
        failed |= json_object_set_new(object, "worst", fc_json_number(accuracy->worst));
        failed |= json_object_set_new(object, "cases", fc_json_integer(accuracy->cases));
        failed |= json_object_set_new(object, "networks", fc_json_integer(accuracy->networks));
        failed |= json_object_set_new(object, "unsolved", fc_json_integer(accuracy->unsolved));
        if (isfinite(accuracy->low)) {
            failed |= json_object_set_new(object, "load_low", json_real(accuracy->low));
            failed |= json_object_set_new(object, "load_high", json_real(accuracy->high));
        }
    }
    fc_accuracy_text(accuracy, text);
    failed |= json_object_set_new(object, "text", fc_json_text(text));
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}

static json_t *run_object(const fc_result *result) {
    const fc_run_info *run = &result->run;
    json_t *object = json_object();
    int failed = 0;
    if (result->kind == FC_MODEL) {
        failed |= json_object_set_new(object, "iterations", fc_json_integer(run->iterations));
        if (isfinite(run->residual))
            failed |= json_object_set_new(object, "residual", json_real(run->residual));
    }
    if (isfinite(run->seconds))
        failed |= json_object_set_new(object, "seconds", json_real(run->seconds));
    if (result->kind == FC_SIMULATOR) {
        if (isfinite(run->cpu_seconds))
            failed |= json_object_set_new(object, "cpu_seconds", json_real(run->cpu_seconds));
        if (isfinite(run->cycles))
            failed |= json_object_set_new(object, "cycles", json_real(run->cycles));
        if (isfinite(run->warmup_cycles))
            failed |= json_object_set_new(object, "warmup_cycles", json_real(run->warmup_cycles));
        failed |= json_object_set_new(object, "events", fc_json_integer(run->events));
        failed |= json_object_set_new(object, "replications", fc_json_integer(run->replications));
        failed |= json_object_set_new(object, "seed", fc_json_integer(run->seed));
    }
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}

json_t *fc_json_result(const fc_result *result, bool detail) {
    json_t *object = fc_json_document();
    json_t *scenario = json_object();
    json_t *method = json_object();
    int failed = 0;
    failed |= json_object_set_new(scenario, "name", fc_json_text(result->scenario_name));
    failed |= json_object_set_new(scenario, "hash", fc_json_text(result->scenario_hash));
    failed |= json_object_set_new(object, "scenario", scenario);
    failed |= json_object_set_new(method, "kind",
                                  json_string(result->kind == FC_MODEL ? "model" : "simulator"));
    failed |= json_object_set_new(method, "name", fc_json_text(result->method));
    failed |= json_object_set_new(object, "method", method);
    failed |= json_object_set_new(object, "outcome", json_string(fc_outcome_name(result->outcome)));
    if (result->note[0])
        failed |= json_object_set_new(object, "note", fc_json_text(result->note));
    failed |= json_object_set_new(object, "metrics", metrics_object(result));
    failed |= json_object_set_new(object, "parts", parts_array(result));
    for (size_t t = 0; detail && t < result->table_count; t++) {
        const fc_table *table = &result->tables[t];
        failed |= json_object_set_new(object, table->name, table_array(table));
    }
    if (result->accuracy.known || result->accuracy.reason[0])
        failed |= json_object_set_new(object, "accuracy", accuracy_object(&result->accuracy));
    failed |= json_object_set_new(object, "run", run_object(result));
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}

/* ---- printing ---- */

static bool plain(const json_t *value) {
    return !json_is_object(value) && !json_is_array(value);
}

static bool fits_on_a_line(const json_t *value) {
    const char *key;
    json_t *member;
    size_t index;
    json_object_foreach((json_t *)value, key, member) {
        if (!plain(member))
            return false;
    }
    json_array_foreach(value, index, member) {
        if (!plain(member))
            return false;
    }
    return true;
}

static fc_status print(const json_t *value, size_t indent, FILE *stream);

static void print_break(bool one_line, size_t indent, FILE *stream) {
    if (one_line)
        return;
    fputc('\n', stream);
    fc_write_spaces(stream, indent);
}

static fc_status print_text(const char *text, FILE *stream) {
    json_t *string = json_string(text);
    char *quoted = json_dumps(string, JSON_ENCODE_ANY);
    json_decref(string);
    if (!quoted)
        return FC_ERROR_MEMORY;
    fputs(quoted, stream);
    free(quoted);
    return FC_OK;
}

static fc_status print_members(const json_t *value, size_t indent, FILE *stream) {
    const bool one_line = fits_on_a_line(value);
    const char *separator = "";
    const char *key;
    json_t *member;
    size_t index;
    fc_status status = FC_OK;
    json_object_foreach((json_t *)value, key, member) {
        fputs(separator, stream);
        print_break(one_line, indent + 1, stream);
        if (status == FC_OK)
            status = print_text(key, stream);
        fputs(": ", stream);
        if (status == FC_OK)
            status = print(member, indent + 1, stream);
        separator = one_line ? ", " : ",";
    }
    json_array_foreach(value, index, member) {
        fputs(separator, stream);
        print_break(one_line, indent + 1, stream);
        if (status == FC_OK)
            status = print(member, indent + 1, stream);
        separator = one_line ? ", " : ",";
    }
    print_break(one_line, indent, stream);
    return status;
}

static fc_status print(const json_t *value, size_t indent, FILE *stream) {
    char number[FC_NUMBER_SIZE];
    fc_status status = FC_OK;
    switch (json_typeof(value)) {
    case JSON_OBJECT:
    case JSON_ARRAY:
        fputc(json_is_object(value) ? '{' : '[', stream);
        status = print_members(value, indent, stream);
        fputc(json_is_object(value) ? '}' : ']', stream);
        return status;
    case JSON_STRING:
        return print_text(json_string_value(value), stream);
    case JSON_REAL:
        fc_number_exact(json_real_value(value), number);
        fputs(number, stream);
        return FC_OK;
    case JSON_INTEGER:
        fprintf(stream, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        return FC_OK;
    case JSON_TRUE:
    case JSON_FALSE:
        fputs(json_is_true(value) ? "true" : "false", stream);
        return FC_OK;
    case JSON_NULL:
        break;
    }
    fputs("null", stream);
    return FC_OK;
}

fc_status fc_json_write(json_t *tree, FILE *stream) {
    if (!tree)
        return FC_ERROR_MEMORY;
    const fc_status status = print(tree, 0, stream);
    fputc('\n', stream);
    json_decref(tree);
    return status;
}

fc_status fc_result_write_json(const fc_result *result, bool detail, FILE *stream) {
    return fc_json_write(fc_json_result(result, detail), stream);
}
