#include "models/multistage/multistage_buffers.h"
#include <math.h>

/* Symbols: a inputs of a switch, L waiting places of a buffer (rules->places); at, ahead: kinds of
 * buffers; sent: the share of a sender's packets that goes to one buffer ahead; smoothing: 1 with
 * even traffic, 0 where a sender sends to one buffer alone. The other names are those of
 * fc_buffer_tuning and fc_buffer_kind.
 *
 * The numbers were fitted in two steps, which docs/theory/multistage.md describes. Several
 * compensate what the queue behind them leaves out: `held_*` and `share_*` correct the number of
 * blocked senders and the share of packets that find a full buffer, which the queue of merged
 * senders finds as if these were independent. */
const fc_buffer_tuning fc_buffer_tuned = {
    .merge_rise = 0.78,
    .second_moment = 1.52,
    .memory_fixed = -0.4,
    .memory_switch = 2.556,
    .memory_least = 1.0,
    .source_memory = 0.093,
    .share_fixed = 1.152,
    .share_switch = 1.176,
    .relief = 1.149,
    .held_least = 0.847,
    .held_rise = 0.278,
    .held_half = 0.111,
    .throttle = 0.867,
    .throttle_decay = 0.403,
    .memory_most = 2.6,
    .memory_even = 4.45,
    .held_uneven = -0.37,
    .line_meet = 0.686,
    .line_queue = 1.86,
    .line_fixed = 1.243,
    .line_switch = 1.319,
    .line_memory = 18.17,
    .line_held = 1.162,
    .line_moment = 1.16,
};

/* Parts of the forms, not of that fit; those of uneven traffic were set by looking at hot spots.
 * along_power   packets sent the same way count less than in proportion: spells overlap
 * even_power    what even traffic allows beyond memory_most counts only where smoothing is near 1
 * behind_even,  senders that may queue behind a blocked one: with even traffic, and times a L by
 * behind_apart  the square of 1 - smoothing
 * wait_most     whoever is blocked waits for at most this share of a services
 * slow_power    a blocked sender sends nothing, but if it is less busy than the buffer it sends
 * its backlog soon afterwards, so that the buffer receives hardly less */
static const double along_power = 0.8, even_power = 8.0, behind_even = 0.5, behind_apart = 1.5;
static const double wait_most = 0.8, slow_power = 6.0;

/* 1 if the senders are as busy as the buffer they send to, 0 if they send to it alone. */
static double smoothing_by(double a, double sent) {
    return sqrt(fmin(1.0, (1.0 - sent) / (sent * (a - 1.0))));
}

/* Dispersion of what a buffer receives from a servers of the same pace, each of which sends the
 * share `sent` of its packets there: 1 - 1/a at low load, where a packet meets only those of other
 * senders; at high load between that of evenly spaced and of Poisson arrivals. */
static double merged_dispersion(double a, double utilisation, double sent) {
    const double smoothing = smoothing_by(a, sent);
    const double rise =
        1.0 / a - (1.0 / a) * (1.0 - fc_buffer_tuned.merge_rise * (1.0 - 1.0 / a)) * smoothing;
    return 1.0 - 1.0 / a + utilisation * rise;
}

/* ---- a line ----
 *
 * The first packets of a inputs queue for a line that each holds for one unit of time: a queue with
 * a sources, each of which comes back after a mean time 1 / theta. With the probability `again` it
 * comes back at once, because the next packet of the same buffer takes the same line. How many are
 * in the queue does not depend on their order, so that a source that comes back at once is as good
 * as one that is served for longer: a geometric number of times. Takacs' formula for such a queue,
 *
 *     use / (1 - use) = a theta / (1 - again) sum_n C(a-1, n) prod_i=1..n (1 / phi(i theta) - 1),
 *
 * has here 1 / phi(s) - 1 = (e^s - 1) / (1 - again). */

/* The logarithm of use / (1 - use) and its derivative by the logarithm of theta; `beyond` is the
 * sum without its first term, 1. */
static double line_odds(double a, double theta, double again, double *slope, double *beyond) {
    static const double negligible = 1e-16, enough = 1e200;
    const double first = expm1(theta);
    double grown = 0.0, term = 1.0, order = 0.0, orders = 0.0; /* grown: e^(n theta) - 1 */
    *beyond = 0.0;
    for (double n = 1.0; n < a && *beyond < enough; n += 1.0) {
        grown += first * (1.0 + grown);
        term *= (a - n) / n * grown / (1.0 - again);
        order += n * theta * (1.0 + 1.0 / grown);
        *beyond += term;
        orders += term * order;
        if (term < negligible * *beyond)
            break;
    }
    *slope = 1.0 + orders / (1.0 + *beyond);
    return log(a * theta / (1.0 - again) * (1.0 + *beyond));
}

