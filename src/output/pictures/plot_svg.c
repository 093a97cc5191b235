#include "output/text/characters.h"
#include "output/pictures/plot.h"
#include "output/pictures/svg.h"
#include "output/text/writing.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 560, FRAME_HEIGHT = 290, LINE_HEIGHT = 20, MARGIN = 12, TOOLTIPS_MAX = 3000 };
enum { COLOURS = 8, SHAPES = 7 };

static const char *const dashes[] = {"", "7 4", "2 3", "10 3 2 3", "14 4"};
static const char *const marker_dashes[] = {"6 5", "2 4", "10 4 2 4"};

typedef struct svg_picture {
    const fc_plot *plot;
    FILE *stream;
    fc_scale x, y;
    double left, top, width, height; /* of the frame */
    bool tooltips;
    char note[FC_PLOT_NOTE_SIZE];
} svg_picture;

static double pixel_x(const svg_picture *picture, double x) {
    return picture->left + picture->width * fc_scale_position(&picture->x, x);
}

static double pixel_y(const svg_picture *picture, double y) {
    return picture->top + picture->height * (1 - fc_scale_position(&picture->y, y));
}

/* ---- axes ---- */

static void draw_grid(const svg_picture *picture) {
    const double right = picture->left + picture->width, bottom = picture->top + picture->height;
    fputs("<path class=\"fc-grid\" d=\"", picture->stream);
    for (size_t t = 0; t < picture->y.tick_count; t++) {
        const fc_tick *tick = &picture->y.ticks[t];
        if (tick->label[0])
            fprintf(picture->stream, "M%.1f %.1fH%.1f", picture->left,
                    pixel_y(picture, tick->value), right);
    }
    for (size_t t = 0; t < picture->x.tick_count; t++) {
        const fc_tick *tick = &picture->x.ticks[t];
        if (tick->label[0])
            fprintf(picture->stream, "M%.1f %.1fV%.1f", pixel_x(picture, tick->value), picture->top,
                    bottom);
    }
    fputs("\"/>\n", picture->stream);
}

static void draw_frame(const svg_picture *picture) {
    const double bottom = picture->top + picture->height;
    fprintf(picture->stream, "<path class=\"fc-axis\" d=\"M%.1f %.1fV%.1fH%.1f", picture->left,
            picture->top, bottom, picture->left + picture->width);
    for (size_t t = 0; t < picture->y.tick_count; t++) {
        const fc_tick *tick = &picture->y.ticks[t];
        fprintf(picture->stream, "M%.1f %.1fh%d", picture->left, pixel_y(picture, tick->value),
                tick->label[0] ? -6 : -3);
    }
    for (size_t t = 0; t < picture->x.tick_count; t++) {
        const fc_tick *tick = &picture->x.ticks[t];
        fprintf(picture->stream, "M%.1f %.1fv%d", pixel_x(picture, tick->value), bottom,
                tick->label[0] ? 6 : 3);
    }
    fputs("\"/>\n", picture->stream);
}

/* A label that would touch the one before it is left out. */
static void draw_x_numbers(const svg_picture *picture) {
    double free_from = -1e9;
    for (size_t t = 0; t < picture->x.tick_count; t++) {
        const fc_tick *tick = &picture->x.ticks[t];
        const double x = pixel_x(picture, tick->value);
        const double half = 0.5 * FC_SVG_LETTER * (double)fc_text_width(tick->label);
        if (!tick->label[0] || x - half < free_from)
            continue;
        fc_svg_write_lines(picture->stream,
                           (fc_svg_text){.x = x,
                                         .y = picture->top + picture->height + 20,
                                         .anchor = FC_SVG_MIDDLE},
                           tick->label, WIDTH, FC_SVG_LETTER, 0);
        free_from = x + half + 6;
    }
}

/* Names that do not fit beside each other rise towards their ticks. */
enum { NAME_RISE = 35 };
static const double name_across = 0.819, name_down = 0.574; /* cosine and sine of it */

static double length_of_name(const svg_picture *picture, size_t n) {
    return FC_SVG_LETTER * (double)fc_text_width(picture->plot->x_names[n]);
}

