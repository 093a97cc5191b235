/* Messages to many nodes: the trees against the routes of single messages, the engine against a
 * plain implementation copy by copy, and meshes by hand. */
#include "scenario_support.h"

#include "base/random.h"
#include "flitcast/flitcast.h"
#include "network/router_traffic.h"
#include "registry/result.h"
#include "router_reference.h"
#include "simulators/router/sources.h"

static const char *const networks[] = {
    "topology: mesh, radix: [4, 3]",
    "topology: mesh, radix: [3, 2], concentration: 2, order: descending",
    "topology: mesh, radix: [4, 4], routing: o1turn",
    "topology: torus, radix: [4, 4], channel_rule: dateline",
    "topology: torus, radix: [3, 3], routing: valiant, channel_rule: dateline",
    "topology: torus, radix: [5], links: unidirectional, channel_rule: dateline",
    "topology: hypercube, dimensions: 3",
    "topology: fly, arity: 2, levels: 3",
    "topology: fat-tree, arity: 2, levels: 3, routing: destination",
    "topology: dragonfly, hosts: 1, routers: 3, global_links: 1",
};
#define COUNT(list) (sizeof(list) / sizeof *(list))

static const char *pick(fc_random *random, size_t count, const char *const *list) {
    return list[fc_random_below(random, (uint32_t)count)];
}

/* Two classes of multicasts, one of single messages, in channels of their own or the same. */
static fc_scenario *draw_scenario(uint32_t number, fc_random *random, char *text, size_t size) {
    static const char *const to[] = {"uniform", "{hot-spots: [{node: 0}, {node: 3}, {node: 4}]}"};
    static const char *const handovers[] = {"", ", handover: when-empty",
                                            ", switching: cut-through"};
    static const char *const speeds[] = {"", "", ", internal_speedup: 1.5", ", link_width: 0.4"};
    static const char *const inputs[] = {"", ", input_speedup: 1", ", allocator_rounds: 2",
                                         ", arbitration: oldest-first"};
    const bool apart = fc_random_below(random, 2);
    const char *channels = apart ? ", channels: [0, 3]" : "",
               *others = apart ? ", channels: [4, 7]" : "";
    char one[300];
    snprintf(one, sizeof one, "buffer: %u, router_delay: [%u, %u, %u, %u], node_delay: %u%s%s%s",
             4 + fc_random_below(random, 6), fc_random_below(random, 3), fc_random_below(random, 3),
             fc_random_below(random, 2), fc_random_below(random, 2), 1 + fc_random_below(random, 2),
             pick(random, COUNT(handovers), handovers), pick(random, COUNT(speeds), speeds),
             pick(random, COUNT(inputs), inputs));
    snprintf(text, size,
             "network: {%s, virtual_channels: 8, %s}\ntraffic:\n  message_flits: 1\n  classes:\n"
             "    - {name: a, rate: 0.01, destinations: %s, multicast: true%s}\n"
             "    - {name: b, rate: 0.01, destinations: uniform, multicast: true, priority: %u%s}\n"
             "    - {name: c, rate: 0.01%s}\n",
             networks[number % COUNT(networks)], one, pick(random, COUNT(to), to), channels,
             fc_random_below(random, 2), others, others);
    return must_read(text, NULL, NULL);
}

/* ---- trees ---- */

typedef struct path {
    uint32_t outputs[64], count;
} path;

static path route_alone(const fc_router_network *network, uint64_t channels, uint32_t source,
                        uint32_t to, uint32_t variant) {
    const uint32_t variants = network->variants ? network->variants(network, source, to) : 1;
    fc_course course = {.source = source, .destination = to, .channels = channels};
    path made = {.count = 0};
    uint64_t held = channels;
    network->begin(network, variant % variants, &course);
    for (uint32_t input = network->node_input[source]; !(input & FC_TO_NODE);) {
        fc_route_candidates candidates;
        network->route(network, input, (uint32_t)__builtin_ctzll(held), &course, &candidates);
        held = candidates.list[0].channels;
        made.outputs[made.count++] = candidates.list[0].output;
        input = network->output_end[candidates.list[0].output];
    }
    return made;
}

