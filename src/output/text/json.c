#include "output/text/json.h"

#include "base/memory.h"
#include "base/units.h"
#include "output/text/characters.h"
#include "output/text/numbers.h"
#include "output/text/writing.h"
#include "registry/result.h"

#include <math.h>
#include <string.h>

json_t *fc_json_text(const char *text) {
    size_t valid = 0;
    for (size_t bytes; (bytes = fc_text_character(text + valid)) > 0;)
        valid += bytes;
    if (!text[valid])
        return json_string(text);
    char *clean = fc_copy_text(text);
    if (!clean)
        return NULL;
    for (char *at = clean; *at;) {
        const size_t bytes = fc_text_character(at);
        if (bytes == 0)
            *at = '?';
        at += bytes ? bytes : 1;
    }
    json_t *string = json_string(clean);
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

void fc_json_set(json_t **object, const char *key, json_t *value) {
    if (json_object_set_new(*object, key, value) != 0) {
        json_decref(*object);
        *object = NULL;
    }
}

void fc_json_append(json_t **array, json_t *value) {
    if (json_array_append_new(*array, value) != 0) {
        json_decref(*array);
        *array = NULL;
    }
}

/* ---- a result as a tree ---- */

void fc_json_set_physical(json_t **object, const fc_units *units, const char *unit, double value,
                          double half_width) {
    fc_physical known;
    if (!fc_physical_of(units, unit, &known) || !isfinite(value))
        return;
    json_t *physical = json_object();
    fc_json_set(&physical, "value", json_real(value * known.factor));
    fc_json_set(&physical, "unit", fc_json_text(known.unit));
    if (isfinite(half_width))
        fc_json_set(&physical, "half_width", json_real(half_width * known.factor));
    fc_json_set(object, "physical", physical);
}

static json_t *units_object(const fc_units *units) {
    json_t *object = json_object();
    if (units->clock_ghz > 0)
        fc_json_set(&object, "clock_ghz", json_real(units->clock_ghz));
    if (units->flit_bytes > 0)
        fc_json_set(&object, "flit_bytes", json_real(units->flit_bytes));
    fc_json_set(&object, "message_flits", json_real(units->message_flits));
    return object;
}

static json_t *metric_object(const fc_units *units, const fc_metric *metric, bool named) {
    json_t *object = json_object();
    if (named)
        fc_json_set(&object, "name", fc_json_text(metric->name));
    fc_json_set(&object, "value", fc_json_number(metric->value));
    fc_json_set(&object, "unit", fc_json_text(metric->unit));
    if (isfinite(metric->half_width))
        fc_json_set(&object, "half_width", json_real(metric->half_width));
    if (isfinite(metric->uncalibrated))
        fc_json_set(&object, "uncalibrated", json_real(metric->uncalibrated));
    if (metric->bound != FC_EXACT)
        fc_json_set(&object, "bound", json_string(fc_bound_name(metric->bound)));
    fc_units known = *units;
    if (fc_metric_is_of_class(metric->name))
        known.message_flits = 0; /* of the mean message */
    fc_json_set_physical(&object, &known, metric->unit, metric->value, metric->half_width);
    return object;
}

static void add_interval(const fc_result *result, const fc_metric *metric, json_t **object) {
    double low, high;
    if (result->kind == FC_MODEL && (result->flags & FC_FLAG_NOT_VALIDATED) &&
        !fc_metric_is_count(metric->name))
        fc_json_set(object, "validated", json_false());
    if (fc_result_interval_of(result, metric, &low, &high)) {
        json_t *interval = json_object();
        fc_json_set(&interval, "low", json_real(low));
        fc_json_set(&interval, "high", fc_json_number(high));
        fc_json_set(object, "interval", interval);
    }
}

json_t *fc_json_flags(unsigned flags) {
    json_t *array = json_array();
    for (unsigned i = 0; i < FC_FLAGS; ++i)
        if (flags >> i & 1)
            fc_json_append(&array, json_string(fc_flag_name(1U << i)));
    return array;
}

static void add_metric(const fc_result *result, const fc_metric *metric, const char *name,
                       json_t **object) {
    json_t *described = metric_object(&result->units, metric, false);
    add_interval(result, metric, &described);
    fc_json_set(object, name, described);
}

/* Without those of single classes of messages. */
static json_t *metrics_object(const fc_result *result) {
    json_t *object = json_object();
    for (size_t m = 0; m < result->metric_count; m++) {
        const fc_metric *metric = &result->metrics[m];
        if (isfinite(metric->value) && !fc_metric_is_of_class(metric->name))
            add_metric(result, metric, metric->name, &object);
    }
    return object;
}

static void append_class(const char *name, size_t length, json_t *metrics, json_t **classes) {
    json_t *object = json_object();
    fc_json_set(&object, "name", json_stringn(name, length));
    fc_json_set(&object, "metrics", metrics);
    fc_json_append(classes, object);
}

/* Those of a class follow each other; NULL: there are none. */
static json_t *classes_array(const fc_result *result) {
    json_t *array = NULL, *metrics = NULL;
    const char *class = NULL;
    size_t length = 0;
    for (size_t m = 0; m < result->metric_count; m++) {
        const fc_metric *metric = &result->metrics[m];
        if (!fc_metric_is_of_class(metric->name))
            continue;
        const size_t own = strcspn(metric->name, ".");
        if (class && (own != length || strncmp(class, metric->name, own) != 0)) {
            append_class(class, length, metrics, &array);
            class = NULL;
        }
        if (!class) {
            array = array ? array : json_array();
            metrics = json_object();
            class = metric->name;
            length = own;
        }
        add_metric(result, metric, metric->name + own + 1, &metrics);
    }
    if (class)
        append_class(class, length, metrics, &array);
    return array;
}

static json_t *parts_array(const fc_result *result) {
    json_t *array = json_array();
    for (size_t p = 0; p < result->part_count; p++) {
        if (isfinite(result->parts[p].value))
            fc_json_append(&array, metric_object(&result->units, &result->parts[p], true));
    }
    return array;
}

/* A label of several words, also word by word. */
static void set_label(json_t **row, const fc_table *table, const char *label) {
    fc_json_set(row, "label", fc_json_text(label));
    for (size_t w = 0; w < FC_LABEL_WORDS && table->label_words[w][0]; w++) {
        char word[FC_NAME_SIZE];
        const size_t length = strcspn(label, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, label);
        fc_json_set(row, table->label_words[w], fc_json_text(word));
        label += length + (label[length] == ' ');
    }
}

static json_t *table_array(const fc_table *table) {
    json_t *array = json_array();
    for (size_t r = 0; r < table->rows; r++) {
        json_t *row = json_object();
        set_label(&row, table, table->row_labels[r]);
        for (size_t c = 0; c < table->columns; c++) {
            fc_json_set(&row, table->column_names[c],
                        fc_json_number(table->values[r * table->columns + c]));
        }
        fc_json_append(&array, row);
    }
    return array;
}

static json_t *accuracy_object(const fc_accuracy *accuracy) {
    char text[FC_ACCURACY_SIZE];
    json_t *object = json_object();
    if (accuracy->known) {
        fc_json_set(&object, "typical", fc_json_number(accuracy->typical));
        fc_json_set(&object, "worst", fc_json_number(accuracy->worst));
        fc_json_set(&object, "cases", fc_json_integer(accuracy->cases));
        fc_json_set(&object, "networks", fc_json_integer(accuracy->networks));
        fc_json_set(&object, "unsolved", fc_json_integer(accuracy->unsolved));
        if (isfinite(accuracy->low)) {
            fc_json_set(&object, "load_low", json_real(accuracy->low));
            fc_json_set(&object, "load_high", json_real(accuracy->high));
        }
    }
    fc_accuracy_text(accuracy, text);
    fc_json_set(&object, "text", fc_json_text(text));
    return object;
}

static json_t *run_object(const fc_result *result) {
    const fc_run_info *run = &result->run;
    json_t *object = json_object();
    if (result->kind == FC_MODEL) {
        fc_json_set(&object, "iterations", fc_json_integer(run->iterations));
        if (isfinite(run->residual))
            fc_json_set(&object, "residual", json_real(run->residual));
    }
    if (isfinite(run->seconds))
        fc_json_set(&object, "seconds", json_real(run->seconds));
    if (result->kind == FC_SIMULATOR) {
        if (isfinite(run->cpu_seconds))
            fc_json_set(&object, "cpu_seconds", json_real(run->cpu_seconds));
        if (isfinite(run->cycles))
            fc_json_set(&object, "cycles", json_real(run->cycles));
        if (isfinite(run->warmup_cycles))
            fc_json_set(&object, "warmup_cycles", json_real(run->warmup_cycles));
        if (run->cycles_saved > 0 && isfinite(run->cycles_saved))
            fc_json_set(&object, "cycles_saved", json_real(run->cycles_saved));
        if (run->engine[0])
            fc_json_set(&object, "engine", json_string(run->engine));
        if (run->engine_reason[0])
            fc_json_set(&object, "engine_reason", fc_json_text(run->engine_reason));
        fc_json_set(&object, "events", fc_json_integer(run->events));
        fc_json_set(&object, "replications", fc_json_integer(run->replications));
        fc_json_set(&object, "seed", fc_json_integer(run->seed));
    }
    return object;
}

json_t *fc_json_result(const fc_result *result, bool detail) {
    json_t *object = json_object();
    json_t *scenario = json_object();
    json_t *method = json_object();
    fc_json_set(&object, "tool", json_string("flitcast"));
    fc_json_set(&object, "version", fc_json_text(result->version));
    fc_json_set(&scenario, "name", fc_json_text(result->scenario_name));
    fc_json_set(&scenario, "hash", fc_json_text(result->scenario_hash));
    fc_json_set(&object, "scenario", scenario);
    fc_json_set(&method, "kind", json_string(result->kind == FC_MODEL ? "model" : "simulator"));
    fc_json_set(&method, "name", fc_json_text(result->method));
    if (result->revision)
        fc_json_set(&method, "revision", fc_json_integer(result->revision));
    fc_json_set(&object, "method", method);
    fc_json_set(&object, "outcome", json_string(fc_outcome_name(result->outcome)));
    if (result->kind == FC_MODEL) {
        fc_json_set(&object, "validated", json_boolean(!(result->flags & FC_FLAG_NOT_VALIDATED)));
        fc_json_set(&object, "flags", fc_json_flags(result->flags));
    }
    if (result->calibrated) {
        fc_json_set(&object, "calibrated", json_true());
        fc_json_set(&object, "calibration_networks", fc_json_integer(result->calibrated));
    }
    if (result->note[0])
        fc_json_set(&object, "note", fc_json_text(result->note));
    if (result->main_metric[0])
        fc_json_set(&object, "main_metric", fc_json_text(result->main_metric));
    if (fc_units_given(&result->units))
        fc_json_set(&object, "units", units_object(&result->units));
    fc_json_set(&object, "metrics", metrics_object(result));
    json_t *classes = classes_array(result);
    if (classes)
        fc_json_set(&object, "classes", classes);
    if (result->part_count)
        fc_json_set(&object, "parts_of", fc_json_text(result->parts_of));
    fc_json_set(&object, "parts", parts_array(result));
    if (result->critical.phase[0])
        fc_json_set(&object, "critical", fc_json_critical(&result->critical));
    for (size_t t = 0; detail && t < result->table_count; t++) {
        const fc_table *table = &result->tables[t];
        fc_json_set(&object, table->name, table_array(table));
    }
    if (result->accuracy.known || result->accuracy.reason[0])
        fc_json_set(&object, "accuracy", accuracy_object(&result->accuracy));
    fc_json_set(&object, "run", run_object(result));
    return object;
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

static void print(const json_t *value, size_t indent, FILE *stream);

static void print_break(bool one_line, size_t indent, FILE *stream) {
    if (one_line)
        return;
    fputc('\n', stream);
    fc_write_spaces(stream, indent);
}

static void print_text(const char *text, FILE *stream) {
    static const char letters[' '] = {
        ['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't'};
    fputc('"', stream);
    for (; *text; ++text) {
        const unsigned char c = (unsigned char)*text;
        if (c < ' ' && !letters[c])
            fprintf(stream, "\\u%04X", c);
        else if (c < ' ' || c == '"' || c == '\\')
            fprintf(stream, "\\%c", c < ' ' ? letters[c] : c);
        else
            fputc(c, stream);
    }
    fputc('"', stream);
}

static void print_members(const json_t *value, size_t indent, FILE *stream) {
    const bool one_line = fits_on_a_line(value);
    const char *separator = "";
    const char *key;
    json_t *member;
    size_t index;
    json_object_foreach((json_t *)value, key, member) {
        fputs(separator, stream);
        print_break(one_line, indent + 1, stream);
        print_text(key, stream);
        fputs(": ", stream);
        print(member, indent + 1, stream);
        separator = one_line ? ", " : ",";
    }
    json_array_foreach(value, index, member) {
        fputs(separator, stream);
        print_break(one_line, indent + 1, stream);
        print(member, indent + 1, stream);
        separator = one_line ? ", " : ",";
    }
    print_break(one_line, indent, stream);
}

static void print(const json_t *value, size_t indent, FILE *stream) {
    char number[FC_NUMBER_SIZE];
    switch (json_typeof(value)) {
    case JSON_OBJECT:
    case JSON_ARRAY:
        fputc(json_is_object(value) ? '{' : '[', stream);
        print_members(value, indent, stream);
        fputc(json_is_object(value) ? '}' : ']', stream);
        break;
    case JSON_STRING:
        print_text(json_string_value(value), stream);
        break;
    case JSON_REAL:
        fc_number_exact(json_real_value(value), number);
        fputs(number, stream);
        break;
    case JSON_INTEGER:
        fprintf(stream, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        break;
    case JSON_TRUE:
        fputs("true", stream);
        break;
    case JSON_FALSE:
        fputs("false", stream);
        break;
    case JSON_NULL:
        fputs("null", stream);
        break;
    }
}

fc_status fc_json_write(json_t *tree, FILE *stream) {
    if (!tree)
        return FC_ERROR_MEMORY;
    print(tree, 0, stream);
    fputc('\n', stream);
    json_decref(tree);
    return FC_OK;
}

fc_status fc_result_write_json(const fc_result *result, bool detail, FILE *stream) {
    return fc_json_write(fc_json_result(result, detail), stream);
}
