#include "base/memory.h"
#include "output/pictures/canvas.h"
#include "output/text/characters.h"
#include "output/pictures/plot.h"
#include "output/text/writing.h"

#include <math.h>
#include <string.h>

/* Of the 256 terminal colours, some that are seen on black and on white. */
static const int colours[] = {33, 208, 35, 170, 136, 99, 167, 245};
static const char *const glyphs[] = {"●", "■", "▲", "◆", "▼", "○", "□", "△", "◇", "▽", "+", "×"};
static const char *const plain_glyphs[] = {"o", "x", "+", "*", "#", "@",
                                           "%", "&", "=", "~", "$", "^"};
static const char *const bars[] = {"┊", "╎", "┆"};
static const char *const plain_bars[] = {":", "!", ";"};

#define PICK(array, index) ((array)[(index) % (sizeof(array) / sizeof *(array))])

typedef struct terminal_picture {
    const fc_plot *plot, *axes;
    FILE *stream;
    bool plain;
    size_t width, left, columns, rows; /* left: of the frame's vertical line */
    fc_scale x, y;
    fc_canvas *canvas;
} terminal_picture;

static const char *glyph_of(const terminal_picture *picture, size_t series) {
    return picture->plain ? PICK(plain_glyphs, series) : PICK(glyphs, series);
}

static const char *bar_of(const terminal_picture *picture, size_t marker) {
    return picture->plain ? PICK(plain_bars, marker) : PICK(bars, marker);
}

static const char *either(const terminal_picture *picture, const char *plain, const char *fine) {
    return picture->plain ? plain : fine;
}

/* ---- data ---- */

static void draw_line(const terminal_picture *picture, const fc_series *series, size_t index) {
    const bool line = !fc_series_has_symbols(series);
    const fc_brush brush = {.glyph = line ? glyph_of(picture, index) : ".",
                            .colour = PICK(colours, series->colour),
                            .rank = line ? FC_RANK_LINE : FC_RANK_LINK};
    bool before = false;
    double x0 = 0, y0 = 0;
    for (size_t p = 0; p < series->count; p++) {
        const bool shown = fc_plot_shows(picture->plot, series->x[p], series->y[p]);
        if (shown) {
            const double x1 = fc_scale_position(&picture->x, series->x[p]);
            const double y1 = fc_scale_position(&picture->y, series->y[p]);
            const fc_segment segment = {before ? x0 : x1, before ? y0 : y1, x1, y1};
            fc_canvas_line(picture->canvas, segment, true, brush);
            x0 = x1;
            y0 = y1;
        }
        before = shown;
    }
}

static void draw_interval(const terminal_picture *picture, const fc_series *series, size_t point) {
    const double half = fc_series_half_width(series, point);
    if (half == 0)
        return;
    const double x = fc_scale_position(&picture->x, series->x[point]);
    const double above = fc_scale_position(&picture->y, series->y[point] + half);
    const bool below_axis = picture->y.log && series->y[point] <= half;
    const double below = below_axis ? 0 : fc_scale_position(&picture->y, series->y[point] - half);
    if (fc_canvas_row(picture->canvas, above) == fc_canvas_row(picture->canvas, below))
        return;
    fc_canvas_line(picture->canvas, (fc_segment){x, below, x, above}, false,
                   (fc_brush){.glyph = either(picture, "|", "│"),
                              .colour = PICK(colours, series->colour),
                              .rank = FC_RANK_INTERVAL});
}

static void draw_points(const terminal_picture *picture, const fc_series *series, size_t index) {
    for (size_t p = 0; p < series->count; p++) {
        if (!fc_plot_shows(picture->plot, series->x[p], series->y[p]))
            continue;
        if (series->style != FC_STYLE_BAND)
            draw_interval(picture, series, p);
        const double y = fc_scale_position(&picture->y, series->y[p]);
        if (y > 1 + 1e-9 || !fc_series_has_symbols(series))
            continue;
        fc_canvas_put(
            picture->canvas,
            fc_canvas_column(picture->canvas, fc_scale_position(&picture->x, series->x[p])),
            fc_canvas_row(picture->canvas, y),
            (fc_brush){.glyph = glyph_of(picture, index),
                       .colour = PICK(colours, series->colour),
                       .rank = FC_RANK_POINT});
    }
}

