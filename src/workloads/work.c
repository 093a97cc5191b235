#include "workloads/work.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include "base/memory.h"
#include "scenario/families/workload_read.h"
#include "scenario/families/workload_rules.h"
#include "workloads/due_heap.h"
#include "workloads/message_chain.h"
#include "workloads/message_graph.h"
#include "workloads/outbox.h"
#include "workloads/placing.h"
#include "workloads/repetition.h"

#define NONE UINT32_MAX

/* A task, in its rank's window. */
typedef struct task_state {
    uint32_t count;  /* packets that have come, or RUNNING, DONE */
    uint32_t before; /* RUNNING: the message that started it */
} task_state;
#define RUNNING (UINT32_MAX - 1) /* all there, its cycles are not over */
#define DONE UINT32_MAX

/* A rank in a strand. */
typedef struct rank_state {
    uint32_t group, phase; /* where it is: phase of the group; group_count: in none */
    uint64_t pass;
    uint32_t first_task; /* tasks are numbered through all phases and passes, modulo 2^32 */
    uint32_t base;       /* the first task that is not done */
    uint64_t needed;     /* packets that task waits for; UINT64_MAX: not asked yet */
    task_state *window;  /* of tasks from base on, at number & mask */
    uint32_t mask;
    bool waits;        /* for all others, or for its strands */
    bool forks;        /* its strands are being started */
    uint32_t branches; /* strands it waits for */
    uint64_t entered, finished;
} rank_state;

/* One of traffic.jobs, or the whole workload. Phases and groups of phases are numbered through all
 * of them, so are ranks; its own numbers begin at 0. */
typedef struct part {
    const fc_workload *workload;
    uint32_t first_rank, ranks, first_group, groups, first_phase, first_strand;
    uint64_t start, ended;
    uint32_t arrived; /* ranks that wait for all others of the part */
    fc_message_graph *graph;
    uint32_t barrier_message; /* of the chains: that brought the last rank to where all wait */
    uint32_t *pieces_left;    /* of the messages of the file, in memory or in its window */
    size_t piece_mask, piece_room;
} part;

struct fc_work {
    const fc_workload *workload;
    part *parts;
    size_t part_count;
    uint32_t *part_of; /* of each rank */
    double *slowness;  /* of each rank; NULL: none is slow */
    fc_phase_plan *plans;
    fc_phase_time *times;
    uint32_t *strand_of; /* of each phase */
    fc_phase_group *groups;
    uint32_t group_count;
    fc_repetition repetition;
    bool skips; /* passes of repetitions */
    fc_skipped skipped;
    uint32_t nodes, ranks;
    uint64_t piece; /* flits of an item at most */
    bool alone;     /* nothing waits for what its rank does beside it */
    uint32_t *node_of_rank, *rank_of_node;
    rank_state *rank;                  /* strand by strand; its place there is `at` below */
    uint32_t number_bits, number_mask; /* of the number of a task in a tag; above them the strand */
    fc_outbox outbox;
    fc_outbox held;      /* messages whose turn has not come (send_overhead, send_gap) */
    uint64_t *next_turn; /* of each node; NULL: messages take no time of their rank */
    fc_due_heap due;     /* at << 32 | task, OF_NODE | node, or OF_PART | part */
    fc_chains chains;
    uint32_t now_because;    /* of the chains: the message whose arrival is being dealt with */
    uint32_t final_message;  /* ... that let the last rank finish */
    double total, delivered; /* packets */
    double messages;
    uint64_t ended;
    uint32_t finished; /* ranks */
    size_t late;
    fc_status status;
};

static part *part_of_rank(const fc_work *w, uint32_t rank) {
    return &w->parts[w->part_of[rank]];
}

/* ---- bursts ---- */

#define OF_NODE ((uint64_t)1 << 63)
#define OF_PART ((uint64_t)1 << 62)

/* When the first of the held messages of a node can go. */
static void await_turn(fc_work *w, uint32_t node) {
    const fc_burst *first = fc_outbox_front(&w->held, node);
    const uint64_t turn = w->next_turn[node] > first->due ? w->next_turn[node] : first->due;
    if (!fc_due_push(&w->due, turn + (uint64_t)w->workload->send_overhead, OF_NODE | node))
        w->status = FC_ERROR_MEMORY;
}

/* Every message at the cycle from which its rank could have sent it, were it not for what else the
 * rank sends: those of one burst follow each other. */
static void queue_alone(fc_work *w, uint32_t node, const fc_burst *made) {
    const uint64_t overhead = (uint64_t)w->workload->send_overhead;
    const uint64_t gap = (uint64_t)w->workload->send_gap;
    fc_burst one = *made;
    one.due += overhead;
    for (uint32_t i = made->i; i < made->sends; ++i) {
        if (i > made->i)
            fc_chains_hold(&w->chains, one.before);
        one.i = i;
        one.sends = i + 1;
        fc_outbox_add(&w->outbox, node, &one);
        one.due += gap > overhead ? gap : overhead;
    }
    if (w->outbox.failed)
        w->status = FC_ERROR_MEMORY;
}

