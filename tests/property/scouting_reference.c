#include "scouting_reference.h"

#include <stdlib.h>

static uint32_t injection_of(const reference *r, uint32_t node) {
    return r->geometry->nodes + r->geometry->channels + node;
}

static reference_channel *out_of(const reference *r, uint32_t node, uint32_t dimension,
                                 bool rising) {
    return &r->channel[r->geometry->nodes +
                       fc_channel_number(r->geometry, node, dimension, rising)];
}

reference *reference_create(const fc_torus *torus, uint64_t seed, uint32_t replication) {
    reference *r = calloc(1, sizeof *r);
    r->torus = torus;
    fc_geometry_create(torus, NULL, &r->geometry);
    fc_traffic_create(torus, r->geometry, NULL, &r->traffic);
    const uint32_t nodes = r->geometry->nodes, links = r->geometry->channels;
    r->channels = 2 * nodes + links;
    r->channel = calloc(r->channels, sizeof *r->channel);
    r->queues = calloc(nodes, sizeof(reference_message *));
    for (uint32_t c = 0; c < r->channels; ++c) {
        reference_channel *channel = &r->channel[c];
        const bool link = c >= nodes && c < nodes + links;
        channel->count = (int)(c < nodes ? torus->ejection_channels
                               : link    ? torus->virtual_channels
                                         : torus->injection_channels);
        channel->last = channel->count - 1;
        channel->vcs = calloc((size_t)channel->count, sizeof *channel->vcs);
        channel->target = link ? fc_channel_end(r->geometry, c - nodes, NULL, NULL) : 0;
    }
    for (size_t i = 0; i < torus->faults.count; ++i) {
        const fc_fault *fault = &torus->faults.list[i];
        out_of(r, (uint32_t)fault->node, (uint32_t)fault->dimension, fault->direction > 0)->count =
            0;
    }
    for (size_t i = 0; i < torus->faults.router_count; ++i) {
        const uint32_t node = (uint32_t)torus->faults.routers[i].values[0];
        for (uint32_t c = 0; c < links; ++c) {
            const uint32_t to = fc_channel_end(r->geometry, c, NULL, NULL);
            if (c / r->geometry->slots == node || to == node)
                r->channel[nodes + c].count = 0;
        }
    }
    r->arrivals = fc_random_stream(seed, replication, 1);
    r->destinations = fc_random_stream(seed, replication, 2);
    r->ties = fc_random_stream(seed, replication, 3);
    r->choices = fc_random_stream(seed, replication, 4);
    r->next_arrival =
        fc_random_exponential(&r->arrivals) / (torus->rate * (double)r->traffic->senders);
    return r;
}

static void free_list(reference_message *message) {
    while (message) {
        reference_message *next = message->next;
        free(message);
        message = next;
    }
}

void reference_free(reference *r) {
    for (uint32_t node = 0; node < r->geometry->nodes; ++node)
        free_list(r->queues[node]);
    free_list(r->under_way);
    for (uint32_t c = 0; c < r->channels; ++c)
        free(r->channel[c].vcs);
    free(r->channel);
    free(r->queues);
    fc_traffic_free(r->traffic);
    fc_geometry_free(r->geometry);
    free(r);
}

static uint32_t hops_left(const reference *r, const reference_message *m, uint32_t dimension) {
    const uint32_t radix = r->geometry->radix[dimension];
    const uint32_t at = fc_digit(r->geometry, m->node, dimension);
    const uint32_t to = fc_digit(r->geometry, m->destination, dimension);
    return (m->rising >> dimension & 1 ? to + radix - at : at + radix - to) % radix;
}

/* Is there a whole minimal path from here in the message's directions? Tries them all. */
static bool connected(const reference *r, reference_message *m) {
    const uint32_t node = m->node;
    if (node == m->destination)
        return true;
    bool found = false;
    for (uint32_t d = 0; d < r->geometry->dimensions && !found; ++d) {
        const bool rising = m->rising >> d & 1;
        if (hops_left(r, m, d) == 0 || out_of(r, node, d, rising)->count == 0)
            continue;
        m->node = out_of(r, node, d, rising)->target;
        found = connected(r, m);
        m->node = node;
    }
    return found;
}

/* The drawn directions if they reach; else the first other choice of the half-way ones that does,
 * counting upwards through the subsets. */
static bool choose_directions(const reference *r, reference_message *m, uint32_t ties) {
    const uint32_t drawn = m->rising;
    for (uint32_t flips = 0; flips <= ties; ++flips) {
        if ((flips & ~ties) != 0)
            continue;
        m->rising = drawn ^ flips;
        if (connected(r, m))
            return true;
    }
    return false;
}

