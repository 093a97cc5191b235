#include "serve/page_stream.h"

#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "serve/page_scenario.h"

static const double precision_default = 0.02;

typedef struct stream {
    stream_pool *pool;
    struct MHD_Connection *connection;
    page_request request;
    pthread_mutex_t lock; /* for what follows */
    char *pending;        /* events not yet read */
    size_t used, capacity;
    bool suspended, finished, closed;
    volatile int cancel;
    int owners;
} stream;

struct stream_pool {
    curve_cache *cache;
    unsigned threads;
    pthread_mutex_t lock;
    pthread_cond_t left;
    stream *running[STREAMS_MAX];
};

/* ---- the browser's side ---- */

static void leave(stream *s) {
    pthread_mutex_lock(&s->lock);
    const bool last = --s->owners == 0;
    pthread_mutex_unlock(&s->lock);
    if (!last)
        return;
    pthread_mutex_destroy(&s->lock);
    page_request_clear(&s->request);
    free(s->pending);
    free(s);
}

static ssize_t read_events(void *context, uint64_t position, char *buffer, size_t most) {
    (void)position;
    stream *s = context;
    ssize_t given = 0;
    pthread_mutex_lock(&s->lock);
    if (s->used) {
        const size_t bytes = s->used < most ? s->used : most;
        memcpy(buffer, s->pending, bytes);
        memmove(s->pending, s->pending + bytes, s->used - bytes);
        s->used -= bytes;
        given = (ssize_t)bytes;
    } else if (s->finished) {
        given = MHD_CONTENT_READER_END_OF_STREAM;
    } else {
        s->suspended = true;
        MHD_suspend_connection(s->connection);
    }
    pthread_mutex_unlock(&s->lock);
    return given;
}

static void close_events(void *context) {
    stream *s = context;
    pthread_mutex_lock(&s->lock);
    s->closed = true;
    s->cancel = 1;
    pthread_mutex_unlock(&s->lock);
    leave(s);
}

/* ---- the simulation's side ---- */

static void wake(stream *s) {
    if (s->suspended) {
        s->suspended = false;
        MHD_resume_connection(s->connection);
    }
}

/* "event: NAME\ndata: JSON\n\n"; takes the tree over. Lost if out of memory or nobody reads. */
static void send_event(stream *s, const char *name, json_t *tree) {
    char *data = tree ? json_dumps(tree, JSON_COMPACT) : NULL;
    json_decref(tree);
    if (!data)
        return;
    const size_t length = strlen(name) + strlen(data) + 32;
    pthread_mutex_lock(&s->lock);
    if (s->used + length > s->capacity) {
        const size_t capacity = 2 * (s->used + length);
        char *grown = realloc(s->pending, capacity);
        if (grown) {
            s->pending = grown;
            s->capacity = capacity;
        }
    }
    if (s->used + length <= s->capacity && !s->closed)
        s->used += (size_t)snprintf(s->pending + s->used, s->capacity - s->used,
                                    "event: %s\ndata: %s\n\n", name, data);
    wake(s);
    pthread_mutex_unlock(&s->lock);
    free(data);
}

typedef struct simulated {
    stream *s;
    size_t done, planned; /* points */
} simulated;

static void report_progress(void *context, double done, const char *what) {
    const simulated *all = context;
    send_event(all->s, "progress",
               json_pack("{s:f, s:s}", "done", ((double)all->done + done) / (double)all->planned,
                         "what", what ? what : ""));
}

/* The order in which loads are simulated, as shares of the saturation load: a rough curve first. */
static const double shares[] = {0.5, 0.85, 0.2, 0.7, 0.95};
enum { POINTS = sizeof shares / sizeof *shares };

static void send_point(simulated *all, const fc_scenario *scenario, const model_curves *curves,
                       const simulated_point *points, size_t count, const fc_result *result) {
    stream *s = all->s;
    fc_plot *plot = page_plot(scenario, curves, &s->request, s->pool->cache, points, count);
    char *svg = plot ? plot_text(plot) : NULL;
    fc_plot_free(plot);
    const simulated_point *last = count ? &points[count - 1] : NULL;
    json_t *event = json_pack("{s:s, s:f}", "outcome", fc_outcome_name(result->outcome), "cycles",
                              result->run.cycles);
    if (last)
        json_object_set_new(event, "point",
                            json_pack("{s:f, s:f, s:f}", "load", last->load, "value", last->value,
                                      "half_width",
                                      isfinite(last->half_width) ? last->half_width : 0));
    if (svg)
        json_object_set_new(event, "curve", json_string(svg));
    free(svg);
    send_event(s, "point", event);
}

static bool simulate_at(simulated *all, const fc_scenario *scenario, const char *key, double load,
                        fc_error *error, fc_result **result) {
    char value[32], precision[32];
    stream *s = all->s;
    snprintf(value, sizeof value, "%.6g", load);
    snprintf(precision, sizeof precision, "%g",
             s->request.precision > 0 ? s->request.precision : precision_default);
    const fc_setting settings[] = {{"simulation.precision", precision}, {key, value}};
    fc_scenario *there;
    if (fc_scenario_with(scenario, settings, key ? 2 : 1, error, &there) != FC_OK)
        return false;
    const fc_run_settings run = {.threads = s->pool->threads,
                                 .progress = report_progress,
                                 .progress_context = all,
                                 .cancel = &s->cancel};
    const fc_status status = fc_simulate(there, &run, error, result);
    fc_scenario_free(there);
    return status == FC_OK && !s->cancel;
}

