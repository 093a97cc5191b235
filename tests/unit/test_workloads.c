/* Work that ends: every collective brings everybody what it should, exact durations, files that are
 * read while they run. */
#include "test_support.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/random.h"
#include "scenario_support.h"
#include "workloads/message_graph.h"
#include "workloads/work.h"

/* ---- collectives ---- */

enum { RANKS_MAX = 40 };

typedef struct flying {
    fc_work_item item;
    uint64_t time, knows;
} flying;

/* Delivers every packet after a drawn time. A packet carries what its sender knows when it is sent;
 * at the end knows[] tells whose data have reached each rank. Returns the packets. */
static size_t play(const fc_workload *workload, uint64_t seed, uint64_t *knows) {
    static flying list[200000];
    fc_random random = fc_random_stream(seed, 0, 9);
    fc_work *work;
    fc_error error = {{0}};
    size_t count = 0, total = 0;
    if (fc_work_create(workload, (fc_places){(uint32_t)workload->ranks, NULL}, 1,
                       (fc_random_key){1, 0}, &error, &work) != FC_OK)
        fail_msg("%s", error.text);
    for (int64_t rank = 0; rank < workload->ranks; ++rank)
        knows[rank] = (uint64_t)1 << rank;
    for (uint64_t now = 0; !fc_work_done(work); ++now) {
        assert_true(now < 10000000);
        for (size_t i = 0; i < count; ++i) {
            if (list[i].time > now)
                continue;
            knows[list[i].item.destination] |= list[i].knows;
            fc_work_delivered(work, &list[i].item, now);
            list[i--] = list[--count];
        }
        if (fc_work_next(work) <= now)
            assert_int_equal(fc_work_advance(work, now, &error), FC_OK);
        for (uint32_t node; (node = fc_work_waking(work)) != UINT32_MAX;) {
            fc_work_item item;
            while (fc_work_take(work, node, &item)) {
                assert_true(count < sizeof list / sizeof list[0]);
                assert_int_not_equal(item.source, item.destination);
                list[count++] = (flying){item, now + 1 + fc_random_below(&random, 50), knows[node]};
                ++total;
            }
        }
    }
    assert_int_equal(count, 0);
    assert_true(fc_work_share(work) == 1);
    fc_work_free(work);
    return total;
}

static fc_workload one_phase(fc_phase *phase, fc_phase_group *group, int64_t ranks) {
    *group = (fc_phase_group){.count = 1, .times = 1};
    phase->periodic = -1;
    phase->choices = phase->choices ? phase->choices : 1;
    return (fc_workload){.count = 1,
                         .phases = phase,
                         .group_count = 1,
                         .groups = group,
                         .flit_bytes = 32,
                         .packet_flits = 4,
                         .ranks = ranks,
                         .placement = {.seed = -1}};
}

