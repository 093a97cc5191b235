/* Closed traffic on rings: exact cases, and the model against the simulator on networks drawn at
 * random. */
#include "test_support.h"
#include "scenario_support.h"

#include <math.h>
#include "base/random.h"
#include "registry/method.h"

static const char *metrics[] = {"efficiency", "response_time"};

typedef struct answer {
    double value[2];
} answer;

static answer read_answer(fc_result *result) {
    answer seen;
    for (int i = 0; i < 2; ++i)
        seen.value[i] = fc_result_metric(result, metrics[i])->value;
    fc_result_free(result);
    return seen;
}

static answer predict(const fc_scenario *scenario) {
    fc_error error;
    fc_result *result = NULL;
    if (fc_predict(scenario, "ring-requests", &error, &result) != FC_OK)
        fail_msg("%s", error.text);
    assert_int_equal(result->outcome, FC_OUTCOME_OK);
    return read_answer(result);
}

static answer simulate(const fc_scenario *scenario) {
    fc_error error;
    fc_result *result = NULL;
    if (fc_simulate(scenario, NULL, &error, &result) != FC_OK)
        fail_msg("%s", error.text);
    return read_answer(result);
}

static fc_scenario *read_closed(const char *rings, const char *traffic, double precision) {
    char text[512];
    snprintf(text, sizeof text,
             "network: {topology: ring-hierarchy, rings: %s}\n"
             "traffic: {kind: closed, %s}\nsimulation: {precision: %g}\n",
             rings, traffic, precision);
    return must_read(text, NULL, NULL);
}

/* Two stations on one ring with a request each now and then: nobody waits for anybody. A write
 * takes a link there, a link back and the step into the station; a read the memory's time besides.
 * On two rings of one station each a way is 1 + 1 + 1 links and two crossings. */
static void two_stations_by_hand(void **state) {
    (void)state;
    static const struct {
        const char *rings, *traffic;
        double response;
    } cases[] = {
        {"[2]", "outstanding: 1, think_time: 2000, reads: 0, memory_busy: 0", 3},
        {"[2]", "outstanding: 1, think_time: 2000, reads: 1, memory_reply: 7, memory_busy: 0", 10},
        {"[1, 2]", "outstanding: 1, think_time: 2000, reads: 0, memory_busy: 0", 11},
        {"[1, 2]", "outstanding: 1, think_time: 2000, reads: 1, memory_reply: 7, memory_busy: 0",
         18},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        fc_scenario *scenario = read_closed(cases[i].rings, cases[i].traffic, 0.002);
        const answer simulated = simulate(scenario), model = predict(scenario);
        assert_close(simulated.value[1], cases[i].response, 2e-3);
        assert_close(model.value[1], cases[i].response, 2e-3);
        fc_scenario_free(scenario);
    }
}

/* With two stations and memories that are busy for long, a memory sees one customer only, which
 * finds it busy only by its own last access: never, since that was complete before. */
static void nobody_refuses_a_single_customer(void **state) {
    (void)state;
    fc_scenario *scenario = read_closed(
        "[2]", "outstanding: 1, think_time: 300, reads: 1, memory_reply: 30, memory_busy: 30",
        0.002);
    assert_close(simulate(scenario).value[1], 33, 2e-3);
    fc_scenario_free(scenario);
}

static void the_model_is_near_the_simulation(void **state) {
    (void)state;
    fc_random random = fc_random_stream(71, 0, 0);
    double sum[2] = {0};
    enum { CASES = 40 };
    for (int i = 0; i < CASES; ++i) {
        char rings[32], traffic[200];
        const unsigned outstanding = 1u << fc_random_below(&random, 4);
        snprintf(rings, sizeof rings,
                 i % 3 == 0   ? "[%u]"
                 : i % 3 == 1 ? "[%u, %u]"
                              : "[%u, %u, 3]",
                 3 + fc_random_below(&random, 8), 2 + fc_random_below(&random, 8));
        snprintf(traffic, sizeof traffic,
                 "outstanding: %u, think_time: %g, reads: %g, memory_reply: %u, memory_busy: %u, "
                 "retry: %u",
                 outstanding, exp(2.3 + 3.5 * fc_random_unit(&random)), fc_random_unit(&random),
                 1 + fc_random_below(&random, 20), fc_random_below(&random, 30),
                 fc_random_below(&random, 30));
        fc_scenario *scenario = read_closed(rings, traffic, 0.01);
        const answer simulated = simulate(scenario), model = predict(scenario);
        for (int m = 0; m < 2; ++m) {
            const double off = fabs(model.value[m] / simulated.value[m] - 1);
            if (off > (m == 0 ? 0.06 : 0.25))
                fail_msg("%s: %g, simulated %g: %s %s", metrics[m], model.value[m],
                         simulated.value[m], rings, traffic);
            sum[m] += off / CASES;
        }
        fc_scenario_free(scenario);
    }
    assert_true(sum[0] < 0.015);
    assert_true(sum[1] < 0.04);
}

/* [4, 4] with queues of one place locks; that is an error and not an efficiency of zero. */
static void a_locked_network_is_an_error(void **state) {
    (void)state;
    fc_scenario *scenario =
        must_read("network: {topology: ring-hierarchy, rings: [8, 8], queue: 1}\n"
                  "traffic: {kind: closed, outstanding: 4, think_time: 5}\n",
                  NULL, NULL);
    fc_error error;
    fc_result *result = NULL;
    assert_int_equal(fc_simulate(scenario, NULL, &error, &result), FC_ERROR_INPUT);
    must_say(error.text, "deadlocked");
    fc_scenario_free(scenario);
}

static void keys_of_the_other_traffic_are_refused(void **state) {
    (void)state;
    static const char closed[] = "network: {topology: ring-hierarchy, rings: [4, 4]}\n"
                                 "traffic: {kind: closed, outstanding: 2, think_time: 9}\n";
    must_refuse(closed, "traffic.rate", "0.1", "applies only to traffic.kind: open");
    must_refuse(closed, "traffic.kind", "open", "applies only to traffic.kind: closed");
    must_refuse(closed, "traffic.memory_reply", "0", "whole number from 1");
    must_refuse("network: {topology: ring-hierarchy, rings: [4, 4]}\ntraffic: {kind: closed}\n",
                NULL, NULL, "'traffic.outstanding' is missing; closed traffic needs it");
    must_refuse("network: {topology: ring-hierarchy, rings: [4, 4]}\n", NULL, NULL,
                "'traffic.rate' is missing; open traffic needs it");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_stations_by_hand),
        cmocka_unit_test(nobody_refuses_a_single_customer),
        cmocka_unit_test(the_model_is_near_the_simulation),
        cmocka_unit_test(a_locked_network_is_an_error),
        cmocka_unit_test(keys_of_the_other_traffic_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
