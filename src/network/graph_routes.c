#include "network/graph_routes.h"

#include <assert.h>
#include "base/memory.h"

#define FAR UINT64_MAX

/* ---- links ---- */

/* The router an output leads to, or UINT32_MAX if to a node. */
static uint32_t end_router(const fc_router_network *network, uint32_t output) {
    const uint32_t end = network->output_end[output];
    return end & FC_TO_NODE ? UINT32_MAX : network->input_router[end];
}

/* ---- up and down ---- */

/* Marks distance in links from a router, of those that have none yet; returns how many routers are
 * reached, the farthest is the last of the queue. */
static uint32_t mark_from(const fc_router_network *network, uint32_t start, uint32_t *distance,
                          uint32_t *queue) {
    uint32_t head = 0, tail = 0;
    distance[start] = 0;
    queue[tail++] = start;
    while (head < tail) {
        const uint32_t at = queue[head++];
        for (uint32_t o = network->output_first[at]; o < network->output_first[at + 1]; ++o) {
            const uint32_t to = end_router(network, o);
            if (to == UINT32_MAX || distance[to] != UINT32_MAX)
                continue;
            distance[to] = distance[at] + 1;
            queue[tail++] = to;
        }
    }
    return tail;
}

static uint32_t spread_from(const fc_router_network *network, uint32_t start, uint32_t *distance,
                            uint32_t *queue) {
    for (uint32_t router = 0; router < network->routers; ++router)
        distance[router] = UINT32_MAX;
    return mark_from(network, start, distance, queue);
}

/* By distance, then by number: the first pass counts routers at each distance. */
static void rank_by_distance(const uint32_t *distance, uint32_t routers, uint32_t *start,
                             fc_graph_routes *routes) {
    for (uint32_t i = 0; i <= routers; ++i)
        start[i] = 0;
    for (uint32_t router = 0; router < routers; ++router)
        ++start[(distance[router] < routers ? distance[router] : routers - 1) + 1];
    for (uint32_t i = 0; i < routers; ++i)
        start[i + 1] += start[i];
    for (uint32_t router = 0; router < routers; ++router) {
        const uint32_t far = distance[router] < routers ? distance[router] : routers - 1;
        routes->rank[router] = start[far]++;
        routes->order[routes->rank[router]] = router;
    }
}

/* Links from each router to the nearest one that has nodes. */
static void measure_heights(const fc_router_network *network, uint32_t *height, uint32_t *queue) {
    uint32_t head = 0, tail = 0;
    for (uint32_t router = 0; router < network->routers; ++router)
        height[router] = UINT32_MAX;
    for (uint32_t node = 0; node < network->nodes; ++node) {
        const uint32_t router = network->input_router[network->node_input[node]];
        if (height[router])
            queue[tail++] = router;
        height[router] = 0;
    }
    while (head < tail) {
        const uint32_t at = queue[head++];
        for (uint32_t o = network->output_first[at]; o < network->output_first[at + 1]; ++o) {
            const uint32_t to = end_router(network, o);
            if (to == UINT32_MAX || height[to] != UINT32_MAX)
                continue;
            height[to] = height[at] + 1;
            queue[tail++] = to;
        }
    }
}

/* The farther from nodes, the earlier; at one height the order stays. */
static void rank_by_height(uint32_t *height, uint32_t *queue, const fc_router_network *network,
                           fc_graph_routes *routes) {
    uint32_t highest = 0;
    measure_heights(network, height, queue);
    for (uint32_t router = 0; router < routes->routers; ++router) {
        if (height[router] != UINT32_MAX && height[router] > highest)
            highest = height[router];
    }
    if (!highest)
        return;
    uint32_t *by_distance = queue;
    for (uint32_t i = 0; i < routes->routers; ++i) {
        by_distance[i] = routes->order[i];
        height[i] = height[i] > highest ? highest : highest - height[i];
    }
    for (uint32_t level = 0, rank = 0; level <= highest; ++level) {
        for (uint32_t i = 0; i < routes->routers; ++i) {
            if (height[by_distance[i]] != level)
                continue;
            routes->order[rank] = by_distance[i];
            routes->rank[by_distance[i]] = rank++;
        }
    }
}

/* by_height: for paths that need no root, so that in a tree of switches all those above the nodes
 * are up, whichever of them is nearest to the root. */
