#include "simulators/ensemble/ensemble_plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "network/channel_rule.h"
#include "network/geometry.h"
#include "scenario/families/fabric_rules.h"
#include "simulators/ensemble/ensemble.h"
#include "simulators/arrivals.h"

enum { MOST_CHANNELS = 8, MOST_BUFFER = 31, MOST_FLITS = 64, MOST_ROUTERS = 4096, MOST_DELAY = 64 };
enum { MOST_PAIRS = 1 << 22 };

/* ---- what is covered ---- */

static fc_status refuse(fc_error *error, const char *what) {
    return fc_fail(error, FC_ERROR_UNSUPPORTED, "engines other than events do not cover %s", what);
}

static fc_status refuse_fabric(const fc_fabric *fabric, fc_error *error) {
    char what[80];
    snprintf(what, sizeof what, "topology: %s with routing: %s", fc_fabric_names[fabric->topology],
             fc_fabric_routings[fabric->routing]);
    return refuse(error, what);
}

/* Routes are found by digits, or in tables. */
static fc_status check_routes(const fc_scenario *scenario, const fc_router_network *network,
                              fc_error *error) {
    const fc_torus *torus = scenario->parameters;
    if (scenario->family != &fc_torus_family && !network->towards)
        return refuse_fabric(scenario->parameters, error);
    if ((uint64_t)network->routers * network->nodes > MOST_PAIRS && network->towards)
        return refuse(error, "flies and fat trees whose routers times nodes are more than 2^22");
    if (network->towards)
        return FC_OK;
    if (torus->routing != FC_DIMENSION_ORDER && torus->routing != FC_O1TURN)
        return refuse(error, "routing other than dimension-order and o1turn");
    if (torus->channel_rule == FC_ESCAPE)
        return refuse(error, "channel_rule: escape");
    if (torus->radix.count > 15)
        return refuse(error, "more than 15 dimensions");
    return FC_OK;
}

static uint32_t most_ports(const fc_router_network *network) {
    uint32_t most = 0;
    for (uint32_t r = 0; r < network->routers; ++r) {
        const uint32_t in = network->input_first[r + 1] - network->input_first[r];
        const uint32_t out = network->output_first[r + 1] - network->output_first[r];
        most = in > most ? in : most;
        most = out > most ? out : most;
    }
    return most;
}

static fc_status check_network(const fc_router_network *network, const fc_routed *routed,
                               fc_error *error) {
    const uint32_t ports = most_ports(network);
    if (routed->virtual_channels > MOST_CHANNELS)
        return refuse(error, "more than 8 virtual channels");
    if (routed->buffer > MOST_BUFFER)
        return refuse(error, "buffers of more than 31 flits");
    if (routed->ejection_channels > routed->virtual_channels)
        return refuse(error, "more ejection channels than virtual channels");
    if (network->routers > MOST_ROUTERS)
        return refuse(error, "more than 4096 routers");
    if (network->nodes > UINT16_MAX)
        return refuse(error, "more than 65535 nodes");
    if (ports > FC_CORE_PORTS)
        return refuse(error, "routers of more than 32 ports");
    if (ports * routed->virtual_channels > 64)
        return refuse(error, "routers of more than 64 virtual channels in all");
    return FC_OK;
}