/* Each destination is reached once, over its own route; *links: branches between routers. */
static void check_branch(const fc_multicast *trees, uint32_t number, path so_far, uint64_t channels,
                         uint32_t source, uint32_t variant, uint32_t *reached, uint32_t *links) {
    const fc_tree_branch *branch = &trees->branch[number];
    if (branch->output != FC_NONE)
        so_far.outputs[so_far.count++] = branch->output;
    *links += branch->count && branch->output != FC_NONE;
    if (!branch->count) {
        const path alone = route_alone(trees->network, channels, source, branch->node, variant);
        assert_int_equal(alone.count, so_far.count);
        assert_memory_equal(alone.outputs, so_far.outputs, alone.count * sizeof(uint32_t));
        ++reached[branch->node];
    }
    for (uint32_t i = 0; i < branch->count; ++i) {
        assert_true(!i || trees->branch[branch->first + i - 1].output <=
                              trees->branch[branch->first + i].output);
        check_branch(trees, branch->first + i, so_far, channels, source, variant, reached, links);
    }
}

/* Links between routers that routes to all destinations cross. */
static uint32_t links_of_union(const fc_router_network *network, const fc_traffic *traffic,
                               uint64_t channels, uint32_t source, uint32_t variant) {
    bool crossed[1000] = {false};
    uint32_t count = 0;
    assert_in_range(network->outputs, 1, 1000);
    for (uint32_t to = 0; to < network->nodes; ++to) {
        if (!(fc_traffic_share(traffic, source, to) > 0))
            continue;
        const path alone = route_alone(network, channels, source, to, variant);
        for (uint32_t i = 0; i + 1 < alone.count; ++i) {
            count += !crossed[alone.outputs[i]];
            crossed[alone.outputs[i]] = true;
        }
    }
    return count;
}

static void check_trees(const fc_scenario *scenario, const fc_multicast *trees,
                        const fc_traffic *traffic, bool plain) {
    const fc_classes classes = fc_classes_of(fc_scenario_routed(scenario));
    const uint32_t nodes = trees->network->nodes;
    for (uint32_t kind = 0; kind < 2; ++kind) {
        const fc_traffic *own = fc_traffic_of_class(traffic, kind);
        const uint64_t channels = fc_class_channels(&classes.list[kind]);
        for (uint32_t source = 0; source < nodes; ++source)
            for (uint32_t v = 0; v < trees->variants; ++v) {
                const fc_tree *tree = fc_multicast_tree(trees, kind, source, v);
                uint32_t reached[64] = {0}, links = 0, destinations = 0;
                if (tree->destinations)
                    check_branch(trees, tree->root, (path){.count = 0}, channels, source, v,
                                 reached, &links);
                for (uint32_t to = 0; to < nodes; ++to) {
                    const bool named =
                        fc_traffic_sends(own, source) && fc_traffic_share(own, source, to) > 0;
                    assert_int_equal(reached[to], named);
                    destinations += named;
                }
                assert_int_equal(tree->destinations, destinations);
                if (plain)
                    assert_int_equal(links,
                                     links_of_union(trees->network, own, channels, source, v));
            }
    }
}

/* ---- the engine ---- */

typedef struct given_sources {
    fc_sources sources;
    const fc_trace *trace;
    const int *kind;
    const fc_multicast *trees;
    fc_random random;
    size_t delivered;
    uint32_t next_tag;
    uint64_t *started, *last, *sum;
} given_sources;

static uint64_t next_of_trace(const fc_router *e) {
    const given_sources *s = (const given_sources *)e->sources;
    uint64_t next = UINT64_MAX;
    for (size_t i = 0; i < s->trace->count; ++i) {
        const uint64_t time = s->trace->messages[i].time;
        next = time >= e->time && time < next ? time : next;
    }
    return next;
}

