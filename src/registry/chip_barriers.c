#include "registry/chip_barriers.h"

#include <math.h>
#include <stdio.h>
#include "registry/metrics.h"

static bool is_shown(const fc_chip *chip, const uint32_t *left, uint32_t barrier) {
    return chip->trace.barriers[barrier].measured && left[barrier] == 0;
}

static void add_table(fc_result *result, const fc_chip *chip, const uint64_t *end,
                      const uint32_t *left, size_t rows) {
    static const char *const columns[] = {"transfers", "measured", "simulated", "error"};
    static const char *const words[FC_LABEL_WORDS] = {"core", "processor", "network"};
    fc_table *table = fc_result_add_table(result, "barriers", rows, columns, 4);
    if (!table)
        return;
    fc_result_name_words(table, words);
    double sum = 0;
    size_t row = 0;
    for (uint32_t b = 0; b < chip->trace.barrier_count; ++b) {
        const fc_noc_barrier *barrier = &chip->trace.barriers[b];
        const fc_noc_processor *processor = &chip->trace.processors[barrier->processor];
        if (!is_shown(chip, left, b))
            continue;
        const double simulated = (double)(end[b] + (uint64_t)chip->barrier_delay);
        const double error = simulated / (double)barrier->ended - 1;
        double *values = &table->values[row * 4];
        snprintf(table->row_labels[row++], FC_NAME_SIZE, "%d-%d %s %s", processor->x, processor->y,
                 processor->name, chip->networks.network[barrier->network].name);
        values[0] = barrier->transfers;
        values[1] = (double)barrier->ended;
        values[2] = simulated;
        values[3] = error;
        sum += fabs(error);
    }
    fc_result_add(result, FC_METRIC_BARRIER_ERROR, sum / (double)rows, NAN);
}

void fc_result_add_barriers(fc_result *result, const fc_chip *chip, const uint64_t *end,
                            const uint32_t *left) {
    bool measured = true;
    size_t rows = 0;
    for (uint32_t b = 0; b < chip->trace.barrier_count; ++b) {
        measured &= chip->trace.barriers[b].measured;
        rows += is_shown(chip, left, b);
    }
    const double duration = fc_chip_measured(chip);
    if (measured && duration > 0)
        fc_result_add(result, FC_METRIC_DURATION_MEASURED, duration, NAN);
    if (rows)
        add_table(result, chip, end, left, rows);
}
