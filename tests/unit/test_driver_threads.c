/* The driver runs replications on several threads. */
#include "fake_simulator.h"

static void threads_change_no_bit(void **state) {
    (void)state;
    const fake_case cases[] = {
        {.mean = 40, .noise = 20, .memory = 0.95, .transient = 30, .decay = 500, .arrivals = 2},
        {.mean = 40, .noise = 20, .memory = 0.95, .arrivals = 2, .growth = 0.1},
    };
    for (size_t c = 0; c < 2; ++c) {
        fc_result *first = NULL;
        const unsigned threads[] = {1, 2, 5};
        for (size_t t = 0; t < 3; ++t) {
            const fc_run_settings settings = {.threads = threads[t]};
            fc_simulation_settings simulation = usual;
            simulation.replications = 7;
            fc_error error = {""};
            fc_result *result;
            assert_int_equal(run(&cases[c], &simulation, &settings, &error, &result), FC_OK);
            if (!first) {
                first = result;
                continue;
            }
            assert_int_equal(result->metric_count, first->metric_count);
            for (size_t m = 0; m < result->metric_count; ++m)
                assert_memory_equal(&result->metrics[m].value, &first->metrics[m].value,
                                    2 * sizeof(double));
            assert_true(result->run.cycles == first->run.cycles);
            assert_true(result->run.warmup_cycles == first->run.warmup_cycles);
            assert_int_equal(result->run.events, first->run.events);
            fc_result_free(result);
        }
        fc_result_free(first);
    }
}

static void cancelling_keeps_what_is_done(void **state) {
    (void)state;
    volatile int cancel = 0;
    const fc_run_settings settings = {.threads = 2, .cancel = &cancel};
    fc_simulation_settings simulation = usual;
    simulation.precision = 1e-6;
    fake_case what = {
        .mean = 40, .noise = 20, .memory = 0.9, .cancel = &cancel, .cancel_at = 30000};
    fc_error error = {""};
    fc_result *result;
    assert_int_equal(run(&what, &simulation, &settings, &error, &result), FC_OK);
    assert_non_null(strstr(result->note, "Stopped early"));
    assert_close(value_of(result, "latency"), 40, 0.05);
    assert_true(result->run.cycles < 4 * 4e4);
    fc_result_free(result);

    /* Before anything was measured. */
    cancel = 0;
    what.cancel_at = 10;
    assert_int_equal(run(&what, &simulation, &settings, &error, &result), FC_ERROR_CANCELLED);
    assert_non_null(strstr(error.text, "before the warm-up was over"));
    assert_non_null(strstr(error.text, "simulation.max_cycles"));
    fc_result_free(result);
}

static void the_first_failing_replication_is_reported(void **state) {
    (void)state;
    const fake_case what = {.mean = 40, .noise = 20, .fail_at = 5000};
    fc_simulation_settings simulation = usual;
    simulation.precision = 1e-6;
    for (unsigned threads = 1; threads <= 4; ++threads) {
        const fc_run_settings settings = {.threads = threads};
        fc_error error = {""};
        fc_result *result;
        assert_int_equal(run(&what, &simulation, &settings, &error, &result), FC_ERROR_INPUT);
        assert_string_equal(error.text, "replication 1 is stuck");
        fc_result_free(result);
    }
}

static void what_replications_share_is_made_once(void **state) {
    (void)state;
    uint32_t prepared = 0;
    fc_result *result =
        run_well(&(fake_case){.mean = 9, .noise = 1, .prepared = &prepared}, &usual);
    assert_int_equal(prepared, 1u + (1u << 16)); /* and discarded once */
    fc_result_free(result);
    fc_error error;
    prepared = 0;
    assert_int_equal(run(&(fake_case){.mean = 9, .fail_at = 100, .prepared = &prepared}, &usual,
                         NULL, &error, &result),
                     FC_ERROR_INPUT);
    assert_int_equal(prepared, 1u + (1u << 16)); /* of a run that failed, too */
    fc_result_free(result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_change_no_bit),
        cmocka_unit_test(cancelling_keeps_what_is_done),
        cmocka_unit_test(the_first_failing_replication_is_reported),
        cmocka_unit_test(what_replications_share_is_made_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
