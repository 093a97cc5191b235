#include "scenario/readers.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include "base/decimal.h"
#include "base/names.h"
#include "base/status.h"

/* ---- what is expected ---- */

static void describe_range(fc_range range, const char *noun, char *text, size_t size) {
    const bool bounded = range.maximum < INFINITY;
    if (range.above && bounded)
        snprintf(text, size, "%s above %g and at most %.16g", noun, range.minimum, range.maximum);
    else if (range.above)
        snprintf(text, size, "%s above %g", noun, range.minimum);
    else if (bounded)
        snprintf(text, size, "%s from %g to %.16g", noun, range.minimum, range.maximum);
    else if (range.minimum > -INFINITY)
        snprintf(text, size, "%s of at least %g", noun, range.minimum);
    else
        snprintf(text, size, "%s", noun);
}

static fc_range range_of(const fc_key *key) {
    return (fc_range){key->minimum, key->maximum, key->above_minimum};
}

static const char *or_list_of(const fc_key *key) {
    return key->list ? ", or a list of such numbers" : "";
}

void fc_key_expectation(const fc_key *key, char *text, size_t size) {
    char inner[256];
    switch (key->type) {
    case FC_KEY_INTEGER:
        describe_range(range_of(key), "a whole number", inner, sizeof inner);
        snprintf(text, size, "%s%s", inner, or_list_of(key));
        break;
    case FC_KEY_COUNT:
        describe_range(range_of(key), "a whole number", inner, sizeof inner);
        snprintf(text, size, "%s, or 'infinite'", inner);
        break;
    case FC_KEY_NUMBER:
        describe_range(range_of(key), "a number", inner, sizeof inner);
        snprintf(text, size, "%s%s", inner, or_list_of(key));
        break;
    case FC_KEY_CHOICE:
        fc_names_text(key->choices, sizeof inner, inner);
        snprintf(text, size, "one of: %s", inner);
        break;
    case FC_KEY_INTEGERS:
        describe_range(range_of(key), "a whole number", inner, sizeof inner);
        snprintf(text, size, "a list such as [8, 8], each %s", inner);
        break;
    case FC_KEY_NUMBERS:
        describe_range(range_of(key), "a number", inner, sizeof inner);
        snprintf(text, size, "a list, each %s", inner);
        break;
    case FC_KEY_CUSTOM:
        snprintf(text, size, "%s", key->expected);
        break;
    }
}

/* ---- values ---- */

static const char *shown(const fc_value *value, char text[64]) {
    if (value->kind == FC_VALUE_MAPPING)
        return "a group of keys";
    if (value->kind == FC_VALUE_SEQUENCE)
        return "a list";
    if (!value->text[0])
        return "empty";
    const bool cut = strlen(value->text) > 56;
    size_t length = 0;
    text[length++] = '\'';
    for (const char *from = value->text; *from && length <= 56; ++from)
        text[length++] = isprint((unsigned char)*from) ? *from : '?';
    snprintf(text + length, 64 - length, cut ? "...'" : "'");
    return text;
}

static fc_status fail_value(const fc_document *document, const fc_value *value, const char *what,
                            const char *expected, fc_error *error) {
    char text[64];
    return fc_fail_at(error, document, value, "%s is %s; expected %s", what, shown(value, text),
                      expected);
}

static bool in_range(double number, fc_range range) {
    return (range.above ? number > range.minimum : number >= range.minimum) &&
           number <= range.maximum;
}

fc_status fc_read_number(const fc_document *document, const fc_value *value, const char *what,
                         fc_range range, fc_error *error, double *number) {
    double parsed;
    if (value->kind == FC_VALUE_SCALAR && fc_parse_real(value->text, &parsed) &&
        in_range(parsed, range)) {
        *number = parsed;
        return FC_OK;
    }
    char expected[128];
    describe_range(range, "a number", expected, sizeof expected);
    return fail_value(document, value, what, expected, error);
}

static bool parse_integer(const fc_value *value, fc_range range, int64_t *number) {
    double parsed;
    if (value->kind != FC_VALUE_SCALAR || !fc_parse_real(value->text, &parsed) ||
        parsed != floor(parsed) || fabs(parsed) > 0x1p53 || !in_range(parsed, range))
        return false;
    *number = (int64_t)parsed;
    return true;
}

