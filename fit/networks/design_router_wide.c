/* Networks of routers drawn as people have them: what papers on networks on chip plot, the networks
 * of clusters and supercomputers, and the networks of router_draw with keys that few set. Every key
 * of the table that changes how routers behave is drawn here, or listed in never_drawn.txt. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "design_router.h"
#include "draw.h"

enum { TEXT = 320 };

static void add(char text[TEXT], const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(char text[TEXT], const char *format, ...) {
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, TEXT - used, format, arguments);
    va_end(arguments);
}

static unsigned one_of(fc_random *random, const unsigned *list, unsigned count) {
    return list[fc_random_below(random, count)];
}
#define ONE_OF(random, ...)                                                                        \
    one_of(random, (const unsigned[]){__VA_ARGS__},                                                \
           sizeof((const unsigned[]){__VA_ARGS__}) / sizeof(unsigned))

static const char *word_of(fc_random *random, const char *const *list, unsigned count) {
    return list[fc_random_below(random, count)];
}
#define WORD_OF(random, ...)                                                                       \
    word_of(random, (const char *const[]){__VA_ARGS__},                                            \
            sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

/* ---- traffic ---- */

/* Lengths as papers have them. */
static void draw_usual_lengths(fc_random *random, char traffic[TEXT]) {
    const double at = fc_random_unit(random);
    if (at < 0.3)
        add(traffic, "message_flits: 1");
    else if (at < 0.55)
        add(traffic, "message_flits: %u", ONE_OF(random, 4, 5));
    else if (at < 0.75)
        add(traffic, "message_flits: %u", ONE_OF(random, 2, 3, 8, 16, 20));
    else
        add(traffic, "message_mix: [{flits: 1, share: %.1f}, {flits: %u, share: %.1f}]", 0.5, 5,
            0.5);
}

static void draw_any_lengths(fc_random *random, char traffic[TEXT]) {
    const double at = fc_random_unit(random);
    const unsigned short_one = spread(random, 1, 4);
    if (at < 0.2) {
        const unsigned long_one = short_one + spread(random, 1, 60);
        const unsigned tenths = whole(random, 1, 9);
        add(traffic, "message_mix: [{flits: %u, share: 0.%u}, {flits: %u, share: 0.%u}]", short_one,
            tenths, long_one, 10 - tenths);
    } else if (at < 0.25) { /* few long ones */
        const unsigned long_one = spread(random, 16, 200), hundredths = whole(random, 1, 9);
        add(traffic, "message_mix: [{flits: %u, share: 0.%02u}, {flits: %u, share: 0.0%u}]",
            short_one, 100 - hundredths, long_one, hundredths);
    } else {
        add(traffic, "message_flits: %u", spread(random, 1, chance(random, 0.2) ? 64 : 24));
    }
}

static void draw_injection(fc_random *random, char traffic[TEXT], double share_of_bursts) {
    const double at = fc_random_unit(random);
    if (at < share_of_bursts) {
        const unsigned on = spread(random, 10, chance(random, 0.3) ? 10000 : 1000);
        const unsigned off = (unsigned)(on * (0.2 + 5 * fc_random_unit(random)));
        add(traffic, ", injection: {on-off: {on: %u, off: %u}}", on, off > 0 ? off : 1);
    } else if (at < 0.6) {
        add(traffic, ", injection: bernoulli");
    }
}

static void draw_pattern(fc_random *random, char traffic[TEXT], unsigned nodes, unsigned group) {
    const double at = fc_random_unit(random);
    if (at < 0.33)
        return;
    if (at < 0.67) {
        const bool bits = (nodes & (nodes - 1)) == 0;
        const char *of_bits = WORD_OF(random, "transpose", "transpose", "bit-complement",
                                      "bit-reverse", "shuffle", "bit-rotation", "tornado");
        const char *of_any = WORD_OF(random, "transpose", "tornado", "tornado", "neighbour",
                                     "neighbour", "diagonal", "asymmetric");
        add(traffic, ", destinations: %s", bits && chance(random, 0.7) ? of_bits : of_any);
    } else if (at < 0.78) {
        add(traffic, ", destinations: {random-permutation: %u}", whole(random, 1, 9999));
    } else if (at < 0.85) {
        const unsigned hundredths = spread(random, 1, 40);
        const unsigned node = whole(random, 0, nodes - 1);
        add(traffic, ", destinations: {hot-spot: {share: %.2f, node: %u}}", 0.01 * hundredths,
            node);
    } else if (at < 0.89 && group == 0) {
        const unsigned tenths = whole(random, 1, 9);
        add(traffic, ", destinations: {near-neighbour: 0.%u}", tenths);
    } else if (at < 0.92) {
        const unsigned a = whole(random, 0, nodes - 1), b = whole(random, 0, nodes - 1);
        const unsigned weight = whole(random, 2, 12);
        add(traffic, ", destinations: {hot-spots: [{node: %u, weight: %u}, {node: %u, weight: 4}]}",
            a, weight, b);
    } else if (group > 1) {
        add(traffic, ", destinations: {next-group: %u}", group);
    }
    if (chance(random, 0.06))
        add(traffic, ", self_messages: sent");
}