static void generate_of_trace(fc_router *e) {
    given_sources *s = (given_sources *)e->sources;
    for (uint32_t i = 0; i < s->trace->count; ++i) {
        const fc_trace_message *line = &s->trace->messages[i];
        if (line->time != e->time)
            continue;
        if (s->kind[i] < 2) {
            fc_router_multicast(e, (uint32_t)s->kind[i], line->source, i, line->flits,
                                i % s->trees->variants);
            continue;
        }
        const uint32_t number = fc_router_new_message(e);
        fc_router_message *message = &e->message[number];
        message->born = e->time;
        message->kind = (uint32_t)s->kind[i];
        message->tag = i;
        message->flits = line->flits;
        message->course = (fc_course){.source = line->source,
                                      .destination = line->destination,
                                      .channels = e->class_mask[message->kind]};
        const uint32_t variants =
            e->network->variants ? e->network->variants(e->network, line->source, line->destination)
                                 : 1;
        e->network->begin(e->network, variants > 1 ? fc_random_below(&s->random, variants) : 0,
                          &message->course);
        fc_router_queue(e, number);
    }
}

static void count_delivered(fc_router *e, uint32_t message) {
    (void)message;
    ++((given_sources *)e->sources)->delivered;
}

static void keep_sources(fc_sources *sources) {
    (void)sources;
}

static void remember(void *context, const fc_router_message *message, uint64_t latency) {
    given_sources *s = context;
    s->started[message->tag] = message->started;
    s->last[message->tag] = latency;
    s->sum[message->tag] += latency;
}

static fc_trace draw_trace(fc_random *random, uint32_t nodes, uint32_t longest) {
    fc_trace trace = {.count = 20 + fc_random_below(random, 80)};
    trace.messages = calloc(trace.count, sizeof *trace.messages);
    const uint32_t span = 10 + fc_random_below(random, 400);
    for (uint32_t i = 0; i < trace.count; ++i)
        trace.messages[i] = (fc_trace_message){.time = fc_random_below(random, span),
                                               .source = fc_random_below(random, nodes),
                                               .destination = fc_random_below(random, nodes),
                                               .flits = 1 + fc_random_below(random, longest),
                                               .after = UINT32_MAX};
    return trace;
}

static void run(const fc_router_network *network, const fc_routed *routed,
                const fc_multicast *trees, fc_random *random, const char *text) {
    static const fc_source_kind source_kind = {.next = next_of_trace,
                                               .generate = generate_of_trace,
                                               .delivered = count_delivered,
                                               .release = keep_sources};
    const uint64_t limit = 200000;
    fc_error error = {{0}};
    fc_router *engine;
    fc_trace trace = draw_trace(random, network->nodes, (uint32_t)routed->buffer);
    const fc_classes classes = fc_classes_of(routed);
    int *kind = calloc(trace.count, sizeof *kind);
    const fc_tree **tree = calloc(trace.count, sizeof *tree);
    for (size_t i = 0; i < trace.count; ++i) {
        fc_trace_message *line = &trace.messages[i];
        kind[i] = (int)fc_random_below(random, 3);
        tree[i] = kind[i] < 2 ? fc_multicast_tree(trees, (uint32_t)kind[i], line->source,
                                                  (uint32_t)i % trees->variants)
                              : NULL;
        if (tree[i] && !tree[i]->destinations) {
            tree[i] = NULL;
            kind[i] = 2;
        }
    }
    reference_classes rules = {
        .count = (int)classes.count, .of_message = kind, .tree = tree, .branch = trees->branch};
    for (size_t c = 0; c < classes.count; ++c) {
        rules.rank[c] = (int)classes.list[c].rank;
        rules.channels[c] = fc_class_channels(&classes.list[c]);
    }
    reference_outcome *expected = calloc(trace.count, sizeof *expected);
    if (!reference_run_classes(network, routed, &trace, &rules, 1, limit, expected))
        fail_msg("the reference does not come to an end:\n%s", text);
    uint64_t *seen = calloc(3 * trace.count, sizeof *seen);
    given_sources sources = {.sources = {&source_kind},
                             .trace = &trace,
                             .kind = kind,
                             .trees = trees,
                             .random = fc_random_stream(1, 0, 2),
                             .started = seen,
                             .last = seen + trace.count,
                             .sum = seen + 2 * trace.count};
    assert_int_equal(fc_router_create(network, routed, &error, &engine), FC_OK);
    assert_int_equal(fc_router_take_multicast(engine, trees, &error), FC_OK);
    engine->sources = &sources.sources;
    engine->observer = remember;
    engine->observer_context = &sources;
    while (sources.delivered < trace.count && engine->time < limit)
        if (fc_router_run(engine, engine->time + 100, &error) != FC_OK)
            fail_msg("%s", error.text);
    for (size_t i = 0; i < trace.count; ++i)
        if (sources.started[i] != expected[i].started || sources.last[i] != expected[i].latency ||
            sources.sum[i] != expected[i].sum)
            fail_msg("message %zu of class %d: started %llu, last latency %llu, all %llu; the "
                     "reference says %llu, %llu and %llu\n%s",
                     i, kind[i], (unsigned long long)sources.started[i],
                     (unsigned long long)sources.last[i], (unsigned long long)sources.sum[i],
                     (unsigned long long)expected[i].started,
                     (unsigned long long)expected[i].latency, (unsigned long long)expected[i].sum,
                     text);
    assert_int_equal(engine->messages_alive, 0);
    assert_int_equal(engine->in_network, 0);
    fc_router_free(engine);
    free(trace.messages);
    free(kind);
    free(tree);
    free(expected);
    free(seen);
}

