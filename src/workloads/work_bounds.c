#include "workloads/work_bounds.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include "base/memory.h"
#include "network/link_bound.h"
#include "network/node_ports.h"
#include "scenario/families/workload_rules.h"
#include "workloads/due_heap.h"
#include "workloads/lone_path.h"

const char *const fc_bound_names[FC_BOUNDS] = {"longest chain", "busiest link", "busiest sender",
                                               "busiest receiver"};

/* ---- pairs ---- */

/* What is sent between two nodes, and how far they are apart. */
typedef struct pair {
    uint64_t key; /* 1 + source * nodes + destination; 0: empty */
    double flits, messages;
    uint64_t path;     /* cycles of a header from node to node */
    uint32_t parallel; /* ports that carry it side by side */
} pair;

typedef struct finding {
    const fc_router_network *network;
    const fc_routed *routed;
    uint64_t seed;
    uint32_t replication;
    fc_lone_paths *paths;
    pair *pairs;
    size_t room, count;
    double *sent, *received; /* nodes */
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

/* NULL: no memory. */
static pair *pair_of(finding *f, uint32_t source, uint32_t destination) {
    if (2 * f->count >= f->room && !grow_pairs(f))
        return NULL;
    const uint64_t key = 1 + (uint64_t)source * fc_node_count(f->network) + destination;
    size_t at = (key * 0x9E3779B97F4A7C15u) >> 20 & (f->room - 1);
    while (f->pairs[at].key && f->pairs[at].key != key)
        at = (at + 1) & (f->room - 1);
    if (!f->pairs[at].key) {
        const uint64_t path = fc_lone_path(f->paths, source, destination);
        if (path == UINT64_MAX)
            return NULL;
        f->pairs[at] = (pair){.key = key,
                              .path = path,
                              .parallel = fc_ports_parallel(f->network, source, destination)};
        ++f->count;
    }
    return &f->pairs[at];
}

/* ---- the chain: messages as if each were alone ---- */

typedef struct flying {
    fc_work_item item;
    uint32_t next; /* free places: the next one */
} flying;

/* The messages under way, and when they arrive. */
typedef struct flight {
    fc_due_heap due;
    flying *list;
    uint32_t room, free_one;
} flight;

static bool make_room(flight *f) {
    if (f->free_one != UINT32_MAX)
        return true;
    const uint32_t larger = f->room ? 2 * f->room : 256;
    flying *more = fc_reallocate(f->list, larger, sizeof *more);
    if (!more)
        return false;
    for (uint32_t i = larger; i-- > f->room;) {
        more[i].next = f->free_one;
        f->free_one = i;
    }
    f->list = more;
    f->room = larger;
    return true;
}

static fc_status send_alone(finding *f, const fc_work_item *item, flight *air, fc_error *error) {
    pair *between = pair_of(f, item->source, item->destination);
    if (!between || !make_room(air))
        return fc_fail_memory(error);
    between->flits += (double)item->flits;
    between->messages += 1;
    const uint32_t number = air->free_one;
    air->free_one = air->list[number].next;
    air->list[number].item = *item;
    const uint64_t arrives =
        item->due + between->path + fc_lone_tail(f->paths, between->parallel, item->flits);
    return fc_due_push(&air->due, arrives, number) ? FC_OK : fc_fail_memory(error);
}

static void deliver(flight *air, uint64_t now, fc_work *work) {
    while (fc_due_next(&air->due) <= now) {
        const uint32_t number = (uint32_t)fc_due_pop(&air->due).order;
        assert(number < air->room);
        fc_work_delivered(work, &air->list[number].item, now);
        air->list[number].next = air->free_one;
        air->free_one = number;
    }
}

static fc_status run_chain(finding *f, fc_error *error, fc_work_bounds *bounds, fc_work *work) {
    flight air = {.free_one = UINT32_MAX};
    fc_status status = FC_OK;
    uint64_t now = 0;
    while (status == FC_OK && !fc_work_done(work)) {
        const uint64_t due = fc_work_next(work), arrival = fc_due_next(&air.due);
        const uint64_t next = due < arrival ? due : arrival;
        now = next > now ? next : now;
        deliver(&air, now, work);
        if (fc_work_next(work) <= now)
            status = fc_work_advance(work, now, error);
        fc_work_item item;
        for (uint32_t node; status == FC_OK && (node = fc_work_waking(work)) != UINT32_MAX;) {
            while (status == FC_OK && fc_work_take(work, node, &item))
                status = send_alone(f, &item, &air, error);
        }
    }
    bounds->cycles[FC_BOUND_CHAIN] = (double)fc_work_ended(work);
    fc_release(air.list);
    fc_release(air.due.item);
    return status;
}

/* ---- the loads ---- */

static uint32_t largest(const double *values, uint32_t count) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < count; ++i)
        best = values[i] > values[best] ? i : best;
    return best;
}

