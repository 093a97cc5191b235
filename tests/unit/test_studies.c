/* Sweep, saturate, compare and optimize on rings, whose answers are known in closed form. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "flitcast/flitcast.h"
#include "test_support.h"
#include "output/report/report.h"

static fc_scenario *rings(const char *text) {
    fc_error error;
    fc_scenario *scenario;
    if (fc_scenario_read_text(text, strlen(text), "test", NULL, 0, &error, &scenario) != FC_OK)
        fail_msg("%s", error.text);
    return scenario;
}

static const char two_levels[] = "network: {topology: ring-hierarchy, rings: [16, 32]}\n"
                                 "traffic: {rate: 0.002, locality: [0.2]}\n"
                                 "simulation: {precision: 0.05}\n";

/* Small enough to be simulated in no time while every invariant is asserted. */
static const char small[] = "network: {topology: ring-hierarchy, rings: [4, 6]}\n"
                            "traffic: {rate: 0.03, locality: [0.2]}\n"
                            "simulation: {precision: 0.05}\n";

static fc_axis axis(const char *text) {
    fc_error error;
    fc_axis parsed;
    if (fc_axis_parse(text, &error, &parsed) != FC_OK)
        fail_msg("%s", error.text);
    return parsed;
}

static void test_axis(void **state) {
    (void)state;
    fc_axis range = axis("traffic.rate=0.1:0.5:0.1");
    assert_int_equal(range.count, 5);
    assert_string_equal(range.values[2], "0.3");
    fc_axis_clear(&range);
    fc_axis factor = axis("traffic.rate=0.001:1:*10");
    assert_int_equal(factor.count, 4);
    assert_string_equal(factor.values[3], "1");
    fc_axis_clear(&factor);
    fc_axis list = axis("network.rings=[4, 8], [8, 8],[2,3,4]");
    assert_int_equal(list.count, 3);
    assert_string_equal(list.key, "network.rings");
    assert_string_equal(list.values[1], "[8, 8]");
    fc_axis_clear(&list);
    fc_error error;
    fc_axis bad;
    assert_int_equal(fc_axis_parse("rate", &error, &bad), FC_ERROR_INPUT);
    assert_int_equal(fc_axis_parse("rate=1,,2", &error, &bad), FC_ERROR_INPUT);
    assert_int_equal(fc_axis_parse("rate=2:1:1", &error, &bad), FC_ERROR_INPUT);
    assert_int_equal(fc_axis_parse("rate=0:1:1e-9", &error, &bad), FC_ERROR_INPUT);
}

static void test_sweep_grid(void **state) {
    (void)state;
    fc_error error;
    fc_scenario *base = rings(two_levels);
    fc_axis axes[] = {axis("network.rings=[8,64],[16,32]"), axis("traffic.rate=0.001:0.003:0.001")};
    static const char *const models[] = {"hamacher-jiang", "ring-trains"};
    const fc_sweep_settings settings = {
        .axes = axes, .axis_count = 2, .models = models, .model_count = 2};
    fc_sweep *sweep;
    assert_int_equal(fc_sweep_run(base, &settings, NULL, &error, &sweep), FC_OK);
    assert_int_equal(sweep->point_count, 6);
    assert_int_equal(sweep->method_count, 2);
    /* the last axis runs fastest: point 4 is rings [16, 32] at 0.002, the base itself */
    fc_result *direct;
    assert_int_equal(fc_predict(base, "hamacher-jiang", &error, &direct), FC_OK);
    const fc_result *swept = sweep->results[4 * 2];
    assert_string_equal(swept->method, "hamacher-jiang");
    assert_close(fc_result_metric(swept, "latency")->value,
                 fc_result_metric(direct, "latency")->value, 0);
    assert_string_equal(swept->scenario_hash, direct->scenario_hash);
    fc_plot *plot;
    assert_int_equal(fc_sweep_plot(sweep, NULL, &error, &plot), FC_OK);
    fc_plot_free(plot);
    assert_int_equal(fc_sweep_plot(sweep, "power", &error, &plot), FC_ERROR_INPUT);
    fc_result_free(direct);
    fc_sweep_free(sweep);
    fc_axis_clear(&axes[0]);
    fc_axis_clear(&axes[1]);
    fc_scenario_free(base);
}