static double longest_name(const svg_picture *picture) {
    double longest = 0;
    for (size_t n = 0; n < picture->plot->x_name_count; n++)
        longest = fmax(longest, length_of_name(picture, n));
    return longest;
}

static bool names_rise(const svg_picture *picture) {
    return longest_name(picture) > picture->width / (double)picture->plot->x_name_count - 6;
}

static void draw_x_names(const svg_picture *picture) {
    const double below = picture->top + picture->height;
    const bool rise = names_rise(picture);
    for (size_t n = 0; n < picture->plot->x_name_count; n++) {
        const double x = pixel_x(picture, (double)n);
        const fc_svg_text level = {.x = x, .y = below + 20, .anchor = FC_SVG_MIDDLE};
        const fc_svg_text rising = {
            .x = x + 5, .y = below + 16, .anchor = FC_SVG_END, .rise = NAME_RISE};
        fc_svg_write_text(picture->stream, rise ? rising : level, picture->plot->x_names[n],
                          strlen(picture->plot->x_names[n]));
    }
}

/* How far names that rise reach out to the left of the picture. */
static double names_beyond_edge(const svg_picture *picture) {
    double most = 0;
    for (size_t n = 0; n < picture->plot->x_name_count && names_rise(picture); n++)
        most = fmax(most, MARGIN + name_across * length_of_name(picture, n) -
                              pixel_x(picture, (double)n));
    return most;
}

/* Height below the frame that the labels of the x axis take beyond one line. */
static double below_first_line(const svg_picture *picture) {
    return picture->plot->x_names && names_rise(picture)
               ? fmax(0, name_down * longest_name(picture) - 4)
               : 0;
}

static void draw_tick_labels(const svg_picture *picture) {
    for (size_t t = 0; t < picture->y.tick_count; t++) {
        const fc_tick *tick = &picture->y.ticks[t];
        if (tick->label[0])
            fc_svg_write_lines(picture->stream,
                               (fc_svg_text){.x = picture->left - 9,
                                             .y = pixel_y(picture, tick->value) + 4.5,
                                             .anchor = FC_SVG_END},
                               tick->label, WIDTH, FC_SVG_LETTER, 0);
    }
    if (picture->plot->x_names)
        draw_x_names(picture);
    else
        draw_x_numbers(picture);
}

/* ---- data ---- */

static void draw_shape(FILE *stream, size_t index, double x, double y) {
    static const char *const paths[SHAPES] = {
        "a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
        "v-3.6h7.2v7.2h-7.2z",
        "l4.4-4.9 4.4 4.9z",
        "l5-5 5 5-5 5z",
        "l4.4 4.9 4.4-4.9z",
        "h9m-4.5-4.5v9",
        "l7 7m0-7l-7 7",
    };
    static const double starts[SHAPES][2] = {{-4, 0},      {-3.6, 0}, {-4.4, 2.9}, {-5, 0},
                                             {-4.4, -2.9}, {-4.5, 0}, {-3.5, -3.5}};
    const size_t shape = index % SHAPES;
    const bool hollow = (index / SHAPES) % 2 == 1;
    fprintf(stream, "<path%s stroke-width=\"1.6\" d=\"M%.1f %.1f%s\"",
            hollow ? " class=\"fc-page\"" : "", x + starts[shape][0], y + starts[shape][1],
            paths[shape]);
}

static void draw_tooltip(const svg_picture *picture, const fc_series *series, size_t point) {
    char x[FC_NUMBER_SIZE], y[FC_NUMBER_SIZE], half_width[FC_NUMBER_SIZE];
    const double half = fc_series_half_width(series, point);
    fc_number_text(series->x[point], 6, x);
    fc_number_interval(series->y[point], half > 0 ? half : (double)NAN, y, half_width);
    fputs("><title>", picture->stream);
    fc_write_xml(picture->stream, series->label);
    fprintf(picture->stream, ": (%s, %s%s%s)</title></path>\n", x, y, half_width[0] ? " ± " : "",
            half_width);
}

/* Lines of different colours differ in their dashes too; so does a line from a band of its colour.
 */
