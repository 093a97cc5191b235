/* The accuracy that the library states of models alone is that of the tables in docs/validation. */
#include "test_support.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "registry/accuracy.h"
#include "registry/method.h"
#include "suite.h"
#include "table_text.h"

static const char directory[] = SOURCE_DIR "/docs/validation";
static suite *suites[16];

static int read_tables(void **state) {
    (void)state;
    for (size_t i = 0; suite_designs[i]; ++i) {
        suites[i] = suite_create(suite_designs[i]);
        suite_read(suites[i], directory);
    }
    return 0;
}

static int forget_tables(void **state) {
    (void)state;
    for (size_t i = 0; suites[i]; ++i)
        free(suites[i]);
    return 0;
}

static char *text_of(const char *path) {
    char *text = NULL;
    size_t length = 0;
    FILE *stream = fopen(path, "r");
    if (!stream)
        fail_msg("%s is missing", path);
    assert_true(getdelim(&text, &length, '\0', stream) > 0);
    fclose(stream);
    return text;
}

static void assert_same_text(const char *expected, const char *actual, const char *what) {
    size_t line = 1, at = 0;
    for (; expected[at] && expected[at] == actual[at]; ++at)
        line += expected[at] == '\n';
    if (expected[at] != actual[at])
        fail_msg("%s differs from line %zu on; run 'make validate'", what, line);
}

static void the_library_carries_what_the_tables_say(void **state) {
    (void)state;
    char *written = NULL;
    size_t length;
    FILE *stream = open_memstream(&written, &length);
    suite_write_accuracy(suites, stream);
    fclose(stream);
    char *carried = text_of(SOURCE_DIR "/data/accuracy.csv");
    assert_same_text(carried, written, "data/accuracy.csv");
    free(carried);
    free(written);
}

/* Fails when the features of a scenario are no longer what they were when the table was made. */
static void the_tables_are_as_they_would_be_written(void **state) {
    (void)state;
    char folder[] = "/tmp/flitcast-accuracy-XXXXXX";
    assert_non_null(mkdtemp(folder));
    for (size_t i = 0; suites[i]; ++i) {
        const char *kept = suites[i]->design->name;
        char made[512];
        suite_write(suites[i], folder);
        snprintf(made, sizeof made, "%s/%s.csv", folder, suites[i]->design->name);
        char *before = table_text(directory, kept), *after = text_of(made);
        assert_non_null(before);
        unlink(made);
        assert_same_text(before, after, kept);
        free(before);
        free(after);
    }
    rmdir(folder);
}

static void every_model_of_the_suite_has_cases(void **state) {
    (void)state;
    for (size_t i = 0; suites[i]; ++i)
        for (size_t m = 0; m < suites[i]->models; ++m) {
            fc_accuracy all, held_out;
            const char *name = suites[i]->design->models[m];
            assert_int_equal(fc_accuracy_overall(name, false, NULL, &all), FC_OK);
            assert_int_equal(fc_accuracy_overall(name, true, NULL, &held_out), FC_OK);
            assert_true(all.known && all.cases > 5);
            assert_true(held_out.cases < all.cases);
        }
}

static void sentences(void **state) {
    (void)state;
    char text[FC_ACCURACY_SIZE];
    fc_accuracy accuracy = {
        .known = true, .cases = 48, .typical = 0.0123, .worst = -0.034, .low = 0.2, .high = 0.85};
    fc_accuracy_text(&accuracy, text);
    assert_string_equal(
        text, "typically 1.2 %, at most 3.4 %, in 48 simulated cases up to 85 % of saturation");
    accuracy.low = 0.5;
    accuracy.unsolved = 2;
    accuracy.worst = 0.2;
    fc_accuracy_text(&accuracy, text);
    assert_string_equal(text, "typically 1.2 %, at most 20 %, in 48 simulated cases at 50 to 85 % "
                              "of saturation; no answer in 2 more");
    accuracy.low = accuracy.high = (double)NAN;
    accuracy.cases = 1;
    accuracy.unsolved = 0;
    fc_accuracy_text(&accuracy, text);
    assert_string_equal(text, "typically 1.2 %, at most 20 %, in 1 simulated case");
    accuracy = (fc_accuracy){.reason = "radix 64: simulated 4 to 16"};
    fc_accuracy_text(&accuracy, text);
    assert_string_equal(text, "not validated here (radix 64: simulated 4 to 16)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_library_carries_what_the_tables_say),
        cmocka_unit_test(the_tables_are_as_they_would_be_written),
        cmocka_unit_test(every_model_of_the_suite_has_cases),
        cmocka_unit_test(sentences),
    };
    return cmocka_run_group_tests(tests, read_tables, forget_tables);
}
