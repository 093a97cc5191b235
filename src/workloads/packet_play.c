#include "workloads/packet_play.h"

#include <math.h>
#include "base/memory.h"
#include "base/random.h"
#include "network/link_bound.h"
#include "network/node_ports.h"
#include "scenario/families/routed_rules.h"
#include "workloads/due_heap.h"

enum { TRAIL = 64, STREAM_VARIANTS = 2 };
#define NONE UINT32_MAX
#define PIECES_MAX 200000.0 /* moved through the network in one estimate, about */

/* Kinds of events, in the order in which they are taken in one cycle. */
enum { DELIVERY, RELEASE, ARRIVAL, NODE_READY };
#define ORDER(kind, number) ((uint64_t)(kind) << 40 | (number))

typedef struct piece {
    fc_work_item item;
    fc_course course;
    uint32_t input, channel; /* where its header is */
    uint32_t links;          /* it has begun to cross, the node's included */
    uint32_t released;       /* of them, given back or soon to be */
    uint32_t decided;        /* links it had begun to cross when it chose its course; 0: not yet */
    uint32_t next;           /* waiting in its router or at its port, or free */
    uint32_t behind;         /* the one after it in the same channel; NONE */
    bool waits;              /* in its channel, for those before it */
    uint64_t early;          /* links, modulo TRAIL, whose channel others may have behind it */
    double buffer;           /* flits of a virtual channel, in proportion to its size */
    double window;           /* flits that may be on a link before the first credit comes back */
    uint32_t hold[TRAIL];    /* link * channels + v, of the last links */
    double start[TRAIL];
    double own[TRAIL]; /* when the tail has crossed, if nothing ahead holds it up */
} piece;

typedef struct piece_queue {
    uint32_t first, last;
} piece_queue;

/* What is in the buffer of a channel, or on its way there. */
typedef struct channel {
    uint32_t first, last; /* pieces, in order; NONE */
    double flits;
    double clear; /* from when the header of the first can have a link after the piece before it */
} channel;

typedef struct playing {
    const fc_router_network *network;
    const fc_routed *routed;
    fc_work *work;
    fc_random variants; /* draws the path of each packet */
    uint32_t stride;    /* channels of a link */
    double through;     /* cycles of a header in a router */
    double turn;        /* of them, those before it asks for the switch */
    double *loop;       /* links: cycles until the slot of a flit can be used again; 0: at once */
    uint64_t *free;     /* links: channels nobody holds; outputs first, then the links of nodes */
    double *busy;       /* links: until when */
    double *load;       /* outputs */
    channel *channels;  /* link * stride + v */
    uint32_t *waiting, *waiting_last; /* routers: pieces */
    uint8_t *node_busy;               /* an event is due for the node */
    piece_queue *queued;              /* ports, where nodes have several: what waits to be sent */
    piece *pieces;
    uint32_t room, free_piece;
    fc_due_heap events;
    double moves;
    bool failed;
} playing;

static void push(playing *p, double time, int kind, uint32_t number) {
    if (!fc_due_push(&p->events, (uint64_t)ceil(time), ORDER(kind, number)))
        p->failed = true;
}

static uint32_t new_piece(playing *p) {
    if (p->free_piece == NONE) {
        const uint32_t room = p->room ? 2 * p->room : 256;
        piece *more = fc_reallocate(p->pieces, room, sizeof *more);
        if (!more) {
            p->failed = true;
            return NONE;
        }
        p->pieces = more;
        for (uint32_t i = room; i-- > p->room;) {
            more[i].next = p->free_piece;
            p->free_piece = i;
        }
        p->room = room;
    }
    const uint32_t number = p->free_piece;
    p->free_piece = p->pieces[number].next;
    return number;
}

/* ---- links ---- */

static double pace_of(const playing *p, uint32_t link) {
    return link < p->network->outputs ? fc_link_pace(p->network, link) : 1;
}

/* Cycles in which so many flits of a piece cross a link, if nothing holds them up but their own
 * credits. That of the header comes later: it is routed first. */
static double span(const playing *p, const piece *moved, uint32_t link, double flits) {
    const double pace = pace_of(p, link), window = moved->window, loop = p->loop[link];
    const double first = flits > window ? fmax(0, loop + p->turn - fmax(loop, window * pace)) : 0;
    if (loop <= window * pace)
        return first + (flits - 1) * pace + 1;
    const double rounds = floor((flits - 1) / window);
    return first + rounds * loop + (flits - rounds * window - 1) * pace + 1;
}

