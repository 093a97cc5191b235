/* Prints where every flit of a small wormhole network is at the start of each cycle, from a run of
 * the flit engine: the tables of docs/simulators/flit.md.
 *
 *   flit_table alone     one message of three flits over two hops
 *   flit_table meet      a second message wants the same link; one virtual channel
 *   flit_table share     the same with two virtual channels */
#include <stdlib.h>
#include <string.h>
#include "simulators/flit/flit.h"

/* The search for a run that begins as wished ends at PAIR_SEED if it starts from 1. */
enum { NODES = 4, FLITS = 3, CYCLES = 13, SEEDS = 1000000, PAIR_SEED = 39310 };

typedef struct wish {
    uint32_t source, destination;
} wish;
static const wish wishes[] = {{0, 2}, {1, 3}};

static fc_torus line_of_nodes(int channels) {
    fc_torus torus = {.topology = FC_MESH,
                      .radix = {.count = 1, .values = {NODES}},
                      .links = FC_BIDIRECTIONAL,
                      .virtual_channels = channels,
                      .channel_rule = FC_FREE,
                      .buffer = 1,
                      .handover = FC_SAME_CYCLE,
                      .injection_channels = 1,
                      .ejection_channels = 1,
                      .kind = FC_OPEN,
                      .rate = 0.03,
                      .message_flits = FLITS,
                      .nodes = NODES,
                      .hot_node = -1};
    return torus;
}

static fc_flit *begin(const fc_torus_network *network, uint64_t seed) {
    fc_error error;
    fc_flit *engine;
    if (fc_flit_create(network, seed, 0, &error, &engine) != FC_OK) {
        fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
    return engine;
}

static void run_until(fc_flit *engine, uint64_t cycle) {
    fc_error error;
    if (fc_flit_run(engine, cycle, &error) != FC_OK) {
        fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
}

/* Messages in the order in which they were made, as the engine delivers them. */
typedef struct seen {
    uint64_t count, first, born[2];
    bool wanted;
} seen;

static void see(void *context, const fc_message *message, uint64_t latency) {
    (void)latency;
    seen *all = context;
    const uint64_t number = message->number;
    ++all->count;
    if (number < 2) {
        all->born[number] = message->born;
        if (message->source != wishes[number].source ||
            message->destination != wishes[number].destination)
            all->wanted = false;
    }
}

/* Does the run begin with the wished messages, both in the same cycle, and no other
 * within the cycles shown? */
static bool is_wished(const fc_torus_network *network, uint64_t seed, uint64_t messages,
                      uint64_t *first) {
    fc_flit *engine = begin(network, seed);
    seen all = {.wanted = true};
    engine->observer = see;
    engine->observer_context = &all;
    while (all.count < messages && all.wanted)
        run_until(engine, engine->time + CYCLES);
    *first = all.born[0];
    bool wished = all.wanted && (messages == 1 || all.born[1] == all.born[0]);
    if (wished)
        run_until(engine, *first + CYCLES > engine->time ? *first + CYCLES : engine->time);
    wished = wished && engine->messages_made == messages;
    fc_flit_free(engine);
    return wished;
}

/* The flits of one virtual channel: "A0" is the header of the first message. */
static void describe(const fc_flit *engine, uint32_t channel, char text[32]) {
    const fc_vc *vc = &engine->vc[channel];
    text[0] = '\0';
    if (vc->count == 0)
        return;
    const fc_message *message = &engine->message[engine->header[channel].front];
    uint32_t behind = 0;
    for (uint32_t before = vc->previous; before != FC_FROM_NOWHERE;
         before = engine->vc[before].previous)
        behind += engine->vc[before].count;
    snprintf(text, 32, "%c%u", (char)('A' + message->number), FLITS - behind - vc->count);
}

static uint32_t channel_to(const fc_flit *engine, uint32_t node, uint32_t index) {
    const uint32_t link =
        engine->link_of_channel[fc_channel_number(engine->geometry, node, 0, true)];
    return (link << engine->channel_bits) + index;
}

typedef struct column {
    char title[48];
    uint32_t channel;
} column;

static size_t choose_columns(const fc_flit *engine, int channels, uint64_t messages,
                             column *columns) {
    size_t count = 0;
    const uint32_t last = messages == 1 ? 2 : 3;
    for (uint32_t node = 0; node < last; ++node) {
        if (node < messages) {
            column *c = &columns[count++];
            snprintf(c->title, sizeof c->title, "switch %u", node);
            c->channel = engine->injection_first + (node << engine->channel_bits);
        }
        for (int v = 0; v < channels; ++v) {
            column *c = &columns[count++];
            snprintf(c->title, sizeof c->title, channels > 1 ? "%u to %u, v%d" : "%u to %u", node,
                     node + 1, v + 1);
            c->channel = channel_to(engine, node, (uint32_t)v);
        }
    }
    return count;
}

/* Columns that stay empty are left out. */
static void print_cells(const column *columns, size_t count, char cells[][16][32], size_t rows) {
    bool used[16] = {false};
    for (size_t row = 0; row < rows; ++row) {
        for (size_t c = 0; c < count; ++c)
            used[c] = used[c] || cells[row][c][0];
    }
    for (size_t line = 0; line <= rows; ++line) {
        int width = printf(line ? "%5u" : "cycle", (unsigned)line - 1);
        int column_at = width;
        for (size_t c = 0; c < count; ++c) {
            if (!used[c])
                continue;
            const char *text = line == 0 ? columns[c].title : cells[line - 1][c];
            width += printf("%*s  %s", column_at - width, "", text[0] ? text : ".");
            column_at += 12;
        }
        puts("");
    }
}

static void print_table(const fc_torus_network *network, uint64_t seed, uint64_t messages,
                        uint64_t first) {
    const fc_torus *torus = network->torus;
    fc_flit *engine = begin(network, seed);
    column columns[16];
    char cells[CYCLES][16][32];
    const size_t count = choose_columns(engine, (int)torus->virtual_channels, messages, columns);
    size_t rows = 0;
    for (bool empty = false; rows < CYCLES && !empty; ++rows) {
        run_until(engine, first + rows);
        empty = rows > 1;
        for (size_t c = 0; c < count; ++c) {
            describe(engine, columns[c].channel, cells[rows][c]);
            empty = empty && cells[rows][c][0] == '\0';
        }
    }
    print_cells(columns, count, cells, rows);
    fc_flit_free(engine);
}

static void say(void *context, const fc_message *message, uint64_t latency) {
    (void)context;
    printf("%c: node %u to node %u, latency %u cycles\n", (char)('A' + message->number),
           message->source, message->destination, (unsigned)latency);
}

int main(int argc, char **argv) {
    const char *what = argc == 2 ? argv[1] : "";
    const uint64_t messages = strcmp(what, "alone") == 0 ? 1 : 2;
    fc_torus torus = line_of_nodes(strcmp(what, "share") == 0 ? 2 : 1);
    fc_torus_network *network;
    fc_error error;
    if (fc_torus_network_create(&torus, &error, &network) != FC_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    uint64_t first = 0, seed = messages == 1 ? 1 : PAIR_SEED;
    while (seed < SEEDS && !is_wished(network, seed, messages, &first))
        ++seed;
    if (seed == SEEDS)
        return 1;
    print_table(network, seed, messages, first);
    fc_flit *engine = begin(network, seed);
    engine->observer = say;
    run_until(engine, first + CYCLES);
    fc_flit_free(engine);
    fc_torus_network_free(network);
    return 0;
}
