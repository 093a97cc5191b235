/* The chain left behind by departures, solved by level crossings as in finite_queue.c, for laws of
 * arrivals beside Poisson and for arrivals that slow down as senders become blocked.
 *
 * With q_j the weight of j left behind, b(j) = max(0, j - L - 1) senders blocked, and
 * T^b_k = P(more than k arrivals in a service that starts with b blocked):
 *
 *     q_{k+1} (1 - T^{b(k+1)}_0) = q_0 T^0_k + sum_{j=1..k} q_j T^{b(j)}_{k-j+1}
 *
 * Arrivals see the same distribution as departures leave behind; in state j they come at the rate
 * load (1 - slowdown b(j) / senders), so that the share of time spent there is
 * p_j = carried q_j / (sum q * that rate): more than q_j where senders are blocked.
 *
 * Two ways past the sums of long queues, which would cost the square of their length:
 * - Where none is blocked the q_j become a geometric series, of ratio 1/z with
 *   sum_{k>=1} T_k z^k = 1 - T_0; from where they are one, a level costs a multiplication.
 * - A law so dispersed that its tail is as long as the queue leaves no time for that. But the tail
 *   of a negative binomial with r = 1/(dispersion - 1) < 1 is a mixture of geometric ones,
 *     T_k = (1 - t)^r sin(pi r)/pi t^(k+1) int_0^1 u^(k+r) (1 - u)^-r / (1 - t u) du,
 *   t = growth/(1 + growth), and a sum against a geometric tail costs a multiplication a level. The
 *   trapezoidal rule in x, u = 1/(1 + e^x), takes a hundred of them for twelve digits. */
#include "queueing/merged_queue.h"
#include <math.h>
#include "base/memory.h"

/* Tails below this share of the waiting packets are taken as 0: what is left out is far below the
 * error of the approximations. */
#define NEGLIGIBLE 1e-16
/* Stop once states with more blocked senders weigh less than this, relative to states with fewer.
 */
#define UNSEEN 1e-22
#define ROUNDING 1e-13 /* a smaller difference of sums may be mere rounding */
#define RESCALE_ABOVE 1e150
#define NONE_LEAST 1e-130 /* below it a departure always leaves a full queue */
#define CARRIED_TOLERANCE 1e-11
enum { CARRY_STEPS_MAX = 100, EVENTS_MAX = 2000 };
enum { SHORT = 64 };   /* queues and tails up to this length are summed term by term */
enum { REGULAR = 16 }; /* successive levels that must confirm a geometric series */
#define SMALLEST 1e-300
#define SAME 1e-15 /* relative difference of a weight that is computed in two ways */
#define MIXTURE_STEP 0.3
enum { MIXTURE_MAX = 256 };

/* P(A > k) for k = 0 .. count - 1; 0 beyond. */
typedef struct arrivals {
    double none; /* P(A = 0) */
    size_t count;
    double *tail;
} arrivals;

/* T_k for k >= SHORT as a sum of weight * ratio^(k - SHORT), each with the weights of the levels it
 * has met so far. */
typedef struct mixture {
    size_t count;
    double weight[MIXTURE_MAX], ratio[MIXTURE_MAX], met[MIXTURE_MAX];
} mixture;

struct fc_merge_room {
    mixture mixture;
    size_t size; /* of each array below */
    double *weights;
    double *chances, *barred, *stays, *full, *events, *rows; /* of a limited source */
    arrivals *laws;                                          /* by the number of blocked senders */
    size_t law_count;
    double memory[];
};

fc_merge_room *fc_merge_room_create(size_t places_max, size_t senders_max, bool limited) {
    const size_t size = 3 * (places_max + senders_max) + 4;
    const size_t laws = senders_max + 1;
    if (size / 3 < places_max || laws > (size_t)1 << 24 || size > ((size_t)1 << 40) / (laws + 1))
        return NULL;
    const size_t most = FC_SOURCE_QUEUE_MAX + 1;
    const size_t extra = limited ? 4 * most + EVENTS_MAX + most * most : 0;
    fc_merge_room *room =
        fc_allocate(1, sizeof *room + ((laws + 1) * size + extra + most) * sizeof(double));
    if (!room)
        return NULL;
    room->laws = fc_allocate(laws, sizeof *room->laws);
    if (!room->laws) {
        fc_release(room);
        return NULL;
    }
    room->size = size;
    room->law_count = laws;
    double *next = room->memory;
    room->weights = next;
    next += size > most ? size : most;
    for (size_t b = 0; b < laws; ++b, next += size)
        room->laws[b].tail = next;
    if (limited) {
        room->chances = next;
        room->barred = next + most;
        room->stays = next + 2 * most;
        room->full = next + 3 * most;
        room->events = next + 4 * most;
        room->rows = room->events + EVENTS_MAX;
    }
    return room;
}

