#include "router_reference.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include "base/random.h"
#include "network/node_ports.h"

enum { NOTHING = -1 };

typedef struct one_flit {
    int message, index;
    int branch; /* of the tree of a multicast; NOTHING */
} one_flit;

typedef struct packet {
    const fc_trace_message *line;
    fc_course course;
    uint64_t born;
    int class;
    int to_come; /* copies */
    bool generated, delivered;
} packet;

/* A virtual channel at an input. */
typedef struct buffer {
    one_flit *flits; /* the first is at the front */
    int count;
    bool known;  /* there is a header at the front ... */
    bool routed; /* ... whose ways have been found */
    fc_route_candidates candidates;
    uint64_t asks_from, moves_from;
    int output, channel; /* held; NOTHING */
    int accept_turn;     /* virtual channel of an output */
    int copy, sent;      /* a multicast: the branch that is taken, the flits sent of it */
} buffer;

/* A virtual channel at an output: what the router knows of the buffer behind it. */
typedef struct output_channel {
    int owner; /* buffer; NOTHING */
    bool emptying;
    int credits;
    int turn; /* buffer of the router */
} output_channel;

typedef struct sent { /* a flit on a link, or a credit on its way back */
    uint64_t time;
    int place; /* buffer; for flits to nodes NOTHING; for credits the channel */
    bool of_node;
    one_flit flit;
} sent;

typedef struct node_slot {
    int message, next_flit, channel;
} node_slot;

typedef struct world {
    const fc_router_network *network;
    const fc_routed *routed;
    const reference_classes *classes;
    int channels, stride, ports_per_input, slots;
    uint64_t time; /* cycles */
    uint64_t tick; /* the routers' clock, `speedup` times as fast */
    double speedup;
    bool paced;        /* links take flits at a pace of their own; nodes have credits as well */
    double *link_free; /* outputs: from when the next flit may arrive at the end */
    packet *packets;
    buffer *buffers;
    output_channel *outputs;
    int *output_turn;              /* outputs: way in */
    int *port_turn, *channel_turn; /* crossbar ports: output, virtual channel */
    sent *flits, *credits;
    int flit_count, credit_count;
    int **queue; /* messages of each node and class */
    int *queue_count;
    node_slot *slot;
    int *slot_turn, *last_channel, *node_credits;
    bool *node_taken;
    reference_outcome *outcomes;
    long *lengths; /* all_lengths */
} world;

static int behind(int at, int turn, int size) {
    return (at - turn + size) % size;
}

static int stage(const world *w, int which) {
    return (int)w->routed->router_delay[which];
}

/* ---- arrivals ---- */

static void deliver(world *w, int message) {
    w->packets[message].delivered = --w->packets[message].to_come == 0;
    w->outcomes[message].latency = w->time - w->packets[message].born - 1;
    w->outcomes[message].sum += w->outcomes[message].latency;
}

static void arrive(world *w) {
    for (int i = 0; i < w->flit_count;) {
        const sent s = w->flits[i];
        if (s.time != w->time) {
            ++i;
            continue;
        }
        w->flits[i] = w->flits[--w->flit_count];
        if (s.of_node) {
            if (s.flit.index + 1 == (int)w->packets[s.flit.message].line->flits)
                deliver(w, s.flit.message);
        } else {
            buffer *b = &w->buffers[s.place];
            assert(b->count < w->routed->buffer);
            b->flits[b->count++] = s.flit;
        }
    }
}

static void find_candidates(world *w) {
    for (int i = 0; i < (int)w->network->inputs * w->channels; ++i) {
        buffer *b = &w->buffers[i];
        if (b->known || !b->count)
            continue;
        assert(b->flits[0].index == 0);
        b->known = true;
        b->routed = false;
        b->copy = b->sent = 0;
        b->asks_from = w->tick + (uint64_t)stage(w, FC_STAGE_ROUTING);
    }
}

static uint64_t first_tick(const world *w, uint64_t cycle) {
    return (uint64_t)((double)cycle * w->speedup + 1e-6);
}

/* The cycle in which something leaves a router after so many ticks from this one on. */
static uint64_t leaving(const world *w, int ticks) {
    uint64_t cycle = w->time;
    while (first_tick(w, cycle) < w->tick + (uint64_t)ticks)
        ++cycle;
    return cycle;
}

