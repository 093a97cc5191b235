/* A GPU that fails: what it did not finish is done by the processor, with the same numbers. The GPU
 * is played by the processor, through the interface of the library that drives one. */
#include "scenario_support.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "network/router_traffic.h"
#include "simulators/ensemble/cuda_library.h"
#include "simulators/ensemble/ensemble.h"
#include "studies/simulate_list.h"

enum { LANES = 20, STRETCHES = 6, CLEAR_AFTER = 2 };

typedef struct world {
    fc_scenario *scenario;
    fc_router_network *network;
    fc_traffic *traffic;
} world;

/* ---- the GPU ---- */

struct fc_cuda {
    fc_cuda_job job;
    fc_ensemble *lane[LANES];
    fc_histogram histogram[LANES];
};
static const world *the_world;
static atomic_int calls, runs; /* points of a list call from several threads */
static int fail_at;
static bool misled; /* the last stretch is not the one that was announced */
static const char *fail_in;

static bool gone; /* a GPU that has failed fails in every call */
static const char *fails(const char *function) {
    const int call = fail_in && strcmp(function, fail_in) == 0 ? calls++ : -1;
    const bool now = gone ? call >= fail_at : call == fail_at;
    return now ? "the GPU failed while it was tested: it was unplugged" : NULL;
}

static const char *check(void) {
    return NULL;
}

static void stop(fc_cuda *cuda) {
    for (int i = 0; cuda && i < LANES; ++i)
        fc_ensemble_free(cuda->lane[i]);
    free(cuda);
}

static fc_ensemble *start_lane(const fc_core_lane *lane) {
    fc_ensemble *made;
    fc_error error;
    assert_int_equal(fc_ensemble_create(the_world->scenario, the_world->network, the_world->traffic,
                                        lane->seed, lane->replication, 1, FC_ENSEMBLE_SCALAR,
                                        &error, &made),
                     FC_OK);
    return made;
}

static const char *start(const fc_cuda_job *job, fc_cuda **cuda) {
    const char *problem = fails("start");
    if (problem)
        return problem;
    fc_cuda *made = calloc(1, sizeof *made);
    assert_non_null(made);
    made->job = *job;
    assert_int_equal(job->networks, LANES);
    for (uint32_t i = 0; i < LANES; ++i) {
        made->lane[i] = start_lane(&job->core.lane[i]);
        fc_ensemble_set_histogram(made->lane[i], 0, &made->histogram[i]);
    }
    *cuda = made;
    return NULL;
}

static const char *run(fc_cuda *cuda, const uint32_t *stop, uint32_t stops, fc_core_tally *tallies,
                       uint32_t *crossed) {
    const char *problem = fails("run");
    ++runs;
    const uint32_t outputs = cuda->job.plan->outputs;
    for (uint32_t s = 0; s < stops && !problem; ++s) {
        for (uint32_t i = 0; i < LANES; ++i) {
            assert_int_equal(fc_ensemble_run(cuda->lane[i], stop[s], NULL), FC_OK);
            tallies[s * LANES + i] = *fc_ensemble_tally(cuda->lane[i], 0);
        }
        for (uint32_t o = 0; o < outputs; ++o)
            crossed[s * outputs + o] = fc_ensemble_crossed(cuda->lane[0], 0, o);
    }
    return problem;
}

/* A word of a router's state, where a GPU has it. */
static uint32_t *word_of(const fc_cuda *cuda, uint32_t lane, uint32_t field, uint32_t router) {
    const fc_core_plan *p = cuda->job.plan;
    return (uint32_t *)cuda->job.core.state + ((size_t)lane * p->size + field) * p->routers +
           router;
}

