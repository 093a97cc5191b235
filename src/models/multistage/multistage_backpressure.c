/* Multistage networks that hold packets back: our own model.
 *
 * The same rate passes every stage; packets are lost at the first only. Each kind of buffer (a
 * stage on the tree of a hot memory or off it) is a queue with the service time d plus the time for
 * which packets are held after service because the buffer ahead is full, solved from the memories
 * back to the sources (multistage_buffers.c). Then the first buffers, loss queues of sources that
 * may be limited to m packets under way, accept some rate; the rate at which they accept what the
 * rest carries is found by regula falsi. The equations and where they come from:
 * docs/theory/multistage.md.
 *
 * Tree saturation: beyond the capacity of the hot memory's tree the rate that gets through no
 * longer grows. Flow conservation then fixes the held times of every stage that never idles, and
 * what is left to find is how far up the tree the full buffers reach.
 *
 * Assumes independent stages; what ties them together (spells of full buffers) enters through
 * fitted constants. Valid for any switch size, buffers, load, limit and hot spot, with contention
 * for output ports too. Accuracy: docs/validation/multistage.md. Weakest: L = 1 in long networks at
 * saturation, and hot spots near the tree's capacity (up to 12 % off). */
#include <math.h>
#include <string.h>
#include "base/status.h"
#include "models/multistage/multistage_buffers.h"
#include "models/multistage/multistage_correction.h"
#include "models/multistage/multistage_traits.h"
#include "models/multistage/multistage_tree.h"
#include "models/multistage/multistage_return.h"
#include "queueing/finite_queue.h"
#include "queueing/merged_queue.h"
#include "registry/method.h"

enum { STEPS_MAX = 300, ROUNDS_MAX = 60 };

#define IMPOSSIBLE (-1.0e3)

typedef struct network_state {
    const fc_multistage *network;
    fc_buffer_rules rules;
    double load; /* lambda d */
    /* By stage; n + 1: the hot memory, or another. Without a hot spot tree stands for all. */
    fc_buffer_kind tree[FC_STAGES_MAX + 3], off[FC_STAGES_MAX + 3];
    double most;        /* that may get through, per source and d */
    int64_t bottleneck; /* the stage that never idles at `most`; 0: none */
    fc_source_queue source;
} network_state;

/* The share of its packets that a tree buffer of a stage sends on along the tree. */
static double sent_along(const network_state *state, int64_t stage) {
    const fc_multistage *network = state->network;
    if (!(network->hot.share > 0.0))
        return 1.0 / state->rules.a;
    return fc_tree_share(network, stage + 1, true) /
           (state->rules.a * fc_tree_share(network, stage, true));
}

static const fc_buffer_kind *beside(const network_state *state, int64_t stage) {
    return state->network->hot.share > 0.0 ? &state->off[stage] : &state->tree[stage];
}

/* Share of packets that are blocked at a buffer that is always full. */
static double share_when_full(const fc_buffer_kind *at) {
    return at->entry / (at->entry + at->service);
}

/* How long a packet can wait for a tree buffer of a stage and for the line to it if the servers
 * that send to it are not to be overrun. */
static double longest_approach(const network_state *state, int64_t stage) {
    const double sent = sent_along(state, stage - 1);
    const double held = FC_NEVER_IDLE / state->tree[stage - 1].rate - 1.0;
    const fc_buffer_kind *other = beside(state, stage);
    if (!(state->network->hot.share > 0.0))
        return fmax(0.0, held);
    return fmax(0.0, held - (1.0 - sent) * (other->entry + other->line)) / sent;
}

static double longest_entry(const network_state *state, int64_t stage) {
    return fmax(0.0, longest_approach(state, stage) - state->tree[stage].line);
}

/* Shortens what a stage takes to get into, so that the servers that send to it can keep up. */
static void limit_entry(const network_state *state, int64_t stage, fc_buffer_kind *at) {
    at->line = fmin(at->line, longest_approach(state, stage));
    fc_buffer_set_entry(&state->rules, at, fmin(at->entry, longest_entry(state, stage)), at->share);
}

