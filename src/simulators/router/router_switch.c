/* The crossbar: a separable allocator in the manner of iSLIP, and the flits it lets through.
 *
 * A flit asks for its output if the buffer at the end has a free slot. Each output offers itself to
 * one of the crossbar ports that ask, in turn, and of their virtual channels to one, in turn; each
 * crossbar port takes one of the offers, in turn. Turns move on when an offer of the first round is
 * taken. */
#include "simulators/router/router.h"

#include <assert.h>
#include "simulators/router/router_team.h"

enum { USED = 0 }; /* key of an output or crossbar port that lets a flit through in this cycle */

/* Headers with a channel, and all stages of theirs behind them, ask for the crossbar. */
static void start_moving(fc_router *e) {
    uint32_t count;
    const uint64_t *channels = fc_wheel_take(&e->moving, e->tick, &count);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t channel = (uint32_t)channels[i];
        fc_in_channel *in = &e->in[channel];
        if (i + 2 * FC_AHEAD < count)
            __builtin_prefetch(&e->in[channels[i + 2 * FC_AHEAD]], 1);
        if (i + FC_AHEAD < count)
            __builtin_prefetch(&e->out[e->in[channels[i + FC_AHEAD]].held]);
        in->front = FC_FRONT_MOVING;
        fc_router_ready_if(e, channel, e->out[in->held].credits);
    }
}

/* A tail has left: its channels are given back, and the next header comes to the front. */
static void finish_message(fc_router *e, uint32_t channel) {
    fc_in_channel *in = &e->in[channel];
    fc_out_channel *out = &e->out[in->held];
    if (!e->when_empty) {
        fc_router_release_channel(e, in->held, in->output, e->tick + 1);
    } else {
        out->finished = 1;
        if (out->target & FC_TO_NODE && !e->pace)
            fc_wheel_add(&e->credits, e->time + e->eject_credit_delay, in->held);
    }
    out->owner = FC_NONE;
    in->held = FC_NONE;
    if (e->fork && fc_router_fork_again(e, channel))
        return;
    in->front = FC_FRONT_EMPTY;
    if (in->count)
        fc_router_header_at_front(e, channel, e->tick + 1 + e->delay[FC_STAGE_ROUTING]);
}

/* When a flit for an output that takes them at a pace of its own arrives, if it would arrive at
 * `due` without others before it. A node's buffers then have credits like a router's: what the
 * switch puts behind an output is never more than they take. */
static uint64_t pace(fc_router *e, uint32_t channel, uint64_t due) {
    const fc_in_channel *in = &e->in[channel];
    fc_pace *pace = &e->pace[in->output];
    const uint64_t earliest = due << FC_PACE_BITS;
    const uint64_t taken = earliest > pace->next ? earliest : pace->next;
    const uint64_t arrives = (taken + ((uint64_t)1 << FC_PACE_BITS) - 1) >> FC_PACE_BITS;
    pace->next = taken + pace->interval;
    if (e->out[in->held].target & FC_TO_NODE)
        fc_wheel_add(&e->credits, arrives + e->node_delay - 1 + (uint32_t)e->routed->credit_delay,
                     in->held);
    return arrives;
}

static void send_credit(fc_router *e, uint64_t when, uint32_t upstream) {
    if (e->team && !(upstream & FC_TO_NODE) && upstream - e->own.out >= e->own.outs)
        fc_team_send_credit(e, when, upstream);
    else
        fc_wheel_add(&e->credits, when, upstream);
}

/* Of what goes to a node only the tail matters. */
static void send_flit(fc_router *e, uint64_t when, uint32_t target, uint32_t flit) {
    const uint64_t event = target | (uint64_t)flit << 32;
    const bool to_node = target & FC_TO_NODE;
    if (e->team && !to_node && target - e->own.in >= e->own.ins)
        fc_team_send_flit(e, when, event);
    else
        fc_wheel_add_if(&e->flits, when, event, !to_node || (flit & 1));
}

/* The flit at the front leaves its buffer. */
static void move(fc_router *e, uint32_t channel) {
    fc_in_channel *in = &e->in[channel];
    fc_output *output = &e->output[in->output];
    fc_out_channel *out = &e->out[in->held];
    uint32_t flit = *fc_router_front_flit(e, channel);
    const bool to_node = out->target & FC_TO_NODE;
    assert(in->count && out->owner == channel); /* R4 */
    in->first = (uint16_t)((in->first + 1u) & ((1u << e->buffer_bits) - 1));
    --in->count;
    ++output->crossed;
    const uint64_t back = e->credit_base + in->credit_delay;
    if (!e->fork || fc_router_flit_leaves(e, channel, &flit))
        send_credit(e, back + (back == e->time), in->upstream); /* not to be used in this cycle */
    const bool tail = flit & 1;
    uint64_t arrives = e->flit_base + output->delay;
    if (e->pace)
        arrives = pace(e, channel, arrives);
    send_flit(e, arrives, out->target, flit);
    if (in->header && !to_node)
        fc_router_header_leaves(e, flit >> 1, out->target / e->virtual_channels);
    in->header = false;
    assert(out->credits); /* R1 */
    out->credits -= !to_node | (e->pace != NULL);
    e->hops += !to_node;
    const bool stays = !tail & (in->count != 0) & (out->credits != 0);
    e->ready[channel >> 6] &= ~((uint64_t)!stays << (channel & 63));
    if (tail)
        finish_message(e, channel);
}

