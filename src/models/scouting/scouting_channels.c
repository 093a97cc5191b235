#include "models/scouting/scouting_channels.h"

#include <assert.h>
#include <math.h>
#include <string.h>

double fc_slowness_mean(const double *within, size_t levels) {
    double mean = 0, before = 0;
    for (size_t l = 0; l < levels; ++l) {
        mean += (within[l] - before) * fc_slowness_at(l);
        before = within[l];
    }
    return mean / before;
}

double fc_pace_variation(const double *within, size_t levels) {
    double mean = 0, inverse = 0, before = 0;
    for (size_t l = 0; l < levels; ++l) {
        mean += (within[l] - before) * fc_slowness_at(l);
        inverse += (within[l] - before) / fc_slowness_at(l);
        before = within[l];
    }
    return fmax(mean * inverse / (before * before) - 1, 0);
}

/* The sum as a uniform variable of its mean and variance; one alone is never faster than a flit a
 * cycle. */
double fc_flits_drawn(int n, double pace, double variation) {
    const double mean = n * pace, half = pace * sqrt(3 * n * variation);
    if (n == 1 || mean + half <= 1)
        return mean;
    if (mean - half >= 1)
        return 1;
    const double over = mean + half - 1;
    return mean - over * over / (4 * half);
}

/* ---- network channels ---- */

static double preference(int channels, int held, const double *choices, size_t most,
                         double mean_others) {
    const double mine = channels - held, theirs = channels - mean_others;
    double sum = 0;
    for (size_t m = 1; m <= most; ++m)
        if (choices[m] > 0)
            sum += choices[m] * (double)m * mine / (mine + (double)(m - 1) * theirs);
    return sum;
}

/* Distribution of the held virtual channels if messages come at `scale` times the arrivals of
 * `use`, and the flits a cycle that makes. */
static double held_at(const fc_channel_use *use, double scale, double pace, double *held) {
    double sum = 1, carried = 0;
    held[0] = 1;
    for (int n = 1; n <= use->channels; ++n) {
        held[n] =
            held[n - 1] * scale * use->arrivals[n - 1] / fc_flits_drawn(n, pace, use->variation);
        if (n == use->channels)
            held[n] /= 1 - use->retaken;
        sum += held[n];
        if (sum > 1e200) { /* keep the ratios, lose what is negligible */
            for (int i = 0; i <= n; ++i)
                held[i] *= 1e-200;
            sum *= 1e-200;
        }
    }
    for (int n = 0; n <= use->channels; ++n) {
        held[n] /= sum;
        carried += held[n] * fc_flits_drawn(n, pace, use->variation);
    }
    return carried;
}

bool fc_channel_use_solve(int channels, double flits, const fc_channel_demand *demand,
                          fc_channel_use *use) {
    const double load = demand->load, pace = demand->pace;
    double held[FC_SCOUTING_SHARERS_MAX + 1];
    if (load >= FC_SCOUTING_FULL * fc_flits_drawn(channels, pace, demand->variation))
        return false;
    use->channels = channels;
    use->flits = flits;
    use->variation = demand->variation;
    use->retaken = demand->retaken;
    for (int n = 0; n < channels; ++n)
        use->arrivals[n] =
            preference(channels, n, demand->choices, demand->most, demand->mean_others);
    double low = 0, high = 1;
    while (held_at(use, high, pace, held) < load)
        high *= 2;
    while (high - low > 1e-14 * high) {
        const double middle = (low + high) / 2;
        if (middle <= low || middle >= high)
            break; /* neighbours: the smallest of numbers have no digits */
        if (held_at(use, middle, pace, held) < load)
            low = middle;
        else
            high = middle;
    }
    for (int n = 0; n < channels; ++n)
        use->arrivals[n] *= high;
    held_at(use, 1, pace, held);
    use->mean = 0;
    for (int n = 0; n <= channels; ++n)
        use->mean += n * held[n];
    use->full = held[channels];
    return true;
}

