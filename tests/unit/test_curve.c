/* Curves of small networks against longer simulations and closed forms. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "capture.h"
#include "flitcast/flitcast.h"
#include "output/pictures/plot.h"
#include "studies/curve/curve_shape.h"
#include "test_support.h"

static const char rings[] = "network: {topology: ring-hierarchy, rings: [4, 6]}\n"
                            "traffic: {rate: 0.03, locality: [0.2]}\n";
static const char mesh[] = "network: {topology: mesh, radix: [3, 3], virtual_channels: 2, "
                           "buffer: 4, router_delay: 2}\n"
                           "traffic: {rate: 0.05, message_flits: 3}\n";
static const char closed[] =
    "network: {topology: torus, radix: [3, 3]}\n"
    "traffic: {kind: closed, outstanding: 2, think_time: 30, requests: [{share: 1, flits: 2, "
    "reply_flits: 4, memory_reply: 4, memory_busy: 4}]}\n";
static const char refusing[] = "network: {topology: multistage, ports: 8, switch: 2, buffer: 2}\n"
                               "traffic: {rate: 0.4}\n";

static fc_scenario *scenario_of(const char *text) {
    fc_error error;
    fc_scenario *scenario;
    if (fc_scenario_read_text(text, strlen(text), "test", NULL, 0, &error, &scenario) != FC_OK)
        fail_msg("%s", error.text);
    return scenario;
}

static fc_curve *curve_of(const char *text, fc_curve_settings wanted, unsigned threads) {
    const fc_run_settings settings = {.threads = threads};
    fc_scenario *scenario = scenario_of(text);
    fc_error error;
    fc_curve *curve;
    if (fc_curve_run(scenario, &wanted, &settings, &error, &curve) != FC_OK)
        fail_msg("%s", error.text);
    fc_scenario_free(scenario);
    return curve;
}

static const fc_curve_point *point_at(const fc_curve *curve, double load) {
    for (size_t p = 0; p < curve->point_count; ++p) {
        if (curve->points[p].load == load)
            return &curve->points[p];
    }
    fail_msg("there is no point at %g", load);
    return NULL;
}

/* Sorted, finite where it says so, a positive band, no load twice. */
static void check_form(const fc_curve *curve) {
    assert_true(curve->point_count > 20);
    assert_true(curve->simulations <= 7);
    for (size_t p = 0; p < curve->point_count; ++p) {
        const fc_curve_point *point = &curve->points[p];
        assert_true(p == 0 || point->load > curve->points[p - 1].load);
        if (point->load > curve->reliable || point->outcome != FC_OUTCOME_OK)
            continue;
        for (size_t m = 0; m < curve->metric_count; ++m) {
            assert_true(point->values[m].value > 0);
            assert_true(point->values[m].half_width >= 0 && isfinite(point->values[m].half_width));
        }
        assert_true(point->values[0].half_width < 0.1 * point->values[0].value);
    }
}

/* Values of a load contradict neither its simulation nor each other, and a row has a latency. */
static void check_values(const fc_curve *curve) {
    for (size_t p = 0; p < curve->point_count; ++p) {
        const fc_curve_point *point = &curve->points[p];
        const fc_curve_value *value = point->values;
        if (point->outcome != FC_OUTCOME_OK)
            continue;
        assert_true(value[0].value > 0);
        for (size_t m = 0; point->simulated && m < curve->metric_count; ++m)
            assert_true(fabs(value[m].value - point->measured[m].value) <=
                        hypot(value[m].half_width, point->measured[m].half_width));
        if (!point->simulated && strcmp(curve->metrics[0], "latency") == 0)
            assert_true(value[1].value <= value[2].value && value[2].value <= value[3].value &&
                        value[0].value <= value[3].value);
    }
}

/* A load that was not simulated, against a long simulation with another seed. */
static void check_value(const char *text, const fc_curve *curve, double load) {
    fc_scenario *base = scenario_of(text), *scenario;
    char number[32];
    snprintf(number, sizeof number, "%.17g", load);
    const fc_setting settings[] = {
        {curve->key, number}, {"simulation.precision", "0.005"}, {"simulation.seed", "77"}};
    fc_error error;
    fc_result *result;
    const fc_run_settings run = {.threads = 1};
    assert_int_equal(fc_scenario_with(base, settings, 3, &error, &scenario), FC_OK);
    assert_int_equal(fc_simulate(scenario, &run, &error, &result), FC_OK);
    const fc_curve_point *point = point_at(curve, load);
    assert_false(point->simulated);
    for (size_t m = 0; m < curve->metric_count; ++m) {
        const fc_metric *truth = fc_result_metric(result, curve->metrics[m]);
        const double room = 1.5 * hypot(point->values[m].half_width, truth->half_width);
        if (fabs(truth->value - point->values[m].value) > room)
            fail_msg("%s at %g: %g +- %g, simulated %g +- %g", curve->metrics[m], load,
                     point->values[m].value, point->values[m].half_width, truth->value,
                     truth->half_width);
    }
    fc_result_free(result);
    fc_scenario_free(scenario);
    fc_scenario_free(base);
}

