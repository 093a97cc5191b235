#include "simulators/observations.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include "base/memory.h"

enum { POINTS_MOST = 2 * FC_BATCHES_MOST };

static size_t batch_index(const fc_observations *o, size_t observable, size_t replication,
                          size_t batch) {
    return (observable * o->replications + replication) * FC_BATCHES_MOST + batch;
}

/* The course with this number: 0: arrivals so far, 1: backlog, 2 and above: the stations. */
enum { ARRIVED, BACKLOG, STATIONS };

static double *course(const fc_observations *o, size_t number, size_t replication) {
    return o->courses + (number * o->replications + replication) * POINTS_MOST;
}

fc_status fc_observations_create(const fc_observed *observed, size_t replications, uint64_t length,
                                 fc_error *error, fc_observations *o) {
    const char *const *stations = observed->stations, *const *controls = observed->controls;
    *o = (fc_observations){.list = observed->list, .replications = replications, .length = length};
    while (o->list[o->observables] != FC_METRIC_NONE)
        ++o->observables;
    while (stations && stations[o->stations])
        ++o->stations;
    while (controls && controls[o->controls])
        ++o->controls;
    assert(o->stations <= FC_STATIONS_MOST && o->controls <= FC_SAMPLE_CONTROLS);
    const size_t series = o->observables + o->stations;
    o->sums = fc_allocate(series * replications * FC_BATCHES_MOST, sizeof *o->sums);
    o->weights = fc_allocate(series * replications * FC_BATCHES_MOST, sizeof *o->weights);
    o->courses =
        fc_allocate((STATIONS + o->stations) * replications * POINTS_MOST, sizeof *o->courses);
    o->control =
        fc_allocate((o->controls + 1) * replications * FC_BATCHES_MOST, sizeof *o->control);
    o->scratch =
        fc_allocate((2 + FC_CONTROLS_MOST) * replications * FC_BATCHES_MOST, sizeof *o->scratch);
    if (o->control && o->sums && o->weights && o->courses && o->scratch)
        return FC_OK;
    fc_observations_free(o);
    return fc_fail_memory(error);
}

void fc_observations_free(fc_observations *o) {
    fc_release(o->sums);
    fc_release(o->weights);
    fc_release(o->courses);
    fc_release(o->control);
    fc_release(o->scratch);
    *o = (fc_observations){0};
}

void fc_observations_store(fc_observations *o, size_t replication, size_t ahead,
                           const fc_sample *sample) {
    for (size_t observable = 0; observable < o->observables; ++observable) {
        const size_t i = batch_index(o, observable, replication, o->count + ahead);
        o->sums[i] = sample->sums[o->list[observable]];
        o->weights[i] = sample->weights[o->list[observable]];
    }
    for (size_t control = 0; control < o->controls; ++control)
        o->control[batch_index(o, control, replication, o->count + ahead)] =
            sample->controls[control];
    const size_t point = o->points + ahead;
    for (size_t station = 0; station < o->stations; ++station) {
        const fc_station *seen = &sample->stations[station];
        const size_t i = batch_index(o, o->observables + station, replication, o->count + ahead);
        o->sums[i] = seen->stay;
        o->weights[i] = seen->left;
        course(o, STATIONS + station, replication)[point] = seen->population;
    }
    double *arrived = course(o, ARRIVED, replication);
    arrived[point] = sample->arrivals + (point > 0 ? arrived[point - 1] : 0.0);
    course(o, BACKLOG, replication)[point] = sample->backlog;
}

void fc_observations_advance(fc_observations *o, size_t batches) {
    o->count += batches;
    o->points += batches;
}

/* Keeps every second point, the latest among them, so that points stay one batch apart. */
static void thin_courses(fc_observations *o) {
    const size_t skip = (o->points + 1) % 2, kept = (o->points + 1) / 2;
    for (size_t i = 0; i < (STATIONS + o->stations) * o->replications; ++i) {
        double *values = o->courses + i * POINTS_MOST;
        for (size_t point = 0; point < kept; ++point)
            values[point] = values[2 * point + skip];
    }
    o->points = kept;
}

static void merge_pairs(double *values, size_t pairs) {
    for (size_t i = 0; i < pairs; ++i)
        values[i] = values[2 * i] + values[2 * i + 1];
}

void fc_observations_tidy(fc_observations *o) {
    if (o->count < FC_BATCHES_MOST)
        return;
    for (size_t series = 0; series < (o->observables + o->stations) * o->replications; ++series) {
        merge_pairs(o->sums + series * FC_BATCHES_MOST, o->count / 2);
        merge_pairs(o->weights + series * FC_BATCHES_MOST, o->count / 2);
    }
    for (size_t series = 0; series < o->controls * o->replications; ++series)
        merge_pairs(o->control + series * FC_BATCHES_MOST, o->count / 2);
    o->count /= 2;
    o->length *= 2;
    thin_courses(o);
}

