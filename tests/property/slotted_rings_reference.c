#include "slotted_rings_reference.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void *need(void *block) {
    if (block == NULL)
        abort();
    return block;
}

static void make_ring(reference *model, uint32_t r, uint32_t level, uint32_t fan) {
    reference_ring *ring = &model->rings[r];
    ring->level = level;
    ring->first = level + 1 < model->levels ? 1 : 0;
    ring->nodes = fan + ring->first;
    ring->lanes = (uint32_t)fc_ring_slots(model->rings_of, level);
    ring->slots = need(calloc((size_t)ring->nodes * ring->lanes, sizeof *ring->slots));
    ring->queues = need(calloc(ring->nodes, sizeof *ring->queues));
    if (level == 0) {
        ring->station = model->stations;
        ring->stations = fan;
        model->stations += fan;
    }
}

/* Level by level; the rings on a ring are the next ones of the level below. */
static void make_rings_of_levels(reference *model) {
    uint32_t r = 0, child = 0;
    for (uint32_t level = 0; level < model->levels; ++level) {
        const uint32_t count = (uint32_t)fc_ring_count(model->rings_of, level);
        for (uint32_t i = 0; i < count; ++i, ++r) {
            const uint32_t fan = fc_ring_fan(model->rings_of, level, i);
            make_ring(model, r, level, fan);
            if (level == 0)
                continue;
            model->rings[r].child = child;
            model->rings[r].station = model->rings[child].station;
            for (uint32_t on = 0; on < fan; ++on, ++child) {
                model->rings[child].parent = r;
                model->rings[child].place = model->rings[r].first + on;
                model->rings[r].stations += model->rings[child].stations;
            }
        }
    }
}

static void go_to_processor(reference *model, reference_customer *who);

static void make_customers(reference *model) {
    const fc_ring_requests *of = &model->rings_of->requests;
    model->customers = model->stations * (size_t)of->outstanding;
    model->customer = need(calloc(model->customers, sizeof *model->customer));
    model->memory_free_from = need(calloc(model->stations, sizeof *model->memory_free_from));
    for (size_t i = 0; i < model->customers; ++i) {
        model->customer[i].station = (uint32_t)(i / (size_t)of->outstanding);
        go_to_processor(model, &model->customer[i]);
    }
}

reference *reference_create(const fc_rings *rings, uint64_t seed, uint32_t replication) {
    reference *model = need(calloc(1, sizeof *model));
    model->rings_of = rings;
    model->levels = (uint32_t)rings->levels;
    for (uint32_t level = 0; level < model->levels; ++level)
        model->ring_count += (uint32_t)fc_ring_count(rings, level);
    model->rings = need(calloc(model->ring_count, sizeof *model->rings));
    make_rings_of_levels(model);
    const bool closed = rings->kind == FC_CLOSED;
    model->gap = 1.0 / (model->stations * (closed ? 1 : rings->rate));
    model->arrivals = fc_random_stream(seed, replication, 0);
    model->destinations = fc_random_stream(seed, replication, 1);
    model->next_arrival = model->gap * fc_random_exponential(&model->arrivals);
    if (closed)
        make_customers(model);
    return model;
}

void reference_free(reference *model) {
    for (uint32_t r = 0; r < model->ring_count; ++r) {
        reference_ring *ring = &model->rings[r];
        for (uint32_t node = 0; node < ring->nodes; ++node) {
            reference_queue *queue = &ring->queues[node];
            for (size_t i = 0; i < queue->count; ++i)
                free(queue->packets[queue->first + i]);
            free(queue->packets);
        }
        for (uint32_t slot = 0; slot < ring->nodes * ring->lanes; ++slot)
            free(ring->slots[slot]);
        free(ring->slots);
        free(ring->queues);
    }
    free(model->rings);
    free(model->customer);
    free(model->memory_free_from);
    free(model);
}

static void join(reference_queue *queue, reference_packet *packet, uint64_t now) {
    if (queue->first + queue->count == queue->room) {
        queue->room = 2 * queue->room + 8;
        queue->packets = need(realloc(queue->packets, queue->room * sizeof *queue->packets));
    }
    packet->joined = now;
    queue->packets[queue->first + queue->count++] = packet;
    ++queue->before;
}

/* Another ring or station of the same group, equally likely. */
static uint32_t other(reference *model, uint32_t count, uint32_t own) {
    const uint32_t draw = fc_random_below(&model->destinations, count - 1);
    return draw < own ? draw : draw + 1;
}

static bool holds(const reference_ring *ring, uint32_t station) {
    return station - ring->station < ring->stations;
}

/* The local ring of a station. */
static uint32_t home(const reference *model, uint32_t station) {
    uint32_t r = 0;
    while (!holds(&model->rings[r], station))
        ++r;
    return r;
}

