#include "base/regression.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The grid: in units of the standard deviation of a lognormal prior, and that deviation. */
static const double scale_steps[FC_REGRESSION_SCALES] = {-2, -1, 0, 1, 2}, scale_spread = 0.7;
static const double length_steps[FC_REGRESSION_LENGTHS] = {-1.5, 0, 1.5}, length_spread = 0.4;
/* Variance added to every value, so that two values at one place do not make a singular matrix. */
static const double jitter = 1e-10;

static double covariance(const fc_kernel *kernel, const fc_regression_member *member, double a,
                         double b) {
    const double distance = (a - b) / member->length;
    return kernel->constant * kernel->constant + kernel->slope * kernel->slope * a * b +
           member->scale * member->scale * exp(-0.5 * distance * distance);
}

/* Solves with the lower triangle. */
static void solve_lower(const fc_regression_member *member, size_t count, double *values) {
    for (size_t i = 0; i < count; ++i) {
        for (size_t k = 0; k < i; ++k)
            values[i] -= member->factor[i][k] * values[k];
        values[i] /= member->factor[i][i];
    }
}

/* Solves with its transpose. */
static void solve_upper(const fc_regression_member *member, size_t count, double *values) {
    for (size_t i = count; i-- > 0;) {
        for (size_t k = i + 1; k < count; ++k)
            values[i] -= member->factor[k][i] * values[k];
        values[i] /= member->factor[i][i];
    }
}

/* Factors the matrix of covariances; returns the logarithm of the likelihood of the values. */
static double fit_member(const fc_regression *fit, const double *values, const double *deviations,
                         fc_regression_member *member) {
    const size_t count = fit->count;
    double likelihood = 0;
    for (size_t i = 0; i < count; ++i) {
        for (size_t j = 0; j <= i; ++j) {
            double sum = covariance(&fit->kernel, member, fit->x[i], fit->x[j]);
            if (i == j)
                sum += deviations[i] * deviations[i] + jitter;
            for (size_t k = 0; k < j; ++k)
                sum -= member->factor[i][k] * member->factor[j][k];
            member->factor[i][j] = i == j ? sqrt(fmax(sum, jitter)) : sum / member->factor[j][j];
        }
        likelihood -= log(member->factor[i][i]);
    }
    if (count)
        memcpy(member->solution, values, count * sizeof *values);
    solve_lower(member, count, member->solution);
    for (size_t i = 0; i < count; ++i)
        likelihood -= 0.5 * member->solution[i] * member->solution[i];
    solve_upper(member, count, member->solution);
    return likelihood;
}

void fc_regression_fit(const fc_kernel *kernel, const double *x, const double *values,
                       const double *deviations, size_t count, fc_regression *fit) {
    enum { MEMBERS = FC_REGRESSION_SCALES * FC_REGRESSION_LENGTHS };
    assert(count <= FC_REGRESSION_MOST);
    fit->kernel = *kernel;
    fit->count = count;
    if (count)
        memcpy(fit->x, x, count * sizeof *x);
    double best = -INFINITY, total = 0, prior = 0;
    for (size_t m = 0; m < MEMBERS; ++m) {
        fc_regression_member *member = &fit->members[m];
        const double scale = scale_steps[m / FC_REGRESSION_LENGTHS];
        const double length = length_steps[m % FC_REGRESSION_LENGTHS];
        member->scale = kernel->scale * exp(scale_spread * scale);
        member->length = kernel->length * exp(length_spread * length);
        member->weight =
            fit_member(fit, values, deviations, member) - 0.5 * (scale * scale + length * length);
        prior += exp(-0.5 * (scale * scale + length * length));
        best = fmax(best, member->weight);
    }
    for (size_t m = 0; m < MEMBERS; ++m) {
        fit->members[m].weight = exp(fit->members[m].weight - best);
        total += fit->members[m].weight;
    }
    for (size_t m = 0; m < MEMBERS; ++m)
        fit->members[m].weight /= total;
    fit->evidence = best + log(total / prior);
}

static fc_estimate member_at(const fc_regression *fit, const fc_regression_member *member,
                             double x) {
    double row[FC_REGRESSION_MOST];
    fc_estimate estimate = {.mean = 0};
    double variance = covariance(&fit->kernel, member, x, x);
    for (size_t i = 0; i < fit->count; ++i) {
        row[i] = covariance(&fit->kernel, member, x, fit->x[i]);
        estimate.mean += row[i] * member->solution[i];
    }
    solve_lower(member, fit->count, row);
    for (size_t i = 0; i < fit->count; ++i)
        variance -= row[i] * row[i];
    estimate.deviation = sqrt(fmax(variance, 0));
    return estimate;
}

fc_estimate fc_regression_at(const fc_regression *fit, double x) {
    double mean = 0, squares = 0;
    for (size_t m = 0; m < FC_REGRESSION_SCALES * FC_REGRESSION_LENGTHS; ++m) {
        const fc_regression_member *member = &fit->members[m];
        const fc_estimate at = member_at(fit, member, x);
        mean += member->weight * at.mean;
        squares += member->weight * (at.mean * at.mean + at.deviation * at.deviation);
    }
    return (fc_estimate){mean, sqrt(fmax(squares - mean * mean, 0))};
}