/* Tree buffers that are never idle: `front` is the first stage that is not sure to be so. Behind it
 * flow conservation alone tells how long packets are held: a server that never idles takes
 * 1 / rate per packet. Just behind the front the held time lies between that of a queue about to
 * become full and that which keeps the front itself from idling; `progress` (0..1) tells where. */
static bool fill_behind_front(network_state *state, int64_t front, double progress) {
    fc_buffer_kind *tree = state->tree;
    for (int64_t i = state->bottleneck; i > front + 1; --i) {
        tree[i] = (fc_buffer_kind){.rate = tree[i].rate,
                                   .along = tree[i].along,
                                   .service = FC_NEVER_IDLE / tree[i].rate,
                                   .waiting = (double)state->rules.places};
        tree[i].entry = longest_entry(state, i);
        fc_buffer_set_entry(&state->rules, &tree[i], tree[i].entry, share_when_full(&tree[i]));
    }
    fc_buffer_kind *behind = &tree[front + 1];
    fc_buffer_serve_into(behind, &tree[front + 2], beside(state, front + 2),
                         sent_along(state, front + 1));
    behind->service = FC_NEVER_IDLE / behind->rate;
    if (!fc_buffer_solve(&state->rules, behind, sent_along(state, front), front + 1))
        return false;
    const double least = behind->entry, most = longest_entry(state, front + 1);
    behind->entry = most > least ? least + progress * (most - least) : most;
    fc_buffer_set_entry(&state->rules, behind, behind->entry,
                        behind->share + progress * (share_when_full(behind) - behind->share));
    behind->waiting += progress * ((double)state->rules.places - behind->waiting);
    return true;
}

/* Solves every buffer behind the first stage for what each source gets through per service time.
 * front 0: no part of the tree is filled up. False if it cannot be carried. */
static bool solve_behind(network_state *state, double carried, int64_t front, double progress) {
    const fc_multistage *network = state->network;
    const int64_t stages = network->stages;
    const double a = state->rules.a, h = network->hot.share;
    fc_buffer_kind *tree = state->tree, *off = state->off;
    tree[stages + 1] = tree[stages + 2] = off[stages + 1] = off[stages + 2] = (fc_buffer_kind){0};
    tree[stages + 1].rate = carried * fc_tree_share(network, stages + 1, true);
    off[stages + 1].rate = carried * (1.0 - h);
    fc_buffer_solve_line(&state->rules, &tree[stages + 1], sent_along(state, stages));
    fc_buffer_solve_line(&state->rules, &off[stages + 1], 1.0 / a);
    for (int64_t i = 1; i <= stages; ++i) {
        tree[i].rate = carried * fc_tree_share(network, i, true);
        tree[i].along = sent_along(state, i);
    }
    for (int64_t i = stages; i >= 2 && h > 0.0; --i) {
        fc_buffer_serve_into(&off[i], &off[i + 1], &off[i + 1], 1.0);
        off[i].rate = carried * (1.0 - h);
        off[i].along = 1.0 / a;
        if (!fc_buffer_solve(&state->rules, &off[i], 1.0 / a, i))
            return false;
    }
    for (int64_t i = stages; i >= 1; --i) {
        if (front && i == state->bottleneck) {
            if (!fill_behind_front(state, front, progress))
                return false;
            i = front;
        }
        if (front && i <= front)
            limit_entry(state, i + 1, &tree[i + 1]);
        fc_buffer_serve_into(&tree[i], &tree[i + 1], beside(state, i + 1), sent_along(state, i));
        if (i > 1 && !fc_buffer_solve(&state->rules, &tree[i], sent_along(state, i - 1), i))
            return false;
    }
    return true;
}

/* Mean time from the end of the first service, held time not counted, to delivery. */
static double time_behind(const network_state *state) {
    const fc_multistage *network = state->network;
    const bool hot = network->hot.share > 0.0;
    double time = 0.0;
    for (int64_t i = 2; i <= network->stages; ++i) {
        const fc_buffer_kind *t = &state->tree[i], *o = &state->off[i];
        const double on_tree =
            hot ? pow(state->rules.a, (double)(1 - i)) * fc_tree_share(network, i, true) : 1.0;
        time += on_tree * (1.0 + fc_buffer_wait(t) + (i > 2 ? t->entry + t->line : 0.0));
        if (hot)
            time +=
                (1.0 - on_tree) * (1.0 + fc_buffer_wait(o) + (i > 2 ? o->entry + o->line : 0.0));
    }
    if (network->stages > 1) {
        const double h = network->hot.share;
        const fc_buffer_kind *exits[] = {&state->tree[network->stages + 1],
                                         &state->off[network->stages + 1]};
        time += hot ? h * exits[0]->line + (1.0 - h) * exits[1]->line : exits[0]->line;
    }
    return time;
}