fc_status fc_read_integer(const fc_document *document, const fc_value *value, const char *what,
                          fc_range range, fc_error *error, int64_t *number) {
    if (parse_integer(value, range, number))
        return FC_OK;
    char expected[128];
    describe_range(range, "a whole number", expected, sizeof expected);
    return fail_value(document, value, what, expected, error);
}

/* An integer or 'infinite'. */
static fc_status read_count(const fc_document *document, const fc_value *value, const char *what,
                            fc_range range, fc_error *error, int64_t *number) {
    if (value->kind == FC_VALUE_SCALAR && strcmp(value->text, "infinite") == 0) {
        *number = FC_INFINITE;
        return FC_OK;
    }
    if (parse_integer(value, range, number))
        return FC_OK;
    char inner[100], expected[128];
    describe_range(range, "a whole number", inner, sizeof inner);
    snprintf(expected, sizeof expected, "%s, or 'infinite'", inner);
    return fail_value(document, value, what, expected, error);
}

fc_status fc_read_choice(const fc_document *document, const fc_value *value, const char *what,
                         const char *const *names, fc_error *error, int *choice) {
    if (value->kind == FC_VALUE_SCALAR) {
        for (int i = 0; names[i]; ++i) {
            if (strcmp(value->text, names[i]) == 0) {
                *choice = i;
                return FC_OK;
            }
        }
    }
    char list[256], text[64];
    fc_names_text(names, sizeof list, list);
    const char *nearest = value->kind == FC_VALUE_SCALAR ? fc_nearest(value->text, names) : NULL;
    if (nearest)
        return fc_fail_at(error, document, value,
                          "%s is %s; did you mean '%s'? Expected one of: %s", what,
                          shown(value, text), nearest, list);
    return fc_fail_at(error, document, value, "%s is %s; expected one of: %s", what,
                      shown(value, text), list);
}

static fc_status check_list(const fc_document *document, const fc_value *value, const char *what,
                            fc_error *error) {
    if (value->kind == FC_VALUE_SEQUENCE && value->count >= 1 && value->count <= FC_LIST_MAX)
        return FC_OK;
    if (value->kind == FC_VALUE_SEQUENCE)
        return fc_fail_at(error, document, value, "%s has %zu entries; expected 1 to %d", what,
                          value->count, FC_LIST_MAX);
    return fail_value(document, value, what, "a list in brackets, such as [8, 8]", error);
}

fc_status fc_read_integers(const fc_document *document, const fc_value *value, const char *what,
                           fc_range range, fc_error *error, fc_integer_list *list) {
    fc_status status = check_list(document, value, what, error);
    for (size_t i = 0; i < value->count && status == FC_OK; ++i)
        status = fc_read_integer(document, value->items[i], what, range, error, &list->values[i]);
    if (status == FC_OK)
        list->count = value->count;
    return status;
}

static fc_status read_numbers(const fc_document *document, const fc_value *value, const char *what,
                              fc_range range, fc_error *error, fc_number_list *list) {
    fc_status status = check_list(document, value, what, error);
    for (size_t i = 0; i < value->count && status == FC_OK; ++i)
        status = fc_read_number(document, value->items[i], what, range, error, &list->values[i]);
    if (status == FC_OK)
        list->count = value->count;
    return status;
}

fc_status fc_check_members(const fc_document *document, const fc_value *value, const char *what,
                           const char *const *names, fc_error *error) {
    if (value->kind != FC_VALUE_MAPPING)
        return fail_value(document, value, what, "a group of keys", error);
    for (size_t i = 0; i < value->count; ++i) {
        bool known = false;
        for (size_t j = 0; names[j]; ++j)
            known |= strcmp(value->keys[i], names[j]) == 0;
        if (known)
            continue;
        char list[256];
        const char *nearest = fc_nearest(value->keys[i], names);
        fc_names_text(names, sizeof list, list);
        const fc_value place = fc_value_key_position(value->items[i]);
        return fc_fail_at(error, document, &place, "unknown key '%s' in %s; %s%s%s", value->keys[i],
                          what, nearest ? "did you mean '" : "expected one of: ",
                          nearest ? nearest : list, nearest ? "'?" : "");
    }
    return FC_OK;
}

/* ---- keys of a family's table ---- */

