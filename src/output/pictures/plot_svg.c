#include "output/text/characters.h"
#include "output/pictures/plot.h"
#include "output/pictures/svg.h"
#include "output/text/writing.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 560, FRAME_HEIGHT = 290, LINE_HEIGHT = 20, MARGIN = 12, TOOLTIPS_MAX = 3000 };
enum { PANEL_WIDTH = 300, PANEL_HEIGHT = 200, PANEL_GAP = 22, PANEL_COLUMNS = 3, LEAST_FRAME = 80 };
enum { BRACKETS_WHOLE = 4, BRACKET_STRIP = 9 };
enum { Y_NAME_BEYOND = 44 }; /* the frame: half of it above and below */
enum { COLOURS = 8, SHAPES = 7 };

static const char *const dashes[] = {"", "7 4", "2 3", "10 3 2 3", "14 4"};
static const char *const marker_dashes[] = {"6 5", "2 4", "10 4 2 4"};

typedef struct svg_picture {
    const fc_plot *plot;
    FILE *stream;
    fc_scale x, y;
    double whole;                    /* width of the whole picture */
    double left, top, width, height; /* of the frame */
    bool tooltips;
    bool panelled;                 /* a panel, or what all panels share */
    bool no_x_labels, no_y_labels; /* a panel that has others below it, or to its left */
    bool neighbour;                /* a panel that has another to its right */
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
        const bool touches = picture->neighbour && x + half > picture->left + picture->width + 4;
        if (!tick->label[0] || x - half < free_from || touches)
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
        if (tick->label[0] && !picture->no_y_labels)
            fc_svg_write_lines(picture->stream,
                               (fc_svg_text){.x = picture->left - 9,
                                             .y = pixel_y(picture, tick->value) + 4.5,
                                             .anchor = FC_SVG_END},
                               tick->label, WIDTH, FC_SVG_LETTER, 0);
    }
    if (picture->no_x_labels)
        return;
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

/* ---- vertical markers; several are distinguished by a letter above the frame, brackets by the
 * colour of their series ---- */

static bool has_letter(const fc_plot *plot, const fc_marker *marker) {
    return plot->marker_count > 1 && !fc_marker_has_bracket(marker);
}

static bool has_letters(const fc_plot *plot) {
    bool any = false;
    for (size_t m = 0; m < plot->marker_count; m++)
        any |= has_letter(plot, &plot->markers[m]);
    return any;
}

static void marker_text(const svg_picture *picture, size_t index, char *text, size_t size) {
    const fc_marker *marker = &picture->plot->markers[index];
    char x[FC_NUMBER_SIZE], low[FC_NUMBER_SIZE], high[FC_NUMBER_SIZE], letter[4] = "";
    fc_number_text(marker->x, 4, x);
    fc_number_text(marker->low, 4, low);
    fc_number_text(marker->high, 4, high);
    if (has_letter(picture->plot, marker))
        snprintf(letter, sizeof letter, "%c: ", (char)('a' + index % 26));
    if (!fc_marker_has_bracket(marker))
        snprintf(text, size, "%s%.300s%s%s", letter, marker->label, marker->label[0] ? " " : "", x);
    else if (picture->plot->marker_count > 1)
        snprintf(text, size, "%.300s", marker->label);
    else if (picture->panelled) /* each has its own */
        snprintf(text, size, "%.240s (bracket)", marker->label);
    else
        snprintf(text, size, "%.240s %s (%s to %s)", marker->label, x, low, high);
}

static void draw_dashed(FILE *stream, size_t index) {
    const size_t count = sizeof marker_dashes / sizeof *marker_dashes;
    fprintf(stream, "<path class=\"fc-mark\" stroke-width=\"1.6\" stroke-dasharray=\"%s\" d=\"",
            marker_dashes[index % count]);
}

/* Many brackets would fill the frame: then they are a strip along its top, and their lines end
 * there. */
static void draw_bracket(const svg_picture *picture, const fc_marker *marker) {
    const double x = pixel_x(picture, marker->x), low = pixel_x(picture, marker->low);
    const double high = pixel_x(picture, marker->high);
    const bool strip = picture->plot->marker_count > BRACKETS_WHOLE;
    fprintf(picture->stream,
            "<g class=\"fc-c%zu\"><rect fill=\"currentColor\" fill-opacity=\"%s\" x=\"%.1f\" "
            "y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/><path fill=\"none\" "
            "stroke=\"currentColor\" stroke-dasharray=\"4 4\" d=\"M%.1f %.1fv%.1f\"/></g>\n",
            marker->colour % COLOURS, strip ? "0.5" : "0.15", low, picture->top,
            fmax(1, high - low), strip ? BRACKET_STRIP : picture->height, x, picture->top,
            strip ? BRACKET_STRIP + 8 : picture->height);
}

