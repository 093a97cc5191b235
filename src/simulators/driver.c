/* Runs a simulation: replications advance side by side in rounds of batches; after each round the
 * driver decides whether the warm-up is over, the precision is reached or the network is saturated.
 *
 * Invariants:
 *  D1  Between rounds every replication has simulated the same number of cycles, unless the run was
 *      cancelled or failed.
 *  D2  A decision depends on the scenario, the settings and what was observed, in the order of the
 *      replications: never on threads or clocks.
 *  D3  No replication simulates more than max_cycles.
 *  D4  Batches, histograms and the simulators' detail counters cover the same stretch of time. */
#include "simulators/driver.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/pool.h"
#include "simulators/driver_state.h"
#include "simulators/finite_run.h"

/* When to look at a warm-up first, in time scales of the simulator. That look may already find
 * saturation, or that a large network has settled. */
static const double first_scales = 1.5;
/* When to look at the precision next, as factors. Ahead: of the length at which the precision
 * should be reached; that estimate, from a short run, is mostly too long. Nearest, furthest: of the
 * length measured so far. Confirming: the same, for the second look at an interval that is narrow
 * enough; a third of what it sees is then new, and was not selected by the first look. */
static const double look_ahead = 0.85, look_nearest = 1.12, look_confirming = 1.5,
                    look_furthest = 2;

/* Batches before the first look at traffic whose batches are whole periods. */
enum { FC_BATCHES_FEW = 32 };

/* The longest measurement of a saturated network ends after so many times its warm-up. */
static const double saturated_longest = 16;

/* ---- rounds ---- */

static const char *phase_name(const fc_driver *d) {
    return d->measuring ? "measuring" : "warming up";
}

/* The reason why the run has not ended is part of the progress. */
static void say_why(fc_driver *d, const char *why) {
    snprintf(d->phase, sizeof d->phase, "%s%s%s", phase_name(d), why[0] ? ": " : "", why);
}

static void tell_progress(fc_driver *d) {
    const double round = (double)atomic_load(&d->batches) / (double)d->count;
    const double cycles = (double)d->cycles + round * (double)d->observations.length;
    /* What is left is a guess: never say that all is done. */
    fc_progress_tell(&d->progress, fmin(0.99, cycles / d->expected), d->phase);
}

/* A batch of `count` replications from `first` on. */
static fc_status advance_batch(fc_driver *d, size_t first, size_t count) {
    const fc_simulator *simulator = d->simulator;
    fc_replication *r = &d->replications[first];
    const size_t used = (1 + d->classes) * FC_METRICS;
    for (size_t i = 0; i < count; ++i) {
        memset(r[i].sums, 0, used * sizeof *r[i].sums);
        memset(r[i].weights, 0, used * sizeof *r[i].weights);
        d->samples[first + i] = (fc_sample){.sums = r[i].sums,
                                            .weights = r[i].weights,
                                            .latencies = &r[i].latencies,
                                            .histograms = r[i].histograms};
    }
    const fc_status status =
        d->engine.engine == FC_ENGINE_EVENTS
            ? simulator->advance(r->state, d->observations.length, &d->samples[first], &r->error)
            : simulator->engines->advance_group(&d->states[first], count, d->observations.length,
                                                &d->samples[first], &r->error);
    if (status != FC_OK)
        return status;
    for (size_t i = 0; i < count; ++i) {
        if (d->kept && d->kept[first + i].status != FC_OK)
            return fc_fail_memory(&r->error);
        fc_observations_store(&d->observations, first + i, r[i].done, &d->samples[first + i]);
        r[i].events += d->samples[first + i].events;
        r[i].cpu_seconds += d->samples[first + i].helper_seconds;
        ++r[i].done;
    }
    atomic_fetch_add(&d->batches, count);
    tell_progress(d);
    return FC_OK;
}

static size_t batches_at_once(fc_driver *d, size_t first, size_t left) {
    return d->engine.engine != FC_ENGINE_EVENTS
               ? d->simulator->engines->look_ahead(&d->states[first], d->observations.length, left)
               : 1;
}

static fc_status advance_group(void *context, size_t index) {
    fc_driver *d = context;
    const size_t first = index * d->engine.group, left = d->count - first;
    const size_t count = left < d->engine.group ? left : d->engine.group;
    const double start = fc_clock_thread();
    fc_status status = FC_OK;
    for (size_t done = 0, sure = 0; done < d->round && status == FC_OK; ++done, --sure) {
        if (sure == 0 && fc_cancelled(d->settings))
            break;
        if (sure == 0)
            sure = batches_at_once(d, first, d->round - done);
        status = advance_batch(d, first, count);
    }
    d->replications[first].cpu_seconds += fc_clock_thread() - start;
    return status;
}

