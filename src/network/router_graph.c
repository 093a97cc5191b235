/* Any graph of routers, from a file.
 *
 *   up-down  first up, then down (graph_routes.h; graph_tree.h if there are too many routers for
 *            tables); any channel. Cannot deadlock.
 *   minimal  the shortest path, one for each pair of routers. If the proof finds no circle, any
 *            channel will do. Otherwise channels are divided into layers, as many as the paths
 *            need: a message begins in the lowest and rises by one whenever it turns from a link
 *            down to one up. Within a layer paths go first up, then down, and layers are only
 *            ascended, so no circle is left. With too few channels for that the graph is refused,
 *            with the circle found.
 *   a file   paths as network.routes gives them; layers as for minimal. */
#include <math.h>
#include <stdio.h>
#include "base/memory.h"
#include "network/given_routes.h"
#include "network/graph_routes.h"
#include "network/graph_tree.h"
#include "network/router_wiring.h"
#include "scenario/fabric.h"
#include "scenario/fabric_rules.h"
#include "scenario/route_file.h"
#include "scenario/scenario.h"

typedef struct graph_network {
    fc_graph_routes routes;
    fc_given_routes given;
    fc_graph_tree tree; /* up-down in a large graph, instead of all else */
    uint8_t *rises;     /* outputs: 1 if the link leads up */
    fc_layers layers;   /* minimal or given, in layers */
} graph_network;

static inline uint32_t router_to(const fc_router_network *network, uint32_t node) {
    return network->output_router[network->node_output[node]];
}

static void begin(const fc_router_network *network, uint32_t variant, fc_course *course) {
    (void)network, (void)variant;
    course->choice = course->state = 0;
}

static void route_shortest(const fc_router_network *network, uint32_t input, uint32_t channel,
                           fc_course *course, fc_route_candidates *candidates) {
    (void)channel;
    const graph_network *graph = network->topology;
    const uint32_t at = network->input_router[input], to = router_to(network, course->destination);
    if (at == to)
        fc_candidates_eject(candidates, network, course);
    else
        fc_candidates_one(candidates, course,
                          network->output_first[at] +
                              graph->routes.port[(size_t)at * graph->routes.routers + to]);
}

static void begin_given(const fc_router_network *network, uint32_t variant, fc_course *course) {
    (void)variant;
    const graph_network *graph = network->topology;
    const uint32_t from = network->input_router[network->node_input[course->source]];
    const uint32_t to = router_to(network, course->destination);
    course->state = 0;
    course->choice =
        graph->given.start ? graph->given.start[(size_t)from * graph->routes.routers + to] : 0;
}

static void route_given(const fc_router_network *network, uint32_t input, uint32_t channel,
                        fc_course *course, fc_route_candidates *candidates) {
    (void)channel;
    const graph_network *graph = network->topology;
    const uint32_t at = network->input_router[input], to = router_to(network, course->destination);
    if (at == to)
        fc_candidates_eject(candidates, network, course);
    else
        fc_candidates_one(candidates, course,
                          fc_given_output(&graph->given, &graph->routes, network, at, to, course));
}

/* Whether the link that leads to an input goes down; false for a node's. */
static inline bool came_down(const fc_router_network *network, uint32_t input) {
    const graph_network *graph = network->topology;
    const uint32_t begin = network->input_begin[input];
    return !(begin & FC_TO_NODE) && !graph->rises[begin];
}

/* Puts the candidates of a header into its layer, which is `state`. */
static inline void put_in_layer(const fc_router_network *network, uint32_t input, fc_course *course,
                                fc_route_candidate *candidate) {
    const graph_network *graph = network->topology;
    if (network->output_end[candidate->output] & FC_TO_NODE)
        return;
    course->state += came_down(network, input) && graph->rises[candidate->output];
    candidate->channels = fc_layer(&graph->layers, course, course->state);
}

static void route_in_layers(const fc_router_network *network, uint32_t input, uint32_t channel,
                            fc_course *course, fc_route_candidates *candidates) {
    route_shortest(network, input, channel, course, candidates);
    put_in_layer(network, input, course, &candidates->list[0]);
}

static void route_given_in_layers(const fc_router_network *network, uint32_t input,
                                  uint32_t channel, fc_course *course,
                                  fc_route_candidates *candidates) {
    route_given(network, input, channel, course, candidates);
    put_in_layer(network, input, course, &candidates->list[0]);
}

