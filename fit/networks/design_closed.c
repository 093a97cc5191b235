#include "suite.h"

static const char *const models[] = {"closed-refined", "closed-two-moment", "adve-vernon",
                                     "adve-vernon-infinite", NULL};
static const char *const metrics[] = {"efficiency", "network_time", NULL};

static const char mix[] =
    "[{share: 0.8, flits: 3, reply_flits: 9, memory_reply: 4, memory_busy: 4}, "
    "{share: 0.2, flits: 11, reply_flits: 3, memory_reply: 8, memory_busy: 4}]";
static const char short_mix[] =
    "[{share: 0.8, flits: 2, reply_flits: 5, memory_reply: 4, memory_busy: 4}, "
    "{share: 0.2, flits: 6, reply_flits: 2, memory_reply: 4, memory_busy: 4}]";
static const char slow_memory[] =
    "[{share: 1, flits: 4, reply_flits: 8, memory_reply: 10, memory_busy: 8}]";

typedef struct network {
    const char *keys, *requests;
} network;

static const network bidirectional_4 = {"topology: torus, radix: [4, 4]", mix};
static const network bidirectional_8 = {"topology: torus, radix: [8, 8]", mix};
static const network bidirectional_12 = {"topology: torus, radix: [12, 12]", mix};
static const network mesh_8 = {"topology: mesh, radix: [8, 8]", mix};
static const network unidirectional_8 = {
    "topology: torus, radix: [8, 8], links: unidirectional, direction: decreasing", short_mix};

typedef struct setting {
    const char *destinations;
    int outstanding;
    double think;
    bool per_channel, infinite;
} setting;

static void add(suite *s, bool held_out, const network *n, setting at) {
    char keys[160], traffic[320];
    snprintf(keys, sizeof keys, "%s, order: descending%s%s", n->keys,
             at.per_channel ? ", node_links: per-channel" : "",
             at.infinite ? ", buffer: infinite" : "");
    snprintf(traffic, sizeof traffic,
             "kind: closed, outstanding: %d, think_time: %g, destinations: %s, requests: %s",
             at.outstanding, at.think, at.destinations, n->requests);
    suite_add(s, held_out, keys, traffic);
}

static void lay_out_known(suite *s) {
    static const network *const networks[] = {&bidirectional_12, &bidirectional_8, &mesh_8,
                                              &unidirectional_8, &bidirectional_4};
    static const char *const destinations[] = {"uniform", "{near-neighbour: 0.6}",
                                               "{hot-spot: {share: 0.1, node: [2, 2]}}"};
    static const int outstanding[] = {1, 2, 4, 8};
    for (int n = 0; n < 5; ++n)
        for (int t = 0; t < 3; ++t)
            for (int o = 0; o < 4; ++o)
                for (int k = 0; k < 2; ++k)
                    add(s, SUITE_DEVELOP, networks[n],
                        (setting){destinations[t], outstanding[o], k ? 60 : 25,
                                  (o + k + t) % 2 == 1, false});
    for (int n = 0; n < 5; ++n)
        for (int o = 0; o < 4 && (n < 2 || n == 4); ++o)
            for (int k = 0; k < 2; ++k)
                add(s, SUITE_DEVELOP, networks[n],
                    (setting){"uniform", outstanding[o], k ? 60 : 25, false, true});
}

