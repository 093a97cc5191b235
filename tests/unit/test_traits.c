/* What corrections see of networks: every number has a name and is one; lanes that are alike are
 * merged without a change of any sum. */
#include "scenario_support.h"

#include <math.h>
#include <stdlib.h>
#include "forecast/learned_curve.h"
#include "models/closed/closed_traits.h"
#include "models/multistage/multistage_traits.h"
#include "models/router/router_traits.h"
#include "models/scouting/scouting_traits.h"
#include "models/torus/torus_traits.h"

static void check_names(const char *const *names, size_t inputs, size_t most) {
    size_t count = 0;
    for (; names[count]; ++count) {
        assert_null(strpbrk(names[count], ",\n"));
        for (size_t before = 0; before < count; ++before)
            assert_string_not_equal(names[count], names[before]);
    }
    assert_int_equal(count, inputs);
    assert_true(count <= most);
}

static void check_numbers(const float *values, size_t count) {
    for (size_t i = 0; i < count; ++i)
        assert_true(isfinite(values[i]));
}

static void check(const fc_traits *traits, const fc_trait_names *names) {
    assert_non_null(traits);
    check_names(names->whole, traits->whole_inputs, FC_TRAIT_WHOLE_MOST);
    check_names(names->lane, traits->lane_inputs, FC_TRAIT_LANE_MOST);
    check_names(names->movement, traits->movement_inputs, FC_TRAIT_MOVEMENT_MOST);
    check_numbers(traits->whole, traits->whole_inputs);
    check_numbers(traits->lane, traits->lane_count * traits->lane_inputs);
    check_numbers(traits->movement, traits->movement_count * traits->movement_inputs);
    assert_true(traits->empty[FC_MEAN] > 0);
}

static void check_empty(const fc_traits *traits) {
    assert_true(traits->capacity > 0 && isfinite(traits->capacity));
    assert_true(traits->empty[FC_P50] <= traits->empty[FC_P95]);
    assert_true(traits->empty[FC_P95] <= traits->empty[FC_P99]);
    assert_true(traits->empty[FC_MEAN] < traits->empty[FC_P99] + 1);
}

static void free_all(fc_traits *traits, fc_scenario *scenario) {
    fc_traits_free(traits);
    fc_scenario_free(scenario);
}

static void tori_have_traits(void **state) {
    (void)state;
    fc_error error;
    fc_traits *traits;
    fc_scenario *scenario = must_read(
        "network: {topology: torus, radix: [4, 4], virtual_channels: 3, channel_rule: escape}\n"
        "traffic: {rate: 0.01, message_flits: 8}\n",
        NULL, NULL);
    fc_sharing_solver *solver = fc_sharing_solver_of(scenario);
    assert_int_equal(fc_torus_traits(scenario, solver, &error, &traits), FC_OK);
    check(traits, &fc_torus_trait_names);
    check_empty(traits);
    /* 6, 4 and 1 of the 15 others are two, three and four hops away */
    assert_close(traits->empty[FC_MEAN], 8 + 32.0 / 15, 1e-9);
    assert_close(traits->empty[FC_P50], 10, 1e-9);
    assert_close(traits->empty[FC_P95], 12, 1e-9);
    fc_sharing_solver_free(solver);
    free_all(traits, scenario);
}

static void scouting_has_traits(void **state) {
    (void)state;
    fc_error error;
    fc_traits *traits;
    fc_scouting_solver *solver;
    fc_scenario *scenario = must_read(
        "network: {topology: torus, radix: [4, 4], virtual_channels: 3, switching: scouting, "
        "scouting_distance: 2}\ntraffic: {rate: 0.001, message_flits: 8}\n",
        NULL, NULL);
    assert_int_equal(fc_scouting_solver_create(scenario->parameters, &error, &solver), FC_OK);
    assert_int_equal(fc_scouting_traits(scenario, solver, &error, &traits), FC_OK);
    check(traits, &fc_scouting_trait_names);
    check_empty(traits);
    fc_scouting_solver_free(solver);
    free_all(traits, scenario);
}

typedef fc_status values_traits(const fc_scenario *scenario, const fc_result *result,
                                fc_error *error, fc_traits **traits);

static void check_values(const char *text, const char *model, values_traits *read,
                         const fc_trait_names *names) {
    fc_error error;
    fc_traits *traits;
    fc_result *result;
    fc_scenario *scenario = must_read(text, NULL, NULL);
    assert_int_equal(fc_predict(scenario, model, &error, &result), FC_OK);
    assert_int_equal(read(scenario, result, &error, &traits), FC_OK);
    check(traits, names);
    fc_result_free(result);
    free_all(traits, scenario);
}

static void solutions_have_traits(void **state) {
    (void)state;
    check_values("network: {topology: torus, radix: [4, 4], virtual_channels: 2}\n"
                 "traffic: {kind: closed, outstanding: 2, think_time: 20, requests: [{share: 1, "
                 "flits: 4, reply_flits: 9, memory_reply: 4, memory_busy: 4}]}\n",
                 "closed-refined", fc_closed_traits, &fc_closed_trait_names);
    check_values("network: {topology: multistage, ports: 16, switch: 2, buffer: 4}\n"
                 "traffic: {rate: 0.5}\n",
                 "multistage-backpressure", fc_multistage_traits, &fc_multistage_trait_names);
}