static void queue(fc_work *w, uint32_t node, const fc_burst *made) {
    if (w->alone) {
        queue_alone(w, node, made);
        return;
    }
    fc_outbox *to = w->next_turn ? &w->held : &w->outbox;
    const bool first = !fc_outbox_front(to, node);
    fc_outbox_add(to, node, made);
    if (to->failed)
        w->status = FC_ERROR_MEMORY;
    else if (w->next_turn && first)
        await_turn(w, node);
}

/* One message of a node has had its rank's time: the network may have it. */
static void take_turn(fc_work *w, uint32_t node, uint64_t time) {
    const uint64_t overhead = (uint64_t)w->workload->send_overhead;
    const uint64_t gap = (uint64_t)w->workload->send_gap;
    fc_burst *first = fc_outbox_front(&w->held, node);
    fc_burst one = *first;
    one.due = time;
    one.sends = one.i + 1;
    w->next_turn[node] = time - overhead + (gap > overhead ? gap : overhead);
    if (++first->i == first->sends)
        fc_outbox_pop(&w->held, node);
    else
        fc_chains_hold(&w->chains, one.before);
    fc_outbox_add(&w->outbox, node, &one);
    if (w->outbox.failed)
        w->status = FC_ERROR_MEMORY;
    if (fc_outbox_front(&w->held, node))
        await_turn(w, node);
}

bool fc_work_has(const fc_work *w, uint32_t node) {
    return fc_outbox_front(&w->outbox, node) != NULL;
}

uint32_t fc_work_waking(fc_work *w) {
    return fc_outbox_waking(&w->outbox);
}

static uint32_t tag_of(const fc_work *w, uint32_t phase, uint32_t number) {
    const uint64_t strand = w->strand_of[phase];
    return (uint32_t)(strand << w->number_bits | (number & w->number_mask));
}

/* Of a file it was begun when it was queued. */
static void begin_message(fc_work *w, fc_burst *b, uint32_t node) {
    const fc_phase_plan *plan = &w->plans[b->phase];
    if (!fc_phase_is_file(plan->phase)) {
        fc_send message;
        const uint32_t first = part_of_rank(w, b->rank)->first_rank;
        fc_plan_send(plan, b->rank - first, b->task, b->i, &message);
        b->destination = w->node_of_rank[first + message.rank];
        b->tag = tag_of(w, b->phase, b->first_task + message.task);
        b->left = fc_plan_flits(plan, message.bytes);
    }
    const fc_chained chained = {.due = b->due,
                                .flits = b->left,
                                .source = w->rank_of_node[node],
                                .destination = w->rank_of_node[b->destination],
                                .phase = b->phase,
                                .before = b->before};
    b->message = fc_chains_add(&w->chains, &chained);
    b->begun = true;
}

/* The message of a burst has been sent, or the whole burst. */
static void end_burst(fc_work *w, fc_burst *b, bool whole) {
    fc_chains_drop(&w->chains, b->message);
    b->message = FC_NO_MESSAGE;
    b->begun = false;
    if (whole)
        fc_chains_drop(&w->chains, b->before);
}

bool fc_work_take(fc_work *w, uint32_t node, fc_work_item *item) {
    fc_burst *b = fc_outbox_front(&w->outbox, node);
    if (!b)
        return false;
    if (!b->begun)
        begin_message(w, b, node);
    const uint64_t flits = b->left < w->piece ? b->left : w->piece;
    const uint64_t packet =
        w->workload->of_trace ? UINT64_MAX : (uint64_t)w->workload->packet_flits;
    *item = (fc_work_item){.source = node,
                           .destination = b->destination,
                           .tag = b->tag,
                           .phase = b->phase,
                           .flits = flits,
                           .packets = flits <= packet ? 1 : (flits + packet - 1) / packet,
                           .chained = fc_chains_hold(&w->chains, b->message),
                           .due = b->due};
    b->left -= flits;
    if (b->left)
        return true;
    const bool whole = ++b->i == b->sends;
    end_burst(w, b, whole);
    if (!whole)
        return true;
    fc_outbox_pop(&w->outbox, node);
    return true;
}

/* ---- tasks ---- */

static const fc_phase_group *group_of(const fc_work *w, const rank_state *r) {
    return r->group < w->group_count ? &w->groups[r->group] : NULL;
}

static uint32_t phase_of(const fc_work *w, const rank_state *r) {
    return (uint32_t)(group_of(w, r)->first + r->phase);
}

/* The group of a strand of a part from this one on; group_count: there is none. */
static uint32_t next_group(const fc_work *w, const part *of, uint32_t strand, uint32_t from) {
    const uint32_t end = of->first_group + of->groups;
    while (from < end && w->groups[from].strand != strand)
        ++from;
    return from < end ? from : w->group_count;
}

