/* A list of points: each has the result that it has alone, whatever is simulated beside it. */
#include "scenario_support.h"

#include <stdio.h>
#include "studies/simulate_list.h"

enum { POINTS = 15, TEXT_MOST = 400 };

/* Networks of routers of two shapes, every engine of the processor, fewer and more replications
 * than there are lanes, beyond saturation; and a network of another simulator. */
static fc_scenario *make_point(size_t i) {
    static const char mesh[] =
        "topology: mesh, radix: [4, 4], virtual_channels: 2, buffer: 4, router_delay: [1, 1, 1, 1]";
    static const char torus[] = "topology: torus, radix: [3, 3], virtual_channels: 2, buffer: 3, "
                                "router_delay: [1, 1, 1, 1], channel_rule: dateline";
    static const char *const engines[] = {"lanes", "auto", "events", "lanes"};
    static const int replications[] = {4, 3, 1, 4, 2, 9, 17};
    char text[TEXT_MOST];
    if (i == POINTS - 1)
        snprintf(text, sizeof text,
                 "network: {topology: ring-hierarchy, rings: [4, 4]}\n"
                 "traffic: {rate: 0.01}\nsimulation: {precision: 0.1}\n");
    else
        snprintf(text, sizeof text,
                 "network: {%s}\n"
                 "traffic: {rate: %g, message_flits: 3, destinations: %s}\n"
                 "simulation: {precision: 0.1, seed: %zu, engine: %s, replications: %d}\n",
                 i % 5 == 4 ? torus : mesh, i == 6 ? 0.4 : 0.01 * (double)(1 + i % 4),
                 i % 5 != 4 && i % 3 == 1 ? "transpose" : "uniform", 1 + i / 4, engines[i % 4],
                 replications[i % 7]);
    return must_read(text, NULL, NULL);
}

/* The JSON object up to `run`, which says how long it took. Free it with free. */
static char *numbers_of(const fc_result *result) {
    fc_write_settings settings = fc_write_settings_default();
    settings.format = FC_FORMAT_JSON;
    settings.detail = true;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    assert_int_equal(fc_result_write(result, &settings, stream), FC_OK);
    fclose(stream);
    char *run = strstr(text, "\"run\"");
    assert_non_null(run);
    *run = '\0';
    return text;
}

typedef struct world {
    fc_scenario *scenarios[POINTS];
    char *alone[POINTS];
    fc_simulation points[POINTS], *list[POINTS];
    int finished[POINTS], calls;
    int stop_after, fail_after; /* so many calls; 0: never */
    volatile int cancel;
} world;

static int set_up(void **state) {
    world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    for (size_t i = 0; i < POINTS; ++i) {
        fc_error error = {{0}};
        fc_result *result;
        w->scenarios[i] = make_point(i);
        if (fc_simulate(w->scenarios[i], NULL, &error, &result) != FC_OK)
            fail_msg("%s", error.text);
        w->alone[i] = numbers_of(result);
        fc_result_free(result);
    }
    *state = w;
    return 0;
}

static int tear_down(void **state) {
    world *w = *state;
    for (size_t i = 0; i < POINTS; ++i) {
        fc_scenario_free(w->scenarios[i]);
        free(w->alone[i]);
    }
    free(w);
    return 0;
}

static fc_status note(void *context, fc_simulation *point, fc_error *error) {
    world *w = context;
    ++w->finished[point->index];
    ++w->calls;
    if (w->calls == w->stop_after)
        __atomic_store_n(&w->cancel, 1, __ATOMIC_RELAXED);
    return w->calls == w->fail_after ? fc_fail(error, FC_ERROR_FILE, "the disk is full") : FC_OK;
}

static void begin(world *w) {
    w->calls = w->stop_after = w->fail_after = w->cancel = 0;
    memset(w->finished, 0, sizeof w->finished);
    for (size_t i = 0; i < POINTS; ++i) {
        w->points[i] = (fc_simulation){.index = i, .scenario = w->scenarios[i]};
        w->list[i] = &w->points[i];
    }
}

static fc_status simulate(world *w, unsigned threads, fc_error *error) {
    const fc_simulation_list list = {w->list, POINTS, note, w};
    const fc_run_settings settings = {.threads = threads, .cancel = &w->cancel};
    return fc_simulate_list(&list, &settings, error);
}

