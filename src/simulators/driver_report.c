/* The result of a run: metrics, percentiles, the outcome and its sentence. */
#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "simulators/driver_state.h"
#include "simulators/kept.h"

/* The least half width over the mean. Control variates may explain a metric completely; what is
 * left then is rounding, and the few messages under way when a batch begins or ends. */
static const double explained = 1e-4;

/* What is seen of one kind of time: of all messages, of responses, of the messages of a class. */
typedef struct seen_times {
    size_t number;     /* 0: of all messages; else 1 + that in fc_sample.histograms */
    const char *class; /* its name; NULL: not of a class */
    bool responses;
} seen_times;

static const fc_histogram *histogram_of(const fc_driver *d, size_t replication, size_t number) {
    const fc_replication *r = &d->replications[replication];
    return number ? &r->histograms[number - 1] : &r->latencies;
}

/* Of all messages, or of a class. */
static void add_named(fc_result *result, const char *class, fc_metric_id metric, double value,
                      double half_width) {
    if (class)
        fc_result_add_of_class(result, class, metric, value, half_width);
    else
        fc_result_add(result, metric, value, half_width);
}

/* Percentiles of the merged histogram. The half width comes from the percentiles of the single
 * replications; it is at least one bin of the histogram, since rounding can make those equal. Where
 * few messages lie beyond a percentile, those of the replications are too low: the half width is at
 * least by how much. The largest latency has none: it grows with the run. */
static const double beyond_least = 10;

static void add_percentiles(const fc_driver *d, const seen_times *times, const fc_histogram *merged,
                            fc_result *result) {
    const double units = d->simulator->latency_scale ? d->simulator->latency_scale(d->scenario) : 1;
    for (int m = FC_METRIC_NONE + 1; m < FC_METRICS; ++m) {
        const double share = fc_metrics[m].percentile;
        if (share == 0 || fc_metric_of_responses((fc_metric_id)m) != times->responses)
            continue;
        fc_moments single = {0};
        for (size_t i = 0; i < d->count; ++i) {
            const fc_histogram *own = histogram_of(d, i, times->number);
            if (own->total > 0)
                fc_moments_add(&single, fc_histogram_percentile(own, share) / units);
        }
        const double value = fc_histogram_percentile(merged, share);
        const bool few = (double)merged->total * (1 - share) < beyond_least;
        const double bin = fc_histogram_resolution(value) / units;
        const double least = few ? fmax(bin, value / units - single.mean) : bin;
        const double scatter =
            share < 1 ? d->widening * fc_moments_half_width(&single) : (double)NAN;
        add_named(result, times->class, (fc_metric_id)m, value / units,
                  scatter < least ? least : scatter);
    }
}

static fc_status add_times(const fc_driver *d, const seen_times *times, fc_error *error,
                           fc_result *result) {
    fc_histogram *merged = fc_allocate(1, sizeof *merged);
    if (!merged)
        return fc_fail_memory(error);
    for (size_t i = 0; i < d->count; ++i)
        fc_histogram_merge(merged, histogram_of(d, i, times->number));
    if (merged->total > 0 || times->number == 0)
        add_percentiles(d, times, merged, result);
    if (times->number == 0)
        fc_kept_histogram(
            d->settings, merged,
            d->simulator->latency_scale ? d->simulator->latency_scale(d->scenario) : 1, result);
    fc_release(merged);
    return FC_OK;
}

/* The half width of a metric that was constant in all n observations. By the rule of three, with
 * 95 % confidence at most 3 of n observations would differ. Such an observation is assumed to
 * differ by the mean; if the mean is 0, it is assumed to be one event, or a wait as long as the
 * main metric. Observations are messages: successive cycles are not independent. */
static double unseen_width(const fc_driver *d, const fc_interval *interval, size_t observable) {
    const bool time = fc_metrics[d->list[observable] % FC_METRICS].time;
    if (interval->mean == 0)
        return 3 / interval->weight *
               (time ? fc_observations_interval(&d->observations, d->main).mean : 1);
    return 3 * fabs(interval->mean) /
           fmin(interval->weight, fc_observations_left(&d->observations));
}

static const char *class_name(const fc_driver *d, size_t class) {
    return fc_scenario_routed(d->scenario)->given->classes.list[class].name;
}

