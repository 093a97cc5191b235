/* Builds a router engine from a network and its settings, and takes it down. */
#include "simulators/router/router.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "simulators/router/router_team.h"
#include "simulators/router/sources.h"

/* ---- sizes ---- */

static uint32_t largest(const uint32_t *first, uint32_t routers) {
    uint32_t most = 0;
    for (uint32_t r = 0; r < routers; ++r)
        most = first[r + 1] - first[r] > most ? first[r + 1] - first[r] : most;
    return most;
}

/* The numbers of channels, places and turns are 16 bits wide. */
static fc_status check_sizes(const fc_router_network *network, const fc_routed *routed,
                             fc_error *error) {
    const double inputs = largest(network->input_first, network->routers);
    const double outputs = largest(network->output_first, network->routers);
    const double stride =
        (double)(routed->virtual_channels > routed->ejection_channels ? routed->virtual_channels
                                                                      : routed->ejection_channels);
    if (inputs * (double)routed->virtual_channels > 65535 || outputs * stride > 65535)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "the router simulator takes at most 65535 virtual channels at the inputs or "
                       "outputs of one router; this network has %.0f and %.0f",
                       inputs * (double)routed->virtual_channels, outputs * stride);
    if (routed->buffer > FC_BUFFER_MAX)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "the router simulator takes buffers of at most %d flits", FC_BUFFER_MAX);
    const int64_t longest = fc_routed_longest_message(routed);
    if (routed->switching == FC_CUT_THROUGH && longest > routed->buffer)
        return fc_fail(error, FC_ERROR_INPUT,
                       "network.switching: cut-through needs buffers that hold a whole message: "
                       "network.buffer is %lld, the longest message has %lld flits",
                       (long long)routed->buffer, (long long)longest);
    return FC_OK;
}

static void set_delays(fc_router *e) {
    const fc_routed *routed = e->routed;
    for (int stage = 0; stage < FC_ROUTER_STAGES; ++stage)
        e->delay[stage] = (uint32_t)routed->router_delay[stage];
    e->node_delay = (uint32_t)routed->node_delay;
    const uint32_t back = e->delay[FC_STAGE_SWITCH] + e->node_delay - 1;
    e->node_credit_delay = back;
    e->eject_credit_delay = e->delay[FC_STAGE_SWITCH] + e->delay[FC_STAGE_CROSSING] +
                            2 * e->node_delay - 1 + (uint32_t)routed->credit_delay;
    e->eject_delay = e->node_delay;
    for (int stage = 0; stage < FC_ROUTER_STAGES; ++stage)
        e->eject_delay += e->delay[stage];
}

static void set_rules(fc_router *e) {
    const fc_routed *routed = e->routed;
    set_delays(e);
    e->virtual_channels = (uint32_t)routed->virtual_channels;
    e->output_stride = (uint32_t)(routed->virtual_channels > routed->ejection_channels
                                      ? routed->virtual_channels
                                      : routed->ejection_channels);
    e->ports_per_input =
        routed->input_speedup != FC_INFINITE && routed->input_speedup < routed->virtual_channels
            ? (uint32_t)routed->input_speedup
            : e->virtual_channels;
    e->buffer = (uint32_t)routed->buffer;
    while ((1u << e->buffer_bits) < e->buffer)
        ++e->buffer_bits;
    e->all_channels = UINT64_MAX >> (64 - e->virtual_channels);
    e->port_size = (e->virtual_channels + e->ports_per_input - 1) / e->ports_per_input;
    e->port_channels = UINT64_MAX >> (64 - e->port_size);
    e->speedup = routed->internal_speedup > 1 ? routed->internal_speedup : 1;
    e->oldest_first = routed->arbitration == FC_OLDEST_FIRST;
    e->when_empty = routed->handover == FC_WHEN_EMPTY;
    e->cut_through = e->needs_room = routed->switching == FC_CUT_THROUGH;
    e->rounds = routed->allocator_rounds > 1 ? (uint32_t)routed->allocator_rounds : 1;
    e->ejection_mask = routed->ejection_channels >= 64
                           ? UINT64_MAX
                           : ((uint64_t)1 << routed->ejection_channels) - 1;
    e->drawn_injection = routed->injection_choice == FC_DRAWN;
    e->nodes = e->network->nodes;
    e->own = (struct fc_own){.ins = e->network->inputs * e->virtual_channels,
                             .outs = e->network->outputs * e->output_stride,
                             .ready_end = (e->network->inputs * e->virtual_channels + 63) / 64,
                             .awake_end = e->nodes / 64 + 1};
    e->large = e->own.ins > 8192;
    e->slots = (uint32_t)(routed->injection_channels < routed->virtual_channels
                              ? routed->injection_channels
                              : routed->virtual_channels);
    e->narrow =
        e->rounds == 1 && !e->oldest_first &&
        largest(e->network->input_first, e->network->routers) * e->ports_per_input * e->port_size <=
            64 &&
        largest(e->network->output_first, e->network->routers) <= 64;
    e->hot_node = FC_NONE;
}