/* Unequal rings: any station of the ring of the level but those of the own ring below. */
static uint32_t draw_around(reference *model, uint32_t source, uint32_t level) {
    uint32_t r = home(model, source), own = source, below = 1;
    while (model->rings[r].level < level) {
        own = model->rings[r].station;
        below = model->rings[r].stations;
        r = model->rings[r].parent;
    }
    const reference_ring *ring = &model->rings[r];
    const uint32_t draw =
        ring->station + fc_random_below(&model->destinations, ring->stations - below);
    return draw < own ? draw : draw + below;
}

static uint32_t destination_for(reference *model, uint32_t source) {
    const fc_rings *rings = model->rings_of;
    const bool hot = rings->hot.share > 0, tree = rings->tree.levels > 0;
    if (hot && source != (uint32_t)rings->hot.node &&
        fc_random_unit(&model->destinations) < rings->hot.share)
        return (uint32_t)rings->hot.node;
    if (tree && rings->locality.count == 0)
        return other(model, model->stations, source);
    const double draw = fc_random_unit(&model->destinations);
    uint32_t level = 0, last = 0;
    double sum = rings->shares[0];
    for (uint32_t l = 0; l < model->levels; ++l)
        last = rings->shares[l] > 0 ? l : last;
    for (; level < last && draw >= sum; sum += rings->shares[level])
        ++level;
    if (hot || tree)
        return draw_around(model, source, level);
    uint32_t part = source;
    for (uint32_t l = 0; l < level; ++l)
        part /= (uint32_t)rings->sizes.values[l];
    const uint32_t size = (uint32_t)rings->sizes.values[level];
    uint32_t target = part / size * size + other(model, size, part % size);
    for (uint32_t l = level; l-- > 0;) {
        const uint32_t fan = (uint32_t)rings->sizes.values[l];
        target = target * fan + fc_random_below(&model->destinations, fan);
    }
    return target;
}

static void generate(reference *model) {
    while (model->next_arrival < (double)(model->now + 1)) {
        const uint32_t source = fc_random_below(&model->arrivals, model->stations);
        reference_ring *ring = &model->rings[home(model, source)];
        reference_packet *packet = need(malloc(sizeof *packet));
        packet->born = model->now;
        packet->destination = destination_for(model, source);
        join(&ring->queues[ring->first + source - ring->station], packet, model->now);
        ++model->generated;
        model->next_arrival += model->gap * fc_random_exponential(&model->arrivals);
    }
}

/* ---- closed traffic ---- */

/* The customer of the station that came to the processor first; NULL: none is there. */
static reference_customer *in_service(reference *model, uint32_t station) {
    reference_customer *first = NULL;
    for (size_t i = 0; i < model->customers; ++i) {
        reference_customer *who = &model->customer[i];
        if (who->station == station && who->queued > 0 && (!first || who->queued < first->queued))
            first = who;
    }
    return first;
}

static void serve(reference *model, reference_customer *who) {
    const double mean = model->rings_of->requests.think_time;
    who->due = THOUGHT;
    who->when = model->now + fc_random_geometric(&model->arrivals, mean);
}

static void go_to_processor(reference *model, reference_customer *who) {
    const bool idle = in_service(model, who->station) == NULL;
    who->queued = ++model->queued;
    if (idle)
        serve(model, who);
}

static void send_message(reference *model, const reference_customer *who, int message) {
    const bool request = message == A_REQUEST;
    const uint32_t from = request ? who->station : who->memory;
    reference_packet *packet = need(malloc(sizeof *packet));
    *packet = (reference_packet){.born = model->now,
                                 .destination = request ? who->memory : who->station,
                                 .customer = (uint32_t)(who - model->customer),
                                 .message = message};
    reference_ring *ring = &model->rings[home(model, from)];
    join(&ring->queues[ring->first + from - ring->station], packet, model->now);
    ++model->generated;
}

static void begin_request(reference *model, reference_customer *who) {
    who->reads = fc_random_unit(&model->arrivals) < model->rings_of->requests.reads;
    who->memory = destination_for(model, who->station);
    who->sent = model->now;
    who->queued = 0;
    reference_customer *next = in_service(model, who->station);
    if (next)
        serve(model, next);
    send_message(model, who, A_REQUEST);
}

static void act_on_what_is_due(reference *model) {
    for (size_t i = 0; i < model->customers; ++i) {
        reference_customer *who = &model->customer[i];
        const int due = who->when == model->now ? who->due : NOTHING_DUE;
        if (due == NOTHING_DUE)
            continue;
        who->due = NOTHING_DUE;
        if (due == THOUGHT) {
            begin_request(model, who);
        } else if (due == RETRIES) {
            send_message(model, who, A_REQUEST);
        } else if (due == HAS_READ) {
            send_message(model, who, THE_DATA);
        } else {
            ++model->served[who->reads];
            model->response[who->reads] += model->now - who->sent;
            go_to_processor(model, who);
        }
    }
}

static void plan(reference_customer *who, int due, uint64_t when) {
    who->due = due;
    who->when = when;
}