static const char *dash_of(const fc_plot *plot, const fc_series *series) {
    size_t dash = series->colour;
    for (size_t s = 0; s < plot->series_count && series->style == FC_STYLE_LINE; ++s)
        if (plot->series[s].style == FC_STYLE_BAND && plot->series[s].colour == series->colour)
            dash = series->colour + 2;
    return dashes[dash % (sizeof dashes / sizeof *dashes)];
}

static void draw_line(const svg_picture *picture, const fc_series *series) {
    const char *dash = dash_of(picture->plot, series);
    fputs("<path fill=\"none\" stroke-width=\"2\" stroke-linecap=\"round\" "
          "stroke-linejoin=\"round\"",
          picture->stream);
    if (dash[0])
        fprintf(picture->stream, " stroke-dasharray=\"%s\"", dash);
    fputs(" d=\"", picture->stream);
    bool pen_down = false;
    for (size_t p = 0; p < series->count; p++) {
        const bool shown = fc_plot_shows(picture->plot, series->x[p], series->y[p]);
        if (shown)
            fprintf(picture->stream, "%c%.1f %.1f", pen_down ? 'L' : 'M',
                    pixel_x(picture, series->x[p]), pixel_y(picture, series->y[p]));
        pen_down = shown;
    }
    fputs("\"/>\n", picture->stream);
}

/* A point alone between gaps has no line to either side. */
static void draw_lone_points(const svg_picture *picture, const fc_series *series) {
    for (size_t p = 0; p < series->count; p++) {
        const bool before =
            p > 0 && fc_plot_shows(picture->plot, series->x[p - 1], series->y[p - 1]);
        const bool after = p + 1 < series->count &&
                           fc_plot_shows(picture->plot, series->x[p + 1], series->y[p + 1]);
        if (!before && !after && fc_plot_shows(picture->plot, series->x[p], series->y[p]))
            fprintf(picture->stream, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"1.8\"/>\n",
                    pixel_x(picture, series->x[p]), pixel_y(picture, series->y[p]));
    }
}

static void draw_error_bars(const svg_picture *picture, const fc_series *series) {
    const double lowest = picture->top + picture->height + 10;
    for (size_t p = 0; p < series->count; p++) {
        const double half = fc_series_half_width(series, p);
        if (half == 0 || !fc_plot_shows(picture->plot, series->x[p], series->y[p]))
            continue;
        const double x = pixel_x(picture, series->x[p]);
        const double above = pixel_y(picture, series->y[p] + half);
        const bool below_axis = picture->y.log && series->y[p] <= half;
        const double below = below_axis ? lowest : pixel_y(picture, series->y[p] - half);
        fprintf(picture->stream,
                "<path fill=\"none\" stroke-width=\"1.2\" d=\"M%.1f %.1fh8m-4 0V%.1fm-4 0h8\"/>\n",
                x - 4, above, below);
    }
}

/* The stretch of points from `first` on that are shown, as one closed path: there above the line
 * and back below it. Returns the point after the stretch. */
static size_t draw_band_stretch(const svg_picture *picture, const fc_series *series, size_t first) {
    const double lowest = picture->top + picture->height + 10;
    size_t end = first;
    while (end < series->count && fc_plot_shows(picture->plot, series->x[end], series->y[end]))
        end++;
    if (end == first)
        return first + 1;
    fputs("<path class=\"fc-band\" stroke=\"none\" fill-opacity=\"0.2\" d=\"", picture->stream);
    for (size_t p = first; p < end; p++)
        fprintf(picture->stream, "%c%.1f %.1f", p == first ? 'M' : 'L',
                pixel_x(picture, series->x[p]),
                pixel_y(picture, series->y[p] + fc_series_half_width(series, p)));
    for (size_t p = end; p-- > first;) {
        const double low = series->y[p] - fc_series_half_width(series, p);
        const bool below_axis = picture->y.log && low <= 0;
        fprintf(picture->stream, "L%.1f %.1f", pixel_x(picture, series->x[p]),
                below_axis ? lowest : pixel_y(picture, low));
    }
    fputs("z\"/>\n", picture->stream);
    return end;
}

