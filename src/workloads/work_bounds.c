#include "workloads/work_bounds.h"

#include <assert.h>
#include <stdio.h>
#include "base/memory.h"
#include "scenario/workload_rules.h"
#include "workloads/due_heap.h"

enum { VARIANTS_MAX = 64, HOPS_MAX = 4096 };

const char *const fc_bound_names[FC_BOUNDS] = {"longest chain", "busiest link", "busiest sender",
                                               "busiest receiver"};

/* ---- pairs ---- */

/* What is sent between two nodes, and how far they are apart. */
typedef struct pair {
    uint64_t key; /* 1 + source * nodes + destination; 0: empty */
    double flits;
    uint64_t path; /* cycles of a header from node to node */
} pair;

typedef struct finding {
    const fc_router_network *network;
    const fc_routed *routed;
    uint64_t seed;
    uint32_t replication;
    uint64_t stages; /* cycles of a header in a router */
    uint64_t channels;
    pair *pairs;
    size_t room, count;
    double *load;            /* outputs */
    double *sent, *received; /* nodes */
    double hops;
    bool adaptive;
} finding;

static bool grow_pairs(finding *f) {
    const size_t room = f->room ? 2 * f->room : 1024;
    pair *larger = fc_allocate(room, sizeof *larger);
    if (!larger)
        return false;
    for (size_t i = 0; i < f->room; ++i) {
        if (!f->pairs[i].key)
            continue;
        size_t at = (f->pairs[i].key * 0x9E3779B97F4A7C15u) >> 20 & (room - 1);
        while (larger[at].key)
            at = (at + 1) & (room - 1);
        larger[at] = f->pairs[i];
    }
    fc_release(f->pairs);
    f->pairs = larger;
    f->room = room;
    return true;
}

static uint64_t path_of(finding *f, uint32_t source, uint32_t destination, double flits);

/* NULL: no memory. */
static pair *pair_of(finding *f, uint32_t source, uint32_t destination) {
    if (2 * f->count >= f->room && !grow_pairs(f))
        return NULL;
    const uint64_t key = 1 + (uint64_t)source * f->network->nodes + destination;
    size_t at = (key * 0x9E3779B97F4A7C15u) >> 20 & (f->room - 1);
    while (f->pairs[at].key && f->pairs[at].key != key)
        at = (at + 1) & (f->room - 1);
    if (!f->pairs[at].key) {
        f->pairs[at] = (pair){.key = key, .path = path_of(f, source, destination, 0)};
        ++f->count;
    }
    return &f->pairs[at];
}

/* ---- routes ---- */

/* Follows one path of a header; adds the flits to the links. Its cycles. */
static uint64_t follow(finding *f, uint32_t source, uint32_t destination, uint32_t variant,
                       double flits) {
    const fc_router_network *network = f->network;
    fc_course course = {.source = source, .destination = destination, .channels = f->channels};
    network->begin(network, variant, &course);
    uint32_t input = network->node_input[source], channel = 0;
    uint64_t cycles = (uint64_t)f->routed->node_delay;
    for (int hop = 0; hop < HOPS_MAX; ++hop) {
        fc_route_candidates candidates;
        network->route(network, input, channel, &course, &candidates);
        f->adaptive |= candidates.preferred > 1;
        const uint32_t output = candidates.list[0].output, end = network->output_end[output];
        if (f->load)
            f->load[output] += flits;
        if (end & FC_TO_NODE)
            return cycles + f->stages + (uint64_t)f->routed->node_delay;
        f->hops += flits;
        cycles += f->stages + network->output_delay[output];
        channel = (uint32_t)__builtin_ctzll(candidates.list[0].channels);
        input = end;
    }
    return cycles;
}

/* Over the paths a message may be given, of many some: the shortest, the flits spread evenly. */
static uint64_t path_of(finding *f, uint32_t source, uint32_t destination, double flits) {
    const fc_router_network *network = f->network;
    const uint32_t all = network->variants ? network->variants(network, source, destination) : 1;
    const uint32_t taken = all < VARIANTS_MAX ? all : VARIANTS_MAX;
    uint64_t shortest = UINT64_MAX;
    for (uint32_t i = 0; i < taken; ++i) {
        const uint32_t variant = (uint32_t)((uint64_t)i * all / taken);
        const uint64_t cycles = follow(f, source, destination, variant, flits / taken);
        shortest = cycles < shortest ? cycles : shortest;
    }
    return shortest;
}

