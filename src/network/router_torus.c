/* Tori and meshes as networks of routers, with their routing: dimension order, O1TURN, Valiant,
 * minimal adaptive.
 *
 * Node n hangs on router n / concentration. The virtual channels of a link are divided twice: the
 * classes of requests and replies (the course tells which it may use), then, with O1TURN and
 * Valiant, two parts that keep two orders of links apart. Within such a block of channels the
 * channel rule (channel_rule.h) holds as if there were no others.
 *
 *   dimension order  one part.
 *   O1TURN           the scenario's order of dimensions or its reverse, drawn for each message;
 *                    each order has a part. (Seo, Ali, Lim, Rafique and Thottethodi, ISCA 2005,
 *                    for two dimensions; the reverse is what keeps two parts enough in more.)
 *   Valiant          in dimension order to a router drawn from all, then on to the destination;
 *                    each of the two paths has a part.
 *   adaptive         every direction that leads nearer, in channels beyond the escape channels;
 *                    escape: dimension order in channel 0 of a mesh, 0 and 1 of a torus by the
 *                    channel rule. (Duato, IEEE TPDS 4(12), 1993.)
 *   min-adapt        what BookSim 2.0 does under that name. Its list of outputs keeps one for each
 *                    priority, so that of the directions only that of the first dimension is left:
 *                    dimension order. Escape channels are asked for together with the others, a
 *                    message that took one keeps to them, a channel may be taken while flits of
 *                    another message are in its buffer, of a torus' channels only number 3 is none
 *                    to escape to, and where both directions around a ring are as short it is the
 * falling one. A mesh cannot deadlock; of a torus that is proven for messages of one flit and for
 * handover: when-empty only.
 *
 * Where both directions around a ring are as short, begin draws one and the message keeps to it. */
#include <string.h>
#include "base/memory.h"
#include "network/channel_rule.h"
#include <math.h>
#include "network/bisection.h"
#include "network/router_wiring.h"
#include "scenario/families/routed_rules.h"

enum { PARTS = 2 };
#define REVERSED 0x80000000u /* O1TURN, in choice: the reverse order */
#define SECOND 0x80000000u   /* Valiant, in state: on the path from the router in between */
#define MIDDLE_BITS 20       /* Valiant, in choice: the router in between; above it the ties */
#define MIDDLE_MASK 0xfffffu
#define TIE_BITS (32 - MIDDLE_BITS)

/* Virtual channels shift, shift + 1, ... with a rule of their own. */
typedef struct channel_block {
    fc_channel_rule rule;
    uint32_t shift;
    uint64_t adaptive; /* adaptive routing: channels for any direction, not shifted */
} channel_block;

typedef struct torus_network {
    fc_geometry *geometry; /* its nodes are our routers */
    uint32_t *output;      /* routers x slots: number of the output; unused ones 0 */
    uint32_t concentration;
    fc_channel_sets sets;
    channel_block block[FC_CLASSES_MAX][PARTS]; /* of each set */
} torus_network;

/* Computed: in a large network the tables are in no near cache. */
static inline uint32_t router_of(const fc_router_network *network, uint32_t node) {
    const torus_network *torus = network->topology;
    return torus->concentration == 1 ? node : node / torus->concentration;
}

/* ---- candidates ---- */

static inline uint32_t output_to(const torus_network *torus, uint32_t router, uint32_t dimension,
                                 bool rising) {
    return torus->output[fc_channel_number(torus->geometry, router, dimension, rising)];
}

/* The position of a header on a route whose directions are given by `rising`. */
typedef struct position {
    uint32_t at, to, from; /* routers: now, where the path ends, where it began */
    uint32_t rising;       /* mask of dimensions */
} position;

static inline fc_eligible eligible(const torus_network *torus, const channel_block *block,
                                   position here, uint32_t dimension) {
    const fc_geometry *geometry = torus->geometry;
    if (block->rule.rule == FC_FREE) /* the digits need not be looked up */
        return (fc_eligible){.own = block->rule.all};
    return fc_channel_rule_eligible(&block->rule, fc_digit(geometry, here.at, dimension),
                                    fc_digit(geometry, here.to, dimension),
                                    fc_digit(geometry, here.from, dimension),
                                    here.rising >> dimension & 1);
}

