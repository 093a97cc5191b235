#include "base/gaussian_process.h"

#include <math.h>

double fc_gp_covariance(const fc_gp_kernel *kernel, const double *a, const double *b) {
    double distance = 0;
    for (size_t i = 0; i < kernel->inputs; ++i) {
        const double step = kernel->scale[i] * (a[i] - b[i]);
        distance += step * step;
    }
    const double first = a[0] * b[0], fourth = first * first * first * first;
    return (kernel->base + exp(-0.5 * distance)) *
           (kernel->growth[0] + kernel->growth[1] * first + kernel->growth[2] * fourth);
}

fc_gp_value fc_gp_predict(const fc_gp *process, const double *at) {
    double near[FC_GP_POINTS_MAX], known[FC_GP_POINTS_MAX] = {0};
    fc_gp_value value = {.prior = fc_gp_covariance(&process->kernel, at, at)};
    const double *row = process->factor;
    for (size_t j = 0; j < process->points; ++j) {
        near[j] =
            fc_gp_covariance(&process->kernel, at, process->inducing + j * process->kernel.inputs);
        value.mean += process->weights[j] * near[j];
        for (size_t i = 0; i <= j; ++i)
            known[i] += row[i] * near[j];
        row += j + 1;
    }
    double reduction = 0;
    for (size_t j = 0; j < process->points; ++j)
        reduction += known[j] * known[j];
    value.variance = fmax(0, value.prior - reduction);
    return value;
}