void fc_merge_room_free(fc_merge_room *room) {
    if (room)
        fc_release(room->laws);
    fc_release(room);
}

/* P(A = k) from here on adds nothing to tails that are not below `least`. */
static bool is_past(double value, size_t k, double load, double least) {
    return (double)k > load && value <= 1e-4 * least;
}

typedef struct binomial {
    double load, trials, weight; /* its mean; whole */
} binomial;

/* Adds weight * P(A = k) for the law (k from 0) to the first `used` entries and sets those that
 * follow; returns how many there are now. */
static size_t add_binomial(binomial law, double least, size_t size, double *probability,
                           size_t used) {
    const double load = law.load, trials = law.trials, weight = law.weight;
    const double success = fmin(load / trials, 1.0);
    const double odds = success < 1.0 ? success / (1.0 - success) : 0.0;
    double value = weight * pow(1.0 - success, trials);
    size_t k = 0;
    for (; k < size && (double)k <= trials && !is_past(value, k, load, least); ++k) {
        if (success == 1.0)
            value = (double)k == trials ? weight : 0.0;
        probability[k] = value + (k < used ? probability[k] : 0.0);
        value *= (trials - (double)k) / (double)(k + 1) * odds;
    }
    return k > used ? k : used;
}

/* Poisson (r infinite) or negative binomial: P(A = k+1) = P(A = k) (r + k) / (k + 1) theta. */
static size_t set_negative_binomial(double *probability, size_t size, double load,
                                    double dispersion, double least) {
    const double surplus = dispersion - 1.0;
    const double growth = load * surplus; /* load / r */
    double value = surplus > 1e-12 ? exp(-log1p(growth) / surplus) : exp(-load);
    const double theta = 1.0 / (1.0 + growth);
    size_t k = 0;
    for (; k < size && !is_past(value, k, load, least); ++k) {
        probability[k] = value;
        /* (r + k) load / r = load + k growth */
        value *= (load + (double)k * growth) * theta / (double)(k + 1);
    }
    return k;
}

static size_t set_probabilities(double *probability, size_t size, double load, double dispersion,
                                double least) {
    if (dispersion >= 1.0)
        return set_negative_binomial(probability, size, load, dispersion, least);
    /* Two neighbouring whole numbers of trials, mixed to the wanted second moment. */
    const double trials = 1.0 / (1.0 - dispersion), fewer = floor(trials);
    const double more = fewer + 1.0;
    const double weight = (1.0 / trials - 1.0 / more) / (1.0 / fewer - 1.0 / more);
    const size_t used = add_binomial((binomial){load, fewer, weight}, least, size, probability, 0);
    return add_binomial((binomial){load, more, 1.0 - weight}, least, size, probability, used);
}

/* What is left of `whole` after a sum of parts; 0 where it may be rounding. */
static double left_of(double whole, double parts) {
    const double left = whole - parts;
    return left > ROUNDING * whole ? left : 0.0;
}

/* Tails are added up from the far end: at small loads differences from 1 would lose them. */
static void set_law(arrivals *law, size_t size, double load, double dispersion) {
    const double least = NEGLIGIBLE * fmin(1.0, load * load);
    double *probability = law->tail, total = 0.0;
    const size_t used = set_probabilities(probability, size, load, dispersion, least);
    law->none = fmax(probability[0], NONE_LEAST);
    for (size_t k = 0; k < used; ++k)
        total += probability[k];
    double above = used == size ? left_of(1.0, total) : 0.0;
    for (size_t k = used; k-- > 0;) {
        const double at = probability[k];
        law->tail[k] = above;
        above += at;
    }
    law->count = 0;
    while (law->count < used && law->tail[law->count] >= least)
        ++law->count;
}

