/* The router engine against a plain implementation of its rules, message by message, on random
 * networks and settings; and laws that hold for any network. */
#include "scenario_support.h"

#include "base/memory.h"
#include "base/random.h"
#include "network/node_ports.h"
#include "network/router_traffic.h"
#include "router_reference.h"
#include "router_runs.h"
#include "simulators/driver.h"

static int64_t draw(fc_random *random, int64_t least, int64_t most) {
    return least + fc_random_below(random, (uint32_t)(most - least + 1));
}

/* ---- random networks ---- */

static void draw_routing(fc_random *random, fc_torus *torus) {
    static const struct {
        int topology, routing, rule;
        int64_t channels;
    } kinds[] = {
        {FC_MESH, FC_DIMENSION_ORDER, FC_FREE, 1},
        {FC_MESH, FC_DIMENSION_ORDER, FC_FREE, 3},
        {FC_TORUS, FC_DIMENSION_ORDER, FC_DATELINE, 2},
        {FC_TORUS, FC_DIMENSION_ORDER, FC_DATELINE, 4},
        {FC_TORUS, FC_DIMENSION_ORDER, FC_HIGH_LOW, 2},
        {FC_TORUS, FC_DIMENSION_ORDER, FC_ESCAPE, 3},
        {FC_MESH, FC_O1TURN, FC_FREE, 2},
        {FC_MESH, FC_VALIANT, FC_FREE, 2},
        {FC_TORUS, FC_VALIANT, FC_DATELINE, 4},
        {FC_MESH, FC_ADAPTIVE, FC_FREE, 2},
        {FC_MESH, FC_ADAPTIVE, FC_FREE, 4},
        {FC_TORUS, FC_ADAPTIVE, FC_DATELINE, 4},
        {FC_MESH, FC_MIN_ADAPT, FC_FREE, 3},
        {FC_TORUS, FC_MIN_ADAPT, FC_WRAPPING, 4},
    };
    const size_t kind = fc_random_below(random, sizeof kinds / sizeof *kinds);
    fc_integer_list radix = {.count = (size_t)draw(random, 1, 2)};
    for (size_t d = 0; d < radix.count; ++d)
        radix.values[d] = draw(random, 2, radix.count == 1 ? 7 : 4);
    *torus = router_torus(kinds[kind].topology, radix, kinds[kind].channels, kinds[kind].rule);
    torus->routing = kinds[kind].routing;
}

static void draw_timing(fc_random *random, fc_routed *routed, int64_t *longest) {
    const bool timed = fc_random_below(random, 4);
    for (int stage = 0; stage < FC_ROUTER_STAGES && timed; ++stage)
        routed->router_delay[stage] = draw(random, 0, 2);
    if (timed && !fc_random_below(random, 4))
        routed->router_delay[fc_random_below(random, FC_ROUTER_STAGES)] = 5;
    routed->link_delay = draw(random, 1, 3);
    routed->node_delay = draw(random, 1, 3);
    routed->credit_delay = draw(random, 0, 2);
    routed->buffer = draw(random, 1, 9);
    routed->concentration = draw(random, 1, 2);
    routed->input_speedup = fc_random_below(random, 2) ? FC_INFINITE : draw(random, 1, 3);
    static const double speedups[] = {1, 1, 1, 1.5, 2, 2.7};
    routed->internal_speedup = speedups[fc_random_below(random, 6)];
    routed->allocator_rounds = draw(random, 1, 3);
    routed->arbitration = fc_random_below(random, 3) ? FC_ROUND_ROBIN : FC_OLDEST_FIRST;
    routed->handover = fc_random_below(random, 2) ? FC_NEXT_CYCLE : FC_WHEN_EMPTY;
    routed->injection_channels = draw(random, 1, routed->virtual_channels);
    routed->ejection_channels = draw(random, 1, 4);
    *longest = draw(random, 1, 12);
    if (!fc_random_below(random, 4)) {
        routed->switching = FC_CUT_THROUGH;
        *longest = *longest < routed->buffer ? *longest : routed->buffer;
    }
}