/* Task number `number` of the phase that a rank is in. */
static void task_of(const fc_work *w, uint32_t at, uint32_t number, fc_task *task) {
    const uint32_t rank = at % w->ranks;
    fc_plan_task(&w->plans[phase_of(w, &w->rank[at])], rank - part_of_rank(w, rank)->first_rank,
                 number, task);
    if (w->slowness)
        task->cycles = (uint64_t)ceil((double)task->cycles * w->slowness[rank]);
}

/* Tasks between two numbers of them. */
static uint32_t beyond(const fc_work *w, uint32_t number, uint32_t from) {
    return (number - from) & w->number_mask;
}

/* A task, in a window that is long enough. NULL: no memory. */
static task_state *state_of(fc_work *w, rank_state *r, uint32_t task) {
    const uint32_t ahead = beyond(w, task, r->base);
    if (ahead > r->mask || !r->window) {
        uint64_t size = r->window ? 2 * ((uint64_t)r->mask + 1) : 8;
        while (size <= ahead)
            size *= 2;
        task_state *longer = size < (1u << 31) ? fc_allocate(size, sizeof *longer) : NULL;
        if (!longer) {
            w->status = FC_ERROR_MEMORY;
            return NULL;
        }
        for (uint32_t i = 0; r->window && i <= r->mask; ++i)
            longer[(r->base + i) & (size - 1)] = r->window[(r->base + i) & r->mask];
        fc_release(r->window);
        r->window = longer;
        r->mask = (uint32_t)size - 1;
    }
    return &r->window[task & r->mask];
}

static void send_of(fc_work *w, uint32_t at, uint32_t number, const fc_task *task, uint64_t time) {
    const rank_state *r = &w->rank[at];
    const uint32_t rank = at % w->ranks;
    if (!task->sends)
        return;
    const fc_burst made = {.due = time,
                           .phase = phase_of(w, r),
                           .rank = rank,
                           .task = beyond(w, number, r->first_task),
                           .first_task = r->first_task,
                           .before = fc_chains_hold(&w->chains, w->now_because),
                           .message = FC_NO_MESSAGE,
                           .sends = task->sends};
    queue(w, w->node_of_rank[rank], &made);
}

/* All that a task waits for is there. */
static void start_task(fc_work *w, uint32_t at, uint32_t number, const fc_task *task,
                       task_state *state, uint64_t time) {
    if (task->cycles) {
        state->count = RUNNING;
        state->before = fc_chains_hold(&w->chains, w->now_because);
        if (!fc_due_push(&w->due, time + task->cycles, (uint64_t)at << 32 | number))
            w->status = FC_ERROR_MEMORY;
        return;
    }
    state->count = DONE;
    send_of(w, at, number, task, time);
}

static void point_at(fc_work *w, uint32_t *pointer, uint32_t message) {
    fc_chains_hold(&w->chains, message);
    fc_chains_drop(&w->chains, *pointer);
    *pointer = message;
}

/* All tasks before the rank's base are done: those that have waited for nothing else are looked at
 * one by one. */
static void start_loose(fc_work *w, uint32_t at, uint64_t time) {
    rank_state *r = &w->rank[at];
    const fc_phase_plan *plan = &w->plans[phase_of(w, r)];
    const uint32_t done = beyond(w, r->base, r->first_task);
    for (uint32_t i = done; plan->loose && i < plan->tasks; ++i) {
        fc_task what;
        task_of(w, at, i, &what);
        if (what.after != done)
            return;
        task_state *state = state_of(w, r, r->first_task + i);
        if (!state)
            return;
        if (state->count == what.packets)
            start_task(w, at, r->first_task + i, &what, state, time);
    }
}

/* ---- passes that are skipped ---- */

/* What `together` holds has no repetition of its own that ends with it: its passes count too. */
static void skip_phases(fc_work *w, const fc_phase_group *group, double passes) {
    for (size_t i = group->first; i < group->first + group->count; ++i) {
        const fc_phase *phase = w->plans[i].phase;
        w->times[i].skipped += passes;
        for (uint32_t g = 0; phase->kind == FC_PHASE_TOGETHER && g < w->group_count; ++g) {
            const fc_phase_group *inside = &w->groups[g];
            for (size_t k = inside->first; k < inside->first + inside->count; ++k) {
                if (inside->strand - phase->first_strand < phase->strands)
                    w->times[k].skipped += passes * (double)inside->times;
            }
        }
    }
}

/* Every rank does one pass more than the one that is furthest; the others are counted as if they
 * had taken as long as the last ones. */
static void skip_passes(fc_work *w, uint32_t group_number, const fc_pass_cycles *cycles) {
    fc_phase_group *group = &w->groups[group_number];
    uint64_t furthest = 0;
    for (uint32_t rank = 0; rank < w->ranks; ++rank) {
        if (w->rank[rank].group != group_number)
            return;
        furthest = w->rank[rank].pass > furthest ? w->rank[rank].pass : furthest;
    }
    if (furthest + 2 >= (uint64_t)group->times)
        return;
    const uint64_t passes = (uint64_t)group->times - furthest - 2;
    group->times -= (int64_t)passes;
    skip_phases(w, group, (double)passes);
    w->skipped.passes += (double)passes;
    w->skipped.cycles += (uint64_t)llround((double)passes * cycles->mean);
    w->skipped.error += (double)passes * cycles->error;
}

