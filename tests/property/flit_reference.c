#include "property/flit_reference.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "base/random.h"
#include "network/destinations.h"

enum { AT_SOURCE = -1, DELIVERED = -2, WAY_MAX = 64 };

typedef struct channel channel;
typedef struct message message;
typedef struct request request;
typedef struct link link;

typedef struct flit {
    message *message;
    uint32_t number; /* 0: the header */
    int position;    /* index into the message's way */
} flit;

struct message {
    uint64_t number, born, asked;
    uint32_t source, destination, rising, flits;
    flit *flit;
    channel *way[WAY_MAX]; /* channels granted so far */
    int way_length;
    uint32_t sent; /* flits that have left the source */
    bool has_asked;
    int customer;
    message *next;    /* in the queue of its source */
    message *earlier; /* in the list of all */
};

struct channel {
    link *of;
    uint32_t index, rank, place;
    uint64_t capacity;
    flit **buffer; /* front first */
    uint64_t count, room;
    message *entering; /* granted and not wholly entered */
    uint32_t entered;  /* its flits that have */
    bool has_asked;    /* the header at the front has */
    uint64_t asked;
};

typedef enum link_kind { INTO_NODE, NETWORK, OUT_OF_NODE } link_kind;

struct link {
    link_kind kind;
    uint32_t node, dimension;
    bool rising;
    channel *channels;
    uint32_t count;
    uint32_t turn;  /* the channel that is asked first */
    bool used;      /* in this cycle */
    message *first; /* out of a node, buffers at the sending end: queue, the head holds the link */
    message *last;
};

typedef struct customer {
    uint32_t owner, memory, type, request_rising, reply_rising;
    uint64_t sequence, reply_due;
} customer;

/* A first-come-first-served list of customers. */
typedef struct line {
    int *who;
    size_t count, room;
} line;

typedef struct place {
    fc_random random;
    uint64_t sequence, service_end, memory_busy_until;
    line processor, memory, accesses;
    uint32_t turn;
    message *first, *last; /* open: source queue */
} place;

typedef struct world {
    const fc_torus *torus;
    fc_geometry *geometry;
    fc_traffic *traffic;
    bool sending;
    uint64_t time;
    link *links; /* in the order in which they are looked at */
    uint32_t link_count, network_first, out_first;
    uint32_t outs_per_node;
    place *places;
    customer *customers;
    int customer_count;
    flit **moved; /* arrive at the end of the cycle */
    uint32_t moved_count;
    message *latest; /* list of all messages */
    link **network;  /* by channel number */
    request *requests;
    uint64_t made, hops;
    fc_random gaps, draws;
    double next_arrival;
    reference_observer observer;
    void *context;
    uint64_t *busy;
} world;

static void *zeroed(size_t count, size_t size) {
    void *block = calloc(count ? count : 1, size);
    assert(block);
    return block;
}

/* ---- building ---- */

static void add_link(world *w, link_kind kind, uint32_t node, uint32_t dimension, bool rising,
                     uint32_t channels) {
    link *l = &w->links[w->link_count++];
    const fc_geometry *g = w->geometry;
    const uint32_t per_link = (uint32_t)w->torus->virtual_channels;
    *l = (link){.kind = kind, .node = node, .dimension = dimension, .rising = rising};
    l->count = channels;
    l->channels = zeroed(channels, sizeof *l->channels);
    for (uint32_t i = 0; i < channels; ++i) {
        channel *c = &l->channels[i];
        c->of = l;
        c->index = i;
        c->capacity = w->torus->buffer == FC_INFINITE ? UINT64_MAX : (uint64_t)w->torus->buffer;
        if (kind == NETWORK) {
            c->place = fc_geometry_neighbour(g, node, dimension, rising);
            c->rank = fc_channel_number(g, node, dimension, rising) * per_link + i;
        } else {
            c->place = node;
            c->rank = g->channels * per_link + i;
        }
    }
}