/* What a store keeps of a point's settings is whole, however long the values are. */
static void test_long_values_are_stored(void **state) {
    (void)state;
    enum { ZEROS = 3000 };
    char text[ZEROS + 32], path[] = "/tmp/flitcast_store_XXXXXX";
    const int start = snprintf(text, sizeof text, "traffic.rate=0.001");
    memset(text + start, '0', ZEROS);
    text[start + ZEROS] = '\0';
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    fc_error error;
    fc_scenario *base = rings(two_levels);
    fc_axis axes[] = {axis(text), axis("network.rings=[8,64]")};
    const fc_sweep_settings settings = {.axes = axes, .axis_count = 2, .store = path};
    fc_sweep *sweep;
    assert_int_equal(fc_sweep_run(base, &settings, NULL, &error, &sweep), FC_OK);
    fc_stored *rows;
    size_t count;
    assert_int_equal(fc_store_read(path, &error, &rows, &count), FC_OK);
    assert_int_equal(count, 1);
    const char *end = strstr(rows[0].settings, "0\", \"network.rings\": \"[8,64]\"}");
    assert_non_null(end);
    assert_int_equal(end - rows[0].settings, strlen("{\"traffic.rate\": \"0.001") + ZEROS - 1);
    fc_stored_free(rows, count);
    fc_sweep_free(sweep);
    fc_axis_clear(&axes[0]);
    fc_axis_clear(&axes[1]);
    fc_scenario_free(base);
    remove(path);
}

/* The line of a model passes through its points: both are calibrated, or neither is. */
static void test_lines_pass_through_their_points(void **state) {
    (void)state;
    static const char torus[] = "network: {topology: torus, radix: [8, 8], virtual_channels: 2}\n"
                                "traffic: {rate: 0.01, message_flits: 16}\n";
    static const char *const alone[] = {"torus-sharing"};
    fc_scenario *base = rings(torus);
    fc_axis loads = axis("traffic.rate=0.012,0.014");
    for (int named = 0; named < 2; ++named) {
        const fc_sweep_settings settings = {.axes = &loads,
                                            .axis_count = 1,
                                            .models = named ? alone : NULL,
                                            .model_count = (size_t)named,
                                            .lines = true};
        fc_error error;
        fc_sweep *sweep;
        assert_int_equal(fc_sweep_run(base, &settings, NULL, &error, &sweep), FC_OK);
        assert_int_equal(sweep->line_count, 1);
        const fc_sweep_line *line = &sweep->lines[0];
        assert_int_equal(sweep->results[0]->calibrated > 0, !named);
        for (size_t i = 0; i < 2; ++i) {
            const fc_result *drawn = line->results[i ? line->count - 1 : 0];
            assert_close(fc_result_metric(drawn, "latency")->value,
                         fc_result_metric(sweep->results[i], "latency")->value, 1e-9);
        }
        fc_sweep_free(sweep);
    }
    fc_axis_clear(&loads);
    fc_scenario_free(base);
}

static void test_cancelled_sweep_keeps_what_is_done(void **state) {
    (void)state;
    fc_error error;
    fc_scenario *base = rings(two_levels);
    fc_axis rates = axis("traffic.rate=0.001:0.003:0.001");
    const fc_sweep_settings settings = {.axes = &rates, .axis_count = 1};
    const volatile int cancel = 1;
    const fc_run_settings run = {.cancel = &cancel};
    fc_sweep *sweep;
    assert_int_equal(fc_sweep_run(base, &settings, &run, &error, &sweep), FC_OK);
    for (size_t i = 0; i < sweep->point_count; ++i)
        assert_null(sweep->results[i]);
    fc_sweep_free(sweep);
    fc_axis_clear(&rates);
    fc_scenario_free(base);
}