static inline void step(const torus_network *torus, const channel_block *block, position here,
                        uint32_t dimension, fc_route_candidates *candidates) {
    const uint32_t output = output_to(torus, here.at, dimension, here.rising >> dimension & 1);
    const fc_eligible channels = eligible(torus, block, here, dimension);
    uint32_t count = 0;
    if (channels.shared)
        candidates->list[count++] = (fc_route_candidate){output, channels.shared << block->shift};
    candidates->list[count++] = (fc_route_candidate){output, channels.own << block->shift};
    candidates->preferred = 1;
    candidates->count = count;
}

/* The block of the channels that the message may take. */
static inline const channel_block *block_of(const torus_network *torus, const fc_course *course,
                                            uint32_t part) {
    return &torus->block[fc_channel_set(&torus->sets, course->channels)][part];
}

/* In dimension order, O1TURN and adaptive, `choice` is the mask of rising dimensions and `state`
 * the destination's router. */
static inline position position_of(const fc_router_network *network, uint32_t input,
                                   const fc_course *course) {
    return (position){.at = network->input_router[input],
                      .to = course->state,
                      .from = router_of(network, course->source),
                      .rising = course->choice};
}

static void route_in_order(const fc_router_network *network, uint32_t input, uint32_t channel,
                           fc_course *course, fc_route_candidates *candidates) {
    (void)channel;
    const torus_network *torus = network->topology;
    const position here = position_of(network, input, course);
    const uint32_t dimension = fc_route_dimension(torus->geometry, here.at, here.to);
    if (dimension == torus->geometry->dimensions)
        fc_candidates_eject(candidates, network, course);
    else
        step(torus, block_of(torus, course, 0), here, dimension, candidates);
}

/* In a mesh, where no direction is drawn. */
static void outputs_in_order(const fc_router_network *network, uint32_t to, uint32_t *output) {
    const torus_network *torus = network->topology;
    const fc_geometry *geometry = torus->geometry;
    for (uint32_t at = 0; at < network->routers; ++at) {
        const uint32_t dimension = fc_route_dimension(geometry, at, to);
        output[at] =
            dimension == geometry->dimensions
                ? UINT32_MAX
                : output_to(torus, at, dimension,
                            fc_digit(geometry, at, dimension) < fc_digit(geometry, to, dimension));
    }
}

static void route_o1turn(const fc_router_network *network, uint32_t input, uint32_t channel,
                         fc_course *course, fc_route_candidates *candidates) {
    (void)channel;
    const torus_network *torus = network->topology;
    const position here = position_of(network, input, course);
    const bool reversed = course->choice & REVERSED;
    const uint32_t dimension = fc_next_dimension(torus->geometry, reversed, here.at, here.to);
    if (dimension == torus->geometry->dimensions)
        fc_candidates_eject(candidates, network, course);
    else
        step(torus, block_of(torus, course, reversed), here, dimension, candidates);
}

static void route_adaptively(const fc_router_network *network, uint32_t input, uint32_t channel,
                             fc_course *course, fc_route_candidates *candidates) {
    (void)channel;
    const torus_network *torus = network->topology;
    const fc_geometry *geometry = torus->geometry;
    const channel_block *block = block_of(torus, course, 0);
    const position here = position_of(network, input, course);
    uint32_t count = 0, escape = geometry->dimensions;
    for (uint32_t i = 0; i < geometry->dimensions; ++i) {
        const uint32_t dimension = geometry->order[i];
        if (fc_digit(geometry, here.at, dimension) == fc_digit(geometry, here.to, dimension))
            continue;
        if (escape == geometry->dimensions)
            escape = dimension;
        candidates->list[count++] =
            (fc_route_candidate){output_to(torus, here.at, dimension, here.rising >> dimension & 1),
                                 block->adaptive << block->shift};
    }
    if (count == 0) {
        fc_candidates_eject(candidates, network, course);
        return;
    }
    candidates->preferred = count;
    candidates->list[count] = (fc_route_candidate){
        candidates->list[0].output, eligible(torus, block, here, escape).own << block->shift};
    candidates->count = count + 1;
}

