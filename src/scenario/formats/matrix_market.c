#include "scenario/formats/matrix_market.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/memory.h"
#include "scenario/text_file.h"

enum { NODES_MAX = 16384 };

bool fc_is_matrix_market(const char *text, const char *path) {
    const char *dot = strrchr(path, '.');
    return strncmp(text, "%%", 2) == 0 || (dot && strcmp(dot, ".mtx") == 0);
}

static bool parse_numbers(const char *line, double *numbers, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        char *end;
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

static fc_status read_banner(fc_lines *from, fc_error *error, bool *coordinate) {
    char object[16], format[16], field[16], symmetry[16];
    char *line = from->next;
    char *end = strchr(line, '\n');
    if (end)
        *end = '\0';
    from->next = end ? end + 1 : line + strlen(line);
    from->number = 1;
    if (sscanf(line, "%%%%MatrixMarket %15s %15s %15s %15s", object, format, field, symmetry) != 4)
        return fc_lines_fail(
            from, error,
            "not a Matrix Market file: expected '%%%%MatrixMarket matrix coordinate "
            "real general' in its first line");
    *coordinate = strcasecmp(format, "coordinate") == 0;
    if (strcasecmp(object, "matrix") != 0 || (!*coordinate && strcasecmp(format, "array") != 0) ||
        (strcasecmp(field, "real") != 0 && strcasecmp(field, "integer") != 0) ||
        strcasecmp(symmetry, "general") != 0)
        return fc_lines_fail(from, error,
                             "expected a matrix in coordinate or array format, real or integer, "
                             "general");
    return FC_OK;
}

static fc_status read_size(fc_lines *from, bool coordinate, fc_error *error, size_t *nodes,
                           size_t *entries) {
    double size[3] = {0};
    char *line = fc_lines_next(from);
    if (!line || !parse_numbers(line, size, coordinate ? 3 : 2))
        return fc_lines_fail(from, error,
                             coordinate ? "expected rows, columns and number of entries"
                                        : "expected rows and columns");
    if (size[0] != size[1] || !is_index(size[0], NODES_MAX))
        return fc_lines_fail(from, error,
                             "expected as many rows as columns, one for each node, at most 16384");
    *nodes = (size_t)size[0];
    if (coordinate && !(size[2] >= 0 && size[2] <= size[0] * size[0] && size[2] == floor(size[2])))
        return fc_lines_fail(from, error, "the number of entries does not fit the size");
    *entries = coordinate ? (size_t)size[2] : *nodes * *nodes;
    /* An entry takes a line of two bytes ("1") or six ("1 2 1") at least, and there is one for a
     * row: so a short file cannot ask for gigabytes. */
    if (*entries < *nodes)
        return fc_lines_fail(from, error, "fewer entries than rows");
    if (strlen(from->next) + 1 < *entries * (coordinate ? 6 : 2))
        return fc_lines_fail(from, error, "the file ends before all entries were read");
    return FC_OK;
}

static fc_status read_entries(fc_lines *from, bool coordinate, size_t nodes, size_t entries,
                              double *matrix, fc_error *error) {
    for (size_t i = 0; i < entries; ++i) {
        double numbers[3];
        char *line = fc_lines_next(from);
        if (!line)
            return fc_lines_fail(from, error, "the file ends before all entries were read");
        if (!parse_numbers(line, numbers, coordinate ? 3 : 1))
            return fc_lines_fail(
                from, error, coordinate ? "expected row, column and value" : "expected one value");
        if (coordinate && (!is_index(numbers[0], nodes) || !is_index(numbers[1], nodes)))
            return fc_lines_fail(from, error, "the row or column is outside the matrix");
        /* The array format goes column by column. */
        const size_t row = coordinate ? (size_t)numbers[0] - 1 : i % nodes;
        const size_t column = coordinate ? (size_t)numbers[1] - 1 : i / nodes;
        const double value = coordinate ? numbers[2] : numbers[0];
        if (value < 0)
            return fc_lines_fail(from, error, "a negative number");
        matrix[row * nodes + column] += value;
    }
    if (fc_lines_next(from))
        return fc_lines_fail(from, error, "more entries than the size line says");
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

fc_status fc_matrix_market_numbers(char *text, const char *path, fc_error *error, size_t *nodes,
                                   double **matrix) {
    fc_lines from = {.next = text, .path = path, .comment = '%'};
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
    if (status != FC_OK) {
        fc_release(values);
        return status;
    }
    *nodes = count;
    *matrix = values;
    return FC_OK;
}

fc_status fc_matrix_market_parse(char *text, const char *path, fc_error *error, size_t *nodes,
                                 double **matrix) {
    double *values;
    fc_status status = fc_matrix_market_numbers(text, path, error, nodes, &values);
    if (status != FC_OK)
        return status;
    for (size_t row = 0; row < *nodes && status == FC_OK; ++row) {
        if (values[row * *nodes + row] != 0)
            status =
                fc_fail(error, FC_ERROR_INPUT,
                        "%.500s: row %zu: a node cannot send to itself: the diagonal must be 0",
                        path, row + 1);
    }
    if (status == FC_OK)
        status = scale_rows(path, *nodes, values, error);
    if (status != FC_OK) {
        fc_release(values);
        return status;
    }
    *matrix = values;
    return FC_OK;
}