/* When the tail has crossed a link; false: that depends on links the header has not reached. */
static bool tail_crosses(const playing *p, const piece *moved, uint32_t link, bool all,
                         double *tail) {
    const double flits = (double)moved->item.flits;
    uint32_t ahead = 1;
    *tail = moved->own[link % TRAIL];
    for (; link + ahead < moved->links && ahead * moved->buffer < flits; ++ahead) {
        const uint32_t at = (link + ahead) % TRAIL;
        const double part =
            span(p, moved, moved->hold[at] / p->stride, flits - ahead * moved->buffer);
        *tail = fmax(*tail, moved->start[at] + part);
    }
    return all || ahead * moved->buffer >= flits || moved->links - link >= TRAIL - 2;
}

static double delay_of(const playing *p, uint32_t link) {
    return link < p->network->outputs ? p->through + p->network->output_delay[link]
                                      : (double)p->routed->node_delay;
}

/* When the next piece can begin to use a channel whose buffer the last one has filled. */
static double slot_returns(const playing *p, const piece *moved, uint32_t link, double tail) {
    const double flits = (double)moved->item.flits, pace = pace_of(p, link);
    const double kept = p->routed->handover == FC_WHEN_EMPTY ? pace : moved->window * pace;
    const bool fills = flits >= moved->window || p->routed->handover == FC_WHEN_EMPTY;
    const double loop = p->loop[link] + (flits <= moved->window ? p->turn : 0);
    return fills && p->loop[link] > 0 && loop > kept ? tail - kept + loop : tail;
}

/* Gives back channels at the times that are known. */
static void release_behind(playing *p, piece *moved, bool all) {
    while (moved->released < moved->links) {
        const uint32_t link = moved->released;
        const uint32_t next = link + 1;
        const uint32_t hold = moved->hold[link % TRAIL];
        double tail, left = 0;
        if (!tail_crosses(p, moved, link, all, &tail) ||
            (next < moved->links ? !tail_crosses(p, moved, next, all, &left) : !all))
            return;
        const uint32_t of = hold / p->stride;
        tail = slot_returns(p, moved, of, tail);
        if (!(moved->early >> link % TRAIL & 1))
            push(p, fmax(tail, left - delay_of(p, of) + p->turn), RELEASE, hold);
        ++moved->released;
    }
}

/* ---- channels ---- */

/* A channel whose buffer has room behind a piece, from a cycle on, is free for others as soon as
 * the tail has crossed the link: they follow in the buffer. */
static void share_channel(playing *p, piece *moved, double room) {
    const uint32_t at = (moved->links - 1) % TRAIL, hold = moved->hold[at];
    const uint64_t bit = (uint64_t)1 << at;
    if (moved->early & bit || p->routed->handover == FC_WHEN_EMPTY ||
        p->channels[hold].flits >= moved->buffer)
        return;
    moved->early |= bit;
    push(p, fmax(moved->own[at], room), RELEASE, hold);
}

static void enter_channel(playing *p, uint32_t number) {
    piece *moved = &p->pieces[number];
    channel *entered = &p->channels[moved->hold[(moved->links - 1) % TRAIL]];
    if (entered->first == NONE)
        entered->first = number;
    else
        p->pieces[entered->last].behind = number;
    entered->last = number;
    entered->flits += (double)moved->item.flits;
    moved->early &= ~((uint64_t)1 << (moved->links - 1) % TRAIL);
    moved->behind = NONE;
    moved->waits = false;
}

/* The first piece has a link: the next one follows when its tail has left and its own header has
 * been routed. */
static void leave_channel(playing *p, uint32_t number, uint32_t hold, uint64_t now) {
    const piece *moved = &p->pieces[number];
    channel *left = &p->channels[hold];
    left->first = moved->behind;
    left->flits -= (double)moved->item.flits;
    left->clear = moved->own[(moved->links - 1) % TRAIL] + p->turn;
    if (left->first == NONE)
        return;
    const uint32_t link = hold / p->stride;
    share_channel(p, &p->pieces[left->last],
                  (double)now + fmax(0, p->loop[link] + p->turn - delay_of(p, link)));
    if (p->pieces[left->first].waits)
        push(p, fmax((double)now, left->clear), ARRIVAL, left->first);
}

/* ---- crossing ---- */

/* The tail comes no sooner to a link than from the one before. */
static double tail_comes(const playing *p, const piece *moved) {
    const uint32_t before = (moved->links - 1) % TRAIL;
    return moved->links ? moved->own[before] + delay_of(p, moved->hold[before] / p->stride) : 0;
}