/* A rank has ended a pass of a repetition, number r->pass - 1. */
static void watch_passes(fc_work *w, uint32_t at, uint64_t time) {
    const rank_state *r = &w->rank[at];
    fc_pass_cycles cycles;
    if (w->skips && at < w->ranks && r->pass < (uint64_t)group_of(w, r)->times &&
        fc_repetition_add(&w->repetition, w->ranks,
                          ((uint64_t)r->group << FC_PASS_BITS) + r->pass - 1, time, &cycles))
        skip_passes(w, r->group, &cycles);
}

static void enter_phase(fc_work *w, uint32_t at, uint64_t time) {
    rank_state *r = &w->rank[at];
    r->entered = time;
    r->needed = UINT64_MAX;
    if (!group_of(w, r)) {
        r->finished = time + w->skipped.cycles;
        w->finished += at < w->ranks;
        if (time >= w->ended)
            point_at(w, &w->final_message, w->now_because);
        return;
    }
    fc_phase_time *times = &w->times[phase_of(w, r)];
    const uint64_t begun = time + w->skipped.cycles;
    times->begun = begun < times->begun ? begun : times->begun;
    start_loose(w, at, time);
}

static void leave_phase(fc_work *w, uint32_t at, uint64_t time) {
    rank_state *r = &w->rank[at];
    const fc_phase_group *group = group_of(w, r);
    const uint32_t phase = phase_of(w, r);
    fc_phase_time *times = &w->times[phase];
    times->rank_cycles += (double)(time - r->entered);
    times->passes += 1;
    part *of = part_of_rank(w, at % w->ranks);
    const uint64_t ended = time + w->skipped.cycles;
    times->ended = ended > times->ended ? ended : times->ended;
    of->ended = ended > of->ended ? ended : of->ended;
    w->ended = time > w->ended ? time : w->ended;
    r->first_task += w->plans[phase].tasks;
    if (++r->phase == group->count) {
        r->phase = 0;
        ++r->pass;
        watch_passes(w, at, time);
        if (r->pass == (uint64_t)group->times) {
            r->pass = 0;
            r->group = next_group(w, of, group->strand, r->group + 1);
        }
    }
    enter_phase(w, at, time);
}

static void go_on(fc_work *w, uint32_t at, uint64_t time);

/* Starts what goes on at the same time. True: all of it is done already. */
static bool fork_strands(fc_work *w, uint32_t at, uint64_t time) {
    rank_state *r = &w->rank[at];
    const fc_phase *phase = w->plans[phase_of(w, r)].phase;
    const part *of = part_of_rank(w, at % w->ranks);
    r->waits = r->forks = true;
    r->branches = phase->strands;
    for (uint32_t i = 0; i < phase->strands; ++i) {
        const uint32_t strand = of->first_strand + phase->first_strand + i;
        const uint32_t branch = strand * w->ranks + at;
        w->rank[branch].group = next_group(w, of, strand, of->first_group);
        enter_phase(w, branch, time);
        go_on(w, branch, time);
    }
    r->forks = false;
    r->waits = r->branches > 0;
    return !r->waits;
}

/* A strand of a rank has ended. */
static void join_strand(fc_work *w, uint32_t at, uint64_t time) {
    const uint32_t rank = at % w->ranks;
    rank_state *r = &w->rank[rank];
    if (--r->branches || r->forks)
        return;
    r->waits = false;
    leave_phase(w, rank, time);
    go_on(w, rank, time);
}

/* A barrier, a file, or a phase of others. False: the rank has to wait. */
static bool pass_taskless(fc_work *w, uint32_t at, uint64_t time) {
    rank_state *r = &w->rank[at];
    if (w->plans[phase_of(w, r)].phase->kind == FC_PHASE_TOGETHER) {
        if (!fork_strands(w, at, time))
            return false;
        leave_phase(w, at, time);
        return true;
    }
    part *of = part_of_rank(w, at);
    r->waits = true;
    if (++of->arrived == of->ranks)
        point_at(w, &of->barrier_message, w->now_because);
    return false;
}

