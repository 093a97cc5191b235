/* Open traffic: messages of one or more classes, with drawn destinations and lengths, and what
 * answers them.
 *
 * Everything about a message is drawn when it is generated, from a stream of its own (arrivals.h).
 * A message delivered at time t that another class answers goes to the memory of its node; when
 * that takes it, the node generates the answer memory_reply cycles later. Where an answer has
 * destinations it goes on to a node that is drawn (request, forward, reply), else back to the node
 * that began; a node that has nobody to go on to sends what answers that answer at once. */
#include <assert.h>
#include "base/memory.h"
#include "simulators/router/memories.h"
#include "simulators/router/router_shadow.h"
#include "simulators/router/router_team.h"
#include "simulators/router/sources.h"

typedef struct reply_queue { /* replies to one length of a class, in the order in which they are due
                              */
    uint32_t first, last;
} reply_queue;

typedef struct open_class {
    const fc_traffic *traffic; /* NULL: answers that go back */
    fc_arrivals arrivals;      /* of what nodes generate */
    uint32_t *senders;         /* of a part of the network; NULL: all */
    fc_sorts sorts;
    double sending; /* nodes that send what begins its chains */
    reply_queue replies[FC_LENGTHS_MAX];
} open_class;

typedef struct open_sources {
    fc_sources sources;
    uint64_t seed;
    uint32_t replication;
    uint32_t count, generated;          /* classes; those that nodes generate */
    uint32_t generates[FC_CLASSES_MAX]; /* which */
    uint64_t answer_due;                /* no answer is due before this cycle */
    fc_memories memories;
    open_class of[FC_CLASSES_MAX];
} open_sources;

static open_sources *own(const fc_router *e) {
    return (open_sources *)e->sources;
}

/* ---- drawing ---- */

static void count_generated(fc_router *e, uint32_t kind, uint32_t flits) {
    e->sums.generated += 1;
    e->sums.generated_flits += flits;
    if (e->load)
        fc_load_windows_generated(e->load, e->time);
    if (e->class_sums)
        e->class_sums[kind].generated += 1;
}

static void generate_multicast(fc_router *e, uint32_t kind, uint32_t source, fc_random *random) {
    const uint32_t sort = fc_sorts_draw(&own(e)->of[kind].sorts, random);
    const uint32_t flits = (uint32_t)e->kinds.list[kind].lengths.flits[sort];
    const uint32_t variants = e->multicast->variants;
    count_generated(e, kind, flits);
    fc_router_multicast(e, kind, source, sort, flits,
                        variants > 1 ? fc_random_below(random, variants) : 0);
}

static void generate_one(fc_router *e, uint32_t kind, uint32_t source, fc_random *random) {
    const fc_router_network *network = e->network;
    const open_class *of = &own(e)->of[kind];
    const fc_class *class = &e->kinds.list[kind];
    if (class->multicast) {
        generate_multicast(e, kind, source, random);
        return;
    }
    const uint32_t number = fc_router_new_message(e);
    if (number == FC_NONE)
        return;
    const uint32_t count = random->counter.v[1];
    const fc_drawn_message drawn =
        fc_draw_message(network, of->traffic, &class->lengths, &of->sorts, source, random);
    fc_router_message *message = &e->message[number];
    message->born = e->time;
    message->course.source = source;
    message->course.destination = drawn.destination;
    message->course.channels = e->class_mask[kind];
    message->kind = kind;
    message->tag = drawn.sort;
    message->flits = drawn.flits;
    if (class->reply != FC_NONE)
        message->answer =
            class->paired ? fc_draw_way(network, random, drawn.destination, source) : count;
    fc_begin_way(network, drawn.way, &message->course);
    count_generated(e, kind, message->flits);
    if (e->shadow)
        e->status = fc_router_shadow_message(e->shadow, e->time, source, &drawn, NULL);
    fc_router_queue(e, number);
}

/* ---- answers ---- */

/* The class that answers a message of a class at a node; FC_NONE: none does. */
static uint32_t answer_of(const fc_router *e, uint32_t kind, uint32_t node) {
    const open_sources *open = own(e);
    uint32_t answer = e->kinds.list[kind].reply;
    while (answer != FC_NONE && open->of[answer].traffic &&
           !fc_traffic_sends(open->of[answer].traffic, node))
        answer = e->kinds.list[answer].reply;
    return answer;
}

