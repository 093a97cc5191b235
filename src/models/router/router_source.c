/* The wait at the source (6): the node's link is a queue whose service time is that of a lone
 * message plus its stalls. */
#include <math.h>
#include "models/router/router_solver.h"

typedef struct service {
    double mean, square;
} service;

/* Means over the movements out of an injection lane. */
typedef struct onward {
    double lag;     /* cm of what exceeds the buffer */
    double blocked; /* wb */
    double alone;   /* hz of the lanes ahead */
    double stalls;  /* U + Kc of the links ahead */
} onward;

static onward look_onward(const fc_router_solver *s, uint32_t lane) {
    onward seen = {0};
    for (uint32_t i = s->first_out[lane]; i < s->first_out[lane + 1]; ++i) {
        const fc_solver_movement *m = &s->movements[s->out_of[i]];
        const double keep = m->leaving * m->keep;
        const fc_solver_link *out = &s->links[m->out];
        seen.lag += keep * m->spread * fc_larger(0, 1 - s->timing.buffer * out->pace / m->length);
        seen.blocked += keep * s->lanes[m->to].blocked;
        /* The next message, if it goes the same way, waits for the credits of this one's flits. */
        const double hold = s->lanes[m->to].alone;
        const double late =
            fc_larger(0, out->period * m->length - hold - s->timing.r - s->timing.va);
        seen.alone += keep * (hold + m->together * late);
        seen.stalls += keep * (out->stall + out->credit);
    }
    return seen;
}

/* A message alone. Requests and replies have lanes of their own, but share the node's link: the
 * flits of the others take their part of it. */
static service alone_service(const fc_router_solver *s, const fc_solver_lane *lane) {
    if (!s->timing.replies)
        return (service){s->alone.source, s->alone.source_square};
    const fc_solver_link *link = &s->links[lane->link];
    const double others = link->load - lane->rate * lane->length;
    const double mean = s->alone.source * lane->length / link->length / (1 - others);
    return (service){mean, mean * mean};
}

/* One channel: node and buffer are one queue. */
static service single_service(const fc_router_solver *s, const fc_solver_lane *lane,
                              const fc_solver_link *link, const onward *seen, double blocked) {
    const service alone = alone_service(s, lane);
    double base = alone.mean, square = alone.square, stall = link->stall;
    if (seen->alone > lane->length * (1 + 1e-9)) {
        base = fc_larger(alone.mean, seen->alone);
        square *= (base / alone.mean) * (base / alone.mean);
        stall = seen->stalls;
    }
    const double D1 = lane->whole_excess;
    return (service){base + D1 + stall, square + 2 * base * (D1 + stall) + lane->whole_square +
                                            2 * stall * fc_larger(stall, blocked)};
}

static service service_of(const fc_router_solver *s, const fc_solver_lane *lane, uint32_t index) {
    const fc_solver_link *link = &s->links[lane->link];
    const onward seen = look_onward(s, index);
    const double blocked = link->length > s->timing.buffer ? seen.blocked : 0;
    if (lane->channels <= 1)
        return single_service(s, lane, link, &seen, blocked);
    const service alone = alone_service(s, lane);
    const double x = link->stall + lane->credit, base = alone.mean;
    return (service){base + x, alone.square + 2 * base * x +
                                   2 * x * fc_larger(x, fc_larger(seen.lag, blocked))};
}

/* ---- bursts ---- */

/* Work W at the source in each cycle: W' = (W - 1)+ + s A, A = 1 with probability p while the
 * source is on. The generating function g of (W, phase) satisfies g(z) (z I - P D(z)) = g0 (z - 1)
 * P D(z); what is unknown in it, g0 = P(W = 0, phase), follows from the load and from the zero of
 * the determinant in (0, 1). The first moments follow from the balance of W and of its square. */
static double determinant(double z, double a, double b, double on) {
    const double p11 = (1 - a) * on, p12 = a, p21 = b * on, p22 = 1 - b;
    return (z - p11) * (z - p22) - p12 * p21;
}

static double zero_below_one(double a, double b, double p, double s) {
    double low = 0, high = 1 - 1e-9;
    /* The determinant is positive just below 1 (the load is below 1) and negative or 0 at 0 ... */
    for (int i = 0; i < 200 && high - low > 1e-15; ++i) {
        const double z = 0.5 * (low + high);
        const double value = determinant(z, a, b, 1 - p + p * pow(z, s));
        if ((value > 0) == (determinant(0, a, b, 1 - p) > 0))
            low = z;
        else
            high = z;
    }
    return 0.5 * (low + high);
}

