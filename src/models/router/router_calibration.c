/* What the calibration of router-queueing looks at: the channels, buffers over credit loops, ports,
 * lengths, the shape of the network and of the traffic; and the model's own answer at two reference
 * loads, the higher one half of what the busiest link carries, or a quarter, an eighth, ..., the
 * first at which it has one. Nothing of it depends on the load that is asked for. */
#include "models/router/router_calibration.h"

#include <math.h>
#include "models/router/router_models.h"
#include "models/router/router_percentiles.h"
#include "scenario/torus.h"

/* A few rounds tell enough of a network that is like others: 8x8 nodes are to cost below 5 ms. */
enum { ROUNDS_LOW = 3, ROUNDS_HIGH = 4, HALVINGS_MAX = 12 };
static const double rough = 1e-3;
static const double longest = 20; /* times the latency of the empty network */

/* ---- the network ---- */

/* Virtual channels that a message may choose from on a link. */
static double choices(const fc_scenario *scenario, const fc_routed *routed) {
    const fc_torus *torus = scenario->parameters;
    double channels = (double)routed->virtual_channels;
    if (routed->requests.count)
        channels /= 2;
    if (scenario->family == &fc_torus_family) {
        if (torus->topology == FC_TORUS)
            channels /= 2; /* wrapping, dateline */
        if (torus->routing == FC_O1TURN || torus->routing == FC_VALIANT)
            channels /= 2;
    }
    return fmax(1, channels);
}

typedef struct lengths {
    double mean, square;
} lengths;

static lengths lengths_of(const fc_message_kinds *kinds) {
    lengths sum = {0};
    for (size_t k = 0; k < kinds->count; ++k) {
        sum.mean += kinds->mean[k] / (double)kinds->count;
        sum.square += kinds->square[k] / (double)kinds->count;
    }
    return sum;
}

/* Loads of links of a kind, in flits per cycle at traffic.rate = 1. */
typedef struct loads {
    double most, mean, count, used;
} loads;

static loads loads_of(const fc_router_flows *flows, fc_link_kind kind) {
    loads sum = {0};
    for (uint32_t i = 0; i < flows->link_count; ++i) {
        const fc_flow_link *link = &flows->links[i];
        if (link->kind != kind)
            continue;
        const double load = link->flits * link->pace;
        sum.most = fmax(sum.most, load);
        sum.mean += load;
        sum.used += load > 0;
        ++sum.count;
    }
    sum.mean /= fmax(1, sum.count);
    return sum;
}

static double loop_of(const fc_routed *routed) {
    return (double)(2 * routed->router_delay[FC_STAGE_SWITCH] +
                    routed->router_delay[FC_STAGE_CROSSING] + 2 * routed->link_delay +
                    routed->credit_delay);
}

/* Rates at which the virtual channels of a lane would be full, the least of all lanes: by the
 * credits that come back, and by the time for which a message alone holds a channel. */
typedef struct bounds {
    double credits, holding;
} bounds;

static bounds bounds_of(const fc_router_flows *flows, double buffer) {
    bounds least = {(double)INFINITY, (double)INFINITY};
    for (uint32_t l = 0; l < flows->lane_count; ++l) {
        const fc_lane *lane = &flows->lanes[l];
        const fc_flow_link *link = &flows->links[lane->link];
        if (link->kind != FC_ROUTER_LINK || !(lane->rate > 0))
            continue;
        least.credits = fmin(least.credits, lane->channels * buffer / link->loop / lane->flits);
        least.holding = fmin(least.holding, lane->channels / lane->hold);
    }
    return least;
}

static bool has_dateline(const fc_scenario *scenario) {
    const fc_torus *torus = scenario->parameters;
    return scenario->family == &fc_torus_family && torus->topology == FC_TORUS &&
           torus->channel_rule == FC_DATELINE;
}

/* Movements that bring most of a link's messages: 1 if all come from one input. */
static double inputs_of_busiest(const fc_router_solver *s) {
    uint32_t busiest = 0;
    double sum = 0, squares = 0;
    for (uint32_t c = 1; c < s->link_count; ++c)
        if (s->links[c].unit_flits > s->links[busiest].unit_flits)
            busiest = c;
    for (uint32_t j = 0; j < s->movement_count; ++j) {
        const fc_solver_movement *m = &s->movements[j];
        if (m->out != busiest)
            continue;
        sum += m->count * m->unit_rate;
        squares += m->count * m->unit_rate * m->unit_rate;
    }
    return squares > 0 ? sum * sum / squares : 1;
}

static void add(fc_reference *r, double value) {
    r->input[r->inputs++] = value;
}