static fc_trace draw_trace(fc_random *random, uint32_t nodes, int64_t longest) {
    fc_trace trace = {.count = (size_t)draw(random, 20, 160)};
    trace.messages = calloc(trace.count, sizeof *trace.messages);
    const uint32_t span = (uint32_t)draw(random, 10, 600);
    for (uint32_t i = 0; i < trace.count; ++i) {
        fc_trace_message *line = &trace.messages[i];
        *line = (fc_trace_message){.time = fc_random_below(random, span),
                                   .source = fc_random_below(random, nodes),
                                   .destination = fc_random_below(random, nodes),
                                   .flits = (uint32_t)draw(random, 1, longest),
                                   .after = UINT32_MAX};
        if (i && !fc_random_below(random, 5))
            line->after = fc_random_below(random, i);
    }
    return trace;
}

typedef struct record {
    uint64_t started, latency;
} record;

static void remember(void *context, const fc_router_message *message, uint64_t latency) {
    ((record *)context)[message->tag] = (record){message->started, latency};
}

/* Sends drawn messages through the network with the engine and with the reference. what: for
 * messages. */
static void compare(const fc_router_network *network, fc_routed *routed, fc_random *random,
                    int64_t longest, uint32_t number, const char *what) {
    fc_router *engine;
    fc_error error = {{0}};
    fc_trace trace = draw_trace(random, fc_node_count(network), longest);
    trace_work work;
    make_trace_work(&trace, fc_node_count(network), &work);
    routed->workload = &work.workload;
    routed->message_flits = 1;
    reference_outcome *expected = calloc(trace.count, sizeof *expected);
    record *seen = calloc(trace.count, sizeof *seen);
    const uint64_t limit = 100000;
    if (!reference_run(network, routed, &trace, number, limit, expected))
        fail_msg("network %u: the reference does not come to an end", number);
    assert_int_equal(fc_router_create(network, routed, &error, &engine), FC_OK);
    assert_int_equal(fc_work_sources_create(engine, number, 0, &error), FC_OK);
    engine->observer = remember;
    engine->observer_context = seen;
    while (!fc_work_done(fc_work_of(engine)) && engine->time < limit) {
        if (fc_router_run(engine, engine->time + 100, &error) != FC_OK)
            fail_msg("network %u: %s", number, error.text);
    }
    for (size_t i = 0; i < trace.count; ++i) {
        if (seen[i].started != expected[i].started || seen[i].latency != expected[i].latency)
            fail_msg("network %u (%s), message %zu: started %llu, latency %llu; the reference says "
                     "%llu and %llu",
                     number, what, i, (unsigned long long)seen[i].started,
                     (unsigned long long)seen[i].latency, (unsigned long long)expected[i].started,
                     (unsigned long long)expected[i].latency);
    }
    fc_router_free(engine);
    free(trace.messages);
    free(expected);
    free(seen);
}

static void compare_with_reference(uint32_t number) {
    fc_random random = fc_random_stream(21, number, 0);
    fc_torus torus;
    int64_t longest;
    fc_error error = {{0}};
    char what[40];
    draw_routing(&random, &torus);
    draw_timing(&random, &torus.routed, &longest);
    if (torus.routing == FC_MIN_ADAPT && torus.topology == FC_TORUS)
        torus.routed.handover = FC_WHEN_EMPTY; /* else it may deadlock */
    torus.routed.nodes = torus.nodes *= torus.routed.concentration;
    fc_scenario scenario = router_scenario(&torus);
    fc_router_network *network;
    if (fc_router_network_create(&scenario, &error, &network) != FC_OK)
        fail_msg("network %u: %s", number, error.text);
    snprintf(what, sizeof what, "routing %d, rule %d", torus.routing, torus.channel_rule);
    compare(network, &torus.routed, &random, longest, number, what);
    fc_router_network_free(network);
}

