#include "network/graph_layers.h"

#include <string.h>
#include "base/memory.h"
#include "network/node_ports.h"

static const double steps_most = 1e8; /* looking for circles */

typedef struct layering {
    const fc_router_network *network;
    const fc_graph_routes *routes;
    size_t turns;           /* from an output to one of the router it leads to */
    size_t *turn_first;     /* outputs + 1; to nodes: none */
    uint8_t **waits;        /* layers: turns that some path of the layer takes */
    double *load;           /* layers: pairs of nodes */
    size_t *added;          /* turns that the path in question adds */
    uint32_t *seen, *stack; /* outputs: looking for a circle */
    uint32_t search;        /* its number */
    double *senders;        /* routers: nodes that send into them ... */
    double *receivers;      /* ... and that receive from them */
    double steps;
} layering;

static uint32_t router_behind(const layering *l, uint32_t output) {
    return l->network->input_router[l->network->output_end[output]];
}

static bool prepare(layering *l, uint32_t most) {
    const fc_router_network *network = l->network;
    l->turn_first = fc_allocate((size_t)network->outputs + 1, sizeof *l->turn_first);
    l->waits = fc_allocate(most, sizeof *l->waits);
    l->load = fc_allocate(most, sizeof *l->load);
    l->added = fc_allocate(network->routers, sizeof *l->added);
    l->seen = fc_allocate(network->outputs, sizeof *l->seen);
    l->stack = fc_allocate(network->outputs, sizeof *l->stack);
    l->senders = fc_allocate(network->routers, sizeof *l->senders);
    l->receivers = fc_allocate(network->routers, sizeof *l->receivers);
    if (!l->turn_first || !l->waits || !l->load || !l->added || !l->seen || !l->stack ||
        !l->senders || !l->receivers)
        return false;
    for (uint32_t o = 0; o < network->outputs; ++o) {
        uint32_t next = 0;
        if (!(network->output_end[o] & FC_TO_NODE))
            next = network->output_first[router_behind(l, o) + 1] -
                   network->output_first[router_behind(l, o)];
        l->turn_first[o + 1] = l->turn_first[o] + next;
    }
    l->turns = l->turn_first[network->outputs];
    for (uint32_t node = 0; node < network->nodes; ++node) {
        const bool present = fc_router_present(network, node);
        l->senders[network->input_router[network->node_input[node]]] += present;
        l->receivers[network->output_router[network->node_output[node]]] += present;
    }
    for (uint32_t layer = 0; layer < most; ++layer) {
        l->waits[layer] = fc_allocate(l->turns + 1, sizeof **l->waits);
        if (!l->waits[layer])
            return false;
    }
    return true;
}

static void clear(layering *l, uint32_t most) {
    for (uint32_t layer = 0; l->waits && layer < most; ++layer)
        fc_release(l->waits[layer]);
    fc_release(l->turn_first);
    fc_release(l->waits);
    fc_release(l->load);
    fc_release(l->added);
    fc_release(l->seen);
    fc_release(l->stack);
    fc_release(l->senders);
    fc_release(l->receivers);
}

/* Whether there is a way of waiting from one link to another. */
static bool reaches(layering *l, const uint8_t *waits, uint32_t from, uint32_t sought) {
    uint32_t count = 0;
    ++l->search;
    l->stack[count++] = from;
    l->seen[from] = l->search;
    while (count > 0) {
        const uint32_t link = l->stack[--count];
        if (link == sought)
            return true;
        const uint32_t first = l->network->output_first[router_behind(l, link)];
        for (size_t i = l->turn_first[link]; i < l->turn_first[link + 1]; ++i) {
            const uint32_t next = first + (uint32_t)(i - l->turn_first[link]);
            if (!waits[i] || l->seen[next] == l->search)
                continue;
            l->seen[next] = l->search;
            l->stack[count++] = next;
        }
        l->steps += (double)(l->turn_first[link + 1] - l->turn_first[link]);
    }
    return false;
}

static uint32_t next_of(const layering *l, uint32_t router, uint32_t to) {
    return l->network->output_first[router] +
           l->routes->port[(size_t)router * l->routes->routers + to];
}

/* Pairs of nodes with this path. */
static double pairs_of(const layering *l, uint32_t from, uint32_t to) {
    const struct fc_ports *ports = l->network->ports;
    if (ports && ports->pairs)
        return ports->pairs[(size_t)from * l->network->routers + to];
    return l->routes->port[(size_t)from * l->routes->routers + to] == FC_NO_PORT
               ? 0
               : l->senders[from] * l->receivers[to];
}

/* Adds the turns of a path to a layer, unless they close a circle there. */
static bool add_path(layering *l, uint32_t layer, uint32_t from, uint32_t to) {
    uint8_t *waits = l->waits[layer];
    size_t count = 0;
    uint32_t link = next_of(l, from, to);
    for (uint32_t at; (at = router_behind(l, link)) != to;) {
        const uint32_t next = next_of(l, at, to);
        const size_t turn = l->turn_first[link] + next - l->network->output_first[at];
        if (!waits[turn] && reaches(l, waits, next, link)) {
            while (count > 0)
                waits[l->added[--count]] = 0;
            return false;
        }
        if (!waits[turn])
            l->added[count++] = turn;
        waits[turn] = 1;
        link = next;
    }
    l->load[layer] += pairs_of(l, from, to);
    return true;
}

/* The first layer that takes the path, or the one with the least load that does; `count` if none
 * does. */
static uint32_t place_path(layering *l, uint32_t count, bool even, uint32_t from, uint32_t to) {
    uint64_t tried = 0;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t layer = even ? count : i;
        for (uint32_t k = 0; even && k < count; ++k) {
            if (!(tried >> k & 1) && (layer == count || l->load[k] < l->load[layer]))
                layer = k;
        }
        tried |= (uint64_t)1 << layer;
        if (add_path(l, layer, from, to))
            return layer;
    }
    return count;
}

/* False: too many layers, or too long. */
static bool place_all(layering *l, uint32_t count, bool even, uint8_t *layer, uint32_t *used) {
    const uint32_t routers = l->network->routers;
    *used = 1;
    for (uint32_t k = 0; k < count; ++k) {
        memset(l->waits[k], 0, l->turns);
        l->load[k] = 0;
    }
    for (uint32_t from = 0; from < routers; ++from) {
        for (uint32_t to = 0; to < routers; ++to) {
            if (from == to || !(pairs_of(l, from, to) > 0))
                continue;
            const uint32_t placed = place_path(l, count, even, from, to);
            if (placed == count || l->steps > steps_most)
                return false;
            layer[(size_t)from * routers + to] = (uint8_t)placed;
            *used = placed >= *used ? placed + 1 : *used;
        }
    }
    return true;
}

/* With as few layers as the first fit needs, paths are divided among them evenly if that is
 * possible. */
static void place(layering *l, uint32_t most, uint8_t *layer, uint32_t *count) {
    uint32_t used;
    *count = 0;
    if (!place_all(l, most, false, layer, &used))
        return;
    if (used > 1 && !place_all(l, used, true, layer, count) &&
        !place_all(l, used, false, layer, count))
        return;
    *count = used;
}

fc_status fc_graph_layers_find(const fc_router_network *network, const fc_graph_routes *routes,
                               uint32_t most, fc_error *error, uint8_t *layer, uint32_t *count) {
    layering l = {.network = network, .routes = routes};
    const bool good = prepare(&l, most);
    *count = 0;
    if (good)
        place(&l, most, layer, count);
    clear(&l, most);
    return good ? FC_OK : fc_fail_memory(error);
}