fc_status fc_driver_round(fc_driver *d, size_t batches, uint64_t allowed, fc_error *error) {
    fc_observations *o = &d->observations;
    const uint64_t left = allowed > d->cycles ? (allowed - d->cycles) / o->length : 0;
    const size_t room = FC_BATCHES_MOST - o->count;
    d->round = batches < room ? batches : room;
    if (d->round > left)
        d->round = (size_t)left;
    atomic_store(&d->batches, 0);
    for (size_t i = 0; i < d->count; ++i)
        d->replications[i].done = 0; /* a cancelled pool may not come to all of them */
    if (d->round == 0)
        return FC_OK;
    const size_t groups = (d->count + d->engine.group - 1) / d->engine.group;
    const fc_status status = fc_pool_run(&d->pool_settings, NULL, groups, advance_group, d);
    size_t done = d->round;
    for (size_t i = 0; i < d->count; ++i)
        done = d->replications[i].done < done ? d->replications[i].done : done;
    if (status != FC_OK && status != FC_ERROR_CANCELLED) {
        /* The pool gives the status of the lowest replication that failed. */
        for (size_t i = 0; error && i < d->count; ++i) {
            if (d->replications[i].error.text[0]) {
                *error = d->replications[i].error;
                break;
            }
        }
        return status;
    }
    d->cancelled = done < d->round;
    d->round = done;
    d->cycles += done * o->length;
    assert(d->cycles <= d->cap); /* D3 */
    fc_observations_advance(o, done);
    fc_observations_tidy(o);
    return FC_OK;
}

double fc_driver_events(const fc_driver *d) {
    double events = 0;
    for (size_t i = 0; d->replications && i < d->count; ++i)
        events += (double)d->replications[i].events;
    return events;
}

double fc_driver_work_left(const fc_driver *d) {
    const double most = d->settings ? d->settings->work_most : 0;
    return most > 0 ? most - fc_driver_events(d) - d->test_events : INFINITY;
}

/* The cycle up to which the work allowed lasts, at the pace of the work so far, but not above
 * `end`; half of it is for the warm-up. */
static uint64_t affordable(const fc_driver *d, uint64_t end) {
    const double events = fc_driver_events(d), left = fc_driver_work_left(d);
    if (!(left < INFINITY && events > 0))
        return end;
    const double usable = left - (d->measuring ? 0 : 0.5 * d->settings->work_most);
    return (uint64_t)fmin((double)end, (double)d->cycles * (1 + fmax(usable, 0) / events));
}

/* Whether the work allowed does not last for another batch. */
static bool is_tired(const fc_driver *d) {
    const uint64_t next = d->cycles + d->observations.length;
    return affordable(d, next) < next;
}

/* The same in short rounds if there is a time limit, which is checked between them: so D1 also
 * holds where the clock ends a run. */
static fc_status run_stretch(fc_driver *d, size_t batches, uint64_t allowed, fc_error *error) {
    enum { SHORT = 8 };
    const double limit = fc_seconds_allowed(d->simulation) * (d->measuring ? 1 : 0.5);
    allowed = affordable(d, allowed);
    if (!(limit > 0)) {
        const fc_status ended = fc_driver_round(d, batches, allowed, error);
        d->expired = is_tired(d);
        return ended;
    }
    size_t done = 0;
    fc_status status = FC_OK;
    do {
        const size_t merged = d->observations.length;
        status =
            fc_driver_round(d, batches - done < SHORT ? batches - done : SHORT, allowed, error);
        done += d->round;
        if (d->observations.length != merged) /* pairs were merged: the stretch is over */
            break;
        d->expired = fc_clock_elapsed() - d->start > limit || is_tired(d);
    } while (status == FC_OK && d->round > 0 && done < batches && !d->cancelled && !d->expired);
    d->round = done;
    return status;
}

/* ---- warm-up ---- */

void fc_driver_start_measuring(fc_driver *d) {
    d->measuring = true;
    d->expired = false;
    d->warmup = d->cycles;
    say_why(d, "");
    fc_observations_discard(&d->observations);
    for (size_t i = 0; i < d->count; ++i) { /* D4 */
        fc_histogram_clear(&d->replications[i].latencies);
        for (size_t h = 0; d->replications[i].histograms && h < 1 + d->classes; ++h)
            fc_histogram_clear(&d->replications[i].histograms[h]);
        if (d->simulator->start_measuring)
            d->simulator->start_measuring(d->replications[i].state);
        if (d->kept)
            fc_kept_restart(&d->kept[i]);
    }
    if (d->kept)
        d->simulator->observe(d->states, d->count, d->kept);
}

