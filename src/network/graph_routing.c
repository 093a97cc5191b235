/* Routes through any graph of routers: one path for each pair of them; which of equally short ones,
 * network.ties says (graph_ties.h).
 *
 *   up-down  first up, then down (graph_routes.h; graph_tree.h if there are too many routers for
 *            tables); any channel. Cannot deadlock.
 *   minimal  the shortest path. If the proof finds no circle, any
 *            channel will do. Otherwise channels are divided into layers, as many as the paths
 *            need: a message begins in the lowest and rises by one whenever it turns from a link
 *            down to one up. Within a layer paths go first up, then down, and layers are only
 *            ascended, so no circle is left. With too few channels for that the graph is refused,
 *            with the circle found.
 *   a file   paths as network.routes gives them; layers as for minimal. */
#include "network/graph_headers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "network/graph_layers.h"
#include "network/graph_ties.h"
#include "network/node_ports.h"
#include "scenario/families/routed_rules.h"

/* The candidates of a header that goes on over a link, or over one parallel to it. */
static inline void take(const fc_router_network *network, fc_route_candidates *candidates,
                        const fc_course *course, uint32_t output) {
    const fc_graph_network *graph = network->topology;
    fc_candidates_any(candidates, course, output, graph->parallel ? graph->parallel[output] : 1);
}

static inline uint32_t port_output(const fc_router_network *network, const uint16_t *port,
                                   fc_graph_leg leg) {
    return network->output_first[leg.at] + port[(size_t)leg.at * network->routers + leg.to];
}

static void begin(const fc_router_network *network, uint32_t variant, fc_course *course) {
    (void)network, (void)variant;
    course->choice = course->state = 0;
}

static void route_shortest(const fc_router_network *network, uint32_t input, uint32_t channel,
                           fc_course *course, fc_route_candidates *candidates) {
    (void)channel;
    const fc_graph_network *graph = network->topology;
    fc_graph_leg leg;
    if (fc_graph_arrived(network, input, course, candidates, &leg))
        return;
    take(network, candidates, course, port_output(network, graph->routes.port, leg));
    if (graph->in_layers)
        fc_graph_put_in_layer(network, input, course, candidates);
}

/* from * routers + to of a message. */
static size_t pair_of(const fc_router_network *network, const fc_course *course) {
    const uint32_t from = network->input_router[network->node_input[course->source]];
    return (size_t)from * network->routers + fc_graph_router_to(network, course->destination);
}

static void begin_given(const fc_router_network *network, uint32_t variant, fc_course *course) {
    (void)variant;
    const fc_graph_network *graph = network->topology;
    course->state = 0;
    course->choice = graph->given.start ? graph->given.start[pair_of(network, course)] : 0;
}

static void route_given(const fc_router_network *network, uint32_t input, uint32_t channel,
                        fc_course *course, fc_route_candidates *candidates) {
    (void)channel;
    const fc_graph_network *graph = network->topology;
    fc_graph_leg leg;
    if (fc_graph_arrived(network, input, course, candidates, &leg))
        return;
    take(network, candidates, course,
         fc_given_output(&graph->given, &graph->routes, network, leg.at, leg.to, course));
    if (graph->in_layers)
        fc_graph_put_in_layer(network, input, course, candidates);
}

static void begin_in_layer(const fc_router_network *network, uint32_t variant, fc_course *course) {
    (void)variant;
    const fc_graph_network *graph = network->topology;
    course->state = 0;
    course->choice = graph->layer[pair_of(network, course)];
}

static void route_in_layer(const fc_router_network *network, uint32_t input, uint32_t channel,
                           fc_course *course, fc_route_candidates *candidates) {
    const fc_graph_network *graph = network->topology;
    route_shortest(network, input, channel, course, candidates);
    if (!(network->output_end[candidates->list[0].output] & FC_TO_NODE))
        fc_graph_set_channels(candidates, fc_layer(&graph->layers, course, course->choice));
}

static void route_up_down(const fc_router_network *network, uint32_t input, uint32_t channel,
                          fc_course *course, fc_route_candidates *candidates) {
    (void)channel;
    const fc_graph_network *graph = network->topology;
    const bool down = fc_graph_came_down(network, input);
    fc_graph_leg leg;
    if (!fc_graph_arrived(network, input, course, candidates, &leg))
        take(network, candidates, course,
             port_output(network, down ? graph->routes.port_down : graph->routes.port, leg));
}

