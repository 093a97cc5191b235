/* For the search, channels that no dependency tells apart are taken as one: with 64 channels used
 * alike there is one vertex for each output. */
#include "network/dependency_graph.h"

#include <string.h>
#include "base/memory.h"
#include "base/record_set.h"

enum { CHANNELS = 64, TRIES_MAX = 64 };
#define NO_VERTEX UINT32_MAX

struct fc_dependency_graph {
    uint32_t outputs;
    fc_record_set dependencies; /* fc_dependency */
};

fc_dependency_graph *fc_dependency_graph_create(uint32_t outputs) {
    fc_dependency_graph *graph = fc_allocate(1, sizeof *graph);
    if (graph) {
        graph->outputs = outputs;
        graph->dependencies.size = sizeof(fc_dependency);
    }
    return graph;
}

void fc_dependency_graph_free(fc_dependency_graph *graph) {
    if (!graph)
        return;
    fc_record_set_release(&graph->dependencies);
    fc_release(graph);
}

bool fc_dependency_graph_add(fc_dependency_graph *graph, fc_dependency dependency) {
    return fc_record_set_add(&graph->dependencies, &dependency);
}

/* ---- the search ---- */

/* A vertex is an output and a class of channels: output * classes + class. */
typedef struct search {
    const fc_dependency_graph *graph;
    uint32_t classes;
    uint32_t channel[CHANNELS]; /* of each class: its lowest channel */
    uint32_t vertices;
    uint32_t *first;            /* outputs + 1: into edge */
    const fc_dependency **edge; /* by `from` */
    uint32_t *parent;           /* of a vertex on the path that led to it */
    uint8_t *mark;              /* 0: not seen, 1: on the path, 2: leads to no circle */
    uint32_t *queue;
    uint32_t *next_edge;  /* depth first: the edge to follow next ... */
    uint32_t *next_class; /* ... and the class at its end */
} search;

/* Splits the channels until each set met lies on one side of every class. */
static void find_classes(search *s) {
    const fc_record_set *dependencies = &s->graph->dependencies;
    const fc_dependency *list = dependencies->list;
    uint64_t class[CHANNELS] = {UINT64_MAX};
    uint32_t count = 1;
    for (size_t i = 0; i < 2 * dependencies->count && count < CHANNELS; ++i) {
        const fc_dependency *dependency = &list[i / 2];
        const uint64_t set = i % 2 ? dependency->to_channels : dependency->from_channels;
        for (uint32_t c = 0, before = count; c < before; ++c) {
            const uint64_t inside = class[c] & set;
            if (!inside || inside == class[c])
                continue;
            class[count++] = class[c] & ~set;
            class[c] = inside;
        }
    }
    s->classes = count;
    for (uint32_t c = 0; c < count; ++c)
        s->channel[c] = (uint32_t)__builtin_ctzll(class[c]);
}

static bool prepare(search *s) {
    const uint32_t outputs = s->graph->outputs;
    const fc_dependency *list = s->graph->dependencies.list;
    const size_t count = s->graph->dependencies.count;
    find_classes(s);
    s->vertices = outputs * s->classes;
    s->first = fc_allocate((size_t)outputs + 1, sizeof *s->first);
    s->edge = fc_allocate(count + 1, sizeof *s->edge);
    s->parent = fc_allocate(s->vertices, sizeof *s->parent);
    s->mark = fc_allocate(s->vertices, sizeof *s->mark);
    s->queue = fc_allocate(s->vertices, sizeof *s->queue);
    s->next_edge = fc_allocate(s->vertices, sizeof *s->next_edge);
    s->next_class = fc_allocate(s->vertices, sizeof *s->next_class);
    if (!s->first || !s->edge || !s->parent || !s->mark || !s->queue || !s->next_edge ||
        !s->next_class)
        return false;
    for (size_t i = 0; i < count; ++i)
        ++s->first[list[i].from + 1];
    for (uint32_t output = 0; output < outputs; ++output)
        s->first[output + 1] += s->first[output];
    for (size_t i = 0; i < count; ++i)
        s->edge[s->first[list[i].from]++] = &list[i];
    memmove(s->first + 1, s->first, (size_t)outputs * sizeof *s->first);
    s->first[0] = 0;
    return true;
}

static void clear(search *s) {
    fc_release(s->first);
    fc_release(s->edge);
    fc_release(s->parent);
    fc_release(s->mark);
    fc_release(s->queue);
    fc_release(s->next_edge);
    fc_release(s->next_class);
}