/* Takes a rank as far as it can go. */
static void go_on(fc_work *w, uint32_t at, uint64_t time) {
    rank_state *r = &w->rank[at];
    const bool was_in = group_of(w, r);
    while (w->status == FC_OK && group_of(w, r) && !r->waits) {
        const fc_phase_plan *plan = &w->plans[phase_of(w, r)];
        if (!plan->tasks) {
            if (!pass_taskless(w, at, time))
                return;
            continue;
        }
        if (beyond(w, r->base, r->first_task) == plan->tasks) {
            leave_phase(w, at, time);
            continue;
        }
        task_state *state = state_of(w, r, r->base);
        if (!state || state->count == RUNNING)
            return;
        if (state->count != DONE) {
            fc_task task;
            task_of(w, at, beyond(w, r->base, r->first_task), &task);
            r->needed = task.packets;
            if (state->count < task.packets)
                return;
            assert(state->count == task.packets);
            start_task(w, at, r->base, &task, state, time);
            continue;
        }
        state->count = 0;
        ++r->base;
        r->needed = UINT64_MAX;
        start_loose(w, at, time);
    }
    if (was_in && at >= w->ranks && !group_of(w, r))
        join_strand(w, at, time);
}

/* ---- where all wait for all ---- */

static fc_status start_file(fc_work *w, part *of, uint32_t phase, uint64_t time, fc_error *error) {
    const fc_trace *trace = w->plans[phase].trace;
    const size_t places = trace->messages ? trace->count : 2 * (size_t)FC_GRAPH_WINDOW;
    if (places > of->piece_room) {
        fc_release(of->pieces_left);
        of->pieces_left = fc_allocate(places, sizeof *of->pieces_left);
        of->piece_room = of->pieces_left ? places : 0;
        if (!of->pieces_left)
            return fc_fail_memory(error);
    }
    of->piece_mask = trace->messages ? SIZE_MAX : places - 1;
    const fc_status status =
        fc_message_graph_create(trace, time, FC_GRAPH_WINDOW, w->alone, error, &of->graph);
    if (status == FC_OK)
        fc_message_graph_follow(of->graph, &w->chains, of->barrier_message);
    return status;
}

/* All ranks leave a barrier, or a file whose messages have all been delivered. */
static void pass_barrier(fc_work *w, part *of, uint64_t time) {
    of->arrived = 0;
    for (uint32_t i = 0; i < of->ranks; ++i) {
        w->rank[of->first_rank + i].waits = false;
        leave_phase(w, of->first_rank + i, time);
    }
    for (uint32_t i = 0; i < of->ranks; ++i)
        go_on(w, of->first_rank + i, time);
}

static bool all_wait(const part *of) {
    return of->arrived == of->ranks && !of->graph;
}

static fc_status settle(fc_work *w, part *of, uint64_t time, fc_error *error) {
    while (w->status == FC_OK && all_wait(of)) {
        const uint32_t phase = phase_of(w, &w->rank[of->first_rank]);
        if (!fc_phase_is_file(w->plans[phase].phase)) {
            w->now_because = of->barrier_message;
            pass_barrier(w, of, time);
            w->now_because = FC_NO_MESSAGE;
            continue;
        }
        const fc_status status = start_file(w, of, phase, time, error);
        if (status != FC_OK)
            return status;
    }
    return w->status == FC_OK ? FC_OK : fc_fail_memory(error);
}

/* ---- files ---- */

/* chained: its record, or that of the message before if it is not sent. */
static void end_message(fc_work *w, part *of, uint32_t number, uint64_t time, uint32_t chained) {
    w->delivered += 1;
    fc_message_graph_delivered(of->graph, number, time, chained);
    if (fc_message_graph_left(of->graph))
        return;
    w->late += fc_message_graph_late(of->graph);
    fc_message_graph_free(of->graph);
    of->graph = NULL;
    w->now_because = chained;
    pass_barrier(w, of, time);
    w->now_because = FC_NO_MESSAGE;
}

static uint64_t flits_of(const fc_work *w, const fc_trace *trace, const fc_trace_message *message) {
    return trace->in_bytes ? fc_workload_flits(w->workload, message->flits) : message->flits;
}

/* Queues the messages of the file that are due. One of size 0 is there at once. */
static void take_due(fc_work *w, part *of, uint64_t time) {
    const uint32_t *node_of_rank = &w->node_of_rank[of->first_rank];
    fc_graph_due taken;
    while (of->graph && fc_message_graph_take(of->graph, time, &taken)) {
        const uint32_t number = taken.number;
        const uint32_t phase = phase_of(w, &w->rank[of->first_rank]);
        const fc_trace *trace = w->plans[phase].trace;
        const fc_trace_message *message = fc_message_graph_message(of->graph, number);
        if (!message->flits) {
            end_message(w, of, number, taken.time, taken.before);
            fc_chains_drop(&w->chains, taken.before);
            continue;
        }
        const uint64_t flits = flits_of(w, trace, message);
        const uint64_t packet =
            w->workload->of_trace ? UINT64_MAX : (uint64_t)w->workload->packet_flits;
        assert(packet > 0);
        of->pieces_left[number & of->piece_mask] =
            (uint32_t)(flits <= packet ? 1 : (flits + packet - 1) / packet);
        const fc_burst made = {.due = taken.time,
                               .left = flits,
                               .phase = phase,
                               .task = number,
                               .tag = number,
                               .destination = node_of_rank[message->destination],
                               .before = taken.before,
                               .message = FC_NO_MESSAGE,
                               .sends = 1};
        queue(w, node_of_rank[message->source], &made);
    }
}