static void route_by_tree(const fc_router_network *network, uint32_t input, uint32_t channel,
                          fc_course *course, fc_route_candidates *candidates) {
    (void)channel;
    const fc_graph_network *graph = network->topology;
    fc_graph_leg leg;
    if (!fc_graph_arrived(network, input, course, candidates, &leg))
        take(network, candidates, course,
             fc_graph_tree_output(&graph->tree, network, leg.at, leg.to));
}

/* ---- all routers at once ---- */

static void outputs_by_tree(const fc_router_network *network, uint32_t to, uint32_t *output) {
    fc_graph_tree_outputs(&((const fc_graph_network *)network->topology)->tree, network, to,
                          output);
}

static void read_column(const fc_router_network *network, const uint16_t *port, uint32_t to,
                        uint32_t *output) {
    for (uint32_t at = 0; at < network->routers; ++at) {
        const uint16_t taken = port[(size_t)at * network->routers + to];
        output[at] = taken == FC_NO_PORT ? UINT32_MAX : network->output_first[at] + taken;
    }
}

static void outputs_shortest(const fc_router_network *network, uint32_t to, uint32_t *output) {
    read_column(network, ((const fc_graph_network *)network->topology)->routes.port, to, output);
}

/* Phase 1: the header has gone down already. */
static void outputs_up_down(const fc_router_network *network, uint32_t to, uint32_t *output) {
    const fc_graph_routes *routes = &((const fc_graph_network *)network->topology)->routes;
    read_column(network, routes->port, to, output);
    read_column(network, routes->port_down, to, output + network->routers);
}

static void set_outputs_to(fc_router_network *network,
                           void (*outputs_to)(const fc_router_network *, uint32_t, uint32_t *),
                           uint32_t phases) {
    network->outputs_to = network->most_candidates > 1 ? NULL : outputs_to;
    network->phases = phases;
    network->any_channel = true;
}

/* ---- layers ---- */

/* The most layers any path needs. */
static uint32_t count_layers(const fc_router_network *network) {
    const fc_graph_network *graph = network->topology;
    uint32_t most = 0;
    fc_route_candidates candidates;
    for (uint32_t source = 0; source < network->nodes; ++source) {
        if (!fc_router_stands_for(network, source))
            continue;
        for (uint32_t node = 0; node < network->nodes; ++node) {
            if (!fc_router_stands_for(network, node) || !fc_ports_join(network, source, node))
                continue;
            fc_course course = {.source = source, .destination = node, .channels = 1};
            uint32_t input = network->node_input[source], rises = 0;
            network->begin(network, 0, &course);
            for (;;) {
                network->route(network, input, 0, &course, &candidates);
                const uint32_t output = candidates.list[0].output,
                               end = network->output_end[output];
                if (end & FC_TO_NODE)
                    break;
                rises += fc_graph_came_down(network, input) && graph->rises[output];
                input = end;
            }
            most = rises > most ? rises : most;
        }
    }
    return most + 1;
}

/* enough: layers that would do if paths were divided among them; 0: not known. */
static fc_status make_safe(const fc_graph_plan *plan, uint32_t enough, fc_error *error,
                           fc_router_network *network) {
    fc_graph_network *graph = network->topology;
    const bool given = network->route == route_given;
    const char *file = given ? plan->given->file : plan->name;
    const char *how = given ? "" : " with routing: minimal";
    const char *otherwise = given ? "give other routes" : "use routing: up-down";
    fc_error cause;
    const fc_status status = fc_router_network_prove(network, plan->routed, &cause);
    if (status != FC_ERROR_UNSUPPORTED) {
        if (status != FC_OK && error)
            *error = cause;
        return status;
    }
    const uint32_t risen = count_layers(network);
    const uint32_t layers =
        enough && enough < risen && risen > fc_routed_class_channels(plan->routed) ? enough : risen;
    const uint32_t classes = fc_channel_sets_of(plan->routed).count;
    if (layers > FC_LAYERS_MAX / classes)
        return fc_fail(error, status, "%s can deadlock%s: %s; %s", file, how, cause.text,
                       otherwise);
    if (layers > fc_routed_class_channels(plan->routed))
        return fc_fail(error, status, "%s can deadlock%s: %s; %s, or virtual_channels: %u%s", file,
                       how, cause.text, otherwise, layers * classes,
                       plan->routed->given ? ", as many for each class"
                       : classes > 1       ? ", half of them for replies"
                                           : "");
    fc_layers_divide(plan->routed, layers, &graph->layers);
    network->any_channel = false;
    graph->in_layers = true;
    return fc_router_network_prove(network, plan->routed, error);
}

