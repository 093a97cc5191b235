/* Any graph of routers, from a file (network.file); its paths: graph_routing.h. */
#include <math.h>
#include "base/memory.h"
#include "network/graph_build.h"
#include "network/graph_routes.h"
#include "network/graph_routing.h"
#include "network/node_ports.h"
#include "network/router_wiring.h"
#include "scenario/fabric.h"
#include "scenario/families/extra_links.h"
#include "scenario/families/fabric_rules.h"
#include "scenario/formats/graph_file.h"
#include "scenario/formats/route_file.h"
#include "scenario/scenario.h"

/* Links sorted by the router they leave, in the file's order otherwise; parallel ones by delay. */
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
    for (uint32_t i = 1; i < file->links; ++i) {
        const fc_router_link moved = link[i];
        uint32_t at = i;
        for (; at > 0 && link[at - 1].from == moved.from && link[at - 1].to == moved.to &&
               link[at - 1].delay > moved.delay;
             --at)
            link[at] = link[at - 1];
        link[at] = moved;
    }
}

static fc_status wire(const fc_graph *file, const fc_routed *routed, fc_error *error,
                      fc_router_network **network) {
    fc_router_link *link = fc_allocate(file->links ? file->links : 1, sizeof *link);
    uint32_t *start = fc_allocate((size_t)file->routers + 1, sizeof *start);
    fc_status status = link && start ? FC_OK : fc_fail_memory(error);
    if (status == FC_OK) {
        sort_links(file, start, link);
        const fc_wiring wiring = {.nodes = file->ports,
                                  .routers = file->routers,
                                  .links = file->links,
                                  .link = link,
                                  .router_of_node = file->router_of_port,
                                  .node_delay = (uint32_t)routed->node_delay,
                                  .virtual_channels = (uint32_t)routed->virtual_channels};
        status = fc_router_network_wire(&wiring, error, network);
    }
    fc_release(link);
    fc_release(start);
    return status;
}

/* How many nodes a router has is not counted: it may have as many outputs as a header has
 * candidates. */
void fc_graph_measure(const void *parameters, fc_router_extent *extent) {
    const fc_graph *graph = &((const fc_fabric *)parameters)->graph;
    extent->links = graph->links;
    extent->candidates = 1; /* but where links are parallel, which few are */
    extent->outputs = FC_CANDIDATES_MAX;
    extent->longest_path = sqrt((double)graph->routers);
    for (uint32_t i = 0; i < graph->links; ++i) {
        const double width = graph->link[i].width > 0 ? graph->link[i].width : 1;
        extent->longest_link = fmax(extent->longest_link, graph->link[i].delay);
        extent->slowest = fmax(extent->slowest, 1 / width);
    }
}

/* For messages. */
static const char *name_of(const fc_fabric *fabric) {
    return fabric->graph.file[0] ? fabric->graph.file : "the network";
}

static bool has_routes(const fc_fabric *fabric) {
    return fabric->routes.entry_count || fabric->routes.route_count;
}

static void count_parts(const void *parameters, fc_counts *counts) {
    const fc_graph *graph = &((const fc_fabric *)parameters)->graph;
    counts->routers = graph->routers;
    counts->cables = (double)graph->links / 2;
    counts->ports = (double)graph->links + (double)graph->ports;
    if (graph->place)
        counts->wire_length = 0;
    for (uint32_t i = 0; i < graph->links && graph->place; ++i) {
        const double *from = &graph->place[2 * graph->link[i].from];
        const double *to = &graph->place[2 * graph->link[i].to];
        counts->wire_length +=
            hypot(to[0] - from[0], to[1] - from[1]) / 2; /* a cable is two links */
    }
}

fc_status fc_graph_build(const fc_scenario *scenario, const fc_routed *routed, fc_error *error,
                         fc_router_network **network) {
    const fc_fabric *fabric = scenario->parameters;
    const fc_graph_plan plan = {.name = name_of(fabric),
                                .routed = routed,
                                .given = has_routes(fabric) ? &fabric->routes : NULL,
                                .up_down = fabric->routing == FC_ROUTE_UP_DOWN,
                                .spread = fabric->ties == FC_TIES_SPREAD,
                                .multipath = fabric->multipath};
    const fc_graph *graph = &fabric->graph;
    const fc_port_plan ports = {.nodes = graph->nodes,
                                .first = graph->first_port,
                                .spread = fabric->port_choice == FC_PORTS_SPREAD};
    fc_router_network *made = NULL;
    fc_status status = wire(graph, routed, error, &made);
    if (status == FC_OK && graph->ports > graph->nodes)
        status = fc_ports_add(&ports, error, made);
    if (status == FC_OK && !routed->around)
        status = fc_graph_routing_add(&plan, error, made);
    if (status != FC_OK) {
        fc_router_network_free(made);
        return status;
    }
    *network = made;
    return FC_OK;
}

