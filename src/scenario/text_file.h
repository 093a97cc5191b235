/* Files of plain lines beside a scenario: read whole, gone through line by line, and complained
 * about by line. */
#ifndef FC_SCENARIO_TEXT_FILE_H
#define FC_SCENARIO_TEXT_FILE_H

#include "scenario/family.h"

/* Opens a file to read. Folders, named pipes, sockets and devices are refused: reading them may
 * never end. What the shell handed over open (/dev/stdin, /dev/fd/N) is read. */
fc_status fc_file_open(const char *path, fc_error *error, FILE **stream);
/* The file whole, a zero byte behind it; freed with fc_release. most  bytes, more are refused
 * before memory is taken for them. */
fc_status fc_file_read(const char *path, size_t most, fc_error *error, char **bytes,
                       size_t *length);
/* The same for a file without zero bytes. checksum  fc_hash of the content; may be NULL. */
fc_status fc_text_read(const char *path, size_t most, fc_error *error, char **text,
                       uint64_t *checksum);

/* The file that `value` names: beside the scenario's own file unless the path is absolute. */
typedef struct fc_named_file {
    const char *what; /* key, for messages: "traffic.trace" */
    const char *kind; /* "a trace" */
    size_t most;      /* bytes */
    char path[2 * FC_PATH_SIZE];
    char *text; /* freed by the caller with fc_release */
    uint64_t checksum;
} fc_named_file;
/* Only the path. */
fc_status fc_named_file_find(const fc_document *document, const fc_value *value,
                             fc_named_file *file, fc_error *error);
/* The path and the text; name receives what `value` says. */
fc_status fc_named_file_read(const fc_document *document, const fc_value *value,
                             char name[FC_PATH_SIZE], fc_named_file *file, fc_error *error);
/* Passes on why the content was refused, with the place of `value` before it. */
fc_status fc_named_file_fail(const fc_document *document, const fc_value *value,
                             const fc_error *cause, fc_status status, fc_error *error);
/* The name as YAML, in quotes where it needs them. */
void fc_file_name_write(const char *name, FILE *stream);

/* Lines one after another; empty ones, and those that begin with the comment's sign, are skipped,
 * spaces around them cut off. Changes the text. */
typedef struct fc_lines {
    char *next;
    const char *path; /* for messages */
    size_t number;    /* of the line last returned, from 1 */
    char comment;
} fc_lines;
char *fc_lines_next(fc_lines *lines);
/* "PATH:LINE: ", then the sentence. */
void fc_lines_error_write(const fc_lines *lines, fc_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#define fc_lines_fail(...) (fc_lines_error_write(__VA_ARGS__), FC_ERROR_INPUT)

/* Splits a line at commas, or at blanks if it has none, into at most `most` fields and cuts off the
 * blanks around each. Returns how many there are; most + 1 if there are more. */
size_t fc_split_fields(char *line, char **fields, size_t most);

#endif
