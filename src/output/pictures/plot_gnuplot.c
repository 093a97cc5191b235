/* A script for people who want to restyle a plot. The data are in the script as named blocks; a
 * blank line in a block is a gap in the line. */
#include "output/pictures/plot.h"
#include "output/text/writing.h"

#include <math.h>

/* Single quotes: gnuplot reads nothing in them but a doubled quote. */
static void write_quoted(FILE *stream, const char *text) {
    fputc('\'', stream);
    for (; *text; text++) {
        if (*text == '\'')
            fputc('\'', stream);
        fputc((unsigned char)*text < ' ' ? ' ' : *text, stream);
    }
    fputc('\'', stream);
}

static void write_label(FILE *stream, const char *command, const char *text) {
    if (!*text)
        return;
    fprintf(stream, "set %s ", command);
    write_quoted(stream, text);
    fputs(" noenhanced\n", stream);
}

/* prefix: of the names of the data, for each panel another. */
static void write_data(const fc_plot *plot, const char *prefix, size_t index, FILE *stream) {
    const fc_series *series = &plot->series[index];
    fprintf(stream, "$%s%zu << END\n# x y half_width\n", prefix, index);
    for (size_t p = 0; p < series->count; p++) {
        char x[FC_NUMBER_SIZE], y[FC_NUMBER_SIZE], half_width[FC_NUMBER_SIZE];
        fc_number_exact(series->x[p], x);
        fc_number_exact(series->y[p], y);
        fc_number_exact(fc_series_half_width(series, p), half_width);
        if (fc_plot_shows(plot, series->x[p], series->y[p]))
            fprintf(stream, "%s %s %s\n", x, y, half_width);
        else
            fputc('\n', stream);
    }
    fputs("END\n", stream);
}

static void write_names(const fc_plot *plot, FILE *stream) {
    for (size_t n = 0; n < plot->x_name_count; n++) {
        fputs(n ? ", " : "set xtics (", stream);
        write_quoted(stream, plot->x_names[n]);
        fprintf(stream, " %zu", n);
    }
    if (plot->x_name_count)
        fprintf(stream, ")\nset xrange [-0.5:%zu.5]\n", plot->x_name_count - 1);
}

static void write_marker_lines(const fc_plot *plot, FILE *stream) {
    for (size_t m = 0; m < plot->marker_count; m++) {
        char x[FC_NUMBER_SIZE];
        if (!fc_plot_shows_marker(plot, &plot->markers[m]))
            continue;
        fc_number_exact(plot->markers[m].x, x);
        if (fc_marker_has_bracket(&plot->markers[m])) {
            char low[FC_NUMBER_SIZE], high[FC_NUMBER_SIZE];
            fc_number_exact(plot->markers[m].low, low);
            fc_number_exact(plot->markers[m].high, high);
            fprintf(stream,
                    "set object rectangle from first %s, graph 0 to first %s, graph 1 fc lt %zu "
                    "fs transparent solid 0.15 noborder behind\n",
                    low, high, plot->markers[m].colour + 1);
        }
        fprintf(stream,
                "set arrow from first %s, graph 0 to first %s, graph 1 nohead lc 'black' dt %zu\n",
                x, x, m + 2);
    }
}

static void write_series(const fc_plot *plot, const char *prefix, size_t index, FILE *stream) {
    const fc_series *series = &plot->series[index];
    if (series->half_widths && series->style == FC_STYLE_BAND)
        fprintf(stream,
                "     $%s%zu using 1:($2-$3):($2+$3) with filledcurves lc %zu fs transparent "
                "solid 0.2 notitle, \\\n",
                prefix, index, series->colour + 1);
    else if (series->half_widths)
        /* Not error bars without points (ps 0): gnuplot scales the points by 0, and librsvg refuses
         * the picture. */
        fprintf(stream,
                "     $%s%zu using 1:($2-$3):(0):(2*$3) with vectors nohead lc %zu notitle, "
                "\\\n",
                prefix, index, series->colour + 1);
    fprintf(stream, "     $%s%zu using 1:2 with ", prefix, index);
    if (series->style == FC_STYLE_POINTS)
        fprintf(stream, "points lc %zu pt %zu", series->colour + 1, series->colour + 5);
    else if (series->style != FC_STYLE_LINE_POINTS)
        fprintf(stream, "lines lc %zu lw 2 dt %zu", series->colour + 1, series->colour % 5 + 1);
    else
        fprintf(stream, "linespoints lc %zu lw 2 dt %zu pt %zu", series->colour + 1,
                series->colour % 5 + 1, series->colour + 5);
    if (series->label[0]) {
        fputs(" title ", stream);
        write_quoted(stream, series->label);
        fputs(" noenhanced, \\\n", stream);
    } else {
        fputs(" notitle, \\\n", stream);
    }
}