/* Turns move on past what was taken: those between outputs and crossbar ports, if an offer of the
 * first round was, and that among the virtual channels of a crossbar port with every flit. */
static void move_turns(fc_router *e, const fc_in_channel *in, bool first_round) {
    fc_output *output = &e->output[in->output];
    fc_crossbar_port *port = &e->crossbar_port[output->first_port + in->port];
    port->channel = (uint16_t)(in->index + 1);
    if (!first_round)
        return;
    output->turn = (uint16_t)(in->spot - in->index + e->port_size);
    port->turn = (uint16_t)(output->local + 1);
}

/* ---- any routers ---- */

/* Input channels with a flit to send. */
static uint32_t gather(fc_router *e) {
    uint32_t count = 0;
    for (uint32_t w = e->own.ready; w < e->own.ready_end; ++w) {
        for (uint64_t left = e->ready[w]; left; left &= left - 1) {
            const uint32_t channel = w * 64 + (uint32_t)__builtin_ctzll(left);
            e->claim[count++] = (fc_claim){.channel = channel, .target = e->in[channel].output};
        }
    }
    return count;
}

/* That of its first channel: parts of a network on several threads share the array. */
static fc_contest *contest_of(const fc_router *e, uint32_t output) {
    return &e->contest[(size_t)output * e->output_stride];
}

static uint32_t port_of(const fc_router *e, const fc_claim *claim) {
    return e->output[claim->target].first_port + e->in[claim->channel].port;
}

/* Way in first, virtual channel second, each by its turn; but classes of higher priority before
 * all. */
static uint64_t flit_key(const fc_router *e, const fc_claim *claim) {
    const fc_in_channel *in = &e->in[claim->channel];
    const uint64_t rank = fc_router_rank_key(e, claim->channel);
    if (e->oldest_first)
        return rank + 1 + e->message[*fc_router_front_flit(e, claim->channel) >> 1].number;
    const uint64_t port = fc_behind(in->spot - in->index, e->output[claim->target].turn);
    const uint32_t first = e->crossbar_port[port_of(e, claim)].channel;
    return rank + 1 + (port << 16 | (uint16_t)fc_behind(in->index, first));
}

/* Every output asked for chooses a claim, unless it or the crossbar port is used already. */
static uint32_t offer(fc_router *e, uint32_t claims) {
    uint32_t contested = 0;
    for (uint32_t i = 0; i < claims; ++i) {
        const fc_claim *claim = &e->claim[i];
        fc_contest *contest = contest_of(e, claim->target);
        if (contest->key == USED || e->offer[port_of(e, claim)].key == USED)
            continue;
        const uint64_t key = flit_key(e, claim);
        if (contest->key == UINT64_MAX)
            e->contested[contested++] = claim->target;
        if (key < contest->key)
            *contest = (fc_contest){key, i};
    }
    return contested;
}

/* What an output chose is an offer to a crossbar port, which keeps the best. */
static void compare_offers(fc_router *e, uint32_t contested) {
    for (uint32_t i = 0; i < contested; ++i) {
        const uint32_t output = e->contested[i];
        const fc_contest *contest = contest_of(e, output);
        const fc_claim *claim = &e->claim[contest->winner];
        const uint32_t port = port_of(e, claim);
        const uint64_t key =
            e->oldest_first ? contest->key
                            : fc_router_rank_key(e, claim->channel) + 1 +
                                  fc_behind(e->output[output].local, e->crossbar_port[port].turn);
        if (key < e->offer[port].key)
            e->offer[port] = (fc_contest){key, contest->winner};
    }
}

static uint32_t take_offers(fc_router *e, uint32_t contested, bool first_round, uint32_t winners) {
    for (uint32_t i = 0; i < contested; ++i) {
        fc_contest *contest = contest_of(e, e->contested[i]);
        const fc_claim *claim = &e->claim[contest->winner];
        fc_contest *best = &e->offer[port_of(e, claim)];
        if (best->key == USED || best->winner != contest->winner) {
            contest->key = UINT64_MAX;
            continue;
        }
        contest->key = best->key = USED;
        move_turns(e, &e->in[claim->channel], first_round);
        e->winner[winners++] = claim->channel;
    }
    return winners;
}

static uint32_t allocate_wide(fc_router *e) {
    const uint32_t claims = gather(e);
    uint32_t winners = 0;
    for (uint32_t round = 0; round < e->rounds; ++round) {
        const uint32_t contested = offer(e, claims);
        if (!contested)
            break;
        compare_offers(e, contested);
        winners = take_offers(e, contested, round == 0, winners);
    }
    for (uint32_t i = 0; i < claims; ++i) {
        contest_of(e, e->claim[i].target)->key = UINT64_MAX;
        e->offer[port_of(e, &e->claim[i])].key = UINT64_MAX;
    }
    return winners;
}