/* The vertex after the one last returned for this one; NO_VERTEX: no more. */
static uint32_t next_vertex(search *s, uint32_t vertex) {
    const uint32_t output = vertex / s->classes, class = vertex % s->classes;
    for (; s->next_edge[vertex] < s->first[output + 1]; ++s->next_edge[vertex]) {
        const fc_dependency *edge = s->edge[s->next_edge[vertex]];
        if (!(edge->from_channels >> s->channel[class] & 1))
            continue;
        while (s->next_class[vertex] < s->classes) {
            const uint32_t next = s->next_class[vertex]++;
            if (edge->to_channels >> s->channel[next] & 1)
                return edge->to * s->classes + next;
        }
        s->next_class[vertex] = 0;
    }
    return NO_VERTEX;
}

static void start_over(search *s, uint32_t vertex) {
    s->next_edge[vertex] = s->first[vertex / s->classes];
    s->next_class[vertex] = 0;
}

/* Depth first. Returns a vertex on a circle, whose other vertices its parents are, or NO_VERTEX. */
static uint32_t find_circle(search *s) {
    for (uint32_t root = 0; root < s->vertices; ++root) {
        if (s->mark[root])
            continue;
        uint32_t at = root;
        s->parent[root] = NO_VERTEX;
        s->mark[root] = 1;
        start_over(s, root);
        while (at != NO_VERTEX) {
            const uint32_t next = next_vertex(s, at);
            if (next == NO_VERTEX) {
                s->mark[at] = 2;
                at = s->parent[at];
            } else if (s->mark[next] == 1) {
                s->parent[next] = at;
                return next;
            } else if (s->mark[next] == 0) {
                s->parent[next] = at;
                s->mark[next] = 1;
                start_over(s, next);
                at = next;
            }
        }
    }
    return NO_VERTEX;
}

/* Breadth first: vertices of a shortest circle through `start`, by parents; 0 if there is none
 * shorter than `limit`. */
static size_t shortest_through(search *s, uint32_t start, size_t limit) {
    size_t head = 0, tail = 0, length = 1, level_end;
    memset(s->mark, 0, s->vertices);
    s->queue[tail++] = start;
    level_end = tail;
    while (head < tail && length < limit) {
        const uint32_t at = s->queue[head++];
        start_over(s, at);
        for (uint32_t next; (next = next_vertex(s, at)) != NO_VERTEX;) {
            if (next == start) {
                s->parent[start] = at;
                return length;
            }
            if (s->mark[next])
                continue;
            s->mark[next] = 1;
            s->parent[next] = at;
            s->queue[tail++] = next;
        }
        if (head == level_end) {
            ++length;
            level_end = tail;
        }
    }
    return 0;
}

static size_t length_from(const search *s, uint32_t vertex) {
    size_t length = 1;
    for (uint32_t at = s->parent[vertex]; at != vertex; at = s->parent[at])
        ++length;
    return length;
}

static void write_down(const search *s, uint32_t vertex, size_t length, fc_held_channel *circle) {
    for (size_t i = length; i-- > 0; vertex = s->parent[vertex])
        circle[i] = (fc_held_channel){vertex / s->classes, s->channel[vertex % s->classes]};
}

static uint32_t vertex_of(const search *s, fc_held_channel held) {
    for (uint32_t class = 0; class < s->classes; ++class) {
        if (s->channel[class] == held.channel)
            return held.output * s->classes + class;
    }
    return NO_VERTEX;
}

/* The first cycle found may be long; a short one through the same vertices is easier to read. */
static size_t shorten(search *s, fc_held_channel *circle, size_t length) {
    for (size_t i = 0; i < length && i < TRIES_MAX; ++i) {
        const uint32_t start = vertex_of(s, circle[i]);
        const size_t shorter = shortest_through(s, start, length);
        if (shorter) {
            length = shorter;
            write_down(s, start, length, circle);
        }
    }
    return length;
}

fc_status fc_dependency_graph_circle(const fc_dependency_graph *graph, fc_error *error,
                                     fc_held_channel **circle, size_t *length) {
    search s = {.graph = graph};
    fc_held_channel *found = NULL;
    size_t count = 0;
    bool good = prepare(&s);
    const uint32_t vertex = good ? find_circle(&s) : NO_VERTEX;
    if (vertex != NO_VERTEX) {
        count = length_from(&s, vertex);
        found = fc_allocate(count, sizeof *found);
        good = found != NULL;
    }
    if (found) {
        write_down(&s, vertex, count, found);
        count = shorten(&s, found, count);
    }
    clear(&s);
    if (!good)
        return fc_fail_memory(error);
    *circle = found;
    *length = count;
    return FC_OK;
}
