/* Measures every model against simulation and writes what it finds.
 *
 *     validate_suite [--threads N] [--seconds S] [--only NAME,...] [--no-simulation]
 *                    [--random] [--report] DIRECTORY [CASES]
 *
 * leaves FAMILY.md and FAMILY-errors.svg in DIRECTORY, FAMILY.csv in fit/tables, not packed, and,
 * with CASES, the source file that the library carries. --random leaves the networks of the grids
 * as they are. Simulations found in the tables are not repeated; those still to be made stop after
 * S seconds, and the next run goes on. Models are asked again, but with --report, which only writes
 * the pages from the tables. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include "suite.h"
#include "table_text.h"

enum { DESIGNS_MAX = 16 };

static int usage(void) {
    fprintf(stderr, "usage: validate_suite [--threads N] [--seconds S] [--only NAME,...] "
                    "[--no-simulation] [--random] [--report] DIRECTORY [CASES]\n");
    return 2;
}

static bool read_settings(int argc, char **argv, suite_settings *settings, bool *report_only) {
    static const struct option options[] = {{"threads", required_argument, NULL, 't'},
                                            {"seconds", required_argument, NULL, 's'},
                                            {"only", required_argument, NULL, 'o'},
                                            {"no-simulation", no_argument, NULL, 'n'},
                                            {"random", no_argument, NULL, 'r'},
                                            {"report", no_argument, NULL, 'w'},
                                            {0}};
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (option == 't')
            settings->threads = (unsigned)strtoul(optarg, NULL, 10);
        else if (option == 's')
            settings->seconds = (unsigned)strtoul(optarg, NULL, 10);
        else if (option == 'o')
            settings->only = optarg;
        else if (option == 'n')
            settings->simulate = false;
        else if (option == 'r')
            settings->random_only = true;
        else if (option == 'w')
            *report_only = true;
        else
            return false;
    }
    return true;
}

static void tell_progress(suite *const *suites) {
    size_t done = 0, all = 0;
    for (size_t i = 0; suites[i]; ++i)
        for (size_t e = 0; e < suites[i]->count; ++e)
            for (size_t p = 0; p < suites[i]->entries[e].point_count; ++p, ++all)
                done += !suite_lacks(suites[i], &suites[i]->entries[e],
                                     &suites[i]->entries[e].points[p]);
    fprintf(stderr, "%zu of %zu points simulated%s\n", done, all,
            done < all ? "; run again to go on" : "");
}

int main(int argc, char **argv) {
    suite_settings settings = {.simulate = true};
    bool report_only = false;
    if (!read_settings(argc, argv, &settings, &report_only) || optind >= argc || argc - optind > 2)
        return usage();
    settings.directory = fit_tables;
    suite *suites[DESIGNS_MAX] = {NULL};
    for (size_t i = 0; suite_designs[i]; ++i) {
        suites[i] = suite_create(suite_designs[i]);
        suite_read(suites[i], settings.directory);
    }
    if (!report_only) {
        suite_run(suites, &settings);
        tell_progress(suites);
    }
    for (size_t i = 0; suites[i]; ++i)
        suite_report(suites[i], argv[optind]);
    if (argc - optind == 2) {
        FILE *stream = fopen(argv[optind + 1], "w");
        if (!stream)
            suite_stop(argv[optind + 1], "cannot be written");
        suite_write_accuracy(suites, stream);
        if (fclose(stream) != 0)
            suite_stop(argv[optind + 1], "cannot be written");
    }
    for (size_t i = 0; suites[i]; ++i)
        free(suites[i]);
    return 0;
}
