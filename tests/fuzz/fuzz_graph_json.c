/* Any bytes as node-link JSON of networkx: an error with a sentence, or lines that the reader of
 * graph files takes or refuses with one. */
#include "base/memory.h"
#include "fuzz_text.h"
#include "scenario/formats/graph_file.h"
#include "scenario/formats/graph_json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = fuzz_text(data, size), *lines = NULL;
    fc_graph graph = {.links = 0};
    fc_error error = {{0}};
    fc_status status = text ? fc_graph_json_lines(text, "fuzz", &error, &lines) : FC_ERROR_MEMORY;
    if (status == FC_OK)
        status = fc_graph_parse(lines, "fuzz", &error, &graph);
    if (status == FC_OK && (graph.nodes < 2 || !graph.routers))
        abort();
    if (text && status != FC_OK && !error.text[0])
        abort();
    fc_graph_release(&graph);
    fc_release(lines);
    free(text);
    return 0;
}
