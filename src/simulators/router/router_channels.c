/* Output channels for headers: a separable allocator in the manner of iSLIP.
 *
 * Each header asks for every free virtual channel it may take. Each virtual channel offers itself
 * to one of those that ask, in turn; each header takes one of the offers, in turn. A turn moves on
 * only when an offer of the first round is taken, so that no header waits for ever. Escape channels
 * are asked for only while none of the preferred ones is free.
 *
 * A header that finds nothing free is put aside until a channel of its router is given back. */
#include "simulators/router/router.h"

#include <assert.h>

/* Those of the virtual channels with places for so many flits. */
static uint64_t roomy_channels(const fc_router *e, const fc_way *way, uint64_t open,
                               uint32_t places) {
    const fc_out_channel *out = &e->out[way->output * e->output_stride];
    uint64_t roomy = 0;
    for (uint64_t left = open; left; left &= left - 1) {
        if (out[__builtin_ctzll(left)].credits >= places)
            roomy |= left & -left;
    }
    return roomy;
}

/* The ways of a header that count now, with the virtual channels it can be given: the preferred
 * ones while one is open. Where there are escape channels, the others must be empty
 * (network/router_network.h). */
static uint32_t open_ways(const fc_router *e, uint32_t channel, fc_way *open) {
    const fc_header *header = &e->header[channel];
    const uint32_t places = e->cut_through ? e->message[header->message].flits : 0;
    if (header->ways == 1) {
        *open = (fc_way){header->output, header->channels & e->output[header->output].free};
        if (places && !(e->network->output_end[open->output] & FC_TO_NODE))
            open->channels = roomy_channels(e, open, open->channels, places);
        return open->channels != 0;
    }
    const fc_way *way = &e->way[(size_t)channel * e->way_room];
    uint32_t count = 0;
    for (uint32_t i = 0; i < header->ways; ++i) {
        if (i == header->preferred && count)
            break;
        const bool empty = i < header->preferred && header->preferred < header->ways;
        uint64_t channels = way[i].channels & e->output[way[i].output].free;
        if (empty || places)
            channels = roomy_channels(e, &way[i], channels, empty ? e->buffer : places);
        if (channels)
            open[count++] = (fc_way){way[i].output, channels};
    }
    return count;
}

static void grant(fc_router *e, uint32_t channel, uint32_t out_channel, uint32_t number) {
    fc_in_channel *in = &e->in[channel];
    const fc_header *header = &e->header[channel];
    fc_output *output = &e->output[number];
    const uint64_t bit = (uint64_t)1 << (out_channel - number * e->output_stride);
    uint64_t *asking = fc_router_mask(e, in->router, FC_MASK_ASKING);
    assert(output->free & bit); /* R4 */
    output->free &= ~bit;
    e->out[out_channel].owner = channel;
    in->held = out_channel;
    in->output = output->local;
    asking[in->place >> 6] &= ~((uint64_t)1 << (in->place & 63));
    ++output->granted;
    output->waited += e->time - header->asked;
    if (e->delay[FC_STAGE_ALLOCATION] == 0)
        fc_router_start_moving(e, channel);
    else if (e->delay[FC_STAGE_ALLOCATION] == 1)
        e->granted[e->granted_count++] = channel;
    else
        fc_wheel_add(&e->stages, e->time + e->delay[FC_STAGE_ALLOCATION], channel);
}

/* Headers that find a channel open; the others are put aside. */
static uint32_t gather(fc_router *e, uint32_t router) {
    uint64_t *asking = fc_router_mask(e, router, FC_MASK_ASKING);
    uint64_t *blocked = fc_router_mask(e, router, FC_MASK_BLOCKED);
    const uint32_t base = e->network->input_first[router] * e->virtual_channels;
    uint32_t count = 0;
    for (uint32_t w = 0; w < e->words; ++w) {
        for (uint64_t left = asking[w]; left; left &= left - 1) {
            const uint32_t channel = base + w * 64 + (uint32_t)__builtin_ctzll(left);
            fc_way open[FC_WAYS_MAX];
            if (open_ways(e, channel, open)) {
                e->claim[count++] = (fc_claim){.channel = channel, .target = FC_NONE};
            } else {
                blocked[w] |= left & -left;
                asking[w] &= ~(left & -left);
            }
        }
    }
    return count;
}

