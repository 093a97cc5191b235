#include "network/multicast.h"

#include <stdlib.h>
#include "base/memory.h"

/* Destinations of all trees together: about 100 bytes each. */
enum { DESTINATIONS_MAX = 1 << 22 };

bool fc_multicast_given(const fc_routed *routed) {
    bool given = false;
    for (size_t i = 0; routed->given && i < routed->given->classes.count; ++i)
        given = given || routed->given->classes.list[i].multicast;
    return given;
}

/* ---- one tree ---- */

/* A route on its way: where it goes next. */
typedef struct leaf {
    fc_course course;
    fc_route_candidate next;
} leaf;

typedef struct growing {
    fc_multicast *made;
    leaf *leaves;
    fc_status status;
    bool several; /* a header may choose */
} growing;

static int compare_leaves(const void *first, const void *second) {
    const leaf *a = first, *b = second;
    if (a->next.output != b->next.output)
        return a->next.output < b->next.output ? -1 : 1;
    if (a->next.channels != b->next.channels)
        return a->next.channels < b->next.channels ? -1 : 1;
    return (a->course.destination > b->course.destination) -
           (a->course.destination < b->course.destination);
}

static bool same_branch(const leaf *a, const leaf *b) {
    return a->next.output == b->next.output && a->next.channels == b->next.channels;
}

static uint32_t add_branch(growing *g, fc_tree_branch branch) {
    fc_multicast *made = g->made;
    if (made->count == made->room) {
        const uint32_t room = made->room ? 2 * made->room : 256;
        fc_tree_branch *grown = fc_reallocate(made->branch, room, sizeof *grown);
        if (!grown) {
            g->status = FC_ERROR_MEMORY;
            return FC_NONE;
        }
        made->branch = grown;
        made->room = room;
    }
    made->branch[made->count] = branch;
    return made->count++;
}

/* The branches of the leaves first .. end - 1, which enter a router at the end of `from`. */
static void grow(growing *g, uint32_t from, uint32_t input, uint32_t first, uint32_t end) {
    fc_multicast *made = g->made;
    const fc_router_network *network = made->network;
    const uint32_t channel = (uint32_t)__builtin_ctzll(made->branch[from].channels);
    for (uint32_t i = first; i < end; ++i) {
        fc_route_candidates candidates;
        network->route(network, input, channel, &g->leaves[i].course, &candidates);
        g->several = g->several || candidates.count > 1;
        g->leaves[i].next = candidates.list[0];
    }
    qsort(g->leaves + first, end - first, sizeof *g->leaves, compare_leaves);
    const uint32_t branches = made->count;
    for (uint32_t i = first; i < end; ++i) {
        const leaf *at = &g->leaves[i];
        if (i > first && same_branch(&g->leaves[i - 1], at))
            continue;
        add_branch(g, (fc_tree_branch){.output = at->next.output,
                                       .channels = at->next.channels,
                                       .node = at->course.destination});
        if (g->status != FC_OK)
            return;
    }
    made->branch[from].first = branches;
    made->branch[from].count = made->count - branches;
    const uint32_t last = made->count;
    for (uint32_t b = branches, i = first; b < last && g->status == FC_OK; ++b) {
        const uint32_t begin = i;
        while (i < end && same_branch(&g->leaves[begin], &g->leaves[i]))
            ++i;
        const uint32_t next = network->output_end[made->branch[b].output];
        if (!(next & FC_TO_NODE))
            grow(g, b, next, begin, i);
    }
}

/* The tree of a source, with one of the variants. */
static fc_tree plant(growing *g, const fc_traffic *traffic, uint64_t channels, uint32_t source,
                     uint32_t variant) {
    const fc_router_network *network = g->made->network;
    fc_tree tree = {0};
    for (uint32_t to = 0; to < network->nodes; ++to) {
        if (!(fc_traffic_share(traffic, source, to) > 0))
            continue;
        leaf *made = &g->leaves[tree.destinations++];
        *made = (leaf){.course = {.source = source, .destination = to, .channels = channels}};
        const uint32_t variants = network->variants ? network->variants(network, source, to) : 1;
        network->begin(network, variant % variants, &made->course);
    }
    if (!tree.destinations)
        return tree;
    tree.root =
        add_branch(g, (fc_tree_branch){.output = FC_NONE, .node = source, .channels = channels});
    if (g->status == FC_OK)
        grow(g, tree.root, network->node_input[source], 0, tree.destinations);
    return tree;
}

/* ---- all ---- */

