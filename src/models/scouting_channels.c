#include "models/scouting_channels.h"

#include <math.h>

double fc_slowness_mean(const double *within, size_t levels) {
    double mean = 0, before = 0;
    for (size_t l = 0; l < levels; ++l) {
        mean += (within[l] - before) * fc_slowness_at(l);
        before = within[l];
    }
    return mean / before;
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

/* Distribution of the held virtual channels if messages come at `rate` times the preference, and
 * the flits a cycle that makes. */
static double held_at(int channels, double rate, double pace, double retaken,
                      const double *preferences, double *held) {
    double sum = 1, carried = 0;
    held[0] = 1;
    for (int n = 1; n <= channels; ++n) {
        held[n] = held[n - 1] * rate * preferences[n - 1] / fmin(1, n * pace);
        if (n == channels)
            held[n] /= 1 - retaken;
        sum += held[n];
        if (sum > 1e200) { /* keep the ratios, lose what is negligible */
            for (int i = 0; i <= n; ++i)
                held[i] *= 1e-200;
            sum *= 1e-200;
        }
    }
    for (int n = 0; n <= channels; ++n) {
        held[n] /= sum;
        carried += held[n] * fmin(1, n * pace);
    }
    return carried;
}

bool fc_channel_use_solve(int channels, const fc_channel_demand *demand, fc_channel_use *use) {
    const double load = demand->load, pace = demand->pace, retaken = demand->retaken;
    double preferences[FC_SCOUTING_SHARERS_MAX], held[FC_SCOUTING_SHARERS_MAX + 1];
    if (load >= 0.999999 * fmin(1, channels * pace))
        return false;
    for (int n = 0; n < channels; ++n)
        preferences[n] =
            preference(channels, n, demand->choices, demand->most, demand->mean_others);
    double low = 0, high = 1;
    while (held_at(channels, high, pace, retaken, preferences, held) < load)
        high *= 2;
    while (high - low > 1e-14 * high) {
        const double middle = (low + high) / 2;
        if (held_at(channels, middle, pace, retaken, preferences, held) < load)
            low = middle;
        else
            high = middle;
    }
    held_at(channels, high, pace, retaken, preferences, held);
    double sum = 0;
    use->mean = 0;
    for (int n = 0; n < channels; ++n)
        sum += use->met[n] = high * held[n] * preferences[n];
    const double waited = retaken * held[channels] * fmin(1, channels * pace);
    use->met[channels - 1] += waited;
    sum += waited;
    for (int n = 0; n < channels; ++n)
        use->met[n] /= sum;
    for (int n = 0; n <= channels; ++n)
        use->mean += n * held[n];
    use->full = held[channels];
    return true;
}

/* ---- node links ---- */

bool fc_node_link_solve(int channels, double rate, const double *services, fc_node_link *link) {
    const double ratio = rate * services[channels] / channels;
    if (ratio >= 0.999999)
        return false;
    double term = 1, sum = 0;
    for (int n = 0; n < channels; ++n) {
        link->met[n] = term;
        sum += term;
        term *= rate * services[n + 1] / (n + 1);
    }
    const double queueing = term / (1 - ratio); /* V and more */
    sum += queueing;
    for (int n = 0; n < channels; ++n)
        link->met[n] /= sum;
    link->met[channels - 1] += queueing / sum;
    link->busy = ratio;
    link->waits = queueing / sum;
    link->queue = link->waits * ratio / (1 - ratio);
    return true;
}

/* One more that may send: row n of the binomial distribution from row n - 1. */
static void next_row(double *binomial, int n, double chance) {
    for (int b = n; b >= 0; --b)
        binomial[b] =
            (b < n ? binomial[b] * (1 - chance) : 0) + (b > 0 ? binomial[b - 1] * chance : 0);
}

void fc_met_sending(double *met, int channels, double sending) {
    double binomial[FC_SCOUTING_SHARERS_MAX] = {1};
    for (int n = 1; n < channels; ++n) {
        const double held = met[n];
        next_row(binomial, n, sending);
        met[n] = 0;
        for (int b = 0; b <= n; ++b)
            met[b] += held * binomial[b];
    }
}

void fc_slowness_beside(const double *beside, int channels, double sending, double *slowness) {
    double binomial[FC_SCOUTING_SHARERS_MAX] = {1};
    for (int n = 1; n <= channels; ++n) {
        slowness[n] = 0;
        for (int b = 0; b < n; ++b)
            slowness[n] += binomial[b] * beside[b];
        if (n < channels)
            next_row(binomial, n, sending);
    }
}

/* ---- slowness ---- */

/* The others, seen from one who would like a rate x; rates in units of x. */
typedef struct company {
    double fast;                           /* share that would take x or more: they count 1 */
    double slow_mean;                      /* of those that are slower than x elsewhere */
    double width[FC_SCOUTING_SHARERS_MAX]; /* of the spread of so many slow ones */
} company;

/* P(fast + what n - fast slow ones take <= room): the sum of the slow ones as a uniform variable of
 * its mean and variance, which keeps the model continuous. */
static double fits(int fast, int slow, double room, const company *others) {
    const double slack = room - fast - slow * others->slow_mean;
    const double width = others->width[slow];
    if (width < 1e-6)
        return slack > -1e-9;
    const double chance = 0.5 + slack / width;
    return chance <= 0 ? 0 : chance >= 1 ? 1 : chance;
}

/* P(room), averaged over n < most others with probability met[n], each fast or slow. */
static double room_for(const double *met, int most, double room, const company *others,
                       double weight, double *slow) {
    double binomial[FC_SCOUTING_SHARERS_MAX] = {1}, sum = 0;
    for (int n = 0; n < most; ++n) {
        if (n > 0)
            next_row(binomial, n, others->fast);
        double chance = n <= room + 1e-9;
        if (chance < 1)
            for (int b = 0; b < n && b <= room; ++b)
                chance += binomial[b] * fits(b, n - b, room, others);
        sum += met[n] * chance;
        if (slow)
            slow[n] += (1 - weight * chance) / FC_SLOWNESS_STEPS;
    }
    return sum;
}

void fc_sharing_slowness(const double *met, int channels, const double *elsewhere, size_t levels,
                         double *within, double *beside) {
    double mass[FC_SLOWNESS_LEVELS], total = 0, before = 0;
    double slow[3] = {0}; /* sums over the slower levels of mass * rate^0, 1, 2 */
    for (size_t l = 0; l < levels; ++l) {
        mass[l] = fmax(elsewhere[l] - before, 0) * fc_slowness_at(l);
        before = elsewhere[l];
        total += mass[l];
    }
    for (int n = 0; beside && n < channels; ++n)
        beside[n] = 1;
    int most = channels;
    while (!beside && most > 1 && met[most - 1] < 1e-16)
        --most;
    for (size_t l = levels; l-- > 0;) {
        const double slowness = fc_slowness_at(l), rate = 1 / slowness;
        company others = {.fast = 1};
        if (slow[0] > 1e-14 * total) {
            others.fast = 1 - slow[0] / total;
            others.slow_mean = slowness * slow[1] / slow[0];
            const double variance = fmax(
                slowness * slowness * slow[2] / slow[0] - others.slow_mean * others.slow_mean, 0);
            for (int n = 1; n < most; ++n)
                others.width[n] = sqrt(12 * n * variance);
        }
        within[l] = room_for(met, most, slowness - 1, &others, elsewhere[l], beside);
        slow[0] += mass[l];
        slow[1] += mass[l] * rate;
        slow[2] += mass[l] * rate * rate;
    }
}
