/* The driver of the simulators: warm-up, precision, saturation, limits. */
#include "base/memory.h"
#include "fake_simulator.h"
#include "simulators/kept.h"

static void a_steady_series_reaches_its_precision(void **state) {
    (void)state;
    const fake_case what = {.mean = 40, .noise = 20, .memory = 0.9, .arrivals = 2};
    fc_result *result = run_well(&what, &usual);
    assert_int_equal(result->outcome, FC_OUTCOME_OK);
    assert_string_equal(result->note, "");
    const fc_metric *latency = fc_result_metric(result, "latency");
    assert_non_null(latency);
    assert_true(latency->half_width > 0 && latency->half_width <= 0.01 * latency->value);
    assert_near(latency->value, 40, 2 * latency->half_width);
    assert_true(value_of(result, "throughput") == 3);
    assert_null(fc_result_metric(result, "hops"));
    assert_true(value_of(result, "latency_p50") > 20 && value_of(result, "latency_p99") < 160);
    assert_true(value_of(result, "latency_p95") > value_of(result, "latency_p50"));
    assert_true(fc_result_metric(result, "latency_p95")->half_width > 0);
    assert_int_equal(result->part_count, 1);

    const fc_run_info *info = &result->run;
    assert_int_equal(info->replications, 4);
    assert_int_equal(info->seed, 1);
    assert_true(info->warmup_cycles > 0 && info->cycles <= 4e6);
    /* Events count the warm-up too; the details only what came after it. */
    assert_true((double)info->events == info->cycles);
    assert_true(value_of(result, "measured") == info->cycles - 4 * info->warmup_cycles);
    assert_true(info->seconds > 0 && info->cpu_seconds > 0);
    fc_result_free(result);
}

static double four_units(const fc_scenario *scenario) {
    (void)scenario;
    return 4;
}

/* Percentiles are those of all replications together, their intervals come from the single ones. */
static void percentiles_are_of_all_replications(void **state) {
    (void)state;
    const fake_case what = {.mean = 100, .apart = 10};
    fc_simulation_settings simulation = usual;
    simulation.max_cycles = 2000; /* replications that disagree never become precise */
    fc_simulator in_quarters = fake_simulator;
    in_quarters.latency_scale = four_units;
    const fc_simulator *const simulators[] = {&fake_simulator, &in_quarters};
    for (size_t i = 0; i < 2; ++i) {
        const double units = i == 0 ? 1 : 4;
        fc_error error = {""};
        fc_result *result = fc_result_create(&fake_simulator.info, NULL);
        assert_int_equal(
            fc_driver_run_task(&(fc_driver_task){simulators[i],
                                                 (const fc_scenario *)(const void *)&what,
                                                 &simulation, "latency"},
                               NULL, &error, result),
            FC_OK);
        assert_true(value_of(result, "latency_p50") == 110 / units);
        assert_true(value_of(result, "latency_p95") == 130 / units);
        assert_true(value_of(result, "latency_p99") == 130 / units);
        const double half_width = 3.182446305284263 * sqrt(500.0 / 12) / units;
        assert_true(value_of(result, "latency_p999") == 130 / units);
        assert_true(value_of(result, "latency_max") == 130 / units);
        const char *names[] = {"latency_p50", "latency_p95", "latency_p99", "latency_p999"};
        for (size_t p = 0; p < 4; ++p)
            assert_close(fc_result_metric(result, names[p])->half_width, half_width, 1e-12);
        assert_true(isnan(fc_result_metric(result, "latency_max")->half_width));
        fc_result_free(result);
    }
}

static void a_transient_is_left_out(void **state) {
    (void)state;
    /* The transient adds up to 100 x 3000; kept, it would shift the mean by far more than the
     * precision. */
    const fake_case what = {.mean = 40, .noise = 5, .memory = 0.5, .transient = 100, .decay = 3000};
    fc_result *result = run_well(&what, &usual);
    assert_int_equal(result->outcome, FC_OUTCOME_OK);
    assert_true(result->run.warmup_cycles > 4 * 3000);
    assert_close(value_of(result, "latency"), 40, 0.01);
    fc_result_free(result);
}

/* A warm-up holds 16 time scales unless its own interval is narrow enough, and as a rule four of
 * the times in which the series forgets. The rule is what the data show of it, which may be too
 * little.
 */
