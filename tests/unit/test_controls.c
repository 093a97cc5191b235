/* Every control variate is compared with an expectation that must be exact: counted here in another
 * way, pair by pair, and met by long runs of every simulator. */
#include "scenario_support.h"

#include "network/torus_network.h"
#include "scenario/torus.h"
#include "network/router_traffic.h"
#include "registry/method.h"
#include "base/random.h"
#include "registry/result.h"
#include "simulators/driver.h"
#include "simulators/observations.h"
#include "simulators/flit/torus_shadow.h"
#include "simulators/packet/packet_shadow.h"
#include "simulators/router/router_shadow.h"
#include "simulators/slot/slotted_rings.h"

/* Mean hops between different nodes of a ring or a row, by walking. */
static double hops_along(int radix, bool torus, int from, int to) {
    const int away = abs(from - to);
    return torus && radix - away < away ? radix - away : away;
}

static double mean_hops_of(const char *text) {
    fc_scenario *scenario = must_read(text, NULL, NULL);
    fc_torus_network *network;
    fc_error error;
    assert_int_equal(fc_torus_network_create(scenario->parameters, &error, &network), FC_OK);
    const double hops = network->mean_hops;
    fc_torus_network_free(network);
    fc_scenario_free(scenario);
    return hops;
}

static void hops_are_counted_pair_by_pair(void **state) {
    (void)state;
    double uniform = 0, hot = 0;
    for (int s = 0; s < 20; ++s) {
        double all = 0;
        for (int t = 0; t < 20; ++t)
            all += (hops_along(4, true, s % 4, t % 4) + hops_along(5, true, s / 4, t / 4));
        uniform += all / 19 / 20;
        /* a hot spot of 30 % at node 7, which sends uniformly */
        const double to_hot = hops_along(4, true, s % 4, 3) + hops_along(5, true, s / 4, 1);
        hot += (s == 7 ? all / 19 : 0.3 * to_hot + 0.7 * all / 19) / 20;
    }
    assert_close(
        mean_hops_of("network: {topology: torus, radix: [4, 5]}\ntraffic: {rate: 0.001}\n"),
        uniform, 1e-12);
    assert_close(mean_hops_of("network: {topology: torus, radix: [4, 5]}\ntraffic: {rate: 0.001, "
                              "destinations: {hot-spot: {share: 0.3, node: 7}}}\n"),
                 hot, 1e-12);
    assert_close(mean_hops_of("network: {topology: mesh, radix: [3]}\ntraffic: {rate: 0.001}\n"),
                 8.0 / 6, 1e-12);
}

/* Two levels of rings of 3 stations on a global ring of 4: every path by walking. */
static void links_of_rings_are_counted_path_by_path(void **state) {
    (void)state;
    fc_scenario *scenario = must_read("network: {topology: ring-hierarchy, rings: [3, 4]}\n"
                                      "traffic: {rate: 0.001, locality: [0.25]}\n",
                                      NULL, NULL);
    void *rings;
    fc_error error;
    assert_int_equal(fc_slotted_rings_create(scenario, NULL, 1, 0, &error, &rings), FC_OK);
    double local = 0, away = 0;
    for (int from = 1; from <= 3; ++from)
        for (int to = 1; to <= 3; ++to) {
            local +=
                from == to ? 0 : (to - from + 4) % 4 / 6.0; /* 4 links: 3 stations, the way up */
            for (int ring = 1; ring < 4; ++ring)
                away += ((4 - from) + ring + to) / 27.0;
        }
    assert_close(((fc_slotted_rings *)rings)->mean_travel, 0.25 * local + 0.75 * away, 1e-12);
    fc_slotted_rings_release(rings);
    fc_scenario_free(scenario);
}

/* 4x4 mesh: 2.5 hops a pair of dimensions, 16 of 15 of it without messages to oneself; 3 cycles of
 * routers and 2 of a link each. A transpose: |x - y| hops in both dimensions, of 12 senders. */
