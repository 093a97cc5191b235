/* What becomes of the nodes of a Chakra trace:
 *
 *   compute, load,   an operation of no bytes that takes its time; those of a rank follow each
 *   store            other, those of its processor and of its accelerator apart
 *   send             a message; the node has ended when the message is handed to the network
 *   receive          ends when the message is there. The n-th from a rank with a tag gets the n-th
 *                    that was sent with it
 *   collective       the n-th of a process group at one rank belongs to the n-th at the others. It
 *                    is the algorithm's plan (phase_plan.h) for the ranks of the group: a rank
 *                    begins its part when its own node can begin
 *
 * A process group is what traffic.groups says under its name, or the ranks that name it. Copies of
 * the trace (replicas) are ranks of their own; groups that traffic.groups does not say stay within
 * a copy, operations of all ranks are of all copies. */
#include "workloads/chakra_schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "scenario/families/workload_read.h"
#include "scenario/families/workload_rules.h"
#include "scenario/formats/chakra_file.h"
#include "scenario/formats/trace_file.h"
#include "scenario/formats/trace_order.h"

#define NONE UINT32_MAX

typedef struct schedule {
    const fc_chakra *chakra;
    const fc_phase_plan *plan;
    fc_trace *trace;
    size_t room, processor_room, wait_room;
    uint32_t *begins, *ends; /* of each node of each copy: operations */
    bool full, failed;
    fc_error *error;
} schedule;

/* ---- operations and messages ---- */

static uint32_t add(schedule *s, const fc_trace_message *message, uint32_t processor) {
    fc_trace *t = s->trace;
    if (t->count == FC_TRACE_MESSAGES_MAX) {
        s->full = true;
        return 0;
    }
    fc_trace_message *messages = fc_make_room(t->messages, &s->room, t->count, 1, sizeof *messages);
    t->messages = messages ? messages : t->messages;
    fc_trace_processor *list =
        fc_make_room(t->processors, &s->processor_room, t->count, 1, sizeof *list);
    t->processors = list ? list : t->processors;
    if (!messages || !list) {
        s->failed = true;
        return 0;
    }
    messages[t->count] = *message;
    messages[t->count].after = NONE;
    list[t->count] = (fc_trace_processor){.number = processor};
    return (uint32_t)t->count++;
}

static uint32_t add_operation(schedule *s, uint32_t rank, uint64_t cycles, uint32_t processor) {
    const fc_trace_message operation = {.time = cycles, .source = rank, .destination = rank};
    return add(s, &operation, processor);
}

static void wait_for(schedule *s, uint32_t message, uint32_t after) {
    fc_trace *t = s->trace;
    if (s->full || s->failed)
        return;
    if (t->messages[message].after == NONE) {
        t->messages[message].after = after;
        return;
    }
    fc_trace_wait *waits = fc_make_room(t->waits, &s->wait_room, t->wait_count, 1, sizeof *waits);
    if (!waits) {
        s->failed = true;
        return;
    }
    t->waits = waits;
    waits[t->wait_count++] = (fc_trace_wait){message, after};
}

static uint32_t add_message(schedule *s, uint32_t from, uint32_t to, uint64_t bytes,
                            uint32_t after) {
    const fc_trace_message message = {
        .source = from, .destination = to, .flits = bytes ? (uint32_t)bytes : 1};
    const uint32_t number = add(s, &message, NONE);
    wait_for(s, number, after);
    return number;
}

/* ---- nodes ---- */

static fc_status refuse(const schedule *s, const fc_chakra_node *node, const char *sentence) {
    return fc_fail(s->error, FC_ERROR_INPUT, "%.200s: node %llu of rank %u %s", s->chakra->prefix,
                   (unsigned long long)node->id, node->rank, sentence);
}

