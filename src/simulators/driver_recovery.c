/* Whether an overloaded network recovers.
 *
 * Some networks have two states at the same load: empty at first they carry it, but once their
 * buffers are full they carry less than that, and stay full. Sooner or later chance takes them from
 * the first state to the second - after a thousand cycles or after a thousand million - and so the
 * load has no steady state, whatever a run from empty shows. Rings of routers are like that where a
 * full ring cannot use all its virtual channels (network.channel_rule: escape and, less so,
 * dateline).
 *
 * The test starts other replications with an overload, messages that wait at the sources, and looks
 * whether the backlog drains or grows at the offered load. That is known within a few thousand
 * cycles, where waiting for the fall would take millions, and hardly depends on chance.
 *
 *   1. One replication, with about twice as many messages as fill the buffers. If most of them are
 *      gone before several times their number has been offered, the network recovers. Nearly all
 *      loads end here.
 *   2. Several replications; of a small network, where chance counts, with more messages. Now the
 *      drift of the backlog counts. Where sources are not alike it may rise for a while: those with
 *      much capacity drain and take it from the others until they are empty. So a rise is believed
 *      late, or when the backlog has become several times what it was. If no drift is significant,
 *      the load is at the boundary, and the verdict of the run stands. */
#include <math.h>
#include "base/memory.h"
#include "simulators/driver_state.h"

/* Messages of the small flood, times what fills the buffers; less in a large network. */
static const double small_flood = 2, small_flood_large = 1.25, large_network = 200;
/* Such a flood drains while at most so many times its messages are offered, if the flooded network
 * carries clearly more than the load; it is drained when this share is left. */
static const double drains_within = 4, drained_share = 0.25;
/* Messages of the larger flood: at least so many, but not more than so many times the small one. */
static const double large_flood = 1500, flood_growth = 3;
/* Shares of the flood that say at once that it drains, or that it does not. */
static const double halfway = 0.5, beyond = 3;
static const double significant = 4, relevant_share = 0.004; /* of the drift; of the arrivals */
/* Work at most, in events of the simulator: of the first step what is usual, or so many times the
 * run's own; of the second; and of a look in the search for a saturation load. */
static const double events_usual = 4e6, events_share = 2, events_most = 1e8, events_search = 4e7;
/* Replications; steps of a round, in which as many messages are offered as the flood has; rounds
 * before a rise is believed, and at most. */
enum { FLOODS = 3, ROUND = 8, ROUNDS_LEAST = 32, ROUNDS_MOST = 40 };
static const uint64_t flood_seeds = 0x666c6f6f64; /* apart from the seeds of runs */

typedef struct overload {
    fc_driver *run;
    double pace;     /* messages that arrive in a cycle */
    double messages; /* of the flood */
    double usual;    /* of a network that has settled */
    double work;     /* events allowed */
} overload;

void fc_driver_close_flood(fc_driver *f) {
    fc_driver_release_replications(f);
    fc_observations_free(&f->observations);
}

static fc_status open_flood(const overload *o, size_t count, fc_driver *f, fc_error *error) {
    const fc_driver *d = o->run;
    /* In coarse steps, so that it does not depend on what the run has seen of the pace. */
    const double steps_of_octave = 4, log_length = log2(o->messages / o->pace / ROUND);
    const uint64_t length =
        (uint64_t)ceil(exp2(ceil(fmax(log_length, 0) * steps_of_octave) / steps_of_octave));
    *f = (fc_driver){.simulator = d->simulator,
                     .scenario = d->scenario,
                     .simulation = d->simulation,
                     .settings = d->settings,
                     .pool_settings = d->pool_settings,
                     .start = d->start,
                     .common = d->common,
                     .count = count,
                     .main = d->main,
                     .engine = {.engine = FC_ENGINE_EVENTS, .group = 1},
                     .widening = 1,
                     .scale = d->scale,
                     .filled = d->filled,
                     .cap = UINT64_MAX,
                     .expected = (double)length,
                     .open = true};
    f->classes = d->classes;
    memcpy(f->list, d->list, sizeof f->list);
    fc_progress_start(&f->progress, NULL);
    f->replications = fc_allocate(count, sizeof *f->replications);
    f->samples = fc_allocate(count, sizeof *f->samples);
    f->states = fc_allocate(count, sizeof *f->states);
    const fc_observed observed = {.list = f->list, .stations = d->simulator->stations};
    fc_status status = fc_observations_create(&observed, count, length, error, &f->observations);
    if (status == FC_OK && !(f->replications && f->samples && f->states))
        status = fc_fail_memory(error);
    for (size_t i = 0; status == FC_OK && i < count; ++i) {
        const fc_random_key key = {(uint64_t)d->simulation->seed ^ flood_seeds, (uint32_t)i};
        status = d->simulator->flooding->create(d->scenario, d->common, key, o->messages, error,
                                                &f->states[i]);
        f->replications[i].state = f->states[i];
    }
    if (status != FC_OK)
        fc_driver_close_flood(f);
    return status;
}