static void a_warm_up_is_long_enough(void **state) {
    (void)state;
    const fake_case calm = {.mean = 40, .noise = 40};
    fc_result *result = run_well(&calm, &usual);
    assert_true(result->run.warmup_cycles >= 16 * fake_time_scale(NULL));
    fc_result_free(result);

    /* One that shows half the precision before that need not go on. */
    const fake_case plain = {.mean = 40, .noise = 1, .arrivals = 2};
    result = run_well(&plain, &usual);
    assert_true(result->run.warmup_cycles >= 1.5 * fake_time_scale(NULL));
    assert_true(result->run.warmup_cycles <= 512);
    fc_result_free(result);

    const fake_case slow = {.mean = 40, .noise = 1, .memory = 0.999};
    const double forgets = (1 + slow.memory) / (1 - slow.memory);
    fc_simulation_settings simulation = usual;
    simulation.precision = 0.05;
    unsigned shorter = 0;
    for (simulation.seed = 1; simulation.seed <= 20; ++simulation.seed) {
        result = run_well(&slow, &simulation);
        shorter += result->run.warmup_cycles < 4 * forgets;
        fc_result_free(result);
    }
    print_message("warm-up shorter than four memories: %u of 20\n", shorter);
    assert_in_range(shorter, 0, 6);
}

/* What stirs only after the warm-up makes the measurement begin anew. */
static void a_measurement_that_forgets_slowly_begins_anew(void **state) {
    (void)state;
    const fake_case what = {.mean = 40, .noise = 1, .memory = 0.999, .quiet = 1000};
    const double forgets = (1 + what.memory) / (1 - what.memory);
    fc_simulation_settings simulation = usual;
    simulation.precision = 0.02;
    unsigned shorter = 0;
    for (simulation.seed = 1; simulation.seed <= 20; ++simulation.seed) {
        fc_result *result = run_well(&what, &simulation);
        shorter += result->run.warmup_cycles < forgets;
        fc_result_free(result);
    }
    print_message("warm-up shorter than one memory: %u of 20\n", shorter);
    assert_in_range(shorter, 0, 6);
}

static void a_constant_needs_no_more_than_the_first_look(void **state) {
    (void)state;
    const fake_case what = {.mean = 7};
    fc_result *result = run_well(&what, &usual);
    assert_int_equal(result->outcome, FC_OUTCOME_OK);
    assert_true(value_of(result, "latency") == 7);
    /* Nothing else was seen: that leaves 3 in n, by the rule of three. */
    const double seen = value_of(result, "measured");
    assert_close(fc_result_metric(result, "latency")->half_width, 7 * 3 / seen, 1e-12);
    /* Percentiles are rounded to cycles and say so. */
    assert_true(value_of(result, "latency_p99") == 7);
    assert_true(fc_result_metric(result, "latency_p99")->half_width == 1);
    assert_true(result->run.cycles / 4 <= 2 * 1024); /* warm-up of 16 time scales, as long again */
    fc_result_free(result);
}

/* The variance of the mean is known, and with it how long a run must be: each look is where the
 * precision should be reached, so runs are little longer. */
static void a_run_is_not_much_longer_than_it_must_be(void **state) {
    (void)state;
    const fake_case what = {.mean = 40, .noise = 20, .memory = 0.9};
    const double deviation = what.noise / sqrt(12) / (1 - what.memory);
    const double needed = pow(1.96 * deviation / (usual.precision * what.mean), 2) / 4;
    double total = 0;
    for (unsigned seed = 1; seed <= 20; ++seed) {
        fc_simulation_settings simulation = usual;
        simulation.seed = seed;
        fc_result *result = run_well(&what, &simulation);
        assert_int_equal(result->outcome, FC_OUTCOME_OK);
        total += result->run.cycles / 4 - result->run.warmup_cycles;
        fc_result_free(result);
    }
    print_message("needed %.0f cycles, measured %.0f\n", needed, total / 20);
    assert_in_range((uintmax_t)(total / 20), (uintmax_t)needed, (uintmax_t)(1.5 * needed));
}

/* A run that was made longer until its interval was narrow, and saw few correlation times, claims
 * the precision asked for and no more. One that sees much more than it needs claims what it saw. */