static fc_status cycles_of(const schedule *s, const fc_chakra_node *node, uint64_t *cycles) {
    const fc_chakra *c = s->chakra;
    const bool memory = node->kind == FC_CHAKRA_LOAD || node->kind == FC_CHAKRA_STORE;
    double time = (double)node->micros * s->plan->workload->cycles_of_microsecond;
    *cycles = 0;
    if (node->kind == FC_CHAKRA_METADATA)
        return FC_OK;
    const double bytes = (double)node->tensor_bytes, operations = (double)node->operations;
    if (!node->micros && memory) {
        if (bytes > 0 && !(c->memory_bytes_per_cycle > 0))
            return refuse(s, node,
                          "moves a tensor and has no duration; say how fast the memory "
                          "is, chakra: {memory_bytes_per_cycle: N}");
        time = bytes > 0 ? bytes / c->memory_bytes_per_cycle : 0;
    } else if (!node->micros && operations > 0) {
        if (!(c->operations_per_cycle > 0))
            return refuse(s, node,
                          "has a number of operations and no duration; say how fast a "
                          "rank is, chakra: {operations_per_cycle: N}");
        time = operations / c->operations_per_cycle;
        if (c->memory_bytes_per_cycle > 0)
            time = fmax(time, bytes / c->memory_bytes_per_cycle);
    }
    if (time > 1e15)
        return refuse(s, node, "takes more than 10^15 cycles");
    *cycles = (uint64_t)ceil(time);
    return FC_OK;
}

static uint32_t rank_of(const schedule *s, uint32_t copy, uint32_t rank) {
    return copy * s->chakra->ranks + rank;
}

static size_t place_of(const schedule *s, uint32_t copy, size_t node) {
    return copy * s->chakra->count + node;
}

static fc_status add_node(schedule *s, uint32_t copy, size_t number) {
    const fc_chakra_node *node = &s->chakra->nodes[number];
    const uint32_t rank = rank_of(s, copy, node->rank);
    const bool computes = node->kind >= FC_CHAKRA_LOAD && node->kind <= FC_CHAKRA_COMPUTE;
    uint64_t cycles;
    if (node->kind == FC_CHAKRA_SEND && node->peer >= s->chakra->ranks)
        return refuse(s, node, "sends to a rank that has no file");
    if (node->bytes > UINT32_MAX && node->kind == FC_CHAKRA_SEND)
        return refuse(s, node, "sends more than 4 GiB at once");
    const fc_status status = cycles_of(s, node, &cycles);
    if (status != FC_OK)
        return status;
    const uint32_t begin =
        add_operation(s, rank, computes ? cycles : 0, computes ? 2 * rank + node->on_cpu : NONE);
    s->begins[place_of(s, copy, number)] = s->ends[place_of(s, copy, number)] = begin;
    return FC_OK;
}

static void connect_node(schedule *s, uint32_t copy, size_t number) {
    const fc_chakra_node *node = &s->chakra->nodes[number];
    const uint32_t begin = s->begins[place_of(s, copy, number)];
    for (uint32_t i = 0; i < node->dependencies; ++i) {
        const uint64_t before = s->chakra->dependency[node->first_dependency + i];
        wait_for(s, begin, s->ends[place_of(s, copy, (size_t)before)]);
    }
    if (!node->dependencies)
        wait_for(s, begin, 0);
}

/* ---- sends and receives ---- */

typedef struct end_point {
    uint64_t ends; /* from << 32 | to */
    uint32_t tag, node;
} end_point;

/* Pairs in the order of the files. */
static int by_pair(const void *a, const void *b) {
    const end_point *left = a, *right = b;
    if (left->ends != right->ends)
        return left->ends < right->ends ? -1 : 1;
    if (left->tag != right->tag)
        return left->tag < right->tag ? -1 : 1;
    return (left->node > right->node) - (left->node < right->node);
}

static size_t list_points(const fc_chakra *c, fc_chakra_kind kind, end_point *list) {
    size_t count = 0;
    for (size_t i = 0; i < c->count; ++i) {
        const fc_chakra_node *node = &c->nodes[i];
        const bool sends = kind == FC_CHAKRA_SEND;
        if (node->kind == (int)kind)
            list[count++] = (end_point){.ends = (uint64_t)(sends ? node->rank : node->peer) << 32 |
                                                (sends ? node->peer : node->rank),
                                        .tag = node->tag,
                                        .node = (uint32_t)i};
    }
    qsort(list, count, sizeof *list, by_pair);
    return count;
}

