#include "network/node_ports.h"

#include <stdio.h>
#include <string.h>
#include "base/memory.h"

/* ---- creation ---- */

fc_status fc_ports_add(const fc_port_plan *plan, fc_error *error, fc_router_network *network) {
    struct fc_ports *made = fc_allocate(1, sizeof *made);
    if (!made)
        return fc_fail_memory(error);
    network->ports = made;
    made->nodes = plan->nodes;
    made->spread = plan->spread;
    made->length = plan->length;
    made->first = fc_allocate(plan->nodes + 1u, sizeof *made->first);
    made->node_of = fc_allocate(network->nodes, sizeof *made->node_of);
    if (!made->first || !made->node_of)
        return fc_fail_memory(error);
    memcpy(made->first, plan->first, (plan->nodes + 1u) * sizeof *made->first);
    for (uint32_t node = 0; node < plan->nodes; ++node) {
        for (uint32_t end = plan->first[node]; end < plan->first[node + 1]; ++end)
            made->node_of[end] = node;
    }
    return FC_OK;
}

void fc_ports_free(struct fc_ports *ports) {
    if (!ports)
        return;
    fc_release(ports->first);
    fc_release(ports->node_of);
    fc_release(ports->absent);
    fc_release(ports->pairs);
    fc_release(ports);
}

/* ---- choices ---- */

static uint64_t length_of(const fc_router_network *network, uint32_t from, uint32_t to) {
    return network->absent && (network->absent[from] || network->absent[to])
               ? FC_NO_WAY
               : network->ports->length(network, from, to);
}

/* The shortest way from an end to a node. */
static uint64_t nearest_end(const fc_router_network *network, uint32_t from, uint32_t node) {
    const uint32_t *first = network->ports->first;
    uint64_t least = FC_NO_WAY;
    for (uint32_t to = first[node]; to < first[node + 1]; ++to) {
        const uint64_t length = length_of(network, from, to);
        least = length < least ? length : least;
    }
    return least;
}

/* The longest way that a message may take from an end: all of that length to the node count.
 * FC_NO_WAY: none. */
static uint64_t way_from(const fc_router_network *network, uint32_t from, uint32_t node,
                         uint64_t least) {
    const uint64_t own = nearest_end(network, from, node);
    return network->ports->spread || own == least ? own : FC_NO_WAY;
}

static uint64_t shortest_way(const fc_router_network *network, uint32_t source, uint32_t node) {
    const uint32_t *first = network->ports->first;
    uint64_t least = FC_NO_WAY;
    for (uint32_t from = first[source]; from < first[source + 1]; ++from) {
        const uint64_t length = nearest_end(network, from, node);
        least = length < least ? length : least;
    }
    return least;
}

/* Counts the pairs of ends up to number `wanted`, which is put into from and to. */
static uint32_t go_through(const fc_router_network *network, uint32_t source, uint32_t destination,
                           uint32_t wanted, uint32_t *from, uint32_t *to) {
    const uint32_t *first = network->ports->first;
    const uint64_t least = network->ports->spread ? 0 : shortest_way(network, source, destination);
    uint32_t count = 0;
    for (*from = first[source]; *from < first[source + 1]; ++*from) {
        const uint64_t own = way_from(network, *from, destination, least);
        for (*to = first[destination]; own != FC_NO_WAY && *to < first[destination + 1]; ++*to) {
            if (length_of(network, *from, *to) == own && count++ == wanted)
                return count;
        }
    }
    return count;
}

uint32_t fc_ports_count(const fc_router_network *network, uint32_t source, uint32_t destination) {
    uint32_t from, to;
    return go_through(network, source, destination, UINT32_MAX, &from, &to);
}

void fc_ports_choose(const fc_router_network *network, uint32_t source, uint32_t destination,
                     uint32_t choice, uint32_t *from, uint32_t *to) {
    go_through(network, source, destination, choice, from, to);
}