/* Whether a header came to this router in an escape channel; `channel` without its block's shift.
 */
static bool has_escaped(const fc_router_network *network, const channel_block *block,
                        uint32_t input, uint32_t channel) {
    return !(network->input_begin[input] & FC_TO_NODE) && block->rule.all >> channel & 1;
}

/* The escape channel of a dimension: that in which the header came along it, or by the rule. */
static uint64_t escape_channel(const fc_router_network *network, const channel_block *block,
                               uint32_t input, uint32_t channel, position here,
                               uint32_t dimension) {
    const torus_network *torus = network->topology;
    if (has_escaped(network, block, input, channel)) {
        const uint32_t last = network->output_router[network->input_begin[input]];
        if (fc_digit(torus->geometry, last, dimension) !=
            fc_digit(torus->geometry, here.at, dimension))
            return (uint64_t)1 << channel;
    }
    here.from = here.at;
    return eligible(torus, block, here, dimension).own;
}

static void route_min_adapt(const fc_router_network *network, uint32_t input, uint32_t channel,
                            fc_course *course, fc_route_candidates *candidates) {
    const torus_network *torus = network->topology;
    const fc_geometry *geometry = torus->geometry;
    const channel_block *block = block_of(torus, course, 0);
    position here = position_of(network, input, course);
    uint32_t ties, escape;
    const uint32_t rising = fc_route_rising(geometry, here.at, here.to, &ties) & ~ties;
    here.rising = rising | (ties & course->choice);
    escape = fc_route_dimension(geometry, here.at, here.to);
    candidates->count = 0;
    if (escape == geometry->dimensions) {
        fc_candidates_eject(candidates, network, course);
        return;
    }
    const uint32_t own = channel - block->shift;
    if (!has_escaped(network, block, input, own))
        candidates->list[candidates->count++] =
            (fc_route_candidate){output_to(torus, here.at, escape, rising >> escape & 1),
                                 block->adaptive << block->shift};
    candidates->preferred = candidates->count;
    candidates->list[candidates->count++] = (fc_route_candidate){
        output_to(torus, here.at, escape, here.rising >> escape & 1),
        escape_channel(network, block, input, own, here, escape) << block->shift};
}

/* ---- what is drawn ---- */

/* Moves the lowest bits of `bits` to where mask has ones. */
static uint32_t spread(uint32_t bits, uint32_t mask) {
    uint32_t spread_out = 0;
    for (; mask; mask &= mask - 1, bits >>= 1)
        spread_out |= (bits & 1) ? mask & (0u - mask) : 0;
    return spread_out;
}

static uint32_t ties_between(const fc_router_network *network, uint32_t source,
                             uint32_t destination) {
    const torus_network *torus = network->topology;
    uint32_t ties;
    fc_route_rising(torus->geometry, router_of(network, source), router_of(network, destination),
                    &ties);
    return ties;
}

static uint32_t variants_of_ties(const fc_router_network *network, uint32_t source,
                                 uint32_t destination) {
    return 1u << __builtin_popcount(ties_between(network, source, destination));
}

static void begin_in_order(const fc_router_network *network, uint32_t variant, fc_course *course) {
    const torus_network *torus = network->topology;
    uint32_t ties;
    course->state = router_of(network, course->destination);
    const uint32_t rising =
        fc_route_rising(torus->geometry, router_of(network, course->source), course->state, &ties);
    course->choice = rising ^ spread(variant, ties);
}

static uint32_t variants_of_o1turn(const fc_router_network *network, uint32_t source,
                                   uint32_t destination) {
    return 2 * variants_of_ties(network, source, destination);
}

static void begin_o1turn(const fc_router_network *network, uint32_t variant, fc_course *course) {
    begin_in_order(network, variant >> 1, course);
    course->choice |= variant & 1 ? REVERSED : 0;
}

/* ---- Valiant ---- */

/* The same bits decide the ties of both directions. If there are more even rings than bits for
 * them, some share one: each tie is still drawn evenly. */
static uint32_t tie_bits(const fc_geometry *geometry) {
    const uint32_t even = (uint32_t)__builtin_popcount(geometry->even);
    return even < TIE_BITS ? even : TIE_BITS - 1;
}