/* Mean wait for a line that is in use for the share `use` (0 < use < 1) of the time: the time
 * between two visits, a / use, less the time away and the service. */
static double line_wait(double a, double use, double again) {
    enum { NEWTON_MAX = 30 };
    static const double tolerance = 1e-6; /* the last step squares it */
    const double odds = log(use / (1.0 - use));
    double at = log((1.0 - again) * use / (a - (a - 1.0) * use)); /* ln theta */
    double slope, beyond, off = 1.0;
    for (int step = 0; step < NEWTON_MAX && fabs(off) > tolerance; ++step) {
        off = line_odds(a, exp(at), again, &slope, &beyond) - odds;
        at -= off / slope;
    }
    line_odds(a, exp(at), again, &slope, &beyond);
    /* a / use = a + (1 - again) / (theta (1 + beyond)): little is left of large terms */
    return fmax(0.0, a - 1.0 - (1.0 - again) * exp(-at) * beyond / (1.0 + beyond));
}

/* Holding times that vary make the wait longer, as in an open queue, while the line is not always
 * waited for by everyone. */
void fc_buffer_solve_line(const fc_buffer_rules *rules, fc_buffer_kind *at, double sent) {
    if (!rules->lines)
        return;
    const double a = rules->a, hold = 1.0 + at->entry, use = at->rate * hold;
    const double most = (a - 1.0) * hold;
    at->line = 0.0;
    if (use >= 1.0) {
        at->line = most;
    } else if (use > 0.0) {
        static const double again_most = 0.9;
        const double others = (1.0 - 1.0 / a) * use;
        const double busy = at->rate / (a * sent) * hold * (1.0 + 0.5 * others / (1.0 - others));
        const double again = fmin(again_most, sent * fmin(1.0, busy));
        const double spread = fmax(0.0, at->entry2 - at->entry * at->entry) / (hold * hold);
        const double wait = hold * line_wait(a, use, again);
        at->line = fmin(most, wait * (1.0 + spread * fmax(0.0, 1.0 - wait / most)));
    }
    at->line2 =
        at->line * (fc_buffer_tuned.line_meet * hold + fc_buffer_tuned.line_queue * at->line);
}

/* ---- buffers ---- */

/* Senders that have been blocked come back in step with the buffer that blocked them. */
static double relief_at(fc_buffer_rules *rules, double rate, double merged) {
    if (rules->relief_rate != rate) {
        fc_merged_queue queue;
        const fc_merging merging = {rules->places, (size_t)rules->a, 0, merged, 1.0};
        fc_merged_queue_carry(rules->room, rate, &merging, &queue);
        rules->relief_rate = rate;
        rules->relief = fmin(0.5, fc_buffer_tuned.relief * 2.0 / rules->a * queue.blocked_share);
    }
    return rules->relief;
}

/* Dispersion of what comes over one line. */
static double line_dispersion(double a, double utilisation) {
    return utilisation * (fc_buffer_tuned.line_fixed - fc_buffer_tuned.line_switch / a);
}

/* A buffer at the end of a line that one packet holds at a time. */
static void solve_behind_line(fc_buffer_rules *rules, fc_buffer_kind *at, double carried,
                              double merged) {
    const double memory = at->brief + at->variation * (1.0 + fc_buffer_tuned.line_memory *
                                                                 sqrt((double)rules->places));
    const fc_merging merging = {
        .places = rules->places, .senders = 1, .dispersion = merged + memory, .slowdown = 1.0};
    fc_merged_queue queue;
    fc_merged_queue_carry(rules->room, carried, &merging, &queue);
    at->waiting = queue.waiting - queue.blocked;
    const double entry = fc_buffer_tuned.line_held * queue.blocked / at->rate;
    fc_buffer_set_entry(rules, at, entry,
                        fmin(1.0, fmax(queue.blocked_share, entry / at->service)));
}

