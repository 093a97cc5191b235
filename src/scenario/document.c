#include "scenario/document.h"

#include <stdarg.h>
#include <string.h>
#include <yaml.h>
#include "base/decimal.h"
#include "base/memory.h"
#include "base/status.h"

/* A document's values and texts live in blocks that are freed together: a sweep copies documents by
 * the million, and a block costs one allocation instead of dozens. */
/* No group of a scenario knows a tenth as many keys as KEYS_MAX: a file with more is not one, and
 * each key is looked for among those before it. */
enum { BLOCK_BYTES = 4096, DEPTH_MAX = 16, KEYS_MAX = 1000 };

struct block {
    struct block *next;
    size_t used, size;
    /* the bytes follow */
};

struct owned_document {
    fc_document document; /* first, so that the two pointers are the same */
    struct block *blocks;
};

/* Zeroed, as the block it is of was made. */
static void *take(fc_document *document, size_t bytes) {
    struct owned_document *owner = (struct owned_document *)document;
    bytes = (bytes + 15) & ~(size_t)15;
    if (!owner->blocks || owner->blocks->size - owner->blocks->used < bytes) {
        const size_t size = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
        struct block *block = fc_allocate(1, sizeof *block + size);
        if (!block)
            return NULL;
        block->size = size;
        block->next = owner->blocks;
        owner->blocks = block;
    }
    char *bytes_begin = (char *)(owner->blocks + 1) + owner->blocks->used;
    owner->blocks->used += bytes;
    return bytes_begin;
}