static size_t blocked_at(size_t number, size_t places, size_t senders) {
    const size_t over = number > places + 1 ? number - places - 1 : 0;
    return over < senders ? over : senders;
}

/* q_{k+1}, given those before it. */
static double cross_level(const fc_merge_room *room, size_t k, size_t places, size_t senders) {
    const double *q = room->weights;
    const arrivals *free_law = &room->laws[0];
    double crossing = k < free_law->count ? q[0] * free_law->tail[k] : 0.0;
    const size_t reach = free_law->count; /* no other law reaches further */
    const size_t first = k + 1 > reach ? k + 2 - reach : 1;
    const size_t open = senders && k > places + 1 ? places + 1 : k; /* j <= open: b(j) = 0 */
    for (size_t j = first; j <= open; ++j)
        crossing += q[j] * free_law->tail[k - j + 1];
    for (size_t j = first > open ? first : open + 1; j <= k; ++j) {
        const arrivals *law = &room->laws[blocked_at(j, places, senders)];
        if (k - j + 1 < law->count)
            crossing += q[j] * law->tail[k - j + 1];
    }
    return crossing / room->laws[blocked_at(k + 1, places, senders)].none;
}

/* Keeps the weights of 0 .. last within what a number can hold; returns their sum. */
static double rescale(fc_merge_room *room, size_t last, double sum) {
    if (!(sum > RESCALE_ABOVE))
        return sum;
    for (size_t j = last + 1; j-- > 0 && room->weights[j] > 0.0;) /* those before are 0 already */
        room->weights[j] /= RESCALE_ABOVE;
    return sum / RESCALE_ABOVE;
}

/* 1/z as in the head of this file, by Newton's method in the logarithms of both sides, which are
 * nearly straight. Not finite: not found. */
static double ratio_of(const arrivals *law) {
    double log_z = 0.0;
    for (int step = 0; step < 100; ++step) {
        const double z = exp(log_z);
        double sum = 0.0, slope = 0.0; /* sum_{k>=1} T_k z^k, and that with k T_k */
        for (size_t k = law->count; k-- > 1;) {
            sum = (sum + law->tail[k]) * z;
            slope = (slope + (double)k * law->tail[k]) * z;
        }
        const double change = (log(law->none) - log(sum)) * sum / slope;
        log_z += change;
        if (!(fabs(change) > 1e-16))
            break;
    }
    return exp(-log_z);
}

/* Weights of 0 .. *last with none blocked, *last <= places + 1; returns their sum. Stops, and sets
 * *last, where a number cannot hold them any more. */
static double cross_open(fc_merge_room *room, size_t *last, size_t places, size_t senders) {
    double *q = room->weights;
    double sum = q[0] = 1.0, ratio = NAN;
    size_t regular = 0, k = 0;
    for (; k < *last && regular < REGULAR; ++k) {
        if (k == SHORT)
            ratio = ratio_of(&room->laws[0]);
        q[k + 1] = cross_level(room, k, places, senders);
        regular = fabs(q[k + 1] - q[k] * ratio) <= SAME * q[k + 1] ? regular + 1 : 0;
        sum = rescale(room, k + 1, sum + q[k + 1]);
    }
    for (; k < *last && q[k] > SMALLEST; ++k) {
        q[k + 1] = q[k] * ratio;
        sum = rescale(room, k + 1, sum + q[k + 1]);
    }
    *last = k;
    return sum;
}

/* What the senders offer while some are blocked, as a share of what they offer while none is. */
static double sending(const fc_merging *merging, size_t blocked) {
    return 1.0 - merging->slowdown * (double)blocked / (double)merging->senders;
}

/* Weights of 0 .. *last left behind; returns their sum. Stops, and sets *last, where what follows
 * is nothing beside those with blocked senders: of thousands of senders a few are ever blocked. */
