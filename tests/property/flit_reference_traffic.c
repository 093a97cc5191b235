/* What the nodes do: open sources, and processors and memories that wait for each other. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "property/flit_reference_world.h"

/* ---- open traffic ---- */

static void generate(world *w) {
    const fc_traffic *traffic = w->traffic;
    const uint32_t node = traffic->sender[fc_random_below(&w->draws, traffic->senders)];
    const uint32_t to = fc_traffic_draw(traffic, &w->draws, node);
    message *m = reference_new_message(w, node, to, (uint32_t)w->torus->message_flits);
    uint32_t ties;
    m->rising = fc_route_rising(w->geometry, node, to, &ties);
    if (ties)
        m->rising ^= ties & fc_random_word(&w->draws);
    place *p = &w->places[node];
    if (p->first)
        p->last->next = m;
    else
        p->first = m;
    p->last = m;
}

void reference_begin_open(world *w) {
    const double gap = 1 / (w->torus->rate * w->traffic->senders);
    while (w->next_arrival < (double)w->time + 1) {
        generate(w);
        w->next_arrival += gap * fc_random_exponential(&w->gaps);
    }
    for (uint32_t node = 0; node < w->geometry->nodes; ++node) {
        place *p = &w->places[node];
        channel *c;
        while (p->first &&
               (c = reference_choose(w, &w->links[w->out_first + node], ~(uint64_t)0, 0))) {
            reference_grant(p->first, c);
            p->first = p->first->next;
        }
    }
}

/* ---- closed traffic ---- */

static void join(line *l, int who) {
    if (l->count == l->room) {
        l->room = l->room ? 2 * l->room : 8;
        l->who = realloc(l->who, l->room * sizeof *l->who);
        assert(l->who);
    }
    l->who[l->count++] = who;
}

static int leave(line *l, size_t index) {
    const int who = l->who[index];
    memmove(l->who + index, l->who + index + 1, (l->count - 1 - index) * sizeof *l->who);
    --l->count;
    return who;
}

static int add_customer(world *w, uint32_t owner) {
    w->customers = realloc(w->customers, (size_t)(w->customer_count + 1) * sizeof(customer));
    assert(w->customers);
    w->customers[w->customer_count] = (customer){.owner = owner, .service_end = UINT64_MAX};
    return w->customer_count++;
}

static uint32_t draw_rising(world *w, fc_random *random, uint32_t from, uint32_t to) {
    uint32_t ties;
    uint32_t rising = fc_route_rising(w->geometry, from, to, &ties);
    if (ties)
        rising ^= ties & fc_random_word(random);
    return rising;
}

static void send(world *w, int who, bool reply) {
    const customer *c = &w->customers[who];
    const fc_request_type *type = &w->torus->requests.types[c->type];
    const uint32_t from = reply ? c->memory : c->owner, to = reply ? c->owner : c->memory;
    message *m =
        reference_new_message(w, from, to, (uint32_t)(reply ? type->reply_flits : type->flits));
    m->number = 2 * (c->sequence * w->geometry->nodes + c->owner) + reply;
    m->rising = reply ? c->reply_rising : c->request_rising;
    m->customer = who;
    uint32_t out = 0;
    if (w->outs_per_node > 1) {
        uint64_t may, shared;
        const link *first = reference_route(w, m, from, &may, &shared);
        uint32_t choices[64] = {0}, count = 0;
        for (uint32_t i = 0; i < first->count; ++i)
            if ((may | shared) >> i & 1)
                choices[count++] = i;
        out = (fc_channel_number(w->geometry, from, first->dimension, first->rising) -
               from * w->geometry->slots) *
                  first->count +
              (count > 1 ? choices[w->places[from].turn++ % count] : choices[0]);
        out %= w->outs_per_node;
    }
    link *l = &w->links[w->out_first + from * w->outs_per_node + out];
    if (l->first)
        l->last->next = m;
    else
        l->first = m;
    l->last = m;
}

/* Cycles that the service going on loses to a message. */
static void steal(world *w, uint32_t node, uint64_t cycles) {
    w->places[node].stolen += cycles;
    if (w->busy)
        w->busy[node] -= cycles;
}

static void start_service(world *w, uint32_t node, uint64_t now) {
    place *p = &w->places[node];
    p->service_end = now + fc_random_geometric(&p->random, w->torus->think_time);
    p->stolen = 0;
    if (w->torus->processors == FC_PROCESSOR_INTERRUPTED && p->memory_busy_until > now)
        steal(w, node, p->memory_busy_until - now);
}

static void start_own_service(world *w, int who, uint64_t now) {
    customer *c = &w->customers[who];
    c->service_end = now + fc_random_geometric(&w->places[c->owner].random, w->torus->think_time);
}