/* A message is one flit, its header, longer than its data. */
void fc_meet_on_link(const void *channel_use, double slowness, double *met) {
    const fc_channel_use *use = channel_use;
    const int channels = use->channels;
    const double pace = (use->flits + 1) / (use->flits * slowness + 1);
    double held[FC_SCOUTING_SHARERS_MAX + 1], sum = 0;
    held_at(use, 1, pace, held);
    for (int n = 0; n < channels; ++n)
        sum += met[n] = held[n] * use->arrivals[n];
    const double waited =
        use->retaken * held[channels] * fc_flits_drawn(channels, pace, use->variation);
    met[channels - 1] += waited;
    sum += waited;
    for (int n = 0; n < channels; ++n)
        met[n] /= sum;
}

/* ---- node links ---- */

bool fc_node_link_solve(int channels, double rate, double few, const double *services,
                        fc_node_link *link) {
    const double last = fmax(1 - channels * few, 0); /* arrivals beside V or more */
    const double ratio = rate * last * services[channels] / channels;
    if (ratio >= FC_SCOUTING_FULL)
        return false;
    double term = 1, sum = 0, joining = 0, square = 0;
    link->mean = 0;
    for (int n = 0; n < channels; ++n) {
        const double arrivals = fmax(1 - n * few, 0);
        sum += term;
        link->mean += n * term;
        square += (double)n * n * term;
        joining += link->met[n] = term * arrivals;
        term *= rate * arrivals * services[n + 1] / (n + 1);
    }
    const double queueing = term / (1 - ratio); /* V and more */
    sum += queueing;
    link->mean = (link->mean + channels * queueing) / sum;
    link->variance =
        (square + (double)channels * channels * queueing) / sum - link->mean * link->mean;
    joining += queueing * last;
    for (int n = 0; n < channels; ++n)
        link->met[n] /= joining;
    link->met[channels - 1] += queueing * last / joining;
    link->busy = ratio;
    link->waits = queueing * last / joining;
    link->queue = queueing / sum * ratio / (1 - ratio);
    return true;
}

static const double negligible = 1e-16; /* a probability that changes no digit of a sum */

/* Each of n others sends with probability p: sums over n of met[n] (1 - p + p z)^n, as a polynomial
 * in z, by Horner's rule. */
void fc_met_sending(double *met, int channels, double sending) {
    double sum[FC_SCOUTING_SHARERS_MAX + 1] = {0}, last[FC_SCOUTING_SHARERS_MAX + 1];
    while (channels > 1 && met[channels - 1] < negligible)
        --channels;
    if (sending >= 1)
        return;
    for (int n = channels - 1, terms = 0; n >= 0; --n, ++terms) {
        memcpy(last, sum, (size_t)(terms + 1) * sizeof *sum);
        for (int b = 1; b <= terms; ++b)
            sum[b] = last[b] * (1 - sending) + last[b - 1] * sending;
        sum[0] = last[0] * (1 - sending) + met[n];
    }
    memcpy(met, sum, (size_t)channels * sizeof *met);
}

/* The mean of beside[b] over the binomial b of n - 1 others, by one other at a time: mean[b] is
 * that over the n - 1 others where b more send for certain. */
void fc_slowness_beside(const double *beside, int channels, double sending, double *slowness) {
    double mean[FC_SCOUTING_SHARERS_MAX + 1];
    memcpy(mean, beside, (size_t)channels * sizeof *mean);
    for (int n = 1; n <= channels; ++n) {
        slowness[n] = mean[0];
        for (int b = 0; b < channels - n; ++b)
            mean[b] = mean[b] * (1 - sending) + mean[b + 1] * sending;
    }
}

void fc_meet_at_node(const void *node_use, double slowness, double *met) {
    const fc_node_use *use = node_use;
    assert(use->channels >= 1);
    double beside[FC_SCOUTING_SHARERS_MAX], services[FC_SCOUTING_SHARERS_MAX + 1] = {0};
    for (int n = 0; n < use->channels; ++n)
        beside[n] = services[n + 1] = (n + 1) / fc_flits_drawn(n + 1, 1 / slowness, use->variation);
    if (use->sending < 1)
        fc_slowness_beside(beside, use->channels, use->sending, services);
    for (int n = 1; n <= use->channels; ++n)
        services[n] = fmax(use->flits, use->flits * services[n] + use->extra);
    fc_node_link link;
    if (!fc_node_link_solve(use->channels, use->rate, use->few, services, &link)) {
        for (int n = 0; n < use->channels; ++n)
            link.met[n] = n == use->channels - 1;
    }
    fc_met_sending(link.met, use->channels, use->sending);
    for (int n = 0; n < use->channels; ++n)
        met[n] = link.met[n];
}