/* Where an answer goes, how long it is and which way it takes. Requests of traffic.requests have
 * drawn the way of their reply. */
static void draw_answer(const fc_router *e, const fc_router_message *asked,
                        fc_router_message *answer) {
    const fc_router_network *network = e->network;
    const open_sources *open = own(e);
    const open_class *of = &open->of[answer->kind];
    const fc_class *class = &e->kinds.list[answer->kind];
    answer->course.source = fc_node_of(network, asked->course.destination);
    answer->course.destination = answer->origin;
    answer->course.channels = e->class_mask[answer->kind];
    if (e->kinds.list[asked->kind].paired) {
        answer->tag = asked->tag;
        answer->flits = (uint32_t) class->lengths.flits[answer->tag];
        fc_begin_way(network, asked->answer, &answer->course);
        return;
    }
    answer->answer = asked->answer;
    fc_random random =
        fc_message_stream(open->seed, open->replication,
                          answer->origin | (uint32_t)answer->root << FC_STREAM_CLASS_BITS |
                              (uint32_t)answer->step << FC_STREAM_ANSWER_BITS,
                          answer->answer);
    if (of->traffic)
        answer->course.destination = fc_traffic_draw(of->traffic, &random, answer->course.source);
    answer->tag = fc_sorts_draw(&of->sorts, &random);
    answer->flits = (uint32_t) class->lengths.flits[answer->tag];
    fc_begin_way(network,
                 fc_draw_way(network, &random, answer->course.source, answer->course.destination),
                 &answer->course);
}

/* The memory has taken a request of this class and length: its answer is due later. */
static void await(fc_router *e, uint32_t kind, uint32_t sort, uint32_t number) {
    fc_router_message *answer = &e->message[number];
    reply_queue *queue = &own(e)->of[kind].replies[sort];
    answer->born = e->time + (uint64_t)e->kinds.list[kind].memory_reply[sort];
    answer->next = FC_NONE;
    if (queue->first == FC_NONE)
        queue->first = number;
    else
        e->message[queue->last].next = number;
    queue->last = number;
    if (answer->born < own(e)->answer_due)
        own(e)->answer_due = answer->born;
}

static void ask(fc_router *e, uint32_t asked_number, uint32_t kind) {
    open_sources *open = own(e);
    const uint32_t number = fc_router_new_message(e);
    if (number == FC_NONE)
        return;
    const fc_router_message *asked = &e->message[asked_number];
    fc_router_message *answer = &e->message[number];
    const bool first = !asked->step;
    answer->kind = kind;
    answer->step = (uint16_t)(asked->step + 1);
    answer->root = first ? (uint16_t)asked->kind : asked->root;
    answer->origin = first ? fc_node_of(e->network, asked->course.source) : asked->origin;
    answer->asked = first ? asked->born : asked->asked;
    answer->sent = first ? asked->started : asked->sent;
    draw_answer(e, asked, answer);
    const uint64_t busy = (uint64_t)e->kinds.list[asked->kind].memory_busy[asked->tag];
    answer->born = e->time; /* while it waits */
    answer->memory_asked = asked->kind << 8 | asked->tag;
    const bool taken =
        !open->memories.memory ||
        fc_memories_take(&open->memories, e, fc_node_of(e->network, answer->course.source), number,
                         busy);
    e->sums.memory_requests += taken && busy;
    if (taken)
        await(e, asked->kind, asked->tag, number);
}

static void run_memories(fc_router *e) {
    for (uint32_t number; (number = fc_memories_turn(&own(e)->memories, e)) != FC_NONE;) {
        const fc_router_message *answer = &e->message[number];
        e->sums.memory_requests += 1;
        e->sums.memory_wait += (double)(e->time - answer->born);
        await(e, answer->memory_asked >> 8, answer->memory_asked & 0xff, number);
    }
}

