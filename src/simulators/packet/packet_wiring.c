/* Builds a packet network: wiring, hot tree, memory. */
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "simulators/packet/packet_state.h"

/* Packet pools up to this size are allocated for the fullest network at once (untouched memory
 * costs nothing); larger and unlimited ones grow. */
enum { POOL_AT_ONCE = 1 << 26 };

static uint32_t shuffle(const fc_packet_settings *settings, uint32_t line) {
    const uint64_t scaled = (uint64_t)line * settings->switch_size;
    return (uint32_t)(scaled % settings->ports + scaled / settings->ports);
}

/* On the hot tree of a stage are the inputs whose packets have taken the hot memory's first digits,
 * which stand above the lowest digit of the input's number. */
static bool on_hot_tree(const fc_packet_settings *settings, uint32_t stage, uint32_t input) {
    if (!(settings->hot_share > 0.0))
        return false;
    uint64_t taken = 1;
    for (uint32_t s = 0; s < stage; ++s)
        taken *= settings->switch_size;
    return input / settings->switch_size % taken ==
           settings->hot_memory / (settings->ports / taken) % taken;
}

static uint8_t group_of(const fc_packet_settings *settings, uint32_t memory) {
    if (!(settings->hot_share > 0.0))
        return (uint8_t)settings->stages;
    uint8_t group = 0;
    uint32_t hot = settings->hot_memory;
    for (; memory != hot; ++group) {
        memory /= settings->switch_size;
        hot /= settings->switch_size;
    }
    return group;
}

static void wire(fc_packet_network *network) {
    const fc_packet_settings *settings = &network->settings;
    const uint32_t ports = settings->ports, stages = settings->stages;
    for (uint32_t b = 0; b < network->first_end + ports; ++b) {
        buffer *at = &network->buffers[b];
        const uint32_t level = b / ports, input = b % ports;
        at->first_waiting = at->last_waiting = at->next_waiting = NONE;
        if (b >= network->first_end)
            continue;
        at->kind = 2 * level + (level < stages && on_hot_tree(settings, level, input) ? 1 : 0);
        at->first_ahead =
            (level + 1) * ports + shuffle(settings, input - input % settings->switch_size);
    }
    for (uint32_t line = 0; line < ports; ++line) {
        const uint32_t shuffled = shuffle(settings, line);
        network->entries[line] = shuffled;
        network->memories[shuffled] = line;
        network->groups[shuffled] = group_of(settings, line);
        if (network->first_memory < network->first_end) /* its line into the way back */
            network->buffers[network->first_memory + shuffled].first_ahead =
                network->first_memory + ports + shuffled;
    }
}

static fc_status allocate(fc_packet_network *network, fc_error *error) {
    const fc_packet_settings *settings = &network->settings;
    const uint64_t inputs = network->first_end, all = inputs + settings->ports;
    const bool returns = settings->memory_busy > 0;
    uint64_t ring = 2; /* a power of two above every number of services at once */
    while (ring < inputs || ring < 2 * LOOK_AHEAD)
        ring *= 2;
    uint64_t pool = inputs * network->places;
    if (network->places == UINT32_MAX || pool > POOL_AT_ONCE || returns)
        pool = 8 * inputs;
    network->ring_mask = ring - 1;
    network->pool_size = (uint32_t)pool;
    network->pool_free = NONE;
    network->buffers = fc_allocate((size_t)all, sizeof *network->buffers);
    network->packets = fc_allocate((size_t)pool, sizeof *network->packets);
    network->ring = fc_allocate((size_t)ring, sizeof *network->ring);
    network->entries = fc_allocate(settings->ports, sizeof *network->entries);
    network->memories = fc_allocate(settings->ports, sizeof *network->memories);
    network->groups = fc_allocate(settings->ports, sizeof *network->groups);
    bool complete = network->buffers && network->packets && network->ring && network->entries &&
                    network->memories && network->groups;
    if (settings->output_contention) {
        network->line_holders = fc_allocate((size_t)all, sizeof *network->line_holders);
        network->holder_blocked = fc_allocate((size_t)all, 1);
        complete = complete && network->line_holders && network->holder_blocked;
        if (complete)
            memset(network->line_holders, 0xff, (size_t)all * sizeof *network->line_holders);
    }
    if (settings->outstanding != FC_PACKET_UNLIMITED) {
        network->outstanding = fc_allocate(settings->ports, sizeof *network->outstanding);
        complete = complete && network->outstanding;
    }
    if (settings->outstanding != FC_PACKET_UNLIMITED || returns) {
        network->sources = fc_allocate((size_t)pool, sizeof *network->sources);
        complete = complete && network->sources;
    }
    if (returns) {
        network->reads_mask = ring - 1;
        network->reads = fc_allocate((size_t)ring, sizeof *network->reads);
        complete = complete && network->reads;
    }
    return complete ? FC_OK : fc_fail_memory(error);
}

fc_status fc_packet_network_create(const fc_packet_settings *settings, fc_error *error,
                                   fc_packet_network **created) {
    fc_packet_network *network = fc_allocate(1, sizeof *network);
    if (!network)
        return fc_fail_memory(error);
    network->settings = *settings;
    network->places = settings->places == FC_PACKET_UNLIMITED ? UINT32_MAX : settings->places;
    network->stride = settings->stages == 1 ? 1 : settings->switch_size;
    const bool returns = settings->memory_busy > 0;
    network->first_end = settings->ports * (settings->stages * (returns ? 2 : 1) + returns);
    network->first_memory = returns ? settings->ports * settings->stages : network->first_end;
    network->ticks = FC_PACKET_TICKS / settings->service;
    fc_status status = allocate(network, error);
    if (status == FC_OK && settings->shadow)
        status = fc_shadow_create(settings->shadow, error, &network->shadow);
    if (status != FC_OK) {
        fc_packet_network_free(network);
        return status;
    }
    wire(network);
    network->arrivals = fc_random_stream(settings->seed, settings->replication, 0);
    network->destinations = fc_random_stream(settings->seed, settings->replication, 1);
    network->mean_gap = 1.0 / (settings->rate * (double)settings->ports);
    network->next_arrival = network->mean_gap * fc_random_exponential(&network->arrivals);
    *created = network;
    return FC_OK;
}

void fc_packet_network_free(fc_packet_network *network) {
    if (!network)
        return;
    fc_release(network->buffers);
    fc_release(network->packets);
    fc_release(network->ring);
    fc_release(network->reads);
    fc_release(network->line_holders);
    fc_release(network->holder_blocked);
    fc_release(network->entries);
    fc_release(network->memories);
    fc_release(network->groups);
    fc_release(network->sources);
    fc_release(network->outstanding);
    fc_shadow_free(&network->shadow);
    fc_release(network);
}
