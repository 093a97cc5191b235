/* The steps of a cycle, and flits and credits on links (rules: router.h). */
#include "simulators/router/router.h"

#include <assert.h>
#include "simulators/router/router_team.h"
#include "simulators/router/sources.h"

/* ---- headers ---- */

/* Finds the candidates of the header at the front. */
static void route_header(fc_router *e, uint32_t channel, fc_course *course) {
    const fc_router_network *network = e->network;
    fc_in_channel *in = &e->in[channel];
    fc_route_candidates candidates;
    network->route(network, in->input, in->channel, course, &candidates);
    assert(candidates.count >= 1 && candidates.count <= e->candidate_room);
    if (network->escapes_alike)
        candidates.preferred = candidates.count;
    in->candidates = (uint8_t)candidates.count;
    in->preferred = (uint8_t)candidates.preferred;
    in->output = candidates.list[0].output;
    in->channels = candidates.list[0].channels;
    if (candidates.count > 1) {
        e->several_candidates = true;
        e->needs_room |= candidates.preferred < candidates.count;
        for (uint32_t i = 0; i < candidates.count; ++i)
            e->candidate[(size_t)channel * e->candidate_room + i] = candidates.list[i];
    }
}

void fc_router_header_at_front(fc_router *e, uint32_t channel, uint64_t when) {
    fc_in_channel *in = &e->in[channel];
    fc_router_message *message = &e->message[*fc_router_front_flit(e, channel) >> 1];
    ++message->routers;
    message->path += in->header_delay;
    in->front = FC_FRONT_WAITING;
    in->header = true;
    in->asked = when;
    if (fc_router_is_copy(e, message))
        fc_router_fork(e, channel);
    else if (e->network->alternatives && !e->leaving)
        in->candidates = 0; /* decided when it asks */
    else
        route_header(e, channel, &message->course);
    fc_wheel_add(&e->asking, when, channel);
}

/* ---- choices by queues ---- */

/* Flits in the router that wait for an output: those behind headers that were routed before this
 * tick, so that it does not matter in which order the headers of this tick are routed. */
static uint64_t waiting_for(const fc_router *e, uint32_t output, uint64_t channels) {
    const uint32_t router = e->network->output_router[output];
    const uint32_t first = e->network->input_first[router] * e->virtual_channels;
    const uint32_t end = e->network->input_first[router + 1] * e->virtual_channels;
    uint64_t flits = 0;
    for (uint32_t c = first; c < end; ++c) {
        const fc_in_channel *in = &e->in[c];
        flits += in->output == output && in->channels & channels && in->front != FC_FRONT_EMPTY &&
                         in->candidates && in->asked < e->tick
                     ? in->count
                     : 0;
    }
    return flits;
}

/* Flits in those channels of the buffer behind an output, and on their way there. */
static uint64_t queue_of(const fc_router *e, uint32_t output, uint64_t channels) {
    const fc_out_channel *out = &e->out[(size_t)output * e->output_stride];
    uint64_t flits = 0;
    if (e->network->output_end[output] & FC_TO_NODE)
        return 0;
    for (uint32_t v = 0; v < e->virtual_channels; ++v)
        flits += channels >> v & 1 ? e->buffer - out[v].credits : 0;
    return flits + (e->network->count_waiting ? waiting_for(e, output, channels) : 0);
}

static uint64_t shortest_queue(const fc_router *e, uint32_t output, uint32_t outputs,
                               uint64_t channels) {
    uint64_t least = UINT64_MAX;
    for (uint32_t o = output; o < output + outputs; ++o) {
        const uint64_t queue = queue_of(e, o, channels);
        least = queue < least ? queue : least;
    }
    return least;
}

/* The queues of all links on the path of a course from here to its end. */
static uint64_t queues_ahead(const fc_router *e, uint32_t input, fc_course course) {
    const fc_router_network *network = e->network;
    uint64_t sum = 0;
    for (;;) {
        fc_route_candidates candidates;
        network->route(network, input, 0, &course, &candidates);
        sum += shortest_queue(e, candidates.list[0].output, candidates.count, e->all_channels);
        input = network->output_end[candidates.list[0].output];
        if (input & FC_TO_NODE)
            return sum;
    }
}

/* Of the courses that a header has at an input, takes the one with the shorter queue. */
static void choose_course(const fc_router *e, uint32_t input, fc_course *course) {
    const fc_router_network *network = e->network;
    fc_alternative list[FC_ALTERNATIVES_MAX];
    const uint32_t count = network->alternatives(network, input, course, list);
    const bool apart = count > 1 && network->channels_apart && list[0].output == list[1].output;
    fc_course best = *course;
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < count; ++i) {
        fc_course made = *course;
        made.choice = list[i].choice;
        made.state = list[i].state;
        uint64_t cost = 0;
        if (count > 1)
            cost =
                network->whole_queue
                    ? queues_ahead(e, input, made)
                    : list[i].weight * shortest_queue(e, list[i].output, list[i].outputs,
                                                      apart ? list[i].channels : e->all_channels);
        cost += i ? network->bias : 0;
        if (cost < least) {
            least = cost;
            best = made;
        }
    }
    *course = best;
}