/* ---- building ---- */

static void release(void *topology) {
    fc_graph_network *graph = topology;
    if (!graph)
        return;
    fc_graph_routes_clear(&graph->routes);
    fc_given_routes_clear(&graph->given);
    fc_graph_tree_clear(&graph->tree);
    fc_release(graph->rises);
    fc_release(graph->parallel);
    fc_release(graph->layer);
    fc_release(graph->ways);
    fc_release(graph);
}

static bool are_parallel(const fc_router_network *network, uint32_t a, uint32_t b) {
    const uint32_t end = network->output_end[a], other = network->output_end[b];
    return !((end | other) & FC_TO_NODE) &&
           network->output_router[a] == network->output_router[b] &&
           network->input_router[end] == network->input_router[other] &&
           network->output_delay[a] == network->output_delay[b];
}

/* Links that a header may take one for another. */
static bool find_parallel(const fc_graph_plan *plan, fc_router_network *network) {
    fc_graph_network *graph = network->topology;
    if (!plan->spread)
        return true;
    graph->parallel = fc_allocate(network->outputs, sizeof *graph->parallel);
    for (uint32_t o = network->outputs; o-- > 0 && graph->parallel;) {
        uint32_t count = 1;
        if (o + 1 < network->outputs && are_parallel(network, o, o + 1))
            count += graph->parallel[o + 1];
        count = count < FC_CANDIDATES_MAX ? count : FC_CANDIDATES_MAX;
        graph->parallel[o] = (uint8_t)count;
        if (count > network->most_candidates)
            network->most_candidates = count;
    }
    return graph->parallel != NULL;
}

static fc_status use_up_down(fc_error *error, fc_router_network *network) {
    const fc_graph_network *graph = network->topology;
    network->route = route_up_down;
    set_outputs_to(network, outputs_up_down, 2);
    network->output_phase = fc_allocate(network->outputs, sizeof *network->output_phase);
    if (!network->output_phase)
        return fc_fail_memory(error);
    for (uint32_t output = 0; output < network->outputs; ++output)
        network->output_phase[output] = !graph->rises[output];
    return FC_OK;
}

static fc_status use_given(const fc_graph_plan *plan, fc_error *error, fc_router_network *network) {
    fc_graph_network *graph = network->topology;
    const fc_status read =
        fc_given_routes_create(network, plan->given, &graph->routes, error, &graph->given);
    if (read != FC_OK)
        return read;
    network->begin = begin_given;
    network->route = route_given;
    return make_safe(plan, 0, error, network);
}

static fc_status use_first(const fc_graph_plan *plan, uint32_t enough, fc_error *error,
                           fc_router_network *network) {
    network->route = route_shortest;
    set_outputs_to(network, outputs_shortest, 1);
    return make_safe(plan, enough, error, network);
}

enum { ROUTERS_MOST = 512 }; /* of which paths are divided among layers */

/* Spread paths, of which those of a layer close no circle. */
typedef struct spread_paths {
    uint16_t *port; /* as in fc_graph_routes */
    uint8_t *layer; /* from * routers + to */
    uint32_t layers;
    double busiest; /* load of the busiest link; infinite: there are no such paths */
} spread_paths;

/* Whether paths carry more: those of fewer layers have more channels each. */
static bool is_better(const spread_paths *a, const spread_paths *b) {
    const double a_lot = 0.8;
    return a->layers <= b->layers ? a->busiest <= b->busiest / a_lot
                                  : a->busiest < b->busiest * a_lot;
}

/* Paths by a rule, exchanged with the best ones if they are better. */
static fc_status try_rule(const fc_graph_plan *plan, fc_tie_rule rule, fc_error *error,
                          fc_router_network *network, spread_paths *best) {
    fc_graph_network *graph = network->topology;
    const size_t pairs = (size_t)network->routers * network->routers;
    const uint32_t most = (uint32_t)fc_routed_class_channels(plan->routed);
    spread_paths made = {.layer = fc_allocate(pairs, sizeof *made.layer)};
    fc_status status = made.layer ? FC_OK : fc_fail_memory(error);
    if (status == FC_OK)
        status = fc_graph_ties_spread(network, rule, plan->dimension, error, &graph->routes,
                                      &made.busiest);
    if (status == FC_OK)
        status = fc_graph_layers_find(network, &graph->routes,
                                      most < FC_LAYERS_MAX / 2 ? most : FC_LAYERS_MAX / 2, error,
                                      made.layer, &made.layers);
    if (status == FC_OK && made.layers && is_better(&made, best)) {
        memcpy(best->port, graph->routes.port, pairs * sizeof *best->port);
        memcpy(best->layer, made.layer, pairs);
        best->layers = made.layers;
        best->busiest = made.busiest;
    }
    fc_release(made.layer);
    return status;
}

