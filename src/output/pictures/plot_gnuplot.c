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

static void write_data(const fc_plot *plot, size_t index, FILE *stream) {
    const fc_series *series = &plot->series[index];
    fprintf(stream, "$series%zu << END\n# x y half_width\n", index);
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
        fprintf(stream,
                "set arrow from first %s, graph 0 to first %s, graph 1 nohead lc 'black' dt %zu\n",
                x, x, m + 2);
    }
}

static void write_series(const fc_plot *plot, size_t index, FILE *stream) {
    const fc_series *series = &plot->series[index];
    if (series->half_widths && series->style == FC_STYLE_BAND)
        fprintf(stream,
                "     $series%zu using 1:($2-$3):($2+$3) with filledcurves lc %zu fs transparent "
                "solid 0.2 notitle, \\\n",
                index, series->colour + 1);
    else if (series->half_widths)
        /* Not error bars without points (ps 0): gnuplot scales the points by 0, and librsvg refuses
         * the picture. */
        fprintf(stream,
                "     $series%zu using 1:($2-$3):(0):(2*$3) with vectors nohead lc %zu notitle, "
                "\\\n",
                index, series->colour + 1);
    fprintf(stream, "     $series%zu using 1:2 with ", index);
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
static void write_plot(const fc_plot *plot, FILE *stream) {
    if (!fc_plot_has_data(plot))
        fputs("set xrange [0:1]\nset yrange [0:1]\n", stream);
    fputs("plot \\\n", stream);
    for (size_t s = 0; s < plot->series_count; s++) {
        if (fc_series_has_data(plot, &plot->series[s]))
            write_series(plot, s, stream);
    }
    for (size_t m = 0; m < plot->marker_count; m++) {
        if (!fc_plot_shows_marker(plot, &plot->markers[m]))
            continue;
        fprintf(stream, "     NaN with lines lc 'black' dt %zu title ", m + 2);
        write_quoted(stream, plot->markers[m].label);
        fputs(" noenhanced, \\\n", stream);
    }
    fputs("     NaN notitle\n", stream);
}

fc_status fc_plot_write_gnuplot(const fc_plot *plot, FILE *stream) {
    if (!plot || !stream)
        return FC_ERROR_ARGUMENT;
    fc_writing writing = fc_writing_begin();
    fprintf(stream,
            "# Written by Flitcast %s. Show: gnuplot -p FILE. As a picture:\n"
            "#   gnuplot -e \"set terminal svg size 800,500; set output 'plot.svg'\" FILE\n",
            fc_version());
    for (size_t s = 0; s < plot->series_count; s++)
        write_data(plot, s, stream);
    write_label(stream, "title", plot->title);
    write_label(stream, "xlabel", plot->x_label);
    write_label(stream, "ylabel", plot->y_label);
    fputs("set key below\nset grid\n", stream);
    if (plot->log_x)
        fputs("set logscale x\n", stream);
    if (plot->log_y)
        fputs("set logscale y\n", stream);
    if (isfinite(plot->y_limit)) {
        char limit[FC_NUMBER_SIZE];
        fc_number_exact(plot->y_limit, limit);
        fprintf(stream, "set yrange [:%s]\n", limit);
    }
    write_names(plot, stream);
    write_marker_lines(plot, stream);
    write_plot(plot, stream);
    return fc_writing_end(&writing, stream, FC_OK);
}