void fc_observations_discard(fc_observations *o) {
    o->count = 0;
    while (o->points > FC_BATCHES_MOST) {
        o->length *= 2;
        thin_courses(o);
    }
}

fc_interval fc_observations_interval(const fc_observations *o, size_t observable) {
    double *sums = o->scratch, *weights = o->scratch + o->replications * FC_BATCHES_MOST;
    for (size_t replication = 0; replication < o->replications; ++replication) {
        const size_t from = batch_index(o, observable, replication, 0);
        memcpy(sums + replication * o->count, o->sums + from, o->count * sizeof *sums);
        memcpy(weights + replication * o->count, o->weights + from, o->count * sizeof *weights);
    }
    return fc_ratio_interval(sums, weights, o->replications, o->count);
}

/* The first station that messages have left; o->stations: none. */
static size_t first_in_use(const fc_observations *o) {
    for (size_t station = 0; station < o->stations; ++station) {
        for (size_t replication = 0; replication < o->replications; ++replication) {
            const size_t from = batch_index(o, o->observables + station, replication, 0);
            for (size_t batch = 0; batch < o->count; ++batch)
                if (o->weights[from + batch] > 0)
                    return station;
        }
    }
    return o->stations;
}

/* The change of a station's population in every batch. Its expectation is 0 in steady state. It
 * adds nothing to the mean of a long run; but what was drawn in a batch shows, in part, only in the
 * next one, and the change of the population says how much of it has not shown yet. Without it the
 * other control variates explain long batches only. */
static void population_changes(const fc_observations *o, size_t station, double *changes) {
    for (size_t replication = 0; replication < o->replications; ++replication) {
        const double *population = course(o, STATIONS + station, replication);
        for (size_t batch = 0; batch < o->count; ++batch) {
            const size_t point = o->points - o->count + batch;
            *changes++ = point > 0 ? population[point] - population[point - 1] : 0;
        }
    }
}

/* Whether a control was not dropped and moves at all. Controls are whole numbers less their
 * expectation: one that is the same in every message (paths of one length) is 0 but for rounding.
 * That rounding is no error of the expectation, and a slope fitted to it would mean nothing. */
static bool in_use(const fc_observations *o, size_t control) {
    const double rounding = 1e-6;
    for (size_t i = 0; !o->dropped[control] && i < o->replications * o->count; ++i)
        if (fabs(o->control[batch_index(o, control, i / o->count, i % o->count)]) > rounding)
            return true;
    return false;
}

fc_interval fc_observations_controlled(const fc_observations *o, size_t observable) {
    const size_t room = o->replications * FC_BATCHES_MOST;
    double *sums = o->scratch, *weights = o->scratch + room, *controls = o->scratch + 2 * room;
    size_t used = 0;
    for (size_t replication = 0; replication < o->replications; ++replication) {
        const size_t from = batch_index(o, observable, replication, 0), to = replication * o->count;
        memcpy(sums + to, o->sums + from, o->count * sizeof *sums);
        memcpy(weights + to, o->weights + from, o->count * sizeof *weights);
    }
    for (size_t control = 0; control < o->controls; ++control) {
        if (!in_use(o, control))
            continue;
        for (size_t replication = 0; replication < o->replications; ++replication)
            memcpy(controls + (used * o->replications + replication) * o->count,
                   o->control + batch_index(o, control, replication, 0),
                   o->count * sizeof *controls);
        ++used;
    }
    const size_t station = first_in_use(o);
    if (o->controls > 0 && station < o->stations)
        population_changes(o, station, controls + used++ * o->replications * o->count);
    return fc_controlled_interval(sums, weights, controls, used, o->replications, o->count);
}

/* As unlikely as 5 standard errors if the variance were known, in half widths: with few batches it
 * is not. At 5 standard errors from 16 batches, one run in a thousand dropped a sound control. */
static double furthest_by_chance(size_t batches) {
    const double tail = 2.87e-7, degrees = (double)batches - 1;
    return fc_student_quantile(1 - tail, degrees) / fc_student_quantile(0.975, degrees);
}

