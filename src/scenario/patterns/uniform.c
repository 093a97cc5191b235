/* uniform: every other node alike. */
#include "scenario/patterns/pattern.h"

uint32_t fc_draw_any(const fc_traffic *traffic, fc_random *random, uint32_t source) {
    if (traffic->to_self)
        return fc_random_below(random, traffic->nodes);
    const uint32_t node = fc_random_below(random, traffic->nodes - 1);
    return node + (node >= source ? 1u : 0u);
}

double fc_share_any(const fc_traffic *traffic, uint32_t source, uint32_t to) {
    if (traffic->to_self)
        return 1.0 / traffic->nodes;
    return to == source ? 0 : 1.0 / (traffic->nodes - 1);
}

const fc_pattern_info fc_pattern_uniform = {.draw = fc_draw_any, .share = fc_share_any};
