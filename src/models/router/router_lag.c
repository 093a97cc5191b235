/* How far tails lag behind their headers, link by link (5.5). The tail of the distribution of the
 * lag at a link is kept on a grid, apart for messages that still travel with those they took turns
 * with (together) and for those that have parted from them, whose data flits catch up. */
#include <math.h>
#include <string.h>
#include "models/router/router_solver.h"

enum { G = FC_LAG_POINTS };

/* P(lag > y) of lag that arises: none, or a mixture of uniform and exponential. Powers of the ratio
 * are kept four apart, so that four points are computed at a time. */
static void tail_of(double chance, double spread, double load, double step, double *tail) {
    const double ratio = exp(-step / spread), ratio4 = ratio * ratio * ratio * ratio;
    const double slope = step / (2 * spread), even = chance * (1 - load), odd = chance * load;
    double decay[G + 3];
    for (int i = 0; i < 4; ++i)
        decay[i] = i ? decay[i - 1] * ratio : 1;
    for (int i = 4; i < G; i += 4) {
        for (int k = 0; k < 4 && i + k < G; ++k)
            decay[i + k] = decay[i + k - 4] * ratio4;
    }
    for (int i = 0; i < G; ++i) {
        const double uniform = 1 - i * slope;
        tail[i] = even * (uniform > 0 ? uniform : 0) + odd * decay[i];
    }
}

/* In four sums, which the processor adds side by side. */
static double total(const double *values) {
    double sum[4] = {0};
    int i = 0;
    for (; i + 4 <= G; i += 4) {
        for (int k = 0; k < 4; ++k)
            sum[k] += values[i + k];
    }
    for (; i < G; ++i)
        sum[0] += values[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static double area(const double *tail, double step) {
    return (total(tail) - 0.5 * tail[0]) * step;
}

/* shifted(y) = tail(y + by), linear between points, 0 beyond the end. */
static void shift(const double *tail, double by, double *shifted) {
    const int whole = (int)fmin(by, G);
    const double part = fmin(by, G) - whole;
    for (int i = 0; i < G; ++i) {
        const double low = i + whole < G ? tail[i + whole] : 0;
        const double high = i + whole + 1 < G ? tail[i + whole + 1] : 0;
        shifted[i] = low + part * (high - low);
    }
}

/* Lag that arises at the link of a node over which several messages take turns. */
static void lag_at_source(const fc_router_solver *s, fc_solver_link *link, double *tail) {
    const double channels = s->timing.injection_channels, M = link->length;
    if (channels <= 1 || M <= 1 || link->rate <= 0)
        return;
    const double alone = s->alone.source + link->stall + link->credit;
    const fc_sharing_station station = fc_sharing_station_of(link->rate, alone, 1 / M, channels);
    const double mean = fmax(0, station.served / link->rate - alone) * (1 - 1 / (2 * M * M));
    double chance = 1 - (1 - link->load) * exp(-link->load);
    if (mean <= 0 || chance <= 0) {
        memset(tail, 0, G * sizeof *tail);
        return;
    }
    const double spread = fmin(mean / chance, fmax(channels, 2) * M);
    chance = fmin(1, mean / spread);
    tail_of(chance, spread, link->load, s->step, tail);
    link->lag = area(tail, s->step);
}

static void pass_on(fc_router_solver *s, fc_solver_movement *m, uint32_t index) {
    const size_t in = (size_t)m->in * G, out = (size_t)m->out * G;
    const double *restrict together = s->together + in;
    const double *restrict parted = s->shift_parted + in;
    const double *restrict leaving = s->timing.one_port ? together : s->shift_together + in;
    const double *restrict arising = s->arising + (size_t)index * G;
    double *restrict to_together = s->next_together + out;
    double *restrict to_parted = s->next_parted + out;
    const double share = m->count * m->rate / s->links[m->out].rate;
    const double stay = m->together, leave = 1 - m->together;
    double grown[G];
    for (int i = 0; i < G; ++i) {
        const double still = stay * together[i], apart = parted[i] + leave * leaving[i];
        grown[i] = (1 - still - apart) * arising[i];
        to_together[i] += share * (still + grown[i]);
        to_parted[i] += share * apart;
    }
    m->growth = area(grown, s->step);
}

static void pass(fc_router_solver *s) {
    const size_t size = (size_t)s->link_count * G;
    const double by = s->timing.catch_up_room / s->step;
    for (uint32_t c = 0; c < s->link_count; ++c) {
        shift(s->together + (size_t)c * G, by, s->shift_together + (size_t)c * G);
        shift(s->parted + (size_t)c * G, by, s->shift_parted + (size_t)c * G);
    }
    memset(s->next_together, 0, size * sizeof(double));
    memset(s->next_parted, 0, size * sizeof(double));
    for (uint32_t j = 0; j < s->movement_count; ++j) {
        if (s->movements[j].rate > 0)
            pass_on(s, &s->movements[j], j);
    }
    for (uint32_t c = 0; c < s->link_count; ++c) {
        if (s->links[c].kind == FC_INJECTION_LINK)
            continue;
        memcpy(s->together + (size_t)c * G, s->next_together + (size_t)c * G, G * sizeof(double));
        memcpy(s->parted + (size_t)c * G, s->next_parted + (size_t)c * G, G * sizeof(double));
    }
}

void fc_router_spread_lag(fc_router_solver *s, int passes) {
    for (uint32_t j = 0; j < s->movement_count; ++j) {
        const fc_solver_movement *m = &s->movements[j];
        tail_of(m->chance, m->spread, s->links[m->out].load, s->step, s->arising + (size_t)j * G);
    }
    for (uint32_t c = 0; c < s->link_count; ++c) {
        if (s->links[c].kind == FC_INJECTION_LINK)
            lag_at_source(s, &s->links[c], s->together + (size_t)c * G);
    }
    for (int i = 0; i < passes; ++i)
        pass(s);
    for (uint32_t c = 0; c < s->link_count; ++c) {
        const size_t at = (size_t)c * G;
        if (s->links[c].kind != FC_INJECTION_LINK)
            s->links[c].lag = area(s->together + at, s->step) + area(s->parted + at, s->step);
    }
    for (uint32_t j = 0; j < s->movement_count; ++j) {
        fc_solver_movement *m = &s->movements[j];
        m->mean_growth = 0.5 * (m->mean_growth + m->growth);
    }
}
