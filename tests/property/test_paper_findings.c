/* What the items of papers say of themselves: every claim has a number, its bounds and whose they
 * are; columns that differ from print have a claim that fails; and the scenarios that they name
 * give their numbers again. */
#include "claim_support.h"
#include "test_support.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include "flitcast/flitcast.h"

static const double coarse = 0.5;

static fc_report *run_item(const char *paper, const char *item, double precision) {
    const fc_run_settings settings = fc_run_settings_default();
    fc_report *report;
    fc_error error;
    if (fc_paper_run(paper, item, precision, &settings, &error, &report) != FC_OK)
        fail_msg("%s/%s: %s", paper, item, error.text);
    return report;
}

static json_t *items_of(const fc_report *report, json_t **document) {
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    fc_write_settings settings = fc_write_settings_default();
    settings.format = FC_FORMAT_JSON;
    assert_int_equal(fc_report_write(report, &settings, stream), FC_OK);
    fclose(stream);
    *document = json_loads(text, 0, NULL);
    free(text);
    assert_non_null(*document);
    return json_object_get(*document, "items");
}

static const char *text_at(const json_t *item, const char *key) {
    const char *text = json_string_value(json_object_get(item, key));
    return text ? text : "";
}

static void check_claim(const char *name, const json_t *claim) {
    const bool bounded = json_is_number(json_object_get(claim, "low")) ||
                         json_is_number(json_object_get(claim, "high"));
    const json_t *cells = json_object_get(claim, "cells");
    if (!text_at(claim, "quantity")[0] || !text_at(claim, "bound")[0] || !bounded)
        fail_msg("%s: '%s' does not say what it tests", name, text_at(claim, "claim"));
    const bool holds = json_is_true(json_object_get(claim, "holds"));
    if (cells) {
        const bool all =
            json_integer_value(cells) == json_integer_value(json_object_get(claim, "held"));
        if (all != holds)
            fail_msg("%s: '%s' holds in some cells alone", name, text_at(claim, "claim"));
        assert_true(text_at(claim, "read_at")[0]);
    }
}

static void every_claim_says_what_it_tests(void **state) {
    (void)state;
    static const char *const items[][2] = {
        {"adve-vernon", "table-4.4b"},     {"adve-vernon", "figure-2.4"},
        {"adve-vernon", "figure-4.1"},     {"hamacher-jiang", "figure-4"},
        {"hamacher-jiang", "figure-5"},    {"hamacher-jiang", "figure-7"},
        {"hamacher-jiang", "figure-8"},    {"mohapatra-das", "figure-6"},
        {"mohapatra-das", "figure-10"},    {"mohapatra-das", "figure-11"},
        {"mohapatra-das", "figure-12"},    {"najafabadi-sarbaziazad", "figure-2"},
        {"safaei", "figure-1-8x8-v1-m32"},
    };
    for (size_t i = 0; i < sizeof items / sizeof *items; ++i) {
        fc_report *report = run_item(items[i][0], items[i][1], coarse);
        json_t *document;
        const json_t *found = items_of(report, &document);
        size_t claims = 0, scenarios = 0, index;
        const json_t *item;
        json_array_foreach(found, index, item) {
            if (strcmp(text_at(item, "kind"), "claim") == 0) {
                check_claim(items[i][1], item);
                ++claims;
            }
            scenarios += strcmp(text_at(item, "kind"), "scenario") == 0;
        }
        if (claims == 0 || scenarios == 0)
            fail_msg("%s/%s: %zu claims, %zu scenarios", items[i][0], items[i][1], claims,
                     scenarios);
        json_decref(document);
        fc_report_free(report);
    }
}

static const json_t *claim_of(const json_t *items, const char *start) {
    size_t index;
    const json_t *item;
    json_array_foreach(items, index, item) {
        if (strncmp(text_at(item, "claim"), start, strlen(start)) == 0)
            return item;
    }
    fail_msg("there is no claim '%s'", start);
    return NULL;
}

static bool holds(const json_t *items, const char *start) {
    return json_is_true(json_object_get(claim_of(items, start), "holds"));
}

static double value_of(const json_t *items, const char *start) {
    return json_number_value(json_object_get(claim_of(items, start), "value"));
}