static void test_compare(void **state) {
    (void)state;
    fc_error error;
    fc_scenario *base = rings(small);
    fc_comparison *comparison;
    assert_int_equal(fc_compare(base, NULL, &error, &comparison), FC_OK);
    assert_true(comparison->result_count >= 3);
    const fc_result *simulation = comparison->results[comparison->result_count - 1];
    assert_int_equal(simulation->kind, FC_SIMULATOR);
    bool found = false;
    for (size_t i = 0; i < comparison->error_count; ++i) {
        const fc_prediction_error *e = &comparison->errors[i];
        assert_string_not_equal(e->metric, "offered");
        if (strcmp(e->metric, "latency") == 0 && strcmp(e->model, "hamacher-jiang") == 0) {
            found = true;
            assert_true(fabs(e->relative) < 0.05);
        }
    }
    assert_true(found);
    fc_comparison_free(comparison);
    fc_scenario_free(base);
}

static void test_saturate(void **state) {
    (void)state;
    fc_error error;
    fc_scenario *base = rings(small);
    const fc_saturation_settings settings = {.simulate = true, .precision = 0.1};
    fc_saturation *found;
    assert_int_equal(fc_saturate(base, &settings, NULL, &error, &found), FC_OK);
    /* the global ring is full at N lambda (1 - P) / 2 = 1 */
    const double exact = 2 / (24 * 0.8);
    size_t count = 0;
    for (size_t i = 0; found[i].method[0]; ++i, ++count) {
        if (found[i].kind == FC_MODEL) {
            assert_close(found[i].load, exact, 1e-8);
        } else {
            assert_true(found[i].low <= exact * 1.02 && found[i].high >= exact * 0.9);
            assert_true(found[i].high <= found[i].low * 1.12);
        }
    }
    assert_int_equal(found[count - 1].kind, FC_SIMULATOR);
    fc_saturation_free(found);
    fc_scenario_free(base);
}

/* Runs near the edge of this torus end undecided, or settle before the network fills up. Runs of 3
 * million cycles carry 0.0101 and fall short of 0.0102. With runs as short as these, of seeds 1 to
 * 8 one bracket ends 1 % lower and three begin up to 1 % higher; the search starts near the
 * forecast saturation load. */
static void test_saturate_undecided(void **state) {
    (void)state;
    static const char torus[] = "network: {topology: torus, radix: [4, 4], virtual_channels: 3,\n"
                                "  links: unidirectional, channel_rule: escape,\n"
                                "  handover: next-cycle, ejection_channels: 3}\n"
                                "traffic: {rate: 0.0012, message_flits: 32}\n"
                                "simulation: {max_cycles: 40000}\n";
    static const char *const seeds[] = {"3", "4"};
    for (size_t i = 0; i < 2; ++i) {
        const fc_setting seed = {"simulation.seed", seeds[i]};
        fc_error error;
        fc_scenario *base;
        assert_int_equal(
            fc_scenario_read_text(torus, strlen(torus), "test", &seed, 1, &error, &base), FC_OK);
        const fc_saturation_settings settings = {.simulate = true};
        fc_saturation *found;
        assert_int_equal(fc_saturate(base, &settings, NULL, &error, &found), FC_OK);
        const fc_saturation *simulated = found;
        while (simulated[1].method[0])
            ++simulated;
        assert_int_equal(simulated->kind, FC_SIMULATOR);
        assert_true(simulated->low < 0.0102 && simulated->high > 0.0100);
        fc_saturation_free(found);
        fc_scenario_free(base);
    }
}