/* Headers that ask now and look at queues are routed before any is given a channel: what they see
 * does not depend on the order in which they are taken. */
static void decide_all(fc_router *e) {
    for (uint32_t i = 0; i < e->leaving_count; ++i)
        choose_course(e, e->leaving[i].input, &e->message[e->leaving[i].message].course);
    e->leaving_count = 0;
    if (e->leaving)
        return;
    uint32_t count;
    const uint64_t *channels = fc_wheel_look(&e->asking, e->tick, &count);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t channel = (uint32_t)channels[i];
        if (e->in[channel].candidates)
            continue;
        fc_course *course = &e->message[*fc_router_front_flit(e, channel) >> 1].course;
        choose_course(e, e->in[channel].input, course);
        route_header(e, channel, course);
    }
}

/* ---- arrivals ---- */

static void flit_arrived(fc_router *e, uint32_t channel, uint32_t flit) {
    fc_in_channel *in = &e->in[channel];
    const uint32_t mask = (1u << e->buffer_bits) - 1;
    const uint32_t place = (in->first + in->count) & mask;
    assert(in->count < e->buffer); /* R1 */
    e->flit[((size_t)channel << e->buffer_bits) + place] = flit;
    if (in->count++)
        return;
    if (in->front == FC_FRONT_EMPTY)
        fc_router_header_at_front(e, channel, e->tick + e->delay[FC_STAGE_ROUTING]);
    else if (in->front == FC_FRONT_MOVING)
        fc_router_ready_if(e, channel, e->out[in->held].credits);
}

static void prefetch(const fc_router *e, uint64_t event) {
    const uint32_t channel = (uint32_t)event & ~FC_TO_NODE;
    __builtin_prefetch(&e->in[channel]);
    __builtin_prefetch(&e->flit[(size_t)channel << e->buffer_bits]);
    const fc_router_message *message = &e->message[event >> 33];
    __builtin_prefetch(message, 1);
    __builtin_prefetch(&message->path, 1); /* in the next line, perhaps */
}

static void take_arrivals(fc_router *e) {
    uint32_t count;
    const uint64_t *events = fc_wheel_take(&e->flits, e->time, &count);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t target = (uint32_t)events[i], flit = (uint32_t)(events[i] >> 32);
        if (i + 2 * FC_AHEAD < count)
            prefetch(e, events[i + 2 * FC_AHEAD]);
        if (i + FC_AHEAD < count && !(events[i + FC_AHEAD] & FC_TO_NODE))
            __builtin_prefetch(
                &e->network->input_router[e->in[(uint32_t)events[i + FC_AHEAD]].input]);
        if (target & FC_TO_NODE)
            fc_router_delivered(e, flit >> 1);
        else
            flit_arrived(e, target, flit);
    }
}

/* ---- credits ---- */

static void node_credit(fc_router *e, uint32_t channel) {
    const uint32_t node = channel / e->virtual_channels, v = channel % e->virtual_channels;
    if (++e->node_credits[channel] == e->buffer && e->when_empty) {
        bool held = false;
        for (uint32_t s = 0; s < e->classes * e->slots; ++s) {
            const fc_slot *slot = &e->slot[(size_t)node * e->classes * e->slots + s];
            held |= slot->message != FC_NONE && slot->channel == v;
        }
        if (!held)
            e->node_free[node] |= (uint64_t)1 << v;
    }
    if (e->node[node].pending)
        fc_router_wake_node(e, node);
}

static void router_credit(fc_router *e, uint32_t channel) {
    fc_out_channel *out = &e->out[channel];
    const bool to_node = out->target & FC_TO_NODE && !e->pace;
    if (!to_node) {
        ++out->credits;
        assert(out->credits <= e->buffer); /* R1 */
    }
    if (out->finished && (to_node || out->credits == e->buffer)) {
        out->finished = 0;
        fc_router_release_channel(e, channel, channel / e->output_stride, e->tick);
    }
    if (out->credits == 1 && out->owner != FC_NONE) {
        const fc_in_channel *in = &e->in[out->owner];
        fc_router_ready_if(e, out->owner, in->front == FC_FRONT_MOVING && in->count);
    }
    if (e->needs_room && out->owner == FC_NONE && !to_node) { /* enough slots may have come free */
        const uint32_t output = channel / e->output_stride;
        if (e->output[output].free >> (channel - output * e->output_stride) & 1)
            fc_router_release_channel(e, channel, output, e->tick);
    }
}

