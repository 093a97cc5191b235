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
    page_watch watch;
    int owners;
} stream;

struct stream_pool {
    curve_cache *cache;
    page_work *work;
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
    page_work_unwatch(s->pool->work, &s->watch);
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

/* A scenario while it is simulated: first at its own load, then over all loads. */
typedef struct simulation {
    stream *s;
    const fc_scenario *scenario;
    model_curves curves;
    simulated found;
    double begun, share; /* of the progress, by the part that runs */
} simulation;

static void report_progress(void *context, double done, const char *what) {
    const simulation *all = context;
    send_event(
        all->s, "progress",
        json_pack("{s:f, s:s}", "done", all->begun + all->share * done, "what", what ? what : ""));
}

static fc_run_settings settings_of(simulation *all) {
    return (fc_run_settings){.threads = all->s->pool->threads,
                             .progress = report_progress,
                             .progress_context = all,
                             .cancel = &all->s->cancel};
}

static void send_picture(simulation *all, const char *outcome) {
    stream *s = all->s;
    fc_plot *plot =
        page_plot(all->scenario, &all->curves, &s->request, s->pool->cache, &all->found);
    char *svg = plot ? plot_text(plot) : NULL;
    fc_plot_free(plot);
    json_t *points = json_array();
    for (size_t i = 0; i < all->found.count; ++i) {
        const simulated_point *point = &all->found.points[i];
        json_array_append_new(points, json_pack("{s:f, s:f, s:f}", "load", point->load, "value",
                                                point->value, "half_width", point->half_width));
    }
    json_t *event = json_pack("{s:s, s:o}", "outcome", outcome, "points", points);
    if (svg)
        json_object_set_new(event, "curve", json_string(svg));
    free(svg);
    send_event(s, "point", event);
}

static void add_point(simulated *found, double load, double value, double half_width) {
    if (found->count < CURVE_POINTS && isfinite(value))
        found->points[found->count++] =
            (simulated_point){load, value, isfinite(half_width) ? half_width : 0};
}

/* The load the page shows: within a moment. */
static fc_status simulate_here(simulation *all, double load, double precision, fc_error *error) {
    char text[32];
    snprintf(text, sizeof text, "%g", precision);
    const fc_setting setting = {"simulation.precision", text};
    const fc_run_settings run = settings_of(all);
    fc_scenario *there;
    fc_result *result;
    fc_status status = fc_scenario_with(all->scenario, &setting, 1, error, &there);
    if (status != FC_OK)
        return status;
    status = fc_simulate(there, &run, error, &result);
    fc_scenario_free(there);
    if (status != FC_OK)
        return status;
    const fc_metric *metric = fc_result_metric(result, fc_scenario_main_metric(all->scenario));
    if (metric && result->outcome == FC_OUTCOME_OK)
        add_point(&all->found, load, metric->value, metric->half_width);
    if (!all->s->cancel)
        send_picture(all, fc_outcome_name(result->outcome));
    fc_result_free(result);
    return FC_OK;
}

/* After each simulation of the curve: all that was measured, and the band between. */
static void show_curve(void *context, const fc_curve *curve) {
    simulation *all = context;
    const size_t here = all->found.count ? 1 : 0; /* the first point is the page's own */
    all->found.count = here;
    all->found.curve = curve;
    for (size_t p = 0; p < curve->point_count; ++p) {
        const fc_curve_point *point = &curve->points[p];
        if (point->simulated && point->outcome == FC_OUTCOME_OK)
            add_point(&all->found, point->load, point->measured[0].value,
                      point->measured[0].half_width);
    }
    if (!all->s->cancel)
        send_picture(all, "ok");
    all->found.curve = NULL;
}

static void simulate_all(stream *s, const fc_scenario *scenario) {
    simulation *all = calloc(1, sizeof *all);
    fc_error error = {{0}};
    if (!all)
        return;
    all->s = s;
    all->scenario = scenario;
    all->share = 0.1;
    const double precision = s->request.precision > 0 ? s->request.precision : precision_default;
    model_curves_find(scenario, NULL, s->pool->cache, &all->curves);
    double load = 0;
    const bool scaled = fc_scenario_number(scenario, all->curves.key, NULL, &load) == FC_OK;
    fc_status status = simulate_here(all, load, precision, &error);
    if (status == FC_OK && scaled && !s->cancel) {
        const fc_curve_settings curve = {
            .precision = precision, .update = show_curve, .update_context = all};
        const fc_run_settings run = settings_of(all);
        fc_curve *drawn;
        all->begun = all->share;
        all->share = 1 - all->begun;
        status = fc_curve_run(scenario, &curve, &run, &error, &drawn);
        if (status == FC_OK) {
            show_curve(all, drawn);
            fc_curve_free(drawn);
        }
    }
    if (status != FC_OK && !s->cancel)
        send_event(s, "failed", json_pack("{s:s}", "message", error.text));
    free(all);
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
        fc_scenario_set_cancel(scenario, &s->cancel);
        simulate_all(s, scenario);
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

stream_pool *stream_pool_create(curve_cache *cache, page_work *work, unsigned threads) {
    stream_pool *pool = calloc(1, sizeof *pool);
    if (!pool)
        return NULL;
    pool->cache = cache;
    pool->work = work;
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
    s->watch = (page_watch){.connection = connection, .cancel = &s->cancel};
    page_work_watch(pool->work, &s->watch);
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