static fc_status pair_up(schedule *s, const end_point *sends, size_t sent,
                         const end_point *receives, size_t received) {
    const fc_chakra *c = s->chakra;
    for (size_t i = 0; i < sent || i < received; ++i) {
        const bool same = i < sent && i < received && sends[i].ends == receives[i].ends &&
                          sends[i].tag == receives[i].tag;
        if (!same) {
            end_point left = i < sent ? sends[i] : receives[i];
            left.node = 0;
            const bool lone_send = i < sent && (i >= received || by_pair(&left, &receives[i]) <= 0);
            return refuse(s, &c->nodes[lone_send ? sends[i].node : receives[i].node],
                          lone_send ? "sends what no rank receives"
                                    : "receives what no rank sends");
        }
        const fc_chakra_node *from = &c->nodes[sends[i].node], *to = &c->nodes[receives[i].node];
        if (from->rank == to->rank)
            return refuse(s, from, "sends to its own rank");
        for (uint32_t copy = 0; copy < (uint32_t)c->replicas; ++copy) {
            const uint32_t message =
                add_message(s, rank_of(s, copy, from->rank), rank_of(s, copy, to->rank),
                            from->bytes, s->begins[place_of(s, copy, sends[i].node)]);
            wait_for(s, s->begins[place_of(s, copy, receives[i].node)], message);
        }
    }
    return FC_OK;
}

static fc_status connect_points(schedule *s) {
    end_point *sends = fc_allocate(s->chakra->count + 1, sizeof *sends);
    end_point *receives = fc_allocate(s->chakra->count + 1, sizeof *receives);
    fc_status status = FC_OK;
    if (!sends || !receives) {
        s->failed = true;
    } else {
        const size_t sent = list_points(s->chakra, FC_CHAKRA_SEND, sends);
        const size_t received = list_points(s->chakra, FC_CHAKRA_RECEIVE, receives);
        status = pair_up(s, sends, sent, receives, received);
    }
    fc_release(sends);
    fc_release(receives);
    return status;
}

/* ---- collective operations ---- */

/* The ranks of one operation, and the node of each. */
typedef struct team {
    uint32_t size;
    const uint32_t *ranks; /* in the group's order */
    size_t *nodes;         /* places in begins[] and ends[] */
} team;

/* The operation as a phase. The traces count bytes as ASTRA-sim does: what a rank gives to an
 * all-gather, what it sends to all in an all-to-all. */
static fc_status form_of(const schedule *s, const fc_chakra_node *node, uint32_t size,
                         fc_phase *phase) {
    static const fc_chakra_collective kinds[FC_CHAKRA_FORMS] = {
        FC_CHAKRA_ALL_REDUCE, FC_CHAKRA_ALL_GATHER, FC_CHAKRA_REDUCE_SCATTER, FC_CHAKRA_ALL_TO_ALL,
        FC_CHAKRA_BROADCAST};
    const uint32_t asked = node->collective == FC_CHAKRA_REDUCE_SCATTER_BLOCK
                               ? FC_CHAKRA_REDUCE_SCATTER
                               : node->collective;
    size_t form = 0;
    while (form < FC_CHAKRA_FORMS && (uint32_t)kinds[form] != asked)
        ++form;
    if (form == FC_CHAKRA_FORMS)
        return refuse(s, node,
                      "is a collective operation other than all-reduce, all-gather, "
                      "reduce-scatter, all-to-all, broadcast and barrier");
    *phase = s->chakra->forms[form];
    phase->bytes = (int64_t)(node->bytes ? node->bytes : 1);
    phase->root = node->root;
    if (phase->kind == FC_PHASE_ALL_GATHER)
        phase->bytes *= size;
    if (phase->kind == FC_PHASE_ALL_TO_ALL)
        phase->bytes = (phase->bytes + size - 1) / size;
    const int64_t inner = phase->inner_ranks ? phase->inner_ranks : s->plan->workload->inner_ranks;
    if (phase->algorithm == FC_ALGORITHM_HIERARCHICAL && (inner > size || size % inner))
        phase->inner_ranks = size; /* the whole group is close together, or cannot be divided */
    if (phase->root >= size)
        return refuse(s, node, "has a root_rank outside its group");
    return FC_OK;
}

