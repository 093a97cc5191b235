/* A message goes over each branch of its tree once. Alone, it takes as long to a destination as a
 * message to that one would, and for each copy that a router on the way has sent before, as long as
 * that one held the crossbar: its flits, and the stage in which the next is given a channel. */
#include "models/router/multicast_bound.h"

#include <math.h>
#include "base/memory.h"
#include "network/multicast.h"

typedef struct walk {
    fc_router_flows *flows;
    const fc_routed *routed;
    const fc_multicast *trees;
    size_t kind;
    double rate;        /* of the tree */
    fc_path_link *hops; /* behind the routers so far */
    double *last;       /* of each length: the longest latency */
    bool out_of_memory;
} walk;

static void load_link(walk *w, uint32_t port) {
    fc_flow_link *link = &w->flows->links[w->flows->link_of[port]];
    link->rate += w->rate;
    link->flits += w->rate * w->flows->kinds.mean[w->kind];
}

static const fc_path *path_over(walk *w, uint32_t routers) {
    fc_paths *paths = w->flows->paths;
    fc_path_key key = {0};
    for (uint32_t i = routers; i-- > 0;)
        key = fc_path_key_before(paths, key, w->hops[i]);
    size_t found = fc_paths_find(paths, key);
    if (found == SIZE_MAX)
        found = fc_paths_add(paths, key, w->hops);
    w->out_of_memory = w->out_of_memory || found == SIZE_MAX;
    if (found == SIZE_MAX)
        return NULL;
    paths->list[found].weight[w->kind] += w->rate;
    return &paths->list[found];
}

/* before: copies sent before on the way here. */
static void arrive(walk *w, uint32_t routers, double before) {
    const fc_lengths *lengths = &w->flows->kinds.lengths[w->kind];
    const double stage = (double)w->routed->router_delay[FC_STAGE_ALLOCATION];
    const fc_path *path = path_over(w, routers);
    w->flows->copying += w->rate * before * (w->flows->kinds.mean[w->kind] + stage);
    for (size_t i = 0; path && i < lengths->count; ++i) {
        const double flits = (double)lengths->flits[i];
        w->last[i] = fmax(w->last[i], path->header + flits - 1 + before * (flits + stage));
    }
}

static void follow(walk *w, uint32_t number, uint32_t routers, double before) {
    const fc_tree_branch *from = &w->trees->branch[number];
    for (uint32_t i = 0; i < from->count && !w->out_of_memory; ++i) {
        const uint32_t next = from->first + i, output = w->trees->branch[next].output;
        load_link(w, output);
        w->hops[routers] = fc_flow_link_of(w->flows->network, output);
        if (w->trees->branch[next].count)
            follow(w, next, routers + 1, before + i);
        else
            arrive(w, routers + 1, before + i);
    }
}

static void follow_tree(walk *w, uint32_t source, const fc_tree *tree) {
    const fc_lengths *lengths = &w->flows->kinds.lengths[w->kind];
    double last[FC_LENGTHS_MAX] = {0};
    w->last = last;
    load_link(w, w->flows->network->outputs + source);
    follow(w, tree->root, 0, 0);
    w->flows->multicasts += w->rate;
    for (size_t i = 0; i < lengths->count; ++i)
        w->flows->last += w->rate * lengths->share[i] * last[i];
}

static void add_class(walk *w, const fc_class *class) {
    const fc_traffic *traffic = fc_traffic_of_class(w->flows->traffic, w->kind);
    const double *weights = class->destinations->weights;
    for (uint32_t i = 0; i < traffic->senders; ++i) {
        const uint32_t source = traffic->sender[i];
        w->rate = class->share * (weights ? weights[source] : 1) / w->trees->variants;
        for (uint32_t v = 0; v < w->trees->variants && !w->out_of_memory; ++v)
            follow_tree(w, source, fc_multicast_tree(w->trees, (uint32_t)w->kind, source, v));
    }
}

fc_status fc_multicast_bound_add(const fc_scenario *scenario, fc_router_flows *flows,
                                 fc_error *error) {
    const fc_routed *routed = fc_scenario_routed(scenario);
    const fc_classes classes = fc_classes_of(routed);
    fc_multicast *trees;
    const fc_status status =
        fc_multicast_create(scenario, flows->network, flows->traffic, error, &trees);
    if (status != FC_OK || !trees)
        return status;
    walk w = {.flows = flows,
              .routed = routed,
              .trees = trees,
              .hops = fc_allocate(flows->network->routers + 1, sizeof *w.hops)};
    w.out_of_memory = !w.hops;
    for (; w.kind < classes.count && !w.out_of_memory; ++w.kind)
        if (classes.list[w.kind].multicast)
            add_class(&w, &classes.list[w.kind]);
    fc_multicast_free(trees);
    fc_release(w.hops);
    return w.out_of_memory ? fc_fail_memory(error) : FC_OK;
}
