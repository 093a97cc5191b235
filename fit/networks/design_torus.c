#include "suite.h"

static const char *const models[] = {"torus-sharing", "najafabadi-sarbaziazad",
                                     "najafabadi-sarbaziazad-literal", NULL};
static const char *const metrics[] = {"latency", NULL};

typedef struct network {
    const char *radix;
    int channels, flits;
} network;

/* Networks alike but for their size; {0} ends a list. */
typedef struct group {
    const char *keys;   /* beside radix and virtual_channels */
    bool all_ejections; /* as many ejection_channels as virtual_channels */
    network known[12], held_out[12];
} group;

static const group groups[] = {
    {"topology: torus, links: unidirectional, channel_rule: escape, handover: next-cycle",
     true,
     {{"[11, 11]", 5, 64},
      {"[12, 8]", 4, 48},
      {"[5, 6, 7]", 3, 32},
      {"[9, 9]", 3, 24},
      {"[8, 5]", 2, 36},
      {"[8, 8]", 3, 32},
      {"[6, 6]", 4, 16}},
     {{"[16, 16]", 3, 32},
      {"[12, 12]", 6, 32},
      {"[7, 10]", 2, 64},
      {"[4, 4, 4]", 3, 24},
      {"[6, 6, 6]", 2, 48},
      {"[4, 6, 5]", 4, 16}}},
    {"topology: torus, channel_rule: escape, handover: next-cycle",
     true,
     {{"[14, 14]", 3, 40},
      {"[10, 10]", 5, 32},
      {"[4, 4, 4, 4]", 3, 24},
      {"[5, 5, 6]", 4, 20},
      {"[16, 16]", 4, 32},
      {"[8, 8]", 3, 16},
      {"[4, 4, 4]", 3, 16},
      {"[6, 6, 6]", 5, 32}},
     {{"[6, 12]", 4, 48}, {"[7, 7]", 6, 24}, {"[9, 5]", 3, 32}, {"[4, 6, 5]", 3, 24}}},
    {"topology: torus, channel_rule: escape",
     false,
     {{"[7, 7, 7]", 3, 24}, {"[9, 9]", 4, 32}, {"[8, 8]", 3, 8}, {"[4, 4, 4]", 4, 16}},
     {{"[16, 8]", 3, 20},
      {"[5, 7]", 3, 32},
      {"[10, 10]", 6, 16},
      {"[7, 7]", 4, 12},
      {"[4, 6, 6]", 3, 40},
      {"[5, 4, 5]", 5, 24}}},
    {"topology: torus",
     false,
     {{"[12, 12]", 2, 16},
      {"[3, 3, 3, 3]", 2, 12},
      {"[16, 16]", 2, 16},
      {"[8, 8]", 2, 32},
      {"[8, 8]", 2, 4},
      {"[8, 8]", 2, 1},
      {"[4, 4, 4]", 2, 16},
      {"[6, 6, 6]", 2, 32}},
     {{"[6, 6]", 2, 64},
      {"[10, 7]", 2, 24},
      {"[9, 9]", 2, 8},
      {"[7, 7]", 2, 2},
      {"[5, 4, 6]", 2, 24},
      {"[8]", 2, 16},
      {"[12]", 2, 32},
      {"[16]", 2, 24}}},
    {"topology: torus, links: unidirectional, channel_rule: escape",
     false,
     {{"[10, 6]", 3, 32}, {"[8, 8]", 3, 16}, {"[6, 6]", 3, 48}, {"[5, 5, 5]", 3, 24}},
     {{"[12, 12]", 4, 24}, {"[7, 7]", 3, 24}, {"[9, 6]", 4, 16}}},
    {"topology: torus, links: unidirectional",
     false,
     {{"[8, 8]", 2, 32}, {"[6, 6]", 2, 16}},
     {{"[12, 12]", 2, 24}, {"[9, 5]", 2, 64}, {"[7, 7]", 2, 16}, {"[4, 4, 4]", 2, 20}}},
    {"topology: torus, channel_rule: dateline",
     false,
     {{"[6, 10]", 4, 24},
      {"[8, 8]", 4, 16},
      {"[8, 8]", 2, 32},
      {"[5, 5, 5]", 2, 16},
      {"[4, 4, 4]", 4, 32}},
     {{"[12, 12]", 2, 16}, {"[6, 6]", 2, 8}, {"[7, 9]", 4, 32}, {"[5, 4, 6]", 2, 24}}},
    {"topology: torus, links: unidirectional, channel_rule: dateline, handover: next-cycle",
     true,
     {{"[8, 8]", 4, 24}, {"[6, 6]", 2, 32}},
     {{"[12, 12]", 4, 40}, {"[7, 9]", 2, 16}, {"[10, 5]", 4, 24}}},
    {"topology: mesh",
     false,
     {{"[6, 6]", 1, 16}, {"[4, 4, 4]", 4, 20}},
     {{"[16, 8]", 1, 16},
      {"[12, 12]", 2, 24},
      {"[8, 8]", 1, 32},
      {"[8, 8]", 1, 8},
      {"[5, 5]", 1, 24},
      {"[8, 8]", 2, 32},
      {"[8, 8]", 4, 16},
      {"[5, 9]", 2, 48},
      {"[6, 6]", 3, 12},
      {"[4, 4, 4]", 2, 16},
      {"[5, 5, 5]", 1, 24}}},
    {"topology: mesh", true, {{0}}, {{"[10, 10]", 3, 32}, {"[8, 8]", 2, 16}, {"[6, 6]", 4, 32}}},
};

static void add_all(suite *s, bool held_out, const group *g, const network *networks) {
    for (; networks->radix; ++networks) {
        char keys[160], ejection[32] = "", traffic[64];
        if (g->all_ejections)
            snprintf(ejection, sizeof ejection, ", ejection_channels: %d", networks->channels);
        snprintf(keys, sizeof keys, "%s, radix: %s, virtual_channels: %d%s", g->keys,
                 networks->radix, networks->channels, ejection);
        snprintf(traffic, sizeof traffic, "message_flits: %d", networks->flits);
        suite_add(s, held_out, keys, traffic);
    }
}

static void lay_out(suite *s) {
    for (size_t i = 0; i < sizeof groups / sizeof *groups; ++i)
        add_all(s, SUITE_HELD_OUT, &groups[i], groups[i].held_out);
    for (size_t i = 0; i < sizeof groups / sizeof *groups; ++i)
        add_all(s, SUITE_DEVELOP, &groups[i], groups[i].known);
}

const suite_design torus_design = {
    .name = "torus",
    .title = "Open tori and meshes",
    .text = "Wormhole switching, one-flit buffers, uniform traffic, the channel rules high-low, "
            "escape and dateline, messages that leave one at a time or share the way out.",
    .models = models,
    .metrics = metrics,
    .max_cycles = 2e6,
    .cost = 5,
    .lay_out = lay_out,
    .draw = suite_draw_open,
    .drawn = {[SUITE_SEEN_18002] = 48,
              [SUITE_SEEN_18003] = 48,
              [SUITE_SEEN_18005] = 48,
              [SUITE_LEARNED] = 800,
              [SUITE_LEARNED_MESHES] = 262,
              [SUITE_SEEN_18011] = 60,
              [SUITE_SEEN_18021] = 92,
              [SUITE_LEARNED_18041] = 181,
              [SUITE_SEEN_18031] = 84,
              [SUITE_HELD_OUT_18061] = 84},
};
