#include "simulators/kept.h"

void fc_kept_histogram(const fc_run_settings *settings, const fc_histogram *latencies, double units,
                       fc_result *result) {
    if (!settings || !settings->keep || !settings->keep->histogram || latencies->total == 0)
        return;
    static const char *const columns[] = {"latency", "count", "share", "cumulative"};
    enum { COLUMNS = sizeof columns / sizeof *columns };
    size_t rows = 0;
    for (uint32_t bin = 0; bin < FC_HISTOGRAM_BINS; ++bin)
        rows += latencies->count[bin] > 0;
    fc_table *table = fc_result_add_table(result, "histogram", rows, columns, COLUMNS);
    uint64_t below = 0;
    for (uint32_t bin = 0, row = 0; table && bin < FC_HISTOGRAM_BINS; ++bin) {
        if (latencies->count[bin] == 0)
            continue;
        below += latencies->count[bin];
        const double latency = fc_histogram_value(bin) / units, all = (double)latencies->total;
        const double values[COLUMNS] = {latency, (double)latencies->count[bin],
                                        (double)latencies->count[bin] / all, (double)below / all};
        snprintf(table->row_labels[row], FC_NAME_SIZE, "%.10g", latency);
        for (size_t c = 0; c < COLUMNS; ++c)
            table->values[(size_t)row * COLUMNS + c] = values[c];
        ++row;
    }
}