static void test_with_model(void **state) {
    (void)state;
    const double at[] = {0.021, 0.0123456};
    fc_curve *curve = curve_of(rings, (fc_curve_settings){.at = at, .at_count = 2}, 1);
    check_form(curve);
    check_values(curve);
    assert_string_equal(curve->key, "traffic.rate");
    assert_string_equal(curve->model, "ring-trains");
    assert_true(point_at(curve, at[0])->asked);
    check_value(rings, curve, at[0]);
    check_value(rings, curve, at[1]);
    /* the rings' saturation load is known exactly */
    fc_scenario *scenario = scenario_of(rings);
    const fc_saturation_settings by_model = {.model = "ring-trains"};
    fc_error error;
    fc_saturation *exact;
    assert_int_equal(fc_saturate(scenario, &by_model, NULL, &error, &exact), FC_OK);
    assert_true(curve->low < exact->load && exact->load < curve->high);
    assert_close(curve->saturation / exact->load, 1, 0.05);
    fc_saturation_free(exact);
    fc_scenario_free(scenario);
    fc_curve_free(curve);
}

/* Beyond saturation this network carries less the more it is offered: it settles at loads above
 * what it carries there. */
/* What predict says of the load, calibrated unless the model is asked for by name. */
static double predicted(const char *text, double load, const char *model) {
    fc_scenario *base = scenario_of(text), *scenario;
    char number[32];
    snprintf(number, sizeof number, "%.17g", load);
    const fc_setting setting = {"traffic.rate", number};
    fc_error error;
    fc_result *result;
    assert_int_equal(fc_scenario_with(base, &setting, 1, &error, &scenario), FC_OK);
    assert_int_equal(fc_predict(scenario, model, &error, &result), FC_OK);
    const double value = fc_result_metric(result, "latency")->value;
    fc_result_free(result);
    fc_scenario_free(scenario);
    fc_scenario_free(base);
    return value;
}

static void test_forecasts_are_those_of_predict(void **state) {
    (void)state;
    fc_curve *curve = curve_of(mesh, (fc_curve_settings){.precision = 0.05}, 1);
    fc_curve *named =
        curve_of(mesh, (fc_curve_settings){.precision = 0.05, .model = "router-queueing"}, 1);
    size_t calibrated = 0;
    for (size_t p = 0; p < curve->point_count; ++p) {
        const fc_curve_point *point = &curve->points[p];
        if (point->outcome == FC_OUTCOME_SATURATED)
            assert_true(isnan(point->model));
        if (point->load > curve->reliable)
            continue;
        assert_close(point->model, predicted(mesh, point->load, NULL), 1e-12);
        calibrated += point->model != predicted(mesh, point->load, "router-queueing");
    }
    assert_true(calibrated > 10);
    for (size_t p = 0; p < named->point_count; ++p) {
        const fc_curve_point *point = &named->points[p];
        if (point->load <= named->reliable)
            assert_close(point->model, predicted(mesh, point->load, "router-queueing"), 1e-12);
    }
    fc_curve_free(curve);
    fc_curve_free(named);
}

static void test_throughput_that_falls(void **state) {
    (void)state;
    fc_curve *curve = curve_of("network: {topology: torus, radix: [8, 8], virtual_channels: 4, "
                               "router_delay: [1, 1, 1, 1], buffer: 8}\n"
                               "traffic: {rate: 0.02, message_flits: 5}\n",
                               (fc_curve_settings){0}, 1);
    check_form(curve);
    assert_true(curve->high < 1.3 * curve->low);
    assert_true(curve->probes <= 10);
    fc_curve_free(curve);
}

static void test_without_model(void **state) {
    (void)state;
    const double at[] = {0.03, 0.11};
    fc_curve *curve =
        curve_of(mesh, (fc_curve_settings){.at = at, .at_count = 2, .no_model = true}, 1);
    check_form(curve);
    assert_string_equal(curve->model, "");
    if (!point_at(curve, at[0])->simulated)
        check_value(mesh, curve, at[0]);
    if (!point_at(curve, at[1])->simulated)
        check_value(mesh, curve, at[1]);
    fc_curve_free(curve);
}