/* The better paths of those by dimension and those by load alone. */
static fc_status find_spread(const fc_graph_plan *plan, fc_error *error, fc_router_network *network,
                             spread_paths *best) {
    const size_t pairs = (size_t)network->routers * network->routers;
    best->port = fc_allocate(pairs, sizeof *best->port);
    best->layer = fc_allocate(pairs, sizeof *best->layer);
    best->layers = FC_LAYERS_MAX;
    best->busiest = (double)INFINITY;
    fc_status status = best->port && best->layer ? FC_OK : fc_fail_memory(error);
    if (status == FC_OK)
        status = try_rule(plan, FC_TIES_BY_DIMENSION, error, network, best);
    if (status == FC_OK)
        status = try_rule(plan, FC_TIES_BY_LOAD, error, network, best);
    return status;
}

static fc_status use_layers(const fc_graph_plan *plan, spread_paths *paths, fc_error *error,
                            fc_router_network *network) {
    fc_graph_network *graph = network->topology;
    const size_t pairs = (size_t)network->routers * network->routers;
    memcpy(graph->routes.port, paths->port, pairs * sizeof *paths->port);
    network->route = route_shortest;
    set_outputs_to(network, outputs_shortest, 1);
    if (paths->layers > 1) {
        graph->layer = paths->layer;
        paths->layer = NULL;
        fc_layers_divide(plan->routed, paths->layers, &graph->layers);
        network->any_channel = false;
        network->begin = begin_in_layer;
        network->route = route_in_layer;
    }
    return fc_router_network_prove(network, plan->routed, error);
}

/* The fewest layers that spread paths could be divided among, more than there are channels; 0: too
 * many, or it would take too long to know. */
static fc_status count_divided(const fc_graph_plan *plan, fc_error *error,
                               fc_router_network *network, uint32_t *fewest) {
    static const fc_tie_rule rules[] = {FC_TIES_BY_DIMENSION, FC_TIES_BY_LOAD};
    fc_graph_network *graph = network->topology;
    uint8_t *layer = NULL;
    fc_status status = FC_OK;
    *fewest = 0;
    if (network->routers > ROUTERS_MOST)
        return FC_OK;
    layer = fc_allocate((size_t)network->routers * network->routers, sizeof *layer);
    if (!layer)
        return fc_fail_memory(error);
    for (size_t i = 0; i < sizeof rules / sizeof *rules && status == FC_OK; ++i) {
        double busiest;
        uint32_t count = 0;
        status = fc_graph_ties_spread(network, rules[i], plan->dimension, error, &graph->routes,
                                      &busiest);
        if (status == FC_OK)
            status = fc_graph_layers_find(network, &graph->routes, FC_LAYERS_MAX / 2, error, layer,
                                          &count);
        *fewest = count && (!*fewest || count < *fewest) ? count : *fewest;
    }
    fc_release(layer);
    return status;
}

/* In large graphs, and where paths cannot be divided among the layers there are, layers are risen
 * through. Where spread paths need too many of them, the first paths may do with fewer. */
static fc_status use_few_rises(const fc_graph_plan *plan, fc_error *error,
                               fc_router_network *network) {
    static const fc_tie_rule rules[] = {FC_TIES_BY_LOAD, FC_TIES_WITH_FEW_RISES};
    fc_graph_network *graph = network->topology;
    fc_status status = FC_ERROR_UNSUPPORTED;
    double busiest;
    for (size_t i = 0; i < sizeof rules / sizeof *rules && status == FC_ERROR_UNSUPPORTED; ++i) {
        status = fc_graph_ties_spread(network, rules[i], plan->dimension, error, &graph->routes,
                                      &busiest);
        if (status == FC_OK)
            status = use_first(plan, 0, error, network);
    }
    if (status != FC_ERROR_UNSUPPORTED)
        return status;
    uint32_t enough;
    status = count_divided(plan, error, network, &enough);
    fc_graph_routes_clear(&graph->routes);
    if (status == FC_OK)
        status = fc_graph_routes_shortest(network, error, &graph->routes);
    return status == FC_OK ? use_first(plan, enough, error, network) : status;
}