static double mean_backlog(const fc_driver *f) {
    double sum = 0;
    for (size_t i = 0; i < f->count; ++i)
        sum += fc_observations_backlog(&f->observations, i, f->observations.points - 1);
    return sum / (double)f->count;
}

static double seconds_of(const fc_driver *f) {
    double seconds = 0;
    for (size_t i = 0; i < f->count; ++i)
        seconds += f->replications[i].cpu_seconds;
    return seconds;
}

static void count_test(fc_driver *run, const fc_driver *f) {
    run->test_seconds += seconds_of(f);
    run->test_events += fc_driver_events(f);
}

/* What ends a run ends the test, without a verdict. */
static bool is_over(const overload *o, const fc_driver *f) {
    const double limit = fc_seconds_allowed(f->simulation);
    return f->cancelled || fc_driver_events(f) > o->work ||
           (limit > 0 && fc_clock_elapsed() - f->start > limit);
}

/* ---- the small flood ---- */

static fc_status drains(const overload *o, fc_error *error, bool *drained) {
    fc_driver f;
    fc_status status = open_flood(o, 1, &f, error);
    if (status != FC_OK)
        return status;
    *drained = false;
    for (int batch = 0; status == FC_OK && batch < drains_within * ROUND && !*drained; ++batch) {
        status = fc_driver_round(&f, 1, UINT64_MAX, error);
        *drained = is_over(o, &f) || mean_backlog(&f) < o->usual + drained_share * o->messages;
    }
    count_test(o->run, &f);
    fc_driver_close_flood(&f);
    return status;
}

/* ---- the drift ---- */

/* Of the backlog, over the later half of the time: while the sources with most capacity still
 * drain, they take it from others. Each step of each replication is a sample. */
static fc_drift drift_of(const overload *o, const fc_driver *f) {
    if (mean_backlog(f) < o->usual + halfway * o->messages)
        return FC_DRIFT_DOWN;
    if (mean_backlog(f) > o->usual + beyond * o->messages)
        return FC_DRIFT_UP;
    if (f->observations.points < ROUNDS_LEAST * ROUND)
        return FC_DRIFT_UNKNOWN;
    fc_moments steps = {0};
    for (size_t i = 0; i < f->count; ++i)
        for (size_t point = f->observations.points / 2; point < f->observations.points; ++point)
            fc_moments_add(&steps, fc_observations_backlog(&f->observations, i, point) -
                                       fc_observations_backlog(&f->observations, i, point - 1));
    const double error = sqrt(steps.squares / (steps.count - 1) / steps.count);
    const double arrivals = o->pace * (double)f->observations.length;
    if (fabs(steps.mean) < significant * error || fabs(steps.mean) < relevant_share * arrivals)
        return FC_DRIFT_UNKNOWN;
    return steps.mean > 0 ? FC_DRIFT_UP : FC_DRIFT_DOWN;
}

/* Measures from the end of the first round on, so that what was seen can be reported. NONE: a limit
 * came first. */
static fc_status follow(const overload *o, fc_driver *f, fc_error *error, fc_drift *seen) {
    *seen = FC_DRIFT_NONE;
    fc_status status = fc_driver_round(f, ROUND, UINT64_MAX, error);
    fc_driver_start_measuring(f);
    for (int round = 0; status == FC_OK && round < ROUNDS_MOST && *seen != FC_DRIFT_UP; ++round) {
        if (is_over(o, f) || *seen == FC_DRIFT_DOWN)
            break;
        status = fc_driver_round(f, ROUND, UINT64_MAX, error);
        *seen = status == FC_OK ? drift_of(o, f) : FC_DRIFT_NONE;
    }
    if (*seen == FC_DRIFT_UNKNOWN && is_over(o, f))
        *seen = FC_DRIFT_NONE;
    return status;
}

