/* Slim Fly (Besta and Hoefler, SC 2014): the graphs of McKay, Miller and Siran, in which every two
 * routers are joined or have a neighbour in common, with almost as many routers as such a graph can
 * have.
 *
 * q is a prime power, all arithmetic in the field of q elements, with generator u; q = 4w + 1, 4w -
 * 1 or 4w. Routers are (0, x, y) and (1, m, c), numbered x q + y and q q + m q + c, with nodes
 * router * concentration + place. Joined are
 *
 *   (0, x, y) and (0, x, z)   if y - z is in X
 *   (1, m, c) and (1, m, d)   if c - d is in X'
 *   (0, x, y) and (1, m, c)   if y = m x + c
 *
 *   q = 4w + 1:  X = {1, u^2, u^4, ..., u^(q-3)},  X' = {u, u^3, ..., u^(q-2)}
 *   q = 4w - 1:  X = {1, u^2, ..., u^(2w-2), u^(2w-1), u^(2w+1), ..., u^(4w-3)},
 *                X' = {u, u^3, ..., u^(2w-1), u^(2w), u^(2w+2), ..., u^(4w-2)}
 *   q = 4w:      X = {1, u^2, ..., u^(q-2)},  X' = {u, u^3, ..., u^(q-1)}
 *
 * (Hafner, Discrete Mathematics 276, 2004). Both sets hold -e with each e, and together everything
 * but 0, so that the router in between follows from the coordinates and two tables of q entries:
 * there is no table of routers times routers. Of several paths of two links one is always taken.
 *
 * The outputs of a router are those within its column, in the order of X or X', then those to the
 * other half, by x or m, then those to its nodes. A message rises by a layer of virtual channels
 * before each link but its first: two for minimal paths, four with detours. */
#include "base/memory.h"

#include "base/finite_field.h"
#include "network/router_detour.h"
#include "scenario/families/fabric_rules.h"
#include "scenario/scenario.h"

#define NO_STEP UINT16_MAX

typedef struct slim_fly {
    fc_detour detour;
    fc_field field;
    uint32_t q, inside; /* links of a router within its column */
    struct location {
        uint16_t half, column, row; /* (half, x or m, y or c) */
    } * location;
    uint16_t *element[2]; /* of X and of X' */
    uint16_t *output[2];  /* of a difference: the output that adds it; NO_STEP */
    uint16_t *first[2];   /* of a difference that is the sum of two elements: the first's output */
} slim_fly;

/* ---- routing ---- */

/* The column in the other half through which two routers of different columns are joined. */
static inline uint32_t common_column(const slim_fly *fly, struct location a, struct location b) {
    const fc_field *f = &fly->field;
    const uint32_t slope = fc_field_divide(f, fc_field_subtract(f, a.row, b.row),
                                           fc_field_subtract(f, a.column, b.column));
    return a.half ? f->negative[slope] : slope; /* y = m x + c for both: m, or -x */
}

/* The output towards a router of the other half. */
static inline uint32_t cross(const slim_fly *fly, struct location at, struct location to) {
    const fc_field *f = &fly->field;
    const uint32_t product = fc_field_multiply(f, at.column, to.column);
    /* The row of this column that is joined to `to`. */
    const uint32_t row =
        at.half ? fc_field_subtract(f, to.row, product) : fc_field_add(f, to.row, product);
    const uint32_t output = fly->output[at.half][fc_field_subtract(f, row, at.row)];
    return row == at.row || output == NO_STEP ? fly->inside + to.column : output;
}

static uint32_t step(const fc_router_network *network, uint32_t at, uint32_t to, uint32_t draw,
                     uint32_t *count) {
    (void)draw;
    const slim_fly *fly = network->topology;
    const struct location here = fly->location[at], there = fly->location[to];
    const uint32_t first = network->output_first[at];
    *count = 1;
    if (here.half != there.half)
        return first + cross(fly, here, there);
    if (here.column != there.column)
        return first + fly->inside + common_column(fly, here, there);
    const uint32_t difference = fc_field_subtract(&fly->field, there.row, here.row);
    const uint32_t output = fly->output[here.half][difference];
    return first + (output == NO_STEP ? fly->first[here.half][difference] : output);
}

