/* Closed traffic: processors that wait for replies, memories, and queued links into the switch.
 *
 * With traffic.processors: per-request each customer has a processor of its own; interrupted: an
 * access takes its `memory_busy` cycles from the node's processor, whose service ends that much
 * later.
 *
 * A node has `outstanding` customers. A customer is served by the processor (first come first,
 * geometric on 1, 2, ... with mean `think_time`), sends a request to another node's memory and
 * joins its processor's queue again when the tail of the reply has arrived. A memory serves
 * requests first come first; the reply is queued `memory_reply` cycles after the service has begun,
 * the memory is occupied for `memory_busy` cycles. Requests and replies share the link (or links)
 * into the switch, first come first; the head of a link's queue holds the link until its tail is in
 * its first channel.
 *
 * At cycle t: executions end and requests are queued; then memories start what they can and replies
 * due at t are queued; then flits move; what they complete has arrived at t+1.
 *
 * All draws of a node come from its own stream in the order service time, kind of request,
 * destination, half-way directions of request and reply, service time, ... whatever the network
 * does. With unlimited outstanding requests a processor never waits. */
#include "simulators/flit/flit_closed.h"

#include <assert.h>
#include <math.h>
#include "base/memory.h"

enum { WHEEL = 1024 };

/* ---- the calendar: what is due at which node and when ---- */

static void schedule(fc_flit *engine, uint64_t time, uint32_t what) {
    fc_closed_nodes *closed = engine->closed;
    if (closed->due_free == FC_NONE) {
        const uint32_t old = closed->due_room, room = 2 * old;
        fc_closed_due *grown = fc_reallocate(closed->due, room, sizeof *grown);
        if (grown)
            closed->due = grown;
        uint32_t *now = fc_reallocate(closed->now, room, sizeof *now);
        if (now)
            closed->now = now;
        if (!grown || !now) {
            engine->status = FC_ERROR_MEMORY;
            return;
        }
        for (uint32_t i = old; i < room; ++i)
            grown[i].next = i + 1 < room ? i + 1 : FC_NONE;
        closed->due_free = old;
        closed->due_room = room;
    }
    const uint32_t entry = closed->due_free;
    closed->due_free = closed->due[entry].next;
    uint32_t *bucket = &closed->wheel[time % WHEEL];
    closed->due[entry] = (fc_closed_due){.time = time, .what = what, .next = *bucket};
    *bucket = entry;
}

/* Takes what is due now off the calendar, into closed->now. */
static uint32_t take_due(fc_flit *engine) {
    fc_closed_nodes *closed = engine->closed;
    uint32_t *place = &closed->wheel[engine->time % WHEEL], count = 0;
    while (*place != FC_NONE) {
        const uint32_t entry = *place;
        fc_closed_due *due = &closed->due[entry];
        if (due->time != engine->time) {
            place = &due->next;
            continue;
        }
        *place = due->next;
        due->next = closed->due_free;
        closed->due_free = entry;
        closed->now[count++] = due->what;
    }
    return count;
}

static uint64_t next_event(const fc_flit *engine) {
    const fc_closed_nodes *closed = engine->closed;
    for (uint64_t time = engine->time; time < engine->time + WHEEL; ++time) {
        for (uint32_t entry = closed->wheel[time % WHEEL]; entry != FC_NONE;
             entry = closed->due[entry].next) {
            if (closed->due[entry].time == time)
                return time;
        }
    }
    return engine->time + WHEEL;
}

/* ---- links into the switch ---- */

/* The link a message goes out by, counted from the first: the node's only one, or that of its first
 * virtual channel, or of two or three the one to which that belongs. Where the rule leaves a
 * choice, messages take turns. */
