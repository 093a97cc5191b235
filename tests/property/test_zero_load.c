/* Without load the latency of every network is a sum over its pairs of nodes. That sum, taken pair
 * by pair, is what every model must give as the rate goes to zero, and what every simulator must
 * see, within what chance allows for the messages it happened to send. */
#include "test_support.h"

#include "anchor_support.h"
#include <stdlib.h>
#include "network/destinations.h"
#include "scenario/multistage.h"
#include "scenario/rings.h"

typedef struct moments {
    double mean, variance; /* over the messages */
} moments;

/* Of a pair with that many hops there and, for closed traffic, back. */
typedef double (*pair_time)(const fc_torus *torus, double hops, double back);

static moments finish_moments(double weight, double sum, double squares) {
    const double mean = sum / weight;
    return (moments){mean, fmax(squares / weight - mean * mean, 0)};
}

static moments enumerate_torus(const fc_torus *torus, pair_time time) {
    fc_error error;
    fc_geometry *geometry;
    fc_traffic *traffic;
    assert_int_equal(fc_geometry_create(torus, &error, &geometry), FC_OK);
    assert_int_equal(fc_traffic_create(torus, geometry, &error, &traffic), FC_OK);
    double weight = 0, sum = 0, squares = 0;
    for (uint32_t source = 0; source < geometry->nodes; ++source) {
        for (uint32_t to = 0; to < geometry->nodes; ++to) {
            const double t = time(torus, fc_geometry_distance(geometry, source, to),
                                  fc_geometry_distance(geometry, to, source));
            const double share = fc_traffic_share(traffic, source, to);
            weight += share;
            sum += share * t;
            squares += share * t * t;
        }
    }
    fc_traffic_free(traffic);
    fc_geometry_free(geometry);
    return finish_moments(weight, sum, squares);
}

static double wormhole_time(const fc_torus *torus, double hops, double back) {
    (void)back;
    return (double)torus->message_flits + hops;
}

/* The data start once the acknowledgement of the header's lead is back. */
static double scouting_time(const fc_torus *torus, double hops, double back) {
    (void)back;
    const double lead = fmax((double)torus->scouting_distance, 1), M = (double)torus->message_flits;
    return hops >= lead ? hops + M + 2 * lead - 1 : 3 * hops + 1 + M;
}

/* ---- what each method must give ---- */

/* The published model of scouting takes the mean distance of a k x k torus to be k/2, the source
 * itself among the destinations, and every path for longer than the lead. */
static void published_scouting(const fc_model *model, const fc_torus *torus, double *expected) {
    if (strncmp(model->info.name, "safaei", 6) != 0)
        return;
    const double lead = fmax(2 * (double)torus->scouting_distance - 1, 1);
    *expected = (double)torus->radix.values[0] / 2 + (double)torus->message_flits + lead;
}

/* The metric at no load at all, from two loads that are nearly none: what is linear in the load
 * falls out, and with it the waits. NaN if the model does not cover the scenario. */
static double limit_of(const fc_model *model, fc_scenario *const *light, const char *metric) {
    double values[2];
    for (size_t i = 0; i < 2; ++i) {
        fc_result *result = solve(model, light[i]);
        if (!result)
            return (double)NAN;
        values[i] = value_of(result, metric);
        fc_result_free(result);
    }
    return 2 * values[0] - values[1];
}

/* light: the scenario at a light load, and at twice that. Returns how many models cover it. */
static size_t check_models(fc_scenario *const *light, const char *metric, double expected) {
    size_t covered = 0;
    for (size_t m = 0; fc_models[m]; ++m) {
        const double found = limit_of(fc_models[m], light, metric);
        if (isnan(found))
            continue;
        ++covered;
        double known = expected;
        published_scouting(fc_models[m], light[0]->parameters, &known);
        if (!(fabs(found - known) <= 1e-6 * known))
            fail_msg("%s: %s is %.12g, expected %.12g", fc_models[m]->info.name, metric, found,
                     known);
    }
    return covered;
}

static void free_both(fc_scenario *const *light) {
    fc_scenario_free(light[0]);
    fc_scenario_free(light[1]);
}

#ifdef FC_CHECKS
static const double share = 0.2; /* every invariant is asserted in every cycle: slow */
#else
static const double share = 1;
#endif

static void check_simulator(const fc_scenario *scenario, double cycles, moments expected) {
    anchor_run run;
    anchor_start(&run, scenario, 5);
    anchor_advance(&run, (uint64_t)(share * cycles));
    double messages;
    const double mean = anchor_sum(&run, "latency", &messages) / messages;
    assert_true(messages > 300 * share);
    /* Five standard errors, and a wait of a few cycles for the few that met. */
    assert_near(mean, expected.mean, 5 * sqrt(expected.variance / messages) + 0.02);
    assert_true(mean >= expected.mean - 5 * sqrt(expected.variance / messages) - 1e-9);
    anchor_finish(&run);
}

/* ---- tori and meshes, open traffic ---- */

static const char *const patterns_of_16[] = {"uniform",
                                             "{near-neighbour: 0.6}",
                                             "{hot-spot: {share: 0.2, node: 6}}",
                                             "transpose",
                                             "bit-complement",
                                             "bit-reverse",
                                             "shuffle",
                                             "tornado"};
