/* Invariants:
 *  D1  Between rounds every replication has simulated the same number of cycles, unless the run was
 *      cancelled or failed.
 *  D2  A decision depends on the scenario, the settings and what was observed, in the order of the
 *      replications: never on threads or clocks.
 *  D3  No replication simulates more than max_cycles.
 *  D4  Batches, histograms and the simulators' detail counters cover the same stretch of time. */
#include "simulators/driver.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>
#include "base/memory.h"
#include "base/pool.h"
#include "base/progress.h"
#include "simulators/finite_run.h"
#include "simulators/observations.h"

/* Time scales before the first look, which may find saturation or a network so large that it shows
 * at once that it has settled, and before any other main metric may count as settled. */
static const double first_scales = 1.5, settled_scales = 16;
/* The same for how long messages stay, which a simulator cannot know beforehand. */
static const double settled_stays = 16;
/* A flow that is out of balance by more than this share of the precision asked, and by more than
 * this many standard errors, is still settling. */
static const double balance_share = 0.1, balance_deviations = 4;
/* A warm-up that takes this share of the cycles allowed, and this many squares of the precision,
 * leaves too few to reach the precision: what takes so long to settle forgets as slowly. */
static const double late_share = 1.0 / 128, late_squares = 16;
/* Half width, over the mean, of what control variates explain wholly: the rest is rounding. */
static const double explained = 1e-6;
/* Of Little's law, which a short stretch meets only roughly, this share of the half width. */
static const double little_share = 0.5;
/* The warm-up must be this many times the time in which the main metric forgets, by what the
 * warm-up shows of it; the measurement, which can tell better, must not find it shorter than once
 * that. */
static const double warmup_memories = 4, warmup_memories_least = 1;
/* A measurement of more memories than this in each replication is not begun anew: what a short
 * warm-up has left in it is too little to matter, and what would be thrown away is much. */
static const double anew_memories = 16;
/* With fewer memories than this in the measurement, or an interval wider than this share of the
 * mean, a narrow interval may be luck: see may_be_luck. */
static const double few_memories = 480, coarse = 0.05;
/* The next look is where the precision should be reached, within these times the length measured so
 * far. */
static const double look_nearest = 1.25, look_furthest = 4;

typedef struct replication {
    void *state;
    fc_histogram latencies;
    double sums[FC_METRICS], weights[FC_METRICS]; /* of the batch being simulated */
    size_t done;                                  /* batches of the current round */
    uint64_t events;
    double cpu_seconds;
    fc_error error;
} replication;

typedef struct driver {
    const fc_simulator *simulator;
    const fc_scenario *scenario;
    const fc_simulation_settings *simulation;
    const fc_run_settings *settings;
    fc_run_settings pool_settings; /* without progress: it is told by the batch */
    fc_progress progress;
    fc_observations observations;
    void *common; /* of all replications: see prepare in fc_simulator */
    replication *replications;
    size_t count; /* of replications */
    size_t main;  /* index of the main metric */

    uint64_t cap;          /* cycles */
    uint64_t settled_from; /* cycles before which the warm-up is not over */
    uint64_t cycles;       /* simulated by every replication */
    uint64_t warmup;       /* of which were discarded */
    size_t round;          /* batches of the current round */
    double expected;       /* cycles the run is likely to take, for the progress */
    double least_width;    /* the half width of the main metric is at least this */
    double start;          /* of the run, on the clock */
    atomic_size_t batches; /* done in the current round, all replications */
    const char *dropped;   /* the last control variate that strayed; NULL: none */
    bool open;             /* messages arrive from outside */
    bool measuring, reached, saturated, cancelled, expired;
    bool settled;                  /* the warm-up was not cut off by a limit */
    bool undecided;                /* saturated, or so near that nothing else can be said */
    char phase[FC_NAME_SIZE + 80]; /* what the run is doing and why, for the progress */
} driver;

/* ---- rounds ---- */