static void draw_band(const svg_picture *picture, const fc_series *series) {
    for (size_t p = 0; p < series->count;)
        p = draw_band_stretch(picture, series, p);
}

static void draw_points(const svg_picture *picture, const fc_series *series) {
    for (size_t p = 0; p < series->count; p++) {
        if (!fc_plot_shows(picture->plot, series->x[p], series->y[p]) ||
            fc_scale_position(&picture->y, series->y[p]) > 1 + 1e-9)
            continue;
        draw_shape(picture->stream, series->colour, pixel_x(picture, series->x[p]),
                   pixel_y(picture, series->y[p]));
        if (picture->tooltips)
            draw_tooltip(picture, series, p);
        else
            fputs("/>\n", picture->stream);
    }
}

static void begin_series(FILE *stream, size_t colour) {
    fprintf(stream, "<g class=\"fc-c%zu\" stroke=\"currentColor\" fill=\"currentColor\">\n",
            colour % COLOURS);
}

/* Lines are cut at the frame by an inner picture; symbols may overlap the frame. */
static void draw_data(const svg_picture *picture) {
    fprintf(picture->stream,
            "<svg x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
            "viewBox=\"%.1f %.1f %.1f %.1f\">\n",
            picture->left - 6, picture->top - 2, picture->width + 12, picture->height + 4,
            picture->left - 6, picture->top - 2, picture->width + 12, picture->height + 4);
    for (size_t s = 0; s < picture->plot->series_count; s++) {
        const fc_series *series = &picture->plot->series[s];
        begin_series(picture->stream, series->colour);
        if (series->style == FC_STYLE_BAND)
            draw_band(picture, series);
        if (series->style != FC_STYLE_POINTS)
            draw_line(picture, series);
        if (!fc_series_has_symbols(series))
            draw_lone_points(picture, series);
        if (series->style != FC_STYLE_BAND)
            draw_error_bars(picture, series);
        fputs("</g>\n", picture->stream);
    }
    fputs("</svg>\n", picture->stream);
    for (size_t s = 0; s < picture->plot->series_count; s++) {
        const fc_series *series = &picture->plot->series[s];
        if (!fc_series_has_symbols(series))
            continue;
        begin_series(picture->stream, series->colour);
        draw_points(picture, series);
        fputs("</g>\n", picture->stream);
    }
}

/* ---- vertical markers; several are distinguished by a letter above the frame ---- */

static void marker_text(const svg_picture *picture, size_t index, char *text, size_t size) {
    const fc_marker *marker = &picture->plot->markers[index];
    char x[FC_NUMBER_SIZE], letter[4] = "";
    fc_number_text(marker->x, 4, x);
    if (picture->plot->marker_count > 1)
        snprintf(letter, sizeof letter, "%c: ", (char)('a' + index % 26));
    snprintf(text, size, "%s%.300s%s%s", letter, marker->label, marker->label[0] ? " " : "", x);
}

static void draw_dashed(FILE *stream, size_t index) {
    const size_t count = sizeof marker_dashes / sizeof *marker_dashes;
    fprintf(stream, "<path class=\"fc-mark\" stroke-width=\"1.6\" stroke-dasharray=\"%s\" d=\"",
            marker_dashes[index % count]);
}

static void draw_markers(const svg_picture *picture) {
    for (size_t m = 0; m < picture->plot->marker_count; m++) {
        const fc_marker *marker = &picture->plot->markers[m];
        if (!fc_plot_shows_marker(picture->plot, marker))
            continue;
        const double x = pixel_x(picture, marker->x);
        draw_dashed(picture->stream, m);
        fprintf(picture->stream, "M%.1f %.1fV%.1f\"/>\n", x, picture->top,
                picture->top + picture->height);
        if (picture->plot->marker_count > 1) {
            const char letter[] = {(char)('a' + m % 26), '\0'};
            fc_svg_write_text(picture->stream,
                              (fc_svg_text){.x = x, .y = picture->top - 4, .anchor = FC_SVG_MIDDLE},
                              letter, 1);
        }
    }
}

/* ---- legend, below the plot where it covers nothing ---- */

