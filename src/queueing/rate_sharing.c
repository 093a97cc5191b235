#include "queueing/rate_sharing.h"

#include <string.h>

/* sum: distribution over 0 .. limit of a sum so far, mass above limit dropped; adds one more term
 * with the given mass over 0 .. top. */
static void add_term(const double *sum, const double *term, int top, int limit, double *out) {
    memset(out, 0, sizeof(double) * (size_t)(limit + 1));
    for (int r = 0; r <= top; ++r) {
        const double p = term[r];
        if (p == 0.0)
            continue;
        for (int i = r; i <= limit; ++i)
            out[i] += p * sum[i - r];
    }
}

double fc_shared_capacity(const double *caps, int count) {
    enum { FULL = FC_RATE_STEPS };
    double buffer[2][FC_RATE_POINTS];
    double *sum = buffer[0], *next = buffer[1];
    memcpy(sum, caps, sizeof buffer[0]);
    for (int i = 1; i < count; ++i) {
        add_term(sum, caps, FULL, FULL - 1, next); /* below capacity; the rest reaches it */
        double *swap = sum;
        sum = next;
        next = swap;
    }
    double below = 0.0, mean = 0.0;
    for (int i = 0; i < FULL; ++i) {
        below += sum[i];
        mean += sum[i] * i;
    }
    return mean / FULL + (1.0 - below);
}

/* P(sum of `others` terms min(r, x) <= limit). */
static double sum_within(const double *term, const double *cumulative, int x, int others,
                         int limit) {
    double buffer[2][FC_RATE_POINTS];
    double *sum = buffer[0], *next = buffer[1];
    const int top = x < limit ? x : limit;
    if (others == 1)
        return limit >= x ? 1.0 : cumulative[limit];
    memset(sum, 0, sizeof(double) * (size_t)(limit + 1));
    memcpy(sum, term, sizeof(double) * (size_t)(top + 1));
    for (int i = 2; i < others; ++i) {
        add_term(sum, term, top, limit, next);
        double *swap = sum;
        sum = next;
        next = swap;
    }
    double within = 0.0;
    for (int i = 0; i <= limit; ++i) /* the last term needs only its cumulative distribution */
        within += sum[i] * (limit - i >= x ? 1.0 : cumulative[limit - i]);
    return within;
}

void fc_shared_survival(const double *caps, int others, double *survival) {
    double cumulative[FC_RATE_POINTS], term[FC_RATE_POINTS];
    cumulative[0] = caps[0];
    for (int i = 1; i < FC_RATE_POINTS; ++i)
        cumulative[i] = cumulative[i - 1] + caps[i];
    memcpy(term, caps, sizeof term);
    for (int x = FC_RATE_STEPS; x >= 0; --x) {
        term[x] = x > 0 ? 1.0 - cumulative[x - 1] : 1.0; /* min(r, x) */
        if ((others + 1) * x <= FC_RATE_STEPS)
            survival[x] = 1.0;
        else
            survival[x] = sum_within(term, cumulative, x, others, FC_RATE_STEPS - x);
    }
}

fc_slowness fc_survival_slowness(const double *survival) {
    double mean = 0.0, square = 0.0;
    for (int i = 1; i < FC_RATE_POINTS; ++i) {
        const double from = i > 1 ? survival[i] : 1.0;
        const double mass = from - (i < FC_RATE_STEPS ? survival[i + 1] : 0.0);
        const double slow = (double)FC_RATE_STEPS / i;
        mean += mass * slow;
        square += mass * slow * slow;
    }
    return (fc_slowness){mean, square > mean * mean ? square - mean * mean : 0.0};
}

void fc_survival_to_caps(const double *survival, double still, double *caps) {
    double total = 0.0;
    for (int i = 1; i < FC_RATE_POINTS; ++i) {
        const double from = i > 1 ? survival[i] : 1.0;
        const double mass = from - (i < FC_RATE_STEPS ? survival[i + 1] : 0.0);
        total += caps[i] = mass / i;
    }
    for (int i = 1; i < FC_RATE_POINTS; ++i)
        caps[i] *= (1.0 - still) / total;
    caps[0] = still;
}