static const char *phase_name(const driver *d) {
    return d->measuring ? "measuring" : "warming up";
}

static const char *main_name(const driver *d) {
    return fc_metrics[d->simulator->observables[d->main].metric].name;
}

/* The reason why the run has not ended is part of the progress. */
static void say_why(driver *d, const char *why) {
    snprintf(d->phase, sizeof d->phase, "%s%s%s", phase_name(d), why[0] ? ": " : "", why);
}

static void tell_progress(driver *d) {
    const double round = (double)atomic_load(&d->batches) / (double)d->count;
    const double cycles = (double)d->cycles + round * (double)d->observations.length;
    /* What is left is a guess: never say that all is done. */
    fc_progress_tell(&d->progress, fmin(0.99, cycles / d->expected), d->phase);
}

static fc_status advance_replication(void *context, size_t index) {
    driver *d = context;
    replication *r = &d->replications[index];
    const fc_simulator *simulator = d->simulator;
    const double start = fc_clock_thread();
    fc_status status = FC_OK;
    for (r->done = 0; r->done < d->round && !fc_cancelled(d->settings); ++r->done) {
        memset(r->sums, 0, sizeof r->sums);
        memset(r->weights, 0, sizeof r->weights);
        fc_sample sample = {.sums = r->sums, .weights = r->weights, .latencies = &r->latencies};
        status = simulator->advance(r->state, d->observations.length, &sample, &r->error);
        if (status != FC_OK)
            break;
        fc_observations_store(&d->observations, index, r->done, &sample);
        r->events += sample.events;
        atomic_fetch_add(&d->batches, 1);
        tell_progress(d);
    }
    r->cpu_seconds += fc_clock_thread() - start;
    return status;
}

/* Advances every replication by up to the given number of batches, fewer if the cycles allowed
 * (a total) or the room for batches run out; none means that they have. */
