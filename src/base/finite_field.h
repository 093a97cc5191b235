/* Arithmetic in the finite field of q elements, q a prime power.
 *
 * Elements are numbered 0 .. q-1: the digits of the number to base p are the coefficients of a
 * polynomial modulo a primitive one of degree m, q = p^m. So 0 and 1 are the numbers 0 and 1, and
 * for a prime q the arithmetic is that of whole numbers modulo q. */
#ifndef FC_BASE_FINITE_FIELD_H
#define FC_BASE_FINITE_FIELD_H

#include "base/status.h"

enum { FC_FIELD_MAX = 4096 }; /* elements */

typedef struct fc_field {
    uint32_t size, prime, degree;
    uint16_t *power;     /* 2 * size: powers of a generator, twice round */
    uint16_t *logarithm; /* of each element but 0 */
    uint16_t *sum;       /* size x size */
    uint16_t *negative;  /* of each element */
} fc_field;

/* Whether size is a power of a prime, and of which. */
bool fc_is_prime_power(int64_t size, uint32_t *prime, uint32_t *degree);

/* size must be a prime power up to FC_FIELD_MAX. */
fc_status fc_field_create(uint32_t size, fc_error *error, fc_field *field);
void fc_field_clear(fc_field *field);

static inline uint32_t fc_field_add(const fc_field *field, uint32_t a, uint32_t b) {
    return field->sum[a * field->size + b];
}

static inline uint32_t fc_field_subtract(const fc_field *field, uint32_t a, uint32_t b) {
    return field->sum[a * field->size + field->negative[b]];
}

static inline uint32_t fc_field_multiply(const fc_field *field, uint32_t a, uint32_t b) {
    return a && b ? field->power[field->logarithm[a] + field->logarithm[b]] : 0;
}

/* b is not 0. */
static inline uint32_t fc_field_divide(const fc_field *field, uint32_t a, uint32_t b) {
    return a ? field->power[field->logarithm[a] + field->size - 1 - field->logarithm[b]] : 0;
}

#endif
