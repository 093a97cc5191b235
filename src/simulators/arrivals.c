/* Bernoulli: in every cycle every sender generates a message with probability `rate`; the gap to
 * the next one is geometric.
 *
 * Poisson: the same in small parts of a cycle; several messages of a node may be due in one cycle.
 *
 * Bursts: a sender is on or off for geometric times; when on, it generates with probability `peak`
 * in every cycle. The times come from a stream of the sender, the rest from those of its
 * messages. */
#include "simulators/arrivals.h"

#include <math.h>
#include "base/memory.h"

enum { STREAM_BURSTS = 16, HORIZON = 1 << 16 };
#define NOBODY UINT32_MAX

/* The cycle of a sender's next message or look. */
static uint64_t due_cycle(const fc_arrivals *a, uint32_t sender) {
    return a->burst ? a->burst[sender].due : a->sender[sender].due >> a->trial_bits;
}

fc_sorts fc_sorts_of(const fc_lengths *lengths) {
    fc_sorts sorts = {.count = lengths->count > 1 ? (uint32_t)lengths->count : 0};
    double sum = 0;
    for (uint32_t i = 0; i < sorts.count; ++i) {
        sum += lengths->share[i];
        sorts.below[i] = (uint64_t)llround(ldexp(sum, 32));
    }
    return sorts;
}

/* The number of a sender in those of streams. */
static uint32_t stream_of(const fc_arrivals *a, uint32_t sender) {
    return a->nodes[sender] | a->class << FC_STREAM_CLASS_BITS;
}

/* ---- bursts ---- */

/* The next message after that of `due`, or after the start; a burst of `left` cycles goes on. One
 * that is further off than HORIZON is drawn when its time comes nearer: at small rates there are
 * millions of silent bursts before it. */