/* n flits on a link take n - 1 of its cycles and the cycle of the first. */
static double from_first_to_last(double cycles, double pace) {
    return fmax(0, cycles - fmax(0, pace - 1));
}

static double slowest_pace(const fc_router_network *network) {
    double slowest = 1;
    for (uint32_t o = 0; network->output_interval && o < network->outputs; ++o)
        slowest = fmax(slowest, fc_link_pace(network, o));
    return slowest;
}

static fc_status add_links(finding *f, fc_error *error, fc_work_bounds *bounds) {
    const fc_router_network *network = f->network;
    const uint64_t channels = UINT64_MAX >> (64 - f->routed->virtual_channels);
    const uint32_t nodes = fc_node_count(network);
    fc_link_bound *links;
    fc_link_load load;
    fc_status status = fc_link_bound_create(network, FC_DRAWS_ANY, error, &links);
    if (status != FC_OK)
        return status;
    for (size_t i = 0; i < f->room && status == FC_OK; ++i) {
        const uint64_t ends = f->pairs[i].key - 1;
        if (f->pairs[i].key)
            status =
                fc_link_bound_add_nodes(links, (uint32_t)(ends / nodes), (uint32_t)(ends % nodes),
                                        channels, f->pairs[i].flits, error);
    }
    if (status == FC_OK)
        status = fc_link_bound_find(links, error, &load);
    if (status == FC_OK) {
        bounds->link = load.output;
        bounds->cycles[FC_BOUND_LINK] = from_first_to_last(load.cycles, slowest_pace(network));
    }
    fc_link_bound_free(links);
    return status;
}

/* What the busiest port of a node has to do at least, if its messages may take several. */
static void add_ports(finding *f, const double *sent, const double *received) {
    const struct fc_ports *ports = f->network->ports;
    for (uint32_t n = 0; n < ports->nodes; ++n) {
        const double count = ports->first[n + 1] - ports->first[n];
        f->sent[n] /= count;
        f->received[n] /= count;
        for (uint32_t end = ports->first[n]; end < ports->first[n + 1]; ++end) {
            f->sent[n] = fmax(f->sent[n], sent[end]);
            f->received[n] = fmax(f->received[n], received[end]);
        }
    }
}

/* What two nodes must send over certain ports. */
static void load_ends(const finding *f, uint64_t ends, double flits, double *sent,
                      double *received) {
    const uint32_t nodes = fc_node_count(f->network);
    const uint32_t source = (uint32_t)(ends / nodes), destination = (uint32_t)(ends % nodes);
    uint32_t from, to;
    if (fc_ports_count(f->network, source, destination) != 1)
        return;
    fc_ports_choose(f->network, source, destination, 0, &from, &to);
    sent[from] += flits;
    received[to] += flits;
}