static void draw_markers(const svg_picture *picture) {
    for (size_t m = 0; m < picture->plot->marker_count; m++) {
        const fc_marker *marker = &picture->plot->markers[m];
        if (!fc_plot_shows_marker(picture->plot, marker))
            continue;
        if (fc_marker_has_bracket(marker)) {
            draw_bracket(picture, marker);
            continue;
        }
        const double x = pixel_x(picture, marker->x);
        draw_dashed(picture->stream, m);
        fprintf(picture->stream, "M%.1f %.1fV%.1f\"/>\n", x, picture->top,
                picture->top + picture->height);
        if (has_letter(picture->plot, marker)) {
            const char letter[] = {(char)('a' + m % 26), '\0'};
            fc_svg_write_text(picture->stream,
                              (fc_svg_text){.x = x, .y = picture->top - 4, .anchor = FC_SVG_MIDDLE},
                              letter, 1);
        }
    }
}

/* ---- legend, below the plot where it covers nothing: a few entries flow, many stand in columns,
 * and those that would take more height than the frame are counted ---- */

enum { FLOWING_MOST = 4 };
/* The mean width of a letter in a long name: FC_SVG_LETTER is for few letters, which may be wide.
 */
static const double column_letter = 7.2;

typedef struct svg_legend {
    double x, y;   /* where the next entry goes */
    double column; /* width of a column; 0: entries flow */
    size_t left;   /* entries that may still be written */
    size_t out;    /* that were not */
    bool draw;     /* or only measure */
} svg_legend;

static double legend_room(const svg_picture *picture) {
    return picture->whole - 2 * MARGIN - 42;
}

/* Moves to a place for an entry with that text; returns the lines it takes. */
static size_t legend_place(const svg_picture *picture, svg_legend *legend, const char *text,
                           double *width) {
    const double room = legend_room(picture);
    const size_t lines = fc_svg_lines(text, room, FC_SVG_LETTER);
    const double letters = (double)fc_text_width(text);
    *width = lines > 1 ? room : fmin(room, letters * FC_SVG_LETTER);
    const double needed = legend->column > 0 ? legend->column - 14 : 42 + *width;
    if (legend->x > MARGIN && legend->x + needed > picture->whole - MARGIN + 0.1) {
        legend->x = MARGIN;
        legend->y += LINE_HEIGHT;
    }
    return lines ? lines : 1;
}

static void legend_text(const svg_picture *picture, svg_legend *legend, const char *text) {
    double width = 0;
    const size_t lines = legend_place(picture, legend, text, &width);
    if (legend->draw)
        fc_svg_write_lines(picture->stream,
                           (fc_svg_text){.x = legend->x + 38, .y = legend->y + 4.5}, text, width,
                           FC_SVG_LETTER, LINE_HEIGHT);
    legend->x += legend->column > 0 ? legend->column : 42 + width + 14;
    if (lines > 1) {
        legend->x = MARGIN;
        legend->y += (double)lines * LINE_HEIGHT;
    }
}

/* Whether there is room for one more. */
static bool legend_takes(svg_legend *legend) {
    if (legend->left == 0) {
        ++legend->out;
        return false;
    }
    --legend->left;
    return true;
}

static void legend_series(const svg_picture *picture, svg_legend *legend, size_t index) {
    const fc_series *series = &picture->plot->series[index];
    double width = 0;
    if (!legend_takes(legend))
        return;
    legend_place(picture, legend, series->label, &width);
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
    const fc_marker *marker = &picture->plot->markers[index];
    char text[400];
    double width = 0;
    if (!legend_takes(legend))
        return;
    marker_text(picture, index, text, sizeof text);
    legend_place(picture, legend, text, &width);
    if (legend->draw && fc_marker_has_bracket(marker)) {
        fprintf(picture->stream,
                "<g class=\"fc-c%zu\"><path fill=\"currentColor\" fill-opacity=\"0.2\" "
                "d=\"M%.1f %.1fh16v12h-16z\"/><path stroke=\"currentColor\" "
                "stroke-dasharray=\"4 4\" d=\"M%.1f %.1fv12\"/></g>\n",
                picture->plot->marker_count > 1 ? (size_t)COLOURS - 1 : marker->colour % COLOURS,
                legend->x + 7, legend->y - 6, legend->x + 15, legend->y - 6);
    } else if (legend->draw) {
        draw_dashed(picture->stream, index);
        fprintf(picture->stream, "M%.1f %.1fh30\"/>\n", legend->x, legend->y);
    }
    legend_text(picture, legend, text);
}