/* Flits in a router behind headers that were routed to those channels of an output in an earlier
 * cycle. */
static int waiting_for(const world *w, int output, uint64_t channels) {
    const uint32_t router = w->network->output_router[output];
    int flits = 0;
    for (int i = 0; i < (int)w->network->inputs * w->channels; ++i) {
        const buffer *b = &w->buffers[i];
        if (w->network->input_router[i / w->channels] != router || !b->known || !b->routed ||
            b->asks_from >= w->tick)
            continue;
        const int goes_to = b->output != NOTHING ? b->output : (int)b->candidates.list[0].output;
        flits += goes_to == output && b->candidates.list[0].channels & channels ? b->count : 0;
    }
    return flits;
}

/* Flits in those channels behind an output, in buffer or on the link, of the shortest of so many
 * parallel ones. */
static int queue_behind(const world *w, int output, int parallel, uint64_t channels) {
    int least = -1;
    for (int o = output; o < output + parallel; ++o) {
        int queue = 0;
        for (int v = 0; v < w->channels && !(w->network->output_end[o] & FC_TO_NODE); ++v)
            if (channels >> v & 1)
                queue += (int)w->routed->buffer - w->outputs[o * w->stride + v].credits;
        if (w->network->count_waiting && !(w->network->output_end[o] & FC_TO_NODE))
            queue += waiting_for(w, o, channels);
        if (least < 0 || queue < least)
            least = queue;
    }
    return least;
}

/* What a choice costs: its first queue, of those channels, times its weight, or all queues on its
 * path. */
static int cost_of(const world *w, uint32_t input, fc_course course, const fc_alternative *choice,
                   uint64_t channels) {
    if (!w->network->whole_queue)
        return (int)choice->weight *
               queue_behind(w, (int)choice->output, (int)choice->outputs, channels);
    int cost = 0;
    while (!(input & FC_TO_NODE)) {
        fc_route_candidates candidates;
        w->network->route(w->network, input, 0, &course, &candidates);
        cost += queue_behind(w, (int)candidates.list[0].output, (int)candidates.count, UINT64_MAX);
        input = w->network->output_end[candidates.list[0].output];
    }
    return cost;
}

/* Headers find their ways when they may first ask: with the queues as they are before any channel
 * is given away in that cycle. */
static void choose_candidates(world *w) {
    for (int i = 0; i < (int)w->network->inputs * w->channels; ++i) {
        buffer *b = &w->buffers[i];
        if (!b->known || b->routed || b->asks_from > w->tick)
            continue;
        if (b->flits[0].branch != NOTHING) {
            const fc_tree_branch *from = &w->classes->branch[b->flits[0].branch];
            const fc_tree_branch *to = &w->classes->branch[from->first + (uint32_t)b->copy];
            b->candidates = (fc_route_candidates){
                .count = 1, .preferred = 1, .list = {{to->output, to->channels}}};
            b->routed = true;
            continue;
        }
        const uint32_t input = (uint32_t)(i / w->channels);
        fc_course *course = &w->packets[b->flits[0].message].course;
        fc_alternative list[FC_ALTERNATIVES_MAX];
        const uint32_t count = w->network->alternatives
                                   ? w->network->alternatives(w->network, input, course, list)
                                   : 0;
        /* Both over one link: each counts its own channels. */
        const bool apart =
            count > 1 && w->network->channels_apart && list[0].output == list[1].output;
        uint32_t chosen = 0;
        int least = 0;
        for (uint32_t a = 0; a < count; ++a) {
            fc_course made = *course;
            made.choice = list[a].choice;
            made.state = list[a].state;
            const int cost =
                cost_of(w, input, made, &list[a], apart ? list[a].channels : UINT64_MAX) +
                (a ? (int)w->network->bias : 0);
            if (a == 0 || cost < least) {
                least = cost;
                chosen = a;
            }
        }
        fc_router_route_as(w->network, chosen, input, (uint32_t)(i % w->channels), course,
                           &b->candidates);
        b->routed = true;
    }
}

static void take_credits(world *w) {
    for (int i = 0; i < w->credit_count;) {
        const sent s = w->credits[i];
        if (s.time != w->time) {
            ++i;
            continue;
        }
        w->credits[i] = w->credits[--w->credit_count];
        if (s.of_node)
            ++w->node_credits[s.place];
        else
            ++w->outputs[s.place].credits;
    }
}

