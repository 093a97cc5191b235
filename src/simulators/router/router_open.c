/* Open traffic: messages with drawn destinations and lengths, or requests and their replies.
 *
 * Everything about a message is drawn when it is generated, its reply's path too, from a stream of
 * its own (arrivals.h). A request delivered at time t makes its destination generate the reply at
 * t + memory_reply. */
#include <assert.h>
#include "base/memory.h"
#include "simulators/router/router_shadow.h"
#include "simulators/router/router_team.h"
#include "simulators/router/sources.h"

typedef struct reply_queue { /* replies of one type, in the order in which they are due */
    uint32_t first, last;
} reply_queue;

typedef struct open_sources {
    fc_sources sources;
    const fc_traffic *traffic;
    fc_arrivals arrivals;
    uint32_t *senders; /* of a part of the network; NULL: all */
    fc_sorts sorts;    /* types of requests, or lengths of messages if there are several */
    reply_queue replies[FC_REQUEST_TYPES_MAX];
} open_sources;

static open_sources *own(const fc_router *e) {
    return (open_sources *)e->sources;
}

/* ---- drawing ---- */

static void generate_one(fc_router *e, uint32_t source, fc_random *random) {
    const fc_router_network *network = e->network;
    const uint32_t number = fc_router_new_message(e);
    if (number == FC_NONE)
        return;
    const fc_drawn_message drawn =
        fc_draw_message(network, own(e)->traffic, e->routed, &own(e)->sorts, source, random);
    fc_router_message *message = &e->message[number];
    message->born = e->time;
    message->course.source = source;
    message->course.destination = drawn.destination;
    message->course.channels = e->class_mask[0];
    message->tag = drawn.sort;
    message->flits = drawn.flits;
    if (e->classes == 2)
        message->answer = fc_draw_variant(network, random, drawn.destination, source);
    network->begin(network, drawn.variant, &message->course);
    e->sums.generated += 1;
    e->sums.generated_flits += message->flits;
    if (e->shadow)
        e->status = fc_router_shadow_message(e->shadow, e->time, source, &drawn, NULL);
    fc_router_queue(e, number);
}

/* ---- replies ---- */

static void ask_for_reply(fc_router *e, uint32_t request_number) {
    open_sources *open = own(e);
    const uint32_t number = fc_router_new_message(e);
    if (number == FC_NONE)
        return;
    const fc_router_message *request = &e->message[request_number];
    const fc_request_type *type = &e->routed->requests.types[request->tag];
    fc_router_message *reply = &e->message[number];
    reply->born = e->time + (uint64_t)type->memory_reply;
    reply->kind = 1;
    reply->tag = request->tag;
    reply->flits = (uint32_t)type->reply_flits;
    reply->asked = request->born;
    reply->sent = request->started;
    reply->course.source = request->course.destination;
    reply->course.destination = request->course.source;
    reply->course.channels = e->class_mask[1];
    e->network->begin(e->network, request->answer, &reply->course);
    reply_queue *queue = &open->replies[request->tag];
    if (queue->first == FC_NONE)
        queue->first = number;
    else
        e->message[queue->last].next = number;
    queue->last = number;
}

static void queue_replies(fc_router *e) {
    open_sources *open = own(e);
    for (size_t type = 0; type < e->routed->requests.count; ++type) {
        reply_queue *queue = &open->replies[type];
        while (queue->first != FC_NONE && e->message[queue->first].born <= e->time) {
            const uint32_t number = queue->first;
            queue->first = e->message[number].next;
            fc_router_queue(e, number);
        }
    }
}

static void delivered(fc_router *e, uint32_t number) {
    const fc_router_message *message = &e->message[number];
    if (e->classes == 1)
        return;
    if (!message->kind) {
        ask_for_reply(e, number);
        return;
    }
    const uint32_t node = message->course.destination;
    e->sums.served += 1;
    e->sums.round_trip += (double)(e->time - message->asked - 1);
    e->sums.response += (double)(e->time - message->sent - 1);
    assert(e->node[node].outstanding); /* R6 */
    --e->node[node].outstanding;
    fc_router_wake_node(e, node);
}

/* ---- the kind ---- */

static uint64_t next(const fc_router *e) {
    const open_sources *open = own(e);
    uint64_t first = fc_arrivals_next(&open->arrivals);
    for (size_t type = 0; type < e->routed->requests.count; ++type) {
        const uint32_t reply = open->replies[type].first;
        if (reply != FC_NONE && e->message[reply].born < first)
            first = e->message[reply].born;
    }
    return first > e->time ? first : e->time;
}

static void generate(fc_router *e) {
    open_sources *open = own(e);
    if (e->classes == 2)
        queue_replies(e);
    uint32_t node;
    fc_random message;
    while (e->status == FC_OK &&
           (node = fc_arrivals_take(&open->arrivals, e->time, &message)) != UINT32_MAX)
        generate_one(e, node, &message);
}

static void release(fc_sources *sources) {
    open_sources *open = (open_sources *)sources;
    fc_arrivals_free(&open->arrivals);
    fc_release(open->senders);
    fc_release(open);
}

static const fc_source_kind open_kind = {
    .next = next, .generate = generate, .delivered = delivered, .release = release};

/* The senders among the nodes of a part. */
static uint32_t choose_senders(const fc_router *e, const fc_traffic *traffic, uint32_t *senders) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < traffic->senders; ++i) {
        senders[count] = traffic->sender[i];
        count += fc_team_part_of(e, traffic->sender[i]) == e;
    }
    return count;
}

fc_status fc_open_sources_create(fc_router *e, const fc_traffic *traffic, uint64_t seed,
                                 uint32_t replication, fc_error *error) {
    open_sources *open = fc_allocate(1, sizeof *open);
    if (!open)
        return fc_fail_memory(error);
    open->sources.kind = &open_kind;
    e->draws = fc_random_stream(seed, replication, FC_STREAM_INJECTION);
    e->sources = &open->sources;
    open->traffic = traffic;
    for (size_t i = 0; i < FC_REQUEST_TYPES_MAX; ++i)
        open->replies[i].first = FC_NONE;
    const fc_routed *routed = e->routed;
    open->sorts = fc_sorts_of(routed);
    e->senders = traffic->senders;
    e->hot_node = traffic->hot_node == FC_NO_NODE ? FC_NONE : traffic->hot_node;
    const uint32_t *senders = traffic->sender;
    uint32_t count = traffic->senders;
    if (e->team) {
        senders = open->senders = fc_allocate(traffic->senders + 1, sizeof *open->senders);
        if (!senders)
            return fc_fail_memory(error);
        count = choose_senders(e, traffic, open->senders);
    }
    return fc_arrivals_start(routed, senders, count,
                             routed->destinations ? routed->destinations->weights : NULL, seed,
                             replication, error, &open->arrivals);
}

fc_status fc_open_sources_flood(fc_router *e, uint64_t seed, uint32_t replication,
                                double messages) {
    enum { FLOODING = 1u << 31 }; /* their numbers: apart from those of messages to come */
    const fc_traffic *traffic = own(e)->traffic;
    const double *weights = e->routed->destinations ? e->routed->destinations->weights : NULL;
    for (uint32_t i = 0; i < traffic->senders; ++i) {
        const uint32_t node = traffic->sender[i];
        const double own = messages / traffic->senders * (weights ? weights[node] : 1);
        for (uint32_t m = 0; m < own && e->status == FC_OK; ++m) {
            fc_random random = fc_message_stream(seed, replication, node, FLOODING + m);
            generate_one(e, node, &random);
        }
    }
    return e->status;
}