/* Of the channels of a link that are free, the emptiest. */
static uint32_t emptiest(const playing *p, uint32_t link, uint64_t mask) {
    const channel *of = &p->channels[(size_t)link * p->stride];
    uint32_t best = NONE;
    for (uint64_t left = p->free[link] & mask; left; left &= left - 1) {
        const uint32_t v = (uint32_t)__builtin_ctzll(left);
        if (best == NONE || of[v].flits < of[best].flits)
            best = v;
    }
    return best;
}

/* Takes a channel of a link for a piece; the cycle in which its header leaves. Where its flits
 * leave gaps, those of others that came before it may still be crossing. */
static double cross(playing *p, piece *moved, uint32_t link, uint64_t mask, uint64_t now) {
    const uint32_t v = emptiest(p, link, mask), at = moved->links % TRAIL;
    const double flits = (double)moved->item.flits, work = flits * pace_of(p, link);
    const double comes = tail_comes(p, moved);
    /* Flits that waited behind the header in a small buffer follow as the link before lets them. */
    const double behind =
        moved->links ? span(p, moved, moved->hold[(moved->links - 1) % TRAIL] / p->stride, flits)
                     : 0;
    const double alone = fmax(span(p, moved, link, flits), behind);
    const double gaps = fmax(alone, comes - (double)now) - work;
    const double start = fmax((double)now, p->busy[link] - fmax(0, gaps));
    p->free[link] &= ~((uint64_t)1 << v);
    p->busy[link] = fmax((double)now, p->busy[link]) + work;
    moved->hold[at] = link * p->stride + v;
    moved->start[at] = start;
    moved->own[at] = fmax(fmax(start + alone, comes), p->busy[link] - pace_of(p, link) + 1);
    ++moved->links;
    moved->channel = v;
    p->moves += 1;
    return start;
}

/* Flits that count as the queue of an output: those that wait for it, and if there are any, those
 * of a link in full use that are on their way. */
static double queue_of(const playing *p, const fc_alternative *course, uint64_t now) {
    double least = (double)INFINITY;
    for (uint32_t i = 0; i < course->outputs; ++i) {
        const double waiting = p->busy[course->output + i] - (double)now;
        least = fmin(least, waiting > 0 ? waiting + p->loop[course->output + i] : 0);
    }
    return least;
}

/* Where routing goes by queues: a minimal path or a detour, once in each router. */
static void decide(const playing *p, piece *moved, uint64_t now) {
    fc_alternative courses[FC_ALTERNATIVES_MAX];
    if (!p->network->alternatives || moved->decided == moved->links)
        return;
    const uint32_t count =
        p->network->alternatives(p->network, moved->input, &moved->course, courses);
    moved->decided = moved->links;
    uint32_t chosen = 0;
    for (uint32_t i = 1; i < count; ++i) {
        if (queue_of(p, &courses[chosen], now) * courses[chosen].weight >
            queue_of(p, &courses[i], now) * courses[i].weight + p->network->bias)
            chosen = i;
    }
    if (count) {
        moved->course.choice = courses[chosen].choice;
        moved->course.state = courses[chosen].state;
    }
}

/* Whether one of its candidates is free; takes the one whose link is free first. */
static bool move_on(playing *p, uint32_t number, uint64_t now) {
    piece *moved = &p->pieces[number];
    const fc_router_network *network = p->network;
    decide(p, moved, now);
    const fc_course before = moved->course;
    fc_route_candidates candidates;
    network->route(network, moved->input, moved->channel, &moved->course, &candidates);
    uint32_t best = NONE;
    for (uint32_t i = 0; i < candidates.count; ++i) {
        const fc_route_candidate *candidate = &candidates.list[i];
        if (!(p->free[candidate->output] & candidate->channels) ||
            (i >= candidates.preferred && best != NONE))
            continue;
        if (best == NONE || p->busy[candidate->output] < p->busy[candidates.list[best].output])
            best = i;
    }
    if (best == NONE) {
        moved->course = before;
        return false;
    }
    const uint32_t output = candidates.list[best].output, end = network->output_end[output];
    const uint32_t left = moved->hold[(moved->links - 1) % TRAIL];
    p->load[output] += (double)moved->item.flits;
    const double start = cross(p, moved, output, candidates.list[best].channels, now);
    leave_channel(p, number, left, now);
    moved->early &= ~((uint64_t)1 << (moved->links - 1) % TRAIL);
    if (end & FC_TO_NODE) {
        release_behind(p, moved, true);
        push(p,
             moved->own[(moved->links - 1) % TRAIL] + p->through + (double)p->routed->node_delay -
                 1,
             DELIVERY, number);
        return true;
    }
    enter_channel(p, number);
    share_channel(p, moved, 0);
    release_behind(p, moved, false);
    moved->input = end;
    push(p, start + p->through + network->output_delay[output], ARRIVAL, number);
    return true;
}

