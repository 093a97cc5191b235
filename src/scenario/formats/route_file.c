#include "scenario/formats/route_file.h"

#include <stdlib.h>
#include <string.h>
#include "base/decimal.h"
#include "base/memory.h"
#include "base/status.h"
#include "scenario/formats/graph_file.h"
#include "scenario/text_file.h"

enum { BYTES_MAX = 1 << 28 };

typedef struct parsing {
    fc_lines lines;
    fc_error *error;
    fc_routes *routes;
    size_t entry_room, route_room, stop_room;
} parsing;

/* ---- lines ---- */

static fc_status read_router(parsing *p, const char *word, uint32_t *router) {
    uint64_t number;
    if (!word || !fc_parse_whole(word, FC_GRAPH_ROUTERS_MAX - 1, &number))
        return fc_lines_fail(&p->lines, p->error,
                             "%s%.40s%s the number of a router; expected 'router 3 to 5 via 4' or "
                             "'route 0 3 2 5'",
                             word ? "'" : "", word ? word : "there is no", word ? "' is not" : "");
    *router = (uint32_t)number;
    return FC_OK;
}

static char *next_word(char **rest) {
    return strtok_r(NULL, " \t", rest);
}

static fc_status read_entry(parsing *p, char **rest) {
    fc_routes *routes = p->routes;
    fc_route_entry made = {.line = (uint32_t)p->lines.number};
    uint32_t *const numbers[] = {&made.at, &made.to, &made.via};
    static const char *const words[] = {NULL, "to", "via"};
    for (size_t i = 0; i < 3; ++i) {
        const char *word = words[i] ? next_word(rest) : NULL;
        if (words[i] && (!word || strcmp(word, words[i]) != 0))
            return fc_lines_fail(&p->lines, p->error, "expected 'router 3 to 5 via 4'");
        const fc_status status = read_router(p, next_word(rest), numbers[i]);
        if (status != FC_OK)
            return status;
    }
    if (next_word(rest))
        return fc_lines_fail(&p->lines, p->error, "expected 'router 3 to 5 via 4'");
    void *entries = fc_make_room(routes->entries, &p->entry_room, routes->entry_count, 1,
                                 sizeof *routes->entries);
    if (!entries)
        return fc_fail_memory(p->error);
    routes->entries = entries;
    routes->entries[routes->entry_count++] = made;
    return FC_OK;
}

static fc_status add_stop(parsing *p, const char *word) {
    fc_routes *routes = p->routes;
    uint32_t router;
    const fc_status status = read_router(p, word, &router);
    if (status != FC_OK)
        return status;
    void *stops =
        fc_make_room(routes->stops, &p->stop_room, routes->stop_count, 1, sizeof *routes->stops);
    if (!stops)
        return fc_fail_memory(p->error);
    routes->stops = stops;
    routes->stops[routes->stop_count++] = router;
    return FC_OK;
}

static fc_status read_route(parsing *p, char **rest) {
    fc_routes *routes = p->routes;
    fc_given_route made = {.first = (uint32_t)routes->stop_count,
                           .line = (uint32_t)p->lines.number};
    for (const char *word; (word = next_word(rest)) != NULL;) {
        const fc_status status = add_stop(p, word);
        if (status != FC_OK)
            return status;
    }
    made.count = (uint32_t)routes->stop_count - made.first;
    if (made.count < 2)
        return fc_lines_fail(&p->lines, p->error,
                             "a route has at least two routers: 'route 0 3 2 5'");
    void *list = fc_make_room(routes->routes, &p->route_room, routes->route_count, 1,
                              sizeof *routes->routes);
    if (!list)
        return fc_fail_memory(p->error);
    routes->routes = list;
    routes->routes[routes->route_count++] = made;
    return FC_OK;
}

static fc_status read_line(parsing *p, char *line) {
    char *comment = strchr(line, '#'), *rest;
    if (comment)
        *comment = '\0';
    const char *word = strtok_r(line, " \t", &rest);
    if (word && strcmp(word, "router") == 0)
        return read_entry(p, &rest);
    if (word && strcmp(word, "route") == 0)
        return read_route(p, &rest);
    return fc_lines_fail(&p->lines, p->error, "expected 'router 3 to 5 via 4' or 'route 0 3 2 5'");
}