static void arrive(reference *r) {
    const double rate = r->torus->rate * (double)r->traffic->senders;
    for (; r->next_arrival < (double)r->now + 1;
         r->next_arrival += fc_random_exponential(&r->arrivals) / rate) {
        reference_message *m = calloc(1, sizeof *m);
        m->source = r->traffic->sender[fc_random_below(&r->arrivals, r->traffic->senders)];
        m->destination = fc_traffic_draw(r->traffic, &r->destinations, m->source);
        uint32_t ties;
        m->rising = fc_route_rising(r->geometry, m->source, m->destination, &ties);
        if (ties)
            m->rising ^= ties & fc_random_word(&r->ties);
        m->arrival = r->now;
        m->node = m->source;
        ++r->generated;
        if (r->torus->faults.count > 0 && !choose_directions(r, m, ties)) {
            free(m);
            continue;
        }
        reference_message **end = &r->queues[m->source];
        while (*end)
            end = &(*end)->next;
        *end = m;
    }
}

static void start(reference *r, reference_message *m) {
    for (int i = 0; i < r->torus->message_flits; ++i)
        m->flits[i] = (reference_flit){.message = m, .index = i};
    m->injected = m->header = m->tail = 0;
    m->node = m->source;
    m->crossing = m->accepted = m->left = false;
    m->marks[0] = 0;
}

static void hold(reference_message *m, reference_channel *channel, int index, int place) {
    channel->vcs[index] = (reference_vc){.owner = m};
    m->path[place] = channel;
    m->path_vc[place] = index;
}

static reference_vc *vc_at(const reference_message *m, int place) {
    return &m->path[place]->vcs[m->path_vc[place]];
}

static int first_free(const reference_channel *channel) {
    for (int i = 0; i < channel->count; ++i)
        if (!channel->vcs[i].owner)
            return i;
    return -1;
}

static void grant(reference *r) {
    for (uint32_t node = 0; node < r->geometry->nodes; ++node) {
        reference_channel *channel = &r->channel[injection_of(r, node)];
        for (int free_vc; r->queues[node] && (free_vc = first_free(channel)) >= 0;) {
            reference_message *m = r->queues[node];
            r->queues[node] = m->next;
            m->next = NULL;
            if (!m->was_granted)
                m->granted = r->now;
            m->was_granted = true;
            start(r, m);
            hold(m, channel, free_vc, 0);
            reference_message **end = &r->under_way;
            while (*end)
                end = &(*end)->next;
            *end = m;
        }
    }
}

static void give_up(reference_message *m, int place) {
    *vc_at(m, place) = (reference_vc){0};
}

/* Where the first data flit is: -1 at the source, else the place whose buffer holds it. */
static int front_of(const reference_message *m) {
    for (int place = m->header; place >= m->tail; --place)
        if (vc_at(m, place)->buffer == &m->flits[0])
            return place;
    return m->injected == 0 ? -1 : m->header + 1;
}

static void restart(reference *r, reference_message *m) {
    const bool source_held = m->tail == 0;
    for (int place = m->header; place >= (source_held ? 1 : m->tail); --place)
        give_up(m, place);
    ++m->restarts;
    if (source_held) {
        vc_at(m, 0)->buffer = NULL;
        start(r, m);
        m->flits[0].arrived = r->now; /* no flit leaves the source again in this cycle */
    } else {
        m->left = true;
        reference_message *back = malloc(sizeof *back);
        *back = *m;
        back->next = r->queues[m->source];
        back->left = false;
        r->queues[m->source] = back;
    }
}

static void blocked(reference *r, reference_message *m) {
    if (m->header == 0) {
        m->marks[0] = 0;
        return;
    }
    if (r->torus->scouting_distance == 0 || front_of(m) == m->header) {
        restart(r, m);
        return;
    }
    const uint32_t link = (uint32_t)(m->path[m->header] - r->channel) - r->geometry->nodes;
    uint32_t dimension;
    fc_channel_end(r->geometry, link, &dimension, NULL);
    give_up(m, m->header);
    --m->header;
    m->node = link / r->geometry->slots;
    m->marks[m->header] |= 1u << dimension;
    ++m->backtracks;
}