/* Tasks of a rank wait for each other as phase_plan.h says. Returns what waits for all of them. */
static uint32_t connect_tasks(schedule *s, const fc_phase_plan *plan, uint32_t place,
                              uint32_t first, uint32_t gate) {
    uint32_t until = 0;
    for (uint32_t task = 0; task <= plan->tasks; ++task) {
        fc_task what = {.after = task};
        if (task < plan->tasks)
            fc_plan_task(plan, place, task, &what);
        if (what.after > until + 1) {
            const uint32_t all = add_operation(s, s->trace->messages[gate].source, 0, NONE);
            wait_for(s, all, gate);
            for (uint32_t i = until; i < what.after; ++i)
                wait_for(s, all, first + i);
            gate = all;
        } else if (what.after > until) {
            gate = first + until;
        }
        until = what.after > until ? what.after : until;
        if (task < plan->tasks)
            wait_for(s, first + task, gate);
        if (s->full || s->failed)
            return 0;
    }
    return gate;
}

static fc_status expand(schedule *s, const team *of, const fc_phase_plan *plan) {
    const uint32_t first = (uint32_t)s->trace->count;
    fc_task what;
    for (uint32_t place = 0; place < plan->ranks; ++place) {
        for (uint32_t task = 0; task < plan->tasks && !s->full && !s->failed; ++task) {
            fc_plan_task(plan, place, task, &what);
            add_operation(s, of->ranks[place], what.cycles, NONE);
        }
    }
    for (uint32_t place = 0; place < plan->ranks && !s->full && !s->failed; ++place) {
        const uint32_t own = first + place * plan->tasks;
        s->ends[of->nodes[place]] = connect_tasks(s, plan, place, own, s->begins[of->nodes[place]]);
        for (uint32_t task = 0; task < plan->tasks && !s->full && !s->failed; ++task) {
            fc_plan_task(plan, place, task, &what);
            for (uint32_t i = 0; i < what.sends; ++i) {
                fc_send send;
                fc_plan_send(plan, place, task, i, &send);
                if (send.bytes > UINT32_MAX)
                    return fc_fail(s->error, FC_ERROR_UNSUPPORTED,
                                   "%.200s: a message of more than 4 GiB", s->chakra->prefix);
                const uint32_t message =
                    add_message(s, of->ranks[place], of->ranks[send.rank], send.bytes, own + task);
                wait_for(s, first + send.rank * plan->tasks + send.task, message);
            }
        }
    }
    return FC_OK;
}

static void add_barrier(schedule *s, const team *of) {
    const uint32_t all = add_operation(s, of->ranks[0], 0, NONE);
    for (uint32_t place = 0; place < of->size; ++place) {
        wait_for(s, all, s->begins[of->nodes[place]]);
        s->ends[of->nodes[place]] = all;
    }
}

static fc_status add_collective(schedule *s, const team *of, uint32_t number) {
    const fc_chakra *c = s->chakra;
    const fc_chakra_node *node = &c->nodes[of->nodes[0] % c->count];
    for (uint32_t place = 1; place < of->size; ++place) {
        const fc_chakra_node *other = &c->nodes[of->nodes[place] % c->count];
        if (other->collective != node->collective || other->bytes != node->bytes ||
            other->root != node->root)
            return fc_fail(s->error, FC_ERROR_INPUT,
                           "%.200s: collective operation %u of a process group is node %llu at "
                           "rank %u and node %llu at rank %u, which differ in kind, bytes or root",
                           c->prefix, number, (unsigned long long)node->id, of->ranks[0],
                           (unsigned long long)other->id, of->ranks[place]);
    }
    if (of->size == 1)
        return FC_OK;
    if (node->collective == FC_CHAKRA_BARRIER) {
        add_barrier(s, of);
        return FC_OK;
    }
    fc_phase phase;
    fc_phase_plan plan;
    fc_workload group = *s->plan->workload; /* a workload of the team's ranks */
    group.ranks = of->size;
    fc_status status = form_of(s, node, of->size, &phase);
    if (status != FC_OK)
        return status;
    status = fc_phase_plan_create(&group, &phase, s->plan->seed + number, s->plan->replication,
                                  s->error, &plan);
    if (status == FC_OK)
        status = expand(s, of, &plan);
    fc_phase_plan_clear(&plan);
    return status;
}

