#include "network/channel_rule.h"

fc_channel_rule fc_channel_rule_make(const fc_torus *torus) {
    return fc_channel_rule_over(torus->channel_rule, (uint32_t)torus->virtual_channels);
}

fc_channel_rule fc_channel_rule_over(int kind, uint32_t channels) {
    fc_channel_rule rule = {.rule = kind,
                            .channels = channels,
                            .all = channels == 64 ? UINT64_MAX : ((uint64_t)1 << channels) - 1};
    rule.lower = ((uint64_t)1 << (channels + 1) / 2) - 1; /* the busier half has the odd one */
    rule.shared = rule.all & ~(uint64_t)3;
    return rule;
}