static void copies_are_those_of_a_plain_implementation(void **state) {
    (void)state;
    for (uint32_t number = 0; number < 300; ++number) {
        fc_random random = fc_random_stream(29, number, 0);
        char text[1500];
        fc_error error = {{0}};
        fc_scenario *scenario = draw_scenario(number, &random, text, sizeof text);
        const fc_routed *routed = fc_scenario_routed(scenario);
        fc_router_network *network;
        fc_traffic *traffic;
        fc_multicast *trees;
        if (fc_router_network_create(scenario, &error, &network) != FC_OK ||
            fc_router_traffic_create(scenario, network, &error, &traffic) != FC_OK ||
            fc_multicast_create(scenario, network, traffic, &error, &trees) != FC_OK)
            fail_msg("%s\n%s", error.text, text);
        check_trees(scenario, trees, traffic, strstr(text, "mesh") && !strstr(text, "torus"));
        run(network, routed, trees, &random, text);
        fc_multicast_free(trees);
        fc_traffic_free(traffic);
        fc_router_network_free(network);
        fc_scenario_free(scenario);
    }
}

/* ---- by hand ---- */

static double value_of(const fc_result *result, const char *name) {
    const fc_metric *metric = fc_result_metric(result, name);
    if (!metric)
        fail_msg("there is no %s", name);
    return metric->value;
}

/* A line of three nodes; node 0 sends three flits to both others. Its router has one way on; that
 * of node 1 sends to the right first, then to its node: that copy is 3 cycles later than a message
 * alone. */
#define LINE                                                                                       \
    "network: {topology: mesh, radix: [3], buffer: 4, router_delay: [0, 0, 0, 1], "                \
    "virtual_channels: 1, energy: {buffer_write: 1, buffer_read: 2, crossbar: 4, link: 8}}\n"      \
    "traffic:\n  classes:\n"                                                                       \
    "    - {name: c, rate: 0.0001, flits: 3, destinations: {matrix: line.csv}%s}\n"                \
    "simulation: {precision: 0.02}\n"

static fc_result *ask(bool model, const char *rows, const char *more) {
    char text[900];
    FILE *file = fopen("line.csv", "w");
    assert_non_null(file);
    fputs(rows, file);
    fclose(file);
    snprintf(text, sizeof text, LINE, more);
    fc_scenario *scenario = must_read(text, NULL, NULL);
    fc_result *result;
    fc_error error;
    const fc_status status = model ? fc_predict(scenario, "channel-load", &error, &result)
                                   : fc_simulate(scenario, NULL, &error, &result);
    if (status != FC_OK)
        fail_msg("%s", error.text);
    fc_scenario_free(scenario);
    return result;
}