/* ---- timing ---- */

static void draw_usual_timing(fc_random *random, char network[TEXT]) {
    add(network, ", router_delay: %s",
        WORD_OF(random, "[1, 1, 1, 1]", "[1, 1, 1, 1]", "[0, 1, 1, 1]", "[0, 1, 1, 0]",
                "[1, 1, 1, 0]", "[1, 1, 0, 1]", "1", "2", "3"));
    if (chance(random, 0.25))
        add(network, ", link_delay: %u", ONE_OF(random, 2, 2, 3, 4));
    if (chance(random, 0.3))
        add(network, ", credit_delay: %u", whole(random, 1, 2));
    if (chance(random, 0.6))
        add(network, ", input_speedup: 1");
    if (chance(random, 0.3))
        add(network, ", injection_channels: 1");
}

/* Keys that few set. */
static void draw_rare(fc_random *random, char network[TEXT], unsigned channels) {
    if (chance(random, 0.1))
        add(network, ", arbitration: oldest-first");
    if (chance(random, 0.1))
        add(network, ", allocator_rounds: %u", whole(random, 2, 4));
    if (chance(random, 0.1))
        add(network, ", node_delay: %u", spread(random, 2, 30));
    if (chance(random, 0.1))
        add(network, ", ejection_channels: %u", whole(random, 1, channels));
    if (chance(random, 0.08))
        add(network, ", handover: when-empty");
    if (!strstr(network, "radix") && !strstr(network, "dimensions") && chance(random, 0.08))
        add(network, ", injection_choice: random");
    if (chance(random, 0.06))
        add(network, ", internal_speedup: %.4g", 1 + 0.25 * whole(random, 1, 8));
    if (chance(random, 0.1))
        add(network, ", switching: cut-through"); /* refused where buffers are small */
}

/* ---- what papers plot ---- */

static void draw_usual(fc_random *random, char network[TEXT], char traffic[TEXT]) {
    const double at = fc_random_unit(random);
    const bool wraps = at < 0.35, ring = at < 0.06;
    unsigned nodes, least = wraps ? 2 : 1;
    if (ring) {
        nodes = ONE_OF(random, 8, 8, 12, 16, 16, 20, 24, 32);
        add(network, "topology: ring, radix: [%u]", nodes);
    } else if (at > 0.93) {
        nodes = chance(random, 0.6) ? 64 : 27;
        const unsigned k = nodes == 64 ? 4 : 3;
        add(network, "topology: mesh, radix: [%u, %u, %u]", k, k, k);
    } else if (at > 0.88) {
        const unsigned dimensions = whole(random, 3, 6);
        nodes = 1U << dimensions;
        add(network, "topology: hypercube, dimensions: %u", dimensions);
    } else {
        const unsigned k = ONE_OF(random, 4, 4, 5, 6, 7, 8, 8, 8, 8, 9, 10, 12);
        const bool square = chance(random, 0.85);
        const unsigned other = square ? k : whole(random, 3, 10);
        nodes = k * other;
        add(network, "topology: %s, radix: [%u, %u]", wraps ? "torus" : "mesh", k, other);
        if (!wraps && nodes <= 36 && chance(random, 0.12)) {
            add(network, ", concentration: 4");
            nodes *= 4;
        }
    }
    const double way = fc_random_unit(random);
    if (!ring && way < 0.4) {
        add(network, ", routing: %s",
            way < 0.12   ? "adaptive"
            : way < 0.17 ? "min-adapt"
            : way < 0.28 ? "o1turn"
                         : "valiant");
        least = wraps && way < 0.17 ? 3 : 2 * least;
    }
    unsigned channels = least * ONE_OF(random, 1, 1, 2, 2, 2, 3, 4);
    if (chance(random, 0.1))
        channels += 1;
    if (wraps && chance(random, 0.5))
        add(network, ", channel_rule: %s",
            WORD_OF(random, "dateline", "dateline", "escape", "high-low", "wrapping"));
    if (wraps && chance(random, 0.07))
        add(network, ", links: unidirectional");
    add(network, ", virtual_channels: %u, buffer: %u", channels,
        ONE_OF(random, 1, 2, 3, 4, 4, 5, 6, 8, 8, 8, 12, 16, 32));
    draw_usual_timing(random, network);
    if (chance(random, 0.25))
        draw_rare(random, network, channels);
    draw_usual_lengths(random, traffic);
    draw_injection(random, traffic, 0.05);
    draw_pattern(random, traffic, nodes, 0);
}

