/* The random part of the designs: networks drawn over the keys that a family accepts, beside the
 * grids, whose networks resemble each other more than those of users do.
 *
 * Sizes are bounded by what can be simulated in seconds; everything else is drawn over its range,
 * small as often as large. What the design's first model does not cover is drawn again. The loads
 * are shares of that model's own saturation load: that of a simulation is not known when a model is
 * asked, and loads placed by it would tell a calibration what it cannot know. */
#include <math.h>
#include <string.h>
#include "draw.h"
#include "suite.h"

enum { TEXT = 320 };

/* Networks drawn with one seed. What was held out once and has been looked at is learned from. */
typedef enum part_loads { ANY, REPORTED, REPORTED_FROM_60 } part_loads;
typedef struct part {
    uint64_t seed;
    bool held_out;
    part_loads loads;
    const char *only; /* networks with this in their keys; NULL: all */
} part;
static const part parts[SUITE_PARTS] = {
    [SUITE_SEEN_18002] = {18002, false, REPORTED, NULL},
    [SUITE_SEEN_18003] = {18003, false, REPORTED, NULL},
    [SUITE_SEEN_18005] = {18005, false, REPORTED, NULL},
    [SUITE_LEARNED] = {18001, false, ANY, NULL},
    [SUITE_LEARNED_MESHES] = {18007, false, ANY, "topology: mesh"},
    [SUITE_SEEN_18011] = {18011, false, REPORTED_FROM_60, NULL},
    [SUITE_SEEN_18021] = {18021, false, REPORTED_FROM_60, NULL},
    [SUITE_LEARNED_18041] = {18041, false, ANY, NULL},
    [SUITE_SEEN_18031] = {18031, false, REPORTED_FROM_60, NULL},
    [SUITE_HELD_OUT_18061] = {18061, true, REPORTED_FROM_60, NULL},
};

/* ---- drawing ---- */

static double between(fc_random *random, double low, double high) {
    return low + (high - low) * fc_random_unit(random);
}

typedef struct shape {
    char text[64]; /* [5, 4] */
    unsigned dimensions, nodes;
} shape;

static shape draw_shape(fc_random *random, unsigned least, unsigned nodes_most) {
    static const double shares[] = {0.12, 0.68, 0.92, 1}; /* of one dimension, of at most two, .. */
    shape s;
    unsigned longest;
    do {
        const double at = fc_random_unit(random);
        s = (shape){.dimensions = 1, .nodes = 1};
        while (at > shares[s.dimensions - 1])
            ++s.dimensions;
        const unsigned most = s.dimensions == 1 ? 24 : s.dimensions == 2 ? 16 : 8;
        size_t used = 0;
        longest = 0;
        for (unsigned d = 0; d < s.dimensions; ++d) {
            const unsigned radix =
                chance(random, 0.5) ? whole(random, least, most) : spread(random, least, most);
            used += (size_t)snprintf(s.text + used, sizeof s.text - used, "%s%u", d ? ", " : "[",
                                     radix);
            s.nodes *= radix;
            longest = radix > longest ? radix : longest;
        }
        snprintf(s.text + used, sizeof s.text - used, "]");
    } while (s.nodes > nodes_most || s.nodes < 8 || longest < 3);
    return s;
}

/* ", KEY: N" for one, all or some of the channels; nothing for the default. */
static void draw_shared(fc_random *random, const char *key, unsigned channels, char text[48]) {
    const unsigned kind = whole(random, 0, 3);
    text[0] = '\0';
    if (kind > 0)
        snprintf(text, 48, ", %s: %u", key,
                 kind == 1   ? 1
                 : kind == 2 ? channels
                             : whole(random, 1, channels));
}

/* ---- families ---- */