/* Batches until the next look. Where they cannot be short, the first looks come after fewer. */
static size_t batches_until_look(const fc_driver *d) {
    const size_t count = d->observations.count;
    if (fc_driver_period(d) && count < FC_BATCHES_KEPT)
        return count < FC_BATCHES_FEW ? FC_BATCHES_FEW - count : count;
    return FC_BATCHES_KEPT - count % FC_BATCHES_KEPT;
}

static bool has_settled(fc_driver *d) {
    const char *where = fc_driver_unsettled(d);
    char why[FC_NAME_SIZE + 40] = "";
    if (where)
        snprintf(why, sizeof why, where[0] ? "%s has not settled" : "it is too short to tell",
                 where);
    say_why(d, why);
    d->settled = !where;
    return d->settled;
}

/* Simulates, twice as far each time, until the main metric has settled, the backlog is seen to grow
 * without limit, or half of the cycles allowed are used up. */
static fc_status warm_up(fc_driver *d, fc_error *error) {
    for (;;) {
        const fc_status status = run_stretch(d, batches_until_look(d), d->cap / 2, error);
        if (status != FC_OK || d->cancelled)
            return status;
        d->open = fc_observations_arrivals(&d->observations) > 0;
        d->saturated = fc_driver_grows_without_end(d);
        if (d->saturated || d->expired || d->round == 0 || has_settled(d))
            break;
        d->saturated = d->undecided = fc_driver_out_of_reach(d);
        if (d->saturated)
            break;
        d->expected = fmax(d->expected, 8 * (double)d->cycles);
    }
    fc_driver_start_measuring(d);
    return FC_OK;
}

/* ---- measurement ---- */

/* Cycles to measure, by the square-root law, until the precision is reached. */
static double cycles_needed(const fc_driver *d, const fc_interval *interval, double measured) {
    const double ratio = interval->half_width / (d->simulation->precision * fabs(interval->mean));
    const double needed = measured * ratio * ratio;
    return isfinite(needed) ? needed : 2 * measured;
}

/* The first look at the precision comes after a measurement as long as the warm-up. */
static uint64_t first_look(const fc_driver *d) {
    const uint64_t batches = fc_driver_period(d) ? FC_BATCHES_FEW : FC_BATCHES_KEPT / 2;
    const uint64_t least = batches * d->observations.length;
    return d->cycles + (d->warmup > least ? d->warmup : least);
}

/* Frequent looks would find the moments at which the interval happens to be narrow, so the next one
 * comes when the precision should be reached; but not much later, since that estimate may be bad.
 */
static uint64_t next_look(const fc_driver *d, double needed, double measured, bool precise) {
    const double nearest = precise ? look_confirming : look_nearest;
    const double times = fmin(fmax(look_ahead * needed / measured, nearest), look_furthest);
    return d->warmup + (uint64_t)(times * measured);
}

/* Simulates whole batches up to cycle `end`; stops if the backlog is seen to grow without limit. */
static fc_status run_until(fc_driver *d, uint64_t end, fc_error *error) {
    do {
        const fc_status status = run_stretch(d, FC_BATCHES_MOST, end, error);
        if (status != FC_OK || d->cancelled)
            return status;
        d->saturated = d->round > 0 && fc_driver_grows_without_end(d);
    } while (d->round > 0 && !d->saturated && !d->expired);
    return FC_OK;
}

static void say_how_precise(fc_driver *d, const fc_interval *interval) {
    char why[80];
    snprintf(why, sizeof why, "%s to %.2g %%, %.2g %% asked for", fc_driver_main_name(d),
             100 * interval->half_width / fabs(interval->mean), 100 * d->simulation->precision);
    say_why(d, interval->independent ? why : "batches still depend on each other");
}

/* The half width that a run may claim that ended because its interval was narrow enough. Such runs
 * are a selection: in some of them the interval is narrow by luck. Theory gives the coverage of the
 * width that ends the run, not of the narrower one seen at its end (Chow and Robbins 1965). So a
 * run that was made longer because its interval was too wide claims no more than the precision
 * asked for. One that was narrow enough from the first look on was not selected by its length; the
 * wider of its last two intervals counts. */
