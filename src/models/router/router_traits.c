/* Traits of networks of routers: exact numbers of lanes, movements and messages, and the waits of
 * router-queueing at a reference load: half of what the busiest link or the busiest set of channels
 * carries, or a quarter, an eighth, ..., the first at which the model has an answer. What grows
 * with the load is taken at the capacity, at which a link is full. */
#include "models/router/router_traits.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "models/router/router_classes.h"
#include "models/router/router_models.h"
#include "models/router/router_percentiles.h"

/* A few rounds tell enough of what the waits are like. */
enum { ROUNDS_LOW = 3, ROUNDS_HIGH = 4, ROUNDS_HEAVY = 8, HALVINGS_MAX = 12 };
/* The heavy reference load is the first of these shares at which the model has an answer. */
static const double heavy_shares[] = {0.9, 0.75, 0.6};
static const double rough = 1e-3;
static const double longest = 20;      /* times the latency of the empty network */
static const double load_least = 0.01; /* added to loads before their logarithm is taken */

static const char *const whole_names[] = {"cycles of a hop",
                                          "cycles of an allocation",
                                          "one port",
                                          "log injection channels",
                                          "bernoulli",
                                          "bursts",
                                          "log burst",
                                          "log pause",
                                          "log burst peak",
                                          "replies",
                                          "whole packets",
                                          "empty channels only",
                                          "chooses",
                                          "log internal speedup",
                                          "square of lengths",
                                          "log longest over buffer",
                                          "switch delay",
                                          "crossing delay",
                                          "link delay",
                                          "credit delay",
                                          "log virtual channels",
                                          "log flits",
                                          "log hops",
                                          "stalled rounds",
                                          "log reply length",
                                          "log memory",
                                          "log reference over capacity",
                                          "log excess over empty",
                                          "log growth",
                                          "log even split over capacity",
                                          "log heavy over capacity",
                                          "log heavy excess over empty",
                                          "by queues",
                                          "direct share",
                                          "log direct over capacity",
                                          NULL};
static const char *const lane_names[] = {"is injection",
                                         "is network",
                                         "is ejection",
                                         "log channels",
                                         "log channels of link",
                                         "log flits",
                                         "log buffer",
                                         "log buffer over loop",
                                         "log flits over buffer",
                                         "log holding over flits",
                                         "credit gap",
                                         "log feeders over channels",
                                         "log inputs met",
                                         "log outputs met",
                                         "promised",
                                         "log messages in buffer",
                                         "share of link",
                                         "log loop",
                                         "pace",
                                         "log load of link",
                                         "log load of channels",
                                         "log holding load",
                                         "log credit load",
                                         "log burst load",
                                         "load of link",
                                         "load of channels",
                                         "holding load",
                                         "credit load",
                                         "burst load",
                                         "idle link",
                                         "idle channels",
                                         "idle by holding",
                                         "light: log wait",
                                         "light: full",
                                         "light: held",
                                         "light: busy",
                                         "light: log stall",
                                         "light: log lag",
                                         "light: load",
                                         "light: log wait behind",
                                         "heavy: log wait",
                                         "heavy: full",
                                         "heavy: held",
                                         "heavy: busy",
                                         "heavy: log stall",
                                         "heavy: log lag",
                                         "heavy: load",
                                         "heavy: log wait behind",
                                         NULL};
static const char *const movement_names[] = {
    "kept",        "share",         "together",          "log length",
    "log outputs", "share of link", "square of lengths", "log load",
    NULL};
const fc_trait_names fc_router_trait_names = {whole_names, lane_names, movement_names};

static double logarithm(double x) {
    return log(fmax(1e-6, x));
}

static double log_load(double load) {
    return log(load + load_least);
}

static double over(double x, double whole) {
    return x / fmax(1e-12, whole);
}

/* ---- the reference load ---- */

/* The rate at which the channels of some lane would be held all the time by messages alone. */
static double holding_bound(const fc_router_flows *flows) {
    double least = (double)INFINITY;
    for (uint32_t l = 0; l < flows->lane_count; ++l) {
        const fc_lane *lane = &flows->lanes[l];
        if (flows->links[lane->link].kind == FC_ROUTER_LINK && lane->rate > 0)
            least = fmin(least, lane->channels / lane->hold);
    }
    return least;
}