static void read_lane(fc_cuda *cuda, uint32_t lane) {
    const fc_core_plan *p = cuda->job.plan;
    const fc_ensemble *from = cuda->lane[lane];
    for (uint32_t r = 0; r < p->routers; ++r) {
        const uint32_t end = r + 1 < p->routers ? p->output_first[r + 1] : p->outputs;
        for (uint32_t o = p->output_first[r]; o < end; ++o) {
            const uint32_t port = o - p->output_first[r];
            *word_of(cuda, lane, p->at_crossed + port, r) = fc_ensemble_crossed(from, 0, o);
            *word_of(cuda, lane, p->at_granted + port, r) = fc_ensemble_granted(from, 0, o);
            cuda->job.core.output[lane * p->outputs + o] = *fc_ensemble_output(from, 0, o);
        }
        *word_of(cuda, lane, p->at_injected, r) = fc_ensemble_injected(from, 0, r);
        cuda->job.core.node[lane * p->nodes + r] = *fc_ensemble_node(from, 0, r);
    }
}

static const char *read(fc_cuda *cuda) {
    for (uint32_t lane = 0; lane < LANES; ++lane)
        read_lane(cuda, lane);
    return fails("read");
}

static const char *clear(fc_cuda *cuda) {
    for (uint32_t lane = 0; lane < LANES; ++lane) {
        fc_histogram_clear(&cuda->histogram[lane]);
        assert_int_equal(fc_ensemble_clear_detail(cuda->lane[lane], NULL), FC_OK);
    }
    return fails("clear");
}

static const char *histogram(fc_cuda *cuda, uint32_t lane, uint64_t *counts) {
    memcpy(counts, cuda->histogram[lane].count, sizeof cuda->histogram[lane].count);
    return fails("histogram");
}

static const fc_cuda_functions functions = {FC_CUDA_REVISION, check, start, stop, run, read, clear,
                                            histogram};

/* ---- a run ---- */

static uint32_t end_of(uint32_t stretch) {
    return 50 * (stretch + 1) - 7 * stretch;
}

typedef struct seen {
    fc_core_tally tally[STRETCHES][LANES];
    uint32_t first[STRETCHES][200]; /* flits that crossed outputs of the first lane */
    uint32_t crossed[LANES][200], granted[LANES][200], injected[LANES][40];
    fc_core_output output[LANES][200];
    fc_core_node node[LANES][40];
    fc_histogram histogram[LANES];
    bool trouble;
} seen;

/* ahead: the GPU is told of so many stretches at once. */
static void simulate(const world *w, uint32_t ahead, seen *s) {
    fc_ensemble *e;
    fc_error error = {{0}};
    memset(s, 0, sizeof *s);
    if (fc_ensemble_create(w->scenario, w->network, w->traffic, 9, 0, LANES, FC_ENSEMBLE_GPU,
                           &error, &e) != FC_OK)
        fail_msg("%s", error.text);
    for (uint32_t lane = 0; lane < LANES; ++lane)
        fc_ensemble_set_histogram(e, lane, &s->histogram[lane]);
    for (uint32_t i = 0; i < STRETCHES; ++i) {
        for (uint32_t k = i; ahead && i % ahead == 0 && k < i + ahead; ++k) {
            const uint32_t until = end_of(k) - (misled && k == STRETCHES - 1);
            assert_true(fc_ensemble_expect(e, &until, 1) || fc_ensemble_trouble(e));
        }
        assert_int_equal(fc_ensemble_run(e, end_of(i), &error), FC_OK);
        assert_int_equal(fc_ensemble_time(e), end_of(i));
        for (uint32_t lane = 0; lane < LANES; ++lane)
            s->tally[i][lane] = *fc_ensemble_tally(e, lane);
        for (uint32_t o = 0; o < w->network->outputs; ++o)
            s->first[i][o] = fc_ensemble_crossed(e, 0, o);
        if (i != CLEAR_AFTER)
            continue;
        for (uint32_t lane = 0; lane < LANES; ++lane)
            fc_histogram_clear(&s->histogram[lane]);
        assert_int_equal(fc_ensemble_clear_detail(e, &error), FC_OK);
    }
    for (uint32_t lane = 0; lane < LANES; ++lane) {
        assert_int_equal(fc_ensemble_read(e, &error), FC_OK);
        assert_int_equal(fc_ensemble_read_histogram(e, lane, &error), FC_OK);
    }
    for (uint32_t lane = 0; lane < LANES; ++lane) {
        for (uint32_t o = 0; o < w->network->outputs; ++o) {
            s->crossed[lane][o] = fc_ensemble_crossed(e, lane, o);
            s->granted[lane][o] = fc_ensemble_granted(e, lane, o);
            s->output[lane][o] = *fc_ensemble_output(e, lane, o);
        }
        for (uint32_t n = 0; n < w->network->nodes; ++n) {
            s->injected[lane][n] = fc_ensemble_injected(e, lane, n);
            s->node[lane][n] = *fc_ensemble_node(e, lane, n);
        }
    }
    s->trouble = fc_ensemble_trouble(e) != NULL;
    fc_ensemble_free(e);
}

