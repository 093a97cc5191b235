#include "simulators/flit/torus_shadow.h"

#include <math.h>
#include "base/memory.h"

enum { PAIRS_MOST = 1 << 16, VISITS_MOST = 1 << 21 };

/* ---- numbers ----
 *
 * Queues: the channels by their numbers, the ejections, the injections, then the streams. A stream
 * is numbered by its queue and by what it comes out of: the slot of the channel into the node, or
 * its injection. */

static uint32_t ejection_of(const fc_geometry *geometry, uint32_t node) {
    return geometry->channels + node;
}

static uint32_t injection_of(const fc_geometry *geometry, uint32_t node) {
    return geometry->channels + geometry->nodes + node;
}

static uint32_t stream_of(const fc_geometry *geometry, uint32_t queue, uint32_t input) {
    return geometry->channels + 2 * geometry->nodes + queue * (geometry->slots + 1) + input;
}

static uint32_t count_queues(const fc_geometry *geometry) {
    return stream_of(geometry, ejection_of(geometry, geometry->nodes), 0);
}

static size_t pair_of(const fc_torus_network *network, uint32_t source, uint32_t destination) {
    return network->traffic->image ? source
                                   : (size_t)source * network->geometry->nodes + destination;
}

/* ---- plan ---- */

typedef struct planning {
    fc_torus_shadow_plan *plan;
    bool adaptive;
    uint32_t lead;
    fc_hop *hop;            /* of the longest path */
    fc_shadow_visit *visit; /* two more */
} planning;

void fc_torus_shadow_plan_free(fc_torus_shadow_plan *plan) {
    if (!plan)
        return;
    fc_shadow_plan_free(&plan->queues);
    fc_release(plan->path);
    fc_release(plan);
}

/* The visits of a path. Where a header has a choice its further path is not known: what is left is
 * the ejection, without a stream. */
static size_t follow(planning *p, uint32_t source, uint32_t to, uint32_t rising) {
    const fc_geometry *geometry = p->plan->network->geometry;
    const size_t hops = fc_route_hops(geometry, source, to, rising, p->hop);
    const bool known = !p->adaptive || p->hop[0].dimension == p->hop[hops - 1].dimension;
    uint32_t input = geometry->slots; /* the injection */
    size_t count = 0;
    p->visit[count++] = (fc_shadow_visit){injection_of(geometry, source), FC_NO_STREAM, 0};
    for (size_t i = 0; known && i < hops; ++i) {
        const uint32_t channel = p->hop[i].channel;
        p->visit[count++] =
            (fc_shadow_visit){channel, stream_of(geometry, channel, input), p->lead + (uint32_t)i};
        input = channel % geometry->slots;
    }
    const uint32_t last = ejection_of(geometry, to);
    p->visit[count++] = (fc_shadow_visit){
        last, known ? stream_of(geometry, last, input) : FC_NO_STREAM, p->lead + (uint32_t)hops};
    return count;
}

static uint32_t count_bits(uint32_t mask) {
    return (uint32_t)__builtin_popcount(mask);
}

/* The paths of a pair: half-way round a ring both directions are as likely. They are in the order
 * of the numbers that the bits of their directions make. */
static fc_status plan_pair(planning *p, uint32_t source, uint32_t to, double share,
                           fc_error *error) {
    fc_torus_shadow_plan *plan = p->plan;
    uint32_t ties, set = 0;
    const uint32_t fixed = fc_route_rising(plan->network->geometry, source, to, &ties) & ~ties;
    plan->path[pair_of(plan->network, source, to)] = plan->queues.paths;
    do {
        const size_t count = follow(p, source, to, fixed | set);
        const fc_status status = fc_shadow_plan_path(
            &plan->queues, ldexp(share, -(int)count_bits(ties)), p->visit, count, error);
        if (status != FC_OK)
            return status;
        set = (set - ties) & ties; /* the next subset of the ties */
    } while (set != 0);
    return FC_OK;
}