static void send_request(world *w, int who, uint32_t node) {
    place *p = &w->places[node];
    customer *c = &w->customers[who];
    double draw = fc_random_unit(&p->random);
    c->type = 0;
    while (c->type + 1 < w->torus->requests.count &&
           draw >= w->torus->requests.types[c->type].share)
        draw -= w->torus->requests.types[c->type++].share;
    c->sequence = p->sequence++;
    c->memory = fc_traffic_draw(w->traffic, &p->random, node);
    c->request_rising = draw_rising(w, &p->random, node, c->memory);
    c->reply_rising = draw_rising(w, &p->random, c->memory, node);
    send(w, who, false);
}

static void end_service(world *w, uint32_t node) {
    place *p = &w->places[node];
    const bool unlimited = w->torus->outstanding == FC_INFINITE;
    if (p->stolen > 0) {
        p->service_end = w->time + p->stolen;
        p->stolen = 0;
        return;
    }
    send_request(w, unlimited ? add_customer(w, node) : leave(&p->processor, 0), node);
    p->service_end = UINT64_MAX;
    if (unlimited || p->processor.count > 0)
        start_service(w, node, w->time);
}

static void run_memory(world *w, uint32_t node) {
    place *p = &w->places[node];
    while (p->memory.count > 0 && p->memory_busy_until <= w->time) {
        const int who = leave(&p->memory, 0);
        const fc_request_type *type = &w->torus->requests.types[w->customers[who].type];
        p->memory_busy_until = w->time + (uint64_t)type->memory_busy;
        if (w->torus->processors == FC_PROCESSOR_INTERRUPTED && p->service_end != UINT64_MAX)
            steal(w, node, (uint64_t)type->memory_busy);
        w->customers[who].reply_due = w->time + (uint64_t)type->memory_reply;
        join(&p->accesses, who);
    }
    for (size_t i = 0; i < p->accesses.count;) {
        if (w->customers[p->accesses.who[i]].reply_due <= w->time)
            send(w, leave(&p->accesses, i), true);
        else
            ++i;
    }
}

void reference_begin_closed(world *w) {
    const bool own = w->torus->processors == FC_PROCESSOR_PER_REQUEST;
    for (uint32_t node = 0; node < w->geometry->nodes; ++node)
        if (w->places[node].service_end == w->time)
            end_service(w, node);
    for (int who = 0; own && who < w->customer_count; ++who) {
        if (w->customers[who].service_end != w->time)
            continue;
        w->customers[who].service_end = UINT64_MAX;
        send_request(w, who, w->customers[who].owner);
    }
    for (uint32_t node = 0; node < w->geometry->nodes; ++node)
        run_memory(w, node);
    for (uint32_t node = 0; w->busy && node < w->geometry->nodes; ++node)
        w->busy[node] += w->places[node].service_end != UINT64_MAX ? 1u : 0u;
    for (int who = 0; own && w->busy && who < w->customer_count; ++who)
        w->busy[w->customers[who].owner] += w->customers[who].service_end != UINT64_MAX ? 1u : 0u;
}

/* ---- deliveries ---- */

void reference_tail_arrived(world *w, message *m) {
    const uint64_t now = w->time + 1;
    w->observer(w->context, m->number, now - m->born - (w->sending ? 0 : 1));
    if (!w->sending)
        return;
    const customer *c = &w->customers[m->customer];
    place *p = &w->places[m->destination];
    if (m->destination == c->memory) {
        join(&p->memory, m->customer);
    } else if (w->torus->processors == FC_PROCESSOR_PER_REQUEST) {
        start_own_service(w, m->customer, now);
    } else if (w->torus->outstanding != FC_INFINITE) {
        join(&p->processor, m->customer);
        if (p->processor.count == 1)
            start_service(w, m->destination, now);
    }
}

/* ---- the start ---- */

void reference_start_traffic(world *w, uint64_t seed) {
    const fc_torus *torus = w->torus;
    w->gaps = fc_random_stream(seed, 0, 0);
    w->draws = fc_random_stream(seed, 0, 1);
    w->next_arrival = 1 / (torus->rate * w->traffic->senders) * fc_random_exponential(&w->gaps);
    for (uint32_t node = 0; node < w->geometry->nodes && w->sending; ++node) {
        w->places[node].random = fc_random_stream(seed, 0, 2 + node);
        const bool own = torus->processors == FC_PROCESSOR_PER_REQUEST;
        w->places[node].service_end = UINT64_MAX;
        for (int64_t i = 0; i < torus->outstanding; ++i) {
            const int who = add_customer(w, node);
            if (own)
                start_own_service(w, who, 0);
            else
                join(&w->places[node].processor, who);
        }
        if (!own)
            start_service(w, node, 0);
    }
}