static void read_network(const fc_scenario *scenario, const fc_router_prepared *p, bounds most_of,
                         double capacity, fc_reference *r) {
    const fc_routed *routed = p->routed;
    const lengths length = lengths_of(&p->flows->kinds);
    const double loop = loop_of(routed), buffer = (double)routed->buffer;
    const double channels = choices(scenario, routed), nodes = (double)routed->nodes;
    const fc_injection *injection = &routed->injection;
    const loads links = loads_of(p->flows, FC_ROUTER_LINK);
    const loads ejection = loads_of(p->flows, FC_EJECTION_LINK);
    const loads sources = loads_of(p->flows, FC_INJECTION_LINK);
    const double most = fmax(links.most, fmax(ejection.most, sources.most));
    add(r, log(channels));
    add(r, log(length.mean));
    add(r, log(buffer / loop));
    add(r, log(length.mean / buffer));
    add(r, log(channels * buffer / loop));
    add(r, log(buffer));
    add(r, routed->input_speedup == 1);
    add(r, log((double)routed->injection_channels));
    add(r, (double)(routed->router_delay[FC_STAGE_ROUTING] +
                    routed->router_delay[FC_STAGE_ALLOCATION]));
    add(r, log(fc_router_hops(p->flows)));
    add(r, links.mean / fmax(1e-12, links.most));
    add(r, links.used / fmax(1, links.count));
    add(r, ejection.most / most);
    add(r, sources.most / most);
    add(r, log(inputs_of_busiest(p->solver)));
    add(r, length.square / (length.mean * length.mean));
    add(r, injection->process == FC_ON_OFF ? log((injection->on + injection->off) / injection->on)
           : injection->process == FC_BERNOULLI ? -0.2
                                                : 0);
    add(r, routed->requests.count > 0);
    add(r, routed->switching == FC_CUT_THROUGH);
    add(r, routed->adaptive);
    add(r, log(links.count * p->flows->multiple / nodes));
    add(r, log(nodes));
    add(r, log(fmax(1, routed->internal_speedup)));
    add(r, p->solver->timing.stalled_rounds);
    add(r, has_dateline(scenario));
    add(r, fmin(2, log(most_of.credits / capacity)));
    add(r, fmin(2, log(most_of.holding / capacity)));
}

/* How unevenly links are loaded, and how much of the traffic crosses the busiest one. */
static void read_skew(const fc_router_flows *flows, fc_reference *r) {
    const double most = loads_of(flows, FC_ROUTER_LINK).most;
    double links = 0, near = 0, over_half = 0, sum = 0, squares = 0;
    for (uint32_t i = 0; i < flows->link_count; ++i) {
        if (flows->links[i].kind != FC_ROUTER_LINK)
            continue;
        const double load = flows->links[i].flits * flows->links[i].pace;
        ++links;
        near += load > 0.9 * most;
        over_half += load > 0.6 * most;
        sum += load;
        squares += load * load;
    }
    const fc_flow_link *busiest = &flows->links[fc_router_busiest(flows)];
    links = fmax(1, links);
    add(r, near / links);
    add(r, over_half / links);
    add(r, squares > 0 ? sum * sum / squares / links : 1);
    add(r, log(busiest->rate * flows->multiple / flows->rate));
}

/* Whether messages stay together from link to link, whether they meet busy ones, and how evenly
 * the channels of a link are used. */
static void read_streams(const fc_router_solver *s, double capacity, fc_reference *r) {
    double rate = 0, together = 0, met = 0, even = 1;
    for (uint32_t j = 0; j < s->movement_count; ++j) {
        const fc_solver_movement *m = &s->movements[j];
        if (s->links[m->in].kind != FC_ROUTER_LINK || s->links[m->out].kind != FC_ROUTER_LINK)
            continue;
        const double weight = m->count * m->unit_rate;
        rate += weight;
        together += weight * m->together;
        met += weight * s->links[m->out].unit_flits * capacity;
    }
    for (uint32_t c = 0; c < s->link_count; ++c) {
        const fc_solver_link *link = &s->links[c];
        if (link->kind == FC_ROUTER_LINK && link->unit_rate > 0)
            even = fmin(even, link->even_channels / link->used_channels);
    }
    add(r, rate > 0 ? together / rate : 1);
    add(r, rate > 0 ? met / rate : 0);
    add(r, even);
}