static void set_classes(fc_router *e) {
    e->kinds = fc_classes_of(e->routed);
    e->classes = (uint32_t)e->kinds.count;
    e->limited = e->kinds.answers && e->routed->outstanding != FC_INFINITE;
    e->narrow = e->narrow && !e->kinds.ranked;
    uint32_t place = 0;
    for (uint32_t rank = 0; place < e->classes; ++rank) {
        for (uint32_t c = 0; c < e->classes; ++c)
            if (e->kinds.list[c].rank == rank)
                e->order[place++] = (uint8_t)c;
    }
    for (uint32_t c = 0; c < e->classes; ++c) {
        const fc_class *class = &e->kinds.list[c];
        e->class_mask[c] = UINT64_MAX >> (63 - (class->last - class->first)) << class->first;
    }
}

/* ---- memory ---- */

static bool allocate(fc_router *e) {
    const fc_router_network *network = e->network;
    const size_t ins = (size_t)network->inputs * e->virtual_channels;
    const size_t outs = (size_t)network->outputs * e->output_stride;
    const size_t ports = (size_t)network->inputs * e->ports_per_input;
    const uint32_t most_out = largest(network->output_first, network->routers);
    e->candidate_room = network->most_candidates           ? network->most_candidates
                        : 2 * most_out < FC_CANDIDATES_MAX ? 2 * most_out
                                                           : FC_CANDIDATES_MAX;
    e->in = fc_allocate_lines(ins, sizeof *e->in);
    e->candidate = fc_allocate(ins * e->candidate_room, sizeof *e->candidate);
    e->flit = fc_allocate_lines(ins << e->buffer_bits, sizeof *e->flit);
    e->out = fc_allocate(outs, sizeof *e->out);
    e->output = fc_allocate_lines(network->outputs, sizeof *e->output);
    e->crossbar_port = fc_allocate(ports, sizeof *e->crossbar_port);
    e->ready = fc_allocate(e->own.ready_end, sizeof *e->ready);
    e->put_aside = fc_allocate(network->routers, sizeof *e->put_aside);
    e->node_awake = fc_allocate(e->own.awake_end, sizeof *e->node_awake);
    e->contested = fc_allocate(outs, sizeof *e->contested);
    e->winner = fc_allocate(ports, sizeof *e->winner);
    e->claim = fc_allocate(ins, sizeof *e->claim);
    e->contest = fc_allocate(outs, sizeof *e->contest);
    e->offer = fc_allocate(ports, sizeof *e->offer);
    e->node = fc_allocate(e->nodes, sizeof *e->node);
    e->queue = fc_allocate((size_t)e->nodes * e->classes, sizeof *e->queue);
    e->slot = fc_allocate((size_t)e->nodes * e->classes * e->slots, sizeof *e->slot);
    e->node_credits = fc_allocate((size_t)e->nodes * e->virtual_channels, sizeof *e->node_credits);
    e->node_free = fc_allocate(e->nodes, sizeof *e->node_free);
    const bool paced = e->speedup > 1 || network->output_interval;
    if (paced)
        e->pace = fc_allocate(network->outputs, sizeof *e->pace);
    if (e->routed->given)
        e->class_sums = fc_allocate(e->classes, sizeof *e->class_sums);
    const bool ahead = network->alternatives && e->routed->decision == FC_AHEAD_BY_ONE;
    if (ahead)
        e->leaving = fc_allocate((size_t)network->outputs + e->nodes, sizeof *e->leaving);
    return (e->pace || !paced) && (e->class_sums || !e->routed->given) && (e->leaving || !ahead) &&
           e->in && e->candidate && e->flit && e->out && e->output && e->crossbar_port &&
           e->ready && e->put_aside && e->node_awake && e->contested && e->winner && e->claim &&
           e->contest && e->offer && e->node && e->queue && e->slot && e->node_credits &&
           e->node_free;
}