static void route(reference *r, reference_message *m) {
    if (m->node == m->destination) {
        const int free_vc = first_free(&r->channel[m->node]);
        if (free_vc >= 0) {
            hold(m, &r->channel[m->node], free_vc, m->header + 1);
            m->accepted = true;
            m->accepted_at = r->now;
        }
        return;
    }
    reference_channel *found[REFERENCE_PATH_MAX * 64];
    int index[REFERENCE_PATH_MAX * 64];
    uint32_t count = 0;
    for (uint32_t d = 0; d < r->geometry->dimensions; ++d) {
        reference_channel *out = out_of(r, m->node, d, m->rising >> d & 1);
        if (hops_left(r, m, d) == 0 || m->marks[m->header] >> d & 1)
            continue;
        for (int v = 0; v < out->count; ++v)
            if (!out->vcs[v].owner) {
                found[count] = out;
                index[count++] = v;
            }
    }
    if (count == 0) {
        blocked(r, m);
        return;
    }
    const uint32_t chosen = fc_random_below(&r->choices, count);
    hold(m, found[chosen], index[chosen], m->header + 1);
    found[chosen]->vcs[index[chosen]].probe = true;
    m->crossing = true;
}

/* Rule 4 for the first data flit in the buffer at the given place. */
static bool may_advance(const reference *r, const reference_message *m, int place) {
    const int lead = r->torus->scouting_distance > 1 ? (int)r->torus->scouting_distance : 1;
    if (m->accepted && r->now >= m->accepted_at + 1 + (uint64_t)(m->header - place))
        return true;
    return place + lead <= m->header && r->now >= m->reach[place + lead] + (uint64_t)lead - 1;
}

static int place_of(const reference_message *m, const reference_channel *channel, int index) {
    for (int place = m->tail; place <= m->header + 1; ++place)
        if (m->path[place] == channel && m->path_vc[place] == index)
            return place;
    return -1;
}

/* The flit that could cross this virtual channel now, or NULL. */
static reference_flit *candidate(const reference *r, const reference_channel *channel, int index) {
    reference_message *m = channel->vcs[index].owner;
    if (!m || channel->vcs[index].probe || channel->vcs[index].buffer)
        return NULL;
    const int place = place_of(m, channel, index);
    if (place == 0) {
        if (m->injected == r->torus->message_flits)
            return NULL;
        reference_flit *next = &m->flits[m->injected];
        return next->index == 0 && m->restarts > 0 && next->arrived == r->now ? NULL : next;
    }
    if (place - 1 < m->tail)
        return NULL;
    reference_flit *flit = vc_at(m, place - 1)->buffer;
    if (!flit || flit->arrived == r->now)
        return NULL;
    return flit->index > 0 || may_advance(r, m, place - 1) ? flit : NULL;
}

static void deliver(reference *r, reference_message *m) {
    const uint64_t latency = r->now + 1 - m->arrival;
    m->left = true;
    ++r->delivered;
    r->latency += (double)latency;
    r->backtracks += m->backtracks;
    r->restarts += m->restarts;
    fc_histogram_add(&r->latencies, latency);
}

static void cross(reference *r, reference_channel *channel, int index, reference_flit *flit) {
    reference_message *m = channel->vcs[index].owner;
    const int place = place_of(m, channel, index);
    const bool last = flit->index == r->torus->message_flits - 1;
    if (place == 0)
        ++m->injected;
    else
        vc_at(m, place - 1)->buffer = NULL;
    if (last && place > 0) {
        give_up(m, place - 1);
        m->tail = place;
    }
    flit->arrived = r->now;
    if (m->accepted && place == m->header + 1) {
        if (last) {
            give_up(m, place);
            deliver(r, m);
        }
    } else {
        channel->vcs[index].buffer = flit;
    }
}

static bool send(reference *r, uint32_t number) {
    reference_channel *channel = &r->channel[number];
    if (channel->sent == r->now + 1)
        return false;
    for (int step = 1; step <= channel->count; ++step) {
        const int index = (channel->last + step) % channel->count;
        reference_vc *vc = &channel->vcs[index];
        reference_flit *flit = candidate(r, channel, index);
        if (!vc->probe && !flit)
            continue;
        channel->last = index;
        channel->sent = r->now + 1;
        r->flit_hops += number >= r->geometry->nodes && number < injection_of(r, 0);
        if (vc->probe) {
            reference_message *m = vc->owner;
            vc->probe = false;
            m->crossing = false;
            m->node = channel->target;
            ++m->header;
            m->reach[m->header] = r->now + 1;
            m->marks[m->header] = 0;
        } else {
            cross(r, channel, index, flit);
        }
        return true;
    }
    return false;
}

static void forget_left(reference *r) {
    for (reference_message **at = &r->under_way; *at;) {
        reference_message *m = *at;
        if (m->left) {
            *at = m->next;
            free(m);
        } else {
            at = &m->next;
        }
    }
}

void reference_cycle(reference *r) {
    arrive(r);
    grant(r);
    for (reference_message *m = r->under_way; m; m = m->next)
        if (!m->crossing && !m->accepted)
            route(r, m);
    for (uint32_t c = 0; c < r->channels;)
        c = send(r, c) ? 0 : c + 1;
    forget_left(r);
    ++r->now;
}