static void everybody_gets_everything(void **state) {
    (void)state;
    static const struct {
        fc_phase_kind kind;
        fc_algorithm algorithm;
        bool powers;
    } cases[] = {
        {FC_PHASE_ALL_REDUCE, FC_ALGORITHM_RING, false},
        {FC_PHASE_ALL_REDUCE, FC_ALGORITHM_RECURSIVE_DOUBLING, false},
        {FC_PHASE_ALL_REDUCE, FC_ALGORITHM_HALVING_DOUBLING, false},
        {FC_PHASE_ALL_REDUCE, FC_ALGORITHM_TWO_TREES, false},
        {FC_PHASE_ALL_GATHER, FC_ALGORITHM_RING, false},
        {FC_PHASE_ALL_GATHER, FC_ALGORITHM_RECURSIVE_DOUBLING, true},
        {FC_PHASE_REDUCE_SCATTER, FC_ALGORITHM_RING, false},
        {FC_PHASE_REDUCE_SCATTER, FC_ALGORITHM_RECURSIVE_HALVING, true},
        {FC_PHASE_ALL_TO_ALL, FC_ALGORITHM_DIRECT, false},
        {FC_PHASE_ALL_TO_ALL, FC_ALGORITHM_PAIRWISE, false},
        {FC_PHASE_ALL_REDUCE, FC_ALGORITHM_MULTI_RING, false},
        {FC_PHASE_ALL_GATHER, FC_ALGORITHM_MULTI_RING, false},
        {FC_PHASE_REDUCE_SCATTER, FC_ALGORITHM_MULTI_RING, false},
        {FC_PHASE_ALL_REDUCE, FC_ALGORITHM_DIRECT, false},
        {FC_PHASE_ALL_GATHER, FC_ALGORITHM_DIRECT, false},
        {FC_PHASE_REDUCE_SCATTER, FC_ALGORITHM_DIRECT, false},
        {FC_PHASE_ALL_REDUCE, FC_ALGORITHM_HIERARCHICAL, false},
        {FC_PHASE_ALL_GATHER, FC_ALGORITHM_HIERARCHICAL, false},
        {FC_PHASE_REDUCE_SCATTER, FC_ALGORITHM_HIERARCHICAL, false},
        {FC_PHASE_ALL_TO_ALL, FC_ALGORITHM_HIERARCHICAL, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        for (int64_t ranks = 1; ranks <= RANKS_MAX; ++ranks) {
            if (cases[i].powers && (ranks & (ranks - 1)))
                continue;
            fc_phase phase = {.kind = cases[i].kind,
                              .algorithm = (int)cases[i].algorithm,
                              .bytes = 3 * ranks * 32 + 17,
                              .inner = cases[i].kind == FC_PHASE_ALL_TO_ALL ? FC_ALGORITHM_DIRECT
                                                                            : FC_ALGORITHM_RING,
                              .outer = cases[i].kind == FC_PHASE_ALL_TO_ALL ? FC_ALGORITHM_PAIRWISE
                                                                            : FC_ALGORITHM_RING,
                              .inner_ranks = ranks % 4 == 0   ? 4
                                             : ranks % 3 == 0 ? 3
                                                              : 1,
                              .order = (int)(ranks % 3),
                              .rings = ranks % 5,
                              .chunks = cases[i].algorithm == FC_ALGORITHM_TWO_TREES ? 3 : 0};
            fc_phase_group group;
            const fc_workload workload = one_phase(&phase, &group, ranks);
            uint64_t knows[RANKS_MAX];
            play(&workload, (uint64_t)ranks, knows);
            for (int64_t rank = 0; rank < ranks; ++rank) {
                if (knows[rank] != UINT64_MAX >> (64 - ranks))
                    fail_msg("case %zu, %d ranks: rank %d has not heard of all", i, (int)ranks,
                             (int)rank);
            }
        }
    }
}

static void a_broadcast_reaches_all_from_its_root(void **state) {
    (void)state;
    for (int64_t ranks = 1; ranks <= RANKS_MAX; ++ranks) {
        for (int ring = 0; ring < 2; ++ring) {
            fc_phase phase = {.kind = FC_PHASE_BROADCAST,
                              .algorithm = ring ? FC_ALGORITHM_RING : FC_ALGORITHM_BINOMIAL,
                              .bytes = 1000,
                              .chunks = 2,
                              .root = ranks / 2};
            fc_phase_group group;
            const fc_workload workload = one_phase(&phase, &group, ranks);
            uint64_t knows[RANKS_MAX];
            /* 1000 bytes in two chunks of 16 flits: 4 packets each, once into every other rank. */
            assert_int_equal(play(&workload, 3, knows), 8 * (ranks - 1));
            for (int64_t rank = 0; rank < ranks; ++rank)
                assert_true(knows[rank] >> phase.root & 1);
        }
    }
}

/* Phases that ranks go through at their own pace, a barrier, repetitions. */
static void phases_follow_each_other(void **state) {
    (void)state;
    fc_phase phases[] = {
        {.kind = FC_PHASE_COMPUTE, .cycles = 30},
        {.kind = FC_PHASE_HALO_EXCHANGE, .bytes = 64, .periodic = 1, .grid = {3, {2, 3, 2}}},
        {.kind = FC_PHASE_BARRIER},
        {.kind = FC_PHASE_EXPERTS, .bytes = 32, .tokens = 5, .choices = 2, .skew = 1, .cycles = 3},
    };
    fc_phase_group groups[] = {{.first = 0, .count = 3, .times = 5},
                               {.first = 3, .count = 1, .times = 1}};
    const fc_workload workload = {.count = 4,
                                  .phases = phases,
                                  .group_count = 2,
                                  .groups = groups,
                                  .flit_bytes = 32,
                                  .packet_flits = 4,
                                  .ranks = 12,
                                  .placement = {.seed = -1}};
    uint64_t knows[RANKS_MAX];
    const size_t once = play(&workload, 1, knows), again = play(&workload, 2, knows);
    assert_int_equal(once, again);
    /* a grid of 2 x 3 x 2: one neighbour, two and one */
    assert_true(once > 5 * 12 * 4);
}

/* ---- exact durations ---- */

static double metric(const char *text, bool simulated, const char *name) {
    fc_scenario *scenario;
    fc_result *result;
    fc_error error = {{0}};
    if (fc_scenario_read_text(text, strlen(text), "test.yaml", NULL, 0, &error, &scenario) != FC_OK)
        fail_msg("%s", error.text);
    const fc_status status = simulated ? fc_simulate(scenario, NULL, &error, &result)
                                       : fc_predict(scenario, NULL, &error, &result);
    if (status != FC_OK)
        fail_msg("%s", error.text);
    const fc_metric *found = fc_result_metric(result, name);
    assert_non_null(found);
    const double value = found->value;
    fc_result_free(result);
    fc_scenario_free(scenario);
    return value;
}

static void a_ring_reaches_its_bound(void **state) {
    (void)state;
    static const char text[] =
        "network: {topology: ring, radix: [8]}\n"
        "traffic: {workload: {all-reduce: {algorithm: ring, bytes: 1048576}}}\n";
    const double flits = 1048576.0 / 32, best = 2 * 7.0 / 8 * flits;
    const double duration = metric(text, true, "duration");
    assert_true(duration >= best && duration < 1.02 * best);
    assert_true(metric(text, true, "efficiency") > 0.98);
    assert_true(metric(text, false, "duration") < 1.02 * best);
}

/* log2 p steps of size + one hop; the cycle of injection is part of each. */
static void recursive_doubling_on_a_hypercube_has_no_contention(void **state) {
    (void)state;
    static const char text[] =
        "network: {topology: hypercube, dimensions: 4}\n"
        "traffic: {workload: {all-reduce: {algorithm: recursive-doubling, bytes: 512}}}\n";
    assert_true(metric(text, true, "duration") == 4 * (16 + 1 + 1));
    assert_true(metric(text, true, "efficiency") == 1);
    assert_true(metric(text, false, "duration") == 4 * (16 + 1 + 1));
}

static void all_to_all_on_a_crossbar_meets_the_ejection_bound(void **state) {
    (void)state;
    static const char text[] = "network: {topology: fly, arity: 32, levels: 1}\n"
                               "traffic: {workload: {all-to-all: {bytes: 4096}}}\n";
    assert_true(metric(text, true, "duration_bound") == 31 * 128);
    assert_true(metric(text, true, "efficiency") > 0.98);
}

static void a_chain_is_the_sum_of_its_messages(void **state) {
    (void)state;
    static const char file[] = "chain_of_messages.csv";
    FILE *stream = fopen(file, "w");
    assert_non_null(stream);
    fputs("time,source,destination,bytes,after\n0,0,5,320\n3,5,9,64,0\n0,9,2,32,1\n", stream);
    fclose(stream);
    static const char text[] = "network: {topology: mesh, radix: [4, 4], router_delay: 2}\n"
                               "traffic: {workload: {file: chain_of_messages.csv}}\n";
    /* hops 2, 1 and 3, three cycles each; a router at the end, two cycles */
    const double sum = (10 + 2 * 3 + 2 + 1) + 3 + (2 + 1 * 3 + 2 + 1) + (1 + 3 * 3 + 2 + 1);
    assert_true(metric(text, true, "duration") == sum);
    assert_true(metric(text, true, "duration_bound") == sum);
    assert_true(metric(text, false, "duration") == sum);
    remove(file);
}

/* ---- what decides ---- */

static fc_result *run_of(const char *text, bool simulated) {
    fc_scenario *scenario;
    fc_result *result;
    fc_error error = {{0}};
    if (fc_scenario_read_text(text, strlen(text), "test.yaml", NULL, 0, &error, &scenario) != FC_OK)
        fail_msg("%s", error.text);
    if ((simulated ? fc_simulate(scenario, NULL, &error, &result)
                   : fc_predict(scenario, NULL, &error, &result)) != FC_OK)
        fail_msg("%s", error.text);
    fc_scenario_free(scenario);
    return result;
}

/* Two branches wait for message 0; message 3 is sent when both have come. */
static void the_longest_chain_is_named(void **state) {
    (void)state;
    static const char file[] = "branches_of_messages.csv";
    FILE *stream = fopen(file, "w");
    assert_non_null(stream);
    fputs("time,source,destination,bytes,after\n0,0,1,320\n0,1,2,32,0\n7,1,3,960,0\n0,3,0,32,1;2\n",
          stream);
    fclose(stream);
    static const char text[] = "network: {topology: mesh, radix: [2, 2], virtual_channels: 2}\n"
                               "traffic: {workload: {file: branches_of_messages.csv}}\n";
    for (int simulated = 0; simulated < 2; ++simulated) {
        fc_result *result = run_of(text, simulated);
        const fc_chain *chain = &result->critical.chain;
        assert_string_equal(chain->path, "0 to 1, 1 to 3, 3 to 0");
        assert_string_equal(result->critical.alone.path, chain->path);
        assert_int_equal(chain->messages, 3);
        assert_true(chain->waiting == 0 && chain->computing == 7);
        assert_true(chain->cycles == fc_result_metric(result, "duration")->value);
        assert_string_equal(result->critical.phase, "1 file");
        assert_string_equal(result->critical.link, "1 to 3");
        const fc_table *table = fc_result_table(result, "chain");
        assert_int_equal(table->rows, 3);
        assert_true(table->values[1 * table->columns + 2] ==
                    table->values[0 * table->columns + 3] + 7);
        fc_result_free(result);
    }
    remove(file);
}

/* Whatever the phases: a message is due when the one before it is there, or later, and the parts
 * add up to the whole. */
static void a_chain_covers_the_whole_run(void **state) {
    (void)state;
    static const char text[] =
        "network: {topology: torus, radix: [3, 3], virtual_channels: 2}\n"
        "traffic: {workload: [{compute: 11}, {all-reduce: {algorithm: two-trees, bytes: 2000}}, "
        "barrier, {mixture-of-experts: {tokens: 9, bytes: 100, compute: 5}}, {repeat: {times: 3, "
        "phases: [{halo-exchange: {bytes: 300}}, {compute: 20}]}}]}\n"
        "simulation: {replications: 1}\n";
    for (int simulated = 0; simulated < 2; ++simulated) {
        fc_result *result = run_of(text, simulated);
        const fc_chain *chain = &result->critical.chain;
        const fc_table *table = fc_result_table(result, "chain");
        assert_non_null(table);
        assert_int_equal(table->rows, chain->messages);
        assert_true(chain->messages > 8);
        double there = 0;
        for (size_t i = 0; i < table->rows; ++i) {
            const double *row = &table->values[i * table->columns];
            assert_true(row[2] >= there);
            assert_true(row[3] >= row[2] + row[4]);
            there = row[3];
        }
        /* at the beginning, before experts answer, between and at the end */
        assert_true(chain->computing >= 11 + 3 * 20);
        assert_true(chain->cycles >= there + 20);
        assert_close(chain->alone + chain->waiting + chain->computing, chain->cycles, 1e-9);
        assert_close(chain->cycles, fc_result_metric(result, "duration")->value, 1e-9);
        fc_result_free(result);
    }
}

/* The interval of a forecast does not reach below what no network can beat. */
static void a_forecast_stays_above_the_bound(void **state) {
    (void)state;
    static const char text[] =
        "network: {topology: torus, radix: [4, 4, 4], virtual_channels: 4, buffer: 8}\n"
        "traffic: {workload: {all-reduce: {algorithm: ring, bytes: 65536}}}\n";
    fc_scenario *scenario;
    fc_result *result;
    fc_error error = {{0}};
    assert_int_equal(fc_scenario_read_text(text, strlen(text), "t", NULL, 0, &error, &scenario),
                     FC_OK);
    assert_int_equal(fc_predict(scenario, NULL, &error, &result), FC_OK);
    const double bound = fc_result_metric(result, "duration_bound")->value;
    assert_true(result->accuracy.known);
    assert_true(result->value_low >= bound && result->value_high > bound);
    fc_result_free(result);
    fc_scenario_free(scenario);
}

/* ---- files ---- */

/* When messages become due if each takes as many cycles as it has flits. */
static void drain(fc_message_graph *graph, uint64_t *due, uint32_t *led) {
    fc_due_heap sent = {0};
    fc_chains chains = fc_chains_make();
    static uint32_t chained[1 << 12];
    fc_message_graph_follow(graph, &chains, FC_NO_MESSAGE);
    fc_error error;
    while (fc_message_graph_left(graph)) {
        const uint64_t next = fc_message_graph_next(graph), arrival = fc_due_next(&sent);
        const uint64_t now = next < arrival ? next : arrival;
        while (fc_due_next(&sent) <= now) {
            const uint32_t number = (uint32_t)fc_due_pop(&sent).order;
            fc_message_graph_delivered(graph, number, now, chained[number]);
            fc_chains_drop(&chains, chained[number]);
        }
        if (!fc_message_graph_left(graph))
            break;
        assert_int_equal(fc_message_graph_read_on(graph, now, &error), FC_OK);
        fc_graph_due taken;
        while (fc_message_graph_take(graph, now, &taken)) {
            due[taken.number] = taken.time;
            led[taken.number] =
                taken.before == FC_NO_MESSAGE ? UINT32_MAX : chains.record[taken.before].source;
            chained[taken.number] = fc_chains_add(
                &chains, &(fc_chained){.source = taken.number, .before = taken.before});
            fc_chains_drop(&chains, taken.before);
            const uint64_t takes = fc_message_graph_message(graph, taken.number)->flits;
            assert_true(fc_due_push(&sent, now + takes, taken.number));
        }
    }
    fc_release(sent.item);
    assert_int_equal(fc_message_graph_late(graph), 0);
    fc_message_graph_free(graph);
    assert_int_equal(chains.used, 0); /* nobody refers to any of them */
    fc_chains_clear(&chains);
}

static void a_long_file_runs_as_one_in_memory(void **state) {
    (void)state;
    enum { MESSAGES = 3000, WINDOW = 256 };
    static const char file[] = "streamed_messages.csv";
    static uint64_t in_memory[MESSAGES], streamed[MESSAGES];
    static uint32_t led_in_memory[MESSAGES], led[MESSAGES], number_of[MESSAGES];
    static bool waits[MESSAGES];
    FILE *stream = fopen(file, "w");
    char *text = NULL;
    size_t length = 0;
    FILE *copy = open_memstream(&text, &length);
    fc_random random = fc_random_stream(4, 0, 0);
    assert_non_null(stream);
    assert_non_null(copy);
    for (uint32_t i = 0; i < MESSAGES; ++i) {
        char line[80];
        const uint32_t back = fc_random_below(&random, 40), other = fc_random_below(&random, 40);
        waits[i] = i >= 60 && fc_random_below(&random, 4) != 0;
        if (!waits[i])
            snprintf(line, sizeof line, "%u,0,1,%u\n", 4 * i, 1 + i % 7);
        else
            snprintf(line, sizeof line, "%u,0,1,%u,%u;%u\n", back, 1 + i % 7, i - 1 - back,
                     i - 1 - other);
        fputs(line, stream);
        fputs(line, copy);
    }
    fclose(stream);
    fclose(copy);
    fc_trace whole = {.count = 0}, scanned = {.count = 0};
    fc_message_graph *graph;
    fc_error error = {{0}};
    assert_int_equal(fc_trace_parse(text, file, &error, &whole), FC_OK);
    if (fc_trace_scan(file, &error, &scanned) != FC_OK)
        fail_msg("%s", error.text);
    assert_int_equal(scanned.count, MESSAGES);
    assert_null(scanned.messages);
    assert_int_equal(fc_message_graph_create(&scanned, 0, WINDOW, false, &error, &graph), FC_OK);
    drain(graph, streamed, led);
    assert_int_equal(fc_message_graph_create(&whole, 0, WINDOW, false, &error, &graph), FC_OK);
    drain(graph, in_memory, led_in_memory);
    /* in memory those that wait for none come first, each kind in the file's order */
    size_t place[2] = {0, whole.independent}, ties = 0;
    for (size_t i = 0; i < MESSAGES; ++i)
        number_of[i] = (uint32_t)place[waits[i]]++;
    for (size_t i = 0; i < MESSAGES; ++i) {
        assert_int_equal(streamed[i], in_memory[number_of[i]]);
        /* of two that come in one cycle either may be the last */
        if (!waits[i])
            assert_int_equal(led[i], UINT32_MAX);
        else if (number_of[led[i]] != led_in_memory[number_of[i]])
            ++ties;
    }
    assert_true(ties < MESSAGES / 20);
    fc_trace_clear(&whole);
    fc_trace_clear(&scanned);
    free(text);
    remove(file);
}

/* ---- GOAL schedules ---- */

/* Ends when each operation would by hand, on a network where a message of one flit takes 3 cycles
 * to a neighbour: 1 to inject, 1 link, 1 to eject. */
static double goal_duration(const char *schedule) {
    static const char file[] = "schedule_of_a_test.goal";
    FILE *stream = fopen(file, "w");
    assert_non_null(stream);
    fputs(schedule, stream);
    fclose(stream);
    const double duration = metric("network: {topology: ring, radix: [4]}\n"
                                   "traffic: {workload: {file: schedule_of_a_test.goal}}\n",
                                   true, "duration");
    remove(file);
    return duration;
}

static void a_goal_schedule_runs_as_it_says(void **state) {
    (void)state;
    /* one processor: 100 and 50 follow each other; two: they do not */
    assert_true(goal_duration("num_ranks 4\nrank 0 {\ncalc 100\ncalc 50\n}\n") == 150);
    assert_true(goal_duration("num_ranks 4\nrank 0 {\ncalc 100\ncalc 50 cpu 1\n}\n") == 100);
    /* irequires: when it has begun, which is when its processor is free */
    assert_true(goal_duration("num_ranks 4\nrank 0 {\nx: calc 30\na: calc 100\nb: calc 200 cpu 1\n"
                              "b irequires a\n}\n") == 230);
    /* a send ends when it begins; a recv when its message is there */
    assert_true(
        goal_duration("num_ranks 4\nrank 0 {\na: send 32b to 1\nb: calc 2\nb requires a\n}\n"
                      "rank 1 {\nrecv 32b from 0\n}\n") == 3);
    assert_true(
        goal_duration("num_ranks 4\nrank 0 {\na: calc 10\nb: send 32b to 1 tag 5\nb requires a\n"
                      "}\nrank 1 {\na: recv 32b from 0 tag 5\nb: calc 4\nb requires a\n}\n") ==
        10 + 3 + 4);
    /* tags tell messages apart: the recv of tag 1 waits for the second one, which comes first */
    assert_true(
        goal_duration("num_ranks 4\nrank 0 {\nw: calc 60\ns: send 32b to 1 tag 0\n"
                      "s requires w\nsend 32b to 1 tag 1\n}\nrank 1 {\nrecv 32b from 0 tag 0\n"
                      "r: recv 32b from 0 tag 1\nc: calc 7\nc requires r\n}\n") == 63);
    /* a message of no bytes is a message */
    assert_true(goal_duration(
                    "num_ranks 4\nrank 0 {\nsend 0b to 1\n}\nrank 1 {\nrecv 0b from 0\n}\n") == 3);
}

/* Where headers choose, where ways are drawn, and with routers that have a faster clock. */
static void no_run_is_faster_than_its_bound(void **state) {
    (void)state;
    static const char *const texts[] = {
        "network: {topology: fat-tree, arity: 4, levels: 3, routing: anca, virtual_channels: 8, "
        "buffer: 3, router_delay: [0, 0, 1, 0]}\n"
        "traffic: {workload: {all-gather: {algorithm: recursive-doubling, bytes: 4096}}, "
        "placement: {random: 5}}\n",
        "network: {topology: mesh, radix: [4, 4], virtual_channels: 4, buffer: 8, "
        "router_delay: [2, 2, 0, 0], internal_speedup: 3}\n"
        "traffic: {workload: {all-reduce: {algorithm: ring, bytes: 1024}}}\n",
        "network: {topology: hyperx, shape: [8], concentration: 8, routing: ugal-local, "
        "virtual_channels: 4, buffer: 32, router_delay: 1}\n"
        "traffic: {workload: {all-gather: {algorithm: recursive-doubling, bytes: 8192}}}\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        const double bound = metric(texts[i], true, "duration_bound");
        assert_true(bound > 0 && bound <= metric(texts[i], true, "duration"));
        assert_true(metric(texts[i], true, "efficiency") <= 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everybody_gets_everything),
        cmocka_unit_test(a_broadcast_reaches_all_from_its_root),
        cmocka_unit_test(phases_follow_each_other),
        cmocka_unit_test(a_ring_reaches_its_bound),
        cmocka_unit_test(recursive_doubling_on_a_hypercube_has_no_contention),
        cmocka_unit_test(all_to_all_on_a_crossbar_meets_the_ejection_bound),
        cmocka_unit_test(a_chain_is_the_sum_of_its_messages),
        cmocka_unit_test(the_longest_chain_is_named),
        cmocka_unit_test(a_chain_covers_the_whole_run),
        cmocka_unit_test(a_forecast_stays_above_the_bound),
        cmocka_unit_test(no_run_is_faster_than_its_bound),
        cmocka_unit_test(a_long_file_runs_as_one_in_memory),
        cmocka_unit_test(a_goal_schedule_runs_as_it_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