static void make_world(const char *traffic, const char *simulation, world *w) {
    char text[400];
    fc_error error = {{0}};
    snprintf(
        text, sizeof text,
        "network: {topology: mesh, radix: [4, 4], virtual_channels: 4, router_delay: [1, 1, 1, "
        "1], buffer: 5}\n"
        "traffic: {%s, injection: bernoulli}\n"
        "simulation: {%s}\n",
        traffic, simulation);
    w->scenario = must_read(text, NULL, NULL);
    assert_int_equal(fc_router_network_create(w->scenario, &error, &w->network), FC_OK);
    assert_int_equal(fc_router_traffic_create(w->scenario, w->network, &error, &w->traffic), FC_OK);
}

static void free_world(world *w) {
    fc_traffic_free(w->traffic);
    fc_router_network_free(w->network);
    fc_scenario_free(w->scenario);
}

static void nothing_is_lost(void **state) {
    (void)state;
    static const struct {
        const char *in;
        int at;
        uint32_t ahead;
    } failures[] = {{"start", 0, 0},    {"run", 0, 0},   {"run", 1, 0},  {"run", 3, 0},
                    {"run", 5, 0},      {"run", 0, 3},   {"run", 1, 3},  {"run", 2, 1},
                    {"clear", 0, 0},    {"clear", 0, 3}, {"read", 0, 0}, {"read", 0, 3},
                    {"histogram", 7, 0}};
    world w;
    make_world("rate: 0.05, message_flits: 4", "", &w);
    the_world = &w;
    fc_cuda_replace(&functions);
    seen *whole = malloc(sizeof *whole), *broken = malloc(sizeof *broken);
    assert_true(whole && broken);
    fail_in = NULL;
    simulate(&w, 0, whole);
    assert_false(whole->trouble);
    for (uint32_t ahead = 1; ahead <= CLEAR_AFTER + 1; ahead += CLEAR_AFTER) {
        simulate(&w, ahead, broken);
        if (!same_bytes(whole, broken, sizeof *whole))
            fail_msg("%u stretches at once change what is seen", ahead);
    }
    misled = true;
    simulate(&w, CLEAR_AFTER + 1, broken);
    assert_true(broken->trouble);
    broken->trouble = misled = false;
    assert_memory_equal(whole, broken, sizeof *whole);
    for (size_t i = 0; i < sizeof failures / sizeof *failures; ++i) {
        calls = 0;
        fail_in = failures[i].in;
        fail_at = failures[i].at;
        simulate(&w, failures[i].ahead, broken);
        assert_true(broken->trouble);
        broken->trouble = false;
        if (!same_bytes(whole, broken, sizeof *whole))
            fail_msg("a failure in call %d of %s changes what is seen", fail_at + 1, fail_in);
    }
    fc_cuda_replace(NULL);
    free(whole);
    free(broken);
    free_world(&w);
}