static uint32_t variants_of_valiant(const fc_router_network *network, uint32_t source,
                                    uint32_t destination) {
    (void)source, (void)destination;
    const torus_network *torus = network->topology;
    return torus->geometry->nodes << tie_bits(torus->geometry);
}

static uint32_t valiant_rising(const torus_network *torus, uint32_t from, uint32_t to,
                               uint32_t bits) {
    uint32_t ties;
    const uint32_t rising = fc_route_rising(torus->geometry, from, to, &ties);
    const uint32_t width = tie_bits(torus->geometry);
    const uint32_t repeated = width ? bits | bits << width : 0;
    return rising ^ (spread(repeated, torus->geometry->even) & ties);
}

static void begin_valiant(const fc_router_network *network, uint32_t variant, fc_course *course) {
    const torus_network *torus = network->topology;
    const uint32_t width = tie_bits(torus->geometry);
    const uint32_t bits = variant & ((1u << width) - 1), middle = variant >> width;
    course->choice = middle | bits << MIDDLE_BITS;
    course->state = valiant_rising(torus, router_of(network, course->source), middle, bits);
}

static void route_valiant(const fc_router_network *network, uint32_t input, uint32_t channel,
                          fc_course *course, fc_route_candidates *candidates) {
    (void)channel;
    const torus_network *torus = network->topology;
    const uint32_t middle = course->choice & MIDDLE_MASK;
    const uint32_t end = router_of(network, course->destination);
    position here = {.at = network->input_router[input]};
    if (!(course->state & SECOND) && here.at == middle)
        course->state = SECOND | valiant_rising(torus, middle, end, course->choice >> MIDDLE_BITS);
    const bool second = course->state & SECOND;
    here.to = second ? end : middle;
    here.from = second ? middle : router_of(network, course->source);
    here.rising = course->state & ~SECOND;
    const uint32_t dimension = fc_route_dimension(torus->geometry, here.at, here.to);
    if (dimension == torus->geometry->dimensions)
        fc_candidates_eject(candidates, network, course);
    else
        step(torus, block_of(torus, course, second), here, dimension, candidates);
}

/* ---- channels ---- */

typedef struct torus_routing {
    const char *name;
    uint32_t parts;
    uint32_t adaptive; /* channels wanted beyond those of the rule */
    uint32_t (*variants)(const fc_router_network *network, uint32_t source, uint32_t destination);
    void (*begin)(const fc_router_network *network, uint32_t variant, fc_course *course);
    void (*route)(const fc_router_network *network, uint32_t input, uint32_t channel,
                  fc_course *course, fc_route_candidates *candidates);
} torus_routing;

static const torus_routing routings[] = {
    [FC_DIMENSION_ORDER] = {"dimension-order", 1, 0, variants_of_ties, begin_in_order,
                            route_in_order},
    [FC_ADAPTIVE] = {"adaptive", 1, 1, variants_of_ties, begin_in_order, route_adaptively},
    [FC_O1TURN] = {"o1turn", 2, 0, variants_of_o1turn, begin_o1turn, route_o1turn},
    [FC_MIN_ADAPT] = {"min-adapt", 1, 1, variants_of_ties, begin_in_order, route_min_adapt},
    [FC_VALIANT] = {"valiant", 2, 0, variants_of_valiant, begin_valiant, route_valiant},
};

static channel_block make_block(const fc_torus *torus, uint32_t shift, uint32_t channels) {
    channel_block made = {.rule = fc_channel_rule_over(torus->channel_rule, channels),
                          .shift = shift};
    if (torus->routing == FC_ADAPTIVE) {
        const uint64_t all = made.rule.all;
        const int rule = torus->channel_rule == FC_ESCAPE ? FC_HIGH_LOW : torus->channel_rule;
        made.rule = fc_channel_rule_over(rule, rule == FC_FREE ? 1 : 2);
        made.adaptive = all & ~made.rule.all;
    } else if (torus->routing == FC_MIN_ADAPT) {
        const bool mesh = torus->topology == FC_MESH;
        made.adaptive = mesh ? made.rule.all & ~(uint64_t)1 : 8;
        made.rule = fc_channel_rule_over(torus->channel_rule, mesh ? 1 : 2);
    }
    return made;
}