/* The most that routing draws for a message. */
static uint32_t most_variants(const fc_router_network *network, const fc_traffic *traffic) {
    uint32_t most = 1;
    for (uint32_t i = 0; network->variants && i < traffic->senders; ++i)
        for (uint32_t to = 0; to < network->nodes; ++to) {
            if (!(fc_traffic_share(traffic, traffic->sender[i], to) > 0))
                continue;
            const uint32_t variants = network->variants(network, traffic->sender[i], to);
            most = variants > most ? variants : most;
        }
    return most;
}

static double count_destinations(const fc_router_network *network, const fc_traffic *traffic) {
    double count = 0;
    for (uint32_t i = 0; i < traffic->senders; ++i)
        for (uint32_t to = 0; to < network->nodes; ++to)
            count += fc_traffic_share(traffic, traffic->sender[i], to) > 0;
    return count;
}

static fc_status plant_class(growing *g, const fc_traffic *traffic, const fc_class *class,
                             uint32_t kind) {
    fc_multicast *made = g->made;
    made->of[kind] =
        fc_allocate((size_t)made->network->nodes * made->variants, sizeof *made->of[kind]);
    if (!made->of[kind])
        return FC_ERROR_MEMORY;
    for (uint32_t i = 0; i < traffic->senders; ++i)
        for (uint32_t v = 0; v < made->variants && g->status == FC_OK; ++v) {
            const uint32_t source = traffic->sender[i];
            made->of[kind][(size_t)source * made->variants + v] =
                plant(g, traffic, fc_class_channels(class), source, v);
        }
    return g->status;
}

static fc_status plant_all(const fc_scenario *scenario, const fc_traffic *traffic,
                           fc_multicast *made, fc_error *error) {
    const fc_classes classes = fc_classes_of(fc_scenario_routed(scenario));
    growing g = {.made = made, .leaves = fc_allocate(made->network->nodes, sizeof *g.leaves)};
    double destinations = 0;
    made->variants = 1;
    for (uint32_t kind = 0; kind < classes.count; ++kind) {
        const fc_traffic *own = fc_traffic_of_class(traffic, kind);
        if (!classes.list[kind].multicast)
            continue;
        const uint32_t variants = most_variants(made->network, own);
        made->variants = variants > made->variants ? variants : made->variants;
        destinations += count_destinations(made->network, own);
    }
    if (destinations * made->variants > DESTINATIONS_MAX) {
        fc_release(g.leaves);
        return fc_scenario_fail_key(
            scenario, "traffic.classes", error,
            "the trees of all multicasts together have %.3g destinations, more than %d; use fewer "
            "nodes or destinations, or a routing that draws less",
            destinations * made->variants, (int)DESTINATIONS_MAX);
    }
    g.status = g.leaves ? FC_OK : FC_ERROR_MEMORY;
    for (uint32_t kind = 0; kind < classes.count && g.status == FC_OK; ++kind)
        if (classes.list[kind].multicast)
            g.status =
                plant_class(&g, fc_traffic_of_class(traffic, kind), &classes.list[kind], kind);
    fc_release(g.leaves);
    if (g.status != FC_OK)
        return fc_fail_memory(error);
    return g.several ? fc_scenario_fail_key(scenario, "traffic.classes", error,
                                            "a multicast goes over one tree, and headers of this "
                                            "network may choose between outputs")
                     : FC_OK;
}

fc_status fc_multicast_create(const fc_scenario *scenario, const fc_router_network *network,
                              const fc_traffic *traffic, fc_error *error,
                              fc_multicast **multicast) {
    *multicast = NULL;
    if (!fc_multicast_given(fc_scenario_routed(scenario)))
        return FC_OK;
    if (network->ports)
        return fc_scenario_fail_key(scenario, "traffic.classes", error,
                                    "a multicast goes over one tree from one port, and nodes of "
                                    "this network have several");
    fc_multicast *made = fc_allocate(1, sizeof *made);
    if (!made)
        return fc_fail_memory(error);
    made->network = network;
    const fc_status status = plant_all(scenario, traffic, made, error);
    if (status == FC_OK)
        *multicast = made;
    else
        fc_multicast_free(made);
    return status;
}

void fc_multicast_free(fc_multicast *multicast) {
    if (!multicast)
        return;
    for (size_t kind = 0; kind < FC_CLASSES_MAX; ++kind)
        fc_release(multicast->of[kind]);
    fc_release(multicast->branch);
    fc_release(multicast);
}