static bool marker_in_legend(const fc_plot *plot, const fc_marker *marker) {
    return fc_plot_shows_marker(plot, marker) && (marker->label[0] || has_letter(plot, marker));
}

/* Entries in columns as wide as the widest. */
static svg_legend plan_legend(const svg_picture *picture, double y, bool draw) {
    svg_legend legend = {.x = MARGIN, .y = y, .draw = draw, .left = SIZE_MAX};
    double widest = 0;
    size_t entries = 0;
    for (size_t s = 0; s < picture->plot->series_count; s++) {
        const char *label = picture->plot->series[s].label;
        widest = fmax(widest, column_letter * (double)fc_text_width(label));
        entries += label[0] != '\0';
    }
    for (size_t m = 0; m < picture->plot->marker_count; m++) {
        char text[400];
        if (!marker_in_legend(picture->plot, &picture->plot->markers[m]))
            continue;
        marker_text(picture, m, text, sizeof text);
        widest = fmax(widest, column_letter * (double)fc_text_width(text));
        ++entries;
    }
    if (entries <= FLOWING_MOST)
        return legend;
    legend.column = 42 + 14 + fmin(widest, legend_room(picture));
    const double columns = fmax(1, floor((picture->whole - 2 * MARGIN + 14) / legend.column));
    const double rows = fmax(4, floor(FRAME_HEIGHT / (double)LINE_HEIGHT));
    if ((double)entries > rows * columns)
        legend.left = (size_t)(rows * columns) - 1;
    return legend;
}

/* Returns the height the legend takes. */
static double write_legend(const svg_picture *picture, double y, bool draw) {
    svg_legend legend = plan_legend(picture, y, draw);
    for (size_t s = 0; s < picture->plot->series_count; s++) {
        if (picture->plot->series[s].label[0])
            legend_series(picture, &legend, s);
    }
    for (size_t m = 0; m < picture->plot->marker_count; m++) {
        if (marker_in_legend(picture->plot, &picture->plot->markers[m]))
            legend_marker(picture, &legend, m);
    }
    if (legend.out) {
        char text[48];
        snprintf(text, sizeof text, "and %zu more", legend.out);
        legend_text(picture, &legend, text);
    }
    return legend.y - y + (legend.x > MARGIN ? LINE_HEIGHT : 0);
}

/* ---- the whole ---- */

static double y_label_width(const svg_picture *picture, double height) {
    size_t widest = 1;
    for (size_t t = 0; t < picture->y.tick_count; t++) {
        const size_t width = fc_text_width(picture->y.ticks[t].label);
        widest = width > widest ? width : widest;
    }
    const size_t side = fc_svg_lines(picture->plot->y_label, height + Y_NAME_BEYOND, FC_SVG_LETTER);
    return 8 + 18 * (double)side + FC_SVG_LETTER * (double)widest + 12;
}

/* Half of the last number of the x axis reaches beyond the frame. */
static double right_margin(const svg_picture *picture) {
    const fc_scale *x = &picture->x;
    const double last = x->tick_count ? 0.5 * FC_SVG_LETTER *
                                            (double)fc_text_width(x->ticks[x->tick_count - 1].label)
                                      : 0;
    return fmax(20, last + 4);
}

static double title_height(const fc_plot *plot, double whole) {
    return 16 + 22 * (double)fc_svg_lines(plot->title, whole - 2 * MARGIN, FC_SVG_TITLE_LETTER);
}

static void place_frame(svg_picture *picture, double height) {
    const fc_plot *plot = picture->plot;
    picture->height = height;
    picture->left = y_label_width(picture, height);
    picture->width = picture->whole - right_margin(picture) - picture->left;
    const double beyond = names_beyond_edge(picture);
    picture->left += beyond;
    picture->width -= beyond;
    picture->top = title_height(plot, picture->whole) + (has_letters(plot) ? 12 : 0);
}

