/* The items of the paper that need no simulation: they run, and their statements come out. */
#include "claim_support.h"
#include "test_support.h"
#include "flitcast/flitcast.h"

static void statements_hold(void **state) {
    (void)state;
    static const char *const items[] = {"figure-10", "figure-12"};
    static const size_t plots[] = {2, 1};
    for (size_t i = 0; i < 2; ++i) {
        fc_error error;
        fc_report *report;
        const fc_run_settings settings = fc_run_settings_default();
        if (fc_paper_run("mohapatra-das", items[i], 0.0, &settings, &error, &report) != FC_OK)
            fail_msg("%s", error.text);
        assert_int_equal(claims_failed(report), 0);
        assert_int_equal(fc_report_picture_count(report), plots[i]);
        fc_report_free(report);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(statements_hold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
