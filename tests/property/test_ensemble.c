/* The builds of the ensemble's core against the event engine, message by message, on random
 * networks and settings of their scope; lanes against single ones by a hash of the messages. */
#include "scenario_support.h"

#include <stdlib.h>
#include <string.h>
#include "base/random.h"
#include "network/router_traffic.h"
#include "simulators/ensemble/ensemble.h"
#include "simulators/router/sources.h"

enum { STRETCHES = 3 };

typedef struct seen {
    uint64_t born, started, latency;
    uint32_t source, destination, flits, routers;
} seen;

typedef struct messages {
    seen *list;
    size_t count, room;
    uint64_t hash[FC_CORE_MOST_LANES]; /* a sum: the order within a lane does not matter */
} messages;

/* ---- random networks ---- */

static const char *one_of(fc_random *random, const char *const *list) {
    uint32_t count = 0;
    while (list[count])
        ++count;
    return list[fc_random_below(random, count)];
}
#define ONE_OF(...) one_of(random, (const char *const[]){__VA_ARGS__, NULL})

static const char *draw_grid(fc_random *random) {
    return ONE_OF("topology: mesh, radix: [4, 4], virtual_channels: 4",
                  "topology: mesh, radix: [3, 5], virtual_channels: 2, order: descending",
                  "topology: mesh, radix: [4, 4], virtual_channels: 1",
                  "topology: mesh, radix: [3, 3], virtual_channels: 8",
                  "topology: mesh, radix: [2, 3, 2], virtual_channels: 3",
                  "topology: mesh, radix: [4, 4], virtual_channels: 4, routing: o1turn",
                  "topology: mesh, radix: [3, 4], virtual_channels: 5, routing: o1turn",
                  "topology: mesh, radix: [3, 2], virtual_channels: 4, concentration: 3",
                  "topology: torus, radix: [4, 4], virtual_channels: 4, channel_rule: dateline",
                  "topology: torus, radix: [5, 4], virtual_channels: 2, channel_rule: dateline",
                  "topology: torus, radix: [4, 3], virtual_channels: 2, channel_rule: high-low",
                  "topology: torus, radix: [4, 4], virtual_channels: 6, channel_rule: wrapping",
                  ("topology: torus, radix: [4, 4], virtual_channels: 4, channel_rule: dateline, "
                   "routing: o1turn"),
                  ("topology: torus, radix: [4], virtual_channels: 4, channel_rule: dateline, "
                   "links: unidirectional, direction: decreasing"),
                  "topology: ring, radix: [8], virtual_channels: 4, channel_rule: dateline",
                  "topology: hypercube, dimensions: 4, virtual_channels: 3",
                  "topology: hypercube, dimensions: 3, virtual_channels: 8, concentration: 2");
}

/* Routes are in tables; ports differ from router to router. */
static const char *draw_tree(fc_random *random) {
    return ONE_OF("topology: fly, arity: 2, levels: 4, virtual_channels: 4",
                  "topology: fly, arity: 4, levels: 2, virtual_channels: 2",
                  "topology: fly, arity: 3, levels: 3, virtual_channels: 1",
                  "topology: fly, arity: 8, levels: 2, virtual_channels: 8",
                  "topology: fly, arity: 2, levels: 1, virtual_channels: 3",
                  "topology: fly, arity: 2, levels: 4, extra_stages: 3, routing: random, "
                  "virtual_channels: 4",
                  "topology: fly, arity: 3, levels: 3, extra_stages: 1, routing: destination, "
                  "virtual_channels: 5",
                  "topology: fly, arity: 4, levels: 3, extra_stages: 2, routing: random, "
                  "virtual_channels: 2",
                  "topology: fat-tree, arity: 2, levels: 4, virtual_channels: 4",
                  "topology: fat-tree, arity: 4, levels: 2, virtual_channels: 3",
                  "topology: fat-tree, arity: 3, levels: 3, virtual_channels: 1",
                  "topology: fat-tree, arity: 4, levels: 3, virtual_channels: 8",
                  "topology: fat-tree, arity: 2, levels: 4, routing: random, virtual_channels: 2",
                  "topology: fat-tree, arity: 3, levels: 3, routing: random, virtual_channels: 4",
                  "topology: fat-tree, arity: 4, levels: 3, routing: random, virtual_channels: 2, "
                  "oversubscription: [2, 4]",
                  "topology: fat-tree, arity: 4, levels: 3, virtual_channels: 4, "
                  "oversubscription: [2, 1]",
                  "topology: fat-tree, arity: 6, levels: 2, routing: random, virtual_channels: 5, "
                  "oversubscription: [3]");
}

