#include "network/router_detour.h"

#include "base/memory.h"

#include "scenario/families/fabric_rules.h"

/* course.choice is the middle; course.state: */
enum {
    UNDECIDED = 1, /* goes minimally, may yet take a detour */
    DETOUR = 2,    /* on its way to the middle */
    LAYER_SHIFT = 4,
    LAYER_MASK = 15 << LAYER_SHIFT,
    DRAW_SHIFT = 8,
};

static inline const fc_detour *detour_of(const fc_router_network *network) {
    return network->topology;
}

static inline uint32_t target_router(const fc_router_network *network, const fc_course *course) {
    return network->output_router[network->node_output[course->destination]];
}

static inline bool at_first_router(const fc_router_network *network, uint32_t input) {
    return network->input_begin[input] & FC_TO_NODE;
}

/* ---- what is drawn ---- */

static uint32_t variants(const fc_router_network *network, uint32_t source, uint32_t destination) {
    (void)source, (void)destination;
    const fc_detour *detour = detour_of(network);
    return (detour->routing == FC_ROUTE_MINIMAL ? 1 : detour->middles) * detour->draws;
}

static void begin(const fc_router_network *network, uint32_t variant, fc_course *course) {
    const fc_detour *detour = detour_of(network);
    const uint32_t mode = detour->routing == FC_ROUTE_MINIMAL   ? 0
                          : detour->routing == FC_ROUTE_VALIANT ? DETOUR
                                                                : UNDECIDED;
    course->choice = variant / detour->draws * detour->middle_step;
    course->state = mode | (variant % detour->draws) << DRAW_SHIFT;
}

/* ---- going on ---- */

static inline uint32_t rise_if(uint32_t state, bool condition) {
    return state + ((uint32_t)condition << LAYER_SHIFT);
}

static void route(const fc_router_network *network, uint32_t input, uint32_t channel,
                  fc_course *course, fc_route_candidates *candidates) {
    (void)channel;
    const fc_detour *detour = detour_of(network);
    const fc_detour_topology *kind = detour->kind;
    const uint32_t at = network->input_router[input], to = target_router(network, course);
    if (at == to) {
        fc_candidates_eject(candidates, network, course);
        if (detour->eject_by_layer)
            candidates->list[0].channels =
                fc_layer(&detour->layers, course, (course->state & LAYER_MASK) >> LAYER_SHIFT);
        return;
    }
    uint32_t state = course->state;
    if (state & DETOUR && kind->reached(network, at, course->choice))
        state = rise_if(state & ~(uint32_t)DETOUR, kind->rises & FC_RISE_MIDDLE);
    if (kind->rises & FC_RISE_LINK)
        state = rise_if(state, !at_first_router(network, input));
    uint32_t count;
    const uint32_t output =
        kind->step(network, at, state & DETOUR ? course->choice : to, state >> DRAW_SHIFT, &count);
    if (kind->rises & FC_RISE_GLOBAL)
        state = rise_if(state, kind->is_global(network, output));
    course->state = state;
    const uint64_t channels =
        fc_layer(&detour->layers, course, (state & LAYER_MASK) >> LAYER_SHIFT);
    for (uint32_t i = 0; i < count; ++i)
        candidates->list[i] = (fc_route_candidate){output + i, channels};
    candidates->count = candidates->preferred = count;
}

/* ---- choosing ---- */

static fc_alternative look_at(const fc_router_network *network, const fc_course *course,
                              uint32_t at, uint32_t to, uint32_t state) {
    const fc_detour *detour = detour_of(network);
    fc_alternative made = {.state = state};
    made.output = detour->kind->step(network, at, to, state >> DRAW_SHIFT, &made.outputs);
    if (detour->kind->rises & FC_RISE_GLOBAL)
        state = rise_if(state, detour->kind->is_global(network, made.output));
    made.channels = fc_layer(&detour->layers, course, (state & LAYER_MASK) >> LAYER_SHIFT);
    return made;
}

