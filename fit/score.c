#include "fit/score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "fit/lessons.h"
#include "fit/loss.h"

enum { BANDS = 5, GROUPS_MOST = 32 };
static const double band_ends[BANDS + 1] = {0, 0.15, 0.4, 0.7, 0.85, 0.955};
static const double quantile = 1.645;        /* of the normal distribution */
static const double simulation_share = 0.01; /* what a simulation itself is uncertain by */
static const double precise = 0.05;          /* half of the interval of what is scored */

/* ---- forecasts ---- */

typedef struct asking {
    const fit_dataset *dataset;
    const bool *asked;
    const fc_weights *weights;
    fit_forecast *forecasts;
} asking;

static void forecast_one(void *context, size_t part, size_t thread) {
    const asking *all = context;
    const fit_record *r = &all->dataset->records[part];
    fit_forecast *to = &all->forecasts[part];
    (void)thread;
    if (!all->asked[part])
        return;
    if (r->network.value_count > 0) {
        to->made = fc_learned_values_of(all->weights, &r->traits, NULL, &to->values) == FC_OK;
        return;
    }
    fc_traits traits = r->traits;
    fit_burst_table bursts = fit_burst_table_of(r);
    if (bursts.waits) {
        traits.burst_wait = fit_burst_wait;
        traits.burst_context = &bursts;
    }
    to->made = fc_learned_curve_of(all->weights, &traits, NULL, &to->curve) == FC_OK;
}

void fit_forecast_some(const fit_dataset *dataset, const bool *asked, const fc_weights *weights,
                       fit_team *team, fit_forecast *forecasts) {
    asking all = {dataset, asked, weights, forecasts};
    fit_team_run(team, dataset->count, forecast_one, &all);
}

/* ---- errors ---- */

/* One comparison. */
typedef struct error {
    uint32_t record;
    int band;      /* BANDS: of the saturation load; BANDS + 1 + v: of correction v */
    double share;  /* |forecast / simulation - 1| */
    double tail;   /* of p99; NaN: not known */
    double needed; /* what the spread would have to be multiplied by to hold */
    double place;  /* the load over the forecast saturation load */
} error;

typedef struct errors {
    size_t count;
    error *list;
} errors;

/* What the spread has to be multiplied by for the interval to reach the simulation. */
static double needed_for(double empty, double excess, double simulated, double spread) {
    const double low = simulated / (1 - simulation_share) - empty,
                 high = simulated / (1 + simulation_share) - empty;
    if (low < excess)
        return low > 0 ? log(excess / low) / quantile / spread : (double)INFINITY;
    return high > excess ? log(high / excess) / quantile / spread : 0;
}

static bool counts(const fit_record *r, const fit_load *load) {
    const double excess = (double)load->mean - r->traits.empty[FC_MEAN];
    const double half = (double)load->mean_half;
    return excess > 0 && half < 0.6 * excess && half < precise * (double)load->mean;
}

static error of_load(const fit_record *r, const fc_learned_curve *c, const fit_load *load) {
    const double u = (double)load->load / c->saturation, empty = r->traits.empty[FC_MEAN];
    const fit_place place = fit_place_of(u);
    const double excess = (double)load->load * exp(fit_growth_at(c->growth, place));
    const double median = (double)load->load * exp(fit_growth_at(c->median, place));
    const double tail = (double)load->p99 - r->traits.empty[FC_P99];
    error made = {
        .band = -1,
        .share = fabs((empty + excess) / (double)load->mean - 1),
        .tail = NAN,
        .needed = needed_for(empty, median, (double)load->mean, fit_spread_at(c->spread, place)),
        .place = u};
    const double fraction = (double)load->load / r->network.saturation;
    for (int b = 0; b < BANDS; ++b)
        if (fraction >= band_ends[b] && fraction < band_ends[b + 1])
            made.band = b;
    if (tail > 0 && (double)load->p99_half < 0.5 * tail) {
        const double forecast = c->saturation * exp(fit_tail_at(c->growth, c->tail, u));
        made.tail = fabs((r->traits.empty[FC_P99] + forecast) / (double)load->p99 - 1);
    }
    /* where the network may be saturated, intervals are open above */
    if (u > exp(-quantile * c->saturation_spread) && (double)load->mean > empty + median)
        made.needed = 0;
    return made;
}

static void add(errors *all, error one, size_t record) {
    if (one.band < 0)
        return;
    one.record = (uint32_t)record;
    all->list[all->count++] = one;
}

static void add_curve(const fit_record *r, const fit_forecast *f, size_t record, errors *all) {
    if (!(r->network.saturation > 0))
        return;
    for (uint32_t i = 0; i < r->network.load_count; ++i)
        if (counts(r, &r->network.loads[i]))
            add(all, of_load(r, &f->curve, &r->network.loads[i]), record);
    if (fit_search_is_doubtful(r))
        return;
    const double off = f->curve.saturation / r->network.saturation;
    add(all,
        (error){.band = BANDS,
                .share = fabs(off - 1),
                .tail = NAN,
                .needed = fabs(log(off)) / quantile / f->curve.saturation_spread},
        record);
}

static void add_values(const fit_record *r, const fit_forecast *f, size_t record, errors *all) {
    for (uint32_t v = 0; v < r->network.value_count; ++v) {
        const double off = fabs(f->values.value[v] - r->network.value[v]);
        if (isfinite(off))
            add(all,
                (error){.band = BANDS + 1 + (int)v,
                        .share = off,
                        .tail = off / sqrt(r->network.variance[v]),
                        .needed = off / quantile / f->values.spread[v]},
                record);
    }
}

