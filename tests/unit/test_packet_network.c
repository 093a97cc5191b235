/* The multistage simulator through the public interface: exact cases, independent simulations'
 * numbers, and the books it must keep. */
#include "test_support.h"
#include <string.h>
#include "queueing/finite_queue.h"
#include "scenario/scenario.h"
#include "simulators/packet/packet_network.h"

static fc_result *simulate(const fc_setting *settings, size_t count) {
    static const char text[] = "network: {topology: multistage, ports: 64, buffer: 8}\n"
                               "traffic: {rate: 0.9}\n"
                               "simulation: {precision: 0.01, seed: 11, max_cycles: 6000}\n";
    fc_error error;
    fc_scenario *scenario;
    fc_result *result = NULL;
    const fc_run_settings run = fc_run_settings_default();
    if (fc_scenario_read_text(text, strlen(text), "t", settings, count, &error, &scenario) !=
            FC_OK ||
        fc_simulate(scenario, &run, &error, &result) != FC_OK)
        fail_msg("%s", error.text);
    fc_scenario_free(scenario);
    return result;
}

static const fc_metric *metric(const fc_result *result, const char *name) {
    const fc_metric *found = fc_result_metric(result, name);
    if (!found)
        fail_msg("no %s", name);
    return found;
}

/* One stage without contention is N independent M/D/1/L queues. Eight intervals of 95 % are looked
 * at with a fixed seed; one and a half half-widths leaves room for the one that may miss. */
static void one_stage_is_exact(void **state) {
    (void)state;
    static const struct {
        const char *rate;
        double load;
        const char *buffer;
        size_t places;
    } cases[] = {
        {"0.3", 0.3, "2", 2}, {"0.8", 0.8, "4", 4}, {"1", 1.0, "8", 8}, {"1.4", 1.4, "3", 3}};
    fc_md1k_room *room = fc_md1k_room_create(8);
    assert_non_null(room);
    for (size_t i = 0; i < 4; ++i) {
        const fc_setting settings[] = {{"network.switch", "64"},
                                       {"traffic.rate", cases[i].rate},
                                       {"network.buffer", cases[i].buffer}};
        fc_result *result = simulate(settings, 3);
        fc_md1k queue;
        fc_md1k_solve(room, cases[i].load, cases[i].places, &queue, NULL);
        const double carried = cases[i].load * (1.0 - queue.blocking);
        const fc_metric *throughput = metric(result, "throughput");
        const fc_metric *latency = metric(result, "latency");
        assert_near(throughput->value, carried, 1.5 * throughput->half_width);
        assert_near(latency->value, queue.mean / carried, 1.5 * latency->half_width);
        assert_near(metric(result, "loss")->value, queue.blocking,
                    1.5 * metric(result, "loss")->half_width + 1e-9);
        fc_result_free(result);
    }
    fc_md1k_room_free(room);
}

/* Figures of an independent simulator with the same rules. */
static void agrees_with_another_simulator(void **state) {
    (void)state;
    fc_result *result = simulate(NULL, 0);
    assert_near(metric(result, "throughput")->value, 0.858, 0.003);
    fc_result_free(result);
    const fc_setting limited[] = {{"traffic.outstanding", "1"}, {"network.buffer", "16"}};
    result = simulate(limited, 2);
    assert_near(metric(result, "throughput")->value, 0.137, 0.0007);
    assert_true(metric(result, "loss")->value == 0.0);
    fc_result_free(result);
    /* Without control variates, which correct metrics but not what is counted per group. */
    const fc_setting hot[] = {{"traffic.rate", "0.1"},
                              {"traffic.destinations", "{hot-spot: {share: 0.16, node: 3}}"},
                              {"simulation.controls", "none"},
                              {"simulation.precision", "0.001"}};
    result = simulate(hot, 4);
    assert_near(metric(result, "latency_hot")->value, 6.87, 0.08);
    /* The hot memory is the first group; its interval comes from four means, not from batches. */
    const fc_table *groups = fc_result_table(result, "groups");
    assert_non_null(groups);
    assert_close(groups->values[1], metric(result, "latency_hot")->value, 1e-12);
    assert_true(groups->values[2] > metric(result, "latency_hot")->half_width / 8);
    assert_true(groups->values[2] < metric(result, "latency_hot")->half_width * 8);
    fc_result_free(result);
    const fc_setting contention[] = {
        {"network.contention", "output-port"}, {"network.buffer", "4"}, {"traffic.rate", "1"}};
    result = simulate(contention, 3);
    assert_near(metric(result, "throughput")->value, 0.61, 0.008);
    fc_result_free(result);
}