static void add_metric(const fc_driver *d, size_t observable, fc_result *result) {
    const size_t series = d->list[observable];
    const fc_metric_id metric = (fc_metric_id)(series % FC_METRICS);
    if (d->saturated && fc_metrics[metric].time)
        return;
    const fc_interval interval = fc_observations_controlled(&d->observations, observable);
    /* Without scatter before control variates: those may explain all of it. */
    const bool constant = fc_observations_interval(&d->observations, observable).half_width == 0;
    const bool selected = observable == d->main || fc_metrics[metric].time;
    const double width = constant   ? unseen_width(d, &interval, observable)
                         : selected ? d->widening * interval.half_width
                                    : interval.half_width;
    add_named(result, series < FC_METRICS ? NULL : class_name(d, series / FC_METRICS - 1), metric,
              interval.mean, fmax(width, explained * fabs(interval.mean)));
}

/* Of all messages first, then class by class. */
static fc_status add_metrics(const fc_driver *d, fc_error *error, fc_result *result) {
    const bool histograms = d->count > 0 && d->replications[0].histograms;
    fc_status status = FC_OK;
    for (size_t group = 0; group <= d->classes && status == FC_OK; ++group) {
        for (size_t i = 0; i < d->observations.observables; ++i)
            if (d->list[i] / FC_METRICS == group)
                add_metric(d, i, result);
        const seen_times all = {.number = group ? 1 + group : 0,
                                .class = group ? class_name(d, group - 1) : NULL};
        const seen_times responses = {.number = 1, .responses = true};
        if (!d->saturated && (!group || histograms))
            status = add_times(d, &all, error, result);
        if (!d->saturated && !group && histograms && status == FC_OK)
            status = add_times(d, &responses, error, result);
    }
    return status;
}

/* The limit that ended the run. */
static const char *limit_of(const fc_driver *d) {
    const char *key = d->expired ? fc_seconds_key(d->simulation) : "simulation.max_cycles";
    return key ? key : "the work allowed";
}

static double observed(const fc_driver *d, fc_metric_id metric) {
    for (size_t i = 0; i < d->observations.observables; ++i) {
        if (d->observations.list[i] == metric)
            return fc_observations_interval(&d->observations, i).mean;
    }
    return NAN;
}

/* With control variates, as it is reported of a steady state. */
static fc_interval claimed(const fc_driver *d, fc_metric_id metric) {
    for (size_t i = 0; i < d->observations.observables; ++i) {
        if (d->observations.list[i] == metric)
            return fc_observations_controlled(&d->observations, i);
    }
    return (fc_interval){.mean = NAN, .half_width = NAN};
}

/* If no replication of the calm run fell, by the rule of three, with 95 % confidence the mean time
 * until one does is at least a third of the cycles that all of them saw. */
static void say_metastable(const fc_driver *d, fc_result *result) {
    const fc_driver *calm = d->calm;
    const double watched = (double)calm->cycles * (double)calm->count;
    char empty[160];
    if (calm->saturated)
        snprintf(empty, sizeof empty, "it fell by itself within %.3g cycles", (double)calm->cycles);
    else
        snprintf(empty, sizeof empty,
                 "it carried it for %.3g cycles (%s %.4g): it falls by itself after %.2g or more, "
                 "on average",
                 watched, fc_driver_main_name(calm),
                 observed(calm, calm->observations.list[calm->main]), watched / 3);
    fc_result_note(result,
                   "Metastable: once overloaded, the network does not recover at this load, but "
                   "carries %.3g of %.3g messages/node/cycle. Started empty %s.",
                   observed(d, FC_METRIC_THROUGHPUT), observed(d, FC_METRIC_OFFERED), empty);
}

/* The share of what was offered that was not carried, where that is more than chance and more than
 * the few messages that are under way at the end; else 0. */
static double left_behind(const fc_driver *d) {
    static const double relevant = 0.01;
    const fc_interval carried = claimed(d, FC_METRIC_THROUGHPUT);
    const double offered = claimed(d, FC_METRIC_OFFERED).mean;
    const double lost = claimed(d, FC_METRIC_LOSS).mean;
    const double cut_off = claimed(d, FC_METRIC_UNREACHABLE).mean;
    const double arrives =
        offered * (1 - (lost > 0 ? lost : 0)) * (1 - (cut_off > 0 ? cut_off : 0));
    const double behind = arrives - carried.mean;
    return behind > fmax(relevant * arrives, carried.half_width) ? behind / arrives : 0;
}

