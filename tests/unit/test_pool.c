#include "test_support.h"

#include <stdatomic.h>
#include <unistd.h>
#include "base/pool.h"
#include "base/random.h"

enum { JOBS = 200 };

typedef struct work_log {
    atomic_int calls[JOBS];
    double values[JOBS];
    size_t fail_at[2];
    size_t cancel_at;
    volatile int cancel;
    atomic_int in_progress_call;
    int progress_calls;
    double last_done;
} work_log;

static fc_status job(void *context, size_t index) {
    work_log *log = context;
    atomic_fetch_add(&log->calls[index], 1);
    fc_random random = fc_random_stream(1, (uint32_t)index, 0);
    double sum = 0;
    for (int i = 0; i < 500; ++i)
        sum += fc_random_unit(&random);
    log->values[index] = sum;
    if (index == log->cancel_at)
        __atomic_store_n(&log->cancel, 1, __ATOMIC_RELAXED);
    if (index == log->fail_at[0]) {
        usleep(20000); /* so that the other failure comes first */
        return FC_ERROR_INPUT;
    }
    return index == log->fail_at[1] ? FC_ERROR_MEMORY : FC_OK;
}

static work_log new_log(void) {
    return (work_log){.fail_at = {JOBS, JOBS}, .cancel_at = JOBS};
}

static void every_job_runs_once_on_any_number_of_threads(void **state) {
    (void)state;
    static work_log first, log;
    first = new_log();
    assert_int_equal(fc_pool_run(NULL, "jobs", JOBS, job, &first), FC_OK);
    const unsigned threads[] = {1, 2, 5, 64, 1000};
    for (size_t i = 0; i < 5; ++i) {
        log = new_log();
        const fc_run_settings settings = {.threads = threads[i]};
        assert_int_equal(fc_pool_run(&settings, "jobs", JOBS, job, &log), FC_OK);
        for (size_t index = 0; index < JOBS; ++index)
            assert_int_equal(log.calls[index], 1);
        assert_memory_equal(log.values, first.values, sizeof log.values);
    }
    assert_int_equal(fc_pool_run(NULL, "nothing", 0, job, &log), FC_OK);
}

static void the_lowest_failure_is_reported(void **state) {
    (void)state;
    static work_log log;
    for (unsigned threads = 1; threads <= 4; ++threads) {
        log = new_log();
        log.fail_at[0] = 30;
        log.fail_at[1] = 31;
        const fc_run_settings settings = {.threads = threads};
        assert_int_equal(fc_pool_run(&settings, "jobs", JOBS, job, &log), FC_ERROR_INPUT);
        int calls = 0;
        for (size_t index = 0; index < JOBS; ++index)
            calls += log.calls[index];
        assert_true(calls < JOBS);
    }
}

static void cancelling_leaves_the_rest_out(void **state) {
    (void)state;
    static work_log log;
    for (unsigned threads = 1; threads <= 4; ++threads) {
        log = new_log();
        log.cancel_at = 10;
        const fc_run_settings settings = {.threads = threads, .cancel = &log.cancel};
        assert_int_equal(fc_pool_run(&settings, "jobs", JOBS, job, &log), FC_ERROR_CANCELLED);
        assert_int_equal(log.calls[10], 1);
        int calls = 0;
        for (size_t index = 0; index < JOBS; ++index)
            calls += log.calls[index];
        assert_true(calls < JOBS);
    }
    /* Asked to stop when everything was done anyway: that is a complete run. */
    log = new_log();
    log.cancel_at = JOBS - 1;
    const fc_run_settings settings = {.threads = 1, .cancel = &log.cancel};
    assert_int_equal(fc_pool_run(&settings, "jobs", JOBS, job, &log), FC_OK);
}

static void note_progress(void *context, double done, const char *what) {
    work_log *log = context;
    assert_int_equal(atomic_fetch_add(&log->in_progress_call, 1), 0);
    assert_string_equal(what, "jobs");
    assert_true(done >= log->last_done && done <= 1);
    log->last_done = done;
    ++log->progress_calls;
    atomic_fetch_sub(&log->in_progress_call, 1);
}

static fc_status slow_job(void *context, size_t index) {
    (void)context;
    (void)index;
    usleep(10000);
    return FC_OK;
}

static void progress_rises_to_one_and_is_not_told_too_often(void **state) {
    (void)state;
    static work_log log;
    log = new_log();
    const fc_run_settings settings = {
        .threads = 3, .progress = note_progress, .progress_context = &log};
    assert_int_equal(fc_pool_run(&settings, "jobs", 60, slow_job, &log), FC_OK);
    assert_true(log.last_done == 1);
    assert_in_range(log.progress_calls, 2, 60 / 2);
}

static void thread_count(void **state) {
    (void)state;
    const fc_run_settings three = {.threads = 3}, automatic = {.threads = 0};
    assert_int_equal(fc_pool_threads(&three), 3);
    assert_true(fc_pool_threads(&automatic) >= 1);
    assert_int_equal(fc_pool_threads(&automatic), fc_pool_threads(NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_job_runs_once_on_any_number_of_threads),
        cmocka_unit_test(the_lowest_failure_is_reported),
        cmocka_unit_test(cancelling_leaves_the_rest_out),
        cmocka_unit_test(progress_rises_to_one_and_is_not_told_too_often),
        cmocka_unit_test(thread_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