static void test_threads_do_not_matter(void **state) {
    (void)state;
    fc_curve *one = curve_of(mesh, (fc_curve_settings){.precision = 0.05}, 1);
    fc_curve *three = curve_of(mesh, (fc_curve_settings){.precision = 0.05}, 3);
    assert_int_equal(one->point_count, three->point_count);
    for (size_t p = 0; p < one->point_count; ++p) {
        assert_true(one->points[p].load == three->points[p].load);
        assert_true(one->points[p].simulated == three->points[p].simulated);
        assert_memory_equal(one->points[p].values, three->points[p].values,
                            sizeof one->points[p].values);
    }
    fc_curve_free(one);
    fc_curve_free(three);
}

/* Beyond saturation the throughput is known and the latency is not. */
static void test_load_beyond_saturation(void **state) {
    (void)state;
    const double at[] = {0.2};
    fc_curve *curve =
        curve_of(rings, (fc_curve_settings){.at = at, .at_count = 1, .precision = 0.05}, 1);
    const fc_curve_point *point = point_at(curve, at[0]);
    assert_int_equal(point->outcome, FC_OUTCOME_SATURATED);
    assert_true(isnan(point->values[0].value));
    assert_true(point->values[curve->metric_count - 1].value > 0.5 * curve->saturation);
    assert_true(point->values[curve->metric_count - 1].value < at[0]);
    fc_curve_free(curve);
}

static void test_closed(void **state) {
    (void)state;
    const double at[] = {20};
    fc_curve *curve = curve_of(closed, (fc_curve_settings){.at = at, .at_count = 1}, 1);
    check_form(curve);
    assert_string_equal(curve->key, "traffic.think_time");
    assert_string_equal(curve->metrics[0], "efficiency");
    assert_true(isnan(curve->saturation));
    if (!point_at(curve, at[0])->simulated)
        check_value(closed, curve, at[0]);
    for (size_t p = 1; p < curve->point_count; ++p)
        assert_true(curve->points[p].values[0].value > curve->points[p - 1].values[0].value);
    fc_curve_free(curve);
}

/* A network that refuses messages has an end of the curve, but no saturation. */
static void test_never_saturates(void **state) {
    (void)state;
    fc_curve *curve = curve_of(refusing, (fc_curve_settings){.precision = 0.02}, 1);
    assert_true(curve->saturation == INFINITY && curve->high == INFINITY);
    assert_true(curve->reliable >= 0.4);
    for (size_t p = 0; p < curve->point_count; ++p)
        assert_true(curve->points[p].values[0].value > 0);
    fc_curve_free(curve);
}

/* The shape of a latency that falls with the load: no form that grows fits, the flat one follows.
 */
static void test_falling_latency(void **state) {
    (void)state;
    enum { POINTS = 9 };
    fc_curve_point points[POINTS];
    fc_curve curve = {.points = points, .point_count = POINTS, .metric_count = 1, .reliable = 0.8};
    const fc_curve_shape shape = {
        .form = FC_FORM_FLAT, .limit = 1, .pole = 1, .capacity = INFINITY, .zero = {20, 0}};
    for (size_t p = 0; p < POINTS; ++p) {
        points[p] = (fc_curve_point){.load = 0.1 * (double)p, .model = NAN, .reliable = true};
        points[p].simulated = p % 2 == 0;
        points[p].measured[0] = (fc_curve_value){20 - 5 * points[p].load, 0.05};
    }
    assert_false(fc_curve_form_fits(&shape, FC_FORM_PLAIN, &curve));
    assert_false(fc_curve_form_fits(&shape, FC_FORM_MODEL, &curve));
    static fc_regression fit;
    fc_curve_correct(&shape, 0, &fit, &curve);
    for (size_t p = 0; p < POINTS; ++p) {
        assert_close(points[p].values[0].value, 20 - 5 * points[p].load, 0.2);
        assert_true(points[p].values[0].half_width < 0.5);
    }
}