static uint32_t choose_source(fc_flit *engine, const fc_message *message) {
    const uint32_t node = message->source;
    if (engine->sources_per_node == 1)
        return node;
    fc_eligible eligible;
    uint32_t dimension;
    bool rising;
    const uint32_t link = fc_flit_first_link(engine, message, &eligible);
    fc_flit_link_from(engine, link, &dimension, &rising);
    uint64_t mask = eligible.own | eligible.shared;
    uint32_t skip = 0;
    const uint32_t choices = (uint32_t)__builtin_popcountll(mask);
    if (choices > 1)
        skip = engine->closed->node[node].turn++ % choices;
    while (skip--)
        mask &= mask - 1;
    const uint32_t first = node * engine->geometry->slots;
    const uint32_t channel =
        (fc_channel_number(engine->geometry, node, dimension, rising) - first) *
            engine->rule.channels +
        (uint32_t)__builtin_ctzll(mask);
    return node * engine->sources_per_node + channel % engine->sources_per_node;
}

/* The message is at the head of the link's queue from time `when` on. */
static void start_message(fc_flit *engine, uint32_t source, uint32_t number, uint64_t when) {
    engine->message[number].started = when;
    fc_flit_load(engine, source, number);
    fc_flit_ask(engine, source, when);
}

static void send(fc_flit *engine, uint32_t transaction, bool reply) {
    fc_closed_nodes *closed = engine->closed;
    const fc_transaction *about = &closed->transaction[transaction];
    const fc_request_type *type = &engine->torus->requests.types[about->type];
    const uint32_t number = fc_flit_new_message(engine);
    if (number == FC_NONE)
        return;
    fc_message *message = &engine->message[number];
    message->number = 2 * (about->sequence * engine->geometry->nodes + about->owner) + reply;
    message->born = engine->time;
    message->source = message->turn = reply ? about->memory : about->owner;
    message->destination = reply ? about->owner : about->memory;
    message->rising = reply ? about->reply_rising : about->request_rising;
    message->flits = (uint32_t)(reply ? type->reply_flits : type->flits);
    message->transaction = transaction;
    const uint32_t out = choose_source(engine, message);
    const uint32_t source = engine->source_first + (out << engine->channel_bits);
    fc_closed_queue *queue = &closed->queue[out];
    if (engine->header[source].front == FC_NONE) {
        start_message(engine, source, number, engine->time);
    } else if (queue->first == FC_NONE) {
        queue->first = queue->last = number;
    } else {
        engine->message[queue->last].next = number;
        queue->last = number;
    }
}

static void source_empty(fc_flit *engine, uint32_t source) {
    const uint32_t out = fc_vc_link(engine, source) - engine->network_link_end;
    fc_closed_queue *queue = &engine->closed->queue[out];
    const uint32_t number = queue->first;
    if (number == FC_NONE)
        return;
    queue->first = engine->message[number].next;
    start_message(engine, source, number, engine->time + 1);
}

/* ---- where customers are ---- */

/* A customer leaves a station after so many cycles have ended there, for the next one. */
static void move_on(fc_flit *engine, int station, uint64_t cycles) {
    const int next = (station + 1) % FC_CLOSED_STATIONS;
    engine->sums.left[station] += 1;
    if (station != FC_AT_PROCESSOR || !engine->closed->unlimited) {
        engine->sums.stay[station] += (double)cycles;
        --engine->closed->population[station];
    }
    engine->closed->population[next] += next != FC_AT_PROCESSOR || !engine->closed->unlimited;
}

/* ---- processors ---- */

static void count_busy(fc_flit *engine, uint64_t now, int change) {
    fc_closed_nodes *closed = engine->closed;
    engine->sums.busy += (double)closed->busy * (double)(now - closed->counted);
    closed->counted = now;
    closed->busy += (uint32_t)change;
}

static uint64_t draw_service(fc_flit *engine, uint32_t node) {
    const uint64_t cycles =
        fc_random_geometric(&engine->closed->node[node].random, engine->torus->think_time);
    engine->sums.services += 1;
    engine->sums.service_cycles += (double)cycles;
    return cycles;
}

/* Cycles that the service going on loses to a message. */
static void steal(fc_flit *engine, uint32_t node, uint64_t cycles) {
    engine->closed->node[node].stolen += cycles;
    engine->closed->node[node].busy_cycles -= cycles;
    engine->sums.busy -= (double)cycles;
}

