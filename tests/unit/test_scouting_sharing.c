/* The model scouting-sharing: its exact limits, its pieces against plain counting, and points that
 * were simulated. */
#include "test_support.h"

#include <string.h>
#include "models/scouting/scouting_channels.h"
#include "models/scouting/scouting_paths.h"
#include "scouting_support.h"

extern const fc_model fc_model_scouting_sharing;

static fc_result *solve(fc_torus torus) {
    fc_scenario scenario = torus_scenario(&torus);
    fc_error error;
    fc_result *result = fc_result_create(&fc_model_scouting_sharing.info, &scenario);
    assert_non_null(result);
    assert_int_equal(fc_model_scouting_sharing.covers(&scenario, &error), FC_OK);
    assert_int_equal(fc_model_scouting_sharing.solve(&scenario, NULL, &error, result), FC_OK);
    return result;
}

static double latency(fc_torus torus) {
    fc_result *result = solve(torus);
    const fc_metric *found = fc_result_metric(result, "latency");
    assert_non_null(found);
    const double value = found->value;
    fc_result_free(result);
    return value;
}

/* Mean over all pairs of the exact time of a message alone. */
static double alone(const fc_torus *torus) {
    fc_geometry *geometry;
    assert_int_equal(fc_geometry_create(torus, NULL, &geometry), FC_OK);
    const int lead = torus->scouting_distance > 1 ? (int)torus->scouting_distance : 1;
    double sum = 0;
    for (uint32_t to = 1; to < geometry->nodes; ++to) {
        const int d = (int)fc_geometry_distance(geometry, 0, to);
        sum += (double)torus->message_flits + (d >= lead ? d + 2 * lead - 1 : 3 * d + 1);
    }
    sum /= geometry->nodes - 1;
    fc_geometry_free(geometry);
    return sum;
}

static void empty_network_is_exact(void **state) {
    (void)state;
    static const fc_integer_list shapes[] = {
        {2, {8, 8}}, {2, {16, 16}}, {1, {9}}, {3, {4, 5, 6}}, {4, {2, 3, 4, 2}}};
    for (size_t i = 0; i < 5; ++i)
        for (int distance = 0; distance <= 12; ++distance)
            for (int channels = 1; channels <= 6; channels += 5) {
                const fc_torus torus = make_scouting(shapes[i], channels, 32, distance, 1e-9);
                assert_close(latency(torus), alone(&torus), 1e-6);
            }
}

/* The numbers of the paper's network. */
static void empty_network_of_the_paper(void **state) {
    (void)state;
    const fc_integer_list eight = {2, {8, 8}};
    assert_near(latency(make_scouting(eight, 6, 32, 3, 1e-9)), 40.94, 0.005);
    assert_near(latency(make_scouting(eight, 6, 32, 0, 1e-9)), 37.06, 0.005);
    assert_near(latency(make_scouting(eight, 6, 32, 1, 1e-9)), 37.06, 0.005);
    assert_near(latency(make_scouting(eight, 6, 32, 6, 1e-9)), 44.59, 0.005);
    /* At the least of all rates the search once had no end. */
    assert_near(latency(make_scouting(eight, 6, 32, 3, 0x1p-1074)), 40.94, 0.005);
}

/* Simulated to about 1 % (110 000 messages or more); the model was measured to be this close. */
static void close_to_simulation(void **state) {
    (void)state;
    static const struct {
        int k, n, channels, flits, distance;
        double rate, simulated, within;
    } points[] = {
        {8, 2, 6, 32, 0, 0.012, 110.1, 0.04},    {8, 2, 6, 32, 3, 0.012, 112.7, 0.04},
        {8, 2, 6, 32, 6, 0.012, 116.2, 0.04},    {8, 2, 1, 32, 3, 0.007, 73.2, 0.06},
        {16, 2, 6, 32, 3, 0.00829, 150.4, 0.04}, {4, 3, 4, 32, 3, 0.0098, 76.5, 0.05},
        {8, 2, 10, 32, 3, 0.01638, 165.8, 0.04}, {16, 2, 1, 32, 3, 0.00319, 63.7, 0.05},
    };
    for (size_t i = 0; i < sizeof points / sizeof *points; ++i) {
        fc_integer_list radix = {.count = (size_t)points[i].n};
        for (int d = 0; d < points[i].n; ++d)
            radix.values[d] = points[i].k;
        assert_close(latency(make_scouting(radix, points[i].channels, points[i].flits,
                                           points[i].distance, points[i].rate)),
                     points[i].simulated, points[i].within);
    }
}