static void paths_of_routers_are_followed(void **state) {
    (void)state;
    static const struct {
        const char *destinations;
        double hops;
    } cases[] = {{"uniform", 2.5 * 16 / 15}, {"transpose", 2 * (6 * 1 + 4 * 2 + 2 * 3) / 12.0}};
    for (size_t i = 0; i < 2; ++i) {
        fc_error error;
        char text[300];
        snprintf(text, sizeof text,
                 "network: {topology: mesh, radix: [4, 4], virtual_channels: 2, router_delay: [1, "
                 "0, 1, 1], link_delay: 2}\ntraffic: {rate: 0.01, destinations: %s}\n",
                 cases[i].destinations);
        fc_scenario *scenario = must_read(text, NULL, NULL);
        fc_router_network *network;
        fc_traffic *traffic;
        assert_int_equal(fc_router_network_create(scenario, &error, &network), FC_OK);
        assert_int_equal(fc_router_traffic_create(scenario, network, &error, &traffic), FC_OK);
        assert_close(fc_router_mean_path(network, traffic, 3), cases[i].hops * 5, 1e-12);
        fc_traffic_free(traffic);
        fc_router_network_free(network);
        fc_scenario_free(scenario);
    }
}

/* The mean work in a queue served at one flit a cycle, from its stationary distribution: each trial
 * brings a message, of 1 or 3 flits alike, with its probability. */
static double mean_work_by_steps(const double *trial, size_t trials) {
    enum { MOST = 400 };
    static double work[MOST + 64], next[MOST + 64];
    memset(work, 0, sizeof work);
    work[0] = 1;
    for (int cycle = 0; cycle < 4000; ++cycle) {
        for (size_t t = 0; t < trials; ++t) {
            for (int w = 0; w < MOST + 64; ++w)
                next[w] = (1 - trial[t]) * work[w] + (w >= 1 ? trial[t] / 2 * work[w - 1] : 0) +
                          (w >= 3 ? trial[t] / 2 * work[w - 3] : 0);
            memcpy(work, next, sizeof work);
        }
        work[0] += work[1];
        memmove(work + 1, work + 2, (MOST + 62) * sizeof *work);
        work[MOST + 63] = 0;
    }
    double mean = 0;
    for (int w = 0; w < MOST; ++w)
        mean += w * work[w];
    return mean;
}

/* Two senders with messages of 1 or 3 flits, trials of one and of half a cycle. The first sends all
 * its messages through the stream 1 to the queue 0; the second has two paths, of which one visits
 * the queue 0 through the stream 2, and both visit the queue 3. */
static void the_work_of_shadow_queues_is_that_of_its_chain(void **state) {
    (void)state;
    for (int trials = 1; trials <= 2; ++trials) {
        const fc_shadow_law law = {.trials = trials, .flits = 2, .flits_squared = 5};
        const fc_shadow_visit first[] = {{0, 1, 0}};
        const fc_shadow_visit second[] = {{3, FC_NO_STREAM, 0}, {0, 2, 4}, {0, 2, 9}};
        fc_shadow_plan plan;
        fc_error error;
        assert_int_equal(fc_shadow_plan_create(4, &error, &plan), FC_OK);
        assert_int_equal(fc_shadow_plan_path(&plan, 1, first, 1, &error), FC_OK);
        fc_shadow_plan_sender(&plan, 0.2);
        assert_int_equal(fc_shadow_plan_path(&plan, 0.25, second, 3, &error), FC_OK);
        assert_int_equal(fc_shadow_plan_path(&plan, 0.75, second, 1, &error), FC_OK);
        fc_shadow_plan_sender(&plan, 0.4);
        fc_shadow_plan_finish(&plan, &law);
        assert_int_equal(plan.visits, 4); /* the second visit of queue 0 is left out */
        const double a = 0.2 / trials, b = 0.1 / trials, c = 0.4 / trials;
        const double both[] = {a, b, a, b}, one[] = {a, a}, other[] = {b, b}, all[] = {c, c};
        const size_t n = (size_t)trials;
        assert_close(plan.expected,
                     mean_work_by_steps(both, 2 * n) - mean_work_by_steps(one, n) -
                         mean_work_by_steps(other, n) + mean_work_by_steps(all, n),
                     1e-9);
        fc_shadow_plan_free(&plan);
    }
}

