/* Deadlock: messages that wait for each other for ever.
 *
 * An input channel whose front cannot move waits for others, any one of which is enough: for the
 * owners of the output channels that its header may take, and for room in the buffers behind those
 * channels or behind the one it holds. Starting from one such channel, a search follows these
 * dependences. If it reaches a front that can move, the first one may move later. If it does not,
 * all channels it has visited wait only for each other, and none of them will ever move: the rest
 * of the network can free only what it holds itself.
 *
 * A slot that a flit or credit under way may still fill or free counts as free, so that everything
 * reported as a deadlock is one. Networks are proven to have none (network/router_proof.c), so it
 * is enough to test one header from time to time: the one that has waited longest, which in a
 * deadlock is sooner or later one that can never move. */
#include "simulators/router/router.h"

/* The search stores its list and its marks in the array of claims, which is unused between cycles.
 */
static void wait_for(fc_router *e, uint32_t channel, uint32_t *count) {
    if (e->claim[channel].key)
        return;
    e->claim[channel].key = 1;
    e->claim[(*count)++].channel = channel;
}

static bool has_room(fc_router *e, uint32_t out_channel, uint32_t places, uint32_t *count) {
    const uint32_t target = e->out[out_channel].target;
    if (target & FC_TO_NODE)
        return true;
    const uint32_t kept = e->fork ? e->fork[target].kept : 0;
    if (e->buffer - e->in[target].count - kept >= places)
        return true;
    wait_for(e, target, count);
    return false;
}

static bool candidate_may_open(fc_router *e, const fc_route_candidate *candidate, uint32_t places,
                               uint32_t *count) {
    const bool to_node = e->network->output_end[candidate->output] & FC_TO_NODE;
    const uint64_t channels = candidate->channels & (to_node ? e->ejection_mask : e->all_channels);
    for (uint64_t left = channels; left; left &= left - 1) {
        const uint32_t number =
            candidate->output * e->output_stride + (uint32_t)__builtin_ctzll(left);
        const fc_out_channel *out = &e->out[number];
        if (out->owner != FC_NONE)
            wait_for(e, out->owner, count);
        else if (has_room(e, number, out->finished ? e->buffer : places, count))
            return true;
    }
    return false;
}

/* If not, those it waits for are on the list. */
static bool may_move(fc_router *e, uint32_t channel, uint32_t *count) {
    const fc_in_channel *in = &e->in[channel];
    if (in->count == 0) /* what is to come has free slots ahead */
        return true;
    if (in->held == FC_NONE && in->candidates == 0) /* has not asked yet */
        return true;
    if (in->held != FC_NONE)
        return has_room(e, in->held, 1, count);
    const uint32_t places =
        e->cut_through ? e->message[*fc_router_front_flit(e, channel) >> 1].flits : 0;
    const fc_route_candidate only = {in->output, in->channels};
    const fc_route_candidate *candidate =
        in->candidates == 1 ? &only : &e->candidate[(size_t)channel * e->candidate_room];
    for (uint32_t i = 0; i < in->candidates; ++i) {
        const bool empty = i < in->preferred && in->preferred < in->candidates;
        if (candidate_may_open(e, &candidate[i], empty ? e->buffer : places, count))
            return true;
    }
    return false;
}

static uint32_t longest_waiting(fc_router *e) {
    uint32_t oldest = FC_NONE;
    for (uint32_t c = 0; c < e->network->inputs * e->virtual_channels; ++c) {
        const fc_in_channel *in = &e->in[c];
        e->claim[c].key = 0;
        if (in->front == FC_FRONT_WAITING && in->held == FC_NONE &&
            (oldest == FC_NONE || in->asked < e->in[oldest].asked))
            oldest = c;
    }
    return oldest;
}

fc_status fc_router_find_deadlock(fc_router *e, fc_error *error) {
    const uint32_t oldest = longest_waiting(e);
    uint32_t count = 0;
    if (oldest == FC_NONE || e->in[oldest].asked + FC_ROUTER_PATIENCE > e->tick)
        return FC_OK;
    wait_for(e, oldest, &count);
    for (uint32_t i = 0; i < count; ++i) {
        if (may_move(e, e->claim[i].channel, &count))
            return FC_OK;
    }
    const fc_in_channel *in = &e->in[oldest];
    const fc_router_message *message = &e->message[*fc_router_front_flit(e, oldest) >> 1];
    return fc_fail(error, FC_ERROR_UNSUPPORTED,
                   "the network is deadlocked: the header of a message from node %u to node %u has "
                   "waited in router %u since cycle %llu and will for ever: the messages in %u "
                   "virtual channels wait for nobody but each other",
                   (unsigned)message->course.source, (unsigned)message->course.destination,
                   (unsigned)e->network->input_router[in->input],
                   (unsigned long long)((double)in->asked / e->speedup), (unsigned)count);
}