static void lay_out_held_out(suite *s) {
    static const network networks[] = {
        {"topology: torus, radix: [10, 10]", mix},
        {"topology: torus, radix: [6, 6]", mix},
        {"topology: torus, radix: [5, 9]", slow_memory},
        {"topology: torus, radix: [4, 4, 4]", mix},
        {"topology: mesh, radix: [6, 6]", mix},
        {"topology: mesh, radix: [8, 5]", slow_memory},
        {"topology: torus, radix: [6, 6], links: unidirectional, direction: decreasing", short_mix},
        {"topology: torus, radix: [8, 8], links: unidirectional, direction: decreasing",
         slow_memory},
    };
    static const char *const destinations[] = {"uniform", "{near-neighbour: 0.4}",
                                               "{hot-spot: {share: 0.05, node: [1, 1]}}",
                                               "{hot-spot: {share: 0.05, node: [1, 1, 1]}}"};
    static const int outstanding[] = {1, 3, 6};
    static const double think_times[] = {35, 50, 100, 15};
    const int count = sizeof networks / sizeof *networks;
    for (int n = 0; n < count; ++n)
        for (int t = 0; t < 3; ++t)
            for (int o = 0; o < 3; ++o)
                add(s, SUITE_HELD_OUT, &networks[n],
                    (setting){destinations[t == 2 && n == 3 ? 3 : t], outstanding[o],
                              think_times[(n + t + o) % 4], (n + o) % 2 == 1, false});
    for (int n = 0; n < count; n += 3)
        for (int o = 0; o < 3; ++o)
            add(s, SUITE_HELD_OUT, &networks[n],
                (setting){"uniform", outstanding[o], think_times[(n + o) % 4], false, true});
    static const network large = {"topology: torus, radix: [16, 16]", mix};
    for (int o = 0; o < 3; ++o)
        add(s, SUITE_HELD_OUT, &large, (setting){"uniform", outstanding[o], 50, o % 2 == 1, false});
}

/* Long and short think times for every kind, and other traffic with infinite buffers. */
static void lay_out_wider(suite *s) {
    static const network networks[] = {
        {"topology: torus, radix: [7, 7]", mix},
        {"topology: mesh, radix: [4, 4]", mix},
        {"topology: torus, radix: [5, 5], links: unidirectional, direction: decreasing", short_mix},
        {"topology: torus, radix: [5, 5]", mix},
        {"topology: torus, radix: [9, 9]", mix},
    };
    static const char *const destinations[] = {"uniform", "{near-neighbour: 0.5}",
                                               "{hot-spot: {share: 0.08, node: [1, 2]}}"};
    for (int n = 0; n < 3; ++n)
        for (int t = 0; t < 3; ++t)
            for (int k = 0; k < 2; ++k)
                for (int o = 0; o < 2; ++o)
                    add(s, SUITE_HELD_OUT, &networks[n],
                        (setting){destinations[t], o ? 8 : 2, k ? 100 : 15, (t + k + o) % 2 == 1,
                                  false});
    for (int n = 0; n < 5; n += n ? 1 : 3)
        for (int t = 1; t < 3; ++t)
            for (int o = 0; o < 2; ++o)
                add(s, SUITE_HELD_OUT, &networks[n],
                    (setting){destinations[t], o ? 4 : 2, o ? 60 : 30, false, true});
}

static void lay_out(suite *s) {
    lay_out_known(s);
    lay_out_held_out(s);
    lay_out_wider(s);
}

const suite_design closed_design = {
    .name = "closed",
    .title = "Closed wormhole networks",
    .text = "Tori both ways and one way, meshes; uniform traffic, near neighbours and hot spots; "
            "one node link or one per channel; one-flit and infinite buffers; N_out from 1 to 8. "
            "One term of `closed-refined` was chosen among five forms on the networks that are "
            "not held out.",
    .models = models,
    .metrics = metrics,
    .carried = 2,
    .max_cycles = 1.2e6,
    .cost = 1,
    .lay_out = lay_out,
    .draw = suite_draw_closed,
    .drawn = {[SUITE_SEEN_18002] = 20,
              [SUITE_SEEN_18003] = 20,
              [SUITE_SEEN_18005] = 20,
              [SUITE_LEARNED] = 231,
              [SUITE_SEEN_18011] = 26,
              [SUITE_SEEN_18021] = 26,
              [SUITE_SEEN_18031] = 26,
              [SUITE_HELD_OUT_18061] = 26},
};
