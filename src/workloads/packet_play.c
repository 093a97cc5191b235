#include "workloads/packet_play.h"

#include <math.h>
#include "base/memory.h"
#include "base/random.h"
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
    uint32_t next;           /* waiting in its router, or free */
    double buffer;           /* flits of a virtual channel, in proportion to its size */
    uint32_t hold[TRAIL];    /* link * channels + v, of the last links */
    double start[TRAIL];
} piece;

typedef struct playing {
    const fc_router_network *network;
    const fc_routed *routed;
    fc_work *work;
    fc_random variants; /* draws the path of each packet */
    uint32_t stride;    /* channels of a link */
    double through;     /* cycles of a header in a router */
    uint64_t *free;     /* links: channels nobody holds; outputs first, then the links of nodes */
    double *busy;       /* links: until when */
    double *load;       /* outputs */
    uint32_t *waiting, *waiting_last; /* routers: pieces */
    uint8_t *node_busy;               /* an event is due for the node */
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

/* When the tail crosses a link; false: that depends on links the header has not reached. */
static bool tail_crosses(const piece *moved, uint32_t link, bool all, double *tail) {
    const double flits = (double)moved->item.flits;
    uint32_t ahead = 1;
    *tail = moved->start[link % TRAIL] + flits;
    for (; link + ahead < moved->links && ahead * moved->buffer < flits; ++ahead)
        *tail = fmax(*tail, moved->start[(link + ahead) % TRAIL] + flits - ahead * moved->buffer);
    return all || ahead * moved->buffer >= flits || moved->links - link >= TRAIL - 2;
}

static double delay_of(const playing *p, uint32_t link) {
    return link < p->network->outputs ? p->through + p->network->output_delay[link]
                                      : (double)p->routed->node_delay;
}

/* Gives back channels at the times that are known. */
static void release_behind(playing *p, piece *moved, bool all) {
    while (moved->released < moved->links) {
        const uint32_t link = moved->released;
        const uint32_t next = link + 1;
        const uint32_t hold = moved->hold[link % TRAIL];
        double tail, left = 0;
        if (!tail_crosses(moved, link, all, &tail) ||
            (next < moved->links ? !tail_crosses(moved, next, all, &left) : !all))
            return;
        push(p, fmax(tail, left - delay_of(p, hold / p->stride)), RELEASE, hold);
        ++moved->released;
    }
}

/* Takes a channel of a link for a piece; the cycle in which its header leaves. */
static double cross(playing *p, piece *moved, uint32_t link, uint64_t mask, uint64_t now) {
    const uint32_t v = (uint32_t)__builtin_ctzll(p->free[link] & mask);
    const double start = fmax((double)now, p->busy[link]);
    p->free[link] &= ~((uint64_t)1 << v);
    p->busy[link] = start + (double)moved->item.flits;
    moved->hold[moved->links % TRAIL] = link * p->stride + v;
    moved->start[moved->links % TRAIL] = start;
    ++moved->links;
    moved->channel = v;
    p->moves += 1;
    return start;
}

/* Whether one of its candidates is free; takes the one whose link is free first. */
static bool move_on(playing *p, uint32_t number, uint64_t now) {
    piece *moved = &p->pieces[number];
    const fc_router_network *network = p->network;
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
    p->load[output] += (double)moved->item.flits;
    const double start = cross(p, moved, output, candidates.list[best].channels, now);
    if (end & FC_TO_NODE) {
        release_behind(p, moved, true);
        push(p, start + p->through + (double)p->routed->node_delay + (double)moved->item.flits - 1,
             DELIVERY, number);
        return true;
    }
    release_behind(p, moved, false);
    moved->input = end;
    push(p, start + p->through + network->output_delay[output], ARRIVAL, number);
    return true;
}

static void arrive(playing *p, uint32_t number, uint64_t now) {
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

static void start_node(playing *p, uint32_t node, uint64_t now) {
    const fc_router_network *network = p->network;
    const uint32_t link = network->outputs + node;
    if (p->node_busy[node] || !p->free[link])
        return;
    if (p->busy[link] > (double)now) {
        p->node_busy[node] = 1;
        push(p, p->busy[link], NODE_READY, node);
        return;
    }
    if (!fc_work_has(p->work, node))
        return;
    const uint32_t number = new_piece(p);
    if (number == NONE)
        return;
    piece *made = &p->pieces[number];
    fc_work_take(p->work, node, &made->item);
    made->links = made->released = 0;
    made->input = network->node_input[node];
    made->course = (fc_course){.source = node,
                               .destination = made->item.destination,
                               .channels = UINT64_MAX >> (64 - p->routed->virtual_channels)};
    const double packet =
        fmin((double)made->item.flits, p->routed->workload->of_trace
                                           ? (double)made->item.flits
                                           : (double)p->routed->workload->packet_flits);
    made->buffer = (double)p->routed->buffer * (double)made->item.flits / packet;
    const uint32_t variants =
        network->variants ? network->variants(network, node, made->item.destination) : 1;
    network->begin(network, variants > 1 ? fc_random_below(&p->variants, variants) : 0,
                   &made->course);
    const double start = cross(p, made, link, UINT64_MAX, now);
    push(p, start + (double)p->routed->node_delay, ARRIVAL, number);
    p->node_busy[node] = 1;
    push(p, p->busy[link], NODE_READY, node);
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
                start_node(p, node, now);
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
    p->free = fc_allocate(links, sizeof *p->free);
    p->busy = fc_allocate(links, sizeof *p->busy);
    p->load = fc_allocate(network->outputs, sizeof *p->load);
    p->waiting = fc_allocate(network->routers, sizeof *p->waiting);
    p->waiting_last = fc_allocate(network->routers, sizeof *p->waiting_last);
    p->node_busy = fc_allocate(network->nodes, sizeof *p->node_busy);
    return p->free && p->busy && p->load && p->waiting && p->waiting_last && p->node_busy;
}

static void place(playing *p) {
    const fc_router_network *network = p->network;
    const fc_routed *routed = p->routed;
    const uint64_t all = UINT64_MAX >> (64 - routed->virtual_channels);
    const int64_t slots = routed->injection_channels < routed->virtual_channels
                              ? routed->injection_channels
                              : routed->virtual_channels;
    p->free_piece = NONE;
    p->stride = 64;
    for (int stage = 0; stage < FC_ROUTER_STAGES; ++stage)
        p->through += (double)routed->router_delay[stage];
    for (uint32_t o = 0; o < network->outputs; ++o)
        p->free[o] = network->output_end[o] & FC_TO_NODE
                         ? UINT64_MAX >> (64 - routed->ejection_channels)
                         : all;
    for (uint32_t node = 0; node < network->nodes; ++node)
        p->free[network->outputs + node] = UINT64_MAX >> (64 - slots);
    for (uint32_t router = 0; router < network->routers; ++router)
        p->waiting[router] = NONE;
}

static fc_status make_work(const fc_router_network *network, const fc_routed *routed, uint64_t seed,
                           fc_error *error, fc_work **work, uint64_t *size) {
    *size = 1;
    fc_status status = fc_work_create(routed->workload, network->nodes, 1, seed, 0, error, work);
    if (status != FC_OK)
        return status;
    const double packets = fc_work_packets(*work);
    if (packets <= PIECES_MAX)
        return FC_OK;
    *size = (uint64_t)ceil(packets / PIECES_MAX);
    fc_work_free(*work);
    return fc_work_create(routed->workload, network->nodes, *size, seed, 0, error, work);
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
            play->phase[i] =
                fc_work_phase(p.work, i)->rank_cycles / (double)routed->workload->ranks;
        play->load = p.load;
        p.load = NULL;
        play->moves = p.moves;
    } else {
        fc_play_clear(play);
    }
    fc_work_free(p.work);
    void *const blocks[] = {p.free,         p.busy,      p.load,   p.waiting,
                            p.waiting_last, p.node_busy, p.pieces, p.events.item};
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