static double cross_merging(fc_merge_room *room, double load, const fc_merging *merging,
                            size_t *last) {
    const size_t places = merging->places, senders = merging->senders, most = *last;
    double *q = room->weights;
    set_law(&room->laws[0], most + 2, load, merging->dispersion);
    size_t open = places + 1;
    double sum = cross_open(room, &open, places, senders), held = 0.0;
    if (open <= places) {
        *last = open;
        return sum;
    }
    for (size_t k = open, laws = 1; k < most; ++k) {
        for (const size_t b = blocked_at(k + 1, places, senders); laws <= b; ++laws)
            set_law(&room->laws[laws], most + 2, load * sending(merging, laws),
                    merging->dispersion);
        q[k + 1] = cross_level(room, k, places, senders);
        sum += q[k + 1];
        held += q[k + 1];
        if (q[k + 1] <= q[k] && q[k + 1] <= UNSEEN * held) {
            *last = k + 1;
            break;
        }
        const double scaled = rescale(room, k + 1, sum);
        held *= scaled / sum;
        sum = scaled;
    }
    return sum;
}

/* Solves for what the senders offer; returns what is carried. */
static double offer(fc_merge_room *room, double load, const fc_merging *merging,
                    fc_merged_queue *queue) {
    const size_t places = merging->places, senders = merging->senders;
    const size_t most = places + senders + merging->beyond; /* left behind at most */
    size_t last = most;
    const double sum = cross_merging(room, load, merging, &last);
    const double *q = room->weights;
    const double cycle =
        q[0] / sum + load; /* between departures, in arrivals while none is blocked */
    const double carried = load / cycle;
    const size_t open = last < places ? last : places;
    double rest = carried;
    *queue = (fc_merged_queue){0};
    for (size_t j = 1; j <= open; ++j) {
        const double share = q[j] / (sum * cycle);
        rest -= share;
        queue->waiting += share * (double)(j - 1);
    }
    for (size_t j = open + 1; j <= last; ++j) {
        const size_t blocked = blocked_at(j, places, senders);
        const double seen = q[j] / sum, share = seen / (cycle * sending(merging, blocked));
        queue->blocked_share += seen;
        rest -= share;
        queue->waiting += share * (double)(places + blocked);
        queue->blocked += share * (double)blocked;
    }
    if (last == most && rest > ROUNDING * carried) { /* every sender blocked */
        queue->waiting += rest * (double)(places + senders);
        queue->blocked += rest * (double)senders;
    }
    return carried;
}

void fc_merged_queue_carry(fc_merge_room *room, double carried, const fc_merging *merging,
                           fc_merged_queue *queue) {
    const double dispersion = merging->dispersion;
    /* A binomial law cannot offer more than its trials; there it already carries 1. */
    const double most = dispersion < 1.0
                            ? fmin(300.0, (floor(1.0 / (1.0 - dispersion)) + 1.0) * (1.0 - 1e-9))
                            : 300.0;
    double before = carried;
    double carried_before = offer(room, before, merging, queue);
    if (carried_before >= carried * (1.0 - CARRIED_TOLERANCE))
        return;
    double now = fmin(before * carried / carried_before, most);
    /* Carried is concave in offered: secants from the left approach the root without overshoot. */
    for (int step = 0; step < CARRY_STEPS_MAX; ++step) {
        const double found = offer(room, now, merging, queue);
        if (!(found < carried * (1.0 - CARRIED_TOLERANCE)) || now >= most ||
            !(found > carried_before))
            return;
        const double next = now + (carried - found) * (now - before) / (found - carried_before);
        before = now;
        carried_before = found;
        now = fmin(fmin(next, 4.0 * now), most);
    }
}

/* ---- a source and its queue ---- */

/* The tail of a negative binomial law from SHORT on. */
static void set_mixture(mixture *mix, double load, double dispersion) {
    const double r = 1.0 / (dispersion - 1.0), growth = load / r;
    const double left = 1.0 / (1.0 + growth), theta = growth / (1.0 + growth);
    const double scale = MIXTURE_STEP * pow(left, r) * sin(M_PI * r) / M_PI;
    /* Beyond the last the factors (1 + e^x)^-SHORT are nothing; before the first only (1 - u)^(1-r)
     * changes, and a geometric series stands for all. */
    double x = -log1p(growth) - 20.0;
    double first = 1.0 / -expm1(-MIXTURE_STEP * (1.0 - r));
    for (mix->count = 0; x < 1.0 && mix->count < MIXTURE_MAX; x += MIXTURE_STEP, first = 1.0) {
        const double u = 1.0 / (1.0 + exp(x)), rest = exp(x) * u;
        const size_t i = mix->count++;
        mix->ratio[i] = theta * u;
        mix->weight[i] = first * scale * theta * pow(u, r + 1.0) * pow(rest, 1.0 - r) /
                         (left + theta * rest) * pow(theta * u, SHORT);
        mix->met[i] = 0.0;
    }
}

