#include "network/permutations.h"

enum { PERMUTATION_STREAM = 0x7065726d }; /* apart from every stream of a simulator */

/* ---- patterns of a router's digits ---- */

typedef void (*digit_rule)(const fc_traffic_shape *shape, const uint32_t *from, uint32_t *to);

static void exchange_halves(const fc_traffic_shape *shape, const uint32_t *from, uint32_t *to) {
    for (uint32_t d = 0; d < shape->digits; ++d)
        to[(d + shape->digits / 2) % shape->digits] = from[d];
}

static void complement(const fc_traffic_shape *shape, const uint32_t *from, uint32_t *to) {
    for (uint32_t d = 0; d < shape->digits; ++d)
        to[d] = shape->radix[d] - 1 - from[d];
}

static void almost_half_way(const fc_traffic_shape *shape, const uint32_t *from, uint32_t *to) {
    for (uint32_t d = 0; d < shape->digits; ++d)
        to[d] = (from[d] + (shape->radix[d] + 1) / 2 - 1) % shape->radix[d];
}

static void one_up(const fc_traffic_shape *shape, const uint32_t *from, uint32_t *to) {
    for (uint32_t d = 0; d < shape->digits; ++d)
        to[d] = (from[d] + 1) % shape->radix[d];
}

static uint32_t map_digits(digit_rule rule, const fc_traffic_shape *shape, uint32_t router) {
    uint32_t from[FC_LIST_MAX], to[FC_LIST_MAX], image = 0;
    for (uint32_t d = 0; d < shape->digits; ++d) {
        from[d] = router % shape->radix[d];
        router /= shape->radix[d];
    }
    rule(shape, from, to);
    for (uint32_t d = shape->digits; d-- > 0;)
        image = image * shape->radix[d] + to[d];
    return image;
}

/* ---- patterns of its bits ---- */

typedef uint32_t (*bit_rule)(uint32_t number, uint32_t bits);

static uint32_t rotate_left(uint32_t number, uint32_t bits, uint32_t by) {
    const uint32_t mask = (1u << bits) - 1;
    return bits ? (number << by | number >> (bits - by)) & mask : number;
}

static uint32_t reverse(uint32_t number, uint32_t bits) {
    uint32_t image = 0;
    for (uint32_t b = 0; b < bits; ++b)
        image |= (number >> b & 1) << (bits - 1 - b);
    return image;
}

static uint32_t shuffle(uint32_t number, uint32_t bits) {
    return rotate_left(number, bits, 1);
}

static uint32_t unshuffle(uint32_t number, uint32_t bits) {
    return rotate_left(number, bits, bits - 1);
}

static uint32_t exchange_bits(uint32_t number, uint32_t bits) {
    return rotate_left(number, bits, bits / 2);
}

static uint32_t bits_of(uint32_t count) {
    uint32_t bits = 0;
    while ((count >> bits) > 1)
        ++bits;
    return bits;
}

/* ---- all of them ---- */

static bool digits_exchange(const fc_traffic_shape *shape) {
    const uint32_t half = shape->digits / 2;
    for (uint32_t d = 0; d < half; ++d) {
        if (shape->radix[d] != shape->radix[d + half])
            return false;
    }
    return shape->digits % 2 == 0;
}

static void map_routers(digit_rule digits, bit_rule bits, const fc_traffic_shape *shape,
                        uint32_t *image) {
    const uint32_t each = shape->concentration, width = bits_of(shape->routers);
    for (uint32_t router = 0; router < shape->routers; ++router) {
        const uint32_t to = digits ? map_digits(digits, shape, router) : bits(router, width);
        for (uint32_t place = 0; place < each; ++place)
            image[router * each + place] = to * each + place;
    }
}

static void shuffle_nodes(int64_t seed, uint32_t nodes, uint32_t *image) {
    fc_random random = fc_random_stream((uint64_t)seed, 0, PERMUTATION_STREAM);
    for (uint32_t node = 0; node < nodes; ++node)
        image[node] = node;
    for (uint32_t left = nodes; left > 1; --left) {
        const uint32_t chosen = fc_random_below(&random, left);
        const uint32_t last = image[left - 1];
        image[left - 1] = image[chosen];
        image[chosen] = last;
    }
}

bool fc_is_permutation(fc_pattern pattern, bool to_self) {
    switch (pattern) {
    case FC_TRANSPOSE:
    case FC_BIT_COMPLEMENT:
    case FC_BIT_REVERSE:
    case FC_SHUFFLE:
    case FC_TORNADO:
    case FC_BIT_ROTATION:
    case FC_NEIGHBOUR:
    case FC_RANDOM_PERMUTATION:
        return true;
    case FC_DIAGONAL:
    case FC_ASYMMETRIC:
        return !to_self;
    default:
        return false;
    }
}

void fc_permutation_images(const fc_destinations *destinations, const fc_traffic_shape *shape,
                           uint32_t *image) {
    static const digit_rule digit_rules[] = {[FC_TRANSPOSE] = exchange_halves,
                                             [FC_BIT_COMPLEMENT] = complement,
                                             [FC_TORNADO] = almost_half_way,
                                             [FC_NEIGHBOUR] = one_up,
                                             [FC_HOT_SPOTS] = NULL};
    static const bit_rule bit_rules[] = {[FC_TRANSPOSE] = exchange_bits,
                                         [FC_BIT_REVERSE] = reverse,
                                         [FC_SHUFFLE] = shuffle,
                                         [FC_BIT_ROTATION] = unshuffle,
                                         [FC_HOT_SPOTS] = NULL};
    const uint32_t nodes = shape->routers * shape->concentration;
    const fc_pattern pattern = destinations->pattern;
    const bool by_bits = pattern == FC_TRANSPOSE && !digits_exchange(shape);
    switch (pattern) {
    case FC_DIAGONAL:
        for (uint32_t node = 0; node < nodes; ++node)
            image[node] = (node + 1) % nodes;
        return;
    case FC_ASYMMETRIC:
        for (uint32_t node = 0; node < nodes; ++node)
            image[node] = (node + nodes / 2) % nodes;
        return;
    case FC_RANDOM_PERMUTATION:
        shuffle_nodes(destinations->seed, nodes, image);
        return;
    default:
        map_routers(by_bits ? NULL : digit_rules[pattern], bit_rules[pattern], shape, image);
    }
}