/* ---- nodes ---- */

/* ---- ports ---- */

/* Cycles of the links from every router to every other; -1: there is no way. Floyd and Warshall. */
static long *all_lengths(const fc_router_network *network) {
    const size_t n = network->routers;
    long *length = malloc(n * n * sizeof *length);
    for (size_t i = 0; i < n * n; ++i)
        length[i] = i / n == i % n ? 0 : -1;
    for (uint32_t o = 0; o < network->outputs; ++o) {
        if (network->output_end[o] & FC_TO_NODE)
            continue;
        long *direct =
            &length[network->output_router[o] * n + network->input_router[network->output_end[o]]];
        if (*direct < 0 || (long)network->output_delay[o] < *direct)
            *direct = (long)network->output_delay[o];
    }
    for (size_t k = 0; k < n; ++k)
        for (size_t i = 0; i < n; ++i)
            for (size_t j = 0; j < n; ++j) {
                const long first = length[i * n + k], second = length[k * n + j];
                long *direct = &length[i * n + j];
                if (first >= 0 && second >= 0 && (*direct < 0 || first + second < *direct))
                    *direct = first + second;
            }
    return length;
}

/* Of the path that a header takes; if there is none, -1. Up-down paths may not be the shortest. */
static long between_ends(const world *w, uint32_t from, uint32_t to) {
    const fc_router_network *n = w->network;
    fc_course course = {.source = from, .destination = to, .channels = UINT64_MAX};
    uint32_t input = n->node_input[from];
    const long shortest = w->lengths[(size_t)n->input_router[input] * n->routers +
                                     n->output_router[n->node_output[to]]];
    long length = 0;
    if (shortest < 0)
        return -1;
    n->begin(n, 0, &course);
    for (;;) {
        fc_route_candidates candidates;
        n->route(n, input, 0, &course, &candidates);
        const uint32_t output = candidates.list[0].output;
        if (n->output_end[output] & FC_TO_NODE)
            break;
        length += (long)n->output_delay[output];
        input = n->output_end[output];
    }
    assert(length >= shortest);
    return length;
}

/* The ports that a message between two nodes takes: one of all pairs that it may take. */
static void choose_ports(const world *w, fc_random *random, fc_course *course) {
    const struct fc_ports *ports = w->network->ports;
    uint32_t pairs[64][2], count = 0;
    long shortest = -1;
    const uint32_t first = ports->first[course->source], last = ports->first[course->source + 1];
    const uint32_t to = ports->first[course->destination],
                   end = ports->first[course->destination + 1];
    for (uint32_t a = first; a < last; ++a)
        for (uint32_t b = to; b < end; ++b)
            if (between_ends(w, a, b) >= 0 && (shortest < 0 || between_ends(w, a, b) < shortest))
                shortest = between_ends(w, a, b);
    for (uint32_t a = first; a < last; ++a) {
        long own = -1;
        for (uint32_t b = to; b < end; ++b)
            if (between_ends(w, a, b) >= 0 && (own < 0 || between_ends(w, a, b) < own))
                own = between_ends(w, a, b);
        for (uint32_t b = to; b < end; ++b)
            if (own >= 0 && between_ends(w, a, b) == own && (ports->spread || own == shortest)) {
                pairs[count][0] = a;
                pairs[count++][1] = b;
            }
    }
    const uint32_t chosen = count > 1 ? fc_random_below(random, count) : 0;
    course->source = pairs[chosen][0];
    course->destination = pairs[chosen][1];
}

static void generate(world *w, size_t count, fc_random *random) {
    for (size_t i = 0; i < count; ++i) {
        packet *p = &w->packets[i];
        const fc_trace_message *line = p->line;
        if (p->generated)
            continue;
        uint64_t due = line->time;
        if (line->after != UINT32_MAX) {
            if (!w->packets[line->after].delivered)
                continue;
            due += w->packets[line->after].born + 1 + w->outcomes[line->after].latency;
        }
        if (due != w->time)
            continue;
        p->generated = true;
        p->born = w->time;
        const int class = w->classes->of_message ? w->classes->of_message[i] : 0;
        p->course = (fc_course){.source = line->source,
                                .destination = line->destination,
                                .channels = w->classes->channels[class]};
        p->class = class;
        p->to_come = 1;
        if (w->classes->tree && w->classes->tree[i]) {
            p->to_come = (int)w->classes->tree[i]->destinations;
            const int queue = (int)line->source * w->classes->count + class;
            w->queue[queue][w->queue_count[queue]++] = (int)i;
            continue;
        }
        if (w->network->ports)
            choose_ports(w, random, &p->course);
        const uint32_t source = p->course.source, destination = p->course.destination;
        const uint32_t variants =
            w->network->variants ? w->network->variants(w->network, source, destination) : 1;
        w->network->begin(w->network, variants > 1 ? fc_random_below(random, variants) : 0,
                          &p->course);
        const int queue = (int)source * w->classes->count + class;
        w->queue[queue][w->queue_count[queue]++] = (int)i;
    }
}