static void start_service(fc_flit *engine, uint32_t node, uint64_t now) {
    fc_closed_node *mine = &engine->closed->node[node];
    mine->service_from = now;
    schedule(engine, now + draw_service(engine, node), node);
    if (engine->closed->processors == FC_PROCESSOR_INTERRUPTED && mine->memory_busy_until > now)
        steal(engine, node, mine->memory_busy_until - now);
}

static uint32_t new_transaction(fc_flit *engine) {
    fc_closed_nodes *closed = engine->closed;
    if (closed->transaction_free == FC_NONE) {
        const uint32_t old = closed->transaction_room, room = 2 * old;
        fc_transaction *grown = fc_reallocate(closed->transaction, room, sizeof *grown);
        if (!grown) {
            engine->status = FC_ERROR_MEMORY;
            return FC_NONE;
        }
        for (uint32_t i = old; i < room; ++i)
            grown[i].next = i + 1 < room ? i + 1 : FC_NONE;
        closed->transaction = grown;
        closed->transaction_free = old;
        closed->transaction_room = room;
    }
    const uint32_t number = closed->transaction_free;
    closed->transaction_free = closed->transaction[number].next;
    return number;
}

static uint32_t draw_rising(fc_flit *engine, fc_random *random, uint32_t from, uint32_t to) {
    uint32_t ties;
    const uint32_t rising = fc_route_rising(engine->geometry, from, to, &ties);
    return ties ? rising ^ (ties & fc_random_word(random)) : rising;
}

static void draw_request(fc_flit *engine, uint32_t node, fc_transaction *about) {
    fc_closed_node *mine = &engine->closed->node[node];
    const fc_requests *requests = &engine->torus->requests;
    double draw = fc_random_unit(&mine->random);
    about->type = 0;
    while (about->type + 1 < requests->count && draw >= requests->types[about->type].share)
        draw -= requests->types[about->type++].share;
    about->owner = node;
    about->sequence = mine->sequence++;
    about->memory = fc_traffic_draw(engine->traffic, &mine->random, node);
    about->request_rising = draw_rising(engine, &mine->random, node, about->memory);
    about->reply_rising = draw_rising(engine, &mine->random, about->memory, node);
    about->requested = engine->time;
}

/* The part of the present service that the detail counts. */
static uint64_t counted_from(const fc_closed_node *node) {
    return node->service_from > node->service_counted_from ? node->service_from
                                                           : node->service_counted_from;
}

static void send_request(fc_flit *engine, uint32_t customer, uint32_t node) {
    fc_transaction *about = &engine->closed->transaction[customer];
    draw_request(engine, node, about);
    move_on(engine, FC_AT_PROCESSOR, engine->time - about->joined + 1);
    send(engine, customer, false);
}

/* ---- processors of its own for each request ---- */

/* One more or one less of a node's processors is busy from now on. */
static void count_serving(fc_flit *engine, uint32_t node, uint64_t now, int change) {
    fc_closed_node *mine = &engine->closed->node[node];
    mine->busy_cycles += mine->serving * (now - counted_from(mine));
    mine->service_from = now;
    mine->serving += (uint32_t)change;
    count_busy(engine, now, change);
}

static void start_own_service(fc_flit *engine, uint32_t customer, uint64_t now) {
    const uint32_t node = engine->closed->transaction[customer].owner;
    count_serving(engine, node, now, 1);
    schedule(engine, now + draw_service(engine, node), customer + 2 * engine->geometry->nodes);
}

static void end_own_service(fc_flit *engine, uint32_t customer) {
    const uint32_t node = engine->closed->transaction[customer].owner;
    count_serving(engine, node, engine->time, -1);
    send_request(engine, customer, node);
}

/* ---- */