static void queue_replies(fc_router *e) {
    open_sources *open = own(e);
    if (open->memories.memory)
        run_memories(e);
    if (open->answer_due > e->time)
        return;
    open->answer_due = UINT64_MAX;
    for (uint32_t kind = 0; kind < open->count; ++kind) {
        for (size_t sort = 0; sort < e->kinds.list[kind].lengths.count; ++sort) {
            reply_queue *queue = &open->of[kind].replies[sort];
            while (queue->first != FC_NONE && e->message[queue->first].born <= e->time) {
                const uint32_t number = queue->first;
                queue->first = e->message[number].next;
                fc_router_queue(e, number);
            }
            if (queue->first != FC_NONE && e->message[queue->first].born < open->answer_due)
                open->answer_due = e->message[queue->first].born;
        }
    }
}

/* A message that nothing answers. */
static void end_chain(fc_router *e, const fc_router_message *message) {
    const bool answer = message->step > 0;
    const uint64_t stay = e->time - (answer ? message->asked : message->born) - 1;
    const uint32_t root = answer ? message->root : message->kind;
    const uint32_t origin =
        answer ? message->origin : fc_node_of(e->network, message->course.source);
    e->sums.served += 1;
    e->sums.stay += (double)stay;
    if (e->kinds.list[root].reply == FC_NONE)
        return;
    const uint64_t response = e->time - (answer ? message->sent : message->started) - 1;
    e->sums.answered += 1;
    e->sums.round_trip += (double)stay;
    e->sums.response += (double)response;
    if (e->histograms)
        fc_histogram_add(&e->histograms[0], response);
    if (e->class_sums) {
        e->class_sums[root].answered += 1;
        e->class_sums[root].response += (double)response;
    }
    assert(e->node[origin].outstanding); /* R6 */
    --e->node[origin].outstanding;
    fc_router_wake_ends(e, origin);
}

static void delivered(fc_router *e, uint32_t number) {
    if (!e->kinds.answers)
        return;
    const fc_router_message *message = &e->message[number];
    const uint32_t answer =
        answer_of(e, message->kind, fc_node_of(e->network, message->course.destination));
    if (answer != FC_NONE)
        ask(e, number, answer);
    else
        end_chain(e, message);
}

/* ---- the kind ---- */

static uint64_t next(const fc_router *e) {
    const open_sources *open = own(e);
    uint64_t first = open->answer_due;
    if (open->memories.memory) {
        const uint64_t turn = fc_memories_next(&open->memories);
        first = turn < first ? turn : first;
    }
    for (uint32_t i = 0; i < open->generated; ++i) {
        const uint64_t due = fc_arrivals_next(&open->of[open->generates[i]].arrivals);
        first = due < first ? due : first;
    }
    return first > e->time ? first : e->time;
}

static void generate(fc_router *e) {
    open_sources *open = own(e);
    if (e->kinds.answers)
        queue_replies(e);
    for (uint32_t i = 0; i < open->generated; ++i) {
        const uint32_t kind = open->generates[i];
        fc_arrivals *arrivals = &open->of[kind].arrivals;
        uint32_t node;
        fc_random message;
        while (e->status == FC_OK &&
               (node = fc_arrivals_take(arrivals, e->time, &message)) != UINT32_MAX)
            generate_one(e, kind, node, &message);
    }
}