static void parts_add_up_and_load_is_carried(void **state) {
    (void)state;
    fc_result *result = solve(make_scouting((fc_integer_list){2, {8, 4}}, 3, 16, 2, 0.015));
    double sum = 0;
    for (size_t i = 0; i < result->part_count; ++i) {
        assert_true(result->parts[i].value >= 0);
        sum += result->parts[i].value;
    }
    assert_close(sum, fc_result_metric(result, "latency")->value, 1e-12);
    assert_true(result->run.residual < 1e-7);
    const fc_table *table = fc_result_table(result, "channels");
    assert_close(table->values[0], 0.015 * 17 * 2.0 * 32 / 31 / 2, 1e-9);
    assert_close(table->values[3], 0.015 * 17 * 1.0 * 32 / 31 / 2, 1e-9);
    fc_result_free(result);
}

/* Messages much shorter than their paths once left the source in less than no time. */
static void short_messages_on_long_paths(void **state) {
    (void)state;
    for (int flits = 1; flits <= 3; ++flits)
        for (double load = 0.05; load < 0.3; load += 0.05) {
            const double rate = load / flits;
            const fc_torus torus = make_scouting((fc_integer_list){2, {12, 12}}, 8, flits, 0, rate);
            fc_result *result = solve(torus);
            const fc_metric *wait = fc_result_metric(result, "source_wait");
            assert_true(result->outcome == FC_OUTCOME_SATURATED || wait->value >= 0);
            fc_result_free(result);
        }
}

static void the_order_of_dimensions_does_not_matter(void **state) {
    (void)state;
    assert_close(latency(make_scouting((fc_integer_list){3, {8, 4, 5}}, 2, 16, 2, 0.008)),
                 latency(make_scouting((fc_integer_list){3, {4, 5, 8}}, 2, 16, 2, 0.008)), 1e-9);
    /* equal radices are solved once for all, almost equal ones one by one */
    assert_close(latency(make_scouting((fc_integer_list){2, {9, 9}}, 2, 16, 2, 0.008)),
                 (latency(make_scouting((fc_integer_list){2, {9, 8}}, 2, 16, 2, 0.008)) +
                  latency(make_scouting((fc_integer_list){2, {9, 10}}, 2, 16, 2, 0.008))) /
                     2,
                 0.02);
}

static void latency_rises_up_to_saturation(void **state) {
    (void)state;
    for (int channels = 1; channels <= 9; channels += 4) {
        fc_torus torus = make_scouting((fc_integer_list){2, {8, 8}}, channels, 32, 3, 0.001);
        const fc_scenario scenario = torus_scenario(&torus);
        fc_error error;
        double limit, before = 0;
        assert_int_equal(fc_model_scouting_sharing.saturation(&scenario, NULL, &error, &limit),
                         FC_OK);
        assert_true(limit > 0.009 && limit < 0.031);
        for (int step = 1; step < 20; ++step) {
            torus.rate = limit * step / 20;
            const double now = latency(torus);
            assert_true(now > before);
            before = now;
        }
        torus.rate = limit * 1.001;
        fc_result *result = solve(torus);
        assert_int_equal(result->outcome, FC_OUTCOME_SATURATED);
        assert_null(fc_result_metric(result, "latency"));
        assert_close(fc_result_metric(result, "throughput")->value, limit, 1e-2);
        fc_result_free(result);
    }
}

static void says_that_it_is_rough_in_one_dimension(void **state) {
    (void)state;
    fc_result *result = solve(make_scouting((fc_integer_list){1, {8}}, 4, 32, 2, 0.001));
    assert_non_null(strstr(result->note, "one dimension"));
    fc_result_free(result);
}

