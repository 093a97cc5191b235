#include "base/finite_field.h"

#include "base/memory.h"

bool fc_is_prime_power(int64_t size, uint32_t *prime, uint32_t *degree) {
    if (size < 2 || size > INT32_MAX)
        return false;
    int64_t least = 2;
    while (least * least <= size && size % least)
        ++least;
    *prime = (uint32_t)(size % least ? size : least); /* without a divisor it is prime itself */
    for (*degree = 0; size % *prime == 0; size /= *prime)
        ++*degree;
    return size == 1;
}

/* Digit by digit, modulo the prime; b is taken `times` times. */
static uint32_t add_digits(const fc_field *field, uint32_t a, uint32_t b, uint32_t times) {
    uint32_t sum = 0, weight = 1;
    for (uint32_t d = 0; d < field->degree; ++d, weight *= field->prime)
        sum += (a / weight + times * (b / weight % field->prime)) % field->prime * weight;
    return sum;
}

/* The element times x, where x^m is `reduced`; in a field of prime size times `reduced`. */
static uint32_t times_generator(const fc_field *field, uint32_t element, uint32_t reduced) {
    if (field->degree == 1)
        return element * reduced % field->prime;
    const uint32_t weight = field->size / field->prime, top = element / weight;
    return add_digits(field, element % weight * field->prime, reduced, top);
}

/* Fills the powers if `reduced` makes a generator: its powers are all elements but 0. */
static bool generates(fc_field *field, uint32_t reduced) {
    uint32_t element = 1;
    for (uint32_t i = 0; i + 1 < field->size; ++i) {
        field->power[i] = field->power[i + field->size - 1] = (uint16_t)element;
        field->logarithm[element] = (uint16_t)i;
        element = times_generator(field, element, reduced);
        if (element == 1 || element == 0)
            return element == 1 && i + 2 == field->size;
    }
    return false;
}

static bool allocate(fc_field *field) {
    const size_t size = field->size;
    field->power = fc_allocate(2 * size, sizeof *field->power);
    field->logarithm = fc_allocate(size, sizeof *field->logarithm);
    field->sum = fc_allocate(size * size, sizeof *field->sum);
    field->negative = fc_allocate(size, sizeof *field->negative);
    return field->power && field->logarithm && field->sum && field->negative;
}

fc_status fc_field_create(uint32_t size, fc_error *error, fc_field *field) {
    *field = (fc_field){.size = size};
    if (size > FC_FIELD_MAX || !fc_is_prime_power(size, &field->prime, &field->degree))
        return fc_fail(error, FC_ERROR_INPUT, "there is no field of %u elements here", size);
    if (!allocate(field)) {
        fc_field_clear(field);
        return fc_fail_memory(error);
    }
    for (uint32_t a = 0; a < size; ++a) {
        field->negative[a] = (uint16_t)add_digits(field, 0, a, field->prime - 1);
        for (uint32_t b = 0; b < size; ++b)
            field->sum[a * size + b] = (uint16_t)add_digits(field, a, b, 1);
    }
    for (uint32_t reduced = 1; !generates(field, reduced);)
        ++reduced; /* every finite field has a generator */
    return FC_OK;
}

void fc_field_clear(fc_field *field) {
    fc_release(field->power);
    fc_release(field->logarithm);
    fc_release(field->sum);
    fc_release(field->negative);
    *field = (fc_field){0};
}