static void say_saturated(const fc_driver *d, fc_result *result) {
    const fc_growth growth = fc_observations_growth(&d->observations);
    if (d->calm)
        say_metastable(d, result);
    else if (d->undecided)
        fc_result_note(
            result,
            "The network is saturated, or just at its capacity: after %.3g cycles its backlog "
            "still grows by %.2g %% of the messages offered. If it settles at all, "
            "%.3g cycles (%s) are too few to measure it.",
            (double)d->cycles, 100 * growth.share, d->expired ? (double)d->cycles : (double)d->cap,
            limit_of(d));
    else
        fc_result_note(result,
                       "The network is saturated: its backlog grows by %.2g %% of the messages "
                       "offered, without end, so it has no mean latency.",
                       100 * growth.share);
}

/* Why the means of a run that was stopped before its precision, or their intervals, cannot be
 * relied on; false: they can. where: what had not settled when the warm-up was cut off; NULL: all
 * had. */
static bool say_unsettled(const fc_driver *d, const char *why, const char *where,
                          fc_result *result) {
    const fc_interval interval = fc_driver_interval(d);
    const char *name = fc_driver_main_name(d), *station = fc_driver_unbalanced(d);
    if (isnan(interval.mean))
        fc_result_note(result, "%s: nothing was observed for %s in %.3g cycles.", why, name,
                       (double)(d->cycles - d->warmup));
    else if (station)
        fc_result_note(result,
                       "%s: after %.3g cycles the messages that enter and leave %s still do not "
                       "balance. The network has not settled: do not rely on its means.",
                       why, (double)d->cycles, station);
    else if (where)
        fc_result_note(result,
                       "The warm-up was cut off after %.3g cycles, before %s was seen to settle "
                       "(%s): the means may be off by more than their intervals.",
                       (double)d->warmup, where[0] ? where : name,
                       d->settings && d->settings->work_most > 0 ? "the work allowed"
                       : fc_seconds_allowed(d->simulation) > 0   ? fc_seconds_key(d->simulation)
                                                                 : "simulation.max_cycles");
    else if (!interval.independent || !isfinite(interval.half_width))
        fc_result_note(result,
                       "%s: %s has not settled after %.3g cycles: do not rely on its interval.",
                       why, name, (double)d->cycles);
    else if (interval.half_width > fabs(interval.mean))
        /* As a rule a network that falls into congestion now and then and stays there for long. */
        fc_result_note(result,
                       "%s: after %.3g cycles the interval of %s is wider than its value. The "
                       "network may be near saturation: do not rely on its means.",
                       why, (double)d->cycles, name);
    else if (left_behind(d) > 0)
        fc_result_note(
            result,
            "%s: after %.3g cycles the network has carried %.2g %% less than was offered. "
            "It is near saturation, or above: do not rely on its means.",
            why, (double)d->cycles, 100 * left_behind(d));
    else
        return false;
    return true;
}

/* The outcome and its sentence, when the run did not simply reach its precision. */
static void judge(const fc_driver *d, fc_result *result) {
    if (d->calm || d->saturated) {
        result->outcome = FC_OUTCOME_SATURATED;
        say_saturated(d, result);
        return;
    }
    /* If the warm-up was cut off, the measurement must show that the network had settled. */
    const char *where = d->settled ? NULL : fc_driver_unsettled(d);
    if (d->reached && !where)
        return;
    char why[64] = "Stopped early";
    if (!d->cancelled)
        snprintf(why, sizeof why, "Stopped at %s", limit_of(d));
    if (say_unsettled(d, why, where, result)) {
        result->outcome = FC_OUTCOME_NOT_CONVERGED;
        return;
    }
    const fc_interval interval = fc_driver_interval(d);
    fc_result_note(result, "%s: the precision of %s is %.2g %%, not the %.2g %% asked for.", why,
                   fc_driver_main_name(d), 100 * interval.half_width / fabs(interval.mean),
                   100 * d->simulation->precision);
}

/* How many times as long a run without control variates would take for the same interval of the
 * main metric; 0 if it used none. */