/* Downstream before upstream; a ring against the direction of travel from its wrap-around link. */
static void build_links(world *w) {
    const fc_torus *t = w->torus;
    const fc_geometry *g = w->geometry;
    const uint32_t channels = (uint32_t)t->virtual_channels;
    w->outs_per_node = w->sending && t->node_links == FC_LINK_PER_CHANNEL ? g->slots * channels : 1;
    w->links = zeroed((size_t)g->nodes * (1 + g->slots + w->outs_per_node), sizeof *w->links);
    for (uint32_t node = 0; node < g->nodes; ++node)
        add_link(w, INTO_NODE, node, 0, false, (uint32_t)t->ejection_channels);
    w->network_first = w->link_count;
    for (uint32_t i = g->dimensions; i-- > 0;) {
        const uint32_t d = g->order[i];
        for (int rising = 0; rising < 2; ++rising) {
            if (!g->bidirectional && (rising != 0) != g->rising)
                continue;
            for (uint32_t step = 0; step < g->radix[d]; ++step) {
                const uint32_t digit = rising ? g->radix[d] - 1 - step : step;
                for (uint32_t node = 0; node < g->nodes; ++node)
                    if (fc_digit(g, node, d) == digit)
                        add_link(w, NETWORK, node, d, rising != 0, channels);
            }
        }
    }
    w->out_first = w->link_count;
    w->network = zeroed(g->channels, sizeof *w->network);
    for (uint32_t i = w->network_first; i < w->out_first; ++i) {
        link *l = &w->links[i];
        w->network[fc_channel_number(g, l->node, l->dimension, l->rising)] = l;
    }
    for (uint32_t node = 0; node < g->nodes; ++node)
        for (uint32_t i = 0; i < w->outs_per_node; ++i)
            add_link(w, OUT_OF_NODE, node, 0, false,
                     w->sending ? 0 : (uint32_t)t->injection_channels);
}

static message *new_message(world *w, uint32_t source, uint32_t destination, uint32_t flits) {
    message *m = zeroed(1, sizeof *m);
    m->number = w->made++;
    m->earlier = w->latest;
    w->latest = m;
    m->born = w->time;
    m->source = source;
    m->destination = destination;
    m->flits = flits;
    m->flit = zeroed(flits, sizeof *m->flit);
    for (uint32_t i = 0; i < flits; ++i)
        m->flit[i] = (flit){.message = m, .number = i, .position = AT_SOURCE};
    return m;
}

/* ---- routes ---- */

/* The link a message wants at a node; may: the channels its rule assigns, shared: those free to
 * all. */
static link *route(world *w, const message *m, uint32_t node, uint64_t *may, uint64_t *shared) {
    const fc_geometry *g = w->geometry;
    const fc_torus *t = w->torus;
    *shared = 0;
    *may = ~(uint64_t)0;
    for (uint32_t i = 0; i < g->dimensions; ++i) {
        const uint32_t d = g->order[i];
        const uint32_t at = fc_digit(g, node, d), to = fc_digit(g, m->destination, d);
        const uint32_t from = fc_digit(g, m->source, d);
        if (at == to)
            continue;
        const bool rising = m->rising >> d & 1;
        const uint64_t half = ((uint64_t)1 << t->virtual_channels / 2) - 1;
        const bool wrapped = rising ? at < from : at > from;
        if (t->channel_rule == FC_HIGH_LOW || t->channel_rule == FC_ESCAPE)
            *may = to > at ? 2 : 1;
        if (t->channel_rule == FC_ESCAPE)
            *shared = ~(uint64_t)3;
        if (t->channel_rule == FC_DATELINE)
            *may = wrapped ? half << t->virtual_channels / 2 : half;
        return w->network[fc_channel_number(g, node, d, rising)];
    }
    return &w->links[node];
}

static bool is_idle(const channel *c) {
    return c->count == 0 && !c->entering;
}

static channel *choose(const world *w, link *l, uint64_t may, uint64_t shared) {
    for (uint32_t i = 0; i < l->count; ++i)
        if (shared >> i & 1 && is_idle(&l->channels[i]))
            return &l->channels[i];
    for (uint32_t i = 0; i < l->count; ++i)
        if (may >> i & 1 && is_idle(&l->channels[i]))
            return &l->channels[i];
    if (w->torus->handover == FC_SAME_CYCLE)
        for (uint32_t i = 0; i < l->count; ++i)
            if (may >> i & 1 && !l->channels[i].entering)
                return &l->channels[i];
    return NULL;
}

