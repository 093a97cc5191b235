/* A simulation that shows how far it is, and that Ctrl-C stops with what it has measured.
 *
 *   cc simulate_with_progress.c $(pkg-config --cflags --libs flitcast) -o simulate
 *   ./simulate rings_two_levels.yaml [PRECISION] */
#include <flitcast/flitcast.h>
#include <signal.h>
#include <stdio.h>

static volatile int stop; /* what a signal handler may write */

static void on_interrupt(int signal_number) {
    (void)signal_number;
    stop = 1;
}

/* Called from one thread at a time, a few times a second at most. */
static void show_progress(void *context, double done, const char *what) {
    fprintf(context, "\r%3.0f %% %-12s", 100 * done, what);
    fflush(context);
}

int main(int count, char **words) {
    if (count < 2) {
        fprintf(stderr, "usage: simulate FILE [PRECISION]\n");
        return 2;
    }
    const fc_setting precision = {"simulation.precision", count > 2 ? words[2] : "0.02"};
    fc_error error;
    fc_scenario *scenario;
    if (fc_scenario_read_file(words[1], &precision, 1, &error, &scenario) != FC_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    signal(SIGINT, on_interrupt);
    fc_run_settings settings = fc_run_settings_default(); /* one thread per core */
    settings.progress = show_progress;
    settings.progress_context = stderr;
    settings.cancel = &stop;
    fc_result *result;
    const fc_status status = fc_simulate(scenario, &settings, &error, &result);
    fprintf(stderr, "\n");
    if (status != FC_OK) {
        fprintf(stderr, "%s\n", error.text);
    } else {
        const fc_metric *main_metric = fc_result_metric(result, fc_scenario_main_metric(scenario));
        if (main_metric) /* the half width is of the 95 % interval */
            printf("%s: %.6g +- %.2g %s\n", main_metric->name, main_metric->value,
                   main_metric->half_width, main_metric->unit);
        printf("%s%s%.0f cycles, seed %llu\n", result->note, result->note[0] ? "\n" : "",
               result->run.cycles, (unsigned long long)result->run.seed);
        fc_result_free(result);
    }
    fc_scenario_free(scenario);
    return status == FC_OK ? 0 : 1;
}
