#include "scenario/matrix_market.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/memory.h"

enum { NODES_MAX = 16384, BYTES_MAX = 1 << 28 };

/* Lines of the text one after another; empty ones and comments are skipped. */
typedef struct lines {
    char *next;
    size_t number;
    const char *path;
} lines;

static char *next_line(lines *from) {
    while (*from->next) {
        char *line = from->next;
        char *end = strchr(line, '\n');
        ++from->number;
        if (end) {
            *end = '\0';
            from->next = end + 1;
        } else {
            from->next = line + strlen(line);
        }
        line += strspn(line, " \t\r");
        if (*line && *line != '%')
            return line;
    }
    return NULL;
}

static fc_status fail_line(const lines *at, fc_error *error, const char *what) {
    return fc_fail(error, FC_ERROR_INPUT, "%.500s:%zu: %s", at->path, at->number, what);
}

static bool parse_numbers(const char *line, double *numbers, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        char *end;
        errno = 0;
        numbers[i] = strtod(line, &end);
        if (end == line || !isfinite(numbers[i]))
            return false;
        line = end;
    }
    return line[strspn(line, " \t\r")] == '\0';
}

static bool is_index(double number, size_t nodes) {
    return number >= 1 && number <= (double)nodes && number == floor(number);
}

static fc_status read_banner(lines *from, fc_error *error, bool *coordinate) {
    char object[16], format[16], field[16], symmetry[16];
    char *line = from->next;
    char *end = strchr(line, '\n');
    if (end)
        *end = '\0';
    from->next = end ? end + 1 : line + strlen(line);
    from->number = 1;
    if (sscanf(line, "%%%%MatrixMarket %15s %15s %15s %15s", object, format, field, symmetry) != 4)
        return fail_line(from, error,
                         "not a Matrix Market file: expected '%%MatrixMarket matrix coordinate "
                         "real general' in its first line");
    *coordinate = strcasecmp(format, "coordinate") == 0;
    if (strcasecmp(object, "matrix") != 0 || (!*coordinate && strcasecmp(format, "array") != 0) ||
        (strcasecmp(field, "real") != 0 && strcasecmp(field, "integer") != 0) ||
        strcasecmp(symmetry, "general") != 0)
        return fail_line(from, error,
                         "expected a matrix in coordinate or array format, real or integer, "
                         "general");
    return FC_OK;
}

static fc_status read_size(lines *from, bool coordinate, fc_error *error, size_t *nodes,
                           size_t *entries) {
    double size[3] = {0};
    char *line = next_line(from);
    if (!line || !parse_numbers(line, size, coordinate ? 3 : 2))
        return fail_line(from, error,
                         coordinate ? "expected rows, columns and number of entries"
                                    : "expected rows and columns");
    if (size[0] != size[1] || !is_index(size[0], NODES_MAX))
        return fail_line(from, error,
                         "expected as many rows as columns, one for each node, at most 16384");
    *nodes = (size_t)size[0];
    if (coordinate && !(size[2] >= 0 && size[2] <= size[0] * size[0] && size[2] == floor(size[2])))
        return fail_line(from, error, "the number of entries does not fit the size");
    *entries = coordinate ? (size_t)size[2] : *nodes * *nodes;
    /* An entry takes a line of two bytes ("1") or six ("1 2 1") at least, and every row needs one:
     * so a short file cannot ask for gigabytes. */
    if (*entries < *nodes)
        return fail_line(from, error, "fewer entries than rows: every node needs a destination");
    if (strlen(from->next) + 1 < *entries * (coordinate ? 6 : 2))
        return fail_line(from, error, "the file ends before all entries were read");
    return FC_OK;
}

