#include "scenario/formats/graph_json.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/decimal.h"
#include "base/memory.h"

typedef struct conversion {
    const char *path;
    fc_error *error;
    json_t *numbers; /* id as text -> number of the router */
    json_t *joined;  /* pairs of routers with an edge; NULL: there may be several */
    FILE *stream;
} conversion;

bool fc_graph_is_json(const char *text) {
    return text[strspn(text, " \t\r\n")] == '{';
}

static fc_status fail(const conversion *c, const char *what, size_t index, const char *problem) {
    return fc_fail(c->error, FC_ERROR_INPUT, "%s: %s %zu %s", c->path, what, index, problem);
}

/* The id of a node as a key: text and numbers alike. */
static bool id_text(const json_t *id, char text[64]) {
    if (json_is_string(id))
        return snprintf(text, 64, "s%s", json_string_value(id)) < 64;
    if (json_is_integer(id))
        return snprintf(text, 64, "n%lld", (long long)json_integer_value(id)) < 64;
    return false;
}

/* False: what it says is none. */
static bool write_place(conversion *c, const json_t *node) {
    const json_t *place = json_object_get(node, "pos");
    if (!place)
        return true;
    if (json_array_size(place) != 2)
        return false;
    fputs(" at", c->stream);
    for (size_t i = 0; i < 2; ++i) {
        char text[FC_REAL_SIZE];
        if (!json_is_number(json_array_get(place, i)))
            return false;
        fc_real_text(json_number_value(json_array_get(place, i)), text);
        fprintf(c->stream, " %s", text);
    }
    return true;
}

static fc_status write_routers(conversion *c, json_t *nodes) {
    size_t index, next = 0;
    json_t *node;
    json_array_foreach(nodes, index, node) {
        char id[64];
        const json_t *hosts = json_object_get(node, "hosts");
        const json_int_t count = hosts ? json_integer_value(hosts) : 1;
        if (!id_text(json_object_get(node, "id"), id))
            return fail(c, "node", index, "has no id; expected a number or a short text");
        if (json_object_get(c->numbers, id))
            return fail(c, "node", index, "has the id of another one");
        if (json_object_set_new(c->numbers, id, json_integer((json_int_t)index)) != 0)
            return fc_fail_memory(c->error);
        if ((hosts && !json_is_integer(hosts)) || count < 0 || count > 4096)
            return fail(c, "node", index, "has no valid hosts; expected a whole number up to 4096");
        fprintf(c->stream, "router %zu", index);
        if (!write_place(c, node))
            return fail(c, "node", index, "has no valid pos; expected a list of two numbers");
        for (json_int_t i = 0; i < count; ++i)
            fprintf(c->stream, " node %zu", next++);
        fputc('\n', c->stream);
    }
    return FC_OK;
}

/* A number of an edge as it is to stand in the line; *text is empty if it has none. */
static bool number_text(const json_t *edge, const char *key, bool whole, char text[FC_REAL_SIZE]) {
    const json_t *value = json_object_get(edge, key);
    text[0] = '\0';
    if (!value)
        return true;
    if (whole && !json_is_integer(value))
        return false;
    fc_real_text(json_number_value(value), text);
    return json_is_number(value) && json_number_value(value) > 0;
}

/* Whether two routers have an edge already, in a graph that says it has no parallel ones. */
static bool is_joined(conversion *c, const json_int_t router[2]) {
    char pair[64];
    const int less = router[0] > router[1];
    snprintf(pair, sizeof pair, "%lld %lld", (long long)router[less], (long long)router[!less]);
    if (!c->joined || json_object_get(c->joined, pair))
        return c->joined != NULL;
    json_object_set_new(c->joined, pair, json_true());
    return false;
}

static fc_status write_links(conversion *c, json_t *edges) {
    static const char *const ends[] = {"source", "target"};
    size_t index;
    json_t *edge;
    json_array_foreach(edges, index, edge) {
        json_int_t router[2] = {0};
        for (int end = 0; end < 2; ++end) {
            char id[64];
            const json_t *number = id_text(json_object_get(edge, ends[end]), id)
                                       ? json_object_get(c->numbers, id)
                                       : NULL;
            if (!number)
                return fail(c, "edge", index, "has an end that is no node of the graph");
            router[end] = json_integer_value(number);
        }
        if (is_joined(c, router))
            return fail(c, "edge", index,
                        "joins two nodes that are joined already; parallel links need "
                        "\"multigraph\": true");
        char delay[FC_REAL_SIZE], width[FC_REAL_SIZE];
        if (!number_text(edge, "delay", true, delay))
            return fail(c, "edge", index, "has no valid delay; expected a whole number of cycles");
        if (!number_text(edge, "width", false, width))
            return fail(c, "edge", index,
                        "has no valid width; expected flits per cycle, a number above 0");
        for (int back = 0; back < 2; ++back)
            fprintf(c->stream, "router %lld router %lld %s%s%s\n", (long long)router[back],
                    (long long)router[!back], delay, width[0] ? " x" : "", width);
    }
    return FC_OK;
}

static fc_status convert(conversion *c, json_t *root) {
    json_t *nodes = json_object_get(root, "nodes"), *edges = json_object_get(root, "edges");
    if (!edges)
        edges = json_object_get(root, "links");
    if (!json_is_array(nodes) || !json_is_array(edges))
        return fc_fail(c->error, FC_ERROR_INPUT,
                       "%s: expected node-link data with lists \"nodes\" and \"edges\" (or "
                       "\"links\"), as networkx.node_link_data makes it",
                       c->path);
    if (json_is_true(json_object_get(root, "directed")))
        return fc_fail(c->error, FC_ERROR_INPUT,
                       "%s: the graph is directed; links go both ways here: write the undirected "
                       "graph",
                       c->path);
    c->numbers = json_object();
    c->joined = json_is_false(json_object_get(root, "multigraph")) ? json_object() : NULL;
    if (!c->numbers)
        return fc_fail_memory(c->error);
    const fc_status status = write_routers(c, nodes);
    return status == FC_OK ? write_links(c, edges) : status;
}

fc_status fc_graph_json_lines(const char *text, const char *path, fc_error *error, char **lines) {
    json_error_t problem;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &problem);
    if (!root)
        return fc_fail(error, FC_ERROR_INPUT, "%s:%d: %s", path, problem.line, problem.text);
    char *written = NULL;
    size_t size = 0;
    conversion c = {.path = path, .error = error, .stream = open_memstream(&written, &size)};
    fc_status status = c.stream ? convert(&c, root) : fc_fail_memory(error);
    if (c.stream && fclose(c.stream) != 0 && status == FC_OK)
        status = fc_fail_memory(error);
    if (status == FC_OK) {
        *lines = fc_allocate(size + 1, 1);
        status = *lines ? FC_OK : fc_fail_memory(error);
        if (*lines)
            memcpy(*lines, written, size);
    }
    free(written);
    json_decref(c.numbers);
    json_decref(c.joined);
    json_decref(root);
    return status;
}
