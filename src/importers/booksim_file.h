/* A BookSim configuration as values of its keys: "key = value;", vectors in braces, comments that
 * begin with two slashes. Settings of a command line ("k=4") are laid over the file; a key that is
 * set twice has its last value, as there.
 *
 * booksim_keys.c says of each key what it means here; booksim.c makes a scenario of the values. */
#ifndef FC_IMPORTERS_BOOKSIM_FILE_H
#define FC_IMPORTERS_BOOKSIM_FILE_H

#include "flitcast/flitcast.h"

enum { FC_BOOKSIM_KEYS_MAX = 192, FC_BOOKSIM_VALUE_SIZE = 1024 };

typedef struct fc_booksim_value {
    char *text;          /* NULL: the key was not given */
    size_t line, column; /* of the key in the file; 0: of a command line */
} fc_booksim_value;

typedef struct fc_booksim_file {
    char *origin;                                 /* the name messages use */
    fc_booksim_value values[FC_BOOKSIM_KEYS_MAX]; /* in the order of the table of keys */
} fc_booksim_file;

fc_status fc_booksim_file_parse(const fc_input *input, const fc_setting *overrides, size_t count,
                                fc_error *error, fc_booksim_file **file);
void fc_booksim_file_free(fc_booksim_file *file);

/* True if the text begins like a BookSim configuration: a word, then an equals sign. */
bool fc_booksim_begins(const char *text, size_t length);

/* The table, ends with a name of NULL. */
extern const fc_booksim_key fc_booksim_keys[];
/* The index of a key that is known to be there. */
size_t fc_booksim_index(const char *key);

/* Whether the key was given, in the file or on the command line. */
bool fc_booksim_given(const fc_booksim_file *file, const char *key);
/* The value, or BookSim's default. */
const char *fc_booksim_text(const fc_booksim_file *file, const char *key);
/* The index-th item of a vector "{a,{b,c}}"; of a plain value itself for index 0. False: there is
 * none, or it does not fit. */
bool fc_booksim_item(const char *text, size_t index, char item[FC_BOOKSIM_VALUE_SIZE]);

typedef struct fc_booksim_range {
    double minimum, maximum;
    bool whole;
} fc_booksim_range;

/* A number of the key; of a vector the index-th, or the last one if it is shorter, as there. */
fc_status fc_booksim_number(const fc_booksim_file *file, const char *key, size_t index,
                            fc_booksim_range range, fc_error *error, double *number);

/* "FILE:LINE:COLUMN: " or "k=4: " or "FILE: ", then the sentence; FC_ERROR_INPUT. */
fc_status fc_booksim_fail(const fc_booksim_file *file, const char *key, fc_error *error,
                          const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
