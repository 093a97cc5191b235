/* Anderson acceleration: with f_n = G(x_n) - x_n, choose the combination of the last m steps that
 * makes the residual smallest,
 *
 *     minimise | f_n - dF y |,   x_{n+1} = x_n + b f_n - (dX + b dF) y,
 *
 * dX and dF holding the differences of successive x and f. Chosen because one evaluation of the
 * models' maps costs far more than the least-squares problem of twenty columns, and because plain
 * damping needs hundreds of steps near saturation. The columns are scaled to unit length and the
 * normal equations are slightly regularised; the step is then limited component by component,
 * which also keeps the iterates positive. */
#include "queueing/fixed_point.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"

/* The acceleration starts when plain steps have brought the residual down to this share of its
 * largest value (or five times `first` steps are done): differences taken while the iterates still
 * fly about mislead it for a long time. */
static const double SETTLED = 0.01;

typedef struct history {
    size_t size, memory, count, next;
    double *dx[FC_FIXED_POINT_MEMORY]; /* scaled so that |df| = 1 */
    double *df[FC_FIXED_POINT_MEMORY];
} history;

typedef struct solver {
    size_t size;
    double *x, *image, *residual;
    double *last_x, *last_residual;
    double *step;
    double *best;
    double best_relative, best_residual;
    history past;
    double *block;
} solver;

fc_fixed_point_settings fc_fixed_point_default(void) {
    static const fc_fixed_point_stage stages[] = {
        {.memory = 20, .mixing = 0.5, .first = 10, .iterations = 600, .patience = 150},
        {.memory = 20, .mixing = 0.8, .first = 10, .iterations = 450, .patience = 150},
        {.memory = 0, .mixing = 0.03, .iterations = 600, .patience = 150},
    };
    return (fc_fixed_point_settings){.stages = stages,
                                     .stage_count = sizeof stages / sizeof stages[0],
                                     .tolerance = 1e-7,
                                     .shrink = 0.5,
                                     .grow = 1.5,
                                     .slack = 0.05};
}

/* The largest |image - x|, or infinity if any of them is not finite; keeps the best iterate. */
static double measure(solver *s) {
    double largest = 0.0, sum = 0.0, size = 0.0;
    for (size_t i = 0; i < s->size; ++i) {
        s->residual[i] = s->image[i] - s->x[i];
        const double magnitude = fabs(s->residual[i]);
        if (!(magnitude <= largest))
            largest = magnitude;
        if (!isfinite(magnitude))
            return INFINITY;
        sum += magnitude;
        size += fabs(s->x[i]);
    }
    if (sum <= s->best_relative * size) {
        s->best_relative = size > 0.0 ? sum / size : 0.0;
        s->best_residual = largest;
        memcpy(s->best, s->x, s->size * sizeof *s->x);
    }
    return largest;
}

static void remember(solver *s) {
    history *past = &s->past;
    double length = 0.0;
    for (size_t i = 0; i < s->size; ++i) {
        const double difference = s->residual[i] - s->last_residual[i];
        length += difference * difference;
    }
    if (!(length > 0.0) || !isfinite(length))
        return;
    const double scale = 1.0 / sqrt(length);
    double *dx = past->dx[past->next], *df = past->df[past->next];
    for (size_t i = 0; i < s->size; ++i) {
        dx[i] = (s->x[i] - s->last_x[i]) * scale;
        df[i] = (s->residual[i] - s->last_residual[i]) * scale;
    }
    past->next = (past->next + 1) % past->memory;
    if (past->count < past->memory)
        ++past->count;
}

/* Cholesky of the regularised normal equations; false if they are not positive definite. */
static bool least_squares(const solver *s, double *y) {
    const history *past = &s->past;
    const size_t m = past->count;
    double a[FC_FIXED_POINT_MEMORY][FC_FIXED_POINT_MEMORY];
    for (size_t i = 0; i < m; ++i) {
        for (size_t j = 0; j <= i; ++j) {
            double sum = 0.0;
            for (size_t n = 0; n < s->size; ++n)
                sum += past->df[i][n] * past->df[j][n];
            a[i][j] = sum;
        }
        a[i][i] += 1e-10;
        double sum = 0.0;
        for (size_t n = 0; n < s->size; ++n)
            sum += past->df[i][n] * s->residual[n];
        y[i] = sum;
    }
    for (size_t i = 0; i < m; ++i) {
        for (size_t j = 0; j <= i; ++j) {
            double sum = a[i][j];
            for (size_t n = 0; n < j; ++n)
                sum -= a[i][n] * a[j][n];
            if (i == j) {
                if (!(sum > 0.0))
                    return false;
                a[i][i] = sqrt(sum);
            } else {
                a[i][j] = sum / a[j][j];
            }
        }
        for (size_t n = 0; n < i; ++n)
            y[i] -= a[i][n] * y[n];
        y[i] /= a[i][i];
    }
    for (size_t i = m; i-- > 0;) {
        for (size_t n = i + 1; n < m; ++n)
            y[i] -= a[n][i] * y[n];
        y[i] /= a[i][i];
    }
    return true;
}

