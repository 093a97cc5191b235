#include "gp_fit.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *room(size_t count, size_t size) {
    void *made = calloc(count ? count : 1, size);
    if (!made) {
        fprintf(stderr, "gp_fit: out of memory\n");
        exit(1);
    }
    return made;
}

/* ---- data ---- */

gp_data gp_data_create(size_t most) {
    return (gp_data){.inputs = room(most, sizeof(double[FC_GP_INPUTS_MAX])),
                     .values = room(most, sizeof(double)),
                     .variances = room(most, sizeof(double)),
                     .groups = room(most, sizeof(size_t)),
                     .judged = room(most, sizeof(int))};
}

void gp_data_add(gp_data *data, const gp_data *from, size_t i) {
    memcpy(data->inputs[data->count], from->inputs[i], sizeof *data->inputs);
    data->values[data->count] = from->values[i];
    data->variances[data->count] = from->variances[i];
    data->groups[data->count] = from->groups[i];
    data->judged[data->count++] = from->judged[i];
}

void gp_data_free(gp_data *data) {
    free(data->inputs);
    free(data->values);
    free(data->variances);
    free(data->groups);
    free(data->judged);
}

/* ---- linear algebra ---- */

int gp_factorise(double *matrix, size_t n) {
    for (size_t i = 0; i < n; ++i) {
        double *row = matrix + i * n;
        for (size_t j = 0; j <= i; ++j) {
            const double *other = matrix + j * n;
            double sum = row[j];
            for (size_t k = 0; k < j; ++k)
                sum -= row[k] * other[k];
            if (j < i)
                row[j] = sum / other[j];
            else if (!(sum > 0))
                return 0;
            else
                row[i] = sqrt(sum);
        }
    }
    return 1;
}

void gp_solve_lower(const double *factor, size_t n, double *vector) {
    for (size_t i = 0; i < n; ++i) {
        double sum = vector[i];
        for (size_t k = 0; k < i; ++k)
            sum -= factor[i * n + k] * vector[k];
        vector[i] = sum / factor[i * n + i];
    }
}

void gp_solve_upper(const double *factor, size_t n, double *vector) {
    for (size_t i = n; i-- > 0;) {
        vector[i] /= factor[i * n + i];
        for (size_t k = 0; k < i; ++k)
            vector[k] -= factor[i * n + k] * vector[i];
    }
}

static double *covariances(const gp_data *data, const gp_choice *choice) {
    const size_t n = data->count;
    double *matrix = room(n * n, sizeof *matrix);
    for (size_t i = 0; i < n; ++i) {
        for (size_t j = 0; j <= i; ++j)
            matrix[i * n + j] = fc_gp_covariance(&choice->kernel, data->inputs[i], data->inputs[j]);
        matrix[i * n + i] += data->variances[i] + choice->nugget;
    }
    return matrix;
}

/* ---- the choice of a kernel ---- */

/* From the factor of a matrix, its inverse: row by row, L^-1 and then L^-T L^-1. */
static void invert(const double *factor, size_t n, double *inverse) {
    double *lower = room(n * n, sizeof *lower);
    for (size_t i = 0; i < n; ++i) {
        double *row = lower + i * n;
        for (size_t k = 0; k < i; ++k) {
            const double share = factor[i * n + k];
            for (size_t j = 0; j <= k; ++j)
                row[j] -= share * lower[k * n + j];
        }
        row[i] += 1;
        for (size_t j = 0; j <= i; ++j)
            row[j] /= factor[i * n + i];
    }
    for (size_t k = 0; k < n; ++k)
        for (size_t i = 0; i <= k; ++i) {
            const double share = lower[k * n + i];
            for (size_t j = 0; j <= i; ++j)
                inverse[i * n + j] += share * lower[k * n + j];
        }
    free(lower);
}

