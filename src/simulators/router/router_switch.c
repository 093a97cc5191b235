/* The crossbar: a separable allocator in the manner of iSLIP, and the flits it lets through.
 *
 * A flit asks for its output if the buffer at the end has a place. Each output offers itself to one
 * of the ways in that ask, in turn, and of their virtual channels to one, in turn; each way in
 * takes one of the offers, in turn. Turns move on when an offer of the first round is taken. */
#include "simulators/router/router.h"

#include <assert.h>

enum { USED = 0 }; /* key of an output or way in that lets a flit through in this cycle */

/* The flit at the front leaves its buffer. */
static void move(fc_router *e, uint32_t channel, uint32_t router) {
    fc_in_channel *in = &e->in[channel];
    const uint32_t number = e->network->output_first[router] + in->output;
    fc_output *output = &e->output[number];
    fc_out_channel *out = &e->out[in->held];
    const uint32_t flit = *fc_router_front_flit(e, channel);
    const bool to_node = out->target & FC_TO_NODE;
    uint64_t *ready = fc_router_mask(e, router, FC_MASK_READY) + (in->place >> 6);
    const uint64_t bit = (uint64_t)1 << (in->place & 63);
    assert(in->count && out->owner == channel); /* R4 */
    in->first = (uint16_t)((in->first + 1u) & ((1u << e->buffer_bits) - 1));
    --in->count;
    fc_wheel_add(&e->credits,
                 e->time + e->credit_delay[(channel - in->channel) / e->virtual_channels],
                 in->upstream);
    ++output->crossed;
    if (!to_node) {
        assert(out->credits); /* R1 */
        --out->credits;
        ++e->hops;
        fc_wheel_add(&e->flits, e->time + output->delay, out->target | (uint64_t)flit << 32);
    } else if (flit & 1) {
        fc_wheel_add(&e->flits, e->time + output->delay, out->target | (uint64_t)flit << 32);
    }
    if (!(flit & 1)) {
        if (!in->count || !out->credits)
            *ready &= ~bit;
        return;
    }
    *ready &= ~bit;
    const uint32_t held = in->held;
    in->held = FC_NONE;
    out->owner = FC_NONE;
    in->front = FC_FRONT_EMPTY;
    if (!e->when_empty) {
        fc_router_release_channel(e, held, number, router);
    } else {
        out->finished = 1;
        if (to_node)
            fc_wheel_add(&e->credits, e->time + e->eject_credit_delay, held);
    }
    if (!in->count)
        return;
    fc_router_header_at_front(e, channel);
    const uint32_t routing = e->delay[FC_STAGE_ROUTING];
    e->header[channel].asked = e->time + 1 + routing;
    if (routing == 0)
        fc_router_mark(e, in, FC_MASK_ASKING);
    else if (routing == 1)
        e->fronts[in->place >> 6] |= bit;
    else
        fc_wheel_add(&e->stages, e->time + 1 + routing, channel);
}

typedef struct router_span {
    uint32_t first_way, ways, outputs;
} router_span;

/* Input channels with a flit to send. */
static uint32_t gather(fc_router *e, uint32_t router) {
    const uint64_t *ready = fc_router_mask(e, router, FC_MASK_READY);
    const uint32_t base = e->network->input_first[router] * e->virtual_channels;
    uint32_t count = 0;
    for (uint32_t w = 0; w < e->words; ++w) {
        for (uint64_t left = ready[w]; left; left &= left - 1) {
            const uint32_t channel = base + w * 64 + (uint32_t)__builtin_ctzll(left);
            e->claim[count++] = (fc_claim){.channel = channel, .target = e->in[channel].output};
        }
    }
    return count;
}

/* Way in first, virtual channel second, each by its turn. */
static uint64_t flit_key(const fc_router *e, const router_span *span, const fc_claim *claim,
                         uint32_t turn) {
    const fc_in_channel *in = &e->in[claim->channel];
    if (e->oldest_first)
        return 1 + e->message[*fc_router_front_flit(e, claim->channel) >> 1].number;
    const uint64_t way = fc_behind(in->way, turn, span->ways);
    const uint32_t first = e->way_in[span->first_way + in->way].channel;
    return 1 + (way << 32 | fc_behind(in->channel, first, e->virtual_channels));
}