static fc_status check_routers(const fc_routed *routed, fc_error *error) {
    if (routed->switching != FC_WORMHOLE)
        return refuse(error, "switching: cut-through");
    if (routed->handover != FC_NEXT_CYCLE)
        return refuse(error, "handover: when-empty");
    if (routed->arbitration == FC_OLDEST_FIRST)
        return refuse(error, "arbitration: oldest-first");
    if (routed->allocator_rounds > 1)
        return refuse(error, "allocators of more than one round");
    if (routed->internal_speedup > 1)
        return refuse(error, "internal_speedup");
    if (routed->input_speedup != FC_INFINITE && routed->input_speedup != 1 &&
        routed->input_speedup < routed->virtual_channels)
        return refuse(error, "an input_speedup between 1 and the number of virtual channels");
    if (routed->injection_choice != FC_IN_TURN)
        return refuse(error, "injection_choice: random");
    if (routed->widths_differ)
        return refuse(error, "links of different widths");
    if (routed->link_delays.count)
        return refuse(error, "links of different delays");
    int64_t delay = routed->link_delay + 2 * routed->node_delay + routed->credit_delay;
    for (int stage = 0; stage < FC_ROUTER_STAGES; ++stage)
        delay += routed->router_delay[stage];
    if (delay > MOST_DELAY)
        return refuse(error, "delays of more than 64 cycles from router to router");
    return FC_OK;
}

static fc_status check_traffic(const fc_routed *routed, fc_error *error) {
    if (routed->workload)
        return refuse(error, "workloads and traces");
    if (routed->requests.count)
        return refuse(error, "requests with replies");
    if (routed->given)
        return refuse(error, "classes of messages");
    if (routed->profile)
        return refuse(error, "a load that changes with time");
    if (routed->injection.process == FC_ON_OFF)
        return refuse(error, "bursts");
    if (fc_routed_longest_message(routed) > MOST_FLITS)
        return refuse(error, "messages of more than 64 flits");
    return FC_OK;
}

fc_status fc_ensemble_covers(const fc_scenario *scenario, const fc_router_network *network,
                             fc_error *error) {
    const fc_routed *routed = fc_scenario_routed(scenario);
    if (!routed || !routed->pipelined_by)
        return refuse(error, "networks without routers of their own timing");
    fc_status status = check_routes(scenario, network, error);
    if (status == FC_OK)
        status = check_network(network, routed, error);
    if (status == FC_OK)
        status = check_routers(routed, error);
    return status == FC_OK ? check_traffic(routed, error) : status;
}

/* ---- sizes ---- */

uint32_t fc_ensemble_word(const fc_scenario *scenario, const fc_router_network *network) {
    return most_ports(network) * fc_scenario_routed(scenario)->virtual_channels <= 32 ? 32 : 64;
}

static uint32_t bits_of(uint32_t number) {
    uint32_t bits = 0;
    while (number >> bits)
        ++bits;
    return bits;
}

static uint32_t shortest_message(const fc_core_plan *p) {
    uint32_t least = UINT8_MAX;
    for (uint32_t i = 0; i < p->sorts; ++i)
        least = p->flits[i] < least ? p->flits[i] : least;
    return least;
}

static void set_timing(const fc_routed *routed, fc_core_plan *p) {
    const uint32_t switching = (uint32_t)routed->router_delay[FC_STAGE_SWITCH];
    const uint32_t through = switching + (uint32_t)routed->router_delay[FC_STAGE_CROSSING];
    const uint32_t link = (uint32_t)routed->link_delay;
    p->routing = (uint32_t)routed->router_delay[FC_STAGE_ROUTING];
    p->allocation = (uint32_t)routed->router_delay[FC_STAGE_ALLOCATION];
    p->node_delay = (uint32_t)routed->node_delay;
    p->flit_delay = through + link;
    p->credit_delay = switching + link + (uint32_t)routed->credit_delay;
    const uint32_t back = switching + p->node_delay - 1;
    p->node_credit_delay = back ? back : 1;
    p->eject_delay = through + p->node_delay;
    const uint32_t longest = p->credit_delay + p->flit_delay + p->node_delay + back;
    for (p->ring = 2; p->ring <= longest; p->ring *= 2)
        ;
}

