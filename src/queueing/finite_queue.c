/* M/D/1/K by level crossing, and the Erlang formulas.
 *
 * In the chain of numbers left behind by departures (q_k, k = 0 .. K-1, up to a factor) the steps
 * up across a level equal the steps down. With A ~ Poisson(load) arrivals in a service time,
 * alpha_0 = P(A = 0) and T_k = P(A > k):
 *
 *     alpha_0 q_{k+1} = q_0 T_k + sum_{j=1..k} q_j T_{k-j+1}
 *
 * Every term is positive, so nothing cancels at any load, where the alternating sum of the closed
 * form loses all digits beyond k of about 15. A departure is followed on the average by
 * lost = sum_j pi_j E(A - K + max(j, 1))^+ lost arrivals before the next one, again a positive sum;
 * flow conservation then gives blocking = lost / (1 + lost) and p_k = pi_k / (1 + lost) without the
 * subtraction in 1 - 1/(pi_0 + load).
 *
 * The probabilities T_k and E(A - k)^+ = sum_{j>=k} T_j are added up from the far tail.
 *
 * In a long queue the q_k soon form a geometric series, of ratio e^s where s is the other root of
 * s = load (1 - e^-s) beside 0 (the pole of their generating function nearest to 0); from where
 * they do, a level costs a multiplication instead of a sum. */
#include "queueing/finite_queue.h"
#include <math.h>
#include "base/memory.h"

/* Above this load a departure leaves a full queue but for e^-LOAD_LARGE < 1e-86. */
#define LOAD_LARGE 200.0
#define SMALLEST 1e-300 /* probabilities below it are 0 */
#define ROUNDING 1e-15  /* what two ways to the same weight may differ by */
#define RESCALE_ABOVE 1e200
#define RESCALE_BY 0x1p-640

/* Enough for the Poisson tail to fall below the smallest double at every load up to LOAD_LARGE:
 * P(A > 1100) < (200 e / 1100)^1100 < 1e-330. */
enum { TAIL_MAX = 1100 };
enum { REGULAR = 16 }; /* levels in a row that make sure */

struct fc_md1k_room {
    size_t places_max;
    double tail_load;            /* the load the tails below belong to; negative: none yet */
    size_t tail_places;          /* and the number of places they were made for */
    size_t tail_count;           /* T_k is 0 from here on */
    double tail[TAIL_MAX + 1];   /* T_k */
    double excess[TAIL_MAX + 1]; /* E(A - k)^+ */
    double weights[];            /* q_k, places_max + 1 of them */
};

fc_md1k_room *fc_md1k_room_create(size_t places_max) {
    if (places_max > (SIZE_MAX - sizeof(fc_md1k_room)) / sizeof(double) - 2)
        return NULL;
    fc_md1k_room *room = fc_allocate(1, sizeof *room + (places_max + 2) * sizeof room->weights[0]);
    if (room) {
        room->places_max = places_max;
        room->tail_load = -1.0;
    }
    return room;
}

void fc_md1k_room_free(fc_md1k_room *room) {
    fc_release(room);
}

/* Tails right to their last digits for k <= places + 1. */
static void prepare_tails(fc_md1k_room *room, double load, size_t places) {
    if (room->tail_load == load && room->tail_places >= places)
        return;
    room->tail_load = load;
    room->tail_places = places;
    /* Upward until what follows is nothing beside P(A = places + 2), then the sums downward. */
    double *probability = room->tail;
    double value = exp(-load), wanted = 0.0;
    size_t last = 0;
    probability[0] = value;
    while (last < TAIL_MAX && (value > wanted || (double)last < 2.0 * load)) {
        ++last;
        value *= load / (double)last;
        probability[last] = value;
        if (last <= places + 2)
            wanted = fmax(value * 1e-20, SMALLEST);
    }
    double above = 0.0, excess = 0.0;
    for (size_t k = last + 1; k-- > 0;) {
        const double at = probability[k];
        room->tail[k] = above;
        excess += above;
        room->excess[k] = excess;
        above += at;
    }
    room->tail_count = last;
}

static double tail_at(const fc_md1k_room *room, size_t k) {
    return k < room->tail_count ? room->tail[k] : 0.0;
}

static double excess_at(const fc_md1k_room *room, size_t k) {
    return k < room->tail_count ? room->excess[k] : 0.0;
}

/* s + e^-s - 1 over s^2, which is 1/2 - s/6 + ... near 0. */
static double curve(double s) {
    if (fabs(s) > 0.5)
        return (s + expm1(-s)) / (s * s);
    double sum = 0.0, term = 0.5;
    for (int n = 3; fabs(term) > 1e-18; ++n) {
        sum += term;
        term *= -s / n;
    }
    return sum;
}