static const char *const patterns_of_any[] = {"uniform", "{near-neighbour: 0.6}",
                                              "{hot-spot: {share: 0.2, node: 6}}", "bit-complement",
                                              "tornado"};
enum { OF_16 = 8, OF_ANY = 5 };

typedef struct shape {
    const char *network;
    bool sixteen;
} shape;

static size_t check_torus(const char *network, const char *pattern, int flits, pair_time time) {
    const char *format =
        "network: {%s}\ntraffic: {rate: %g, message_flits: %d, destinations: %s}\n";
    fc_scenario *const light[] = {read_scenario(format, network, 1e-7, flits, pattern),
                                  read_scenario(format, network, 2e-7, flits, pattern)};
    const fc_torus *torus = light[0]->parameters;
    const moments expected = enumerate_torus(torus, time);
    const double nodes = (double)torus->nodes;
    const size_t models = check_models(light, "latency", expected.mean);
    free_both(light);
    fc_scenario *scenario = read_scenario(format, network, 1e-5 / nodes, flits, pattern);
    check_simulator(scenario, 1e8, expected);
    fc_scenario_free(scenario);
    return models;
}

static size_t check_shapes(const shape *shapes, size_t count, pair_time time) {
    size_t models = 0;
    for (size_t s = 0; s < count; ++s) {
        const size_t patterns = shapes[s].sixteen ? OF_16 : OF_ANY;
        for (size_t p = 0; p < patterns; ++p) {
            const char *pattern = (shapes[s].sixteen ? patterns_of_16 : patterns_of_any)[p];
            models += check_torus(shapes[s].network, pattern, (int)(1 + 5 * (p % 4)), time);
        }
    }
    return models;
}

static void wormhole_takes_message_plus_hops(void **state) {
    (void)state;
    static const shape shapes[] = {
        {"topology: torus, radix: [4, 4], virtual_channels: 2", true},
        {"topology: torus, radix: [4, 4], virtual_channels: 3, channel_rule: escape, "
         "links: unidirectional, handover: next-cycle, ejection_channels: 3",
         true},
        {"topology: torus, radix: [16], virtual_channels: 4, channel_rule: dateline, buffer: 2",
         false},
        {"topology: torus, radix: [3, 5, 2], virtual_channels: 2, order: descending", false},
        {"topology: mesh, radix: [4, 4], virtual_channels: 1", true},
        {"topology: mesh, radix: [3, 6], virtual_channels: 2, buffer: 4", false},
    };
    const size_t models = check_shapes(shapes, sizeof shapes / sizeof *shapes, wormhole_time);
    assert_true(models >= 6);
    check_torus("topology: torus, radix: [8]", "{matrix: torus_matrix.mtx}", 16, wormhole_time);
}

static void scouting_waits_for_its_header(void **state) {
    (void)state;
    static const shape shapes[] = {
        {"topology: torus, radix: [4, 4], switching: scouting, scouting_distance: 0, "
         "virtual_channels: 2",
         true},
        {"topology: torus, radix: [5, 4], switching: scouting, scouting_distance: 2, "
         "virtual_channels: 3",
         false},
        {"topology: torus, radix: [9], switching: scouting, scouting_distance: 3, "
         "virtual_channels: 2",
         false},
        {"topology: torus, radix: [3, 4, 3], switching: scouting, scouting_distance: 5, "
         "virtual_channels: 1",
         false},
    };
    const size_t models = check_shapes(shapes, sizeof shapes / sizeof *shapes, scouting_time);
    assert_true(models >= 4);
}

/* ---- tori and meshes, closed traffic ---- */

/* Request and reply each count their injection. */
static double round_trip(const fc_torus *torus, double hops, double back) {
    double flits = 0;
    for (size_t i = 0; i < torus->requests.count; ++i) {
        const fc_request_type *type = &torus->requests.types[i];
        flits += type->share * (double)(type->flits + type->reply_flits);
    }
    return flits + hops + 1 + back + 1;
}

static size_t check_closed(const char *network, const char *pattern) {
    const double memory = 0.8 * 4 + 0.2 * 8;
    const char *format =
        "network: {%s}\n"
        "traffic: {kind: closed, outstanding: 1, think_time: %g, destinations: %s, requests: ["
        "{share: 0.8, flits: 3, reply_flits: 9, memory_reply: 4, memory_busy: 4}, "
        "{share: 0.2, flits: 11, reply_flits: 3, memory_reply: 8, memory_busy: 4}]}\n";
    fc_scenario *const light[] = {read_scenario(format, network, 2e7, pattern),
                                  read_scenario(format, network, 1e7, pattern)};
    const fc_torus *torus = light[0]->parameters;
    const double nodes = (double)torus->nodes;
    const double network_time = enumerate_torus(torus, round_trip).mean;
    const size_t models = check_models(light, "network_time", network_time);
    check_models(light, "remote_time", memory);
    check_models(light, "response_time", network_time + memory);
    check_models(light, "efficiency", 1);
    free_both(light);
    fc_scenario *scenario = read_scenario(format, network, 1e5 * nodes, pattern);
    anchor_run run;
    anchor_start(&run, scenario, 5);
    anchor_advance(&run, (uint64_t)(share * 1e8));
    double requests;
    const double mean = anchor_sum(&run, "network_time", &requests) / requests;
    assert_true(requests > 300 * share);
    assert_near(mean, network_time, 5 * 4 / sqrt(requests));
    anchor_finish(&run);
    fc_scenario_free(scenario);
    return models;
}