/* The next virtual channel, in turn, that no message of the node holds and that has places. */
static int node_channel(const world *w, int node, int class, int flits) {
    const int needed = w->routed->switching == FC_CUT_THROUGH ? flits : 1;
    for (int i = 1; i <= w->channels; ++i) {
        const int v = (w->last_channel[node * w->classes->count + class] + i) % w->channels;
        if (!(w->classes->channels[class] >> v & 1))
            continue;
        const int place = node * w->channels + v;
        const bool empty = w->node_credits[place] == w->routed->buffer;
        if (!w->node_taken[place] && w->node_credits[place] >= needed &&
            (w->routed->handover != FC_WHEN_EMPTY || empty))
            return v;
    }
    return NOTHING;
}

static void fill_slots(world *w, int node, int class) {
    const int queue = node * w->classes->count + class;
    for (int s = 0; s < w->slots && w->queue_count[queue]; ++s) {
        node_slot *slot = &w->slot[queue * w->slots + s];
        if (slot->message != NOTHING)
            continue;
        const int message = w->queue[queue][0];
        const int v = node_channel(w, node, class, (int)w->packets[message].line->flits);
        if (v == NOTHING)
            return;
        *slot = (node_slot){.message = message, .channel = v};
        w->last_channel[queue] = v;
        w->node_taken[node * w->channels + v] = true;
        --w->queue_count[queue];
        for (int i = 0; i < w->queue_count[queue]; ++i)
            w->queue[queue][i] = w->queue[queue][i + 1];
    }
}

/* The slot that sends: the first in turn of the classes that go first. */
static int choose_slot(const world *w, int node) {
    const int slots = w->slots * w->classes->count;
    int chosen = NOTHING;
    for (int i = 0; i < slots; ++i) {
        const int at = (w->slot_turn[node] + i) % slots;
        const node_slot *slot = &w->slot[node * slots + at];
        if (slot->message == NOTHING || !w->node_credits[node * w->channels + slot->channel])
            continue;
        if (chosen == NOTHING ||
            w->classes->rank[at / w->slots] < w->classes->rank[chosen / w->slots])
            chosen = at;
    }
    return chosen;
}

static void send_from_nodes(world *w) {
    const int slots = w->slots * w->classes->count;
    for (int node = 0; node < (int)w->network->nodes; ++node) {
        for (int rank = 0; rank < w->classes->count; ++rank)
            for (int class = 0; class < w->classes->count; ++class)
                if (w->classes->rank[class] == rank)
                    fill_slots(w, node, class);
        const int at = choose_slot(w, node);
        if (at == NOTHING)
            continue;
        node_slot *slot = &w->slot[node * slots + at];
        const int place = node * w->channels + slot->channel;
        if (slot->next_flit == 0)
            w->outcomes[slot->message].started = w->time;
        w->flits[w->flit_count++] =
            (sent){.time = w->time + (uint64_t)w->routed->node_delay,
                   .place = (int)w->network->node_input[node] * w->channels + slot->channel,
                   .flit = {slot->message, slot->next_flit++, NOTHING}};
        if (w->classes->tree && w->classes->tree[slot->message])
            w->flits[w->flit_count - 1].flit.branch = (int)w->classes->tree[slot->message]->root;
        --w->node_credits[place];
        if (slot->next_flit == (int)w->packets[slot->message].line->flits) {
            slot->message = NOTHING;
            w->node_taken[place] = false;
        }
        w->slot_turn[node] = (at + 1) % slots;
    }
}

/* ---- output channels ---- */