static void test_optimum_of_two_levels(void **state) {
    (void)state;
    fc_error error;
    fc_scenario *base = rings("network: {topology: ring-hierarchy, rings: [10, 50]}\n"
                              "traffic: {rate: 0.001}\n");
    fc_axis sizes = axis("network.rings.0=2:100:1");
    const fc_setting derived = {"network.rings.1", "500 / network.rings.0"};
    fc_optimize_settings settings = {.axes = &sizes,
                                     .axis_count = 1,
                                     .derived = &derived,
                                     .derived_count = 1,
                                     .objective = "latency",
                                     .model = "hamacher-jiang"};
    fc_optimum *optimum;
    assert_int_equal(fc_optimize(base, &settings, NULL, &error, &optimum), FC_OK);
    assert_string_equal(optimum->candidates[0].settings[0].value, "16");
    assert_true(optimum->candidates[1].objective >= optimum->candidates[0].objective);
    fc_optimum_free(optimum);
    const char *const whole[] = {"network.rings.1 == round(network.rings.1)"};
    settings.constraints = whole;
    settings.constraint_count = 1;
    settings.simulate = 2;
    settings.indifference = 0.1;
    assert_int_equal(fc_optimize(base, &settings, NULL, &error, &optimum), FC_OK);
    assert_string_equal(optimum->candidates[0].settings[0].value, "20");
    assert_true(isfinite(optimum->candidates[0].simulated));
    assert_true(optimum->survivors >= 1);
    fc_optimum_free(optimum);
    const char *const impossible[] = {"latency < 1"};
    settings.constraints = impossible;
    assert_int_equal(fc_optimize(base, &settings, NULL, &error, &optimum), FC_ERROR_INPUT);
    fc_axis_clear(&sizes);
    fc_scenario_free(base);
}

/* Of designs that cost as much only the better one; by the model alone, or of those simulated. */
static void a_front_is_simulated(void **state) {
    (void)state;
    fc_error error;
    fc_scenario *base = rings("network: {topology: mesh, radix: [4, 4], virtual_channels: 2, "
                              "buffer: 4, router_delay: 1}\n"
                              "traffic: {rate: 0.075, message_flits: 4}\n"
                              "simulation: {max_cycles: 20000}\n");
    fc_axis axes[] = {axis("network.virtual_channels=1,2,4"), axis("network.buffer=1,2,4,8")};
    fc_optimize_settings settings = {.axes = axes,
                                     .axis_count = 2,
                                     .objective = "network.virtual_channels * network.buffer",
                                     .second = "latency",
                                     .model = "router-queueing"};
    fc_optimum *optimum;
    for (size_t simulate = 0; simulate <= 2; simulate += 2) {
        settings.simulate = simulate;
        if (fc_optimize(base, &settings, NULL, &error, &optimum) != FC_OK)
            fail_msg("%s", error.text);
        assert_true(optimum->front_count > 1);
        for (size_t i = 0; i < optimum->front_count; ++i) {
            const fc_candidate *at = &optimum->front[i];
            assert_true(isfinite(at->simulated) == (simulate > 0));
            assert_true(isfinite(at->second_simulated) == (simulate > 0));
            if (i == 0)
                continue;
            assert_true(at->objective > at[-1].objective && at->second < at[-1].second);
            assert_true(!simulate || at->second_simulated < at[-1].second_simulated);
        }
        fc_optimum_free(optimum);
    }
    fc_axis_clear(&axes[0]);
    fc_axis_clear(&axes[1]);
    fc_scenario_free(base);
}