static bool answers(const fc_router_solver *s, const fc_router_solution *solution) {
    return !solution->saturated && solution->latency < longest * s->alone.latency;
}

typedef struct reference {
    double even; /* capacity, if headers that choose divided evenly */
    double load;
    double excess;              /* what waits add to the latency there */
    double growth;              /* that, over twice the excess at half of the load */
    double heavy, heavy_excess; /* the same of the heavy load; without one, of the light */
} reference;

/* Leaves the solver with the waits there; false: there is no such load. */
static bool solve_at_reference(fc_router_prepared *p, reference *at) {
    const double capacity = fc_router_capacity(p->flows);
    const double empty = p->solver->alone.latency;
    double load = 0.25 * fmin(capacity, holding_bound(p->flows));
    fc_router_solution low = {.saturated = true}, high = low;
    bool found = false;
    for (int i = 0; i < HALVINGS_MAX && !found && isfinite(capacity); ++i, load /= 2) {
        fc_router_solve(p->solver, load, rough, ROUNDS_LOW, &low);
        if (!answers(p->solver, &low))
            continue;
        fc_router_solve_again(p->solver, 2 * load, rough, ROUNDS_HIGH, &high);
        found = answers(p->solver, &high);
        *at = (reference){.even = capacity,
                          .load = 2 * load,
                          .excess = high.latency - empty,
                          .heavy = 2 * load,
                          .heavy_excess = high.latency - empty,
                          .growth = (high.latency - empty) / (2 * (low.latency - empty))};
    }
    return found && low.latency - empty > 1e-9 * empty && high.latency > low.latency;
}

/* Leaves the solver with the waits at the heavy load; false: there is none, and the solver has
 * nothing. */
static bool solve_heavy(fc_router_prepared *p, reference *at) {
    const double most = fmin(at->even, holding_bound(p->flows));
    for (size_t i = 0; i < sizeof heavy_shares / sizeof *heavy_shares; ++i) {
        const double load = heavy_shares[i] * most;
        fc_router_solution solution;
        if (load <= at->load)
            break;
        fc_router_solve(p->solver, load, rough, ROUNDS_HEAVY, &solution);
        const double excess = solution.latency - p->solver->alone.latency;
        if (!answers(p->solver, &solution) || !(excess > at->excess))
            continue;
        at->heavy = load;
        at->heavy_excess = excess;
        return true;
    }
    return false;
}

/* ---- lanes ---- */

/* Of each link, the sum of the squared shares of the links that messages come from and go to. */
typedef struct meetings {
    double *into, *out_of;
    double *waits; /* of each lane: for a channel and for the switch, behind it */
} meetings;

static void find_meetings(const fc_router_solver *s, double *pairs, meetings *m) {
    for (uint32_t j = 0; j < s->movement_count; ++j) {
        const fc_solver_movement *at = &s->movements[j];
        pairs[at->pair] += at->unit_rate;
        m->waits[at->from] += at->leaving * at->keep * (at->channel + at->turn);
    }
    for (uint32_t j = 0; j < s->movement_count; ++j) {
        const fc_solver_movement *at = &s->movements[j];
        const double rate = pairs[at->pair];
        pairs[at->pair] = 0; /* each pair of links counts once */
        const double in = over(rate, s->links[at->out].unit_rate);
        const double out = over(rate, s->links[at->in].unit_rate);
        m->into[at->out] += at->count * in * in;
        m->out_of[at->in] += at->leaving * out * out;
    }
}

static void set(float *to, const double *from, size_t count) {
    for (size_t i = 0; i < count; ++i)
        to[i] = isfinite(from[i]) ? (float)from[i] : 0;
}

/* The wait of messages that cross the lane, from there to the next: at the source, behind others,
 * for a channel and for the switch; in a lane to a node, the lag. */
static double wait_of(const fc_router_solver *s, uint32_t l, const meetings *m) {
    const fc_solver_lane *lane = &s->lanes[l];
    const fc_solver_link *link = &s->links[lane->link];
    if (link->kind == FC_EJECTION_LINK)
        return link->lag;
    return (link->kind == FC_INJECTION_LINK ? fc_router_source_wait(s, lane, l) : 0) + m->waits[l] +
           (fc_router_waits_behind(s, lane) ? lane->behind : 0);
}

static bool sends_bursts(const fc_router_solver *s, const fc_solver_lane *lane) {
    return s->timing.injection.process == FC_ON_OFF && !lane->replies &&
           s->links[lane->link].kind == FC_INJECTION_LINK;
}

