/* Each allocation in turn fails while scenarios are read, methods run and studies made. */
#include "allocation_support.h"

#ifdef FC_CHECKS

#include <stdlib.h>
#include <unistd.h>

/* ---- reading ---- */

static fc_status attempt_read(const trial *about, fc_error *error) {
    const fc_setting settings[] = {{"simulation.seed", "7"}, {"name", "'a name, quoted'"}};
    fc_scenario *scenario = UNTOUCHED;
    const fc_status status = fc_scenario_read_text(about->text, strlen(about->text), "test",
                                                   settings, 2, error, &scenario);
    if (status == FC_OK)
        fc_scenario_free(scenario);
    else
        assert_ptr_equal(scenario, UNTOUCHED);
    return status;
}

static fc_status attempt_with(const trial *about, fc_error *error) {
    const fc_setting setting = {"traffic.rate", "0.01"};
    const bool open = fc_scenario_load_key(about->scenario) != NULL;
    fc_scenario *scenario = UNTOUCHED;
    const fc_status status =
        fc_scenario_with(about->scenario, &setting, open ? 1 : 0, error, &scenario);
    if (status == FC_OK)
        fc_scenario_free(scenario);
    else
        assert_ptr_equal(scenario, UNTOUCHED);
    return status;
}

static void test_reading(void **state) {
    (void)state;
    for (size_t i = 0; i < SCENARIOS; ++i) {
        trial about = {.text = scenarios[i]};
        fail_each_allocation("read", attempt_read, &about, true);
        fc_scenario *scenario = read_scenario(i);
        about.scenario = scenario;
        fail_each_allocation("change", attempt_with, &about, true);
        fc_scenario_free(scenario);
    }
}

static fc_status attempt_file(const trial *about, fc_error *error) {
    fc_scenario *scenario = UNTOUCHED;
    const fc_status status = fc_scenario_read_file(about->text, NULL, 0, error, &scenario);
    if (status == FC_OK)
        fc_scenario_free(scenario);
    else
        assert_ptr_equal(scenario, UNTOUCHED);
    return status;
}

static void write_file(const char *path, const char *text) {
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs(text, stream);
    assert_int_equal(fclose(stream), 0);
}

/* A scenario and the files it names, in a folder of their own. */
static const struct {
    const char *scenario;
    struct {
        const char *name, *text;
    } files[2];
} beside[] = {
    {"network: {topology: mesh, radix: [2, 2], virtual_channels: 1}\n"
     "traffic: {rate: 0.01, message_flits: 4, destinations: {matrix: m.mtx}}\n",
     {{"m.mtx", "%%MatrixMarket matrix coordinate real general\n"
                "4 4 5\n1 2 0.5\n1 3 0.5\n2 1 1\n3 4 1\n4 1 1\n"}}},
    {"network: {topology: mesh, radix: [2, 2], buffer: 2}\n"
     "traffic: {rate: 0.01, destinations: {matrix: m.csv}}\n",
     {{"m.csv", "src,dst,rate\n0,1,3\n1,0,1\n"}}},
    {"network: {topology: graph, file: n.graph}\ntraffic: {trace: t.csv}\n",
     {{"n.graph", "router 0 node 0 node 1 router 1\nrouter 1 node 2\n"},
      {"t.csv", "0,0,2,4\n3,2,1,1,0\n"}}},
};

static void test_files(void **state) {
    (void)state;
    char folder[] = "/tmp/flitcast-test-XXXXXX", path[64], scenario[64];
    assert_non_null(mkdtemp(folder));
    snprintf(scenario, sizeof scenario, "%s/scenario.yaml", folder);
    for (size_t i = 0; i < sizeof beside / sizeof beside[0]; ++i) {
        write_file(scenario, beside[i].scenario);
        for (size_t f = 0; f < 2 && beside[i].files[f].name; ++f) {
            snprintf(path, sizeof path, "%s/%s", folder, beside[i].files[f].name);
            write_file(path, beside[i].files[f].text);
        }
        const trial about = {.text = scenario};
        fail_each_allocation("file", attempt_file, &about, true);
        for (size_t f = 0; f < 2 && beside[i].files[f].name; ++f) {
            snprintf(path, sizeof path, "%s/%s", folder, beside[i].files[f].name);
            unlink(path);
        }
    }
    unlink(scenario);
    rmdir(folder);
}

/* ---- methods ---- */

static fc_status attempt_predict(const trial *about, fc_error *error) {
    fc_result *result = UNTOUCHED;
    const fc_status status = fc_predict(about->scenario, about->method, error, &result);
    if (status == FC_OK)
        fc_result_free(result);
    else
        assert_ptr_equal(result, UNTOUCHED);
    return status;
}

