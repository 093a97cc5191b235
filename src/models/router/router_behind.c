/* Full buffers: stalls of links ahead that flits of a long message feel (5.6), and the wait behind
 * a predecessor in the same virtual channel (5.7). */
#include <math.h>
#include <string.h>
#include "models/router/router_solver.h"

/* While it iterates a round may overshoot: these bounds keep its equations finite. */
static const double use_most = 0.999;   /* of a lane, in 1 / (1 - use) */
static const double at_once_most = 0.9; /* pb: P(a released channel is taken again at once) */

/* ---- 5.6 ---- */

/* The wait for credits that are still on their way, as it is felt by the flits behind. With one
 * channel it is part of the service of the source (router_source.c). */
static double late_of(const fc_router_solver *s, const fc_solver_movement *m) {
    return s->lanes[m->from].channels > 1 ? s->lanes[m->to].late : 0;
}

static double felt(const fc_router_solver *s, const fc_solver_movement *m, double hops) {
    const fc_solver_link *in = &s->links[m->in];
    const double B = s->timing.buffer * in->pace;
    const double share = fc_larger(1e-9, 1 - hops * B / in->length);
    const double slack = hops * fc_larger(0, B - in->loop);
    const double room = B < in->loop + s->timing.catch_up ? slack : hops * B;
    const double waits = m->channel + m->turn + late_of(s, m);
    double sum = 0;
    if (m->growth > 0)
        sum += share * m->growth * exp(-room / (share * m->spread));
    if (waits > 0)
        sum += waits * (slack > 0 ? exp(-slack / s->lanes[m->to].blocked) : 1);
    return sum;
}

void fc_router_feel_stalls(fc_router_solver *s) {
    const int hops = (int)ceil(s->timing.longest / s->timing.buffer) - 1;
    memset(s->ahead, 0, s->link_count * sizeof *s->ahead);
    for (int h = hops; h >= 1; --h) {
        memset(s->next_ahead, 0, s->link_count * sizeof *s->next_ahead);
        for (uint32_t j = 0; j < s->movement_count; ++j) {
            const fc_solver_movement *m = &s->movements[j];
            s->next_ahead[m->in] += m->leaving * m->rate * (s->ahead[m->out] + felt(s, m, h));
        }
        for (uint32_t c = 0; c < s->link_count; ++c)
            s->ahead[c] = s->links[c].rate > 0 ? s->next_ahead[c] / s->links[c].rate : 0;
    }
    for (uint32_t c = 0; c < s->link_count; ++c)
        s->links[c].stall = 0.5 * (s->links[c].stall + s->ahead[c]);
}

/* ---- 5.7 ---- */

static void find_holding(const fc_router_solver *s, fc_solver_lane *lane) {
    const fc_solver_link *link = &s->links[lane->link];
    /* Flits of a message that waits for its only channel catch up with it. */
    const bool waits = lane->channels <= 1 && link->kind != FC_INJECTION_LINK;
    const double lag = waits ? link->lag * (1 - link->busy * link->alike) : link->lag;
    const double common = link->credit + lag + link->stall;
    if (link->kind == FC_INJECTION_LINK)
        lane->holding = common + (s->timing.injection_channels > 1 ? s->alone.source : link->alone);
    else
        lane->holding = common + s->timing.va + link->turn + link->alone;
    lane->holding = fc_lane_taken(link, lane, lane->holding);
    lane->waited = 0;
}

/* Sums over the movements out of a lane, kept in the lane until find_excess uses them up. */
typedef struct leaving {
    double waits;   /* vc + sw */
    double grown;   /* dl */
    double ahead;   /* U of the links ahead */
    double squares; /* of what is beyond r0 */
} leaving;

static void sum_leaving(fc_router_solver *s, leaving *sums) {
    memset(sums, 0, s->lane_count * sizeof *sums);
    for (uint32_t j = 0; j < s->movement_count; ++j) {
        const fc_solver_movement *m = &s->movements[j];
        const fc_solver_link *out = &s->links[m->out];
        const double keep = m->leaving * m->keep;
        const double waits = m->channel + m->turn + late_of(s, m);
        const bool node = s->links[m->in].kind == FC_INJECTION_LINK;
        const double r0 = s->timing.r + (node ? s->timing.va : 0);
        const double load = out->load;
        leaving *sum = &sums[m->from];
        sum->waits += keep * waits;
        sum->grown += keep * m->growth;
        sum->ahead += keep * out->stall;
        sum->squares +=
            keep * (2 * r0 * (waits + m->growth) + 4.0 / 3 * m->channel * s->lanes[m->to].blocked +
                    2 * m->turn + late_of(s, m) * s->lanes[m->to].latest +
                    m->growth * m->spread * (4.0 / 3 * (1 - load) + 2 * load));
        s->lanes[m->to].waited += m->count * m->rate * m->channel;
    }
}

