/* Answers that share channels with what they answer: the verdict against a plain search that
 * follows every chain of every pair, channel by channel; and cases by hand. */
#include "scenario_support.h"

#include "base/random.h"
#include "network/router_traffic.h"

enum { VERTICES_MAX = 2000, CHANNELS = 4 };

typedef struct reference {
    const fc_router_network *network;
    fc_classes classes;
    fc_traffic *traffic;
    bool waits[VERTICES_MAX][VERTICES_MAX]; /* link * CHANNELS + channel, those of nodes last */
} reference;

static int vertex(const reference *r, uint32_t input, int channel) {
    const uint32_t begin = r->network->input_begin[input];
    const uint32_t link = begin & FC_TO_NODE ? r->network->outputs + (begin & ~FC_TO_NODE) : begin;
    return (int)link * CHANNELS + channel;
}

static void all_wait(reference *r, uint32_t from, uint64_t holds, uint32_t to, uint64_t wants) {
    for (int v = 0; v < CHANNELS; ++v)
        for (int w = 0; w < CHANNELS; ++w)
            if (holds >> v & 1 && wants >> w & 1)
                r->waits[vertex(r, from, v)][vertex(r, to, w)] = true;
}

static uint32_t answer_at(const reference *r, uint32_t kind, uint32_t node) {
    uint32_t answer = r->classes.list[kind].reply;
    for (; answer != FC_NONE; answer = r->classes.list[answer].reply) {
        const fc_traffic *traffic = fc_traffic_of_class(r->traffic, answer);
        if (!traffic || fc_traffic_sends(traffic, node))
            break;
    }
    return answer;
}

static void follow(reference *r, uint32_t kind, uint32_t source, uint32_t to) {
    const uint32_t answer = answer_at(r, kind, to);
    const uint64_t channels = fc_class_channels(&r->classes.list[kind]);
    const uint32_t variants =
        r->network->variants ? r->network->variants(r->network, source, to) : 1;
    for (uint32_t variant = 0; variant < variants; ++variant) {
        fc_course course = {.source = source, .destination = to, .channels = channels};
        uint32_t input = r->network->node_input[source];
        uint64_t holds = channels;
        r->network->begin(r->network, variant, &course);
        for (;;) {
            fc_route_candidates candidates;
            r->network->route(r->network, input, (uint32_t)__builtin_ctzll(holds), &course,
                              &candidates);
            assert_int_equal(candidates.count, 1);
            const uint32_t next = r->network->output_end[candidates.list[0].output];
            if (next & FC_TO_NODE)
                break;
            all_wait(r, input, holds, next, candidates.list[0].channels);
            input = next;
            holds = candidates.list[0].channels;
        }
        if (answer != FC_NONE)
            all_wait(r, input, holds, r->network->node_input[to],
                     fc_class_channels(&r->classes.list[answer]));
    }
}

/* A message of a chain that `origin` began has come to a node. */
static void go_on(reference *r, uint32_t kind, uint32_t origin, uint32_t node) {
    const uint32_t answer = answer_at(r, kind, node);
    if (answer == FC_NONE)
        return;
    const fc_traffic *traffic = fc_traffic_of_class(r->traffic, answer);
    for (uint32_t to = 0; to < r->network->nodes; ++to) {
        if (traffic ? !(fc_traffic_share(traffic, node, to) > 0) : to != origin)
            continue;
        follow(r, answer, node, to);
        go_on(r, answer, origin, to);
    }
}

/* Takes away channels that wait for none of those left; what stays holds a circle. */
static bool has_circle(const reference *r, int vertices) {
    bool gone[VERTICES_MAX] = {false}, changed = true;
    while (changed) {
        changed = false;
        for (int v = 0; v < vertices; ++v) {
            bool stuck = gone[v];
            for (int w = 0; w < vertices && !stuck; ++w)
                stuck = r->waits[v][w] && !gone[w];
            if (!stuck)
                changed = gone[v] = true;
        }
    }
    for (int v = 0; v < vertices; ++v)
        if (!gone[v])
            return true;
    return false;
}

/* network: of the same classes, but none answered. */
static bool expected(const fc_scenario *scenario, const fc_router_network *network) {
    reference *r = calloc(1, sizeof *r);
    assert_non_null(r);
    r->network = network;
    r->classes = fc_classes_of(fc_scenario_routed(scenario));
    assert_int_equal(fc_router_traffic_create(scenario, network, NULL, &r->traffic), FC_OK);
    for (uint32_t kind = 0; kind < r->classes.count; ++kind) {
        const fc_traffic *traffic = fc_traffic_of_class(r->traffic, kind);
        for (uint32_t i = 0; r->classes.list[kind].share > 0 && i < traffic->senders; ++i)
            for (uint32_t to = 0; to < network->nodes; ++to)
                if (fc_traffic_share(traffic, traffic->sender[i], to) > 0) {
                    follow(r, kind, traffic->sender[i], to);
                    go_on(r, kind, traffic->sender[i], to);
                }
    }
    const int vertices = (int)(network->outputs + network->nodes) * CHANNELS;
    assert_in_range(vertices, 1, VERTICES_MAX);
    const bool circle = has_circle(r, vertices);
    fc_traffic_free(r->traffic);
    free(r);
    return circle;
}