static void test_store_resumes(void **state) {
    (void)state;
    char path[] = "/tmp/curve_store_XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    unlink(path);
    const fc_curve_settings wanted = {.precision = 0.05, .store = path};
    fc_curve *first = curve_of(rings, wanted, 1), *second = curve_of(rings, wanted, 1);
    fc_stored *rows;
    size_t count;
    fc_error error;
    assert_int_equal(fc_store_read(path, &error, &rows, &count), FC_OK);
    /* those of the curve; the search for the saturation load keeps none */
    assert_true(count > first->simulations && count < first->simulations + first->probes);
    fc_stored_free(rows, count);
    assert_int_equal(first->point_count, second->point_count);
    for (size_t p = 0; p < first->point_count; ++p)
        assert_memory_equal(first->points[p].values, second->points[p].values,
                            sizeof first->points[p].values);
    fc_curve_free(first);
    fc_curve_free(second);
    unlink(path);
    static const char *const beside[] = {"-wal", "-shm"}; /* left by a reader */
    for (size_t i = 0; i < 2; ++i) {
        char other[sizeof path + 4];
        snprintf(other, sizeof other, "%s%s", path, beside[i]);
        unlink(other);
    }
}

/* A load just above saturation takes long to be found saturated. It is looked at no longer than the
 * other loads together, and what it showed of the latency until then is not reported. */
static void test_undecided_search(void **state) {
    (void)state;
    fc_curve *curve = curve_of("network: {topology: mesh, radix: [4, 4], virtual_channels: 2, "
                               "buffer: 4, router_delay: 2}\n"
                               "traffic: {rate: 0.02, message_flits: 4, destinations: transpose}\n",
                               (fc_curve_settings){0}, 1);
    check_form(curve);
    check_values(curve);
    assert_true(curve->cycles < 250000);
    size_t saturated = 0;
    for (size_t p = 0; p < curve->point_count; ++p) {
        const fc_curve_point *point = &curve->points[p];
        if (point->outcome != FC_OUTCOME_SATURATED)
            continue;
        ++saturated;
        for (size_t m = 0; m < 4; ++m)
            assert_true(isnan(point->values[m].value));
        assert_true(point->values[4].value > 0);
    }
    assert_int_equal(saturated, 1);
    fc_curve_free(curve);
}

/* Sources that wait for a reply: 1 / throughput = 1 / load + latency, which bends much less than
 * that of full buffers. */
static void test_waiting_sources(void **state) {
    (void)state;
    fc_curve *curve = curve_of("network: {topology: multistage, ports: 16, switch: 2, buffer: 1}\n"
                               "traffic: {rate: 0.5, outstanding: 1}\n",
                               (fc_curve_settings){0}, 1);
    check_form(curve);
    const size_t last = curve->metric_count - 1;
    assert_string_equal(curve->metrics[last], "throughput");
    for (size_t p = 0; p < curve->point_count; ++p) {
        const fc_curve_value *throughput = &curve->points[p].values[last];
        assert_true(throughput->half_width < 0.1 * throughput->value);
        assert_true(p == 0 || throughput->value > curve->points[p - 1].values[last].value);
    }
    fc_curve_free(curve);
}

/* The bend of an efficiency: the loads are chosen so that the band becomes narrow everywhere. */
static void test_closed_band(void **state) {
    (void)state;
    fc_curve *curve = curve_of("network: {topology: torus, radix: [4, 4]}\n"
                               "traffic: {kind: closed, outstanding: 2, think_time: 40}\n",
                               (fc_curve_settings){0}, 1);
    check_form(curve);
    assert_string_equal(curve->note, "");
    fc_curve_free(curve);
}

static void check_refused(const char *text, fc_curve_settings wanted, fc_status expected) {
    fc_scenario *scenario = scenario_of(text);
    fc_error error = {{0}};
    fc_curve *curve = NULL;
    assert_int_equal(fc_curve_run(scenario, &wanted, NULL, &error, &curve), expected);
    assert_null(curve);
    assert_true(error.text[0]);
    fc_scenario_free(scenario);
}

static void test_bad_requests(void **state) {
    (void)state;
    const double negative[] = {-1}, huge[] = {1e9};
    check_refused(rings, (fc_curve_settings){.at = negative, .at_count = 1}, FC_ERROR_INPUT);
    check_refused(rings, (fc_curve_settings){.at = huge, .at_count = 1}, FC_ERROR_INPUT);
    check_refused(rings, (fc_curve_settings){.precision = -1}, FC_ERROR_INPUT);
    check_refused(rings, (fc_curve_settings){.model = "ring-train"}, FC_ERROR_INPUT);
    check_refused(rings, (fc_curve_settings){.model = "torus-sharing"}, FC_ERROR_UNSUPPORTED);
    check_refused(rings, (fc_curve_settings){.store = "/no/such/folder/x"}, FC_ERROR_FILE);
    const int stop = 1;
    const fc_run_settings cancelled = {.threads = 1, .cancel = &stop};
    const fc_curve_settings plain = {.precision = 0.02};
    fc_scenario *scenario = scenario_of(rings);
    fc_error error;
    fc_curve *curve;
    assert_int_equal(fc_curve_run(scenario, &plain, &cancelled, &error, &curve),
                     FC_ERROR_CANCELLED);
    fc_scenario_free(scenario);
}