/* Topology and routing, the rest of the delays, and what a source sends. */
static void read_rules(const fc_scenario *scenario, const fc_router_prepared *p, fc_reference *r) {
    enum { OTHER_TOPOLOGY = 7, ORDERED = 1, O1TURN, VALIANT, OTHER_OBLIVIOUS, OTHER_ADAPTIVE };
    const fc_routed *routed = p->routed;
    const fc_torus *torus = scenario->parameters;
    const bool grid = scenario->family == &fc_torus_family;
    const fc_injection *injection = &routed->injection;
    const fc_message_kinds *kinds = &p->flows->kinds;
    const bool bursts = injection->process == FC_ON_OFF;
    add(r, !grid                          ? (routed->adaptive ? OTHER_ADAPTIVE : OTHER_OBLIVIOUS)
           : torus->routing == FC_VALIANT ? VALIANT
           : torus->routing == FC_O1TURN  ? O1TURN
                                          : ORDERED);
    add(r, grid ? (double)torus->topology : OTHER_TOPOLOGY);
    add(r, log((double)routed->virtual_channels));
    add(r, bursts ? log(injection->on) : 0);
    add(r, bursts ? log(injection->off) : 0);
    add(r, kinds->count > 1 ? log(kinds->mean[1] / kinds->mean[0]) : -3);
    add(r, log(p->solver->alone.latency / fmax(1, p->solver->alone.source)));
    add(r, log(fmax(1, p->solver->alone.source)));
    add(r, log((double)kinds->longest / (double)routed->buffer));
    /* none shorter than 2 was simulated */
    add(r, fmax(2, (double)(routed->router_delay[FC_STAGE_SWITCH] +
                            routed->router_delay[FC_STAGE_CROSSING] + routed->link_delay)));
    add(r, (double)routed->credit_delay);
    add(r, p->flows->senders / (double)routed->nodes);
}

/* ---- the model's answers ---- */

void fc_router_read_state(const fc_router_solver *s, const fc_router_solution *solution,
                          fc_reference *r) {
    const double excess = fmax(1e-9, solution->latency - s->alone.latency);
    double busy = 0, load = 0, use = 0, held = 0, full = 0;
    for (uint32_t c = 0; c < s->link_count; ++c) {
        busy = fmax(busy, s->links[c].busy);
        load = fmax(load, s->links[c].load);
    }
    for (uint32_t l = 0; l < s->lane_count; ++l) {
        const fc_solver_lane *lane = &s->lanes[l];
        use = fmax(use, lane->use);
        held = fmax(held, lane->rate * lane->holding / lane->channels);
        full = fmax(full, lane->full);
    }
    const double values[] = {log(excess / s->alone.latency),
                             solution->source / excess,
                             solution->channel / excess,
                             (solution->behind + solution->credit) / excess,
                             solution->credit / excess,
                             solution->lag / excess,
                             busy,
                             log(fmax(1e-6, busy) / fmax(1e-6, load)),
                             use,
                             held,
                             full};
    r->states = sizeof values / sizeof *values;
    for (size_t i = 0; i < r->states; ++i)
        r->state[i] = values[i];
}

static bool answers(const fc_router_solver *s, const fc_router_solution *solution) {
    return !solution->saturated && solution->latency < longest * s->alone.latency;
}

/* The hyperbola through the excess at two loads, the second twice the first. */
static double scale_of(double low, double high) {
    const double bend = 1 / low - 2 / high; /* over the first load */
    return 1 / fmax(bend, 0.02 / low);
}

void fc_router_find_reference(const fc_scenario *scenario, fc_router_prepared *p, fc_reference *r) {
    static const double levels[] = {[FC_P50] = 0.5, [FC_P95] = 0.95, [FC_P99] = 0.99};
    const double capacity = fc_router_capacity(p->flows), empty = p->solver->alone.latency;
    const bounds most_of = bounds_of(p->flows, (double)p->routed->buffer);
    double load = 0.25 * fmin(capacity, most_of.holding);
    fc_router_solution low = {.saturated = true}, high = low;
    *r = (fc_reference){.found = false};
    if (!isfinite(capacity))
        return;
    for (int i = 0; i < HALVINGS_MAX && !r->found; ++i, load /= 2) {
        fc_router_solve(p->solver, load, rough, ROUNDS_LOW, &low);
        if (!answers(p->solver, &low))
            continue;
        fc_router_solve_again(p->solver, 2 * load, rough, ROUNDS_HIGH, &high);
        r->found = answers(p->solver, &high);
        r->load = 2 * load;
    }
    const double first = low.latency - empty, second = high.latency - empty;
    r->found &= first > 1e-9 * empty && second > first;
    if (!r->found)
        return;
    r->scale = scale_of(first, second);
    r->empty[FC_MEAN] = empty;
    for (int k = FC_P50; k < FC_LATENCIES; ++k)
        r->empty[k] = fc_router_percentile_alone(p->solver, levels[k]);
    read_network(scenario, p, most_of, capacity, r);
    add(r, log(r->load / capacity));
    add(r, log(r->scale / empty));
    add(r, log(second / first));
    fc_router_read_state(p->solver, &high, r);
    for (size_t i = 0; i < r->states; ++i)
        add(r, r->state[i]);
    read_skew(p->flows, r);
    read_streams(p->solver, capacity, r);
    read_rules(scenario, p, r);
}