typedef struct sort_of_network {
    const char *(*draw)(fc_random *random);
    uint32_t stream; /* of random numbers */
} sort_of_network;

static const sort_of_network grids = {draw_grid, 0}, trees = {draw_tree, 1};

static void describe(fc_random *random, const sort_of_network *sort, char *text, size_t size) {
    char routers[200], traffic[200];
    const char *network = sort->draw(random);
    snprintf(routers, sizeof routers,
             "router_delay: [%u, %u, %u, %u], link_delay: %u, node_delay: %u, credit_delay: %u, "
             "buffer: %u, input_speedup: %s, injection_channels: %u, ejection_channels: 1",
             fc_random_below(random, 3), fc_random_below(random, 3), fc_random_below(random, 3),
             fc_random_below(random, 3), 1 + fc_random_below(random, 3),
             1 + fc_random_below(random, 3), fc_random_below(random, 3),
             fc_random_below(random, 4) ? 1 + fc_random_below(random, 9) : 31,
             ONE_OF("1", "infinite"), 1 + fc_random_below(random, 3));
    snprintf(traffic, sizeof traffic, "rate: %g, %s, injection: %s, destinations: %s",
             0.002 + 0.1 * fc_random_unit(random) * fc_random_unit(random),
             ONE_OF("message_flits: 1", "message_flits: 4", "message_flits: 16",
                    "message_flits: 64",
                    ("message_mix: [{flits: 1, share: 0.6}, {flits: 5, share: 0.3}, "
                     "{flits: 33, share: 0.1}]")),
             ONE_OF("bernoulli", "poisson"),
             sort == &grids
                 ? ONE_OF("uniform", "uniform", "{hot-spot: {share: 0.2, node: 3}}",
                          "bit-complement", "{near-neighbour: 0.5}", "{random-permutation: 1}")
                 : ONE_OF("uniform", "uniform", "{hot-spot: {share: 0.2, node: 1}}",
                          "{random-permutation: 1}"));
    snprintf(text, size, "network: {%s, %s}\ntraffic: {%s}\n", network, routers, traffic);
}

/* ---- what is seen ---- */

static void add(messages *record, uint32_t lane, const seen *one) {
    const uint64_t fields[] = {one->born,        one->started, one->latency, one->source,
                               one->destination, one->flits,   one->routers};
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i)
        hash = (hash ^ fields[i]) * 0x9e3779b97f4a7c15u ^ hash >> 29;
    record->hash[lane] += hash;
    if (record->count == record->room) {
        record->room = 2 * record->room + 1024;
        record->list = realloc(record->list, record->room * sizeof *record->list);
        assert_non_null(record->list);
    }
    record->list[record->count++] = *one;
}

static void see_event(void *context, const fc_router_message *message, uint64_t latency) {
    add(context, 0,
        &(seen){message->born, message->started, latency, message->course.source,
                message->course.destination, message->flits, message->routers});
}

static void see_core(void *context, uint32_t lane, const fc_core_header *header, uint64_t latency) {
    add(context, lane,
        &(seen){header->born, header->started, latency, header->source, header->destination,
                header->flits, header->routers});
}

static int compare_seen(const void *a, const void *b) {
    return memcmp(a, b, sizeof(seen));
}

