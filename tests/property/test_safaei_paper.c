/* A panel of the paper's figure, reproduced coarsely: what it shows must not depend on luck. */
#include "claim_support.h"
#include "test_support.h"

#include <stdlib.h>
#include <string.h>
#include "flitcast/flitcast.h"

static void a_panel_with_one_virtual_channel(void **state) {
    (void)state;
    fc_report *report;
    fc_error error;
    const fc_status status =
        fc_paper_run("safaei", "figure-1-8x8-v1-m32", 0.2, NULL, &error, &report);
    if (status != FC_OK)
        fail_msg("%s", error.text);
    assert_int_equal(fc_report_picture_count(report), 1);
    /* V = 1: close at light load, and far off around the true saturation, which it misses */
    assert_true(claims_failed(report) >= 1);
    fc_write_settings settings = fc_write_settings_default();
    settings.format = FC_FORMAT_CSV;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_int_equal(fc_report_write(report, &settings, stream), FC_OK);
    fclose(stream);
    assert_non_null(strstr(text, "scouting-sharing"));
    assert_non_null(strstr(text, "95 % of safaei's"));
    free(text);
    fc_report_free(report);
}

static void eight_panels(void **state) {
    (void)state;
    for (size_t paper = 0; paper < fc_paper_count(); ++paper)
        if (strcmp(fc_paper_at(paper).name, "safaei") == 0) {
            assert_int_equal(fc_paper_item_count(paper), 8);
            return;
        }
    fail_msg("safaei is not among the papers");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_panel_with_one_virtual_channel),
        cmocka_unit_test(eight_panels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
