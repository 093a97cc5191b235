#include "importers/booksim_file.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "base/decimal.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/status.h"

enum { KEY_SIZE = 64 };

/* ---- keys and values ---- */

static size_t find_key(const char *name) {
    size_t index = 0;
    while (fc_booksim_keys[index].name && strcmp(fc_booksim_keys[index].name, name) != 0)
        ++index;
    return index;
}

size_t fc_booksim_index(const char *key) {
    return find_key(key);
}

bool fc_booksim_given(const fc_booksim_file *file, const char *key) {
    return file->values[find_key(key)].text != NULL;
}

const char *fc_booksim_text(const fc_booksim_file *file, const char *key) {
    const size_t index = find_key(key);
    return file->values[index].text ? file->values[index].text : fc_booksim_keys[index].fallback;
}

static const char *hint_key(const char *name, char hint[FC_HINT_SIZE]) {
    const char *names[FC_BOOKSIM_KEYS_MAX + 1];
    size_t count = 0;
    for (; fc_booksim_keys[count].name && count < FC_BOOKSIM_KEYS_MAX; ++count)
        names[count] = fc_booksim_keys[count].name;
    names[count] = NULL;
    return fc_names_hint(name, names, "", hint);
}

bool fc_booksim_item(const char *text, size_t index, char item[FC_BOOKSIM_VALUE_SIZE]) {
    if (text[0] != '{') {
        if (index == 0)
            snprintf(item, FC_BOOKSIM_VALUE_SIZE, "%s", text);
        return index == 0 && text[0];
    }
    const char *begin = text + 1;
    int depth = 0;
    for (const char *at = begin; *at; ++at) {
        if (*at == '{' || *at == '(') {
            ++depth;
        } else if (depth > 0 && (*at == '}' || *at == ')')) {
            --depth;
        } else if (depth == 0 && (*at == ',' || *at == '}')) {
            if (at > begin && index-- == 0) {
                snprintf(item, FC_BOOKSIM_VALUE_SIZE, "%.*s", (int)(at - begin), begin);
                return true;
            }
            begin = at + 1;
        }
    }
    return false;
}

/* "1234 or more", "0 to 1" for messages. */
static void range_text(fc_booksim_range range, char text[96]) {
    const char *kind = range.whole ? "a whole number" : "a number";
    if (isinf(range.maximum))
        snprintf(text, 96, "%s, %.16g or more", kind, range.minimum);
    else
        snprintf(text, 96, "%s from %.16g to %.16g", kind, range.minimum, range.maximum);
}

fc_status fc_booksim_number(const fc_booksim_file *file, const char *key, size_t index,
                            fc_booksim_range range, fc_error *error, double *number) {
    const char *text = fc_booksim_text(file, key);
    char item[FC_BOOKSIM_VALUE_SIZE] = "", next[FC_BOOKSIM_VALUE_SIZE];
    for (size_t i = 0; i <= index && fc_booksim_item(text, i, next); ++i)
        memcpy(item, next, sizeof item);
    double value;
    char expected[96];
    range_text(range, expected);
    if (!fc_parse_real(item, &value) || value < range.minimum || value > range.maximum ||
        (range.whole && value != floor(value)))
        return fc_booksim_fail(file, key, error, "%s is '%.100s'; expected %s", key, item,
                               expected);
    *number = value;
    return FC_OK;
}

fc_status fc_booksim_fail(const fc_booksim_file *file, const char *key, fc_error *error,
                          const char *format, ...) {
    char sentence[800];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    const fc_booksim_value none = {0}, *value = key ? &file->values[find_key(key)] : &none;
    if (value->text && value->line)
        return fc_fail(error, FC_ERROR_INPUT, "%.200s:%zu:%zu: %s", file->origin, value->line,
                       value->column, sentence);
    if (value->text)
        return fc_fail(error, FC_ERROR_INPUT, "%s=%.100s: %s", key, value->text, sentence);
    return fc_fail(error, FC_ERROR_INPUT, "%.200s: %s", file->origin, sentence);
}

/* ---- text ---- */

struct reading {
    const char *at, *end;
    size_t line, column;
    fc_booksim_file *file;
    fc_error *error;
};

static int look(const struct reading *reading, size_t ahead) {
    return (size_t)(reading->end - reading->at) > ahead ? (unsigned char)reading->at[ahead] : -1;
}

static void step(struct reading *reading) {
    if (*reading->at++ == '\n') {
        ++reading->line;
        reading->column = 1;
    } else {
        ++reading->column;
    }
}

static void skip_blank(struct reading *reading) {
    for (;;) {
        const int c = look(reading, 0);
        if (c == '/' && look(reading, 1) == '/') {
            while (look(reading, 0) >= 0 && look(reading, 0) != '\n')
                step(reading);
        } else if (c >= 0 && isspace(c)) {
            step(reading);
        } else {
            return;
        }
    }
}

static fc_status fail_here(const struct reading *reading, const char *sentence) {
    return fc_fail(reading->error, FC_ERROR_INPUT, "%.200s:%zu:%zu: %s", reading->file->origin,
                   reading->line, reading->column, sentence);
}

static bool is_word(int c) {
    return c >= 0 && (isalnum(c) || c == '_');
}

static fc_status read_word(struct reading *reading, char key[KEY_SIZE]) {
    size_t length = 0;
    while (is_word(look(reading, 0)) && length + 1 < KEY_SIZE) {
        key[length++] = *reading->at;
        step(reading);
    }
    key[length] = '\0';
    if (!length)
        return fail_here(reading, "a key was expected, as in 'k = 8;'");
    return is_word(look(reading, 0)) ? fail_here(reading, "no key is as long as this") : FC_OK;
}

