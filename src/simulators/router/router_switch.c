/* The crossbar: a separable allocator in the manner of iSLIP, and the flits it lets through.
 *
 * A flit asks for its output if the buffer at the end has a place. Each output offers itself to one
 * of the ways in that ask, in turn, and of their virtual channels to one, in turn; each way in
 * takes one of the offers, in turn. Turns move on when an offer of the first round is taken. */
#include "simulators/router/router.h"

#include <assert.h>

enum { USED = 0 }; /* key of an output or way in that lets a flit through in this cycle */

/* A tail has left: its channels are given back, and the next header comes to the front. */
static void finish_message(fc_router *e, uint32_t channel, uint32_t router, uint32_t output) {
    fc_in_channel *in = &e->in[channel];
    fc_out_channel *out = &e->out[in->held];
    const uint32_t held = in->held;
    in->held = FC_NONE;
    in->front = FC_FRONT_EMPTY;
    out->owner = FC_NONE;
    if (!e->when_empty) {
        fc_router_release_channel(e, held, output, router);
    } else {
        out->finished = 1;
        if (out->target & FC_TO_NODE)
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
        e->fronts[in->place >> 6] |= (uint64_t)1 << (in->place & 63);
    else
        fc_wheel_add(&e->stages, e->time + 1 + routing, channel);
}

/* The flit at the front leaves its buffer. */
static void move(fc_router *e, uint32_t channel, uint32_t router) {
    fc_in_channel *in = &e->in[channel];
    const uint32_t number = e->network->output_first[router] + in->output;
    fc_output *output = &e->output[number];
    fc_out_channel *out = &e->out[in->held];
    const uint32_t flit = *fc_router_front_flit(e, channel);
    const bool to_node = out->target & FC_TO_NODE;
    assert(in->count && out->owner == channel); /* R4 */
    in->first = (uint16_t)((in->first + 1u) & ((1u << e->buffer_bits) - 1));
    --in->count;
    ++output->crossed;
    fc_wheel_add(&e->credits, e->time + in->credit_delay, in->upstream);
    /* Of what goes to a node only the tail matters. */
    const bool tail = flit & 1;
    fc_wheel_add_if(&e->flits, e->time + output->delay, out->target | (uint64_t)flit << 32,
                    !to_node | tail);
    assert(out->credits); /* R1 */
    out->credits -= !to_node;
    e->hops += !to_node;
    const bool stays = !tail & (in->count != 0) & (out->credits != 0);
    uint64_t *ready = fc_router_mask(e, router, FC_MASK_READY) + (in->place >> 6);
    *ready &= ~((uint64_t)!stays << (in->place & 63));
    if (tail)
        finish_message(e, channel, router, number);
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
    output->turn = (uint16_t)(in->way + 1u == span->ways ? 0 : in->way + 1u);
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

/* ---- routers of at most 64 input channels, one round, in turn ---- */

/* The first bit of a mask from `turn` on, round the end. */
static uint32_t first_from(uint64_t mask, uint32_t turn) {
    const uint64_t later = mask & UINT64_MAX << turn;
    return (uint32_t)__builtin_ctzll(later ? later : mask);
}

/* The input channel (of the router) for which a way in takes the offer of an output. */
static uint32_t choose_channel(const fc_router *e, const fc_in_channel *in, uint64_t ready,
                               uint32_t way, uint32_t output, uint32_t turn) {
    if (e->ways == e->virtual_channels)
        return way;
    const uint32_t first = (e->ways == 1 ? way : way / e->ways) * e->virtual_channels;
    const uint64_t mine = ready >> first & e->all_channels;
    if (!(mine & (mine - 1)))
        return first + (uint32_t)__builtin_ctzll(mine);
    uint64_t fit = 0;
    for (uint64_t left = mine; left; left &= left - 1) {
        const fc_in_channel *one = &in[first + (uint32_t)__builtin_ctzll(left)];
        if (one->output == output && one->way == way)
            fit |= left & -left;
    }
    return first + first_from(fit, turn);
}

/* The same choices as above, with a bit for each way in and output. */
static void allocate_narrow(fc_router *e, uint32_t router, const router_span *span) {
    const fc_router_network *network = e->network;
    const uint64_t ready = *fc_router_mask(e, router, FC_MASK_READY);
    const uint32_t base = network->input_first[router] * e->virtual_channels;
    const fc_in_channel *in = &e->in[base];
    const fc_output *output = &e->output[network->output_first[router]];
    fc_way_in *way_in = &e->way_in[span->first_way];
    uint64_t outputs = 0, ways = 0;
    for (uint64_t left = ready; left; left &= left - 1) {
        const fc_in_channel *one = &in[__builtin_ctzll(left)];
        e->asked[one->output] |= (uint64_t)1 << one->way;
        outputs |= (uint64_t)1 << one->output;
    }
    for (uint64_t left = outputs; left; left &= left - 1) {
        const uint32_t o = (uint32_t)__builtin_ctzll(left);
        const uint32_t way = first_from(e->asked[o], output[o].turn);
        e->asked[o] = 0;
        e->offered[way] |= left & -left;
        ways |= (uint64_t)1 << way;
    }
    for (uint64_t left = ways; left; left &= left - 1) {
        const uint32_t way = (uint32_t)__builtin_ctzll(left);
        const uint32_t o = first_from(e->offered[way], way_in[way].turn);
        e->offered[way] = 0;
        const uint32_t place = choose_channel(e, in, ready, way, o, way_in[way].channel);
        move_turns(e, span, router, &in[place]);
        move_channel_turn(e, span, &in[place]);
        move(e, base + place, router);
    }
}

/* ---- all routers ---- */

static void allocate_wide(fc_router *e, uint32_t router, const router_span *span) {
    const uint32_t claims = gather(e, router);
    for (uint32_t round = 0; round < e->rounds; ++round) {
        const uint32_t contested = offer(e, span, router, claims);
        if (!contested)
            break;
        compare_offers(e, span, contested);
        take_offers(e, span, router, contested, round == 0);
    }
    for (uint32_t i = 0; i < claims; ++i) {
        e->contest[e->claim[i].target].key = UINT64_MAX;
        e->offer[e->in[e->claim[i].channel].way].key = UINT64_MAX;
    }
}

void fc_router_allocate_switch(fc_router *e, uint32_t router) {
    const fc_router_network *network = e->network;
    const uint32_t first_input = network->input_first[router];
    const router_span span = {
        .first_way = first_input * e->ways,
        .ways = (network->input_first[router + 1] - first_input) * e->ways,
        .outputs = network->output_first[router + 1] - network->output_first[router],
    };
    if (e->narrow)
        allocate_narrow(e, router, &span);
    else
        allocate_wide(e, router, &span);
}