fc_status fc_routes_parse(char *text, const char *path, fc_error *error, fc_routes *routes) {
    parsing p = {
        .lines = {.next = text, .path = path, .comment = '#'}, .error = error, .routes = routes};
    fc_status status = FC_OK;
    for (char *line; status == FC_OK && (line = fc_lines_next(&p.lines));)
        status = read_line(&p, line);
    if (status == FC_OK && !routes->entry_count && !routes->route_count)
        status =
            fc_lines_fail(&p.lines, error,
                          "no routes; expected lines such as 'router 3 to 5 via 4' or 'route 0 "
                          "3 2 5'");
    if (status != FC_OK)
        fc_routes_release(routes);
    return status;
}

void fc_routes_release(fc_routes *routes) {
    fc_release(routes->entries);
    fc_release(routes->routes);
    fc_release(routes->stops);
    routes->entries = NULL;
    routes->routes = NULL;
    routes->stops = NULL;
    routes->entry_count = routes->route_count = routes->stop_count = 0;
}

/* ---- against the graph ---- */

static int by_link(const void *left, const void *right) {
    const fc_graph_link *a = left, *b = right;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return a->to < b->to ? -1 : a->to > b->to;
}

static fc_status check_step(const fc_routes *routes, const fc_graph *graph, uint32_t line,
                            uint32_t from, uint32_t to, fc_error *error) {
    const uint32_t larger = from > to ? from : to;
    if (larger >= graph->routers)
        return fc_fail(error, FC_ERROR_INPUT,
                       "%.200s:%u: there is no router %u; the last one is %u", routes->file, line,
                       larger, graph->routers - 1);
    const fc_graph_link wanted = {.from = from, .to = to};
    if (!bsearch(&wanted, graph->link, graph->links, sizeof *graph->link, by_link))
        return fc_fail(error, FC_ERROR_INPUT,
                       "%.200s:%u: there is no link from router %u to router %u", routes->file,
                       line, from, to);
    return FC_OK;
}

static int by_entry(const void *left, const void *right) {
    const fc_route_entry *a = left, *b = right;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    return a->line < b->line ? -1 : a->line > b->line;
}

static fc_status check_entries(fc_routes *routes, const fc_graph *graph, fc_error *error) {
    if (routes->entry_count)
        qsort(routes->entries, routes->entry_count, sizeof *routes->entries, by_entry);
    for (size_t i = 0; i < routes->entry_count; ++i) {
        const fc_route_entry *e = &routes->entries[i], *before = i ? e - 1 : NULL;
        if (e->to >= graph->routers)
            return fc_fail(error, FC_ERROR_INPUT,
                           "%.200s:%u: there is no router %u; the last one is %u", routes->file,
                           e->line, e->to, graph->routers - 1);
        if (before && before->at == e->at && before->to == e->to)
            return fc_fail(
                error, FC_ERROR_INPUT,
                "%.200s:%u: where router %u sends messages for router %u is already given in "
                "line %u",
                routes->file, e->line, e->at, e->to, before->line);
        const fc_status status = check_step(routes, graph, e->line, e->at, e->via, error);
        if (status != FC_OK)
            return status;
    }
    return FC_OK;
}

fc_status fc_routes_check(fc_routes *routes, const fc_graph *graph, fc_error *error) {
    fc_status status = check_entries(routes, graph, error);
    for (size_t r = 0; r < routes->route_count && status == FC_OK; ++r) {
        const fc_given_route *route = &routes->routes[r];
        const uint32_t *stop = &routes->stops[route->first];
        if (stop[0] == stop[route->count - 1])
            status = fc_fail(error, FC_ERROR_INPUT,
                             "%.200s:%u: the route ends at router %u, where it begins",
                             routes->file, route->line, stop[0]);
        for (uint32_t i = 0; i + 1 < route->count && status == FC_OK; ++i)
            status = check_step(routes, graph, route->line, stop[i], stop[i + 1], error);
    }
    return status;
}

/* ---- the key ---- */

fc_status fc_routes_read(const fc_document *document, const fc_value *value, void *field,
                         fc_error *error) {
    fc_routes *routes = field;
    fc_named_file file = {
        .what = "network.routes", .kind = "a file of paths through the graph", .most = BYTES_MAX};
    fc_status status = fc_named_file_read(document, value, routes->file, &file, error);
    if (status != FC_OK)
        return status;
    fc_error cause;
    routes->checksum = file.checksum;
    status = fc_routes_parse(file.text, file.path, &cause, routes);
    fc_release(file.text);
    return status == FC_OK ? FC_OK : fc_named_file_fail(document, value, &cause, status, error);
}

void fc_routes_write(const void *field, FILE *stream) {
    const fc_routes *routes = field;
    fc_file_name_write(routes->file, stream);
    fprintf(stream, " # content %016llx", (unsigned long long)routes->checksum);
}