void suite_draw_open(fc_random *random, char *network, char *traffic) {
    const bool mesh = chance(random, 1.0 / 3), one_way = !mesh && chance(random, 0.35);
    const shape s = draw_shape(random, 2, 90);
    unsigned channels = mesh ? spread(random, 1, 12) : spread(random, 2, 12);
    const char *rule = "";
    if (!mesh && channels % 2 == 0 && chance(random, 0.5))
        rule = ", channel_rule: dateline";
    char injection[48], ejection[48];
    draw_shared(random, "injection_channels", channels, injection);
    draw_shared(random, "ejection_channels", channels, ejection);
    const char *order = chance(random, 0.3) ? ", order: descending" : "";
    const char *handover = chance(random, 0.4) ? ", handover: next-cycle" : "";
    snprintf(network, TEXT, "topology: %s, radix: %s%s%s, virtual_channels: %u%s%s%s%s",
             mesh ? "mesh" : "torus", s.text, one_way ? ", links: unidirectional" : "", rule,
             channels, injection, ejection, handover, order);
    snprintf(traffic, TEXT, "message_flits: %u", spread(random, 1, 96));
}

void suite_draw_scouting(fc_random *random, char *network, char *traffic) {
    const shape s = draw_shape(random, 3, 90);
    const unsigned channels = spread(random, 1, 12), distance = whole(random, 0, 7);
    snprintf(network, TEXT,
             "topology: torus, radix: %s, switching: scouting, scouting_distance: %u, "
             "virtual_channels: %u",
             s.text, distance, channels);
    snprintf(traffic, TEXT, "message_flits: %u", spread(random, 2, 96));
}

/* One kind of request or two. */
static void draw_requests(fc_random *random, char text[192]) {
    const bool two = chance(random, 0.5);
    const double share = two ? floor(100 * between(random, 0.2, 0.9)) / 100 : 1;
    size_t used = 0;
    for (unsigned i = 0; i <= two; ++i) {
        const unsigned busy = spread(random, 1, 20), answer = spread(random, 1, 20);
        const unsigned reply = spread(random, 1, 20), flits = spread(random, 1, 20);
        used += (size_t)snprintf(
            text + used, 192 - used,
            "%s{share: %g, flits: %u, reply_flits: %u, memory_reply: %u, memory_busy: %u}",
            i ? ", " : "[", i ? 1 - share : share, flits, reply, answer, busy);
    }
    snprintf(text + used, 192 - used, "]");
}

void suite_draw_closed(fc_random *random, char *network, char *traffic) {
    const bool mesh = chance(random, 1.0 / 3), one_way = !mesh && chance(random, 0.35);
    const shape s = draw_shape(random, 2, 80);
    char requests[192], destinations[48] = "uniform";
    const unsigned pattern = whole(random, 0, 3);
    if (pattern == 0) {
        const unsigned node = whole(random, 0, s.nodes - 1);
        snprintf(destinations, sizeof destinations, "{hot-spot: {share: %.2f, node: %u}}",
                 between(random, 0.01, 0.2), node);
    } else if (pattern == 1)
        snprintf(destinations, sizeof destinations, "{near-neighbour: %.2f}",
                 between(random, 0.1, 0.9));
    draw_requests(random, requests);
    const char *links = chance(random, 0.5) ? ", node_links: per-channel" : "";
    const char *order = chance(random, 0.5) ? ", order: descending" : "";
    snprintf(network, TEXT, "topology: %s, radix: %s%s%s%s", mesh ? "mesh" : "torus", s.text,
             one_way ? ", links: unidirectional" : "", order, links);
    const unsigned outstanding = spread(random, 1, 16), think = spread(random, 4, 400);
    snprintf(traffic, TEXT,
             "kind: closed, outstanding: %u, think_time: %u, destinations: %s, requests: %s",
             outstanding, think, destinations, requests);
}