static fc_status use_spread(const fc_graph_plan *plan, fc_error *error,
                            fc_router_network *network) {
    spread_paths best = {.layers = 0};
    fc_status status = FC_OK;
    if (network->routers <= ROUTERS_MOST)
        status = find_spread(plan, error, network, &best);
    if (status == FC_OK)
        status = isfinite(best.busiest) && best.port ? use_layers(plan, &best, error, network)
                                                     : use_few_rises(plan, error, network);
    fc_release(best.port);
    fc_release(best.layer);
    return status;
}

/* ---- ports ---- */

/* Cycles of the links between two ends, as the tables have them. */
static uint64_t length_of_path(const fc_router_network *network, uint32_t source,
                               uint32_t destination) {
    const fc_graph_network *graph = network->topology;
    const fc_graph_routes *routes = &graph->routes;
    const uint32_t to = fc_graph_router_to(network, destination);
    const uint16_t *port = routes->port;
    uint32_t at = network->input_router[network->node_input[source]];
    uint64_t length = 0;
    while (at != to) {
        const uint16_t taken = port[(size_t)at * routes->routers + to];
        if (taken == FC_NO_PORT)
            return FC_NO_WAY;
        const uint32_t output = network->output_first[at] + taken;
        if (routes->port_down && !graph->rises[output])
            port = routes->port_down;
        length += network->output_delay[output];
        at = fc_graph_behind(network, output);
    }
    return length;
}

/* Which ports nodes use follows from shortest paths, whichever of them are taken. */
static fc_status use_ports(const fc_graph_plan *plan, const char *how, fc_error *error,
                           fc_router_network *network) {
    fc_error cause;
    if (!network->ports)
        return FC_OK;
    network->ports->length = length_of_path;
    const fc_status status = fc_ports_weigh(network, how, &cause);
    if (status == FC_ERROR_UNSUPPORTED)
        return fc_fail(error, status, "%s: %s", plan->name, cause.text);
    return status == FC_OK ? FC_OK : fc_fail_memory(error);
}

/* Finds the paths and gives them to the network, which owns `graph` from now on. */
static fc_status find_routes(const fc_graph_plan *plan, fc_error *error,
                             fc_router_network *network) {
    fc_graph_network *graph = network->topology;
    const bool up_down = plan->up_down;
    fc_error cause;
    network->begin = begin;
    if (!find_parallel(plan, network))
        return fc_fail_memory(error);
    if (network->routers > FC_GRAPH_ROUTERS_TABLE_MAX && network->ports)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "%s has %u routers; nodes with several ports are for at most %d of them",
                       plan->name, network->routers, FC_GRAPH_ROUTERS_TABLE_MAX);
    if (network->routers > FC_GRAPH_ROUTERS_TABLE_MAX) {
        network->route = route_by_tree;
        set_outputs_to(network, outputs_by_tree, 1);
        return fc_graph_tree_create(network, error, &graph->tree);
    }
    fc_status status = up_down
                           ? fc_graph_routes_up_down(network, plan->spread, &cause, &graph->routes)
                           : fc_graph_routes_shortest(network, &cause, &graph->routes);
    if (status == FC_ERROR_UNSUPPORTED)
        return fc_fail(error, status, "%s: %s", plan->name, cause.text);
    graph->rises = fc_allocate(network->outputs, sizeof *graph->rises);
    if (status != FC_OK || !graph->rises)
        return fc_fail_memory(error);
    for (uint32_t output = 0; output < network->outputs; ++output) {
        if (!(network->output_end[output] & FC_TO_NODE))
            graph->rises[output] = fc_graph_leads_up(&graph->routes, network, output);
    }
    status = use_ports(plan, up_down ? ", first up, then down," : "", error, network);
    if (status != FC_OK)
        return status;
    if (up_down)
        return use_up_down(error, network);
    if (plan->multipath != FC_ONE_PATH)
        return fc_graph_use_ways(plan, error, network);
    if (plan->given)
        return use_given(plan, error, network);
    return plan->spread ? use_spread(plan, error, network) : use_first(plan, 0, error, network);
}

fc_status fc_graph_routing_add(const fc_graph_plan *plan, fc_error *error,
                               fc_router_network *network) {
    fc_graph_network *graph = fc_allocate(1, sizeof *graph);
    if (!graph)
        return fc_fail_memory(error);
    network->topology = graph;
    network->release_topology = release;
    network->nodes_alike = true;
    network->most_candidates = 1;
    return find_routes(plan, error, network);
}