/* Long runs of the shadow queues alone: what they add is 0 in the mean. */
static void shadow_queues_meet_their_expectation(void **state) {
    (void)state;
    static const char *const texts[] = {
        "network: {topology: mesh, radix: [4, 4], router_delay: 2, virtual_channels: 2}\n"
        "traffic: {rate: 0.06, message_mix: [{flits: 1, share: 0.5}, {flits: 9, share: 0.5}]}\n",
        "network: {topology: mesh, radix: [4, 4], router_delay: 2, virtual_channels: 2}\n"
        "traffic: {rate: 0.4, message_flits: 1, injection: bernoulli}\n",
        "network: {topology: torus, radix: [5, 5], router_delay: 1, virtual_channels: 4, routing: "
        "valiant}\ntraffic: {rate: 0.07, message_flits: 4, injection: bernoulli}\n",
        "network: {topology: mesh, radix: [4, 4], router_delay: 1, virtual_channels: 2}\n"
        "traffic: {rate: 0.12, message_flits: 3, destinations: transpose}\n",
        "network: {topology: mesh, radix: [4, 4], router_delay: 1, virtual_channels: 3, routing: "
        "adaptive}\ntraffic: {rate: 0.12, message_flits: 3, injection: bernoulli}\n",
        "network: {topology: fat-tree, arity: 2, levels: 3, router_delay: 1, virtual_channels: 2}\n"
        "traffic: {rate: 0.06, message_flits: 5, destinations: {hot-spot: {share: 0.2, node: "
        "3}}}\n",
    };
    enum { BATCHES = 400, CYCLES = 2000 };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        fc_error error;
        fc_scenario *scenario = must_read(texts[i], NULL, NULL);
        fc_router_network *network;
        fc_traffic *traffic;
        fc_router_shadow_plan *plan;
        fc_router_shadow shadow = {0};
        assert_int_equal(fc_router_network_create(scenario, &error, &network), FC_OK);
        assert_int_equal(fc_router_traffic_create(scenario, network, &error, &traffic), FC_OK);
        assert_int_equal(fc_router_shadow_plan_create(scenario, network, traffic, &error, &plan),
                         FC_OK);
        assert_non_null(plan);
        assert_int_equal(fc_router_shadow_create(plan, &error, &shadow), FC_OK);
        assert_int_equal(fc_router_shadow_draw(&shadow, 100 + i, 0, &error), FC_OK);
        fc_moments seen = {0};
        for (uint64_t batch = 0; batch <= BATCHES; ++batch) {
            double surplus;
            assert_int_equal(
                fc_router_shadow_advance(&shadow, (batch + 1) * CYCLES, CYCLES, &error, &surplus),
                FC_OK);
            if (batch > 0)
                fc_moments_add(&seen, surplus / CYCLES);
        }
        const double error_of_mean = sqrt(seen.squares / (BATCHES - 1.0) / BATCHES);
        print_message("%zu: expected %.4f, found %+.5f more, standard error %.5f\n", i,
                      plan->queues.expected, seen.mean, error_of_mean);
        assert_true(plan->queues.expected > 1);
        assert_true(error_of_mean < 0.01 * plan->queues.expected);
        assert_true(fabs(seen.mean) < 4 * error_of_mean);
        fc_router_shadow_free(&shadow);
        fc_router_shadow_plan_free(plan);
        fc_traffic_free(traffic);
        fc_router_network_free(network);
        fc_scenario_free(scenario);
    }
}

/* Poisson arrivals of messages of so many flits, so many messages a cycle. */
static double poisson_work(double messages, double flits) {
    const double load = messages * flits;
    return (messages * flits * flits + load * load - load) / (2 * (1 - load));
}

static double torus_expectation(const char *text, bool adaptive) {
    fc_scenario *scenario = must_read(text, NULL, NULL);
    fc_torus_network *network;
    fc_torus_shadow_plan *plan;
    fc_error error;
    assert_int_equal(fc_torus_network_create(scenario->parameters, &error, &network), FC_OK);
    assert_int_equal(fc_torus_shadow_plan_create(scenario, network, adaptive, 0, &error, &plan),
                     FC_OK);
    const double expected = plan->queues.expected;
    fc_torus_shadow_plan_free(plan);
    fc_torus_network_free(network);
    fc_scenario_free(scenario);
    return expected;
}