static bool can_have(const world *w, const buffer *b, int output, int v, bool must_be_empty) {
    const output_channel *out = &w->outputs[output * w->stride + v];
    const bool to_node = w->network->output_end[output] & FC_TO_NODE;
    if (v >= (to_node ? (int)w->routed->ejection_channels : w->channels) || out->owner != NOTHING)
        return false;
    if (out->emptying && out->credits < w->routed->buffer)
        return false;
    if (to_node)
        return true;
    if (must_be_empty && out->credits < w->routed->buffer)
        return false;
    return w->routed->switching != FC_CUT_THROUGH ||
           out->credits >= (int)w->packets[b->flits[0].message].line->flits;
}

/* Whether a header asks for a virtual channel now. */
static bool asks(const world *w, const buffer *b, int output, int v) {
    const bool alike = w->network->escapes_alike;
    const bool escapes = !alike && b->candidates.preferred < b->candidates.count;
    bool preferred_open = false, wanted = false, escape = false;
    for (uint32_t i = 0; i < b->candidates.count; ++i) {
        const bool preferred = alike || i < b->candidates.preferred;
        for (int c = 0; c < 64; ++c) {
            if (!(b->candidates.list[i].channels >> c & 1) || c >= w->stride ||
                !can_have(w, b, (int)b->candidates.list[i].output, c, escapes && preferred))
                continue;
            const bool this_one = (int)b->candidates.list[i].output == output && c == v;
            preferred_open |= preferred;
            wanted |= preferred && this_one;
            escape |= !preferred && this_one;
        }
    }
    return wanted || (!preferred_open && escape);
}

static uint64_t age(const buffer *b, const uint64_t *number) {
    return number[b->flits[0].message];
}

/* The class of the message at the front comes before all else. */
static uint64_t before(const world *w, const buffer *b) {
    return (uint64_t)w->classes->rank[w->packets[b->flits[0].message].class] << 48;
}

static void allocate_channels(world *w, int router, const uint64_t *number) {
    const fc_router_network *n = w->network;
    const int first_buffer = (int)n->input_first[router] * w->channels;
    const int buffers = (int)n->input_first[router + 1] * w->channels - first_buffer;
    const int first_out = (int)n->output_first[router] * w->stride;
    const int outs = (int)n->output_first[router + 1] * w->stride - first_out;
    int *winner = malloc((size_t)outs * sizeof *winner);
    for (int round = 0; round < w->routed->allocator_rounds; ++round) {
        for (int o = 0; o < outs; ++o) {
            winner[o] = NOTHING;
            uint64_t best = UINT64_MAX;
            for (int i = 0; i < buffers; ++i) {
                const buffer *b = &w->buffers[first_buffer + i];
                if (!b->known || b->output != NOTHING || b->asks_from > w->tick ||
                    !asks(w, b, (first_out + o) / w->stride, (first_out + o) % w->stride))
                    continue;
                const uint64_t key =
                    before(w, b) +
                    (w->routed->arbitration == FC_OLDEST_FIRST
                         ? age(b, number)
                         : (uint64_t)behind(i, w->outputs[first_out + o].turn, buffers));
                if (key < best) {
                    best = key;
                    winner[o] = i;
                }
            }
        }
        for (int i = 0; i < buffers; ++i) {
            buffer *b = &w->buffers[first_buffer + i];
            int taken = NOTHING;
            for (int o = 0; o < outs; ++o) {
                if (winner[o] == i && (taken == NOTHING || behind(o, b->accept_turn, outs) <
                                                               behind(taken, b->accept_turn, outs)))
                    taken = o;
            }
            if (taken == NOTHING)
                continue;
            output_channel *out = &w->outputs[first_out + taken];
            out->owner = first_buffer + i;
            out->emptying = false;
            b->output = (first_out + taken) / w->stride;
            b->channel = (first_out + taken) % w->stride;
            b->moves_from = w->tick + (uint64_t)stage(w, FC_STAGE_ALLOCATION);
            if (round == 0) {
                out->turn = (i + 1) % buffers;
                b->accept_turn = (taken + 1) % outs;
            }
        }
    }
    free(winner);
}

/* ---- the crossbar ---- */