/* ---- routers ---- */

typedef fc_status prepare_routers(const fc_scenario *scenario, fc_error *error,
                                  fc_router_prepared *p);

static fc_traits *traits_by(prepare_routers *prepare, const char *keys, const char *traffic) {
    char text[512];
    snprintf(text, sizeof text, "network: {%s}\ntraffic: {rate: 0.001, %s}\n", keys, traffic);
    fc_error error;
    fc_traits *traits;
    fc_router_prepared p;
    fc_scenario *scenario = must_read(text, NULL, NULL);
    assert_int_equal(prepare(scenario, &error, &p), FC_OK);
    assert_int_equal(fc_router_traits(scenario, &p, &error, &traits), FC_OK);
    fc_router_prepared_release(&p);
    fc_scenario_free(scenario);
    return traits;
}

static fc_traits *traits_of_routers(const char *keys, const char *traffic) {
    return traits_by(fc_router_prepare, keys, traffic);
}

/* Sums that a network of any depth adds up: h of a lane and what it hears of the lanes that it
 * sends to, that send to it, that share its link, `rounds` times. */
static double heard(const fc_traits *t, int rounds) {
    double *h = calloc(t->lane_count, sizeof *h), *next = calloc(t->lane_count, sizeof *next);
    double *link = calloc(2 * t->link_count, sizeof *link), sum = 0;
    for (uint32_t l = 0; l < t->lane_count; ++l)
        h[l] = 1 + (double)t->lane[l * t->lane_inputs + 24] + (double)t->lanes[l].unit;
    for (int r = 0; r < rounds; ++r) {
        memset(link, 0, 2 * t->link_count * sizeof *link);
        for (uint32_t l = 0; l < t->lane_count; ++l) {
            next[l] = 0.5 * h[l];
            link[2 * t->lanes[l].link] += (double)t->lanes[l].weight * h[l];
            link[2 * t->lanes[l].link + 1] += (double)t->lanes[l].weight;
        }
        for (uint32_t j = 0; j < t->movement_count; ++j) {
            const fc_movement_traits *m = &t->movements[j];
            const double y = (double)t->movement[j * t->movement_inputs + 7];
            const double said = tanh(h[m->from] - h[m->to] + y);
            next[m->from] += (double)m->kept * said;
            next[m->to] += (double)(m->share + m->load) * said;
        }
        for (uint32_t l = 0; l < t->lane_count; ++l)
            h[l] =
                next[l] + link[2 * t->lanes[l].link] / fmax(1e-9, link[2 * t->lanes[l].link + 1]);
    }
    for (uint32_t l = 0; l < t->lane_count; ++l)
        sum += (double)t->lanes[l].weight * h[l] + 1e-2 * (double)t->lanes[l].copies * h[l];
    free(h);
    free(next);
    free(link);
    return sum;
}

static void merged_lanes_say_the_same(void **state) {
    (void)state;
    static const char *const networks[][2] = {
        {"topology: torus, radix: [4, 6], virtual_channels: 4, buffer: 4, channel_rule: dateline, "
         "router_delay: 1",
         "message_flits: 5"},
        {"topology: mesh, radix: [5, 5], virtual_channels: 2, buffer: 4, router_delay: 1",
         "message_flits: 5, destinations: transpose"},
        {"topology: fat-tree, arity: 2, levels: 3, routing: random, virtual_channels: 2, "
         "buffer: 3, router_delay: 1",
         "message_flits: 3, injection: {on-off: {on: 20, off: 80}}"},
    };
    for (size_t i = 0; i < sizeof networks / sizeof *networks; ++i) {
        fc_traits *merged = traits_of_routers(networks[i][0], networks[i][1]);
        fc_traits *traits = traits_by(fc_router_prepare_apart, networks[i][0], networks[i][1]);
        check(merged, &fc_router_trait_names);
        check_empty(merged);
        assert_true(merged->lane_count < traits->lane_count);
        for (int rounds = 0; rounds < 9; ++rounds)
            assert_close(heard(merged, rounds), heard(traits, rounds),
                         1e-4 * fabs(heard(traits, rounds)));
        fc_traits_free(merged);
        fc_traits_free(traits);
    }
}

static void bursts_wait_at_their_source(void **state) {
    (void)state;
    fc_traits *traits =
        traits_of_routers("topology: mesh, radix: [4, 4], virtual_channels: 2, "
                          "buffer: 4, router_delay: 1",
                          "message_flits: 4, injection: {on-off: {on: 50, off: 50}}");
    double bursts = 0;
    for (uint32_t l = 0; l < traits->lane_count; ++l)
        bursts = fmax(bursts, (double)traits->lanes[l].bursts);
    assert_true(bursts > 0);
    assert_non_null(traits->burst_wait);
    assert_true(traits->burst_wait(traits->burst_context, 0.2) >
                traits->burst_wait(traits->burst_context, 0.1));
    fc_traits_free(traits);
    traits = traits_of_routers("topology: mesh, radix: [4, 4], virtual_channels: 2, buffer: 4, "
                               "router_delay: 1",
                               "message_flits: 4");
    assert_null(traits->burst_wait);
    fc_traits_free(traits);
}

