/* Output channels for headers: a separable allocator in the manner of iSLIP.
 *
 * Each header asks for every free virtual channel it may take. Each virtual channel offers itself
 * to one of those that ask, in turn; each header takes one of the offers, in turn. A turn moves on
 * only when an offer of the first round is taken, so that no header waits for ever. Escape channels
 * are asked for only while none of the preferred ones is free.
 *
 * A header that finds nothing free is put aside until a channel of its router is given back; one
 * that finds no offer asks again in the next cycle. */
#include "simulators/router/router.h"

#include <assert.h>

/* The virtual channels of the mask whose next buffer has room for so many flits. */
static uint64_t roomy_channels(const fc_router *e, const fc_route_candidate *candidate,
                               uint64_t open, uint32_t places) {
    const fc_out_channel *out = &e->out[candidate->output * e->output_stride];
    uint64_t roomy = 0;
    for (uint64_t left = open; left; left &= left - 1) {
        if (out[__builtin_ctzll(left)].credits >= places)
            roomy |= left & -left;
    }
    return roomy;
}

/* The candidates of a header that count now, with the virtual channels it can be given: the
 * preferred ones while one is open. Where there are escape channels, the others must be empty
 * (network/router_network.h). */
static uint32_t open_candidates(const fc_router *e, uint32_t channel, fc_route_candidate *open) {
    const fc_in_channel *in = &e->in[channel];
    const uint32_t places =
        e->cut_through ? e->message[*fc_router_front_flit(e, channel) >> 1].flits : 0;
    if (in->candidates == 1) {
        *open = (fc_route_candidate){in->output, in->channels & e->output[in->output].free};
        if (places && !(e->network->output_end[open->output] & FC_TO_NODE))
            open->channels = roomy_channels(e, open, open->channels, places);
        return open->channels != 0;
    }
    const fc_route_candidate *candidate = &e->candidate[(size_t)channel * e->candidate_room];
    uint32_t count = 0;
    for (uint32_t i = 0; i < in->candidates; ++i) {
        if (i == in->preferred && count)
            break;
        const bool empty = i < in->preferred && in->preferred < in->candidates;
        uint64_t channels = candidate[i].channels & e->output[candidate[i].output].free;
        if (empty || places)
            channels = roomy_channels(e, &candidate[i], channels, empty ? e->buffer : places);
        if (channels)
            open[count++] = (fc_route_candidate){candidate[i].output, channels};
    }
    return count;
}

static void grant(fc_router *e, uint32_t channel, uint32_t out_channel, uint32_t number) {
    fc_in_channel *in = &e->in[channel];
    fc_output *output = &e->output[number];
    const uint64_t bit = (uint64_t)1 << (out_channel - number * e->output_stride);
    assert(output->free & bit); /* R4 */
    output->free &= ~bit;
    e->out[out_channel].owner = channel;
    in->held = out_channel;
    in->output = number;
    ++output->granted;
    output->waited += e->tick - in->asked;
    fc_wheel_add(&e->moving, e->tick + e->delay[FC_STAGE_ALLOCATION], channel);
}

static void put_aside(fc_router *e, uint32_t channel) {
    uint32_t *first = &e->put_aside[e->network->input_router[e->in[channel].input]];
    e->in[channel].next = *first;
    *first = channel;
}

/* Turns move on past what was taken. */
static void move_turns(fc_router *e, uint32_t channel, uint32_t out_channel) {
    e->out[out_channel].turn = (uint16_t)(e->in[channel].place + 1);
    e->in[channel].turn = out_channel + 1;
}

/* ---- any routers ---- */

/* Headers that find a channel open; the others are put aside. */
static uint32_t gather(fc_router *e) {
    uint32_t asking, count = 0;
    const uint64_t *channels = fc_wheel_take(&e->asking, e->tick, &asking);
    for (uint32_t i = 0; i < asking; ++i) {
        const uint32_t channel = (uint32_t)channels[i];
        fc_route_candidate open[FC_CANDIDATES_MAX];
        if (open_candidates(e, channel, open))
            e->claim[count++] = (fc_claim){.channel = channel, .target = FC_NONE};
        else
            put_aside(e, channel);
    }
    return count;
}

static uint64_t header_key(const fc_router *e, uint32_t channel, uint32_t out_channel) {
    const uint64_t rank = fc_router_rank_key(e, channel);
    if (e->oldest_first)
        return rank + e->message[*fc_router_front_flit(e, channel) >> 1].number;
    return rank + fc_behind(e->in[channel].place, e->out[out_channel].turn);
}

/* Every channel asked for chooses among the headers that ask. */
static uint32_t offer(fc_router *e, uint32_t claims) {
    uint32_t contested = 0;
    for (uint32_t i = 0; i < claims; ++i) {
        fc_claim *claim = &e->claim[i];
        if (claim->target != FC_NONE)
            continue;
        claim->key = UINT64_MAX;
        fc_route_candidate open[FC_CANDIDATES_MAX];
        const uint32_t count = open_candidates(e, claim->channel, open);
        for (uint32_t w = 0; w < count; ++w) {
            for (uint64_t left = open[w].channels; left; left &= left - 1) {
                const uint32_t out =
                    open[w].output * e->output_stride + (uint32_t)__builtin_ctzll(left);
                fc_contest *contest = &e->contest[out];
                const uint64_t key = header_key(e, claim->channel, out);
                if (contest->key == UINT64_MAX)
                    e->contested[contested++] = out;
                if (key < contest->key)
                    *contest = (fc_contest){key, i};
            }
        }
    }
    return contested;
}

