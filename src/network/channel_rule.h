/* Which virtual channels of its next link a message may take: the rules that keep tori free of
 * deadlock (network.channel_rule).
 *
 *   high-low  2 channels, chosen anew at every hop: high (1) if the destination's digit is above
 *             that of the node the link leaves, else low (0).
 *   dateline  the lower half of the channels until the message has crossed the wrap-around link of
 *             its ring, the upper half afterwards.
 *   escape    channels 2 and up are free to all; 0 and 1 as in high-low for those that find none.
 *   free      any channel.
 *   wrapping  the upper half of the channels for a message that crosses the wrap-around link of its
 *             ring, from its first link there on; the lower half for the others.
 *
 * With high-low, dateline and escape the channels a message may have to wait for are ordered along
 * its route - low before the wrap-around link, high after it for growing digits, the reverse for
 * falling ones - so no circle of messages can wait for each other. With wrapping, messages of the
 * upper half have no common circle as long as their paths are shortest and links are bidirectional:
 * none reaches half-way round. */
#ifndef FC_NETWORK_CHANNEL_RULE_H
#define FC_NETWORK_CHANNEL_RULE_H

#include "network/geometry.h"

typedef struct fc_channel_rule {
    int rule;          /* FC_HIGH_LOW ... */
    uint32_t channels; /* virtual channels of a link */
    uint64_t all;      /* mask of all of them */
    uint64_t lower;    /* dateline: before the wrap-around link; wrapping: if it is not crossed */
    uint64_t shared;   /* escape: free to all */
} fc_channel_rule;

/* Masks of virtual channels of one link. */
typedef struct fc_eligible {
    uint64_t own;    /* the channels the rule assigns */
    uint64_t shared; /* escape: taken first where free */
} fc_eligible;

fc_channel_rule fc_channel_rule_make(const fc_torus *torus);
/* The same rule over fewer channels: those of one class of messages, numbered from 0. */
fc_channel_rule fc_channel_rule_over(int rule, uint32_t channels);

/* at, to, from: the digits of the node the link leaves, the destination and the source in the
 * dimension of the link. */
static inline fc_eligible fc_channel_rule_eligible(const fc_channel_rule *rule, uint32_t at,
                                                   uint32_t to, uint32_t from, bool rising) {
    switch (rule->rule) {
    case FC_HIGH_LOW:
        return (fc_eligible){.own = to > at ? 2 : 1};
    case FC_ESCAPE:
        return (fc_eligible){.own = to > at ? 2 : 1, .shared = rule->shared};
    case FC_DATELINE:
        /* A shortest route never passes its source again: beyond it means wrapped. */
        return (fc_eligible){.own = (rising ? at < from : at > from) ? rule->all & ~rule->lower
                                                                     : rule->lower};
    case FC_WRAPPING:
        return (fc_eligible){.own = (rising ? to < from : to > from) ? rule->all & ~rule->lower
                                                                     : rule->lower};
    default:
        return (fc_eligible){.own = rule->all};
    }
}

#endif
