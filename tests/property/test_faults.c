/* Networks of all topologies with random failures: what is left is what should be, its paths are
 * the shortest there are (against a plain search of our own), proven free of deadlock, and end
 * where they should; nodes that are cut off are those that a plain search finds; a network that is
 * refused for want of virtual channels is accepted with as many as the refusal asks for. */
#include "scenario_support.h"

#include <math.h>
#include "base/random.h"
#include "network/node_ports.h"
#include "network/router_faults.h"
#include "network/router_traffic.h"
#include "router_support.h"

enum { TEXT = 512, NETWORKS = 5000, PREDICTED_EVERY = 10 };

static fc_random draws;

static uint32_t below(uint32_t bound) {
    return fc_random_below(&draws, bound);
}

static const char *const topologies[] = {
    "topology: ring, radix: [6]",
    "topology: torus, radix: [4, 4]",
    "topology: torus, radix: [3, 2, 3]",
    "topology: torus, radix: [4, 3], links: unidirectional",
    "topology: mesh, radix: [5, 4]",
    "topology: mesh, radix: [3, 3], concentration: 3",
    "topology: hypercube, dimensions: 4",
    "topology: fly, arity: 2, levels: 3, extra_stages: 1",
    "topology: fat-tree, arity: 2, levels: 3",
    "topology: fat-tree, arity: 4, levels: 2",
    "topology: dragonfly, hosts: 1, routers: 3, global_links: 1, global_delay: 5",
    "topology: hyperx, shape: [3, 3], trunks: [2, 1], concentration: 2, spacing: [1, 2]",
    "topology: flattened-butterfly, shape: [3, 4]",
    "topology: slim-fly, q: 3",
    "topology: graph, file: " SOURCE_DIR "/examples/campus.graph",
    "topology: graph, file: " SOURCE_DIR "/examples/rails.graph",
    "topology: graph, file: " SOURCE_DIR "/examples/rails.graph, port_choice: spread",
};
enum { TOPOLOGIES = sizeof topologies / sizeof *topologies };

/* ---- what is left, found again ---- */

typedef struct plain {
    uint32_t routers;
    uint32_t *delay; /* from * routers + to: of the shortest link; 0: none */
    uint32_t *count; /* likewise: links */
    uint32_t *distance;
} plain;

static plain plain_links(const fc_router_network *network) {
    const size_t all = (size_t)network->routers * network->routers;
    plain p = {.routers = network->routers,
               .delay = calloc(all, sizeof(uint32_t)),
               .count = calloc(all, sizeof(uint32_t)),
               .distance = calloc(all, sizeof(uint32_t))};
    for (uint32_t o = 0; o < network->outputs; ++o) {
        if (network->output_end[o] & FC_TO_NODE)
            continue;
        const size_t at = (size_t)network->output_router[o] * p.routers +
                          network->input_router[network->output_end[o]];
        p.delay[at] = p.count[at] && p.delay[at] < network->output_delay[o]
                          ? p.delay[at]
                          : network->output_delay[o];
        ++p.count[at];
    }
    return p;
}

static void plain_free(plain *p) {
    free(p->delay);
    free(p->count);
    free(p->distance);
}

/* All pairs: Floyd and Warshall. */
static void find_shortest(plain *p) {
    const uint32_t n = p->routers, far = UINT32_MAX / 4;
    for (uint32_t i = 0; i < n * n; ++i)
        p->distance[i] = i / n == i % n ? 0 : p->count[i] ? p->delay[i] : far;
    for (uint32_t k = 0; k < n; ++k)
        for (uint32_t i = 0; i < n; ++i)
            for (uint32_t j = 0; j < n; ++j) {
                const uint32_t through = p->distance[i * n + k] + p->distance[k * n + j];
                if (through < p->distance[i * n + j])
                    p->distance[i * n + j] = through;
            }
    for (uint32_t i = 0; i < n * n; ++i)
        p->distance[i] = p->distance[i] >= far ? UINT32_MAX : p->distance[i];
}

static bool has_failed(const fc_failures *failures, uint32_t router) {
    for (uint32_t i = 0; i < failures->router_count; ++i) {
        if (failures->routers[i] == router)
            return true;
    }
    return false;
}

