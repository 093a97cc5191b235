/* Networks of routers drawn at random over the whole range of their keys, for the calibration of
 * router-queueing and for the networks that its forecasts are scored on. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include "design_router.h"
#include "draw.h"

/* What the rest of a network depends on. */
typedef struct drawn {
    char shape[96]; /* topology and its size */
    const char *routing;
    bool wraps, tree, fly, square, power_of_two;
    unsigned nodes, dimensions;
    unsigned least_channels;
} drawn;

static drawn draw_grid(fc_random *random, const char *topology) {
    drawn d;
    do {
        d = (drawn){.routing = "", .nodes = 1, .least_channels = 1};
        char radix[32] = "";
        const bool ring = strcmp(topology, "ring") == 0;
        d.dimensions = ring ? 1 : chance(random, 0.7) ? 2 : 3;
        size_t used = 0;
        unsigned first = 0;
        d.square = !ring;
        for (unsigned i = 0; i < d.dimensions; ++i) {
            const unsigned k = ring                ? whole(random, 5, 24)
                               : d.dimensions == 2 ? whole(random, 2, 9)
                                                   : whole(random, 2, 4);
            used += (size_t)snprintf(radix + used, sizeof radix - used, "%s%u", i ? ", " : "", k);
            d.nodes *= k;
            first = i ? first : k;
            d.square &= k == first;
        }
        d.wraps = strcmp(topology, "mesh") != 0;
        const bool even = d.wraps && chance(random, 0.5);
        snprintf(d.shape, sizeof d.shape, "topology: %s, radix: [%s]%s", topology, radix,
                 !d.wraps ? ""
                 : even   ? ", channel_rule: dateline"
                          : ", channel_rule: wrapping");
        d.least_channels = d.wraps ? 2 : 1;
    } while (d.nodes < 8 || d.nodes > 80);
    if (!d.wraps && chance(random, 0.15)) {
        const unsigned nodes = whole(random, 2, 4);
        if (d.nodes * nodes <= 100) {
            d.nodes *= nodes;
            snprintf(d.shape + strlen(d.shape), sizeof d.shape - strlen(d.shape),
                     ", concentration: %u", nodes);
            d.square = false;
        }
    }
    return d;
}

static drawn draw_hypercube(fc_random *random) {
    drawn d = {.routing = "", .least_channels = 1};
    d.dimensions = whole(random, 3, 6);
    d.nodes = 1U << d.dimensions;
    snprintf(d.shape, sizeof d.shape, "topology: hypercube, dimensions: %u", d.dimensions);
    return d;
}

static drawn draw_tree(fc_random *random, bool fly) {
    static const unsigned sizes[][2] = {{2, 3}, {2, 4}, {2, 5}, {3, 2}, {3, 3},
                                        {4, 2}, {5, 2}, {6, 2}, {4, 3}};
    const unsigned *size = sizes[fc_random_below(random, 9)];
    drawn d = {.routing = "", .least_channels = 1, .tree = !fly, .fly = fly, .nodes = 1};
    for (unsigned i = 0; i < size[1]; ++i)
        d.nodes *= size[0];
    const bool extra = fly && chance(random, 0.25);
    snprintf(d.shape, sizeof d.shape, "topology: %s, arity: %u, levels: %u%s",
             fly ? "fly" : "fat-tree", size[0], size[1], extra ? ", extra_stages: 1" : "");
    return d;
}

static drawn draw_low_diameter(fc_random *random) {
    drawn d = {.routing = "minimal", .least_channels = 2};
    if (chance(random, 0.5)) {
        const unsigned a = whole(random, 2, 4), h = whole(random, 1, 2), p = whole(random, 1, 2);
        d.nodes = p * a * (a * h + 1);
        snprintf(d.shape, sizeof d.shape,
                 "topology: dragonfly, hosts: %u, routers: %u, global_links: %u", p, a, h);
    } else {
        const unsigned a = whole(random, 2, 5), b = whole(random, 2, 5), p = whole(random, 1, 4);
        d.nodes = a * b * p;
        snprintf(d.shape, sizeof d.shape, "topology: hyperx, shape: [%u, %u], concentration: %u", a,
                 b, p);
    }
    if (chance(random, 0.3))
        d.routing = "valiant";
    return d;
}

static drawn draw_topology(fc_random *random) {
    const double at = fc_random_unit(random);
    if (at < 0.30)
        return draw_grid(random, "mesh");
    if (at < 0.48)
        return draw_grid(random, "torus");
    if (at < 0.57)
        return draw_grid(random, "ring");
    if (at < 0.69)
        return draw_hypercube(random);
    if (at < 0.93)
        return draw_tree(random, at < 0.81);
    return draw_low_diameter(random);
}

/* Routing, and the channels that it needs. */
static void draw_routing(fc_random *random, drawn *d) {
    const double at = fc_random_unit(random);
    if (d->tree)
        d->routing = at < 0.4 ? "random" : at < 0.7 ? "destination" : "adaptive";
    else if (d->fly && strstr(d->shape, "extra") && at < 0.4)
        d->routing = "adaptive";
    else if (d->dimensions > 1 && at < 0.3) {
        d->routing = at < 0.14 ? "o1turn" : at < 0.22 ? "valiant" : "adaptive";
        d->least_channels *= 2;
    }
}