/* ---- clusters and supercomputers ---- */

static unsigned draw_dragonfly(fc_random *random, char network[TEXT], unsigned *group) {
    unsigned p, a, h, g, nodes;
    do {
        p = whole(random, 1, 4);
        a = whole(random, 2, 8);
        h = whole(random, 1, 4);
        g = chance(random, 0.6) ? a * h + 1 : whole(random, 2, a * h + 1);
        nodes = p * a * g;
    } while (nodes > 220 || nodes < 8);
    add(network, "topology: dragonfly, hosts: %u, routers: %u, global_links: %u", p, a, h);
    if (g != a * h + 1)
        add(network, ", groups: %u", g);
    if (chance(random, 0.3))
        add(network, ", arrangement: %s", WORD_OF(random, "relative", "circulant"));
    if (chance(random, 0.5))
        add(network, ", global_delay: %u", spread(random, 2, 30));
    *group = p * a;
    return nodes;
}

static unsigned draw_hyperx(fc_random *random, char network[TEXT], unsigned *group) {
    unsigned shape[3], dimensions, p, routers;
    do {
        dimensions = whole(random, 1, 3);
        routers = 1;
        for (unsigned d = 0; d < dimensions; ++d)
            routers *= shape[d] = whole(random, 2, dimensions == 1 ? 16 : 7);
        p = whole(random, 1, 8);
    } while (routers * p > 220 || routers * p < 8);
    const bool butterfly = chance(random, 0.2);
    add(network, "topology: %s, shape: [", butterfly ? "flattened-butterfly" : "hyperx");
    for (unsigned d = 0; d < dimensions; ++d)
        add(network, "%s%u", d ? ", " : "", shape[d]);
    add(network, "], concentration: %u", p);
    if (!butterfly && dimensions == 2 && chance(random, 0.12)) {
        const unsigned first = whole(random, 1, 3), second = whole(random, 1, 3);
        add(network, ", trunks: [%u, %u]", first, second);
    }
    if (dimensions == 2 && chance(random, 0.12)) {
        const unsigned first = whole(random, 1, 3), second = whole(random, 1, 4);
        add(network, ", spacing: [%u, %u]", first, second);
    }
    *group = p * shape[0];
    return routers * p;
}

static unsigned draw_slim_fly(fc_random *random, char network[TEXT], unsigned *group) {
    const unsigned q = ONE_OF(random, 3, 3, 4, 5, 5, 7), p = whole(random, 1, q < 7 ? 4 : 2);
    add(network, "topology: slim-fly, q: %u, concentration: %u", q, p);
    *group = p * q;
    return 2 * q * q * p;
}

static unsigned draw_fat_tree(fc_random *random, char network[TEXT], unsigned *channels) {
    static const unsigned sizes[][2] = {{2, 4}, {2, 5}, {2, 6}, {3, 3}, {3, 4},  {4, 2},
                                        {4, 3}, {5, 2}, {6, 2}, {8, 2}, {10, 2}, {5, 3}};
    const unsigned *size = sizes[fc_random_below(random, 12)];
    unsigned nodes = 1;
    for (unsigned i = 0; i < size[1]; ++i)
        nodes *= size[0];
    add(network, "topology: fat-tree, arity: %u, levels: %u, routing: %s", size[0], size[1],
        WORD_OF(random, "destination", "random", "adaptive", "adaptive", "anca"));
    if (chance(random, 0.4)) {
        add(network, ", oversubscription: [");
        for (unsigned i = 0; i + 1 < size[1]; ++i)
            add(network, "%s%u", i ? ", " : "",
                size[0] % 2 ? whole(random, 0, 1) * (size[0] - 1) + 1 : ONE_OF(random, 1, 2, 2));
        add(network, "]");
    }
    *channels = spread(random, 1, 8);
    return nodes;
}