/* The streams of two small networks, by hand. In a ring of 4 a third of the messages go to either
 * neighbour, and a sixth each way round to the node opposite. In a square, a third of the messages
 * go to the corner opposite; an adaptive header may take either way, so of these only injection and
 * ejection count. */
static void the_streams_of_small_tori_are_counted_by_hand(void **state) {
    (void)state;
    const double r = 0.03, m = 10;
    const double channel =
        poisson_work(2 * r / 3, m) - poisson_work(r / 2, m) - poisson_work(r / 6, m);
    const double ejection = poisson_work(r, m) - 2 * poisson_work(r / 2, m);
    assert_close(torus_expectation("network: {topology: torus, radix: [4]}\n"
                                   "traffic: {rate: 0.03, message_flits: 10}\n",
                                   false),
                 4 * (poisson_work(r, m) + 2 * channel + ejection), 1e-12);
    static const char square[] = "network: {topology: mesh, radix: [2, 2]}\n"
                                 "traffic: {rate: 0.03, message_flits: 10}\n";
    /* dimension 0 first: a third and a third over its channel, all through the same stream */
    const double first = poisson_work(2 * r / 3, m) - poisson_work(2 * r / 3, m);
    const double second = poisson_work(2 * r / 3, m) - 2 * poisson_work(r / 3, m);
    const double into = poisson_work(r, m) - poisson_work(r / 3, m) - poisson_work(2 * r / 3, m);
    assert_close(torus_expectation(square, false), 4 * (poisson_work(r, m) + first + second + into),
                 1e-12);
    assert_close(torus_expectation(square, true),
                 4 * (2 * poisson_work(r, m) - 2 * poisson_work(r / 3, m)), 1e-12);
}

/* Two stages of two switches: every buffer gets half of the packets of either input before it. */
static void the_streams_of_switches_are_counted_by_hand(void **state) {
    (void)state;
    fc_packet_settings settings = {
        .ports = 4, .switch_size = 2, .stages = 2, .service = 1.5, .rate = 0.3};
    const double r = settings.rate * settings.service / FC_PACKET_TICKS, m = FC_PACKET_TICKS;
    const double entry = poisson_work(r, m), merged = entry - 2 * poisson_work(r / 2, m);
    for (int contention = 0; contention < 2; ++contention) {
        settings.output_contention = contention;
        fc_shadow_plan *plan;
        fc_error error;
        assert_int_equal(fc_packet_shadow_plan_create(&settings, &error, &plan), FC_OK);
        assert_close(plan->expected, 4 * (entry + (contention ? 2 : 1) * merged), 1e-12);
        assert_false(plan->calendar);
        fc_packet_shadow_plan_free(plan);
    }
    settings.outstanding = 1; /* its sources wait */
    fc_shadow_plan *plan;
    assert_int_equal(fc_packet_shadow_plan_create(&settings, NULL, &plan), FC_OK);
    assert_null(plan);
}

static size_t shadow_control(const fc_simulator *simulator) {
    size_t control = 0;
    while (strcmp(simulator->controls[control], "waits in shadow queues") != 0)
        ++control;
    return control;
}

/* Long runs of the simulators: the control that they make of their own messages is 0 in the mean.
 */
