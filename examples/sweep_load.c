/* Latency over load, by model and by simulation, from a tenth to nine tenths of what the network
 * can carry; as a table on the standard output and as a picture.
 *
 *   cc sweep_load.c $(pkg-config --cflags --libs flitcast) -o sweep_load
 *   ./sweep_load rings_two_levels.yaml picture.svg */
#include <flitcast/flitcast.h>
#include <stdio.h>

static int fail(const fc_error *error) {
    fprintf(stderr, "%s\n", error->text);
    return 1;
}

/* The load at which the first model says that the network saturates. */
static fc_status find_saturation(const fc_scenario *scenario, fc_error *error, double *load) {
    const fc_saturation_settings models_only = {.simulate = false};
    fc_saturation *found;
    const fc_status status = fc_saturate(scenario, &models_only, NULL, error, &found);
    if (status != FC_OK)
        return status;
    *load = found[0].load;
    fc_saturation_free(found);
    return FC_OK;
}

static int write_picture(const fc_sweep *sweep, double saturation, const char *path) {
    fc_error error;
    fc_plot *plot;
    if (fc_sweep_plot(sweep, NULL, &error, &plot) != FC_OK) /* NULL: the main metric */
        return fail(&error);
    const fc_write_settings svg = {.format = FC_FORMAT_SVG};
    FILE *stream = fopen(path, "w");
    int code = stream ? 0 : 1;
    if (stream) {
        if (fc_plot_add_marker(plot, "saturation", saturation) != FC_OK ||
            fc_plot_write(plot, &svg, stream) != FC_OK)
            code = 1;
        if (fclose(stream) != 0)
            code = 1;
    }
    fc_plot_free(plot);
    return code;
}

static int sweep_load(const fc_scenario *scenario, const char *path) {
    fc_error error;
    double saturation;
    if (find_saturation(scenario, &error, &saturation) != FC_OK)
        return fail(&error);
    char text[160];
    snprintf(text, sizeof text, "%s=%.4g:%.4g:%.4g", fc_scenario_load_key(scenario),
             0.1 * saturation, 0.9 * saturation, 0.2 * saturation);
    fc_axis axis;
    if (fc_axis_parse(text, &error, &axis) != FC_OK)
        return fail(&error);
    const fc_sweep_settings settings = {.axes = &axis, .axis_count = 1, .simulate = true};
    fc_sweep *sweep;
    const fc_status status = fc_sweep_run(scenario, &settings, NULL, &error, &sweep);
    fc_axis_clear(&axis);
    if (status != FC_OK)
        return fail(&error);
    const fc_write_settings csv = {.format = FC_FORMAT_CSV};
    int code = fc_sweep_write(sweep, &csv, stdout) == FC_OK ? 0 : 1;
    if (code == 0)
        code = write_picture(sweep, saturation, path);
    fc_sweep_free(sweep);
    return code;
}

int main(int count, char **words) {
    if (count != 3) {
        fprintf(stderr, "usage: sweep_load FILE PICTURE.svg\n");
        return 2;
    }
    const fc_setting precision = {"simulation.precision", "0.05"};
    fc_error error;
    fc_scenario *scenario;
    if (fc_scenario_read_file(words[1], &precision, 1, &error, &scenario) != FC_OK)
        return fail(&error);
    int code = 2;
    if (fc_scenario_load_key(scenario))
        code = sweep_load(scenario, words[2]);
    else
        fprintf(stderr, "closed traffic has no load to vary\n");
    fc_scenario_free(scenario);
    return code;
}
