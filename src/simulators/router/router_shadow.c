#include "simulators/router/router_shadow.h"

#include "base/memory.h"

/* More replications than this have their precision from their number, and run on engines that are
 * much faster than this. */
enum { REPLICATIONS_MOST = 64 };
/* Pairs of nodes, paths (of all variants), and visits of queues on all of them. */
enum { PAIRS_MOST = 1 << 16, PATHS_MOST = 1 << 18, VISITS_MOST = 1 << 21, VISITS_OF_PATH = 1024 };

/* ---- plan ---- */

typedef struct planning {
    fc_router_shadow_plan *plan;
    uint32_t stages;
    uint32_t *stream_first; /* routers: the first stream, of its first input to its first output */
    fc_shadow_visit visit[VISITS_OF_PATH];
} planning;

void fc_router_shadow_plan_free(fc_router_shadow_plan *plan) {
    if (!plan)
        return;
    fc_shadow_plan_free(&plan->queues);
    fc_release(plan->path);
    fc_release(plan);
}

/* Queues: the outputs, then the injections of the nodes, then the streams through routers. */
static uint32_t number_streams(const fc_router_network *network, uint32_t *first) {
    uint32_t next = network->outputs + network->nodes;
    for (uint32_t r = 0; r < network->routers; ++r) {
        first[r] = next;
        next += (network->input_first[r + 1] - network->input_first[r]) *
                (network->output_first[r + 1] - network->output_first[r]);
    }
    return next;
}

static uint32_t stream_of(const planning *p, uint32_t input, uint32_t output) {
    const fc_router_network *network = p->plan->network;
    const uint32_t r = network->output_router[output];
    const uint32_t outputs = network->output_first[r + 1] - network->output_first[r];
    return p->stream_first[r] + (input - network->input_first[r]) * outputs + output -
           network->output_first[r];
}

/* The visits of a path. Where a header has a choice its further path is not known: what is left is
 * the ejection, without streams. */
static size_t follow(planning *p, uint32_t source, uint32_t to, uint32_t variant) {
    const fc_router_network *network = p->plan->network;
    fc_course course = {.source = source, .destination = to, .channels = UINT64_MAX};
    uint32_t input = network->node_input[source], delay = 0;
    bool known = !network->alternatives;
    size_t count = 0;
    p->visit[count++] = (fc_shadow_visit){network->outputs + source, FC_NO_STREAM, 0};
    network->begin(network, variant, &course);
    for (;;) {
        fc_route_candidates candidates;
        network->route(network, input, 0, &course, &candidates);
        const uint32_t output = candidates.list[0].output;
        const bool last = network->output_end[output] & FC_TO_NODE;
        for (uint32_t i = 1; i < candidates.count; ++i)
            known = known && candidates.list[i].output == output;
        if ((known || last) && count < VISITS_OF_PATH)
            p->visit[count++] = (fc_shadow_visit){
                output, known ? stream_of(p, input, output) : FC_NO_STREAM, delay};
        if (last)
            return count;
        delay += p->stages + network->output_delay[output];
        input = network->output_end[output];
    }
}

/* False if there are too many paths. */
static fc_status plan_sender(planning *p, uint32_t source, fc_error *error, bool *few) {
    fc_router_shadow_plan *plan = p->plan;
    const fc_router_network *network = plan->network;
    const fc_traffic *traffic = plan->traffic;
    const uint32_t first = traffic->image ? traffic->image[source] : 0;
    const uint32_t end = traffic->image ? first + 1 : network->nodes;
    for (uint32_t to = first; to < end; ++to) {
        const double share = fc_traffic_share(traffic, source, to);
        if (!(share > 0))
            continue;
        plan->path[traffic->image ? source : source * network->nodes + to] = plan->queues.paths;
        const uint32_t variants = network->variants ? network->variants(network, source, to) : 1;
        for (uint32_t v = 0; v < variants && *few; ++v) {
            const size_t count = follow(p, source, to, v);
            const fc_status status =
                fc_shadow_plan_path(&plan->queues, share / variants, p->visit, count, error);
            if (status != FC_OK)
                return status;
            *few = plan->queues.paths < PATHS_MOST && plan->queues.visits < VISITS_MOST;
        }
    }
    const double *weights = plan->routed->destinations ? plan->routed->destinations->weights : NULL;
    fc_shadow_plan_sender(&plan->queues, plan->routed->rate * (weights ? weights[source] : 1));
    return FC_OK;
}

static fc_shadow_law law_of(const fc_routed *routed, const fc_lengths *lengths) {
    fc_shadow_law law = {
        .trials = routed->injection.process == FC_POISSON ? (double)(1 << FC_POISSON_BITS) : 1};
    for (size_t i = 0; i < lengths->count; ++i) {
        const double flits = (double)lengths->flits[i];
        law.flits += lengths->share[i] * flits;
        law.flits_squared += lengths->share[i] * flits * flits;
    }
    return law;
}