static double surprise(const double *inverse, size_t n, const double *weights, size_t from,
                       size_t end) {
    const size_t size = end - from;
    double *block = room(size * size, sizeof *block), *left = room(size, sizeof *left);
    double *column = room(size, sizeof *column), sum = 0;
    for (size_t i = 0; i < size; ++i) {
        for (size_t j = 0; j <= i; ++j)
            block[i * size + j] = inverse[(from + i) * n + from + j];
        left[i] = weights[from + i];
    }
    if (!gp_factorise(block, size))
        sum = INFINITY;
    gp_solve_lower(block, size, left);
    gp_solve_upper(block, size, left);
    for (size_t i = 0; i < size; ++i) {
        memset(column, 0, size * sizeof *column);
        column[i] = 1;
        gp_solve_lower(block, size, column);
        double variance = 0;
        for (size_t j = 0; j < size; ++j)
            variance += column[j] * column[j];
        sum += 0.5 * left[i] * left[i] / variance + 0.5 * log(variance);
    }
    free(block);
    free(left);
    free(column);
    return sum;
}

static const double spread_of_scales = 0.8; /* of their logarithms, expected around the start */

/* Each group left out in turn: with K the covariances, those of what the others leave unknown of a
 * group are the inverse of its block of K^-1. Minus the logarithm of the density of the judged
 * data, each by itself, and of what is expected of the scales. */
static double misfit(const gp_data *data, const gp_choice *choice, const gp_choice *start) {
    const size_t n = data->count;
    double *factor = covariances(data, choice), *inverse = room(n * n, sizeof *inverse);
    double *weights = room(n, sizeof *weights), sum = INFINITY;
    if (gp_factorise(factor, n)) {
        memcpy(weights, data->values, n * sizeof *weights);
        gp_solve_lower(factor, n, weights);
        gp_solve_upper(factor, n, weights);
        invert(factor, n, inverse);
        sum = 0;
        for (size_t from = 0, end; from < n; from = end) {
            for (end = from + 1; end < n && data->groups[end] == data->groups[from];)
                ++end;
            if (data->judged[from])
                sum += surprise(inverse, n, weights, from, end);
        }
        for (size_t i = 0; i < choice->kernel.inputs; ++i) {
            const double off = log(choice->kernel.scale[i] / start->kernel.scale[i]);
            sum += 0.5 * off * off / (spread_of_scales * spread_of_scales);
        }
    }
    free(factor);
    free(inverse);
    free(weights);
    return sum;
}

/* An even selection of the judged groups, which stay whole, and of the other data: a search needs
 * no more. */
static gp_data thinned(const gp_data *data, size_t judged_most, size_t rest_most) {
    gp_data thin = gp_data_create(data->count);
    size_t judged = 0, rest = 0;
    for (size_t i = 0; i < data->count; ++i)
        *(data->judged[i] ? &judged : &rest) += 1;
    const double each = fmin(1, (double)judged_most / (double)judged);
    const size_t stride = (rest + rest_most - 1) / rest_most;
    for (size_t i = 0, other = 0; i < data->count; ++i) {
        const double group = (double)data->groups[i];
        if (data->judged[i] ? floor((group + 1) * each) > floor(group * each)
                            : other++ % stride == 0)
            gp_data_add(&thin, data, i);
    }
    return thin;
}

static gp_choice start_of(const gp_data *data, size_t inputs) {
    gp_choice start = {.kernel = {.inputs = inputs, .base = 3}};
    const double n = (double)data->count;
    double square = 0;
    for (size_t i = 0; i < data->count; ++i)
        square += data->values[i] * data->values[i] / n;
    for (size_t f = 0; f < inputs; ++f) {
        double mean = 0, variance = 0;
        for (size_t i = 0; i < data->count; ++i)
            mean += data->inputs[i][f] / n;
        for (size_t i = 0; i < data->count; ++i)
            variance += (data->inputs[i][f] - mean) * (data->inputs[i][f] - mean) / n;
        start.kernel.scale[f] = 0.4 / sqrt(variance + 1e-6);
    }
    start.kernel.growth[0] = square;
    start.kernel.growth[1] = start.kernel.growth[2] = 0.1 * square;
    start.nugget = 0.02 * square;
    return start;
}