static void set_traffic(const fc_routed *routed, const fc_traffic *traffic, fc_core_plan *p) {
    const fc_lengths lengths = fc_classes_of(routed).list[0].lengths;
    const fc_sorts sorts = fc_sorts_of(&lengths);
    p->sorts = (uint32_t)lengths.count;
    for (uint32_t i = 0; i < lengths.count && i < FC_CORE_SORTS; ++i) {
        p->below[i] = sorts.below[i];
        p->flits[i] = (uint8_t)lengths.flits[i];
    }
    p->trial_bits = routed->injection.process == FC_POISSON ? FC_POISSON_BITS : 0;
    p->hot_node = traffic->hot_node == FC_NO_NODE ? UINT32_MAX : traffic->hot_node;
    p->to_self = traffic->to_self;
    p->pattern = traffic->pattern == fc_patterns[FC_UNIFORM]    ? FC_CORE_UNIFORM
                 : traffic->pattern == fc_patterns[FC_HOT_SPOT] ? FC_CORE_HOT_SPOT
                 : traffic->pattern == fc_patterns[FC_MATRIX]   ? FC_CORE_MATRIX
                                                                : FC_CORE_OTHER;
    p->share = traffic->share;
    p->cumulative = traffic->cumulative;
    p->traffic = traffic;
}

static fc_core_rule rule_of(const fc_torus *torus, uint32_t shift, uint32_t channels) {
    const fc_channel_rule rule = fc_channel_rule_over(torus->channel_rule, channels);
    fc_core_rule made = {.shift = shift, .all = rule.all};
    if (torus->channel_rule == FC_HIGH_LOW)
        made = (fc_core_rule){.rule = FC_CORE_HIGH_LOW, .shift = shift, .all = 3, .lower = 1};
    else if (torus->channel_rule != FC_FREE) {
        made.rule = torus->channel_rule == FC_DATELINE ? FC_CORE_DATELINE : FC_CORE_WRAPPING;
        made.lower = rule.lower;
    }
    return made;
}

/* Routes in tables: any channel will do. */
static void set_no_digits(fc_core_plan *p) {
    p->kinds = 1;
    p->kind_channels[0] = (uint8_t)((1u << p->channels) - 1);
}

static void set_digits(const fc_torus *torus, const fc_geometry *geometry, fc_core_plan *p) {
    const uint32_t parts = torus->routing == FC_O1TURN ? 2 : 1;
    uint32_t shift = 0;
    p->dimensions = geometry->dimensions;
    p->wraps = geometry->wraps;
    p->bidirectional = geometry->bidirectional;
    p->rising = geometry->rising;
    p->o1turn = parts - 1;
    for (uint32_t part = 0; part < parts; ++part) { /* as in network/router_torus.c */
        const uint32_t channels = (p->channels + parts - 1 - part) / parts;
        const fc_core_rule rule = rule_of(torus, shift, channels);
        p->rule[part] = rule;
        shift += channels;
        p->kind_channels[2 * part] = (uint8_t)((rule.lower ? rule.lower : rule.all) << rule.shift);
        p->kind_channels[2 * part + 1] = (uint8_t)((rule.all & ~rule.lower) << rule.shift);
    }
    const bool free = parts == 1 && p->kind_channels[0] == (1u << p->channels) - 1;
    p->kinds = free ? 1 : 2 * parts;
    p->kind_planes = free ? 0 : parts;
}

/* Where the parts of a router's state are. */
static void lay_out(uint32_t nodes, fc_core_plan *p) {
    enum { SINGLE_MASKS = 10 };
    uint32_t at = SINGLE_MASKS;
    const struct {
        uint32_t *where, masks;
    } parts[] = {{&p->at_count, p->count_planes},
                 {&p->at_left, p->left_planes},
                 {&p->at_credit, p->count_planes},
                 {&p->at_held, p->held_planes},
                 {&p->at_want, p->out_ports},
                 {&p->at_turn, p->out_ports},
                 {&p->at_port_turn, p->out_ports},
                 {&p->at_fresh, p->routing ? p->routing : 1},
                 {&p->at_given, p->allocation ? p->allocation : 1},
                 {&p->at_kind, p->kind_planes},
                 {&p->at_last, p->out_ports},
                 {&p->at_offer, p->out_ports * p->channels},
                 {&p->at_crossed, p->out_ports},
                 {&p->at_granted, p->out_ports},
                 {&p->at_node_credit, p->count_planes},
                 {&p->at_node_left, p->left_planes},
                 {&p->at_slot, nodes * p->slots},
                 {&p->at_slot_turn, nodes * p->slots},
                 {&p->at_born, nodes},
                 {&p->at_injected, nodes}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
        *parts[i].where = at;
        at += parts[i].masks;
    }
    p->size = at;
}