/* As cross_open, for a law with a long tail. */
static double cross_dispersed(fc_merge_room *room, size_t last) {
    mixture *mix = &room->mixture;
    const arrivals *law = &room->laws[0];
    double *q = room->weights;
    double sum = q[0] = 1.0;
    for (size_t k = 0; k < last; ++k) {
        double crossing = k < SHORT ? q[0] * law->tail[k] : 0.0;
        for (size_t lag = 1; lag < SHORT && lag <= k; ++lag)
            crossing += q[k + 1 - lag] * law->tail[lag];
        if (k >= SHORT) { /* a service that starts with none is as one that starts with 1 */
            const size_t j = k + 1 - SHORT;
            const double at = j == 1 ? q[0] + q[1] : q[j];
            for (size_t i = 0; i < mix->count; ++i) {
                mix->met[i] = mix->met[i] * mix->ratio[i] + at;
                crossing += mix->weight[i] * mix->met[i];
            }
        }
        q[k + 1] = crossing / law->none;
        sum += q[k + 1];
        const double scaled = rescale(room, k + 1, sum);
        for (size_t i = 0; i < mix->count && scaled < sum; ++i)
            mix->met[i] /= RESCALE_ABOVE;
        sum = scaled;
    }
    return sum;
}

/* Without a limit: the loss queue, and what is lost is sum_j q_j E(A - room left)^+. */
static void solve_unlimited(fc_merge_room *room, double load, size_t places, double dispersion,
                            fc_source_queue *queue) {
    const double *q = room->weights;
    const arrivals *law = &room->laws[0];
    const bool dispersed = dispersion > 3.0 && law->count > 4 * SHORT && places > 4 * SHORT;
    if (dispersed)
        set_mixture(&room->mixture, load, dispersion);
    size_t last = places;
    const double sum = dispersed ? cross_dispersed(room, last) : cross_open(room, &last, places, 0);
    double full = 0.0, waiting = 0.0, mean = 0.0;
    for (size_t k = 0; k < law->count; ++k)
        mean += law->tail[k];
    double over = left_of(load, mean); /* E(A - k)^+ = sum_{j>=k} T_j */
    for (size_t k = law->count > places ? law->count : places + 1; k-- > 0;) {
        over += k < law->count ? law->tail[k] : 0.0;
        /* k places are left to those who come during a service that starts with places + 1 - k */
        if (k > 0 && k <= places && places + 1 - k <= last)
            full += q[places + 1 - k] * over;
        if (k == places)
            full += q[0] * over;
    }
    for (size_t k = 2; k <= last; ++k)
        waiting += (double)(k - 1) * q[k];
    const double total = sum + full;
    queue->active = 1.0;
    queue->barred = 0.0;
    queue->lost = full / total;
    queue->waiting = (waiting + full * (double)places) / total;
}

/* Chances that the source may generate while k of its packets are in the queue, and that it may
 * not: those elsewhere are Poisson but for the limit on both together. */
static void set_chances(fc_merge_room *room, size_t most, size_t limit, double elsewhere) {
    double blocking = 1.0;
    for (size_t servers = 1; servers <= limit; ++servers) {
        const double free = (double)servers / ((double)servers + elsewhere * blocking);
        blocking = elsewhere * blocking / ((double)servers + elsewhere * blocking);
        if (limit - servers <= most) {
            room->chances[limit - servers] = free;
            room->barred[limit - servers] = blocking;
        }
    }
    if (limit <= most) {
        room->chances[limit] = 0.0;
        room->barred[limit] = 1.0;
    }
}

