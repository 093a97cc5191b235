/* How far forecasts are off in networks that were held out.
 *
 *     validate_forecasts DIRECTORY
 *
 * reads FAMILY.csv and router_held_out.csv in DIRECTORY and writes DIRECTORY/forecasts.md. */
#include <stdlib.h>
#include "output/text/characters.h"
#include "suite.h"

enum { DESIGNS_MAX = 16 };

static const char page[] =
    "# Forecasts against simulation\n"
    "\n"
    "How far `predict` and `saturate` are off, on networks that no correction was fitted "
    "to ([how a forecast is made](../theory/forecast.md)). Errors are |forecast - "
    "simulation| / simulation, in %: the mean and, in brackets, the worst. Loads are "
    "shares of the simulated saturation load. Kinds with fewer than 20 cases are left "
    "out. Written by `tests/validation/validate_forecasts.c` (`make validate`).\n"
    "\n"
    "## Tori, meshes, scouting, multistage and closed networks\n"
    "\n"
    "Networks drawn at random over the keys of each family "
    "(`fit/networks/suite_random.c`, seed 18061), simulated to 2 % or 100,000 cycles in "
    "each of 4 replications. Loads of multistage networks are shares of the capacity. "
    "After the semicolon: the mean error of the model without the correction.\n";
static const char responses[] =
    "\n"
    "## Closed networks with a hot spot\n"
    "\n"
    "The networks of [closed_hot_held_out](../../fit/tables/closed_hot_held_out.csv.xz): drawn "
    "like those above (seed 37001), with 1 to 20 % of the requests to one node, simulated for "
    "50,000 cycles in each of 6 replications. Times whose half width stayed above 5 % are left "
    "out. After the semicolon: the model without the correction. *Warning*: flagged `wide` or "
    "`not-validated`.\n";
static const char routers[] =
    "\n"
    "## Networks of routers\n"
    "\n"
    "The networks of [router_held_out](../../fit/tables/router_held_out.csv.xz): drawn "
    "over the keys of routers (seed 90002), simulated to 2 % or 60,000 cycles in each of "
    "8 replications. They were scored several times with the present weights; the rule for "
    "routers that are all joined was changed in between.\n";
static const char wide[] =
    "\n"
    "## Networks as people build them\n"
    "\n"
    "The networks of "
    "[router_wide_held_out](../../fit/tables/router_wide_held_out.csv.xz): meshes and "
    "tori of papers, clusters, graphs, long bursts and keys that few set (seed 36101), in "
    "short runs (12,000 cycles in each of 4 replications), whose saturation load is about "
    "2.5 % off itself. Networks of which a load clearly above the load found had settled "
    "are left out; this rule was applied after the first score.\n";

static void put_text(FILE *stream, const char *text) {
    enum { COLUMNS = 100 };
    fc_write_wrapped(stream, text, 0, COLUMNS);
}

int main(int argc, char **argv) {
    suite *suites[DESIGNS_MAX] = {NULL};
    if (argc != 2) {
        fprintf(stderr, "usage: validate_forecasts DIRECTORY\n");
        return 2;
    }
    for (size_t i = 0; suite_designs[i]; ++i) {
        suites[i] = suite_create(suite_designs[i]);
        suite_read(suites[i], argv[1]);
    }
    FILE *stream = suite_open(argv[1], "forecasts", ".md");
    put_text(stream, page);
    suite_report_held_out(suites, stream);
    put_text(stream, responses);
    suite_report_responses(argv[1], stream);
    put_text(stream, routers);
    suite_report_forecasts(argv[1], "router_held_out", false, stream);
    put_text(stream, wide);
    suite_report_forecasts(argv[1], "router_wide_held_out", true, stream);
    if (fclose(stream) != 0)
        suite_stop("forecasts.md", "cannot be written");
    for (size_t i = 0; suites[i]; ++i)
        free(suites[i]);
    return 0;
}