/* How the variation of services counts at the first buffers: without lines, spells in which the
 * buffer ahead is full make it count for more. */
static double memory_of_sources(const network_state *state) {
    if (state->rules.infinite || state->rules.lines)
        return 1.0;
    return 1.0 +
           fc_buffer_tuned.source_memory * ((double)state->rules.places - 1.0) / state->rules.a;
}

/* What the first buffers accept with the rest as it is. */
static double accept(network_state *state) {
    const fc_multistage *network = state->network;
    const fc_buffer_kind *first = &state->tree[1];
    const bool limited = network->outstanding != FC_INFINITE;
    if (state->rules.infinite && !limited) {
        const double load = first->rate * first->service;
        state->source = (fc_source_queue){.active = 1.0,
                                          .waiting = (1.0 + first->brief) * fc_md1_waiting(load)};
        return load < FC_NEVER_IDLE ? state->load : IMPOSSIBLE + first->rate;
    }
    const double load = state->load * first->service;
    const fc_source source = {
        .places = state->rules.infinite ? (size_t)network->outstanding : state->rules.places,
        .limit = limited ? (size_t)network->outstanding : 0,
        .elsewhere = state->load * time_behind(state),
        .dispersion = 1.0 + first->brief + memory_of_sources(state) * first->variation};
    fc_source_queue_solve(state->rules.room, load, &source, &state->source);
    return state->load * state->source.active * (1.0 - state->source.lost);
}

/* Positions along the way from an idle network to one that is full from its bottleneck up to the
 * sources: 0 .. 1 is the rate that gets through, as a share of `most`; from 1 on that rate no
 * longer grows and the network fills up, one stage for each 1. */
static double carried_at(const network_state *state, double position) {
    return fmin(1.0, position) * state->most;
}

/* Accepted less carried, which falls along the way; IMPOSSIBLE if the position cannot be. */
static double excess_at(network_state *state, const void *nothing, double position) {
    (void)nothing;
    const double carried = carried_at(state, position);
    int64_t front = 0;
    double progress = 0.0;
    if (position > 1.0) {
        const double filled = fmin(floor(position - 1.0), (double)state->bottleneck - 2.0);
        front = state->bottleneck - 1 - (int64_t)filled;
        progress = position - 1.0 - filled;
    }
    if (!solve_behind(state, carried, front, progress))
        return IMPOSSIBLE;
    return accept(state) - carried;
}

typedef double excess_function(network_state *state, const void *context, double position);

typedef struct search {
    excess_function *excess;
    const void *context;
    double tolerance;       /* on the excess, as a share of `most` */
    double low, high;       /* positions: more is accepted than carried at low, less at high */
    double at_low, at_high; /* by how much */
    double found, residual;
    uint64_t steps;
} search;

/* Regula falsi (Illinois), bisecting next to what cannot be. */
static void narrow(network_state *state, search *seek) {
    double tried = seek->high;
    int side = 0;
    for (; seek->steps < STEPS_MAX; ++seek->steps) {
        const double excess = seek->excess(state, seek->context, tried);
        seek->found = tried;
        seek->residual = fabs(excess) / state->most;
        if (seek->residual < seek->tolerance)
            return;
        if (excess > 0.0) {
            seek->low = tried;
            seek->at_low = excess;
            if (side > 0 && seek->at_high > IMPOSSIBLE)
                seek->at_high *= 0.5;
            side = 1;
        } else {
            seek->high = tried;
            seek->at_high = excess;
            if (side < 0)
                seek->at_low *= 0.5;
            side = -1;
        }
        if (seek->high - seek->low <= 1e-13 * seek->high)
            return;
        const double span = seek->at_high - seek->at_low;
        tried = (seek->low * seek->at_high - seek->high * seek->at_low) / span;
        if (!(seek->at_high > IMPOSSIBLE && tried > seek->low && tried < seek->high))
            tried = 0.5 * (seek->low + seek->high);
    }
}