const char *fc_observations_drop_control(fc_observations *o, const char *const *names) {
    double *sums = o->scratch, *weights = o->scratch + o->replications * FC_BATCHES_MOST;
    for (size_t control = 0; control < o->controls; ++control) {
        for (size_t i = 0; i < o->replications * o->count; ++i) {
            sums[i] = o->control[batch_index(o, control, i / o->count, i % o->count)];
            weights[i] = 1;
        }
        const fc_interval seen = fc_ratio_interval(sums, weights, o->replications, o->count);
        if (seen.batches > 1 && in_use(o, control) &&
            fabs(seen.mean) > furthest_by_chance(seen.batches) * seen.half_width) {
            o->dropped[control] = true;
            return names[control];
        }
    }
    return NULL;
}

/* ---- has it settled ---- */

/* The mean of a group of batches of all replications; NaN if it observed nothing. A ratio of sums,
 * not a mean of ratios: short batches may hold few messages or none. */
static double group_mean(const fc_observations *o, size_t observable, size_t first, size_t end) {
    double sum = 0, weight = 0;
    for (size_t replication = 0; replication < o->replications; ++replication) {
        const size_t from = batch_index(o, observable, replication, 0);
        for (size_t batch = first; batch < end; ++batch) {
            sum += o->sums[from + batch];
            weight += o->weights[from + batch];
        }
    }
    return fc_mean(sum, weight);
}

bool fc_observations_settled(const fc_observations *o, size_t observable) {
    enum { GROUP = 5 };
    const size_t groups = o->count / GROUP;
    size_t silent = 0; /* groups at the start */
    for (size_t group = 0; group < groups; ++group) {
        const double mean = group_mean(o, observable, group * GROUP, (group + 1) * GROUP);
        if (isnan(mean) && silent < group)
            return false;
        silent += isnan(mean) ? 1 : 0;
        o->scratch[group] = mean;
    }
    if (groups < 16 || 4 * silent > groups)
        return false;
    return 4 * (silent + fc_mser_truncation(o->scratch + silent, groups - silent)) <= groups;
}

/* ---- is it balanced ---- */

fc_interval fc_observations_population(const fc_observations *o, size_t station) {
    double *sums = o->scratch, *weights = o->scratch + o->replications * FC_BATCHES_MOST;
    for (size_t replication = 0; replication < o->replications; ++replication) {
        const double *population = course(o, STATIONS + station, replication) + o->points;
        for (size_t batch = 0; batch < o->count; ++batch) {
            sums[replication * o->count + batch] = (population - o->count)[batch];
            weights[replication * o->count + batch] = 1;
        }
    }
    return fc_ratio_interval(sums, weights, o->replications, o->count);
}

double fc_observations_waiting(const fc_observations *o, size_t observable) {
    const size_t first = o->count / 2;
    double waits = 0;
    for (size_t replication = 0; replication < o->replications; ++replication) {
        const size_t from = batch_index(o, observable, replication, 0);
        for (size_t batch = first; batch < o->count; ++batch)
            waits += o->sums[from + batch];
    }
    return waits / ((double)(o->count - first) * (double)o->length);
}

double fc_observations_left(const fc_observations *o) {
    double least = INFINITY;
    for (size_t station = 0; station < o->stations; ++station) {
        double left = 0;
        for (size_t replication = 0; replication < o->replications; ++replication) {
            const size_t from = batch_index(o, o->observables + station, replication, 0);
            for (size_t batch = 0; batch < o->count; ++batch)
                left += o->weights[from + batch];
        }
        if (left > 0)
            least = fmin(least, left);
    }
    return least;
}

double fc_observations_arrivals(const fc_observations *o) {
    double arrivals = 0;
    for (size_t replication = 0; o->points && replication < o->replications; ++replication)
        arrivals += course(o, ARRIVED, replication)[o->points - 1];
    return arrivals;
}

double fc_observations_backlog(const fc_observations *o, size_t replication, size_t point) {
    return course(o, BACKLOG, replication)[point];
}

/* The mean of the samples as a multiple of its standard error. */
static double deviations_of(const fc_moments *samples) {
    if (samples->mean == 0)
        return 0;
    return fabs(samples->mean) / sqrt(samples->squares / (samples->count - 1) / samples->count);
}

/* Every replication is cut into eight windows, and each gives one sample. While a station fills or
 * empties the samples are independent. In steady state successive samples compensate each other, so
 * that their scatter overestimates the error of their mean: the tests err towards "balanced". */
enum { BALANCE_WINDOWS = 8, BALANCE_BATCHES = 2 * BALANCE_WINDOWS };