static fc_status plan_all(planning *p, fc_error *error, bool *few) {
    fc_router_shadow_plan *plan = p->plan;
    const fc_routed *routed = plan->routed;
    const uint32_t nodes = plan->network->nodes;
    for (int stage = 0; stage < FC_ROUTER_STAGES; ++stage)
        p->stages += (uint32_t)routed->router_delay[stage];
    plan->path =
        fc_allocate((size_t)nodes * (plan->traffic->image ? 1 : nodes), sizeof *plan->path);
    if (!plan->path)
        return fc_fail_memory(error);
    fc_status status =
        fc_shadow_plan_create(number_streams(plan->network, p->stream_first), error, &plan->queues);
    for (uint32_t i = 0; status == FC_OK && *few && i < plan->traffic->senders; ++i)
        status = plan_sender(p, plan->traffic->sender[i], error, few);
    const fc_shadow_law law = law_of(routed, &plan->lengths);
    if (status == FC_OK)
        fc_shadow_plan_finish(&plan->queues, &law);
    return status;
}

static bool worth_it(const fc_scenario *scenario, const fc_router_network *network,
                     const fc_traffic *traffic) {
    const fc_routed *routed = fc_scenario_routed(scenario);
    return scenario->simulation.replications <= REPLICATIONS_MOST && !routed->requests.count &&
           !routed->given && !routed->profile && !network->ports &&
           routed->injection.process != FC_ON_OFF &&
           (double)traffic->senders * (traffic->image ? 1 : network->nodes) <= PAIRS_MOST;
}

fc_status fc_router_shadow_plan_create(const fc_scenario *scenario,
                                       const fc_router_network *network, const fc_traffic *traffic,
                                       fc_error *error, fc_router_shadow_plan **created) {
    *created = NULL;
    if (!worth_it(scenario, network, traffic))
        return FC_OK;
    fc_router_shadow_plan *plan = fc_allocate(1, sizeof *plan);
    planning *p = fc_allocate(1, sizeof *p);
    uint32_t *stream_first = fc_allocate(network->routers, sizeof *stream_first);
    bool few = true;
    fc_status status = FC_OK;
    if (plan && p && stream_first) {
        const fc_routed *routed = fc_scenario_routed(scenario);
        *plan = (fc_router_shadow_plan){.network = network,
                                        .traffic = traffic,
                                        .routed = routed,
                                        .lengths = fc_classes_of(routed).list[0].lengths};
        plan->sorts = fc_sorts_of(&plan->lengths);
        p->plan = plan;
        p->stream_first = stream_first;
        status = plan_all(p, error, &few);
    } else {
        status = fc_fail_memory(error);
    }
    if (status == FC_OK && few)
        *created = plan;
    else
        fc_router_shadow_plan_free(plan);
    fc_release(p);
    fc_release(stream_first);
    return status;
}

/* ---- replication ---- */

fc_status fc_router_shadow_create(const fc_router_shadow_plan *plan, fc_error *error,
                                  fc_router_shadow *shadow) {
    shadow->plan = plan;
    return fc_shadow_create(&plan->queues, error, &shadow->queues);
}

fc_status fc_router_shadow_draw(fc_router_shadow *shadow, uint64_t seed, uint32_t replication,
                                fc_error *error) {
    const fc_routed *routed = shadow->plan->routed;
    const fc_traffic *traffic = shadow->plan->traffic;
    shadow->draws = true;
    const fc_arrival_law law = fc_arrival_law_of(routed, 1, routed->destinations, 0);
    return fc_arrivals_start(&law, traffic->sender, traffic->senders,
                             (fc_random_key){seed, replication}, error, &shadow->arrivals);
}

void fc_router_shadow_free(fc_router_shadow *shadow) {
    fc_arrivals_free(&shadow->arrivals);
    fc_shadow_free(&shadow->queues);
}

fc_status fc_router_shadow_message(fc_router_shadow *shadow, uint64_t cycle, uint32_t source,
                                   const fc_drawn_message *message, fc_error *error) {
    const fc_router_shadow_plan *plan = shadow->plan;
    const uint32_t pair =
        plan->traffic->image ? source : source * plan->network->nodes + message->destination;
    return fc_shadow_message(&shadow->queues, cycle, plan->path[pair] + message->way,
                             message->flits, error);
}

static fc_status draw_until(fc_router_shadow *shadow, uint64_t until, fc_error *error) {
    const fc_router_shadow_plan *plan = shadow->plan;
    fc_status status = FC_OK;
    for (uint64_t now; (now = fc_arrivals_next(&shadow->arrivals)) < until;) {
        uint32_t node;
        fc_random random;
        while (status == FC_OK &&
               (node = fc_arrivals_take(&shadow->arrivals, now, &random)) != UINT32_MAX) {
            const fc_drawn_message drawn = fc_draw_message(
                plan->network, plan->traffic, &plan->lengths, &plan->sorts, node, &random);
            status = fc_router_shadow_message(shadow, now, node, &drawn, error);
        }
        if (status != FC_OK)
            return status;
    }
    return FC_OK;
}

fc_status fc_router_shadow_advance(fc_router_shadow *shadow, uint64_t until, uint64_t cycles,
                                   fc_error *error, double *surplus) {
    const fc_status status = shadow->draws ? draw_until(shadow, until, error) : FC_OK;
    if (status == FC_OK)
        *surplus = fc_shadow_surplus(&shadow->queues, until, (double)cycles);
    return status;
}
