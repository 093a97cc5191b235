/* Any bytes as ways through a graph of four routers: an error with a sentence, or steps that are
 * links of it. */
#include "base/memory.h"
#include "fuzz_text.h"
#include "scenario/formats/graph_file.h"
#include "scenario/formats/route_file.h"

static bool is_link(const fc_graph *graph, uint32_t from, uint32_t to) {
    for (uint32_t i = 0; i < graph->links; ++i) {
        if (graph->link[i].from == from && graph->link[i].to == to)
            return true;
    }
    return false;
}

static void check(const fc_routes *routes, const fc_graph *graph) {
    for (size_t i = 0; i < routes->entry_count; ++i) {
        if (!is_link(graph, routes->entries[i].at, routes->entries[i].via))
            abort();
    }
    for (size_t r = 0; r < routes->route_count; ++r) {
        const uint32_t *stop = &routes->stops[routes->routes[r].first];
        for (uint32_t i = 0; i + 1 < routes->routes[r].count; ++i) {
            if (!is_link(graph, stop[i], stop[i + 1]))
                abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char ring[] = "router 0 node 0 router 1 router 3\nrouter 1 node 1 router 2\n"
                  "router 2 node 2 router 3\nrouter 3 node 3\n";
    char *text = fuzz_text(data, size);
    fc_routes routes = {.file = "fuzz"};
    fc_graph graph = {.links = 0};
    fc_error error = {{0}};
    if (fc_graph_parse(ring, "ring", &error, &graph) != FC_OK)
        abort();
    if (text && fc_routes_parse(text, "fuzz", &error, &routes) == FC_OK &&
        fc_routes_check(&routes, &graph, &error) == FC_OK)
        check(&routes, &graph);
    else if (text && !error.text[0])
        abort();
    fc_routes_release(&routes);
    fc_graph_release(&graph);
    free(text);
    return 0;
}
