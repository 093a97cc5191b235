#include "page/model_curves.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double tallest = 5; /* over the latency of the empty network: where a curve ends */
static const double light = 0.01, last = 0.995; /* loads, as shares of the saturation load */
static const double seconds_most = 1; /* of a curve's points, unless that leaves fewer than */
enum { points_least = 12 };
static const double think_low = 0.1, think_high = 10; /* closed: of the present think time */

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- one curve ---- */

typedef struct tracing {
    const fc_scenario *scenario;
    const char *key;
    model_curve *curve;
    bool chosen;           /* the forecast; others are models alone */
    fc_forecast *forecast; /* made already; else NULL */
} tracing;

/* At a share of a curve's points, evenly spaced over -log(1 - load / saturation load), in which
 * curves are nearly straight; closed: over the logarithm of the think time. */
static double load_at(const tracing *t, double present, double share) {
    const double saturation = t->curve->saturation;
    if (!fc_scenario_load_key(t->scenario))
        return present * think_low * pow(think_high / think_low, share);
    if (!isfinite(saturation))
        return 2 * present * fmax(light, share);
    const double first = -log1p(-light), end = -log1p(-last);
    return -saturation * expm1(-(first + share * (end - first)));
}

/* Of a network whose points take long there are fewer, over the same range. */
static int points_within(double seconds_first) {
    const double points = seconds_most / fmax(seconds_first, 1e-6);
    return points > CURVE_POINTS   ? CURVE_POINTS
           : points < points_least ? points_least
                                   : (int)points;
}

static void draw(const tracing *t, fc_forecast *forecast, double present) {
    model_curve *curve = t->curve;
    fc_load_range range;
    if (fc_forecast_saturation(forecast, NULL, &range) == FC_OK)
        curve->saturation = range.load;
    const double start = now();
    int count = CURVE_POINTS;
    for (int i = 0; i < count; ++i) {
        const double load = load_at(t, present, (double)i / (count - 1));
        fc_forecast_point point;
        if (fc_forecast_points(forecast, &load, 1, NULL, &point) != FC_OK)
            return;
        if (i == 0)
            count = points_within(now() - start);
        if (point.outcome != FC_OUTCOME_OK || !(point.value >= 0))
            continue;
        curve->x[curve->count] = load;
        curve->y[curve->count++] = point.value;
        curve->end = load;
        if (isfinite(curve->saturation) && point.value > tallest * curve->y[0])
            return;
    }
}

static void *trace(void *context) {
    tracing *t = context;
    double present;
    fc_forecast *made = NULL;
    t->curve->saturation = NAN;
    if (fc_scenario_number(t->scenario, t->key, NULL, &present) != FC_OK || !(present > 0) ||
        (!t->forecast &&
         fc_forecast_create(t->scenario, t->chosen ? NULL : t->curve->model, NULL, &made) != FC_OK))
        return NULL;
    draw(t, t->forecast ? t->forecast : made, present);
    fc_forecast_free(made);
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

/* ---- all models ---- */

/* The first is the one that the forecast corrects. */
static void list_models(const fc_scenario *scenario, model_curves *curves) {
    for (size_t i = 0; i < fc_method_count() && curves->count < CURVES_MAX; ++i) {
        const fc_method_info *info = fc_method_at(i);
        if (info->kind != FC_MODEL || info->variant ||
            fc_method_covers(info->name, scenario, NULL) != FC_OK)
            continue;
        snprintf(curves->curve[curves->count++].model, FC_NAME_SIZE, "%s", info->name);
    }
}

void model_curves_find(const fc_scenario *scenario, fc_forecast *forecast, curve_cache *cache,
                       model_curves *curves) {
    const char *load = fc_scenario_load_key(scenario);
    char hash[17] = "";
    double present;
    *curves = (model_curves){0};
    if (!load && !fc_scenario_key_applies(scenario, "traffic.think_time"))
        return; /* work that ends */
    snprintf(curves->key, sizeof curves->key, "%s", load ? load : "traffic.think_time");
    if (fc_scenario_number(scenario, curves->key, NULL, &present) != FC_OK)
        return; /* a trace, for example */
    if (hash_without_load(scenario, curves->key, hash) && find_cached(cache, hash, curves))
        return;
    list_models(scenario, curves);
    if (!curves->count)
        return;
    snprintf(curves->metric, sizeof curves->metric, "%s", fc_scenario_main_metric(scenario));
    snprintf(curves->unit, sizeof curves->unit, "%s",
             strstr(curves->metric, "latency") ? "cycles" : "");
    tracing work[CURVES_MAX];
    pthread_t threads[CURVES_MAX];
    bool started[CURVES_MAX] = {false};
    for (size_t i = 0; i < curves->count; ++i) {
        work[i] = (tracing){scenario, curves->key, &curves->curve[i], i == 0, i ? NULL : forecast};
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
}