static void grant(message *m, channel *c) {
    assert(!c->entering && m->way_length < WAY_MAX);
    c->entering = m;
    c->entered = 0;
    m->way[m->way_length++] = c;
}

/* ---- allocation ---- */

struct request {
    message *message;
    link *wanted;
    uint64_t asked, may, shared;
    uint32_t rank;
};

static int compare_requests(const void *a, const void *b) {
    const request *x = a, *y = b;
    if (x->asked != y->asked)
        return x->asked < y->asked ? -1 : 1;
    return x->rank < y->rank ? -1 : 1;
}

/* A header at the front of a buffer that has no next channel yet. */
static bool asks_from_buffer(world *w, channel *c, request *r) {
    if (c->count == 0 || c->buffer[0]->number != 0)
        return false;
    message *m = c->buffer[0]->message;
    if (m->way[m->way_length - 1] != c || (c->of->kind == INTO_NODE))
        return false;
    if (!c->has_asked) {
        c->has_asked = true;
        c->asked = w->time;
    }
    *r = (request){.message = m, .asked = c->asked, .rank = c->rank};
    r->wanted = route(w, m, c->place, &r->may, &r->shared);
    return true;
}

/* The head of the queue of a link out of a node. */
static bool asks_from_node(world *w, link *l, uint32_t out, request *r) {
    message *m = l->first;
    if (!m || m->way_length > 0)
        return false;
    if (!m->has_asked) {
        m->has_asked = true;
        m->asked = w->time;
    }
    *r = (request){.message = m, .asked = m->asked, .rank = UINT32_MAX - 4096 + out};
    r->wanted = route(w, m, l->node, &r->may, &r->shared);
    if (w->outs_per_node > 1) {
        const uint64_t only = (uint64_t)1 << out % w->torus->virtual_channels;
        r->may &= only;
        r->shared &= only;
    }
    return true;
}

static void allocate(world *w) {
    size_t count = 0;
    for (uint32_t i = 0; i < w->link_count; ++i) {
        link *l = &w->links[i];
        for (uint32_t v = 0; v < l->count; ++v)
            count += asks_from_buffer(w, &l->channels[v], &w->requests[count]) ? 1u : 0u;
        if (w->sending && l->kind == OUT_OF_NODE)
            count +=
                asks_from_node(w, l, (i - w->out_first) % w->outs_per_node, &w->requests[count])
                    ? 1u
                    : 0u;
    }
    qsort(w->requests, count, sizeof *w->requests, compare_requests);
    for (size_t i = 0; i < count; ++i) {
        const request *r = &w->requests[i];
        channel *c = choose(w, r->wanted, r->may, r->shared);
        if (c)
            grant(r->message, c);
    }
}

/* ---- moving ---- */

static bool has_room(const world *w, const channel *c) {
    if (c->of->kind == INTO_NODE && !w->sending)
        return true; /* the node takes what comes */
    return c->count < c->capacity;
}

static void take_front(channel *c) {
    memmove(c->buffer, c->buffer + 1, (c->count - 1) * sizeof *c->buffer);
    --c->count;
    c->has_asked = false;
}

/* Buffers at the receiving end: the next flit of the message that is entering the channel. */
static flit *can_enter(world *w, channel *c) {
    message *m = c->entering;
    if (!m || !has_room(w, c))
        return NULL;
    flit *f = &m->flit[c->entered];
    int before = AT_SOURCE;
    while (m->way[before + 1] != c)
        ++before;
    if (f->position != before)
        return NULL;
    if (before != AT_SOURCE) {
        channel *behind = m->way[before];
        if (behind->count == 0 || behind->buffer[0] != f)
            return NULL;
    }
    return f;
}

/* Buffers at the sending end: the front flit of the channel, if the next channel has room. */
static flit *can_leave(world *w, channel *c) {
    if (c->count == 0)
        return NULL;
    flit *f = c->buffer[0];
    if (c->of->kind == INTO_NODE)
        return f;
    const int next = f->position + 1;
    if (next >= f->message->way_length || !has_room(w, f->message->way[next]))
        return NULL;
    return f;
}