/* Everything up to the semicolon, without blanks. A line that begins another assignment means that
 * the semicolon is missing. */
static fc_status read_plain(struct reading *reading, char value[FC_BOOKSIM_VALUE_SIZE]) {
    const struct reading begin = *reading;
    size_t length = 0;
    for (;;) {
        skip_blank(reading);
        const int c = look(reading, 0);
        if (c == ';')
            break;
        if (c < 0 || c == '=')
            return fail_here(&begin, "this value does not end with a semicolon");
        if (!isgraph(c) || strchr("\"'`\\#", c))
            return fail_here(reading, "a value is a number, a word or a vector {a,b}");
        if (length + 1 == FC_BOOKSIM_VALUE_SIZE)
            return fail_here(&begin, "this value is longer than 1023 characters");
        value[length++] = (char)c;
        step(reading);
    }
    value[length] = '\0';
    step(reading);
    return length ? FC_OK : fail_here(&begin, "a value was expected before the semicolon");
}

static bool is_balanced(const char *value) {
    char open[32];
    size_t depth = 0;
    for (; *value; ++value) {
        if (*value == '{' || *value == '(') {
            if (depth == sizeof open)
                return false;
            open[depth++] = *value == '{' ? '}' : ')';
        } else if (*value == '}' || *value == ')') {
            if (depth == 0 || open[--depth] != *value)
                return false;
        }
    }
    return depth == 0;
}

static fc_status read_assignment(struct reading *reading) {
    struct reading begin = *reading;
    char key[KEY_SIZE], value[FC_BOOKSIM_VALUE_SIZE];
    fc_status status = read_word(reading, key);
    if (status != FC_OK)
        return status;
    const size_t index = find_key(key);
    if (!fc_booksim_keys[index].name) {
        char hint[FC_HINT_SIZE], sentence[200];
        snprintf(sentence, sizeof sentence, "BookSim has no key '%s'%s", key, hint_key(key, hint));
        return fail_here(&begin, sentence);
    }
    skip_blank(reading);
    if (look(reading, 0) != '=')
        return fail_here(reading, "an equals sign was expected after the key");
    step(reading);
    skip_blank(reading);
    begin.column = begin.line == reading->line ? begin.column : 1;
    status = read_plain(reading, value);
    if (status != FC_OK)
        return status;
    if (!is_balanced(value))
        return fail_here(&begin, "the brackets of this value do not match");
    fc_booksim_value *slot = &reading->file->values[index];
    fc_release(slot->text);
    *slot = (fc_booksim_value){fc_copy_text(value), begin.line, begin.column};
    return slot->text ? FC_OK : fc_fail_memory(reading->error);
}

/* A setting of the command line: read like a file of one line, whose place does not matter. */
static fc_status read_override(fc_booksim_file *file, const fc_setting *override, fc_error *error) {
    char text[KEY_SIZE + FC_BOOKSIM_VALUE_SIZE + 8];
    const int length = snprintf(text, sizeof text, "%s=%s;", override->key, override->value);
    if (length < 0 || (size_t)length >= sizeof text)
        return fc_fail(error, FC_ERROR_INPUT, "%.60s=...: this value is too long", override->key);
    fc_error cause = {{0}};
    char *origin = file->origin, own[] = "on the command line";
    file->origin = own;
    struct reading reading = {text, text + length, 1, 1, file, &cause};
    fc_status status = read_assignment(&reading);
    file->origin = origin;
    if (status == FC_ERROR_MEMORY)
        return fc_fail_memory(error);
    if (status == FC_OK && reading.at != reading.end)
        status = fc_fail(error, FC_ERROR_INPUT, "%.60s=%.200s: one value was expected",
                         override->key, override->value);
    else if (status != FC_OK)
        fc_error_write(error, "%.60s=%.200s: %s", override->key, override->value,
                       strstr(cause.text, ": ") ? strstr(cause.text, ": ") + 2 : cause.text);
    fc_booksim_value *value = &file->values[find_key(override->key)];
    if (status == FC_OK)
        value->line = value->column = 0;
    return status;
}

bool fc_booksim_begins(const char *text, size_t length) {
    struct reading reading = {text, text + length, 1, 1, NULL, NULL};
    skip_blank(&reading);
    if (!is_word(look(&reading, 0)))
        return false;
    while (is_word(look(&reading, 0)))
        step(&reading);
    skip_blank(&reading);
    return look(&reading, 0) == '=';
}

fc_status fc_booksim_file_parse(const fc_input *input, const fc_setting *overrides, size_t count,
                                fc_error *error, fc_booksim_file **file) {
    fc_booksim_file *made = fc_allocate(1, sizeof *made);
    if (!made || !(made->origin = fc_copy_text(input->origin))) {
        fc_release(made);
        return fc_fail_memory(error);
    }
    struct reading reading = {input->text, input->text + input->length, 1, 1, made, error};
    fc_status status = FC_OK;
    if (input->length >= 3 && memcmp(input->text, "\xEF\xBB\xBF", 3) == 0)
        reading.at += 3; /* a byte order mark */
    for (skip_blank(&reading); status == FC_OK && reading.at != reading.end; skip_blank(&reading))
        status = read_assignment(&reading);
    for (size_t i = 0; i < count && status == FC_OK; ++i)
        status = read_override(made, &overrides[i], error);
    if (status == FC_OK)
        *file = made;
    else
        fc_booksim_file_free(made);
    return status;
}

void fc_booksim_file_free(fc_booksim_file *file) {
    if (!file)
        return;
    for (size_t i = 0; i < FC_BOOKSIM_KEYS_MAX; ++i)
        fc_release(file->values[i].text);
    fc_release(file->origin);
    fc_release(file);
}
