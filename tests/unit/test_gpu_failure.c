/* A GPU that fails: what it did not finish is done by the processor, with the same numbers. The GPU
 * is played by the processor, through the interface of the library that drives one. */
#include "scenario_support.h"

#include <stdlib.h>
#include <string.h>
#include "network/router_traffic.h"
#include "simulators/ensemble/cuda_library.h"
#include "simulators/ensemble/ensemble.h"

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
static int calls, fail_at;
static const char *fail_in;

static const char *fails(const char *function) {
    const bool now = fail_in && strcmp(function, fail_in) == 0 && calls++ == fail_at;
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

static fc_ensemble *start_lane(uint32_t lane) {
    fc_ensemble *made;
    fc_error error;
    assert_int_equal(fc_ensemble_create(the_world->scenario, the_world->network, the_world->traffic,
                                        9, lane, 1, FC_ENSEMBLE_SCALAR, &error, &made),
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
    for (uint32_t i = 0; i < LANES; ++i) {
        made->lane[i] = start_lane(i);
        fc_ensemble_set_histogram(made->lane[i], 0, &made->histogram[i]);
    }
    *cuda = made;
    return NULL;
}

static const char *run(fc_cuda *cuda, uint32_t until, fc_core_tally *tallies) {
    const char *problem = fails("run");
    for (uint32_t i = 0; i < LANES && !problem; ++i) {
        assert_int_equal(fc_ensemble_run(cuda->lane[i], until, NULL), FC_OK);
        tallies[i] = *fc_ensemble_tally(cuda->lane[i], 0);
    }
    return problem;
}

/* A word of a router's state, where a GPU has it. */
static uint32_t *word_of(const fc_cuda *cuda, uint32_t lane, uint32_t field, uint32_t router) {
    const fc_core_plan *p = cuda->job.plan;
    return (uint32_t *)cuda->job.core.state + ((size_t)lane * p->size + field) * p->routers +
           router;
}

static const char *read(fc_cuda *cuda, uint32_t lane) {
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
    return fails("read");
}

static const char *clear(fc_cuda *cuda, uint32_t lane) {
    fc_histogram_clear(&cuda->histogram[lane]);
    assert_int_equal(fc_ensemble_clear_detail(cuda->lane[lane], 0, NULL), FC_OK);
    return fails("clear");
}

static const char *histogram(fc_cuda *cuda, uint32_t lane, uint64_t *counts) {
    memcpy(counts, cuda->histogram[lane].count, sizeof cuda->histogram[lane].count);
    return fails("histogram");
}

static const fc_cuda_functions functions = {FC_CUDA_REVISION, check, start, stop, run, read, clear,
                                            histogram};

/* ---- a run ---- */

typedef struct seen {
    fc_core_tally tally[STRETCHES][LANES];
    uint32_t crossed[LANES][200], granted[LANES][200], injected[LANES][40];
    fc_core_output output[LANES][200];
    fc_core_node node[LANES][40];
    fc_histogram histogram[LANES];
    bool trouble;
} seen;

static void simulate(const world *w, seen *s) {
    fc_ensemble *e;
    fc_error error = {{0}};
    memset(s, 0, sizeof *s);
    if (fc_ensemble_create(w->scenario, w->network, w->traffic, 9, 0, LANES, FC_ENSEMBLE_GPU,
                           &error, &e) != FC_OK)
        fail_msg("%s", error.text);
    for (uint32_t lane = 0; lane < LANES; ++lane)
        fc_ensemble_set_histogram(e, lane, &s->histogram[lane]);
    for (uint32_t i = 0; i < STRETCHES; ++i) {
        assert_int_equal(fc_ensemble_run(e, 300 * (i + 1) - 7 * i, &error), FC_OK);
        for (uint32_t lane = 0; lane < LANES; ++lane)
            s->tally[i][lane] = *fc_ensemble_tally(e, lane);
        for (uint32_t lane = 0; i == CLEAR_AFTER && lane < LANES; ++lane) {
            fc_histogram_clear(&s->histogram[lane]);
            assert_int_equal(fc_ensemble_clear_detail(e, lane, &error), FC_OK);
        }
    }
    for (uint32_t lane = 0; lane < LANES; ++lane) {
        assert_int_equal(fc_ensemble_read(e, lane, &error), FC_OK);
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

static void nothing_is_lost(void **state) {
    (void)state;
    static const struct {
        const char *in;
        int at;
    } failures[] = {{"start", 0}, {"run", 0},    {"run", 1},      {"run", 3},
                    {"run", 5},   {"clear", 0},  {"clear", 11},   {"read", 0},
                    {"read", 19}, {"clear", 19}, {"histogram", 7}};
    world w;
    fc_error error = {{0}};
    w.scenario = must_read("network: {topology: mesh, radix: [4, 4], virtual_channels: 4, "
                           "router_delay: [1, 1, 1, 1], buffer: 5}\n"
                           "traffic: {rate: 0.05, message_flits: 4, injection: bernoulli}\n",
                           NULL, NULL);
    assert_int_equal(fc_router_network_create(w.scenario, &error, &w.network), FC_OK);
    assert_int_equal(fc_router_traffic_create(w.scenario, w.network, &error, &w.traffic), FC_OK);
    the_world = &w;
    fc_cuda_replace(&functions);
    seen *whole = malloc(sizeof *whole), *broken = malloc(sizeof *broken);
    assert_true(whole && broken);
    fail_in = NULL;
    simulate(&w, whole);
    assert_false(whole->trouble);
    for (size_t i = 0; i < sizeof failures / sizeof *failures; ++i) {
        calls = 0;
        fail_in = failures[i].in;
        fail_at = failures[i].at;
        simulate(&w, broken);
        assert_true(broken->trouble);
        broken->trouble = false;
        if (memcmp(whole, broken, sizeof *whole) != 0)
            fail_msg("a failure in call %d of %s changes what is seen", fail_at + 1, fail_in);
    }
    fc_cuda_replace(NULL);
    free(whole);
    free(broken);
    fc_traffic_free(w.traffic);
    fc_router_network_free(w.network);
    fc_scenario_free(w.scenario);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_lost)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