static void arrive(playing *p, uint32_t number, uint64_t now) {
    piece *moved = &p->pieces[number];
    const channel *in = &p->channels[moved->hold[(moved->links - 1) % TRAIL]];
    if (in->first != number) {
        moved->waits = true;
        return;
    }
    if (in->clear > (double)now) {
        moved->waits = false;
        push(p, in->clear, ARRIVAL, number);
        return;
    }
    const uint32_t router = p->network->input_router[p->pieces[number].input];
    if (move_on(p, number, now))
        return;
    p->pieces[number].next = NONE;
    if (p->waiting[router] == NONE)
        p->waiting[router] = number;
    else
        p->pieces[p->waiting_last[router]].next = number;
    p->waiting_last[router] = number;
}

/* ---- nodes ---- */

/* Makes the next packet of a node; NONE: there is no memory. */
static uint32_t make_piece(playing *p, uint32_t node) {
    const fc_router_network *network = p->network;
    const uint32_t number = new_piece(p);
    if (number == NONE)
        return NONE;
    piece *made = &p->pieces[number];
    fc_work_take(p->work, node, &made->item);
    made->links = made->released = made->decided = 0;
    made->early = 0;
    made->course = (fc_course){.source = node,
                               .destination = made->item.destination,
                               .channels = UINT64_MAX >> (64 - p->routed->virtual_channels)};
    const double packet =
        fmin((double)made->item.flits, p->routed->workload->of_trace
                                           ? (double)made->item.flits
                                           : (double)p->routed->workload->packet_flits);
    const double packets = (double)made->item.flits / packet, buffer = (double)p->routed->buffer;
    made->buffer = buffer * packets;
    made->window = buffer * fmin(ceil(packets), (double)p->routed->virtual_channels);
    fc_begin_way(network, fc_draw_way(network, &p->variants, node, made->item.destination),
                 &made->course);
    made->input = network->node_input[made->course.source];
    return number;
}

/* Nodes with several ports: what each port has to send waits there. */
static bool has_piece(const playing *p, uint32_t end) {
    return p->network->ports ? p->queued[end].first != NONE : fc_work_has(p->work, end);
}

static uint32_t take_piece(playing *p, uint32_t end) {
    if (!p->network->ports)
        return make_piece(p, end);
    const uint32_t number = p->queued[end].first;
    p->queued[end].first = p->pieces[number].next;
    return number;
}

static void queue_piece(playing *p, uint32_t number) {
    piece_queue *queue = &p->queued[p->pieces[number].course.source];
    p->pieces[number].next = NONE;
    if (queue->first == NONE)
        queue->first = number;
    else
        p->pieces[queue->last].next = number;
    queue->last = number;
}

/* When the tail of each has left, if the flits of all take turns. */
static double turns_end(const playing *p, const uint32_t *batch, uint32_t count, uint32_t of) {
    double flits = 0;
    for (uint32_t i = 0; i < count; ++i)
        flits +=
            fmin((double)p->pieces[batch[i]].item.flits, (double)p->pieces[batch[of]].item.flits);
    return flits;
}

/* A node sends as many packets at once as its link has channels for. */
static void start_batch(playing *p, uint32_t node, uint64_t now) {
    const uint32_t link = p->network->outputs + node;
    const uint32_t slots = (uint32_t)__builtin_popcountll(p->free[link]);
    uint32_t batch[64], count = 0;
    double all = 0;
    while (count < slots && has_piece(p, node)) {
        const uint32_t number = take_piece(p, node);
        if (number == NONE)
            return;
        batch[count++] = number;
        all += (double)p->pieces[number].item.flits;
    }
    for (uint32_t i = 0; i < count; ++i) {
        piece *made = &p->pieces[batch[i]];
        p->busy[link] = (double)(now + i);
        const double start = cross(p, made, link, UINT64_MAX, now + i);
        made->own[0] = fmax(made->own[0], (double)now + turns_end(p, batch, count, i));
        enter_channel(p, batch[i]);
        share_channel(p, made, 0);
        push(p, start + (double)p->routed->node_delay, ARRIVAL, batch[i]);
    }
    p->busy[link] = (double)now + all;
}