static fc_status plan_all(planning *p, fc_error *error, bool *few) {
    fc_torus_shadow_plan *plan = p->plan;
    const fc_torus_network *network = plan->network;
    const fc_traffic *traffic = network->traffic;
    const uint32_t nodes = network->geometry->nodes;
    fc_status status = fc_shadow_plan_create(count_queues(network->geometry), error, &plan->queues);
    for (uint32_t i = 0; i < traffic->senders; ++i) {
        const uint32_t source = traffic->sender[i];
        for (uint32_t to = 0; status == FC_OK && *few && to < nodes; ++to) {
            const double share = fc_traffic_share(traffic, source, to);
            if (share > 0)
                status = plan_pair(p, source, to, share, error);
            *few = plan->queues.visits < VISITS_MOST;
        }
        if (status != FC_OK || !*few)
            return status;
        fc_shadow_plan_sender(&plan->queues, network->torus->rate);
    }
    const double flits = plan->flits;
    const fc_shadow_law law = {.trials = INFINITY, .flits = flits, .flits_squared = flits * flits};
    fc_shadow_plan_finish(&plan->queues, &law);
    return FC_OK;
}

static bool worth_it(const fc_scenario *scenario, const fc_torus_network *network) {
    return scenario->simulation.controls == FC_CONTROLS_AUTO && network->torus->kind == FC_OPEN &&
           (double)network->traffic->senders * network->geometry->nodes <= PAIRS_MOST;
}

fc_status fc_torus_shadow_plan_create(const fc_scenario *scenario, const fc_torus_network *network,
                                      bool adaptive, uint32_t lead, fc_error *error,
                                      fc_torus_shadow_plan **created) {
    *created = NULL;
    if (!worth_it(scenario, network))
        return FC_OK;
    const size_t nodes = network->geometry->nodes,
                 longest = fc_geometry_diameter(network->geometry);
    fc_torus_shadow_plan *plan = fc_allocate(1, sizeof *plan);
    planning p = {.plan = plan,
                  .adaptive = adaptive,
                  .lead = lead,
                  .hop = fc_allocate(longest + 1, sizeof *p.hop),
                  .visit = fc_allocate(longest + 2, sizeof *p.visit)};
    bool few = true;
    if (plan) {
        plan->network = network;
        plan->flits = (uint32_t)network->torus->message_flits;
        plan->path =
            fc_allocate(network->traffic->image ? nodes : nodes * nodes, sizeof *plan->path);
    }
    const bool made = plan && plan->path && p.hop && p.visit;
    const fc_status status = made ? plan_all(&p, error, &few) : fc_fail_memory(error);
    if (status == FC_OK && few)
        *created = plan;
    else
        fc_torus_shadow_plan_free(plan);
    fc_release(p.hop);
    fc_release(p.visit);
    return status;
}

/* ---- replication ---- */

fc_status fc_torus_shadow_create(const fc_torus_shadow_plan *plan, fc_error *error,
                                 fc_torus_shadow *shadow) {
    shadow->plan = plan;
    return plan ? fc_shadow_create(&plan->queues, error, &shadow->queues) : FC_OK;
}

void fc_torus_shadow_free(fc_torus_shadow *shadow) {
    fc_shadow_free(&shadow->queues);
}

/* The number that the bits of `value` under the mask make. */
static uint32_t extract(uint32_t value, uint32_t mask) {
    uint32_t number = 0;
    for (uint32_t bit = 1; mask; bit <<= 1, mask &= mask - 1)
        number |= value & mask & (0u - mask) ? bit : 0;
    return number;
}

fc_status fc_torus_shadow_message(fc_torus_shadow *shadow, uint64_t cycle, fc_torus_journey journey,
                                  fc_error *error) {
    const fc_torus_shadow_plan *plan = shadow->plan;
    if (!plan)
        return FC_OK;
    const uint32_t first = plan->path[pair_of(plan->network, journey.source, journey.destination)];
    return fc_shadow_message(&shadow->queues, cycle, first + extract(journey.rising, journey.ties),
                             plan->flits, error);
}

double fc_torus_shadow_surplus(fc_torus_shadow *shadow, uint64_t until, uint64_t cycles) {
    return shadow->plan ? fc_shadow_surplus(&shadow->queues, until, (double)cycles) : 0;
}