static void shadow_queues_of_simulators_meet_their_expectation(void **state) {
    (void)state;
    static const char *const texts[] = {
        "network: {topology: multistage, ports: 8, switch: 2, buffer: 2}\ntraffic: {rate: 0.3, "
        "destinations: {hot-spot: {share: 0.1, node: 5}}}\n",
        "network: {topology: multistage, ports: 9, switch: 3, buffer: 4, service: 1.7, contention: "
        "output-port}\ntraffic: {rate: 0.3}\n",
        "network: {topology: torus, radix: [4, 4]}\ntraffic: {rate: 0.03, message_flits: 8}\n",
        "network: {topology: torus, radix: [3, 4], links: unidirectional}\n"
        "traffic: {rate: 0.02, message_flits: 6}\n",
        "network: {topology: mesh, radix: [5, 3]}\ntraffic: {rate: 0.02, message_flits: 8, "
        "destinations: {hot-spot: {share: 0.1, node: 3}}}\n",
        "network: {topology: torus, radix: [4, 4]}\n"
        "traffic: {rate: 0.02, message_flits: 8, destinations: transpose}\n",
        "network: {topology: torus, radix: [4, 4], switching: scouting, scouting_distance: 2, "
        "virtual_channels: 3}\ntraffic: {rate: 0.02, message_flits: 8}\n",
    };
    enum { BATCHES = 200, CYCLES = 2000 };
    static fc_histogram latencies;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        fc_error error;
        fc_scenario *scenario = must_read(texts[i], NULL, NULL);
        const fc_simulator *simulator;
        assert_int_equal(fc_simulator_choose(scenario, &error, &simulator), FC_OK);
        const size_t control = shadow_control(simulator);
        void *common, *run;
        assert_int_equal(simulator->prepare(scenario, &error, &common), FC_OK);
        assert_int_equal(simulator->create(scenario, common, 3 + i, 0, &error, &run), FC_OK);
        fc_moments seen = {0};
        for (int batch = 0; batch <= BATCHES; ++batch) {
            double sums[FC_METRICS] = {0}, weights[FC_METRICS] = {0};
            fc_sample sample = {.sums = sums, .weights = weights, .latencies = &latencies};
            assert_int_equal(simulator->advance(run, CYCLES, &sample, &error), FC_OK);
            if (batch > 0)
                fc_moments_add(&seen, sample.controls[control] / CYCLES);
        }
        const double error_of_mean = sqrt(seen.squares / (BATCHES - 1.0) / BATCHES);
        print_message("%zu: found %+.5f more, standard error %.5f\n", i, seen.mean, error_of_mean);
        assert_true(error_of_mean > 0);
        assert_true(fabs(seen.mean) < 4 * error_of_mean);
        simulator->release(run);
        simulator->discard(common);
        fc_scenario_free(scenario);
    }
}

/* A wrong expectation would be dropped, and the note would say so. */
static void no_simulator_strays_from_its_expectations(void **state) {
    (void)state;
    static const char *const texts[] = {
        "network: {topology: torus, radix: [4, 4]}\ntraffic: {rate: 0.01, message_flits: 8}\n",
        "network: {topology: mesh, radix: [5, 3]}\ntraffic: {rate: 0.01, message_flits: 8, "
        "destinations: {hot-spot: {share: 0.1, node: 3}}}\n",
        "network: {topology: torus, radix: [4, 4]}\n"
        "traffic: {kind: closed, outstanding: 2, think_time: 30}\n",
        "network: {topology: torus, radix: [4, 4], switching: scouting, scouting_distance: 2, "
        "virtual_channels: 3}\ntraffic: {rate: 0.01, message_flits: 8}\n",
        "network: {topology: mesh, radix: [4, 4], router_delay: 2, virtual_channels: 2, buffer: "
        "4}\n"
        "traffic: {rate: 0.02, message_mix: [{flits: 1, share: 0.5}, {flits: 9, share: 0.5}]}\n",
        /* All paths are of one length: the control is 0 but for rounding. */
        "network: {topology: fly, arity: 2, levels: 4, router_delay: 1, virtual_channels: 2, "
        "buffer: 4}\ntraffic: {rate: 0.03, message_flits: 6}\n",
        "network: {topology: multistage, ports: 16, switch: 2, buffer: 4}\ntraffic: {rate: 0.4}\n",
        "network: {topology: ring-hierarchy, rings: [3, 2, 4]}\n"
        "traffic: {rate: 0.01, locality: [0.3, 0.3]}\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        double means[2], widths[2];
        for (size_t with = 0; with < 2; ++with) {
            const fc_setting settings[] = {{"simulation.precision", "0.005"},
                                           {"simulation.controls", with ? "auto" : "none"}};
            fc_scenario *scenario;
            fc_error error;
            fc_result *result;
            assert_int_equal(fc_scenario_read_text(texts[i], strlen(texts[i]), "test", settings, 2,
                                                   &error, &scenario),
                             FC_OK);
            const char *main_metric = fc_scenario_main_metric(scenario);
            assert_int_equal(fc_simulate(scenario, NULL, &error, &result), FC_OK);
            assert_string_equal(result->note, "");
            assert_true((result->run.cycles_saved > 0) == (with == 1));
            const fc_metric *metric = fc_result_metric(result, main_metric);
            means[with] = metric->value;
            widths[with] = metric->half_width;
            if (with) {
                print_message("%zu: %.4f and %.4f, %.2f times fewer cycles\n", i, means[0],
                              means[1], result->run.cycles_saved);
                const fc_metric *offered = fc_result_metric(result, "offered");
                assert_true(!offered || offered->half_width < 0.002 * offered->value);
                const fc_metric *wait = fc_result_metric(result, "source_wait");
                const fc_metric *network = fc_result_metric(result, "network_latency");
                if (wait && network) /* corrected alike */
                    assert_close(wait->value + network->value, means[1], 1e-9);
                double parts = 0;
                for (size_t part = 0; part < result->part_count; ++part)
                    parts += result->parts[part].value;
                assert_close(parts, fc_result_metric(result, result->parts_of)->value, 1e-9);
            }
            fc_result_free(result);
            fc_scenario_free(scenario);
        }
        assert_near(means[0], means[1], 1.5 * hypot(widths[0], widths[1]));
    }
}

