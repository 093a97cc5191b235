/* Fits the calibrations of the models to the tables of simulations and says how good they are.
 *
 *     validate_calibration DIRECTORY [POINTS]
 *
 * reads FAMILY.csv in DIRECTORY, where validate_suite left them. With POINTS it writes that source
 * file, which the library carries; without, DIRECTORY/calibration.md, about the library as it was
 * built. */
#include <stdlib.h>
#include <string.h>
#include "suite.h"

enum { DESIGNS_MAX = 16 };

static const char page[] =
    "# Calibrated forecasts, and the model alone\n\n"
    "Written by `tests/validation/validate_calibration.c` (`make validate`). How a calibration is "
    "made: [theory](../theory/calibration.md). Errors are |forecast - simulation| / simulation of "
    "the latency (closed traffic: of the metric named), mean and in brackets the worst.\n\n";
static const char held_out[] =
    "## Networks held out\n\n"
    "Drawn at random over the keys that each family accepts (`tests/validation/suite_random.c`), "
    "with a seed of their own, and simulated to 2 % or 200 000 cycles in each of 4 replications "
    "after the models and the calibration were frozen; looked at once. Loads are shares of the "
    "saturation load by the *model* (multistage: of the capacity), which may be beyond what the "
    "network carries: such cases, and those whose half width stayed above 5 %, are counted in "
    "the fifth column and have no error. The interval is the calibration's, or else that of the "
    "measured "
    "errors of similar cases.\n\n";
static const char crossed[] =
    "\n## Networks that it was fitted to, each fifth left out in turn\n\n"
    "What the fit itself expects: weights from four fifths of the networks, errors on the others; "
    "the kernel was chosen on all of them. Loads of the grids are shares of the simulated "
    "saturation load, of the random networks of the model's.\n\n"
    "| networks | load | cases | model alone: mean (worst) | calibrated: mean (worst) | "
    "calibrated cases | 90 % interval holds |\n|---|---|---|---|---|---|---|\n";

static FILE *open_file(const char *path) {
    FILE *stream = fopen(path, "w");
    if (!stream)
        suite_stop(path, "cannot be written");
    return stream;
}

/* A run that was stopped has simulated the first of those drawn. */
static void write_counts(suite *const *suites, FILE *stream) {
    size_t drawn = 0, simulated = 0;
    for (size_t i = 0; suites[i]; ++i)
        for (size_t e = suite_grid_count(suites[i]); e < suites[i]->count; ++e) {
            const suite_entry *entry = &suites[i]->entries[e];
            drawn += entry->held_out;
            simulated += entry->held_out && entry->points[0].done;
        }
    fprintf(stream, "Of %zu networks drawn %zu were simulated, in the order of drawing.\n\n", drawn,
            simulated);
}

static void write_page(suite *const *suites, const char *directory) {
    FILE *stream = suite_open(directory, "calibration", ".md");
    fputs(page, stream);
    fputs(held_out, stream);
    write_counts(suites, stream);
    suite_report_held_out(suites, stream);
    fputs(crossed, stream);
    for (size_t i = 0; suites[i]; ++i)
        suite_check_calibration(suites[i], stream);
    if (fclose(stream) != 0)
        suite_stop("calibration.md", "cannot be written");
}

int main(int argc, char **argv) {
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: validate_calibration DIRECTORY [POINTS]\n");
        return 2;
    }
    suite *suites[DESIGNS_MAX] = {NULL};
    for (size_t i = 0; suite_designs[i]; ++i) {
        suites[i] = suite_create(suite_designs[i]);
        suite_read(suites[i], argv[1]);
    }
    if (argc == 3) {
        FILE *stream = open_file(argv[2]);
        suite_write_calibrations(suites, stream);
        if (fclose(stream) != 0)
            suite_stop(argv[2], "cannot be written");
    } else {
        write_page(suites, argv[1]);
    }
    for (size_t i = 0; suites[i]; ++i)
        free(suites[i]);
    return 0;
}
