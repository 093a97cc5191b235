/* Nodes of GPUs and rails (topology: gpu-cluster).
 *
 * The GPUs of a node are at its inner crossbar, and each has a network card, a router of its own,
 * joined to its rail: card i to rail i modulo the number of rails. A rail is a leaf switch for so
 * many nodes (leaf_nodes) or several of them; spines join all leaves. A GPU is an end with two
 * ports, at the crossbar and at its card. Messages to another rail go over the spines or, with
 * cross_rail: inner, over the crossbar of the node and the card of the GPU on that rail.
 *
 * What is built is a graph (fc_graph): crossbars, cards, leaves rail by rail, spines. */
#include <math.h>
#include "base/memory.h"
#include "network/graph_build.h"
#include "scenario/fabric.h"
#include "scenario/families/fabric_rules.h"
#include "scenario/formats/graph_file.h"
#include "scenario/scenario.h"

/* Numbers that follow from the keys. */
typedef struct shape {
    uint32_t nodes, gpus, rails, leaf_nodes, leaves, spines; /* leaves: of a rail */
    uint32_t cards, first_leaf, first_spine;                 /* routers */
    uint32_t trunks;                                         /* links from a leaf to a spine */
    double rail_width, trunk_width;
    bool has_crossbars, has_rails, crosses_inside;
} shape;

static shape shape_of(const fc_fabric *fabric) {
    const fc_gpu_cluster *c = &fabric->cluster;
    shape s = {.nodes = (uint32_t)c->nodes,
               .gpus = (uint32_t)c->gpus,
               .rails = (uint32_t)(c->rails ? c->rails : c->gpus),
               .leaf_nodes = (uint32_t)(c->leaf_nodes ? c->leaf_nodes : c->nodes),
               .spines = (uint32_t)c->spines,
               .rail_width = 1 / (c->inner_width > 0 ? c->inner_width : 1)};
    s.leaves = s.nodes / s.leaf_nodes;
    s.has_crossbars = s.gpus > 1;
    s.has_rails = s.nodes > 1;
    s.crosses_inside =
        s.has_crossbars && s.has_rails && s.rails > 1 && c->cross_rail == FC_CROSS_INNER;
    s.cards = s.has_crossbars ? s.nodes : 0;
    s.first_leaf = s.cards + (s.has_rails ? s.nodes * s.gpus : 0);
    s.first_spine = s.first_leaf + (s.has_rails ? s.rails * s.leaves : 0);
    if (s.spines && s.has_rails) {
        const double taper = c->taper > 0 ? c->taper : 1;
        const double below = s.leaf_nodes * (double)s.gpus / s.rails * s.rail_width;
        const double width = below / (s.spines * taper);
        s.trunks = (uint32_t)ceil(width - 1e-9);
        s.trunk_width = width / s.trunks;
    }
    return s;
}

/* ---- the graph ---- */

static void join(fc_graph *graph, uint32_t a, uint32_t b, uint32_t delay, double width) {
    graph->link[graph->links++] =
        (fc_graph_link){.from = a, .to = b, .delay = delay, .width = width};
    graph->link[graph->links++] =
        (fc_graph_link){.from = b, .to = a, .delay = delay, .width = width};
}

static void put(fc_graph *graph, uint32_t router, double x, double y) {
    graph->place[2 * router] = x;
    graph->place[2 * router + 1] = y;
}

static void add_ports(const shape *s, fc_graph *graph) {
    for (uint32_t gpu = 0; gpu < s->nodes * s->gpus; ++gpu) {
        graph->first_port[gpu] = graph->ports;
        if (s->has_crossbars)
            graph->router_of_port[graph->ports++] = gpu / s->gpus;
        if (s->has_rails)
            graph->router_of_port[graph->ports++] = s->cards + gpu;
    }
    graph->first_port[s->nodes * s->gpus] = graph->ports;
}

static void add_cards(const fc_routed *routed, const shape *s, fc_graph *graph) {
    const uint32_t delay = (uint32_t)routed->link_delay, inside = (uint32_t)routed->node_delay;
    for (uint32_t gpu = 0; gpu < s->nodes * s->gpus; ++gpu) {
        const uint32_t node = gpu / s->gpus, rail = gpu % s->gpus % s->rails;
        const uint32_t leaf = s->first_leaf + rail * s->leaves + node / s->leaf_nodes;
        if (s->crosses_inside)
            join(graph, node, s->cards + gpu, inside ? inside : 1, 1);
        join(graph, s->cards + gpu, leaf, delay, s->rail_width);
        put(graph, s->cards + gpu, gpu, 1);
    }
}

static void add_spines(const fc_routed *routed, const shape *s, fc_graph *graph) {
    const double step = s->nodes * (double)s->gpus / (s->rails * s->leaves);
    for (uint32_t leaf = 0; leaf < s->rails * s->leaves; ++leaf) {
        put(graph, s->first_leaf + leaf, (leaf + 0.5) * step - 0.5, 4);
        for (uint32_t spine = 0; spine < s->spines; ++spine) {
            for (uint32_t i = 0; i < s->trunks; ++i)
                join(graph, s->first_leaf + leaf, s->first_spine + spine,
                     (uint32_t)routed->link_delay, s->trunk_width);
        }
    }
    for (uint32_t spine = 0; spine < s->spines; ++spine)
        put(graph, s->first_spine + spine,
            (spine + 0.5) * s->nodes * (double)s->gpus / s->spines - 0.5, 7);
}