static void end_service(fc_flit *engine, uint32_t node) {
    fc_closed_nodes *closed = engine->closed;
    fc_closed_node *mine = &closed->node[node];
    if (mine->stolen > 0) {
        schedule(engine, engine->time + mine->stolen, node);
        mine->stolen = 0;
        return;
    }
    mine->busy_cycles += engine->time - counted_from(mine);
    uint32_t customer = mine->queue_first;
    if (customer == FC_NONE) { /* unlimited requests: a fresh customer each time */
        customer = new_transaction(engine);
        if (customer == FC_NONE)
            return;
        closed->transaction[customer].joined = mine->service_from;
    } else {
        mine->queue_first = closed->transaction[customer].next;
    }
    if (closed->unlimited)
        engine->sums.generated += 1;
    send_request(engine, customer, node);
    if (mine->queue_first != FC_NONE || closed->unlimited)
        start_service(engine, node, engine->time);
    else
        count_busy(engine, engine->time, -1);
}

/* A customer is back at its processor. */
static void join_processor(fc_flit *engine, uint32_t customer, uint64_t now) {
    fc_closed_nodes *closed = engine->closed;
    fc_transaction *about = &closed->transaction[customer];
    fc_closed_node *mine = &closed->node[about->owner];
    if (closed->unlimited) {
        about->next = closed->transaction_free;
        closed->transaction_free = customer;
        return;
    }
    about->joined = now;
    about->next = FC_NONE;
    if (closed->processors == FC_PROCESSOR_PER_REQUEST) {
        start_own_service(engine, customer, now);
        return;
    }
    if (mine->queue_first == FC_NONE) {
        mine->queue_first = customer;
        start_service(engine, about->owner, now);
        count_busy(engine, now, 1);
    } else {
        closed->transaction[mine->queue_last].next = customer;
    }
    mine->queue_last = customer;
}

/* ---- memories ---- */

/* Serves what it can and sends the replies that are due, in the order their service began. */
static void run_memory(fc_flit *engine, uint32_t node) {
    fc_closed_nodes *closed = engine->closed;
    fc_closed_node *mine = &closed->node[node];
    const uint64_t now = engine->time;
    while (mine->memory_first != FC_NONE && mine->memory_busy_until <= now) {
        const uint32_t number = mine->memory_first;
        fc_transaction *about = &closed->transaction[number];
        const fc_request_type *type = &engine->torus->requests.types[about->type];
        mine->memory_first = about->next;
        mine->memory_busy_until = now + (uint64_t)type->memory_busy;
        if (closed->processors == FC_PROCESSOR_INTERRUPTED &&
            (closed->unlimited || mine->queue_first != FC_NONE))
            steal(engine, node, (uint64_t)type->memory_busy);
        about->reply_due = now + (uint64_t)type->memory_reply;
        about->next = FC_NONE;
        if (mine->reply_first == FC_NONE)
            mine->reply_first = number;
        else
            closed->transaction[mine->reply_last].next = number;
        mine->reply_last = number;
        if (about->reply_due > now)
            schedule(engine, about->reply_due, node + engine->geometry->nodes);
        if (mine->memory_busy_until > now)
            schedule(engine, mine->memory_busy_until, node + engine->geometry->nodes);
    }
    uint32_t *place = &mine->reply_first, last = FC_NONE;
    while (*place != FC_NONE) {
        const uint32_t number = *place;
        fc_transaction *about = &closed->transaction[number];
        if (about->reply_due > now) {
            last = number;
            place = &about->next;
            continue;
        }
        *place = about->next;
        if (mine->reply_last == number)
            mine->reply_last = last;
        about->replied = now;
        move_on(engine, FC_AT_MEMORY, now - about->arrived + 1);
        send(engine, number, true);
    }
}

static void join_memory(fc_flit *engine, uint32_t number, uint64_t now) {
    fc_closed_nodes *closed = engine->closed;
    fc_transaction *about = &closed->transaction[number];
    fc_closed_node *mine = &closed->node[about->memory];
    about->next = FC_NONE;
    if (mine->memory_first == FC_NONE)
        mine->memory_first = number;
    else
        closed->transaction[mine->memory_last].next = number;
    mine->memory_last = number;
    if (mine->memory_busy_until <= now)
        schedule(engine, now, about->memory + engine->geometry->nodes);
}