static void a_run_that_was_made_longer_claims_what_was_asked(void **state) {
    (void)state;
    const fake_case slow = {.mean = 40, .noise = 1, .memory = 0.99, .arrivals = 2};
    const fake_case quick = {.mean = 40, .noise = 1, .memory = 0, .arrivals = 2};
    fc_result *result = run_well(&slow, &usual);
    const fc_metric *latency = fc_result_metric(result, "latency");
    const double asked = usual.precision * latency->value;
    assert_close(latency->half_width, asked, 1e-9);
    fc_result_free(result);
    result = run_well(&quick, &usual);
    latency = fc_result_metric(result, "latency");
    assert_true(latency->half_width > 0 && latency->half_width < asked / 4);
    fc_result_free(result);
}

static void a_growing_backlog_is_saturation(void **state) {
    (void)state;
    const double growth[] = {1.5, 0.2, 0.02};
    for (size_t i = 0; i < 3; ++i) {
        /* The latency grows with the backlog; it must not be reported. */
        const fake_case what = {
            .mean = 40, .noise = 20, .memory = 0.9, .arrivals = 2, .growth = growth[i]};
        fc_result *result = run_well(&what, &usual);
        assert_int_equal(result->outcome, FC_OUTCOME_SATURATED);
        assert_null(fc_result_metric(result, "latency"));
        assert_null(fc_result_metric(result, "latency_p50"));
        assert_int_equal(result->part_count, 0);
        assert_true(value_of(result, "throughput") == 3);
        assert_non_null(strstr(result->note, "saturated"));
        assert_true(result->run.cycles / 4 < 1e5);
        fc_result_free(result);
    }
    /* Closed traffic cannot saturate, whatever stays in the network. */
    const fake_case closed = {.mean = 40, .noise = 20, .memory = 0.9, .growth = 0.2};
    fc_result *result = run_well(&closed, &usual);
    assert_int_equal(result->outcome, FC_OUTCOME_OK);
    fc_result_free(result);
}

/* The backlog is a random walk, kept above 0, that rises by one in fifty cycles. */
static void a_load_just_above_capacity_is_soon_found(void **state) {
    (void)state;
    double found = 0;
    for (unsigned seed = 1; seed <= 20; ++seed) {
        const fake_case what = {.mean = 40, .noise = 1, .arrivals = 2, .growth = 0.02};
        fc_simulation_settings simulation = usual;
        simulation.seed = seed;
        simulation.precision = 1e-5;
        fc_result *result = run_well(&what, &simulation);
        assert_int_equal(result->outcome, FC_OUTCOME_SATURATED);
        found += result->run.cycles / 4 / 20;
        fc_result_free(result);
    }
    print_message("found after %.0f cycles\n", found);
    assert_true(found < 12000); /* in 4096 cycles it rises by nine times what chance does */
}

/* The same at exactly its capacity: it grows with the root of time. */
static void a_load_at_capacity_grows_ever_more_slowly(void **state) {
    (void)state;
    unsigned saturated = 0;
    for (unsigned seed = 1; seed <= 100; ++seed) {
        const fake_case what = {.mean = 40, .noise = 1, .arrivals = 2};
        fc_simulation_settings simulation = usual;
        simulation.seed = seed;
        simulation.precision = 1e-5;
        simulation.max_cycles = 8192;
        fc_result *result = run_well(&what, &simulation);
        saturated += result->outcome == FC_OUTCOME_SATURATED;
        fc_result_free(result);
    }
    assert_in_range(saturated, 0, 1);
}

static void the_cap_ends_a_run_and_the_note_says_so(void **state) {
    (void)state;
    const fake_case what = {.mean = 40, .noise = 20, .memory = 0.9};
    const double caps[] = {100, 1000, 12345};
    for (size_t i = 0; i < 3; ++i) {
        fc_simulation_settings simulation = usual;
        simulation.precision = 1e-5;
        simulation.max_cycles = caps[i];
        fc_result *result = run_well(&what, &simulation);
        assert_true(result->run.cycles <= 4 * caps[i] && result->run.cycles > 3.6 * caps[i]);
        assert_true(result->outcome != FC_OUTCOME_SATURATED);
        assert_non_null(strstr(result->note, "simulation.max_cycles"));
        assert_close(value_of(result, "latency"), 40, 0.5);
        fc_result_free(result);
    }
}