fc_status fc_router_create_wheels(fc_router *e, uint32_t inputs, uint32_t outputs, uint32_t nodes,
                                  fc_error *error) {
    const fc_router_network *network = e->network;
    uint32_t ahead = e->node_delay, back = e->node_credit_delay ? e->node_credit_delay : 1;
    uint64_t most_behind = 0;
    for (uint32_t o = 0; o < network->outputs; ++o)
        ahead = e->output[o].delay > ahead ? e->output[o].delay : ahead;
    for (uint32_t i = 0; i < network->inputs; ++i) {
        const uint32_t delay = e->in[(size_t)i * e->virtual_channels].credit_delay;
        back = delay > back ? delay : back;
    }
    if (e->when_empty && e->eject_credit_delay > back)
        back = e->eject_credit_delay;
    /* Behind an output there are never more flits than the buffers at its end take. */
    for (uint32_t o = 0; e->pace && o < network->outputs; ++o) {
        const uint64_t queue = (e->pace[o].interval * e->output_stride * e->buffer) >> FC_PACE_BITS;
        most_behind = queue > most_behind ? queue : most_behind;
    }
    ahead += (uint32_t)most_behind + (e->pace ? 2 : 0);
    back += e->pace ? ahead + 2 * e->node_delay + (uint32_t)e->routed->credit_delay : 0;
    const uint32_t credits = inputs * e->ports_per_input * (uint32_t)ceil(e->speedup) + nodes;
    const uint32_t channels = inputs * e->virtual_channels;
    const uint32_t wide = network->output_interval ? (uint32_t)ceil(e->speedup) : 1;
    fc_status status = fc_wheel_create(outputs * wide + nodes, ahead, error, &e->flits);
    if (status == FC_OK)
        status = fc_wheel_create(credits, back, error, &e->credits);
    if (status == FC_OK)
        status = fc_wheel_create(channels, e->delay[FC_STAGE_ROUTING] + 1, error, &e->asking);
    if (status == FC_OK)
        status = fc_wheel_create(channels, e->delay[FC_STAGE_ALLOCATION], error, &e->moving);
    return status;
}

/* ---- ports ---- */

static void place_inputs(fc_router *e) {
    const fc_router_network *network = e->network;
    for (uint32_t input = 0; input < network->inputs; ++input) {
        const uint32_t router = network->input_router[input];
        const uint32_t local = input - network->input_first[router];
        const uint32_t begin = network->input_begin[input];
        const bool from_node = begin & FC_TO_NODE;
        const uint32_t feeder = begin & ~FC_TO_NODE;
        const uint32_t credit_delay = from_node ? e->node_credit_delay
                                                : e->delay[FC_STAGE_SWITCH] +
                                                      network->output_delay[feeder] +
                                                      (uint32_t)e->routed->credit_delay;
        for (uint32_t v = 0; v < e->virtual_channels; ++v) {
            fc_in_channel *in = &e->in[(size_t)input * e->virtual_channels + v];
            in->held = FC_NONE;
            in->turn = network->output_first[router] * e->output_stride;
            in->input = input;
            in->credit_delay = credit_delay;
            in->header_delay =
                from_node ? 0 : e->eject_delay - e->node_delay + network->output_delay[feeder];
            in->upstream = from_node ? FC_TO_NODE | (feeder * e->virtual_channels + v)
                                     : feeder * e->output_stride + v;
            in->port = (uint16_t)(local * e->ports_per_input + v % e->ports_per_input);
            in->place = (uint16_t)(local * e->virtual_channels + v);
            in->channel = (uint8_t)v;
            in->index = (uint8_t)(v / e->ports_per_input);
            in->spot = (uint16_t)(in->port * e->port_size + in->index);
            if (e->narrow) {
                e->spot_port[in->spot] = (uint8_t)in->port;
                e->spot_place[in->spot] = (uint8_t)in->place;
            }
        }
        for (uint32_t w = 0; w < e->ports_per_input; ++w)
            e->crossbar_port[input * e->ports_per_input + w].first_output =
                network->output_first[router];
    }
}