/* Where a few per cent of load decide, the result says so. */
static void says_when_it_is_close_to_saturation(void **state) {
    (void)state;
    fc_torus torus = make_scouting((fc_integer_list){2, {4, 4}}, 4, 16, 3, 0.001);
    const fc_scenario scenario = torus_scenario(&torus);
    fc_error error;
    double limit;
    assert_int_equal(fc_model_scouting_sharing.saturation(&scenario, NULL, &error, &limit), FC_OK);
    static const double shares[] = {0.7, 0.95, 0.99};
    static const char *const notes[] = {NULL, "longer", "no steady state"};
    for (size_t i = 0; i < 3; ++i) {
        torus.rate = limit * shares[i];
        fc_result *result = solve(torus);
        assert_int_equal(result->outcome, FC_OUTCOME_OK);
        if (notes[i])
            assert_non_null(strstr(result->note, notes[i]));
        else
            assert_string_equal(result->note, "");
        fc_result_free(result);
    }
}

/* ---- pieces ---- */

static void paths_by_counting(void **state) {
    (void)state;
    const fc_torus torus = make_scouting((fc_integer_list){3, {4, 5, 2}}, 1, 8, 0, 0.001);
    fc_geometry *geometry;
    fc_scouting_paths *paths;
    assert_int_equal(fc_geometry_create(&torus, NULL, &geometry), FC_OK);
    assert_int_equal(fc_scouting_paths_create(&torus, NULL, &paths), FC_OK);
    double sum = 0, spread[8] = {0};
    for (uint32_t to = 1; to < geometry->nodes; ++to) {
        const uint32_t d = fc_geometry_distance(geometry, 0, to);
        sum += d;
        spread[d] += 1.0 / (geometry->nodes - 1);
    }
    assert_close(paths->distance, sum / (geometry->nodes - 1), 1e-12);
    for (size_t d = 0; d <= paths->longest; ++d)
        assert_near(paths->spread[d], spread[d], 1e-12);
    for (size_t i = 0; i < 3; ++i) {
        double shares = 0;
        for (size_t m = 0; m <= 3; ++m)
            shares += paths->choices[i][m];
        assert_close(shares, 1, 1e-12);
    }
    fc_scouting_paths_free(paths);
    fc_geometry_free(geometry);
}

/* One dimension: a path of d links exists with (1-u)^d; in two, one hop each way, by hand. */
static void search_by_hand(void **state) {
    (void)state;
    const fc_torus ring = make_scouting((fc_integer_list){1, {3}}, 1, 8, 0, 0.001);
    fc_scouting_paths *paths;
    assert_int_equal(fc_scouting_paths_create(&ring, NULL, &paths), FC_OK);
    const double full[2] = {0.3, 0.3};
    fc_search search = fc_scouting_search(paths, full, 1, 40);
    assert_close(search.wait, 0.3 * 40 / 2, 1e-9);        /* residual of a constant time */
    assert_close(search.square, 0.3 * 2 * 20 * 20, 1e-9); /* exponential with that mean */
    assert_close(search.none, 0.3, 1e-12);
    assert_near(search.astray, 0, 1e-12);
    assert_near(search.detour, 0, 1e-12); /* there is nothing to enter in vain */
    search = fc_scouting_search(paths, full, 4, 40);
    assert_close(search.wait, 0.3 * 40 / 5, 1e-9); /* the first of four to leave */
    fc_scouting_paths_free(paths);

    const fc_torus square = make_scouting((fc_integer_list){2, {3, 3}}, 1, 8, 0, 0.001);
    assert_int_equal(fc_scouting_paths_create(&square, NULL, &paths), FC_OK);
    search = fc_scouting_search(paths, full, 1, 40);
    /* half of the messages need one link; the others one of two paths of two links, and enter the
     * first in vain if it is free and its second is not */
    const double open = 0.7, two = open * open;
    assert_close(search.none, 0.5 * 0.3 + 0.5 * (1 - two) * (1 - two), 1e-9);
    assert_close(search.astray, 0.5 * ((1 - two / 2) * 2 * open * (1 - open)), 1e-9);
    /* A path of two opens as one of its links does while the other is free and the other path is
     * not: 2 x 2 x 0.3 x 0.7 x (1 - 0.49), in units of the rate at which a full link opens. */
    const double blocked = (1 - two) * (1 - two), opens = 4 * 0.3 * open * (1 - two);
    assert_close(search.wait, 20 * (0.5 * 0.3 + 0.5 * blocked * blocked / opens), 1e-9);
    /* without a path, the first link of a way is free with 0.7 x 0.3 / (1 - 0.49) */
    const double blind = open * 0.3 / (1 - two);
    assert_close(search.detour, 0.5 * blocked * 2 * blind, 1e-9);
    const double stuck = (1 - blind) * (1 - blind), wait = 20 * 0.5 * blocked * blocked / opens;
    assert_close(search.held, wait * 4 * blind * (1 - stuck) / (1 - stuck + 4 * blind), 1e-9);
    fc_scouting_paths_free(paths);
}