static double larger_flood(double messages) {
    return messages * fmin(fmax(large_flood / messages, 1), flood_growth);
}

/* ---- the test ---- */

static double flood_of(const fc_driver *d) {
    const double nodes = (double)fc_scenario_nodes(d->scenario);
    const double times = nodes > large_network ? small_flood_large : small_flood;
    return ceil(times * fmax(d->simulator->flooding->filling(d->scenario, d->common), 2 * nodes));
}

/* Of a study that limits the work: half of what is left, the other half is for the measurement. */
static double work_allowed(const fc_driver *d) {
    return fmax(0.5 * fc_driver_work_left(d), 0);
}

/* False: there is nothing to test, or it would take too long. */
static bool prepare(fc_driver *d, overload *o) {
    if (!d->open || !d->simulator->flooding)
        return false;
    const double arrived = fc_observations_arrivals(&d->observations);
    const double run_events = fc_driver_events(d);
    *o = (overload){.run = d, .pace = arrived / ((double)d->cycles * (double)d->count)};
    o->messages = flood_of(d);
    for (size_t i = 0; i < d->count; ++i)
        o->usual += fc_observations_backlog(&d->observations, i, d->observations.points - 1) /
                    (double)d->count;
    o->work = fmin(fmax(events_usual, events_share * run_events), work_allowed(d));
    return o->pace > 0 && o->messages * run_events / arrived < o->work;
}

fc_status fc_driver_test_recovery(fc_driver *d, fc_driver *flooded, fc_error *error, bool *stays) {
    overload o;
    *stays = false;
    if (!prepare(d, &o))
        return FC_OK;
    bool drained;
    fc_status status = drains(&o, error, &drained);
    if (status != FC_OK || drained)
        return status;
    o.messages = larger_flood(o.messages);
    o.work = fmin(events_most, work_allowed(d));
    status = open_flood(&o, FLOODS, flooded, error);
    if (status != FC_OK)
        return status;
    fc_drift seen;
    status = follow(&o, flooded, error, &seen);
    *stays = status == FC_OK && seen == FC_DRIFT_UP;
    if (!*stays) {
        count_test(d, flooded);
        fc_driver_close_flood(flooded);
        return status;
    }
    flooded->saturated = true;
    flooded->calm = d;
    return FC_OK;
}

static double carried_share(const fc_driver *f) {
    double throughput = NAN, offered = NAN;
    for (size_t i = 0; i < f->observations.observables && f->observations.count > 0; ++i) {
        const double mean = fc_observations_interval(&f->observations, i).mean;
        if (f->observations.list[i] == FC_METRIC_THROUGHPUT)
            throughput = mean;
        if (f->observations.list[i] == FC_METRIC_OFFERED)
            offered = mean;
    }
    return throughput / offered;
}

fc_status fc_driver_follow_overload(fc_driver *d, double pace, fc_error *error, fc_overload *seen) {
    *seen = (fc_overload){.drift = FC_DRIFT_NONE, .carried = NAN};
    if (!d->simulator->flooding || !(pace > 0))
        return FC_OK;
    overload o = {.run = d, .pace = pace, .work = fmin(events_search, fc_driver_work_left(d))};
    o.messages = larger_flood(flood_of(d));
    fc_driver flooded;
    fc_status status = open_flood(&o, FLOODS, &flooded, error);
    if (status != FC_OK)
        return status;
    status = follow(&o, &flooded, error, &seen->drift);
    if (status == FC_OK && flooded.cancelled)
        status = fc_fail(error, FC_ERROR_CANCELLED, "stopped");
    seen->carried = carried_share(&flooded);
    seen->cpu_seconds = seconds_of(&flooded);
    seen->events = fc_driver_events(&flooded);
    fc_driver_close_flood(&flooded);
    return status;
}

double fc_driver_watch_until(const fc_driver *d) {
    const double events = fc_driver_events(d);
    return (double)d->cycles * fmax(2, events > 0 ? events_usual / events : 0);
}