/* Where nothing came, nothing was measured: no latency of 0. */
static void groups_without_packets_have_no_latency(void **state) {
    (void)state;
    const fc_setting all[] = {{"traffic.rate", "0.01"},
                              {"traffic.destinations", "{hot-spot: {share: 1, node: 3}}"},
                              {"simulation.max_cycles", "5000"}};
    fc_result *result = simulate(all, 3);
    const fc_table *groups = fc_result_table(result, "groups");
    assert_non_null(groups);
    assert_true(groups->values[1] > 0.0);
    for (size_t g = 1; g < groups->rows; ++g)
        assert_true(isnan(groups->values[3 * g + 1]) && isnan(groups->values[3 * g + 2]));
    fc_result_free(result);
}

/* A tree that fills up is not a backlog without end: the buffers are finite. */
static void tree_saturation_settles(void **state) {
    (void)state;
    const fc_setting settings[] = {{"traffic.rate", "0.2"},
                                   {"traffic.destinations", "{hot-spot: {share: 0.16, node: 3}}"},
                                   {"simulation.max_cycles", "30000"}};
    fc_result *result = simulate(settings, 3);
    assert_int_equal(result->outcome, FC_OUTCOME_OK);
    assert_near(metric(result, "throughput")->value, 0.1678, 0.002);
    assert_close(metric(result, "latency_hot")->value, 165.0, 0.04);
    fc_result_free(result);
    const fc_setting infinite[] = {{"network.buffer", "infinite"}, settings[0], settings[1]};
    result = simulate(infinite, 3);
    assert_int_equal(result->outcome, FC_OUTCOME_SATURATED);
    fc_result_free(result);
}

static void parts_and_percentiles_fit(void **state) {
    (void)state;
    /* tables hold what was counted: so does the latency without control variates */
    const fc_setting settings[] = {{"network.service", "2.5"},
                                   {"traffic.rate", "0.2"},
                                   {"simulation.precision", "0.005"},
                                   {"simulation.controls", "none"}};
    fc_result *result = simulate(settings, 4);
    double sum = 0.0;
    for (size_t i = 0; i < result->part_count; ++i)
        sum += result->parts[i].value;
    assert_close(sum, metric(result, "latency")->value, 1e-12);
    assert_close(result->parts[0].value, 15.0, 1e-12);
    assert_true(metric(result, "latency_p50")->value >= 15.0);
    assert_true(metric(result, "latency_p50")->value < metric(result, "latency_p99")->value);
    /* Little's law for the stages: their times add up to the latency. */
    const fc_table *channels = fc_result_table(result, "channels");
    assert_int_equal(channels->rows, 6);
    double stages = 0.0;
    for (size_t i = 0; i < 6; ++i) {
        stages += channels->values[4 * i + 1] + channels->values[4 * i + 3] + 2.5;
        assert_close(channels->values[4 * i], 0.5, 0.02);
    }
    assert_close(stages, metric(result, "latency")->value, 0.002);
    fc_result_free(result);
}

/* Zero load: a packet that meets nobody takes n d exactly; infinite overload keeps the books. */
static void limits(void **state) {
    (void)state;
    const fc_packet_settings quiet = {.ports = 27,
                                      .switch_size = 3,
                                      .stages = 3,
                                      .places = 2,
                                      .service = 1.5,
                                      .rate = 1e-6,
                                      .latency_scale = 1.0,
                                      .seed = 3};
    fc_error error;
    fc_packet_network *network;
    fc_packet_counts counts = {0};
    assert_int_equal(fc_packet_network_create(&quiet, &error, &network), FC_OK);
    assert_int_equal(fc_packet_network_advance(network, 1e7, &counts, NULL, &error), FC_OK);
    assert_true(counts.delivered > 150);
    assert_near(counts.latency / (double)counts.delivered, 4.5, 0.001);
    fc_packet_network_free(network);

    fc_packet_settings busy = quiet;
    busy.rate = 5.0;
    busy.hot_share = 0.5;
    busy.hot_memory = 13;
    for (int contention = 0; contention < 2; ++contention) {
        busy.output_contention = contention;
        memset(&counts, 0, sizeof counts);
        assert_int_equal(fc_packet_network_create(&busy, &error, &network), FC_OK);
        for (int i = 0; i < 20; ++i)
            assert_int_equal(fc_packet_network_advance(network, 50.0, &counts, NULL, &error),
                             FC_OK);
        assert_true(counts.generated ==
                    counts.delivered + counts.discarded + fc_packet_network_population(network));
        /* The hot memory's last buffers (or its one line) are never idle. */
        const double lines = contention ? 1.0 : 3.0;
        assert_true((double)counts.delivered_hot > 0.9 * lines * 1000.0 / 1.5 * 0.6);
        fc_packet_network_free(network);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_stage_is_exact),
        cmocka_unit_test(agrees_with_another_simulator),
        cmocka_unit_test(groups_without_packets_have_no_latency),
        cmocka_unit_test(tree_saturation_settles),
        cmocka_unit_test(parts_and_percentiles_fit),
        cmocka_unit_test(limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
