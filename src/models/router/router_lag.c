/* How far tails lag behind their headers, link by link (5.5). The tail of the distribution of the
 * lag at a link is kept on a grid, apart for messages that still travel with those they took turns
 * with (together) and for those that have parted from them, whose data flits catch up. */
#include <math.h>
#include <string.h>
#include "base/wide_vectors.h"
#include "models/router/router_solver.h"

enum { G = FC_LAG_POINTS, ROW = FC_LAG_ROW };

/* Four points at a time: the compiler does not find by itself that it may. */
typedef float four __attribute__((vector_size(4 * sizeof(float))));
typedef int32_t four_masks __attribute__((vector_size(4 * sizeof(int32_t))));

/* P(lag > y) of lag that arises: none, or a mixture of uniform and exponential. */
FC_INLINE void tail_of(double chance, double spread, double load, double step, float *tail) {
    const float ratio = (float)exp(-step / spread), slope = (float)(step / (2 * spread));
    const float even = (float)(chance * (1 - load)), odd = (float)(chance * load);
    const float square = ratio * ratio, ratio4 = square * square;
    four decay = {odd, odd * ratio, odd * square, odd * square * ratio};
    four uniform = {even, even - even * slope, even - even * 2 * slope, even - even * 3 * slope};
    const float fall = 4 * even * slope;
    for (int i = 0; i < ROW; i += 4) {
        const four_masks positive = uniform > 0;
        const four sum = (four)((four_masks)uniform & positive) + decay;
        memcpy(tail + i, &sum, sizeof sum);
        decay *= ratio4;
        uniform -= fall;
    }
}

/* In four sums, which the processor adds side by side. */
FC_INLINE double total(const float *values) {
    float sum[4] = {0};
    int i = 0;
    for (; i + 4 <= G; i += 4) {
        for (int k = 0; k < 4; ++k)
            sum[k] += values[i + k];
    }
    for (; i < G; ++i)
        sum[0] += values[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

FC_INLINE double area(const float *tail, double step) {
    return (total(tail) - 0.5 * tail[0]) * step;
}

/* shifted(y) = tail(y + by), linear between points, 0 beyond the end. */
FC_INLINE void shift(const float *restrict tail, double by, float *restrict shifted) {
    const int whole = (int)fc_smaller(by, G), left = G - whole;
    const float part = (float)(fc_smaller(by, G) - whole);
    for (int i = 0; i < left - 1; ++i)
        shifted[i] = tail[i + whole] + part * (tail[i + whole + 1] - tail[i + whole]);
    if (left > 0)
        shifted[left - 1] = tail[G - 1] - part * tail[G - 1];
    for (int i = left; i < G; ++i)
        shifted[i] = 0;
}

/* Lag that arises at the link of a node over which several messages take turns. */
static void lag_at_source(const fc_router_solver *s, fc_solver_link *link, float *tail) {
    const double channels = s->timing.injection_channels, M = link->length;
    if (channels <= 1 || M <= 1 || link->rate <= 0)
        return;
    const double alone = s->alone.source + link->stall + link->credit;
    const fc_sharing_station station = fc_sharing_station_of(link->rate, alone, 1 / M, channels);
    const double mean = fc_larger(0, station.served / link->rate - alone) * (1 - 1 / (2 * M * M));
    double chance = 1 - (1 - link->load) * exp(-link->load);
    if (mean <= 0 || chance <= 0) {
        memset(tail, 0, G * sizeof *tail);
        return;
    }
    const double spread = fc_smaller(mean / chance, fc_larger(channels, 2) * M);
    chance = fc_smaller(1, mean / spread);
    tail_of(chance, spread, link->load, s->step, tail);
    link->lag = area(tail, s->step);
}

FC_INLINE void pass_on(fc_router_solver *s, fc_solver_movement *m) {
    const size_t in = (size_t)m->in * ROW, out = (size_t)m->out * ROW;
    const float *restrict together = s->together + in;
    const float *restrict parted = s->shift_parted + in;
    const float *restrict leaving = s->timing.one_port ? together : s->shift_together + in;
    float *restrict to_together = s->next_together + out;
    float *restrict to_parted = s->next_parted + out;
    const float share = (float)(m->count * m->rate / s->links[m->out].rate);
    const float stay = (float)m->together, leave = 1 - stay;
    float arising[ROW], grown[G];
    tail_of(m->chance, m->spread, s->links[m->out].load, s->step, arising);
    for (int i = 0; i < G; ++i) {
        const float still = stay * together[i], apart = parted[i] + leave * leaving[i];
        grown[i] = (1 - still - apart) * arising[i];
        to_together[i] += share * (still + grown[i]);
        to_parted[i] += share * apart;
    }
    m->growth = area(grown, s->step);
}

static void swap(float **a, float **b) {
    float *const other = *a;
    *a = *b;
    *b = other;
}

/* The rows of injection links are the same in both tables. */
FC_INLINE void pass_any(fc_router_solver *s) {
    const double by = s->timing.catch_up_room / s->step;
    for (uint32_t c = 0; c < s->link_count; ++c) {
        const size_t at = (size_t)c * ROW;
        if (!s->timing.one_port)
            shift(s->together + at, by, s->shift_together + at);
        shift(s->parted + at, by, s->shift_parted + at);
        if (s->links[c].kind != FC_INJECTION_LINK) {
            memset(s->next_together + at, 0, G * sizeof(float));
            memset(s->next_parted + at, 0, G * sizeof(float));
        }
    }
    for (uint32_t j = 0; j < s->movement_count; ++j) {
        if (s->movements[j].rate > 0)
            pass_on(s, &s->movements[j]);
    }
    swap(&s->together, &s->next_together);
    swap(&s->parted, &s->next_parted);
}

FC_FOR_ALL(pass, (fc_router_solver * s), (s))

void fc_router_spread_lag(fc_router_solver *s, int passes) {
    if (s->timing.longest <= 1) /* a flit does not lag behind itself */
        return;
    for (uint32_t c = 0; c < s->link_count; ++c) {
        const size_t at = (size_t)c * ROW;
        if (s->links[c].kind != FC_INJECTION_LINK)
            continue;
        lag_at_source(s, &s->links[c], s->together + at);
        memcpy(s->next_together + at, s->together + at, G * sizeof(float));
        memset(s->next_parted + at, 0, G * sizeof(float));
    }
    for (int i = 0; i < passes; ++i)
        pass(s);
    for (uint32_t c = 0; c < s->link_count; ++c) {
        const size_t at = (size_t)c * ROW;
        if (s->links[c].kind != FC_INJECTION_LINK)
            s->links[c].lag = area(s->together + at, s->step) + area(s->parted + at, s->step);
    }
    for (uint32_t j = 0; j < s->movement_count; ++j) {
        fc_solver_movement *m = &s->movements[j];
        m->mean_growth = 0.5 * (m->mean_growth + m->growth);
    }
}