/* A simulator whose first expectation is wrong by a tenth of a message in every cycle. */
static const fc_simulator *sound;

static fc_status advance_wrongly(void *run, uint64_t cycles, fc_sample *sample, fc_error *error) {
    const fc_status status = sound->advance(run, cycles, sample, error);
    sample->controls[0] += 0.1 * (double)cycles;
    return status;
}

static void a_wrong_expectation_is_dropped(void **state) {
    (void)state;
    fc_scenario *scenario = must_read("network: {topology: ring-hierarchy, rings: [4, 6]}\n"
                                      "traffic: {rate: 0.05, locality: [0.2]}\n"
                                      "simulation: {precision: 0.005}\n",
                                      NULL, NULL);
    fc_error error;
    assert_int_equal(fc_simulator_choose(scenario, &error, &sound), FC_OK);
    fc_simulator wrong = *sound;
    wrong.advance = advance_wrongly;
    fc_result *results[2];
    for (size_t i = 0; i < 2; ++i) {
        results[i] = fc_result_create(&sound->info, scenario);
        assert_int_equal(fc_driver_run(i ? &wrong : sound, scenario, NULL, &error, results[i]),
                         FC_OK);
    }
    assert_string_equal(results[0]->note, "");
    assert_non_null(strstr(results[1]->note, "was not used"));
    assert_non_null(strstr(results[1]->note, sound->controls[0]));
    const fc_metric *right = fc_result_metric(results[0], "latency");
    const fc_metric *without = fc_result_metric(results[1], "latency");
    assert_near(right->value, without->value, 1.5 * hypot(right->half_width, without->half_width));
    for (size_t i = 0; i < 2; ++i)
        fc_result_free(results[i]);
    fc_scenario_free(scenario);
}

/* A run in which the hops of the first 16 batches are 5 of their standard errors off by chance:
 * such an error is itself known from 16 batches alone. */
static void a_control_that_strays_by_chance_is_kept(void **state) {
    (void)state;
    fc_scenario *scenario =
        must_read("network: {topology: torus, radix: [8, 8], virtual_channels: 4, channel_rule: "
                  "dateline, buffer: 4}\n"
                  "traffic: {rate: 0.0129, message_flits: 16}\n"
                  "simulation: {precision: 0.02, max_cycles: 1e9, seed: 55}\n",
                  NULL, NULL);
    fc_error error;
    fc_result *result;
    assert_int_equal(fc_simulate(scenario, NULL, &error, &result), FC_OK);
    assert_string_equal(result->note, "");
    fc_result_free(result);
    fc_scenario_free(scenario);
}

/* The expectations are those of a steady state. In a saturated network messages pile up, and what
 * is delivered is less than what is offered, with control variates or without. */