/* Every output asked for chooses a claim, unless it or the way in is used already. */
static uint32_t offer(fc_router *e, const router_span *span, uint32_t router, uint32_t claims) {
    const fc_output *output = &e->output[e->network->output_first[router]];
    uint32_t contested = 0;
    for (uint32_t i = 0; i < claims; ++i) {
        const fc_claim *claim = &e->claim[i];
        fc_contest *contest = &e->contest[claim->target];
        if (contest->key == USED || e->offer[e->in[claim->channel].way].key == USED)
            continue;
        const uint64_t key = flit_key(e, span, claim, output[claim->target].turn);
        if (contest->key == UINT64_MAX)
            e->contested[contested++] = claim->target;
        if (key < contest->key)
            *contest = (fc_contest){key, i};
    }
    return contested;
}

/* What an output chose is an offer to a way in, which keeps the best. */
static void compare_offers(fc_router *e, const router_span *span, uint32_t contested) {
    for (uint32_t i = 0; i < contested; ++i) {
        const fc_contest *contest = &e->contest[e->contested[i]];
        const uint32_t way = e->in[e->claim[contest->winner].channel].way;
        const uint32_t turn = e->way_in[span->first_way + way].turn;
        const uint64_t key =
            e->oldest_first ? contest->key : 1 + fc_behind(e->contested[i], turn, span->outputs);
        if (key < e->offer[way].key)
            e->offer[way] = (fc_contest){key, contest->winner};
    }
}

static void move_turns(fc_router *e, const router_span *span, uint32_t router,
                       const fc_in_channel *in) {
    fc_way_in *way = &e->way_in[span->first_way + in->way];
    fc_output *output = &e->output[e->network->output_first[router] + in->output];
    output->turn = (uint16_t)(in->way + 1 == span->ways ? 0 : in->way + 1);
    way->turn = (uint16_t)(in->output + 1u == span->outputs ? 0 : in->output + 1u);
}

/* The turn among the virtual channels of a way in moves on with every flit. */
static void move_channel_turn(fc_router *e, const router_span *span, const fc_in_channel *in) {
    const uint32_t next = in->channel + e->ways;
    e->way_in[span->first_way + in->way].channel =
        (uint16_t)(next < e->virtual_channels ? next : next % e->ways);
}

static void take_offers(fc_router *e, const router_span *span, uint32_t router, uint32_t contested,
                        bool first_round) {
    for (uint32_t i = 0; i < contested; ++i) {
        fc_contest *contest = &e->contest[e->contested[i]];
        const uint32_t channel = e->claim[contest->winner].channel;
        const fc_in_channel *in = &e->in[channel];
        fc_contest *best = &e->offer[in->way];
        if (best->key == USED || best->winner != contest->winner) {
            contest->key = UINT64_MAX;
            continue;
        }
        contest->key = best->key = USED;
        if (first_round)
            move_turns(e, span, router, in);
        move_channel_turn(e, span, in);
        move(e, channel, router);
    }
}

void fc_router_allocate_switch(fc_router *e, uint32_t router) {
    const fc_router_network *network = e->network;
    const router_span span = {
        .first_way = network->input_first[router] * e->ways,
        .ways = (network->input_first[router + 1] - network->input_first[router]) * e->ways,
        .outputs = network->output_first[router + 1] - network->output_first[router],
    };
    const uint32_t claims = gather(e, router);
    if (claims == 1) {
        const uint32_t channel = e->claim[0].channel;
        move_turns(e, &span, router, &e->in[channel]);
        move_channel_turn(e, &span, &e->in[channel]);
        move(e, channel, router);
        return;
    }
    for (uint32_t round = 0; round < e->rounds; ++round) {
        const uint32_t contested = offer(e, &span, router, claims);
        if (!contested)
            break;
        compare_offers(e, &span, contested);
        take_offers(e, &span, router, contested, round == 0);
    }
    for (uint32_t i = 0; i < claims; ++i) {
        e->contest[e->claim[i].target].key = UINT64_MAX;
        e->offer[e->in[e->claim[i].channel].way].key = UINT64_MAX;
    }
}