/* ---- routers of at most 64 input channels, one round, in turn: with a bit for each ---- */

/* Input channels from `first` up to `end` with a flit to send. */
static uint32_t list_ready(const fc_router *e, uint32_t first, uint32_t end, uint32_t *wanting) {
    uint32_t count = 0;
    for (uint32_t w = first >> 6; w <= (end - 1) >> 6; ++w) {
        uint64_t left = e->ready[w];
        if (w == first >> 6)
            left &= UINT64_MAX << (first & 63);
        if (w == end >> 6)
            left &= ((uint64_t)1 << (end & 63)) - 1;
        for (; left; left &= left - 1) {
            wanting[count] = w * 64 + (uint32_t)__builtin_ctzll(left);
            __builtin_prefetch(&e->in[wanting[count++]], 1);
        }
    }
    return count;
}

/* Outputs that are asked for, and by whom. */
static uint32_t collect(fc_router *e, const uint32_t *wanting, uint32_t count) {
    uint32_t contested = 0;
    for (uint32_t i = 0; e->large && i < count; ++i) {
        const fc_in_channel *in = &e->in[wanting[i]];
        __builtin_prefetch(&e->output[in->output], 1);
        __builtin_prefetch(&e->out[in->held], 1);
        __builtin_prefetch(fc_router_front_flit(e, wanting[i]));
        __builtin_prefetch(&e->crossbar_port[in->input * e->ports_per_input], 1);
    }
    for (uint32_t i = 0; i < count; ++i) {
        const fc_in_channel *in = &e->in[wanting[i]];
        fc_output *output = &e->output[in->output];
        e->contested[contested] = in->output;
        contested += output->asked == 0;
        output->asked |= (uint64_t)1 << in->spot;
    }
    return contested;
}

/* Every output chooses a crossbar port, and of its channels one. */
static uint32_t choose(fc_router *e, uint32_t contested) {
    uint32_t offered = 0;
    for (uint32_t i = 0; i < contested; ++i) {
        fc_output *output = &e->output[e->contested[i]];
        const uint32_t port = e->spot_port[fc_first_from(output->asked, output->turn)];
        const uint32_t spot = port * e->port_size;
        const uint64_t channels = output->asked >> spot & e->port_channels;
        fc_crossbar_port *crossbar_port = &e->crossbar_port[output->first_port + port];
        output->asked = 0;
        output->chosen = output->first_channel +
                         e->spot_place[spot + fc_first_from(channels, crossbar_port->channel)];
        e->winner[offered] = output->first_port + port;
        offered += crossbar_port->offered == 0;
        crossbar_port->offered |= (uint64_t)1 << output->local;
    }
    return offered;
}

static uint32_t allocate_narrow(fc_router *e, const uint32_t *wanting, uint32_t count) {
    const uint32_t contested = collect(e, wanting, count);
    const uint32_t offered = choose(e, contested);
    for (uint32_t i = 0; i < offered; ++i) {
        fc_crossbar_port *port = &e->crossbar_port[e->winner[i]];
        const uint32_t output = port->first_output + fc_first_from(port->offered, port->turn);
        port->offered = 0;
        e->winner[i] = e->output[output].chosen;
        move_turns(e, &e->in[e->winner[i]], true);
    }
    return offered;
}

/* Input channels: of a narrow router at most; of a part, about. Tests have small networks, and the
 * more parts of them. */
enum {
    LARGEST = 64,
#ifdef FC_CHECKS
    PART = LARGEST,
#else
    PART = 16 * LARGEST,
#endif
};

/* Where the part that begins at an input channel ends: between two routers. */
static uint32_t end_of_part(const fc_router *e, uint32_t first) {
    const uint32_t last = e->own.in + e->own.ins;
    if (last - first <= PART)
        return last;
    const uint32_t router = e->network->input_router[(first + PART) / e->virtual_channels];
    return e->network->input_first[router] * e->virtual_channels;
}

/* Part by part of the network: what one needs is fetched into the cache at once, and is still there
 * when its flits move. */
static void allocate_parts(fc_router *e) {
    uint32_t wanting[PART + LARGEST];
    for (uint32_t first = e->own.in, end; first < e->own.in + e->own.ins; first = end) {
        end = end_of_part(e, first);
        const uint32_t count = list_ready(e, first, end, wanting);
        const uint32_t winners = allocate_narrow(e, wanting, count);
        for (uint32_t i = 0; i < winners; ++i)
            move(e, e->winner[i]);
    }
}

void fc_router_allocate_switch(fc_router *e) {
    start_moving(e);
    if (e->narrow) {
        allocate_parts(e);
        return;
    }
    const uint32_t winners = allocate_wide(e);
    for (uint32_t i = 0; i < winners; ++i)
        move(e, e->winner[i]);
}