static void check(const world *w, size_t i) {
    char *numbers = numbers_of(w->points[i].result);
    size_t at = 0;
    while (numbers[at] && numbers[at] == w->alone[i][at])
        ++at;
    if (numbers[at] != w->alone[i][at])
        fail_msg("point %zu: \"%.60s\" instead of \"%.60s\"", i, numbers + (at > 40 ? at - 40 : 0),
                 w->alone[i] + (at > 40 ? at - 40 : 0));
    free(numbers);
}

static void release(world *w) {
    for (size_t i = 0; i < POINTS; ++i)
        fc_result_free(w->points[i].result);
}

enum { MOST_THREADS = 3, FEWEST_THREADS = THREAD_SANITIZER ? MOST_THREADS : 1 };

static void as_alone(void **state) {
    world *w = *state;
    fc_error error;
    for (unsigned threads = FEWEST_THREADS; threads <= MOST_THREADS; ++threads) {
        begin(w);
        assert_int_equal(simulate(w, threads, &error), FC_OK);
        for (size_t i = 0; i < POINTS; ++i) {
            assert_int_equal(w->points[i].status, FC_OK);
            assert_int_equal(w->finished[i], 1);
            check(w, i);
        }
        release(w);
    }
}

/* What is known already is left alone. */
static void known_points(void **state) {
    world *w = *state;
    if (THREAD_SANITIZER)
        skip(); /* threads do what they do in the other tests */
    fc_error error;
    fc_result *known;
    begin(w);
    assert_int_equal(fc_simulate(w->scenarios[3], NULL, &error, &known), FC_OK);
    w->points[3].result = known;
    assert_int_equal(simulate(w, 2, &error), FC_OK);
    assert_ptr_equal(w->points[3].result, known);
    assert_int_equal(w->finished[3], 0);
    assert_int_equal(w->calls, POINTS - 1);
    release(w);
}

/* A point without a result is no failure of the list. */
static void refused_points(void **state) {
    world *w = *state;
    if (THREAD_SANITIZER)
        skip(); /* threads do what they do in the other tests */
    fc_error error;
    fc_scenario *refused;
    const fc_setting setting = {"network.arbitration", "oldest-first"};
    assert_int_equal(fc_scenario_with(w->scenarios[0], &setting, 1, &error, &refused), FC_OK);
    begin(w);
    w->points[0].scenario = refused;
    assert_int_equal(simulate(w, 2, &error), FC_OK);
    assert_int_equal(w->points[0].status, FC_ERROR_UNSUPPORTED);
    assert_null(w->points[0].result);
    must_say(w->points[0].why.text, "oldest-first");
    assert_int_equal(fc_simulation_failure(w->points, POINTS, &error), FC_ERROR_UNSUPPORTED);
    must_say(error.text, "oldest-first");
    for (size_t i = 1; i < POINTS; ++i)
        check(w, i);
    release(w);
    fc_scenario_free(refused);
}

/* A stop loses nothing that is finished. */
static void stopped(void **state) {
    world *w = *state;
    for (unsigned threads = THREAD_SANITIZER ? 2 : 1; threads <= 2; ++threads) {
        fc_error error = {{0}};
        size_t whole = 0;
        begin(w);
        w->stop_after = 3;
        assert_int_equal(simulate(w, threads, &error), FC_ERROR_CANCELLED);
        assert_string_equal(error.text, "stopped");
        for (size_t i = 0; i < POINTS; ++i) {
            if (!w->points[i].result || strstr(w->points[i].result->note, "Stopped early"))
                continue;
            check(w, i);
            ++whole;
        }
        assert_in_range(whole, 3, POINTS - 1);
        release(w);
    }
}

static void ended_by_the_caller(void **state) {
    world *w = *state;
    fc_error error = {{0}};
    begin(w);
    w->fail_after = 4;
    assert_int_equal(simulate(w, 2, &error), FC_ERROR_FILE);
    assert_string_equal(error.text, "the disk is full");
    assert_in_range(w->calls, 4, POINTS); /* those under way are finished */
    release(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_alone),
        cmocka_unit_test(stopped),
        cmocka_unit_test(ended_by_the_caller),
        cmocka_unit_test(known_points),
        cmocka_unit_test(refused_points),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
