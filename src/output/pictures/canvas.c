#include "output/pictures/canvas.h"

#include "base/memory.h"

#include <math.h>
#include <stdint.h>

typedef struct canvas_cell {
    const char *glyph; /* NULL: dots, if any */
    int colour;
    fc_rank rank;
    uint8_t dots;
} canvas_cell;

struct fc_canvas {
    size_t columns, rows;
    size_t across, down; /* dots in a cell */
    canvas_cell *cells;
};

fc_canvas *fc_canvas_create(size_t columns, size_t rows, bool plain) {
    fc_canvas *canvas = fc_allocate(1, sizeof *canvas);
    canvas_cell *cells = fc_allocate(columns * rows, sizeof *cells);
    if (!canvas || !cells) {
        fc_release(canvas);
        fc_release(cells);
        return NULL;
    }
    *canvas = (fc_canvas){.columns = columns,
                          .rows = rows,
                          .across = plain ? 1 : 2,
                          .down = plain ? 1 : 4,
                          .cells = cells};
    return canvas;
}

void fc_canvas_free(fc_canvas *canvas) {
    if (!canvas)
        return;
    fc_release(canvas->cells);
    fc_release(canvas);
}

static size_t dot_across(const fc_canvas *canvas, double x) {
    return (size_t)lround(fmin(fmax(x, 0), 1) * (double)(canvas->columns * canvas->across - 1));
}

static size_t dot_down(const fc_canvas *canvas, double y) {
    return (size_t)lround((1 - fmin(fmax(y, 0), 1)) * (double)(canvas->rows * canvas->down - 1));
}

size_t fc_canvas_column(const fc_canvas *canvas, double x) {
    return dot_across(canvas, x) / canvas->across;
}

size_t fc_canvas_row(const fc_canvas *canvas, double y) {
    return dot_down(canvas, y) / canvas->down;
}

void fc_canvas_put(fc_canvas *canvas, size_t column, size_t row, fc_brush brush) {
    if (column >= canvas->columns || row >= canvas->rows)
        return;
    canvas_cell *cell = &canvas->cells[row * canvas->columns + column];
    if (brush.rank < cell->rank)
        return;
    *cell = (canvas_cell){.glyph = brush.glyph, .colour = brush.colour, .rank = brush.rank};
}

static void put_dot(fc_canvas *canvas, size_t x, size_t y, fc_brush brush) {
    /* Braille numbers its dots down the left column, down the right, then the lowest two. */
    static const uint8_t bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    canvas_cell *cell = &canvas->cells[y / 4 * canvas->columns + x / 2];
    if (brush.rank < cell->rank)
        return;
    cell->dots |= bits[y % 4][x % 2];
    cell->glyph = NULL;
    cell->colour = brush.colour;
    cell->rank = brush.rank;
}

/* The part of the line between y = 0 and y = 1, as parameters along it; false if there is none. */
static bool clip(double y0, double y1, double *from, double *to) {
    *from = 0;
    *to = 1;
    if (y0 == y1)
        return y0 >= 0 && y0 <= 1;
    const double at_bottom = (0 - y0) / (y1 - y0), at_top = (1 - y0) / (y1 - y0);
    *from = fmax(0, fmin(at_bottom, at_top));
    *to = fmin(1, fmax(at_bottom, at_top));
    return *from <= *to;
}

void fc_canvas_line(fc_canvas *canvas, fc_segment line, bool dots, fc_brush brush) {
    const bool braille = dots && canvas->across == 2;
    const double wide = (double)(canvas->columns * canvas->across);
    const double high = (double)(canvas->rows * canvas->down);
    double from, to;
    if (!clip(line.y0, line.y1, &from, &to))
        return;
    const double across = line.x1 - line.x0, up = line.y1 - line.y0;
    const double length = (to - from) * fmax(fabs(across) * wide, fabs(up) * high);
    const size_t steps = (size_t)fmin(ceil(length), 4 * (wide + high));
    for (size_t s = 0; s <= steps; s++) {
        const double t = from + (to - from) * (steps ? (double)s / (double)steps : 0);
        const double x = line.x0 + t * across, y = line.y0 + t * up;
        if (braille)
            put_dot(canvas, dot_across(canvas, x), dot_down(canvas, y), brush);
        else
            fc_canvas_put(canvas, fc_canvas_column(canvas, x), fc_canvas_row(canvas, y), brush);
    }
}

void fc_colour(FILE *stream, int colour) {
    if (colour < 0)
        fputs("\033[0m", stream);
    else
        fprintf(stream, "\033[38;5;%dm", colour);
}

static void write_braille(uint8_t dots, FILE *stream) {
    const char bytes[] = {(char)0xE2, (char)(0xA0 | dots >> 6), (char)(0x80 | (dots & 0x3F)), '\0'};
    fputs(bytes, stream);
}

void fc_canvas_write_row(const fc_canvas *canvas, size_t row, FILE *stream) {
    const canvas_cell *cells = &canvas->cells[row * canvas->columns];
    size_t used = canvas->columns;
    while (used > 0 && cells[used - 1].rank == FC_RANK_EMPTY)
        used--;
    int colour = -1;
    for (size_t c = 0; c < used; c++) {
        const int wanted = cells[c].rank == FC_RANK_EMPTY ? colour : cells[c].colour;
        if (canvas->across == 2 && wanted != colour)
            fc_colour(stream, colour = wanted);
        if (cells[c].rank == FC_RANK_EMPTY)
            fputc(' ', stream);
        else if (cells[c].glyph)
            fputs(cells[c].glyph, stream);
        else
            write_braille(cells[c].dots, stream);
    }
    if (colour >= 0)
        fc_colour(stream, -1);
}