/* ---- running ---- */

uint64_t fc_work_next(const fc_work *w) {
    uint64_t next = fc_due_next(&w->due);
    if (fc_outbox_wakes(&w->outbox))
        return 0;
    for (size_t p = 0; p < w->part_count; ++p) {
        const part *of = &w->parts[p];
        const uint64_t own = all_wait(of) ? 0
                             : of->graph  ? fc_message_graph_next(of->graph)
                                          : UINT64_MAX;
        next = own < next ? own : next;
    }
    return next;
}

static void start_part(fc_work *w, part *of, uint64_t time) {
    for (uint32_t i = 0; i < of->ranks; ++i) {
        rank_state *r = &w->rank[of->first_rank + i];
        r->group = next_group(w, of, 0, of->first_group);
        enter_phase(w, of->first_rank + i, time);
    }
    for (uint32_t i = 0; i < of->ranks; ++i)
        go_on(w, of->first_rank + i, time);
}

static fc_status advance_part(fc_work *w, part *of, uint64_t time, fc_error *error) {
    fc_status status = settle(w, of, time, error);
    while (status == FC_OK && of->graph && fc_message_graph_next(of->graph) <= time) {
        take_due(w, of, time);
        status = settle(w, of, time, error);
    }
    if (status == FC_OK && of->graph)
        status = fc_message_graph_read_on(of->graph, time, error);
    if (status == FC_OK && of->graph && fc_message_graph_next(of->graph) <= time)
        take_due(w, of, time);
    return status;
}

fc_status fc_work_advance(fc_work *w, uint64_t time, fc_error *error) {
    while (fc_due_next(&w->due) <= time) {
        const fc_due due = fc_due_pop(&w->due);
        const uint32_t at = (uint32_t)(due.order >> 32), number = (uint32_t)due.order;
        if (due.order & OF_NODE) {
            take_turn(w, number, due.time);
            continue;
        }
        if (due.order & OF_PART) {
            start_part(w, &w->parts[number], due.time);
            continue;
        }
        rank_state *r = &w->rank[at];
        fc_task task;
        task_state *state = state_of(w, r, number);
        if (!state)
            break;
        task_of(w, at, beyond(w, number, r->first_task), &task);
        state->count = DONE;
        const uint32_t before = w->now_because = state->before;
        send_of(w, at, number, &task, due.time);
        go_on(w, at, due.time);
        w->now_because = FC_NO_MESSAGE;
        fc_chains_drop(&w->chains, before);
    }
    fc_status status = FC_OK;
    for (size_t p = 0; p < w->part_count && status == FC_OK; ++p)
        status = advance_part(w, &w->parts[p], time, error);
    return status == FC_OK && w->status != FC_OK ? fc_fail_memory(error) : status;
}

/* Packets for a task of a rank. */
static void count_packets(fc_work *w, const fc_work_item *item, uint64_t time) {
    const uint32_t strand = (uint32_t)((uint64_t)item->tag >> w->number_bits);
    const uint32_t at = strand * w->ranks + w->rank_of_node[item->destination];
    rank_state *r = &w->rank[at];
    task_state *state = state_of(w, r, item->tag);
    if (!state)
        return;
    w->delivered += (double)item->packets;
    state->count += (uint32_t)item->packets;
    const uint32_t task_number = beyond(w, item->tag, r->first_task);
    if (!group_of(w, r) || r->waits || task_number >= w->plans[phase_of(w, r)].tasks)
        return;
    if (beyond(w, item->tag, r->base) == 0) {
        if (r->needed == UINT64_MAX || state->count >= r->needed)
            go_on(w, at, time);
        return;
    }
    fc_task task;
    task_of(w, at, task_number, &task);
    if (beyond(w, r->base, r->first_task) >= task.after && state->count == task.packets)
        start_task(w, at, item->tag, &task, state, time);
}

void fc_work_delivered(fc_work *w, const fc_work_item *item, uint64_t time) {
    w->now_because = item->chained;
    if (item->chained != FC_NO_MESSAGE && !w->chains.given_up)
        w->chains.record[item->chained].delivered = time;
    part *of = part_of_rank(w, w->rank_of_node[item->destination]);
    if (of->graph) {
        uint32_t *left = &of->pieces_left[item->tag & of->piece_mask];
        assert(*left >= item->packets);
        *left -= (uint32_t)item->packets;
        if (!*left)
            end_message(w, of, item->tag, time, item->chained);
    } else {
        count_packets(w, item, time);
    }
    w->now_because = FC_NO_MESSAGE;
    fc_chains_drop(&w->chains, item->chained);
}

/* ---- life ---- */