/* That send into one router, or receive from one. */
static uint32_t most_nodes(const fc_router_network *network) {
    uint32_t most = 0;
    for (uint32_t r = 0; r < network->routers; ++r) {
        uint32_t senders = 0, receivers = 0;
        for (uint32_t i = network->input_first[r]; i < network->input_first[r + 1]; ++i)
            senders += (network->input_begin[i] & FC_TO_NODE) != 0;
        for (uint32_t o = network->output_first[r]; o < network->output_first[r + 1]; ++o)
            receivers += (network->output_end[o] & FC_TO_NODE) != 0;
        most = senders > most ? senders : most;
        most = receivers > most ? receivers : most;
    }
    return most;
}

static void set_sizes(const fc_routed *routed, const fc_router_network *network, fc_core_plan *p) {
    p->routers = network->routers;
    p->nodes = network->nodes;
    p->outputs = network->outputs;
    p->in_ports = p->out_ports = most_ports(network);
    p->channels = (uint32_t)routed->virtual_channels;
    p->buffer = (uint32_t)routed->buffer;
    p->slots = (uint32_t)(routed->injection_channels < routed->virtual_channels
                              ? routed->injection_channels
                              : routed->virtual_channels);
    p->per_channel =
        routed->input_speedup == FC_INFINITE || routed->input_speedup >= routed->virtual_channels;
    p->ejection = ((uint64_t)1 << routed->ejection_channels) - 1;
    for (uint32_t port = 0; port < p->in_ports; ++port)
        p->low_bits |= (uint64_t)1 << port * p->channels;
    p->count_planes = bits_of(p->buffer);
    p->left_planes = bits_of((uint32_t)fc_routed_longest_message(routed));
    p->held_planes = bits_of(p->channels - 1);
    p->lates = most_nodes(network) * (p->eject_delay + 1);
    /* Messages with flits in a buffer, one whose flits have all left but the tail, one to come. */
    const uint32_t whole = (p->buffer - 1) / shortest_message(p) + 2;
    p->places = (whole < p->buffer ? whole : p->buffer) + 2;
    p->pool = p->routers * p->in_ports * p->channels * (p->places + 1);
}

static void set_words(fc_core_plan *p) {
    p->output_shift = bits_of(p->pool - 1);
    p->kind_shift = p->output_shift + bits_of(p->out_ports - 1);
    if (p->kinds == 1 && p->kind_shift + bits_of(p->nodes - 1) <= 32)
        p->destination_shift = p->kind_shift;
}

/* ---- tables ---- */

typedef struct tables {
    fc_core_router *router;
    fc_core_end *from, *to;
    fc_core_ahead *ahead;
    uint64_t *word;
    uint32_t *node_router, *output_first, *image;
    uint16_t *digit, *radix;
    uint8_t *bit_dimension, *direction_port, *node_port, *route;
    fc_core_fork *fork;
    fc_core_journey *journey;
} tables;

/* Which of the tables there are. */
typedef struct wanted {
    bool image;
    bool routes;   /* the output depends on the router and the destination alone */
    bool journeys; /* the same for the path from a router; else found by digits */
    bool forks;    /* or on the variant, too */
} wanted;

