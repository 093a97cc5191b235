/* Whether a run has settled, is saturated, is precise enough: what the driver decides between
 * rounds. The reasons are in docs/theory/statistics.md. */
#include <math.h>
#include "simulators/driver_state.h"

/* The warm-up lasts at least this many times the mean stay of a message at any station, and this
 * many time scales of the simulator if traffic is open (a scale is a few lives of a message). */
static const double settled_stays = 16, settled_scales_open = 2.5;
/* A station is still settling if messages in and out differ by more than this share of the
 * precision asked for, and by more than this many standard errors. */
static const double balance_share = 0.1, balance_deviations = 4;
/* A warm-up longer than the larger of this share, and this many times the square of the precision,
 * of the cycles allowed leaves too few cycles to reach the precision: a network that settles so
 * slowly has a correlation time as long. */
static const double late_share = 1.0 / 128, late_squares = 16;
/* Of what the backlog grew by in the later half of a run, the least share that must have waited at
 * the sources at a time for it to be growth without end. If all of it grows there, three halves of
 * it did; where a source sends a fraction of what it generates, that fraction of it. */
static const double waiting_share = 0.1;
/* Little's law must hold to within this share of the half width; a short measurement meets it only
 * roughly. */
static const double little_share = 0.5;
/* The warm-up lasts at least 4 correlation times, estimated while it runs; if the measurement,
 * which estimates better, then finds that the warm-up was shorter than one correlation time,
 * measuring restarts. */
static const double warmup_correlation_times = 4, warmup_correlation_times_least = 1;
/* A measurement of more correlation times than this in each replication is not restarted: what a
 * short warm-up has left in it is too little to matter. */
static const double restart_correlation_times = 16;
/* With fewer correlation times than this in the measurement, or an interval wider than this share
 * of the mean, a narrow interval may be luck: see fc_driver_may_be_luck. */
static const double few_correlation_times = 480, coarse = 0.05;

/* ---- settled ----
 *
 * The main metric may be constant while the network still fills: a processor with hundreds of
 * requests to send is busy all the time until most of them have left. So every station is tested.
 */

/* Whether flow in and flow out of a station differ, over the last batches given. */
static bool drifts(const fc_driver *d, size_t station, size_t batches) {
    const fc_imbalance drift = fc_observations_drift(&d->observations, station, batches);
    return drift.share > balance_share * d->simulation->precision &&
           drift.deviations > balance_deviations;
}

/* Whether a station violates Little's law by more than the half width that would be reported. Where
 * traffic changes, populations are known at one point of its period only. */
static bool breaks_little(const fc_driver *d, size_t station) {
    if (fc_driver_period(d))
        return false;
    const fc_imbalance little = fc_observations_little(&d->observations, station);
    const fc_interval main = fc_observations_interval(&d->observations, d->main);
    const double claimed = fmin(main.half_width / fabs(main.mean), d->simulation->precision);
    return little.share > fmax(little_share * claimed, balance_share * d->simulation->precision) &&
           little.deviations > balance_deviations;
}

/* The station that is out of balance, over the later half of a warm-up or a whole measurement; NULL
 * if none is. */
const char *fc_driver_unbalanced(const fc_driver *d) {
    const fc_observations *o = &d->observations;
    for (size_t i = 0; i < o->stations; ++i)
        if (drifts(d, i, d->measuring ? o->count : o->count / 2) ||
            (d->measuring && breaks_little(d, i)))
            return d->simulator->stations[i];
    return NULL;
}

/* Whether the growth may be that of queues at the sources or memories. Where buffers bound what is
 * inside, they can fill for long, and steadily, without any message waiting outside: a routing that
 * prefers short paths until their queues are long (UGAL) fills large buffers at light loads. */
static bool grows_at_sources(const fc_driver *d, const fc_growth *growth) {
    const fc_metric_id *list = d->simulator->observables;
    double waiting = 0;
    bool known = false;
    for (size_t i = 0; list[i] != FC_METRIC_NONE && d->observations.count > 0; ++i) {
        if (list[i] != FC_METRIC_SOURCE_WAIT && list[i] != FC_METRIC_MEMORY_WAIT)
            continue;
        const double here = fc_observations_waiting(&d->observations, i);
        waiting += isfinite(here) ? here : 0;
        known = known || list[i] == FC_METRIC_SOURCE_WAIT;
    }
    return !d->simulator->bounded || !known || waiting > waiting_share * growth->messages;
}

bool fc_driver_grows_without_end(const fc_driver *d) {
    const fc_growth growth = fc_observations_growth(&d->observations);
    return fc_growth_endless(&growth) && grows_at_sources(d, &growth);
}

/* Growth that is significant but not proved steady. */
static bool grows(const fc_driver *d) {
    const fc_growth growth = fc_observations_growth(&d->observations);
    return growth.share > 0.001 && growth.deviations > 4 && grows_at_sources(d, &growth);
}

/* Cycles before which the warm-up is not over, whatever it shows. */
static double settled_from(const fc_driver *d) {
    return (d->open ? settled_scales_open : FC_SETTLED_SCALES) * d->scale;
}