/* Mean work found by a message that arrives while the source is on. */
double fc_router_burst_wait(double rate, const fc_injection *injection, double time) {
    const double s = fc_larger(1, floor(time + 0.5));
    const double a = 1 / injection->on, b = 1 / injection->off; /* on ends, off ends */
    const double on = injection->on / (injection->on + injection->off);
    const double p = fc_smaller(1, rate / on), load = rate * s;
    if (load >= 1)
        return (double)INFINITY;
    if (s <= 1) /* at most one message comes in a cycle, and none takes longer */
        return 0;
    const double z = zero_below_one(a, b, p, s), A = 1 - p + p * pow(z, s);
    /* The right null vector (v1, v2): (z - (1 - a) A) v1 = a v2. */
    const double v2 = (z - (1 - a) * A) / a;
    const double idle = 1 - load;
    double g1 = v2 != 1 ? -v2 * idle / (1 - v2) : 0; /* g1 + g2 = idle, g1 + g2 v2 = 0 */
    g1 = fc_smaller(fc_larger(g1, 0), fc_smaller(idle, on));
    const double g2 = idle - g1;
    /* m1 a - m2 b = r1: balance of the work while on; -2 (m1 + m2) + 2 s p n1 = r2. */
    const double decrease1 = on - g1, decrease2 = 1 - on - g2;
    const double r1 = on * p * s - (1 - a) * decrease1 - b * decrease2;
    /* n1 = (1 - a)(m1 - decrease1) + b (m2 - decrease2); m1 = n1 + on p s */
    /* from the first: m1 a = b m2 + r1 */
    const double fixed = -((1 - a) * decrease1 + b * decrease2);
    const double c1 = -2 + 2 * s * p * (1 - a), c2 = -2 + 2 * s * p * b;
    const double r2 = -(1 - idle) - s * s * on * p - 2 * s * p * fixed;
    /* c1 m1 + c2 m2 = r2 with m1 = (b m2 + r1) / a */
    const double m2 = (r2 - c1 * r1 / a) / (c1 * b / a + c2), m1 = (b * m2 + r1) / a;
    return fc_larger(0, m1 - on * p * s) / on;
}

/* ---- the wait ---- */

static double wait_of_several(const fc_router_solver *s, const fc_solver_lane *lane,
                              service taken) {
    const double n = s->timing.injection_channels, M = lane->length, load = lane->rate * M;
    const fc_sharing_station station = fc_sharing_station_of(lane->rate, taken.mean, 1 / M, n);
    if (lane->rate >= FC_STATION_LOAD_MOST * station.fastest)
        return (double)INFINITY;
    const double queue = station.full * taken.square / (2 * taken.mean * taken.mean) /
                         station.fastest / (1 - lane->rate / station.fastest);
    const double turn = load / (2 * (1 - load) * M) + (1 - 1 / M) * load * load *
                                                          (1 - pow(load, fc_larger(0, n - 2))) /
                                                          (2 * (1 - load));
    return queue + turn;
}

static double wait_for_link(const fc_router_solver *s, const fc_solver_lane *lane, uint32_t index) {
    const fc_router_timing *timing = &s->timing;
    const service taken = service_of(s, lane, index);
    const double rate = lane->rate, use = rate * taken.mean;
    const bool bursts = timing->injection.process == FC_ON_OFF && !lane->replies;
    const bool several = timing->injection_channels > 1 && lane->channels > 1;
    if (several && !bursts)
        return wait_of_several(s, lane, taken);
    if (several && bursts) {
        /* A burst fills all channels: the link, or what all of them pass on, is one queue. */
        const double each = fc_larger(lane->length, taken.mean / timing->injection_channels);
        return fc_router_burst_wait(rate, &timing->injection, each) * taken.square /
               (taken.mean * taken.mean);
    }
    if (use >= 1)
        return (double)INFINITY;
    if (bursts)
        return fc_router_burst_wait(rate, &timing->injection, taken.mean) * taken.square /
               (taken.mean * taken.mean);
    const double least = timing->injection.process == FC_BERNOULLI ? taken.mean : 0;
    return rate * (taken.square - least) / (2 * (1 - use));
}

double fc_router_source_wait(const fc_router_solver *s, const fc_solver_lane *lane,
                             uint32_t index) {
    return wait_for_link(s, lane, index) + lane->permit;
}