/* The next part: its groups of phases with their numbers in the whole. */
static bool add_part(fc_work *w, const fc_workload *workload, uint64_t start) {
    part *of = &w->parts[w->part_count++];
    *of = (part){.workload = workload,
                 .ranks = (uint32_t)workload->ranks,
                 .start = start,
                 .groups = (uint32_t)workload->group_count,
                 .first_group = w->group_count,
                 .barrier_message = FC_NO_MESSAGE};
    if (w->part_count > 1) {
        of->first_rank = of[-1].first_rank + of[-1].ranks;
        of->first_phase = of[-1].first_phase + (uint32_t)of[-1].workload->count;
        of->first_strand = of[-1].first_strand + of[-1].workload->strands;
    }
    fc_phase_group *more =
        fc_reallocate(w->groups, w->group_count + workload->group_count, sizeof *more);
    if (!more)
        return false;
    w->groups = more;
    for (size_t g = 0; g < workload->group_count; ++g) {
        fc_phase_group *group = &more[w->group_count++];
        *group = workload->groups[g];
        group->first += of->first_phase;
        group->strand += group->strand ? of->first_strand : 0;
    }
    return true;
}

static bool make_parts(fc_work *w) {
    const fc_workload *workload = w->workload;
    w->parts = fc_allocate(workload->jobs ? workload->job_count : 1, sizeof *w->parts);
    w->part_of = fc_allocate(w->ranks, sizeof *w->part_of);
    bool good = w->parts && w->part_of;
    for (size_t j = 0; j < workload->job_count && good; ++j)
        good = add_part(w, workload->jobs[j].work, (uint64_t)workload->jobs[j].start);
    if (!workload->jobs && good)
        good = add_part(w, workload, 0);
    for (uint32_t p = 0; p < w->part_count && good; ++p) {
        for (uint32_t i = 0; i < w->parts[p].ranks; ++i)
            w->part_of[w->parts[p].first_rank + i] = p;
    }
    return good;
}

static bool allocate(fc_work *w) {
    const fc_workload *workload = w->workload;
    w->plans = fc_allocate(workload->count, sizeof *w->plans);
    w->times = fc_allocate(workload->count, sizeof *w->times);
    w->node_of_rank = fc_allocate(w->ranks, sizeof *w->node_of_rank);
    w->rank_of_node = fc_allocate(w->nodes, sizeof *w->rank_of_node);
    w->rank = fc_allocate((size_t)w->ranks * (workload->strands + 1), sizeof *w->rank);
    w->strand_of = fc_allocate(workload->count, sizeof *w->strand_of);
    if (!w->rank || !w->strand_of || !make_parts(w))
        return false;
    for (size_t i = 0; i < (size_t)w->ranks * (workload->strands + 1); ++i)
        w->rank[i].group = w->group_count;
    if (!w->alone && (workload->send_overhead || workload->send_gap)) {
        w->next_turn = fc_allocate(w->nodes, sizeof *w->next_turn);
        if (!w->next_turn || !fc_outbox_make(&w->held, w->nodes, false))
            return false;
    }
    const bool outbox = fc_outbox_make(&w->outbox, w->nodes, workload->of_trace);
    return outbox && w->plans && w->times && w->node_of_rank && w->rank_of_node;
}

void fc_work_free(fc_work *w) {
    if (!w)
        return;
    for (size_t i = 0; w->plans && i < w->workload->count; ++i)
        fc_phase_plan_clear(&w->plans[i]);
    for (size_t i = 0; w->rank && i < (size_t)w->ranks * (w->workload->strands + 1); ++i)
        fc_release(w->rank[i].window);
    for (size_t p = 0; p < w->part_count; ++p) {
        fc_message_graph_free(w->parts[p].graph);
        fc_release(w->parts[p].pieces_left);
    }
    fc_chains_clear(&w->chains);
    fc_outbox_free(&w->outbox);
    fc_outbox_free(&w->held);
    void *const blocks[] = {w->plans, w->times,    w->node_of_rank, w->rank_of_node,
                            w->rank,  w->due.item, w->strand_of,    w->next_turn,
                            w->parts, w->part_of,  w->groups,       w->slowness};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i)
        fc_release(blocks[i]);
    fc_release(w);
}

static fc_status plan_part(fc_work *w, const part *of, uint64_t seed, uint32_t replication,
                           fc_error *error) {
    for (size_t g = of->first_group; g < of->first_group + of->groups; ++g) {
        const fc_phase_group *group = &w->groups[g];
        for (size_t i = group->first; i < group->first + group->count; ++i) {
            const fc_phase *phase = &of->workload->phases[i - of->first_phase];
            const fc_status status = fc_phase_plan_create(of->workload, phase, seed + i,
                                                          replication, error, &w->plans[i]);
            if (status != FC_OK)
                return status;
            w->times[i].begun = UINT64_MAX;
            w->times[i].ranks = of->ranks;
            const double passes =
                (double)group->times * (double)(group->strand ? group->outer_times : 1);
            w->strand_of[i] = group->strand;
            w->total += passes * w->plans[i].packets;
            w->messages += passes * w->plans[i].messages;
        }
    }
    return FC_OK;
}

