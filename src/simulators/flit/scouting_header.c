/* What headers do: reserve, step back, release and start again, be accepted; and the gate that
 * keeps the first data flit behind its header. Rules and invariants: scouting.c. */
#include "simulators/flit/scouting.h"

void fc_scouting_setup_append(fc_scouting *network, uint32_t number) {
    fc_scouting_message *message = &network->message[number];
    message->next = FC_NONE;
    message->previous = network->setup_last;
    if (network->setup_last == FC_NONE)
        network->setup_first = number;
    else
        network->message[network->setup_last].next = number;
    network->setup_last = number;
}

void fc_scouting_setup_remove(fc_scouting *network, uint32_t number) {
    const fc_scouting_message *message = &network->message[number];
    if (message->previous == FC_NONE)
        network->setup_first = message->next;
    else
        network->message[message->previous].next = message->next;
    if (message->next == FC_NONE)
        network->setup_last = message->previous;
    else
        network->message[message->next].previous = message->previous;
}

void fc_scouting_hold(fc_scouting *network, uint32_t number, uint32_t message, uint32_t position) {
    fc_scouting_vc *vc = &network->vc[number];
    uint32_t *path = fc_scouting_path(network, message);
    const uint64_t bit = UINT64_C(1) << (number - vc->channel * network->stride);
    assert(vc->message == FC_NONE && (network->channel[vc->channel].free & bit)); /* I1 */
    network->channel[vc->channel].free &= ~bit;
    vc->message = message;
    vc->position = position;
    vc->upstream = position == 0 ? FC_NONE : path[position - 1];
    vc->downstream = FC_NONE;
    vc->remaining = network->message_flits;
    vc->occupied = false;
    vc->probe = false;
    path[position] = number;
    if (position > 0)
        network->vc[path[position - 1]].downstream = number;
}

void fc_scouting_free_vc(fc_scouting *network, uint32_t number) {
    fc_scouting_vc *vc = &network->vc[number];
    assert(vc->message != FC_NONE); /* I1 */
    fc_scouting_clear_ready(network, number);
    network->channel[vc->channel].free |= UINT64_C(1) << (number - vc->channel * network->stride);
    vc->message = FC_NONE;
    vc->occupied = false;
    vc->probe = false;
    if (vc->position == 0) {
        const uint32_t node = vc->channel - network->injection_first;
        network->grant[node >> 6] |= UINT64_C(1) << (node & 63);
    }
}

void fc_scouting_start(fc_scouting *network, uint32_t number) {
    fc_scouting_message *message = &network->message[number];
    const size_t entry = fc_scouting_entry(network, number);
    uint32_t *hops = fc_scouting_hops_left(network, number);
    for (uint32_t i = 0; i < network->dimensions; ++i)
        hops[i] = fc_scouting_hops(network->geometry, message->source, message->destination, i,
                                   message->rising);
    message->header = 0;
    message->header_node = message->source;
    message->front = 0;
    message->front_open = false;
    message->state = FC_HEADER_AT_NODE;
    network->reach[entry] = network->cycle;
    network->marks[entry] = 0;
}

/* The negative acknowledgement acts at once: the first data flit loses a permission it has not
 * used if the header no longer leads by enough. */
static void withdraw_gate(fc_scouting *network, uint32_t number) {
    fc_scouting_message *message = &network->message[number];
    if (!message->front_open || message->front + network->lead <= message->header + 1)
        return;
    message->front_open = false;
    if (message->front <= message->header)
        fc_scouting_clear_ready(network, fc_scouting_path(network, number)[message->front]);
}

static void step_back(fc_scouting *network, uint32_t number) {
    fc_scouting_message *message = &network->message[number];
    const uint32_t last = fc_scouting_path(network, number)[message->header];
    const uint32_t port = network->vc[last].channel - network->network_first;
    const uint32_t dimension = network->geometry->order[port % network->ports / 2];
    fc_scouting_free_vc(network, last);
    --message->header;
    message->header_node = port / network->ports;
    ++fc_scouting_hops_left(network, number)[dimension];
    network->marks[fc_scouting_entry(network, number) + message->header] |= UINT32_C(1)
                                                                            << dimension;
    ++message->backtracks;
    withdraw_gate(network, number);
}

