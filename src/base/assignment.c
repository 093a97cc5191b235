/* The Hungarian method with potentials: rows are added one after the other, each along the path of
 * least cost to a free column. O(rows^2 columns), rows being the shorter side. */
#include "base/assignment.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"

typedef struct table {
    uint32_t rows, columns; /* rows <= columns */
    const double *weights;
    bool turned; /* weights are columns x rows */
    double *row_price, *column_price, *slack;
    uint32_t *row_of, *before; /* columns: their row and the column before them on the path */
    bool *reached;
} table;

static double cost(const table *t, uint32_t row, uint32_t column) {
    return t->turned ? -t->weights[(size_t)column * t->rows + row]
                     : -t->weights[(size_t)row * t->columns + column];
}

/* Rows and columns count from 1; column 0 stands for the row that is added. */
static void add_row(table *t, uint32_t added) {
    uint32_t at = 0;
    t->row_of[0] = added;
    for (uint32_t c = 0; c <= t->columns; ++c) {
        t->slack[c] = (double)INFINITY;
        t->reached[c] = false;
    }
    do {
        t->reached[at] = true;
        const uint32_t row = t->row_of[at];
        double least = (double)INFINITY;
        uint32_t next = 0;
        for (uint32_t c = 1; c <= t->columns; ++c) {
            if (t->reached[c])
                continue;
            const double over = cost(t, row - 1, c - 1) - t->row_price[row] - t->column_price[c];
            if (over < t->slack[c]) {
                t->slack[c] = over;
                t->before[c] = at;
            }
            if (t->slack[c] < least) {
                least = t->slack[c];
                next = c;
            }
        }
        for (uint32_t c = 0; c <= t->columns; ++c) {
            if (t->reached[c]) {
                t->row_price[t->row_of[c]] += least;
                t->column_price[c] -= least;
            } else {
                t->slack[c] -= least;
            }
        }
        at = next;
    } while (t->row_of[at]);
    for (; at; at = t->before[at])
        t->row_of[at] = t->row_of[t->before[at]];
}

fc_status fc_assign_most(uint32_t rows, uint32_t columns, const double *weights,
                         uint32_t *column_of, double *sum) {
    table t = {.rows = rows < columns ? rows : columns,
               .columns = rows < columns ? columns : rows,
               .weights = weights,
               .turned = rows > columns};
    t.row_price = fc_allocate((size_t)t.rows + 1, sizeof *t.row_price);
    t.column_price = fc_allocate((size_t)t.columns + 1, sizeof *t.column_price);
    t.slack = fc_allocate((size_t)t.columns + 1, sizeof *t.slack);
    t.row_of = fc_allocate((size_t)t.columns + 1, sizeof *t.row_of);
    t.before = fc_allocate((size_t)t.columns + 1, sizeof *t.before);
    t.reached = fc_allocate((size_t)t.columns + 1, sizeof *t.reached);
    const bool ready =
        t.row_price && t.column_price && t.slack && t.row_of && t.before && t.reached;
    *sum = 0;
    for (uint32_t r = 0; r < rows; ++r)
        column_of[r] = FC_UNASSIGNED;
    for (uint32_t r = 1; ready && r <= t.rows; ++r)
        add_row(&t, r);
    for (uint32_t c = 1; ready && c <= t.columns; ++c) {
        if (!t.row_of[c])
            continue;
        const uint32_t row = t.turned ? c - 1 : t.row_of[c] - 1;
        column_of[row] = t.turned ? t.row_of[c] - 1 : c - 1;
        *sum += weights[(size_t)row * columns + column_of[row]];
    }
    fc_release(t.row_price);
    fc_release(t.column_price);
    fc_release(t.slack);
    fc_release(t.row_of);
    fc_release(t.before);
    fc_release(t.reached);
    return ready ? FC_OK : FC_ERROR_MEMORY;
}