/* The model's printed columns are not what the printed equations give, and the table says so. */
static void columns_that_differ_from_print_fail(void **state) {
    (void)state;
    json_t *document;
    fc_report *report = run_item("adve-vernon", "table-4.2a", coarse);
    const json_t *items = items_of(report, &document);
    assert_false(holds(items, "the model's efficiency is"));
    assert_near(value_of(items, "the model's efficiency is"), -15.8, 0.1);
    assert_string_equal(text_at(claim_of(items, "the model's efficiency is"), "read_at"),
                        "N_out = 8, tau = 5, the worst");
    assert_false(holds(items, "the model's network time"));
    assert_near(value_of(items, "the model's network time"), 24.4, 0.1);
    assert_false(holds(items, "the largest error in efficiency is 20 %"));
    json_decref(document);
    fc_report_free(report);
    report = run_item("adve-vernon", "table-4.4a", coarse);
    items = items_of(report, &document);
    assert_false(holds(items, "the model's efficiency of each"));
    assert_near(value_of(items, "the model's efficiency of each"), 9.12, 0.05);
    json_decref(document);
    fc_report_free(report);
}

/* Processors that never block issue more requests than those that do, in every cell, over the input
 * rate in flits. */
static void hot_rates_without_blocking_are_never_lower(void **state) {
    (void)state;
    json_t *document;
    fc_report *report = run_item("adve-vernon", "figure-4.10", 0.1);
    const json_t *items = items_of(report, &document), *item;
    size_t index;
    assert_true(value_of(items, "it is never lower") > -8); /* coarse simulations */
    json_array_foreach(items, index, item) {
        if (strcmp(text_at(item, "kind"), "plot") == 0)
            assert_non_null(strstr(text_at(item, "x_label"), "flits"));
    }
    json_decref(document);
    fc_report_free(report);
}

/* A statement about all loads is judged at all of them, and at all severe hot spots. */
static void statements_are_judged_in_all_cells(void **state) {
    (void)state;
    json_t *document;
    fc_report *report = run_item("adve-vernon", "figure-4.7", coarse);
    const json_t *items = items_of(report, &document);
    const json_t *little = claim_of(items, "N_out = 1: very little increase");
    assert_int_equal(json_integer_value(json_object_get(little, "cells")), 10);
    assert_int_equal(json_integer_value(json_object_get(little, "held")), 7);
    assert_near(json_number_value(json_object_get(little, "value")), 40.4, 0.2);
    json_decref(document);
    fc_report_free(report);
    report = run_item("adve-vernon", "figure-4.9", 0.3);
    items = items_of(report, &document);
    const json_t *tree = claim_of(items, "no significant tree saturation");
    assert_int_equal(json_integer_value(json_object_get(tree, "cells")), 15);
    assert_true(json_is_false(json_object_get(tree, "holds")));
    json_decref(document);
    fc_report_free(report);
}

/* Residence times of all channels of a column, and their mean, as the paper draws them. */
static void first_channels_have_residence_times(void **state) {
    (void)state;
    static const char *const columns[] = {"row i",   "R(NH,i)",   "R(NL,i)",  "R(SH,i)",
                                          "R(SL,i)", "mean R(i)", "W_node(i)"};
    json_t *document;
    fc_report *report = run_item("adve-vernon", "figure-4.12", coarse);
    const json_t *items = items_of(report, &document), *item, *last = NULL;
    size_t index;
    json_array_foreach(items, index, item) {
        if (strcmp(text_at(item, "kind"), "table") == 0)
            last = item;
    }
    assert_non_null(last);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; ++i)
        assert_string_equal(json_string_value(json_array_get(json_object_get(last, "columns"), i)),
                            columns[i]);
    assert_int_equal(claims_failed(report), 0);
    json_decref(document);
    fc_report_free(report);
}