/* Returns the share of the time that is not spent upstream: rat. */
static double find_excess(const fc_router_solver *s, const leaving *sum, fc_solver_lane *lane) {
    const fc_solver_link *link = &s->links[lane->link];
    const double r0 = s->timing.r + (link->kind == FC_INJECTION_LINK ? s->timing.va : 0);
    const double all = sum->waits + sum->grown;
    const double left = fc_larger(0, all + sum->ahead - link->stall);
    const double share = all > 0 ? left / all : 1;
    lane->excess = r0 + left;
    lane->excess_square = r0 * r0 + share * sum->squares;
    lane->whole_excess = r0 + all;
    lane->whole_square = r0 * r0 + sum->squares;
    return share;
}

/* The mean time for which a channel is free: it is held, and then credits are still on their way if
 * the buffer is smaller than their loop. Waiting for the credits of a predecessor is part of the
 * holding time; it does not bring the next one sooner. */
static double idle_time(const fc_solver_link *link, const fc_solver_lane *lane) {
    const double idle = lane->channels / lane->rate - lane->holding;
    if (lane->promised > 0)
        return idle + link->credit;
    return idle + link->credit - link->gap;
}

/* Where the buffer is smaller than the credit loop, a message that is granted a channel soon after
 * its predecessor left waits for the credits of that one's flits. */
static void find_late(const fc_solver_link *link, double at_once, fc_solver_lane *lane) {
    const double most = link->gap;
    const double idle =
        fc_larger(1e-6, (lane->channels / lane->rate - lane->holding) / (1 - at_once));
    lane->latest = most;
    const double met = most * at_once + (1 - at_once) * (most - idle * (1 - exp(-most / idle)));
    lane->late = 0.5 * (lane->late + (lane->one_stream ? 0 : met));
}

static void wait_behind(const fc_router_solver *s, const leaving *sum, double share,
                        fc_solver_lane *lane) {
    const fc_solver_link *link = &s->links[lane->link];
    const double D1 = lane->excess, D2 = lane->excess_square;
    const double idle = idle_time(link, lane);
    const double arrivals = 1 / fc_larger(idle, 1e-6);
    /* Where a channel is granted only with room, the predecessor has left but for what is spare. */
    const bool single = lane->slots <= 1;
    const double met =
        single ? 1 - lane->promised * fc_larger(0, 1 - lane->spare / link->length) : 1;
    lane->use = idle > 0 ? met * arrivals * D1 : 1;
    const double u = fc_smaller(use_most, lane->use);
    const double half = (lane->channels > 1 ? lane->full : link->busy) / 2;
    const double at_once = fc_smaller(lane->waited / lane->rate / lane->blocked, half);
    const double p0 = 1 - (1 - fc_smaller(at_once_most, at_once)) / (1 + arrivals),
                 b = p0 / (1 - p0);
    const double rooms = fc_larger(0, ceil(s->timing.buffer * link->pace / link->length) - 1);
    const double fill = fc_smaller(1, pow(u, rooms));
    double upstream = D1 > 0 ? fill * fc_smaller(1, share * sum->waits / D1) : 0;
    upstream /= 1 + link->lag / link->length;
    double behind = fc_larger(
        0,
        (arrivals * D2 + 2 * b * arrivals * D1 * D1 - u) / (2 * (1 - u * (1 - upstream))) + b * D1);
    behind *= met * (1 - pow(u, 1 + rooms)); /* the buffer holds so many and no more */
    if (idle <= 0)
        behind = fc_larger(lane->behind, D1); /* only until the load is found too high */
    if (link->kind != FC_INJECTION_LINK)
        find_late(link, fc_smaller(at_once_most, at_once), lane);
    lane->next_behind = behind + lane->late;
    lane->next_credit = upstream * behind + lane->late;
}

/* A node that fills one channel after the other meets predecessors less often: Kraemer and
 * Langenbach-Belz. */
static double in_turns(const fc_solver_lane *lane) {
    const double D1 = lane->excess, u = fc_smaller(use_most, lane->use);
    const double ca = 1 / lane->channels;
    const double cs = D1 > 0 ? fc_larger(0, lane->excess_square / (D1 * D1) - 1) : 0;
    if (ca >= 1)
        return 1;
    return u > 0 ? (ca + cs) / (1 + cs) *
                       exp(-2 * (1 - u) * (1 - ca) * (1 - ca) / (3 * u * (ca + cs)))
                 : 0;
}

void fc_router_wait_behind(fc_router_solver *s) {
    leaving *sums = s->scratch;
    for (uint32_t l = 0; l < s->lane_count; ++l)
        find_holding(s, &s->lanes[l]);
    sum_leaving(s, sums);
    for (uint32_t l = 0; l < s->lane_count; ++l) {
        fc_solver_lane *lane = &s->lanes[l];
        const fc_solver_link *link = &s->links[lane->link];
        lane->blocked = 3 * lane->holding / (lane->channels + 4);
        lane->next_behind = lane->next_credit = lane->use = 0;
        if (link->kind == FC_EJECTION_LINK || lane->rate <= 0) {
            lane->use = lane->rate > 0 && lane->channels / lane->rate <= lane->holding ? 1 : 0;
            continue;
        }
        const double share = find_excess(s, &sums[l], lane);
        wait_behind(s, &sums[l], share, lane);
        if (link->kind == FC_INJECTION_LINK && s->timing.injection_channels <= 1) {
            const double turns = in_turns(lane);
            lane->next_behind *= turns;
            lane->next_credit *= turns;
        }
    }
}