static fc_status attempt_simulate(const trial *about, fc_error *error) {
    const fc_run_settings settings = {.threads = 1};
    fc_result *result = UNTOUCHED;
    const fc_status status = fc_simulate(about->scenario, &settings, error, &result);
    if (status == FC_OK)
        fc_result_free(result);
    else
        assert_ptr_equal(result, UNTOUCHED);
    return status;
}

/* With everything that can be kept of single messages. */
static fc_status attempt_kept(const trial *about, fc_error *error) {
    const fc_keep keep = {.histogram = true, .pairs = true, .deliveries = true};
    const fc_run_settings settings = {.threads = 1, .keep = &keep};
    fc_result *result = UNTOUCHED;
    const fc_status status = fc_simulate(about->scenario, &settings, error, &result);
    if (status == FC_OK)
        fc_result_free(result);
    else
        assert_ptr_equal(result, UNTOUCHED);
    return status;
}

static void test_models(void **state) {
    (void)state;
    bool used[64] = {false};
    for (size_t i = 0; i < SCENARIOS; ++i) {
        fc_scenario *scenario = read_scenario(i);
        for (size_t m = 0; m < fc_method_count(); ++m) {
            const fc_method_info *method = fc_method_at(m);
            fc_error error;
            if (method->kind != FC_MODEL ||
                fc_method_covers(method->name, scenario, &error) != FC_OK)
                continue;
            const trial about = {.scenario = scenario, .method = method->name};
            used[m] = true;
            fail_each_allocation(method->name, attempt_predict, &about, true);
        }
        fc_scenario_free(scenario);
    }
    for (size_t m = 0; m < fc_method_count(); ++m) {
        if (fc_method_at(m)->kind == FC_MODEL && !used[m])
            fail_msg("no scenario of this test is covered by %s", fc_method_at(m)->name);
    }
}

static void test_simulators(void **state) {
    (void)state;
    for (size_t i = 0; i < SCENARIOS; ++i) {
        fc_scenario *scenario = read_scenario(i);
        const trial about = {.scenario = scenario};
        fail_each_allocation(fc_scenario_name(scenario), attempt_simulate, &about, true);
        fc_scenario_free(scenario);
    }
}

static void test_kept_messages(void **state) {
    (void)state;
    size_t kept = 0;
    for (size_t i = 0; i < SCENARIOS; ++i) {
        fc_scenario *scenario = read_scenario(i);
        const trial about = {.scenario = scenario};
        fc_error error;
        if (attempt_kept(&about, &error) == FC_OK) {
            ++kept;
            fail_each_allocation(fc_scenario_name(scenario), attempt_kept, &about, true);
        }
        fc_scenario_free(scenario);
    }
    assert_true(kept >= 6); /* the others have a simulator that sees no single messages */
}

/* With several threads the count is not the same each time, but every failure must be told. */
static void test_threads(void **state) {
    (void)state;
    fc_scenario *scenario = read_scenario(0);
    const fc_run_settings settings = {.threads = 4};
    for (size_t nth = 1; nth < 30; ++nth) {
        const size_t before = fc_allocations_in_use();
        fc_error error = {""};
        fc_result *result = UNTOUCHED;
        fc_allocation_fail_nth(nth);
        const fc_status status = fc_simulate(scenario, &settings, &error, &result);
        const bool failed = fc_allocation_has_failed();
        fc_allocation_fail_nth(0);
        if (failed) {
            assert_int_equal(status, FC_ERROR_MEMORY);
            assert_ptr_equal(result, UNTOUCHED);
        } else {
            assert_int_equal(status, FC_OK);
            fc_result_free(result);
        }
        assert_int_equal(fc_allocations_in_use(), before);
    }
    fc_scenario_free(scenario);
}

/* ---- studies ---- */

static fc_status attempt_compare(const trial *about, fc_error *error) {
    const fc_run_settings settings = {.threads = 1};
    fc_comparison *comparison = UNTOUCHED;
    fc_status status = fc_compare(about->scenario, &settings, error, &comparison);
    if (status != FC_OK) {
        assert_ptr_equal(comparison, UNTOUCHED);
        return status;
    }
    fc_comparison_free(comparison);
    return FC_OK;
}

static fc_status sweep_and_keep(const trial *about, fc_error *error, fc_sweep **kept) {
    const fc_run_settings settings = {.threads = 1};
    fc_axis axis = {.count = 99};
    *kept = UNTOUCHED;
    fc_status status = fc_axis_parse("traffic.rate=0.01,0.02,0.03", error, &axis);
    if (status != FC_OK) {
        assert_int_equal(axis.count, 99);
        return status;
    }
    const fc_sweep_settings sweep = {.axes = &axis, .axis_count = 1, .simulate = true};
    status = fc_sweep_run(about->scenario, &sweep, &settings, error, kept);
    fc_axis_clear(&axis);
    if (status != FC_OK)
        assert_ptr_equal(*kept, UNTOUCHED);
    return status;
}