/* The links of the whole network without the failures are those of what is left. */
static void check_links(const plain *whole, const plain *left, const fc_failures *failures) {
    const uint32_t n = whole->routers;
    uint32_t *expected = calloc((size_t)n * n, sizeof *expected);
    assert_int_equal(left->routers, n);
    for (uint32_t i = 0; i < n * n; ++i)
        expected[i] =
            has_failed(failures, i / n) || has_failed(failures, i % n) ? 0 : whole->count[i];
    for (uint32_t i = 0; i < failures->link_count; ++i) {
        const fc_failed_link *link = &failures->links[i];
        --expected[link->from * n + link->to];
        expected[link->to * n + link->from] -= !link->one_way;
    }
    for (uint32_t i = 0; i < n * n; ++i)
        assert_int_equal(left->count[i], expected[i]);
    free(expected);
}

static uint32_t router_from(const fc_router_network *network, uint32_t node) {
    return network->input_router[network->node_input[node]];
}

static uint32_t router_at(const fc_router_network *network, uint32_t node) {
    return network->output_router[network->node_output[node]];
}

/* Present nodes reach each other; the routers of absent ones have failed, or are in a part with no
 * more nodes. */
static void check_parts(const fc_router_network *network, const plain *left) {
    const uint32_t n = left->routers;
    uint32_t present = 0;
    for (uint32_t a = 0; a < network->nodes; ++a) {
        if (!fc_router_present(network, a))
            continue;
        ++present;
        for (uint32_t b = 0; b < network->nodes; ++b) {
            if (fc_router_present(network, b))
                assert_true(left->distance[router_from(network, a) * n + router_at(network, b)] <
                            UINT32_MAX);
        }
    }
    for (uint32_t a = 0; a < network->nodes; ++a) {
        const uint32_t at = router_from(network, a);
        if (fc_router_present(network, a) || has_failed(network->failures, at) ||
            at != router_at(network, a))
            continue;
        uint32_t mates = 0;
        for (uint32_t b = 0; b < network->nodes; ++b) {
            const uint32_t other = router_from(network, b);
            mates += !has_failed(network->failures, other) &&
                     left->distance[at * n + other] < UINT32_MAX &&
                     left->distance[other * n + at] < UINT32_MAX;
        }
        assert_true(mates <= present);
    }
    assert_int_equal(network->failures->cut_off, network->nodes - present);
}

/* Of nodes with several ports: the shortest way between two of them; UINT32_MAX: there is none. */
static uint32_t between_nodes(const fc_router_network *network, const plain *left, uint32_t a,
                              uint32_t b) {
    const uint32_t *first = network->ports->first;
    uint32_t shortest = UINT32_MAX;
    for (uint32_t from = first[a]; from < first[a + 1]; ++from)
        for (uint32_t to = first[b]; to < first[b + 1]; ++to) {
            const uint32_t routers[] = {router_from(network, from), router_at(network, to)};
            if (has_failed(network->failures, routers[0]) ||
                has_failed(network->failures, routers[1]))
                continue;
            const uint32_t way = left->distance[routers[0] * left->routers + routers[1]];
            shortest = way < shortest ? way : shortest;
        }
    return shortest;
}

/* Nodes that are not cut off reach each other; any other does not reach some node. */
static void check_meetings(const fc_router_network *network, const plain *left) {
    const uint8_t *absent = network->ports->absent;
    uint32_t cut = 0;
    for (uint32_t a = 0; a < network->ports->nodes; ++a) {
        bool all = true;
        for (uint32_t b = 0; b < network->ports->nodes; ++b) {
            const bool meets = between_nodes(network, left, a, b) < UINT32_MAX;
            assert_true(meets || (absent && (absent[a] || absent[b])));
            all = all && meets;
        }
        cut += absent && absent[a];
        assert_true(!absent || !absent[a] || !all);
    }
    assert_int_equal(network->failures->cut_off, cut);
}

/* ---- paths ---- */

static uint32_t delay_of_path(const fc_router_network *network, uint32_t source, uint32_t to) {
    fc_course course = {.source = source, .destination = to, .channels = 1};
    uint32_t input = network->node_input[source], delay = 0;
    fc_route_candidates candidates;
    network->begin(network, 0, &course);
    for (uint32_t hops = 0;; ++hops) {
        assert_true(hops <= 2 * network->routers);
        network->route(network, input, 0, &course, &candidates);
        const uint32_t output = candidates.list[0].output, end = network->output_end[output];
        if (end & FC_TO_NODE) {
            assert_int_equal(end & ~FC_TO_NODE, to);
            return delay;
        }
        delay += network->output_delay[output];
        input = end;
    }
}