enum { LANE_FIXED = 19, LANE_LOADS = 13, LANE_SOLVED = 8, MOVEMENT_INPUTS = 8, WHOLE_INPUTS = 35 };
enum {
    LANE_LIGHT = LANE_FIXED + LANE_LOADS,
    LANE_HEAVY = LANE_LIGHT + LANE_SOLVED,
    LANE_INPUTS = LANE_HEAVY + LANE_SOLVED
};
_Static_assert(sizeof lane_names == (LANE_INPUTS + 1) * sizeof *lane_names, "lanes");
_Static_assert(sizeof movement_names == (MOVEMENT_INPUTS + 1) * sizeof *movement_names,
               "movements");
_Static_assert(sizeof whole_names == (WHOLE_INPUTS + 1) * sizeof *whole_names, "whole");

/* Of a lane at the capacity: logarithms, as they are, and what they leave idle. */
static void read_loads(const fc_router_solver *s, const fc_solver_lane *lane, double capacity,
                       float *into) {
    static const double most = 3;
    const fc_solver_link *link = &s->links[lane->link];
    const double room = s->timing.buffer * link->pace, flits = link->unit_flits * capacity;
    const double use = lane->unit_rate / lane->channels * capacity;
    const double loads[] = {flits, use * lane->length, use * fmax(1, lane->alone),
                            use * lane->length * link->loop / room,
                            flits * fc_burst_peak(&s->timing.injection)};
    enum { LOADS = sizeof loads / sizeof *loads, IDLE = 3 };
    _Static_assert((int)LANE_LOADS == 2 * LOADS + IDLE, "two forms each, and a third of some");
    double values[LANE_LOADS];
    for (int i = 0; i < LOADS; ++i) {
        values[i] = log_load(loads[i]);
        values[LOADS + i] = fmin(most, loads[i]);
    }
    for (int i = 0; i < IDLE; ++i)
        values[2 * LOADS + i] = 0.2 / (1.05 - fmin(1, loads[i]));
    set(into, values, LANE_LOADS);
}

/* The model's state at a load. */
static void read_solved(const fc_router_solver *s, uint32_t l, const meetings *m, float *into) {
    const fc_solver_lane *lane = &s->lanes[l];
    const fc_solver_link *link = &s->links[lane->link];
    const double alone = fmax(1, lane->alone);
    const double values[LANE_SOLVED] = {logarithm(wait_of(s, l, m) / alone + 1e-4),
                                        lane->full,
                                        lane->rate * lane->holding / lane->channels,
                                        link->busy,
                                        logarithm(1e-3 + link->stall / alone),
                                        logarithm(1e-3 + link->lag / alone),
                                        link->load,
                                        logarithm(1e-3 + lane->behind / alone)};
    set(into, values, LANE_SOLVED);
}

/* In the order of lane_names, but for the state at the heavy load, which is that of the light one
 * until it is known. */
static void read_lane(const fc_router_solver *s, uint32_t l, double capacity, const meetings *m,
                      fc_traits *made) {
    const fc_solver_lane *lane = &s->lanes[l];
    const fc_solver_link *link = &s->links[lane->link];
    const double alone = fmax(1, lane->alone), room = s->timing.buffer * link->pace;
    const double loop = fmax(1, link->loop);
    const double fixed[LANE_FIXED] = {link->kind == FC_INJECTION_LINK,
                                      link->kind == FC_ROUTER_LINK,
                                      link->kind == FC_EJECTION_LINK,
                                      logarithm(lane->channels),
                                      logarithm(link->used_channels),
                                      logarithm(lane->length),
                                      logarithm(s->timing.buffer),
                                      logarithm(room / loop),
                                      logarithm(lane->length / room),
                                      logarithm(alone / lane->length),
                                      link->gap / link->length,
                                      logarithm(fmax(1, lane->feeders) / lane->channels),
                                      -logarithm(fmax(1e-3, m->into[lane->link])),
                                      -logarithm(fmax(1e-3, m->out_of[lane->link])),
                                      lane->promised,
                                      logarithm(fmax(1, lane->slots)),
                                      over(lane->unit_rate, link->unit_rate),
                                      logarithm(loop),
                                      link->pace};
    float *into = &made->lane[l * LANE_INPUTS];
    set(into, fixed, LANE_FIXED);
    read_loads(s, lane, capacity, into + LANE_FIXED);
    read_solved(s, l, m, into + LANE_LIGHT);
    read_solved(s, l, m, into + LANE_HEAVY);
    const double use = lane->unit_rate * alone / lane->channels;
    made->lanes[l] =
        (fc_lane_traits){.link = lane->link,
                         .weight = (float)(lane->unit_rate * link->members / s->flows->rate),
                         .unit = (float)(alone * fmax(link->unit_flits, use)),
                         .bursts = sends_bursts(s, lane) ? (float)lane->unit_rate : 0,
                         .copies = (float)link->copies};
}

