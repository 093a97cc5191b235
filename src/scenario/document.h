/* A scenario file as a tree of values, each with its line and column.
 *
 * YAML comes in through libyaml; aliases, tags and several documents are refused. Settings from the
 * command line are laid over the tree, so that the file and --set pass the same checks later. */
#ifndef FC_SCENARIO_DOCUMENT_H
#define FC_SCENARIO_DOCUMENT_H

#include "flitcast/flitcast.h"

typedef enum fc_value_kind { FC_VALUE_SCALAR, FC_VALUE_SEQUENCE, FC_VALUE_MAPPING } fc_value_kind;

typedef struct fc_value {
    fc_value_kind kind;
    size_t line, column;         /* from 1; 0: from a setting */
    size_t key_line, key_column; /* of its key, in a mapping */
    const char *setting;         /* the label of the setting it came from, or NULL */
    char *text;                  /* scalar */
    char **keys;                 /* mapping */
    struct fc_value **items;     /* sequence and mapping */
    size_t count, capacity;      /* of items, and of keys in a mapping */
} fc_value;

typedef struct fc_document {
    char *origin;   /* file name for messages */
    fc_value *root; /* a mapping */
    bool confined;  /* may name files in and below the folder of origin only */
} fc_document;

fc_status fc_document_parse(const char *text, size_t length, const char *origin, fc_error *error,
                            fc_document **document);
fc_status fc_document_copy(const fc_document *from, fc_error *error, fc_document **document);
/* Lays settings over the tree: each replaces or adds the value at a dotted key. */
fc_status fc_document_set(fc_document *document, const fc_setting *settings, size_t count,
                          fc_error *error);
/* Another text for a scalar of the document. */
fc_status fc_document_replace(fc_document *document, fc_value *value, const char *text,
                              fc_error *error);
void fc_document_free(fc_document *document);

/* The value at a dotted key ("traffic.destinations.hot-spots.0"), or NULL. */
const fc_value *fc_document_find(const fc_document *document, const char *path);
/* The value under a key of a mapping, or NULL. */
const fc_value *fc_value_member(const fc_value *mapping, const char *key);

/* A stand-in for fc_fail_at to point at the key of a mapping's value instead of the value. */
fc_value fc_value_key_position(const fc_value *value);

/* A control character of ASCII, whatever the locale. */
static inline bool fc_is_control(char character) {
    return (unsigned char)character < ' ' || character == 0x7f;
}

/* A text as YAML in double quotes. */
void fc_quoted_write(const char *text, FILE *stream);

/* "FILE:LINE:COLUMN: " or "OPTION KEY: ", then the sentence. */
fc_status fc_fail_at(fc_error *error, const fc_document *document, const fc_value *value,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