static fc_status attempt_sweep(const trial *about, fc_error *error) {
    fc_sweep *result;
    fc_status status = sweep_and_keep(about, error, &result);
    if (status != FC_OK)
        return status;
    fc_plot *plot = UNTOUCHED;
    status = fc_sweep_plot(result, "latency", error, &plot);
    if (status == FC_OK)
        fc_plot_free(plot);
    else
        assert_ptr_equal(plot, UNTOUCHED);
    fc_sweep_free(result);
    return status;
}

static fc_status optimize_and_keep(const trial *about, fc_error *error, fc_optimum **kept) {
    const fc_run_settings settings = {.threads = 1};
    fc_axis axis;
    *kept = UNTOUCHED;
    fc_status status = fc_axis_parse("network.rings.0=2:4:1", error, &axis);
    if (status != FC_OK)
        return status;
    const fc_setting derived = {"network.rings.1", "12 / network.rings.0"};
    const fc_optimize_settings optimize = {.axes = &axis,
                                           .axis_count = 1,
                                           .derived = &derived,
                                           .derived_count = 1,
                                           .objective = "latency",
                                           .second = "network.rings.0",
                                           .simulate = 2};
    status = fc_optimize(about->scenario, &optimize, &settings, error, kept);
    fc_axis_clear(&axis);
    if (status != FC_OK)
        assert_ptr_equal(*kept, UNTOUCHED);
    return status;
}

static fc_status attempt_optimize(const trial *about, fc_error *error) {
    fc_optimum *optimum;
    const fc_status status = optimize_and_keep(about, error, &optimum);
    if (status == FC_OK)
        fc_optimum_free(optimum);
    return status;
}

static fc_status attempt_saturate(const trial *about, fc_error *error) {
    const fc_run_settings settings = {.threads = 1};
    const fc_saturation_settings saturate = {.simulate = false};
    fc_saturation *saturations = UNTOUCHED;
    const fc_status status =
        fc_saturate(about->scenario, &saturate, &settings, error, &saturations);
    if (status == FC_OK)
        fc_saturation_free(saturations);
    else
        assert_ptr_equal(saturations, UNTOUCHED);
    return status;
}

static fc_status explain_and_keep(const trial *about, fc_error *error, fc_explanation **kept) {
    const fc_run_settings settings = {.threads = 1};
    *kept = UNTOUCHED;
    const fc_status status = fc_explain(about->scenario, NULL, &settings, error, kept);
    if (status != FC_OK)
        assert_ptr_equal(*kept, UNTOUCHED);
    return status;
}

static fc_status attempt_explain(const trial *about, fc_error *error) {
    fc_explanation *explanation;
    const fc_status status = explain_and_keep(about, error, &explanation);
    if (status == FC_OK)
        fc_explanation_free(explanation);
    return status;
}

static fc_status attempt_written_explanation(const trial *about, fc_error *error) {
    fc_explanation *explanation;
    fc_status status = explain_and_keep(about, error, &explanation);
    if (status != FC_OK)
        return status;
    const fc_write_settings settings = fc_write_settings_default();
    FILE *stream = sink();
    status = fc_explanation_write(explanation, &settings, stream);
    fclose(stream);
    fc_explanation_free(explanation);
    return status;
}

static fc_status attempt_curve(const trial *about, fc_error *error) {
    const fc_run_settings settings = {.threads = 1};
    const fc_curve_settings wanted = {.precision = 0.5};
    fc_curve *curve = UNTOUCHED;
    const fc_status status = fc_curve_run(about->scenario, &wanted, &settings, error, &curve);
    if (status == FC_OK)
        fc_curve_free(curve);
    else
        assert_ptr_equal(curve, UNTOUCHED);
    return status;
}

/* A page that lacks a table is worse than none. */
static fc_status attempt_reports(const trial *about, fc_error *error) {
    (void)error;
    const fc_write_settings page = {.format = FC_FORMAT_HTML};
    for (int study = 0; study < 4; ++study) {
        FILE *stream = sink();
        const fc_status status = study == 0
                                     ? fc_comparison_write(&about->comparison, 1, &page, stream)
                                 : study == 1 ? fc_optimum_write(about->optimum, &page, stream)
                                 : study == 2 ? fc_sweep_write(about->sweep, &page, stream)
                                              : fc_curve_write(&about->curve, 1, &page, stream);
        fclose(stream);
        if (status != FC_OK)
            return status;
    }
    return FC_OK;
}