/* Whether a variant decides anywhere: at the first nodes or at the last ones. */
static bool has_forks(const fc_router_network *network) {
    for (uint32_t r = 0; r < network->routers; ++r) {
        fc_towards first, last;
        network->towards(network, r, 0, &first);
        network->towards(network, r, network->nodes - 1, &last);
        if (first.count > 1 || last.count > 1)
            return true;
    }
    return false;
}

static wanted tables_wanted(const fc_core_plan *p, const fc_router_network *network,
                            const fc_traffic *traffic) {
    enum { MOST_ROUTES = 1 << 20, MOST_JOURNEYS = 1 << 16 }; /* beyond, digits are faster */
    const bool plain = !p->wraps && !p->o1turn && p->kinds == 1;
    const uint32_t pairs = p->routers * p->nodes;
    return (wanted){.image = traffic->image != NULL,
                    .forks = network->towards && has_forks(network),
                    .routes = network->towards || (plain && pairs <= MOST_ROUTES),
                    .journeys = network->towards || (plain && pairs <= MOST_JOURNEYS)};
}

/* Cuts one block into the tables; with block 0 only measures it. */
static size_t cut_tables(const fc_core_plan *p, wanted which, char *block, tables *t) {
    const size_t pairs = (size_t)p->routers * p->nodes;
    size_t at = 0;
#define CUT(field, count)                                                                          \
    do {                                                                                           \
        t->field = block && (size_t)(count) != 0 ? (void *)(block + at) : NULL;                    \
        at += ((size_t)(count) * sizeof *t->field + 15) & ~(size_t)15;                             \
    } while (0)
    CUT(router, p->routers);
    CUT(from, p->routers * p->in_ports);
    CUT(to, p->routers * p->out_ports);
    CUT(ahead, p->out_ports <= FC_CORE_ROW ? p->routers : 0);
    CUT(word, p->routers);
    CUT(node_router, p->nodes);
    CUT(output_first, p->routers);
    CUT(image, which.image ? p->nodes : 0);
    CUT(digit, p->routers * p->dimensions);
    CUT(radix, p->dimensions);
    CUT(bit_dimension, 64);
    CUT(direction_port, p->routers * p->dimensions * 2);
    CUT(node_port, p->nodes);
    CUT(route, which.routes ? pairs : 0);
    CUT(fork, which.forks ? p->routers : 0);
    CUT(journey, which.journeys ? pairs : 0);
#undef CUT
    return at;
}

static void fill_router(const fc_router_network *network, const fc_core_plan *p, uint32_t r,
                        tables *t) {
    const uint32_t first_in = network->input_first[r], first_out = network->output_first[r];
    fc_core_router *router = &t->router[r];
    t->output_first[r] = first_out;
    for (uint32_t i = first_in; i < network->input_first[r + 1]; ++i) {
        const uint32_t begin = network->input_begin[i];
        if (begin & FC_TO_NODE) {
            t->node_router[begin & ~FC_TO_NODE] = r;
            if (!router->senders++)
                router->first_sender = begin & ~FC_TO_NODE;
            router->node_bits |= (((uint64_t)1 << p->channels) - 1) << (i - first_in) * p->channels;
            continue;
        }
        const uint32_t feeder = network->output_router[begin];
        t->from[r * p->in_ports + router->links_in++] =
            (fc_core_end){feeder, (begin - network->output_first[feeder]) * p->channels};
    }
    for (uint32_t o = first_out; o < network->output_first[r + 1]; ++o) {
        const uint32_t end = network->output_end[o];
        if (end & FC_TO_NODE) {
            t->node_port[end & ~FC_TO_NODE] = (uint8_t)(o - first_out);
            ++router->receivers;
            continue;
        }
        const uint32_t next = network->input_router[end];
        if (t->ahead) {
            t->ahead[r].router[o - first_out] = next;
            t->ahead[r].shift[o - first_out] = (end - network->input_first[next]) * p->channels;
        }
        t->to[r * p->out_ports + router->links_out++] =
            (fc_core_end){next, (end - network->input_first[next]) * p->channels};
        router->link_bits |= (((uint64_t)1 << p->channels) - 1) << (o - first_out) * p->channels;
    }
}