/* Networks whose messages may choose between a minimal way and a detour by the queues they see. */
static void compare_detours(uint32_t number) {
    static const char *const networks[] = {
        "topology: dragonfly, hosts: 1, routers: 3, global_links: 1",
        "topology: dragonfly, hosts: 2, routers: 2, global_links: 2, groups: 3, global_delay: 4",
        "topology: hyperx, shape: [3, 2], trunks: [1, 2], concentration: 2",
        "topology: flattened-butterfly, shape: [4], spacing: [2]",
        "topology: slim-fly, q: 3",
        "topology: fat-tree, arity: 3, levels: 2",
        "topology: fat-tree, arity: 2, levels: 3",
    };
    static const char *const routings[] = {"minimal", "valiant", "ugal-local", "ugal-global",
                                           "progressive-adaptive"};
    fc_random random = fc_random_stream(22, number, 0);
    char text[400];
    const char *routing = routings[fc_random_below(&random, 5)];
    const char *drawn = networks[fc_random_below(&random, sizeof networks / sizeof *networks)];
    if (strstr(drawn, "fat-tree"))
        routing = "anca";
    const bool looks = strstr(routing, "ugal") || strstr(routing, "progressive");
    snprintf(text, sizeof text,
             "network: {%s, routing: %s%s}\ntraffic: {rate: 0.1, message_flits: 1}\n", drawn,
             routing,
             !looks                        ? ""
             : fc_random_below(&random, 2) ? ", bias: 0"
                                           : ", bias: 3");
    fc_scenario *scenario = must_read(text, NULL, NULL);
    fc_router_network *network;
    fc_error error;
    if (fc_router_network_create(scenario, &error, &network) != FC_OK)
        fail_msg("network %u: %s", number, error.text);
    fc_routed routed = *fc_scenario_routed(scenario);
    const int64_t link_delay = routed.link_delay, node_delay = routed.node_delay;
    int64_t longest;
    draw_timing(&random, &routed, &longest);
    if (!fc_random_below(&random, 3)) { /* links narrower than a flit per cycle */
        static const uint64_t intervals[] = {65536, 65536, 2 * 65536, 91000};
        network->output_interval = fc_allocate(network->outputs, sizeof *network->output_interval);
        for (uint32_t o = 0; o < network->outputs; ++o)
            network->output_interval[o] = intervals[fc_random_below(&random, 4)];
    }
    routed.link_delay = link_delay; /* as built */
    routed.node_delay = node_delay;
    compare(network, &routed, &random, longest, number, text);
    fc_router_network_free(network);
    fc_scenario_free(scenario);
}

/* Graphs whose nodes have one to three ports each, some of them at the same router; the routers may
 * be in several pieces that only nodes join. */
static void draw_ports(fc_random *random, const char *name) {
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    const uint32_t routers = (uint32_t)draw(random, 2, 8), nodes = (uint32_t)draw(random, 2, 9);
    for (uint32_t r = 0; r < routers; ++r)
        fprintf(file, "router %u node %u\n", r, fc_random_below(random, nodes));
    for (uint32_t n = 0; n < nodes; ++n) {
        fprintf(file, "node %u", n);
        for (int64_t left = draw(random, 1, 3); left > 0; --left)
            fprintf(file, " router %u", fc_random_below(random, routers));
        fprintf(file, "\n");
    }
    for (int64_t left = draw(random, 1, 2 * routers); left > 0; --left) {
        const uint32_t from = fc_random_below(random, routers);
        const uint32_t to = (from + 1 + fc_random_below(random, routers - 1)) % routers;
        fprintf(file, "router %u router %u %u\n", from, to, 1 + fc_random_below(random, 4));
    }
    fclose(file);
}

static void compare_ports(uint32_t number) {
    static const char name[] = "ports_test.graph";
    static const char *const more[] = {"", ", multipath: hash", ", multipath: adaptive",
                                       ", routing: up-down", ", ties: first"};
    char text[300];
    fc_random random = fc_random_stream(24, number, 0);
    fc_scenario *scenario = NULL;
    fc_router_network *network = NULL;
    fc_error error;
    while (!network) {
        draw_ports(&random, name);
        snprintf(text, sizeof text,
                 "network: {topology: graph, file: %s, virtual_channels: 4, port_choice: %s%s}\n"
                 "traffic: {rate: 0.1, message_flits: 1}\n",
                 name, fc_random_below(&random, 2) ? "nearest" : "spread",
                 more[fc_random_below(&random, 5)]);
        fc_scenario_free(scenario);
        scenario = NULL;
        if (read_with(text, NULL, NULL, &error, &scenario) == FC_OK)
            fc_router_network_create(scenario, &error, &network);
    }
    assert_int_equal(fc_router_network_prove(network, fc_scenario_routed(scenario), &error), FC_OK);
    fc_routed routed = *fc_scenario_routed(scenario);
    int64_t longest;
    draw_timing(&random, &routed, &longest);
    routed.link_delay = 4; /* as built */
    routed.node_delay = 1;
    compare(network, &routed, &random, longest, number, text);
    fc_router_network_free(network);
    fc_scenario_free(scenario);
    remove(name);
}