/* Where buffers bound what is inside, growth without end is growth at the sources. */
static void a_backlog_inside_bounded_buffers_is_not_saturation(void **state) {
    (void)state;
    const fc_metric_id observables[] = {FC_METRIC_LATENCY, FC_METRIC_THROUGHPUT,
                                        FC_METRIC_SOURCE_WAIT, FC_METRIC_NONE};
    const fake_case what = {.mean = 40, .noise = 20, .memory = 0.9, .arrivals = 2, .growth = 0.2};
    fc_simulation_settings simulation = usual;
    simulation.max_cycles = 50000;
    for (int bounded = 0; bounded < 2; ++bounded) {
        fc_simulator simulator = fake_simulator;
        simulator.observables = observables; /* nobody ever waits at a source */
        simulator.bounded = bounded;
        fc_error error = {""};
        fc_result *result = fc_result_create(&simulator.info, NULL);
        assert_int_equal(fc_driver_run_task(
                             &(fc_driver_task){&simulator, (const fc_scenario *)(const void *)&what,
                                               &simulation, "latency"},
                             NULL, &error, result),
                         FC_OK);
        assert_true((result->outcome == FC_OUTCOME_SATURATED) == !bounded);
        fc_result_free(result);
    }
}

/* At the cap growth need not be steady: that the main metric wanders with it is enough. */
static void a_backlog_that_grows_at_the_cap_is_saturation(void **state) {
    (void)state;
    const struct {
        fake_case what;
        fc_outcome outcome;
    } cases[] = {
        {{.mean = 40, .noise = 2, .arrivals = 2, .slowing = 10, .delay = 1}, FC_OUTCOME_SATURATED},
        /* A main metric that does not mind the backlog has a mean. */
        {{.mean = 40, .noise = 2, .arrivals = 2, .slowing = 10}, FC_OUTCOME_OK},
        /* What stays is next to nothing of what comes. */
        {{.mean = 40, .noise = 2, .arrivals = 2000, .slowing = 10, .delay = 1},
         FC_OUTCOME_NOT_CONVERGED},
        /* The backlog has grown, but no more than by chance. */
        {{.mean = 40, .arrivals = 0.5, .growth = 0.004, .transient = 50, .decay = 20000},
         FC_OUTCOME_NOT_CONVERGED},
        /* The main metric wanders, and the backlog does not grow. */
        {{.mean = 40, .noise = 2, .arrivals = 2, .growth = -1, .transient = 50, .decay = 20000},
         FC_OUTCOME_NOT_CONVERGED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        fc_simulation_settings simulation = usual;
        simulation.precision = 1e-5;
        simulation.max_cycles = 20000;
        fc_result *result = run_well(&cases[i].what, &simulation);
        assert_int_equal(result->outcome, cases[i].outcome);
        assert_true(result->run.cycles > 3.6 * 20000); /* it is the cap that ends the run */
        assert_true((value_of(result, "latency") > 0) == (result->outcome != FC_OUTCOME_SATURATED));
        fc_result_free(result);
    }
}

/* Noise far above the mean: some value is known, but not even its size. */
static void an_interval_wider_than_its_value_is_no_result(void **state) {
    (void)state;
    const fake_case what = {.mean = 1, .noise = 4000};
    fc_simulation_settings simulation = usual;
    simulation.max_cycles = 20000;
    fc_result *result = run_well(&what, &simulation);
    const fc_metric *latency = fc_result_metric(result, "latency");
    assert_true(latency->half_width > fabs(latency->value));
    assert_int_equal(result->outcome, FC_OUTCOME_NOT_CONVERGED);
    assert_non_null(strstr(result->note, "wider than its value"));
    fc_result_free(result);
}

static void a_run_that_sees_nothing_says_so(void **state) {
    (void)state;
    const fake_case what = {.mean = 40, .silent = 1e9};
    fc_simulation_settings simulation = usual;
    simulation.max_cycles = 20000;
    fc_result *result = run_well(&what, &simulation);
    assert_int_equal(result->outcome, FC_OUTCOME_NOT_CONVERGED);
    assert_null(fc_result_metric(result, "latency"));
    assert_non_null(strstr(result->note, "nothing was observed"));
    fc_result_free(result);
}

static void seeds_and_replications_matter(void **state) {
    (void)state;
    const fake_case what = {.mean = 40, .noise = 20, .memory = 0.9};
    fc_simulation_settings other = usual;
    fc_result *first = run_well(&what, &usual);
    other.seed = 2;
    fc_result *second = run_well(&what, &other);
    assert_true(value_of(first, "latency") != value_of(second, "latency"));
    fc_result_free(second);
    other.seed = 1;
    other.replications = 1;
    second = run_well(&what, &other);
    assert_int_equal(second->outcome, FC_OUTCOME_OK);
    assert_int_equal(second->run.replications, 1);
    assert_true(isnan(fc_result_metric(second, "latency_p50")->half_width));
    fc_result_free(second);
    fc_result_free(first);
}

static void an_unknown_main_metric_is_an_error(void **state) {
    (void)state;
    const fake_case what = {.mean = 40};
    fc_error error = {""};
    fc_result *result = fc_result_create(&fake_simulator.info, NULL);
    assert_int_equal(fc_driver_run_task(&(fc_driver_task){&fake_simulator,
                                                          (const fc_scenario *)(const void *)&what,
                                                          &usual, "efficiency"},
                                        NULL, &error, result),
                     FC_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "efficiency"));
    fc_result_free(result);
}

