#include "simulators/observations.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"

enum { POINTS_MOST = 2 * FC_BATCHES_MOST };

static size_t batch_index(const fc_observations *o, size_t observable, size_t replication,
                          size_t batch) {
    return (observable * o->replications + replication) * FC_BATCHES_MOST + batch;
}

fc_status fc_observations_create(size_t replications, const fc_observable *list, uint64_t length,
                                 fc_error *error, fc_observations *o) {
    size_t observables = 0;
    while (list[observables].metric != FC_METRIC_NONE)
        ++observables;
    *o = (fc_observations){
        .list = list, .replications = replications, .observables = observables, .length = length};
    o->sums = fc_allocate(observables * replications * FC_BATCHES_MOST, sizeof *o->sums);
    o->weights = fc_allocate(observables * replications * FC_BATCHES_MOST, sizeof *o->weights);
    o->backlog = fc_allocate(replications * POINTS_MOST, sizeof *o->backlog);
    o->arrived = fc_allocate(replications * POINTS_MOST, sizeof *o->arrived);
    o->scratch = fc_allocate(2 * replications * FC_BATCHES_MOST, sizeof *o->scratch);
    if (o->sums && o->weights && o->backlog && o->arrived && o->scratch)
        return FC_OK;
    fc_observations_free(o);
    return fc_fail_memory(error);
}

void fc_observations_free(fc_observations *o) {
    fc_release(o->sums);
    fc_release(o->weights);
    fc_release(o->backlog);
    fc_release(o->arrived);
    fc_release(o->scratch);
    *o = (fc_observations){0};
}

void fc_observations_store(fc_observations *o, size_t replication, size_t ahead,
                           const fc_sample *sample) {
    for (size_t observable = 0; observable < o->observables; ++observable) {
        const size_t i = batch_index(o, observable, replication, o->count + ahead);
        o->sums[i] = sample->sums[o->list[observable].metric];
        o->weights[i] = sample->weights[o->list[observable].metric];
    }
    const size_t first = replication * POINTS_MOST, point = o->points + ahead;
    o->backlog[first + point] = sample->backlog;
    o->arrived[first + point] =
        sample->arrivals + (point > 0 ? o->arrived[first + point - 1] : 0.0);
}

void fc_observations_advance(fc_observations *o, size_t batches) {
    o->count += batches;
    o->points += batches;
}

/* Keeps every second point, the latest among them, so that points stay one batch apart. */
static void thin_course(fc_observations *o) {
    const size_t skip = (o->points + 1) % 2, kept = (o->points + 1) / 2;
    for (size_t replication = 0; replication < o->replications; ++replication) {
        double *backlog = o->backlog + replication * POINTS_MOST;
        double *arrived = o->arrived + replication * POINTS_MOST;
        for (size_t point = 0; point < kept; ++point) {
            backlog[point] = backlog[2 * point + skip];
            arrived[point] = arrived[2 * point + skip];
        }
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
    for (size_t series = 0; series < o->observables * o->replications; ++series) {
        merge_pairs(o->sums + series * FC_BATCHES_MOST, o->count / 2);
        merge_pairs(o->weights + series * FC_BATCHES_MOST, o->count / 2);
    }
    o->count /= 2;
    o->length *= 2;
    thin_course(o);
}

void fc_observations_discard(fc_observations *o) {
    o->count = 0;
    while (o->points > FC_BATCHES_MOST) {
        o->length *= 2;
        thin_course(o);
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

bool fc_observations_settled(const fc_observations *o, size_t observable) {
    enum { GROUP = 5 };
    /* Ratios of groups, not means of ratios: short batches may hold few messages or none. */
    const size_t groups = o->count / GROUP;
    for (size_t group = 0; group < groups; ++group) {
        double sum = 0, weight = 0;
        for (size_t replication = 0; replication < o->replications; ++replication) {
            const size_t first = batch_index(o, observable, replication, group * GROUP);
            for (size_t i = first; i < first + GROUP; ++i) {
                sum += o->sums[i];
                weight += o->weights[i];
            }
        }
        if (!(weight > 0))
            return false;
        o->scratch[group] = sum / weight;
    }
    return groups >= 16 && 4 * fc_mser_truncation(o->scratch, groups, 1) <= groups;
}

/* ---- saturation ----
 *
 * The run is cut into sixteen windows; the share of a window's arrivals that is still there at its
 * end is, for a queue without limit, nearly independent from window to window and replication to
 * replication. Windows 8..15 tell whether the backlog grows. A queue that is only slow to settle
 * grows too, but ever more slowly: at best with the square root of time (at exactly its capacity),
 * by which windows 8..15 grow at 0.44 of the pace of windows 1..3. Above capacity the pace stays.
 * Early windows further on, with a pace nearer to that of the late ones, would tell the two apart
 * several times later; window 0 is for what it takes to fill an empty network.
 */
enum { WINDOWS = 16, EARLY = 1, EARLY_END = 4, LATE = 8 };

fc_growth fc_observations_growth(const fc_observations *o) {
    const fc_growth none = {0};
    if (o->points < FC_BATCHES_KEPT / 2)
        return none;
    fc_moments early = {0}, late = {0};
    for (size_t replication = 0; replication < o->replications; ++replication) {
        const double *backlog = o->backlog + replication * POINTS_MOST;
        const double *arrived = o->arrived + replication * POINTS_MOST;
        const size_t last = o->points - 1;
        const double arrivals = arrived[last] - arrived[last * LATE / WINDOWS];
        if (!(arrivals > 0))
            return none;
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
        .steadiness = (late.mean - slowing * early.mean) /
                      sqrt(variance * (1 / late.count + slowing * slowing / early.count)),
    };
}

bool fc_growth_endless(const fc_growth *growth) {
    return growth->share > 0.001 && growth->deviations > 4 && growth->steadiness > 3;
}
