#include "serve/model_curves.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* How the end of a curve is approached: see climb. */
static const double step = 1.6, growth = 1.6, tallest = 5, end_width = 0.015, tiny = 0.01;
enum { STEPS_MAX = 40, CLIMBS_MAX = 30, EVEN_POINTS = 12 };
static const double seconds_most = 1;
static const double think_low = 0.1, think_high = 10; /* closed: of the present think time */

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- one curve ---- */

typedef struct tracing {
    const fc_scenario *scenario;
    const char *key, *metric;
    model_curve *curve;
    double start;
    bool chosen; /* by predict, which calibrates it */
} tracing;

static void keep(model_curve *curve, double x, double y) {
    if (curve->count == CURVE_POINTS)
        return;
    size_t at = curve->count++;
    for (; at > 0 && curve->x[at - 1] > x; --at) {
        curve->x[at] = curve->x[at - 1];
        curve->y[at] = curve->y[at - 1];
    }
    curve->x[at] = x;
    curve->y[at] = y;
}

/* Whether the model has an answer at that load; it is kept. */
static bool solve_at(const tracing *t, double load) {
    char value[32];
    snprintf(value, sizeof value, "%.9g", load);
    const fc_setting setting = {t->key, value};
    fc_scenario *there;
    fc_result *result;
    if (fc_scenario_with(t->scenario, &setting, 1, NULL, &there) != FC_OK)
        return false;
    const fc_status status = fc_predict(there, t->chosen ? NULL : t->curve->model, NULL, &result);
    fc_scenario_free(there);
    if (status != FC_OK)
        return false;
    const fc_metric *metric = fc_result_metric(result, t->metric);
    const fc_metric *carried = fc_result_metric(result, "throughput");
    if (result->outcome == FC_OUTCOME_SATURATED && carried) /* all that it can carry */
        t->curve->saturation = carried->value;
    const bool solved =
        result->outcome == FC_OUTCOME_OK && metric && isfinite(metric->value) && metric->value >= 0;
    if (solved)
        keep(t->curve, load, metric->value);
    fc_result_free(result);
    return solved;
}

static bool has_time(const tracing *t) {
    return now() - t->start < seconds_most;
}

static void trace_closed(const tracing *t, double present) {
    const double ratio = think_high / think_low;
    for (int i = 0; i <= EVEN_POINTS && has_time(t); ++i)
        solve_at(t, present * think_low * pow(ratio, (double)i / EVEN_POINTS));
    t->curve->end = present * think_high;
}

/* By how much the load may grow for the wait to grow by `growth`, by the last two points; half of
 * that, since the curve bends upwards. */
static double careful_step(const model_curve *curve) {
    const size_t n = curve->count;
    const double zero = curve->y[0], wait1 = curve->y[n - 2] - zero, wait2 = curve->y[n - 1] - zero;
    if (n < 3 || !(wait1 > 0) || !(wait2 > wait1))
        return INFINITY;
    const double slope = log(wait2 / wait1) / (curve->x[n - 1] - curve->x[n - 2]);
    return 0.5 * log(growth) / slope;
}

/* Upwards from a load that has an answer until the curve leaves the picture. Answers beyond
 * saturation take much longer than those below it, so the end is approached carefully. */
static double climb(const tracing *t, double low) {
    const model_curve *curve = t->curve;
    double high = INFINITY;
    for (int i = 0; i < CLIMBS_MAX && has_time(t); ++i) {
        if (curve->y[curve->count - 1] > tallest * curve->y[0])
            break;
        const double next = fmin(fmin(low + careful_step(curve), step * low), 0.5 * (low + high));
        if (!(next > low * (1 + end_width)))
            break;
        if (solve_at(t, next))
            low = next;
        else
            high = next;
    }
    return low;
}

static void trace_open(const tracing *t, double present) {
    double low = present;
    solve_at(t, tiny * present); /* what the latency grows from */
    for (int i = 0; i < STEPS_MAX && has_time(t) && !solve_at(t, low); ++i)
        low = isfinite(t->curve->saturation) ? 0.9 * t->curve->saturation : low / step;
    if (t->curve->count < 2)
        return;
    low = climb(t, low);
    t->curve->end = low;
    for (int i = 0; i < EVEN_POINTS && has_time(t); ++i)
        solve_at(t, low * (i + 0.5) / EVEN_POINTS);
}

static void *trace(void *context) {
    tracing *t = context;
    double present;
    t->curve->saturation = NAN;
    if (fc_scenario_number(t->scenario, t->key, NULL, &present) != FC_OK || !(present > 0))
        return NULL;
    t->start = now();
    if (fc_scenario_load_key(t->scenario))
        trace_open(t, present);
    else
        trace_closed(t, present);
    return NULL;
}

/* ---- curves that were drawn before ---- */

enum { CACHED = 48 };

typedef struct cached_curves {
    char hash[17];
    model_curves curves;
} cached_curves;

struct curve_cache {
    pthread_mutex_t lock;
    size_t next;
    cached_curves entries[CACHED];
};

curve_cache *curve_cache_create(void) {
    curve_cache *cache = calloc(1, sizeof *cache);
    if (cache)
        pthread_mutex_init(&cache->lock, NULL);
    return cache;
}

