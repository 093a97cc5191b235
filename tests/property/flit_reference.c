/* The network: links, virtual channels, what flits and headers do in a cycle. */
#include "property/flit_reference.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "property/flit_reference_world.h"

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
    const uint32_t outs[] = {1, g->slots * channels, 2, 3};
    w->outs_per_node = w->sending ? outs[t->node_links] : 1;
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

message *reference_new_message(world *w, uint32_t source, uint32_t destination, uint32_t flits) {
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

link *reference_route(world *w, const message *m, uint32_t node, uint64_t *may, uint64_t *shared) {
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

channel *reference_choose(const world *w, link *l, uint64_t may, uint64_t shared) {
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

void reference_grant(message *m, channel *c) {
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
    r->wanted = reference_route(w, m, c->place, &r->may, &r->shared);
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
    r->wanted = reference_route(w, m, l->node, &r->may, &r->shared);
    if (w->torus->node_links == FC_LINK_PER_CHANNEL && w->outs_per_node > 1) {
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
        channel *c = reference_choose(w, r->wanted, r->may, r->shared);
        if (c)
            reference_grant(r->message, c);
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

static void arrive(world *w, flit *f) {
    message *m = f->message;
    const bool tail = f->number == m->flits - 1;
    const int next = f->position + 1;
    if (next == m->way_length) { /* buffers at the sending end: out of the last channel */
        f->position = DELIVERED;
        if (tail)
            reference_tail_arrived(w, m);
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
            reference_tail_arrived(w, m);
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
    reference_start_traffic(&w, seed);
    for (; w.time < cycles; ++w.time) {
        if (w.sending)
            reference_begin_closed(&w);
        else
            reference_begin_open(&w);
        allocate(&w);
        move_flits(&w);
    }
    tear_down(&w);
    return w.hops;
}
