/* The paper of Hamacher and Jiang is reproduced: every statement holds, and the tables hold the
 * numbers they are known to hold. */
#include "claim_support.h"
#include "test_support.h"

#include "flitcast/flitcast.h"
#include <stdlib.h>
#include <string.h>

static fc_report *run_item(const char *item, double precision) {
    const fc_run_settings settings = fc_run_settings_default();
    fc_report *report;
    fc_error error;
    const fc_status status =
        fc_paper_run("hamacher-jiang", item, precision, &settings, &error, &report);
    if (status != FC_OK)
        fail_msg("%s: %s", item, error.text);
    return report;
}

/* On one line: what it says may be broken anywhere. */
static char *text_of(const fc_report *report) {
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    const fc_write_settings settings = fc_write_settings_default();
    assert_int_equal(fc_report_write(report, &settings, stream), FC_OK);
    fclose(stream);
    char *to = text;
    for (const char *from = text; *from; ++from)
        if (*from > ' ' || (to > text && to[-1] != ' '))
            *to++ = *from > ' ' ? *from : ' ';
    *to = '\0';
    return text;
}

static void every_statement_holds(void **state) {
    (void)state;
    static const struct {
        const char *item;
        double precision;
        size_t pictures;
        const char *says; /* a number that must be in the text */
    } items[] = {
        {"figure-4", 0.01, 1, "34.43"},  {"figure-5", 0.01, 1, "hold"},
        {"figure-6", 0.01, 1, "32.27"},  {"figure-7", 0.01, 1, "from L = 16 to L = 29"},
        {"figure-8", 0.05, 2, "25.841"}, {"figure-9", 0.05, 2, "31.463"},
    };
    for (size_t i = 0; i < sizeof items / sizeof *items; ++i) {
        fc_report *report = run_item(items[i].item, items[i].precision);
        char *text = text_of(report);
        assert_int_equal(claims_failed(report), 0);
        assert_int_equal(fc_report_picture_count(report), items[i].pictures);
        if (!strstr(text, items[i].says))
            fail_msg("%s does not say '%s'", items[i].item, items[i].says);
        free(text);
        fc_report_free(report);
    }
}

static void an_unknown_item_is_an_error(void **state) {
    (void)state;
    fc_report *report = NULL;
    fc_error error;
    assert_int_equal(fc_paper_run("hamacher-jiang", "figure-44", 0, NULL, &error, &report),
                     FC_ERROR_INPUT);
    assert_null(report);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_statement_holds),
        cmocka_unit_test(an_unknown_item_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