/* What the buffers of the tree are on the two sides of a step. */
typedef struct tree_step {
    fc_buffer_kind from[FC_STAGES_MAX + 3], to[FC_STAGES_MAX + 3];
    double carried;
} tree_step;

/* Each buffer between the two sides, by the same share. */
static double excess_between(network_state *state, const void *context, double share) {
    const tree_step *step = context;
    const fc_buffer_kind *from = step->from, *to = step->to;
    for (int64_t i = 1; i <= state->network->stages; ++i) {
        fc_buffer_kind *at = &state->tree[i];
        at->service = from[i].service + share * (to[i].service - from[i].service);
        at->variation = from[i].variation + share * (to[i].variation - from[i].variation);
        at->brief = from[i].brief + share * (to[i].brief - from[i].brief);
        at->waiting = from[i].waiting + share * (to[i].waiting - from[i].waiting);
        at->entry = from[i].entry + share * (to[i].entry - from[i].entry);
        at->held = from[i].held + share * (to[i].held - from[i].held);
        at->line = from[i].line + share * (to[i].line - from[i].line);
        at->share = from[i].share + share * (to[i].share - from[i].share);
    }
    return accept(state) - step->carried;
}

/* The search ended at a step over the balance: a stage that is about to fill takes those before it
 * along within the last digits of the rate. The balance lies between the two sides. */
static void balance_between(network_state *state, search *seek) {
    tree_step step = {.carried = carried_at(state, seek->low)};
    seek->found = seek->low;
    const bool possible = excess_at(state, NULL, seek->high) > IMPOSSIBLE;
    memcpy(step.to, state->tree, sizeof step.to);
    const double at_low = excess_at(state, NULL, seek->low);
    if (!possible) {
        if (state->rules.infinite) /* what is not carried piles up before the first buffers */
            seek->residual = 0.0;
        return;
    }
    memcpy(step.from, state->tree, sizeof step.from);
    search within = {.excess = excess_between,
                     .context = &step,
                     .tolerance = 1e-15,
                     .high = 1.0,
                     .at_low = at_low,
                     .at_high = IMPOSSIBLE};
    narrow(state, &within);
    seek->steps += within.steps;
    seek->residual = within.residual;
}

/* The position at which the first buffers accept what the rest carries. If they accept more even at
 * the most that the rest can carry, the network is full behind its bottleneck. */
static uint64_t find_balance(network_state *state, double *carried, double *residual) {
    state->most = fmin(state->load, fc_tree_capacity(state->network) * state->network->service);
    state->bottleneck = 0;
    search seek = {.excess = excess_at,
                   .tolerance = 1e-11,
                   .high = 1.0,
                   .at_low = state->load,
                   .at_high = IMPOSSIBLE};
    narrow(state, &seek);
    /* more is accepted than the rest can carry: with lines up to the last rate that it can, without
     * them up to the rate at which the queue of the bottleneck has no solution any more */
    const bool full = seek.low >= 1.0 || (seek.at_high == IMPOSSIBLE && seek.low > 0.0);
    if (seek.residual > 1e-11 && full && !state->rules.infinite) {
        state->bottleneck = state->network->stages;
        state->most *= seek.low;
        if (state->bottleneck > 1) {
            seek.low = 1.0;
            seek.high = (double)state->bottleneck;
            seek.at_low = excess_at(state, NULL, 1.0);
            seek.at_high = IMPOSSIBLE;
            narrow(state, &seek);
        }
    }
    if (seek.residual > 1e-11 && seek.high - seek.low <= 1e-12 * seek.high)
        balance_between(state, &seek);
    *carried = carried_at(state, seek.found);
    *residual = seek.residual;
    return seek.steps + 1;
}

