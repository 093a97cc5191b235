/* Any bytes as a graph file: an error with a sentence, or a network in one piece. */
#include "fuzz_text.h"
#include "scenario/formats/graph_file.h"

static void check(const fc_graph *graph) {
    if (graph->nodes < 2 || !graph->routers)
        abort();
    if (graph->first_port[0] != 0 || graph->first_port[graph->nodes] != graph->ports)
        abort();
    for (uint32_t node = 0; node < graph->nodes; ++node) {
        if (graph->first_port[node] >= graph->first_port[node + 1]) /* every node has a port */
            abort();
    }
    for (uint32_t port = 0; port < graph->ports; ++port) {
        if (graph->router_of_port[port] >= graph->routers)
            abort();
    }
    for (uint32_t i = 0; i < graph->links; ++i) {
        const fc_graph_link *link = &graph->link[i], *last = i ? link - 1 : NULL;
        if (link->from >= graph->routers || link->to >= graph->routers || link->from == link->to)
            abort();
        if (last && (last->from > link->from || (last->from == link->from && last->to > link->to)))
            abort(); /* sorted; a pair that is named twice has two links */
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = fuzz_text(data, size);
    fc_graph graph = {.links = 0};
    fc_error error = {{0}};
    if (text && fc_graph_parse(text, "fuzz", &error, &graph) == FC_OK) {
        check(&graph);
        fc_graph_release(&graph);
    } else if (text && !error.text[0]) {
        abort();
    }
    free(text);
    return 0;
}
