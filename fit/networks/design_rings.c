#include "suite.h"

static const char *const models[] = {"ring-trains", "hamacher-jiang", NULL};
static const char *const metrics[] = {"latency", NULL};

/* NULL: uniform. */
static void add_all(suite *s, bool held_out, const char *const *rings, const char *const *shares,
                    size_t share_count) {
    for (; *rings; ++rings)
        for (size_t i = 0; i < share_count; ++i) {
            char network[96], traffic[64] = "";
            snprintf(network, sizeof network, "topology: ring-hierarchy, rings: %s", *rings);
            if (shares[i])
                snprintf(traffic, sizeof traffic, "locality: %s", shares[i]);
            suite_add(s, held_out, network, traffic);
        }
}

static void lay_out(suite *s) {
    static const char *const two[] = {"[4, 4]",   "[4, 64]",  "[64, 4]",  "[10, 10]",
                                      "[5, 20]",  "[20, 5]",  "[12, 48]", "[48, 12]",
                                      "[24, 24]", "[64, 64]", NULL};
    static const char *const three[] = {"[4, 4, 4]",  "[6, 6, 11]", "[7, 6, 12]", "[10, 10, 4]",
                                        "[5, 4, 20]", "[4, 20, 6]", "[12, 8, 4]", "[20, 4, 6]",
                                        "[9, 9, 9]",  "[4, 40, 4]", NULL};
    static const char *const two_more[] = {"[3, 8]",   "[8, 3]",   "[8, 8]",  "[16, 32]",
                                           "[32, 10]", "[15, 15]", "[6, 40]", NULL};
    static const char *const three_more[] = {"[8, 8, 8]",  "[3, 5, 7]",   "[16, 4, 4]",
                                             "[4, 6, 24]", "[5, 12, 12]", NULL};
    static const char *const two_shares[] = {NULL, "[0.2]", "[0.5]", "[0.8]"};
    static const char *const three_shares[] = {NULL, "[0.3, 0.3]", "[0.6, 0.3]"};
    static const char *const two_other_shares[] = {NULL, "[0.1]", "[0.35]", "[0.65]", "[0.9]"};
    static const char *const three_other_shares[] = {NULL, "[0.5, 0.2]", "[0.2, 0.5]",
                                                     "[0.75, 0.15]"};
    add_all(s, SUITE_DEVELOP, two, two_shares, 4);
    add_all(s, SUITE_DEVELOP, three, three_shares, 3);
    add_all(s, SUITE_HELD_OUT, two_more, two_other_shares, 5);
    add_all(s, SUITE_HELD_OUT, three_more, three_other_shares, 4);
}

const suite_design rings_design = {
    .name = "rings",
    .title = "Hierarchical rings",
    .text = "Rings of two and three levels, uniform and local traffic. None of these networks was "
            "used to find the constants of `ring-trains`. The saturation load follows from the "
            "flows and is exact.",
    .models = models,
    .metrics = metrics,
    .max_cycles = 2e6,
    .cost = 0.05,
    .exact_saturation = true,
    .lay_out = lay_out,
    .draw = suite_draw_rings,
    .drawn = {[SUITE_SEEN_18002] = 8,
              [SUITE_SEEN_18003] = 8,
              [SUITE_SEEN_18005] = 8,
              [SUITE_SEEN_18011] = 8,
              [SUITE_SEEN_18021] = 8,
              [SUITE_SEEN_18031] = 8,
              [SUITE_HELD_OUT_18061] = 8},
};