static double selected_width(const fc_driver *d, const fc_interval *interval, bool extended,
                             double previous) {
    const double rounding = 1e-12; /* the claim must not exceed what was asked */
    return extended ? (1 - rounding) * d->simulation->precision * fabs(interval->mean) : previous;
}

static fc_status measure(fc_driver *d, fc_error *error) {
    uint64_t look = first_look(d);
    bool was_precise = false, extended = false;
    double previous = 0; /* half width at the look before */
    for (;;) {
        const uint64_t before = d->cycles;
        const fc_status status = run_until(d, look < d->cap ? look : d->cap, error);
        if (status != FC_OK || d->cancelled || d->saturated || d->expired || d->cycles == before)
            return status;
        const double measured = (double)(d->cycles - d->warmup);
        const fc_interval interval = fc_driver_claim(d);
        const double needed = cycles_needed(d, &interval, measured);
        d->expected = fmin((double)d->warmup + fmax(needed, 1.2 * measured), (double)d->cap);
        bool precise = fc_driver_precise(d, &interval);
        const bool luck = fc_driver_may_be_luck(d, &interval);
        look = next_look(d, needed, measured, precise);
        if (fc_driver_warmup_too_short(d, &interval)) {
            fc_driver_start_measuring(d);
            look = first_look(d);
            precise = extended = false;
        } else if (precise && (was_precise || !luck)) {
            d->reached = true;
            if (luck && interval.half_width > 0)
                d->widening =
                    fmax(1, selected_width(d, &interval, extended, previous) / interval.half_width);
            return FC_OK;
        } else {
            extended |= !precise;
        }
        was_precise = precise;
        previous = interval.half_width;
        say_how_precise(d, &interval);
    }
}

/* Whether the accepted load is not known as precisely as asked for. Where the simulator does not
 * observe it, there is nothing to wait for. */
static bool accepts_roughly(const fc_driver *d) {
    for (size_t i = 0; i < d->observations.observables; ++i) {
        if (d->observations.list[i] == FC_METRIC_THROUGHPUT) {
            const fc_interval accepted = fc_observations_interval(&d->observations, i);
            return accepted.mean > 0 && !fc_driver_precise(d, &accepted);
        }
    }
    return false;
}

/* Above saturation the network has been full for half of the warm-up. A measurement as long as the
 * warm-up gives the details; the accepted load may take some times that. The backlog grows all the
 * while, and with it the memory. */
static fc_status measure_saturated(fc_driver *d, fc_error *error) {
    const uint64_t longest = (uint64_t)fmin((double)d->cap, saturated_longest * (double)d->cycles);
    fc_status status =
        run_stretch(d, d->undecided ? FC_BATCHES_KEPT / 4 : FC_BATCHES_KEPT, d->cap, error);
    while (status == FC_OK && d->round > 0 && !d->undecided && !d->cancelled && !d->expired &&
           accepts_roughly(d))
        status = run_stretch(d, FC_BATCHES_KEPT, longest, error);
    return status;
}

/* ---- the whole run ---- */

/* For a simulator, or a kind of run, that has one engine only. */
static fc_status require_events(const fc_simulator *simulator, int asked, fc_error *error) {
    if (asked == FC_ENGINE_AUTO || asked == FC_ENGINE_EVENTS)
        return FC_OK;
    return fc_fail(error, FC_ERROR_UNSUPPORTED,
                   "simulation.engine: %s is for networks of routers with open traffic; the "
                   "simulator %s runs this scenario by events",
                   fc_engine_names[asked], simulator->info.name);
}

static fc_status choose_engine(fc_driver *d, fc_error *error) {
    const int asked = d->simulation->engine;
    d->engine = (fc_engine_choice){.engine = FC_ENGINE_EVENTS, .group = 1};
    if (d->simulator->engines)
        return d->simulator->engines->choose(d->scenario, d->common, d->simulation, d->settings,
                                             error, &d->engine);
    return require_events(d->simulator, asked, error);
}