typedef struct svg_legend {
    double x, y; /* where the next entry goes */
    bool draw;   /* or only measure */
} svg_legend;

/* Moves to a place for an entry with that text; returns the lines it takes. */
static size_t legend_place(svg_legend *legend, const char *text, double *width) {
    const double room = WIDTH - 2 * MARGIN - 42;
    const size_t lines = fc_svg_lines(text, room, FC_SVG_LETTER);
    const double letters = (double)fc_text_width(text);
    *width = lines > 1 ? room : fmin(room, letters * FC_SVG_LETTER);
    if (legend->x > MARGIN && legend->x + 42 + *width > WIDTH - MARGIN) {
        legend->x = MARGIN;
        legend->y += LINE_HEIGHT;
    }
    return lines ? lines : 1;
}

static void legend_text(const svg_picture *picture, svg_legend *legend, const char *text) {
    double width = 0;
    const size_t lines = legend_place(legend, text, &width);
    if (legend->draw)
        fc_svg_write_lines(picture->stream,
                           (fc_svg_text){.x = legend->x + 38, .y = legend->y + 4.5}, text, width,
                           FC_SVG_LETTER, LINE_HEIGHT);
    legend->x += 42 + width + 14;
    if (lines > 1) {
        legend->x = MARGIN;
        legend->y += (double)lines * LINE_HEIGHT;
    }
}

static void legend_series(const svg_picture *picture, svg_legend *legend, size_t index) {
    const fc_series *series = &picture->plot->series[index];
    double width = 0;
    legend_place(legend, series->label, &width);
    if (legend->draw) {
        begin_series(picture->stream, series->colour);
        if (series->style == FC_STYLE_BAND)
            fprintf(picture->stream,
                    "<path stroke=\"none\" fill-opacity=\"0.2\" d=\"M%.1f %.1fh30v10h-30z\"/>\n",
                    legend->x, legend->y - 5);
        if (series->style != FC_STYLE_POINTS)
            fprintf(picture->stream,
                    "<path fill=\"none\" stroke-width=\"2\" stroke-dasharray=\"%s\" "
                    "d=\"M%.1f %.1fh30\"/>\n",
                    dash_of(picture->plot, series), legend->x, legend->y);
        if (fc_series_has_symbols(series)) {
            draw_shape(picture->stream, series->colour, legend->x + 15, legend->y);
            fputs("/>\n", picture->stream);
        }
        fputs("</g>\n", picture->stream);
    }
    legend_text(picture, legend, series->label);
}

static void legend_marker(const svg_picture *picture, svg_legend *legend, size_t index) {
    char text[400];
    double width = 0;
    marker_text(picture, index, text, sizeof text);
    legend_place(legend, text, &width);
    if (legend->draw) {
        draw_dashed(picture->stream, index);
        fprintf(picture->stream, "M%.1f %.1fh30\"/>\n", legend->x, legend->y);
    }
    legend_text(picture, legend, text);
}

/* Returns the height the legend takes. */
static double write_legend(const svg_picture *picture, double y, bool draw) {
    svg_legend legend = {.x = MARGIN, .y = y, .draw = draw};
    for (size_t s = 0; s < picture->plot->series_count; s++) {
        if (picture->plot->series[s].label[0])
            legend_series(picture, &legend, s);
    }
    for (size_t m = 0; m < picture->plot->marker_count; m++) {
        if (fc_plot_shows_marker(picture->plot, &picture->plot->markers[m]))
            legend_marker(picture, &legend, m);
    }
    return legend.y - y + (legend.x > MARGIN ? LINE_HEIGHT : 0);
}

/* ---- the whole ---- */