/* In units of the router: its input channels, its output channels. */
typedef struct router_span {
    uint32_t first_out, in_size, out_size;
} router_span;

static uint64_t header_key(const fc_router *e, const router_span *span, uint32_t channel,
                           uint32_t out_channel) {
    if (e->oldest_first)
        return e->message[e->header[channel].message].number;
    return fc_behind(e->in[channel].place, e->out[out_channel].turn, span->in_size);
}

/* Every channel asked for chooses among the headers that ask. */
static uint32_t offer(fc_router *e, const router_span *span, uint32_t claims) {
    uint32_t contested = 0;
    for (uint32_t i = 0; i < claims; ++i) {
        fc_claim *claim = &e->claim[i];
        if (claim->target != FC_NONE)
            continue;
        claim->key = UINT64_MAX;
        fc_way open[FC_WAYS_MAX];
        const uint32_t ways = open_ways(e, claim->channel, open);
        for (uint32_t w = 0; w < ways; ++w) {
            for (uint64_t left = open[w].channels; left; left &= left - 1) {
                const uint32_t out =
                    open[w].output * e->output_stride + (uint32_t)__builtin_ctzll(left);
                fc_contest *contest = &e->contest[out - span->first_out];
                const uint64_t key = header_key(e, span, claim->channel, out);
                if (contest->key == UINT64_MAX)
                    e->contested[contested++] = out - span->first_out;
                if (key < contest->key)
                    *contest = (fc_contest){key, i};
            }
        }
    }
    return contested;
}

/* Every header takes one of its offers. */
static void take(fc_router *e, const router_span *span, uint32_t contested) {
    for (uint32_t i = 0; i < contested; ++i) {
        fc_contest *contest = &e->contest[e->contested[i]];
        fc_claim *claim = &e->claim[contest->winner];
        const uint64_t key =
            fc_behind(e->contested[i], e->out_turn[claim->channel], span->out_size);
        contest->key = UINT64_MAX;
        if (key < claim->key) {
            claim->key = key;
            claim->target = e->contested[i];
        }
    }
}

static void move_turns(fc_router *e, const router_span *span, uint32_t channel, uint32_t target) {
    const uint32_t place = e->in[channel].place + 1u;
    e->out[span->first_out + target].turn = (uint16_t)(place == span->in_size ? 0 : place);
    e->out_turn[channel] = (uint16_t)(target + 1 == span->out_size ? 0 : target + 1);
}

/* ---- routers of at most 64 input channels, one round, in turn, each header with one way ---- */

static uint32_t first_from(uint64_t mask, uint32_t turn) {
    const uint64_t later = mask & UINT64_MAX << turn;
    return (uint32_t)__builtin_ctzll(later ? later : mask);
}

/* Takes one of the virtual channels of an output, in the turn of an input channel. first: number of
 * the output's first channel in the router. */
static void take_channel(fc_router *e, const router_span *span, uint32_t channel, uint32_t output,
                         uint64_t offers) {
    const uint32_t first = output * e->output_stride - span->first_out;
    const uint32_t turn = e->out_turn[channel];
    const uint32_t from = turn > first && turn - first < 64 ? turn - first : 0;
    const uint32_t target = first + first_from(offers, from);
    move_turns(e, span, channel, target);
    grant(e, channel, span->first_out + target, output);
}