uint32_t fc_ports_parallel(const fc_router_network *network, uint32_t source,
                           uint32_t destination) {
    const struct fc_ports *ports = network->ports;
    const uint32_t *first = ports ? ports->first : NULL;
    uint32_t senders = 0, receivers = 0;
    if (!ports)
        return 1;
    for (uint32_t from = first[source]; from < first[source + 1]; ++from) {
        bool any = false;
        for (uint32_t to = first[destination]; to < first[destination + 1]; ++to)
            any = any || fc_ports_share(network, from, to) > 0;
        senders += any;
    }
    for (uint32_t to = first[destination]; to < first[destination + 1]; ++to) {
        bool any = false;
        for (uint32_t from = first[source]; from < first[source + 1]; ++from)
            any = any || fc_ports_share(network, from, to) > 0;
        receivers += any;
    }
    return senders < receivers ? senders : receivers;
}

double fc_ports_share(const fc_router_network *network, uint32_t from, uint32_t to) {
    const struct fc_ports *ports = network->ports;
    const uint32_t source = ports->node_of[from], destination = ports->node_of[to];
    const uint64_t least = ports->spread ? 0 : shortest_way(network, source, destination);
    const uint64_t own = way_from(network, from, destination, least);
    if (own == FC_NO_WAY || length_of(network, from, to) != own)
        return 0;
    return 1.0 / fc_ports_count(network, source, destination);
}

bool fc_ports_join(const fc_router_network *network, uint32_t from, uint32_t to) {
    if (!network->ports)
        return true;
    if (!network->ports->pairs)
        return length_of(network, from, to) != FC_NO_WAY;
    const size_t row = network->input_router[network->node_input[from]];
    return network->ports
               ->pairs[row * network->routers + network->output_router[network->node_output[to]]] >
           0;
}

/* ---- pairs of nodes ---- */

static void add_pair(fc_router_network *network, uint32_t source, uint32_t destination,
                     uint32_t count) {
    struct fc_ports *ports = network->ports;
    for (uint32_t choice = 0; ports->pairs && choice < count; ++choice) {
        uint32_t from, to;
        fc_ports_choose(network, source, destination, choice, &from, &to);
        const size_t row = network->input_router[network->node_input[from]];
        ports->pairs[row * network->routers + network->output_router[network->node_output[to]]] +=
            1.0 / count;
    }
}

fc_status fc_ports_weigh(fc_router_network *network, const char *how, fc_error *error) {
    enum { NODES_MOST = 2048, ROUTERS_MOST = 4096 };
    struct fc_ports *ports = network->ports;
    double *pairs = NULL;
    if (ports->nodes <= NODES_MOST && network->routers <= ROUTERS_MOST) {
        pairs = fc_allocate((size_t)network->routers * network->routers, sizeof *pairs);
        if (!pairs)
            return fc_fail_memory(error);
    }
    ports->pairs = pairs;
    for (uint32_t source = 0; source < ports->nodes; ++source) {
        for (uint32_t node = 0; node < ports->nodes; ++node) {
            if (ports->absent && (ports->absent[source] || ports->absent[node]))
                continue;
            const uint32_t count = fc_ports_count(network, source, node);
            if (!count)
                return fc_fail(error, FC_ERROR_UNSUPPORTED,
                               "there is no path%s from any port of node %u to one of node %u", how,
                               source, node);
            add_pair(network, source, node, count);
        }
    }
    return FC_OK;
}

/* ---- ways ---- */

uint32_t fc_draw_way_of_ports(const fc_router_network *network, fc_random *random, uint32_t source,
                              uint32_t destination) {
    const uint32_t count = fc_ports_count(network, source, destination);
    const uint32_t choice = count > 1 ? fc_random_below(random, count) : 0;
    uint32_t from, to;
    fc_ports_choose(network, source, destination, choice, &from, &to);
    return choice + count * fc_draw_variant(network, random, from, to);
}

void fc_begin_way_of_ports(const fc_router_network *network, uint32_t way, fc_course *course) {
    const uint32_t source = course->source, destination = course->destination;
    const uint32_t count = fc_ports_count(network, source, destination);
    fc_ports_choose(network, source, destination, way % count, &course->source,
                    &course->destination);
    network->begin(network, way / count, course);
}

void fc_end_name(const fc_router_network *network, uint32_t end, size_t size, char *text) {
    const struct fc_ports *ports = network->ports;
    const uint32_t node = fc_node_of(network, end);
    if (ports && ports->first[node + 1] - ports->first[node] > 1)
        snprintf(text, size, "%u.%u", node, end - ports->first[node]);
    else
        snprintf(text, size, "%u", node);
}
