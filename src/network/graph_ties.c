#include "network/graph_ties.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "network/graph_dimensions.h"
#include "network/link_bound.h"
#include "network/node_ports.h"

#define FAR UINT64_MAX
enum { ROUTER_BITS = 20 };

typedef struct ties {
    const fc_router_network *network;
    fc_graph_routes *routes;
    fc_tie_rule rule;
    double *load;        /* outputs: pairs of nodes, times the cycles of a flit */
    double *senders;     /* routers: nodes that send into them ... */
    double *receivers;   /* ... and that receive from them */
    uint64_t *distance;  /* routers: to the destination */
    uint32_t *order;     /* routers, the nearest first */
    uint32_t *rises;     /* routers: turns up after links down on the path chosen */
    uint64_t *heap;      /* of distance << 20 | router */
    uint32_t *dimension; /* outputs; by dimension only */
    double *links;       /* outputs: parallel ones; 0 for all but the first of them */
} ties;

static bool leads_to_node(const ties *t, uint32_t output) {
    return t->network->output_end[output] & FC_TO_NODE;
}

static uint32_t router_behind(const ties *t, uint32_t output) {
    return t->network->input_router[t->network->output_end[output]];
}

/* ---- creation ---- */

static void count_parallel(ties *t) {
    const fc_router_network *network = t->network;
    for (uint32_t o = 0, first = 0; o < network->outputs; ++o) {
        const bool parallel = o > first && !leads_to_node(t, o) && !leads_to_node(t, first) &&
                              network->output_router[o] == network->output_router[first] &&
                              router_behind(t, o) == router_behind(t, first) &&
                              network->output_delay[o] == network->output_delay[first];
        first = parallel ? first : o;
        ++t->links[first];
    }
}

static bool prepare(ties *t, const uint32_t *dimension) {
    const fc_router_network *network = t->network;
    t->load = fc_allocate(network->outputs, sizeof *t->load);
    t->senders = fc_allocate(network->routers, sizeof *t->senders);
    t->receivers = fc_allocate(network->routers, sizeof *t->receivers);
    t->distance = fc_allocate(network->routers, sizeof *t->distance);
    t->order = fc_allocate(network->routers, sizeof *t->order);
    t->rises = fc_allocate(network->routers, sizeof *t->rises);
    t->heap = fc_allocate((size_t)network->outputs + 1, sizeof *t->heap);
    t->dimension = fc_allocate(network->outputs, sizeof *t->dimension);
    t->links = fc_allocate(network->outputs, sizeof *t->links);
    if (!t->load || !t->senders || !t->receivers || !t->distance || !t->order || !t->rises ||
        !t->heap || !t->dimension || !t->links)
        return false;
    for (uint32_t node = 0; node < network->nodes; ++node) {
        const bool present = fc_router_present(network, node);
        t->senders[network->input_router[network->node_input[node]]] += present;
        t->receivers[network->output_router[network->node_output[node]]] += present;
    }
    count_parallel(t);
    if (dimension)
        memcpy(t->dimension, dimension, network->outputs * sizeof *dimension);
    return dimension || t->rule != FC_TIES_BY_DIMENSION ||
           fc_graph_dimensions(network, t->dimension);
}

static void clear(ties *t) {
    void *const blocks[] = {t->load,  t->senders, t->receivers, t->distance, t->order,
                            t->rises, t->heap,    t->dimension, t->links};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i)
        fc_release(blocks[i]);
}

/* ---- distances to one router ---- */

static void sift_in(ties *t, size_t count, uint64_t key) {
    size_t at = count;
    for (; at > 0 && t->heap[(at - 1) / 2] > key; at = (at - 1) / 2)
        t->heap[at] = t->heap[(at - 1) / 2];
    t->heap[at] = key;
}

static uint64_t take_first(ties *t, size_t count) {
    const uint64_t top = t->heap[0], last = t->heap[count - 1];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child + 1 < count - 1 && t->heap[child + 1] < t->heap[child])
            ++child;
        if (child >= count - 1 || t->heap[child] >= last)
            break;
        t->heap[at] = t->heap[child];
        at = child;
    }
    t->heap[at] = last;
    return top;
}

/* Dijkstra against the links; returns how many routers there are in order. */
static uint32_t find_distances(ties *t, uint32_t destination) {
    const fc_router_network *network = t->network;
    uint32_t found = 0;
    size_t waiting = 0;
    for (uint32_t router = 0; router < network->routers; ++router)
        t->distance[router] = FAR;
    t->distance[destination] = 0;
    sift_in(t, waiting++, destination);
    while (waiting > 0) {
        const uint64_t key = take_first(t, waiting--);
        const uint32_t at = (uint32_t)(key & ((1u << ROUTER_BITS) - 1));
        if (key >> ROUTER_BITS != t->distance[at])
            continue;
        t->order[found++] = at;
        for (uint32_t i = network->input_first[at]; i < network->input_first[at + 1]; ++i) {
            const uint32_t begin = network->input_begin[i];
            if (begin & FC_TO_NODE)
                continue;
            const uint32_t from = network->output_router[begin];
            const uint64_t through = t->distance[at] + network->output_delay[begin];
            if (through >= t->distance[from])
                continue;
            t->distance[from] = through;
            sift_in(t, waiting++, through << ROUTER_BITS | from);
        }
    }
    return found;
}