/* Several headers ask for channels of one output. */
static void settle_output(fc_router *e, const router_span *span, uint32_t base, uint32_t output,
                          uint64_t headers) {
    const fc_out_channel *out = &e->out[output * e->output_stride];
    uint64_t winners = 0;
    for (uint64_t left = e->output[output].free; left; left &= left - 1) {
        const uint32_t v = (uint32_t)__builtin_ctzll(left);
        uint64_t asking = 0;
        for (uint64_t rest = headers; rest; rest &= rest - 1) {
            const fc_header *header = &e->header[base + (uint32_t)__builtin_ctzll(rest)];
            asking |= header->channels >> v & 1 ? rest & -rest : 0;
        }
        if (!asking)
            continue;
        const uint32_t winner = first_from(asking, out[v].turn);
        e->offered[winner] |= (uint64_t)1 << v;
        winners |= (uint64_t)1 << winner;
    }
    for (uint64_t left = winners; left; left &= left - 1) {
        const uint32_t place = (uint32_t)__builtin_ctzll(left);
        const uint64_t offers = e->offered[place];
        e->offered[place] = 0;
        take_channel(e, span, base + place, output, offers);
    }
}

/* The same choices as above, with a bit for each input channel; outputs do not concern each
 * other. */
static void allocate_narrow(fc_router *e, uint32_t router, const router_span *span) {
    uint64_t *asking = fc_router_mask(e, router, FC_MASK_ASKING);
    uint64_t *blocked = fc_router_mask(e, router, FC_MASK_BLOCKED);
    const uint32_t base = e->network->input_first[router] * e->virtual_channels;
    const uint32_t first_output = e->network->output_first[router];
    uint64_t outputs = 0;
    for (uint64_t left = *asking; left; left &= left - 1) {
        const fc_header *header = &e->header[base + (uint32_t)__builtin_ctzll(left)];
        const uint32_t local = header->output - first_output;
        if (header->channels & e->output[header->output].free) {
            e->asked[local] |= left & -left;
            outputs |= (uint64_t)1 << local;
        } else {
            *blocked |= left & -left;
            *asking &= ~(left & -left);
        }
    }
    for (uint64_t left = outputs; left; left &= left - 1) {
        const uint32_t local = (uint32_t)__builtin_ctzll(left);
        const uint32_t output = first_output + local;
        const uint64_t headers = e->asked[local];
        e->asked[local] = 0;
        const uint32_t channel = base + (uint32_t)__builtin_ctzll(headers);
        if (headers & (headers - 1))
            settle_output(e, span, base, output, headers);
        else
            take_channel(e, span, channel, output,
                         e->header[channel].channels & e->output[output].free);
    }
}

/* ---- all routers ---- */

static void allocate_wide(fc_router *e, uint32_t router, const router_span *span) {
    const uint32_t claims = gather(e, router);
    for (uint32_t round = 0; claims && round < e->rounds; ++round) {
        const uint32_t contested = offer(e, span, claims);
        if (!contested)
            return;
        take(e, span, contested);
        for (uint32_t i = 0; i < claims; ++i) {
            fc_claim *claim = &e->claim[i];
            if (claim->target == FC_NONE || e->in[claim->channel].held != FC_NONE)
                continue;
            const uint32_t out = span->first_out + claim->target;
            if (round == 0)
                move_turns(e, span, claim->channel, claim->target);
            grant(e, claim->channel, out, out / e->output_stride);
        }
    }
}

void fc_router_allocate_channels(fc_router *e, uint32_t router) {
    const fc_router_network *network = e->network;
    const uint32_t first_input = network->input_first[router];
    const uint32_t first_output = network->output_first[router];
    const router_span span = {
        .first_out = first_output * e->output_stride,
        .in_size = (network->input_first[router + 1] - first_input) * e->virtual_channels,
        .out_size = (network->output_first[router + 1] - first_output) * e->output_stride,
    };
    if (e->narrow && !e->several_ways && !e->cut_through)
        allocate_narrow(e, router, &span);
    else
        allocate_wide(e, router, &span);
}