static void move(world *w, link *l, flit *f) {
    l->used = true;
    if (f->position == AT_SOURCE)
        ++f->message->sent;
    else
        take_front(f->message->way[f->position]);
    w->moved[w->moved_count++] = f;
    if (l->kind == NETWORK)
        ++w->hops;
}

static bool try_link(world *w, link *l) {
    if (l->used)
        return false;
    if (w->sending && l->kind == OUT_OF_NODE) {
        message *m = l->first;
        if (!m || m->way_length == 0 || m->sent == m->flits || !has_room(w, m->way[0]))
            return false;
        move(w, l, &m->flit[m->sent]);
        return true;
    }
    for (uint32_t i = 0; i < l->count; ++i) {
        channel *c = &l->channels[(l->turn + i) % l->count];
        flit *f = w->sending ? can_leave(w, c) : can_enter(w, c);
        if (f) {
            l->turn = (c->index + 1) % l->count;
            move(w, l, f);
            return true;
        }
    }
    return false;
}

static void tail_arrived(world *w, message *m);

static void arrive(world *w, flit *f) {
    message *m = f->message;
    const bool tail = f->number == m->flits - 1;
    const int next = f->position + 1;
    if (next == m->way_length) { /* buffers at the sending end: out of the last channel */
        f->position = DELIVERED;
        if (tail)
            tail_arrived(w, m);
        return;
    }
    channel *c = m->way[next];
    f->position = next;
    ++c->entered;
    if (tail)
        c->entering = NULL;
    if (c->of->kind == INTO_NODE && !w->sending) {
        f->position = DELIVERED;
        if (tail)
            tail_arrived(w, m);
        return;
    }
    if (c->count == c->room) {
        c->room = c->room ? 2 * c->room : 8;
        c->buffer = realloc(c->buffer, c->room * sizeof(flit *));
        assert(c->buffer);
    }
    c->buffer[c->count++] = f;
}

static void move_flits(world *w) {
    bool moved = true;
    w->moved_count = 0;
    for (uint32_t i = 0; i < w->link_count; ++i)
        w->links[i].used = false;
    while (moved) {
        moved = false;
        for (uint32_t i = 0; i < w->link_count; ++i)
            moved |= try_link(w, &w->links[i]);
    }
    for (uint32_t i = 0; i < w->moved_count; ++i)
        arrive(w, w->moved[i]);
    if (!w->sending)
        return;
    for (uint32_t i = w->out_first; i < w->link_count; ++i) {
        link *l = &w->links[i];
        if (l->first && l->first->sent == l->first->flits)
            l->first = l->first->next;
    }
}

/* ---- open traffic ---- */