/* Each number in turn, by a factor up or down, by smaller factors in the end. */
gp_choice gp_choose(const gp_data *data, size_t inputs) {
    enum { JUDGED = 700, OTHERS = 100, ROUNDS = 3 };
    static const double factors[] = {2.5, 1.6, 1.25};
    gp_data thin = thinned(data, JUDGED, OTHERS);
    const gp_choice start = start_of(data, inputs);
    gp_choice best = start;
    double least = misfit(&thin, &best, &start);
    for (size_t f = 0; f < sizeof factors / sizeof *factors; ++f)
        for (int round = 0; round < ROUNDS; ++round) {
            const double before = least;
            for (size_t at = 0; at < inputs + 5; ++at)
                for (int up = 0; up < 2; ++up) {
                    gp_choice tried = best;
                    double *number = at < inputs        ? &tried.kernel.scale[at]
                                     : at == inputs     ? &tried.kernel.base
                                     : at == inputs + 4 ? &tried.nugget
                                                        : &tried.kernel.growth[at - inputs - 1];
                    *number *= up ? factors[f] : 1 / factors[f];
                    const double found = misfit(&thin, &tried, &start);
                    if (found < least) {
                        least = found;
                        best = tried;
                        break;
                    }
                }
            if (before - least < 0.1)
                break;
        }
    gp_data_free(&thin);
    return best;
}

/* ---- all data ---- */

struct gp_dense {
    const gp_data *data;
    fc_gp_kernel kernel;
    double *factor, *weights;
};

gp_dense *gp_dense_create(const gp_data *data, const gp_choice *choice) {
    gp_dense *dense = room(1, sizeof *dense);
    *dense = (gp_dense){data, choice->kernel, covariances(data, choice),
                        room(data->count, sizeof(double))};
    if (!gp_factorise(dense->factor, data->count)) {
        fprintf(stderr, "gp_fit: not positive definite\n");
        exit(1);
    }
    memcpy(dense->weights, data->values, data->count * sizeof(double));
    gp_solve_lower(dense->factor, data->count, dense->weights);
    gp_solve_upper(dense->factor, data->count, dense->weights);
    return dense;
}

fc_gp_value gp_dense_predict(const gp_dense *dense, const double *at) {
    const size_t n = dense->data->count;
    double *near = room(n, sizeof *near);
    fc_gp_value value = {.prior = fc_gp_covariance(&dense->kernel, at, at)};
    for (size_t i = 0; i < n; ++i) {
        near[i] = fc_gp_covariance(&dense->kernel, at, dense->data->inputs[i]);
        value.mean += near[i] * dense->weights[i];
    }
    gp_solve_lower(dense->factor, n, near);
    value.variance = value.prior;
    for (size_t i = 0; i < n; ++i)
        value.variance -= near[i] * near[i];
    value.variance = fmax(0, value.variance);
    free(near);
    return value;
}

void gp_dense_free(gp_dense *dense) {
    if (!dense)
        return;
    free(dense->factor);
    free(dense->weights);
    free(dense);
}

/* ---- inducing points ---- */

/* features: [count][most], row i holds L^-1 k(z, x_i) for the points chosen so far; rest: what they
 * leave of each variance. Returns how many points were chosen. */
static size_t choose_points(const gp_data *data, const fc_gp_kernel *kernel, size_t most,
                            size_t *chosen, double *features, double *rest) {
    static const double enough = 1e-4; /* of the largest variance */
    double largest = 0;
    for (size_t i = 0; i < data->count; ++i) {
        rest[i] = fc_gp_covariance(kernel, data->inputs[i], data->inputs[i]);
        largest = fmax(largest, rest[i]);
    }
    size_t used = 0;
    for (; used < most && used < data->count; ++used) {
        size_t next = 0;
        for (size_t i = 1; i < data->count; ++i)
            next = rest[i] > rest[next] ? i : next;
        if (!(rest[next] > enough * largest))
            break;
        chosen[used] = next;
        const double pivot = sqrt(rest[next]);
        const double *point = features + next * most;
        for (size_t i = 0; i < data->count; ++i) {
            double *row = features + i * most;
            double sum = fc_gp_covariance(kernel, data->inputs[i], data->inputs[next]);
            for (size_t k = 0; k < used; ++k)
                sum -= row[k] * point[k];
            row[used] = sum / pivot;
        }
        for (size_t i = 0; i < data->count; ++i) {
            const double step = features[i * most + used];
            rest[i] = i == next ? 0 : fmax(0, rest[i] - step * step);
        }
    }
    return used;
}