static uint32_t hops(const fc_router_network *network, uint32_t at, uint32_t to) {
    const slim_fly *fly = network->topology;
    const struct location here = fly->location[at], there = fly->location[to];
    const fc_field *f = &fly->field;
    if (at == to)
        return 0;
    if (here.half == there.half)
        return here.column == there.column &&
                       fly->output[here.half][fc_field_subtract(f, there.row, here.row)] != NO_STEP
                   ? 1
                   : 2;
    const struct location low = here.half ? there : here, high = here.half ? here : there;
    const uint32_t product = fc_field_multiply(f, high.column, low.column);
    return low.row == fc_field_add(f, product, high.row) ? 1 : 2;
}

static bool reached(const fc_router_network *network, uint32_t at, uint32_t middle) {
    (void)network;
    return at == middle;
}

static const fc_detour_topology kind = {
    .rises = FC_RISE_LINK, .step = step, .weight = hops, .reached = reached};

/* ---- the sets X and X' ---- */

/* The exponents of X, or X', are those from `start` on in steps of two up to `turn`, then one more
 * and again in steps of two. */
static void fill_set(slim_fly *fly, uint32_t half) {
    const uint32_t q = fly->q, w = (q + 1) / 4;
    uint32_t exponent = half;
    for (uint32_t i = 0; i < fly->inside; ++i) {
        fly->element[half][i] = fly->field.power[exponent % (q - 1)];
        exponent += q % 4 == 3 && i + 1 == w ? 1 : 2;
    }
}

static void find_steps(slim_fly *fly, uint32_t half) {
    const uint16_t *element = fly->element[half];
    uint16_t *output = fly->output[half], *first = fly->first[half];
    for (uint32_t d = 0; d < fly->q; ++d)
        output[d] = first[d] = NO_STEP;
    for (uint32_t i = 0; i < fly->inside; ++i)
        output[element[i]] = (uint16_t)i;
    for (uint32_t i = 0; i < fly->inside; ++i) {
        for (uint32_t j = 0; j < fly->inside; ++j) {
            const uint32_t sum = fc_field_add(&fly->field, element[i], element[j]);
            if (first[sum] == NO_STEP)
                first[sum] = (uint16_t)i;
        }
    }
}

/* ---- building ---- */

static void release(void *topology) {
    slim_fly *fly = topology;
    if (!fly)
        return;
    fc_field_clear(&fly->field);
    fc_release(fly->location);
    for (int half = 0; half < 2; ++half) {
        fc_release(fly->element[half]);
        fc_release(fly->output[half]);
        fc_release(fly->first[half]);
    }
    fc_release(fly);
}

static fc_status make_tables(slim_fly *fly, fc_error *error) {
    const uint32_t q = fly->q;
    fc_status status = fc_field_create(q, error, &fly->field);
    if (status != FC_OK)
        return status;
    fly->location = fc_allocate((size_t)2 * q * q, sizeof *fly->location);
    bool made = fly->location;
    for (int half = 0; half < 2; ++half) {
        fly->element[half] = fc_allocate(fly->inside, sizeof(uint16_t));
        fly->output[half] = fc_allocate(q, sizeof(uint16_t));
        fly->first[half] = fc_allocate(q, sizeof(uint16_t));
        made = made && fly->element[half] && fly->output[half] && fly->first[half];
    }
    if (!made)
        return fc_fail_memory(error);
    for (uint32_t router = 0; router < 2 * q * q; ++router)
        fly->location[router] = (struct location){
            (uint16_t)(router / (q * q)), (uint16_t)(router / q % q), (uint16_t)(router % q)};
    for (uint32_t half = 0; half < 2; ++half) {
        fill_set(fly, half);
        find_steps(fly, half);
    }
    return FC_OK;
}

static void list_links(const fc_fabric *fabric, const void *topology, fc_router_link *link) {
    const slim_fly *fly = topology;
    const fc_routed *routed = &fabric->routed;
    const fc_field *f = &fly->field;
    const uint32_t q = fly->q;
    for (uint32_t router = 0; router < 2 * q * q; ++router) {
        const struct location at = fly->location[router];
        for (uint32_t i = 0; i < fly->inside; ++i)
            *link++ = fc_link_between(
                routed, router, router - at.row + fc_field_add(f, at.row, fly->element[at.half][i]),
                0);
        for (uint32_t column = 0; column < q; ++column) {
            const uint32_t product = fc_field_multiply(f, at.column, column);
            const uint32_t row =
                at.half ? fc_field_add(f, product, at.row) : fc_field_subtract(f, at.row, product);
            *link++ = fc_link_between(routed, router, (at.half ? 0 : q * q) + column * q + row, 0);
        }
    }
}

