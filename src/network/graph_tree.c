#include "network/graph_tree.h"

#include <string.h>
#include "base/memory.h"

/* Failures may leave one direction of a link. */
static bool leads_back(const fc_router_network *network, uint32_t output) {
    const uint32_t from = network->output_router[output];
    const uint32_t to = network->input_router[network->output_end[output]];
    for (uint32_t o = network->output_first[to]; o < network->output_first[to + 1]; ++o) {
        if (!(network->output_end[o] & FC_TO_NODE) &&
            network->input_router[network->output_end[o]] == from)
            return true;
    }
    return false;
}

/* Breadth-first search from a router: who is reached in which order, over which output of the
 * router before. The root's is UINT32_MAX. Returns how many are reached. */
static uint32_t search(const fc_router_network *network, uint32_t root, uint32_t *order,
                       uint32_t *reached_by) {
    const uint32_t unknown = UINT32_MAX - 1;
    uint32_t head = 0, tail = 0;
    for (uint32_t router = 0; router < network->routers; ++router)
        reached_by[router] = unknown;
    reached_by[root] = UINT32_MAX;
    order[tail++] = root;
    while (head < tail) {
        const uint32_t at = order[head++];
        for (uint32_t o = network->output_first[at]; o < network->output_first[at + 1]; ++o) {
            const uint32_t end = network->output_end[o];
            if (end & FC_TO_NODE || reached_by[network->input_router[end]] != unknown ||
                (network->failures && !leads_back(network, o)))
                continue;
            reached_by[network->input_router[end]] = o;
            order[tail++] = network->input_router[end];
        }
    }
    return tail;
}

/* The middle of a long shortest path: from some router to one farthest from it, and from there to
 * the farthest again. */
static uint32_t find_root(const fc_router_network *network, uint32_t *order, uint32_t *reached_by) {
    uint32_t node = 0; /* routers without links, which have failed, are in no tree */
    while (node + 1 < network->nodes && !fc_router_present(network, node))
        ++node;
    const uint32_t first = network->absent ? network->input_router[network->node_input[node]] : 0;
    const uint32_t one_end = order[search(network, first, order, reached_by) - 1];
    const uint32_t other_end = order[search(network, one_end, order, reached_by) - 1];
    uint32_t middle = other_end, at = other_end;
    for (bool step = false; reached_by[at] != UINT32_MAX; step = !step) {
        at = network->output_router[reached_by[at]];
        if (step)
            middle = network->output_router[reached_by[middle]];
    }
    return middle;
}

static uint32_t output_to(const fc_router_network *network, uint32_t from, uint32_t to) {
    uint32_t output = network->output_first[from];
    while (network->output_end[output] & FC_TO_NODE ||
           network->input_router[network->output_end[output]] != to)
        ++output;
    return output;
}

/* Those below a router are counted from the last reached to the first; then each gives its children
 * their numbers, in the order in which they were reached. */
static void number_routers(const fc_router_network *network, uint32_t reached,
                           const uint32_t *order, const uint32_t *reached_by, fc_graph_tree *tree,
                           uint32_t *next) {
    for (uint32_t router = 0; router < network->routers; ++router) {
        tree->below[router] = 1;
        tree->number[router] = network->routers + router; /* below none */
        tree->parent[router] = UINT32_MAX;
    }
    for (uint32_t i = reached; i-- > 1;)
        tree->below[network->output_router[reached_by[order[i]]]] += tree->below[order[i]];
    tree->number[order[0]] = 0;
    next[order[0]] = 1;
    tree->parent[order[0]] = UINT32_MAX;
    for (uint32_t i = 1; i < reached; ++i) {
        const uint32_t router = order[i], parent = network->output_router[reached_by[router]];
        tree->number[router] = next[parent];
        next[parent] += tree->below[router];
        next[router] = tree->number[router] + 1;
        tree->parent[router] = output_to(network, router, parent);
    }
}