static void place_outputs(fc_router *e) {
    const fc_router_network *network = e->network;
    const uint32_t through = e->delay[FC_STAGE_SWITCH] + e->delay[FC_STAGE_CROSSING];
    for (uint32_t o = 0; o < network->outputs; ++o) {
        fc_output *output = &e->output[o];
        const uint32_t end = network->output_end[o];
        const bool to_node = end & FC_TO_NODE;
        output->router = network->output_router[o];
        output->local = (uint16_t)(o - network->output_first[output->router]);
        output->first_channel = network->input_first[output->router] * e->virtual_channels;
        output->first_port = network->input_first[output->router] * e->ports_per_input;
        output->free = to_node ? e->ejection_mask : e->all_channels;
        output->delay = through + (to_node ? e->node_delay : network->output_delay[o]);
        if (e->pace)
            e->pace[o].interval = network->output_interval ? network->output_interval[o]
                                                           : (uint64_t)1 << FC_PACE_BITS;
        for (uint32_t v = 0; v < e->output_stride; ++v) {
            fc_out_channel *out = &e->out[(size_t)o * e->output_stride + v];
            out->owner = FC_NONE;
            out->target = to_node ? end : end * e->virtual_channels + v;
            out->credits = e->buffer;
        }
    }
}

static void place_nodes(fc_router *e) {
    for (uint32_t node = 0; node < e->nodes; ++node) {
        e->node_free[node] = e->all_channels;
        for (uint32_t c = 0; c < e->classes; ++c)
            e->queue[node * e->classes + c] = (fc_node_queue){
                .first = FC_NONE, .last = FC_NONE, .channel = e->virtual_channels - 1};
        for (uint32_t s = 0; s < e->classes * e->slots; ++s)
            e->slot[(size_t)node * e->classes * e->slots + s].message = FC_NONE;
        for (uint32_t v = 0; v < e->virtual_channels; ++v)
            e->node_credits[(size_t)node * e->virtual_channels + v] = e->buffer;
    }
}

/* ---- life ---- */

fc_status fc_router_create(const fc_router_network *network, const fc_routed *routed,
                           fc_error *error, fc_router **engine) {
    fc_status status = check_sizes(network, routed, error);
    if (status != FC_OK)
        return status;
    fc_router *e = fc_allocate(1, sizeof *e);
    if (!e)
        return fc_fail_memory(error);
    e->network = network;
    e->routed = routed;
    e->free = fc_free_list_make();
    set_rules(e);
    set_classes(e);
    status = fc_load_windows_create(routed->profile, error, &e->load);
    if (status == FC_OK && allocate(e)) {
        for (uint32_t i = 0; i < network->outputs * e->output_stride; ++i)
            e->contest[i].key = UINT64_MAX;
        for (uint32_t i = 0; i < network->inputs * e->ports_per_input; ++i)
            e->offer[i].key = UINT64_MAX;
        for (uint32_t r = 0; r < network->routers; ++r)
            e->put_aside[r] = FC_NONE;
        place_inputs(e);
        place_outputs(e);
        place_nodes(e);
        status =
            fc_router_create_wheels(e, network->inputs, network->outputs, network->nodes, error);
    } else if (status == FC_OK) {
        status = fc_fail_memory(error);
    }
    if (status != FC_OK) {
        fc_router_free(e);
        return status;
    }
    *engine = e;
    return FC_OK;
}

void fc_router_free(fc_router *e) {
    if (!e)
        return;
    fc_team_free(e);
    fc_load_windows_free(e->load);
    fc_sources_free(e->sources);
    fc_release(e->pace);
    fc_wheel_free(&e->flits);
    fc_wheel_free(&e->credits);
    fc_wheel_free(&e->asking);
    fc_wheel_free(&e->moving);
    void *const blocks[] = {
        e->in,      e->candidate,    e->flit,       e->out,        e->output, e->crossbar_port,
        e->ready,   e->put_aside,    e->node_awake, e->contested,  e->winner, e->claim,
        e->contest, e->offer,        e->node,       e->queue,      e->slot,   e->node_free,
        e->message, e->node_credits, e->leaving,    e->class_sums, e->fork};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i)
        fc_release(blocks[i]);
    fc_release(e);
}

void fc_router_clear_detail(fc_router *e) {
    fc_load_windows_clear(e->load);
    for (uint32_t o = 0; o < e->network->outputs; ++o) {
        e->output[o].crossed = e->output[o].granted = e->output[o].waited = 0;
        if (e->pace)
            e->pace[o].promised = fc_router_promised(e, o);
    }
    for (uint32_t n = 0; n < e->nodes; ++n) {
        fc_router_node *node = &e->node[n];
        node->messages = node->latency = node->source_wait = node->injected = 0;
    }
}