static finding finding_in(const fc_router_network *network, const fc_routed *routed) {
    finding f = {.network = network, .routed = routed};
    for (int stage = 0; stage < FC_ROUTER_STAGES; ++stage)
        f.stages += (uint64_t)routed->router_delay[stage];
    f.channels = UINT64_MAX >> (64 - routed->virtual_channels);
    return f;
}

uint64_t fc_path_alone(const fc_router_network *network, const fc_routed *routed, uint32_t source,
                       uint32_t destination) {
    finding f = finding_in(network, routed);
    return path_of(&f, source, destination, 0);
}

/* ---- the chain: messages as if each were alone ---- */

static fc_status run_chain(finding *f, fc_error *error, fc_work_bounds *bounds, fc_work *work) {
    typedef struct flying {
        fc_work_item item;
        uint32_t next;
    } flying;
    fc_due_heap heap = {0};
    flying *list = NULL;
    uint32_t room = 0, free_one = UINT32_MAX;
    fc_status status = FC_OK;
    uint64_t now = 0;
    while (status == FC_OK && !fc_work_done(work)) {
        const uint64_t due = fc_work_next(work), arrival = fc_due_next(&heap);
        const uint64_t next = due < arrival ? due : arrival;
        now = next > now ? next : now;
        while (fc_due_next(&heap) <= now) {
            const uint32_t number = (uint32_t)fc_due_pop(&heap).order;
            assert(number < room);
            fc_work_delivered(work, &list[number].item, now);
            list[number].next = free_one;
            free_one = number;
        }
        if (fc_work_next(work) <= now)
            status = fc_work_advance(work, now, error);
        fc_work_item item;
        for (uint32_t node; status == FC_OK && (node = fc_work_waking(work)) != UINT32_MAX;) {
            while (status == FC_OK && fc_work_take(work, node, &item)) {
                pair *between = pair_of(f, item.source, item.destination);
                if (free_one == UINT32_MAX) {
                    const uint32_t larger = room ? 2 * room : 256;
                    flying *more = fc_reallocate(list, larger, sizeof *more);
                    for (uint32_t i = larger; more && i-- > room;) {
                        more[i].next = free_one;
                        free_one = i;
                    }
                    list = more ? more : list;
                    room = more ? larger : room;
                }
                if (!between || free_one == UINT32_MAX) {
                    status = fc_fail_memory(error);
                    break;
                }
                between->flits += (double)item.flits;
                const uint32_t number = free_one;
                free_one = list[number].next;
                list[number].item = item;
                if (!fc_due_push(&heap, item.due + between->path + item.flits - 1, number))
                    status = fc_fail_memory(error);
            }
        }
    }
    bounds->cycles[FC_BOUND_CHAIN] = (double)fc_work_ended(work);
    fc_release(list);
    fc_release(heap.item);
    return status;
}

/* ---- the loads ---- */

static uint32_t largest(const double *values, uint32_t count) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < count; ++i)
        best = values[i] > values[best] ? i : best;
    return best;
}

static void add_loads(finding *f, fc_work_bounds *bounds) {
    const fc_router_network *network = f->network;
    f->hops = 0;
    for (uint32_t o = 0; o < network->outputs; ++o)
        f->load[o] = 0;
    for (size_t i = 0; i < f->room; ++i) {
        if (!f->pairs[i].key)
            continue;
        const uint64_t ends = f->pairs[i].key - 1;
        const uint32_t source = (uint32_t)(ends / network->nodes);
        const uint32_t destination = (uint32_t)(ends % network->nodes);
        path_of(f, source, destination, f->pairs[i].flits);
        f->sent[source] += f->pairs[i].flits;
        f->received[destination] += f->pairs[i].flits;
    }
    double links = 0;
    for (uint32_t o = 0; o < network->outputs; ++o) {
        if (network->output_end[o] & FC_TO_NODE)
            f->load[o] = 0;
        else
            links += 1;
    }
    bounds->hops = f->hops;
    bounds->sender = largest(f->sent, network->nodes);
    bounds->receiver = largest(f->received, network->nodes);
    bounds->link = f->adaptive ? UINT32_MAX : largest(f->load, network->outputs);
    bounds->cycles[FC_BOUND_LINK] = !f->adaptive ? f->load[bounds->link]
                                    : links > 0  ? f->hops / links
                                                 : 0;
    bounds->cycles[FC_BOUND_INJECTION] = f->sent[bounds->sender];
    bounds->cycles[FC_BOUND_EJECTION] = f->received[bounds->receiver];
}

