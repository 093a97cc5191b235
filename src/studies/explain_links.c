/* Candidates by the routes as they are: a new link between two routers takes what goes from the one
 * to the other now, and relieves the links between them; the busier those, the more. A second link
 * beside a busy one halves its load. What each of them brings is then asked of the forecast. */
#include "studies/explain_links.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "network/link_bound.h"
#include "network/node_ports.h"
#include "network/router_traffic.h"
#include "scenario/families/extra_links.h"

enum { ROUTERS_MAX = 256, NODES_MAX = 1024, NEW_MAX = 8, SECOND_MAX = 4, PATH_MAX_LINKS = 512 };
enum { VALUE_SIZE = 96 }; /* of a step (fc_step) */

typedef struct candidate {
    uint32_t a, b; /* routers */
    double relief;
} candidate;

typedef struct links {
    const fc_router_network *network;
    const fc_traffic *traffic;
    const double *weights; /* nodes: how much they send; NULL: alike */
    double *load;          /* outputs: messages of a node each, times the cycles of a flit */
    double *relief;        /* a * routers + b, a < b */
    double busiest;
} links;

/* ---- the paths as they are ---- */

typedef struct path {
    uint32_t count;
    uint32_t output[PATH_MAX_LINKS]; /* between routers */
} path;

static void follow(const links *l, uint32_t source, uint32_t destination, path *p) {
    const fc_router_network *network = l->network;
    fc_course course = {.source = source, .destination = destination, .channels = 1};
    fc_route_candidates candidates;
    p->count = 0;
    fc_begin_way(network, 0, &course);
    for (uint32_t input = network->node_input[course.source]; p->count < PATH_MAX_LINKS;) {
        fc_router_route_as(network, 0, input, 0, &course, &candidates);
        const uint32_t output = candidates.list[0].output, end = network->output_end[output];
        if (end & FC_TO_NODE)
            return;
        p->output[p->count++] = output;
        input = end;
    }
}

static void add_load(links *l, const path *p, double share) {
    for (uint32_t i = 0; i < p->count; ++i)
        l->load[p->output[i]] += share * fc_link_pace(l->network, p->output[i]);
}

static double *relief_of(const links *l, uint32_t a, uint32_t b) {
    return &l->relief[(size_t)(a < b ? a : b) * l->network->routers + (a < b ? b : a)];
}

/* For each two routers on the path, what a link between them would take off the links there. */
static void add_relief(links *l, const path *p, double share) {
    const fc_router_network *network = l->network;
    for (uint32_t i = 0; i < p->count; ++i) {
        double between = 0;
        for (uint32_t j = i; j < p->count; ++j) {
            const uint32_t output = p->output[j];
            between += pow(l->load[output] / l->busiest, 4);
            *relief_of(l, network->output_router[p->output[i]],
                       network->input_router[network->output_end[output]]) += share * between;
        }
    }
}

static void each_path(links *l, void (*add)(links *, const path *, double)) {
    const uint32_t nodes = fc_node_count(l->network);
    path p;
    for (uint32_t source = 0; source < nodes; ++source)
        for (uint32_t to = 0; to < nodes; ++to) {
            const double share =
                fc_traffic_share(l->traffic, source, to) * (l->weights ? l->weights[source] : 1);
            if (share > 0 && source != to) {
                follow(l, source, to, &p);
                add(l, &p, share);
            }
        }
}

/* ---- candidates ---- */

static bool are_joined(const fc_router_network *network, uint32_t a, uint32_t b) {
    for (uint32_t o = network->output_first[a]; o < network->output_first[a + 1]; ++o) {
        const uint32_t end = network->output_end[o];
        if (!(end & FC_TO_NODE) && network->input_router[end] == b)
            return true;
    }
    return false;
}

static void keep(candidate *list, size_t room, candidate found) {
    if (!(found.relief > list[room - 1].relief))
        return;
    size_t at = room - 1;
    for (; at > 0 && found.relief > list[at - 1].relief; --at)
        list[at] = list[at - 1];
    list[at] = found;
}