/* A channel without others to choose from, its messages so long that their headers do not matter.
 * met[n], n < V. */
static bool use_channel(int channels, double load, double pace, double retaken, fc_channel_use *use,
                        double *met) {
    const double choices[] = {0, 1};
    const fc_channel_demand demand = {
        .load = load, .pace = pace, .retaken = retaken, .choices = choices, .most = 1};
    if (!fc_channel_use_solve(channels, 1e12, &demand, use))
        return false;
    fc_meet_on_link(use, 1 / pace, met);
    return true;
}

static void shared_channel_limits(void **state) {
    (void)state;
    fc_channel_use use;
    double met[FC_SCOUTING_SHARERS_MAX] = {0};
    /* V = 1: held for load/pace of the time */
    assert_true(use_channel(1, 0.2, 0.8, 0, &use, met));
    assert_close(use.full, 0.25, 1e-9);
    /* full speed, many channels: geometric, as in processor sharing */
    assert_true(use_channel(40, 0.5, 1, 0, &use, met));
    for (int n = 0; n < 20; ++n)
        assert_close(met[n], 0.5 * pow(0.5, n), 1e-6);
    assert_false(use_channel(2, 0.7, 0.3, 0, &use, met));
    /* all that find it full wait: M/M/2 at half load, where Erlang's second formula gives 1/3; half
     * of the virtual channels that open are taken at once, by those that join one other */
    assert_true(use_channel(2, 0.4, 0.4, 0.5, &use, met));
    assert_close(use.full, 1.0 / 3, 1e-9);
    assert_close(met[0], 1.0 / 3, 1e-9);
    /* M/M/1 */
    fc_node_link link;
    static const double one[] = {0, 1 / 0.6}, two[] = {0, 2.5, 2.5}, shared[] = {0, 1, 2};
    assert_true(fc_node_link_solve(1, 0.3, 0, one, &link));
    assert_close(link.queue, 0.25 / 0.5, 1e-9);
    assert_close(link.waits, 0.5, 1e-9);
    assert_close(link.busy, 0.5, 1e-12);
    /* M/M/2 at half load */
    assert_true(fc_node_link_solve(2, 0.4, 0, two, &link));
    assert_close(link.waits, 1.0 / 3, 1e-9);
    /* two that share one link are one server: P(two or more) is the load squared */
    assert_true(fc_node_link_solve(2, 0.4, 0, shared, &link));
    assert_close(link.waits, 0.16, 1e-9);
    assert_close(link.busy, 0.4, 1e-12);
    assert_false(fc_node_link_solve(2, 0.8, 0, two, &link));
    /* the number served in M/M/1 is 0 or 1 */
    assert_true(fc_node_link_solve(1, 0.3, 0, one, &link));
    assert_close(link.mean, 0.5, 1e-12);
    assert_close(link.variance, 0.25, 1e-12);
    /* three sources, as many servers: each is busy half of the time, seen by one of the others */
    static const double alone[] = {0, 1, 1, 1};
    assert_true(fc_node_link_solve(3, 3, 1.0 / 3, alone, &link));
    assert_close(link.mean, 1.5, 1e-12);
    assert_close(link.variance, 0.75, 1e-12);
    assert_close(link.met[1], 0.5, 1e-12);
    assert_near(link.waits, 0, 1e-12);
}

/* Three of pace 0.3 or 0.5, each as likely: 0.9, 1.1, 1.3 and 1.5 flits a cycle, of which a channel
 * carries one: 1/8 of 0.9 and 7/8 of 1. */