static char *take_text(fc_document *document, const char *text, size_t length) {
    char *copy = take(document, length + 1);
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

static fc_status create_document(const char *origin, fc_error *error, fc_document **document) {
    struct owned_document *owner = fc_allocate(1, sizeof *owner);
    if (!owner)
        return fc_fail_memory(error);
    owner->document.origin = take_text(&owner->document, origin, strlen(origin));
    if (!owner->document.origin) {
        fc_release(owner);
        return fc_fail_memory(error);
    }
    *document = &owner->document;
    return FC_OK;
}

void fc_document_free(fc_document *document) {
    struct owned_document *owner = (struct owned_document *)document;
    if (!owner)
        return;
    for (struct block *block = owner->blocks, *next; block; block = next) {
        next = block->next;
        fc_release(block);
    }
    fc_release(owner);
}

fc_status fc_fail_at(fc_error *error, const fc_document *document, const fc_value *value,
                     const char *format, ...) {
    if (error) {
        char sentence[sizeof error->text];
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(sentence, sizeof sentence, format, arguments);
        va_end(arguments);
        if (value && value->setting)
            snprintf(error->text, sizeof error->text, "%.200s: %.800s", value->setting, sentence);
        else if (value && value->line)
            snprintf(error->text, sizeof error->text, "%.200s:%zu:%zu: %.760s", document->origin,
                     value->line, value->column, sentence);
        else
            snprintf(error->text, sizeof error->text, "%.200s: %.800s", document->origin, sentence);
    }
    return FC_ERROR_INPUT;
}

fc_value fc_value_key_position(const fc_value *value) {
    return (fc_value){
        .line = value->key_line, .column = value->key_column, .setting = value->setting};
}

/* ---- finding ---- */

static fc_value **find_member(const fc_value *mapping, const char *key) {
    for (size_t i = 0; i < mapping->count; ++i) {
        if (strcmp(mapping->keys[i], key) == 0)
            return &mapping->items[i];
    }
    return NULL;
}

const fc_value *fc_value_member(const fc_value *mapping, const char *key) {
    fc_value **member = find_member(mapping, key);
    return member ? *member : NULL;
}

enum { PART_SIZE = 128 };

/* The next part of a dotted key; false if there is none or it is too long to be one. */
static bool take_part(const char **rest, char part[PART_SIZE]) {
    const size_t length = strcspn(*rest, ".");
    if (length == 0 || length >= PART_SIZE)
        return false;
    memcpy(part, *rest, length);
    part[length] = '\0';
    *rest += length;
    return true;
}

/* Where the value is that the next part of a dotted key names: a member, or an entry of a list
 * by its number; NULL: not there. */
static fc_value **find_slot(const fc_value *inside, const char *part) {
    if (inside->kind == FC_VALUE_MAPPING)
        return find_member(inside, part);
    uint64_t index;
    if (inside->kind == FC_VALUE_SEQUENCE && inside->count &&
        fc_parse_whole(part, inside->count - 1, &index))
        return &inside->items[index];
    return NULL;
}

const fc_value *fc_document_find(const fc_document *document, const char *path) {
    const fc_value *value = document->root;
    char part[PART_SIZE];
    while (take_part(&path, part)) {
        fc_value **slot = find_slot(value, part);
        if (!slot || !*path)
            return slot ? *slot : NULL;
        value = *slot;
        ++path;
    }
    return NULL;
}

/* ---- YAML to values ---- */

struct reading {
    yaml_parser_t parser;
    fc_document *document;
    const char *setting; /* the option whose value is being read, or NULL */
    fc_error *error;
};

static fc_status fail_reading(struct reading *reading, size_t line, size_t column,
                              const char *sentence) {
    const fc_value place = {.line = line + 1, .column = column + 1, .setting = reading->setting};
    return fc_fail_at(reading->error, reading->document, &place, "%s", sentence);
}

static fc_status next_event(struct reading *reading, yaml_event_t *event) {
    if (yaml_parser_parse(&reading->parser, event))
        return FC_OK;
    const yaml_parser_t *parser = &reading->parser;
    char sentence[300];
    if (parser->error == YAML_MEMORY_ERROR)
        return fc_fail_memory(reading->error);
    if (parser->error == YAML_READER_ERROR) {
        snprintf(sentence, sizeof sentence, "this is not text in UTF-8 (%s)", parser->problem);
        return fail_reading(reading, parser->mark.line, parser->mark.column, sentence);
    }
    if (parser->error == YAML_SCANNER_ERROR && parser->buffer.pointer < parser->buffer.last &&
        *parser->buffer.pointer == '\t')
        snprintf(sentence, sizeof sentence, "tab character; indent YAML by spaces");
    else
        snprintf(sentence, sizeof sentence, "this is not YAML: %s%s%s",
                 parser->context ? parser->context : "", parser->context ? ", " : "",
                 parser->problem);
    return fail_reading(reading, parser->problem_mark.line, parser->problem_mark.column, sentence);
}

/* Room for one more item in the growing arrays of a value. */
static bool make_room(fc_document *document, fc_value *value) {
    const size_t count = value->count;
    if (value->items && count < value->capacity)
        return true;
    const size_t capacity = count ? 2 * count : 4;
    fc_value **items = take(document, capacity * sizeof *items);
    if (!items)
        return false;
    if (value->items)
        memcpy(items, value->items, count * sizeof *items);
    value->items = items;
    if (value->kind == FC_VALUE_MAPPING) {
        char **keys = take(document, capacity * sizeof *keys);
        if (!keys)
            return false;
        if (value->keys)
            memcpy(keys, value->keys, count * sizeof *keys);
        value->keys = keys;
    }
    value->capacity = capacity;
    return true;
}

static fc_status append(fc_document *document, fc_value *into, const char *key, fc_value *item,
                        fc_error *error) {
    if (!make_room(document, into))
        return fc_fail_memory(error);
    if (key) {
        char *copy = take_text(document, key, strlen(key));
        if (!copy)
            return fc_fail_memory(error);
        into->keys[into->count] = copy;
    }
    into->items[into->count++] = item;
    return FC_OK;
}

static fc_status read_value(struct reading *reading, const yaml_event_t *event, int depth,
                            fc_value **result);

static fc_status fail_duplicate(struct reading *reading, const fc_value *mapping,
                                const yaml_event_t *event) {
    const char *key = (const char *)event->data.scalar.value;
    char sentence[200];
    snprintf(sentence, sizeof sentence, "duplicate key '%s' (first at line %zu)", key,
             fc_value_member(mapping, key)->key_line);
    return fail_reading(reading, event->start_mark.line, event->start_mark.column, sentence);
}

static fc_status read_items(struct reading *reading, fc_value *value, int depth) {
    const bool mapping = value->kind == FC_VALUE_MAPPING;
    const yaml_event_type_t end = mapping ? YAML_MAPPING_END_EVENT : YAML_SEQUENCE_END_EVENT;
    for (;;) {
        yaml_event_t event;
        fc_status status = next_event(reading, &event);
        if (status != FC_OK)
            return status;
        if (event.type == end) {
            yaml_event_delete(&event);
            return FC_OK;
        }
        char key[128] = "";
        const yaml_mark_t key_mark = event.start_mark;
        if (mapping) {
            const char *text = (const char *)event.data.scalar.value;
            if (event.type != YAML_SCALAR_EVENT || strlen(text) >= sizeof key)
                status = fail_reading(reading, event.start_mark.line, event.start_mark.column,
                                      "a key was expected here: a short word before a colon");
            else if (value->count == KEYS_MAX)
                status = fail_reading(reading, event.start_mark.line, event.start_mark.column,
                                      "a scenario has no group of more than 1000 keys");
            else if (fc_value_member(value, text))
                status = fail_duplicate(reading, value, &event);
            else
                snprintf(key, sizeof key, "%s", text);
            yaml_event_delete(&event);
            if (status == FC_OK)
                status = next_event(reading, &event);
            if (status != FC_OK)
                return status;
        }
        fc_value *item;
        status = read_value(reading, &event, depth + 1, &item);
        yaml_event_delete(&event);
        if (status == FC_OK && mapping && !reading->setting) {
            item->key_line = key_mark.line + 1;
            item->key_column = key_mark.column + 1;
        }
        if (status == FC_OK)
            status = append(reading->document, value, mapping ? key : NULL, item, reading->error);
        if (status != FC_OK)
            return status;
    }
}

static fc_status read_value(struct reading *reading, const yaml_event_t *event, int depth,
                            fc_value **result) {
    const size_t line = event->start_mark.line, column = event->start_mark.column;
    if (depth > DEPTH_MAX)
        return fail_reading(reading, line, column, "values are nested too deeply");
    fc_value *value = take(reading->document, sizeof *value);
    if (!value)
        return fc_fail_memory(reading->error);
    value->line = reading->setting ? 0 : line + 1;
    value->column = reading->setting ? 0 : column + 1;
    value->setting = reading->setting;
    *result = value;
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        value->kind = FC_VALUE_SCALAR;
        value->text = take_text(reading->document, (const char *)event->data.scalar.value,
                                event->data.scalar.length);
        return value->text ? FC_OK : fc_fail_memory(reading->error);
    case YAML_SEQUENCE_START_EVENT:
        value->kind = FC_VALUE_SEQUENCE;
        return read_items(reading, value, depth);
    case YAML_MAPPING_START_EVENT:
        value->kind = FC_VALUE_MAPPING;
        return read_items(reading, value, depth);
    case YAML_ALIAS_EVENT:
        return fail_reading(reading, line, column, "aliases (*name) are not supported");
    default:
        return fail_reading(reading, line, column, "a value was expected here");
    }
}