/* Messages that take time of their rank follow each other (send_overhead, send_gap). */
static void add_turns(finding *f, const double *turns) {
    const fc_workload *work = f->routed->workload;
    const double overhead = (double)work->send_overhead;
    const double turn = fmax(overhead, (double)work->send_gap);
    for (uint32_t n = 0; n < fc_node_count(f->network); ++n)
        if (turns[n] > 0)
            f->sent[n] = fmax(f->sent[n], overhead + (turns[n] - 1) * turn);
}

static fc_status add_nodes(finding *f, fc_error *error, fc_work_bounds *bounds) {
    const fc_router_network *network = f->network;
    const uint32_t nodes = fc_node_count(network);
    double *sent = fc_allocate(network->nodes, sizeof *sent);
    double *received = fc_allocate(network->nodes, sizeof *received);
    double *turns = fc_allocate(nodes, sizeof *turns);
    const bool good = sent && received && turns;
    for (size_t i = 0; i < f->room && good; ++i) {
        const uint64_t ends = f->pairs[i].key - 1;
        if (!f->pairs[i].key)
            continue;
        f->sent[ends / nodes] += f->pairs[i].flits;
        turns[ends / nodes] += f->pairs[i].messages;
        f->received[ends % nodes] += f->pairs[i].flits;
        if (network->ports)
            load_ends(f, ends, f->pairs[i].flits, sent, received);
    }
    if (good && network->ports)
        add_ports(f, sent, received);
    if (good)
        add_turns(f, turns);
    fc_release(turns);
    fc_release(sent);
    fc_release(received);
    bounds->sender = largest(f->sent, nodes);
    bounds->receiver = largest(f->received, nodes);
    bounds->cycles[FC_BOUND_INJECTION] = f->sent[bounds->sender];
    bounds->cycles[FC_BOUND_EJECTION] = f->received[bounds->receiver];
    return good ? FC_OK : fc_fail_memory(error);
}

/* ---- the whole ---- */

static fc_status keep_phases(const fc_workload *workload, const fc_work *work, fc_error *error,
                             fc_work_bounds *bounds) {
    bounds->phase_alone = fc_allocate(workload->count, sizeof *bounds->phase_alone);
    if (!bounds->phase_alone)
        return fc_fail_memory(error);
    for (size_t i = 0; i < workload->count; ++i)
        bounds->phase_alone[i] = fc_phase_cycles(fc_work_phase(work, i));
    return FC_OK;
}

static fc_status find(finding *f, fc_error *error, fc_work_bounds *bounds) {
    const fc_workload *workload = f->routed->workload;
    const uint32_t nodes = fc_node_count(f->network);
    f->sent = fc_allocate(nodes, sizeof *f->sent);
    f->received = fc_allocate(nodes, sizeof *f->received);
    if (!f->sent || !f->received)
        return fc_fail_memory(error);
    fc_work *work;
    fc_status status = fc_work_create(workload, (fc_places){nodes, fc_absent_nodes(f->network)}, 0,
                                      (fc_random_key){f->seed, f->replication}, error, &work);
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
        status = add_links(f, error, bounds);
    if (status == FC_OK)
        status = add_nodes(f, error, bounds);
    fc_work_free(work);
    return status;
}

fc_status fc_work_bounds_find(const fc_router_network *network, const fc_routed *routed,
                              uint64_t seed, uint32_t replication, fc_error *error,
                              fc_work_bounds *bounds) {
    finding f = {.network = network, .routed = routed, .seed = seed, .replication = replication};
    *bounds = (fc_work_bounds){.link = UINT32_MAX};
    fc_status status = fc_lone_paths_create(network, routed, error, &f.paths);
    if (status == FC_OK)
        status = find(&f, error, bounds);
    for (int i = 1; i < FC_BOUNDS; ++i) {
        if (bounds->cycles[i] > bounds->cycles[bounds->largest])
            bounds->largest = i;
    }
    fc_release(f.pairs);
    fc_lone_paths_free(f.paths);
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
            snprintf(text, size,
                     "The bound is the busiest link, if messages are divided as well as can be "
                     "among the ways they may take.");
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