static void best_of_three_levels(const char *rate, const char *local, const char *middle) {
    fc_error error;
    fc_scenario *base = rings("network: {topology: ring-hierarchy, rings: [5, 10, 10]}\n"
                              "traffic: {rate: 0.001}\n");
    fc_axis axes[] = {axis("network.rings.0=2:20:1"), axis("network.rings.1=2:20:1")};
    const fc_setting derived = {"network.rings.2", "500 / (network.rings.0 * network.rings.1)"};
    const fc_setting load = {"traffic.rate", rate};
    fc_scenario *loaded;
    assert_int_equal(fc_scenario_with(base, &load, 1, &error, &loaded), FC_OK);
    const fc_optimize_settings settings = {.axes = axes,
                                           .axis_count = 2,
                                           .derived = &derived,
                                           .derived_count = 1,
                                           .objective = "latency",
                                           .second = "network.rings.2",
                                           .model = "hamacher-jiang"};
    fc_optimum *optimum;
    assert_int_equal(fc_optimize(loaded, &settings, NULL, &error, &optimum), FC_OK);
    assert_string_equal(optimum->candidates[0].settings[0].value, local);
    assert_string_equal(optimum->candidates[0].settings[1].value, middle);
    /* the Pareto front falls in the second objective as the first grows */
    assert_true(optimum->front_count > 1);
    for (size_t i = 1; i < optimum->front_count; ++i) {
        assert_true(optimum->front[i].objective > optimum->front[i - 1].objective);
        assert_true(optimum->front[i].second < optimum->front[i - 1].second);
    }
    fc_optimum_free(optimum);
    fc_axis_clear(&axes[0]);
    fc_axis_clear(&axes[1]);
    fc_scenario_free(loaded);
    fc_scenario_free(base);
}

static void test_optimum_of_three_levels(void **state) {
    (void)state;
    best_of_three_levels("0.002", "6", "7");
    best_of_three_levels("0.004", "9", "10");
}

static void test_registry(void **state) {
    (void)state;
    fc_error error;
    fc_scenario *base = rings(two_levels);
    fc_result *result;
    assert_int_equal(fc_predict(base, "ring-train", &error, &result), FC_ERROR_INPUT);
    assert_non_null(strstr(error.text, "did you mean 'ring-trains'?"));
    assert_int_equal(fc_predict(base, NULL, &error, &result), FC_OK);
    assert_string_equal(result->method, "ring-trains");
    fc_result_free(result);
    for (size_t i = 0; i < fc_method_count(); ++i) {
        const fc_method_info *info = fc_method_at(i);
        assert_non_null(info->title);
        assert_non_null(info->source);
        assert_non_null(info->validity);
        assert_true(info->accuracy || info->kind != FC_SIMULATOR);
    }
    fc_scenario_free(base);
}

/* A crew of three that works in this process and answers in the wrong order. */
struct crew {
    const fc_scenario *base;
    const fc_sweep_settings *sweep;
    size_t jobs[3], count, handed_out;
};

static fc_status crew_hand_out(void *context, size_t job, fc_error *error) {
    struct crew *crew = context;
    (void)error;
    assert_true(crew->count < 3);
    crew->jobs[crew->count++] = job;
    ++crew->handed_out;
    return FC_OK;
}

static fc_status crew_take_back(void *context, fc_error *error, size_t *job, fc_result **result) {
    struct crew *crew = context;
    assert_true(crew->count > 0);
    *job = crew->jobs[--crew->count];
    fc_result *made;
    const fc_status status = fc_sweep_evaluate(crew->base, crew->sweep, *job, NULL, error, &made);
    if (status != FC_OK || !made) {
        *result = NULL;
        return status;
    }
    char *text = NULL; /* as it would travel to another machine */
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    fc_write_settings json = fc_write_settings_default();
    json.format = FC_FORMAT_JSON;
    assert_int_equal(fc_result_write(made, &json, stream), FC_OK);
    fclose(stream);
    fc_result_free(made);
    assert_int_equal(fc_result_read(text, error, result), FC_OK);
    free(text);
    return FC_OK;
}

static char *csv_of(const fc_sweep *sweep) {
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    fc_write_settings csv = fc_write_settings_default();
    csv.format = FC_FORMAT_CSV;
    assert_int_equal(fc_sweep_write(sweep, &csv, stream), FC_OK);
    fclose(stream);
    return text;
}