/* V with V V^T = L^-T (I - A^-1) L^-1, where L is the factor of the points' covariances and A = C
 * C^T: what the data tell. */
static double *informed_factor(const double *lower, const double *posterior, size_t m) {
    double *inverse = room(m * m, sizeof *inverse); /* rows: L^-T e_i, so Q = inverse S inverse^T */
    double *told = room(m * m, sizeof *told), *column = room(m, sizeof *column);
    double *matrix = room(m * m, sizeof *matrix);
    for (size_t i = 0; i < m; ++i) {
        memset(column, 0, m * sizeof *column);
        column[i] = 1;
        gp_solve_lower(posterior, m, column);
        gp_solve_upper(posterior, m, column);
        for (size_t j = 0; j < m; ++j)
            told[i * m + j] = (i == j) - column[j];
        memset(column, 0, m * sizeof *column);
        column[i] = 1;
        gp_solve_upper(lower, m, column); /* L^-T e_i: column i of L^-T */
        for (size_t j = 0; j < m; ++j)
            inverse[j * m + i] = column[j];
    }
    double trace = 0;
    for (size_t i = 0; i < m; ++i) {
        for (size_t j = 0; j < m; ++j) {
            column[j] = 0;
            for (size_t k = 0; k < m; ++k)
                column[j] += inverse[i * m + k] * told[k * m + j];
        }
        for (size_t j = 0; j <= i; ++j)
            for (size_t k = 0; k < m; ++k)
                matrix[i * m + j] += column[k] * inverse[j * m + k];
        trace += matrix[i * m + i];
    }
    for (double jitter = 1e-14 * trace;; jitter *= 10) {
        memcpy(told, matrix, m * m * sizeof *told);
        for (size_t i = 0; i < m; ++i)
            told[i * m + i] += jitter;
        if (gp_factorise(told, m))
            break;
    }
    free(inverse);
    free(column);
    free(matrix);
    return told;
}

fc_gp gp_sparse_create(const gp_data *data, const gp_choice *choice, size_t most) {
    const size_t n = data->count, inputs = choice->kernel.inputs;
    most = most < n ? most : n;
    size_t *chosen = room(most, sizeof *chosen);
    double *features = room(n * most, sizeof *features), *rest = room(n, sizeof *rest);
    const size_t m = choose_points(data, &choice->kernel, most, chosen, features, rest);
    double *lower = room(m * m, sizeof *lower), *posterior = room(m * m, sizeof *posterior);
    double *weights = room(m, sizeof *weights), *inducing = room(m * inputs, sizeof *inducing);
    double *packed = room(m * (m + 1) / 2, sizeof *packed);
    for (size_t j = 0; j < m; ++j) {
        memcpy(lower + j * m, features + chosen[j] * most, (j + 1) * sizeof *lower);
        memcpy(inducing + j * inputs, data->inputs[chosen[j]], inputs * sizeof *inducing);
        posterior[j * m + j] = 1;
    }
    for (size_t i = 0; i < n; ++i) {
        const double *row = features + i * most;
        const double precision = 1 / (data->variances[i] + choice->nugget + rest[i]);
        for (size_t j = 0; j < m; ++j) {
            weights[j] += row[j] * data->values[i] * precision;
            for (size_t k = 0; k <= j; ++k)
                posterior[j * m + k] += row[j] * row[k] * precision;
        }
    }
    gp_factorise(posterior, m);
    gp_solve_lower(posterior, m, weights);
    gp_solve_upper(posterior, m, weights);
    gp_solve_upper(lower, m, weights);
    double *factor = informed_factor(lower, posterior, m);
    for (size_t j = 0, at = 0; j < m; at += ++j)
        memcpy(packed + at, factor + j * m, (j + 1) * sizeof *packed);
    free(chosen);
    free(features);
    free(rest);
    free(lower);
    free(posterior);
    free(factor);
    return (fc_gp){choice->kernel, m, inducing, weights, packed};
}

void gp_sparse_free(fc_gp *process) {
    free((void *)process->inducing);
    free((void *)process->weights);
    free((void *)process->factor);
}