typedef struct progress_log {
    double last;
    int calls;
} progress_log;

static void note_progress(void *context, double done, const char *what) {
    progress_log *log = context;
    assert_true(strncmp(what, "measuring", 9) == 0 || strncmp(what, "warming up", 10) == 0);
    assert_true(done >= log->last && done <= 1);
    log->last = done;
    ++log->calls;
}

static void progress_rises_to_one(void **state) {
    (void)state;
    progress_log log = {0};
    const fc_run_settings settings = {
        .threads = 2, .progress = note_progress, .progress_context = &log};
    const fake_case what = {.mean = 40, .noise = 30, .memory = 0.95};
    fc_error error = {""};
    fc_result *result;
    assert_int_equal(run(&what, &usual, &settings, &error, &result), FC_OK);
    assert_true(log.calls >= 1 && log.last == 1);
    fc_result_free(result);
}

static const fc_metric_id one_observable[] = {FC_METRIC_LATENCY, FC_METRIC_NONE};

/* What one replication saw of the latency in one batch. */
static void store(fc_observations *o, size_t replication, double sum, double weight,
                  fc_sample sample) {
    double sums[FC_METRICS] = {0}, weights[FC_METRICS] = {0};
    sample.sums = sums;
    sample.weights = weights;
    fc_observe(&sample, FC_METRIC_LATENCY, sum, weight);
    fc_observations_store(o, replication, 0, &sample);
}

/* Batches merge in pairs without losing anything, and the course of the backlog keeps its latest
 * point and its spacing. */
static void merging_keeps_sums_and_course(void **state) {
    (void)state;
    fc_observations o;
    fc_error error;
    assert_int_equal(
        fc_observations_create(&(fc_observed){one_observable, NULL, NULL}, 2, 10, &error, &o),
        FC_OK);
    uint64_t now = 0;
    while (o.length < 40) {
        now += o.length;
        for (size_t replication = 0; replication < 2; ++replication)
            store(&o, replication, 3 * (double)o.length, (double)o.length,
                  (fc_sample){.backlog = 0.1 * (double)now, .arrivals = (double)o.length});
        fc_observations_advance(&o, 1);
        fc_observations_tidy(&o);
    }
    assert_int_equal(now, 40 * FC_BATCHES_KEPT);
    assert_int_equal(o.count, FC_BATCHES_KEPT);
    assert_int_equal(o.points, FC_BATCHES_KEPT);
    for (size_t replication = 0; replication < 2; ++replication)
        for (size_t batch = 0; batch < o.count; ++batch)
            assert_true(o.weights[replication * FC_BATCHES_MOST + batch] == 40);
    assert_close(fc_observations_interval(&o, 0).mean, 3, 1e-12);
    for (size_t point = 0; point < o.points; ++point) {
        const double then = 40 * (double)(point + 1);
        assert_true(o.courses[point] == then); /* arrivals of replication 0 */
        assert_close(o.courses[2 * 2 * FC_BATCHES_MOST + point], 0.1 * then, 1e-12);
    }
    const fc_growth growth = fc_observations_growth(&o);
    assert_close(growth.share, 0.1, 0.02);
    assert_true(fc_growth_endless(&growth));
    fc_observations_free(&o);
}