/* From keys that have been checked. */
static fc_status make_graph(const fc_routed *routed, const shape *s, fc_graph *graph,
                            fc_error *error) {
    const size_t gpus = (size_t)s->nodes * s->gpus;
    const size_t trunks = (size_t)s->rails * s->leaves * s->spines * s->trunks;
    fc_graph_release(graph);
    graph->routers = s->first_spine + (s->has_rails ? s->spines : 0);
    graph->nodes = (uint32_t)gpus;
    graph->ports = graph->links = 0;
    graph->router_of_port = fc_allocate(2 * gpus, sizeof *graph->router_of_port);
    graph->first_port = fc_allocate(gpus + 1, sizeof *graph->first_port);
    graph->place = fc_allocate(2 * (size_t)graph->routers, sizeof *graph->place);
    graph->link = fc_allocate(4 * gpus + 2 * trunks + 1, sizeof *graph->link);
    if (!graph->router_of_port || !graph->first_port || !graph->place || !graph->link)
        return fc_fail_memory(error);
    add_ports(s, graph);
    for (uint32_t node = 0; node < s->cards; ++node)
        put(graph, node, (node + 0.5) * s->gpus - 0.5, 0);
    if (!s->has_rails)
        return FC_OK;
    add_cards(routed, s, graph);
    add_spines(routed, s, graph);
    return FC_OK;
}

/* ---- in a scenario ---- */

static fc_status check(const fc_scenario *scenario, const fc_gpu_cluster *c, fc_error *error) {
    const long long rails = (long long)(c->rails ? c->rails : c->gpus);
    const long long leaf_nodes = (long long)(c->leaf_nodes ? c->leaf_nodes : c->nodes);
    if (c->nodes * c->gpus < 2)
        return fc_scenario_fail_key(scenario, "network.gpus", error,
                                    "one node of one GPU is no network");
    if (c->gpus % rails)
        return fc_scenario_fail_key(scenario, "network.rails", error,
                                    "%lld GPUs of a node cannot be shared out among %lld rails "
                                    "evenly",
                                    (long long)c->gpus, rails);
    if (c->nodes % leaf_nodes)
        return fc_scenario_fail_key(scenario, "network.leaf_nodes", error,
                                    "%lld nodes cannot be divided into leaves of %lld",
                                    (long long)c->nodes, leaf_nodes);
    if (c->nodes > leaf_nodes && !c->spines)
        return fc_scenario_fail_key(scenario, "network.leaf_nodes", error,
                                    "several leaves of a rail are joined by spines: set "
                                    "network.spines");
    if (fc_scenario_has(scenario, "network.cross_rail") && c->cross_rail == FC_CROSS_SPINE &&
        rails > 1 && c->nodes > 1 && !c->spines)
        return fc_scenario_fail_key(scenario, "network.cross_rail", error,
                                    "cross_rail: spine needs network.spines");
    if (fc_scenario_has(scenario, "network.link_width"))
        return fc_scenario_fail_key(scenario, "network.link_width", error,
                                    "a gpu-cluster has network.inner_width and network.taper in "
                                    "place of network.link_width");
    return FC_OK;
}

static fc_status size(const fc_scenario *scenario, fc_fabric *fabric, double *nodes,
                      fc_error *error) {
    fc_gpu_cluster *c = &fabric->cluster;
    if (!fc_scenario_has(scenario, "network.cross_rail"))
        c->cross_rail = c->spines ? FC_CROSS_SPINE : FC_CROSS_INNER;
    *nodes = (double)c->nodes * (double)c->gpus;
    fc_status status = check(scenario, c, error);
    if (status != FC_OK || *nodes > FC_NODES_MAX)
        return status;
    const shape s = shape_of(fabric);
    const double links = (double)s.rails * s.leaves * s.spines * s.trunks * 2 + 4 * *nodes;
    if (links > FC_GRAPH_LINKS_MAX)
        return fc_scenario_fail_key(scenario, "network.spines", error,
                                    "%.10g links between leaves and spines; at most %d are "
                                    "possible",
                                    links, FC_GRAPH_LINKS_MAX);
    status = make_graph(&fabric->routed, &s, &fabric->graph, error);
    if (status == FC_OK)
        status = fc_graph_check_size(scenario, fabric, "network.nodes", error);
    fabric->routed.digits = (fc_integer_list){.count = 2, .values = {c->gpus, c->nodes}};
    fabric->routed.widths_differ |= s.has_rails && s.rail_width < 1;
    fabric->routed.widths_differ |= s.trunks && s.trunk_width < 1;
    fabric->workload.inner_ranks = c->gpus > 1 ? c->gpus : 0;
    return status;
}

static void count_parts(const void *parameters, fc_counts *counts) {
    const fc_graph *graph = &((const fc_fabric *)parameters)->graph;
    counts->routers = graph->routers;
    counts->cables = (double)graph->links / 2;
    counts->ports = (double)graph->links + (double)graph->ports;
}

static const char *const required[] = {"network.nodes", "network.gpus", NULL};
static const char *const optional[] = {"network.rails",       "network.inner_width",
                                       "network.leaf_nodes",  "network.spines",
                                       "network.taper",       "network.cross_rail",
                                       "network.ties",        "network.multipath",
                                       "network.port_choice", NULL};
const fc_fabric_topology fc_fabric_gpu_cluster = {
    .required = required,
    .optional = optional,
    .routings = FC_GRAPH_ROUTINGS,
    .routing = FC_ROUTE_MINIMAL,
    .size = size,
    .routers = {fc_graph_measure, fc_graph_build, count_parts},
};