static void leave(world *w, int number) {
    buffer *b = &w->buffers[number];
    const fc_router_network *n = w->network;
    one_flit flit = b->flits[b->sent];
    bool stays = false;
    if (flit.branch != NOTHING) {
        const fc_tree_branch *from = &w->classes->branch[flit.branch];
        stays = b->copy + 1 < (int)from->count;
        flit.branch = (int)from->first + b->copy;
    }
    const int input = number / w->channels, v = number % w->channels;
    const uint32_t begin = n->input_begin[input];
    output_channel *out = &w->outputs[b->output * w->stride + b->channel];
    const bool to_node = n->output_end[b->output] & FC_TO_NODE;
    const bool tail = flit.index + 1 == (int)w->packets[flit.message].line->flits;
    const int switching = stage(w, FC_STAGE_SWITCH);
    const uint64_t credit_leaves = leaving(w, switching);
    const uint64_t flit_leaves = leaving(w, switching + stage(w, FC_STAGE_CROSSING));
    if (stays) {
        ++b->sent;
    } else {
        --b->count;
        for (int i = 0; i < b->count; ++i)
            b->flits[i] = b->flits[i + 1];
    }
    sent credit = {.of_node = begin & FC_TO_NODE};
    if (credit.of_node) {
        const uint64_t back = credit_leaves + (uint64_t)w->routed->node_delay - 1;
        credit.place = (int)(begin & ~FC_TO_NODE) * w->channels + v;
        credit.time = back > w->time ? back : w->time + 1;
    } else {
        credit.place = (int)begin * w->stride + v;
        credit.time = credit_leaves + n->output_delay[begin] + (uint64_t)w->routed->credit_delay;
    }
    if (!stays)
        w->credits[w->credit_count++] = credit;
    uint64_t arrives = flit_leaves + (to_node ? (uint64_t)w->routed->node_delay
                                              : (uint64_t)n->output_delay[b->output]);
    if (w->paced) {
        double *link = &w->link_free[b->output];
        const double starts = (double)arrives > *link ? (double)arrives : *link;
        const double interval =
            n->output_interval ? (double)n->output_interval[b->output] / 65536 : 1;
        arrives = (uint64_t)ceil(starts);
        *link = starts + interval;
    }
    w->flits[w->flit_count++] = (sent){
        .time = arrives,
        .of_node = to_node,
        .place = to_node ? NOTHING : (int)n->output_end[b->output] * w->channels + b->channel,
        .flit = flit};
    --out->credits;
    if (to_node) /* unless links are paced, only the end of a message waits for it */
        w->credits[w->credit_count++] = (sent){
            .place = b->output * w->stride + b->channel,
            .time = arrives + (uint64_t)(w->routed->node_delay - 1 + w->routed->credit_delay)};
    if (!tail)
        return;
    out->owner = NOTHING;
    out->emptying = w->routed->handover == FC_WHEN_EMPTY;
    b->output = b->channel = NOTHING;
    b->known = stays;
    if (stays) { /* from the first flit on, over the next branch */
        b->sent = 0;
        ++b->copy;
        b->routed = false;
        b->asks_from = w->tick + 1;
    }
}

static bool ready(const world *w, const buffer *b) {
    if (b->output == NOTHING || b->moves_from > w->tick || b->count <= b->sent)
        return false;
    return (w->network->output_end[b->output] & FC_TO_NODE && !w->paced) ||
           w->outputs[b->output * w->stride + b->channel].credits > 0;
}