/* In the order of movement_names. */
static void read_movement(const fc_router_solver *s, uint32_t j, double capacity, fc_traits *made) {
    const fc_solver_movement *m = &s->movements[j];
    const fc_solver_lane *to = &s->lanes[m->to];
    const double load = m->unit_rate * m->length * capacity;
    const double values[MOVEMENT_INPUTS] = {m->keep,
                                            over(m->unit_rate, to->unit_rate),
                                            m->together,
                                            logarithm(m->length / to->length),
                                            logarithm(m->outputs),
                                            over(m->unit_rate, s->links[m->out].unit_rate),
                                            m->square / (m->length * m->length),
                                            log_load(load)};
    float *into = &made->movement[j * MOVEMENT_INPUTS];
    set(into, values, MOVEMENT_INPUTS);
    made->movements[j] = (fc_movement_traits){.from = m->from,
                                              .to = m->to,
                                              .kept = (float)(m->leaving * m->keep),
                                              .share = (float)(m->count * (double)into[1]),
                                              .load = (float)(m->count * load)};
}

/* ---- the whole ---- */

/* In the order of whole_names. */
static void read_whole(const fc_router_prepared *p, double capacity, const reference *at,
                       fc_traits *made) {
    const fc_routed *routed = p->routed;
    const fc_router_timing *timing = &p->solver->timing;
    const fc_injection *in = &routed->injection;
    const fc_message_kinds *kinds = &p->flows->kinds;
    const bool bursts = in->process == FC_ON_OFF, replies = kinds->count > 1;
    const double mean = kinds->mean[0], square = kinds->square[0];
    const double values[WHOLE_INPUTS] = {
        timing->r,
        timing->va,
        timing->one_port,
        logarithm(timing->injection_channels),
        in->process == FC_BERNOULLI,
        bursts,
        bursts ? logarithm(in->on) : 0,
        bursts ? logarithm(in->off) : 0,
        logarithm(fc_burst_peak(in)),
        timing->replies,
        timing->whole,
        timing->empty,
        p->flows->chooses,
        logarithm(fmax(1, routed->internal_speedup)),
        square / (mean * mean),
        logarithm((double)kinds->longest / timing->buffer),
        (double)routed->router_delay[FC_STAGE_SWITCH],
        (double)routed->router_delay[FC_STAGE_CROSSING],
        (double)routed->link_delay,
        (double)routed->credit_delay,
        logarithm((double)routed->virtual_channels),
        logarithm(mean),
        logarithm(fc_router_hops(p->flows)),
        timing->stalled_rounds,
        replies ? logarithm(kinds->mean[1] / kinds->mean[0]) : 0,
        replies ? logarithm(1 + kinds->memory) : 0,
        logarithm(at->load / capacity),
        logarithm(at->excess / p->solver->alone.latency),
        logarithm(at->growth),
        logarithm(at->even / capacity),
        logarithm(at->heavy / capacity),
        logarithm(at->heavy_excess / p->solver->alone.latency),
        routed->routes_by_queues,
        p->flows->direct,
        p->flows->direct_capacity > 0 ? logarithm(p->flows->direct_capacity / capacity) : 0};
    set(made->whole, values, WHOLE_INPUTS);
}

/* ---- bursts ---- */

/* Messages that come in bursts, if they meet no others than those of their source. */
typedef struct bursts {
    fc_injection injection;
    double time; /* cycles that each takes of its source */
} bursts;

static double burst_wait(const void *context, double load) {
    const bursts *b = context;
    return fc_router_burst_wait(load, &b->injection, b->time);
}

