/* Whether a run has settled, is saturated, is precise enough: what the driver decides between
 * rounds. The reasons are in docs/theory/statistics.md. */
#include <math.h>
#include "simulators/driver_state.h"

/* The warm-up lasts at least this many times as long as a message stays at a station. */
static const double settled_stays = 16;
/* A station is still settling if messages in and out differ by more than this share of the
 * precision asked for, and by more than this many standard errors. */
static const double balance_share = 0.1, balance_deviations = 4;
/* A warm-up of this share of the cycles allowed, or of this many times the square of the precision,
 * leaves too few to reach the precision: what settles so slowly is correlated for as long. */
static const double late_share = 1.0 / 128, late_squares = 16;
/* Little's law must hold to this share of the half width: a short measurement meets it roughly. */
static const double little_share = 0.5;
/* The warm-up lasts at least 4 correlation times, estimated while it runs; if the measurement,
 * which estimates better, then finds it shorter than 1, measuring restarts. */
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

/* Whether what was measured at a station contradicts Little's law by more than would be claimed. */
static bool breaks_little(const fc_driver *d, size_t station) {
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

bool fc_driver_grows_without_end(const fc_driver *d) {
    const fc_growth growth = fc_observations_growth(&d->observations);
    return fc_growth_endless(&growth);
}

/* Growth that is beyond chance but not proved steady. */
static bool grows(const fc_driver *d) {
    const fc_growth growth = fc_observations_growth(&d->observations);
    return growth.share > 0.001 && growth.deviations > 4;
}

/* At its capacity, or so near that the cycles allowed do not show whether it is below. */
bool fc_driver_out_of_reach(const fc_driver *d) {
    const double p = d->simulation->precision;
    const double late = fmax(late_share, late_squares * p * p) * (double)d->cap;
    return d->cycles > d->settled_from && (double)d->cycles > late && grows(d) &&
           fc_driver_unbalanced(d);
}

/* Whether the time discarded is short beside the time in which the main metric forgets. An
 * inflation near 1 says only that the memory is shorter than a batch, which by then is nothing
 * beside the warm-up. */
static bool shorter_than(const fc_driver *d, double discarded, double memories,
                         const fc_interval *interval) {
    const double memory = interval->inflation * (double)d->observations.length;
    return interval->inflation > 2 && discarded < memories * memory;
}

/* The interval of the main metric; or, if that has not moved, of the population that is slowest to
 * forget: a constant says nothing of how long it takes to see a change. */
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

/* What would be reported of the main metric: with control variates, unless it has not moved. */
fc_interval fc_driver_claim(fc_driver *d) {
    const char *dropped = fc_observations_drop_control(&d->observations, d->simulator->controls);
    if (dropped)
        d->dropped = dropped;
    const fc_interval plain = fc_driver_interval(d);
    if (plain.half_width == 0)
        return plain;
    /* What the controls leave may forget sooner than the network does: that is not relied on. */
    fc_interval interval = fc_observations_controlled(&d->observations, d->main, 0);
    interval.inflation = fmax(interval.inflation, plain.inflation);
    return interval;
}

/* A large network of open traffic shows much in a short time: if its own interval is as narrow as
 * what is asked for, it would show a transient of that size. In a closed one messages move slowly
 * from where they began to where they wait in the end, and that can take many rounds. */
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

/* NULL if the warm-up is over, else the reason why not. */
const char *fc_driver_unsettled(const fc_driver *d) {
    const fc_interval interval = fc_driver_interval(d);
    const double least = fmax((double)d->settled_from, settled_stays * longest_stay(d));
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

/* What was taken for settled forgets more slowly than it seemed. Beginning anew because of what was
 * measured prefers quiet beginnings, so the bound is low. */
bool fc_driver_warmup_too_short(const fc_driver *d, const fc_interval *interval) {
    if (d->cycles > d->cap / 2)
        return false;
    const bool forgets_slowly =
        (double)d->observations.count < restart_correlation_times * interval->inflation &&
        shorter_than(d, (double)d->warmup, warmup_correlation_times_least, interval);
    return forgets_slowly || fc_driver_unbalanced(d);
}

/* Among the runs that stop at the first narrow enough interval are those whose interval came out
 * narrow by chance, because they saw few long waits, and these lie below the truth. Where chance
 * has such a part in it, the interval must be narrow enough at two looks in a row, and the wider of
 * the two is reported: the time in between is spent on what the first look chose, not on a narrower
 * interval. An interval half as wide as it may be would have been narrow enough without luck. */
bool fc_driver_may_be_luck(const fc_driver *d, const fc_interval *interval) {
    if (interval->half_width < d->simulation->precision * fabs(interval->mean) / 2)
        return false;
    const double batches = (double)(d->observations.count * d->count);
    return batches < few_correlation_times * interval->inflation ||
           interval->half_width > coarse * fabs(interval->mean);
}

/* At the cap with a main metric that has not settled, growth need not be proved steady: that it is
 * beyond chance is enough to prefer "saturated" over a meaningless mean. */
bool fc_driver_saturated_at_cap(const fc_driver *d) {
    return grows(d) && (!fc_observations_interval(&d->observations, d->main).independent ||
                        fc_driver_unbalanced(d));
}