static fc_status divide_channels(const fc_torus *torus, const fc_routed *routed,
                                 torus_network *made, fc_error *error) {
    const torus_routing *routing = &routings[torus->routing];
    const fc_channel_sets sets = made->sets = fc_channel_sets_of(routed);
    const uint32_t least = (torus->channel_rule == FC_FREE ? 1 : 2) + routing->adaptive;
    for (uint32_t set = 0; set < sets.count; ++set) {
        const uint32_t channels = sets.channels[set];
        uint32_t shift = sets.first[set];
        if (channels < least * routing->parts)
            return fc_fail(error, FC_ERROR_UNSUPPORTED,
                           "routing: %s in a %s needs %u virtual channels%s, not %u", routing->name,
                           torus->topology == FC_MESH ? "mesh" : "torus", least * routing->parts,
                           fc_routed_each_class(routed), channels);
        for (uint32_t part = 0; part < routing->parts; ++part) {
            /* The first part has the odd one. */
            const uint32_t share = (channels + routing->parts - 1 - part) / routing->parts;
            made->block[set][part] = make_block(torus, shift, share);
            shift += share;
        }
    }
    return FC_OK;
}

/* ---- building ---- */

static void release(void *topology) {
    torus_network *torus = topology;
    if (!torus)
        return;
    fc_geometry_free(torus->geometry);
    fc_release(torus->output);
    fc_release(torus);
}

static uint32_t list_links(const fc_geometry *geometry, const fc_routed *routed,
                           fc_router_link *link) {
    uint32_t links = 0;
    for (uint32_t channel = 0; channel < geometry->channels; ++channel) {
        uint32_t dimension;
        const uint32_t end = fc_channel_end(geometry, channel, &dimension, NULL);
        if (end != FC_NO_NODE)
            link[links++] = fc_link_between(routed, channel / geometry->slots, end, dimension);
    }
    return links;
}

/* Outputs of a router are its channels that exist, in their order. */
static void find_outputs(const fc_router_network *network, torus_network *torus) {
    const fc_geometry *geometry = torus->geometry;
    for (uint32_t router = 0; router < geometry->nodes; ++router) {
        uint32_t output = network->output_first[router];
        for (uint32_t slot = 0; slot < geometry->slots; ++slot) {
            const uint32_t channel = router * geometry->slots + slot;
            if (fc_channel_end(geometry, channel, NULL, NULL) != FC_NO_NODE)
                torus->output[channel] = output++;
        }
    }
}

static fc_status wire(const fc_routed *routed, torus_network *torus, fc_error *error,
                      fc_router_network **network) {
    const fc_geometry *geometry = torus->geometry;
    const uint32_t concentration = torus->concentration = (uint32_t)routed->concentration;
    fc_router_link *link = fc_allocate(geometry->channels, sizeof *link);
    torus->output = fc_allocate(geometry->channels, sizeof *torus->output);
    fc_status status = FC_ERROR_MEMORY;
    if (link && torus->output) {
        const fc_wiring wiring = {.nodes = geometry->nodes * concentration,
                                  .routers = geometry->nodes,
                                  .links = list_links(geometry, routed, link),
                                  .link = link,
                                  .hosts = concentration,
                                  .node_delay = (uint32_t)routed->node_delay,
                                  .virtual_channels = (uint32_t)routed->virtual_channels};
        status = fc_router_network_wire(&wiring, error, network);
    } else {
        fc_fail_memory(error);
    }
    fc_release(link);
    return status;
}

static void measure(const void *parameters, fc_router_extent *extent) {
    const fc_torus *torus = parameters;
    const fc_routed *routed = &torus->routed;
    const double dimensions = (double)torus->radix.count;
    extent->links = 2 * dimensions * (double)routed->nodes / (double)routed->concentration;
    extent->outputs = 2 * dimensions + (double)routed->concentration;
    const bool mesh = torus->topology == FC_MESH;
    for (size_t d = 0; d < torus->radix.count; ++d)
        extent->longest_path += (double)torus->radix.values[d] / (mesh ? 1 : 2);
    extent->mean_path = extent->longest_path / (mesh ? 3 : 2);
}