static void route_up_down(const fc_router_network *network, uint32_t input, uint32_t channel,
                          fc_course *course, fc_route_candidates *candidates) {
    (void)channel;
    const graph_network *graph = network->topology;
    const uint32_t at = network->input_router[input], to = router_to(network, course->destination);
    const uint16_t *port = came_down(network, input) ? graph->routes.port_down : graph->routes.port;
    if (at == to)
        fc_candidates_eject(candidates, network, course);
    else
        fc_candidates_one(candidates, course,
                          network->output_first[at] +
                              port[(size_t)at * graph->routes.routers + to]);
}

static void route_by_tree(const fc_router_network *network, uint32_t input, uint32_t channel,
                          fc_course *course, fc_route_candidates *candidates) {
    (void)channel;
    const graph_network *graph = network->topology;
    const uint32_t at = network->input_router[input], to = router_to(network, course->destination);
    if (at == to)
        fc_candidates_eject(candidates, network, course);
    else
        fc_candidates_one(candidates, course, fc_graph_tree_output(&graph->tree, network, at, to));
}

/* ---- all routers at once ---- */

static void outputs_by_tree(const fc_router_network *network, uint32_t to, uint32_t *output) {
    fc_graph_tree_outputs(&((const graph_network *)network->topology)->tree, network, to, output);
}

static void read_column(const fc_router_network *network, const uint16_t *port, uint32_t to,
                        uint32_t *output) {
    for (uint32_t at = 0; at < network->routers; ++at) {
        const uint16_t taken = port[(size_t)at * network->routers + to];
        output[at] = taken == FC_NO_PORT ? UINT32_MAX : network->output_first[at] + taken;
    }
}

static void outputs_shortest(const fc_router_network *network, uint32_t to, uint32_t *output) {
    read_column(network, ((const graph_network *)network->topology)->routes.port, to, output);
}

/* Phase 1: the header has gone down already. */
static void outputs_up_down(const fc_router_network *network, uint32_t to, uint32_t *output) {
    const fc_graph_routes *routes = &((const graph_network *)network->topology)->routes;
    read_column(network, routes->port, to, output);
    read_column(network, routes->port_down, to, output + network->routers);
}

static void set_outputs_to(fc_router_network *network,
                           void (*outputs_to)(const fc_router_network *, uint32_t, uint32_t *),
                           uint32_t phases) {
    network->outputs_to = outputs_to;
    network->phases = phases;
    network->any_channel = true;
}

/* ---- layers ---- */

/* The most layers any path needs. */
static uint32_t count_layers(const fc_router_network *network) {
    const graph_network *graph = network->topology;
    uint32_t most = 0;
    fc_route_candidates candidates;
    for (uint32_t source = 0; source < network->nodes; ++source) {
        if (!fc_router_first_node(network, source))
            continue;
        for (uint32_t node = 0; node < network->nodes; ++node) {
            if (!fc_router_first_node(network, node))
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
                rises += came_down(network, input) && graph->rises[output];
                input = end;
            }
            most = rises > most ? rises : most;
        }
    }
    return most + 1;
}

static uint32_t fewest_channels(const fc_routed *routed) {
    const int64_t replies = routed->reply_channels, requests = routed->virtual_channels - replies;
    return (uint32_t)(replies && replies < requests ? replies : requests);
}

static fc_status make_safe(const fc_fabric *fabric, const fc_routed *routed, fc_error *error,
                           fc_router_network *network) {
    graph_network *graph = network->topology;
    const bool given = network->route == route_given;
    const char *file = given ? fabric->routes.file : fabric->graph.file;
    const char *how = given ? "" : " with routing: minimal";
    const char *otherwise = given ? "give other routes" : "use routing: up-down";
    fc_error cause;
    const fc_status status = fc_router_network_prove(network, routed, &cause);
    if (status != FC_ERROR_UNSUPPORTED) {
        if (status != FC_OK && error)
            *error = cause;
        return status;
    }
    const uint32_t layers = count_layers(network);
    const uint32_t classes = routed->reply_channels ? 2 : 1;
    if (layers > FC_LAYERS_MAX / classes)
        return fc_fail(error, status, "%s can deadlock%s: %s; %s", file, how, cause.text,
                       otherwise);
    if (layers > fewest_channels(routed))
        return fc_fail(error, status, "%s can deadlock%s: %s; %s, or virtual_channels: %u%s", file,
                       how, cause.text, otherwise, layers * classes,
                       classes > 1 ? ", half of them for replies" : "");
    fc_layers_divide(routed, layers, &graph->layers);
    network->any_channel = false;
    network->route = given ? route_given_in_layers : route_in_layers;
    return fc_router_network_prove(network, routed, error);
}