/* ---- events ---- */

/* In the order of their numbers, so that what a node draws does not depend on the calendar. */
static void end_own_services(fc_flit *engine, uint32_t count) {
    uint32_t *now = engine->closed->now;
    const uint32_t first = 2 * engine->geometry->nodes;
    for (uint32_t i = 1; i < count; ++i) {
        const uint32_t what = now[i];
        uint32_t place = i;
        for (; place > 0 && now[place - 1] > what; --place)
            now[place] = now[place - 1];
        now[place] = what;
    }
    for (uint32_t i = 0; i < count; ++i)
        if (now[i] >= first)
            end_own_service(engine, now[i] - first);
}

static void begin_cycle(fc_flit *engine) {
    fc_closed_nodes *closed = engine->closed;
    const uint32_t nodes = engine->geometry->nodes, count = take_due(engine);
    if (closed->processors == FC_PROCESSOR_PER_REQUEST)
        end_own_services(engine, count);
    for (uint32_t i = 0; i < count; ++i) {
        if (closed->now[i] < nodes)
            end_service(engine, closed->now[i]);
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (closed->now[i] >= nodes && closed->now[i] < 2 * nodes)
            run_memory(engine, closed->now[i] - nodes);
    }
}

static void injection_free(fc_flit *engine, uint32_t channel) {
    (void)engine;
    (void)channel;
}

static void complete(fc_flit *engine, const fc_transaction *about, uint64_t now) {
    fc_flit_sums *sums = &engine->sums;
    const double network = (double)(about->request_time + (now - about->replied));
    const double remote = (double)(about->replied - about->arrived);
    const uint32_t hot_node = engine->traffic->hot_node;
    sums->served += 1;
    sums->network += network;
    sums->remote += remote;
    sums->response += network + remote;
    sums->round_trip += (double)(now - about->joined);
    if (hot_node != FC_NO_NODE) {
        const bool hot = about->memory == hot_node;
        *(hot ? &sums->served_hot : &sums->served_cold) += 1;
        *(hot ? &sums->response_hot : &sums->response_cold) += network + remote;
    }
}

static void delivered(fc_flit *engine, uint32_t number) {
    fc_closed_nodes *closed = engine->closed;
    const fc_message *message = &engine->message[number];
    const uint32_t transaction = message->transaction;
    fc_transaction *about = &closed->transaction[transaction];
    const uint64_t now = engine->time + 1, latency = now - message->born;
    assert(latency >= message->flits + 1 +
                          fc_geometry_distance(engine->geometry, message->source,
                                               message->destination)); /* I6 */
    if (engine->observer)
        engine->observer(engine->observer_context, message, latency);
    if (message->destination == about->memory) {
        about->request_time = latency;
        about->arrived = now;
        move_on(engine, FC_AS_REQUEST, latency - 1);
        join_memory(engine, transaction, now);
    } else {
        complete(engine, about, now);
        move_on(engine, FC_AS_REPLY, latency - 1);
        ++closed->node[about->owner].served;
        join_processor(engine, transaction, now);
    }
    fc_flit_free_message(engine, number);
}

static const fc_endpoints closed_endpoints = {
    .next_event = next_event,
    .begin_cycle = begin_cycle,
    .source_empty = source_empty,
    .injection_free = injection_free,
    .delivered = delivered,
};

void fc_closed_settle(fc_flit *engine) {
    count_busy(engine, engine->time, 0);
}

void fc_closed_clear_detail(fc_flit *engine) {
    fc_closed_nodes *closed = engine->closed;
    for (uint32_t node = 0; node < engine->geometry->nodes; ++node) {
        closed->node[node].busy_cycles = 0;
        closed->node[node].served = 0;
        closed->node[node].service_counted_from = engine->time;
    }
}