/* ---- slowness ---- */

/* How many others a message meets. Half of those that slow it are there when it starts, in
 * proportion to how slow others are elsewhere. The other half come while it is under way, in
 * proportion to the time that takes; so a message that has not met many has had little time to.
 * While it moves at slowness s it has so far moved at 2/3 s + 1/3 of the mean: constant messages
 * replace each other within the time of one, and what slowed it at an earlier point of its way is
 * still there with a probability that falls linearly to none. To decide whether a message is slower
 * than a level, its others count with
 *
 *   1/2 mean + 1/2 (2/3 E[slowness | <= level] + 1/3 mean) = 2/3 mean + 1/3 E[slowness | <= level].
 *
 * The second order in the load follows exactly where two share a channel (docs/theory/scouting.md).
 */

/* n over b, for n below V, and the roots of n. */
typedef struct pascal {
    double row[FC_SCOUTING_SHARERS_MAX][FC_SCOUTING_SHARERS_MAX];
    double root[FC_SCOUTING_SHARERS_MAX], per_root[FC_SCOUTING_SHARERS_MAX];
} pascal;

static void fill_pascal(pascal *choose, int channels) {
    for (int n = 0; n < channels; ++n) {
        choose->row[n][0] = choose->row[n][n] = 1;
        choose->root[n] = sqrt(n);
        choose->per_root[n] = n > 0 ? 1 / choose->root[n] : 0;
        for (int b = 1; b < n; ++b)
            choose->row[n][b] = choose->row[n - 1][b - 1] + choose->row[n - 1][b];
    }
}

/* The others, seen from one who would like a rate x; rates in units of x. Fast ones would take x or
 * more: they count 1. What s slow ones take is a uniform variable of its mean and variance, which
 * keeps the model continuous: with b fast ones beside them there is room with probability
 * 1/2 + (room - b - mean[s]) / width, between 0 and 1. */
typedef struct company {
    bool all_fast;
    double share;                                                        /* of slow ones */
    double fast[FC_SCOUTING_SHARERS_MAX], slow[FC_SCOUTING_SHARERS_MAX]; /* powers of the shares */
    double mean[FC_SCOUTING_SHARERS_MAX], per_width[FC_SCOUTING_SHARERS_MAX];
    pascal choose; /* of n others, b fast ones */
} company;

static const double thin = 1e-6; /* a width that is none */

/* sums: over the slower levels of mass * rate^0, 1, 2; total: of all levels. */
static void meet_company(const double sums[3], double total, double slowness, int channels,
                         company *others) {
    others->all_fast = !(sums[0] > 1e-14 * total);
    if (others->all_fast)
        return;
    const double share = others->share = sums[0] / total, mean = slowness * sums[1] / sums[0];
    const double variance = fmax(slowness * slowness * sums[2] / sums[0] - mean * mean, 0);
    const double width = sqrt(12 * variance), per_width = 1 / fmax(width, thin * thin);
    others->fast[0] = others->slow[0] = 1;
    for (int n = 1; n < channels; ++n) {
        const bool narrow = width * others->choose.root[n] < thin;
        others->fast[n] = others->fast[n - 1] * (1 - share);
        others->slow[n] = others->slow[n - 1] * share;
        others->mean[n] = narrow ? n * mean - 1e-9 : n * mean; /* rounding is no lack of room */
        others->per_width[n] = per_width * others->choose.per_root[n];
    }
}

/* P(room beside n others), where n exceeds it. More fast ones leave less room; numbers of them that
 * are improbable are left out. */
static double room_beside(int n, double room, const company *others) {
    const double *choose = others->choose.row[n];
    const int most = room < n - 1 ? (int)room : n - 1;
    const double expected = n * (1 - others->share);
    const double least = expected - 9 * sqrt(expected * others->share) - 1;
    double sum = 0;
    for (int b = least > 0 ? (int)least : 0; b <= most; ++b) {
        const int s = n - b;
        const double fits = 0.5 + (room - b - others->mean[s]) * others->per_width[s];
        const double chance = choose[b] * others->fast[b] * others->slow[s];
        if (fits <= 0 || (b > expected && chance < negligible))
            break;
        sum += chance * (fits > 1 ? 1 : fits);
    }
    return sum;
}