fc_imbalance fc_observations_drift(const fc_observations *o, size_t station, size_t batches) {
    const fc_imbalance none = {0};
    batches = batches < o->points ? batches : o->points - 1;
    if (o->points == 0 || batches < BALANCE_BATCHES || batches > o->count)
        return none;
    fc_moments growth = {0};
    double left = 0;
    for (size_t replication = 0; replication < o->replications; ++replication) {
        const double *population =
            course(o, STATIONS + station, replication) + o->points - 1 - batches;
        for (size_t window = 0; window < BALANCE_WINDOWS; ++window)
            fc_moments_add(&growth, population[batches * (window + 1) / BALANCE_WINDOWS] -
                                        population[batches * window / BALANCE_WINDOWS]);
        const size_t end = batch_index(o, o->observables + station, replication, o->count);
        for (size_t batch = end - batches; batch < end; ++batch)
            left += o->weights[batch];
    }
    const double change = fabs(growth.mean) * growth.count;
    return (fc_imbalance){.share = change > 0 ? change / fmax(left, 1) : 0,
                          .deviations = deviations_of(&growth)};
}

fc_imbalance fc_observations_little(const fc_observations *o, size_t station) {
    const fc_imbalance none = {0};
    if (o->count < BALANCE_BATCHES || o->points <= o->count)
        return none;
    fc_moments apart = {0}, populations = {0};
    for (size_t replication = 0; replication < o->replications; ++replication) {
        const double *population =
            course(o, STATIONS + station, replication) + o->points - 1 - o->count;
        const double *stays = o->sums + batch_index(o, o->observables + station, replication, 0);
        for (size_t window = 0; window < BALANCE_WINDOWS; ++window) {
            const size_t first = o->count * window / BALANCE_WINDOWS;
            const size_t end = o->count * (window + 1) / BALANCE_WINDOWS;
            double mean = 0.5 * (population[end] - population[first]), stay = 0;
            for (size_t batch = first; batch < end; ++batch) {
                mean += population[batch];
                stay += stays[batch];
            }
            mean /= (double)(end - first);
            fc_moments_add(&populations, mean);
            fc_moments_add(&apart, mean - stay / ((double)(end - first) * (double)o->length));
        }
    }
    if (!(populations.mean > 0))
        return none;
    return (fc_imbalance){.share = fabs(apart.mean) / populations.mean,
                          .deviations = deviations_of(&apart)};
}

/* ---- saturation ----
 *
 * The run is cut into sixteen windows. For each, the growth of the backlog is divided by the
 * arrivals; for a queue that grows without limit these shares are nearly independent between
 * windows and replications. Windows 8..15 decide whether the backlog grows. The backlog of a
 * network that is only slow to settle grows too, but ever more slowly: at most with the square root
 * of time (load exactly at the capacity), so that the rate of growth in windows 8..15 is 0.44 of
 * that in windows 1..3. Above the capacity the rate stays the same. Later windows than 1..3 would
 * have a rate nearer to the late ones, and it would take several times as long to distinguish the
 * two cases; window 0 is left out because an empty network fills in it. */
enum { WINDOWS = 16, EARLY = 1, EARLY_END = 4, LATE = 8 };

fc_growth fc_observations_growth(const fc_observations *o) {
    const fc_growth none = {0};
    if (o->points < FC_BATCHES_KEPT / 2)
        return none;
    fc_moments early = {0}, late = {0};
    double messages = 0;
    for (size_t replication = 0; replication < o->replications; ++replication) {
        const double *backlog = course(o, BACKLOG, replication);
        const double *arrived = course(o, ARRIVED, replication);
        const size_t last = o->points - 1;
        const double arrivals = arrived[last] - arrived[last * LATE / WINDOWS];
        if (!(arrivals > 0))
            return none;
        messages += backlog[last] - backlog[last * LATE / WINDOWS];
        const double per_window = arrivals / (WINDOWS - LATE);
        for (size_t window = EARLY; window < WINDOWS; ++window) {
            if (window >= EARLY_END && window < LATE)
                continue;
            const double share =
                (backlog[last * (window + 1) / WINDOWS] - backlog[last * window / WINDOWS]) /
                per_window;
            fc_moments_add(window < LATE ? &early : &late, share);
        }
    }
    const double variance = (early.squares + late.squares) / (early.count + late.count - 2) + 1e-30;
    const double early_pace = (sqrt(EARLY_END) - sqrt(EARLY)) / (EARLY_END - EARLY);
    const double late_pace = (sqrt(WINDOWS) - sqrt(LATE)) / (WINDOWS - LATE);
    const double slowing = late_pace / early_pace;
    return (fc_growth){
        .share = late.mean,
        .deviations = late.mean / sqrt(variance / late.count),
        .messages = messages,
        .steadiness = (late.mean - slowing * early.mean) /
                      sqrt(variance * (1 / late.count + slowing * slowing / early.count)),
    };
}

bool fc_growth_endless(const fc_growth *growth) {
    return growth->share > 0.001 && growth->deviations > 4 && growth->steadiness > 3;
}