/* ---- building ---- */

static void release(void *topology) {
    graph_network *graph = topology;
    if (!graph)
        return;
    fc_graph_routes_clear(&graph->routes);
    fc_given_routes_clear(&graph->given);
    fc_graph_tree_clear(&graph->tree);
    fc_release(graph->rises);
    fc_release(graph);
}

/* Links sorted by the router they leave, in the file's order otherwise. */
static void sort_links(const fc_graph *file, uint32_t *start, fc_router_link *link) {
    for (uint32_t i = 0; i < file->links; ++i)
        ++start[file->link[i].from + 1];
    for (uint32_t router = 0; router < file->routers; ++router)
        start[router + 1] += start[router];
    for (uint32_t i = 0; i < file->links; ++i) {
        const fc_graph_link *from = &file->link[i];
        link[start[from->from]++] =
            (fc_router_link){from->from, from->to, from->delay, from->width};
    }
}

static fc_status wire(const fc_graph *file, const fc_routed *routed, fc_error *error,
                      fc_router_network **network) {
    fc_router_link *link = fc_allocate(file->links ? file->links : 1, sizeof *link);
    uint32_t *start = fc_allocate((size_t)file->routers + 1, sizeof *start);
    fc_status status = link && start ? FC_OK : fc_fail_memory(error);
    if (status == FC_OK) {
        sort_links(file, start, link);
        const fc_wiring wiring = {.nodes = file->nodes,
                                  .routers = file->routers,
                                  .links = file->links,
                                  .link = link,
                                  .router_of_node = file->router_of_node,
                                  .node_delay = (uint32_t)routed->node_delay,
                                  .virtual_channels = (uint32_t)routed->virtual_channels};
        status = fc_router_network_wire(&wiring, error, network);
    }
    fc_release(link);
    fc_release(start);
    return status;
}

static bool has_routes(const fc_fabric *fabric) {
    return fabric->routes.entry_count || fabric->routes.route_count;
}

/* Finds the paths and gives them to the network, which owns `graph` from now on. */
static fc_status find_routes(const fc_fabric *fabric, const fc_routed *routed, fc_error *error,
                             fc_router_network *network) {
    graph_network *graph = network->topology;
    const bool up_down = fabric->routing == FC_ROUTE_UP_DOWN;
    fc_error cause;
    network->begin = begin;
    if (network->routers > FC_GRAPH_ROUTERS_TABLE_MAX) {
        network->route = route_by_tree;
        set_outputs_to(network, outputs_by_tree, 1);
        return fc_graph_tree_create(network, error, &graph->tree);
    }
    const fc_status status = up_down ? fc_graph_routes_up_down(network, &cause, &graph->routes)
                                     : fc_graph_routes_shortest(network, &cause, &graph->routes);
    if (status == FC_ERROR_UNSUPPORTED)
        return fc_fail(error, status, "%s: %s", fabric->graph.file, cause.text);
    graph->rises = fc_allocate(network->outputs, sizeof *graph->rises);
    if (status != FC_OK || !graph->rises)
        return fc_fail_memory(error);
    for (uint32_t output = 0; output < network->outputs; ++output) {
        if (!(network->output_end[output] & FC_TO_NODE))
            graph->rises[output] = fc_graph_leads_up(&graph->routes, network, output);
    }
    network->route = up_down ? route_up_down : route_shortest;
    if (up_down) {
        set_outputs_to(network, outputs_up_down, 2);
        network->output_phase = fc_allocate(network->outputs, sizeof *network->output_phase);
        if (!network->output_phase)
            return fc_fail_memory(error);
        for (uint32_t output = 0; output < network->outputs; ++output)
            network->output_phase[output] = !graph->rises[output];
    } else if (!has_routes(fabric)) {
        set_outputs_to(network, outputs_shortest, 1);
    }
    if (has_routes(fabric)) {
        const fc_status read =
            fc_given_routes_create(network, &fabric->routes, &graph->routes, error, &graph->given);
        if (read != FC_OK)
            return read;
        network->begin = begin_given;
        network->route = route_given;
    }
    return up_down ? FC_OK : make_safe(fabric, routed, error, network);
}