/* The value of a whole YAML text; *value is NULL if the text holds none. */
static fc_status read_text(fc_document *document, const char *text, size_t length,
                           const char *setting, fc_error *error, fc_value **value) {
    struct reading reading = {.document = document, .setting = setting, .error = error};
    if (!yaml_parser_initialize(&reading.parser))
        return fc_fail_memory(error);
    yaml_parser_set_input_string(&reading.parser, (const unsigned char *)text, length);
    *value = NULL;
    fc_status status = FC_OK;
    for (bool done = false; !done && status == FC_OK;) {
        yaml_event_t event;
        status = next_event(&reading, &event);
        if (status != FC_OK)
            break;
        if (event.type == YAML_STREAM_END_EVENT)
            done = true;
        else if (event.type == YAML_DOCUMENT_START_EVENT && *value)
            status = fail_reading(&reading, event.start_mark.line, event.start_mark.column,
                                  "a second document begins here; a scenario is one");
        else if (event.type != YAML_STREAM_START_EVENT && event.type != YAML_DOCUMENT_START_EVENT &&
                 event.type != YAML_DOCUMENT_END_EVENT)
            status = read_value(&reading, &event, 0, value);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&reading.parser);
    return status;
}

fc_status fc_document_parse(const char *text, size_t length, const char *origin, fc_error *error,
                            fc_document **document) {
    fc_document *made;
    fc_status status = create_document(origin, error, &made);
    if (status != FC_OK)
        return status;
    status = read_text(made, text, length, NULL, error, &made->root);
    if (status == FC_OK && !made->root)
        status = fc_fail_at(error, made, NULL,
                            "the text is empty; expected a scenario with 'network' and 'traffic'");
    else if (status == FC_OK && made->root->kind != FC_VALUE_MAPPING)
        status = fc_fail_at(error, made, made->root,
                            "a scenario was expected: keys such as 'network:' and 'traffic:'");
    if (status != FC_OK) {
        fc_document_free(made);
        return status;
    }
    *document = made;
    return FC_OK;
}

/* ---- copies and settings ---- */

