/* The chip's simulator as a method: a scenario in, samples for the finite run and tables out. The
 * networks themselves, their rules and invariants are in chip_network.c. */
#include <math.h>
#include "base/memory.h"
#include "registry/chip_barriers.h"
#include "registry/method.h"
#include "simulators/chip/chip_network.h"

static const fc_metric_id observables[] = {FC_METRIC_DURATION, FC_METRIC_LATENCY, FC_METRIC_NONE};

static fc_status create(const fc_scenario *scenario, const void *common, uint64_t seed,
                        uint32_t replication, fc_error *error, void **state) {
    (void)common;
    (void)seed;
    (void)replication;
    fc_chip_run *run = NULL;
    const fc_status status = fc_chip_run_create(scenario->parameters, error, &run);
    if (status == FC_OK)
        *state = run;
    return status;
}

static void release(void *state) {
    fc_chip_run_free(state);
}

static fc_status advance(void *state, uint64_t cycles, fc_sample *sample, fc_error *error) {
    (void)error;
    fc_chip_run *run = state;
    const uint64_t start = run->time, hops = run->hops;
    const double latency = run->latency_sum, before = run->transfers_done;
    run->latencies = sample->latencies;
    fc_chip_run_advance(run, start + cycles);
    const uint64_t end = fc_chip_run_done(run) ? run->ended : run->time;
    /* of one run: a sum over its stretches */
    fc_observe(sample, FC_METRIC_DURATION, (double)end - (double)start, start == 0);
    fc_observe(sample, FC_METRIC_LATENCY, run->latency_sum - latency, run->transfers_done - before);
    sample->events += run->hops - hops;
    return FC_OK;
}

static bool comes_to_an_end(const fc_scenario *scenario) {
    (void)scenario;
    return true;
}

static double done(const void *state) {
    const fc_chip_run *run = state;
    return (double)run->delivered / (double)run->part_count;
}

static double time_scale(const fc_scenario *scenario) {
    (void)scenario;
    return 4000;
}

/* ---- report ---- */

/* The links between routers, as the drawing has them. */
static void add_channels(const fc_chip_run *run, fc_result *result) {
    static const char *const columns[] = {"utilisation", "network", "flits"};
    const uint32_t rows = run->interface_count * 2;
    fc_table *table = fc_result_add_table(result, "channels", rows, columns, 3);
    if (!table)
        return;
    for (uint32_t row = 0; row < rows; ++row) {
        const uint32_t interface = row / 2;
        const fc_chip_link *link = &run->links[interface * FC_CHIP_KINDS + row % 2];
        double *values = &table->values[(size_t)row * 3];
        snprintf(table->row_labels[row], FC_NAME_SIZE, "%u to %u", interface % run->chip->tiles,
                 link->end);
        values[0] = run->ended ? (double)link->carried / (double)run->ended : 0;
        const uint32_t network = interface / run->chip->tiles;
        values[1] = network;
        values[2] = (double)link->carried;
    }
}

static void report(void *const *states, size_t replications, fc_result *result) {
    if (replications == 0)
        return;
    const fc_chip_run *run = states[0];
    if (run->chip->trace.marks)
        fc_result_add_note(result, "%u events, such as semaphores, count only as times.",
                           run->chip->trace.marks);
    fc_result_add_barriers(result, run->chip, run->barrier_end, run->transfers_left);
    add_channels(run, result);
}

static const fc_ending ending = {.ends = comes_to_an_end, .done = done};

const fc_simulator fc_simulator_chip = {
    .info =
        {
            .name = "chip",
            .revision = 3,
            .kind = FC_SIMULATOR,
            .family = "chip",
            .title = "transfers of a chip's tiles over several networks, every flit in every cycle",
            .source = "ours",
            .validity = "networks with links in one direction, two groups of channels per class, "
                        "up to 32 x 32 tiles; reads and writes and the barriers that wait for them",
            .accuracy = "on traces of a real chip: docs/validation/silicon.md",
        },
    .event_name = "flit-hops",
    .observables = observables,
    .create = create,
    .advance = advance,
    .report = report,
    .release = release,
    .time_scale = time_scale,
    .ending = &ending,
};
