/* Draws booksim-curve.svg, the latency of one network over its load by BookSim and by Flitcast.
 *
 *   draw_booksim FOLDER
 *
 * The numbers are in docs/validation/booksim-curve.csv (CURVE). A row: packets per node and cycle,
 * BookSim's latency, ours, its 95 % half width. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "flitcast/flitcast.h"

enum { POINTS_MAX = 64 };

int main(int argc, char **argv) {
    double rate[POINTS_MAX], theirs[POINTS_MAX], ours[POINTS_MAX], half_width[POINTS_MAX];
    char line[256], path[1024];
    size_t count = 0;
    FILE *curve = fopen(CURVE, "r");
    if (argc != 2 || !curve) {
        fputs("usage: draw_booksim FOLDER; " CURVE " must be there\n", stderr);
        return 2;
    }
    while (count < POINTS_MAX && fgets(line, sizeof line, curve)) {
        if (sscanf(line, "%lf,%lf,%lf,%lf", &rate[count], &theirs[count], &ours[count],
                   &half_width[count]) == 4)
            ++count;
    }
    fclose(curve);
    fc_plot *plot = fc_plot_create("8 x 8 mesh, transpose, 20-flit packets",
                                   "injection rate (packets/node/cycle)", "latency (cycles)");
    if (!plot)
        return 1;
    const fc_series lines[] = {
        {"Flitcast", FC_STYLE_LINE_POINTS, rate, ours, half_width, count, 0},
        {"BookSim 2.0", FC_STYLE_POINTS, rate, theirs, NULL, count, 0},
    };
    const fc_write_settings svg = {.format = FC_FORMAT_SVG};
    fc_plot_add_series(plot, &lines[0]);
    fc_plot_add_series(plot, &lines[1]);
    snprintf(path, sizeof path, "%s/booksim-curve.svg", argv[1]);
    FILE *stream = fopen(path, "w");
    const bool written = stream && fc_plot_write(plot, &svg, stream) == FC_OK;
    fc_plot_free(plot);
    return stream && fclose(stream) == 0 && written && count ? 0 : 1;
}
