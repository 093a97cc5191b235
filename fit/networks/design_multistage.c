#include <math.h>
#include "suite.h"

static const char *const models[] = {"multistage-backpressure", "mohapatra-das", NULL};
static const char *const metrics[] = {"latency", "throughput", "latency_hot", NULL};

typedef struct shape {
    int a, stages; /* switches of a x a; a 0: end */
} shape;

/* What a network has beside its shape; 0: not that. */
typedef struct kind {
    int buffer; /* 0: infinite */
    int outstanding;
    double hot;
    bool contention;
} kind;

static void add(suite *s, bool held_out, shape at, kind k) {
    char network[160], traffic[128] = "", buffer[16] = "infinite";
    if (k.buffer)
        snprintf(buffer, sizeof buffer, "%d", k.buffer);
    snprintf(network, sizeof network, "topology: multistage, ports: %.0f, switch: %d, buffer: %s%s",
             pow(at.a, at.stages), at.a, buffer, k.contention ? ", contention: output-port" : "");
    if (k.outstanding)
        snprintf(traffic, sizeof traffic, "outstanding: %d", k.outstanding);
    if (k.hot > 0)
        snprintf(traffic, sizeof traffic, "destinations: {hot-spot: {share: %g, node: 1}}", k.hot);
    suite_add(s, held_out, network, traffic);
}

static void add_all(suite *s, bool held_out, const shape *shapes, const kind *kinds, size_t count) {
    for (; shapes->a; ++shapes)
        for (size_t i = 0; i < count; ++i)
            add(s, held_out, *shapes, kinds[i]);
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void lay_out_uniform(suite *s) {
    static const shape shapes[] = {{2, 2}, {2, 4}, {2, 6}, {2, 8}, {2, 10}, {3, 4},
                                   {4, 2}, {4, 3}, {4, 5}, {8, 2}, {8, 3},  {0}};
    static const shape others[] = {{2, 3}, {2, 5}, {2, 7}, {2, 9}, {3, 2}, {3, 6}, {8, 3}, {0}};
    static const kind kinds[] = {{.buffer = 1}, {.buffer = 4}, {.buffer = 16}};
    static const kind other_kinds[] = {{.buffer = 2}, {.buffer = 8}};
    static const shape endless[] = {{2, 6}, {2, 9}, {4, 3}, {8, 2}, {0}};
    static const shape other_endless[] = {{2, 4}, {3, 4}, {4, 5}, {0}};
    static const kind infinite = {.buffer = 0};
    add_all(s, SUITE_DEVELOP, shapes, kinds, COUNT(kinds));
    add_all(s, SUITE_HELD_OUT, others, other_kinds, COUNT(other_kinds));
    add_all(s, SUITE_DEVELOP, endless, &infinite, 1);
    add_all(s, SUITE_HELD_OUT, other_endless, &infinite, 1);
}

static void lay_out_limited(suite *s) {
    static const shape shapes[] = {{2, 6}, {2, 8}, {4, 3}, {0}};
    static const shape others[] = {{2, 5}, {3, 4}, {0}};
    static const kind kinds[] = {{.buffer = 8, .outstanding = 1},
                                 {.buffer = 8, .outstanding = 4},
                                 {.buffer = 8, .outstanding = 16}};
    static const kind other_kinds[] = {{.buffer = 4, .outstanding = 2},
                                       {.buffer = 4, .outstanding = 8},
                                       {.buffer = 12, .outstanding = 12}};
    add_all(s, SUITE_DEVELOP, shapes, kinds, COUNT(kinds));
    add_all(s, SUITE_HELD_OUT, others, other_kinds, COUNT(other_kinds));
}

static void lay_out_hot(suite *s) {
    static const shape shapes[] = {{2, 4}, {2, 6}, {2, 8}, {3, 4}, {4, 3}, {8, 2}, {0}};
    static const shape others[] = {{2, 7}, {3, 3}, {4, 4}, {4, 2}, {0}};
    static const kind kinds[] = {
        {.buffer = 4, .hot = 0.02}, {.buffer = 16, .hot = 0.08}, {.buffer = 8, .hot = 0.32}};
    static const kind other_kinds[] = {{.buffer = 8, .hot = 0.04}, {.buffer = 4, .hot = 0.16}};
    add_all(s, SUITE_DEVELOP, shapes, kinds, COUNT(kinds));
    add_all(s, SUITE_HELD_OUT, others, other_kinds, COUNT(other_kinds));
}

static void lay_out_contention(suite *s) {
    static const shape shapes[] = {{2, 2}, {2, 5}, {2, 8}, {3, 4}, {4, 2}, {4, 4}, {8, 2}, {0}};
    static const shape others[] = {{2, 3}, {2, 6}, {3, 2}, {4, 3}, {8, 3}, {0}};
    static const kind kinds[] = {{.buffer = 2, .contention = true},
                                 {.buffer = 8, .contention = true}};
    static const kind other_kinds[] = {{.buffer = 4, .contention = true}};
    add_all(s, SUITE_DEVELOP, shapes, kinds, COUNT(kinds));
    add_all(s, SUITE_HELD_OUT, others, other_kinds, COUNT(other_kinds));
}

static void lay_out(suite *s) {
    lay_out_uniform(s);
    lay_out_limited(s);
    lay_out_hot(s);
    lay_out_contention(s);
}

const suite_design multistage_design = {
    .name = "multistage",
    .title = "Multistage networks",
    .text = "Uniform traffic with finite and infinite buffers, a limit on outstanding packets, "
            "hot memories, and contention for output ports. Loads are shares of the capacity of "
            "the busiest links, 1/(d(1-h+hN/a)) for a hot share h; one is above it. What the "
            "constants of `multistage-backpressure` were fitted to: "
            "[theory](../theory/multistage.md).",
    .models = models,
    .metrics = metrics,
    .max_cycles = 2e6,
    .cost = 0.1,
    .lay_out = lay_out,
    .draw = suite_draw_multistage,
    .drawn = {[SUITE_SEEN_18002] = 24,
              [SUITE_SEEN_18003] = 24,
              [SUITE_SEEN_18005] = 24,
              [SUITE_LEARNED] = 153,
              [SUITE_SEEN_18011] = 24,
              [SUITE_SEEN_18021] = 24,
              [SUITE_SEEN_18031] = 24,
              [SUITE_HELD_OUT_18061] = 24},
};