static void a_line_by_hand(void **state) {
    (void)state;
    for (int model = 0; model < 2; ++model) {
        fc_result *near = ask(model, "0,1,1\n", ""), *far = ask(model, "0,2,1\n", "");
        fc_result *both = ask(model, "0,1,1\n0,2,1\n", ", multicast: true");
        const double to_1 = value_of(near, "latency"), to_2 = value_of(far, "latency");
        assert_close(to_1, 3 + 2 * 1 + 1 + 1 - 1, 1e-9); /* flits, 2 routers, 2 links of 3 */
        assert_close(to_2, to_1 + 2, 1e-9);
        assert_close(value_of(both, "latency_last"), to_1 + 3, 1e-9);
        assert_close(value_of(both, "latency"), (to_1 + 3 + to_2) / 2, 1e-9);
        assert_close(value_of(both, "hops"), 1.5, 1e-9);
        /* Both together: into 3 routers, 4 times over a crossbar, over 2 links, for each of the 3
         * flits; 6 arrive. */
        assert_close(value_of(both, "energy_per_flit"), (3 * 1 + 4 * (2 + 4) + 2 * 8) * 3 / 6.0,
                     1e-9);
        fc_result_free(near);
        fc_result_free(far);
        fc_result_free(both);
    }
    remove("line.csv");
}

/* All nodes of a mesh send to all others: a node receives 15 messages for each that it sends, and a
 * link in the middle of a row carries those of the 2 nodes before it. */
static void links_carry_a_message_once(void **state) {
    (void)state;
    static const char text[] =
        "network: {topology: mesh, radix: [4, 4], buffer: 4, router_delay: 1}\n"
        "traffic:\n  classes:\n"
        "    - {name: all, rate: 0.002, flits: 2, destinations: uniform, multicast: true}\n"
        "simulation: {precision: 0.001}\n";
    const double limit = 1 / (15 * 2.0); /* the link into a node */
    fc_scenario *scenario = must_read(text, NULL, NULL);
    fc_error error;
    fc_result *model, *simulated;
    assert_int_equal(fc_predict(scenario, "channel-load", &error, &model), FC_OK);
    assert_int_equal(fc_simulate(scenario, NULL, &error, &simulated), FC_OK);
    const fc_table *bound = NULL, *seen = NULL;
    for (size_t t = 0; t < model->table_count; ++t)
        bound = strcmp(model->tables[t].name, "channels") ? bound : &model->tables[t];
    for (size_t t = 0; t < simulated->table_count; ++t)
        seen = strcmp(simulated->tables[t].name, "channels") ? seen : &simulated->tables[t];
    assert_non_null(bound);
    assert_non_null(seen);
    assert_int_equal(bound->rows, seen->rows);
    for (size_t row = 0; row < bound->rows; ++row) {
        const double use = bound->values[row * bound->columns];
        assert_string_equal(bound->row_labels[row], seen->row_labels[row]);
        /* In a row the nodes on one side of the link; in a column those of so many whole rows. */
        const int from = atoi(bound->row_labels[row]),
                  to = atoi(strstr(bound->row_labels[row], "to") + 3);
        const int x = from % 4, y = from / 4;
        const int behind = to == from + 1   ? x + 1
                           : to == from - 1 ? 4 - x
                           : to > from      ? 4 * (y + 1)
                                            : 4 * (4 - y);
        assert_close(use, behind * 0.002 * 2, 1e-9);
        assert_close(seen->values[row * seen->columns], use, 0.1);
    }
    assert_close(value_of(model, "latency"), value_of(simulated, "latency"), 0.1);
    fc_result_free(model);
    fc_result_free(simulated);
    fc_scenario_free(scenario);
    scenario = must_read(text, "traffic.classes.0.rate", "0.034");
    assert_int_equal(fc_predict(scenario, "channel-load", &error, &model), FC_OK);
    assert_int_equal(model->outcome, FC_OUTCOME_SATURATED);
    assert_close(value_of(model, "throughput"), limit, 1e-9);
    fc_result_free(model);
    fc_scenario_free(scenario);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_are_those_of_a_plain_implementation),
        cmocka_unit_test(a_line_by_hand),
        cmocka_unit_test(links_carry_a_message_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