static const char *const networks[] = {
    "topology: mesh, radix: [4, 3]",
    "topology: mesh, radix: [4, 2], order: descending",
    "topology: mesh, radix: [2, 2], concentration: 2",
    "topology: torus, radix: [6], links: unidirectional",
    "topology: torus, radix: [4, 3], channel_rule: dateline",
    "topology: hypercube, dimensions: 3",
    "topology: fly, arity: 2, levels: 3",
    "topology: fat-tree, arity: 2, levels: 3, routing: destination",
};
#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Some classes, each answered by a later one or by none, in the lower or upper channels. */
static void draw_classes(fc_random *random, bool answered, char *text, size_t size) {
    const uint32_t count = 2 + fc_random_below(random, 3);
    int used = snprintf(text, size, "traffic:\n  classes:\n");
    for (uint32_t i = 0; i < count; ++i) {
        static const char *const to[] = {"destinations: uniform, ",
                                         "destinations: {hot-spots: [{node: 0}]}, ",
                                         "destinations: {hot-spots: [{node: 5}]}, ",
                                         "destinations: {next-group: 2}, ",
                                         "",
                                         ""};
        const uint32_t where = fc_random_below(random, i ? COUNT(to) : COUNT(to) - 2);
        const uint32_t upper = fc_random_below(random, 2), later = fc_random_below(random, count);
        const bool reply = later > i;
        used += snprintf(text + used, size - (size_t)used,
                         "    - {name: %c, channels: [%u, %u], %s%s%c", (int)('a' + i), 2 * upper,
                         2 * upper + 1, to[where], reply && answered ? "reply: " : "",
                         reply && answered ? (int)('a' + later) : ' ');
        used += snprintf(text + used, size - (size_t)used, "%sflits: 1, rate: %g}\n",
                         reply && answered ? ", " : "", 0.001);
    }
}

static void verdicts_are_those_of_a_plain_search(void **state) {
    (void)state;
    int circles = 0, shared = 0;
    for (uint32_t round = 0; round < 400; ++round) {
        char classes[1200], text[1500], chain[480];
        const char *network = networks[round % COUNT(networks)];
        fc_scenario *with, *without;
        for (int answered = 0; answered < 2; ++answered) {
            fc_random random = fc_random_stream(7, round, 0);
            draw_classes(&random, answered, classes, sizeof classes);
            snprintf(text, sizeof text,
                     "network: {%s, virtual_channels: 4, buffer: 4, router_delay: 1}\n%s", network,
                     classes);
            *(answered ? &with : &without) = must_read(text, NULL, NULL);
        }
        fc_router_network *plain = NULL, *made = NULL;
        fc_error error;
        assert_int_equal(fc_router_network_create(without, &error, &plain), FC_OK);
        const bool circle = expected(with, plain);
        const fc_status status = fc_router_network_create(with, &error, &made);
        if ((status != FC_OK) != circle)
            fail_msg("%s%s, but:\n%s", circle ? "there is a circle" : "there is no circle",
                     status == FC_OK ? "" : error.text, text);
        const fc_classes all = fc_classes_of(fc_scenario_routed(with));
        circles += circle;
        shared += !circle && fc_classes_circle(&all, sizeof chain, chain);
        fc_router_network_free(plain);
        fc_router_network_free(made);
        fc_scenario_free(with);
        fc_scenario_free(without);
    }
    assert_in_range(circles, 50, 350);
    assert_in_range(shared, 10, 350); /* sharing alone is no circle */
}

#define CORNER(routing)                                                                            \
    "network: {topology: mesh, radix: [4, 4], buffer: 4, virtual_channels: 2" routing "}\n"        \
    "traffic:\n  classes:\n"                                                                       \
    "    - {name: request, rate: 0.01, reply: data, destinations: {hot-spots: [{node: 0}]}}\n"     \
    "    - {name: data}\n"

static void check(const char *text, const char *key, const char *value, const char *said) {
    fc_scenario *scenario = must_read(text, key, value);
    fc_router_network *network = NULL;
    fc_error error = {.text = ""};
    const fc_status status = fc_router_network_create(scenario, &error, &network);
    if ((status == FC_OK) != (said == NULL))
        fail_msg("%s: %s", value ? value : text, status == FC_OK ? "is accepted" : error.text);
    if (said)
        must_say(error.text, said);
    fc_router_network_free(network);
    fc_scenario_free(scenario);
}

/* What goes to one node takes links towards it and what comes back links away from it, so they may
 * share channels; with two such nodes, or if all are asked, they may not. */
static void what_one_node_answers_may_share_its_channels(void **state) {
    (void)state;
    check(CORNER(""), NULL, NULL, NULL);
    check(CORNER(", routing: adaptive"), NULL, NULL, NULL);
    static const char key[] = "traffic.classes.0.destinations";
    check(CORNER(""), key, "{hot-spots: [{node: 0}, {node: 3}]}", "node 3 -> router channel");
    check(CORNER(", routing: adaptive"), key, "uniform", "-> router channel");
    check(CORNER(""), key, "uniform",
          "router 0 -> 1 channel 0, node 1 -> router channel 0, router 1 -> 0 channel 0, node 0 -> "
          "router channel 0, and again the first: an answer needs channels that what it answers "
          "holds, request (channels 0 to 1) -> data (channels 0 to 1); give each class");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_are_those_of_a_plain_search),
        cmocka_unit_test(what_one_node_answers_may_share_its_channels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