/* Every header takes one of its offers. */
static void take(fc_router *e, uint32_t contested) {
    for (uint32_t i = 0; i < contested; ++i) {
        fc_contest *contest = &e->contest[e->contested[i]];
        fc_claim *claim = &e->claim[contest->winner];
        const uint64_t key = fc_behind(e->contested[i], e->in[claim->channel].turn);
        contest->key = UINT64_MAX;
        if (key < claim->key) {
            claim->key = key;
            claim->target = e->contested[i];
        }
    }
}

static void allocate_wide(fc_router *e) {
    const uint32_t claims = gather(e);
    for (uint32_t round = 0; round < e->rounds; ++round) {
        const uint32_t contested = offer(e, claims);
        if (!contested)
            break;
        take(e, contested);
        for (uint32_t i = 0; i < claims; ++i) {
            const fc_claim *claim = &e->claim[i];
            if (claim->target == FC_NONE || e->in[claim->channel].held != FC_NONE)
                continue;
            if (round == 0)
                move_turns(e, claim->channel, claim->target);
            grant(e, claim->channel, claim->target, claim->target / e->output_stride);
        }
    }
    for (uint32_t i = 0; i < claims; ++i) {
        if (e->claim[i].target == FC_NONE)
            fc_wheel_add(&e->asking, e->tick + 1, e->claim[i].channel);
    }
}

/* ---- routers of at most 64 input channels, one round, in turn, each header with one candidate
 * ---- */

/* Takes one of the virtual channels of an output, in the turn of an input channel. */
static void take_channel(fc_router *e, uint32_t channel, uint32_t output, uint64_t offers) {
    const uint32_t first = output * e->output_stride;
    const uint32_t from = e->in[channel].turn - first;
    const uint32_t taken = first + fc_first_from(offers, from < 64 ? from : 0);
    move_turns(e, channel, taken);
    grant(e, channel, taken, output);
}

/* Several headers ask for channels of one output. */
static void settle_output(fc_router *e, uint32_t number, uint64_t headers) {
    const fc_output *output = &e->output[number];
    const fc_out_channel *out = &e->out[number * e->output_stride];
    const fc_in_channel *in = &e->in[output->first_channel];
    uint64_t offers[64], winners = 0, common = UINT64_MAX;
    for (uint64_t left = headers; left; left &= left - 1)
        common &= in[__builtin_ctzll(left)].channels;
    for (uint64_t left = output->free; left; left &= left - 1) {
        const uint32_t v = (uint32_t)__builtin_ctzll(left);
        uint64_t asking = common >> v & 1 ? headers : 0;
        for (uint64_t rest = headers & ~asking; rest; rest &= rest - 1)
            asking |= in[__builtin_ctzll(rest)].channels >> v & 1 ? rest & -rest : 0;
        if (!asking)
            continue;
        const uint32_t winner = fc_first_from(asking, out[v].turn);
        const uint64_t others = winners >> winner & 1 ? offers[winner] : 0;
        offers[winner] = others | (uint64_t)1 << v;
        winners |= (uint64_t)1 << winner;
    }
    for (uint64_t left = headers; left; left &= left - 1) {
        const uint32_t place = (uint32_t)__builtin_ctzll(left);
        if (winners >> place & 1)
            take_channel(e, output->first_channel + place, number, offers[place]);
        else
            fc_wheel_add(&e->asking, e->tick + 1, output->first_channel + place);
    }
}

/* What is needed to give a channel of an output that is asked for to the first header. */
static void prefetch_grant(const fc_router *e, uint32_t number) {
    const fc_output *output = &e->output[number];
    __builtin_prefetch(&e->in[output->first_channel + (uint32_t)__builtin_ctzll(output->asked)], 1);
    __builtin_prefetch(&e->out[number * e->output_stride], 1);
}

/* The same choices as above, with a bit for each input channel; outputs do not concern each
 * other. */
static void allocate_narrow(fc_router *e) {
    uint32_t asking, contested = 0;
    const uint64_t *channels = fc_wheel_take(&e->asking, e->tick, &asking);
    for (uint32_t i = 0; i < asking; ++i) {
        const uint32_t channel = (uint32_t)channels[i];
        const fc_in_channel *in = &e->in[channel];
        if (i + 2 * FC_AHEAD < asking)
            __builtin_prefetch(&e->in[channels[i + 2 * FC_AHEAD]], 1);
        if (i + FC_AHEAD < asking) {
            const uint32_t output = e->in[channels[i + FC_AHEAD]].output;
            __builtin_prefetch(&e->output[output], 1);
            __builtin_prefetch(&e->out[output * e->output_stride], 1);
        }
        fc_output *output = &e->output[in->output];
        if (!(in->channels & output->free)) {
            put_aside(e, channel);
            continue;
        }
        e->contested[contested] = in->output;
        contested += output->asked == 0;
        output->asked |= (uint64_t)1 << in->place;
    }
    for (uint32_t i = 0; i < contested; ++i) {
        const uint32_t number = e->contested[i];
        fc_output *output = &e->output[number];
        const uint64_t headers = output->asked;
        output->asked = 0;
        if (i + 2 * FC_AHEAD < contested)
            __builtin_prefetch(&e->output[e->contested[i + 2 * FC_AHEAD]], 1);
        if (i + FC_AHEAD < contested)
            prefetch_grant(e, e->contested[i + FC_AHEAD]);
        const uint32_t channel = output->first_channel + (uint32_t)__builtin_ctzll(headers);
        if (headers & (headers - 1))
            settle_output(e, number, headers);
        else
            take_channel(e, channel, number, e->in[channel].channels & output->free);
    }
}

void fc_router_allocate_channels(fc_router *e) {
    if (e->narrow && !e->several_candidates && !e->cut_through)
        allocate_narrow(e);
    else
        allocate_wide(e);
}