static __attribute__((noinline)) void draw_burst(fc_arrivals *a, uint32_t sender) {
    fc_burst *burst = &a->burst[sender];
    const uint64_t horizon = burst->due + HORIZON;
    for (burst->silent = false; burst->due <= horizon;) {
        const uint64_t gap = fc_random_geometric(&burst->random, 1 / burst->peak);
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

static void start_burst(fc_arrivals *a, uint32_t sender, double rate) {
    fc_burst *burst = &a->burst[sender];
    burst->peak = fmin(1, rate * (a->on + a->off) / a->on);
    burst->random = fc_random_stream(a->seed, a->replication, STREAM_BURSTS + stream_of(a, sender));
    if (fc_random_unit(&burst->random) * (a->on + a->off) < a->on)
        burst->left = fc_random_geometric(&burst->random, a->on);
    draw_burst(a, sender);
    --burst->due; /* counted from cycle 0, the first that can have a message */
}

/* ---- a load that changes ---- */

/* A trial without a message takes this from -log2 of the number that is drawn, in units of 1. */
static double hazard(const fc_arrivals *a, uint32_t sender, size_t phase) {
    const double p = ldexp(a->rate[sender] * a->profile->phase[phase].factor, -(int)a->trial_bits);
    return p < 1 ? -log1p(-p) / 0x1.62e42fefa39efp-1 : (double)INFINITY;
}

/* The trial, from `first` on, of the next message: the number drawn is used up phase by phase. */
static uint64_t next_trial(const fc_arrivals *a, uint32_t sender, uint64_t first, uint64_t drawn) {
    const fc_profile *profile = a->profile;
    double left = ldexp((double)fc_minus_log2(drawn), -FC_GEOMETRIC_FRACTION);
    const uint64_t cycle = first >> a->trial_bits;
    size_t phase = fc_profile_phase(profile, cycle);
    uint64_t end = cycle - cycle % profile->period;
    for (size_t i = 0; i <= phase; ++i)
        end += profile->phase[i].cycles;
    while (end < FC_GAP_MAX >> a->trial_bits) {
        const double each = hazard(a, sender, phase);
        const double trials = (double)((end << a->trial_bits) - first);
        if (each > 0 && left / each < trials)
            return first + (uint64_t)(left / each);
        left -= each > 0 ? each * trials : 0;
        first = end << a->trial_bits;
        phase = phase + 1 < profile->count ? phase + 1 : 0;
        end += profile->phase[phase].cycles;
    }
    return FC_GAP_MAX;
}

static __attribute__((noinline)) uint64_t draw_trial(const fc_arrivals *a, uint32_t sender,
                                                     uint64_t first, fc_random *random) {
    const uint64_t low = fc_random_word(random);
    return next_trial(a, sender, first, low | (uint64_t)fc_random_word(random) << 32);
}

/* ---- all ---- */

static const fc_geometric *law_of(const fc_arrivals *a, uint32_t sender) {
    return &a->law[a->own_laws ? sender : 0];
}

static void start_sender(fc_arrivals *a, uint32_t sender, double rate) {
    if (!(rate > 0))
        return;
    if (a->burst) {
        start_burst(a, sender, rate);
    } else {
        fc_geometric *law = &a->law[a->own_laws ? sender : 0];
        *law = fc_geometric_law(ldexp(rate, -(int)a->trial_bits));
        fc_random first = fc_message_stream(a->seed, a->replication, stream_of(a, sender), 0);
        if (a->profile)
            a->rate[sender] = rate;
        a->sender[sender].due =
            a->profile ? draw_trial(a, sender, 0, &first) : fc_message_gap(*law, &first) - 1;
    }
    fc_calendar_add(&a->calendar, sender, due_cycle(a, sender));
}

fc_status fc_arrivals_start(const fc_arrival_law *law, const uint32_t *nodes, uint32_t senders,
                            fc_random_key key, fc_error *error, fc_arrivals *a) {
    const fc_injection *injection = &law->injection;
    const double *weights = law->weights;
    *a = (fc_arrivals){.seed = key.seed,
                       .replication = key.replication,
                       .class = law->class,
                       .trial_bits = injection->process == FC_POISSON ? FC_POISSON_BITS : 0,
                       .nodes = nodes,
                       .senders = senders,
                       .on = injection->on,
                       .off = injection->off,
                       .own_laws = weights != NULL,
                       .profile = law->profile,
                       .next = UINT64_MAX,
                       .word = senders / 64 + 1};
    if (!senders || !(law->rate > 0))
        return FC_OK;
    a->sender = fc_allocate(senders, sizeof *a->sender);
    a->law = fc_allocate(weights ? senders : 1, sizeof *a->law);
    a->due = fc_allocate(senders / 64 + 1, sizeof *a->due);
    const bool bursts = injection->process == FC_ON_OFF;
    if (bursts)
        a->burst = fc_allocate(senders, sizeof *a->burst);
    if (a->profile)
        a->rate = fc_allocate(senders, sizeof *a->rate);
    if (!a->sender || !a->law || !a->due || (bursts && !a->burst) || (a->profile && !a->rate))
        return fc_fail_memory(error);
    const fc_status status = fc_calendar_create(senders, error, &a->calendar);
    if (status != FC_OK)
        return status;
    for (uint32_t i = 0; i < senders; ++i)
        start_sender(a, i, law->rate * (weights ? weights[nodes[i]] : 1));
    a->next = fc_calendar_earliest(&a->calendar);
    return FC_OK;
}

void fc_arrivals_free(fc_arrivals *a) {
    fc_release(a->burst);
    fc_release(a->rate);
    fc_release(a->sender);
    fc_release(a->law);
    fc_release(a->due);
    fc_calendar_free(&a->calendar);
}

/* The first sender with a message in this cycle. */
static uint32_t first_due(fc_arrivals *a) {
    for (; a->word <= a->senders / 64; ++a->word) {
        if (a->due[a->word])
            return a->word * 64 + (uint32_t)__builtin_ctzll(a->due[a->word]);
    }
    return NOBODY;
}

/* After a sender's message or look: its next one. Whether there was a message. */
static bool draw_next(fc_arrivals *a, uint32_t number, fc_random *message) {
    fc_sender *sender = &a->sender[number];
    if (a->burst) {
        const bool silent = a->burst[number].silent;
        draw_burst(a, number);
        if (silent)
            return false;
    }
    ++sender->count;
    *message = fc_message_stream(a->seed, a->replication, stream_of(a, number), sender->count);
    if (a->profile) {
        sender->due = draw_trial(a, number, sender->due + 1, message);
        return true;
    }
    const uint64_t gap = fc_message_gap(*law_of(a, number), message);
    sender->due += gap < UINT64_MAX - sender->due ? gap : UINT64_MAX - sender->due;
    return true;
}

uint32_t fc_arrivals_take(fc_arrivals *a, uint64_t now, fc_random *message) {
    if (a->next <= now) {
        fc_calendar_take(&a->calendar, now, a->due);
        a->word = 0;
        a->next = fc_calendar_earliest(&a->calendar);
    }
    uint32_t number;
    while ((number = first_due(a)) != NOBODY) {
        const bool sent = draw_next(a, number, message);
        const uint64_t due = due_cycle(a, number);
        if (due > now) {
            a->due[number >> 6] &= ~((uint64_t)1 << (number & 63));
            fc_calendar_add(&a->calendar, number, due);
            a->next = fc_calendar_earliest(&a->calendar);
        }
        if (sent)
            return a->nodes[number];
    }
    return NOBODY;
}