void curve_cache_free(curve_cache *cache) {
    if (cache)
        pthread_mutex_destroy(&cache->lock);
    free(cache);
}

static bool find_cached(curve_cache *cache, const char *hash, model_curves *curves) {
    bool found = false;
    pthread_mutex_lock(&cache->lock);
    for (size_t i = 0; i < CACHED && !found; ++i) {
        found = strcmp(cache->entries[i].hash, hash) == 0;
        if (found)
            *curves = cache->entries[i].curves;
    }
    pthread_mutex_unlock(&cache->lock);
    return found;
}

static void put_in_cache(curve_cache *cache, const char *hash, const model_curves *curves) {
    pthread_mutex_lock(&cache->lock);
    cached_curves *entry = &cache->entries[cache->next++ % CACHED];
    memcpy(entry->hash, hash, sizeof entry->hash);
    entry->curves = *curves;
    pthread_mutex_unlock(&cache->lock);
}

/* The hash of the scenario with a fixed load: the same for all loads. */
static bool hash_without_load(const fc_scenario *scenario, const char *key, char hash[17]) {
    const fc_setting setting = {key, fc_scenario_load_key(scenario) ? "0.0001" : "1"};
    fc_scenario *fixed;
    if (fc_scenario_with(scenario, &setting, 1, NULL, &fixed) != FC_OK)
        return false;
    memcpy(hash, fc_scenario_hash(fixed), 17);
    fc_scenario_free(fixed);
    return true;
}

void curve_cache_saturation(curve_cache *cache, const fc_scenario *scenario, const char *model,
                            double load) {
    char hash[17];
    const char *key = fc_scenario_load_key(scenario);
    if (!key || !hash_without_load(scenario, key, hash))
        return;
    pthread_mutex_lock(&cache->lock);
    for (size_t i = 0; i < CACHED; ++i) {
        model_curves *curves = &cache->entries[i].curves;
        for (size_t c = 0; strcmp(cache->entries[i].hash, hash) == 0 && c < curves->count; ++c) {
            if (strcmp(curves->curve[c].model, model) == 0)
                curves->curve[c].saturation = load;
        }
    }
    pthread_mutex_unlock(&cache->lock);
}

/* ---- all models ---- */

static void list_models(const fc_scenario *scenario, model_curves *curves) {
    for (size_t i = 0; i < fc_method_count() && curves->count < CURVES_MAX; ++i) {
        const fc_method_info *info = fc_method_at(i);
        if (info->kind != FC_MODEL || info->variant ||
            fc_method_covers(info->name, scenario, NULL) != FC_OK)
            continue;
        snprintf(curves->curve[curves->count++].model, FC_NAME_SIZE, "%s", info->name);
    }
}

static void put_first(model_curves *curves, const char *model) {
    for (size_t i = 1; i < curves->count; ++i) {
        if (strcmp(curves->curve[i].model, model) == 0) {
            const model_curve best = curves->curve[i];
            memmove(&curves->curve[1], &curves->curve[0], i * sizeof best);
            curves->curve[0] = best;
        }
    }
}

fc_status model_curves_find(const fc_scenario *scenario, curve_cache *cache, fc_error *error,
                            model_curves *curves) {
    const char *load = fc_scenario_load_key(scenario);
    char hash[17] = "";
    double present;
    *curves = (model_curves){0};
    if (!load && !fc_scenario_key_applies(scenario, "traffic.think_time"))
        return FC_OK; /* work that ends */
    snprintf(curves->key, sizeof curves->key, "%s", load ? load : "traffic.think_time");
    if (fc_scenario_number(scenario, curves->key, NULL, &present) != FC_OK)
        return FC_OK; /* a trace, for example */
    if (hash_without_load(scenario, curves->key, hash) && find_cached(cache, hash, curves))
        return FC_OK;
    fc_result *best;
    const fc_status status = fc_predict(scenario, NULL, error, &best);
    if (status == FC_ERROR_UNSUPPORTED)
        return FC_OK;
    if (status != FC_OK)
        return status;
    snprintf(curves->metric, sizeof curves->metric, "%s", fc_scenario_main_metric(scenario));
    const fc_metric *metric = fc_result_metric(best, curves->metric);
    snprintf(curves->unit, sizeof curves->unit, "%s",
             metric ? metric->unit : (strstr(curves->metric, "latency") ? "cycles" : ""));
    list_models(scenario, curves);
    put_first(curves, best->method);
    fc_result_free(best);
    tracing work[CURVES_MAX];
    pthread_t threads[CURVES_MAX];
    bool started[CURVES_MAX] = {false};
    for (size_t i = 0; i < curves->count; ++i) {
        work[i] = (tracing){scenario, curves->key, curves->metric, &curves->curve[i], 0, i == 0};
        started[i] =
            i + 1 < curves->count && pthread_create(&threads[i], NULL, trace, &work[i]) == 0;
        if (!started[i])
            trace(&work[i]);
    }
    for (size_t i = 0; i < curves->count; ++i) {
        if (started[i])
            pthread_join(threads[i], NULL);
    }
    if (hash[0] && !fc_scenario_is_cancelled(scenario))
        put_in_cache(cache, hash, curves);
    return FC_OK;
}