static void closed_messages_count_their_injection(void **state) {
    (void)state;
    static const char *const networks[] = {
        "topology: torus, radix: [4, 4], order: descending",
        "topology: torus, radix: [4, 4], order: descending, node_links: per-channel",
        "topology: torus, radix: [4, 4], links: unidirectional, direction: decreasing",
        "topology: torus, radix: [4, 4], buffer: infinite",
        "topology: mesh, radix: [4, 4]",
    };
    for (size_t n = 0; n < sizeof networks / sizeof *networks; ++n) {
        size_t models = 0;
        for (size_t p = 0; p < 3; ++p)
            models += check_closed(networks[n], patterns_of_16[p]);
        assert_true(models >= 3);
    }
}

/* ---- rings ---- */

/* Every pair of stations. A station sits on positions 1 .. L of its local ring, the way up on
 * position 0; each crossing and the step into the destination take a tick. */
static double ring_distance(double from, double to, double nodes) {
    return to > from ? to - from : to - from + nodes;
}

static moments enumerate_rings(const fc_rings *rings) {
    const int levels = (int)rings->levels, stations = (int)rings->stations;
    double weight = 0, sum = 0, squares = 0;
    for (int s = 0; s < stations; ++s) {
        for (int d = 0; d < stations; ++d) {
            if (s == d)
                continue;
            double t = 1;
            int from = s, to = d, level = 0;
            for (; level < levels - 1; ++level) {
                const int size = (int)rings->sizes.values[level];
                if (from / size == to / size)
                    break;
                /* up to position 0 and, on the way back, from it */
                t += size - from % size + to % size + 1 + 2;
                from /= size;
                to /= size;
            }
            const int size = (int)rings->sizes.values[level];
            t += ring_distance(from % size, to % size, size + (level < levels - 1 ? 1 : 0));
            weight += 1;
            sum += t;
            squares += t * t;
        }
    }
    return finish_moments(weight, sum, squares);
}

static void rings_take_the_distance(void **state) {
    (void)state;
    static const char *const sizes[] = {"[2, 2]",    "[16, 8]",   "[5, 7]", "[3, 4, 5]",
                                        "[6, 2, 3]", "[2, 2, 2]", "[9]",    "[3, 2, 2, 3]"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        const char *format =
            "network: {topology: ring-hierarchy, rings: %s}\ntraffic: {rate: %.9g}\n";
        fc_scenario *const light[] = {read_scenario(format, sizes[i], 1e-7),
                                      read_scenario(format, sizes[i], 2e-7)};
        const fc_rings *rings = light[0]->parameters;
        const moments expected = enumerate_rings(rings);
        const double stations = rings->stations;
        assert_int_equal(check_models(light, "latency", expected.mean), 2);
        free_both(light);
        fc_scenario *scenario = read_scenario(format, sizes[i], 3e-4 / stations);
        check_simulator(scenario, 3e6, expected);
        fc_scenario_free(scenario);
    }
}

/* ---- multistage ---- */

static void multistage_takes_the_stages(void **state) {
    (void)state;
    static const struct {
        const char *network, *traffic;
        double expected;
    } cases[] = {
        {"ports: 64, switch: 2, buffer: 4", "", 6},
        {"ports: 64, switch: 8, buffer: infinite, service: 2.5", "", 5},
        {"ports: 27, switch: 3, buffer: 1, service: 1.5", "", 4.5},
        {"ports: 16, switch: 16, buffer: 3", "", 1},
        {"ports: 64, switch: 4, buffer: 2, contention: output-port", "", 3},
        {"ports: 64, switch: 2, buffer: 4", ", destinations: {hot-spot: {share: 0.3, node: 9}}", 6},
        {"ports: 64, switch: 2, buffer: 4", ", outstanding: 2", 6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const char *format = "network: {topology: multistage, %s}\ntraffic: {rate: %g%s}\n";
        fc_scenario *const light[] = {
            read_scenario(format, cases[i].network, 1e-7, cases[i].traffic),
            read_scenario(format, cases[i].network, 2e-7, cases[i].traffic)};
        check_models(light, "latency", cases[i].expected);
        free_both(light);
        fc_scenario *scenario = read_scenario(format, cases[i].network, 1e-6, cases[i].traffic);
        check_simulator(scenario, 3e7, (moments){cases[i].expected, 0});
        fc_scenario_free(scenario);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wormhole_takes_message_plus_hops),
        cmocka_unit_test(scouting_waits_for_its_header),
        cmocka_unit_test(closed_messages_count_their_injection),
        cmocka_unit_test(rings_take_the_distance),
        cmocka_unit_test(multistage_takes_the_stages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