double fc_closed_busy_cycles(const fc_flit *engine, uint32_t node) {
    const fc_closed_node *mine = &engine->closed->node[node];
    const bool serving = mine->queue_first != FC_NONE || engine->closed->unlimited;
    const uint64_t since = engine->time - counted_from(mine);
    if (engine->closed->processors == FC_PROCESSOR_PER_REQUEST)
        return (double)(mine->busy_cycles + mine->serving * since) /
               (double)engine->torus->outstanding;
    /* cycles stolen in advance make it less than zero for a while */
    return (double)(int64_t)(mine->busy_cycles + (serving ? since : 0));
}

/* ---- creation ---- */

static bool allocate_nodes(fc_flit *engine, fc_closed_nodes *closed) {
    const uint32_t nodes = engine->geometry->nodes;
    const int64_t outstanding = engine->torus->outstanding;
    const uint32_t customers = nodes * (outstanding == FC_INFINITE ? 4 : (uint32_t)outstanding);
    closed->node = fc_allocate(nodes, sizeof *closed->node);
    closed->queue = fc_allocate(nodes * engine->sources_per_node, sizeof *closed->queue);
    closed->wheel = fc_allocate(WHEEL, sizeof *closed->wheel);
    closed->due_room = 4 * nodes;
    closed->due = fc_allocate(closed->due_room, sizeof *closed->due);
    closed->now = fc_allocate(closed->due_room, sizeof *closed->now);
    closed->transaction_room = customers;
    closed->transaction = fc_allocate(customers, sizeof *closed->transaction);
    return closed->node && closed->queue && closed->wheel && closed->due && closed->now &&
           closed->transaction;
}

fc_status fc_closed_create(fc_flit *engine, uint64_t seed, uint32_t replication, fc_error *error) {
    const uint32_t nodes = engine->geometry->nodes;
    fc_closed_nodes *closed = fc_allocate(1, sizeof *closed);
    if (!closed)
        return fc_fail_memory(error);
    engine->closed = closed;
    engine->endpoints = &closed_endpoints;
    closed->unlimited = engine->torus->outstanding == FC_INFINITE;
    closed->processors = engine->torus->processors;
    if (engine->traffic->senders != nodes)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "with closed traffic every node must send to another node; this pattern "
                       "maps %u nodes to themselves",
                       (unsigned)(nodes - engine->traffic->senders));
    if (!allocate_nodes(engine, closed))
        return fc_fail_memory(error);
    for (uint32_t i = 0; i < WHEEL; ++i)
        closed->wheel[i] = FC_NONE;
    for (uint32_t i = 0; i < closed->due_room; ++i)
        closed->due[i].next = i + 1 < closed->due_room ? i + 1 : FC_NONE;
    for (uint32_t i = 0; i < nodes * engine->sources_per_node; ++i)
        closed->queue[i].first = FC_NONE;
    for (uint32_t i = 0; i < closed->transaction_room; ++i)
        closed->transaction[i].next = i + 1 < closed->transaction_room ? i + 1 : FC_NONE;
    closed->transaction_free = 0;
    for (uint32_t node = 0; node < nodes; ++node) {
        fc_closed_node *mine = &closed->node[node];
        mine->random = fc_random_stream(seed, replication, FC_STREAM_NODES + node);
        mine->queue_first = mine->memory_first = mine->reply_first = FC_NONE;
        if (closed->unlimited)
            start_service(engine, node, 0);
        for (int64_t i = 0; !closed->unlimited && i < engine->torus->outstanding; ++i) {
            const uint32_t customer = new_transaction(engine);
            closed->transaction[customer].owner = node;
            join_processor(engine, customer, 0);
        }
    }
    if (closed->processors != FC_PROCESSOR_PER_REQUEST)
        closed->busy = nodes;
    if (!closed->unlimited)
        closed->population[FC_AT_PROCESSOR] = nodes * (uint32_t)engine->torus->outstanding;
    return engine->status == FC_OK ? FC_OK : fc_fail_memory(error);
}

void fc_closed_free(fc_closed_nodes *closed) {
    if (!closed)
        return;
    fc_release(closed->node);
    fc_release(closed->queue);
    fc_release(closed->wheel);
    fc_release(closed->due);
    fc_release(closed->now);
    fc_release(closed->transaction);
    fc_release(closed);
}