static void propose(solver *s, double mixing, bool accelerate) {
    for (size_t i = 0; i < s->size; ++i)
        s->step[i] = mixing * s->residual[i];
    double y[FC_FIXED_POINT_MEMORY];
    if (!accelerate || s->past.count == 0 || !least_squares(s, y))
        return;
    for (size_t j = 0; j < s->past.count; ++j) {
        const double *dx = s->past.dx[j], *df = s->past.df[j];
        for (size_t i = 0; i < s->size; ++i)
            s->step[i] -= (dx[i] + mixing * df[i]) * y[j];
    }
}

static void move(solver *s, const fc_fixed_point_settings *settings) {
    memcpy(s->last_x, s->x, s->size * sizeof *s->x);
    memcpy(s->last_residual, s->residual, s->size * sizeof *s->x);
    for (size_t i = 0; i < s->size; ++i) {
        const double x = s->x[i];
        const double low = settings->shrink * x, high = settings->grow * x + settings->slack;
        const double to = x + s->step[i];
        s->x[i] = to > low ? (to < high ? to : high) : low;
    }
}

static void run_stage(solver *s, fc_fixed_point_map map, void *context,
                      const fc_fixed_point_settings *settings, const fc_fixed_point_stage *stage,
                      fc_fixed_point_info *info) {
    s->past.memory = stage->memory;
    s->past.count = 0;
    s->past.next = 0;
    bool fresh = true; /* no previous point of this stage to take a difference with */
    bool accelerate = false;
    double peak = 0.0;
    double least = INFINITY, mark = INFINITY; /* of the present and the previous window */
    for (size_t n = 0; n < stage->iterations; ++n) {
        map(context, s->x, s->image);
        ++info->iterations;
        const double residual = measure(s);
        if (residual <= settings->tolerance) {
            memcpy(s->best, s->x, s->size * sizeof *s->x);
            s->best_residual = residual;
            info->converged = true;
            return;
        }
        least = residual < least ? residual : least;
        if (stage->patience && n % stage->patience == stage->patience - 1) {
            if (least > 0.9 * mark)
                return;
            mark = least;
            least = INFINITY;
        }
        if (!isfinite(residual)) {
            if (fresh)
                return;
            for (size_t i = 0; i < s->size; ++i)
                s->x[i] = 0.5 * (s->x[i] + s->last_x[i]);
            s->past.count = 0;
            continue;
        }
        if (!fresh && stage->memory > 0)
            remember(s);
        peak = residual > peak ? residual : peak;
        if (!accelerate)
            accelerate = n >= stage->first && (residual < SETTLED * peak || n >= 5 * stage->first);
        propose(s, stage->mixing, accelerate);
        move(s, settings);
        fresh = false;
    }
}

static fc_status prepare(solver *s, size_t size, const fc_fixed_point_settings *settings) {
    size_t memory = 0;
    for (size_t i = 0; i < settings->stage_count; ++i) {
        if (settings->stages[i].memory > memory)
            memory = settings->stages[i].memory;
    }
    if (memory > FC_FIXED_POINT_MEMORY)
        return FC_ERROR_ARGUMENT;
    s->size = size;
    s->block = fc_allocate((size > 0 ? size : 1) * (6 + 2 * memory), sizeof *s->block);
    if (!s->block)
        return FC_ERROR_MEMORY;
    double *next = s->block;
    double **parts[] = {&s->image, &s->residual, &s->last_x, &s->last_residual, &s->step, &s->best};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; ++i, next += size)
        *parts[i] = next;
    for (size_t i = 0; i < memory; ++i, next += 2 * size) {
        s->past.dx[i] = next;
        s->past.df[i] = next + size;
    }
    return FC_OK;
}

fc_status fc_fixed_point_solve(fc_fixed_point_map map, void *context, size_t size,
                               const fc_fixed_point_settings *settings, double *x,
                               fc_fixed_point_info *info) {
    solver s = {.x = x, .best_relative = INFINITY, .best_residual = INFINITY};
    const fc_status status = prepare(&s, size, settings);
    if (status != FC_OK)
        return status;
    *info = (fc_fixed_point_info){.residual = INFINITY};
    memcpy(s.best, x, size * sizeof *x);
    for (size_t i = 0; i < settings->stage_count && !info->converged; ++i) {
        run_stage(&s, map, context, settings, &settings->stages[i], info);
        memcpy(x, s.best, size * sizeof *x);
    }
    info->residual = s.best_residual;
    fc_release(s.block);
    return FC_OK;
}
