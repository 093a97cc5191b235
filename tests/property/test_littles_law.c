/* Little's law and the books of every simulator: what arrived is delivered, lost or still there;
 * the messages present, summed over time, are the time spent by messages, summed over messages.
 *
 * In networks whose messages come and go at whole cycles this is exact whenever the network is
 * empty, so small networks are advanced cycle by cycle and compared at each such moment. */
#include "test_support.h"

#include "anchor_support.h"

typedef struct open_case {
    const char *network, *traffic;
    double steps; /* a message counts as present for that many cycles more than its latency */
} open_case;

/* Wormhole latencies leave out the cycle of injection; those of scouting and of rings count every
 * cycle, the last of which ends with the message gone. */
static const open_case whole_cycles[] = {
    {"topology: torus, radix: [4, 4], virtual_channels: 2", "rate: 0.004, message_flits: 5", 0},
    {"topology: torus, radix: [3, 3], links: unidirectional, virtual_channels: 3, "
     "channel_rule: escape, handover: next-cycle, ejection_channels: 3",
     "rate: 0.004, message_flits: 8", 0},
    {"topology: torus, radix: [8], virtual_channels: 4, channel_rule: dateline, buffer: 4",
     "rate: 0.01, message_flits: 3, destinations: tornado", 0},
    {"topology: mesh, radix: [3, 4], virtual_channels: 1, buffer: 2",
     "rate: 0.006, message_flits: 4, destinations: {hot-spot: {share: 0.3, node: 5}}", 0},
    {"topology: torus, radix: [4, 4], switching: scouting, scouting_distance: 2, "
     "virtual_channels: 2",
     "rate: 0.003, message_flits: 6", -1},
    {"topology: torus, radix: [5, 3], switching: scouting, scouting_distance: 0, "
     "virtual_channels: 1",
     "rate: 0.003, message_flits: 4", -1},
    {"topology: ring-hierarchy, rings: [3, 4]", "rate: 0.02, locality: [0.5]", -1},
    {"topology: ring-hierarchy, rings: [2, 3, 2]", "rate: 0.01", -1},
};

static fc_scenario *read_open(const open_case *what) {
    return read_scenario("network: {%s}\ntraffic: {%s}\n", what->network, what->traffic);
}

#ifdef FC_CHECKS
enum { CYCLES = 15000 }; /* every invariant is asserted in every cycle: slow */
#else
enum { CYCLES = 60000 };
#endif

static void check_whole_cycles(const open_case *what) {
    fc_scenario *scenario = read_open(what);
    anchor_run run;
    anchor_start(&run, scenario, 17);
    double present = 0, arrived = 0, delivered = 0;
    unsigned moments = 0;
    for (int cycle = 0; cycle < CYCLES; ++cycle) {
        anchor_advance(&run, 1);
        const double time = anchor_sum(&run, "latency", &delivered);
        present += run.sample.backlog;
        arrived += run.sample.arrivals;
        assert_true(arrived == delivered + run.sample.backlog);
        if (run.sample.backlog == 0 && delivered > 0) {
            ++moments;
            if (present != time + what->steps * delivered)
                fail_msg("%s: %.0f present, %.0f spent by %.0f messages", what->network, present,
                         time, delivered);
        }
    }
    assert_true(moments > 25 && delivered > 250);
    anchor_finish(&run);
    fc_scenario_free(scenario);
}

static void presence_is_time_spent(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof whole_cycles / sizeof *whole_cycles; ++i)
        check_whole_cycles(&whole_cycles[i]);
}

/* Packets of a multistage network come at any time: snapshots at whole cycles give the mean.
 * (Finite buffers tell the driver no backlog: they cannot fill without end.) */