/* Messages of a trace, each of its own class. */
typedef struct class_sources {
    fc_sources sources;
    const fc_trace *trace;
    const int *of_message;
    fc_random random;
    size_t delivered;
} class_sources;

static uint64_t next_of_trace(const fc_router *e) {
    const class_sources *s = (const class_sources *)e->sources;
    uint64_t next = UINT64_MAX;
    for (size_t i = 0; i < s->trace->count; ++i) {
        const uint64_t time = s->trace->messages[i].time;
        next = time >= e->time && time < next ? time : next;
    }
    return next;
}

static void generate_of_trace(fc_router *e) {
    class_sources *s = (class_sources *)e->sources;
    for (uint32_t i = 0; i < s->trace->count; ++i) {
        const fc_trace_message *line = &s->trace->messages[i];
        if (line->time != e->time)
            continue;
        const uint32_t number = fc_router_new_message(e);
        fc_router_message *message = &e->message[number];
        message->born = e->time;
        message->kind = (uint32_t)s->of_message[i];
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

static void count_of_trace(fc_router *e, uint32_t message) {
    (void)message;
    ++((class_sources *)e->sources)->delivered;
}

static void keep_sources(fc_sources *sources) {
    (void)sources;
}

/* Random classes: each in one of a few sets of channels, some before others. */
static void draw_classes(fc_random *random, fc_routed *routed, fc_given_classes *given) {
    const int64_t each = routed->virtual_channels, sets = draw(random, 1, 3);
    *given = (fc_given_classes){.classes = {.count = (size_t)draw(random, sets, 4)}};
    for (size_t c = 0; c < given->classes.count; ++c) {
        const int64_t set = (int64_t)c < sets ? (int64_t)c : draw(random, 0, sets - 1);
        given->classes.list[c] = (fc_class){.first = (uint32_t)(set * each),
                                            .last = (uint32_t)((set + 1) * each - 1),
                                            .priority = draw(random, 0, 2),
                                            .reply = FC_NONE,
                                            .lengths = {.count = 1, .flits = {1}, .share = {1}}};
        snprintf(given->classes.list[c].name, FC_CLASS_NAME_SIZE, "c%zu", c);
        given->rate[c] = 0.01;
        given->back[c] = true;
    }
    routed->virtual_channels = each * sets;
    routed->injection_channels = draw(random, 1, routed->virtual_channels);
    routed->given = given;
}

static void run_classes(const fc_router_network *network, const fc_routed *routed,
                        fc_random *random, int64_t longest, uint32_t number) {
    static const fc_source_kind kind = {.next = next_of_trace,
                                        .generate = generate_of_trace,
                                        .delivered = count_of_trace,
                                        .release = keep_sources};
    const uint64_t limit = 100000;
    fc_error error = {{0}};
    fc_router *engine;
    fc_trace trace = draw_trace(random, network->nodes, longest);
    int *of_message = calloc(trace.count, sizeof *of_message);
    const fc_classes classes = fc_classes_of(routed);
    for (size_t i = 0; i < trace.count; ++i) {
        trace.messages[i].after = UINT32_MAX;
        of_message[i] = (int)fc_random_below(random, (uint32_t)classes.count);
    }
    reference_classes rules = {.count = (int)classes.count, .of_message = of_message};
    for (size_t c = 0; c < classes.count; ++c) {
        const fc_class *class = &classes.list[c];
        rules.rank[c] = (int)class->rank;
        rules.channels[c] = (UINT64_MAX >> (63 - (class->last - class->first))) << class->first;
    }
    reference_outcome *expected = calloc(trace.count, sizeof *expected);
    record *seen = calloc(trace.count, sizeof *seen);
    if (!reference_run_classes(network, routed, &trace, &rules, number, limit, expected))
        fail_msg("network %u: the reference does not come to an end", number);
    assert_int_equal(fc_router_create(network, routed, &error, &engine), FC_OK);
    class_sources sources = {.sources = {&kind},
                             .trace = &trace,
                             .of_message = of_message,
                             .random = fc_random_stream(number, 0, 2)};
    engine->sources = &sources.sources;
    engine->observer = remember;
    engine->observer_context = seen;
    while (sources.delivered < trace.count && engine->time < limit)
        if (fc_router_run(engine, engine->time + 100, &error) != FC_OK)
            fail_msg("network %u: %s", number, error.text);
    for (size_t i = 0; i < trace.count; ++i)
        if (seen[i].started != expected[i].started || seen[i].latency != expected[i].latency)
            fail_msg("network %u with classes, message %zu of class %d: started %llu, latency "
                     "%llu; the reference says %llu and %llu",
                     number, i, of_message[i], (unsigned long long)seen[i].started,
                     (unsigned long long)seen[i].latency, (unsigned long long)expected[i].started,
                     (unsigned long long)expected[i].latency);
    fc_router_free(engine);
    free(trace.messages);
    free(of_message);
    free(expected);
    free(seen);
}

static void compare_classes(uint32_t number) {
    fc_random random = fc_random_stream(23, number, 0);
    fc_torus torus;
    fc_given_classes given;
    int64_t longest;
    fc_error error = {{0}};
    draw_routing(&random, &torus);
    draw_timing(&random, &torus.routed, &longest);
    if (torus.routing == FC_MIN_ADAPT && torus.topology == FC_TORUS)
        torus.routed.handover = FC_WHEN_EMPTY; /* else it may deadlock */
    torus.routed.nodes = torus.nodes *= torus.routed.concentration;
    torus.routed.destinations = &torus.destinations;
    draw_classes(&random, &torus.routed, &given);
    fc_scenario scenario = router_scenario(&torus);
    fc_router_network *network;
    if (fc_router_network_create(&scenario, &error, &network) != FC_OK)
        fail_msg("network %u: %s", number, error.text);
    run_classes(network, &torus.routed, &random, longest, number);
    fc_router_network_free(network);
}

static void engine_follows_the_rules(void **state) {
    (void)state;
#ifdef FC_CHECKS /* every cycle of the engine is checked as well */
    const uint32_t networks = 150;
#else
    const uint32_t networks = 500;
#endif
    for (uint32_t number = 0; number < networks; ++number) {
        compare_with_reference(number);
        compare_detours(number);
        compare_ports(number);
        compare_classes(number);
    }
}

/* ---- laws ---- */

typedef struct laws {
    fc_torus torus;
    fc_scenario scenario;
    fc_router_network *network;
    fc_traffic *traffic;
    fc_router *engine;
} laws;

/* A 4x4 mesh with the routers of four stages; `rate` messages per node per cycle. */
static void begin_mesh(laws *l, double rate) {
    l->torus = router_torus(FC_MESH, (fc_integer_list){.count = 2, .values = {4, 4}}, 4, FC_FREE);
    fc_routed *routed = &l->torus.routed;
    for (int stage = 0; stage < FC_ROUTER_STAGES; ++stage)
        routed->router_delay[stage] = 1;
    routed->buffer = 8;
    routed->ejection_channels = 4;
    routed->rate = rate;
    routed->destinations = &l->torus.destinations;
    l->scenario = router_scenario(&l->torus);
}

static void start(laws *l, uint64_t seed) {
    fc_error error = {{0}};
    if (fc_router_network_create(&l->scenario, &error, &l->network) != FC_OK ||
        fc_router_traffic_create(&l->scenario, l->network, &error, &l->traffic) != FC_OK ||
        fc_router_create(l->network, &l->torus.routed, &error, &l->engine) != FC_OK ||
        fc_open_sources_create(l->engine, l->traffic, seed, 0, &error) != FC_OK)
        fail_msg("%s", error.text);
}

static void run_until(laws *l, uint64_t cycle) {
    fc_error error = {{0}};
    if (fc_router_run(l->engine, cycle, &error) != FC_OK)
        fail_msg("%s", error.text);
}

static void end(laws *l) {
    fc_router_free(l->engine);
    fc_traffic_free(l->traffic);
    fc_router_network_free(l->network);
}

/* The mean number of messages alive is the rate times the mean time they live. */
static void little_holds(void **state) {
    (void)state;
    laws l;
    begin_mesh(&l, 0.08);
    start(&l, 5);
    run_until(&l, 2000);
    l.engine->sums = (fc_router_sums){0};
    double alive = 0;
    const uint64_t cycles = 60000;
    for (uint64_t t = 0; t < cycles; ++t) {
        run_until(&l, 2000 + t + 1);
        alive += l.engine->messages_alive;
    }
    /* A message lives from its generation to the cycle of its delivery: its latency and one. */
    const fc_router_sums *sums = &l.engine->sums;
    assert_close(alive, sums->latency + sums->messages, 0.005);
    assert_close(sums->generated, 0.08 * 16 * (double)cycles, 0.02);
    end(&l);
}

/* Every request is answered, and no node has more under way than it may. */
static void requests_are_answered(void **state) {
    (void)state;
    for (int64_t outstanding = 1; outstanding <= 5; outstanding += 4) {
        laws l;
        begin_mesh(&l, 0.01);
        fc_routed *routed = &l.torus.routed;
        routed->reply_channels = 2;
        routed->outstanding = outstanding;
        routed->requests = (fc_requests){
            .count = 2,
            .types = {{.share = 0.75, .flits = 1, .reply_flits = 5, .memory_reply = 10},
                      {.share = 0.25, .flits = 5, .reply_flits = 1, .memory_reply = 0}}};
        start(&l, 6);
        for (uint64_t t = 1000; t <= 50000; t += 1000) {
            run_until(&l, t);
            for (uint32_t node = 0; node < 16; ++node)
                assert_true(l.engine->node[node].outstanding <= (uint64_t)outstanding);
        }
        const fc_router_sums *sums = &l.engine->sums;
        assert_close(sums->served, sums->generated, 0.01);
        assert_close(sums->messages, 2 * sums->generated, 0.01);
        /* Alone: two ways of 8/3 hops (16 nodes without oneself), 6 flits, 7.5 at the memory; the
         * reply's first cycle from its node counts, as it is on the way. */
        const double alone = 2 * (8.0 / 3 + 4 * (8.0 / 3 + 1)) + 6 + 7.5 + 1;
        const double response = sums->response / sums->served;
        assert_true(response > alone && response < 1.1 * alone);
        assert_true(sums->round_trip >= sums->response);
        end(&l);
    }
}

/* Of three lengths each comes as often as it should. */
static void lengths_are_drawn_by_their_shares(void **state) {
    (void)state;
    laws l;
    begin_mesh(&l, 0.02);
    l.torus.routed.lengths =
        (fc_lengths){.count = 3, .flits = {1, 4, 10}, .share = {0.5, 0.3, 0.2}};
    start(&l, 9);
    run_until(&l, 100000);
    const fc_router_sums *sums = &l.engine->sums;
    assert_close(sums->flits / sums->messages, 0.5 * 1 + 0.3 * 4 + 0.2 * 10, 0.02);
    end(&l);
}

/* Rate and spread of the messages generated in stretches of 50 cycles. */
static void injection_processes(void **state) {
    (void)state;
    static const fc_injection processes[] = {
        {.process = FC_POISSON},
        {.process = FC_BERNOULLI},
        {.process = FC_ON_OFF, .on = 40, .off = 120},
    };
    double spread[3];
    for (size_t p = 0; p < 3; ++p) {
        laws l;
        begin_mesh(&l, 0.05);
        l.torus.routed.message_flits = 1;
        l.torus.routed.injection = processes[p];
        start(&l, 7);
        double sum = 0, squares = 0, before = 0;
        const int stretches = 20000;
        for (int i = 1; i <= stretches; ++i) {
            run_until(&l, (uint64_t)i * 50);
            const double made = l.engine->sums.generated - before;
            before = l.engine->sums.generated;
            sum += made;
            squares += made * made;
        }
        const double mean = sum / stretches;
        assert_close(mean, 0.05 * 16 * 50, p == 2 ? 0.03 : 0.01);
        spread[p] = (squares / stretches - mean * mean) / mean;
        end(&l);
    }
    assert_near(spread[0], 1, 0.05);
    assert_near(spread[1], 1 - 0.05, 0.05);
    assert_true(spread[2] > 3);
}

/* A node may be in the middle of a burst when the run starts: the first cycles have their rate. */
static void bursts_start_as_they_go_on(void **state) {
    (void)state;
    double made = 0;
    const int runs = 300, cycles = 10;
    for (int run = 0; run < runs; ++run) {
        laws l;
        begin_mesh(&l, 0.05);
        l.torus.routed.message_flits = 1;
        l.torus.routed.injection = (fc_injection){.process = FC_ON_OFF, .on = 40, .off = 120};
        start(&l, 100 + (uint64_t)run);
        run_until(&l, (uint64_t)cycles);
        made += l.engine->sums.generated;
        end(&l);
    }
    assert_close(made, 0.05 * 16 * cycles * runs, 0.15);
}

/* Messages far beyond the horizon to which bursts are drawn come at their rate; one that never
 * comes does not keep the run from starting. */
static void bursts_may_be_rare(void **state) {
    (void)state;
    for (int rare = 0; rare < 2; ++rare) {
        laws l;
        begin_mesh(&l, rare ? 1e-15 : 1e-5);
        l.torus.routed.injection = (fc_injection){.process = FC_ON_OFF, .on = 4, .off = 12};
        start(&l, 7);
        run_until(&l, 2000000);
        assert_close(l.engine->sums.generated, rare ? 0 : 1e-5 * 16 * 2000000, 0.2);
        end(&l);
    }
}

/* Nodes with rates of their own. */
static void weights_scale_rates(void **state) {
    (void)state;
    laws l;
    double weights[16];
    begin_mesh(&l, 0.05);
    for (int node = 0; node < 16; ++node)
        weights[node] = node < 8 ? 0.5 : 1.5;
    l.torus.destinations.weights = weights;
    l.torus.routed.message_flits = 1;
    start(&l, 8);
    run_until(&l, 200000);
    double low = 0, high = 0;
    for (int node = 0; node < 16; ++node)
        *(node < 8 ? &low : &high) += (double)l.engine->node[node].messages;
    assert_close(low, 0.025 * 8 * 200000, 0.02);
    assert_close(high, 0.075 * 8 * 200000, 0.02);
    end(&l);
}

/* ---- the papers' router ---- */

extern const fc_simulator fc_simulator_flit;
extern const fc_simulator fc_simulator_router;

static double simulated_latency(const fc_simulator *simulator, const fc_scenario *scenario) {
    const fc_simulation_settings settings = {
        .precision = 0.01, .max_cycles = 200000, .seed = 3, .replications = 4};
    fc_error error = {{0}};
    fc_result *result = fc_result_create(&simulator->info, scenario);
    if (fc_driver_run_task(&(fc_driver_task){simulator, scenario, &settings, "latency"}, NULL,
                           &error, result) != FC_OK)
        fail_msg("%s", error.text);
    assert_string_equal(result->metrics[0].name, "latency");
    const double latency = result->metrics[0].value;
    fc_result_free(result);
    return latency;
}

/* Without stages the flit simulator moves messages by the same rules, but fills a place in the
 * cycle in which it becomes free; here the credit takes a cycle, so buffers count for one less. */
static void like_the_flit_simulator(void **state) {
    (void)state;
    fc_torus t =
        router_torus(FC_TORUS, (fc_integer_list){.count = 2, .values = {6, 6}}, 4, FC_DATELINE);
    t.buffer = 5;
    t.message_flits = 16;
    t.routed.destinations = &t.destinations;
    for (int load = 0; load < 2; ++load) {
        t.rate = load ? 0.018 : 0.008;
        fc_torus ideal = t;
        ideal.buffer = 4;
        const fc_scenario scenario = router_scenario(&t), flits = router_scenario(&ideal);
        assert_close(simulated_latency(&fc_simulator_router, &scenario),
                     simulated_latency(&fc_simulator_flit, &flits), 0.02);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(engine_follows_the_rules),
        cmocka_unit_test(little_holds),
        cmocka_unit_test(requests_are_answered),
        cmocka_unit_test(lengths_are_drawn_by_their_shares),
        cmocka_unit_test(injection_processes),
        cmocka_unit_test(bursts_start_as_they_go_on),
        cmocka_unit_test(bursts_may_be_rare),
        cmocka_unit_test(weights_scale_rates),
        cmocka_unit_test(like_the_flit_simulator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