/* P(room), averaged over n others with probability met[n], each fast or slow. */
static double room_for(const double *met, int channels, double room, const company *others,
                       double weight, double *slow) {
    double sum = 0;
    int most = channels;
    while (!slow && most > 1 && met[most - 1] < negligible)
        --most;
    for (int n = 0; n < most; ++n) {
        const double chance = n <= room + 1e-9   ? 1
                              : others->all_fast ? 0
                                                 : room_beside(n, room, others);
        sum += met[n] * chance;
        if (slow)
            slow[n] += (1 - weight * chance) / FC_SLOWNESS_STEPS;
    }
    return sum;
}

void fc_sharing_slowness(fc_meeting_place place, const double *elsewhere, size_t levels,
                         double *within, double *beside) {
    const int channels = place.channels;
    double mass[FC_SLOWNESS_LEVELS], total = 0, before = 0;
    double met[FC_SCOUTING_SHARERS_MAX] = {0};
    double slow[3] = {0}; /* sums over the slower levels of mass * rate^0, 1, 2 */
    for (size_t l = 0; l < levels; ++l) {
        mass[l] = fmax(elsewhere[l] - before, 0) * fc_slowness_at(l);
        before = elsewhere[l];
        total += mass[l];
    }
    for (int n = 0; beside && n < channels; ++n)
        beside[n] = 1;
    company others;
    fill_pascal(&others.choose, channels);
    double below = total; /* mass up to the level */
    double asked = -1;    /* what met[] is for */
    const double mean = total / before;
    for (size_t l = levels; l-- > 0;) {
        const double slowness = fc_slowness_at(l), rate = 1 / slowness;
        meet_company(slow, total, slowness, channels, &others);
        const double own = elsewhere[l] > 1e-12 ? fmin(below / elsewhere[l], slowness) : 1;
        const double taken = (2 * mean + fmax(own, 1)) / 3;
        if (fabs(taken - asked) > negligible * 100) {
            place.meet(place.channel, taken, met);
            asked = taken;
        }
        within[l] = room_for(met, channels, slowness - 1, &others, elsewhere[l], beside);
        slow[0] += mass[l];
        slow[1] += mass[l] * rate;
        slow[2] += mass[l] * rate * rate;
        below = fmax(below - mass[l], 0);
    }
}

/* ---- channels with others in common ---- */

static double poisson_below(double mean, int limit, double *pmf) {
    double term = exp(-mean), sum = 0;
    for (int n = 0; n < limit; ++n) {
        sum += pmf[n] = term;
        term *= mean / (n + 1);
    }
    return sum;
}

/* Newton's steps, the derivative is -P(limit - 1), or halves of the bracket where they leave it. */
double fc_others_mean(double below, int limit) {
    double pmf[FC_SCOUTING_SHARERS_MAX] = {0}, low = 0, high = limit, mean = limit / 2.0;
    while (poisson_below(high, limit, pmf) > below)
        high *= 2;
    for (;;) {
        const double over = poisson_below(mean, limit, pmf) - below;
        if (over > 0)
            low = mean;
        else
            high = mean;
        if (fabs(over) < 1e-15 || high - low < 1e-14 * limit)
            return mean;
        mean += over / pmf[limit - 1];
        if (!(mean > low && mean < high))
            mean = (low + high) / 2;
    }
}

/* n_1 = x + y and n_2 = x + z, with x the others on both. Few others: all that are too many on the
 * second are those from the first with same^limit. Many others: 1 - same. */
double fc_further_weight(double mean, double same, int limit) {
    double x[FC_SCOUTING_SHARERS_MAX] = {0}, y[FC_SCOUTING_SHARERS_MAX] = {0};
    const double one = poisson_below(mean, limit, x);
    if (1 - one < 1e-6)
        return 1 - pow(same, limit);
    if (one < 1e-100)
        return 1 - same;
    poisson_below(same * mean, limit, x);
    poisson_below((1 - same) * mean, limit, y);
    double both = 0, rest = 0;
    for (int n = limit - 1; n >= 0; --n) { /* rest: P(y < limit - n) */
        rest += y[limit - 1 - n];
        both += x[n] * rest * rest;
    }
    return log(both) / log(one) - 1;
}