/* ---- the whole ---- */

static fc_status keep_phases(const fc_workload *workload, const fc_work *work, fc_error *error,
                             fc_work_bounds *bounds) {
    bounds->phase_alone = fc_allocate(workload->count, sizeof *bounds->phase_alone);
    if (!bounds->phase_alone)
        return fc_fail_memory(error);
    for (size_t i = 0; i < workload->count; ++i)
        bounds->phase_alone[i] = fc_work_phase(work, i)->rank_cycles / (double)workload->ranks;
    return FC_OK;
}

static fc_status find(finding *f, fc_error *error, fc_work_bounds *bounds) {
    const fc_workload *workload = f->routed->workload;
    const uint32_t nodes = f->network->nodes;
    f->load = fc_allocate(f->network->outputs, sizeof *f->load);
    f->sent = fc_allocate(nodes, sizeof *f->sent);
    f->received = fc_allocate(nodes, sizeof *f->received);
    if (!f->load || !f->sent || !f->received)
        return fc_fail_memory(error);
    fc_work *work;
    fc_status status = fc_work_create(workload, nodes, 0, f->seed, f->replication, error, &work);
    if (status != FC_OK)
        return status;
    if (fc_work_messages(work) > FC_BOUNDED_MESSAGES_MAX) {
        fc_work_free(work);
        return FC_OK;
    }
    status = run_chain(f, error, bounds, work);
    if (status == FC_OK)
        status = keep_phases(workload, work, error, bounds);
    if (status == FC_OK)
        status = fc_critical_chain_find(work, f->network, f->routed, error, &bounds->chain);
    if (status == FC_OK)
        add_loads(f, bounds);
    fc_work_free(work);
    return status;
}

fc_status fc_work_bounds_find(const fc_router_network *network, const fc_routed *routed,
                              uint64_t seed, uint32_t replication, fc_error *error,
                              fc_work_bounds *bounds) {
    finding f = finding_in(network, routed);
    f.seed = seed;
    f.replication = replication;
    *bounds = (fc_work_bounds){.link = UINT32_MAX};
    /* Of links that take more than a flit in a cycle nothing is known here. */
    const fc_status status = routed->widths_differ ? FC_OK : find(&f, error, bounds);
    for (int i = 1; i < FC_BOUNDS; ++i) {
        if (bounds->cycles[i] > bounds->cycles[bounds->largest])
            bounds->largest = i;
    }
    fc_release(f.pairs);
    fc_release(f.load);
    fc_release(f.sent);
    fc_release(f.received);
    if (status != FC_OK)
        fc_work_bounds_clear(bounds);
    return status;
}

void fc_work_bounds_clear(fc_work_bounds *bounds) {
    fc_release(bounds->phase_alone);
    fc_critical_chain_clear(&bounds->chain);
    bounds->phase_alone = NULL;
}

double fc_work_bound(const fc_work_bounds *bounds) {
    return bounds->cycles[bounds->largest];
}

void fc_work_bounds_text(const fc_work_bounds *bounds, const fc_router_network *network,
                         size_t size, char *text) {
    const char *name = fc_bound_names[bounds->largest];
    switch (bounds->largest) {
    case FC_BOUND_LINK:
        if (bounds->link == UINT32_MAX)
            snprintf(text, size, "The bound is the load of the links, spread evenly.");
        else
            snprintf(text, size, "The bound is the %s, router %u to router %u.", name,
                     network->output_router[bounds->link],
                     network->input_router[network->output_end[bounds->link]]);
        break;
    case FC_BOUND_INJECTION:
    case FC_BOUND_EJECTION:
        snprintf(text, size, "The bound is the %s, node %u.", name,
                 bounds->largest == FC_BOUND_INJECTION ? bounds->sender : bounds->receiver);
        break;
    default:
        snprintf(text, size, "The bound is the %s of messages that wait for each other.", name);
        break;
    }
}