static fc_status create_replications(fc_driver *d, fc_error *error) {
    /* Threads beyond one for each replication: some simulators use them for one network. */
    const unsigned threads = fc_pool_threads(d->settings) / (unsigned)d->count;
    d->replications = fc_allocate(d->count, sizeof *d->replications);
    d->samples = fc_allocate(d->count, sizeof *d->samples);
    d->states = fc_allocate(d->count, sizeof *d->states);
    if (!d->replications || !d->samples || !d->states)
        return fc_fail_memory(error);
    fc_status status = FC_OK;
    if (d->simulator->prepare)
        status = d->simulator->prepare(d->scenario, error, &d->common);
    if (status == FC_OK)
        status = choose_engine(d, error);
    if (status == FC_OK && d->engine.engine != FC_ENGINE_GPU)
        status = fc_kept_create(d->simulator, d->scenario, d->count, d->settings, error, &d->kept);
    const bool histograms =
        d->simulator->has_histograms && d->simulator->has_histograms(d->scenario);
    for (size_t i = 0; status == FC_OK && i < d->count; ++i) {
        fc_replication *r = &d->replications[i];
        if (histograms)
            r->histograms = fc_allocate(1 + d->classes, sizeof *r->histograms);
        status = r->histograms || !histograms ? FC_OK : fc_fail_memory(error);
        if (status != FC_OK)
            break;
        status = d->simulator->create(d->scenario, d->common, (uint64_t)d->simulation->seed,
                                      (uint32_t)i, error, &r->state);
        d->states[i] = r->state;
        /* Threads of one replication would all write to what it keeps. */
        if (status == FC_OK && threads > 1 && d->engine.engine == FC_ENGINE_EVENTS &&
            d->simulator->engines && !d->kept)
            status = d->simulator->engines->divide(r->state, d->common, threads, error);
    }
    return status;
}

void fc_driver_release_replications(fc_driver *d) {
    for (size_t i = 0; d->replications && i < d->count; ++i) {
        d->simulator->release(d->replications[i].state);
        fc_release(d->replications[i].histograms);
    }
    fc_kept_free(d->kept, d->count);
    fc_release(d->replications);
    fc_release(d->samples);
    fc_release(d->states);
}

/* Batches of traffic that changes are whole periods, so that they are alike. */
static uint64_t whole_periods(const fc_driver *d, uint64_t length) {
    const uint64_t period = fc_driver_period(d);
    return period ? (length + period - 1) / period * period : length;
}

/* Returns the length of the first batches, which are merged during the run. No threshold is above
 * an eighth of the cycles allowed. */
static uint64_t plan_warm_up(fc_driver *d) {
    double scale = d->simulator->time_scale ? d->simulator->time_scale(d->scenario) : 1000;
    if (!(scale >= 1 && scale <= 1e9))
        scale = 1000;
    d->filled = FC_SETTLED_SCALES * scale;
    d->scale = fmin(d->filled, (double)d->cap / 8) / FC_SETTLED_SCALES;
    const double length = first_scales * d->scale / (double)FC_BATCHES_KEPT;
    return whole_periods(d, length > 1 ? (uint64_t)ceil(length) : 1);
}

/* What is observed of all messages, and of each class that has a name. */
static void list_observables(fc_driver *d) {
    const fc_metric_id *own = d->simulator->class_observables;
    const fc_routed *routed = own ? fc_scenario_routed(d->scenario) : NULL;
    size_t count = 0;
    for (const fc_metric_id *m = d->simulator->observables; *m != FC_METRIC_NONE; ++m)
        d->list[count++] = *m;
    d->classes = routed && routed->given ? routed->given->classes.count : 0;
    for (size_t class = 0; class < d->classes; ++class)
        for (const fc_metric_id *m = own; *m != FC_METRIC_NONE; ++m)
            d->list[count++] = (fc_metric_id)((1 + class) * FC_METRICS + *m);
    d->list[count] = FC_METRIC_NONE;
}

static fc_status find_main(fc_driver *d, const char *name, fc_error *error) {
    const fc_metric_id *list = d->simulator->observables;
    const fc_metric_id metric = fc_metric_find(name);
    for (d->main = 0; list[d->main] != FC_METRIC_NONE; ++d->main) {
        if (list[d->main] == metric)
            return FC_OK;
    }
    return fc_fail(error, FC_ERROR_ARGUMENT, "the simulator %s does not observe the main metric %s",
                   d->simulator->info.name, name);
}

/* A network that carries the load from empty, but not once it has been overloaded, has no steady
 * state: what is reported is how it fares then. How long it takes to fall is watched for a while.
 */
static fc_status watch(fc_driver *d, fc_error *error) {
    return run_until(d, (uint64_t)fmin((double)d->cap, fc_driver_watch_until(d)), error);
}

