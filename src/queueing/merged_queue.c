/* The chain left behind by departures, solved by level crossings as in finite_queue.c, for laws of
 * arrivals beside Poisson and for arrivals that slow down as senders become blocked.
 *
 * With q_j the weight of j left behind, b(j) = max(0, j - L - 1) senders blocked, and
 * T^b_k = P(more than k arrivals in a service that starts with b blocked):
 *
 *     q_{k+1} (1 - T^{b(k+1)}_0) = q_0 T^0_k + sum_{j=1..k} q_j T^{b(j)}_{k-j+1}
 *
 * Arrivals see the same distribution as departures leave behind; in state j they come at the rate
 * load (senders - b(j)) / senders, so that the share of time spent there is
 * p_j = carried q_j / (sum q * that rate): more than q_j where senders are blocked. */
#include "queueing/merged_queue.h"
#include <math.h>
#include "base/memory.h"

/* Tails below this are 0: what is left out is far below what the approximations mean. */
#define NEGLIGIBLE 1e-16
#define RESCALE_ABOVE 1e150
#define NONE_LEAST 1e-130 /* below it a departure always leaves a full queue */
#define CARRIED_TOLERANCE 1e-11
enum { CARRY_STEPS_MAX = 100 };

/* P(A > k) for k = 0 .. count - 1; 0 beyond. */
typedef struct arrivals {
    double none; /* P(A = 0) */
    size_t count;
    double *tail;
} arrivals;

struct fc_merge_room {
    size_t size; /* of each array below */
    double *weights;
    double *excess;
    arrivals *laws; /* by the number of blocked senders */
    size_t law_count;
    double memory[];
};

fc_merge_room *fc_merge_room_create(size_t places_max, size_t senders_max) {
    const size_t size = places_max + senders_max + 4;
    const size_t laws = senders_max + 1;
    if (size < places_max || laws > (size_t)1 << 24 || size > ((size_t)1 << 40) / (laws + 2))
        return NULL;
    fc_merge_room *room = fc_allocate(1, sizeof *room + (laws + 2) * size * sizeof(double));
    if (!room)
        return NULL;
    room->laws = fc_allocate(laws, sizeof *room->laws);
    if (!room->laws) {
        fc_release(room);
        return NULL;
    }
    room->size = size;
    room->law_count = laws;
    room->weights = room->memory;
    room->excess = room->memory + size;
    for (size_t b = 0; b < laws; ++b)
        room->laws[b].tail = room->memory + (b + 2) * size;
    return room;
}

void fc_merge_room_free(fc_merge_room *room) {
    if (room)
        fc_release(room->laws);
    fc_release(room);
}

/* Adds weight * P(A = k) for a binomial law of whole trials (k from 0). */
static void add_binomial(double *probability, size_t size, double load, double trials,
                         double weight) {
    const double success = fmin(load / trials, 1.0);
    if (success == 1.0) {
        if (trials < (double)size)
            probability[(size_t)trials] += weight;
        return;
    }
    double value = weight * pow(1.0 - success, trials);
    const double odds = success / (1.0 - success);
    for (size_t k = 0; k < size && (double)k <= trials; ++k) {
        probability[k] += value;
        value *= (trials - (double)k) / (double)(k + 1) * odds;
    }
}

/* Poisson (r infinite) or negative binomial: P(A = k+1) = P(A = k) (r + k) / (k + 1) theta. */
static void set_negative_binomial(double *probability, size_t size, double load,
                                  double dispersion) {
    const double surplus = dispersion - 1.0;
    const double growth = load * surplus; /* load / r */
    double value = surplus > 1e-12 ? exp(-log1p(growth) / surplus) : exp(-load);
    const double theta = 1.0 / (1.0 + growth);
    for (size_t k = 0; k < size; ++k) {
        probability[k] = value;
        /* (r + k) load / r = load + k growth */
        value *= (load + (double)k * growth) * theta / (double)(k + 1);
    }
}

static void set_law(arrivals *law, size_t size, double load, double dispersion) {
    double *probability = law->tail;
    if (dispersion < 1.0) {
        /* Two neighbouring whole numbers of trials, mixed to the wanted second moment. */
        const double trials = 1.0 / (1.0 - dispersion), fewer = floor(trials);
        const double more = fewer + 1.0;
        const double weight = (1.0 / trials - 1.0 / more) / (1.0 / fewer - 1.0 / more);
        for (size_t k = 0; k < size; ++k)
            probability[k] = 0.0;
        add_binomial(probability, size, load, fewer, weight);
        add_binomial(probability, size, load, more, 1.0 - weight);
    } else {
        set_negative_binomial(probability, size, load, dispersion);
    }
    law->none = fmax(probability[0], NONE_LEAST);
    double above = 1.0;
    size_t k = 0;
    for (; k < size; ++k) {
        above -= probability[k];
        if (above < NEGLIGIBLE)
            break;
        law->tail[k] = above;
    }
    law->count = k;
}

static size_t blocked_at(size_t number, size_t places) {
    return number > places + 1 ? number - places - 1 : 0;
}