/* ---- process groups ---- */

/* Nodes of each rank of all copies that are collective operations of one name; walked through side
 * by side. */
static size_t next_collective(const fc_chakra *c, uint32_t rank, uint32_t name, size_t from) {
    const uint32_t file = rank % c->ranks;
    for (size_t i = from; i < c->first[file + 1]; ++i) {
        if (c->nodes[i].kind == FC_CHAKRA_COLLECTIVE && c->nodes[i].group == name)
            return i;
    }
    return SIZE_MAX;
}

static fc_status run_team(schedule *s, team *of, uint32_t name, size_t *at) {
    const fc_chakra *c = s->chakra;
    for (uint32_t place = 0; place < of->size; ++place)
        at[place] = c->first[of->ranks[place] % c->ranks];
    fc_status status = FC_OK;
    for (uint32_t number = 0; status == FC_OK; ++number) {
        uint32_t there = 0, missing = 0;
        for (uint32_t place = 0; place < of->size; ++place) {
            at[place] = next_collective(c, of->ranks[place], name, at[place]);
            missing = at[place] == SIZE_MAX ? place : missing;
            there += at[place] != SIZE_MAX;
            of->nodes[place] = place_of(s, of->ranks[place] / c->ranks, at[place]++);
        }
        if (!there)
            return FC_OK;
        if (there < of->size)
            return fc_fail(s->error, FC_ERROR_INPUT,
                           "%.200s: rank %u has %u collective operations of process group '%s' and "
                           "others have more",
                           c->prefix, of->ranks[missing], number,
                           name == NONE ? "" : c->group[name]);
        status = add_collective(s, of, number);
        if (s->full || s->failed)
            return FC_OK;
    }
    return status;
}

/* Groups of the ranks that name it, a group in each copy; without a name one of all ranks. */
static fc_status name_groups(const schedule *s, uint32_t name, uint32_t ranks,
                             fc_communicators *groups) {
    const fc_chakra *c = s->chakra;
    if (name == NONE)
        return fc_communicators_create(NULL, ranks, s->error, groups);
    fc_grouping made = {.lists = (size_t)c->replicas};
    made.member = fc_allocate(ranks, sizeof *made.member);
    made.end = fc_allocate(made.lists, sizeof *made.end);
    fc_status status = made.member && made.end ? FC_OK : fc_fail_memory(s->error);
    uint32_t count = 0;
    for (uint32_t rank = 0; status == FC_OK && rank < ranks; ++rank) {
        if (next_collective(c, rank, name, c->first[rank % c->ranks]) != SIZE_MAX)
            made.member[count++] = rank;
        made.end[rank / c->ranks] = count;
    }
    if (status == FC_OK)
        status = fc_communicators_create(&made, ranks, s->error, groups);
    fc_release(made.member);
    fc_release(made.end);
    return status;
}