/* A limit makes the sources smoother the more it binds, which in turn makes it bind less. */
static uint64_t find_throttled(network_state *state, double *carried, double *residual) {
    uint64_t steps = find_balance(state, carried, residual);
    if (state->network->outstanding == FC_INFINITE)
        return steps;
    for (int round = 0; round < ROUNDS_MAX; ++round) {
        const double throttle = fc_buffer_tuned.throttle * sqrt(state->source.barred);
        const double change = fabs(throttle - state->rules.throttle);
        state->rules.throttle = throttle;
        steps += find_balance(state, carried, residual);
        if (change < 1e-10)
            break;
    }
    return steps;
}

/* A packet that waits for a line waits in its buffer, and is not held. */
static void describe(const fc_buffer_rules *rules, const fc_buffer_kind *at, double d,
                     fc_stage_solution *stage) {
    const double held = rules->lines ? fmin(at->held, at->service - 1.0) : at->service - 1.0;
    stage->utilisation = at->rate * (1.0 + held);
    stage->wait = d * (fc_buffer_wait(at) + at->service - 1.0 - held);
    stage->blocking = at->share;
    stage->held = d * held;
    stage->path = d * (fc_buffer_wait(at) + 1.0 + at->entry + at->line);
}

static void describe_all(network_state *state, double carried, fc_multistage_solution *solution) {
    const fc_multistage *network = state->network;
    const double d = network->service;
    const int64_t stages = network->stages;
    const bool hot = network->hot.share > 0.0;
    *solution = (fc_multistage_solution){.has_held = true,
                                         .throughput = carried / d,
                                         .offered = network->rate * state->source.active,
                                         .loss = state->source.lost};
    state->tree[1].waiting = state->source.waiting;
    state->tree[1].share = state->source.lost;
    for (int64_t i = 1; i <= stages; ++i) {
        describe(&state->rules, &state->tree[i], d, &solution->tree[i]);
        if (i > 1 && hot)
            describe(&state->rules, &state->off[i], d, &solution->off[i]);
    }
    solution->exit_hot = d * state->tree[stages + 1].line;
    solution->exit_cold = hot ? d * state->off[stages + 1].line : solution->exit_hot;
    fc_multistage_sum_paths(network, solution);
}

static bool is_limited(const fc_multistage *network) {
    return network->outstanding != FC_INFINITE;
}

static fc_status prepare(const fc_multistage *network, fc_error *error, network_state *state) {
    const bool infinite = network->buffer == FC_INFINITE;
    const size_t places = infinite ? 0 : (size_t)network->buffer;
    const size_t most = infinite && is_limited(network) ? (size_t)network->outstanding : places;
    *state = (network_state){.network = network,
                             .rules = {.a = (double)network->switch_size,
                                       .places = places,
                                       .infinite = infinite,
                                       .lines = network->contention == FC_CONTENTION_OUTPUT_PORT},
                             .load = network->rate * network->service};
    state->rules.room =
        fc_merge_room_create(most, (size_t)network->switch_size, is_limited(network));
    return state->rules.room ? FC_OK : fc_fail_memory(error);
}

extern const fc_model fc_model_multistage_backpressure;

static fc_status covers(const fc_scenario *scenario, fc_error *error) {
    const fc_multistage *network = scenario->parameters;
    const bool long_queue =
        network->buffer == FC_INFINITE || network->buffer >= FC_SOURCE_QUEUE_MAX;
    if (is_limited(network) && long_queue && network->outstanding > FC_SOURCE_QUEUE_MAX)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "multistage-backpressure takes at most %d outstanding packets if as many "
                       "can wait in one buffer",
                       FC_SOURCE_QUEUE_MAX);
    return fc_multistage_return_covers(network, error);
}

/* Long queues before switches that are nearly always busy: a small error of how busy they are is a
 * large one of the latency. Where they are always busy the buffers are full, which is certain. */
static void add_warning(const network_state *state, fc_result *result) {
    static const double nearly_always = 0.9, always = 0.99;
    static const size_t long_queue = 8;
    double busiest = 0.0;
    for (int64_t i = 1; i <= state->network->stages; ++i)
        busiest = fmax(busiest, state->tree[i].rate * state->tree[i].service);
    if (state->rules.lines && (state->rules.infinite || state->rules.places >= long_queue) &&
        busiest > nearly_always && busiest < always)
        fc_result_note(result,
                       "close to saturation: some switches are busy %.0f %% of the time, and the "
                       "latency is uncertain by up to 30 %%",
                       100.0 * busiest);
}