static bool rank_routers(const fc_router_network *network, bool by_height,
                         fc_graph_routes *routes) {
    const uint32_t routers = network->routers;
    routes->routers = routers;
    routes->rank = fc_allocate(routers, sizeof *routes->rank);
    routes->order = fc_allocate(routers, sizeof *routes->order);
    uint32_t *distance = fc_allocate(routers, sizeof *distance);
    uint32_t *queue = fc_allocate((size_t)routers + 1, sizeof *queue);
    const bool good = routes->rank && routes->order && distance && queue;
    if (good) {
        uint32_t root = 0, most = 0, nearest = UINT32_MAX;
        for (uint32_t router = 0; router < routers; ++router) { /* one that failed reaches none */
            const uint32_t reached = spread_from(network, router, distance, queue);
            const uint32_t farthest = distance[queue[reached - 1]];
            if (reached > most || (reached == most && farthest < nearest)) {
                most = reached;
                nearest = farthest;
                root = router;
            }
        }
        spread_from(network, root, distance, queue);
        for (uint32_t router = 0; router < routers && network->ports; ++router) {
            if (distance[router] == UINT32_MAX) /* a piece that only nodes join to the others */
                mark_from(network, router, distance, queue);
        }
        rank_by_distance(distance, routers, queue, routes);
        if (by_height)
            rank_by_height(distance, queue, network, routes);
    }
    fc_release(distance);
    fc_release(queue);
    return good;
}

/* ---- shortest paths ---- */

/* Routers to be left next, nearest first, then by number: a heap of distance << 20 | router. */
typedef struct router_heap {
    uint64_t *key;
    size_t count;
} router_heap;

static void push(router_heap *heap, uint64_t key) {
    size_t at = heap->count++;
    for (; at > 0 && heap->key[(at - 1) / 2] > key; at = (at - 1) / 2)
        heap->key[at] = heap->key[(at - 1) / 2];
    heap->key[at] = key;
}

static uint64_t pop(router_heap *heap) {
    const uint64_t top = heap->key[0], last = heap->key[--heap->count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child + 1 < heap->count && heap->key[child + 1] < heap->key[child])
            ++child;
        if (child >= heap->count || heap->key[child] >= last)
            break;
        heap->key[at] = heap->key[child];
        at = child;
    }
    heap->key[at] = last;
    return top;
}

/* Dijkstra from one router: the first output on the path to each. Of paths of the same length the
 * one found first counts, with routers left in the order of distance, then number. */
static void find_first_ports(const fc_router_network *network, uint32_t start, router_heap *heap,
                             uint64_t *distance, uint16_t *port) {
    enum { ROUTER_BITS = 20 };
    for (uint32_t router = 0; router < network->routers; ++router) {
        distance[router] = FAR;
        port[router] = FC_NO_PORT;
    }
    distance[start] = 0;
    heap->count = 0;
    push(heap, start);
    while (heap->count > 0) {
        const uint64_t key = pop(heap);
        const uint32_t at = (uint32_t)(key & ((1u << ROUTER_BITS) - 1));
        if (key >> ROUTER_BITS != distance[at])
            continue;
        for (uint32_t o = network->output_first[at]; o < network->output_first[at + 1]; ++o) {
            const uint32_t to = end_router(network, o);
            const uint64_t through = distance[at] + network->output_delay[o];
            if (to == UINT32_MAX || through >= distance[to])
                continue;
            distance[to] = through;
            port[to] = at == start ? (uint16_t)(o - network->output_first[at]) : port[at];
            push(heap, through << ROUTER_BITS | to);
        }
    }
}

/* ---- both ---- */

/* Nodes with several ports need a path between some of them: fc_ports_weigh. */
static fc_status check_reach(const fc_router_network *network, const fc_graph_routes *routes,
                             const char *how, fc_error *error) {
    if (network->ports)
        return FC_OK;
    for (uint32_t source = 0; source < network->nodes; ++source) {
        const uint32_t from = network->input_router[network->node_input[source]];
        for (uint32_t node = 0; node < network->nodes && fc_router_present(network, source);
             ++node) {
            if (!fc_router_present(network, node))
                continue;
            const uint32_t to = network->output_router[network->node_output[node]];
            if (from != to && routes->port[(size_t)from * routes->routers + to] == FC_NO_PORT)
                return fc_fail(error, FC_ERROR_UNSUPPORTED,
                               "there is no path%s from node %u at router %u to node %u at router "
                               "%u",
                               how, source, from, node, to);
        }
    }
    return FC_OK;
}

fc_status fc_graph_routes_shortest(const fc_router_network *network, fc_error *error,
                                   fc_graph_routes *routes) {
    const size_t routers = network->routers;
    assert(routers <= FC_GRAPH_ROUTERS_TABLE_MAX);
    uint64_t *distance = fc_allocate(routers, sizeof *distance);
    router_heap heap = {.key = fc_allocate((size_t)network->outputs + 1, sizeof *heap.key)};
    routes->port = fc_allocate(routers * routers, sizeof *routes->port);
    const bool good = distance && heap.key && routes->port && rank_routers(network, true, routes);
    for (uint32_t router = 0; good && router < routers; ++router)
        find_first_ports(network, router, &heap, distance, routes->port + router * routers);
    fc_release(distance);
    fc_release(heap.key);
    return good ? check_reach(network, routes, "", error) : fc_fail_memory(error);
}

