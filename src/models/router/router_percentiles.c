/* Percentiles of latency. Messages are grouped by their path and length: the time without load is
 * exact for each group. What they wait is a gamma variable: its mean is that of the model, the part
 * met in routers in proportion to their number; its variance is the sum over the parts, as if they
 * were independent, with the second moments that the model uses anyway. */
#include "models/router/router_percentiles.h"

#include <math.h>
#include "queueing/gamma_distribution.h"

/* What is waited: once for each message, and in each of its routers. */
typedef struct waits {
    double once, once_variance;
    double permit, permit_variance; /* by requests only, at their source */
    double routers, routers_variance;
    double mean_routers;
    double common; /* of the square of the mean: a message that waits long in one router meets a
                      busy time, and waits long in the others too */
} waits;

/* Chosen on the networks of the part `develop`. */
static const double common_share = 0.5;

/* A wait of this mean that befalls a share of the messages, exponential for them. */
static double variance_of(double mean, double share) {
    return share > 0 ? mean * mean * (2 / fmin(1, share) - 1) : 0;
}

static double lag_square(const fc_router_solver *s, uint32_t link) {
    const float *together = s->together + (size_t)link * FC_LAG_ROW;
    const float *parted = s->parted + (size_t)link * FC_LAG_ROW;
    double sum = 0;
    for (int i = 1; i < FC_LAG_POINTS; ++i)
        sum += 2 * i * s->step * (together[i] + parted[i]);
    return sum * s->step;
}

static void add_lag(const fc_router_solver *s, const fc_router_solution *solution, waits *w) {
    double square = 0, rate = 0;
    for (uint32_t c = 0; c < s->link_count; ++c) {
        if (s->links[c].kind == FC_EJECTION_LINK) {
            const double crossing = s->links[c].members * s->links[c].rate;
            square += crossing * lag_square(s, c);
            rate += crossing;
        }
    }
    w->once += solution->lag;
    if (rate > 0)
        w->once_variance += fmax(0, square / rate - solution->lag * solution->lag);
}

static waits waits_of(const fc_router_solver *s, const fc_router_solution *solution) {
    waits w = {.once = solution->source - solution->permit, .permit = 2 * solution->permit};
    double injected = 0, source = 0, visits = 0;
    for (uint32_t l = 0; l < s->lane_count; ++l) {
        const fc_solver_lane *lane = &s->lanes[l];
        const double crossing = s->links[lane->link].members * lane->rate;
        if (s->links[lane->link].kind == FC_INJECTION_LINK && lane->rate > 0) {
            const double wait = fc_router_source_wait(s, lane, l) - lane->permit;
            const double present = lane->rate * (s->alone.source + wait);
            /* a message of a burst finds others before it so much more often than at random */
            source += crossing * variance_of(wait, present * fc_burst_peak(&s->timing.injection));
            injected += crossing;
            w.permit_variance += crossing * variance_of(lane->permit, lane->permit_chance);
        }
        if (s->links[lane->link].kind != FC_EJECTION_LINK)
            w.routers_variance +=
                crossing * (variance_of(fmax(0, lane->behind - lane->late), lane->use) +
                            lane->late * (lane->latest - lane->late));
    }
    if (injected <= 0)
        return w;
    w.once_variance = source / injected;
    w.permit_variance *= 2 / injected; /* half of the messages are requests */
    for (uint32_t j = 0; j < s->movement_count; ++j) {
        const fc_solver_movement *m = &s->movements[j];
        const double rate = s->links[m->out].members * m->count * m->rate;
        const double blocked = s->lanes[m->to].blocked;
        w.routers_variance +=
            rate * (variance_of(m->channel, m->channel / blocked) + m->turn * (m->turn + 1));
        visits += rate;
    }
    w.routers_variance /= injected;
    w.routers = solution->behind + solution->credit + solution->channel + solution->turn;
    w.mean_routers = visits / injected;
    add_lag(s, solution, &w);
    double busy = 0;
    for (uint32_t c = 0; c < s->link_count; ++c)
        busy = fmax(busy, s->links[c].busy);
    w.common = s->timing.oldest_first ? 0 : common_share * busy * busy;
    return w;
}

/* P(latency <= x). */
static double below(const fc_router_solver *s, const waits *w, double x) {
    const fc_paths *paths = s->flows->paths;
    const fc_message_kinds *kinds = paths->kinds;
    double sum = 0, all = 0;
    for (size_t i = 0; i < paths->count; ++i) {
        const fc_path *path = &paths->list[i];
        const double share = path->key.routers / w->mean_routers;
        for (size_t k = 0; k < kinds->count; ++k) {
            const double met = w->once + share * w->routers, mean = met + (k ? 0 : w->permit);
            const double variance = w->once_variance + share * w->routers_variance +
                                    w->common * met * met + (k ? 0 : w->permit_variance);
            for (size_t n = 0; n < kinds->lengths[k].count && path->weight[k] > 0; ++n) {
                const double weight = path->weight[k] * kinds->lengths[k].share[n];
                const double length = (double)kinds->lengths[k].flits[n] / kinds->mean[k];
                const double header = path->latency[k] - path->source[k];
                const double left = x + 0.5 - (header + path->source[k] * length);
                all += weight;
                if (left > 0)
                    sum += weight * (mean > 1e-9 && variance > 1e-12
                                         ? fc_gamma_below(mean, variance, left)
                                         : 1);
            }
        }
    }
    return sum / all;
}

static double quantile(const fc_router_solver *s, const waits *w, double level, double latency) {
    double low = 0, high = latency;
    while (below(s, w, high) < level && high < 1e6 * latency) {
        low = high;
        high *= 2;
    }
    while (high - low > 1e-3 * high) {
        const double middle = 0.5 * (low + high);
        if (below(s, w, middle) < level)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

double fc_router_percentile_alone(const fc_router_solver *s, double level) {
    const waits none = {.mean_routers = 1};
    return quantile(s, &none, level, s->alone.latency);
}

void fc_router_report_percentiles(const fc_router_solver *s, const fc_router_solution *solution,
                                  fc_result *result) {
    const waits w = waits_of(s, solution);
    if (!(w.mean_routers > 0))
        return;
    fc_result_add(result, FC_METRIC_LATENCY_P50, quantile(s, &w, 0.5, solution->latency), NAN);
    fc_result_add(result, FC_METRIC_LATENCY_P95, quantile(s, &w, 0.95, solution->latency), NAN);
    fc_result_add(result, FC_METRIC_LATENCY_P99, quantile(s, &w, 0.99, solution->latency), NAN);
}