static fc_status one_way(const fc_scenario *scenario, fc_error *error, fc_result *result) {
    const fc_multistage *network = scenario->parameters;
    const bool piles_up = network->buffer == FC_INFINITE && !is_limited(network);
    if (piles_up && network->rate >= fc_tree_capacity(network)) {
        fc_multistage_fill_saturated(network, result);
        return fc_result_status(result);
    }
    network_state state;
    const fc_status status = prepare(network, error, &state);
    if (status != FC_OK)
        return status;
    double carried = 0.0;
    result->run.iterations = find_throttled(&state, &carried, &result->run.residual);
    fc_merge_room_free(state.rules.room);
    fc_multistage_solution solution;
    describe_all(&state, carried, &solution);
    if (!(result->run.residual < 1e-6) || !isfinite(solution.latency)) {
        result->outcome = FC_OUTCOME_NOT_CONVERGED;
        fc_result_note(result,
                       "what the first buffers accept and what the rest carries did not meet");
    } else if (piles_up && carried < state.load * (1.0 - 1e-9)) {
        result->outcome = FC_OUTCOME_SATURATED;
        fc_result_add(result, FC_METRIC_THROUGHPUT, solution.throughput, NAN);
        fc_result_add(result, FC_METRIC_OFFERED, network->rate, NAN);
        fc_result_note(result,
                       "packets at the heads of the buffers wait for each other's output "
                       "ports; no more than %.6g per source and cycle get through",
                       solution.throughput);
    } else {
        fc_multistage_fill(network, &solution, result);
        add_warning(&state, result);
    }
    return fc_result_status(result);
}

/* Infinite buffers with contention: what gets through when more is offered than can. */
static fc_status one_way_saturation(const fc_scenario *scenario, fc_error *error, double *load) {
    fc_multistage network = *(const fc_multistage *)scenario->parameters;
    const bool piles_up = network.buffer == FC_INFINITE && !is_limited(&network);
    if (!piles_up || network.contention == FC_CONTENTION_NONE)
        return fc_multistage_saturation(scenario, NULL, error, load);
    network.rate = fc_tree_capacity(&network);
    network_state state;
    const fc_status status = prepare(&network, error, &state);
    if (status != FC_OK)
        return status;
    double residual;
    find_throttled(&state, load, &residual);
    *load /= network.service;
    fc_merge_room_free(state.rules.room);
    return FC_OK;
}

static fc_status solve(const fc_scenario *scenario, void *prepared, fc_error *error,
                       fc_result *result) {
    (void)prepared;
    return fc_multistage_solve_return(scenario, &fc_model_multistage_backpressure.info, one_way,
                                      error, result);
}

static fc_status saturation(const fc_scenario *scenario, void *prepared, fc_error *error,
                            double *load) {
    (void)prepared;
    const fc_status status = one_way_saturation(scenario, error, load);
    return status != FC_OK
               ? status
               : fc_multistage_return_saturation(scenario, &fc_model_multistage_backpressure.info,
                                                 one_way, error, load);
}

static fc_status traits_of(const fc_scenario *scenario, void *prepared, const fc_result *solved,
                           fc_error *error, fc_traits **traits) {
    (void)prepared;
    *traits = NULL;
    if (((const fc_multistage *)scenario->parameters)->memory_busy > 0)
        return FC_OK;
    return fc_multistage_traits(scenario, solved, error, traits);
}

static const fc_correction correction = {.weights = "data/multistage.weights",
                                         .names = &fc_multistage_trait_names,
                                         .revision = FC_MULTISTAGE_TRAITS_REVISION,
                                         .traits = traits_of,
                                         .apply = fc_multistage_correct};

const fc_model fc_model_multistage_backpressure = {
    .info =
        {
            .name = "multistage-backpressure",
            .revision = 3,
            .kind = FC_MODEL,
            .family = "multistage",
            .title = "merging servers that hold back what the buffer ahead cannot take",
            .source = "ours",
            .validity = "any switch size, stages, buffers, load, hot spot and limit, with and "
                        "without output-port contention",
        },
    .covers = covers,
    .solve = solve,
    .saturation = saturation,
    .correction = &correction,
};
