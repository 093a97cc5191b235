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

void fc_shared_capacity(const double *caps, int least, int most, double *capacity) {
    enum { FULL = FC_RATE_STEPS };
    double buffer[2][FC_RATE_POINTS];
    double *sum = buffer[0], *next = buffer[1]; /* below capacity; the rest reaches it */
    memcpy(sum, caps, sizeof buffer[0]);
    for (int count = 1; count <= most; ++count) {
        if (count > 1) {
            add_term(sum, caps, FULL - 1, FULL - 1, next);
            double *swap = sum;
            sum = next;
            next = swap;
        }
        if (count < least)
            continue;
        double below = 0.0, mean = 0.0;
        for (int i = 0; i < FULL; ++i) {
            below += sum[i];
            mean += sum[i] * i;
        }
        capacity[count - least] = mean / FULL + (1.0 - below);
    }
}

/* power[l][i]: P(l caps are all below x and add up to i); moves from x to x + 1, which adds the
 * mass at x to the caps below. Entries above FC_RATE_STEPS - x - 1 will not be asked for. */
static void raise_powers(double (*power)[FC_RATE_POINTS], int most, int x, double mass) {
    const int limit = FC_RATE_STEPS - x - 1;
    for (int l = most; l > 0; --l) {
        double weight = 1.0; /* binomial(l, j) mass^j */
        for (int j = 1; j <= l && j * x <= limit; ++j) {
            weight *= mass * (l - j + 1) / j;
            const double *fewer = power[l - j];
            double *row = power[l] + j * x;
            for (int i = 0; i <= limit - j * x; ++i)
                row[i] += weight * fewer[i];
        }
    }
}

/* P(x + sum min(r, x) <= 1): j of the others take x, the rest what they are capped to. */
static double keeps(double (*power)[FC_RATE_POINTS], int others, int x, double above) {
    double kept = 0.0, weight = 1.0; /* binomial(others, j) above^j */
    for (int j = 0; j <= others && (j + 1) * x <= FC_RATE_STEPS; ++j) {
        const double *row = power[others - j];
        double within = 0.0;
        for (int i = 0; i <= FC_RATE_STEPS - (j + 1) * x; ++i)
            within += row[i];
        kept += weight * within;
        weight *= above * (others - j) / (j + 1);
    }
    return kept;
}

void fc_shared_survival(const double *caps, int least, int most,
                        double (*survival)[FC_RATE_POINTS]) {
    double power[FC_SHARERS_MAX][FC_RATE_POINTS], above = 1.0;
    memset(power, 0, sizeof *power * (size_t)(most + 1));
    power[0][0] = 1.0;
    for (int x = 0; x < FC_RATE_POINTS; ++x) {
        for (int others = least; others <= most; ++others)
            survival[others - least][x] =
                (others + 1) * x <= FC_RATE_STEPS ? 1.0 : keeps(power, others, x, above);
        if (caps[x] > 0.0)
            raise_powers(power, most, x, caps[x]);
        above -= caps[x];
    }
}

/* P(rate is i/60); what is below the first step counts there. Rounding must not make it negative:
 * in an iteration of caps to survival to caps a negative share grows. */
static double mass_at(const double *survival, int i) {
    const double mass = (i > 1 ? survival[i] : 1.0) - (i < FC_RATE_STEPS ? survival[i + 1] : 0.0);
    return mass > 0.0 ? mass : 0.0;
}

fc_slowness fc_survival_slowness(const double *survival) {
    double mean = 0.0, square = 0.0;
    for (int i = 1; i < FC_RATE_POINTS; ++i) {
        const double mass = mass_at(survival, i);
        const double slow = (double)FC_RATE_STEPS / i;
        mean += mass * slow;
        square += mass * slow * slow;
    }
    return (fc_slowness){mean, square > mean * mean ? square - mean * mean : 0.0};
}

void fc_survival_to_caps(const double *survival, double still, double *caps) {
    double total = 0.0;
    for (int i = 1; i < FC_RATE_POINTS; ++i)
        total += caps[i] = mass_at(survival, i) / i;
    for (int i = 1; i < FC_RATE_POINTS; ++i)
        caps[i] *= (1.0 - still) / total;
    caps[0] = still;
}