static unsigned draw_graph(fc_random *random, char network[TEXT]) {
    const unsigned number = whole(random, 1, 600);
    add(network, "topology: graph, file: drawn-graphs/%u.graph", number);
    if (chance(random, 0.3))
        add(network, ", routing: up-down");
    else if (chance(random, 0.15))
        add(network, ", ties: first");
    return drawn_graph_nodes(number);
}

static void draw_detours(fc_random *random, char network[TEXT], bool dragonfly,
                         unsigned *channels) {
    const double at = fc_random_unit(random);
    const char *routing = at < 0.35  ? "minimal"
                          : at < 0.5 ? "valiant"
                                     : WORD_OF(random, "ugal-local", "ugal-local", "ugal-global",
                                               "progressive-adaptive");
    unsigned least = at < 0.35 ? 2 : at < 0.5 && dragonfly ? 3 : 4;
    add(network, ", routing: %s", routing);
    if (at >= 0.35 && dragonfly && chance(random, 0.25)) {
        add(network, ", intermediate: router");
        ++least;
    }
    if (at >= 0.5) {
        least += strcmp(routing, "progressive-adaptive") == 0;
        if (chance(random, 0.25))
            add(network, ", bias: %u", spread(random, 1, 64) - 1);
        if (chance(random, 0.2))
            add(network, ", queues: link");
        if (chance(random, 0.2))
            add(network, ", decision: ahead");
    }
    if (chance(random, 0.06))
        add(network, ", ejection_choice: layer");
    *channels = least * ONE_OF(random, 1, 1, 2, 3) + (chance(random, 0.2) ? 1 : 0);
}

static void draw_cluster(fc_random *random, char network[TEXT], char traffic[TEXT]) {
    const double at = fc_random_unit(random);
    unsigned nodes, group = 0, channels = whole(random, 1, 8);
    if (at < 0.3)
        nodes = draw_dragonfly(random, network, &group);
    else if (at < 0.55)
        nodes = draw_hyperx(random, network, &group);
    else if (at < 0.65)
        nodes = draw_slim_fly(random, network, &group);
    else if (at < 0.83)
        nodes = draw_fat_tree(random, network, &channels);
    else
        nodes = draw_graph(random, network);
    if (at < 0.65)
        draw_detours(random, network, at < 0.3, &channels);
    else if (at >= 0.83)
        channels = ONE_OF(random, 2, 3, 4, 4, 6, 8);
    add(network, ", virtual_channels: %u, buffer: %u", channels,
        chance(random, 0.6) ? ONE_OF(random, 8, 8, 16, 32) : spread(random, 1, 64));
    draw_usual_timing(random, network);
    if (chance(random, 0.25))
        draw_rare(random, network, channels);
    if (chance(random, 0.6))
        draw_usual_lengths(random, traffic);
    else
        draw_any_lengths(random, traffic);
    draw_injection(random, traffic, 0.08);
    draw_pattern(random, traffic, nodes, group);
}

/* ---- any ---- */

static void draw_any(fc_random *random, char network[TEXT], char traffic[TEXT]) {
    router_draw(random, network, traffic);
    const char *given = strstr(network, "virtual_channels: ");
    const unsigned channels = given ? (unsigned)strtoul(given + 18, NULL, 10) : 2;
    char *rule = strstr(network, "channel_rule: wrapping");
    if (rule && chance(random, 0.5)) /* of one length */
        memcpy(rule, chance(random, 0.6) ? "channel_rule: escape  " : "channel_rule: high-low", 22);
    if (strstr(network, "radix") && chance(random, 0.05))
        add(network, ", order: descending");
    if (strstr(traffic, "requests") && channels > 2 && chance(random, 0.3))
        add(network, ", reply_channels: %u", whole(random, 1, channels - 1));
    if (!strstr(network, "cut-through") && !strstr(network, "internal_speedup"))
        draw_rare(random, network, channels);
    if (!strstr(traffic, "on-off") && !strstr(traffic, "injection") && chance(random, 0.25))
        draw_injection(random, traffic, 1);
    if (chance(random, 0.05))
        add(traffic, ", self_messages: sent");
}

void router_draw_wide(fc_random *random, char network[TEXT], char traffic[TEXT]) {
    const double at = fc_random_unit(random);
    network[0] = traffic[0] = '\0';
    if (at < 0.38)
        draw_usual(random, network, traffic);
    else if (at < 0.72)
        draw_cluster(random, network, traffic);
    else
        draw_any(random, network, traffic);
}
