/* A rectangle of terminal cells to draw on: with characters, and with lines of dots (braille, two
 * by four in a cell), or of characters only where the terminal is not to be trusted with more. */
#ifndef FC_OUTPUT_CANVAS_H
#define FC_OUTPUT_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* What is drawn where something is already: the higher rank stays, equals are replaced. */
typedef enum fc_rank {
    FC_RANK_EMPTY,
    FC_RANK_MARKER,
    FC_RANK_LINK, /* between the points of a series */
    FC_RANK_LINE,
    FC_RANK_INTERVAL,
    FC_RANK_POINT
} fc_rank;

typedef struct fc_canvas fc_canvas;

/* plain: ASCII only, no colours. */
fc_canvas *fc_canvas_create(size_t columns, size_t rows, bool plain);
void fc_canvas_free(fc_canvas *canvas);

/* Positions run from 0 to 1, left to right and bottom to top. */
size_t fc_canvas_column(const fc_canvas *canvas, double x);
size_t fc_canvas_row(const fc_canvas *canvas, double y); /* 0 at the top */

typedef struct fc_brush {
    const char *glyph; /* one column wide */
    int colour;        /* of the 256; below 0: none */
    fc_rank rank;
} fc_brush;

/* Outside of the canvas nothing is drawn. */
void fc_canvas_put(fc_canvas *canvas, size_t column, size_t row, fc_brush brush);
/* dots: as braille, if the canvas is not plain; else with the brush's glyph. */
typedef struct fc_segment {
    double x0, y0, x1, y1;
} fc_segment;
void fc_canvas_line(fc_canvas *canvas, fc_segment line, bool dots, fc_brush brush);
/* One row, without a newline; blanks at its end are left out. */
void fc_canvas_write_row(const fc_canvas *canvas, size_t row, FILE *stream);

void fc_colour(FILE *stream, int colour);

#endif