static void snapshots_of_packets_agree(void **state) {
    (void)state;
    static const open_case cases[] = {
        {"topology: multistage, ports: 16, switch: 2, buffer: infinite", "rate: 0.6", 0},
        {"topology: multistage, ports: 16, switch: 4, buffer: infinite, service: 1.5", "rate: 0.5",
         0},
        {"topology: multistage, ports: 16, switch: 2, buffer: infinite, contention: output-port",
         "rate: 0.4", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        fc_scenario *scenario = read_open(&cases[i]);
        anchor_run run;
        anchor_start(&run, scenario, 17);
        anchor_advance(&run, 2000);
        anchor_clear(&run);
        double present = 0, delivered;
        for (int cycle = 0; cycle < CYCLES; ++cycle) {
            anchor_advance(&run, 1);
            present += run.sample.backlog;
        }
        assert_close(present, anchor_sum(&run, "latency", &delivered), 0.02);
        assert_true(delivered > 10000);
        anchor_finish(&run);
        fc_scenario_free(scenario);
    }
}

/* N requests per node: N = throughput x round trip, and a processor works think_time a request. */
static void closed_requests_go_round(void **state) {
    (void)state;
    static const struct {
        const char *network;
        double outstanding, think;
    } cases[] = {{"topology: torus, radix: [4, 4]", 1, 30},
                 {"topology: torus, radix: [4, 4], links: unidirectional", 4, 20},
                 {"topology: mesh, radix: [4, 4]", 2, 50},
                 {"topology: torus, radix: [4, 4], buffer: infinite", 4, 40}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const double N = cases[i].outstanding, think = cases[i].think;
        fc_scenario *scenario =
            read_scenario("network: {%s}\n"
                          "traffic: {kind: closed, outstanding: %g, think_time: %g}\n"
                          "simulation: {precision: 0.01, seed: 3}\n",
                          cases[i].network, N, think);
        const fc_run_settings settings = fc_run_settings_default();
        fc_error error;
        fc_result *result;
        assert_int_equal(fc_simulate(scenario, &settings, &error, &result), FC_OK);
        const double X = value_of(result, "throughput"), E = value_of(result, "efficiency");
        assert_close(X * value_of(result, "round_trip"), N, 0.01);
        assert_close(X * think, E, 0.02);
        fc_result_free(result);
        for (size_t m = 0; fc_models[m]; ++m) {
            result = solve(fc_models[m], scenario);
            if (!result)
                continue;
            const double rate = value_of(result, "throughput");
            assert_close(rate * think, value_of(result, "efficiency"), 1e-6);
            assert_close(rate * value_of(result, "round_trip"), N, 1e-4);
            fc_result_free(result);
        }
        fc_scenario_free(scenario);
    }
}

/* Below saturation every model delivers what is offered, exactly; and so does each simulator,
 * within four of its half widths. */
static void throughput_is_what_is_offered(void **state) {
    (void)state;
    static const struct {
        const char *network, *traffic;
        double rate;
    } cases[] = {
        {"topology: ring-hierarchy, rings: [8, 8]", "rate: 0.01", 0.01},
        {"topology: ring-hierarchy, rings: [4, 4, 4]", "rate: 0.01", 0.01},
        {"topology: multistage, ports: 64, buffer: infinite", "rate: 0.7", 0.7},
        {"topology: torus, radix: [6, 6], links: unidirectional, virtual_channels: 3, "
         "channel_rule: escape, handover: next-cycle, ejection_channels: 3",
         "rate: 0.003, message_flits: 16", 0.003},
        {"topology: mesh, radix: [6, 6], virtual_channels: 2", "rate: 0.003, message_flits: 16",
         0.003},
        {"topology: torus, radix: [6, 6], switching: scouting, virtual_channels: 3, "
         "scouting_distance: 2",
         "rate: 0.01, message_flits: 16", 0.01},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        fc_scenario *scenario =
            read_scenario("network: {%s}\ntraffic: {%s}\nsimulation: {precision: 0.02}\n",
                          cases[i].network, cases[i].traffic);
        size_t covered = 0;
        for (size_t m = 0; fc_models[m]; ++m) {
            fc_result *result = solve(fc_models[m], scenario);
            if (!result)
                continue;
            ++covered;
            assert_int_equal(result->outcome, FC_OUTCOME_OK);
            assert_close(value_of(result, "throughput"), cases[i].rate, 1e-9);
            fc_result_free(result);
        }
        assert_true(covered >= 1);
        const fc_run_settings settings = fc_run_settings_default();
        fc_error error;
        fc_result *result;
        assert_int_equal(fc_simulate(scenario, &settings, &error, &result), FC_OK);
        const fc_metric *throughput = metric_of(result, "throughput");
        assert_near(throughput->value, cases[i].rate, 4 * throughput->half_width);
        assert_true(throughput->half_width < 0.1 * cases[i].rate);
        fc_result_free(result);
        fc_scenario_free(scenario);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(presence_is_time_spent),
        cmocka_unit_test(snapshots_of_packets_agree),
        cmocka_unit_test(closed_requests_go_round),
        cmocka_unit_test(throughput_is_what_is_offered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