static void allocate_switch(world *w, int router, const uint64_t *number) {
    const fc_router_network *n = w->network;
    const int first_input = (int)n->input_first[router];
    const int inputs = (int)n->input_first[router + 1] - first_input;
    const int first_out = (int)n->output_first[router];
    const int outs = (int)n->output_first[router + 1] - first_out;
    const int ports = inputs * w->ports_per_input;
    bool *port_used = calloc((size_t)ports, 1), *out_used = calloc((size_t)outs, 1);
    int *winner = malloc((size_t)outs * sizeof *winner);
    int *leaving = malloc((size_t)ports * sizeof *leaving), leaving_count = 0;
    for (int round = 0; round < w->routed->allocator_rounds; ++round) {
        for (int o = 0; o < outs; ++o) {
            winner[o] = NOTHING;
            uint64_t best = UINT64_MAX;
            for (int i = 0; i < inputs * w->channels && !out_used[o]; ++i) {
                const buffer *b = &w->buffers[first_input * w->channels + i];
                const int v = i % w->channels;
                const int port = i / w->channels * w->ports_per_input + v % w->ports_per_input;
                if (!ready(w, b) || b->output != first_out + o || port_used[port])
                    continue;
                const int turn = w->channel_turn[first_input * w->ports_per_input + port];
                const uint64_t key =
                    before(w, b) +
                    (w->routed->arbitration == FC_OLDEST_FIRST
                         ? age(b, number)
                         : (uint64_t)behind(port, w->output_turn[first_out + o], ports) * 1000 +
                               (uint64_t)behind(v, turn, w->channels));
                if (key < best) {
                    best = key;
                    winner[o] = i;
                }
            }
        }
        for (int port = 0; port < ports; ++port) {
            int taken = NOTHING;
            const int turn = w->port_turn[first_input * w->ports_per_input + port];
            for (int o = 0; o < outs; ++o) {
                const int i = winner[o];
                if (i == NOTHING ||
                    i / w->channels * w->ports_per_input + i % w->channels % w->ports_per_input !=
                        port)
                    continue;
                const buffer *b = &w->buffers[first_input * w->channels + i];
                if (taken == NOTHING) {
                    taken = o;
                    continue;
                }
                const buffer *other = &w->buffers[first_input * w->channels + winner[taken]];
                const bool oldest = w->routed->arbitration == FC_OLDEST_FIRST;
                const uint64_t own = oldest ? age(b, number) : (uint64_t)behind(o, turn, outs);
                const uint64_t best =
                    oldest ? age(other, number) : (uint64_t)behind(taken, turn, outs);
                if (before(w, b) + own < before(w, other) + best)
                    taken = o;
            }
            if (taken == NOTHING)
                continue;
            port_used[port] = out_used[taken] = true;
            leaving[leaving_count++] = first_input * w->channels + winner[taken];
            const int v = winner[taken] % w->channels;
            w->channel_turn[first_input * w->ports_per_input + port] =
                v + w->ports_per_input < w->channels
                    ? v + w->ports_per_input
                    : (v + w->ports_per_input) % w->ports_per_input;
            if (round == 0) {
                w->output_turn[first_out + taken] = (port + 1) % ports;
                w->port_turn[first_input * w->ports_per_input + port] = (taken + 1) % outs;
            }
        }
    }
    for (int i = 0; i < leaving_count; ++i)
        leave(w, leaving[i]);
    free(port_used);
    free(out_used);
    free(winner);
    free(leaving);
}

/* ---- the whole ---- */

static void *zeroed(size_t count, size_t size) {
    void *block = calloc(count ? count : 1, size);
    assert(block);
    return block;
}

static void build(world *w, const fc_trace *trace) {
    const fc_router_network *n = w->network;
    const fc_routed *r = w->routed;
    w->channels = (int)r->virtual_channels;
    w->stride = (int)(r->ejection_channels > r->virtual_channels ? r->ejection_channels
                                                                 : r->virtual_channels);
    w->ports_per_input = r->input_speedup != FC_INFINITE && r->input_speedup < r->virtual_channels
                             ? (int)r->input_speedup
                             : w->channels;
    w->slots = (int)(r->injection_channels < r->virtual_channels ? r->injection_channels
                                                                 : r->virtual_channels);
    size_t flits = 0;
    w->packets = zeroed(trace->count, sizeof *w->packets);
    for (size_t i = 0; i < trace->count; ++i) {
        w->packets[i].line = &trace->messages[i];
        const bool many = w->classes->tree && w->classes->tree[i];
        flits += trace->messages[i].flits * (many ? w->classes->tree[i]->destinations : 1);
    }
    const size_t buffers = n->inputs * (size_t)w->channels, outs = n->outputs * (size_t)w->stride;
    w->buffers = zeroed(buffers, sizeof *w->buffers);
    for (size_t i = 0; i < buffers; ++i) {
        w->buffers[i].flits = zeroed((size_t)r->buffer, sizeof(one_flit));
        w->buffers[i].output = w->buffers[i].channel = NOTHING;
    }
    w->outputs = zeroed(outs, sizeof *w->outputs);
    for (size_t i = 0; i < outs; ++i)
        w->outputs[i] = (output_channel){.owner = NOTHING, .credits = (int)r->buffer};
    w->output_turn = zeroed(n->outputs, sizeof(int));
    w->port_turn = zeroed(n->inputs * (size_t)w->ports_per_input, sizeof(int));
    w->channel_turn = zeroed(n->inputs * (size_t)w->ports_per_input, sizeof(int));
    for (size_t i = 0; i < n->inputs * (size_t)w->ports_per_input; ++i)
        w->channel_turn[i] = (int)(i % (size_t)w->ports_per_input);
    w->link_free = zeroed(n->outputs, sizeof *w->link_free);
    w->flits = zeroed(flits, sizeof *w->flits);
    w->credits = zeroed(2 * flits * (n->routers + 1), sizeof *w->credits);
    const size_t queues = n->nodes * (size_t)w->classes->count;
    w->queue = zeroed(queues, sizeof *w->queue);
    w->queue_count = zeroed(queues, sizeof(int));
    w->slot = zeroed(queues * (size_t)w->slots, sizeof *w->slot);
    for (size_t i = 0; i < queues * (size_t)w->slots; ++i)
        w->slot[i].message = NOTHING;
    w->slot_turn = zeroed(n->nodes, sizeof(int));
    w->last_channel = zeroed(queues, sizeof(int));
    w->node_credits = zeroed(n->nodes * (size_t)w->channels, sizeof(int));
    w->node_taken = zeroed(n->nodes * (size_t)w->channels, sizeof(bool));
    for (size_t i = 0; i < queues; ++i) {
        w->queue[i] = zeroed(trace->count, sizeof(int));
        w->last_channel[i] = w->channels - 1;
    }
    for (size_t i = 0; i < n->nodes * (size_t)w->channels; ++i)
        w->node_credits[i] = (int)r->buffer;
}