static void start_node(playing *p, uint32_t node, uint64_t now) {
    const uint32_t link = p->network->outputs + node;
    if (p->node_busy[node] || !p->free[link])
        return;
    if (p->busy[link] <= (double)now) {
        if (!has_piece(p, node))
            return;
        start_batch(p, node, now);
    }
    p->node_busy[node] = 1;
    push(p, p->busy[link], NODE_READY, node);
}

/* A node has got something to send. */
static void wake_node(playing *p, uint32_t node, uint64_t now) {
    const struct fc_ports *ports = p->network->ports;
    if (!ports) {
        start_node(p, node, now);
        return;
    }
    while (fc_work_has(p->work, node)) {
        const uint32_t number = make_piece(p, node);
        if (number == NONE)
            return;
        queue_piece(p, number);
    }
    for (uint32_t end = ports->first[node]; end < ports->first[node + 1]; ++end)
        start_node(p, end, now);
}

static void release(playing *p, uint32_t hold, uint64_t now) {
    const fc_router_network *network = p->network;
    const uint32_t link = hold / p->stride;
    p->free[link] |= (uint64_t)1 << hold % p->stride;
    if (link >= network->outputs) {
        start_node(p, link - network->outputs, now);
        return;
    }
    const uint32_t router = network->output_router[link];
    uint32_t *from = &p->waiting[router], last = NONE;
    for (uint32_t at = *from; at != NONE; at = *from) {
        if (move_on(p, at, now)) {
            *from = p->pieces[at].next;
            break; /* one channel was given back, and at most one piece can take it */
        }
        last = at;
        from = &p->pieces[at].next;
    }
    if (p->waiting[router] == NONE)
        return;
    while (last != NONE && p->pieces[last].next != NONE)
        last = p->pieces[last].next;
    if (last == NONE)
        for (last = p->waiting[router]; p->pieces[last].next != NONE;)
            last = p->pieces[last].next;
    p->waiting_last[router] = last;
}

/* ---- the course ---- */

static fc_status run(playing *p, fc_error *error, bool *stuck) {
    fc_status status = FC_OK;
    uint64_t now = 0;
    while (status == FC_OK && !fc_work_done(p->work) && !p->failed) {
        const uint64_t due = fc_work_next(p->work), event = fc_due_next(&p->events);
        const uint64_t next = due < event ? due : event;
        now = next > now ? next : now;
        if (next == UINT64_MAX) {
            *stuck = true;
            return FC_OK;
        }
        if (due <= now) {
            status = fc_work_advance(p->work, now, error);
            for (uint32_t node; (node = fc_work_waking(p->work)) != NONE;)
                wake_node(p, node, now);
            continue;
        }
        const uint64_t order = fc_due_pop(&p->events).order;
        const uint32_t number = (uint32_t)order;
        switch (order >> 40) {
        case DELIVERY:
            fc_work_delivered(p->work, &p->pieces[number].item, now);
            p->pieces[number].next = p->free_piece;
            p->free_piece = number;
            break;
        case RELEASE:
            release(p, number, now);
            break;
        case ARRIVAL:
            arrive(p, number, now);
            break;
        default:
            p->node_busy[number] = 0;
            start_node(p, number, now);
            break;
        }
    }
    return p->failed ? fc_fail_memory(error) : status;
}

static bool allocate(playing *p) {
    const fc_router_network *network = p->network;
    const size_t links = (size_t)network->outputs + network->nodes;
    p->stride = (uint32_t)(p->routed->virtual_channels > p->routed->ejection_channels
                               ? p->routed->virtual_channels
                               : p->routed->ejection_channels);
    p->channels = fc_allocate(links * p->stride, sizeof *p->channels);
    p->free = fc_allocate(links, sizeof *p->free);
    p->busy = fc_allocate(links, sizeof *p->busy);
    p->load = fc_allocate(network->outputs, sizeof *p->load);
    p->waiting = fc_allocate(network->routers, sizeof *p->waiting);
    p->waiting_last = fc_allocate(network->routers, sizeof *p->waiting_last);
    p->node_busy = fc_allocate(network->nodes, sizeof *p->node_busy);
    p->loop = fc_allocate(links, sizeof *p->loop);
    p->queued = fc_allocate(network->nodes, sizeof *p->queued);
    return p->channels && p->queued && p->free && p->busy && p->load && p->loop && p->waiting &&
           p->waiting_last && p->node_busy;
}