static void saturated_networks_are_not_corrected(void **state) {
    (void)state;
    static const char text[] =
        "network: {topology: mesh, radix: [8, 8], router_delay: 2, virtual_channels: 2, buffer: "
        "4}\ntraffic: {rate: 0.55, message_flits: 1}\nsimulation: {replications: 1, max_cycles: "
        "1000}\n";
    double throughput[2];
    for (size_t with = 0; with < 2; ++with) {
        const fc_setting setting = {"simulation.controls", with ? "auto" : "none"};
        fc_scenario *scenario;
        fc_error error;
        fc_result *result;
        assert_int_equal(
            fc_scenario_read_text(text, strlen(text), "test", &setting, 1, &error, &scenario),
            FC_OK);
        assert_int_equal(fc_simulate(scenario, NULL, &error, &result), FC_OK);
        assert_int_equal(result->outcome, FC_OUTCOME_SATURATED);
        throughput[with] = fc_result_metric(result, "throughput")->value;
        fc_result_free(result);
        fc_scenario_free(scenario);
    }
    assert_true(throughput[0] < 0.5);
    assert_close(throughput[1], throughput[0], 1e-12);
}

/* Messages take 10 cycles longer for each one drawn too many in their batch; but only a share of
 * what was drawn in a batch is delivered in it, the rest in the next. The change of the population
 * says how much. */
static void the_change_of_the_population_mends_the_ends_of_batches(void **state) {
    (void)state;
    enum { REPLICATIONS = 4, BATCHES = 128 };
    static const fc_metric_id observables[] = {FC_METRIC_LATENCY, FC_METRIC_NONE};
    static const char *const stations[] = {"not in use", "network", NULL};
    static const char *const names[] = {"drawn", NULL};
    fc_observations o, blind;
    fc_error error;
    assert_int_equal(fc_observations_create(&(fc_observed){observables, stations, names},
                                            REPLICATIONS, 10, &error, &o),
                     FC_OK);
    assert_int_equal(fc_observations_create(&(fc_observed){observables, NULL, names}, REPLICATIONS,
                                            10, &error, &blind),
                     FC_OK);
    for (uint32_t r = 0; r < REPLICATIONS; ++r) {
        fc_random random = fc_random_stream(3, r, 0);
        double left = 0;
        for (size_t batch = 0; batch < BATCHES; ++batch) {
            const double drawn = 10 * (fc_random_unit(&random) - 0.5);
            const double stays = drawn * fc_random_unit(&random);
            const double noise = fc_random_unit(&random) - 0.5;
            double sums[FC_METRICS] = {0}, weights[FC_METRICS] = {0};
            sums[FC_METRIC_LATENCY] = 100 + 10 * (drawn - stays + left) + noise;
            weights[FC_METRIC_LATENCY] = 1;
            fc_sample sample = {.sums = sums, .weights = weights};
            sample.stations[1] = (fc_station){.population = 50 + stays, .left = 1};
            sample.controls[0] = drawn;
            fc_observations_store(&o, r, batch, &sample);
            fc_observations_store(&blind, r, batch, &sample);
            left = stays;
        }
    }
    fc_observations_advance(&o, BATCHES);
    fc_observations_advance(&blind, BATCHES);
    const fc_interval with = fc_observations_controlled(&o, 0);
    const fc_interval without = fc_observations_controlled(&blind, 0);
    assert_near(with.mean, 100, 1);
    assert_true(with.half_width < 0.3 * without.half_width);
    fc_observations_free(&o);
    fc_observations_free(&blind);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hops_are_counted_pair_by_pair),
        cmocka_unit_test(links_of_rings_are_counted_path_by_path),
        cmocka_unit_test(paths_of_routers_are_followed),
        cmocka_unit_test(the_work_of_shadow_queues_is_that_of_its_chain),
        cmocka_unit_test(shadow_queues_meet_their_expectation),
        cmocka_unit_test(the_streams_of_small_tori_are_counted_by_hand),
        cmocka_unit_test(the_streams_of_switches_are_counted_by_hand),
        cmocka_unit_test(shadow_queues_of_simulators_meet_their_expectation),
        cmocka_unit_test(no_simulator_strays_from_its_expectations),
        cmocka_unit_test(a_wrong_expectation_is_dropped),
        cmocka_unit_test(a_control_that_strays_by_chance_is_kept),
        cmocka_unit_test(saturated_networks_are_not_corrected),
        cmocka_unit_test(the_change_of_the_population_mends_the_ends_of_batches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
