/* Multicasts: messages to many nodes, over a tree (network/multicast.h).
 *
 * Where the tree parts, the router sends the message once for each branch, in the order of its
 * outputs, one copy after the other: each asks for an output channel and for the crossbar as a
 * message of its own, the next from the tick after the tail of the one before has left. The flits
 * stay in the buffer, which holds the whole message, until the last copy takes them. So a message
 * waits for one output at a time, as others do, and the proof that those cannot deadlock holds for
 * it. The last copy goes on with the record of the message. A record of the whole stays until all
 * have arrived; it counts the destinations in `answer`. */
#include <assert.h>
#include "base/memory.h"
#include "simulators/router/router.h"
#include "simulators/router/sources.h"

fc_status fc_router_take_multicast(fc_router *e, const fc_multicast *multicast, fc_error *error) {
    const uint32_t channels = e->network->inputs * e->virtual_channels;
    e->fork = fc_allocate(channels, sizeof *e->fork);
    if (!e->fork)
        return fc_fail_memory(error);
    for (uint32_t c = 0; c < channels; ++c)
        e->fork[c].copy = FC_NONE;
    e->multicast = multicast;
    return FC_OK;
}

void fc_router_multicast(fc_router *e, uint32_t kind, uint32_t source, uint32_t sort,
                         uint32_t flits, uint32_t variant) {
    const fc_tree *tree = fc_multicast_tree(e->multicast, kind, source, variant);
    const uint32_t whole = fc_router_new_message(e);
    const uint32_t number = whole == FC_NONE ? FC_NONE : fc_router_new_message(e);
    if (number == FC_NONE)
        return;
    e->message[whole].answer = tree->destinations;
    fc_router_message *message = &e->message[number];
    message->born = e->time;
    message->course.source = message->course.destination = source;
    message->course.channels = e->class_mask[kind];
    message->kind = kind;
    message->tag = sort;
    message->flits = flits;
    message->branch = tree->root;
    message->whole = whole;
    fc_router_queue(e, number);
}

/* ---- copying ---- */

static uint32_t copy_record(fc_router *e, uint32_t holder) {
    const uint64_t made = e->messages_made;
    const uint32_t number = fc_router_new_message(e);
    e->messages_made = made;
    if (number == FC_NONE)
        return holder; /* the engine stops after this cycle */
    e->message[number] = e->message[holder];
    return number;
}

/* The next branch is what the header at the front asks for. */
static void take_branch(fc_router *e, uint32_t channel, uint32_t holder) {
    fc_fork *fork = &e->fork[channel];
    fc_in_channel *in = &e->in[channel];
    const uint32_t number = fork->next++;
    const fc_tree_branch *branch = &e->multicast->branch[number];
    --fork->left;
    fork->copy = fork->left ? copy_record(e, holder) : holder;
    fc_router_message *copy = &e->message[fork->copy];
    copy->branch = number;
    if (!branch->count)
        copy->course.destination = branch->node;
    else
        e->sums.flit_links += (double)copy->flits * e->network->output_delay[branch->output];
    in->candidates = in->preferred = 1;
    in->output = branch->output;
    in->channels = branch->channels;
}

void fc_router_fork(fc_router *e, uint32_t channel) {
    const uint32_t holder = *fc_router_front_flit(e, channel) >> 1;
    const fc_router_message *message = &e->message[holder];
    const fc_tree_branch *branch = &e->multicast->branch[message->branch];
    assert(branch->count && message->flits <= e->buffer);
    e->fork[channel] = (fc_fork){.next = branch->first, .left = branch->count};
    e->sums.flit_routers += message->flits;
    e->sums.copied_flits += (double)message->flits * (branch->count - 1);
    take_branch(e, channel, holder);
}

bool fc_router_fork_again(fc_router *e, uint32_t channel) {
    fc_fork *fork = &e->fork[channel];
    fc_in_channel *in = &e->in[channel];
    if (fork->copy == FC_NONE)
        return false;
    if (!fork->left) {
        fork->copy = FC_NONE;
        return false;
    }
    const uint32_t mask = (1u << e->buffer_bits) - 1;
    in->first = (uint16_t)((in->first - fork->kept) & mask);
    in->count = (uint16_t)(in->count + fork->kept);
    fork->kept = 0;
    take_branch(e, channel, *fc_router_front_flit(e, channel) >> 1);
    in->front = FC_FRONT_WAITING;
    in->header = true;
    in->asked = e->tick + 1;
    fc_wheel_add(&e->asking, in->asked, channel);
    return true;
}

/* ---- arriving ---- */

static void count_copy(fc_router *e, const fc_router_message *message, uint64_t latency,
                       bool last) {
    fc_class_sums *class = &e->class_sums[message->kind];
    e->sums.copies += !last;
    e->sums.copies_latency += last ? 0 : (double)latency;
    e->sums.last += last;
    e->sums.last_latency += last ? (double)latency : 0;
    class->copies += !last;
    class->last += last;
    class->last_latency += last ? (double)latency : 0;
}

void fc_router_copy_delivered(fc_router *e, uint32_t number) {
    const uint32_t whole = e->message[number].whole;
    const bool last = --e->message[whole].answer == 0;
    const uint64_t latency = fc_router_count_arrival(e, number);
    count_copy(e, &e->message[number], latency, last);
    if (e->load)
        fc_load_windows_arrived(e->load, e->message[number].born, latency, last);
    if (last) {
        --e->in_network;
        --e->messages_alive;
        fc_free_list_give(&e->free, FC_RECORDS(e->message), whole);
        fc_sources_delivered(e, number);
    }
    fc_router_finish_message(e, number);
}