static fc_status run_round(driver *d, size_t batches, uint64_t allowed, fc_error *error) {
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
    const fc_status status = fc_pool_run(&d->pool_settings, NULL, d->count, advance_replication, d);
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

/* The same, in short rounds if there is a limit on the time to look at between them: D1 holds where
 * the clock ends a run, too. */
static fc_status run_stretch(driver *d, size_t batches, uint64_t allowed, fc_error *error) {
    enum { SHORT = 8 };
    const double limit = d->simulation->max_seconds * (d->measuring ? 1 : 0.5);
    if (!(limit > 0))
        return run_round(d, batches, allowed, error);
    size_t done = 0;
    fc_status status = FC_OK;
    do {
        const size_t merged = d->observations.length;
        status = run_round(d, batches - done < SHORT ? batches - done : SHORT, allowed, error);
        done += d->round;
        if (d->observations.length != merged) /* pairs were merged: the stretch is over */
            break;
        d->expired = fc_clock_elapsed() - d->start > limit;
    } while (status == FC_OK && d->round > 0 && done < batches && !d->cancelled && !d->expired);
    d->round = done;
    return status;
}

/* ---- balance ----
 *
 * What is constant, or not measured, tells nothing of a network that still fills: a processor with
 * hundreds of customers is busy all the time until they have left. So every station is asked. */

/* Whether flow in and flow out of a station differ, over the last batches given. */
static bool drifts(const driver *d, size_t station, size_t batches) {
    const fc_imbalance drift = fc_observations_drift(&d->observations, station, batches);
    return drift.share > balance_share * d->simulation->precision &&
           drift.deviations > balance_deviations;
}

/* Whether what was measured at a station contradicts Little's law by more than would be claimed. */
static bool breaks_little(const driver *d, size_t station) {
    const fc_imbalance little = fc_observations_little(&d->observations, station);
    const fc_interval main = fc_observations_interval(&d->observations, d->main);
    const double claimed = fmin(main.half_width / fabs(main.mean), d->simulation->precision);
    return little.share > fmax(little_share * claimed, balance_share * d->simulation->precision) &&
           little.deviations > balance_deviations;
}

/* The station that is out of balance, over the later half of a warm-up or a whole measurement; NULL
 * if none is. */
static const char *unbalanced_station(const driver *d) {
    const fc_observations *o = &d->observations;
    for (size_t i = 0; i < o->stations; ++i)
        if (drifts(d, i, d->measuring ? o->count : o->count / 2) ||
            (d->measuring && breaks_little(d, i)))
            return d->simulator->stations[i];
    return NULL;
}

/* ---- warm-up ---- */

static void start_measuring(driver *d) {
    d->measuring = true;
    d->expired = false;
    d->warmup = d->cycles;
    say_why(d, "");
    fc_observations_discard(&d->observations);
    for (size_t i = 0; i < d->count; ++i) { /* D4 */
        fc_histogram_clear(&d->replications[i].latencies);
        if (d->simulator->start_measuring)
            d->simulator->start_measuring(d->replications[i].state);
    }
}

static bool grows_without_end(const driver *d) {
    const fc_growth growth = fc_observations_growth(&d->observations);
    return fc_growth_endless(&growth);
}

/* Growth that is beyond chance but not proved steady. */
static bool grows(const driver *d) {
    const fc_growth growth = fc_observations_growth(&d->observations);
    return growth.share > 0.001 && growth.deviations > 4;
}

/* At its capacity, or so near that the cycles allowed do not show whether it is below. */
static bool out_of_reach(const driver *d) {
    const double p = d->simulation->precision;
    const double late = fmax(late_share, late_squares * p * p) * (double)d->cap;
    return d->cycles > d->settled_from && (double)d->cycles > late && grows(d) &&
           unbalanced_station(d);
}

/* Whether the time discarded is short beside the time in which the main metric forgets. An
 * inflation near 1 says only that the memory is shorter than a batch, which by then is nothing
 * beside the warm-up. */
static bool shorter_than(const driver *d, double discarded, double memories,
                         const fc_interval *interval) {
    const double memory = interval->inflation * (double)d->observations.length;
    return interval->inflation > 2 && discarded < memories * memory;
}

/* The interval of the main metric; or, if that has not moved, of the population that is slowest to
 * forget: a constant says nothing of how long it takes to see a change. */
static fc_interval telling_interval(const driver *d) {
    fc_interval interval = fc_observations_interval(&d->observations, d->main);
    for (size_t i = 0; interval.half_width == 0 && i < d->observations.stations; ++i) {
        const fc_interval population = fc_observations_population(&d->observations, i);
        if (isnan(population.mean))
            continue;
        interval.inflation = fmax(interval.inflation, population.inflation);
        interval.independent = interval.independent && population.independent;
    }
    return interval;
}

/* What would be reported of the main metric: with control variates, unless it has not moved. */
static fc_interval claimed_interval(driver *d) {
    const char *dropped = fc_observations_drop_control(&d->observations, d->simulator->controls);
    if (dropped)
        d->dropped = dropped;
    const fc_interval plain = telling_interval(d);
    if (plain.half_width == 0)
        return plain;
    /* What the controls leave may forget sooner than the network does: that is not relied on. */
    fc_interval interval = fc_observations_controlled(&d->observations, d->main);
    interval.inflation = fmax(interval.inflation, plain.inflation);
    return interval;
}

/* A large network of open traffic shows much in a short time: if its own interval is as narrow as
 * what is asked for, it would show a transient of that size. In a closed one messages move slowly
 * from where they began to where they wait in the end, and that can take many rounds. */
static bool shows_enough(const driver *d, const fc_interval *interval) {
    return d->open && interval->half_width > 0 &&
           interval->half_width <= 0.5 * d->simulation->precision * fabs(interval->mean);
}

/* Mean cycles that a message stays, at the station where it stays longest. */
static double longest_stay(const driver *d) {
    const fc_observations *o = &d->observations;
    double longest = 0;
    for (size_t i = 0; i < o->stations; ++i) /* fmax leaves out the NaN of one not in use */
        longest = fmax(longest, fc_observations_interval(o, o->observables + i).mean);
    return longest;
}

/* NULL if the warm-up is over, else the reason why not. */
static const char *unsettled(const driver *d) {
    const fc_interval interval = telling_interval(d);
    const double least = fmax((double)d->settled_from, settled_stays * longest_stay(d));
    const double length = (double)(d->measuring ? d->warmup : d->cycles);
    if (length < least && !shows_enough(d, &interval))
        return "";
    if (!fc_observations_settled(&d->observations, d->main) ||
        shorter_than(d, length, warmup_memories, &interval))
        return main_name(d);
    return unbalanced_station(d);
}

static bool has_settled(driver *d) {
    const char *where = unsettled(d);
    char why[FC_NAME_SIZE + 40] = "";
    if (where)
        snprintf(why, sizeof why, where[0] ? "%s has not settled" : "it is too short to tell",
                 where);
    say_why(d, why);
    d->settled = !where;
    return d->settled;
}

/* Runs on, twice as far each time, until the main metric has settled, the backlog is seen to grow
 * without end, or half of the cycles allowed are used up. */
static fc_status warm_up(driver *d, fc_error *error) {
    const fc_observations *o = &d->observations;
    for (;;) {
        const fc_status status =
            run_stretch(d, FC_BATCHES_KEPT - o->count % FC_BATCHES_KEPT, d->cap / 2, error);
        if (status != FC_OK || d->cancelled)
            return status;
        d->open = fc_observations_arrivals(&d->observations) > 0;
        d->saturated = grows_without_end(d);
        if (d->saturated || d->expired || d->round == 0 || has_settled(d))
            break;
        d->saturated = d->undecided = out_of_reach(d);
        if (d->saturated)
            break;
        d->expected = fmax(d->expected, 8 * (double)d->cycles);
    }
    start_measuring(d);
    return FC_OK;
}

/* ---- measurement ---- */

static bool precise_enough(const driver *d, const fc_interval *interval) {
    return interval->independent &&
           interval->half_width <= d->simulation->precision * fabs(interval->mean);
}

/* Cycles to measure, by the square-root law, until the precision is reached. */
static double cycles_needed(const driver *d, const fc_interval *interval, double measured) {
    const double ratio = interval->half_width / (d->simulation->precision * fabs(interval->mean));
    const double needed = measured * ratio * ratio;
    return isfinite(needed) ? needed : 2 * measured;
}

/* Measure for as long as the warm-up took before looking. */
static uint64_t first_look(const driver *d) {
    const uint64_t least = FC_BATCHES_KEPT / 2 * d->observations.length;
    return d->cycles + (d->warmup > least ? d->warmup : least);
}

/* Looking often would find the moments at which the interval happens to be narrow: so not before
 * it should be. Not much further either: the estimate that asks for it may be bad luck. */
static uint64_t next_look(const driver *d, double needed, double measured) {
    const double times = fmin(fmax(needed / measured, look_nearest), look_furthest);
    return d->warmup + (uint64_t)(times * measured);
}

/* What was taken for settled forgets more slowly than it seemed. Beginning anew because of what was
 * measured prefers quiet beginnings, so the bound is low. */
static bool warmup_too_short(const driver *d, const fc_interval *interval) {
    if (d->cycles > d->cap / 2)
        return false;
    const bool forgets_slowly =
        (double)d->observations.count < anew_memories * interval->inflation &&
        shorter_than(d, (double)d->warmup, warmup_memories_least, interval);
    return forgets_slowly || unbalanced_station(d);
}

/* Among the runs that stop at the first narrow enough interval are those whose interval came out
 * narrow by chance, because they saw few long waits, and these lie below the truth. Where chance
 * has such a part in it, the interval must be narrow enough at two looks in a row, and the wider of
 * the two is reported: the time in between is spent on what the first look chose, not on a narrower
 * interval. An interval half as wide as it may be would have been narrow enough without luck. */
static bool may_be_luck(const driver *d, const fc_interval *interval) {
    if (interval->half_width < d->simulation->precision * fabs(interval->mean) / 2)
        return false;
    const double batches = (double)(d->observations.count * d->count);
    return batches < few_memories * interval->inflation ||
           interval->half_width > coarse * fabs(interval->mean);
}

/* As far as whole batches go; stops if the backlog is seen to grow without end. */
static fc_status run_until(driver *d, uint64_t end, fc_error *error) {
    do {
        const fc_status status = run_stretch(d, FC_BATCHES_MOST, end, error);
        if (status != FC_OK || d->cancelled)
            return status;
        d->saturated = d->round > 0 && grows_without_end(d);
    } while (d->round > 0 && !d->saturated && !d->expired);
    return FC_OK;
}

static void say_how_precise(driver *d, const fc_interval *interval) {
    char why[80];
    snprintf(why, sizeof why, "%s to %.2g %%, %.2g %% asked for", main_name(d),
             100 * interval->half_width / fabs(interval->mean), 100 * d->simulation->precision);
    say_why(d, interval->independent ? why : "batches still depend on each other");
}

static fc_status measure(driver *d, fc_error *error) {
    uint64_t look = first_look(d);
    bool was_precise = false;
    double previous = 0; /* half width at the look before */
    for (;;) {
        const uint64_t before = d->cycles;
        const fc_status status = run_until(d, look < d->cap ? look : d->cap, error);
        if (status != FC_OK || d->cancelled || d->saturated || d->expired || d->cycles == before)
            return status;
        const double measured = (double)(d->cycles - d->warmup);
        const fc_interval interval = claimed_interval(d);
        const double needed = cycles_needed(d, &interval, measured);
        d->expected = fmin((double)d->warmup + fmax(needed, 1.2 * measured), (double)d->cap);
        bool precise = precise_enough(d, &interval);
        const bool luck = may_be_luck(d, &interval);
        look = next_look(d, needed, measured);
        if (warmup_too_short(d, &interval)) {
            start_measuring(d);
            look = first_look(d);
            precise = false;
        } else if (precise && (was_precise || !luck)) {
            d->reached = true;
            d->least_width = luck ? previous : 0;
            return FC_OK;
        }
        was_precise = precise;
        previous = interval.half_width;
        say_how_precise(d, &interval);
    }
}

/* Above saturation: the network has been full for half of the warm-up; as long again as that took
 * gives the accepted load and the details. */
static fc_status measure_saturated(driver *d, fc_error *error) {
    return run_stretch(d, d->undecided ? FC_BATCHES_KEPT / 4 : FC_BATCHES_KEPT, d->cap, error);
}

/* ---- result ---- */

/* Of the merged histogram; the half width from the replications' own percentiles, which may agree
 * by being rounded alike: it is at least a bin of the histogram. */
static void add_percentiles(const driver *d, const fc_histogram *merged, fc_result *result) {
    const double units = d->simulator->latency_scale ? d->simulator->latency_scale(d->scenario) : 1;
    for (int m = FC_METRIC_NONE + 1; m < FC_METRICS; ++m) {
        const double share = fc_metrics[m].percentile;
        if (share == 0)
            continue;
        fc_moments single = {0};
        for (size_t i = 0; i < d->count; ++i)
            fc_moments_add(&single,
                           fc_histogram_percentile(&d->replications[i].latencies, share) / units);
        const double value = fc_histogram_percentile(merged, share);
        const double scatter = fc_moments_half_width(&single);
        const double bin = fc_histogram_resolution(value) / units;
        fc_result_add(result, fc_metrics[m].name, fc_metrics[m].unit, value / units,
                      scatter < bin ? bin : scatter);
    }
}

/* Of something that never differed in what was seen. If more than 3 of n observations were to
 * differ, one that does would have been seen with 95 % certainty (the rule of three); one that does
 * is taken to differ by the mean, or, of something that never happened, to be an event or a wait as
 * long as the main metric. Observations are messages: cycles in a row are not independent. */
static double unseen_width(const driver *d, const fc_interval *interval, size_t observable) {
    const bool time = fc_metrics[d->simulator->observables[observable].metric].time;
    if (interval->mean == 0)
        return 3 / interval->weight *
               (time ? fc_observations_interval(&d->observations, d->main).mean : 1);
    return 3 * fabs(interval->mean) /
           fmin(interval->weight, fc_observations_left(&d->observations));
}

static fc_status add_metrics(const driver *d, fc_error *error, fc_result *result) {
    const fc_observable *observables = d->simulator->observables;
    for (size_t i = 0; i < d->observations.observables; ++i) {
        const fc_metric_info *metric = &fc_metrics[observables[i].metric];
        if (d->saturated && metric->time)
            continue;
        const fc_interval interval = fc_observations_controlled(&d->observations, i);
        const double least = interval.half_width == 0 ? unseen_width(d, &interval, i)
                             : i == d->main           ? d->least_width
                                                      : 0;
        fc_result_add(result, metric->name,
                      observables[i].unit ? observables[i].unit : metric->unit, interval.mean,
                      fmax(fmax(interval.half_width, least), explained * fabs(interval.mean)));
    }
    if (d->saturated)
        return FC_OK;
    fc_histogram *merged = fc_allocate(1, sizeof *merged);
    if (!merged)
        return fc_fail_memory(error);
    for (size_t i = 0; i < d->count; ++i)
        fc_histogram_merge(merged, &d->replications[i].latencies);
    add_percentiles(d, merged, result);
    fc_release(merged);
    return FC_OK;
}

/* The outcome and its sentence, when the run did not simply reach its precision. */
static void judge(const driver *d, fc_result *result) {
    const fc_growth growth = fc_observations_growth(&d->observations);
    if (d->undecided) {
        result->outcome = FC_OUTCOME_SATURATED;
        fc_result_note(
            result,
            "The network is saturated, or just at its capacity: after %.3g cycles its backlog "
            "still grows by %.2g %% of the messages offered. If it settles at all, "
            "%.3g cycles (%s) are too few to measure it.",
            (double)d->cycles, 100 * growth.share, d->expired ? (double)d->cycles : (double)d->cap,
            d->expired ? "in simulation.max_seconds" : "simulation.max_cycles");
        return;
    }
    if (d->saturated) {
        result->outcome = FC_OUTCOME_SATURATED;
        fc_result_note(result,
                       "The network is saturated: its backlog grows by %.2g %% of the messages "
                       "offered, without end, so it has no mean latency.",
                       100 * growth.share);
        return;
    }
    /* After a warm-up that was cut off the measurement must show what the warm-up did not. */
    const char *where = d->settled ? NULL : unsettled(d);
    if (d->reached && !where)
        return;
    const fc_interval interval = telling_interval(d);
    const char *why = d->cancelled ? "Stopped early"
                      : d->expired ? "Stopped at simulation.max_seconds"
                                   : "Stopped at simulation.max_cycles";
    const char *name = main_name(d), *station = unbalanced_station(d);
    if (isnan(interval.mean)) {
        result->outcome = FC_OUTCOME_NOT_CONVERGED;
        fc_result_note(result, "%s: nothing was observed for %s in %.3g cycles.", why, name,
                       (double)(d->cycles - d->warmup));
    } else if (station) {
        result->outcome = FC_OUTCOME_NOT_CONVERGED;
        fc_result_note(result,
                       "%s: after %.3g cycles the messages that enter and leave %s still do not "
                       "balance. The network is settling, its means are not to be relied on.",
                       why, (double)d->cycles, station);
    } else if (where) {
        result->outcome = FC_OUTCOME_NOT_CONVERGED;
        fc_result_note(result,
                       "The warm-up was cut off after %.3g cycles, before %s was seen to settle "
                       "(simulation.%s): the means may be off by more than their intervals.",
                       (double)d->warmup, where[0] ? where : name,
                       d->simulation->max_seconds > 0 ? "max_seconds" : "max_cycles");
    } else if (!interval.independent || !isfinite(interval.half_width)) {
        result->outcome = FC_OUTCOME_NOT_CONVERGED;
        fc_result_note(result,
                       "%s: %s still wanders after %.3g cycles, its interval is not to be relied "
                       "on.",
                       why, name, (double)d->cycles);
    } else {
        fc_result_note(result, "%s: the precision of %s is %.2g %%, not the %.2g %% asked for.",
                       why, name, 100 * interval.half_width / fabs(interval.mean),
                       100 * d->simulation->precision);
    }
}

/* At the cap with a main metric that has not settled, growth need not be proved steady: that it is
 * beyond chance is enough to prefer "saturated" over a meaningless mean. */
static bool saturated_at_cap(const driver *d) {
    return grows(d) && (!fc_observations_interval(&d->observations, d->main).independent ||
                        unbalanced_station(d));
}

/* How many times as long a run without control variates would take for the same interval of the
 * main metric; 0 if it used none. */
static double cycles_saved(const driver *d) {
    if (d->observations.controls == 0 || d->saturated)
        return 0;
    const fc_interval with = fc_observations_controlled(&d->observations, d->main);
    const fc_interval without = fc_observations_interval(&d->observations, d->main);
    const double ratio = without.half_width / with.half_width;
    return isfinite(ratio) ? ratio * ratio : 0;
}

static fc_status fill_result(driver *d, fc_error *error, fc_result *result) {
    if (d->cancelled && (!d->measuring || d->observations.count < 2))
        return fc_fail(error, FC_ERROR_CANCELLED,
                       "stopped after %.3g cycles, before the warm-up was over. Near saturation it "
                       "takes long: a lower load is done sooner, and so is a smaller "
                       "simulation.max_cycles, which ends with what is known",
                       (double)d->cycles);
    if (!d->saturated && !d->reached && !d->cancelled)
        d->saturated = d->undecided = saturated_at_cap(d);
    judge(d, result);
    if (d->dropped && !result->note[0])
        fc_result_note(result,
                       "The control variate \"%s\" was further from its expectation than chance "
                       "explains and was not used.",
                       d->dropped);
    const fc_status status = add_metrics(d, error, result);
    if (status != FC_OK)
        return status;
    if (d->simulator->report) {
        void **states = fc_allocate(d->count, sizeof *states);
        if (!states)
            return fc_fail_memory(error);
        for (size_t i = 0; i < d->count; ++i)
            states[i] = d->replications[i].state;
        d->simulator->report(states, d->count, result);
        fc_release(states);
    }
    if (d->saturated)
        result->part_count = 0; /* parts of a mean that does not exist */
    fc_run_info *run = &result->run;
    run->cycles = (double)d->cycles * (double)d->count;
    run->warmup_cycles = (double)d->warmup;
    run->cycles_saved = cycles_saved(d);
    run->replications = (uint32_t)d->count;
    run->seed = (uint64_t)d->simulation->seed;
    for (size_t i = 0; i < d->count; ++i) {
        run->events += d->replications[i].events;
        run->cpu_seconds += d->replications[i].cpu_seconds;
    }
    return fc_result_status(result);
}

/* ---- the whole run ---- */

static fc_status create_replications(driver *d, fc_error *error) {
    d->replications = fc_allocate(d->count, sizeof *d->replications);
    if (!d->replications)
        return fc_fail_memory(error);
    if (d->simulator->prepare) {
        const fc_status status = d->simulator->prepare(d->scenario, error, &d->common);
        if (status != FC_OK)
            return status;
    }
    for (size_t i = 0; i < d->count; ++i) {
        replication *r = &d->replications[i];
        const fc_status status = d->simulator->create(
            d->scenario, d->common, (uint64_t)d->simulation->seed, (uint32_t)i, error, &r->state);
        if (status != FC_OK)
            return status;
    }
    return FC_OK;
}

static void release_replications(driver *d) {
    for (size_t i = 0; d->replications && i < d->count; ++i)
        d->simulator->release(d->replications[i].state);
    fc_release(d->replications);
    if (d->simulator->discard)
        d->simulator->discard(d->common);
}

/* The length of the first batches, which are merged as the run goes on. Nothing waits for more than
 * an eighth of the cycles allowed. */
static uint64_t plan_warm_up(driver *d) {
    double scale = d->simulator->time_scale ? d->simulator->time_scale(d->scenario) : 1000;
    if (!(scale >= 1 && scale <= 1e9))
        scale = 1000;
    const double settled = fmin(settled_scales * scale, (double)d->cap / 8);
    d->settled_from = (uint64_t)settled;
    const double length = settled * (first_scales / settled_scales) / (double)FC_BATCHES_KEPT;
    return length > 1 ? (uint64_t)ceil(length) : 1;
}

static fc_status find_main(driver *d, const char *name, fc_error *error) {
    const fc_observable *list = d->simulator->observables;
    const fc_metric_id metric = fc_metric_find(name);
    for (d->main = 0; list[d->main].metric != FC_METRIC_NONE; ++d->main) {
        if (list[d->main].metric == metric)
            return FC_OK;
    }
    return fc_fail(error, FC_ERROR_ARGUMENT, "the simulator %s does not observe the main metric %s",
                   d->simulator->info.name, name);
}

static fc_status run_phases(driver *d, fc_error *error) {
    fc_status status = warm_up(d, error);
    if (status == FC_OK && d->measuring)
        status = d->saturated ? measure_saturated(d, error) : measure(d, error);
    return status;
}

fc_status fc_driver_run_settings(const fc_simulator *simulator, const fc_scenario *scenario,
                                 const fc_simulation_settings *simulation, const char *main_metric,
                                 const fc_run_settings *settings, fc_error *error,
                                 fc_result *result) {
    if (simulator->finite && simulator->finite(scenario))
        return fc_finite_run(simulator, scenario, simulation, settings, error, result);
    driver d = {.simulator = simulator,
                .start = fc_clock_elapsed(),
                .scenario = scenario,
                .simulation = simulation,
                .settings = settings,
                .count = (size_t)simulation->replications,
                .cap = (uint64_t)simulation->max_cycles};
    if (settings)
        d.pool_settings = *settings;
    d.pool_settings.progress = NULL;
    fc_status status = find_main(&d, main_metric, error);
    if (status != FC_OK)
        return status;
    const uint64_t length = plan_warm_up(&d);
    d.expected = 8.0 * (double)(d.settled_from + FC_BATCHES_KEPT * length);
    say_why(&d, "");
    const bool controlled = simulation->controls == FC_CONTROLS_AUTO;
    status = fc_observations_create(d.count, simulator->observables, simulator->stations,
                                    controlled ? simulator->controls : NULL, length, error,
                                    &d.observations);
    if (status != FC_OK)
        return status;
    fc_progress_start(&d.progress, settings);
    status = create_replications(&d, error);
    if (status == FC_OK)
        status = run_phases(&d, error);
    if (status == FC_OK)
        status = fill_result(&d, error, result);
    fc_progress_finish(&d.progress, status == FC_OK ? phase_name(&d) : NULL);
    release_replications(&d);
    fc_observations_free(&d.observations);
    result->run.seconds = fc_clock_elapsed() - d.start;
    return status;
}

fc_status fc_driver_run(const fc_simulator *simulator, const fc_scenario *scenario,
                        const fc_run_settings *settings, fc_error *error, fc_result *result) {
    return fc_driver_run_settings(simulator, scenario, &scenario->simulation,
                                  fc_scenario_main_metric(scenario), settings, error, result);
}
