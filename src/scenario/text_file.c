#include "scenario/text_file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/hash.h"
#include "base/memory.h"
#include "base/status.h"

/* ---- whole files ---- */

static char *read_stream(FILE *stream, size_t most, size_t *length) {
    size_t used = 0, size = 1 << 16;
    char *bytes = fc_allocate(size, 1);
    while (bytes) {
        used += fread(bytes + used, 1, size - 1 - used, stream);
        if (used < size - 1 || used > most)
            break;
        char *more = fc_reallocate(bytes, 2 * size, 1);
        if (!more)
            fc_release(bytes);
        bytes = more;
        size *= 2;
    }
    *length = used;
    return bytes;
}

/* What the shell hands over already open: the standard input, or <(COMMAND). -1: another path. */
static int descriptor_of(const char *path) {
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    int descriptor, end = 0;
    if (strcmp(path, "/dev/stdin") == 0)
        return STDIN_FILENO;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; ++i) {
        const size_t length = strlen(folders[i]);
        if (strncmp(path, folders[i], length) == 0 &&
            sscanf(path + length, "%6d%n", &descriptor, &end) == 1 &&
            path[length + (size_t)end] == '\0')
            return descriptor;
    }
    return -1;
}

/* Read as it is: to open a pipe anew would wait for another writer. */
static FILE *open_descriptor(int descriptor) {
    const int copy = dup(descriptor);
    FILE *stream = copy >= 0 ? fdopen(copy, "rb") : NULL;
    if (!stream && copy >= 0)
        close(copy);
    return stream;
}

/* NULL: a plain file. */
static const char *special_kind(mode_t mode) {
    return S_ISDIR(mode)                    ? "a folder"
           : S_ISFIFO(mode)                 ? "a named pipe"
           : S_ISSOCK(mode)                 ? "a socket"
           : S_ISCHR(mode) || S_ISBLK(mode) ? "a device"
                                            : NULL;
}

fc_status fc_file_open(const char *path, fc_error *error, FILE **stream) {
    const int descriptor = descriptor_of(path);
    struct stat about;
    const char *kind =
        descriptor < 0 && stat(path, &about) == 0 ? special_kind(about.st_mode) : NULL;
    if (kind)
        return fc_fail(error, FC_ERROR_FILE, "%.500s: cannot be read: it is %s, not a file", path,
                       kind);
    *stream = descriptor < 0 ? fopen(path, "rb") : open_descriptor(descriptor);
    if (!*stream)
        return fc_fail(error, FC_ERROR_FILE, "%.500s: cannot be read: %s", path, strerror(errno));
    return FC_OK;
}

fc_status fc_file_read(const char *path, size_t most, fc_error *error, char **bytes,
                       size_t *length) {
    FILE *stream;
    const fc_status opened = fc_file_open(path, error, &stream);
    if (opened != FC_OK)
        return opened;
    size_t size;
    char *content = read_stream(stream, most, &size);
    const int reason = errno;
    const bool failed = ferror(stream) != 0;
    fclose(stream);
    if (!content)
        return fc_fail_memory(error);
    fc_status status = FC_OK;
    if (failed)
        status =
            fc_fail(error, FC_ERROR_FILE, "%.500s: cannot be read: %s", path, strerror(reason));
    else if (size > most)
        status = fc_fail(error, FC_ERROR_FILE, "%.500s: is larger than %zu MiB, the most it may be",
                         path, most >> 20);
    if (status != FC_OK) {
        fc_release(content);
        return status;
    }
    content[size] = '\0';
    *bytes = content;
    *length = size;
    return FC_OK;
}

fc_status fc_text_read(const char *path, size_t most, fc_error *error, char **text,
                       uint64_t *checksum) {
    char *bytes = NULL;
    size_t length = 0;
    const fc_status status = fc_file_read(path, most, error, &bytes, &length);
    if (!bytes)
        return status;
    if (memchr(bytes, '\0', length)) {
        fc_release(bytes);
        return fc_fail(error, FC_ERROR_INPUT, "%.500s: is not a text file", path);
    }
    if (checksum)
        *checksum = fc_hash(FC_HASH_START, bytes, length);
    if (length >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) /* spreadsheets begin a CSV so */
        memmove(bytes, bytes + 3, length - 2);
    *text = bytes;
    return FC_OK;
}