static void draw(const terminal_picture *picture) {
    const fc_plot *plot = picture->plot;
    for (size_t m = 0; m < plot->marker_count; m++) {
        if (!fc_plot_shows_marker(plot, &plot->markers[m]))
            continue;
        const double x = fc_scale_position(&picture->x, plot->markers[m].x);
        fc_canvas_line(
            picture->canvas, (fc_segment){x, 0, x, 1}, false,
            (fc_brush){.glyph = bar_of(picture, m), .colour = -1, .rank = FC_RANK_MARKER});
    }
    for (size_t s = 0; s < plot->series_count; s++) {
        if (plot->series[s].style != FC_STYLE_POINTS)
            draw_line(picture, &plot->series[s], s);
    }
    for (size_t s = 0; s < plot->series_count;
         s++) /* one without a label belongs to that before it */
        draw_points(picture, &plot->series[s], s && !plot->series[s].label[0] ? s - 1 : s);
}

/* ---- the frame ---- */

static const char *label_in_row(const terminal_picture *picture, size_t row) {
    for (size_t t = 0; t < picture->y.tick_count; t++) {
        const fc_tick *tick = &picture->y.ticks[t];
        if (tick->label[0] && fc_canvas_row(picture->canvas, tick->position) == row)
            return tick->label;
    }
    return "";
}

static void write_rows(const terminal_picture *picture) {
    for (size_t r = 0; r < picture->rows; r++) {
        const char *label = label_in_row(picture, r);
        fc_write_spaces(picture->stream, picture->left - 1 - fc_text_width(label));
        fprintf(picture->stream, "%s %s", label,
                *label ? either(picture, "+", "┤") : either(picture, "|", "│"));
        fc_canvas_write_row(picture->canvas, r, picture->stream);
        fputc('\n', picture->stream);
    }
}

static bool tick_in_column(const terminal_picture *picture, size_t column) {
    for (size_t t = 0; t < picture->x.tick_count; t++) {
        const fc_tick *tick = &picture->x.ticks[t];
        if (tick->label[0] && fc_canvas_column(picture->canvas, tick->position) == column)
            return true;
    }
    return false;
}

static void write_x_axis(const terminal_picture *picture) {
    fc_write_spaces(picture->stream, picture->left);
    fputs(either(picture, "+", "└"), picture->stream);
    for (size_t c = 0; c < picture->columns; c++)
        fputs(tick_in_column(picture, c) ? either(picture, "+", "┬") : either(picture, "-", "─"),
              picture->stream);
    fputc('\n', picture->stream);

    size_t written = 0; /* a label that would touch the one before it is left out */
    for (size_t t = 0; t < picture->x.tick_count; t++) {
        const fc_tick *tick = &picture->x.ticks[t];
        const size_t width = fc_text_width(tick->label);
        size_t start = picture->left + 1 + fc_canvas_column(picture->canvas, tick->position);
        start = start > width / 2 ? start - width / 2 : 0;
        if (start + width > picture->width)
            start = picture->width - width;
        if (!width || (written && start < written + 1))
            continue;
        fc_write_spaces(picture->stream, start - written);
        fputs(tick->label, picture->stream);
        written = start + width;
    }
    fputc('\n', picture->stream);
    const size_t room = picture->left + 1 + picture->columns;
    const size_t width = fc_text_width(picture->plot->x_label);
    if (width && width < picture->columns) {
        fc_write_spaces(picture->stream, room - (picture->columns + width) / 2);
        fprintf(picture->stream, "%s\n", picture->plot->x_label);
    } else if (width) {
        fc_write_wrapped(picture->stream, picture->plot->x_label, 0, picture->width);
    }
}

/* ---- legend ---- */

static void write_entry(const terminal_picture *picture, const char *sample, int colour,
                        const char *text, size_t *used) {
    const size_t width = fc_text_width(sample) + 1 + fc_text_width(text);
    if (*used && *used + 3 + width > picture->width) {
        fputc('\n', picture->stream);
        *used = 0;
    }
    fc_write_spaces(picture->stream, *used ? 3 : 2);
    if (!picture->plain && colour >= 0)
        fc_colour(picture->stream, colour);
    fputs(sample, picture->stream);
    if (!picture->plain && colour >= 0)
        fc_colour(picture->stream, -1);
    fputc(' ', picture->stream);
    *used += (*used ? 3 : 2) + width;
    while (text) { /* more than one line only if the label is longer than a line */
        const char *next = NULL;
        const size_t indent = fc_text_width(sample) + 3;
        const size_t bytes = fc_text_line(text, picture->width - indent, &next);
        fwrite(text, 1, bytes, picture->stream);
        if (next) {
            fputc('\n', picture->stream);
            fc_write_spaces(picture->stream, indent);
        }
        text = next;
    }
}