/* Routers are the points of a grid: up to three dimensions they have places. A ring spans its side
 * twice, folded or not. */
static void count_parts(const void *parameters, fc_counts *counts) {
    const fc_torus *torus = parameters;
    const bool mesh = torus->topology == FC_MESH;
    const double ways = torus->links == FC_BIDIRECTIONAL ? 2 : 1; /* that messages cross a ring */
    enum { SPACE = 3 };
    counts->routers = (double)torus->nodes;
    counts->cables = counts->wire_length = 0;
    for (size_t d = 0; d < torus->radix.count; ++d) {
        const double side = (double)torus->radix.values[d], lines = counts->routers / side;
        counts->cables += lines * (mesh ? side - 1 : side);
        counts->wire_length += lines * (side - 1) * (mesh ? 1 : 2);
    }
    if (torus->radix.count > SPACE)
        counts->wire_length = NAN;
    counts->ports = 2 * counts->cables + (double)torus->routed.nodes;
    counts->bisection =
        fc_bisection_of_lines(torus->radix.values, torus->radix.count) * (mesh ? 1 : ways);
}

/* What an output of a router leads to: its dimension and direction, or a node. */
static uint32_t link_kind(const fc_router_network *network, uint32_t output) {
    return output - network->output_first[network->output_router[output]];
}

/* The nodes of the diagonal, in a torus of equal sides: each digit of each dimension occurs once.
 */
static uint32_t diagonal_stride(const fc_torus *torus) {
    uint32_t stride = 0, weight = 1;
    for (size_t d = 0; d < torus->radix.count; ++d) {
        if (torus->topology == FC_MESH || torus->topology == FC_HYPERCUBE ||
            torus->routed.concentration != 1 || torus->radix.values[d] != torus->radix.values[0] ||
            torus->radix.values[d] < 3)
            return 0;
        stride += weight;
        weight *= (uint32_t)torus->radix.values[d];
    }
    return stride;
}

static void install(const fc_torus *parameters, fc_router_network *made) {
    torus_network *torus = made->topology;
    find_outputs(made, torus);
    const torus_routing *routing = &routings[parameters->routing];
    made->source_matters = /* to tell which messages cross the wrap-around link */
        parameters->channel_rule == FC_DATELINE || parameters->channel_rule == FC_WRAPPING;
    made->escapes_alike = parameters->routing == FC_MIN_ADAPT;
    made->node_stride = diagonal_stride(parameters);
    made->link_kind = link_kind;
    /* Without even rings there are no ties to be drawn. */
    made->variants = torus->geometry->even || routing->parts > 1 ? routing->variants : NULL;
    made->begin = routing->begin;
    made->route = routing->route;
    if (parameters->topology == FC_MESH && parameters->routing == FC_DIMENSION_ORDER) {
        made->outputs_to = outputs_in_order;
        made->phases = 1;
        made->any_channel = parameters->channel_rule == FC_FREE;
    }
}

static fc_status build(const fc_scenario *scenario, const fc_routed *routed, fc_error *error,
                       fc_router_network **network) {
    const fc_torus *parameters = scenario->parameters;
    torus_network *torus = fc_allocate(1, sizeof *torus);
    fc_router_network *made = NULL;
    if (!torus)
        return fc_fail_memory(error);
    fc_status status = fc_geometry_create(parameters, error, &torus->geometry);
    if (status == FC_OK && !routed->around)
        status = divide_channels(parameters, routed, torus, error);
    if (status == FC_OK)
        status = wire(routed, torus, error, &made);
    if (status != FC_OK) {
        release(torus);
        return status;
    }
    made->topology = torus;
    made->release_topology = release;
    if (!routed->around)
        install(parameters, made);
    *network = made;
    return FC_OK;
}

const fc_router_topology fc_router_torus = {measure, build, count_parts, FC_LIKE_TORUS,
                                            .grid = true};
const fc_router_topology fc_router_mesh = {measure, build, count_parts, FC_LIKE_MESH, .grid = true};