static void simulate_curve(stream *s, const fc_scenario *scenario) {
    model_curves curves;
    fc_error error = {{0}};
    double present;
    simulated all = {s, 0, POINTS};
    simulated_point points[POINTS];
    size_t count = 0;
    if (model_curves_find(scenario, s->pool->cache, &error, &curves) != FC_OK) {
        send_event(s, "failed", json_pack("{s:s}", "message", error.text));
        return;
    }
    const bool scaled = fc_scenario_number(scenario, curves.key, NULL, &present) == FC_OK;
    const double end = !curves.count || !(curves.curve[0].end > 0) ? NAN
                       : isfinite(curves.curve[0].saturation)      ? curves.curve[0].saturation
                                                                   : curves.curve[0].end;
    for (; all.done < POINTS && !s->cancel; ++all.done) {
        const double load = isfinite(end) ? shares[all.done] * end : present;
        fc_result *result;
        if (!simulate_at(&all, scenario, scaled ? curves.key : NULL, load, &error, &result)) {
            if (!s->cancel)
                send_event(s, "failed", json_pack("{s:s}", "message", error.text));
            return;
        }
        const fc_metric *metric = fc_result_metric(result, fc_scenario_main_metric(scenario));
        if (metric && isfinite(metric->value) && result->outcome == FC_OUTCOME_OK)
            points[count++] = (simulated_point){load, metric->value, metric->half_width};
        send_point(&all, scenario, &curves, points, count, result);
        fc_result_free(result);
        if (!isfinite(end))
            return;
    }
}

static void finish(stream *s) {
    stream_pool *pool = s->pool;
    pthread_mutex_lock(&s->lock);
    s->finished = true;
    wake(s);
    pthread_mutex_unlock(&s->lock);
    pthread_mutex_lock(&pool->lock);
    for (size_t i = 0; i < STREAMS_MAX; ++i) {
        if (pool->running[i] == s)
            pool->running[i] = NULL;
    }
    pthread_cond_broadcast(&pool->left);
    pthread_mutex_unlock(&pool->lock);
    leave(s);
}

static void *simulate(void *context) {
    stream *s = context;
    page_error error;
    char *yaml;
    json_t *differences;
    fc_scenario *scenario;
    if (page_scenario_read(&s->request.scenario, &error, &yaml, &differences, &scenario) == FC_OK) {
        simulate_curve(s, scenario);
        fc_scenario_free(scenario);
        free(yaml);
        json_decref(differences);
    } else {
        send_event(s, "failed", page_error_json(&error));
    }
    send_event(s, "end", json_object());
    finish(s);
    return NULL;
}

/* ---- the pool ---- */

stream_pool *stream_pool_create(curve_cache *cache, unsigned threads) {
    stream_pool *pool = calloc(1, sizeof *pool);
    if (!pool)
        return NULL;
    pool->cache = cache;
    pool->threads = threads;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->left, NULL);
    return pool;
}

static size_t count_running(const stream_pool *pool) {
    size_t count = 0;
    for (size_t i = 0; i < STREAMS_MAX; ++i)
        count += pool->running[i] != NULL;
    return count;
}

void stream_pool_close(stream_pool *pool) {
    pthread_mutex_lock(&pool->lock);
    while (count_running(pool)) {
        for (size_t i = 0; i < STREAMS_MAX; ++i) {
            if (pool->running[i])
                pool->running[i]->cancel = 1;
        }
        pthread_cond_wait(&pool->left, &pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
}

void stream_pool_free(stream_pool *pool) {
    if (!pool)
        return;
    pthread_mutex_destroy(&pool->lock);
    pthread_cond_destroy(&pool->left);
    free(pool);
}

/* Makes room for the stream among those that run; false if there is none. */
static bool enter(stream_pool *pool, stream *s) {
    bool entered = false;
    pthread_mutex_lock(&pool->lock);
    for (size_t i = 0; i < STREAMS_MAX && !entered; ++i) {
        if (!pool->running[i]) {
            pool->running[i] = s;
            entered = true;
        }
    }
    pthread_mutex_unlock(&pool->lock);
    return entered;
}

static void withdraw(stream_pool *pool, const stream *s) {
    pthread_mutex_lock(&pool->lock);
    for (size_t i = 0; i < STREAMS_MAX; ++i) {
        if (pool->running[i] == s)
            pool->running[i] = NULL;
    }
    pthread_mutex_unlock(&pool->lock);
}

struct MHD_Response *stream_begin(stream_pool *pool, struct MHD_Connection *connection,
                                  page_request *request) {
    stream *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->pool = pool;
    s->connection = connection;
    s->owners = 2;
    pthread_mutex_init(&s->lock, NULL);
    struct MHD_Response *response =
        enter(pool, s) ? MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 4096, read_events, s,
                                                           close_events)
                       : NULL;
    pthread_t thread;
    if (!response) {
        withdraw(pool, s);
        pthread_mutex_destroy(&s->lock);
        free(s);
        return NULL;
    }
    s->request = *request;
    if (pthread_create(&thread, NULL, simulate, s) != 0) {
        s->request = (page_request){0};
        withdraw(pool, s);
        s->owners = 1;
        MHD_destroy_response(response); /* the stream with it */
        return NULL;
    }
    pthread_detach(thread);
    *request = (page_request){0};
    return response;
}
