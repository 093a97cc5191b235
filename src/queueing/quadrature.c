/* The nodes are the eigenvalues of the Jacobi matrix whose entries the Stieltjes procedure takes
 * from the points; the weights are the squared first components of its eigenvectors. The matrix is
 * at most 8 x 8, so plain Jacobi rotations find them. */
#include "queueing/quadrature.h"

#include <math.h>

enum { SIZE = FC_QUADRATURE_MAX };

static int merge_equal(double *values, double *weights, int count) {
    int kept = 0;
    for (int i = 0; i < count; ++i) {
        int j = 0;
        while (j < kept && fabs(values[j] - values[i]) > 1e-12)
            ++j;
        if (j == kept) {
            values[kept] = values[i];
            weights[kept++] = weights[i];
        } else {
            weights[j] += weights[i];
        }
    }
    return kept;
}

/* Recurrence coefficients of the polynomials orthogonal over the points, into a matrix of zeros. */
static void stieltjes(const double *values, const double *weights, int count, int nodes,
                      double (*matrix)[SIZE]) {
    double norm_before = 1.0, alpha[SIZE], beta[SIZE];
    for (int j = 0; j < nodes; ++j) {
        double norm = 0.0, moment = 0.0;
        for (int i = 0; i < count; ++i) {
            double p = 1.0, before = 0.0; /* p_j at the point, by its recurrence */
            for (int step = 0; step < j; ++step) {
                const double next = (values[i] - alpha[step]) * p - beta[step] * before;
                before = p;
                p = next;
            }
            norm += weights[i] * p * p;
            moment += weights[i] * values[i] * p * p;
        }
        alpha[j] = moment / norm;
        beta[j] = j > 0 ? norm / norm_before : 0.0;
        norm_before = norm;
    }
    for (int i = 0; i < nodes; ++i) {
        matrix[i][i] = alpha[i];
        if (i > 0)
            matrix[i][i - 1] = matrix[i - 1][i] = sqrt(beta[i]);
    }
}

static void rotate(double (*matrix)[SIZE], double (*vectors)[SIZE], int nodes, int p, int q) {
    if (matrix[p][q] == 0.0)
        return;
    const double theta = (matrix[q][q] - matrix[p][p]) / (2.0 * matrix[p][q]);
    const double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int i = 0; i < nodes; ++i) {
        const double a = matrix[i][p], b = matrix[i][q];
        matrix[i][p] = c * a - s * b;
        matrix[i][q] = s * a + c * b;
    }
    for (int i = 0; i < nodes; ++i) {
        const double a = matrix[p][i], b = matrix[q][i];
        matrix[p][i] = c * a - s * b;
        matrix[q][i] = s * a + c * b;
        const double v = vectors[i][p], w = vectors[i][q];
        vectors[i][p] = c * v - s * w;
        vectors[i][q] = s * v + c * w;
    }
}

int fc_quadrature_reduce(double *values, double *weights, int count, int nodes) {
    count = merge_equal(values, weights, count);
    if (count <= nodes)
        return count;
    double matrix[SIZE][SIZE] = {{0.0}}, vectors[SIZE][SIZE] = {{0.0}}, total = 0.0;
    stieltjes(values, weights, count, nodes, matrix);
    for (int i = 0; i < count; ++i)
        total += weights[i];
    for (int i = 0; i < nodes; ++i)
        vectors[i][i] = 1.0;
    for (int sweep = 0; sweep < 12; ++sweep) /* converges quadratically */
        for (int p = 0; p < nodes; ++p)
            for (int q = p + 1; q < nodes; ++q)
                rotate(matrix, vectors, nodes, p, q);
    for (int i = 0; i < nodes; ++i) {
        values[i] = matrix[i][i];
        weights[i] = total * vectors[0][i] * vectors[0][i];
    }
    return nodes;
}
