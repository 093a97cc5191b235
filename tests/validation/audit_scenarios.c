#include "audit.h"

#include <math.h>
#include "base/random.h"

/* ---- drawing ----
 *
 * At most one draw in an expression: the order in which C evaluates arguments is not defined, and
 * a number must mean the same scenario with every compiler. */

static double between(fc_random *random, double low, double high) {
    return low + (high - low) * fc_random_unit(random);
}

/* As often small as large. */
static double spread(fc_random *random, double low, double high) {
    return low * pow(high / low, fc_random_unit(random));
}

static unsigned whole(fc_random *random, unsigned low, unsigned high) {
    return low + fc_random_below(random, high - low + 1);
}

static const char *one_of(fc_random *random, const char *const *list, unsigned count) {
    return list[fc_random_below(random, count)];
}
#define ONE_OF(random, ...)                                                                        \
    one_of(random, (const char *const[]){__VA_ARGS__},                                             \
           sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* ---- torus and mesh ---- */

typedef struct grid {
    unsigned dimensions, radix[3], nodes;
    bool torus;
    char text[64];
} grid;

static grid draw_grid(fc_random *random, unsigned nodes_most) {
    grid g = {.torus = whole(random, 0, 2) > 0};
    do {
        g.dimensions = whole(random, 1, 3);
        g.nodes = 1;
        for (unsigned d = 0; d < g.dimensions; ++d)
            g.nodes *= g.radix[d] = whole(random, 3, 9);
    } while (g.nodes > nodes_most);
    int used = snprintf(g.text, sizeof g.text, "[%u", g.radix[0]);
    for (unsigned d = 1; d < g.dimensions; ++d)
        used += snprintf(g.text + used, sizeof g.text - (size_t)used, ", %u", g.radix[d]);
    snprintf(g.text + used, sizeof g.text - (size_t)used, "]");
    return g;
}

/* Flits per node and cycle that the busiest link of a dimension allows, about. */
static double capacity(const grid *g) {
    unsigned longest = 0;
    for (unsigned d = 0; d < g->dimensions; ++d)
        longest = g->radix[d] > longest ? g->radix[d] : longest;
    return fmin(1, (g->torus ? 8.0 : 4.0) / longest);
}

static void draw_destinations(fc_random *random, unsigned nodes, char text[96]) {
    const unsigned kind = whole(random, 0, 5);
    text[0] = '\0';
    if (kind == 0) {
        const unsigned node = whole(random, 0, nodes - 1);
        const double share = spread(random, 0.0005, 0.1);
        snprintf(text, 96, ", destinations: {hot-spot: {share: %.4f, node: %u}}", share, node);
    } else if (kind == 1) {
        snprintf(text, 96, ", destinations: {near-neighbour: %.2f}", between(random, 0.1, 0.9));
    }
}

static void open_torus(fc_random *random, audit_text *out) {
    const grid g = draw_grid(random, 256);
    const unsigned channels = 2 * whole(random, 1, 3), flits = whole(random, 2, 40);
    char destinations[96];
    draw_destinations(random, g.nodes, destinations);
    const double rate =
        between(random, 0.1, 0.9) * capacity(&g) * (channels > 2 ? 0.7 : 0.45) / flits;
    const unsigned buffer = whole(random, 1, 8);
    const char *rule = g.torus ? ONE_OF(random, "dateline", "escape") : "free";
    snprintf(out->text, sizeof out->text,
             "network: {topology: %s, radix: %s, virtual_channels: %u, channel_rule: %s, buffer: "
             "%u}\ntraffic: {rate: %.6g, message_flits: %u%s}\n",
             g.torus ? "torus" : "mesh", g.text, channels, rule, buffer, rate, flits, destinations);
}

static void closed_torus(fc_random *random, audit_text *out) {
    const grid g = draw_grid(random, 100);
    const double think_time = spread(random, 2, 400);
    const double outstanding = spread(random, 1, 200);
    const char *order = ONE_OF(random, "ascending", "descending");
    snprintf(out->text, sizeof out->text,
             "network: {topology: %s, radix: %s, order: %s}\n"
             "traffic: {kind: closed, outstanding: %.0f, think_time: %.3g}\n",
             g.torus ? "torus" : "mesh", g.text, order, outstanding, think_time);
}

static void scouting(fc_random *random, audit_text *out) {
    const grid g = draw_grid(random, 100);
    const unsigned channels = whole(random, 2, 4), flits = whole(random, 4, 32);
    const double rate = between(random, 0.1, 0.8) * capacity(&g) * 0.5 / flits;
    const unsigned distance = whole(random, 0, 4);
    snprintf(out->text, sizeof out->text,
             "network: {topology: %s, radix: %s, switching: scouting, scouting_distance: %u, "
             "virtual_channels: %u}\ntraffic: {rate: %.6g, message_flits: %u}\n",
             g.torus ? "torus" : "mesh", g.text, distance, channels, rate, flits);
}

static void routers(fc_random *random, audit_text *out) {
    const grid g = draw_grid(random, 100);
    const unsigned flits = whole(random, 1, 24);
    const double rate = between(random, 0.1, 0.8) * capacity(&g) * 0.5 / flits;
    char destinations[96], bursts[96] = "";
    draw_destinations(random, g.nodes, destinations);
    if (whole(random, 0, 3) == 0) { /* long phases in which a node sends, and does not */
        const double off = spread(random, 20, 2000);
        const double on = spread(random, 20, 2000);
        snprintf(bursts, sizeof bursts, ", injection: {on-off: {on: %.0f, off: %.0f}}", on, off);
    }
    const unsigned credit_delay = whole(random, 0, 2);
    const unsigned router_delay = whole(random, 1, 4);
    const unsigned buffer = whole(random, 2, 16);
    const unsigned channels = 2 * whole(random, 1, 2);
    snprintf(out->text, sizeof out->text,
             "network: {topology: %s, radix: %s, virtual_channels: %u, buffer: %u, router_delay: "
             "%u, credit_delay: %u}\ntraffic: {rate: %.6g, message_flits: %u%s%s}\n",
             g.torus ? "torus" : "mesh", g.text, channels, buffer, router_delay, credit_delay, rate,
             flits, destinations, bursts);
}

static void fat_tree(fc_random *random, audit_text *out) {
    const unsigned flits = whole(random, 1, 16);
    const double rate = between(random, 0.1, 0.6) / flits;
    const unsigned levels = whole(random, 2, 3);
    const unsigned arity = whole(random, 2, 4);
    snprintf(out->text, sizeof out->text,
             "network: {topology: fat-tree, arity: %u, levels: %u, virtual_channels: 2, buffer: 8, "
             "router_delay: 2}\ntraffic: {rate: %.6g, message_flits: %u}\n",
             arity, levels, rate, flits);
}

/* ---- multistage and rings ---- */

static void multistage(fc_random *random, audit_text *out) {
    const unsigned a = whole(random, 0, 1) ? 2 : 4;
    const unsigned ports = a == 2 ? 8u << whole(random, 0, 3) : (whole(random, 0, 1) ? 16 : 64);
    char buffer[16] = "infinite", destinations[96] = "";
    if (whole(random, 0, 4))
        snprintf(buffer, sizeof buffer, "%.0f", spread(random, 1, 200));
    if (whole(random, 0, 2) == 0) {
        const unsigned node = whole(random, 0, ports - 1);
        const double share = spread(random, 0.001, 0.2);
        snprintf(destinations, sizeof destinations,
                 ", destinations: {hot-spot: {share: %.4f, node: %u}}", share, node);
    }
    const double rate = between(random, 0.05, 0.95);
    const char *contention = ONE_OF(random, "none", "output-port");
    snprintf(out->text, sizeof out->text,
             "network: {topology: multistage, ports: %u, switch: %u, buffer: %s, contention: %s}\n"
             "traffic: {rate: %.4g%s}\n",
             ports, a, buffer, contention, rate, destinations);
}

static void rings(fc_random *random, audit_text *out) {
    const unsigned local = whole(random, 3, 16), global = whole(random, 3, 24);
    const double locality = between(random, 0.1, 0.9);
    const double most = fmin(2 / (local * (2 - locality)), 2 / (local * global * (1 - locality)));
    snprintf(out->text, sizeof out->text,
             "network: {topology: ring-hierarchy, rings: [%u, %u]}\n"
             "traffic: {rate: %.5g, locality: [%.3f]}\n",
             local, global, between(random, 0.1, 0.95) * fmin(most, 1), locality);
}

static const struct {
    const char *name;
    void (*draw)(fc_random *random, audit_text *out);
} kinds[] = {
    {"open torus or mesh", open_torus},
    {"closed torus or mesh", closed_torus},
    {"scouting", scouting},
    {"pipelined routers", routers},
    {"fat tree", fat_tree},
    {"multistage", multistage},
    {"ring hierarchy", rings},
};

audit_text audit_draw(unsigned number) {
    enum { KINDS = sizeof kinds / sizeof *kinds };
    audit_text out = {.kind = kinds[number % KINDS].name};
    fc_random random = fc_random_stream(20261115, 0, number);
    kinds[number % KINDS].draw(&random, &out);
    return out;
}
