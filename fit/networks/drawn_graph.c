/* Graphs drawn by a number: the same number is the same graph. Random regular ones, rings with
 * chords, leaves and spines, and small meshes (chiplets) joined by slow or narrow links. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "design_router.h"
#include "draw.h"
#include "suite.h"

enum { ROUTERS_MOST = 64, SEED = 4711 };

typedef struct graph {
    unsigned routers, nodes_each, hosts; /* hosts: routers that have nodes, the first ones */
    bool joined[ROUTERS_MOST][ROUTERS_MOST];
    unsigned delay[ROUTERS_MOST][ROUTERS_MOST];
    bool narrow[ROUTERS_MOST][ROUTERS_MOST];
} graph;

static void join(graph *g, unsigned a, unsigned b, unsigned delay, bool narrow) {
    const unsigned low = a < b ? a : b, high = a < b ? b : a;
    if (a == b)
        return;
    g->joined[low][high] = true;
    g->delay[low][high] = delay;
    g->narrow[low][high] = narrow;
}

static void draw_ring_with_chords(fc_random *random, graph *g) {
    g->routers = g->hosts = whole(random, 5, 36);
    g->nodes_each = whole(random, 1, 3);
    const unsigned chords = g->routers * whole(random, 0, 3) / 2;
    for (unsigned i = 0; i < g->routers; ++i)
        join(g, i, (i + 1) % g->routers, 1, false);
    for (unsigned i = 0; i < chords; ++i) {
        const unsigned a = whole(random, 0, g->routers - 1), b = whole(random, 0, g->routers - 1);
        const unsigned delay = chance(random, 0.3) ? whole(random, 2, 6) : 1;
        join(g, a, b, delay, chance(random, 0.1));
    }
}

static void draw_leaf_spine(fc_random *random, graph *g) {
    const unsigned spines = whole(random, 1, 6);
    g->hosts = whole(random, 3, 10);
    g->routers = g->hosts + spines;
    g->nodes_each = whole(random, 2, 8);
    const unsigned delay = whole(random, 1, 3);
    for (unsigned l = 0; l < g->hosts; ++l)
        for (unsigned s = g->hosts; s < g->routers; ++s)
            join(g, l, s, delay, false);
}

static void draw_chiplets(fc_random *random, graph *g) {
    const unsigned side = whole(random, 2, 4), chiplets = whole(random, 2, 4);
    const unsigned delay = whole(random, 1, 8);
    const bool narrow = chance(random, 0.4);
    g->routers = g->hosts = chiplets * side * side;
    g->nodes_each = 1;
    for (unsigned c = 0; c < chiplets; ++c)
        for (unsigned i = 0; i < side * side; ++i) {
            const unsigned at = c * side * side + i, next = (c + 1) % chiplets * side * side;
            if (i % side + 1 < side)
                join(g, at, at + 1, 1, false);
            if (i / side + 1 < side)
                join(g, at, at + side, 1, false);
            if (i % side + 1 == side && (c + 1 < chiplets || chance(random, 0.5)))
                join(g, at, next + i - i % side, delay, narrow);
        }
}

static void draw(unsigned number, graph *g) {
    fc_random random = fc_random_stream(SEED, number, 0);
    memset(g, 0, sizeof *g);
    const double at = fc_random_unit(&random);
    if (at < 0.5)
        draw_ring_with_chords(&random, g);
    else if (at < 0.7)
        draw_leaf_spine(&random, g);
    else
        draw_chiplets(&random, g);
}

unsigned drawn_graph_nodes(unsigned number) {
    graph g;
    draw(number, &g);
    return g.hosts * g.nodes_each;
}

static void write_graph(const graph *g, FILE *stream) {
    for (unsigned a = 0; a < g->routers; ++a) {
        fprintf(stream, "router %u", a);
        for (unsigned n = 0; n < g->nodes_each && a < g->hosts; ++n)
            fprintf(stream, " node %u", a * g->nodes_each + n);
        for (unsigned b = a + 1; b < g->routers; ++b)
            if (g->joined[a][b])
                fprintf(stream, " router %u %u%s", b, g->delay[a][b],
                        g->narrow[a][b] ? " x0.5" : "");
        fputc('\n', stream);
    }
}

void drawn_graph_write(const char *network) {
    static const char start[] = "file: drawn-graphs/";
    const char *named = strstr(network, start);
    char path[64], draft[96];
    struct stat there;
    if (!named)
        return;
    const unsigned number = (unsigned)strtoul(named + sizeof start - 1, NULL, 10);
    snprintf(path, sizeof path, "drawn-graphs/%u.graph", number);
    if (stat(path, &there) == 0)
        return;
    graph g;
    draw(number, &g);
    mkdir("drawn-graphs", 0777);
    snprintf(draft, sizeof draft, "%s.%lx", path, (unsigned long)(uintptr_t)&g);
    FILE *stream = fopen(draft, "w");
    if (!stream)
        suite_stop(draft, "cannot be written");
    write_graph(&g, stream);
    if (fclose(stream) != 0 || rename(draft, path) != 0) /* several threads may write the same */
        suite_stop(path, "cannot be written");
}