static double cycles_saved(const fc_driver *d) {
    if (d->observations.controls == 0 || d->saturated)
        return 0;
    const fc_interval with = fc_observations_controlled(&d->observations, d->main);
    const fc_interval without = fc_observations_interval(&d->observations, d->main);
    const double ratio = without.half_width / with.half_width;
    return isfinite(ratio) ? ratio * ratio : 0;
}

/* Simulators report the parts of the uncorrected mean. Control variates correct the mean; the parts
 * are corrected in proportion, except constants of the scenario such as the length of all messages.
 * Those are recognised by being whole numbers of cycles, which a mean over messages hardly ever is.
 */
static void correct_parts(fc_result *result) {
    const fc_metric *whole = fc_result_metric(result, result->parts_of);
    double seen = 0, constant = 0;
    for (size_t i = 0; i < result->part_count; ++i) {
        const double value = result->parts[i].value;
        *(value == floor(value) ? &constant : &seen) += value;
    }
    for (size_t i = 0; whole && seen > 0 && i < result->part_count; ++i) {
        double *value = &result->parts[i].value;
        if (*value != floor(*value))
            *value *= (whole->value - constant) / seen;
    }
}

/* How the result was obtained. */
static void fill_run(const fc_driver *d, fc_run_info *run) {
    run->cycles = (double)d->cycles * (double)d->count;
    run->warmup_cycles = (double)d->warmup;
    run->cycles_saved = cycles_saved(d);
    run->replications = (uint32_t)d->count;
    run->seed = (uint64_t)d->simulation->seed;
    run->engine_asked = d->simulation->engine != FC_ENGINE_AUTO;
    snprintf(run->engine, sizeof run->engine, "%s", fc_engine_names[d->engine.engine]);
    snprintf(run->engine_reason, sizeof run->engine_reason, "%s", d->engine.reason);
    for (size_t i = 0; i < d->count; ++i) {
        run->events += d->replications[i].events;
        run->cpu_seconds += d->replications[i].cpu_seconds;
    }
    const fc_driver *tested = d->calm ? d->calm : d;
    run->cpu_seconds += tested->test_seconds;
    run->events += (uint64_t)tested->test_events;
    for (size_t i = 0; d->calm && i < d->calm->count; ++i) {
        run->cpu_seconds += d->calm->replications[i].cpu_seconds;
        run->events += d->calm->replications[i].events;
    }
}

fc_status fc_driver_report(fc_driver *d, fc_error *error, fc_result *result) {
    if (d->cancelled && (!d->measuring || d->observations.count < 2))
        return fc_fail(error, FC_ERROR_CANCELLED,
                       "stopped after %.3g cycles, before the warm-up was over. Near saturation it "
                       "takes long: a lower load is done sooner, and so is a smaller "
                       "simulation.max_cycles, which ends with what is known",
                       (double)d->cycles);
    if (d->simulator->engines) {
        const fc_status finished = d->simulator->engines->finish(d->states, d->count, error);
        if (finished != FC_OK)
            return finished;
    }
    if (!d->saturated && !d->reached && !d->cancelled)
        d->saturated = d->undecided = fc_driver_saturated_at_cap(d);
    judge(d, result);
    if (result->outcome != FC_OUTCOME_OK)
        d->observations.controls = 0; /* their expectations are those of a steady state */
    if (d->dropped && !result->note[0])
        fc_result_note(result,
                       "The control variate \"%s\" was further from its expectation than chance "
                       "explains and was not used.",
                       d->dropped);
    const fc_status status = add_metrics(d, error, result);
    if (status != FC_OK)
        return status;
    if (d->simulator->report) {
        d->simulator->report(d->states, d->count, result);
        if (d->observations.controls > 0)
            correct_parts(result);
    }
    if (!d->saturated && !d->calm)
        fc_kept_report(d->kept, d->count, d->scenario, d->settings, result);
    if (d->engine.engine == FC_ENGINE_GPU && d->settings && d->settings->keep &&
        d->settings->keep->pairs)
        fc_result_add_note(result, "No table of pairs: a GPU tells of no single messages.");
    if (d->saturated)
        result->part_count = 0; /* parts of a mean that does not exist */
    fill_run(d, &result->run);
    return fc_result_status(result);
}