/* Links of a router within its column: (q - 1) / 2, q / 2 or (q + 1) / 2. */
static uint32_t inside_of(uint32_t q) {
    return q % 4 == 1 ? (q - 1) / 2 : (q + 1) / 2;
}

static fc_status build(const fc_scenario *scenario, const fc_routed *routed, fc_error *error,
                       fc_router_network **network) {
    const fc_fabric *fabric = scenario->parameters;
    slim_fly *fly = fc_allocate(1, sizeof *fly);
    if (!fly)
        return fc_fail_memory(error);
    fly->q = (uint32_t)fabric->q;
    fly->inside = inside_of(fly->q);
    fly->detour.kind = &kind;
    fly->detour.middles = 2 * fly->q * fly->q;
    fly->detour.middle_step = fly->detour.draws = 1;
    const fc_status status = make_tables(fly, error);
    if (status != FC_OK) {
        release(fly);
        return status;
    }
    const fc_detour_plan plan = {.topology = fly,
                                 .release = release,
                                 .routers = fly->detour.middles,
                                 .links = fly->detour.middles * (fly->inside + fly->q),
                                 .hosts = (uint32_t)routed->concentration,
                                 .list_links = list_links};
    return fc_detour_build(fabric, routed, &plan, error, network);
}

static void measure(const void *parameters, fc_router_extent *extent) {
    const fc_fabric *fabric = parameters;
    const fc_routed *routed = &fabric->routed;
    const double degree = (double)fabric->q + inside_of((uint32_t)fabric->q);
    extent->links = 2 * (double)(fabric->q * fabric->q) * degree;
    extent->outputs = degree + (double)routed->concentration;
    extent->longest_path = fabric->routing == FC_ROUTE_MINIMAL ? 2 : 4;
}

static void count_parts(const void *parameters, fc_counts *counts) {
    const fc_fabric *fabric = parameters;
    counts->routers = 2 * (double)(fabric->q * fabric->q);
    counts->cables = counts->routers * (double)(fabric->q + inside_of((uint32_t)fabric->q)) / 2;
    counts->ports = 2 * counts->cables + (double)fabric->routed.nodes;
}

/* ---- in a scenario ---- */

static fc_status size(const fc_scenario *scenario, fc_fabric *fabric, double *nodes,
                      fc_error *error) {
    uint32_t prime, degree;
    const int64_t q = fabric->q;
    if (!fc_is_prime_power(q, &prime, &degree)) {
        int64_t below = q - 1, above = q + 1;
        while (!fc_is_prime_power(below, &prime, &degree))
            --below;
        while (!fc_is_prime_power(above, &prime, &degree))
            ++above;
        return fc_scenario_fail_key(scenario, "network.q", error,
                                    "network.q is %lld; a Slim Fly needs a prime power, for "
                                    "example %lld or %lld",
                                    (long long)q, (long long)below, (long long)above);
    }
    fabric->routed.digits = (fc_integer_list){.count = 1, .values = {2 * q * q}};
    *nodes = 2 * (double)(q * q) * (double)fabric->routed.concentration;
    return FC_OK;
}

static uint32_t layers(const fc_fabric *fabric) {
    return fabric->routing == FC_ROUTE_MINIMAL ? 2 : 4u + (fabric->routing == FC_ROUTE_PROGRESSIVE);
}

static const char *const required[] = {"network.q", NULL};
static const char *const optional[] = {"network.concentration",   "network.bias",
                                       "network.queues",          "network.decision",
                                       "network.ejection_choice", NULL};
const fc_fabric_topology fc_fabric_slim_fly = {
    .required = required,
    .optional = optional,
    .routings = FC_DETOUR_ROUTINGS,
    .routing = FC_ROUTE_MINIMAL,
    .size = size,
    .layers = layers,
    .routers = {measure, build, count_parts},
};