static void flits_drawn_by_uneven_messages(void **state) {
    (void)state;
    assert_close(fc_flits_drawn(2, 0.4, 0), 0.8, 1e-12);
    assert_close(fc_flits_drawn(3, 0.4, 0), 1, 1e-12);
    assert_near(fc_flits_drawn(3, 0.4, 0.0625), 0.9875, 0.005);
    assert_close(fc_flits_drawn(9, 0.4, 0.0625), 1, 1e-12);
    /* slowness 2 or 4 of as many messages: over time, a pace of 1/2 for 1/3 and 1/4 for 2/3 */
    enum { LEVELS = 3 * FC_SLOWNESS_STEPS + 1 };
    double within[LEVELS];
    for (int l = 0; l < LEVELS; ++l)
        within[l] = (l >= FC_SLOWNESS_STEPS) * 0.5 + (l == LEVELS - 1) * 0.5;
    const double mean = 1.0 / 3, square = 1.0 / 3 / 4 + 2.0 / 3 / 16;
    assert_close(fc_pace_variation(within, LEVELS), square / (mean * mean) - 1, 1e-9);
}

/* Others that two channels have in common, against a count of all numbers. */
static void others_in_common(void **state) {
    (void)state;
    const double mean = 1.7, same = 0.4;
    for (int limit = 1; limit <= 5; ++limit) {
        double both = 0, one = 0, x = exp(-same * mean);
        for (int n = 0; n < limit; x *= same * mean / ++n) {
            double rest = 0, y = exp(-(1 - same) * mean);
            for (int m = 0; m < limit - n; y *= (1 - same) * mean / ++m)
                rest += y;
            both += x * rest * rest;
        }
        double p = exp(-mean);
        for (int n = 0; n < limit; p *= mean / ++n)
            one += p;
        assert_close(fc_others_mean(one, limit), mean, 1e-9);
        assert_close(pow(one, 1 + fc_further_weight(mean, same, limit)), both, 1e-9);
    }
    /* one is enough: exact; many on the channel, none too many */
    assert_close(fc_further_weight(3, 0.4, 1), 0.6, 1e-12);
    assert_close(fc_further_weight(fc_others_mean(1, 3), 0.4, 3), 1 - 0.064, 1e-9);
    assert_close(fc_further_weight(1e4, 0.4, 3), 0.6, 1e-9);
}

/* Of two holders of which each sends with 0.3: none 0.49, one 0.42, both 0.09. */
static void holders_that_send(void **state) {
    (void)state;
    double met[] = {0.2, 0.3, 0.5, 0};
    fc_met_sending(met, 4, 0.3);
    assert_close(met[0], 0.2 + 0.3 * 0.7 + 0.5 * 0.49, 1e-12);
    assert_close(met[1], 0.3 * 0.3 + 0.5 * 0.42, 1e-12);
    assert_close(met[2], 0.5 * 0.09, 1e-12);
    assert_near(met[3], 0, 1e-12);
    double all[] = {0.1, 0.2, 0.7};
    fc_met_sending(all, 3, 1);
    assert_close(all[2], 0.7, 1e-12);
    /* one of three holders, beside none, one or two that send */
    static const double beside[] = {1, 2, 4};
    double slowness[4];
    fc_slowness_beside(beside, 3, 0.3, slowness);
    assert_close(slowness[1], 1, 1e-12);
    assert_close(slowness[2], 0.7 + 0.3 * 2, 1e-12);
    assert_close(slowness[3], 0.49 + 0.42 * 2 + 0.09 * 4, 1e-12);
}

static double metric(fc_result *result, const char *name) {
    const fc_metric *found = fc_result_metric(result, name);
    assert_non_null(found);
    return found->value;
}

static double part(const fc_result *result, const char *name) {
    for (size_t i = 0; i < result->part_count; ++i)
        if (strcmp(result->parts[i].name, name) == 0)
            return result->parts[i].value;
    fail();
    return 0;
}

/* The waits at 85 % of saturation as simulated: source 39.7, 22.6, 62.6; ejection 9.3, 8.4, 6.1. */
static void waits_near_saturation(void **state) {
    (void)state;
    static const struct {
        fc_integer_list radix;
        int channels, flits;
        double rate, source, ejection;
    } points[] = {{{2, {7, 9}}, 2, 40, 0.01152, 39.7, 9.3},
                  {{2, {8, 8}}, 3, 32, 0.016783, 22.6, 8.4},
                  {{2, {8, 8}}, 1, 32, 0.010206, 62.6, 6.1}};
    for (size_t i = 0; i < 3; ++i) {
        fc_result *result = solve(
            make_scouting(points[i].radix, points[i].channels, points[i].flits, 1, points[i].rate));
        assert_close(metric(result, "source_wait"), points[i].source, 0.2);
        assert_close(part(result, "wait for ejection"), points[i].ejection, 0.05);
        fc_result_free(result);
    }
}