static void assert_same_messages(const char *text, messages *events, messages *core) {
    if (events->count)
        qsort(events->list, events->count, sizeof *events->list, compare_seen);
    if (core->count)
        qsort(core->list, core->count, sizeof *core->list, compare_seen);
    for (size_t i = 0; i < events->count && i < core->count; ++i) {
        const seen *e = &events->list[i], *c = &core->list[i];
        if (memcmp(e, c, sizeof *e) != 0)
            fail_msg("%s\nmessage %zu of %u: events: born %llu, started %llu, latency %llu to %u; "
                     "core: from %u, %llu, %llu, %llu to %u",
                     text, i, e->source, (unsigned long long)e->born,
                     (unsigned long long)e->started, (unsigned long long)e->latency, e->destination,
                     c->source, (unsigned long long)c->born, (unsigned long long)c->started,
                     (unsigned long long)c->latency, c->destination);
    }
    if (events->count != core->count)
        fail_msg("%s\nevents delivered %zu messages, the core %zu", text, events->count,
                 core->count);
}

/* ---- one network ---- */

typedef struct world {
    char text[800];
    fc_scenario *scenario;
    fc_router_network *network;
    fc_traffic *traffic;
    uint64_t until[STRETCHES];
} world;

static void assert_same_sums(const world *w, const fc_router *engine, const fc_ensemble *ensemble,
                             fc_core_tally *all) {
    const fc_core_tally *tally = fc_ensemble_tally(ensemble, 0);
    const fc_router_sums *sums = &engine->sums;
    all->generated += tally->generated;
    all->messages += tally->messages;
    if (sums->messages != (double)tally->messages || sums->latency != (double)tally->latency ||
        sums->source_wait != (double)tally->source_wait ||
        sums->routers != (double)tally->routers || sums->flits != (double)tally->flits ||
        sums->flit_routers != (double)tally->flit_routers ||
        sums->generated != (double)tally->generated ||
        sums->generated_flits != (double)tally->generated_flits ||
        engine->messages_alive != all->generated - all->messages)
        fail_msg("%s\nsums differ at cycle %llu: messages %g %g, generated %g %g, latency %g %g",
                 w->text, (unsigned long long)engine->time, sums->messages, (double)tally->messages,
                 sums->generated, (double)tally->generated, sums->latency, (double)tally->latency);
    for (uint32_t o = 0; o < w->network->outputs; ++o) {
        const fc_output *output = &engine->output[o];
        assert_int_equal(output->crossed, fc_ensemble_crossed(ensemble, 0, o));
        assert_int_equal(output->granted, fc_ensemble_granted(ensemble, 0, o));
        assert_int_equal(output->waited, fc_ensemble_output(ensemble, 0, o)->waited);
    }
    for (uint32_t n = 0; n < w->network->nodes; ++n) {
        const fc_router_node *node = &engine->node[n];
        assert_int_equal(node->injected, fc_ensemble_injected(ensemble, 0, n));
        assert_int_equal(node->messages, fc_ensemble_node(ensemble, 0, n)->messages);
        assert_int_equal(node->latency, fc_ensemble_node(ensemble, 0, n)->latency);
        assert_int_equal(node->source_wait, fc_ensemble_node(ensemble, 0, n)->source_wait);
    }
}

static fc_ensemble *start(const world *w, uint32_t first, fc_ensemble_build build,
                          messages *record) {
    fc_ensemble *ensemble;
    fc_error error = {{0}};
    if (fc_ensemble_create(w->scenario, w->network, w->traffic, 7, first, fc_ensemble_lanes(build),
                           build, &error, &ensemble) != FC_OK)
        fail_msg("%s\n%s", w->text, error.text);
    fc_ensemble_observe(ensemble, see_core, record);
    return ensemble;
}