static void take_down(world *w) {
    for (size_t i = 0; i < w->network->inputs * (size_t)w->channels; ++i)
        free(w->buffers[i].flits);
    for (size_t i = 0; i < w->network->nodes * (size_t)w->classes->count; ++i)
        free(w->queue[i]);
    void *const blocks[] = {w->packets,    w->buffers,      w->outputs,      w->output_turn,
                            w->port_turn,  w->channel_turn, w->flits,        w->credits,
                            w->queue,      w->queue_count,  w->slot,         w->slot_turn,
                            w->node_taken, w->last_channel, w->node_credits, w->link_free,
                            w->lengths};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i)
        free(blocks[i]);
}

bool reference_run(const fc_router_network *network, const fc_routed *routed, const fc_trace *trace,
                   uint64_t seed, uint64_t limit, reference_outcome *outcomes) {
    const reference_classes one = {.count = 1,
                                   .channels = {UINT64_MAX >> (64 - routed->virtual_channels)}};
    return reference_run_classes(network, routed, trace, &one, seed, limit, outcomes);
}

bool reference_run_classes(const fc_router_network *network, const fc_routed *routed,
                           const fc_trace *trace, const reference_classes *classes, uint64_t seed,
                           uint64_t limit, reference_outcome *outcomes) {
    world w = {.network = network, .routed = routed, .classes = classes, .outcomes = outcomes};
    w.speedup = routed->internal_speedup > 1 ? routed->internal_speedup : 1;
    w.lengths = network->ports ? all_lengths(network) : NULL;
    w.paced = w.speedup > 1 || network->output_interval;
    build(&w, trace);
    fc_random random = fc_random_stream(seed, 0, 2);
    uint64_t *number = zeroed(trace->count, sizeof *number), made = 0;
    size_t left = trace->count;
    for (; w.time < limit && left; ++w.time) {
        arrive(&w);
        generate(&w, trace->count, &random);
        for (size_t i = 0; i < trace->count; ++i) {
            if (w.packets[i].generated && w.packets[i].born == w.time)
                number[i] = made++;
        }
        take_credits(&w);
        w.tick = first_tick(&w, w.time);
        find_candidates(&w);
        send_from_nodes(&w);
        for (; w.tick < first_tick(&w, w.time + 1); ++w.tick) {
            choose_candidates(&w);
            for (int r = 0; r < (int)network->routers; ++r) {
                allocate_channels(&w, r, number);
                allocate_switch(&w, r, number);
            }
            ++w.tick; /* a header behind a tail asks from the next tick on */
            find_candidates(&w);
            --w.tick;
        }
        left = 0;
        for (size_t i = 0; i < trace->count; ++i)
            left += !w.packets[i].delivered;
    }
    free(number);
    take_down(&w);
    return left == 0;
}