/* Below a frame: labels of the x axis, its name, legend and note. */
typedef struct svg_foot {
    double legend, note, end; /* from the lower edge of the frame on */
} svg_foot;

static svg_foot measure_foot(const svg_picture *picture, const char *x_label, double x_room) {
    svg_foot foot;
    foot.legend = 34 + below_first_line(picture) +
                  LINE_HEIGHT * (double)fc_svg_lines(x_label, x_room, FC_SVG_LETTER) + 12;
    foot.note = foot.legend + write_legend(picture, 0, false);
    foot.end =
        foot.note + LINE_HEIGHT * (double)fc_svg_lines(picture->note, picture->whole - 2 * MARGIN,
                                                       FC_SVG_LETTER);
    return foot;
}

/* The height of a frame where the height of the whole is given. */
static double frame_height(const fc_plot *plot, double others, double usual) {
    return plot->look.height > 0 ? fmax(LEAST_FRAME, plot->look.height - others) : usual;
}

static void draw_title(const svg_picture *picture, const char *title) {
    fc_svg_write_lines(
        picture->stream,
        (fc_svg_text){
            .x = picture->whole / 2, .y = 26, .anchor = FC_SVG_MIDDLE, .style = "fc-title"},
        title, picture->whole - 2 * MARGIN, FC_SVG_TITLE_LETTER, 22);
}

/* frame: what the names of the axes are in the middle of. */
static void draw_axis_labels(const svg_picture *frame) {
    const fc_plot *plot = frame->plot;
    fc_svg_write_lines(frame->stream,
                       (fc_svg_text){.x = frame->left + 0.5 * frame->width,
                                     .y = frame->top + frame->height + 41 + below_first_line(frame),
                                     .anchor = FC_SVG_MIDDLE},
                       plot->x_label, frame->width, FC_SVG_LETTER, LINE_HEIGHT);
    fc_svg_write_lines(
        frame->stream,
        (fc_svg_text){
            .x = 18, .y = frame->top + 0.5 * frame->height, .anchor = FC_SVG_MIDDLE, .rise = 90},
        plot->y_label, frame->height + Y_NAME_BEYOND, FC_SVG_LETTER, 18);
}

static void draw_frame_with_data(const svg_picture *picture) {
    draw_grid(picture);
    draw_frame(picture);
    draw_tick_labels(picture);
    draw_markers(picture);
    draw_data(picture);
    if (!fc_plot_has_data(picture->plot))
        fc_svg_write_lines(picture->stream,
                           (fc_svg_text){.x = picture->left + 0.5 * picture->width,
                                         .y = picture->top + 0.5 * picture->height,
                                         .anchor = FC_SVG_MIDDLE},
                           "no data", WIDTH, FC_SVG_LETTER, LINE_HEIGHT);
}

static void draw_foot(const svg_picture *picture, svg_foot foot) {
    const double below = picture->top + picture->height;
    write_legend(picture, below + foot.legend, true);
    fc_svg_write_lines(picture->stream, (fc_svg_text){.x = MARGIN, .y = below + foot.note + 6},
                       picture->note, picture->whole - 2 * MARGIN, FC_SVG_LETTER, LINE_HEIGHT);
}

static void draw_single(svg_picture *picture, bool standalone) {
    const fc_plot *plot = picture->plot;
    picture->whole = plot->look.width > 0 ? plot->look.width : WIDTH;
    place_frame(picture, FRAME_HEIGHT);
    const svg_foot foot = measure_foot(picture, plot->x_label, picture->width);
    picture->height = frame_height(plot, picture->top + foot.end, FRAME_HEIGHT);
    fc_svg_begin(picture->stream, picture->whole, ceil(picture->top + picture->height + foot.end),
                 plot->title, standalone);
    draw_title(picture, plot->title);
    draw_axis_labels(picture);
    draw_frame_with_data(picture);
    draw_foot(picture, foot);
}

/* ---- panels: frames with the same axes, and one legend ---- */