static errors find_errors(const fit_dataset *dataset, const fit_forecast *forecasts) {
    size_t most = 1;
    for (size_t i = 0; i < dataset->count; ++i)
        most += dataset->records[i].network.load_count + FIT_VALUES_MOST + 1;
    errors all = {.list = calloc(most, sizeof *all.list)};
    for (size_t i = 0; i < dataset->count && all.list; ++i) {
        const fit_record *r = &dataset->records[i];
        if (forecasts[i].made)
            (r->network.value_count > 0 ? add_values : add_curve)(r, &forecasts[i], i, &all);
    }
    return all;
}

/* ---- tables ---- */

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The share of the sorted values that is not above it. */
static double quantile_of(double *values, size_t count, double level) {
    if (count == 0)
        return NAN;
    qsort(values, count, sizeof *values, by_size);
    const size_t at = (size_t)(level * (double)count);
    return values[at < count ? at : count - 1];
}

typedef struct summary {
    size_t count, tails, held;
    double mean, median, worst, tail;
} summary;

/* Of a group (NULL: all) and a band. */
static summary summarise(const fit_dataset *dataset, const errors *all, const char *group,
                         int band) {
    summary s = {0};
    double *shares = calloc(all->count + 1, sizeof *shares);
    for (size_t i = 0; i < all->count && shares; ++i) {
        const error *e = &all->list[i];
        if (e->band != band || (group && strcmp(dataset->records[e->record].group, group) != 0))
            continue;
        shares[s.count++] = e->share;
        s.mean += e->share;
        s.worst = fmax(s.worst, e->share);
        s.held += e->needed <= 1;
        s.tails += isnan(e->tail) ? 0 : 1;
        s.tail += isnan(e->tail) ? 0 : e->tail;
    }
    s.median = quantile_of(shares, s.count, 0.5);
    s.mean /= (double)s.count;
    s.tail /= (double)s.tails;
    free(shares);
    return s;
}

static const char *name_of(int band, char *text) {
    if (band < BANDS)
        snprintf(text, 32, "%.0f to %.0f %%", 100 * band_ends[band], 100 * band_ends[band + 1]);
    else if (band == BANDS)
        snprintf(text, 32, "saturation load");
    else
        snprintf(text, 32, "correction %d", band - BANDS);
    return text;
}

static void print_group(const fit_dataset *dataset, const errors *all, const char *group,
                        FILE *to) {
    for (int band = 0; band <= BANDS + FIT_VALUES_MOST; ++band) {
        const summary s = summarise(dataset, all, group, band);
        char text[32];
        if (s.count == 0)
            continue;
        fprintf(to, "| %s | %s | %zu | %.2f, %.2f (%.0f) | ", group ? group : "all",
                name_of(band, text), s.count, 100 * s.mean, 100 * s.median, 100 * s.worst);
        if (s.tails > 0 && band < BANDS)
            fprintf(to, "%.2f", 100 * s.tail);
        else if (s.tails > 0)
            fprintf(to, "(%.2f)", s.tail);
        fprintf(to, " | %.3f |\n", (double)s.held / (double)s.count);
    }
}

void fit_score_table(const fit_dataset *dataset, const fit_forecast *forecasts, FILE *to) {
    errors all = find_errors(dataset, forecasts);
    const char *groups[GROUPS_MOST];
    size_t count = 0;
    for (size_t i = 0; i < dataset->count; ++i) {
        size_t g = 0;
        while (g < count && strcmp(groups[g], dataset->records[i].group) != 0)
            ++g;
        if (g == count && count < GROUPS_MOST)
            groups[count++] = dataset->records[i].group;
    }
    fprintf(to,
            "| networks | load | cases | error: mean, median (worst), %% | p99 | 90 %% interval "
            "holds |\n|---|---|---|---|---|---|\n");
    print_group(dataset, &all, NULL, to);
    for (size_t g = 0; g < count && count > 1; ++g)
        print_group(dataset, &all, groups[g], to);
    free(all.list);
}

void fit_score_line(const fit_dataset *dataset, const fit_forecast *forecasts, FILE *to) {
    errors all = find_errors(dataset, forecasts);
    for (int band = 1; band <= BANDS + FIT_VALUES_MOST; ++band) {
        const summary s = summarise(dataset, &all, NULL, band);
        if (s.count > 0)
            fprintf(to, " | %.2f (%.2f) %.1f", 100 * s.mean, 100 * s.median,
                    band < BANDS ? 100 * s.tail : s.tail);
    }
    fputc('\n', to);
    fflush(to);
    free(all.list);
}

/* ---- factors ---- */

/* Which factor an error is for: that of the nearest knot, of the saturation load, of a value. */
static int factor_of(const error *e) {
    if (e->band >= BANDS)
        return e->band == BANDS ? FC_KNOTS : e->band - BANDS - 1;
    int nearest = 0;
    for (int k = 1; k < FC_KNOTS; ++k)
        if (fabs(fc_knots[k] - e->place) < fabs(fc_knots[nearest] - e->place))
            nearest = k;
    return nearest;
}

void fit_score_factors(const fit_dataset *dataset, const fit_forecast *forecasts,
                       float factors[FC_KNOTS + 1]) {
    static const size_t fewest = 20;
    errors all = find_errors(dataset, forecasts);
    double *needed = calloc(all.count + 1, sizeof *needed);
    for (int f = 0; f <= FC_KNOTS; ++f) {
        size_t count = 0;
        for (size_t i = 0; i < all.count && needed; ++i)
            if (factor_of(&all.list[i]) == f)
                needed[count++] = all.list[i].needed;
        factors[f] = count < fewest ? f > 0 && f < FC_KNOTS ? factors[f - 1] : 1
                                    : (float)fmin(10, fmax(0.1, quantile_of(needed, count, 0.9)));
    }
    free(needed);
    free(all.list);
}
