/* What the graph networks of router_learned.c know of a network: exact numbers of its lanes,
 * movements and messages, and the waits of router-queueing at the reference load: half of what the
 * busiest link or the busiest set of channels carries, or a quarter, an eighth, ..., the first at
 * which the model has an answer. None of it depends on the load that is asked for. */
#include <math.h>
#include "base/memory.h"
#include "models/router/router_learned.h"
#include "models/router/router_models.h"
#include "models/router/router_percentiles.h"

/* A few rounds tell enough of what the waits are like. */
enum { ROUNDS_LOW = 3, ROUNDS_HIGH = 4, HALVINGS_MAX = 12 };
static const double rough = 1e-3;
static const double longest = 20; /* times the latency of the empty network */

static double logarithm(double x) {
    return log(fmax(1e-6, x));
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

/* Leaves the solver with the waits there; false: there is no such load. */
static bool solve_at_reference(fc_router_prepared *p, double capacity) {
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
    }
    return found && low.latency - empty > 1e-9 * empty && high.latency > low.latency;
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
        m->waits[at->from] += at->keep * (at->channel + at->turn);
    }
    for (uint32_t j = 0; j < s->movement_count; ++j) {
        const fc_solver_movement *at = &s->movements[j];
        const double rate = pairs[at->pair];
        pairs[at->pair] = 0; /* each pair of links counts once */
        const double in = over(rate, s->links[at->out].unit_rate);
        const double out = over(rate, s->links[at->in].unit_rate);
        m->into[at->out] += at->count * in * in;
        m->out_of[at->in] += out * out;
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

static void read_lane(const fc_router_solver *s, uint32_t l, const meetings *m,
                      fc_learned_lane *made) {
    const fc_solver_lane *lane = &s->lanes[l];
    const fc_solver_link *link = &s->links[lane->link];
    const double alone = fmax(1, lane->alone), room = s->timing.buffer * link->pace;
    const double loop = fmax(1, link->loop);
    const double fixed[FC_LANE_FIXED] = {link->kind == FC_INJECTION_LINK,
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
    const double loads[FC_LANE_LOADS] = {
        link->unit_flits, lane->unit_rate * lane->length / lane->channels,
        lane->unit_rate * alone / lane->channels,
        lane->unit_rate * lane->length * link->loop / (lane->channels * room),
        link->unit_flits * fc_burst_peak(&s->timing.injection)};
    const double solved[FC_LANE_SOLVED] = {logarithm(wait_of(s, l, m) / alone + 1e-4),
                                           lane->full,
                                           lane->rate * lane->holding / lane->channels,
                                           link->busy,
                                           logarithm(1e-3 + link->stall / alone),
                                           logarithm(1e-3 + link->lag / alone),
                                           link->load,
                                           logarithm(1e-3 + lane->behind / alone)};
    made->link = lane->link;
    set(made->fixed, fixed, FC_LANE_FIXED);
    set(made->loads, loads, FC_LANE_LOADS);
    set(made->solved, solved, FC_LANE_SOLVED);
    made->alone = (float)alone;
    made->bursts = sends_bursts(s, lane) ? (float)lane->unit_rate : 0;
    made->weight = (float)(lane->unit_rate * s->flows->multiple / s->flows->rate);
}

static void read_movement(const fc_router_solver *s, const fc_solver_movement *m,
                          fc_learned_movement *made) {
    const fc_solver_lane *to = &s->lanes[m->to];
    const double rate = m->count * m->unit_rate;
    const double fixed[FC_MOVEMENT_FIXED] = {m->keep,
                                             over(rate, to->unit_rate),
                                             m->together,
                                             logarithm(m->length / to->length),
                                             logarithm(m->outputs),
                                             over(rate, s->links[m->out].unit_rate),
                                             m->square / (m->length * m->length)};
    *made = (fc_learned_movement){.from = m->from, .to = m->to, .load = (float)(rate * m->length)};
    set(made->fixed, fixed, FC_MOVEMENT_FIXED);
}

/* ---- the whole ---- */

static fc_learned_bursts read_bursts(const fc_router_solver *s) {
    fc_learned_bursts bursts = {.injection = s->timing.injection};
    for (uint32_t l = 0; l < s->lane_count; ++l)
        if (sends_bursts(s, &s->lanes[l]))
            bursts.time = fmax(s->lanes[l].length, s->alone.source / s->timing.injection_channels);
    return bursts;
}

static void read_whole(const fc_router_prepared *p, float *whole) {
    const fc_routed *routed = p->routed;
    const fc_router_timing *timing = &p->solver->timing;
    const fc_injection *in = &routed->injection;
    const fc_message_kinds *kinds = &p->flows->kinds;
    const bool bursts = in->process == FC_ON_OFF, replies = kinds->count > 1;
    const double mean = kinds->mean[0], square = kinds->square[0];
    const double values[FC_WHOLE_INPUTS] = {timing->r,
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
                                            replies ? logarithm(kinds->mean[1] / kinds->mean[0])
                                                    : 0,
                                            replies ? logarithm(1 + kinds->memory) : 0};
    set(whole, values, FC_WHOLE_INPUTS);
}

void fc_learned_inputs_release(fc_learned_inputs *inputs) {
    fc_release(inputs->lanes);
    fc_release(inputs->movements);
}

static bool read_graph(const fc_router_solver *s, fc_learned_inputs *inputs) {
    meetings m = {.into = fc_allocate(s->link_count, sizeof *m.into),
                  .out_of = fc_allocate(s->link_count, sizeof *m.out_of),
                  .waits = fc_allocate(s->lane_count, sizeof *m.waits)};
    double *pairs = fc_allocate(s->pair_count, sizeof *pairs);
    const bool made = m.into && m.out_of && m.waits && pairs;
    if (made) {
        find_meetings(s, pairs, &m);
        for (uint32_t l = 0; l < s->lane_count; ++l)
            read_lane(s, l, &m, &inputs->lanes[l]);
        for (uint32_t j = 0; j < s->movement_count; ++j)
            read_movement(s, &s->movements[j], &inputs->movements[j]);
    }
    fc_release(m.into);
    fc_release(m.out_of);
    fc_release(m.waits);
    fc_release(pairs);
    return made;
}

fc_status fc_learned_inputs_create(fc_router_prepared *p, fc_error *error, bool *known,
                                   fc_learned_inputs *inputs) {
    fc_router_solver *s = p->solver;
    *inputs = (fc_learned_inputs){.lane_count = s->lane_count,
                                  .movement_count = s->movement_count,
                                  .link_count = s->link_count,
                                  .capacity = fc_router_capacity(p->flows),
                                  .empty = s->alone.latency};
    read_whole(p, inputs->whole);
    *known = fc_learned_whole_is_near(inputs->whole) && solve_at_reference(p, inputs->capacity);
    if (!*known)
        return FC_OK;
    inputs->tail_empty = fc_router_percentile_alone(s, 0.99);
    inputs->bursts = read_bursts(s);
    inputs->lanes = fc_allocate(s->lane_count, sizeof *inputs->lanes);
    inputs->movements = fc_allocate(s->movement_count, sizeof *inputs->movements);
    if (!inputs->lanes || !inputs->movements || !read_graph(s, inputs)) {
        fc_learned_inputs_release(inputs);
        return fc_fail_memory(error);
    }
    return FC_OK;
}