/* How many nodes a router has is not counted: it may have as many outputs as a header has
 * candidates. */
static void measure(const void *parameters, fc_router_extent *extent) {
    const fc_graph *graph = &((const fc_fabric *)parameters)->graph;
    extent->links = graph->links;
    extent->candidates = 1;
    extent->outputs = FC_CANDIDATES_MAX;
    extent->longest_path = sqrt((double)graph->routers);
    for (uint32_t i = 0; i < graph->links; ++i) {
        const double width = graph->link[i].width > 0 ? graph->link[i].width : 1;
        extent->longest_link = fmax(extent->longest_link, graph->link[i].delay);
        extent->slowest = fmax(extent->slowest, 1 / width);
    }
}

static fc_status build(const fc_scenario *scenario, const fc_routed *routed, fc_error *error,
                       fc_router_network **network) {
    const fc_fabric *fabric = scenario->parameters;
    graph_network *graph = fc_allocate(1, sizeof *graph);
    fc_router_network *made = NULL;
    fc_status status = graph ? FC_OK : fc_fail_memory(error);
    if (status == FC_OK)
        status = wire(&fabric->graph, routed, error, &made);
    if (status != FC_OK) {
        release(graph);
        return status;
    }
    made->topology = graph;
    made->release_topology = release;
    made->nodes_alike = true;
    made->most_candidates = 1;
    status = find_routes(fabric, routed, error, made);
    if (status != FC_OK) {
        fc_router_network_free(made);
        return status;
    }
    *network = made;
    return FC_OK;
}

/* ---- in a scenario ---- */

static fc_status size(const fc_scenario *scenario, fc_fabric *fabric, double *nodes,
                      fc_error *error) {
    fc_routed *routed = &fabric->routed;
    const double widest = routed->internal_speedup > 1 ? routed->internal_speedup : 1;
    *nodes = fabric->graph.nodes;
    if (fabric->graph.routers > FC_GRAPH_ROUTERS_TABLE_MAX &&
        (has_routes(fabric) || fabric->routing != FC_ROUTE_UP_DOWN))
        return fc_scenario_fail_key(
            scenario, has_routes(fabric) ? "network.routes" : "network.file", error,
            "%s has %u routers; %s keeps a table of all pairs of routers, for at most %d of them: "
            "use routing: up-down, which needs none",
            fabric->graph.file, fabric->graph.routers,
            has_routes(fabric) ? "network.routes" : "routing: minimal", FC_GRAPH_ROUTERS_TABLE_MAX);
    routed->digits = (fc_integer_list){.count = 1, .values = {fabric->graph.nodes}};
    for (uint32_t i = 0; i < fabric->graph.links; ++i) {
        fc_graph_link *link = &fabric->graph.link[i];
        if (!link->delay)
            link->delay = (uint32_t)routed->link_delay;
        if (link->width > widest)
            return fc_scenario_fail_key(
                scenario, "network.file", error,
                "the link from router %u to router %u takes %g flits per "
                "cycle; a router passes on %g: set network.internal_speedup "
                "to %g or more",
                link->from, link->to, link->width, widest, link->width);
        routed->widths_differ |= link->width > 0 && link->width != 1;
    }
    if (!has_routes(fabric))
        return FC_OK;
    if (fc_scenario_has(scenario, "network.routing"))
        return fc_scenario_fail_key(
            scenario, "network.routing", error,
            "network.routes gives the paths, so network.routing has no effect");
    fc_error cause;
    if (fc_routes_check(&fabric->routes, &fabric->graph, &cause) != FC_OK)
        return fc_scenario_fail_key(scenario, "network.routes", error, "%s", cause.text);
    return FC_OK;
}

static const char *const required[] = {"network.file", NULL};
static const char *const optional[] = {"network.routes", NULL};
const fc_fabric_topology fc_fabric_graph = {
    .required = required,
    .optional = optional,
    .routings = FC_ROUTING_BIT(FC_ROUTE_MINIMAL) | FC_ROUTING_BIT(FC_ROUTE_UP_DOWN),
    .routing = FC_ROUTE_MINIMAL,
    .size = size,
    .routers = {measure, build},
};
