/* The key network.extra_links: cables of a graph beside those of its file. */
#include "scenario/families/extra_links.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "scenario/formats/graph_file.h"
#include "scenario/readers.h"
#include "scenario/scenario.h"

static const char key[] = "network.extra_links";

static fc_status read_link(const fc_document *document, const fc_value *value, fc_extra_link *link,
                           fc_error *error) {
    const fc_range router = {.minimum = 0, .maximum = FC_GRAPH_ROUTERS_MAX - 1};
    const fc_range cycles = {.minimum = 1, .maximum = FC_DELAY_MAX};
    if (value->kind != FC_VALUE_SEQUENCE || (value->count != 2 && value->count != 3))
        return fc_fail_at(error, document, value,
                          "an extra link is [router, router] or [router, router, cycles], for "
                          "example [0, 3] or [0, 3, 2]");
    fc_status status = fc_read_integer(document, value->items[0], key, router, error, &link->from);
    if (status == FC_OK)
        status = fc_read_integer(document, value->items[1], key, router, error, &link->to);
    if (status == FC_OK && value->count == 3)
        status = fc_read_integer(document, value->items[2], key, cycles, error, &link->delay);
    if (status == FC_OK && link->from == link->to)
        status = fc_fail_at(error, document, value, "an extra link from router %lld to itself",
                            (long long)link->from);
    return status;
}

fc_status fc_extra_links_read(const fc_document *document, const fc_value *value, void *field,
                              fc_error *error) {
    fc_extra_links *extra = field;
    if (value->kind != FC_VALUE_SEQUENCE || value->count > FC_EXTRA_LINKS_MAX)
        return fc_fail_at(error, document, value,
                          "extra links must be a list of at most %d [router, router], for example "
                          "[[0, 3], [4, 6]]",
                          FC_EXTRA_LINKS_MAX);
    for (extra->count = 0; extra->count < value->count; ++extra->count) {
        const fc_status status =
            read_link(document, value->items[extra->count], &extra->list[extra->count], error);
        if (status != FC_OK)
            return status;
    }
    return FC_OK;
}

void fc_extra_links_write(const void *field, FILE *stream) {
    const fc_extra_links *extra = field;
    fputs("[", stream);
    for (size_t i = 0; i < extra->count; ++i) {
        const fc_extra_link *link = &extra->list[i];
        fprintf(stream, "%s[%lld, %lld", i ? ", " : "", (long long)link->from, (long long)link->to);
        if (link->delay)
            fprintf(stream, ", %lld", (long long)link->delay);
        fputs("]", stream);
    }
    fputs("]", stream);
}

/* ---- into the graph ---- */

static int by_ends(const void *left, const void *right) {
    const fc_graph_link *a = left, *b = right;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    return a->line < b->line ? -1 : a->line > b->line;
}

/* Like the first link of the file between the same routers; else with the usual delay and width. */
static fc_graph_link like_first(const fc_graph *graph, uint32_t from, uint32_t to, int64_t delay) {
    const fc_graph_link wanted = {.from = from, .to = to};
    fc_graph_link made = {.from = from, .to = to};
    size_t low = 0, high = graph->links;
    while (low < high) { /* the first that is not before the wanted one */
        const size_t middle = low + (high - low) / 2;
        if (by_ends(&graph->link[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < graph->links && graph->link[low].from == from && graph->link[low].to == to)
        made = graph->link[low];
    if (delay) {
        made.delay = (uint32_t)delay;
        made.nanoseconds = 0;
    }
    made.line = UINT32_MAX; /* behind those of the file */
    return made;
}

fc_status fc_extra_links_join(const fc_scenario *scenario, const fc_extra_links *extra,
                              fc_graph *graph, fc_error *error) {
    if (!extra->count)
        return FC_OK;
    fc_graph_link *links = fc_allocate(graph->links + 2 * extra->count, sizeof *links);
    if (!links)
        return fc_fail_memory(error);
    memcpy(links, graph->link, graph->links * sizeof *links);
    uint32_t count = graph->links;
    for (size_t i = 0; i < extra->count; ++i) {
        const uint32_t from = (uint32_t)extra->list[i].from, to = (uint32_t)extra->list[i].to;
        if (from >= graph->routers || to >= graph->routers) {
            fc_release(links);
            return fc_scenario_fail_key(scenario, key, error,
                                        "an extra link needs router %u; the last one of %s is %u",
                                        from > to ? from : to, graph->file, graph->routers - 1);
        }
        links[count++] = like_first(graph, from, to, extra->list[i].delay);
        links[count++] = like_first(graph, to, from, extra->list[i].delay);
    }
    qsort(links, count, sizeof *links, by_ends);
    fc_release(graph->link);
    graph->link = links;
    graph->links = count;
    return FC_OK;
}
