/* Sets of records: what is added twice is there once, in the order of its coming, also after the
 * set has grown and after it was emptied. */
#include "base/record_set.h"
#include "test_support.h"

typedef struct pair {
    uint32_t a, b;
    uint64_t c;
} pair;

static pair nth(uint64_t i) {
    return (pair){(uint32_t)(i % 7), (uint32_t)(i / 7), i * i};
}

static void keeps_each_once_in_order(void **state) {
    (void)state;
    enum { RECORDS = 3000 };
    fc_record_set set = {.size = sizeof(pair)};
    for (int round = 0; round < 2; ++round) {
        for (uint64_t i = 0; i < RECORDS; ++i) {
            const pair one = nth(i), again = nth(i / 2);
            assert_true(fc_record_set_add(&set, &one));
            assert_true(fc_record_set_add(&set, &again));
            assert_int_equal(set.count, i + 1);
        }
        const pair *list = set.list;
        for (uint64_t i = 0; i < RECORDS; ++i) {
            const pair expected = nth(i);
            assert_memory_equal(&list[i], &expected, sizeof expected);
        }
        fc_record_set_empty(&set);
        assert_int_equal(set.count, 0);
    }
    fc_record_set_release(&set);
    assert_null(set.list);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(keeps_each_once_in_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