/* Returns the mean over pairs of the links' cycles. */
static double check_all_paths(const fc_router_network *network, const plain *left, bool minimal) {
    const uint32_t n = left->routers;
    double sum = 0, pairs = 0;
    for (uint32_t a = 0; a < network->nodes; ++a)
        for (uint32_t b = 0; b < network->nodes; ++b) {
            if (a == b || !fc_router_present(network, a) || !fc_router_present(network, b))
                continue;
            const uint32_t shortest =
                left->distance[router_from(network, a) * n + router_at(network, b)];
            const uint32_t taken = delay_of_path(network, a, b);
            if (minimal)
                assert_int_equal(taken, shortest);
            assert_true(taken >= shortest);
            sum += taken;
            pairs += 1;
        }
    return sum / pairs;
}

/* The same between nodes with several ports, over those that messages take. */
static double check_port_paths(const fc_router_network *network, const plain *left, bool minimal) {
    const uint8_t *absent = network->ports->absent;
    double sum = 0, pairs = 0;
    for (uint32_t a = 0; a < network->ports->nodes; ++a)
        for (uint32_t b = 0; b < network->ports->nodes; ++b) {
            if (a == b || (absent && (absent[a] || absent[b])))
                continue;
            const uint32_t count = fc_ports_count(network, a, b);
            const uint32_t shortest = between_nodes(network, left, a, b);
            assert_true(count > 0);
            for (uint32_t i = 0; i < count; ++i) {
                uint32_t from, to;
                fc_ports_choose(network, a, b, i, &from, &to);
                const uint32_t taken = delay_of_path(network, from, to);
                assert_true(taken >= shortest);
                if (minimal && !network->ports->spread)
                    assert_int_equal(taken, shortest);
                sum += taken / (double)count;
            }
            pairs += 1;
        }
    return sum / pairs;
}

/* Messages of one flit, routers without stages: a message takes a cycle and those of its links. */
static void check_predicted(const fc_scenario *scenario, double mean_path) {
    fc_result *result = NULL;
    fc_error error;
    if (fc_predict(scenario, "channel-load", &error, &result) != FC_OK)
        fail_msg("%s", error.text);
    assert_int_equal(result->outcome, FC_OUTCOME_OK);
    const double latency = fc_result_metric(result, "latency")->value;
    if (fabs(latency - (1 + mean_path)) > 1e-9 * latency)
        fail_msg("latency %.12g, expected %.12g", latency, 1 + mean_path);
    fc_result_free(result);
}

/* ---- one network ---- */

typedef struct tally {
    uint32_t accepted, cut, need_channels, no_path, small;
    uint32_t most_channels;
} tally;

static void draw_text(const char *topology, char text[TEXT]) {
    static const char *const shares[] = {"0", "0.03", "0.1", "0.2"};
    static const char *const router_shares[] = {"0", "0", "0.05", "0.1"};
    snprintf(text, TEXT,
             "network: {%s%s, buffer: 64, virtual_channels: %u, faults: {random: {links: %s, "
             "routers: %s, seed: %u}}}\n"
             "traffic: {rate: 1e-9, message_flits: 1}\n",
             topology, below(4) ? "" : ", routing: up-down", 1 + below(3), shares[below(4)],
             router_shares[below(4)], below(1u << 30));
}

static fc_router_network *whole_network(const char *topology) {
    char text[TEXT];
    fc_error error;
    fc_router_network *network = NULL;
    snprintf(text, sizeof text,
             "network: {%s, virtual_channels: 4, router_delay: 1}\ntraffic: {rate: 0.001}\n",
             topology);
    fc_scenario *scenario = must_read(text, NULL, NULL);
    if (fc_router_network_create(scenario, &error, &network) != FC_OK)
        fail_msg("%s: %s", text, error.text);
    fc_scenario_free(scenario);
    return network;
}