/* Ways to one router, by links down only or first up. */
typedef struct up_down {
    const fc_router_network *network;
    fc_graph_routes *routes;
    uint32_t to;
    uint64_t *down, *any; /* routers: the distance */
    double *load; /* outputs: routers that send over it so far; NULL: the first way counts */
} up_down;

/* Squares of the loads of a way that begins with an output; `sent` is added to the loads. */
static double price_of(const up_down *u, uint32_t output, double sent) {
    const fc_router_network *network = u->network;
    double price = 0;
    for (bool up = true;;) {
        const uint32_t from = network->output_router[output], at = end_router(network, output);
        price += u->load[output] * u->load[output];
        u->load[output] += sent;
        if (at == u->to)
            return price;
        up = up && u->routes->rank[at] < u->routes->rank[from];
        output =
            network->output_first[at] +
            (up ? u->routes->port : u->routes->port_down)[(size_t)at * u->routes->routers + u->to];
    }
}

/* The best output of a router, whose distance from each next router is known; `up`: by links up,
 * else by links down. Keeps the port if nothing is shorter, nor as short with less load. */
static void improve(const up_down *u, uint32_t from, bool up, uint64_t *distance, uint16_t *port) {
    const fc_router_network *network = u->network;
    const uint32_t first = network->output_first[from];
    for (uint32_t o = first; o < network->output_first[from + 1]; ++o) {
        const uint32_t to = end_router(network, o);
        if (to == UINT32_MAX || (u->routes->rank[to] < u->routes->rank[from]) != up ||
            distance[to] == FAR)
            continue;
        const uint64_t through = distance[to] + network->output_delay[o];
        const bool tie = u->load && through == distance[from];
        if (through > distance[from] || (through == distance[from] && !tie) ||
            (tie && price_of(u, o, 0) >= price_of(u, first + *port, 0)))
            continue;
        distance[from] = through;
        *port = (uint16_t)(o - first);
    }
}

/* Down only: from the last in order to the first, as each depends on later ones. Then, from the
 * first on, also up. */
static void find_up_down_ports(const up_down *u) {
    fc_graph_routes *routes = u->routes;
    const size_t routers = routes->routers;
    for (size_t i = routers; i-- > 0;) {
        const uint32_t from = routes->order[i];
        uint16_t *port = &routes->port_down[from * routers + u->to];
        *port = FC_NO_PORT;
        u->down[from] = from == u->to ? 0 : FAR;
        improve(u, from, false, u->down, port);
    }
    for (size_t i = 0; i < routers; ++i) {
        const uint32_t from = routes->order[i];
        uint16_t *port = &routes->port[from * routers + u->to];
        *port = routes->port_down[from * routers + u->to];
        u->any[from] = u->down[from];
        improve(u, from, true, u->any, port);
        if (u->load && *port != FC_NO_PORT && from != u->to)
            price_of(u, u->network->output_first[from] + *port, 1);
    }
}

fc_status fc_graph_routes_up_down(const fc_router_network *network, bool spread, fc_error *error,
                                  fc_graph_routes *routes) {
    const size_t routers = network->routers;
    assert(routers <= FC_GRAPH_ROUTERS_TABLE_MAX);
    up_down u = {.network = network,
                 .routes = routes,
                 .down = fc_allocate(routers, sizeof *u.down),
                 .any = fc_allocate(routers, sizeof *u.any),
                 .load = spread ? fc_allocate(network->outputs, sizeof *u.load) : NULL};
    routes->port = fc_allocate(routers * routers, sizeof *routes->port);
    routes->port_down = fc_allocate(routers * routers, sizeof *routes->port_down);
    const bool good = u.down && u.any && (u.load || !spread) && routes->port && routes->port_down &&
                      rank_routers(network, false, routes);
    for (; good && u.to < routers; ++u.to)
        find_up_down_ports(&u);
    fc_release(u.down);
    fc_release(u.any);
    fc_release(u.load);
    return good ? check_reach(network, routes, ", first up, then down,", error)
                : fc_fail_memory(error);
}

void fc_graph_routes_clear(fc_graph_routes *routes) {
    fc_release(routes->rank);
    fc_release(routes->order);
    fc_release(routes->port);
    fc_release(routes->port_down);
    *routes = (fc_graph_routes){.routers = 0};
}