/* A buffer at which all inputs of its switch merge. */
static void solve_merging(fc_buffer_rules *rules, fc_buffer_kind *at, double sent, double carried,
                          double merged) {
    const double a = rules->a, smoothing = smoothing_by(a, sent);
    const double spells =
        fmax(fc_buffer_tuned.memory_least / a,
             fc_buffer_tuned.memory_fixed +
                 fc_buffer_tuned.memory_switch * pow(at->along * a, along_power) / a);
    double memory = at->variation * (1.0 + (double)rules->places * spells);
    const double most =
        fc_buffer_tuned.memory_most + fc_buffer_tuned.memory_even * pow(smoothing, even_power);
    memory /= 1.0 + memory / most;
    const double relief =
        smoothing * relief_at(rules, at->rate, merged_dispersion(a, at->rate, sent));
    const double apart = 1.0 - smoothing;
    const double behind = behind_even + behind_apart * apart * apart * a * (double)rules->places;
    const fc_merging merging = {
        .places = rules->places,
        .senders = (size_t)a,
        .beyond = (size_t)fmin(behind, 2.0 * (a + (double)rules->places)),
        .dispersion = merged * (1.0 - relief) + memory,
        .slowdown = pow(smoothing, slow_power),
    };
    fc_merged_queue queue;
    fc_merged_queue_carry(rules->room, carried, &merging, &queue);
    const double held =
        queue.blocked * (fc_buffer_tuned.held_least + fc_buffer_tuned.held_uneven * apart +
                         fc_buffer_tuned.held_rise * memory / (memory + fc_buffer_tuned.held_half));
    const double blocked = fmin(held, queue.waiting); /* they are some of those that wait */
    const double entry = blocked / at->rate;
    const double found =
        queue.blocked_share * (fc_buffer_tuned.share_fixed - fc_buffer_tuned.share_switch / a);
    at->waiting = queue.waiting - blocked;
    const double longest = wait_most * a * at->service;
    fc_buffer_set_entry(rules, at, entry, fmin(1.0, fmax(found, entry / longest)));
}

bool fc_buffer_solve(fc_buffer_rules *rules, fc_buffer_kind *at, double sent, int64_t stage) {
    const double carried = at->rate * at->service;
    if (at->rate == 0.0) { /* off the tree if every packet is for the hot memory */
        at->waiting = 0.0;
        fc_buffer_set_entry(rules, at, 0.0, 0.0);
        fc_buffer_solve_line(rules, at, sent);
        return true;
    }
    if (!(carried <= FC_NEVER_IDLE * (1.0 + 1e-12)))
        return false;
    const double smoother =
        1.0 - rules->throttle * pow(fc_buffer_tuned.throttle_decay, (double)(stage - 1));
    const double merged = (rules->lines ? line_dispersion(rules->a, carried)
                                        : merged_dispersion(rules->a, carried, sent)) *
                          smoother;
    if (rules->infinite) {
        const double dispersion = merged + at->brief;
        at->waiting = dispersion * carried * carried / (2.0 * (1.0 - carried));
        at->entry = at->entry2 = at->share = 0.0;
    } else if (rules->lines) {
        solve_behind_line(rules, at, carried, merged);
    } else {
        solve_merging(rules, at, sent, carried, merged);
    }
    fc_buffer_solve_line(rules, at, sent);
    return true;
}

double fc_buffer_wait(const fc_buffer_kind *at) {
    return at->rate > 0.0 ? at->waiting / at->rate : 0.0;
}

void fc_buffer_serve_into(fc_buffer_kind *at, const fc_buffer_kind *ahead,
                          const fc_buffer_kind *beside, double sent) {
    const double held = sent * ahead->entry + (1.0 - sent) * beside->entry;
    const double held2 = sent * ahead->entry2 + (1.0 - sent) * beside->entry2;
    const double line = sent * ahead->line + (1.0 - sent) * beside->line;
    const double line2 = sent * ahead->line2 + (1.0 - sent) * beside->line2;
    at->held = held;
    at->service = 1.0 + held + line;
    const double square = at->service * at->service;
    at->variation = fmax(0.0, held2 - held * held) / square;
    at->brief = fmax(0.0, line2 - line * line) / square;
}

void fc_buffer_set_entry(const fc_buffer_rules *rules, fc_buffer_kind *at, double entry,
                         double share) {
    const double moment =
        rules->lines ? fc_buffer_tuned.line_moment : fc_buffer_tuned.second_moment;
    at->entry = entry;
    at->share = share;
    at->entry2 = share > 0.0 ? moment * entry * entry / share : 0.0;
}
