/* A table laid out for a terminal: numbers aligned at the decimal point, long texts and headers
 * wrapped where the table would be wider than the terminal. Columns that still do not fit are
 * written below, with the key columns at the left repeated, or left out and named below. */
#ifndef FC_OUTPUT_GRID_H
#define FC_OUTPUT_GRID_H

#include "flitcast/flitcast.h"

typedef struct fc_grid fc_grid;

/* header may be NULL, or have empty texts throughout: no header lines. Texts are copied. NULL if
 * out of memory; the functions below then do nothing, and fc_grid_write reports it. */
fc_grid *fc_grid_create(const char *const *header, size_t columns);
/* keys: columns at the left that identify a row; 0: as many as it takes to tell rows apart.
 * leave_out: columns that do not fit are left out, the last first. */
void fc_grid_set_keys(fc_grid *grid, size_t keys, bool leave_out);
void fc_grid_row(fc_grid *grid);
/* Cells beyond the last column are dropped. */
void fc_grid_cell(fc_grid *grid, const char *text, bool number);
/* A text that is never broken over two lines, such as a number and its error. */
void fc_grid_unbroken(fc_grid *grid, const char *text);
/* Writes and frees the grid. */
fc_status fc_grid_write(fc_grid *grid, size_t indent, const fc_write_settings *settings,
                        FILE *stream);

#endif