/* Row j of room->rows: chances that more than k are left behind by a service that starts with
 * max(j, 1) in the queue; room->full: how many would-be arrivals find the queue full in it. They
 * follow the law; each becomes an arrival with the chance of the state it finds. */
static void set_rows(fc_merge_room *room, double load, size_t most, const double *probability,
                     size_t events) {
    double mean = 0.0;
    for (size_t n = 0; n < events; ++n)
        mean += (double)n * probability[n];
    const double beyond = left_of(load, mean); /* come after the last that is counted one by one */
    double *now = room->weights;               /* free until the levels are crossed */
    for (size_t j = 0; j < most; ++j) {
        double *row = &room->rows[j * most];
        const size_t start = j ? j : 1;
        for (size_t k = 0; k <= most; ++k)
            now[k] = k == start ? 1.0 : 0.0;
        for (size_t k = 0; k < most; ++k)
            row[k] = 0.0;
        room->full[j] = 0.0;
        double full = 0.0; /* of the would-be arrivals so far, how many found the queue full */
        for (size_t n = 0; n < events; ++n) {
            for (size_t k = start; k <= most; ++k)
                row[k - 1] += probability[n] * now[k];
            room->full[j] += probability[n] * full;
            full += now[most];
            for (size_t k = most; k > start; --k)
                now[k] += room->chances[k - 1] * now[k - 1] -
                          (k < most ? room->chances[k] * now[k] : 0.0);
            if (start < most)
                now[start] *= 1.0 - room->chances[start];
        }
        room->full[j] += beyond * now[most];
        /* From chances of k left behind to chances of more than k. */
        double above = 0.0;
        for (size_t k = most; k-- > 0;) {
            const double at = row[k];
            row[k] = above;
            above += at;
        }
        room->stays[j] = above - row[start - 1]; /* nobody came */
    }
}

static void solve_limited(fc_merge_room *room, double load, size_t places, size_t limit,
                          fc_source_queue *queue) {
    const size_t most = places + 1 < limit ? places + 1 : limit;
    double *q = room->weights;
    double sum = 1.0;
    q[0] = 1.0;
    for (size_t k = 0; k + 1 < most; ++k) {
        double crossing = 0.0;
        for (size_t j = 0; j <= k; ++j)
            crossing += q[j] * room->rows[j * most + k];
        q[k + 1] = crossing / fmax(room->stays[k + 1], NONE_LEAST);
        sum = rescale(room, k + 1, sum + q[k + 1]);
    }
    /* Between departures: a service, and after an empty queue the time to the next packet. Time in
     * state k is departures that leave k over the rate at which it is left upward. */
    const double cycle = load + q[0] / (sum * room->chances[0]);
    double full = 0.0, waiting = 0.0, active = 0.0, barred = 0.0;
    for (size_t k = 0; k < most; ++k) {
        const double share = q[k] / (sum * room->chances[k] * cycle);
        full += q[k] * room->full[k] / (sum * cycle);
        active += share * room->chances[k];
        barred += share * room->barred[k];
        waiting += k ? share * (double)(k - 1) : 0.0;
    }
    const double lost = full * room->chances[most];
    queue->active = active + lost;
    queue->barred = barred + full * room->barred[most];
    queue->lost = lost / queue->active;
    queue->waiting = waiting + full * (double)(most - 1);
}

void fc_source_queue_solve(fc_merge_room *room, double load, const fc_source *source,
                           fc_source_queue *queue) {
    const size_t places = source->places, limit = source->limit;
    if (limit == 0) {
        set_law(&room->laws[0], room->size, load, source->dispersion);
        solve_unlimited(room, load, places, source->dispersion, queue);
        return;
    }
    const size_t most = places + 1 < limit ? places + 1 : limit;
    set_chances(room, most, limit, source->elsewhere);
    double *probability = room->events;
    const size_t events = set_negative_binomial(probability, EVENTS_MAX, load, source->dispersion,
                                                NEGLIGIBLE * fmin(1.0, load * load));
    double total = 0.0;
    for (size_t n = 0; n < events; ++n)
        total += probability[n];
    probability[events - 1] += left_of(1.0, total); /* far more than the limit: all the same */
    set_rows(room, load, most, probability, events);
    solve_limited(room, load, places, limit, queue);
}