static bool read_bursts(const fc_router_solver *s, fc_traits *made) {
    bursts *b = fc_allocate(1, sizeof *b);
    if (!b)
        return false;
    b->injection = s->timing.injection;
    for (uint32_t l = 0; l < s->lane_count; ++l)
        if (sends_bursts(s, &s->lanes[l]))
            b->time = fmax(s->lanes[l].length, s->alone.source / s->timing.injection_channels);
    made->burst_wait = burst_wait;
    made->burst_context = b;
    return true;
}

/* ---- */

/* The state at the heavy load, where there is one. */
static void read_heavy(fc_router_prepared *p, double *pairs, meetings *m, reference *at,
                       fc_traits *made) {
    const fc_router_solver *s = p->solver;
    if (!solve_heavy(p, at))
        return;
    memset(m->into, 0, s->link_count * sizeof *m->into);
    memset(m->out_of, 0, s->link_count * sizeof *m->out_of);
    memset(m->waits, 0, s->lane_count * sizeof *m->waits);
    find_meetings(s, pairs, m);
    for (uint32_t l = 0; l < s->lane_count; ++l)
        read_solved(s, l, m, &made->lane[l * LANE_INPUTS + LANE_HEAVY]);
}

/* Links that nobody crosses have no number. number: scratch, zero. */
static void number_links(uint32_t *number, fc_traits *made) {
    for (uint32_t l = 0; l < made->lane_count; ++l) {
        uint32_t *of = &number[made->lanes[l].link];
        *of = *of ? *of : ++made->link_count;
        made->lanes[l].link = *of - 1;
    }
}

static bool read_graph(fc_router_prepared *p, reference *at, fc_traits *made) {
    const fc_router_solver *s = p->solver;
    meetings m = {.into = fc_allocate(s->link_count, sizeof *m.into),
                  .out_of = fc_allocate(s->link_count, sizeof *m.out_of),
                  .waits = fc_allocate(s->lane_count, sizeof *m.waits)};
    double *pairs = fc_allocate(s->pair_count, sizeof *pairs);
    uint32_t *number = fc_allocate(s->link_count, sizeof *number);
    const bool room = m.into && m.out_of && m.waits && pairs && number;
    if (room) {
        find_meetings(s, pairs, &m);
        for (uint32_t l = 0; l < s->lane_count; ++l)
            read_lane(s, l, made->capacity, &m, made);
        number_links(number, made);
        for (uint32_t j = 0; j < s->movement_count; ++j)
            read_movement(s, j, made->capacity, made);
        read_heavy(p, pairs, &m, at, made);
    }
    fc_release(m.into);
    fc_release(m.out_of);
    fc_release(m.waits);
    fc_release(pairs);
    fc_release(number);
    return room;
}

static void read_empty(const fc_router_solver *s, fc_traits *made) {
    static const double levels[] = {[FC_P50] = 0.5, [FC_P95] = 0.95, [FC_P99] = 0.99};
    made->empty[FC_MEAN] = s->alone.latency;
    for (int k = FC_P50; k < FC_LATENCIES; ++k)
        made->empty[k] = fc_router_percentile_alone(s, levels[k]);
}

/* Limits of outstanding requests, classes and memories were never drawn; and links that stand for
 * many (multiple) hide which lanes meet. */
static bool was_drawn(const fc_router_prepared *p) {
    return isinf(p->solver->timing.outstanding) && p->flows->multiple == 1;
}

fc_status fc_router_traits(const fc_scenario *scenario, void *prepared, fc_error *error,
                           fc_traits **traits) {
    fc_router_prepared *p = prepared;
    fc_router_solver *s = p->solver;
    const double capacity = fc_router_capacity_at_most(p->flows);
    reference at = {0};
    fc_traits *made;
    *traits = NULL;
    if (!was_drawn(p) || !solve_at_reference(p, &at))
        return FC_OK;
    if (fc_stop_asked(scenario->cancel))
        return fc_fail_cancelled(error);
    const fc_status status =
        fc_traits_create(&fc_router_trait_names, s->lane_count, s->movement_count, error, &made);
    if (status != FC_OK)
        return status;
    made->capacity = capacity;
    read_empty(s, made);
    const bool sends = s->timing.injection.process == FC_ON_OFF;
    if (!read_graph(p, &at, made) || (sends && !read_bursts(s, made))) {
        fc_traits_free(made);
        return fc_fail_memory(error);
    }
    read_whole(p, capacity, &at, made);
    *traits = made;
    return FC_OK;
}
