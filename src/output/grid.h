/* A table laid out for a terminal: numbers aligned at the decimal point, long texts and headers
 * wrapped where the table would be wider than the terminal; what still does not fit beside the rest
 * goes below it, with the columns at the left repeated that tell rows apart. */
#ifndef FC_OUTPUT_GRID_H
#define FC_OUTPUT_GRID_H

#include "flitcast/flitcast.h"

typedef struct fc_grid fc_grid;

/* header may be NULL, or have empty texts throughout: no header lines. Texts are copied. NULL if
 * out of memory; the functions below then do nothing, and fc_grid_write reports it. */
fc_grid *fc_grid_create(const char *const *header, size_t columns);
void fc_grid_row(fc_grid *grid);
/* Cells beyond the last column are dropped. */
void fc_grid_cell(fc_grid *grid, const char *text, bool number);
/* Writes and frees the grid. */
fc_status fc_grid_write(fc_grid *grid, size_t indent, const fc_write_settings *settings,
                        FILE *stream);

#endif