/* The load is at the capacity, or so near that the cycles allowed cannot show on which side. An
 * empty network fills at first, whatever the load: growth says nothing until that is over. */
bool fc_driver_out_of_reach(const fc_driver *d) {
    const double p = d->simulation->precision;
    const double late = fmax(late_share, late_squares * p * p) * (double)d->cap;
    return (double)d->cycles > fmax(late, d->filled) && grows(d) && fc_driver_unbalanced(d);
}

/* Whether `discarded` cycles are fewer than so many correlation times of the main metric. An
 * inflation near 1 only says that the correlation time is shorter than a batch, and a batch is
 * short compared with the warm-up by then. */
static bool shorter_than(const fc_driver *d, double discarded, double correlation_times,
                         const fc_interval *interval) {
    const double correlation_time = interval->inflation * (double)d->observations.length;
    return interval->inflation > 2 && discarded < correlation_times * correlation_time;
}

/* The interval of the main metric. If that was constant, with the correlation time of the
 * population that has the longest: a constant does not show how long a change would take to appear.
 */
fc_interval fc_driver_interval(const fc_driver *d) {
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

/* The interval of the main metric as it would be reported: with control variates, unless the metric
 * was constant. */
fc_interval fc_driver_claim(fc_driver *d) {
    const char *dropped = fc_observations_drop_control(&d->observations, d->simulator->controls);
    if (dropped)
        d->dropped = dropped;
    const fc_interval plain = fc_driver_interval(d);
    if (plain.half_width == 0)
        return plain;
    /* What the controls leave unexplained may have a shorter correlation time than the network; the
     * longer one counts. */
    fc_interval interval = fc_observations_controlled(&d->observations, d->main);
    interval.inflation = fmax(interval.inflation, plain.inflation);
    return interval;
}

/* A large network with open traffic yields many observations in a short time: if its interval is
 * narrow enough already, a transient of that size would have been seen. With closed traffic
 * messages move slowly from where they start to where they wait in steady state, which can take
 * many rounds.
 */
static bool shows_enough(const fc_driver *d, const fc_interval *interval) {
    return d->open && interval->half_width > 0 &&
           interval->half_width <= 0.5 * d->simulation->precision * fabs(interval->mean);
}

/* Mean cycles that a message stays, at the station where it stays longest. */
static double longest_stay(const fc_driver *d) {
    const fc_observations *o = &d->observations;
    double longest = 0;
    for (size_t i = 0; i < o->stations; ++i) /* fmax leaves out the NaN of one not in use */
        longest = fmax(longest, fc_observations_interval(o, o->observables + i).mean);
    return longest;
}

/* NULL if the warm-up is over; else what has not settled, or "" if the run is too short to tell. */
const char *fc_driver_unsettled(const fc_driver *d) {
    const fc_interval interval = fc_driver_interval(d);
    const double least = fmax(settled_from(d), settled_stays * longest_stay(d));
    const double length = (double)(d->measuring ? d->warmup : d->cycles);
    if (length < least && !shows_enough(d, &interval))
        return "";
    if (!fc_observations_settled(&d->observations, d->main) ||
        shorter_than(d, length, warmup_correlation_times, &interval))
        return fc_driver_main_name(d);
    return fc_driver_unbalanced(d);
}

bool fc_driver_precise(const fc_driver *d, const fc_interval *interval) {
    return interval->independent &&
           interval->half_width <= d->simulation->precision * fabs(interval->mean);
}

/* Whether the measurement finds a longer correlation time than the warm-up allowed for, or a
 * station out of balance. Restarting because of measured values biases the result towards quiet
 * beginnings, so it is done only in clear cases. */
bool fc_driver_warmup_too_short(const fc_driver *d, const fc_interval *interval) {
    if (d->cycles > d->cap / 2)
        return false;
    const bool forgets_slowly =
        (double)d->observations.count < restart_correlation_times * interval->inflation &&
        shorter_than(d, (double)d->warmup, warmup_correlation_times_least, interval);
    return forgets_slowly || fc_driver_unbalanced(d);
}

/* Some runs reach a narrow interval by chance, because they happened to see few long waits; their
 * means are too low. A rule that stops at the first narrow enough interval selects such runs. So,
 * where the interval itself is uncertain, it must be narrow enough at two looks in a row, and the
 * wider of the two is reported. An interval half as wide as required is accepted at once. */
bool fc_driver_may_be_luck(const fc_driver *d, const fc_interval *interval) {
    if (interval->half_width < d->simulation->precision * fabs(interval->mean) / 2)
        return false;
    const double batches = (double)(d->observations.count * d->count);
    return batches < few_correlation_times * interval->inflation ||
           interval->half_width > coarse * fabs(interval->mean);
}

/* When max_cycles are used up and the main metric has not settled, significant growth of the
 * backlog is enough to report "saturated" rather than a meaningless mean; it need not be proved
 * steady. */
bool fc_driver_saturated_at_cap(const fc_driver *d) {
    return grows(d) && (!fc_observations_interval(&d->observations, d->main).independent ||
                        fc_driver_unbalanced(d));
}