static fc_status read_each_integer(const fc_key *key, const fc_document *document,
                                   const fc_value *value, void *field, fc_error *error) {
    fc_integer_list *list = (fc_integer_list *)((char *)field + key->list);
    int64_t *largest = field;
    list->count = 0;
    if (value->kind != FC_VALUE_SEQUENCE)
        return fc_read_integer(document, value, key->path, range_of(key), error, largest);
    const fc_status status =
        fc_read_integers(document, value, key->path, range_of(key), error, list);
    for (size_t i = 0; i < list->count; ++i)
        *largest = i == 0 || list->values[i] > *largest ? list->values[i] : *largest;
    return status;
}

static fc_status read_each_number(const fc_key *key, const fc_document *document,
                                  const fc_value *value, void *field, fc_error *error) {
    fc_number_list *list = (fc_number_list *)((char *)field + key->list);
    double *largest = field;
    list->count = 0;
    if (value->kind != FC_VALUE_SEQUENCE)
        return fc_read_number(document, value, key->path, range_of(key), error, largest);
    const fc_status status = read_numbers(document, value, key->path, range_of(key), error, list);
    for (size_t i = 0; i < list->count; ++i)
        *largest = i == 0 || list->values[i] > *largest ? list->values[i] : *largest;
    return status;
}

fc_status fc_key_read(const fc_key *key, const fc_document *document, const fc_value *value,
                      void *field, fc_error *error) {
    const fc_range range = range_of(key);
    switch (key->type) {
    case FC_KEY_INTEGER:
        if (key->list)
            return read_each_integer(key, document, value, field, error);
        return fc_read_integer(document, value, key->path, range, error, field);
    case FC_KEY_COUNT:
        return read_count(document, value, key->path, range, error, field);
    case FC_KEY_NUMBER:
        if (key->list)
            return read_each_number(key, document, value, field, error);
        return fc_read_number(document, value, key->path, range, error, field);
    case FC_KEY_CHOICE:
        return fc_read_choice(document, value, key->path, key->choices, error, field);
    case FC_KEY_INTEGERS:
        return fc_read_integers(document, value, key->path, range, error, field);
    case FC_KEY_NUMBERS:
        return read_numbers(document, value, key->path, range, error, field);
    case FC_KEY_CUSTOM:
        return key->read(document, value, field, error);
    }
    return FC_ERROR_ARGUMENT;
}

void fc_number_write(const char *before, double number, FILE *stream) {
    char text[FC_REAL_SIZE];
    fc_real_text(number, text);
    fprintf(stream, "%s%s", before, text);
}

fc_key fc_key_as_given(const fc_key *key, const void *field) {
    fc_key given = *key;
    const void *list = (const char *)field + key->list;
    if (key->list && key->type == FC_KEY_INTEGER && ((const fc_integer_list *)list)->count)
        given.type = FC_KEY_INTEGERS;
    if (key->list && key->type == FC_KEY_NUMBER && ((const fc_number_list *)list)->count)
        given.type = FC_KEY_NUMBERS;
    if (given.type != key->type)
        given.offset += key->list;
    return given;
}

void fc_key_write(const fc_key *declared, const void *declared_field, FILE *stream) {
    const fc_key given = fc_key_as_given(declared, declared_field), *key = &given;
    const void *field = (const char *)declared_field + (given.offset - declared->offset);
    switch (key->type) {
    case FC_KEY_INTEGER:
    case FC_KEY_COUNT: {
        const int64_t number = *(const int64_t *)field;
        if (key->type == FC_KEY_COUNT && number == FC_INFINITE)
            fputs("infinite", stream);
        else
            fprintf(stream, "%lld", (long long)number);
        break;
    }
    case FC_KEY_NUMBER:
        fc_number_write("", *(const double *)field, stream);
        break;
    case FC_KEY_CHOICE:
        fputs(key->choices[*(const int *)field], stream);
        break;
    case FC_KEY_INTEGERS: {
        const fc_integer_list *list = field;
        for (size_t i = 0; i < list->count; ++i)
            fprintf(stream, "%s%lld", i ? ", " : "[", (long long)list->values[i]);
        fputs(list->count ? "]" : "[]", stream);
        break;
    }
    case FC_KEY_NUMBERS: {
        const fc_number_list *list = field;
        for (size_t i = 0; i < list->count; ++i) {
            fputs(i ? ", " : "[", stream);
            fc_number_write("", list->values[i], stream);
        }
        fputs(list->count ? "]" : "[]", stream);
        break;
    }
    case FC_KEY_CUSTOM:
        key->write(field, stream);
        break;
    }
}
