/* Permutations of the routers' numbers, by digits or by bits; a node sends to the node at its own
 * place of the router it is mapped to.
 *
 * - transpose: digit d moves to dimension d + n/2 (n even, equal radices). Otherwise, with a power
 *   of four of routers, the halves of the number's bits are exchanged. BookSim always exchanges
 *   bits, which is the same where radices are equal powers of two.
 * - bit-complement: every digit x becomes k-1-x.
 * - tornado: every digit moves ceil(k/2)-1 places up its ring.
 * - neighbour: every digit moves one place up its ring.
 * - bit-reverse: the bits of the number are reversed (a power of two of routers).
 * - shuffle, bit-rotation: they are rotated by one, left and right (a power of two of routers). */
#include "scenario/patterns/pattern.h"
#include "scenario/routed.h"

/* ---- sizes ---- */

static int64_t count_routers(const fc_routed *routed) {
    return routed->nodes / routed->concentration;
}

static bool power_of_two(int64_t count) {
    return count > 0 && (count & (count - 1)) == 0;
}

static bool power_of_four(int64_t count) {
    return power_of_two(count) && (count & 0x5555555555555555) != 0;
}

static const char *needs_power_of_two(const fc_routed *routed) {
    return power_of_two(count_routers(routed)) ? NULL
                                               : "needs a number of nodes that is a power of two";
}

/* ---- patterns of digits ---- */

typedef void digit_rule(const fc_traffic_shape *shape, const uint32_t *from, uint32_t *to);

static void exchange_halves(const fc_traffic_shape *shape, const uint32_t *from, uint32_t *to) {
    for (uint32_t d = 0; d < shape->digits; ++d)
        to[(d + shape->digits / 2) % shape->digits] = from[d];
}

static void complement(const fc_traffic_shape *shape, const uint32_t *from, uint32_t *to) {
    for (uint32_t d = 0; d < shape->digits; ++d)
        to[d] = shape->radix[d] - 1 - from[d];
}

static void almost_half_around(const fc_traffic_shape *shape, const uint32_t *from, uint32_t *to) {
    for (uint32_t d = 0; d < shape->digits; ++d)
        to[d] = (from[d] + (shape->radix[d] + 1) / 2 - 1) % shape->radix[d];
}

static void one_up(const fc_traffic_shape *shape, const uint32_t *from, uint32_t *to) {
    for (uint32_t d = 0; d < shape->digits; ++d)
        to[d] = (from[d] + 1) % shape->radix[d];
}

/* The nodes of `router` send to those of `to`. */
static void map_router(const fc_traffic_shape *shape, uint32_t router, uint32_t to,
                       uint32_t *image) {
    const uint32_t each = shape->concentration;
    for (uint32_t place = 0; place < each; ++place)
        image[router * each + place] = to * each + place;
}

static void map_digits(digit_rule *rule, const fc_traffic_shape *shape, uint32_t *image) {
    for (uint32_t router = 0; router < shape->routers; ++router) {
        uint32_t from[FC_LIST_MAX], to[FC_LIST_MAX], rest = router, number = 0;
        for (uint32_t d = 0; d < shape->digits; ++d) {
            from[d] = rest % shape->radix[d];
            rest /= shape->radix[d];
        }
        rule(shape, from, to);
        for (uint32_t d = shape->digits; d-- > 0;)
            number = number * shape->radix[d] + to[d];
        map_router(shape, router, number, image);
    }
}

/* ---- patterns of bits ---- */

typedef uint32_t bit_rule(uint32_t number, uint32_t bits);

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

static void map_bits(bit_rule *rule, const fc_traffic_shape *shape, uint32_t *image) {
    uint32_t bits = 0;
    while ((shape->routers >> bits) > 1)
        ++bits;
    for (uint32_t router = 0; router < shape->routers; ++router)
        map_router(shape, router, rule(router, bits), image);
}

/* ---- transpose: digits where it can, else bits ---- */

static bool digits_exchange(const fc_traffic_shape *shape) {
    const uint32_t half = shape->digits / 2;
    for (uint32_t d = 0; d < half; ++d) {
        if (shape->radix[d] != shape->radix[d + half])
            return false;
    }
    return shape->digits % 2 == 0;
}

static void map_transpose(const fc_destinations *destinations, const fc_traffic_shape *shape,
                          uint32_t *image) {
    (void)destinations;
    if (digits_exchange(shape))
        map_digits(exchange_halves, shape, image);
    else
        map_bits(exchange_bits, shape, image);
}

static const char *needs_halves(const fc_routed *routed) {
    const fc_integer_list *digits = &routed->digits;
    if (power_of_four(count_routers(routed)))
        return NULL;
    if (digits->count % 2 != 0)
        return "needs an even number of dimensions, or a power of four of nodes";
    for (size_t d = 0; d < digits->count / 2; ++d)
        if (digits->values[d] != digits->values[d + digits->count / 2])
            return "needs equal radices in the dimensions it exchanges";
    return NULL;
}

const fc_pattern_info fc_pattern_transpose = {.misfit = needs_halves, .map = map_transpose};

/* ---- the others ---- */

#define PATTERN(name, by, rule, fits)                                                              \
    static void map_##name(const fc_destinations *destinations, const fc_traffic_shape *shape,     \
                           uint32_t *image) {                                                      \
        (void)destinations;                                                                        \
        by(rule, shape, image);                                                                    \
    }                                                                                              \
    const fc_pattern_info fc_pattern_##name = {.misfit = (fits), .map = map_##name}

PATTERN(bit_complement, map_digits, complement, NULL);
PATTERN(tornado, map_digits, almost_half_around, NULL);
PATTERN(neighbour, map_digits, one_up, NULL);
PATTERN(bit_reverse, map_bits, reverse, needs_power_of_two);
PATTERN(shuffle, map_bits, shuffle, needs_power_of_two);
PATTERN(bit_rotation, map_bits, unshuffle, needs_power_of_two);