/* Meets always as many as the one number given. */
static void meet_always(const void *number, double slowness, double *met) {
    (void)slowness;
    for (int n = 0; n < 4; ++n)
        met[n] = n == *(const int *)number;
}

/* Others as fast as oneself: n of them leave 1/(n+1). Others of pace 1/4 elsewhere leave more. */
static void slowness_is_max_min_fair(void **state) {
    (void)state;
    enum { CHANNELS = 4, LEVELS = 3 * FC_SLOWNESS_STEPS + 1 };
    double elsewhere[LEVELS], within[LEVELS], beside[CHANNELS];
    for (int others = 0; others < CHANNELS; ++others) {
        for (int l = 0; l < LEVELS; ++l)
            elsewhere[l] = 1;
        fc_sharing_slowness((fc_meeting_place){meet_always, &others, CHANNELS}, elsewhere, LEVELS,
                            within, beside);
        assert_close(fc_slowness_mean(within, LEVELS), others + 1, 1e-9);
        for (int n = 0; n < CHANNELS; ++n)
            assert_close(beside[n], n + 1, 1e-9);
        for (int l = 0; l < LEVELS; ++l)
            elsewhere[l] = l == LEVELS - 1; /* all at slowness 4 */
        fc_sharing_slowness((fc_meeting_place){meet_always, &others, CHANNELS}, elsewhere, LEVELS,
                            within, NULL);
        assert_near(fc_slowness_mean(within, LEVELS), 1 / (1 - others / 4.0), 1e-6);
    }
}

/* Meets one other with a probability of a tenth of its slowness. */
static void meet_slow_one(const void *nothing, double slowness, double *met) {
    (void)nothing;
    met[0] = 1 - slowness / 10;
    met[1] = slowness / 10;
}

/* Two channels, one message each on them, at first and second order in the number x of others: the
 * message is not slowed by the first with 1 - x s, s = (2 (1 + x) + 1) / 3. */
static void those_not_slowed_have_met_fewer(void **state) {
    (void)state;
    enum { LEVELS = FC_SLOWNESS_STEPS + 1 };
    const double x = 0.1;
    double elsewhere[LEVELS], within[LEVELS];
    for (int l = 0; l < LEVELS; ++l)
        elsewhere[l] = l < LEVELS - 1 ? 1 - x : 1;
    fc_sharing_slowness((fc_meeting_place){meet_slow_one, NULL, 2}, elsewhere, LEVELS, within,
                        NULL);
    assert_close(within[0], 1 - 0.1 * (2 * (1 + x) + 1) / 3, 1e-9);
    assert_close(within[LEVELS - 1], 1, 1e-9);
}

/* The second order in the load, V = 2: simulated 12.86 +- 0.02 cycles lost on shared channels (8x8,
 * 1.2 million messages). */
static void shared_channels_at_a_fifth_of_saturation(void **state) {
    (void)state;
    fc_result *result = solve(make_scouting((fc_integer_list){2, {8, 8}}, 2, 32, 1, 0.0031));
    assert_close(part(result, "shared links"), 12.86, 0.02);
    fc_result_free(result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_network_is_exact),
        cmocka_unit_test(empty_network_of_the_paper),
        cmocka_unit_test(close_to_simulation),
        cmocka_unit_test(parts_add_up_and_load_is_carried),
        cmocka_unit_test(short_messages_on_long_paths),
        cmocka_unit_test(the_order_of_dimensions_does_not_matter),
        cmocka_unit_test(latency_rises_up_to_saturation),
        cmocka_unit_test(says_that_it_is_rough_in_one_dimension),
        cmocka_unit_test(says_when_it_is_close_to_saturation),
        cmocka_unit_test(paths_by_counting),
        cmocka_unit_test(search_by_hand),
        cmocka_unit_test(shared_channel_limits),
        cmocka_unit_test(holders_that_send),
        cmocka_unit_test(waits_near_saturation),
        cmocka_unit_test(flits_drawn_by_uneven_messages),
        cmocka_unit_test(others_in_common),
        cmocka_unit_test(slowness_is_max_min_fair),
        cmocka_unit_test(those_not_slowed_have_met_fewer),
        cmocka_unit_test(shared_channels_at_a_fifth_of_saturation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