/* The acknowledgement of a request, which is in its slot from now on. */
static void acknowledge(reference *model, reference_packet *packet) {
    const fc_ring_requests *of = &model->rings_of->requests;
    reference_customer *who = &model->customer[packet->customer];
    uint64_t *free_from = &model->memory_free_from[who->memory];
    const bool accepted = model->now >= *free_from;
    packet->message = accepted ? AN_ACCEPTANCE : A_REFUSAL;
    packet->destination = who->station;
    packet->born = packet->joined = model->now;
    ++model->generated;
    ++model->sent[0];
    model->refused += !accepted;
    if (!accepted)
        return;
    *free_from = model->now + (uint64_t)of->memory_busy;
    who->awaited = who->reads ? 2 : 1;
    if (who->reads)
        plan(who, HAS_READ, model->now + (uint64_t)of->memory_reply);
}

static void take_in(reference *model, const reference_packet *packet) {
    reference_customer *who = &model->customer[packet->customer];
    if (packet->message == A_REFUSAL)
        plan(who, RETRIES, model->now + 1 + (uint64_t)model->rings_of->requests.retry);
    else if (--who->awaited == 0)
        plan(who, RETURNS, model->now + 1);
}

/* Whether the packet leaves the ring at this node. */
static bool leaves(const reference *model, const reference_ring *ring, uint32_t node,
                   const reference_packet *packet) {
    if (!holds(ring, packet->destination))
        return node == 0;
    if (node < ring->first)
        return false;
    return ring->level == 0
               ? ring->station + node - ring->first == packet->destination
               : holds(&model->rings[ring->child + node - ring->first], packet->destination);
}

/* The queue on the other side of a crossing. */
static reference_queue *across(reference *model, const reference_ring *ring, uint32_t node) {
    if (node < ring->first)
        return &model->rings[ring->parent].queues[ring->place];
    return &model->rings[ring->child + node - ring->first].queues[0];
}

/* Station, up into the levels above, down into those below the last. */
static uint32_t queue_kind(const reference *model, const reference_ring *ring, uint32_t node) {
    return node < ring->first ? 2 * (model->levels - 1) - ring->level : ring->level;
}

/* What is in the slot now. */
static reference_packet *deliver(reference *model, reference_packet *packet) {
    const uint64_t latency = model->now + 1 - packet->born;
    ++model->delivered;
    model->latency += latency;
    if (model->rings_of->hot.share > 0 && packet->destination == model->rings_of->hot.node) {
        ++model->hot_delivered;
        model->hot_latency += latency;
    }
    if (model->customers > 0 && packet->message == A_REQUEST) {
        acknowledge(model, packet);
        return packet;
    }
    if (model->customers > 0)
        take_in(model, packet);
    else
        fc_histogram_add(&model->latencies, latency);
    free(packet);
    return NULL;
}

static void visit(reference *model, reference_ring *ring, uint32_t lane, uint32_t node) {
    reference_packet **slot = &ring->slots[lane * ring->nodes + node];
    const uint32_t kind = queue_kind(model, ring, node);
    if (*slot != NULL && leaves(model, ring, node, *slot)) {
        reference_queue *queue = kind == 0 ? NULL : across(model, ring, node);
        const int64_t room = model->rings_of->queue;
        if (kind == 0) {
            *slot = deliver(model, *slot);
        } else if (room == FC_INFINITE || queue->before < (size_t)room) {
            join(queue, *slot, model->now);
            *slot = NULL;
        } else {
            ++model->turned_away;
        }
    }
    reference_queue *queue = &ring->queues[node];
    if (*slot != NULL || queue->count == 0)
        return;
    reference_packet *head = queue->packets[queue->first];
    if (kind != 0 && head->joined == model->now)
        return;
    ++queue->first;
    --queue->count;
    *slot = head;
    ++model->sent[kind];
    model->waited[kind] += model->now - head->joined;
}

static void turn(const reference_ring *ring) {
    for (uint32_t lane = 0; lane < ring->lanes; ++lane) {
        reference_packet **slots = &ring->slots[lane * ring->nodes];
        reference_packet *last = slots[ring->nodes - 1];
        memmove(slots + 1, slots, (ring->nodes - 1) * sizeof *slots);
        slots[0] = last;
    }
}

static void count_busy(reference *model) {
    for (size_t i = 0; i < model->customers; ++i)
        model->busy += model->customer[i].due == THOUGHT;
}

void reference_tick(reference *model) {
    if (model->customers > 0)
        act_on_what_is_due(model);
    else
        generate(model);
    for (uint32_t r = 0; r < model->ring_count; ++r) {
        turn(&model->rings[r]);
        for (uint32_t node = 0; node < model->rings[r].nodes; ++node)
            model->rings[r].queues[node].before = model->rings[r].queues[node].count;
    }
    for (uint32_t r = 0; r < model->ring_count; ++r) {
        reference_ring *ring = &model->rings[r];
        for (uint32_t lane = 0; lane < ring->lanes; ++lane) {
            for (uint32_t node = 0; node < ring->nodes; ++node) {
                visit(model, ring, lane, node);
                model->occupied[ring->level] += ring->slots[lane * ring->nodes + node] != NULL;
            }
        }
    }
    count_busy(model);
    ++model->now;
}