/* Weights of 0 .. last left behind; senders 0: none is ever blocked. Returns their sum. */
static double cross_levels(fc_merge_room *room, size_t last, size_t places, size_t senders) {
    double *q = room->weights;
    double sum = 1.0;
    q[0] = 1.0;
    for (size_t k = 0; k < last; ++k) {
        const arrivals *free_law = &room->laws[0];
        double crossing = k < free_law->count ? q[0] * free_law->tail[k] : 0.0;
        const size_t reach = free_law->count; /* no other law reaches further */
        const size_t first = k + 1 > reach ? k + 2 - reach : 1;
        const size_t open = senders && k > places + 1 ? places + 1 : k; /* j <= open: b(j) = 0 */
        for (size_t j = first; j <= open; ++j)
            crossing += q[j] * free_law->tail[k - j + 1];
        for (size_t j = first > open ? first : open + 1; j <= k; ++j) {
            const arrivals *law = &room->laws[blocked_at(j, places)];
            if (k - j + 1 < law->count)
                crossing += q[j] * law->tail[k - j + 1];
        }
        q[k + 1] = crossing / room->laws[senders ? blocked_at(k + 1, places) : 0].none;
        sum += q[k + 1];
        if (sum > RESCALE_ABOVE) {
            for (size_t j = 0; j <= k + 1; ++j)
                q[j] /= RESCALE_ABOVE;
            sum /= RESCALE_ABOVE;
        }
    }
    return sum;
}

/* Solves for what the senders offer; returns what is carried. */
static double offer(fc_merge_room *room, double load, double dispersion, size_t places,
                    size_t senders, fc_merged_queue *queue) {
    const size_t last = places + senders; /* left behind at most */
    for (size_t b = 0; b < senders; ++b)
        set_law(&room->laws[b], last + 2, load * (double)(senders - b) / (double)senders,
                dispersion);
    const double sum = cross_levels(room, last, places, senders);
    const double *q = room->weights;
    const double carried = 1.0 / (1.0 + q[0] / (sum * load));
    double rest = 1.0 - carried * q[0] / (sum * load);
    *queue = (fc_merged_queue){0};
    for (size_t j = 1; j <= last + 1; ++j) {
        const size_t blocked = blocked_at(j, places);
        double share = fmax(rest, 0.0); /* every sender blocked */
        if (j <= last) {
            const double seen = q[j] / sum;
            share = carried * seen * (double)senders / (load * (double)(senders - blocked));
            if (j > places)
                queue->blocked_share += seen;
        }
        rest -= share;
        queue->waiting += share * (double)(j - 1);
        queue->blocked += share * (double)blocked;
    }
    return carried;
}

void fc_merged_queue_carry(fc_merge_room *room, double carried, double dispersion, size_t places,
                           size_t senders, fc_merged_queue *queue) {
    /* A binomial law cannot offer more than its trials; there it already carries 1. */
    const double most = dispersion < 1.0 ? floor(1.0 / (1.0 - dispersion)) * (1.0 - 1e-9) : 300.0;
    double before = carried;
    double carried_before = offer(room, before, dispersion, places, senders, queue);
    if (carried_before >= carried * (1.0 - CARRIED_TOLERANCE))
        return;
    double now = fmin(before * carried / carried_before, most);
    /* Carried is concave in offered: secants from the left approach the root without overshoot. */
    for (int step = 0; step < CARRY_STEPS_MAX; ++step) {
        const double found = offer(room, now, dispersion, places, senders, queue);
        if (!(found < carried * (1.0 - CARRIED_TOLERANCE)) || now >= most ||
            !(found > carried_before))
            return;
        const double next = now + (carried - found) * (now - before) / (found - carried_before);
        before = now;
        carried_before = found;
        now = fmin(fmin(next, 4.0 * now), most);
    }
}

/* sum_{j} q_j E(A - room left)^+ for a queue that holds `cap` at most: weight of being full. */
static double weight_full(const fc_merge_room *room, size_t cap) {
    const double *q = room->weights;
    double full = q[0] * room->excess[cap - 1];
    for (size_t j = 1; j < cap; ++j)
        full += q[j] * room->excess[cap - j];
    return full;
}

void fc_source_queue_solve(fc_merge_room *room, double load, double dispersion, size_t places,
                           size_t limit, double elsewhere, fc_source_queue *queue) {
    const size_t most = places + 1;
    arrivals *law = &room->laws[0];
    set_law(law, room->size, load, dispersion);
    /* E(A - k)^+ = E A - sum_{j<k} T_j, by sums from the far end as far as the table reaches. */
    double excess = load;
    for (size_t k = 0; k < room->size; ++k) {
        room->excess[k] = fmax(excess, 0.0);
        excess -= k < law->count ? law->tail[k] : 0.0;
    }
    cross_levels(room, places, places, 0);
    const double *q = room->weights;
    double total = 0.0, active = 0.0, lost = 0.0, waiting = 0.0;
    /* The number elsewhere is Poisson but for the limit on both together; given it, the queue holds
     * up to what the limit leaves. */
    const size_t others = limit ? limit : 0;
    double weight = 1.0;
    for (size_t j = 0; j <= others; ++j) {
        const size_t left = limit ? limit - j : most;
        const size_t cap = left < most ? left : most;
        for (size_t k = 0; k < cap; ++k) {
            const double share = weight * q[k];
            total += share;
            active += share;
            waiting += k ? share * (double)(k - 1) : 0.0;
        }
        const double full = cap ? weight * weight_full(room, cap) : weight;
        total += full;
        waiting += cap ? full * (double)(cap - 1) : 0.0;
        if (!limit || left > most) { /* the queue is full, the source may still generate */
            active += full;
            lost += full;
        }
        weight *= elsewhere / (double)(j + 1);
        if (weight > RESCALE_ABOVE) {
            weight /= RESCALE_ABOVE;
            total /= RESCALE_ABOVE;
            active /= RESCALE_ABOVE;
            lost /= RESCALE_ABOVE;
            waiting /= RESCALE_ABOVE;
        }
        if (j > 0 && (double)j > elsewhere && weight < NEGLIGIBLE * total)
            break;
    }
    queue->active = active / total;
    queue->lost = active > 0.0 ? lost / active : 0.0;
    queue->waiting = waiting / total;
}