/* Those that relieve most: new links first, then second ones. */
static void choose(const links *l, candidate list[NEW_MAX + SECOND_MAX]) {
    const fc_router_network *network = l->network;
    for (uint32_t a = 0; a < network->routers; ++a)
        for (uint32_t b = a + 1; b < network->routers; ++b) {
            const double relief = *relief_of(l, a, b);
            if (relief > 0 && !are_joined(network, a, b))
                keep(list, NEW_MAX, (candidate){a, b, relief});
        }
    for (uint32_t o = 0; o < network->outputs; ++o) {
        if (network->output_end[o] & FC_TO_NODE)
            continue;
        const uint32_t a = network->output_router[o],
                       b = network->input_router[network->output_end[o]];
        const candidate second = {a < b ? a : b, a < b ? b : a, l->load[o]};
        bool twice = false; /* the other direction, or a parallel link */
        for (size_t i = 0; i < SECOND_MAX && !twice; ++i) {
            candidate *kept = &list[NEW_MAX + i];
            twice = kept->relief > 0 && kept->a == second.a && kept->b == second.b;
            if (twice && second.relief > kept->relief)
                kept->relief = second.relief;
        }
        if (!twice)
            keep(list + NEW_MAX, SECOND_MAX, second);
    }
}

/* ---- as values ---- */

static bool write_links(const fc_extra_links *extra, char text[VALUE_SIZE]) {
    char *written = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&written, &length);
    if (!stream)
        return false;
    fc_extra_links_write(extra, stream);
    const bool good = fclose(stream) == 0 && length < VALUE_SIZE;
    if (good)
        memcpy(text, written, length + 1);
    free(written);
    return good;
}

static void add_all(const fc_extra_links *present, const candidate *list,
                    void (*add)(void *context, const char *now, const char *value), void *context) {
    char now[VALUE_SIZE] = "none", value[VALUE_SIZE];
    if (present->count == FC_EXTRA_LINKS_MAX || (present->count && !write_links(present, now)))
        return;
    for (size_t i = 0; i < NEW_MAX + SECOND_MAX; ++i) {
        fc_extra_links more = *present;
        more.list[more.count++] = (fc_extra_link){.from = list[i].a, .to = list[i].b};
        if (list[i].relief > 0 && write_links(&more, value))
            add(context, now, value);
    }
}

static const fc_fabric *graph_of(const fc_scenario *scenario) {
    const fc_fabric *fabric = scenario->parameters;
    const bool takes = scenario->family == &fc_fabric_family && fabric->topology == FC_GRAPH &&
                       !fabric->routes.entry_count && !fabric->routes.route_count &&
                       !fabric->routed.workload && fabric->graph.routers <= ROUTERS_MAX &&
                       fabric->graph.nodes <= NODES_MAX;
    return takes ? fabric : NULL;
}

fc_status fc_explain_links(const fc_scenario *scenario, fc_error *error,
                           void (*add)(void *context, const char *now, const char *value),
                           void *context) {
    const fc_fabric *fabric = graph_of(scenario);
    candidate list[NEW_MAX + SECOND_MAX] = {{0}};
    fc_router_network *network = NULL;
    fc_traffic *traffic = NULL;
    if (!fabric)
        return FC_OK;
    fc_status status = fc_router_network_create(scenario, error, &network);
    if (status == FC_OK)
        status = fc_router_traffic_create(scenario, network, error, &traffic);
    if (status == FC_OK) {
        const size_t routers = network->routers;
        links l = {.network = network,
                   .traffic = traffic,
                   .weights = fabric->destinations.weights,
                   .load = fc_allocate(network->outputs, sizeof *l.load),
                   .relief = fc_allocate(routers * routers, sizeof *l.relief)};
        status = l.load && l.relief ? FC_OK : fc_fail_memory(error);
        if (status == FC_OK) {
            each_path(&l, add_load);
            for (uint32_t o = 0; o < network->outputs; ++o)
                l.busiest = fmax(l.busiest, l.load[o]);
            if (l.busiest > 0)
                each_path(&l, add_relief);
            choose(&l, list);
        }
        fc_release(l.load);
        fc_release(l.relief);
    }
    fc_traffic_free(traffic);
    fc_router_network_free(network);
    if (status == FC_OK)
        add_all(&fabric->extra_links, list, add, context);
    return status;
}
