/* The accuracy that the library states is that of the tables in docs/validation, counted where its
 * rule says, and decides which model is the default. */
#include "test_support.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "registry/accuracy.h"
#include "registry/calibration_factors.h"
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

/* A page as one line, so that sentences are found wherever its lines end. */
static char *page_of(const char *path) {
    char *page = text_of(path);
    for (char *at = page; *at; ++at)
        *at = *at == '\n' ? ' ' : *at;
    return page;
}

static void assert_page_says(const char *page, const char *format, ...) {
    char sentence[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (!strstr(page, sentence))
        fail_msg("%.40s...: the page does not say \"%s\"", page, sentence);
}

static void the_library_carries_what_the_tables_say(void **state) {
    (void)state;
    char *written = NULL;
    size_t length;
    FILE *stream = open_memstream(&written, &length);
    suite_write_cases(suites, stream);
    fclose(stream);
    char *carried = text_of(SOURCE_DIR "/src/registry/accuracy_cases.c");
    assert_same_text(carried, written, "src/registry/accuracy_cases.c");
    free(carried);
    free(written);
}

static void write_percent(double error, char text[16]) {
    const double percent = 100 * fabs(error);
    snprintf(text, 16, percent < 9.95 ? "%.1f %%" : "%.0f %%", percent);
}

/* Mean error of the first model over the cases held out whose load is at most this share of
 * saturation; NaN where loads are none. */
static double mean_error_up_to(const suite *s, double load) {
    double sum = 0;
    size_t count = 0;
    for (size_t e = 0; e < s->count; ++e) {
        const suite_entry *entry = &s->entries[e];
        for (size_t i = 0; i < entry->point_count && entry->held_out; ++i) {
            const suite_value *value = &entry->points[i].metrics[0];
            if (!(entry->points[i].fraction <= load) || !suite_counts(entry, value, 0))
                continue;
            if (isinf(value->predicted[0])) /* no answer: counted elsewhere */
                continue;
            assert_true(isfinite(value->predicted[0]));
            sum += fabs(value->predicted[0] / value->simulated - 1);
            ++count;
        }
    }
    return sum / (double)count;
}

/* The README's table is written by hand, and must follow. */
static void the_readme_says_the_same(void **state) {
    (void)state;
    char *readme = text_of(SOURCE_DIR "/README.md");
    for (size_t i = 0; suites[i]; ++i) {
        const char *model = suites[i]->design->models[0];
        fc_accuracy held_out;
        fc_error error;
        char moderate[16] = "", typical[16], worst[16], row[96];
        assert_int_equal(fc_accuracy_overall(model, true, &error, &held_out), FC_OK);
        const double up_to = mean_error_up_to(suites[i], 0.8);
        if (!isnan(up_to))
            write_percent(up_to, moderate);
        write_percent(held_out.typical, typical);
        write_percent(held_out.worst, worst);
        snprintf(row, sizeof row, "| %s%s| %s | %s | %zu", moderate, moderate[0] ? " " : "",
                 typical, worst, held_out.cases);
        if (!strstr(readme, row))
            fail_msg("README.md does not have \"%s\" for %s", row, model);
    }
    free(readme);
}

/* "4.2 -> 1.9": the mean errors, of the model alone and calibrated, in columns of a row. */
static void errors_of(const char *page, const char *row, int alone, int calibrated, char *text,
                      size_t size) {
    const char *at = strstr(page, row);
    double error[2];
    const int columns[] = {alone, calibrated};
    if (!at)
        fail_msg("no row \"%s\"", row);
    for (int i = 0; i < 2; ++i) {
        const char *cell = at + 1;
        for (int c = 1; c < columns[i]; ++c)
            cell = strchr(cell, '|') + 1;
        assert_int_equal(sscanf(cell, " %lf (", &error[i]), 1);
    }
    snprintf(text, size, "%.1f -> %.1f", error[0], error[1]);
}

/* So are its tables of random networks. */
static void the_readme_says_what_random_networks_showed(void **state) {
    (void)state;
    static const char *const kinds[] = {"tori", "meshes", "scouting", "multistage"};
    static const char *const shares[] = {"60", "80", "90"};
    char *readme = page_of(SOURCE_DIR "/README.md");
    char *random = text_of(SOURCE_DIR "/docs/validation/calibration.md");
    char *routers = text_of(SOURCE_DIR "/docs/validation/router_forecasts.md");
    char row[64], errors[3][32];
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
        for (size_t l = 0; l < 3; ++l) {
            snprintf(row, sizeof row, "| %s | %s %%", kinds[k], shares[l]);
            errors_of(random, row, 6, 7, errors[l], sizeof errors[l]);
        }
        assert_page_says(readme, "| %s | %s %% | %s %% | %s %% |", kinds[k], errors[0], errors[1],
                         errors[2]);
    }
    errors_of(random, "| closed | efficiency", 6, 7, errors[0], sizeof errors[0]);
    errors_of(random, "| closed | network_time", 6, 7, errors[1], sizeof errors[1]);
    assert_page_says(readme, "efficiency %s %%, network time %s %%", errors[0], errors[1]);
    static const char *const loads[] = {"latency, 25 %", "latency, 55 %", "latency, 80 %",
                                        "latency, 90 %", "saturation load"};
    for (size_t l = 0; l < 5; ++l) {
        snprintf(row, sizeof row, "| all, %s |", loads[l]);
        errors_of(routers, row, 4, 6, errors[0], sizeof errors[0]);
        assert_page_says(readme, "| %s %% |", errors[0]);
    }
    free(readme);
    free(random);
    free(routers);
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

/* ---- the rule, by hand ---- */

static bool is_near(const suite *s, const double *a, const double *b, bool minor_too) {
    for (size_t f = 0; s->features->features[f].name; ++f) {
        const fc_feature *feature = &s->features->features[f];
        if (feature->scale == FC_FEATURE_CHOICE && (minor_too || !feature->minor) && a[f] != b[f])
            return false;
        if (feature->scale == FC_FEATURE_RATIO && fabs(log2(a[f] / b[f])) > 1.0001)
            return false;
        if (feature->scale == FC_FEATURE_DIFFERENCE && fabs(a[f] - b[f]) / feature->unit > 1.0001)
            return false;
    }
    return true;
}

typedef struct expected {
    size_t cases, networks, unsolved;
    double sum, worst;
} expected;

static expected expect(const suite *s, const suite_entry *here, size_t model, bool minor_too) {
    expected sum = {0};
    for (size_t e = 0; e < s->count; ++e) {
        const suite_entry *entry = &s->entries[e];
        size_t counted = 0;
        for (size_t i = 0; i < entry->point_count; ++i) {
            const suite_value *value = &entry->points[i].metrics[0];
            if (!is_near(s, here->features, entry->features, minor_too) ||
                !suite_counts(entry, value, model))
                continue;
            const double error = value->predicted[model] / value->simulated - 1;
            ++counted;
            if (isinf(error)) {
                ++sum.unsolved;
                continue;
            }
            ++sum.cases;
            sum.sum += fabs(error);
            sum.worst = fmax(sum.worst, fabs(error));
        }
        sum.networks += counted > 0;
    }
    return sum;
}

static void lookups_count_the_cases_nearby(void **state) {
    (void)state;
    size_t known = 0, wider = 0;
    for (size_t i = 0; suites[i]; ++i) {
        const suite *s = suites[i];
        for (size_t e = 0; e < s->count; e += 7) {
            const suite_entry *entry = &s->entries[e];
            fc_scenario *scenario =
                suite_scenario(s, entry, isnan(entry->points[0].fraction) ? 0 : 1e-3);
            for (size_t m = 0; m < s->models; ++m) {
                fc_accuracy accuracy;
                if (fc_model_find(s->design->models[m], NULL)->measured) /* not by these cases */
                    continue;
                assert_int_equal(
                    fc_accuracy_near(s->design->models[m], scenario, NAN, NULL, &accuracy), FC_OK);
                if (!entry->covered[m])
                    continue;
                const bool is_wider = accuracy.but_for[0] != '\0';
                const expected sum = expect(s, entry, m, !is_wider);
                wider += is_wider;
                if (sum.networks < 3 || sum.cases == 0) {
                    assert_false(accuracy.known);
                    assert_true(accuracy.reason[0] != '\0');
                    continue;
                }
                if (!accuracy.known) /* outside what was simulated so far */
                    continue;
                ++known;
                assert_int_equal(accuracy.cases, sum.cases);
                assert_int_equal(accuracy.networks, sum.networks);
                assert_int_equal(accuracy.unsolved, sum.unsolved);
                assert_near(accuracy.typical, sum.sum / (double)sum.cases, 2e-5);
                assert_near(fabs(accuracy.worst), sum.worst, 2e-5);
            }
            fc_scenario_free(scenario);
        }
    }
    assert_true(known > 50);
    assert_true(wider > 5);
}

/* How many models the default is clearly better than; none is clearly better than the default, if
 * that is not calibrated by factors. */
static size_t check_default(const suite *s, const suite_entry *entry, const fc_scenario *scenario,
                            bool of_others) {
    const fc_model *chosen;
    size_t decided = 0;
    assert_int_equal(
        (of_others ? fc_model_choose_by_others : fc_model_choose)(scenario, NULL, &chosen), FC_OK);
    const double best =
        fc_accuracy_score(chosen->info.name, scenario, of_others ? FC_COUNT_OTHERS : FC_COUNT_ALL);
    for (size_t m = 0; m < s->models; ++m) {
        const fc_model *other = fc_model_find(s->design->models[m], NULL);
        if (!entry->covered[m] || other->info.variant)
            continue;
        const double score = fc_accuracy_score(other->info.name, scenario,
                                               of_others ? FC_COUNT_OTHERS : FC_COUNT_ALL);
        assert_true(fc_factor_find(chosen->info.name) || !(score < 0.8 * best));
        decided += isfinite(best) && best < 0.8 * score;
    }
    return decided;
}

static void the_default_is_the_model_with_the_smallest_error(void **state) {
    (void)state;
    size_t decided = 0, by_others = 0;
    for (size_t i = 0; suites[i]; ++i) {
        const suite *s = suites[i];
        for (size_t e = 0; e < s->count; e += 11) {
            const suite_entry *entry = &s->entries[e];
            fc_scenario *scenario =
                suite_scenario(s, entry, isnan(entry->points[0].fraction) ? 0 : 1e-3);
            decided += check_default(s, entry, scenario, false);
            by_others += check_default(s, entry, scenario, true);
            fc_scenario_free(scenario);
        }
    }
    assert_true(by_others > 20);
    assert_true(decided > by_others); /* without its own cases a network has fewer */
}

/* ---- intervals ---- */

typedef struct coverage {
    size_t asked, cases, held; /* cases have an interval, held those in which it holds */
} coverage;

typedef bool (*chosen)(const suite_entry *entry);
static bool is_held_out(const suite_entry *entry) {
    return entry->held_out;
}
static bool is_random(const suite_entry *entry) {
    return entry->random;
}

/* What would be said of each network chosen if it, or no network of its kind, had been simulated:
 * how often does the interval hold? */
static coverage coverage_of(const suite *s, size_t model, fc_counted counted, chosen is_chosen) {
    coverage c = {0};
    for (size_t e = 0; e < s->count; ++e) {
        const suite_entry *entry = &s->entries[e];
        if (!is_chosen(entry) || !entry->covered[model])
            continue;
        for (size_t i = 0; i < entry->point_count; ++i) {
            const suite_point *point = &entry->points[i];
            const suite_value *value = &point->metrics[0];
            const double error = value->predicted[model] / value->simulated - 1;
            fc_accuracy accuracy;
            if (!suite_counts(entry, value, model) || isinf(error))
                continue;
            fc_scenario *scenario = suite_scenario(s, entry, isnan(point->fraction) ? 0 : 1e-3);
            assert_int_equal(fc_accuracy_counting(counted, s->design->models[model], scenario,
                                                  point->fraction, NULL, &accuracy),
                             FC_OK);
            fc_scenario_free(scenario);
            ++c.asked;
            if (isnan(accuracy.error_low))
                continue;
            ++c.cases;
            c.held += error >= accuracy.error_low && error <= accuracy.error_high;
        }
    }
    return c;
}

/* Random networks are seldom near three others in every number: the nearest cases serve. */
static void intervals_inside_what_was_simulated(void **state) {
    (void)state;
    char *page = page_of(SOURCE_DIR "/docs/theory/accuracy.md");
    for (size_t i = 0; suites[i]; ++i) {
        const char *name = suites[i]->design->name;
        if (strcmp(name, "closed") != 0 && strcmp(name, "multistage") != 0)
            continue;
        const coverage c = coverage_of(suites[i], 0, FC_COUNT_OTHERS, is_random);
        assert_true((double)c.cases > 0.95 * (double)c.asked);
        assert_true((double)c.held > 0.85 * (double)c.cases);
        assert_true((double)c.held < 0.95 * (double)c.cases);
        assert_page_says(page, "%s: %zu of %zu cases have an interval, and %zu of these hold", name,
                         c.cases, c.asked, c.held);
    }
    free(page);
}

static void intervals_hold_as_often_as_they_say(void **state) {
    (void)state;
    coverage all = {0};
    char *page = page_of(SOURCE_DIR "/docs/theory/accuracy.md");
    for (size_t i = 0; suites[i]; ++i) {
        for (size_t m = 0; m < suites[i]->models; ++m) {
            const coverage c = coverage_of(suites[i], m, FC_COUNT_OTHERS, is_held_out);
            print_message("%-31s %4zu of %4zu intervals hold\n", suites[i]->design->models[m],
                          c.held, c.cases);
            all.cases += c.cases;
            all.held += c.held;
            if (m == 0) { /* ours; those of few cases vary more */
                assert_true((double)c.held >= 0.82 * (double)c.cases);
                assert_page_says(page, "`%s` %zu of %zu", suites[i]->design->models[m], c.held,
                                 c.cases);
            }
        }
    }
    print_message("%zu of %zu intervals at 90 %% hold\n", all.held, all.cases);
    assert_true(all.cases > 800);
    assert_true((double)all.held > 0.85 * (double)all.cases);
    assert_true((double)all.held < 0.95 * (double)all.cases);
    assert_page_says(page, "%zu of %zu intervals (%.0f %%)", all.held, all.cases,
                     100 * (double)all.held / (double)all.cases);
    free(page);
}

/* Minor choices may differ: the errors of networks that differ in nothing else serve as well. */
static void other_kinds_serve_where_minor_choices_differ(void **state) {
    (void)state;
    char *page = page_of(SOURCE_DIR "/docs/theory/accuracy.md");
    for (size_t i = 0; suites[i]; ++i) {
        const char *model = suites[i]->design->models[0];
        if (strcmp(model, "torus-sharing") != 0)
            continue;
        const coverage c = coverage_of(suites[i], 0, FC_COUNT_OTHER_KINDS, is_held_out);
        assert_true(c.cases > 50 && (double)c.held >= 0.82 * (double)c.cases);
        assert_page_says(page, "%zu of %zu held-out cases of `%s`", c.held, c.cases, model);
    }
    free(page);
}

/* ---- hits and misses ---- */

static fc_accuracy ask(const char *model, const char *text, double load) {
    fc_error error;
    fc_scenario *scenario;
    fc_accuracy accuracy;
    if (fc_scenario_read_text(text, strlen(text), "test", NULL, 0, &error, &scenario) != FC_OK)
        fail_msg("%s", error.text);
    assert_int_equal(fc_accuracy_near(model, scenario, load, &error, &accuracy), FC_OK);
    fc_scenario_free(scenario);
    return accuracy;
}

static void rings_within_and_without(void **state) {
    (void)state;
    static const char inside[] = "network: {topology: ring-hierarchy, rings: [14, 30]}\n"
                                 "traffic: {rate: 0.001}\n";
    const fc_accuracy any = ask("ring-trains", inside, NAN);
    assert_true(any.known && any.cases > 10 && any.typical < 0.01 && fabs(any.worst) < 0.04);
    assert_near(any.low, 0.2, 1e-6);
    assert_near(any.high, 0.95, 1e-6);
    const fc_accuracy half = ask("ring-trains", inside, 0.55);
    assert_true(half.known && half.cases < any.cases && half.low < 0.51 && half.high < 0.81);
    const fc_accuracy light = ask("ring-trains", inside, 0.01);
    assert_true(light.known && light.high < 0.61);
    const fc_accuracy heavy = ask("ring-trains", inside, 0.99);
    assert_false(heavy.known);
    assert_string_equal(heavy.reason, "99 % of saturation: simulated up to 95 %");
    const fc_accuracy large = ask("ring-trains",
                                  "network: {topology: ring-hierarchy, rings: [14, 300]}\n"
                                  "traffic: {rate: 0.0001}\n",
                                  NAN);
    assert_false(large.known);
    assert_string_equal(large.reason, "rings of the global ring 300: simulated 2 to 64");
}

static void choices_that_were_not_simulated(void **state) {
    (void)state;
    const fc_accuracy far = ask("najafabadi-sarbaziazad",
                                "network: {topology: torus, radix: [8, 8], links: unidirectional, "
                                "virtual_channels: 4, buffer: 4}\n"
                                "traffic: {rate: 0.001, message_flits: 8}\n",
                                NAN);
    assert_false(far.known);
    assert_string_equal(far.reason, "buffers several flits: simulated with one flit");
    const fc_accuracy other = ask("torus-sharing",
                                  "network: {topology: ring-hierarchy, rings: [14, 30]}\n"
                                  "traffic: {rate: 0.001}\n",
                                  NAN);
    assert_false(other.known);
    fc_error error;
    fc_accuracy unused;
    assert_int_equal(fc_accuracy_overall("ring-train", false, &error, &unused), FC_ERROR_INPUT);
    assert_non_null(strstr(error.text, "ring-trains"));
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

/* The network time of closed traffic has measured errors of its own, and an interval. */
static void network_times_have_errors_of_their_own(void **state) {
    (void)state;
    static const char text[] =
        "network: {topology: torus, radix: [8, 8], order: descending}\n"
        "traffic: {kind: closed, outstanding: 4, think_time: 50, requests: [{share: 0.8, flits: 3, "
        "reply_flits: 9, memory_reply: 4, memory_busy: 4}, {share: 0.2, flits: 11, reply_flits: 3, "
        "memory_reply: 8, memory_busy: 4}]}\n";
    fc_scenario *scenario;
    fc_result *result;
    fc_error error;
    assert_int_equal(
        fc_scenario_read_text(text, sizeof text - 1, "test", NULL, 0, &error, &scenario), FC_OK);
    assert_int_equal(fc_predict(scenario, NULL, &error, &result), FC_OK);
    fc_result_state_accuracy(result, scenario);
    const fc_accuracy *efficiency = &result->accuracy, *time = &result->time_accuracy;
    assert_true(efficiency->known && time->known);
    assert_true(time->cases >= 5);
    assert_true(fabs(time->worst) > fabs(efficiency->worst));
    const double value = fc_result_metric(result, "network_time")->value;
    assert_true(time->value_low > 0 && time->value_low < time->value_high);
    assert_close(time->value_high * (1 + time->error_low), value, 1e-9);
    fc_result_free(result);
    fc_scenario_free(scenario);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_library_carries_what_the_tables_say),
        cmocka_unit_test(the_readme_says_the_same),
        cmocka_unit_test(the_readme_says_what_random_networks_showed),
        cmocka_unit_test(the_tables_are_as_they_would_be_written),
        cmocka_unit_test(lookups_count_the_cases_nearby),
        cmocka_unit_test(the_default_is_the_model_with_the_smallest_error),
        cmocka_unit_test(intervals_hold_as_often_as_they_say),
        cmocka_unit_test(intervals_inside_what_was_simulated),
        cmocka_unit_test(other_kinds_serve_where_minor_choices_differ),
        cmocka_unit_test(rings_within_and_without),
        cmocka_unit_test(choices_that_were_not_simulated),
        cmocka_unit_test(every_model_of_the_suite_has_cases),
        cmocka_unit_test(sentences),
        cmocka_unit_test(network_times_have_errors_of_their_own),
    };
    return cmocka_run_group_tests(tests, read_tables, forget_tables);
}