static fc_result *simulate_with(const char *engine, world *w) {
    char simulation[120];
    fc_error error = {{0}};
    fc_result *result = NULL;
    snprintf(simulation, sizeof simulation, "engine: %s, replications: %d, precision: 0.05", engine,
             LANES);
    /* batches begin with 3 cycles: windows of time end within them */
    make_world("rate: 0.004, message_flits: 64", simulation, w);
    the_world = w;
    runs = 0;
    if (fc_simulate(w->scenario, NULL, &error, &result) != FC_OK)
        fail_msg("%s", error.text);
    assert_string_equal(result->run.engine, engine);
    free_world(w);
    return result;
}

/* What has no interval (the largest latency) has none in both. */
static bool same(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

static void must_have_same_numbers(const fc_result *gpu, const fc_result *events) {
    assert_int_equal(gpu->metric_count, events->metric_count);
    assert_true(gpu->run.cycles == events->run.cycles);
    for (size_t i = 0; i < gpu->metric_count; ++i) {
        assert_true(gpu->metrics[i].value == events->metrics[i].value);
        assert_true(same(gpu->metrics[i].half_width, events->metrics[i].half_width));
    }
    assert_int_equal(gpu->table_count, events->table_count);
    for (size_t i = 0; i < gpu->table_count; ++i) {
        const fc_table *a = &gpu->tables[i], *b = &events->tables[i];
        assert_int_equal(a->rows * a->columns, b->rows * b->columns);
        assert_memory_equal(a->values, b->values, a->rows * a->columns * sizeof *a->values);
    }
}

/* The driver has the GPU simulate many batches at once: the numbers, and the flits of links in
 * windows of time, are those of the events. */
static void rounds_are_one_call(void **state) {
    (void)state;
    world w;
    fail_in = NULL;
    fc_cuda_replace(&functions);
    fc_result *gpu = simulate_with("gpu", &w);
    assert_string_equal(gpu->run.engine_reason, "");
    assert_in_range(runs, 2, 60);
    fc_result *events = simulate_with("events", &w);
    must_have_same_numbers(gpu, events);
    fc_cuda_replace(NULL);
    fc_result_free(gpu);
    fc_result_free(events);
}

/* The GPU disappears while several points of a list use it: they and those that follow have the
 * numbers of the events. */
static void a_list_loses_nothing(void **state) {
    (void)state;
    enum { POINTS = 5 };
    world w[POINTS];
    fc_simulation points[POINTS], *list[POINTS];
    fc_error error = {{0}};
    for (int i = 0; i < POINTS; ++i) {
        char simulation[120];
        snprintf(simulation, sizeof simulation,
                 "engine: gpu, replications: %d, precision: 0.1, seed: %d", LANES, i + 1);
        make_world("rate: 0.02, message_flits: 4", simulation, &w[i]);
        points[i] = (fc_simulation){.scenario = w[i].scenario};
        list[i] = &points[i];
    }
    the_world = &w[0]; /* they differ in their seeds */
    fc_cuda_replace(&functions);
    fail_in = "run";
    fail_at = 7;
    calls = 0;
    gone = true;
    const fc_simulation_list all = {list, POINTS, NULL, NULL};
    assert_int_equal(fc_simulate_list(&all, NULL, &error), FC_OK);
    assert_int_equal(fc_simulation_failure(points, POINTS, &error), FC_OK);
    gone = false;
    fail_in = NULL;
    fc_cuda_replace(NULL);
    int taken_over = 0;
    for (int i = 0; i < POINTS; ++i) {
        const fc_setting events = {"simulation.engine", "events"};
        fc_scenario *same;
        fc_result *result;
        assert_int_equal(fc_scenario_with(w[i].scenario, &events, 1, &error, &same), FC_OK);
        assert_int_equal(fc_simulate(same, NULL, &error, &result), FC_OK);
        must_have_same_numbers(points[i].result, result);
        taken_over += strstr(points[i].result->run.engine_reason, "unplugged") != NULL;
        fc_result_free(points[i].result);
        fc_result_free(result);
        fc_scenario_free(same);
        free_world(&w[i]);
    }
    assert_in_range(taken_over, 1, POINTS);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_lost),
                                       cmocka_unit_test(rounds_are_one_call),
                                       cmocka_unit_test(a_list_loses_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