static void test_sweep_crew(void **state) {
    (void)state;
    fc_error error;
    fc_scenario *base = rings(small);
    fc_axis axes[] = {axis("network.rings=[4, 6],[3, 8]"), axis("traffic.rate=0.01,0.02")};
    /* safaei covers no ring: its jobs are never handed out */
    static const char *const models[] = {"hamacher-jiang", "safaei", "ring-trains"};
    fc_sweep_settings settings = {
        .axes = axes, .axis_count = 2, .models = models, .model_count = 3, .simulate = true};
    fc_sweep *alone, *together;
    assert_int_equal(fc_sweep_run(base, &settings, NULL, &error, &alone), FC_OK);
    struct crew members = {.base = base, .sweep = &settings};
    const fc_crew crew = {3, &members, crew_hand_out, crew_take_back};
    fc_sweep_settings shared = settings;
    shared.crew = &crew;
    assert_int_equal(fc_sweep_run(base, &shared, NULL, &error, &together), FC_OK);
    assert_int_equal(members.handed_out, 12);
    char *one = csv_of(alone), *two = csv_of(together);
    assert_string_equal(one, two);
    free(one);
    free(two);
    fc_sweep_free(alone);
    fc_sweep_free(together);
    for (size_t i = 0; i < 2; ++i)
        fc_axis_clear(&axes[i]);
    fc_scenario_free(base);
}

static char *page_of(const fc_sweep *sweep) {
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    const fc_write_settings page = {.format = FC_FORMAT_HTML};
    assert_int_equal(fc_sweep_write(sweep, &page, stream), FC_OK);
    fclose(stream);
    return text;
}

/* The global ring of [16, 32] with a fifth of the traffic local is full at 0.0048828125. */
static void test_sweep_over_the_pole(void **state) {
    (void)state;
    fc_error error;
    fc_scenario *base = rings(two_levels);
    fc_axis loads = axis("traffic.rate=0.0005:0.0055:0.0001");
    const fc_sweep_settings settings = {.axes = &loads, .axis_count = 1};
    fc_sweep *sweep;
    assert_int_equal(fc_sweep_run(base, &settings, NULL, &error, &sweep), FC_OK);
    assert_close(sweep->saturation, 0.0048828125, 1e-9);
    char *page = page_of(sweep);
    assert_non_null(strstr(page, "saturation (model)"));
    assert_non_null(strstr(page, "topology: ring-hierarchy"));
    free(page);
    fc_sweep_free(sweep);
    /* below saturation there is nothing to mark */
    fc_axis_clear(&loads);
    loads = axis("traffic.rate=0.0005:0.0025:0.0005");
    assert_int_equal(fc_sweep_run(base, &settings, NULL, &error, &sweep), FC_OK);
    page = page_of(sweep);
    assert_null(strstr(page, "saturation (model)"));
    free(page);
    fc_sweep_free(sweep);
    fc_axis_clear(&loads);
    fc_scenario_free(base);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_front_is_simulated),
        cmocka_unit_test(test_axis),
        cmocka_unit_test(test_sweep_grid),
        cmocka_unit_test(test_long_values_are_stored),
        cmocka_unit_test(test_sweep_crew),
        cmocka_unit_test(test_sweep_over_the_pole),
        cmocka_unit_test(test_lines_pass_through_their_points),
        cmocka_unit_test(test_cancelled_sweep_keeps_what_is_done),
        cmocka_unit_test(test_compare),
        cmocka_unit_test(test_saturate),
        cmocka_unit_test(test_saturate_undecided),
        cmocka_unit_test(test_optimum_of_two_levels),
        cmocka_unit_test(test_optimum_of_three_levels),
        cmocka_unit_test(test_registry),
    };
    cmocka_set_test_filter(getenv("FLITCAST_TEST_FILTER")); /* NULL: all */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
