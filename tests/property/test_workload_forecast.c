/* Forecasts of workloads that are drawn, over small and large buffers, credit loops, channels and
 * routings: how far they are off, and how often their intervals hold. */
#include "test_support.h"

#include <math.h>
#include <string.h>
#include "base/random.h"
#include "flitcast/flitcast.h"

enum { WORKLOADS = 80 };

static const char *const networks[] = {
    "topology: torus, radix: [4, 4], channel_rule: dateline",
    "topology: torus, radix: [4, 4, 2], channel_rule: dateline",
    "topology: mesh, radix: [5, 4]",
    "topology: ring, radix: [8], channel_rule: dateline",
    "topology: hypercube, dimensions: 4",
    "topology: fat-tree, arity: 2, levels: 4",
    "topology: fly, arity: 4, levels: 2",
    "topology: dragonfly, hosts: 2, routers: 2, global_links: 2",
    "topology: hyperx, shape: [3, 3], concentration: 2, routing: valiant",
    "topology: hyperx, shape: [4, 2], routing: ugal-local",
    "topology: slim-fly, q: 3",
};
static const char *const works[] = {
    "all-to-all: {bytes: 256}",
    "all-to-all: {bytes: 512, algorithm: pairwise}",
    "all-reduce: {algorithm: ring, bytes: 4096}",
    "all-reduce: {algorithm: recursive-doubling, bytes: 2048}",
    "all-reduce: {algorithm: two-trees, bytes: 4096}",
    "reduce-scatter: {bytes: 16384}",
    "all-gather: {bytes: 4096}",
    "broadcast: {bytes: 2048}",
};
static const char *const delays[] = {"1", "2", "[0, 1, 1, 1]", "[1, 1, 1, 0]", "[1, 1, 1, 1]"};
static const int buffers[] = {1, 2, 3, 4, 8, 16};

#define ONE_OF(list) (list)[fc_random_below(random, sizeof(list) / sizeof *(list))]

static void write_scenario(fc_random *random, size_t size, char *text) {
    char placement[40] = "";
    if (fc_random_below(random, 3) == 0)
        snprintf(placement, sizeof placement, ", placement: {random: %u}",
                 1 + fc_random_below(random, 99));
    snprintf(text, size,
             "network: {%s, virtual_channels: %u, buffer: %d, router_delay: %s, link_delay: %u, "
             "credit_delay: %u%s}\ntraffic: {workload: {%s}, packet_flits: %u%s}\n",
             ONE_OF(networks), 4 + 2 * fc_random_below(random, 3), ONE_OF(buffers), ONE_OF(delays),
             1 + fc_random_below(random, 4), fc_random_below(random, 3),
             fc_random_below(random, 4) ? "" : ", input_speedup: 1", ONE_OF(works),
             4u << fc_random_below(random, 4), placement);
}

static double duration_of(const fc_result *result) {
    const fc_metric *metric = fc_result_metric(result, "duration");
    return metric ? metric->value : (double)NAN;
}

typedef struct outcome {
    double error; /* of the forecast, relative */
    bool stated, holds;
} outcome;

static outcome try_one(const char *text) {
    fc_scenario *scenario;
    fc_result *predicted, *simulated;
    fc_error error = {{0}};
    double low, high;
    if (fc_scenario_read_text(text, strlen(text), "t", NULL, 0, &error, &scenario) != FC_OK)
        fail_msg("%s%s", text, error.text);
    assert_int_equal(fc_predict(scenario, NULL, &error, &predicted), FC_OK);
    assert_int_equal(fc_simulate(scenario, NULL, &error, &simulated), FC_OK);
    const double forecast = duration_of(predicted), real = duration_of(simulated);
    const double bound = fc_result_metric(predicted, "duration_bound")->value;
    assert_true(fc_result_metric(predicted, "efficiency")->value <= 1);
    assert_true(fc_result_metric(simulated, "efficiency")->value <= 1);
    if (!(real >= bound * (1 - 1e-9)) || !(fabs(forecast / real - 1) < 0.7))
        fail_msg("%s: forecast %g, simulated %g, bound %g", text, forecast, real, bound);
    outcome found = {.error = forecast / real - 1};
    found.stated = fc_result_interval(predicted, &low, &high);
    found.holds = found.stated && real >= low * (1 - 1e-9) && real <= high * (1 + 1e-9);
    fc_result_free(predicted);
    fc_result_free(simulated);
    fc_scenario_free(scenario);
    return found;
}

static void drawn_workloads_take_about_as_long_as_forecast(void **state) {
    (void)state;
    double sum = 0;
    size_t stated = 0, hold = 0;
    for (uint64_t i = 0; i < WORKLOADS; ++i) {
        fc_random random = fc_random_stream(47, (uint32_t)i, 0);
        char text[600];
        write_scenario(&random, sizeof text, text);
        const outcome found = try_one(text);
        sum += fabs(found.error);
        stated += found.stated;
        hold += found.holds;
    }
    printf("mean error %.3f, %zu of %zu intervals hold\n", sum / WORKLOADS, hold, stated);
    assert_true(sum / WORKLOADS < 0.08);
    assert_true(stated > WORKLOADS / 2 && hold >= 0.8 * (double)stated);
}

/* Single flits in credit loops of five cycles, packet after packet: exactly as simulated. */
static void small_buffers_limit_a_flow(void **state) {
    (void)state;
    const outcome found =
        try_one("network: {topology: torus, radix: [4, 4, 4], virtual_channels: 4, buffer: 1, "
                "router_delay: 1, link_delay: 2, channel_rule: dateline}\n"
                "traffic: {workload: {reduce-scatter: {algorithm: ring, bytes: 16384}}}\n");
    assert_true(found.error == 0 && found.holds);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawn_workloads_take_about_as_long_as_forecast),
        cmocka_unit_test(small_buffers_limit_a_flow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