/* So is a document that lacks a member. Writes the one study that there is. */
static fc_status attempt_document(const trial *about, fc_error *error) {
    (void)error;
    const fc_write_settings settings = {.format = FC_FORMAT_JSON, .detail = true};
    FILE *stream = sink();
    let_jansson_fail(true);
    const fc_status status =
        about->comparison    ? fc_comparison_write(&about->comparison, 1, &settings, stream)
        : about->optimum     ? fc_optimum_write(about->optimum, &settings, stream)
        : about->sweep       ? fc_sweep_write(about->sweep, &settings, stream)
        : about->explanation ? fc_explanation_write(about->explanation, &settings, stream)
        : about->saturation
            ? fc_saturation_write(&about->scenario, &about->saturation, 1, &settings, stream)
            : fc_curve_write(&about->curve, 1, &settings, stream);
    let_jansson_fail(false);
    fclose(stream);
    return status;
}

static void test_reports_of_studies(void **state) {
    (void)state;
    const fc_run_settings settings = {.threads = 1};
    const fc_saturation_settings saturate = {.simulate = false};
    fc_scenario *scenario = read_scenario(0);
    trial about = {.scenario = scenario};
    fc_error error;
    fc_explanation *explanation;
    fc_saturation *saturations;
    fc_comparison *comparison;
    fc_optimum *optimum;
    fc_sweep *sweep;
    assert_int_equal(fc_compare(scenario, &settings, &error, &comparison), FC_OK);
    assert_int_equal(optimize_and_keep(&about, &error, &optimum), FC_OK);
    assert_int_equal(sweep_and_keep(&about, &error, &sweep), FC_OK);
    about.comparison = comparison;
    about.optimum = optimum;
    about.sweep = sweep;
    const fc_curve_settings wanted = {.precision = 0.5};
    fc_curve *curve;
    assert_int_equal(fc_curve_run(scenario, &wanted, &settings, &error, &curve), FC_OK);
    about.curve = curve;
    fail_each_allocation("reports", attempt_reports, &about, false);
    assert_int_equal(explain_and_keep(&about, &error, &explanation), FC_OK);
    assert_int_equal(fc_saturate(scenario, &saturate, &settings, &error, &saturations), FC_OK);
    const trial documents[] = {{.comparison = comparison},
                               {.optimum = optimum},
                               {.sweep = sweep},
                               {.explanation = explanation},
                               {.scenario = scenario, .saturation = saturations},
                               {.curve = curve}};
    for (size_t i = 0; i < sizeof documents / sizeof *documents; ++i)
        fail_each_allocation("document", attempt_document, &documents[i], false);
    fc_explanation_free(explanation);
    fc_saturation_free(saturations);
    fc_comparison_free(comparison);
    fc_optimum_free(optimum);
    fc_sweep_free(sweep);
    fc_curve_free(curve);
    fc_scenario_free(scenario);
}

/* A table, a plot and claims. */
static fc_status attempt_paper(const trial *about, fc_error *error) {
    (void)about;
    const fc_run_settings settings = {.threads = 1};
    fc_report *report = UNTOUCHED;
    const fc_status status =
        fc_paper_run("adve-vernon", "figure-2.4", 0, &settings, error, &report);
    if (status == FC_OK)
        fc_report_free(report);
    else
        assert_ptr_equal(report, UNTOUCHED);
    return status;
}

static void test_studies(void **state) {
    (void)state;
    fc_scenario *busy = read_scenario(0);
    const fc_setting light = {"traffic.rate", "0.02"};
    fc_error error;
    fc_scenario *scenario;
    assert_int_equal(fc_scenario_with(busy, &light, 1, &error, &scenario), FC_OK);
    fc_scenario_free(busy);
    const trial about = {.scenario = scenario};
    fail_each_allocation("compare", attempt_compare, &about, true);
    fail_each_allocation("sweep", attempt_sweep, &about, true);
    fail_each_allocation("optimize", attempt_optimize, &about, true);
    fail_each_allocation("saturate", attempt_saturate, &about, true);
    fail_allocations("explain", attempt_explain, &about, true, 1.05);
    fail_allocations("curve", attempt_curve, &about, true, 1.05);
    fail_each_allocation("written explanation", attempt_written_explanation, &about, false);
    fail_each_allocation("paper", attempt_paper, &about, true);
    fc_scenario_free(scenario);
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
#ifdef FC_CHECKS
        cmocka_unit_test(test_reading),       cmocka_unit_test(test_files),
        cmocka_unit_test(test_models),        cmocka_unit_test(test_simulators),
        cmocka_unit_test(test_kept_messages), cmocka_unit_test(test_threads),
        cmocka_unit_test(test_studies),       cmocka_unit_test(test_reports_of_studies),
#else
        cmocka_unit_test(test_not_here),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