void suite_draw_multistage(fc_random *random, char *network, char *traffic) {
    unsigned a, stages, ports;
    do {
        a = spread(random, 2, 16);
        stages = whole(random, 1, 8);
        ports = 1;
        for (unsigned i = 0; i < stages && ports <= 1024; ++i)
            ports *= a;
    } while (ports > 1024 || ports < 4);
    char buffer[16] = "infinite", service[32] = "";
    if (!chance(random, 0.15))
        snprintf(buffer, sizeof buffer, "%u", spread(random, 1, 24));
    if (chance(random, 0.4))
        snprintf(service, sizeof service, ", service: %u", spread(random, 2, 8));
    const bool contention = chance(random, 0.5);
    snprintf(network, TEXT, "topology: multistage, ports: %u, switch: %u, buffer: %s%s%s", ports, a,
             buffer, service, contention ? ", contention: output-port" : "");
    size_t used = 0;
    traffic[0] = '\0';
    if (chance(random, 0.4)) {
        const unsigned node = whole(random, 0, ports - 1);
        used = (size_t)snprintf(traffic, TEXT, "destinations: {hot-spot: {share: %.3f, node: %u}}",
                                0.005 * pow(60, fc_random_unit(random)), node);
    }
    if (chance(random, 0.2))
        snprintf(traffic + used, TEXT - used, "%soutstanding: %u", used ? ", " : "",
                 spread(random, 1, 32));
}

void suite_draw_rings(fc_random *random, char *network, char *traffic) {
    unsigned rings[3] = {0}, stations;
    const unsigned levels = whole(random, 2, 3);
    do {
        stations = 1;
        for (unsigned i = 0; i < levels; ++i)
            stations *= rings[i] = spread(random, 2, 32);
    } while (stations > 400);
    const double local = floor(1000 * between(random, 0.05, 0.9)) / 1000;
    const double middle = floor(1000 * between(random, 0.02, 0.95 - local)) / 1000;
    if (levels == 2) {
        snprintf(network, TEXT, "topology: ring-hierarchy, rings: [%u, %u]", rings[0], rings[1]);
        snprintf(traffic, TEXT, "locality: [%g]", local);
    } else {
        snprintf(network, TEXT, "topology: ring-hierarchy, rings: [%u, %u, %u]", rings[0], rings[1],
                 rings[2]);
        snprintf(traffic, TEXT, "locality: [%g, %g]", local, middle);
    }
}

/* ---- the part ---- */

/* Covered by the design's first model, and not there yet. */
static bool is_usable(const suite *s, const part *p) {
    const suite_entry *last = &s->entries[s->count - 1];
    if (p->only && !strstr(last->network, p->only))
        return false;
    for (size_t e = 0; e + 1 < s->count; ++e)
        if (strcmp(s->entries[e].network, last->network) == 0 &&
            strcmp(s->entries[e].traffic, last->traffic) == 0)
            return false;
    return last->covered[0];
}

/* The loads that are reported, or any, to learn from. */
static void place_loads(fc_random *random, part_loads loads, suite_entry *entry) {
    static const double reported[] = {0.3, 0.6, 0.8, 0.9};
    static const double low[] = {0.15, 0.45, 0.7, 0.85}, high[] = {0.45, 0.7, 0.85, 0.97};
    enum { LOADS = sizeof reported / sizeof *reported };
    if (isnan(entry->points[0].fraction))
        return;
    entry->point_count = LOADS;
    for (size_t i = 0; i < LOADS; ++i) {
        const double drawn = round(1000 * between(random, low[i], high[i])) / 1000;
        entry->points[i] = suite_nothing(loads == ANY ? drawn : reported[i]);
    }
    if (loads == REPORTED_FROM_60)
        memmove(entry->points, entry->points + 1, --entry->point_count * sizeof *entry->points);
}

static void add_part(suite *s, const part *p, size_t count) {
    fc_random random = fc_random_stream(p->seed, 0, 0);
    while (count > 0) {
        char network[TEXT], traffic[TEXT];
        s->design->draw(&random, network, traffic);
        suite_add(s, p->held_out, network, traffic);
        suite_entry *entry = &s->entries[s->count - 1];
        entry->random = true;
        place_loads(&random, p->loads, entry);
        if (is_usable(s, p))
            --count;
        else
            --s->count;
    }
}

void suite_add_random(suite *s) {
    for (size_t i = 0; i < SUITE_PARTS && s->design->draw; ++i)
        add_part(s, &parts[i], s->design->drawn[i]);
}
