#include "suite.h"

static const char *const models[] = {"scouting-sharing", "safaei", "safaei-e0", NULL};
static const char *const metrics[] = {"latency", NULL};

typedef struct network {
    const char *radix;
    int channels, flits, distance;
} network;

static const network known[] = {
    {"[16, 16]", 2, 32, 3},  {"[16, 16]", 3, 64, 6},     {"[16, 16]", 6, 32, 3},
    {"[16, 16]", 1, 32, 3},  {"[16, 16]", 1, 64, 1},     {"[16, 16]", 1, 32, 0},
    {"[6, 6, 6]", 3, 32, 2}, {"[4, 4, 4, 4]", 3, 32, 2}, {"[8, 8]", 2, 32, 3},
    {"[8, 8]", 3, 32, 1},    {"[8, 8]", 4, 64, 3},       {"[8, 8]", 6, 32, 0},
    {"[8, 8]", 6, 32, 3},    {"[8, 8]", 6, 32, 6},       {"[8, 8]", 6, 16, 2},
    {"[8, 8]", 8, 32, 3},    {"[10, 10]", 5, 24, 4},     {"[8, 4]", 3, 32, 2},
    {"[7, 9]", 2, 40, 1},    {"[4, 4, 4]", 4, 32, 3},    {"[8, 8]", 1, 32, 0},
    {"[8, 8]", 1, 32, 1},    {"[8, 8]", 1, 32, 3},       {"[8, 8]", 1, 32, 6},
    {"[8, 8]", 1, 64, 3},    {"[5, 6, 4]", 1, 32, 2},    {"[8]", 4, 32, 2},
    {"[4, 4]", 4, 16, 3},    {"[8, 8]", 6, 2, 3},
};
static const network held_out[] = {
    {"[12, 12]", 4, 32, 3},  {"[12, 12]", 2, 48, 2},  {"[16, 8]", 3, 24, 1},
    {"[6, 6]", 3, 32, 2},    {"[6, 6]", 6, 48, 5},    {"[5, 5]", 4, 16, 3},
    {"[9, 9]", 2, 24, 4},    {"[8, 8]", 5, 20, 1},    {"[8, 8]", 3, 48, 5},
    {"[8, 8]", 4, 8, 2},     {"[8, 8]", 2, 4, 1},     {"[4, 4, 4]", 2, 24, 1},
    {"[5, 5, 5]", 3, 32, 4}, {"[4, 6, 5]", 6, 16, 2}, {"[10, 10]", 1, 32, 2},
    {"[6, 6]", 1, 16, 1},    {"[7, 7]", 1, 48, 4},    {"[4, 4, 4]", 1, 32, 2},
    {"[8]", 2, 16, 1},       {"[12]", 4, 32, 3},      {"[16]", 3, 32, 2},
};

static void add_all(suite *s, bool held, const network *networks, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        char keys[160], traffic[64];
        snprintf(keys, sizeof keys,
                 "topology: torus, radix: %s, switching: scouting, scouting_distance: %d, "
                 "virtual_channels: %d",
                 networks[i].radix, networks[i].distance, networks[i].channels);
        snprintf(traffic, sizeof traffic, "message_flits: %d", networks[i].flits);
        suite_add(s, held, keys, traffic);
    }
}

static void lay_out(suite *s) {
    add_all(s, SUITE_DEVELOP, known, sizeof known / sizeof *known);
    add_all(s, SUITE_HELD_OUT, held_out, sizeof held_out / sizeof *held_out);
}

const suite_design scouting_design = {
    .name = "scouting",
    .title = "Scouting switching",
    .text = "Tori of one to four dimensions, uniform traffic. `scouting-sharing` was made with "
            "the networks that are not held out in view; one dimension, 4x4 and messages of 2 "
            "flits are among them because it is less accurate there.",
    .models = models,
    .metrics = metrics,
    .max_cycles = 2e6,
    .cost = 5,
    .lay_out = lay_out,
    .draw = suite_draw_scouting,
    .drawn = {[SUITE_SEEN_18002] = 26,
              [SUITE_SEEN_18003] = 26,
              [SUITE_SEEN_18005] = 26,
              [SUITE_LEARNED] = 286,
              [SUITE_SEEN_18011] = 24,
              [SUITE_SEEN_18021] = 30,
              [SUITE_SEEN_18031] = 30,
              [SUITE_HELD_OUT_18061] = 30},
};
