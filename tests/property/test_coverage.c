/* What the intervals promise, measured: over many seeds, through the real driver with its real
 * stopping rule, a 95 % interval must hold the known mean of a queue in 92 to 99 % of the runs; a
 * queue above its capacity must be found saturated, one at 95 % of it must not. */
#include "test_support.h"

#include "coverage_queue.h"
#include "simulators/driver.h"

typedef struct tally {
    unsigned runs, covered, above, saturated, reached;
    double cycles, warmup, longest, relative_width, throughput;
} tally;

static void run_once(const queue_case *what, const fc_simulation_settings *simulation, tally *t) {
    const fc_run_settings settings = {.threads = 1};
    fc_error error = {""};
    fc_result *result = fc_result_create(&queue_simulator.info, NULL);
    assert_non_null(result);
    if (fc_driver_run_task(
            &(fc_driver_task){&queue_simulator, queue_scenario(what), simulation, "latency"},
            &settings, &error, result) != FC_OK)
        fail_msg("%s", error.text);
    ++t->runs;
    const double cycles = result->run.cycles / (double)simulation->replications;
    t->cycles += cycles;
    t->longest = fmax(t->longest, cycles);
    t->warmup += result->run.warmup_cycles;
    t->throughput += fc_result_metric(result, "throughput")->value;
    t->saturated += result->outcome == FC_OUTCOME_SATURATED;
    t->reached += result->outcome == FC_OUTCOME_OK && !result->note[0];
    const fc_metric *latency = fc_result_metric(result, "latency");
    if (latency) {
        const double away = latency->value - queue_mean_latency(what);
        t->covered += fabs(away) <= latency->half_width;
        t->above += away > latency->half_width;
        t->relative_width += latency->half_width / latency->value;
    }
    fc_result_free(result);
}

static tally run_seeds(const queue_case *what, const fc_simulation_settings *simulation,
                       unsigned seeds) {
    tally t = {0};
    for (unsigned seed = 1; seed <= seeds; ++seed) {
        fc_simulation_settings one = *simulation;
        one.seed = seed;
        run_once(what, &one, &t);
    }
    t.cycles /= seeds;
    t.warmup /= seeds;
    t.relative_width /= seeds;
    t.throughput /= seeds;
    return t;
}

/* With control variates and without; both must hold, and the first take no more cycles. */
static double cover(const queue_case *what, double precision, unsigned seeds,
                    fc_controls controls) {
    const fc_simulation_settings simulation = {
        .precision = precision, .max_cycles = 2e7, .replications = 4, .controls = (int)controls};
    const tally t = run_seeds(what, &simulation, seeds);
    print_message(
        "%s: %u x %s load %.2f precision %.3f: covered %u of %u (%.1f %%; %u too low, %u too "
        "high), half width %.4f, %.0f cycles, warm-up %.0f\n",
        controls == FC_CONTROLS_NONE ? "plain" : "controlled", what->queues,
        what->deterministic ? "M/D/1" : "M/M/1", what->load, precision, t.covered, t.runs,
        100.0 * t.covered / t.runs, t.runs - t.covered - t.above, t.above, t.relative_width,
        t.cycles, t.warmup);
    assert_int_equal(t.reached, t.runs);
    assert_in_range(1000 * t.covered / t.runs, 920, 990);
    assert_true(t.relative_width <= precision);
    return t.cycles;
}

static void check_coverage(const queue_case *what, double precision, unsigned seeds) {
    const double plain = cover(what, precision, seeds, FC_CONTROLS_NONE);
    const double controlled = cover(what, precision, seeds, FC_CONTROLS_AUTO);
    print_message("%.2f times fewer cycles with control variates\n", plain / controlled);
    assert_true(controlled < 1.05 * plain);
}

static void coverage_of_one_queue(void **state) {
    (void)state;
    const queue_case mm1_half = {.load = 0.5, .time_scale = 20, .queues = 1};
    const queue_case md1_half = {.load = 0.5, .deterministic = true, .time_scale = 20, .queues = 1};
    const queue_case mm1_high = {.load = 0.8, .time_scale = 20, .queues = 1};
    const queue_case md1_high = {.load = 0.8, .deterministic = true, .time_scale = 20, .queues = 1};
    check_coverage(&mm1_half, 0.05, 400);
    check_coverage(&md1_half, 0.02, 400);
    check_coverage(&mm1_high, 0.07, 300);
    check_coverage(&md1_high, 0.05, 300);
}

/* Many queues: the precision is reached after few memories, so correlation and warm-up matter. */
static void coverage_of_many_queues(void **state) {
    (void)state;
    check_coverage(&(queue_case){.load = 0.8, .time_scale = 20, .queues = 8}, 0.07, 200);
    check_coverage(&(queue_case){.load = 0.8, .time_scale = 20, .queues = 32}, 0.06, 200);
}

static void saturation_is_found(void **state) {
    (void)state;
    const fc_simulation_settings simulation = {
        .precision = 0.05, .max_cycles = 2e7, .replications = 4};
    const queue_case cases[] = {
        {.load = 1.05, .time_scale = 20, .queues = 1},
        {.load = 1.05, .deterministic = true, .time_scale = 20, .queues = 1},
        {.load = 1.2, .time_scale = 20, .queues = 1},
        {.load = 1.05, .time_scale = 20, .queues = 32}};
    for (size_t i = 0; i < 4; ++i) {
        const tally t = run_seeds(&cases[i], &simulation, 15);
        print_message(
            "%u x %s load %.2f: saturated %u of %u, throughput %.4f, %.0f cycles, longest "
            "%.0f\n",
            cases[i].queues, cases[i].deterministic ? "M/D/1" : "M/M/1", cases[i].load, t.saturated,
            t.runs, t.throughput, t.cycles, t.longest);
        assert_int_equal(t.saturated, t.runs);
        assert_close(t.throughput, 1, 0.005);
        assert_true(t.longest <= 1e6);
    }
}

static void a_queue_near_its_capacity_is_not_saturated(void **state) {
    (void)state;
    const fc_simulation_settings simulation = {
        .precision = 0.01, .max_cycles = 20000, .replications = 4};
    const queue_case cases[] = {
        {.load = 0.95, .time_scale = 20, .queues = 1},
        {.load = 0.95, .deterministic = true, .time_scale = 20, .queues = 1}};
    for (size_t i = 0; i < 2; ++i) {
        const tally t = run_seeds(&cases[i], &simulation, 100);
        print_message("1 x %s load 0.95: saturated %u of %u\n",
                      cases[i].deterministic ? "M/D/1" : "M/M/1", t.saturated, t.runs);
        assert_true(t.saturated <= 1);
    }
    /* Many queues, little noise: the growth on the way to a mean of 19 customers is plain to see.
     */
    fc_simulation_settings less = simulation;
    less.max_cycles = 6000;
    const queue_case many = {.load = 0.95, .time_scale = 20, .queues = 32};
    const tally t = run_seeds(&many, &less, 10);
    print_message("32 x M/M/1 load 0.95: saturated %u of %u\n", t.saturated, t.runs);
    assert_int_equal(t.saturated, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coverage_of_one_queue),
        cmocka_unit_test(coverage_of_many_queues),
        cmocka_unit_test(saturation_is_found),
        cmocka_unit_test(a_queue_near_its_capacity_is_not_saturated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