/* The markers' names go into the key by lines that are nowhere; the last plots nothing, so that
 * every other line may end with a comma, and a plot without data is not an error. */
static void write_plot(const fc_plot *plot, const char *prefix, FILE *stream) {
    if (!fc_plot_has_data(plot))
        fputs("set xrange [0:1]\nset yrange [0:1]\n", stream);
    fputs("plot \\\n", stream);
    for (size_t s = 0; s < plot->series_count; s++) {
        if (fc_series_has_data(plot, &plot->series[s]))
            write_series(plot, prefix, s, stream);
    }
    for (size_t m = 0; m < plot->marker_count; m++) {
        if (!fc_plot_shows_marker(plot, &plot->markers[m]) || !plot->markers[m].label[0])
            continue;
        fprintf(stream, "     NaN with lines lc 'black' dt %zu title ", m + 2);
        write_quoted(stream, plot->markers[m].label);
        fputs(" noenhanced, \\\n", stream);
    }
    fputs("     NaN notitle\n", stream);
}

static void write_all_data(const fc_plot *plot, const char *prefix, FILE *stream) {
    for (size_t s = 0; s < plot->series_count; s++)
        write_data(plot, prefix, s, stream);
}

/* root: has the limits of the axes. */
static void write_frame(const fc_plot *plot, const fc_plot *root, const char *prefix,
                        FILE *stream) {
    write_label(stream, "title", plot->title);
    write_label(stream, "xlabel", plot->x_label);
    write_label(stream, "ylabel", plot->y_label);
    if (isfinite(root->look.y_max) || isfinite(root->look.y_limit)) {
        char low[FC_NUMBER_SIZE], high[FC_NUMBER_SIZE];
        fc_scale x, y;
        fc_plot_axes(root, 6, 6, &x, &y);
        fc_number_exact(y.low, low);
        fc_number_exact(y.high, high);
        fprintf(stream, "set yrange [%s:%s]\n", low, high);
    }
    write_names(plot, stream);
    write_marker_lines(plot, stream);
    write_plot(plot, prefix, stream);
}

static void write_panels(const fc_plot *plot, FILE *stream) {
    const size_t columns = plot->panel_count < 3 ? plot->panel_count : 3;
    fprintf(stream, "set multiplot layout %zu,%zu\n", (plot->panel_count + columns - 1) / columns,
            columns);
    for (size_t p = 0; p < plot->panel_count; p++) {
        char prefix[32];
        snprintf(prefix, sizeof prefix, "panel%zu_", p);
        fputs("unset arrow\nunset object\n", stream);
        write_frame(plot->panels[p], plot, prefix, stream);
    }
    fputs("unset multiplot\n", stream);
}

fc_status fc_plot_write_gnuplot(const fc_plot *plot, FILE *stream) {
    if (!plot || !stream)
        return FC_ERROR_ARGUMENT;
    fc_writing writing = fc_writing_begin();
    fprintf(stream,
            "# Written by Flitcast %s. Show: gnuplot -p FILE. As a picture:\n"
            "#   gnuplot -e \"set terminal svg size 800,500; set output 'plot.svg'\" FILE\n",
            fc_version());
    write_all_data(plot, "series", stream);
    for (size_t p = 0; p < plot->panel_count; p++) {
        char prefix[32];
        snprintf(prefix, sizeof prefix, "panel%zu_", p);
        write_all_data(plot->panels[p], prefix, stream);
    }
    const fc_plot *first = plot->panel_count ? plot->panels[0] : plot;
    fputs("set key below\nset grid\n", stream);
    if (first->look.log_x)
        fputs("set logscale x\n", stream);
    if (first->look.log_y)
        fputs("set logscale y\n", stream);
    if (plot->panel_count)
        write_panels(plot, stream);
    else
        write_frame(plot, plot, "series", stream);
    return fc_writing_end(&writing, stream, FC_OK);
}
