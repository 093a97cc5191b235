/* Along the ring the number m of other worms is a reversible Markov chain. At each hop every other
 * worm stays with probability 1 - q; let j of them stay. The new number m' is then drawn with a
 * probability proportional to met(m') Bin(j | m', 1 - q), which keeps the distribution of m
 * stationary. If no worm left and none joined, the worm keeps its share of the channel; otherwise
 * its share is drawn again, so that the survival u_t(x, m) of a rate x over t further hops is
 * multiplied by the survival of the new share at m'. Rows over x are contiguous, so the loops over
 * rates are vector loops.
 *
 * Symbols: m others met (met), q P(a worm leaves at a hop) (leaving), wt P(a worm met on the first
 * channel was met on the channel before the turn) (turning), x a rate (a point of fc_rate_row),
 * u_t(x, m) P(rate x is kept over t further hops, from m others on) (u). */
#include "models/torus/torus_sharing_ring.h"

#include <math.h>
#include <string.h>

size_t fc_ring_survival_scratch(int64_t longest, int others) {
    const size_t counts = (size_t)others + 1, hops = (size_t)(longest > 1 ? longest : 1);
    return (2 * hops * FC_RATE_POINTS) * counts + 2 * counts * counts + counts;
}

/* Bin(j | m, stay) for 0 <= j <= m <= others: binomial[m][j] */
static void binomials(int others, double stay, double *binomial) {
    const size_t counts = (size_t)others + 1;
    memset(binomial, 0, counts * counts * sizeof *binomial);
    binomial[0] = 1.0;
    for (size_t m = 1; m < counts; ++m)
        for (size_t j = 0; j <= m; ++j)
            binomial[m * counts + j] =
                (j < m ? binomial[(m - 1) * counts + j] * (1.0 - stay) : 0.0) +
                (j > 0 ? binomial[(m - 1) * counts + j - 1] * stay : 0.0);
}

/* change[m][m']: somebody left or joined; same[m]: nobody did. */
static void transition_matrix(const fc_ring_survival_input *input, const double *binomial,
                              double *change, double *same) {
    const size_t counts = (size_t)input->others + 1;
    memset(change, 0, counts * counts * sizeof *change);
    for (size_t j = 0; j < counts; ++j) {
        double total = 0.0;
        for (size_t to = j; to < counts; ++to)
            total += input->met[to] * binomial[to * counts + j];
        if (total <= 0.0)
            continue;
        for (size_t from = j; from < counts; ++from)
            for (size_t to = j; to < counts; ++to) {
                const double p = binomial[from * counts + j] * input->met[to] *
                                 binomial[to * counts + j] / total;
                if (from == j && to == j)
                    same[j] = p;
                else
                    change[from * counts + to] += p;
            }
    }
}

/* u[t][m][x] for t < hops. */
static void survive(const fc_ring_survival_input *input, const double *change, const double *same,
                    size_t hops, fc_rate_row *u) {
    const size_t counts = (size_t)input->others + 1;
    for (size_t m = 0; m < counts; ++m)
        for (size_t x = 0; x < FC_RATE_POINTS; ++x)
            u[m][x] = 1.0;
    for (size_t t = 1; t < hops; ++t) {
        const fc_rate_row *before = u + (t - 1) * counts;
        fc_rate_row *now = u + t * counts;
        for (size_t m = 0; m < counts; ++m) {
            for (size_t x = 0; x < FC_RATE_POINTS; ++x)
                now[m][x] = same[m] * before[m][x];
        }
        for (size_t to = 0; to < counts; ++to) {
            fc_rate_row joined;
            for (size_t x = 0; x < FC_RATE_POINTS; ++x)
                joined[x] = input->shares[to][x] * before[to][x];
            for (size_t m = 0; m < counts; ++m) {
                const double p = change[m * counts + to];
                for (size_t x = 0; x < FC_RATE_POINTS; ++x)
                    now[m][x] += p * joined[x];
            }
        }
    }
}

static void cross(const fc_ring_survival_input *input, const fc_rate_row *u, size_t hops,
                  double *crossing) {
    const size_t counts = (size_t)input->others + 1;
    memset(crossing, 0, sizeof(fc_rate_row));
    double turned = 1.0; /* wt^m: all m others were met already before the turn */
    for (size_t m = 0; m < counts; ++m, turned *= input->turning) {
        fc_rate_row along = {0.0};
        for (size_t t = 0; t < hops; ++t) {
            const double p = fc_ring_distance(input->paths, (int64_t)t + 1);
            const double *row = u[t * counts + m];
            for (size_t x = 0; x < FC_RATE_POINTS; ++x)
                along[x] += p * row[x];
        }
        for (size_t x = 0; x < FC_RATE_POINTS; ++x)
            crossing[x] +=
                input->met[m] * (turned + (1.0 - turned) * input->shares[m][x]) * along[x];
    }
}

/* adds weight * sum of u_i u_j over i + j < hops; u: every so many rows */
static void add_pairs(const fc_rate_row *u, const fc_rate_row *partial, size_t counts, size_t hops,
                      double weight, double *sum) {
    for (size_t i = 0; i < hops; ++i) {
        const double *row = u[i * counts], *rest = partial[hops - 1 - i];
        for (size_t x = 0; x < FC_RATE_POINTS; ++x)
            sum[x] += weight * row[x] * rest[x];
    }
}

/* A worm found on a random channel has s hops with probability proportional to s P(s) and is at
 * each of them with equal probability: (1/s) sum_i u_i u_{s-1-i}. The sum over s is taken by parts:
 * where P(s) is constant, as in a ring, only its last steps remain. */
static void found(const fc_ring_survival_input *input, const fc_rate_row *u, size_t hops,
                  fc_rate_row *partial, fc_rate_row *elsewhere) {
    const size_t counts = (size_t)input->others + 1;
    const fc_ring_paths *paths = input->paths;
    for (size_t m = 0; m < counts; ++m) {
        memset(elsewhere[m], 0, sizeof(fc_rate_row));
        for (size_t t = 0; t < hops; ++t)
            for (size_t x = 0; x < FC_RATE_POINTS; ++x)
                partial[t][x] = (t > 0 ? partial[t - 1][x] : 0.0) + u[t * counts + m][x];
        for (size_t s = hops; s > 0; --s) {
            const double step =
                fc_ring_distance(paths, (int64_t)s) - fc_ring_distance(paths, (int64_t)s + 1);
            if (step != 0.0)
                add_pairs(u + m, partial, counts, s, step / paths->hops_if_crossed, elsewhere[m]);
        }
    }
}

void fc_ring_survival(const fc_ring_survival_input *input, double *scratch, double *crossing,
                      fc_rate_row *elsewhere) {
    const size_t counts = (size_t)input->others + 1, hops = (size_t)input->paths->longest;
    double *binomial = scratch, *change = binomial + counts * counts;
    double *same = change + counts * counts;
    fc_rate_row *u = (fc_rate_row *)(same + counts), *partial = u + hops * counts;
    binomials(input->others, 1.0 - input->leaving, binomial);
    transition_matrix(input, binomial, change, same);
    survive(input, change, same, hops, u);
    cross(input, u, hops, crossing);
    found(input, u, hops, partial, elsewhere);
}