static fc_status plan_phases(fc_work *w, uint64_t seed, uint32_t replication, fc_error *error) {
    fc_status status = FC_OK;
    for (size_t p = 0; p < w->part_count && status == FC_OK; ++p)
        status = plan_part(w, &w->parts[p], seed, replication, error);
    if (status != FC_OK)
        return status;
    if (w->messages > FC_WORK_MESSAGES_MAX)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "the workload makes %.3g messages; at most %.0f million are possible",
                       w->messages, FC_WORK_MESSAGES_MAX / 1e6);
    return FC_OK;
}

static fc_status start(fc_work *w, fc_places places, uint64_t seed, uint32_t replication,
                       fc_error *error) {
    fc_status status = plan_phases(w, seed, replication, error);
    if (status == FC_OK)
        status = fc_place_ranks(w->workload, places, seed, replication, error, w->node_of_rank);
    if (status == FC_OK)
        status = fc_slow_factors(w->workload, seed, replication, error, &w->slowness);
    if (status != FC_OK)
        return status;
    for (uint32_t node = 0; node < w->nodes; ++node)
        w->rank_of_node[node] = NONE;
    for (uint32_t rank = 0; rank < w->ranks; ++rank)
        w->rank_of_node[w->node_of_rank[rank]] = rank;
    for (uint32_t p = 0; p < w->part_count && status == FC_OK; ++p) {
        if (!w->parts[p].start)
            start_part(w, &w->parts[p], 0);
        else if (!fc_due_push(&w->due, w->parts[p].start, OF_PART | p))
            w->status = FC_ERROR_MEMORY;
        status = settle(w, &w->parts[p], 0, error);
    }
    return status;
}

fc_status fc_work_create(const fc_workload *workload, fc_places places, uint64_t piece,
                         fc_random_key key, fc_error *error, fc_work **work) {
    fc_work *w = fc_allocate(1, sizeof *w);
    if (!w)
        return fc_fail_memory(error);
    w->workload = workload;
    w->nodes = places.nodes;
    w->ranks = (uint32_t)workload->ranks;
    w->piece = workload->of_trace || !piece ? UINT64_MAX : piece * (uint64_t)workload->packet_flits;
    w->alone = !piece;
    w->number_bits = workload->strands ? 24 : 32;
    w->number_mask = UINT32_MAX >> (32 - w->number_bits);
    w->chains = fc_chains_make();
    w->chains.given_up = workload->of_trace;
    w->now_because = w->final_message = FC_NO_MESSAGE;
    const fc_status status =
        allocate(w) ? start(w, places, key.seed, key.replication, error) : fc_fail_memory(error);
    if (status != FC_OK) {
        fc_work_free(w);
        return status;
    }
    *work = w;
    return FC_OK;
}

void fc_work_skip_repeats(fc_work *w) {
    w->skips = w->part_count == 1 && w->workload->repeats == FC_REPEATS_SKIPPED;
}

/* ---- asking ---- */

fc_skipped fc_work_skipped(const fc_work *w) {
    return w->skipped;
}

double fc_work_messages(const fc_work *w) {
    return w->messages;
}

double fc_work_packets(const fc_work *w) {
    return w->total;
}

bool fc_work_done(const fc_work *w) {
    return w->finished == w->ranks;
}

double fc_work_share(const fc_work *w) {
    if (fc_work_done(w))
        return 1;
    const double share = w->total > 0 ? w->delivered / w->total : 0;
    return share < 0.9999 ? share : 0.9999;
}

uint64_t fc_work_ended(const fc_work *w) {
    return w->ended;
}

const fc_phase_time *fc_work_phase(const fc_work *w, size_t phase) {
    return &w->times[phase];
}

uint64_t fc_work_finished(const fc_work *w, uint32_t node) {
    const uint32_t rank = w->rank_of_node[node];
    return rank == NONE ? 0 : w->rank[rank].finished;
}

fc_status fc_work_chain(const fc_work *w, fc_error *error, fc_chained **list, size_t *count) {
    return fc_chains_list(&w->chains, w->final_message, error, list, count);
}

size_t fc_work_late(const fc_work *w) {
    size_t late = w->late;
    for (size_t p = 0; p < w->part_count; ++p)
        late += w->parts[p].graph ? fc_message_graph_late(w->parts[p].graph) : 0;
    return late;
}

void fc_work_phase_label(const fc_workload *workload, size_t phase, size_t size, char *label) {
    const char *name = fc_phase_names[workload->phases[phase].kind];
    size_t job = 0, number = phase;
    while (job < workload->job_count && number >= workload->jobs[job].work->count)
        number -= workload->jobs[job++].work->count;
    if (workload->jobs)
        snprintf(label, size, "%zu.%zu %s", job + 1, number + 1, name);
    else
        snprintf(label, size, "%zu %s", number + 1, name);
}

uint64_t fc_work_job_ended(const fc_work *w, size_t job) {
    return w->parts[job].ended;
}

uint32_t fc_work_node(const fc_work *w, uint32_t rank) {
    return w->node_of_rank[rank];
}