/* The scenario of an item, read and predicted again, gives the number in its table. */
static void scenarios_give_the_numbers_again(void **state) {
    (void)state;
    static const struct {
        const char *paper, *item, *model, *column, *metric;
        double scale;
    } cases[] = {
        {"adve-vernon", "table-4.2b", "adve-vernon", "adve-vernon", "efficiency", 100},
        {"mohapatra-das", "figure-12", "mohapatra-das", "mohapatra-das", "power", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        json_t *document;
        fc_report *report = run_item(cases[i].paper, cases[i].item, coarse);
        const json_t *items = items_of(report, &document), *item, *cell = NULL;
        size_t index;
        json_array_foreach(items, index, item) {
            if (!cell && strcmp(text_at(item, "kind"), "table") == 0)
                cell = json_object_get(json_array_get(json_object_get(item, "rows"), 0),
                                       cases[i].column);
        }
        const char *text = fc_report_scenario(report, 0);
        fc_scenario *scenario;
        fc_result *result;
        fc_error error;
        if (fc_scenario_read_text(text, strlen(text), "scenario", NULL, 0, &error, &scenario) !=
                FC_OK ||
            fc_predict(scenario, cases[i].model, &error, &result) != FC_OK)
            fail_msg("%s", error.text);
        assert_near(fc_result_metric(result, cases[i].metric)->value * cases[i].scale,
                    json_number_value(cell), 1e-9 * json_number_value(cell));
        fc_result_free(result);
        fc_scenario_free(scenario);
        json_decref(document);
        fc_report_free(report);
    }
}

/* The closed models say how far off the response times of a busy hot node were, and only there. */
static void uncertain_hot_times_are_said(void **state) {
    (void)state;
    static const struct {
        const char *links, *share;
        bool said;
    } cases[] = {
        {"per-channel", "0.2", true}, {"per-channel", "0.01", false}, {"single", "0.2", false}};
    static const char *const models[] = {"adve-vernon", "closed-refined"};
    for (size_t i = 0; i < 6; ++i) {
        char hot[80];
        snprintf(hot, sizeof hot, "{hot-spot: {share: %s, node: [2, 2]}}", cases[i / 2].share);
        const fc_setting settings[] = {
            {"network.topology", "torus"}, {"network.radix", "[8, 8]"},
            {"traffic.kind", "closed"},    {"traffic.think_time", "25"},
            {"traffic.outstanding", "4"},  {"network.node_links", cases[i / 2].links},
            {"traffic.destinations", hot},
        };
        fc_scenario *scenario;
        fc_result *result;
        fc_error error;
        if (fc_scenario_read_text("name: hot\n", 10, "hot", settings,
                                  sizeof settings / sizeof *settings, &error, &scenario) != FC_OK ||
            fc_predict(scenario, models[i % 2], &error, &result) != FC_OK)
            fail_msg("%s", error.text);
        char *text = NULL;
        size_t size = 0;
        FILE *stream = open_memstream(&text, &size);
        const fc_write_settings plain = fc_write_settings_default();
        assert_int_equal(fc_result_write(result, &plain, stream), FC_OK);
        fclose(stream);
        if ((strstr(text, "response_time_cold are uncertain") != NULL) != cases[i / 2].said)
            fail_msg("%s, %s, %s: %s", models[i % 2], cases[i / 2].links, cases[i / 2].share, text);
        if (cases[i / 2].said && !(result->flags & FC_FLAG_WIDE))
            fail_msg("%s says in its note alone that hot times are uncertain", models[i % 2]);
        assert_null(strstr(text, "nan"));
        assert_null(strstr(text, "-100 %"));
        free(text);
        fc_result_free(result);
        fc_scenario_free(scenario);
    }
}

/* Another reading of a paper stands beside the others where it is asked for. */
static void variants_are_compared_where_asked(void **state) {
    (void)state;
    const fc_setting settings[] = {
        {"network.topology", "torus"},     {"network.radix", "[4, 4]"},
        {"network.switching", "scouting"}, {"network.scouting_distance", "1"},
        {"network.virtual_channels", "4"}, {"traffic.rate", "0.004"},
        {"traffic.message_flits", "16"},   {"simulation.precision", "0.2"},
    };
    fc_run_settings run = fc_run_settings_default();
    fc_scenario *scenario;
    fc_error error;
    if (fc_scenario_read_text("name: small\n", 12, "small", settings,
                              sizeof settings / sizeof *settings, &error, &scenario) != FC_OK)
        fail_msg("%s", error.text);
    for (int variants = 0; variants < 2; ++variants) {
        fc_comparison *comparison;
        size_t literal = 0;
        run.variants = variants == 1;
        if (fc_compare(scenario, &run, &error, &comparison) != FC_OK)
            fail_msg("%s", error.text);
        for (size_t i = 0; i < comparison->result_count; ++i)
            literal += strcmp(comparison->results[i]->method, "safaei-literal") == 0;
        assert_int_equal(literal, variants);
        fc_comparison_free(comparison);
    }
    fc_scenario_free(scenario);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_claim_says_what_it_tests),
        cmocka_unit_test(columns_that_differ_from_print_fail),
        cmocka_unit_test(hot_rates_without_blocking_are_never_lower),
        cmocka_unit_test(statements_are_judged_in_all_cells),
        cmocka_unit_test(first_channels_have_residence_times),
        cmocka_unit_test(scenarios_give_the_numbers_again),
        cmocka_unit_test(uncertain_hot_times_are_said),
        cmocka_unit_test(variants_are_compared_where_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
