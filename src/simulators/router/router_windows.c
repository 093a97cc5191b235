#include "simulators/router/router_windows.h"

#include <stdio.h>
#include "base/memory.h"
#include "simulators/router/sources.h"

enum { SHORTEST = 32 };

fc_status fc_router_windows_create(const fc_router *e, fc_error *error,
                                   fc_router_windows *windows) {
    const uint32_t outputs = e->network->outputs;
    *windows = (fc_router_windows){.length = SHORTEST};
    if (outputs > FC_WINDOW_LINKS_MAX)
        return FC_OK;
    windows->flits = fc_allocate((size_t)FC_WINDOWS * outputs, sizeof *windows->flits);
    windows->before = fc_allocate(outputs, sizeof *windows->before);
    return windows->flits && windows->before ? FC_OK : fc_fail_memory(error);
}

void fc_router_windows_free(fc_router_windows *windows) {
    fc_release(windows->flits);
    fc_release(windows->before);
}

void fc_router_windows_restart(const fc_router *e, fc_router_windows *windows) {
    windows->from = windows->begin = e->time;
    windows->count = 0;
    windows->length = SHORTEST;
    for (uint32_t o = 0; windows->before && o < e->network->outputs; ++o)
        windows->before[o] = e->output[o].crossed;
}

uint64_t fc_router_windows_end(const fc_router_windows *windows) {
    return windows->flits ? windows->begin + windows->length : UINT64_MAX;
}

void fc_router_windows_skip(fc_router_windows *windows) {
    windows->begin += windows->length;
    if (++windows->count == FC_WINDOWS) {
        windows->count = FC_WINDOWS / 2;
        windows->length *= 2;
    }
}

static void merge(uint32_t outputs, fc_router_windows *windows) {
    for (uint32_t w = 0; w < FC_WINDOWS / 2; ++w) {
        uint32_t *into = &windows->flits[(size_t)w * outputs];
        const uint32_t *from = &windows->flits[(size_t)2 * w * outputs];
        for (uint32_t o = 0; o < outputs; ++o)
            into[o] = from[o] + from[outputs + o];
    }
    windows->count = FC_WINDOWS / 2;
    windows->length *= 2;
}

void fc_router_windows_close(const fc_router *e, fc_router_windows *windows) {
    const uint32_t outputs = e->network->outputs;
    if (!windows->flits || e->time == windows->begin)
        return;
    uint32_t *row = &windows->flits[(size_t)windows->count * outputs];
    for (uint32_t o = 0; o < outputs; ++o) {
        row[o] = (uint32_t)(e->output[o].crossed - windows->before[o]);
        windows->before[o] = e->output[o].crossed;
    }
    windows->begin = e->time;
    if (++windows->count == FC_WINDOWS)
        merge(outputs, windows);
}

/* Flits that a node has received in a window, over all its ports. */
static double received(const fc_router *e, const uint32_t *flits, uint32_t node) {
    const fc_router_network *network = e->network;
    const uint32_t *first = network->ports ? network->ports->first + node : NULL;
    double sum = 0;
    for (uint32_t end = first ? first[0] : node; end < (first ? first[1] : node + 1); ++end)
        sum += flits[network->node_output[end]];
    return sum;
}

/* A column for each window that began before `end`. NULL: there are none. */
static fc_table *add_table(const fc_router_windows *windows, const char *name, uint32_t rows,
                           uint64_t end, uint32_t *count, fc_result *result) {
    char names[FC_WINDOWS][FC_NAME_SIZE];
    const char *columns[FC_WINDOWS];
    for (*count = 0; *count < windows->count && windows->from + *count * windows->length < end;
         ++*count) {
        const uint64_t start = *count * windows->length;
        snprintf(names[*count], FC_NAME_SIZE, "from %llu", (unsigned long long)start);
        columns[*count] = names[*count];
    }
    return rows && *count ? fc_result_add_table(result, name, rows, columns, *count) : NULL;
}

void fc_router_windows_report(const fc_router *e, const fc_router_windows *windows, uint64_t end,
                              fc_result *result) {
    const fc_router_network *network = e->network;
    uint32_t links = 0, count = 0;
    for (uint32_t o = 0; o < network->outputs; ++o)
        links += !(network->output_end[o] & FC_TO_NODE);
    fc_table *table = add_table(windows, "windows", links, end, &count, result);
    size_t row = 0;
    for (uint32_t o = 0; table && o < network->outputs; ++o) {
        if (network->output_end[o] & FC_TO_NODE)
            continue;
        snprintf(table->row_labels[row], FC_NAME_SIZE, "%u to %u",
                 (unsigned)network->output_router[o],
                 (unsigned)network->input_router[network->output_end[o]]);
        for (uint32_t w = 0; w < count; ++w) {
            const uint64_t begin = windows->from + w * windows->length;
            const uint64_t until = begin + windows->length < end ? begin + windows->length : end;
            table->values[row * count + w] =
                (double)windows->flits[(size_t)w * network->outputs + o] / (double)(until - begin);
        }
        ++row;
    }
}

void fc_router_progress_report(const fc_router *e, const fc_router_windows *windows, uint64_t end,
                               fc_result *result) {
    const fc_router_network *network = e->network;
    const uint32_t ranks = (uint32_t)e->routed->workload->ranks;
    uint32_t count = 0;
    fc_table *table = add_table(windows, "progress", ranks, end, &count, result);
    for (uint32_t rank = 0; table && rank < ranks; ++rank) {
        const uint32_t node = fc_work_node(fc_work_of(e), rank);
        double *row = &table->values[(size_t)rank * count], sum = 0;
        snprintf(table->row_labels[rank], FC_NAME_SIZE, "%u", (unsigned)rank);
        for (uint32_t w = 0; w < count; ++w)
            row[w] = sum += received(e, &windows->flits[(size_t)w * network->outputs], node);
        for (uint32_t w = 0; w < count; ++w)
            row[w] = sum > 0 ? row[w] / sum : 1;
    }
}
