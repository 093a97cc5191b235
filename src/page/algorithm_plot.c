/* How long a collective takes over its size, by each algorithm that it has. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "page/page_answer.h"

enum { SIZES = 5, ALGORITHMS_MOST = 12 };

static const double step = 4;         /* from one size to the next; the last is the present one */
static const double seconds_most = 3; /* of all forecasts: then larger sizes are left out */

typedef struct collective {
    const char *phase;
    double bytes;
    size_t count;
    char names[ALGORITHMS_MOST][FC_NAME_SIZE];
    double x[SIZES], y[ALGORITHMS_MOST][SIZES];
    size_t sizes; /* that were asked */
} collective;

static void key_of(const collective *c, const char *member, char *key, size_t size) {
    snprintf(key, size, "traffic.workload.%s.%s", c->phase, member);
}

/* The workload, if it is one phase that has a size. */
static bool find_phase(const fc_scenario *scenario, collective *c) {
    static const char *const phases[] = {"all-reduce", "all-to-all", "reduce-scatter", "all-gather",
                                         "broadcast"};
    for (size_t i = 0; i < sizeof phases / sizeof *phases; ++i) {
        char key[96];
        c->phase = phases[i];
        key_of(c, "bytes", key, sizeof key);
        if (fc_scenario_number(scenario, key, NULL, &c->bytes) == FC_OK && c->bytes >= 1)
            return true;
    }
    return false;
}

/* Which algorithms there are is what the scenario's reader says of one that is not: "expected one
 * of: ring, direct". */
static void list_algorithms(const fc_scenario *scenario, collective *c) {
    static const char before[] = "one of: ";
    char key[96];
    key_of(c, "algorithm", key, sizeof key);
    const fc_setting setting = {key, "none"};
    fc_error error = {{0}};
    fc_scenario *made = NULL;
    if (fc_scenario_with(scenario, &setting, 1, &error, &made) == FC_OK)
        fc_scenario_free(made);
    const char *name = strstr(error.text, before);
    for (name = name ? name + strlen(before) : NULL; name && *name && c->count < ALGORITHMS_MOST;) {
        const size_t length = strcspn(name, ", ;");
        snprintf(c->names[c->count++], FC_NAME_SIZE, "%.*s", (int)length, name);
        name += length;
        name = strncmp(name, ", ", 2) == 0 ? name + 2 : NULL;
    }
}

/* NaN where the algorithm does not fit the network, or no model covers it. */
static double duration_of(const fc_scenario *scenario, const collective *c, const char *algorithm,
                          double bytes) {
    char keys[2][96], size[32];
    key_of(c, "algorithm", keys[0], sizeof keys[0]);
    key_of(c, "bytes", keys[1], sizeof keys[1]);
    snprintf(size, sizeof size, "%.0f", bytes);
    const fc_setting settings[] = {{keys[0], algorithm}, {keys[1], size}};
    fc_scenario *made;
    fc_result *result;
    double duration = NAN;
    if (fc_scenario_with(scenario, settings, 2, NULL, &made) != FC_OK)
        return NAN;
    if (fc_predict(made, NULL, NULL, &result) == FC_OK) {
        const fc_metric *metric = fc_result_metric(result, fc_scenario_main_metric(made));
        if (metric && result->outcome == FC_OUTCOME_OK)
            duration = metric->value;
        fc_result_free(result);
    }
    fc_scenario_free(made);
    return duration;
}

static void find_durations(const fc_scenario *scenario, collective *c) {
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (size_t i = 0; i < SIZES; ++i) {
        const double bytes = floor(c->bytes / pow(step, (double)(SIZES - 1 - i)));
        if (bytes < 1)
            continue;
        c->x[c->sizes] = bytes;
        for (size_t a = 0; a < c->count; ++a)
            c->y[a][c->sizes] = duration_of(scenario, c, c->names[a], bytes);
        ++c->sizes;
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (difftime(now.tv_sec, start.tv_sec) >= seconds_most ||
            fc_scenario_is_cancelled(scenario))
            return;
    }
}

fc_plot *page_algorithm_plot(const fc_scenario *scenario) {
    collective c = {0};
    char x_label[64];
    if (!find_phase(scenario, &c))
        return NULL;
    list_algorithms(scenario, &c);
    if (c.count < 2)
        return NULL;
    find_durations(scenario, &c);
    snprintf(x_label, sizeof x_label, "bytes of the %s", c.phase);
    fc_plot *plot = fc_plot_create("", x_label, "duration (cycles)");
    if (!plot)
        return NULL;
    for (size_t a = 0; a < c.count; ++a) {
        const fc_series line = {.label = c.names[a],
                                .style = FC_STYLE_LINE_POINTS,
                                .x = c.x,
                                .y = c.y[a],
                                .count = c.sizes};
        bool any = false;
        for (size_t i = 0; i < c.sizes; ++i)
            any = any || isfinite(c.y[a][i]);
        if (any)
            fc_plot_add_series(plot, &line);
    }
    fc_plot_look *look = fc_plot_look_of(plot);
    look->log_x = look->log_y = look->x_bytes = true;
    return plot;
}