/* ---- the choice ---- */

/* The output that the path to the destination takes next. */
static uint32_t next_of(const ties *t, uint32_t router, uint32_t destination) {
    return t->network->output_first[router] +
           t->routes->port[(size_t)router * t->routes->routers + destination];
}

static double price_of(const ties *t, uint32_t output, uint32_t destination) {
    double price = t->load[output] * t->load[output];
    for (uint32_t at = router_behind(t, output); at != destination;) {
        const uint32_t next = next_of(t, at, destination);
        price += t->load[next] * t->load[next];
        at = router_behind(t, next);
    }
    return price;
}

static uint32_t rises_over(const ties *t, uint32_t output, uint32_t destination) {
    const uint32_t at = router_behind(t, output);
    if (at == destination)
        return 0;
    const bool up = fc_graph_leads_up(t->routes, t->network, output);
    return t->rises[at] +
           (!up && fc_graph_leads_up(t->routes, t->network, next_of(t, at, destination)));
}

/* The first of parallel links stands for all of them. */
static bool is_shortest(const ties *t, uint32_t from, uint32_t output) {
    if (leads_to_node(t, output) || !(t->links[output] > 0))
        return false;
    const uint64_t rest = t->distance[router_behind(t, output)];
    return rest != FAR && rest + t->network->output_delay[output] == t->distance[from];
}

/* What counts before the load. */
static uint32_t rank_of(const ties *t, uint32_t output, uint32_t destination) {
    return t->rule == FC_TIES_BY_DIMENSION     ? t->dimension[output]
           : t->rule == FC_TIES_WITH_FEW_RISES ? rises_over(t, output, destination)
                                               : 0;
}

static uint32_t choose(ties *t, uint32_t from, uint32_t destination) {
    const uint32_t *first = t->network->output_first;
    uint32_t best = first[from], least_rank = UINT32_MAX;
    double least = (double)INFINITY;
    for (uint32_t o = first[from]; o < first[from + 1]; ++o) {
        if (!is_shortest(t, from, o))
            continue;
        const uint32_t rank = rank_of(t, o, destination);
        const double price = rank <= least_rank ? price_of(t, o, destination) : 0;
        if (rank > least_rank || (rank == least_rank && price >= least))
            continue;
        best = o;
        least_rank = rank;
        least = price;
    }
    t->rises[from] = least_rank;
    return best - first[from];
}

static double pairs_of(const ties *t, uint32_t from, uint32_t to) {
    const struct fc_ports *ports = t->network->ports;
    return ports && ports->pairs ? ports->pairs[(size_t)from * t->network->routers + to]
                                 : t->senders[from] * t->receivers[to];
}

/* What the nodes of a router send to those of the destination goes over the path chosen. */
static void load_path(ties *t, uint32_t from, uint32_t destination) {
    const double pairs = pairs_of(t, from, destination);
    for (uint32_t at = from; at != destination;) {
        const uint32_t output = next_of(t, at, destination);
        t->load[output] += pairs * fc_link_pace(t->network, output) / t->links[output];
        at = router_behind(t, output);
    }
}

static void spread_to(ties *t, uint32_t destination) {
    const uint32_t found = find_distances(t, destination);
    t->rises[destination] = 0;
    for (uint32_t i = 1; i < found; ++i) {
        const uint32_t from = t->order[i];
        t->routes->port[(size_t)from * t->routes->routers + destination] =
            (uint16_t)choose(t, from, destination);
        load_path(t, from, destination);
    }
}

fc_status fc_graph_ties_spread(const fc_router_network *network, fc_tie_rule rule,
                               const uint32_t *dimension, fc_error *error, fc_graph_routes *routes,
                               double *busiest) {
    ties t = {.network = network, .routes = routes, .rule = rule};
    const bool good = prepare(&t, dimension);
    for (uint32_t router = 0; router < network->routers && good; ++router) {
        if (t.receivers[router] > 0)
            spread_to(&t, router);
    }
    *busiest = 0;
    for (uint32_t o = 0; o < network->outputs && good; ++o)
        *busiest = fmax(*busiest, t.load[o]);
    clear(&t);
    return good ? FC_OK : fc_fail_memory(error);
}
