/* The paper of Adve and Vernon: its files are built in and read as printed, and what it says in
 * words about figures that need no simulation holds. */
#include "claim_support.h"
#include "test_support.h"

#include "studies/papers/adve_vernon_paper.h"

static void reads_the_published_tables(void **state) {
    (void)state;
    double values[16 * 10];
    assert_int_equal(fc_closed_paper_csv("table-4.2a", 6, values, 16), 12);
    assert_near(values[0], 1, 0);
    assert_near(values[11 * 6 + 5], 20.76, 0);
    assert_int_equal(fc_closed_paper_csv("table-4.3", 8, values, 16), 6);
    assert_near(values[3 * 8 + 7], 1.444, 0);
    assert_int_equal(fc_closed_paper_csv("table-4.4", 10, values, 16), 16);
    assert_true(isnan(values[0])); /* the panel is a letter */
    assert_near(values[15 * 10 + 9], 49, 0);
    assert_int_equal(fc_closed_paper_csv("no-such-table", 3, values, 16), 0);
}

/* Three claims about figure 4.3 do not hold: docs/papers/adve-vernon.md names them. */
static void claims_hold(void **state) {
    (void)state;
    static const char *const items[] = {"figure-2.4", "figure-4.1", "figure-4.3"};
    static const size_t failing[] = {0, 0, 3};
    for (size_t i = 0; i < sizeof items / sizeof items[0]; ++i) {
        fc_error error = {""};
        fc_report *report;
        const fc_run_settings settings = fc_run_settings_default();
        assert_int_equal(fc_paper_run("adve-vernon", items[i], 0, &settings, &error, &report),
                         FC_OK);
        assert_int_equal(claims_failed(report), failing[i]);
        assert_int_equal(fc_report_picture_count(report), 1);
        fc_report_free(report);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_the_published_tables),
        cmocka_unit_test(claims_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