static fc_status run_groups(schedule *s, uint32_t name, uint32_t ranks) {
    const fc_workload *workload = s->plan->workload;
    const fc_grouping *said = NULL;
    for (size_t i = 0; name != NONE && i < workload->groupings.count; ++i) {
        if (strcmp(workload->groupings.list[i].name, s->chakra->group[name]) == 0)
            said = &workload->groupings.list[i];
    }
    fc_communicators groups;
    fc_status status =
        said ? fc_communicators_create(said, (uint32_t)workload->ranks, s->error, &groups)
             : name_groups(s, name, ranks, &groups);
    if (status != FC_OK)
        return status;
    team of = {.nodes = fc_allocate((size_t)workload->ranks, sizeof *of.nodes)};
    size_t *at = fc_allocate((size_t)workload->ranks, sizeof *at);
    s->failed |= !of.nodes || !at;
    for (uint32_t g = 0; g < groups.count && status == FC_OK && !s->failed && !s->full; ++g) {
        of.ranks = &groups.member[groups.first[g]];
        of.size = fc_communicators_size(&groups, g);
        bool all_there = true;
        for (uint32_t place = 0; place < of.size; ++place)
            all_there &= of.ranks[place] < ranks;
        if (all_there)
            status = run_team(s, &of, name, at);
    }
    fc_release(of.nodes);
    fc_release(at);
    fc_communicators_clear(&groups);
    return status;
}

/* ---- the whole ---- */

static void name_message(const void *context, uint32_t message, size_t size, char *text) {
    const schedule *s = context;
    const fc_trace_message *m = &s->trace->messages[message];
    const size_t places = s->chakra->count * (size_t)s->chakra->replicas;
    for (size_t i = 0; i < places; ++i) {
        if (s->begins[i] == message) {
            snprintf(text, size, "node %llu of rank %u",
                     (unsigned long long)s->chakra->nodes[i % s->chakra->count].id, m->source);
            return;
        }
    }
    snprintf(text, size, "a message from rank %u to %u", m->source, m->destination);
}

static fc_status build(schedule *s) {
    const fc_chakra *c = s->chakra;
    const uint32_t copies = (uint32_t)c->replicas, ranks = c->ranks * copies;
    fc_status status = FC_OK;
    s->trace->in_bytes = true;
    s->trace->largest_node = ranks - 1;
    s->trace->processor_count = 2 * ranks;
    add_operation(s, 0, 0, NONE); /* the beginning, which all others wait for */
    s->trace->independent = 1;
    for (uint32_t copy = 0; copy < copies; ++copy) {
        for (size_t i = 0; i < c->count && status == FC_OK; ++i)
            status = add_node(s, copy, i);
    }
    if (status == FC_OK)
        status = connect_points(s);
    for (uint32_t name = 0; name <= c->groups && status == FC_OK; ++name)
        status = run_groups(s, name < c->groups ? name : NONE, ranks);
    for (uint32_t copy = 0; copy < copies && status == FC_OK && !s->full && !s->failed; ++copy) {
        for (size_t i = 0; i < c->count; ++i)
            connect_node(s, copy, i);
    }
    if (status == FC_OK && s->full)
        status = fc_fail(s->error, FC_ERROR_UNSUPPORTED,
                         "%.200s makes more than %d messages and operations", c->prefix,
                         FC_TRACE_MESSAGES_MAX);
    if (status == FC_OK && s->failed)
        status = fc_fail_memory(s->error);
    const fc_trace_names names = {.path = c->prefix, .name = name_message, .context = s};
    return status == FC_OK ? fc_trace_refuse_circles(s->trace, &names, s->error) : status;
}

fc_status fc_chakra_schedule(const fc_phase_plan *plan, fc_error *error, fc_trace *trace) {
    const fc_chakra *chakra = plan->phase->chakra;
    const size_t places = chakra->count * (size_t)chakra->replicas;
    schedule s = {.chakra = chakra, .plan = plan, .trace = trace, .error = error};
    *trace = (fc_trace){0};
    if (places > FC_CHAKRA_NODES_MAX)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "%.200s: %zu nodes, %lld times; at most %d are possible", chakra->prefix,
                       chakra->count, (long long)chakra->replicas, FC_CHAKRA_NODES_MAX);
    s.begins = fc_allocate(places + 1, sizeof *s.begins);
    s.ends = fc_allocate(places + 1, sizeof *s.ends);
    const fc_status status = s.begins && s.ends ? build(&s) : fc_fail_memory(error);
    fc_release(s.begins);
    fc_release(s.ends);
    return status;
}