static void release(fc_sources *sources) {
    open_sources *open = (open_sources *)sources;
    for (uint32_t kind = 0; kind < FC_CLASSES_MAX; ++kind) {
        fc_arrivals_free(&open->of[kind].arrivals);
        fc_release(open->of[kind].senders);
    }
    fc_memories_free(&open->memories);
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

static fc_status start_class(fc_router *e, uint32_t kind, fc_error *error) {
    open_sources *open = own(e);
    open_class *of = &open->of[kind];
    const fc_class *class = &e->kinds.list[kind];
    of->sorts = fc_sorts_of(&class->lengths);
    for (size_t i = 0; i < FC_LENGTHS_MAX; ++i)
        of->replies[i].first = FC_NONE;
    of->arrivals = (fc_arrivals){.next = UINT64_MAX, .word = 1}; /* nothing */
    if (!(class->share > 0))
        return FC_OK;
    open->generates[open->generated++] = kind;
    const uint32_t *senders = of->traffic->sender;
    uint32_t count = of->traffic->senders;
    if (e->team) {
        senders = of->senders = fc_allocate(count + 1, sizeof *of->senders);
        if (!senders)
            return fc_fail_memory(error);
        count = choose_senders(e, of->traffic, of->senders);
    }
    const fc_arrival_law law =
        fc_arrival_law_of(e->routed, class->share, class->destinations, kind);
    return fc_arrivals_start(&law, senders, count, (fc_random_key){open->seed, open->replication},
                             error, &of->arrivals);
}

/* Nodes that send something of their own accord. */
static uint32_t count_senders(const fc_router *e) {
    const open_sources *open = own(e);
    uint32_t count = 0;
    for (uint32_t node = 0; node < fc_node_count(e->network); ++node) {
        bool sends = false;
        for (uint32_t kind = 0; kind < open->count; ++kind)
            sends = sends || (e->kinds.list[kind].share > 0 &&
                              fc_traffic_sends(open->of[kind].traffic, node));
        count += sends;
    }
    return count;
}

double fc_open_sources_senders(const fc_router *e, uint32_t class) {
    return own(e)->of[class].sending;
}

/* Of the classes that nodes generate, and of those that answer them. */
static void count_senders_of_classes(const fc_router *e) {
    open_sources *open = own(e);
    for (uint32_t kind = 0; kind < open->count; ++kind) {
        if (!(e->kinds.list[kind].share > 0))
            continue;
        const double senders = open->of[kind].traffic->senders;
        for (uint32_t at = kind; at != FC_NONE; at = e->kinds.list[at].reply)
            if (senders > open->of[at].sending)
                open->of[at].sending = senders;
    }
}

fc_status fc_open_sources_create(fc_router *e, const fc_traffic *traffic, uint64_t seed,
                                 uint32_t replication, fc_error *error) {
    open_sources *open = fc_allocate(1, sizeof *open);
    if (!open)
        return fc_fail_memory(error);
    open->sources.kind = &open_kind;
    e->draws = fc_random_stream(seed, replication, FC_STREAM_INJECTION);
    e->sources = &open->sources;
    open->seed = seed;
    open->replication = replication;
    open->answer_due = UINT64_MAX;
    open->count = e->classes;
    for (uint32_t kind = 0; kind < open->count; ++kind)
        open->of[kind].traffic = fc_traffic_of_class(traffic, kind);
    count_senders_of_classes(e);
    e->senders = e->classes > 1 ? count_senders(e) : traffic->senders;
    e->hot_node = traffic->hot_node == FC_NO_NODE || e->class_sums ? FC_NONE : traffic->hot_node;
    fc_status status = FC_OK;
    if (fc_memories_needed(&e->kinds))
        status = fc_memories_create(fc_node_count(e->network), error, &open->memories);
    for (uint32_t kind = 0; kind < open->count && status == FC_OK; ++kind)
        status = start_class(e, kind, error);
    return status;
}

/* Of a class, in proportion to its share. */
static void flood(fc_router *e, uint32_t kind, double messages) {
    enum { FLOODING = 1u << 31 }; /* their numbers: apart from those of messages to come */
    const open_sources *open = own(e);
    const fc_traffic *traffic = open->of[kind].traffic;
    const fc_destinations *destinations = e->kinds.list[kind].destinations;
    const double *weights = destinations ? destinations->weights : NULL;
    for (uint32_t i = 0; i < traffic->senders; ++i) {
        const uint32_t node = traffic->sender[i];
        const double mine = messages / traffic->senders * (weights ? weights[node] : 1);
        for (uint32_t m = 0; m < mine && e->status == FC_OK; ++m) {
            fc_random random = fc_message_stream(open->seed, open->replication,
                                                 node | kind << FC_STREAM_CLASS_BITS, FLOODING + m);
            generate_one(e, kind, node, &random);
        }
    }
}

fc_status fc_open_sources_flood(fc_router *e, double messages) {
    for (uint32_t kind = 0; kind < e->classes; ++kind)
        if (e->kinds.list[kind].share > 0)
            flood(e, kind, messages * e->kinds.list[kind].share);
    return e->status;
}