static void generate(world *w) {
    const fc_traffic *traffic = w->traffic;
    const uint32_t node = traffic->sender[fc_random_below(&w->draws, traffic->senders)];
    const uint32_t to = fc_traffic_draw(traffic, &w->draws, node);
    message *m = new_message(w, node, to, (uint32_t)w->torus->message_flits);
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

static void begin_open(world *w) {
    const double gap = 1 / (w->torus->rate * w->traffic->senders);
    while (w->next_arrival < (double)w->time + 1) {
        generate(w);
        w->next_arrival += gap * fc_random_exponential(&w->gaps);
    }
    for (uint32_t node = 0; node < w->geometry->nodes; ++node) {
        place *p = &w->places[node];
        channel *c;
        while (p->first && (c = choose(w, &w->links[w->out_first + node], ~(uint64_t)0, 0))) {
            grant(p->first, c);
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
    w->customers[w->customer_count] = (customer){.owner = owner};
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
    message *m = new_message(w, from, to, (uint32_t)(reply ? type->reply_flits : type->flits));
    m->number = 2 * (c->sequence * w->geometry->nodes + c->owner) + reply;
    m->rising = reply ? c->reply_rising : c->request_rising;
    m->customer = who;
    uint32_t out = 0;
    if (w->outs_per_node > 1) {
        uint64_t may, shared;
        const link *first = route(w, m, from, &may, &shared);
        uint32_t choices[64], count = 0;
        for (uint32_t i = 0; i < first->count; ++i)
            if ((may | shared) >> i & 1)
                choices[count++] = i;
        out = (fc_channel_number(w->geometry, from, first->dimension, first->rising) -
               from * w->geometry->slots) *
                  first->count +
              (count > 1 ? choices[w->places[from].turn++ % count] : choices[0]);
    }
    link *l = &w->links[w->out_first + from * w->outs_per_node + out];
    if (l->first)
        l->last->next = m;
    else
        l->first = m;
    l->last = m;
}

static void start_service(world *w, uint32_t node, uint64_t now) {
    place *p = &w->places[node];
    p->service_end = now + fc_random_geometric(&p->random, w->torus->think_time);
}

static void end_service(world *w, uint32_t node) {
    place *p = &w->places[node];
    const bool unlimited = w->torus->outstanding == FC_INFINITE;
    const int who = unlimited ? add_customer(w, node) : leave(&p->processor, 0);
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

static void begin_closed(world *w) {
    for (uint32_t node = 0; node < w->geometry->nodes; ++node)
        if (w->places[node].service_end == w->time)
            end_service(w, node);
    for (uint32_t node = 0; node < w->geometry->nodes; ++node)
        run_memory(w, node);
    for (uint32_t node = 0; w->busy && node < w->geometry->nodes; ++node)
        w->busy[node] += w->places[node].service_end != UINT64_MAX ? 1u : 0u;
}

/* ---- deliveries ---- */

static void tail_arrived(world *w, message *m) {
    const uint64_t now = w->time + 1;
    w->observer(w->context, m->number, now - m->born - (w->sending ? 0 : 1));
    if (!w->sending)
        return;
    const customer *c = &w->customers[m->customer];
    place *p = &w->places[m->destination];
    if (m->destination == c->memory) {
        join(&p->memory, m->customer);
    } else if (w->torus->outstanding != FC_INFINITE) {
        join(&p->processor, m->customer);
        if (p->processor.count == 1)
            start_service(w, m->destination, now);
    }
}

static void tear_down(world *w) {
    while (w->latest) {
        message *m = w->latest;
        w->latest = m->earlier;
        free(m->flit);
        free(m);
    }
    for (uint32_t i = 0; i < w->link_count; ++i) {
        for (uint32_t v = 0; v < w->links[i].count; ++v)
            free(w->links[i].channels[v].buffer);
        free(w->links[i].channels);
    }
    for (uint32_t node = 0; node < w->geometry->nodes; ++node) {
        free(w->places[node].processor.who);
        free(w->places[node].memory.who);
        free(w->places[node].accesses.who);
    }
    free(w->links);
    free(w->network);
    free(w->requests);
    free(w->moved);
    free(w->places);
    free(w->customers);
    fc_traffic_free(w->traffic);
    fc_geometry_free(w->geometry);
}

uint64_t reference_run(const fc_torus *torus, uint64_t seed, uint64_t cycles,
                       reference_observer observer, void *context, uint64_t *busy) {
    world w = {.torus = torus,
               .sending = torus->kind == FC_CLOSED,
               .observer = observer,
               .context = context,
               .busy = busy};
    fc_status status = fc_geometry_create(torus, NULL, &w.geometry);
    assert(status == FC_OK);
    status = fc_traffic_create(torus, w.geometry, NULL, &w.traffic);
    assert(status == FC_OK);
    (void)status;
    build_links(&w);
    w.moved = zeroed(w.link_count, sizeof *w.moved);
    w.requests = zeroed((size_t)w.link_count * 65, sizeof *w.requests);
    w.places = zeroed(w.geometry->nodes, sizeof *w.places);
    w.gaps = fc_random_stream(seed, 0, 0);
    w.draws = fc_random_stream(seed, 0, 1);
    w.next_arrival = 1 / (torus->rate * w.traffic->senders) * fc_random_exponential(&w.gaps);
    for (uint32_t node = 0; node < w.geometry->nodes && w.sending; ++node) {
        w.places[node].random = fc_random_stream(seed, 0, 2 + node);
        for (int64_t i = 0; i < torus->outstanding; ++i)
            join(&w.places[node].processor, add_customer(&w, node));
        start_service(&w, node, 0);
    }
    for (; w.time < cycles; ++w.time) {
        if (w.sending)
            begin_closed(&w);
        else
            begin_open(&w);
        allocate(&w);
        move_flits(&w);
    }
    tear_down(&w);
    return w.hops;
}