static void test_picture_of_different_keys(void **state) {
    (void)state;
    fc_curve *open = curve_of(rings, (fc_curve_settings){.precision = 0.1}, 1);
    fc_curve *waiting = curve_of(closed, (fc_curve_settings){.precision = 0.1}, 1);
    const fc_curve *both[] = {open, waiting};
    fc_error error;
    fc_plot *plot;
    const fc_curve_view power = {.metric = "power"};
    const fc_write_settings settings = {.format = FC_FORMAT_HTML};
    capture output;
    assert_int_equal(fc_curve_plot(both, 2, NULL, &error, &plot), FC_ERROR_INPUT);
    assert_int_equal(fc_curve_plot(both, 1, &power, &error, &plot), FC_ERROR_INPUT);
    assert_int_equal(fc_curve_plot(both, 0, NULL, &error, &plot), FC_ERROR_ARGUMENT);
    assert_int_equal(fc_curve_plot(both, 1, NULL, &error, &plot), FC_OK);
    fc_plot_free(plot);
    /* a page has what can be had: the tables */
    capture_begin(&output);
    assert_int_equal(fc_curve_write(both, 2, &settings, output.stream), FC_OK);
    char *page = capture_end(&output);
    assert_non_null(strstr(page, "<table"));
    assert_null(strstr(page, "<svg"));
    free(page);
    fc_curve_free(open);
    fc_curve_free(waiting);
}

/* Lines are smooth: a hundred points and more, through all that were computed, rising where those
 * rise, with a gap where nothing is known. */
static void test_lines_have_many_points(void **state) {
    (void)state;
    static const double loads[] = {0.01, 0.02, 0.05, 0.06, 0.08, 0.09, 0.1};
    static const double values[] = {10, 10.5, 14, 14, 40, NAN, 100};
    enum { POINTS = 7 };
    fc_curve_point points[POINTS];
    memset(points, 0, sizeof points);
    for (size_t p = 0; p < POINTS; ++p) {
        points[p].load = loads[p];
        points[p].model = NAN;
        points[p].values[0] = (fc_curve_value){values[p], 1};
    }
    fc_curve curve = {.key = "traffic.rate",
                      .metrics = {"latency"},
                      .units = {"cycles"},
                      .metric_count = 1,
                      .saturation = INFINITY,
                      .low = 0.1,
                      .high = INFINITY,
                      .points = points,
                      .point_count = POINTS};
    const fc_curve *only = &curve;
    fc_plot *plot;
    assert_int_equal(fc_curve_plot(&only, 1, NULL, NULL, &plot), FC_OK);
    const fc_series *line = &plot->series[0];
    assert_true(line->count >= 80); /* two of the six steps are a gap */
    size_t met = 0;
    for (size_t i = 0; i < line->count; ++i) {
        if (met < POINTS && line->x[i] == loads[met]) {
            assert_true(line->y[i] == values[met] || (isnan(values[met]) && isnan(line->y[i])));
            ++met;
        }
        if (i && isfinite(line->y[i]) && isfinite(line->y[i - 1])) {
            assert_true(line->x[i] > line->x[i - 1]);
            assert_true(line->y[i] >= line->y[i - 1] - 1e-12);
        }
    }
    assert_int_equal(met, POINTS);
    fc_plot_free(plot);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_with_model),
        cmocka_unit_test(test_forecasts_are_those_of_predict),
        cmocka_unit_test(test_throughput_that_falls),
        cmocka_unit_test(test_without_model),
        cmocka_unit_test(test_threads_do_not_matter),
        cmocka_unit_test(test_load_beyond_saturation),
        cmocka_unit_test(test_closed),
        cmocka_unit_test(test_never_saturates),
        cmocka_unit_test(test_falling_latency),
        cmocka_unit_test(test_undecided_search),
        cmocka_unit_test(test_closed_band),
        cmocka_unit_test(test_waiting_sources),
        cmocka_unit_test(test_store_resumes),
        cmocka_unit_test(test_bad_requests),
        cmocka_unit_test(test_picture_of_different_keys),
        cmocka_unit_test(test_lines_have_many_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