/* ---- in a scenario ---- */

fc_status fc_graph_check_size(const fc_scenario *scenario, const fc_fabric *fabric, const char *key,
                              fc_error *error) {
    if (fabric->graph.routers > FC_GRAPH_ROUTERS_TABLE_MAX &&
        (has_routes(fabric) || fabric->routing != FC_ROUTE_UP_DOWN))
        return fc_scenario_fail_key(
            scenario, key, error,
            "%s has %u routers; %s keeps a table of all pairs of routers, for at most %d of them: "
            "use routing: up-down, which needs none",
            name_of(fabric), fabric->graph.routers,
            has_routes(fabric) ? "network.routes" : "routing: minimal", FC_GRAPH_ROUTERS_TABLE_MAX);
    if (fabric->multipath != FC_ONE_PATH &&
        (fabric->routing == FC_ROUTE_UP_DOWN || fabric->routed.around))
        return fc_scenario_fail_key(scenario, "network.multipath", error,
                                    "network.multipath is for routing: minimal, and for networks "
                                    "without network.faults");
    return FC_OK;
}

static fc_status size(const fc_scenario *scenario, fc_fabric *fabric, double *nodes,
                      fc_error *error) {
    fc_routed *routed = &fabric->routed;
    const fc_units units = fc_scenario_units(scenario);
    fc_error cause;
    const fc_status joined =
        fc_extra_links_join(scenario, &fabric->extra_links, &fabric->graph, error);
    if (joined != FC_OK)
        return joined;
    if (fc_graph_convert(&fabric->graph, &units, &cause) != FC_OK)
        return fc_scenario_fail_key(scenario, "network.file", error, "%s", cause.text);
    const double widest = routed->internal_speedup > 1 ? routed->internal_speedup : 1;
    *nodes = fabric->graph.nodes;
    routed->digits = (fc_integer_list){.count = 1, .values = {fabric->graph.nodes}};
    for (uint32_t i = 0; i < fabric->graph.links; ++i) {
        fc_graph_link *link = &fabric->graph.link[i];
        if (!link->delay)
            link->delay = (uint32_t)routed->link_delay;
        if (!(link->width > 0) && routed->link_width != 1)
            link->width = routed->link_width;
        if (link->width > widest)
            return fc_scenario_fail_key(
                scenario, "network.file", error,
                "the link from router %u to router %u takes %g flits per "
                "cycle; a router passes on %g: set network.internal_speedup "
                "to %g or more",
                link->from, link->to, link->width, widest, link->width);
        routed->widths_differ |= link->width > 0 && link->width != 1;
    }
    const fc_status status = fc_graph_check_size(
        scenario, fabric, has_routes(fabric) ? "network.routes" : "network.file", error);
    if (status != FC_OK)
        return status;
    if (!has_routes(fabric))
        return FC_OK;
    if (fabric->graph.ports > fabric->graph.nodes)
        return fc_scenario_fail_key(scenario, "network.routes", error,
                                    "network.routes is for graphs whose nodes have one port each");
    if (fc_scenario_has(scenario, "network.routing"))
        return fc_scenario_fail_key(
            scenario, "network.routing", error,
            "network.routes gives the paths, so network.routing has no effect");
    if (fc_routes_check(&fabric->routes, &fabric->graph, &cause) != FC_OK)
        return fc_scenario_fail_key(scenario, "network.routes", error, "%s", cause.text);
    return FC_OK;
}

static const char *const required[] = {"network.file", NULL};
static const char *const optional[] = {"network.routes",      "network.ties",
                                       "network.multipath",   "network.port_choice",
                                       "network.extra_links", NULL};
const fc_fabric_topology fc_fabric_graph = {
    .required = required,
    .optional = optional,
    .routings = FC_GRAPH_ROUTINGS,
    .routing = FC_ROUTE_MINIMAL,
    .size = size,
    .routers = {fc_graph_measure, fc_graph_build, count_parts},
};
