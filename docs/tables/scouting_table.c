/* Prints where the header and the data flits of one message are at the start of each cycle, from a
 * run of the plain scouting simulator that the fast one is compared with: the tables of
 * docs/simulators/scouting.md.
 *
 *   scouting_table lead     K = 2, three flits over three links
 *   scouting_table back     K = 2, two links, the first way tried ends at a broken channel */
#include <stdio.h>
#include <string.h>
#include "property/scouting_reference.h"
#include "torus_support.h"

enum { FLITS = 3, CYCLES = 20, SEEDS = 1000000 };

static fc_torus make_network(bool fault) {
    const fc_integer_list line = {.count = 1, .values = {8}},
                          square = {.count = 2, .values = {4, 4}};
    fc_torus torus = make_torus(fault ? square : line, 1, FLITS, fault ? 0.002 : 0.003);
    torus.links = FC_BIDIRECTIONAL;
    torus.channel_rule = FC_FREE;
    torus.switching = FC_SCOUTING;
    torus.scouting_distance = 2;
    static fc_fault upwards = {.node = 1, .dimension = 1, .direction = 1}; /* out of (1, 0) */
    if (fault)
        torus.faults = (fc_faults){.count = 1, .list = &upwards};
    return torus;
}

static bool is_wished(const fc_torus *torus, uint64_t seed, uint64_t *first) {
    const bool fault = torus->faults.count > 0;
    reference *network = reference_create(torus, seed, 0);
    while (network->generated == 0)
        reference_cycle(network);
    *first = network->now - 1;
    const reference_message *message = network->under_way;
    bool wished = network->generated == 1 && message && message->source == 0 &&
                  message->destination == (fault ? 5 : 3);
    for (int t = 1; t < CYCLES && wished; ++t)
        reference_cycle(network);
    wished = wished && network->generated == 1 && network->backtracks == (fault ? 1 : 0);
    reference_free(network);
    return wished;
}

/* The data flits of the message in the buffer at a place of its path: 0 the source's switch. */
static int flit_at(const reference *network, const reference_message *message, int place) {
    for (uint32_t c = 0; c < network->channels; ++c) {
        for (int v = 0; v < network->channel[c].count; ++v) {
            const reference_vc *vc = &network->channel[c].vcs[v];
            if (vc->owner == message && vc->buffer && message->path[place] == &network->channel[c])
                return vc->buffer->index;
        }
    }
    return -1;
}

static void print_row(const reference *network, bool square, int links) {
    const reference_message *message = network->under_way;
    char header[32] = "gone";
    if (message && message->accepted)
        snprintf(header, sizeof header, "accepted");
    else if (message && square)
        snprintf(header, sizeof header, "node (%u, %u)", message->node % 4, message->node / 4);
    else if (message)
        snprintf(header, sizeof header, "node %u", message->node);
    printf("  %-12s", header);
    for (int place = 0; place <= links; ++place) {
        const int flit = message && place <= message->header && place >= message->tail
                             ? flit_at(network, message, place)
                             : -1;
        char text[16] = ".";
        if (flit >= 0)
            snprintf(text, sizeof text, "D%d", flit + 1);
        printf(place < links ? "  %-8s" : "  %s", text);
    }
    puts("");
}

int main(int argc, char **argv) {
    const bool fault = argc == 2 && strcmp(argv[1], "back") == 0;
    const int links = fault ? 2 : 3;
    const fc_torus torus = make_network(fault);
    uint64_t first = 0, seed = 1;
    while (seed < SEEDS && !is_wished(&torus, seed, &first))
        ++seed;
    if (seed == SEEDS)
        return 1;
    reference *network = reference_create(&torus, seed, 0);
    while (network->now < first)
        reference_cycle(network);
    printf("cycle  header      ");
    for (int place = 0; place <= links; ++place)
        printf(place == 0 ? "  switch 0" : place < links ? "  link %d  " : "  link %d", place);
    puts("");
    while (network->delivered == 0) {
        reference_cycle(network);
        printf("%5u", (unsigned)(network->now - first));
        print_row(network, fault, links);
    }
    printf("latency %g cycles\n", network->latency);
    reference_free(network);
    return 0;
}