static fc_status read_entries(lines *from, bool coordinate, size_t nodes, size_t entries,
                              double *matrix, fc_error *error) {
    for (size_t i = 0; i < entries; ++i) {
        double numbers[3];
        char *line = next_line(from);
        if (!line)
            return fail_line(from, error, "the file ends before all entries were read");
        if (!parse_numbers(line, numbers, coordinate ? 3 : 1))
            return fail_line(from, error,
                             coordinate ? "expected row, column and value" : "expected one value");
        if (coordinate && (!is_index(numbers[0], nodes) || !is_index(numbers[1], nodes)))
            return fail_line(from, error, "the row or column is outside the matrix");
        /* The array format goes column by column. */
        const size_t row = coordinate ? (size_t)numbers[0] - 1 : i % nodes;
        const size_t column = coordinate ? (size_t)numbers[1] - 1 : i / nodes;
        const double value = coordinate ? numbers[2] : numbers[0];
        if (value < 0)
            return fail_line(from, error, "a probability cannot be negative");
        if (row == column && value != 0)
            return fail_line(from, error, "a node cannot send to itself: the diagonal must be 0");
        matrix[row * nodes + column] += value;
    }
    if (next_line(from))
        return fail_line(from, error, "more entries than the size line says");
    return FC_OK;
}

static fc_status scale_rows(const char *path, size_t nodes, double *matrix, fc_error *error) {
    for (size_t row = 0; row < nodes; ++row) {
        double sum = 0;
        for (size_t column = 0; column < nodes; ++column)
            sum += matrix[row * nodes + column];
        if (!(fabs(sum - 1) <= 1e-6))
            return fc_fail(error, FC_ERROR_INPUT,
                           "%.500s: row %zu (node %zu) adds up to %.9g; the probabilities of a "
                           "node's destinations must add up to 1",
                           path, row + 1, row, sum);
        for (size_t column = 0; column < nodes; ++column)
            matrix[row * nodes + column] /= sum;
    }
    return FC_OK;
}

fc_status fc_matrix_market_parse(char *text, const char *path, fc_error *error, size_t *nodes,
                                 double **matrix) {
    lines from = {.next = text, .path = path};
    bool coordinate;
    size_t count = 0, entries = 0;
    double *values = NULL;
    fc_status status = read_banner(&from, error, &coordinate);
    if (status == FC_OK)
        status = read_size(&from, coordinate, error, &count, &entries);
    if (status == FC_OK) {
        values = fc_allocate(count * count, sizeof *values);
        status = values ? FC_OK : fc_fail_memory(error);
    }
    if (status == FC_OK)
        status = read_entries(&from, coordinate, count, entries, values, error);
    if (status == FC_OK)
        status = scale_rows(path, count, values, error);
    if (status != FC_OK) {
        fc_release(values);
        return status;
    }
    *nodes = count;
    *matrix = values;
    return FC_OK;
}

static fc_status read_text(const char *path, fc_error *error, char **text, size_t *length) {
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return fc_fail(error, FC_ERROR_FILE, "%.500s: cannot be read: %s", path, strerror(errno));
    size_t used = 0, size = 1 << 16;
    char *bytes = fc_allocate(size, 1);
    while (bytes) {
        used += fread(bytes + used, 1, size - 1 - used, stream);
        if (used < size - 1 || size >= BYTES_MAX)
            break;
        char *more = fc_reallocate(bytes, 2 * size, 1);
        if (!more)
            fc_release(bytes);
        bytes = more;
        size *= 2;
    }
    const bool failed = ferror(stream) != 0, whole = feof(stream) != 0;
    fclose(stream);
    if (!bytes)
        return fc_fail_memory(error);
    if (failed || !whole) {
        fc_release(bytes);
        return fc_fail(error, FC_ERROR_FILE, "%.500s: %s", path,
                       failed ? "cannot be read" : "is larger than 256 MiB");
    }
    bytes[used] = '\0';
    *text = bytes;
    *length = used;
    return FC_OK;
}

fc_status fc_matrix_market_read(const char *path, fc_error *error, size_t *nodes, double **matrix,
                                uint64_t *checksum) {
    char *text;
    size_t length;
    fc_status status = read_text(path, error, &text, &length);
    if (status != FC_OK)
        return status;
    uint64_t sum = 0xcbf29ce484222325u; /* FNV-1a */
    for (size_t i = 0; i < length; ++i)
        sum = (sum ^ (unsigned char)text[i]) * 0x100000001b3u;
    *checksum = sum;
    status = fc_matrix_market_parse(text, path, error, nodes, matrix);
    fc_release(text);
    return status;
}