/* A backlog on its way to a limit, or growing with the root of time, is not saturation. */
static void a_settling_backlog_is_not_endless(void **state) {
    (void)state;
    const double limits[] = {20, 200, 1e9};
    for (size_t l = 0; l < 3; ++l) {
        fc_observations o;
        fc_error error;
        assert_int_equal(
            fc_observations_create(&(fc_observed){one_observable, NULL, NULL}, 4, 10, &error, &o),
            FC_OK);
        fc_random random = fc_random_stream(3, 0, 0);
        for (size_t i = 0; i < FC_BATCHES_KEPT; ++i) {
            for (size_t replication = 0; replication < 4; ++replication) {
                const double root = 10 * sqrt((double)i);
                const double backlog = fmin(root, limits[l]) + fc_random_unit(&random);
                store(&o, replication, 1, 1, (fc_sample){.backlog = backlog, .arrivals = 10});
            }
            fc_observations_advance(&o, 1);
        }
        const fc_growth growth = fc_observations_growth(&o);
        assert_false(fc_growth_endless(&growth));
        fc_observations_free(&o);
    }
}

/* How many of 100 noisy series with this transient count as settled. */
static unsigned count_settled(double decay, double silent) {
    unsigned settled = 0;
    for (uint64_t seed = 0; seed < 100; ++seed) {
        fc_observations o;
        fc_error error;
        assert_int_equal(
            fc_observations_create(&(fc_observed){one_observable, NULL, NULL}, 4, 10, &error, &o),
            FC_OK);
        fc_random random = fc_random_stream(seed, 0, 0);
        for (size_t i = 0; i < FC_BATCHES_KEPT; ++i) {
            for (size_t replication = 0; replication < 4; ++replication) {
                const double weight = (double)i < silent ? 0 : 1;
                const double sum =
                    weight * (50 - 40 * exp(-(double)i / decay) + 2 * fc_random_unit(&random));
                store(&o, replication, sum, weight, (fc_sample){0});
            }
            fc_observations_advance(&o, 1);
        }
        settled += fc_observations_settled(&o, 0);
        fc_observations_free(&o);
    }
    return settled;
}

/* A transient over most of what was run is not settled, nor one that is silent for long: an empty
 * network delivers nothing at first. */
static void settled_only_after_the_transient(void **state) {
    (void)state;
    const unsigned none = count_settled(1e-9, 0), brief = count_settled(5, 0);
    print_message("settled: %u of 100 without a transient, %u with a brief one\n", none, brief);
    assert_in_range(none, 60, 100);
    assert_in_range(brief, 50, 100);
    assert_int_equal(count_settled(20, 0), 0);
    assert_int_equal(count_settled(60, 0), 0);
    assert_in_range(count_settled(1e-9, 9), 60, 100);
    assert_int_equal(count_settled(1e-9, FC_BATCHES_KEPT / 3.0), 0);
}

/* The distribution that is kept is the one that the percentiles are of. */
static void the_histogram_holds_every_message(void **state) {
    (void)state;
    const fake_case what = {.mean = 100, .apart = 10};
    fc_simulation_settings simulation = usual;
    simulation.max_cycles = 2000;
    const fc_keep keep = {.histogram = true};
    fc_run_settings settings = fc_run_settings_default();
    settings.keep = &keep;
    fc_error error = {""};
    fc_result *result = fc_result_create(&fake_simulator.info, NULL);
    assert_int_equal(fc_driver_run_task(&(fc_driver_task){&fake_simulator,
                                                          (const fc_scenario *)(const void *)&what,
                                                          &simulation, "latency"},
                                        &settings, &error, result),
                     FC_OK);
    const fc_table *table = fc_result_table(result, "histogram");
    assert_non_null(table);
    assert_int_equal(table->rows, 4); /* the replications have 100, 110, 120 and 130 */
    double messages = 0;
    for (size_t row = 0; row < 4; ++row) {
        const double *values = &table->values[row * table->columns];
        messages += values[1];
        assert_true(values[0] == 100 + 10 * (double)row);
        assert_close(values[2], 0.25, 1e-12);
        assert_close(values[3], 0.25 * (double)(row + 1), 1e-12);
    }
    assert_true(messages > 0 && fmod(messages, 4) == 0);
    char *text;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    const fc_write_settings csv = {.format = FC_FORMAT_CSV};
    assert_int_equal(fc_result_write_part(result, NULL, "nothing", &csv, stream),
                     FC_ERROR_ARGUMENT);
    assert_int_equal(fc_result_write_part(result, NULL, "histogram", &csv, stream), FC_OK);
    fclose(stream);
    assert_true(strncmp(text, "latency,count,share,cumulative\n100,", 35) == 0);
    assert_non_null(strstr(text, "\n130,"));
    free(text);
    fc_result_free(result);
}