static void release_and_restart(fc_scouting *network, uint32_t number) {
    fc_scouting_message *message = &network->message[number];
    const uint32_t *path = fc_scouting_path(network, number);
    ++message->restarts;
    for (uint32_t i = message->header; i > 0; --i)
        if (network->vc[path[i]].message == number)
            fc_scouting_free_vc(network, path[i]);
    if (network->vc[path[0]].message != number) {
        fc_scouting_setup_remove(network, number);
        fc_scouting_return(network, number);
        return;
    }
    fc_scouting_clear_ready(network, path[0]);
    network->vc[path[0]].occupied = false;
    network->vc[path[0]].downstream = FC_NONE;
    network->vc[path[0]].remaining = network->message_flits;
    fc_scouting_set_fresh(network, path[0]);
    fc_scouting_start(network, number);
}

/* Returns false if the message left the network. */
static bool blocked(fc_scouting *network, uint32_t number) {
    fc_scouting_message *message = &network->message[number];
    if (message->header == 0) {
        network->marks[fc_scouting_entry(network, number)] = 0;
        return true;
    }
    if (network->distance > 0 && message->front <= message->header) {
        step_back(network, number);
        return true;
    }
    release_and_restart(network, number);
    return network->vc[fc_scouting_path(network, number)[0]].message == number;
}

static uint32_t nth_bit(uint64_t mask, uint32_t n) {
    while (n-- > 0)
        mask &= mask - 1;
    return fc_lowest_bit(mask);
}

static void accept(fc_scouting *network, uint32_t number) {
    fc_scouting_message *message = &network->message[number];
    const uint32_t channel = message->destination;
    const uint64_t free = network->channel[channel].free;
    if (free == 0)
        return;
    fc_scouting_hold(network, channel * network->stride + fc_lowest_bit(free), number,
                     message->header + 1);
    message->state = FC_HEADER_ACCEPTED;
    message->accepted = network->cycle;
}

/* One routing attempt of a header at a node. Returns false if the message left. */
static bool route_header(fc_scouting *network, uint32_t number) {
    fc_scouting_message *message = &network->message[number];
    const size_t entry = fc_scouting_entry(network, number) + message->header;
    uint32_t *hops = fc_scouting_hops_left(network, number);
    const uint32_t marks = network->marks[entry];
    uint32_t choices = 0;
    bool arrived = true;
    for (uint32_t i = 0; i < network->dimensions; ++i) {
        if (hops[i] == 0)
            continue;
        arrived = false;
        if (marks >> i & 1)
            continue;
        const uint32_t out =
            fc_scouting_out(network, message->header_node, i, message->rising >> i & 1);
        choices += fc_count_bits(network->channel[out].free);
    }
    if (arrived) {
        accept(network, number);
        return true;
    }
    if (choices == 0)
        return blocked(network, number);
    uint32_t chosen = fc_random_below(&network->choices, choices);
    for (uint32_t i = 0; i < network->dimensions; ++i) {
        if (hops[i] == 0 || marks >> i & 1)
            continue;
        const uint32_t out =
            fc_scouting_out(network, message->header_node, i, message->rising >> i & 1);
        const uint64_t free = network->channel[out].free;
        const uint32_t count = fc_count_bits(free);
        if (chosen < count) {
            const uint32_t vc = out * network->stride + nth_bit(free, chosen);
            fc_scouting_hold(network, vc, number, message->header + 1);
            network->vc[vc].probe = true;
            fc_scouting_set_ready(network, vc);
            message->state = FC_HEADER_CROSSING;
            --hops[i];
            return true;
        }
        chosen -= count;
    }
    return true;
}

/* Rule 4: may the first data flit leave its buffer in this cycle? */
static bool gate_open(const fc_scouting *network, uint32_t number) {
    const fc_scouting_message *message = &network->message[number];
    if (message->state == FC_HEADER_ACCEPTED &&
        network->cycle >= message->accepted + 2 + message->header - message->front)
        return true;
    const uint32_t link = message->front + network->lead - 1;
    const size_t entry = fc_scouting_entry(network, number);
    return link <= message->header &&
           network->cycle >= network->reach[entry + link] + network->lead - 1;
}

void fc_scouting_route(fc_scouting *network) {
    for (uint32_t number = network->setup_first, next; number != FC_NONE; number = next) {
        fc_scouting_message *message = &network->message[number];
        next = message->next;
        if (message->state == FC_HEADER_AT_NODE && !route_header(network, number))
            continue;
        if (message->front == 0 || message->front_open || !gate_open(network, number))
            continue;
        message->front_open = true;
        fc_scouting_set_ready(network, fc_scouting_path(network, number)[message->front]);
    }
}