static void write_legend(const terminal_picture *picture) {
    const fc_plot *plot = picture->plot;
    size_t used = 0;
    for (size_t s = 0; s < plot->series_count; s++) {
        char sample[16];
        const bool dotted = !picture->plain && plot->series[s].style != FC_STYLE_POINTS;
        const bool pointed = picture->plain || fc_series_has_symbols(&plot->series[s]);
        snprintf(sample, sizeof sample, "%s%s%s", dotted ? "⠒⠒" : "",
                 pointed ? glyph_of(picture, s) : "", dotted ? "⠒⠒" : "");
        if (plot->series[s].label[0])
            write_entry(picture, sample, PICK(colours, plot->series[s].colour),
                        plot->series[s].label, &used);
    }
    for (size_t m = 0; m < plot->marker_count; m++) {
        const fc_marker *marker = &plot->markers[m];
        char x[FC_NUMBER_SIZE], text[256];
        if (!fc_plot_shows_marker(plot, marker) || !marker->label[0])
            continue;
        fc_number_text(marker->x, 4, x);
        const bool alone = plot->marker_count == 1 || !fc_marker_has_bracket(marker);
        snprintf(text, sizeof text, "%.200s%s%s", marker->label, alone ? " " : "", alone ? x : "");
        write_entry(picture, bar_of(picture, m), -1, text, &used);
    }
    if (used)
        fputc('\n', picture->stream);
    char note[FC_PLOT_NOTE_SIZE];
    fc_plot_note(plot, &picture->y, note);
    if (!fc_plot_has_data(plot))
        fputs("  (no data)\n", picture->stream);
    if (note[0])
        fc_write_wrapped(picture->stream, note, 2, picture->width);
}

/* ---- the whole ---- */

static void place_frame(terminal_picture *picture) {
    const size_t quarter = picture->width / 4;
    picture->rows = quarter < 12 ? 12 : quarter > 24 ? 24 : quarter;
    fc_plot_axes(picture->axes, (int)(picture->width / 13), (int)(picture->rows / 4), &picture->x,
                 &picture->y);
    size_t widest = 1;
    for (size_t t = 0; t < picture->y.tick_count; t++) {
        const size_t width = fc_text_width(picture->y.ticks[t].label);
        widest = width > widest ? width : widest;
    }
    picture->left = widest + 2;
    picture->columns = picture->width - picture->left - 2;
}

static void write_title(const fc_plot *plot, const fc_write_settings *settings, FILE *stream) {
    if (!plot->title[0])
        return;
    fc_ink(stream, settings->colour, FC_INK_BOLD);
    fc_write_wrapped(stream, plot->title, 0, settings->width);
    fc_ink_end(stream, settings->colour);
}

/* axes: the plot whose axes it has. */
static fc_status write_one(const fc_plot *plot, const fc_plot *axes,
                           const fc_write_settings *settings, FILE *stream) {
    terminal_picture picture = {.plot = plot,
                                .axes = axes,
                                .stream = stream,
                                .plain = !settings->colour,
                                .width = settings->width};
    place_frame(&picture);
    picture.canvas = fc_canvas_create(picture.columns, picture.rows, picture.plain);
    if (!picture.canvas)
        return FC_ERROR_MEMORY;
    draw(&picture);
    write_title(plot, settings, stream);
    if (plot->y_label[0])
        fc_write_wrapped(stream, plot->y_label, 0, settings->width);
    write_rows(&picture);
    write_x_axis(&picture);
    write_legend(&picture);
    fc_canvas_free(picture.canvas);
    return FC_OK;
}

fc_status fc_plot_write_terminal(const fc_plot *plot, const fc_write_settings *settings,
                                 FILE *stream) {
    if (!plot || !stream)
        return FC_ERROR_ARGUMENT;
    const fc_write_settings used = fc_writing_settings(settings);
    fc_writing writing = fc_writing_begin();
    fc_status status = FC_OK;
    if (plot->panel_count == 0)
        status = write_one(plot, plot, &used, stream);
    else
        write_title(plot, &used, stream);
    for (size_t p = 0; p < plot->panel_count && status == FC_OK; ++p) {
        fputc('\n', stream);
        status = write_one(plot->panels[p], plot, &used, stream);
    }
    return fc_writing_end(&writing, stream, status);
}