/* Three messages of two replications, by hand: the list, the table of pairs, and a list that is
 * too short for them. */
static void every_message_is_listed(void **state) {
    (void)state;
    const fc_delivered_message seen[] = {
        {.generated = 5, .started = 6, .delivered = 20, .source = 1, .flits = 4},
        {.generated = 2, .started = 2, .delivered = 20, .destination = 1, .flits = 4},
        {.generated = 1, .started = 3, .delivered = 8, .source = 1, .flits = 4}};
    for (size_t most = 2; most > 0; --most) {
        fc_kept kept[2] = {{.listed = true, .most = most, .nodes = 2},
                           {.listed = true, .most = most, .nodes = 2}};
        for (size_t i = 0; i < 2; ++i) {
            kept[i].pairs = fc_allocate(4, sizeof *kept[i].pairs);
            fc_kept_message(&kept[i], &seen[2]); /* of the warm-up */
            fc_kept_restart(&kept[i]);
        }
        fc_kept_message(&kept[0], &seen[0]);
        fc_kept_message(&kept[0], &seen[1]);
        fc_kept_message(&kept[1], &seen[2]);
        fc_result *result = fc_result_create(&fake_simulator.info, NULL);
        fc_kept_report(kept, 2, NULL, NULL, result);
        assert_int_equal(result->delivery_count, 3);
        if (most == 2) {
            assert_memory_equal(&result->deliveries[0], &seen[1], sizeof *seen);
            assert_memory_equal(&result->deliveries[1], &seen[0], sizeof *seen);
            assert_memory_equal(&result->deliveries[2], &seen[2], sizeof *seen);
        } else {
            assert_null(result->deliveries);
        }
        const fc_table *pairs = fc_result_table(result, "pairs");
        const double values[] = {1, 18, 18, 2, 11, 15}; /* 0 to 1, then 1 to 0 */
        assert_int_equal(pairs->rows, 2);
        assert_string_equal(pairs->row_labels[0], "0 to 1");
        assert_string_equal(pairs->row_labels[1], "1 to 0");
        for (size_t i = 0; i < 6; ++i)
            assert_true(pairs->values[i] == values[i]);
        fc_result_free(result);
        for (size_t i = 0; i < 2; ++i) {
            fc_release(kept[i].list);
            fc_release(kept[i].pairs);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_message_is_listed),
        cmocka_unit_test(a_steady_series_reaches_its_precision),
        cmocka_unit_test(percentiles_are_of_all_replications),
        cmocka_unit_test(the_histogram_holds_every_message),
        cmocka_unit_test(a_transient_is_left_out),
        cmocka_unit_test(a_warm_up_is_long_enough),
        cmocka_unit_test(a_measurement_that_forgets_slowly_begins_anew),
        cmocka_unit_test(a_constant_needs_no_more_than_the_first_look),
        cmocka_unit_test(a_run_is_not_much_longer_than_it_must_be),
        cmocka_unit_test(a_run_that_was_made_longer_claims_what_was_asked),
        cmocka_unit_test(a_growing_backlog_is_saturation),
        cmocka_unit_test(a_backlog_inside_bounded_buffers_is_not_saturation),
        cmocka_unit_test(a_load_just_above_capacity_is_soon_found),
        cmocka_unit_test(a_load_at_capacity_grows_ever_more_slowly),
        cmocka_unit_test(the_cap_ends_a_run_and_the_note_says_so),
        cmocka_unit_test(a_backlog_that_grows_at_the_cap_is_saturation),
        cmocka_unit_test(an_interval_wider_than_its_value_is_no_result),
        cmocka_unit_test(a_run_that_sees_nothing_says_so),
        cmocka_unit_test(seeds_and_replications_matter),
        cmocka_unit_test(an_unknown_main_metric_is_an_error),
        cmocka_unit_test(progress_rises_to_one),
        cmocka_unit_test(merging_keeps_sums_and_course),
        cmocka_unit_test(a_settling_backlog_is_not_endless),
        cmocka_unit_test(settled_only_after_the_transient),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