static void place_frame(svg_picture *picture) {
    const fc_plot *plot = picture->plot;
    size_t widest = 1;
    for (size_t t = 0; t < picture->y.tick_count; t++) {
        const size_t width = fc_text_width(picture->y.ticks[t].label);
        widest = width > widest ? width : widest;
    }
    const size_t title = fc_svg_lines(plot->title, WIDTH - 2 * MARGIN, FC_SVG_TITLE_LETTER);
    const size_t side = fc_svg_lines(plot->y_label, FRAME_HEIGHT, FC_SVG_LETTER);
    picture->left = 8 + 18 * (double)side + FC_SVG_LETTER * (double)widest + 12;
    const fc_scale *x = &picture->x;
    const double last = x->tick_count ? 0.5 * FC_SVG_LETTER *
                                            (double)fc_text_width(x->ticks[x->tick_count - 1].label)
                                      : 0;
    picture->width = WIDTH - fmax(20, last + 4) - picture->left;
    const double beyond = names_beyond_edge(picture);
    picture->left += beyond;
    picture->width -= beyond;
    picture->top = 16 + 22 * (double)title + (plot->marker_count > 1 ? 12 : 0);
    picture->height = FRAME_HEIGHT;
}

static void draw_axis_labels(const svg_picture *picture) {
    const fc_plot *plot = picture->plot;
    fc_svg_write_lines(
        picture->stream,
        (fc_svg_text){.x = WIDTH / 2.0, .y = 26, .anchor = FC_SVG_MIDDLE, .style = "fc-title"},
        plot->title, WIDTH - 2 * MARGIN, FC_SVG_TITLE_LETTER, 22);
    fc_svg_write_lines(
        picture->stream,
        (fc_svg_text){.x = picture->left + 0.5 * picture->width,
                      .y = picture->top + picture->height + 41 + below_first_line(picture),
                      .anchor = FC_SVG_MIDDLE},
        plot->x_label, picture->width, FC_SVG_LETTER, LINE_HEIGHT);
    fc_svg_write_lines(picture->stream,
                       (fc_svg_text){.x = 18,
                                     .y = picture->top + 0.5 * picture->height,
                                     .anchor = FC_SVG_MIDDLE,
                                     .rise = 90},
                       plot->y_label, picture->height, FC_SVG_LETTER, 18);
}

void fc_plot_svg(const fc_plot *plot, bool standalone, FILE *stream) {
    svg_picture picture = {.plot = plot, .stream = stream};
    size_t points = 0;
    for (size_t s = 0; s < plot->series_count; s++)
        points += plot->series[s].count;
    picture.tooltips = points <= TOOLTIPS_MAX;
    fc_plot_axes(plot, 6, 6, &picture.x, &picture.y);
    fc_plot_note(plot, &picture.y, picture.note);
    place_frame(&picture);

    const size_t x_lines = fc_svg_lines(plot->x_label, picture.width, FC_SVG_LETTER);
    const double legend_top = picture.top + picture.height + 34 + below_first_line(&picture) +
                              LINE_HEIGHT * (double)x_lines + 12;
    const double note_top = legend_top + write_legend(&picture, legend_top, false);
    const size_t note_lines = fc_svg_lines(picture.note, WIDTH - 2 * MARGIN, FC_SVG_LETTER);
    fc_svg_begin(stream, WIDTH, ceil(note_top + (double)note_lines * LINE_HEIGHT), plot->title,
                 standalone);
    draw_grid(&picture);
    draw_frame(&picture);
    draw_tick_labels(&picture);
    draw_axis_labels(&picture);
    draw_markers(&picture);
    draw_data(&picture);
    if (!fc_plot_has_data(plot))
        fc_svg_write_lines(stream,
                           (fc_svg_text){.x = picture.left + 0.5 * picture.width,
                                         .y = picture.top + 0.5 * picture.height,
                                         .anchor = FC_SVG_MIDDLE},
                           "no data", WIDTH, FC_SVG_LETTER, LINE_HEIGHT);
    write_legend(&picture, legend_top, true);
    fc_svg_write_lines(stream, (fc_svg_text){.x = MARGIN, .y = note_top + 6}, picture.note,
                       WIDTH - 2 * MARGIN, FC_SVG_LETTER, LINE_HEIGHT);
    fc_svg_end(stream);
}

fc_status fc_plot_write_svg(const fc_plot *plot, FILE *stream) {
    if (!plot || !stream)
        return FC_ERROR_ARGUMENT;
    fc_writing writing = fc_writing_begin();
    fc_plot_svg(plot, true, stream);
    return fc_writing_end(&writing, stream, FC_OK);
}