/* Whether the data of some panel would fill little of the x axis that all could share. */
static bool panels_differ(const fc_plot *plot) {
    static const double least = 0.35; /* of the longest */
    double longest = 0, shortest = INFINITY;
    for (size_t p = 0; p < plot->panel_count; ++p) {
        fc_scale x, y;
        fc_plot_axes(plot->panels[p], 4, 4, &x, &y);
        longest = fmax(longest, x.high);
        shortest = fmin(shortest, x.high);
    }
    return !plot->panels[0]->x_names && !plot->panels[0]->look.log_x && shortest < least * longest;
}

static void draw_panel_title(const svg_picture *picture) {
    fc_svg_write_lines(picture->stream,
                       (fc_svg_text){.x = picture->left + 0.5 * picture->width,
                                     .y = picture->top - 7,
                                     .anchor = FC_SVG_MIDDLE},
                       picture->plot->title, picture->width, FC_SVG_LETTER, 0);
}

static void draw_panels(svg_picture *all, bool standalone) {
    const fc_plot *plot = all->plot;
    const size_t count = plot->panel_count;
    const size_t columns = count <= PANEL_COLUMNS ? count : count == 4 ? 2 : PANEL_COLUMNS;
    const size_t rows = (count + columns - 1) / columns;
    all->panelled = true;
    all->plot = plot->panels[0]; /* its labels and its legend are those of all */
    all->whole =
        plot->look.width > 0 ? plot->look.width : fmax(WIDTH, 60.0 + PANEL_WIDTH * (double)columns);
    const double left = y_label_width(all, PANEL_HEIGHT * (double)rows);
    const double across = all->whole - left - right_margin(all);
    const svg_foot foot = measure_foot(all, all->plot->x_label, across);
    const double top = title_height(plot, all->whole) + PANEL_GAP;
    const bool own_x = panels_differ(plot);
    const double gap = PANEL_GAP + 6 + (own_x ? LINE_HEIGHT : 0);
    const double gaps = gap * (double)(rows - 1);
    const double down = frame_height(plot, top + foot.end, (double)rows * PANEL_HEIGHT + gaps);
    svg_picture panel = *all;
    panel.width = (across - PANEL_GAP * (double)(columns - 1)) / (double)columns;
    panel.height = fmax(LEAST_FRAME / 2.0, (down - gaps) / (double)rows);
    fc_svg_begin(all->stream, all->whole, ceil(top + (double)rows * panel.height + gaps + foot.end),
                 plot->title, standalone);
    draw_title(all, plot->title);
    for (size_t p = 0; p < count; ++p) {
        panel.plot = plot->panels[p];
        panel.left = left + (double)(p % columns) * (panel.width + PANEL_GAP);
        panel.top = top + (double)(p / columns) * (panel.height + gap);
        panel.no_y_labels = p % columns != 0;
        panel.neighbour = (p + 1) % columns != 0 && p + 1 < count;
        panel.no_x_labels = p + columns < count && !own_x;
        if (own_x) {
            fc_scale y;
            fc_plot_axes(plot->panels[p], 4, 4, &panel.x, &y);
        }
        draw_panel_title(&panel);
        draw_frame_with_data(&panel);
    }
    all->left = left;
    all->top = top;
    all->width = across;
    all->height = (double)rows * panel.height + gaps;
    draw_axis_labels(all);
    draw_foot(all, foot);
}

static size_t count_points(const fc_plot *plot) {
    size_t points = 0;
    for (size_t s = 0; s < plot->series_count; s++)
        points += plot->series[s].count;
    for (size_t p = 0; p < plot->panel_count; p++)
        points += count_points(plot->panels[p]);
    return points;
}

void fc_plot_svg(const fc_plot *plot, bool standalone, FILE *stream) {
    svg_picture picture = {.plot = plot, .stream = stream};
    picture.tooltips = count_points(plot) <= TOOLTIPS_MAX;
    fc_plot_axes(plot, plot->panel_count ? 4 : 6, plot->panel_count ? 4 : 6, &picture.x,
                 &picture.y);
    fc_plot_note(plot, &picture.y, picture.note);
    if (plot->panel_count)
        draw_panels(&picture, standalone);
    else
        draw_single(&picture, standalone);
    fc_svg_end(stream);
}

fc_status fc_plot_write_svg(const fc_plot *plot, FILE *stream) {
    if (!plot || !stream)
        return FC_ERROR_ARGUMENT;
    fc_writing writing = fc_writing_begin();
    fc_plot_svg(plot, true, stream);
    return fc_writing_end(&writing, stream, FC_OK);
}