static uint32_t alternatives(const fc_router_network *network, uint32_t input,
                             const fc_course *course,
                             fc_alternative alternative[FC_ALTERNATIVES_MAX]) {
    const fc_detour *detour = detour_of(network);
    const fc_detour_topology *kind = detour->kind;
    const uint32_t at = network->input_router[input], to = target_router(network, course);
    const bool first = at_first_router(network, input);
    const bool progressive = detour->routing == FC_ROUTE_PROGRESSIVE;
    if (!(course->state & UNDECIDED) || at == to || !(first || progressive) ||
        (kind->undecided_at && !kind->undecided_at(network, at, to)))
        return 0;
    const uint32_t middle =
        kind->middle_from ? kind->middle_from(network, at, to, course->choice) : course->choice;
    const uint32_t decided = course->state & ~(uint32_t)UNDECIDED;
    if (kind->reached(network, at, middle) || kind->reached(network, to, middle)) {
        if (progressive)
            return 0;
        alternative[0] = look_at(network, course, at, to, rise_if(decided, kind->direct_above));
        alternative[0].weight = 1;
        return 1;
    }
    const bool leaves = kind->rises & FC_RISE_DETOUR || (kind->rises & FC_RISE_LEAVE && !first);
    alternative[0] = look_at(network, course, at, to,
                             progressive ? course->state : rise_if(decided, kind->direct_above));
    alternative[0].choice = course->choice;
    alternative[0].weight = kind->weight(network, at, to);
    alternative[1] = look_at(network, course, at, middle, rise_if(decided | DETOUR, leaves));
    alternative[1].choice = middle;
    alternative[1].weight = kind->weight(network, at, middle) + kind->weight(network, middle, to);
    return 2;
}

static void install(const fc_fabric *fabric, fc_router_network *network) {
    fc_detour *detour = network->topology;
    detour->routing = fabric->routing;
    detour->eject_by_layer = fabric->ejection_choice == FC_EJECT_LAYER;

    fc_layers_divide(&fabric->routed, fc_fabric_layers(fabric), &detour->layers);
    network->nodes_alike = true;
    network->variants = detour->routing == FC_ROUTE_MINIMAL && detour->draws == 1 ? NULL : variants;
    network->begin = begin;
    network->route = route;
    if (detour->routing != FC_ROUTE_MINIMAL && detour->routing != FC_ROUTE_VALIANT)
        network->alternatives = alternatives;
    network->bias = (uint32_t)fabric->bias;
    network->count_waiting = fabric->queues == FC_QUEUES_ROUTER;
    network->channels_apart = network->count_waiting &&
                              (detour->kind->rises & FC_RISE_DETOUR || detour->kind->direct_above);
    network->whole_queue = detour->routing == FC_ROUTE_UGAL_GLOBAL;
}

static fc_status wire(const fc_fabric *fabric, const fc_routed *routed, const fc_detour_plan *plan,
                      fc_error *error, fc_router_network **network) {
    fc_router_link *link = fc_allocate(plan->links, sizeof *link);
    fc_status status = link ? FC_OK : fc_fail_memory(error);
    if (status == FC_OK) {
        plan->list_links(fabric, plan->topology, link);
        const fc_wiring wiring = {.nodes = plan->routers * plan->hosts,
                                  .routers = plan->routers,
                                  .links = plan->links,
                                  .link = link,
                                  .hosts = plan->hosts,
                                  .node_delay = (uint32_t)routed->node_delay,
                                  .virtual_channels = (uint32_t)routed->virtual_channels};
        status = fc_router_network_wire(&wiring, error, network);
    }
    fc_release(link);
    return status;
}

fc_status fc_detour_build(const fc_fabric *fabric, const fc_routed *routed,
                          const fc_detour_plan *plan, fc_error *error,
                          fc_router_network **network) {
    const fc_status status = wire(fabric, routed, plan, error, network);
    if (status != FC_OK) {
        plan->release(plan->topology);
        return status;
    }
    (*network)->topology = plan->topology;
    (*network)->release_topology = plan->release;
    if (!routed->around)
        install(fabric, *network);
    return FC_OK;
}