static void place(playing *p) {
    const fc_router_network *network = p->network;
    const fc_routed *routed = p->routed;
    const uint64_t all = UINT64_MAX >> (64 - routed->virtual_channels);
    const int64_t slots = routed->injection_channels < routed->virtual_channels
                              ? routed->injection_channels
                              : routed->virtual_channels;
    p->free_piece = NONE;
    int64_t stages = 0;
    for (int stage = 0; stage < FC_ROUTER_STAGES; ++stage)
        stages += routed->router_delay[stage];
    p->through = (double)fc_routed_cycles_at_least(routed, stages);
    p->turn = (double)fc_routed_cycles_at_least(
        routed, routed->router_delay[FC_STAGE_ROUTING] + routed->router_delay[FC_STAGE_ALLOCATION]);
    for (uint32_t o = 0; o < network->outputs; ++o) {
        if (!(network->output_end[o] & FC_TO_NODE))
            p->loop[o] = (double)fc_routed_credit_loop(routed, network->output_delay[o]);
        p->free[o] = network->output_end[o] & FC_TO_NODE
                         ? UINT64_MAX >> (64 - routed->ejection_channels)
                         : all;
    }
    /* a node hears of a free place a cycle sooner */
    const int64_t known =
        fc_routed_cycles_of(routed, routed->router_delay[FC_STAGE_SWITCH]) + routed->node_delay - 1;
    const double from_node = (double)(routed->node_delay + (known > 1 ? known : 1));
    for (uint32_t node = 0; node < network->nodes; ++node) {
        p->queued[node].first = NONE;
        p->loop[network->outputs + node] = from_node;
        p->free[network->outputs + node] = UINT64_MAX >> (64 - slots);
    }
    for (uint32_t router = 0; router < network->routers; ++router)
        p->waiting[router] = NONE;
    for (size_t c = 0; c < ((size_t)network->outputs + network->nodes) * p->stride; ++c)
        p->channels[c].first = p->channels[c].last = NONE;
}

static fc_status make_work(const fc_router_network *network, const fc_routed *routed, uint64_t seed,
                           fc_error *error, fc_work **work, uint64_t *size) {
    const fc_places places = {fc_node_count(network), fc_absent_nodes(network)};
    *size = 1;
    fc_status status =
        fc_work_create(routed->workload, places, 1, (fc_random_key){seed, 0}, error, work);
    if (status != FC_OK)
        return status;
    const double packets = fc_work_packets(*work);
    if (packets <= PIECES_MAX)
        return FC_OK;
    *size = (uint64_t)ceil(packets / PIECES_MAX);
    fc_work_free(*work);
    return fc_work_create(routed->workload, places, *size, (fc_random_key){seed, 0}, error, work);
}

fc_status fc_play_work(const fc_router_network *network, const fc_routed *routed, uint64_t seed,
                       fc_error *error, fc_play *play) {
    playing p = {.network = network,
                 .routed = routed,
                 .variants = fc_random_stream(seed, 0, STREAM_VARIANTS)};
    const size_t phases = routed->workload->count;
    *play = (fc_play){.phase = fc_allocate(phases, sizeof *play->phase)};
    fc_status status = play->phase && allocate(&p) ? FC_OK : fc_fail_memory(error);
    if (status == FC_OK)
        status = make_work(network, routed, seed, error, &p.work, &play->piece);
    if (status == FC_OK) {
        place(&p);
        status = run(&p, error, &play->stuck);
    }
    if (status == FC_OK && !play->stuck)
        status = fc_critical_chain_find(p.work, network, routed, error, &play->chain);
    if (status == FC_OK) {
        play->duration = (double)fc_work_ended(p.work);
        for (size_t i = 0; i < phases; ++i)
            play->phase[i] = fc_phase_cycles(fc_work_phase(p.work, i));
        play->load = p.load;
        p.load = NULL;
        play->moves = p.moves;
    } else {
        fc_play_clear(play);
    }
    fc_work_free(p.work);
    void *const blocks[] = {p.loop,    p.free,         p.busy,       p.load,
                            p.waiting, p.waiting_last, p.node_busy,  p.queued,
                            p.pieces,  p.channels,     p.events.item};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i)
        fc_release(blocks[i]);
    return status;
}

void fc_play_clear(fc_play *play) {
    fc_release(play->phase);
    fc_release(play->load);
    fc_critical_chain_clear(&play->chain);
    play->phase = play->load = NULL;
}