/* flooded: in use if `stays`. */
static fc_status run_phases(fc_driver *d, fc_driver *flooded, bool *stays, fc_error *error) {
    fc_status status = warm_up(d, error);
    if (status != FC_OK || !d->measuring)
        return status;
    if (d->saturated)
        return measure_saturated(d, error);
    status = fc_driver_test_recovery(d, flooded, error, stays);
    if (status != FC_OK || !*stays)
        return status == FC_OK ? measure(d, error) : status;
    status = watch(d, error);
    if (status != FC_OK) {
        fc_driver_close_flood(flooded);
        *stays = false;
    }
    return status;
}

/* From the first replication to the report. */
static fc_status run_steady(fc_driver *d, fc_error *error, fc_result *result) {
    fc_driver flooded = {0};
    bool stays = false;
    fc_progress_start(&d->progress, d->settings);
    fc_status status = create_replications(d, error);
    if (status == FC_OK)
        status = run_phases(d, &flooded, &stays, error);
    if (status == FC_OK)
        status = fc_driver_report(stays ? &flooded : d, error, result);
    if (stays)
        fc_driver_close_flood(&flooded);
    fc_progress_finish(&d->progress, status == FC_OK ? phase_name(d) : NULL);
    fc_driver_release_replications(d);
    if (d->simulator->discard)
        d->simulator->discard(d->common);
    fc_observations_free(&d->observations);
    return status;
}

/* A run that has not begun. */
static fc_driver prepared(const fc_driver_task *task, const fc_run_settings *settings) {
    fc_driver d = {.simulator = task->simulator,
                   .start = fc_clock_elapsed(),
                   .scenario = task->scenario,
                   .simulation = task->simulation,
                   .settings = settings,
                   .count = (size_t)task->simulation->replications,
                   .widening = 1,
                   .cap = (uint64_t)task->simulation->max_cycles};
    if (settings)
        d.pool_settings = *settings;
    d.pool_settings.progress = NULL;
    list_observables(&d);
    return d;
}

fc_status fc_driver_run_task(const fc_driver_task *task, const fc_run_settings *settings,
                             fc_error *error, fc_result *result) {
    const fc_simulator *simulator = task->simulator;
    const fc_simulation_settings *simulation = task->simulation;
    fc_status status = fc_kept_check(simulator, task->scenario, simulation, settings, error);
    if (status != FC_OK)
        return status;
    if (fc_comes_to_an_end(simulator, task->scenario)) {
        status = require_events(simulator, simulation->engine, error);
        return status == FC_OK
                   ? fc_finite_run(simulator, task->scenario, simulation, settings, error, result)
                   : status;
    }
    fc_driver d = prepared(task, settings);
    status = find_main(&d, task->main_metric, error);
    if (status != FC_OK)
        return status;
    const uint64_t length = plan_warm_up(&d);
    d.expected = 32.0 * (double)(FC_BATCHES_KEPT * length);
    say_why(&d, "");
    const bool controlled = simulation->controls == FC_CONTROLS_AUTO;
    const fc_observed observed = {d.list, simulator->stations,
                                  controlled ? simulator->controls : NULL};
    status = fc_observations_create(&observed, d.count, length, error, &d.observations);
    if (status != FC_OK)
        return status;
    status = run_steady(&d, error, result);
    result->run.seconds = fc_clock_elapsed() - d.start;
    return status;
}

static fc_driver_task task_of(const fc_simulator *simulator, const fc_scenario *scenario) {
    return (fc_driver_task){simulator, scenario, &scenario->simulation,
                            fc_scenario_main_metric(scenario)};
}

fc_status fc_driver_run(const fc_simulator *simulator, const fc_scenario *scenario,
                        const fc_run_settings *settings, fc_error *error, fc_result *result) {
    const fc_driver_task task = task_of(simulator, scenario);
    return fc_driver_run_task(&task, settings, error, result);
}

fc_status fc_driver_try_overload(const fc_simulator *simulator, const fc_scenario *scenario,
                                 double pace, const fc_run_settings *settings, fc_error *error,
                                 fc_overload *overload) {
    *overload = (fc_overload){.drift = FC_DRIFT_NONE, .carried = NAN};
    if (!simulator->flooding || fc_comes_to_an_end(simulator, scenario))
        return FC_OK;
    const fc_driver_task task = task_of(simulator, scenario);
    fc_driver d = prepared(&task, settings);
    fc_status status = find_main(&d, task.main_metric, error);
    if (status == FC_OK && simulator->prepare)
        status = simulator->prepare(scenario, error, &d.common);
    if (status != FC_OK)
        return status;
    status = fc_driver_follow_overload(&d, pace, error, overload);
    if (simulator->discard)
        simulator->discard(d.common);
    return status;
}
