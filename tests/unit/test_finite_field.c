/* Finite fields: their axioms, for every prime power up to 128. */
#include "test_support.h"

#include "base/finite_field.h"

static void prime_powers_are_told_from_others(void **state) {
    (void)state;
    static const uint32_t powers[] = {2,  3,  4,  5,  7,  8,  9,  11, 13, 16, 17, 19, 23,
                                      25, 27, 29, 31, 32, 37, 41, 43, 47, 49, 53, 59, 61};
    size_t next = 0;
    for (int64_t n = -3; n < 62; ++n) {
        uint32_t prime, degree;
        const bool is = fc_is_prime_power(n, &prime, &degree);
        assert_int_equal(is, next < sizeof powers / sizeof *powers && n == powers[next]);
        next += is;
        uint32_t product = 1;
        for (uint32_t i = 0; is && i < degree; ++i)
            product *= prime;
        assert_true(!is || product == n);
    }
}

static void check_field(const fc_field *f) {
    for (uint32_t a = 0; a < f->size; ++a) {
        assert_int_equal(fc_field_add(f, a, 0), a);
        assert_int_equal(fc_field_multiply(f, a, 1), a);
        assert_int_equal(fc_field_subtract(f, a, a), 0);
        for (uint32_t b = 0; b < f->size; ++b) {
            assert_int_equal(fc_field_add(f, a, b), fc_field_add(f, b, a));
            assert_int_equal(fc_field_multiply(f, a, b), fc_field_multiply(f, b, a));
            if (b)
                assert_int_equal(fc_field_multiply(f, fc_field_divide(f, a, b), b), a);
            for (uint32_t c = 0; c < f->size; c += 1 + f->size / 9) {
                assert_int_equal(fc_field_add(f, a, fc_field_add(f, b, c)),
                                 fc_field_add(f, fc_field_add(f, a, b), c));
                assert_int_equal(fc_field_multiply(f, a, fc_field_multiply(f, b, c)),
                                 fc_field_multiply(f, fc_field_multiply(f, a, b), c));
                assert_int_equal(
                    fc_field_multiply(f, a, fc_field_add(f, b, c)),
                    fc_field_add(f, fc_field_multiply(f, a, b), fc_field_multiply(f, a, c)));
            }
        }
    }
}

static void axioms_hold(void **state) {
    (void)state;
    for (uint32_t size = 2; size <= 128; ++size) {
        uint32_t prime, degree;
        fc_field field;
        fc_error error;
        const fc_status status = fc_field_create(size, &error, &field);
        if (fc_is_prime_power(size, &prime, &degree)) {
            assert_int_equal(status, FC_OK);
            check_field(&field);
            fc_field_clear(&field);
        } else {
            assert_int_equal(status, FC_ERROR_INPUT);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prime_powers_are_told_from_others),
        cmocka_unit_test(axioms_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
