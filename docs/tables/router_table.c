/* Prints where every flit of a small network of routers is at the end of each cycle, from a run
 * of the router engine: the tables of docs/simulators/router.md.
 *
 *   router_table FILE      a scenario with traffic.trace; columns are the buffers that are used
 *
 * "A0" is the header of the first message of the trace, "A0 A1" a buffer with two flits. */
#include <stdlib.h>
#include <string.h>
#include "network/router_network.h"
#include "simulators/router/sources.h"

enum { CYCLES = 64, COLUMNS = 64, CELL = 48 };

typedef struct table {
    uint32_t channel[COLUMNS]; /* input channels */
    size_t columns, rows;
    char cells[CYCLES][COLUMNS][CELL];
} table;

static void stop_on(fc_status status, const fc_error *error) {
    if (status == FC_OK)
        return;
    fprintf(stderr, "%s\n", error->text);
    exit(1);
}

/* The flits in a buffer, the first one first. A flit's place in its message is counted from the
 * flits of it that have left the buffer. */
static void describe(const fc_router *engine, uint32_t channel, const uint32_t *passed,
                     char text[CELL]) {
    const fc_in_channel *in = &engine->in[channel];
    const uint32_t mask = (1u << engine->buffer_bits) - 1;
    uint32_t place = *passed;
    text[0] = '\0';
    for (uint32_t i = 0; i < in->count; ++i) {
        const uint32_t flit =
            engine->flit[((size_t)channel << engine->buffer_bits) + ((in->first + i) & mask)];
        const fc_router_message *message = &engine->message[flit >> 1];
        const size_t used = strlen(text);
        snprintf(text + used, CELL - used, "%s%c%u", i ? " " : "",
                 (char)('A' + message->number % 26), place);
        place = flit & 1 ? 0 : place + 1;
    }
}

/* Flits of the front message that have left a buffer, from one cycle to the next. */
static void count_passed(const fc_router *engine, uint32_t channel, uint16_t first_before,
                         uint32_t *passed, uint32_t flits) {
    const uint32_t mask = (1u << engine->buffer_bits) - 1;
    const uint32_t left = (engine->in[channel].first - first_before) & mask;
    *passed = (*passed + left) % flits;
}

/* "router 1, from 0, v2": the buffer of a virtual channel at router 1. */
static void title_of(const fc_router *engine, uint32_t channel, char text[CELL]) {
    const fc_router_network *network = engine->network;
    const uint32_t input = channel / engine->virtual_channels;
    const uint32_t begin = network->input_begin[input], router = network->input_router[input];
    const uint32_t v = channel % engine->virtual_channels + 1;
    if (begin & FC_TO_NODE)
        snprintf(text, CELL, "%u, node, v%u", router, v);
    else
        snprintf(text, CELL, "%u, from %u, v%u", router, network->output_router[begin], v);
}

static void record(fc_router *engine, uint32_t flits, table *t) {
    const uint32_t channels = engine->network->inputs * engine->virtual_channels;
    uint32_t *passed = calloc(channels, sizeof *passed);
    uint16_t *first = calloc(channels, sizeof *first);
    bool *used = calloc(channels, sizeof *used);
    char(*all)[CELL] = calloc((size_t)channels * CYCLES, sizeof *all);
    if (!passed || !first || !used || !all)
        exit(1);
    bool begun = false, busy = true;
    for (t->rows = 0; t->rows < CYCLES && busy; ++t->rows) {
        fc_error error;
        stop_on(fc_router_run(engine, t->rows + 1, &error), &error);
        for (uint32_t c = 0; c < channels; ++c) {
            char *cell = all[t->rows * channels + c];
            count_passed(engine, c, first[c], &passed[c], flits);
            first[c] = engine->in[c].first;
            describe(engine, c, &passed[c], cell);
            used[c] = used[c] || cell[0];
        }
        begun = begun || engine->messages_alive > 0;
        busy = !begun || engine->messages_alive > 0;
    }
    for (uint32_t c = 0; c < channels && t->columns < COLUMNS; ++c) {
        if (!used[c])
            continue;
        t->channel[t->columns] = c;
        for (size_t row = 0; row < t->rows; ++row)
            memcpy(t->cells[row][t->columns], all[row * channels + c], CELL);
        ++t->columns;
    }
    free(passed);
    free(first);
    free(used);
    free(all);
}

static void print(const fc_router *engine, const table *t) {
    for (size_t line = 0; line <= t->rows; ++line) {
        int width = printf(line ? "%5u" : "cycle", (unsigned)line - 1);
        int column_at = width;
        for (size_t c = 0; c < t->columns; ++c) {
            char title[CELL];
            title_of(engine, t->channel[c], title);
            const char *text = line == 0 ? title : t->cells[line - 1][c];
            width += printf("%*s  %s", column_at - width, "", text[0] ? text : ".");
            column_at += 2 + (int)strlen(title);
        }
        puts("");
    }
}

static void say(void *context, const fc_router_message *message, uint64_t latency) {
    const size_t used = strlen(context);
    snprintf((char *)context + used, 1024 - used, "%c: node %u to node %u, latency %u cycles\n",
             (char)('A' + message->number % 26), message->course.source,
             message->course.destination, (unsigned)latency);
}

int main(int argc, char **argv) {
    fc_error error;
    fc_scenario *scenario;
    fc_router_network *network;
    fc_router *engine;
    if (argc != 2) {
        fprintf(stderr, "usage: router_table FILE\n");
        return 2;
    }
    stop_on(fc_scenario_read_file(argv[1], NULL, 0, &error, &scenario), &error);
    const fc_routed *routed = fc_scenario_routed(scenario);
    if (!routed || !routed->workload || !routed->workload->of_trace) {
        fprintf(stderr, "%s: expected a network of routers with traffic.trace\n", argv[1]);
        return 1;
    }
    stop_on(fc_router_network_create(scenario, &error, &network), &error);
    stop_on(fc_router_create(network, routed, &error, &engine), &error);
    stop_on(fc_work_sources_create(engine, 1, 0, &error), &error);
    char latencies[1024] = "";
    engine->observer = say;
    engine->observer_context = latencies;
    static table made;
    record(engine, routed->workload->phases[0].trace.messages[0].flits, &made);
    print(engine, &made);
    fputs(latencies, stdout);
    fc_router_free(engine);
    fc_router_network_free(network);
    fc_scenario_free(scenario);
    return 0;
}