/* Ports in a geometry's order of channels, as in network/router_torus.c. */
static void fill_directions(const fc_geometry *geometry, uint32_t r, tables *t) {
    uint8_t port = 0;
    for (uint32_t slot = 0; slot < geometry->slots; ++slot) {
        uint32_t dimension;
        bool rising;
        const uint32_t end =
            fc_channel_end(geometry, r * geometry->slots + slot, &dimension, &rising);
        if (end != FC_NO_NODE)
            t->direction_port[(r * geometry->dimensions + dimension) * 2 + rising] = port++;
    }
}

/* The output from a router towards a node: the lowest dimension in which they differ. */
static uint8_t route_of(const fc_geometry *geometry, const tables *t, uint32_t r, uint32_t node) {
    const uint32_t to = t->node_router[node];
    if (to == r)
        return t->node_port[node];
    const uint32_t d =
        geometry->bit_dimension[__builtin_ctzll(geometry->word[r] ^ geometry->word[to])];
    const bool rising = fc_digit(geometry, to, d) > fc_digit(geometry, r, d);
    return t->direction_port[(r * geometry->dimensions + d) * 2 + rising];
}

static void fill_digits(const fc_geometry *geometry, const fc_core_plan *p, tables *t) {
    for (uint32_t r = 0; r < p->routers; ++r) {
        fill_directions(geometry, r, t);
        t->word[r] = geometry->word[r];
        for (uint32_t d = 0; d < p->dimensions; ++d)
            t->digit[r * p->dimensions + d] = (uint16_t)fc_digit(geometry, r, d);
    }
    for (uint32_t d = 0; d < p->dimensions; ++d)
        t->radix[d] = (uint16_t)geometry->radix[d];
    memcpy(t->bit_dimension, geometry->bit_dimension, 64);
    for (uint32_t i = 0; t->route && i < p->routers * p->nodes; ++i) {
        const uint32_t r = i / p->nodes, to = t->node_router[i % p->nodes];
        uint32_t routers = 1;
        for (uint32_t d = 0; d < p->dimensions; ++d)
            routers +=
                (uint32_t)abs((int)fc_digit(geometry, to, d) - (int)fc_digit(geometry, r, d));
        t->route[i] = route_of(geometry, t, r, i % p->nodes);
        if (t->journey)
            t->journey[i] = (fc_core_journey){.variants = 1, .routers = (uint16_t)routers};
    }
}

/* From the first router of a message to a node: all variants have the same length. */
static fc_core_journey journey_to(const fc_router_network *network, uint32_t router,
                                  uint32_t node) {
    uint32_t routers = 1, variants = 1;
    for (;; ++routers) {
        fc_towards towards;
        network->towards(network, router, node, &towards);
        variants *= towards.count;
        const uint32_t end = network->output_end[towards.first];
        if (end & FC_TO_NODE)
            return (fc_core_journey){(uint16_t)variants, (uint16_t)routers};
        router = network->input_router[end];
    }
}

static void fill_routes(const fc_router_network *network, const fc_core_plan *p, tables *t) {
    for (uint32_t r = 0; r < p->routers; ++r) {
        const uint32_t first_out = network->output_first[r];
        for (uint32_t node = 0; node < p->nodes; ++node) {
            const size_t pair = (size_t)r * p->nodes + node;
            fc_towards towards;
            network->towards(network, r, node, &towards);
            t->route[pair] =
                (uint8_t)(towards.count > 1 ? FC_CORE_FORK : towards.first - first_out);
            if (towards.count > 1)
                t->fork[r] = (fc_core_fork){.divisor = (uint16_t)towards.divisor,
                                            .first = (uint8_t)(towards.first - first_out),
                                            .count = (uint8_t)towards.count};
            if (t->router[r].senders)
                t->journey[pair] = journey_to(network, r, node);
        }
    }
}