static fc_value *copy_value(fc_document *document, const fc_value *from) {
    fc_value *value = take(document, sizeof *value);
    if (!value)
        return NULL;
    *value = *from;
    value->count = value->capacity = 0;
    value->items = NULL;
    value->keys = NULL;
    if (from->setting &&
        !(value->setting = take_text(document, from->setting, strlen(from->setting))))
        return NULL;
    if (from->kind == FC_VALUE_SCALAR) {
        value->text = take_text(document, from->text, strlen(from->text));
        return value->text ? value : NULL;
    }
    for (size_t i = 0; i < from->count; ++i) {
        fc_value *item = copy_value(document, from->items[i]);
        if (!item ||
            append(document, value, from->keys ? from->keys[i] : NULL, item, NULL) != FC_OK)
            return NULL;
    }
    return value;
}

fc_status fc_document_copy(const fc_document *from, fc_error *error, fc_document **document) {
    fc_document *made;
    const fc_status status = create_document(from->origin, error, &made);
    if (status != FC_OK)
        return status;
    made->confined = from->confined;
    made->root = copy_value(made, from->root);
    if (!made->root) {
        fc_document_free(made);
        return fc_fail_memory(error);
    }
    *document = made;
    return FC_OK;
}

fc_status fc_document_replace(fc_document *document, fc_value *value, const char *text,
                              fc_error *error) {
    char *copy = take_text(document, text, strlen(text));
    if (!copy)
        return fc_fail_memory(error);
    value->text = copy;
    return FC_OK;
}

static bool is_plain_word(const char *text) {
    const size_t length = strspn(text, "0123456789abcdefghijklmnopqrstuvwxyz"
                                       "ABCDEFGHIJKLMNOPQRSTUVWXYZ+._");
    return length && !text[length];
}

static fc_status place_setting(fc_document *document, const char *key, fc_value *value,
                               fc_error *error) {
    fc_value *inside = document->root;
    char part[PART_SIZE];
    for (const char *at = key, *rest = key;; at = ++rest) {
        if (!take_part(&rest, part))
            return fc_fail(error, FC_ERROR_INPUT,
                           "%.200s: a key was expected, such as traffic.rate", value->setting);
        fc_value **slot = find_slot(inside, part);
        if (!slot && inside->kind != FC_VALUE_MAPPING)
            return fc_fail(error, FC_ERROR_INPUT, "%.200s: there is no '%s' in '%.*s'",
                           value->setting, part, (int)(at > key ? at - key - 1 : 0), key);
        if (!*rest && slot) {
            *slot = value;
            return FC_OK;
        }
        if (!*rest)
            return append(document, inside, part, value, error);
        if (!slot) {
            fc_value *group = take(document, sizeof *group);
            if (!group)
                return fc_fail_memory(error);
            group->kind = FC_VALUE_MAPPING;
            group->setting = value->setting;
            const fc_status status = append(document, inside, part, group, error);
            if (status != FC_OK)
                return status;
            inside = group;
        } else {
            inside = *slot;
        }
    }
}

static fc_status set_one(fc_document *document, const fc_setting *given, fc_error *error) {
    const char *key = given->key, *value = given->value;
    const char *label = given->label && given->label[0] ? given->label : key;
    const char *setting = take_text(document, label, strlen(label));
    if (!setting)
        return fc_fail_memory(error);
    fc_value *made = NULL;
    if (is_plain_word(value)) { /* the common case needs no YAML parser */
        made = take(document, sizeof *made);
        if (!made || !(made->text = take_text(document, value, strlen(value))))
            return fc_fail_memory(error);
        made->kind = FC_VALUE_SCALAR;
        made->setting = setting;
    } else {
        const fc_status status = read_text(document, value, strlen(value), setting, error, &made);
        if (status != FC_OK)
            return status;
        if (!made)
            return fc_fail(error, FC_ERROR_INPUT, "%.200s: a value was expected", setting);
    }
    return place_setting(document, key, made, error);
}

fc_status fc_document_set(fc_document *document, const fc_setting *settings, size_t count,
                          fc_error *error) {
    fc_status status = FC_OK;
    for (size_t i = 0; i < count && status == FC_OK; ++i)
        status = set_one(document, &settings[i], error);
    return status;
}

void fc_quoted_write(const char *text, FILE *stream) {
    fputc('"', stream);
    for (; *text; ++text) {
        if (fc_is_control(*text)) {
            fprintf(stream, "\\x%02x", (unsigned)*text);
            continue;
        }
        if (*text == '"' || *text == '\\')
            fputc('\\', stream);
        fputc(*text, stream);
    }
    fputc('"', stream);
}