static void draw_delays(fc_random *random, char *text, size_t size) {
    static const char *const routers[] = {"[1, 1, 1, 1]",
                                          "[1, 1, 1, 1]",
                                          "[0, 1, 1, 1]",
                                          "[1, 1, 1, 0]",
                                          "[0, 1, 1, 0]",
                                          "[0, 0, 1, 1]",
                                          "1",
                                          "2",
                                          "3"};
    const char *router = routers[fc_random_below(random, 9)];
    const unsigned link = chance(random, 0.6) ? 1 : whole(random, 2, 4);
    const unsigned credit = chance(random, 0.65) ? 0 : whole(random, 1, 2);
    size_t used = (size_t)snprintf(text, size, ", router_delay: %s", router);
    if (link > 1)
        used += (size_t)snprintf(text + used, size - used, ", link_delay: %u", link);
    if (credit)
        snprintf(text + used, size - used, ", credit_delay: %u", credit);
}

/* Returns the longest message. */
static unsigned draw_lengths(fc_random *random, char *text, size_t size) {
    const double at = fc_random_unit(random);
    if (at < 0.07) {
        const unsigned request = spread(random, 1, 5), reply = spread(random, 1, 9);
        const unsigned wait = chance(random, 0.5) ? 4 : 30;
        snprintf(text, size, "requests: [{share: 1, flits: %u, reply_flits: %u, memory_reply: %u}]",
                 request, reply, wait);
        return request > reply ? request : reply;
    }
    if (at < 0.25) {
        const unsigned a = spread(random, 1, 4), b = a + spread(random, 1, 28);
        const double share = 0.1 * whole(random, 1, 9);
        snprintf(text, size, "message_mix: [{flits: %u, share: %.1f}, {flits: %u, share: %.1f}]", a,
                 share, b, 1 - share);
        return b;
    }
    const unsigned flits = spread(random, 1, 32);
    snprintf(text, size, "message_flits: %u", flits);
    return flits;
}

static void draw_destinations(fc_random *random, const drawn *d, char *text, size_t size) {
    static const char *const patterns[] = {"neighbour",      "tornado",     "shuffle",
                                           "bit-complement", "bit-reverse", "transpose"};
    const double at = fc_random_unit(random);
    text[0] = '\0';
    if (at < 0.55)
        return;
    if (at < 0.70) {
        const unsigned node = fc_random_below(random, d->nodes);
        snprintf(text, size, ", destinations: {hot-spot: {share: %.2f, node: %u}}",
                 0.02 * whole(random, 1, 5), node);
    } else if (at < 0.76) {
        snprintf(text, size, ", destinations: {near-neighbour: %.1f}", 0.1 * whole(random, 2, 7));
    } else if (at < 0.82) {
        snprintf(text, size, ", destinations: {random-permutation: %u}", whole(random, 1, 999));
    } else {
        snprintf(text, size, ", destinations: %s", patterns[fc_random_below(random, 6)]);
    }
}

static void draw_injection(fc_random *random, char *text, size_t size) {
    const double at = fc_random_unit(random);
    text[0] = '\0';
    if (at < 0.45)
        snprintf(text, size, ", injection: bernoulli");
    else if (at < 0.50)
        snprintf(text, size, ", injection: {on-off: {on: %u, off: %u}}", 10 * whole(random, 2, 12),
                 10 * whole(random, 2, 30));
}

void router_draw(fc_random *random, char network[320], char traffic[320]) {
    drawn d = draw_topology(random);
    if (!d.routing[0])
        draw_routing(random, &d);
    char lengths[128], destinations[96], injection[64], delays[96];
    const unsigned longest = draw_lengths(random, lengths, sizeof lengths);
    draw_destinations(random, &d, destinations, sizeof destinations);
    draw_injection(random, injection, sizeof injection);
    draw_delays(random, delays, sizeof delays);
    if (strstr(lengths, "requests"))
        d.least_channels *= 2;
    unsigned channels = spread(random, 1, 8 / d.least_channels > 1 ? 8 / d.least_channels : 1);
    channels *= d.least_channels;
    unsigned buffer = spread(random, 1, 32);
    const bool whole_messages = chance(random, 0.08);
    buffer = whole_messages && buffer < longest ? longest : buffer;
    const bool one_port = chance(random, 0.5), one_source = chance(random, 0.5);
    const double fast = chance(random, 0.06) ? 1 + 0.25 * whole(random, 1, 4) : 1;
    size_t used = (size_t)snprintf(network, 320, "%s%s%s, virtual_channels: %u, buffer: %u%s%s%s",
                                   d.shape, d.routing[0] ? ", routing: " : "", d.routing, channels,
                                   buffer, delays, one_port ? ", input_speedup: 1" : "",
                                   one_source ? ", injection_channels: 1" : "");
    if (whole_messages)
        used += (size_t)snprintf(network + used, 320 - used, ", switching: cut-through");
    if (fast > 1)
        snprintf(network + used, 320 - used, ", internal_speedup: %g", fast);
    snprintf(traffic, 320, "%s%s%s", lengths, injection, destinations);
}
