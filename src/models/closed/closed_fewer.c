#include "models/closed/closed_fewer.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"

/* Residual over the longest wait: of a solution, and of one that is good enough beside the model's
 * own error where there is no other. */
static const double exact = 1e-6, enough = 0.01;

enum { EVALUATIONS = 20 };

static double longest(const double *unknowns, size_t count) {
    double most = 1.0;
    for (size_t i = 0; i < count; ++i)
        most = fmax(most, unknowns[i]);
    return most;
}

bool fc_closed_settled(const fc_fixed_point_info *info, const double *unknowns, size_t count) {
    return info->residual <= exact * longest(unknowns, count);
}

static fc_status solve_from(fc_closed_fewer *f, const fc_fixed_point_stage *stage, double requests,
                            double *unknowns, fc_fixed_point_info *info) {
    fc_fixed_point_settings settings = fc_fixed_point_default();
    settings.stages = stage;
    settings.stage_count = 1;
    fc_closed_stations_start(f->stations, requests);
    const fc_status status =
        fc_fixed_point_solve(f->map, f->context, f->size, &settings, unknowns, info);
    info->converged = info->residual <= enough * longest(unknowns, f->size);
    return status;
}

/* Solves for a number of requests, from unknowns of fewer, or else from none: now and then the
 * iteration does not get away from waits that are too long. */
static fc_status solve_for(fc_closed_fewer *f, double requests, double *unknowns,
                           fc_fixed_point_info *info) {
    static const fc_fixed_point_stage brief = {
        .memory = 20, .mixing = 0.5, .first = 10, .iterations = 300, .patience = 100};
    static const fc_fixed_point_stage fresh = {
        .memory = 20, .mixing = 0.5, .first = 10, .iterations = 600, .patience = 150};
    fc_status status = solve_from(f, &brief, requests, unknowns, info);
    if (status != FC_OK || info->converged)
        return status;
    const uint64_t before = info->iterations;
    memset(unknowns, 0, f->size * sizeof *unknowns);
    status = solve_from(f, &fresh, requests, unknowns, info);
    info->iterations += before;
    return status;
}

fc_status fc_closed_fewer_solve(fc_closed_fewer *f, fc_fixed_point_info *info) {
    const double all = f->stations->work.outstanding;
    double *tried = fc_allocate(f->size, sizeof *tried);
    if (!tried)
        return FC_ERROR_MEMORY;
    memset(f->unknowns, 0, f->size * sizeof *tried);
    f->requests = 0.0;
    info->converged = false;
    fc_status status = FC_OK;
    for (double low = 0.0, high = all + 1.0, middle = 1.0; status == FC_OK && high - low > 1.0;
         middle = floor(0.5 * (low + high))) {
        fc_fixed_point_info solved = {0};
        memcpy(tried, f->unknowns, f->size * sizeof *tried);
        status = solve_for(f, middle, tried, &solved);
        info->iterations += solved.iterations;
        if (solved.converged) {
            low = f->requests = middle;
            memcpy(f->unknowns, tried, f->size * sizeof *tried);
            info->converged = true;
            info->residual = solved.residual;
        } else {
            high = middle;
        }
    }
    fc_closed_stations_start(f->stations, fmax(1.0, f->requests));
    for (int again = 0; again < EVALUATIONS; ++again) /* long queues of the stations fill slowly */
        f->map(f->context, f->unknowns, tried);
    fc_release(tried);
    return status;
}