static void prefetch_credit(const fc_router *e, uint32_t channel) {
    if (channel & FC_TO_NODE)
        __builtin_prefetch(&e->node_credits[channel & ~FC_TO_NODE], 1);
    else
        __builtin_prefetch(&e->out[channel], 1);
}

static void take_credits(fc_router *e) {
    uint32_t count;
    const uint64_t *events = fc_wheel_take(&e->credits, e->time, &count);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t channel = (uint32_t)events[i];
        if (i + 2 * FC_AHEAD < count)
            prefetch_credit(e, (uint32_t)events[i + 2 * FC_AHEAD]);
        if (channel & FC_TO_NODE)
            node_credit(e, channel & ~FC_TO_NODE);
        else
            router_credit(e, channel);
    }
}

/* ---- the whole ---- */

static bool all_zero(const uint64_t *mask, uint32_t first, uint32_t end) {
    for (uint32_t w = first; w < end; ++w) {
        if (mask[w])
            return false;
    }
    return true;
}

bool fc_router_idle(const fc_router *e) {
    return e->flits.total + e->credits.total + e->asking.total + e->moving.total == 0 &&
           all_zero(e->ready, e->own.ready, e->own.ready_end) &&
           all_zero(e->node_awake, e->own.awake, e->own.awake_end);
}

/* The cycle in which something leaves a router that has been granted in this tick and takes `delay`
 * ticks: links run by cycles, so it is the first one that begins no sooner than those are over. */
static uint64_t leaves(const fc_router *e, uint32_t delay) {
    const uint64_t over = e->tick + delay;
    uint64_t cycle = (uint64_t)((double)over / e->speedup);
    while (fc_router_tick_of(e, cycle) < over)
        ++cycle;
    return cycle;
}

/* What passes a router from now on comes behind its links no sooner than `due`. */
uint64_t fc_router_promised(const fc_router *e, uint32_t output) {
    const uint32_t through = e->delay[FC_STAGE_SWITCH] + e->delay[FC_STAGE_CROSSING];
    const uint64_t cycles = (uint64_t)(through / e->speedup);
    const uint64_t due = (e->time + cycles + e->output[output].delay - through) << FC_PACE_BITS;
    const uint64_t next = e->pace[output].next;
    return next > due ? next - due : 0;
}

/* Routers that are faster than their links have several ticks in a cycle. */
static void run_fast_routers(fc_router *e) {
    const uint32_t switching = e->delay[FC_STAGE_SWITCH];
    const uint32_t through = switching + e->delay[FC_STAGE_CROSSING];
    for (const uint64_t end = fc_router_tick_of(e, e->time + 1); e->tick < end; ++e->tick) {
        e->credit_base = leaves(e, switching) - switching;
        e->flit_base = leaves(e, through) - through;
        if (e->network->alternatives)
            decide_all(e);
        fc_router_allocate_channels(e);
        fc_router_allocate_switch(e);
    }
}

static void run_routers(fc_router *e) {
    e->credit_base = e->flit_base = e->time;
    if (e->network->alternatives)
        decide_all(e);
    fc_router_allocate_channels(e);
    fc_router_allocate_switch(e);
}

void fc_router_step(fc_router *e) {
    e->tick = fc_router_tick_of(e, e->time);
    take_arrivals(e);
    if (fc_sources_next(e) <= e->time)
        fc_sources_generate(e);
    take_credits(e);
    fc_router_send_nodes(e);
    if (e->speedup > 1)
        run_fast_routers(e);
    else
        run_routers(e);
#ifdef FC_CHECKS
    if (!e->team) /* which also has flits and credits between its parts */
        fc_router_check(e);
#endif
    ++e->time;
}

fc_status fc_router_run(fc_router *e, uint64_t until, fc_error *error) {
    if (e->team)
        return fc_team_run(e, until, error);
    e->paused = false;
    while (e->time < until && e->status == FC_OK && !e->paused) {
        if (e->in_network == 0 && fc_router_idle(e)) {
            const uint64_t next = fc_sources_next(e);
            if (next > e->time) {
                e->time = next < until ? next : until;
                continue;
            }
        }
        fc_router_step(e);
        if (e->time % FC_ROUTER_PATIENCE == 0) {
            const fc_status status = fc_router_find_deadlock(e, error);
            if (status != FC_OK)
                return status;
        }
    }
    const fc_error *reason = e->status == FC_OK ? NULL : fc_work_error(e);
    if (reason)
        return fc_fail(error, e->status, "%s", reason->text);
    return e->status == FC_OK ? FC_OK : fc_fail_memory(error);
}