static void compare_with_events(const world *w) {
    messages events = {0}, core = {0};
    fc_core_tally all = {0};
    fc_error error = {{0}};
    fc_router *engine;
    fc_ensemble *ensemble = start(w, 0, FC_ENSEMBLE_SCALAR, &core);
    if (fc_router_create(w->network, fc_scenario_routed(w->scenario), &error, &engine) != FC_OK ||
        fc_open_sources_create(engine, w->traffic, 7, 0, &error) != FC_OK)
        fail_msg("%s\n%s", w->text, error.text);
    engine->observer = see_event;
    engine->observer_context = &events;
    for (int i = 0; i < STRETCHES; ++i) {
        engine->sums = (fc_router_sums){0};
        if (fc_router_run(engine, w->until[i], &error) != FC_OK)
            fail_msg("%s\n%s", w->text, error.text);
        assert_int_equal(fc_ensemble_run(ensemble, w->until[i], NULL), FC_OK);
        assert_same_messages(w->text, &events, &core);
        assert_same_sums(w, engine, ensemble, &all);
    }
    fc_router_free(engine);
    fc_ensemble_free(ensemble);
    free(events.list);
    free(core.list);
}

/* Every lane of every build that runs here does what a single one of that replication does. */
static void compare_lanes(const world *w) {
    uint64_t expected[FC_CORE_MOST_LANES];
    for (uint32_t lane = 0; lane < FC_CORE_MOST_LANES; ++lane) {
        messages single = {0};
        fc_ensemble *ensemble = start(w, lane, FC_ENSEMBLE_SCALAR, &single);
        assert_int_equal(fc_ensemble_run(ensemble, w->until[1], NULL), FC_OK);
        expected[lane] = single.hash[0];
        fc_ensemble_free(ensemble);
        free(single.list);
    }
    for (fc_ensemble_build build = FC_ENSEMBLE_PLAIN; build < FC_ENSEMBLE_BUILDS; ++build) {
        if (!fc_ensemble_runs(build) ||
            (build == FC_ENSEMBLE_WIDE && fc_ensemble_word(w->scenario, w->network) != 32))
            continue;
        messages lanes = {0};
        fc_ensemble *ensemble = start(w, 0, build, &lanes);
        assert_int_equal(fc_ensemble_run(ensemble, w->until[0], NULL), FC_OK);
        assert_int_equal(fc_ensemble_run(ensemble, w->until[1], NULL), FC_OK);
        for (uint32_t lane = 0; lane < fc_ensemble_lanes(build); ++lane) {
            if (lanes.hash[lane] != expected[lane])
                fail_msg("%s\nbuild %d: lane %u differs from the single one", w->text, (int)build,
                         lane);
        }
        fc_ensemble_free(ensemble);
        free(lanes.list);
    }
}

static void each_network(const sort_of_network *sort, uint32_t networks,
                         void (*compare)(const world *)) {
    for (uint32_t number = 0; number < networks; ++number) {
        fc_random random = fc_random_stream(31, number, sort->stream);
        fc_error error = {{0}};
        world w;
        describe(&random, sort, w.text, sizeof w.text);
        w.scenario = must_read(w.text, NULL, NULL);
        if (fc_router_network_create(w.scenario, &error, &w.network) != FC_OK ||
            fc_ensemble_covers(w.scenario, w.network, &error) != FC_OK ||
            fc_router_traffic_create(w.scenario, w.network, &error, &w.traffic) != FC_OK)
            fail_msg("%s\n%s", w.text, error.text);
        w.until[0] = 1 + fc_random_below(&random, 200);
        w.until[1] = w.until[0] + 1 + fc_random_below(&random, 400);
        w.until[2] = w.until[1] + 1 + fc_random_below(&random, 3);
        compare(&w);
        fc_traffic_free(w.traffic);
        fc_router_network_free(w.network);
        fc_scenario_free(w.scenario);
    }
}

static void core_follows_the_event_engine(void **state) {
    (void)state;
    each_network(&grids, 400, compare_with_events);
}

static void core_follows_the_event_engine_in_trees(void **state) {
    (void)state;
    each_network(&trees, 150, compare_with_events);
}

static void lanes_are_single_networks(void **state) {
    (void)state;
    each_network(&grids, 100, compare_lanes);
    each_network(&trees, 50, compare_lanes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(core_follows_the_event_engine),
        cmocka_unit_test(core_follows_the_event_engine_in_trees),
        cmocka_unit_test(lanes_are_single_networks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
