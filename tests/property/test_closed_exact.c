/* Two nodes, one request each: a closed queue small enough for its exact answer.
 *
 * Node 0 and node 1 are joined by a channel each way. The request of customer 0 and the reply to
 * customer 1 share the link out of node 0, nothing else is shared: channels behind a link are fed
 * by it alone, and each memory serves one customer. A message that gets the link at t holds it for
 * L cycles and has arrived at t + L + 2. The joint state of the two customers (thinking, waiting
 * for a link, or so many cycles under way) is a Markov chain. */
#include "test_support.h"
#include "closed_support.h"

#include "base/memory.h"

enum { REQUEST = 3, REPLY = 9, MEMORY = 4 };
enum { THERE = REQUEST + 2 + MEMORY, BACK = REPLY + 2 }; /* cycles from link to next stage */
enum { THINKING, WAITS_REQUEST, WAITS_REPLY, FIRST_THERE };
enum { FIRST_BACK = FIRST_THERE + THERE, STATES = FIRST_BACK + BACK };

static bool holds_as_request(int state) {
    return state >= FIRST_THERE && state < FIRST_THERE + REQUEST;
}

static bool holds_as_reply(int state) {
    return state >= FIRST_BACK && state < FIRST_BACK + REPLY;
}

/* One cycle later, before links are given out. A thinking customer stays. */
static int advance(int state) {
    if (state == FIRST_BACK - 1)
        return WAITS_REPLY;
    if (state == STATES - 1)
        return THINKING;
    return state < FIRST_THERE ? state : state + 1;
}

/* Gives the link that a's request and b's reply share to whoever waits and may have it. */
static void give_link(int *a, int *b, bool request_first) {
    if (holds_as_request(*a) || holds_as_reply(*b))
        return;
    const bool wanted_by_a = *a == WAITS_REQUEST, wanted_by_b = *b == WAITS_REPLY;
    if (wanted_by_a && (request_first || !wanted_by_b))
        *a = FIRST_THERE;
    else if (wanted_by_b)
        *b = FIRST_BACK;
}

static void step(const double *from, double *to, double think, bool request_first) {
    for (size_t i = 0; i < STATES * STATES; ++i)
        to[i] = 0.0;
    for (int a = 0; a < STATES; ++a) {
        for (int b = 0; b < STATES; ++b) {
            const double mass = from[a * STATES + b];
            for (int ends = 0; mass > 0.0 && ends < 4; ++ends) {
                const bool end_a = ends & 1, end_b = ends & 2;
                if ((end_a && a != THINKING) || (end_b && b != THINKING))
                    continue;
                double part = mass;
                if (a == THINKING)
                    part *= end_a ? 1.0 / think : 1.0 - 1.0 / think;
                if (b == THINKING)
                    part *= end_b ? 1.0 / think : 1.0 - 1.0 / think;
                int next_a = end_a ? WAITS_REQUEST : advance(a);
                int next_b = end_b ? WAITS_REQUEST : advance(b);
                give_link(&next_a, &next_b, request_first);
                give_link(&next_b, &next_a, request_first);
                to[next_a * STATES + next_b] += part;
            }
        }
    }
}

static double exact_efficiency(double think, bool request_first) {
    double *now = fc_allocate(2 * STATES * STATES, sizeof *now), *next = now + STATES * STATES;
    assert_non_null(now);
    now[0] = 1.0;
    double change = 1.0;
    for (int n = 0; n < 20000 && change > 1e-14; ++n) {
        step(now, next, think, request_first);
        change = 0.0;
        for (size_t i = 0; i < STATES * STATES; ++i) {
            change = fmax(change, fabs(next[i] - now[i]));
            now[i] = next[i];
        }
    }
    assert_true(change < 1e-10);
    double thinking = 0.0;
    for (size_t b = 0; b < STATES; ++b)
        thinking += now[b];
    fc_release(now);
    return thinking;
}

#ifdef FC_CHECKS
static const double precision = 0.01; /* every invariant is asserted in every cycle: slow */
#else
static const double precision = 0.002;
#endif

static void two_nodes_exactly(void **state) {
    (void)state;
    static const double thinks[] = {2, 8, 20, 60};
    for (size_t i = 0; i < 4; ++i) {
        const double one = exact_efficiency(thinks[i], true);
        const double other = exact_efficiency(thinks[i], false);
        char text[400];
        const int length = snprintf(
            text, sizeof text,
            "network: {topology: mesh, radix: [2]}\n"
            "traffic: {kind: closed, outstanding: 1, think_time: %g, requests: [{share: 1, flits: "
            "3, reply_flits: 9, memory_reply: 4, memory_busy: 4}]}\n"
            "simulation: {precision: %g, seed: 5}\n",
            thinks[i], precision);
        fc_error error = {""};
        fc_scenario *scenario;
        assert_int_equal(
            fc_scenario_read_text(text, (size_t)length, "two", NULL, 0, &error, &scenario), FC_OK);
        fc_result *result;
        const fc_run_settings settings = fc_run_settings_default();
        assert_int_equal(fc_simulate(scenario, &settings, &error, &result), FC_OK);
        const fc_metric *found = fc_result_metric(result, "efficiency");
        assert_true(found->value > fmin(one, other) - 2 * found->half_width);
        assert_true(found->value < fmax(one, other) + 2 * found->half_width);
        fc_result_free(result);
        /* The models approximate what an arriving message finds; the more the two meet, the more.
         */
        static const double limits[4][2] = {
            {0.10, 0.09}, {0.035, 0.03}, {0.011, 0.008}, {0.003, 0.002}};
        static const char *const models[] = {"adve-vernon", "closed-two-moment"};
        for (size_t m = 0; m < 2; ++m) {
            assert_int_equal(fc_predict(scenario, models[m], &error, &result), FC_OK);
            assert_close(metric(result, "efficiency"), one, limits[i][m]);
            fc_result_free(result);
        }
        fc_scenario_free(scenario);
    }
}

/* One customer in all has nothing to meet. */
static void one_customer_exactly(void **state) {
    (void)state;
    double matrix[4] = {0, 1, 0, 0};
    fc_torus torus = make_closed(CLOSED_MESH, 2, FC_SINGLE_LINK, 1, 20);
    torus.radix = (fc_integer_list){1, {2}};
    torus.nodes = 2;
    torus.destinations =
        (fc_destinations){.pattern = FC_MATRIX, .matrix = matrix, .matrix_nodes = 2};
    const double network = 2 * (1 + 1) + 0.8 * 12 + 0.2 * 14, memory = 0.8 * 4 + 0.2 * 8;
    static const fc_model *const models[] = {&fc_model_adve_vernon, &fc_model_closed_two_moment,
                                             &fc_model_adve_vernon_infinite};
    for (size_t m = 0; m < 3; ++m) {
        torus.buffer = m == 2 ? FC_INFINITE : 1;
        fc_result *result = solve_closed(models[m], &torus);
        const fc_table *nodes = fc_result_table(result, "nodes");
        /* The published model lets a customer meet itself at a channel. */
        const double limit = m == 0 ? 4e-3 : 1e-9;
        assert_close(nodes->values[0], 20 / (20 + network + memory), limit);
        assert_close(nodes->values[2], network, limit);
        fc_result_free(result);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_nodes_exactly),
        cmocka_unit_test(one_customer_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