/* Headers that choose avoid what is full: no simulated network of the fit settled above this. */
static void capacity_is_a_bound_where_headers_choose(void **state) {
    (void)state;
    const char *const network = "topology: mesh, radix: [4, 4], virtual_channels: 2, buffer: 4, "
                                "router_delay: 1, routing: ";
    static const char *const routings[] = {"dimension-order", "adaptive"};
    double capacity[2];
    for (int i = 0; i < 2; ++i) {
        char keys[200];
        snprintf(keys, sizeof keys, "%s%s", network, routings[i]);
        fc_traits *traits = traits_of_routers(keys, "message_flits: 1, destinations: transpose");
        capacity[i] = traits->capacity;
        fc_traits_free(traits);
    }
    assert_close(capacity[0], 1.0 / 3, 1e-9); /* three of a row turn at one router */
    /* 40 hops on 48 links: links of nodes are full first */
    assert_close(capacity[1], 1, 1e-9);
}

static void limits_of_requests_were_never_drawn(void **state) {
    (void)state;
    assert_null(traits_of_routers("topology: mesh, radix: [4, 4], virtual_channels: 2, buffer: 4, "
                                  "router_delay: 1",
                                  "outstanding: 4, requests: [{share: 1, flits: 1, reply_flits: 4, "
                                  "memory_reply: 5}]"));
}

/* A learned network that says nothing leaves the curve of the model: through both of its answers,
 * with the pole at its saturation load. */
static void learning_starts_at_the_curve_of_the_model(void **state) {
    (void)state;
    static const char *const whole[] = {"other", FC_PRIOR_NAMES, NULL}, *const none[] = {NULL};
    static const fc_trait_names names = {whole, none, none};
    const double slope = 0.7, start = 3, saturation = 0.8;
    fc_model_answers answers = {.capacity = 1, .saturation = saturation, .unit = 11};
    for (int i = 0; i < 2; ++i) {
        const double u = i ? 0.6 : 0.2;
        answers.load[i] = u * saturation;
        answers.excess[i] = answers.load[i] * exp(start - slope * log(1 - u));
    }
    double prior[FC_PRIORS];
    fc_traits *traits;
    fc_trait_graph *graph;
    fc_learned_tape *tape;
    fc_trait_norm norms[1 + FC_PRIORS];
    float shares[FC_KNOTS], full;
    fc_member_curve curve = {.shares = shares, .full = &full};
    fc_prior_of(&answers, prior);
    assert_int_equal(fc_traits_create(&names, 1, 0, NULL, &traits), FC_OK);
    for (int i = 0; i < FC_PRIORS; ++i)
        traits->whole[1 + i] = (float)prior[i];
    for (int i = 0; i < 1 + FC_PRIORS; ++i)
        norms[i] = (fc_trait_norm){0, 1, 0, 1};
    traits->link_count = 1;
    traits->capacity = answers.capacity;
    traits->lanes[0].weight = 1;
    traits->lanes[0].unit = (float)answers.unit;
    const fc_learned_shape shape = {
        .whole = 1 + FC_PRIORS, .width = 8, .prior = fc_learned_prior_in("other, " FC_PRIOR_NAME)};
    assert_int_equal(shape.prior, 2);
    const fc_learned_layout layout = fc_learned_layout_of(&shape);
    float *weights = calloc(layout.count, sizeof *weights);
    const fc_trait_norms scaling = {norms, norms, norms};
    assert_int_equal(fc_trait_graph_create(&scaling, &shape, traits, NULL, &graph), FC_OK);
    assert_int_equal(fc_learned_tape_create(&shape, 1, 0, false, NULL, &tape), FC_OK);
    fc_learned_forward(&shape, &layout, weights, graph, tape);
    fc_member_curve_of(graph, traits, tape, &curve);
    assert_close(exp(-curve.below), saturation, 1e-5);
    for (int k = 0; k < FC_KNOTS; ++k)
        assert_close(curve.growth[k], start + slope * fc_knot_places[k], 1e-4);
    fc_learned_tape_free(tape);
    fc_trait_graph_free(graph);
    free(weights);
    fc_traits_free(traits);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tori_have_traits),
        cmocka_unit_test(scouting_has_traits),
        cmocka_unit_test(solutions_have_traits),
        cmocka_unit_test(merged_lanes_say_the_same),
        cmocka_unit_test(bursts_wait_at_their_source),
        cmocka_unit_test(capacity_is_a_bound_where_headers_choose),
        cmocka_unit_test(limits_of_requests_were_never_drawn),
        cmocka_unit_test(learning_starts_at_the_curve_of_the_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