static void check_accepted(const fc_scenario *scenario, const fc_router_network *network,
                           const char *topology, bool predicted) {
    fc_router_network *intact = whole_network(topology);
    plain whole = plain_links(intact), left = plain_links(network);
    fc_error error;
    const fc_routed *routed = fc_scenario_routed(scenario);
    find_shortest(&left);
    check_ports(network);
    check_links(&whole, &left, network->failures);
    (network->ports ? check_meetings : check_parts)(network, &left);
    const double mean = (network->ports ? check_port_paths : check_all_paths)(
        network, &left, routed->around == FC_AROUND_MINIMAL);
    if (fc_router_network_prove(network, routed, &error) != FC_OK)
        fail_msg("%s", error.text);
    if (predicted)
        check_predicted(scenario, mean);
    plain_free(&whole);
    plain_free(&left);
    fc_router_network_free(intact);
}

/* A refusal is for one of three reasons. */
static void check_refusal(const char *text, const char *reason, tally *seen) {
    const char *wanted = strstr(reason, "virtual_channels: ");
    if (strstr(reason, "there is no path")) {
        ++seen->no_path;
        return;
    }
    if (strstr(reason, "leaves no two nodes")) {
        ++seen->small;
        return;
    }
    if (!wanted)
        fail_msg("%s: %s", text, reason);
    fc_error error;
    fc_router_network *network = NULL;
    const uint32_t channels = (uint32_t)strtoul(wanted + strlen("virtual_channels: "), NULL, 10);
    char value[16];
    snprintf(value, sizeof value, "%u", channels);
    fc_scenario *scenario = must_read(text, "network.virtual_channels", value);
    if (fc_router_network_create(scenario, &error, &network) != FC_OK)
        fail_msg("%s: with %u channels: %s", text, channels, error.text);
    ++seen->need_channels;
    seen->most_channels = channels > seen->most_channels ? channels : seen->most_channels;
    fc_router_network_free(network);
    fc_scenario_free(scenario);
}

static void any_failures_leave_a_network_that_works(void **state) {
    (void)state;
    tally seen = {0};
    for (uint32_t i = 0; i < NETWORKS; ++i) {
        const char *topology = topologies[i % TOPOLOGIES];
        char text[TEXT];
        fc_error error;
        fc_router_network *network = NULL;
        draws = fc_random_stream(40, 0, i);
        draw_text(topology, text);
        fc_scenario *scenario = must_read(text, NULL, NULL);
        if (fc_router_network_create(scenario, &error, &network) == FC_OK) {
            ++seen.accepted;
            seen.cut += network->absent != NULL;
            check_accepted(scenario, network, topology, i % PREDICTED_EVERY == 0);
        } else {
            check_refusal(text, error.text, &seen);
        }
        fc_router_network_free(network);
        fc_scenario_free(scenario);
    }
    print_message("%u accepted, %u of them with nodes cut off; refused: %u for channels (at most "
                  "%u needed), %u without a path, %u with too few nodes\n",
                  seen.accepted, seen.cut, seen.need_channels, seen.most_channels, seen.no_path,
                  seen.small);
    assert_true(seen.accepted > NETWORKS / 2);
    assert_true(seen.cut > NETWORKS / 10);
    assert_true(seen.need_channels > 20);
}

/* More failures of one seed are those of fewer, and others. */
static void a_larger_share_adds_failures(void **state) {
    (void)state;
    static const char text[] =
        "network: {topology: mesh, radix: [6, 6], routing: up-down, faults: {random: {links: 0.05, "
        "seed: 9}}}\ntraffic: {rate: 0.001}\n";
    fc_router_network *network[2] = {NULL, NULL};
    for (int more = 0; more < 2; ++more) {
        fc_error error;
        fc_scenario *scenario =
            must_read(text, "network.faults.random.links", more ? "0.15" : "0.05");
        if (fc_router_network_create(scenario, &error, &network[more]) != FC_OK)
            fail_msg("%s", error.text);
        fc_scenario_free(scenario);
    }
    const fc_failures *few = network[0]->failures, *many = network[1]->failures;
    assert_int_equal(few->link_count, 3); /* of 60 cables */
    assert_int_equal(many->link_count, 9);
    for (uint32_t i = 0; i < few->link_count; ++i) {
        bool found = false;
        for (uint32_t j = 0; j < many->link_count; ++j)
            found |=
                few->links[i].from == many->links[j].from && few->links[i].to == many->links[j].to;
        assert_true(found);
    }
    fc_router_network_free(network[0]);
    fc_router_network_free(network[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_failures_leave_a_network_that_works),
                                       cmocka_unit_test(a_larger_share_adds_failures)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