static fc_status check_reach(const fc_router_network *network, const fc_graph_tree *tree,
                             fc_error *error) {
    for (uint32_t node = 0; node < network->nodes; ++node) {
        const uint32_t router = network->input_router[network->node_input[node]];
        if (fc_router_present(network, node) && tree->number[router] >= network->routers)
            return fc_fail(error, FC_ERROR_UNSUPPORTED,
                           "there is no path over links of both directions to node %u at router %u",
                           node, router);
    }
    return FC_OK;
}

fc_status fc_graph_tree_create(const fc_router_network *network, fc_error *error,
                               fc_graph_tree *tree) {
    const size_t routers = network->routers;
    uint32_t *order = fc_allocate(routers, sizeof *order);
    uint32_t *reached_by = fc_allocate(routers, sizeof *reached_by);
    uint32_t *next = fc_allocate(routers, sizeof *next);
    *tree = (fc_graph_tree){.number = fc_allocate(routers, sizeof *tree->number),
                            .below = fc_allocate(routers, sizeof *tree->below),
                            .parent = fc_allocate(routers, sizeof *tree->parent)};
    const bool good = order && reached_by && next && tree->number && tree->below && tree->parent;
    if (good) {
        const uint32_t reached =
            search(network, find_root(network, order, reached_by), order, reached_by);
        number_routers(network, reached, order, reached_by, tree, next);
    }
    fc_release(order);
    fc_release(reached_by);
    fc_release(next);
    return good ? check_reach(network, tree, error) : fc_fail_memory(error);
}

void fc_graph_tree_clear(fc_graph_tree *tree) {
    fc_release(tree->number);
    fc_release(tree->below);
    fc_release(tree->parent);
    *tree = (fc_graph_tree){.number = NULL};
}

uint32_t fc_graph_tree_output(const fc_graph_tree *tree, const fc_router_network *network,
                              uint32_t at, uint32_t to) {
    const uint32_t number = tree->number[to];
    uint32_t best = tree->parent[at], fewest = UINT32_MAX;
    for (uint32_t o = network->output_first[at]; o < network->output_first[at + 1]; ++o) {
        const uint32_t end = network->output_end[o];
        if (end & FC_TO_NODE)
            continue;
        const uint32_t router = network->input_router[end], below = tree->below[router];
        if (number - tree->number[router] < below && below < fewest) {
            fewest = below;
            best = o;
        }
    }
    return best;
}

static uint32_t router_behind(const fc_router_network *network, uint32_t output) {
    return network->input_router[network->output_end[output]];
}

/* Whether a header at some router that takes output `best` would rather take `other`, which leads
 * to a router above `to` in the tree, or to it. */
static bool is_nearer(const fc_graph_tree *tree, const fc_router_network *network, uint32_t to,
                      uint32_t best, uint32_t other) {
    if (best == UINT32_MAX)
        return true;
    const uint32_t now = router_behind(network, best), then = router_behind(network, other);
    if (now == then)
        return other < best;
    const bool leads_there = tree->number[to] - tree->number[now] < tree->below[now];
    return !leads_there || tree->below[then] < tree->below[now];
}

void fc_graph_tree_outputs(const fc_graph_tree *tree, const fc_router_network *network, uint32_t to,
                           uint32_t *output) {
    memcpy(output, tree->parent, network->routers * sizeof *output);
    for (uint32_t above = to;; above = router_behind(network, tree->parent[above])) {
        for (uint32_t i = network->input_first[above]; i < network->input_first[above + 1]; ++i) {
            const uint32_t begin = network->input_begin[i];
            if (begin & FC_TO_NODE)
                continue;
            uint32_t *best = &output[network->output_router[begin]];
            if (is_nearer(tree, network, to, *best, begin))
                *best = begin;
        }
        if (tree->parent[above] == UINT32_MAX)
            return;
    }
}
