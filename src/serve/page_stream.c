#include "serve/page_stream.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "page/page_simulation.h"

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
static void send_event(void *context, const char *name, json_t *tree) {
    stream *s = context;
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
    const page_simulation_settings settings = {
        .threads = s->pool->threads, .cancel = &s->cancel, .event = send_event, .event_context = s};
    page_simulate(&s->request, s->pool->cache, &settings);
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
