/* Poisson: the arrivals of all senders are one process whose messages are dealt to them at random,
 * which is the same as a process for each; an arrival at real time a belongs to cycle floor(a).
 *
 * Bernoulli: in every cycle every sender generates a message with probability `rate`. The trials
 * (cycle by cycle, sender by sender) are one row, and the distance to the next success is drawn
 * from its geometric distribution.
 *
 * Bursts: a sender is on or off for geometric times; when on, it generates with probability `peak`
 * in every cycle. Each has a stream of its own and stands in a calendar at its next message. */
#include "simulators/router/arrivals.h"

#include <math.h>
#include "base/memory.h"

enum { STREAM_GAPS = 0, STREAM_BURSTS = 16, CALENDAR = 1024, HORIZON = 1 << 16 };
#define NOBODY UINT32_MAX

/* ---- Bernoulli ---- */

static void draw_trial(fc_arrivals *a) {
    const double gap = floor(fc_random_exponential(&a->gaps) * a->mean_gap);
    const uint64_t distance = a->sender + 1 + (gap < 0x1p62 ? (uint64_t)gap : (uint64_t)1 << 62);
    const uint64_t cycles = distance / a->senders;
    a->time = cycles < UINT64_MAX - a->time ? a->time + cycles : UINT64_MAX;
    a->sender = (uint32_t)(distance % a->senders);
}

/* ---- bursts ---- */

static void enter_calendar(fc_arrivals *a, uint32_t sender) {
    uint32_t *first = &a->calendar[a->burst[sender].due % CALENDAR];
    a->burst[sender].next = *first;
    *first = sender;
}

/* The next message after that of `due`, or after the start; a burst of `left` cycles goes on. One
 * that is further off than HORIZON is drawn when its time comes nearer: at small rates there are
 * millions of silent bursts before it. */
static void draw_burst(fc_arrivals *a, uint32_t sender) {
    fc_burst *burst = &a->burst[sender];
    const uint64_t horizon = burst->due + HORIZON;
    for (burst->silent = false; burst->due <= horizon;) {
        const uint64_t gap = fc_random_geometric(&burst->random, 1 / a->peak);
        if (gap <= burst->left) {
            burst->due += gap;
            burst->left -= gap;
            return;
        }
        burst->due += burst->left + fc_random_geometric(&burst->random, a->off);
        burst->left = fc_random_geometric(&burst->random, a->on);
    }
    burst->silent = true;
}

static fc_status start_bursts(fc_arrivals *a, const fc_injection *injection, uint64_t seed,
                              uint32_t replication, fc_error *error) {
    a->on = injection->on;
    a->off = injection->off;
    a->peak = fmin(1, a->rate * (a->on + a->off) / a->on);
    a->burst = fc_allocate(a->senders, sizeof *a->burst);
    a->calendar = fc_allocate(CALENDAR, sizeof *a->calendar);
    if (!a->burst || !a->calendar)
        return fc_fail_memory(error);
    for (uint32_t i = 0; i < CALENDAR; ++i)
        a->calendar[i] = NOBODY;
    for (uint32_t sender = 0; sender < a->senders; ++sender) {
        fc_burst *burst = &a->burst[sender];
        burst->random = fc_random_stream(seed, replication, STREAM_BURSTS + sender);
        if (fc_random_unit(&burst->random) * (a->on + a->off) < a->on)
            burst->left = fc_random_geometric(&burst->random, a->on);
        draw_burst(a, sender);
        --burst->due; /* counted from cycle 0, the first that can have a message */
        enter_calendar(a, sender);
    }
    return FC_OK;
}

/* Takes a sender that is due in this cycle out of the calendar. */
static uint32_t take_due(fc_arrivals *a, uint64_t now) {
    uint32_t *link = &a->calendar[now % CALENDAR];
    while (*link != NOBODY) {
        const uint32_t sender = *link;
        if (a->burst[sender].due == now) {
            *link = a->burst[sender].next;
            return sender;
        }
        link = &a->burst[sender].next;
    }
    return NOBODY;
}

/* ---- all ---- */

fc_status fc_arrivals_start(const fc_injection *injection, uint64_t seed, uint32_t replication,
                            fc_error *error, fc_arrivals *a) {
    const uint32_t senders = a->senders;
    a->process = injection->process;
    a->gaps = fc_random_stream(seed, replication, STREAM_GAPS);
    a->next = INFINITY;
    a->time = UINT64_MAX;
    if (!senders || !(a->rate > 0))
        return FC_OK;
    if (a->process == FC_ON_OFF)
        return start_bursts(a, injection, seed, replication, error);
    if (a->process == FC_BERNOULLI) {
        a->mean_gap = -1 / log1p(-fmin(a->rate, 1));
        const uint64_t trial = fc_random_geometric(&a->gaps, 1 / a->rate) - 1;
        a->time = trial / senders;
        a->sender = (uint32_t)(trial % senders);
    } else {
        a->next = fc_random_exponential(&a->gaps) / (a->rate * senders);
    }
    return FC_OK;
}

void fc_arrivals_free(fc_arrivals *a) {
    fc_release(a->burst);
    fc_release(a->calendar);
}

uint64_t fc_arrivals_next(const fc_arrivals *a, uint64_t now) {
    if (a->process == FC_ON_OFF)
        return a->burst ? now : UINT64_MAX;
    if (a->process == FC_BERNOULLI)
        return a->time;
    return a->next < 0x1p63 ? (uint64_t)a->next : UINT64_MAX;
}

uint32_t fc_arrivals_take(fc_arrivals *a, uint64_t now, fc_random *random) {
    if (a->process == FC_ON_OFF) {
        for (;;) {
            const uint32_t sender = a->burst ? take_due(a, now) : NOBODY;
            if (sender == NOBODY)
                return NOBODY;
            const bool silent = a->burst[sender].silent;
            draw_burst(a, sender);
            enter_calendar(a, sender);
            if (!silent)
                return sender;
        }
    }
    if (a->process == FC_BERNOULLI) {
        const uint32_t sender = a->sender;
        if (a->time != now)
            return NOBODY;
        draw_trial(a);
        return sender;
    }
    if (!(a->next < (double)now + 1))
        return NOBODY;
    a->next += fc_random_exponential(&a->gaps) / (a->rate * a->senders);
    return fc_random_below(random, a->senders);
}