static bool find_beside(const fc_document *document, const char *name,
                        char path[2 * FC_PATH_SIZE]) {
    const char *slash = strrchr(document->origin, '/');
    const int folder = name[0] == '/' || !slash ? 0 : (int)(slash + 1 - document->origin);
    const int length = snprintf(path, 2 * FC_PATH_SIZE, "%.*s%s", folder, document->origin, name);
    return length > 0 && length < 2 * FC_PATH_SIZE;
}

/* Whether a file lies in or below the folder of the scenario's own file, links followed. A file
 * that does not exist lies nowhere. */
static bool is_below_origin(const fc_document *document, const char *path) {
    const char *slash = strrchr(document->origin, '/');
    char *folder =
        slash ? strndup(document->origin, (size_t)(slash + 1 - document->origin)) : strdup(".");
    char *root = folder ? realpath(folder, NULL) : NULL;
    char *file = realpath(path, NULL);
    const size_t length = root ? strlen(root) : 0;
    const bool below = root && file && strncmp(file, root, length) == 0 &&
                       (file[length] == '/' || strcmp(root, "/") == 0);
    free(folder);
    free(root);
    free(file);
    return below;
}

fc_status fc_named_file_fail(const fc_document *document, const fc_value *value,
                             const fc_error *cause, fc_status status, fc_error *error) {
    fc_fail_at(error, document, value, "%.900s", cause->text);
    return status;
}

fc_status fc_named_file_find(const fc_document *document, const fc_value *value,
                             fc_named_file *file, fc_error *error) {
    if (value->kind != FC_VALUE_SCALAR || !value->text[0] || strlen(value->text) >= FC_PATH_SIZE ||
        !find_beside(document, value->text, file->path))
        return fc_fail_at(error, document, value, "%s must be the name of %s", file->what,
                          file->kind);
    if (document->confined && !is_below_origin(document, file->path))
        return fc_fail_at(error, document, value,
                          "%s: '%s' is not a file below the folder that may be read", file->what,
                          value->text);
    return FC_OK;
}

fc_status fc_named_file_read(const fc_document *document, const fc_value *value,
                             char name[FC_PATH_SIZE], fc_named_file *file, fc_error *error) {
    fc_error cause;
    fc_status status = fc_named_file_find(document, value, file, error);
    if (status != FC_OK)
        return status;
    status = fc_text_read(file->path, file->most, &cause, &file->text, &file->checksum);
    if (status != FC_OK)
        return fc_named_file_fail(document, value, &cause, status, error);
    snprintf(name, FC_PATH_SIZE, "%s", value->text);
    return FC_OK;
}

void fc_file_name_write(const char *name, FILE *stream) {
    bool plain = !strpbrk(name, " ,:#&*!|>%@`{}[]\"'\\");
    for (const char *c = name; *c; ++c)
        plain &= !fc_is_control(*c);
    if (plain)
        fputs(name, stream);
    else
        fc_quoted_write(name, stream);
}

/* ---- lines ---- */

static char *trim(char *text) {
    static const char blanks[] = " \t\r";
    text += strspn(text, blanks);
    size_t length = strlen(text);
    while (length && strchr(blanks, text[length - 1]))
        text[--length] = '\0';
    return text;
}

char *fc_lines_next(fc_lines *lines) {
    while (*lines->next) {
        char *line = lines->next;
        char *end = strchr(line, '\n');
        ++lines->number;
        lines->next = end ? end + 1 : line + strlen(line);
        if (end)
            *end = '\0';
        line = trim(line);
        if (*line && *line != lines->comment)
            return line;
    }
    return NULL;
}

void fc_lines_error_write(const fc_lines *lines, fc_error *error, const char *format, ...) {
    char sentence[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (lines->number)
        fc_error_write(error, "%.300s:%zu: %s", lines->path, lines->number, sentence);
    else
        fc_error_write(error, "%.300s: %s", lines->path, sentence);
}

/* ---- fields ---- */

size_t fc_split_fields(char *line, char **fields, size_t most) {
    const bool commas = strchr(line, ',') != NULL;
    size_t count = 0;
    for (char *rest = line; rest; ++count) {
        if (count == most)
            return most + 1;
        char *end = commas ? strchr(rest, ',') : strpbrk(rest, " \t");
        if (end)
            *end = '\0';
        fields[count] = trim(rest);
        rest = end ? end + 1 : NULL;
        if (!commas && rest)
            rest += strspn(rest, " \t");
    }
    return count;
}