static void fill_tables(const fc_router_network *network, const fc_geometry *geometry,
                        const fc_traffic *traffic, fc_core_plan *p, tables *t) {
    for (uint32_t r = 0; r < p->routers; ++r)
        fill_router(network, p, r, t);
    if (network->towards)
        fill_routes(network, p, t);
    else
        fill_digits(geometry, p, t);
    if (traffic->image)
        memcpy(t->image, traffic->image, p->nodes * sizeof *t->image);
    p->router = t->router;
    p->from = t->from;
    p->to = t->to;
    p->ahead = t->ahead;
    p->word = t->word;
    p->digit = t->digit;
    p->radix = t->radix;
    p->bit_dimension = t->bit_dimension;
    p->direction_port = t->direction_port;
    p->node_router = t->node_router;
    p->node_port = t->node_port;
    p->output_first = t->output_first;
    p->route = t->route;
    p->fork = t->fork;
    p->journey = t->journey;
    p->image = t->image;
}

/* ---- the whole ---- */

static bool set_laws(const fc_routed *routed, const fc_traffic *traffic, fc_ensemble_plan *plan) {
    const double *weights = routed->destinations ? routed->destinations->weights : NULL;
    const uint32_t nodes = plan->core.nodes;
    plan->own_laws = weights != NULL;
    plan->law = fc_allocate(weights ? nodes : 1, sizeof *plan->law);
    plan->sends = fc_allocate(nodes, 1);
    if (!plan->law || !plan->sends)
        return false;
    for (uint32_t i = 0; i < traffic->senders; ++i) {
        const uint32_t node = traffic->sender[i];
        const double rate = routed->rate * (weights ? weights[node] : 1);
        plan->sends[node] = rate > 0;
        if (rate > 0)
            plan->law[weights ? node : 0] =
                fc_geometric_law(ldexp(rate, -(int)plan->core.trial_bits));
    }
    return true;
}

fc_status fc_ensemble_plan_create(const fc_scenario *scenario, const fc_router_network *network,
                                  const fc_traffic *traffic, fc_error *error,
                                  fc_ensemble_plan **plan) {
    const fc_torus *torus = scenario->parameters; /* if it has no `towards` */
    const fc_routed *routed = fc_scenario_routed(scenario);
    fc_geometry *geometry = NULL;
    const fc_status status = network->towards ? FC_OK : fc_geometry_create(torus, error, &geometry);
    if (status != FC_OK)
        return status;
    fc_ensemble_plan *made = fc_allocate(1, sizeof *made);
    bool enough = made != NULL;
    if (enough) {
        fc_core_plan *p = &made->core;
        tables t;
        set_timing(routed, p);
        set_traffic(routed, traffic, p);
        set_sizes(routed, network, p);
        if (network->towards)
            set_no_digits(p);
        else
            set_digits(torus, geometry, p);
        set_words(p);
        lay_out(most_nodes(network), p);
        const wanted which = tables_wanted(p, network, traffic);
        made->table_bytes = cut_tables(p, which, NULL, &t);
        made->tables = fc_allocate_lines(1, made->table_bytes + 4); /* bytes are read as words */
        enough = made->tables && set_laws(routed, traffic, made);
        if (enough) {
            cut_tables(p, which, made->tables, &t);
            fill_tables(network, geometry, traffic, p, &t);
        }
    }
    fc_geometry_free(geometry);
    if (!enough) {
        fc_ensemble_plan_free(made);
        return fc_fail_memory(error);
    }
    *plan = made;
    return FC_OK;
}

void fc_ensemble_plan_free(fc_ensemble_plan *plan) {
    if (!plan)
        return;
    fc_release(plan->tables);
    fc_release(plan->law);
    fc_release(plan->sends);
    fc_release(plan);
}