/* e^s - 1 for the s above, which has the sign of load - 1. In the form load - 1 = load s curve(s)
 * nothing cancels near load 1. */
static double growth_of(double load) {
    double low = load < 1.0 ? -800.0 : 0.0, high = load < 1.0 ? 0.0 : load + 1.0;
    double s = (load - 1.0) / (0.5 * load);
    for (int step = 0; step < 200; ++step) {
        if (!(s >= low && s <= high))
            s = 0.5 * (low + high);
        const double over = load * s * curve(s) - (load - 1.0);
        if (over > 0.0)
            high = s;
        else
            low = s;
        /* the derivative of s curve(s) is (1 - e^-s) / s - curve(s) */
        const double slope = s != 0.0 ? -expm1(-s) / s - curve(s) : 0.5;
        const double next = s - over / (load * slope);
        if (fabs(next - s) <= 4e-16 * fabs(s))
            break;
        s = next;
    }
    return expm1(s);
}

/* q_{k+1}, given those before it. */
static double cross_level(const fc_md1k_room *room, size_t k, double up) {
    const double *q = room->weights;
    double crossing = q[0] * tail_at(room, k);
    const size_t first = k + 1 > room->tail_count ? k + 1 - room->tail_count : 0;
    for (size_t j = first > 1 ? first : 1; j <= k; ++j)
        crossing += q[j] * tail_at(room, k - j + 1);
    return crossing * up;
}

/* q_0 .. q_{K-1}; returns their sum. */
static double cross_levels(fc_md1k_room *room, double load, size_t places) {
    double *q = room->weights;
    const double up = exp(load), growth = growth_of(load);
    double sum = 1.0;
    size_t regular = 0, nonzero = 0; /* levels in geometric order; the first that is not 0 yet */
    q[0] = 1.0;
    for (size_t k = 0; k < places; ++k) {
        const double foreseen = q[k] + q[k] * growth;
        q[k + 1] = regular < REGULAR ? cross_level(room, k, up) : foreseen;
        regular = fabs(q[k + 1] - foreseen) <= ROUNDING * q[k + 1] ? regular + 1 : 0;
        sum += q[k + 1];
        if (sum > RESCALE_ABOVE) {
            for (size_t j = nonzero; j <= k + 1; ++j)
                q[j] *= RESCALE_BY;
            while (q[nonzero] == 0.0)
                ++nonzero;
            sum *= RESCALE_BY;
        }
    }
    return sum;
}

static void fill_always_full(double load, size_t places, fc_md1k *queue, double *probabilities) {
    const double blocking = 1.0 - 1.0 / load;
    queue->empty = places == 0 ? 1.0 / (1.0 + load) : 0.0;
    queue->blocking = places == 0 ? load / (1.0 + load) : blocking;
    queue->mean = places == 0 ? queue->blocking : (double)places + blocking;
    queue->waiting = places == 0 ? 0.0 : (double)places - 1.0 + blocking;
    if (!probabilities)
        return;
    for (size_t k = 0; k < places; ++k)
        probabilities[k] = 0.0;
    probabilities[places] = 1.0 - queue->blocking;
    probabilities[places + 1] = queue->blocking;
}

void fc_md1k_solve(fc_md1k_room *room, double load, size_t places, fc_md1k *queue,
                   double *probabilities) {
    if (load > LOAD_LARGE) {
        fill_always_full(load, places, queue, probabilities);
        return;
    }
    prepare_tails(room, load, places);
    const double sum = cross_levels(room, load, places);
    const double *q = room->weights;
    double lost = q[0] * excess_at(room, places);
    double number = 0.0, waiting = 0.0;
    for (size_t j = 1; j <= places; ++j) {
        lost += q[j] * excess_at(room, places + 1 - j);
        number += (double)j * q[j];
        waiting += (double)(j - 1) * q[j];
    }
    lost /= sum;
    const double share = 1.0 / (1.0 + lost);
    queue->blocking = lost * share;
    queue->empty = q[0] / sum * share;
    queue->mean = number / sum * share + (double)(places + 1) * queue->blocking;
    queue->waiting = waiting / sum * share + (double)places * queue->blocking;
    if (!probabilities)
        return;
    for (size_t k = 0; k <= places; ++k)
        probabilities[k] = q[k] / sum * share;
    probabilities[places + 1] = queue->blocking;
}

double fc_md1_waiting(double load) {
    return load < 1.0 ? load * load / (2.0 * (1.0 - load)) : INFINITY;
}
