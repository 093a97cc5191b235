#include "serve/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include "serve/page_stream.h"
#include "serve/page_work.h"
#include "serve/request_guard.h"
#include "page/page_assets.h"

/* What one visitor can make the server hold: see docs/guide/page.md. */
enum { POOL_THREADS = 4, CONNECTIONS_MAX = 512, IDLE_SECONDS = 15, HEADER_BYTES = 32 * 1024 };
static const double body_seconds = 20; /* for a whole body to arrive */

typedef struct page_server {
    const server_settings *settings;
    page_guard guard;
    curve_cache *cache;
    stream_pool *streams;
    page_work *work;
    pthread_mutex_t lock; /* for what follows */
    char *start;          /* the answer to the first call, the same for all: a second's work */
} page_server;

/* A request while it arrives. */
typedef struct call {
    char *body;
    size_t length, capacity;
    double start;
    bool too_large;
    page_job *job; /* that works out the answer */
} call;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- responses ---- */

static const char *const headers[][2] = {
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' "
     "data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"X-Frame-Options", "DENY"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cache-Control", "no-store"},
};

static enum MHD_Result send_response(struct MHD_Connection *connection, unsigned status,
                                     const char *type, struct MHD_Response *response) {
    if (!response)
        return MHD_NO;
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    for (size_t i = 0; i < sizeof headers / sizeof *headers; ++i)
        MHD_add_response_header(response, headers[i][0], headers[i][1]);
    const enum MHD_Result queued = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return queued;
}

static enum MHD_Result send_sentence(struct MHD_Connection *connection, unsigned status,
                                     const char *sentence) {
    return send_response(
        connection, status, "text/plain; charset=utf-8",
        MHD_create_response_from_buffer(strlen(sentence), (void *)sentence, MHD_RESPMEM_MUST_COPY));
}

/* Takes the text over. */
static enum MHD_Result send_text(struct MHD_Connection *connection, const char *type, char *text) {
    if (!text)
        return send_sentence(connection, MHD_HTTP_SERVICE_UNAVAILABLE, "out of memory\n");
    return send_response(
        connection, MHD_HTTP_OK, type,
        MHD_create_response_from_buffer(strlen(text), text, MHD_RESPMEM_MUST_FREE));
}

/* ---- the page's own files ---- */

static const struct {
    const char *url, *path, *type;
} pages[] = {
    {"/", "src/page/assets/page.html", "text/html; charset=utf-8"},
    {"/page.css", "src/page/assets/page.css", "text/css; charset=utf-8"},
    {"/page.js", "src/page/assets/page.js", "text/javascript; charset=utf-8"},
};

static enum MHD_Result send_page(struct MHD_Connection *connection, const char *url) {
    for (size_t p = 0; p < sizeof pages / sizeof *pages; ++p) {
        if (strcmp(url, pages[p].url) != 0)
            continue;
        for (size_t i = 0; page_assets[i].path; ++i) {
            if (strcmp(page_assets[i].path, pages[p].path) == 0)
                return send_response(connection, MHD_HTTP_OK, pages[p].type,
                                     MHD_create_response_from_buffer(page_assets[i].length,
                                                                     (void *)page_assets[i].text,
                                                                     MHD_RESPMEM_PERSISTENT));
        }
    }
    return send_sentence(connection, MHD_HTTP_NOT_FOUND, "there is no such page\n");
}

/* ---- calls ---- */

static enum MHD_Result call_start(page_server *server, struct MHD_Connection *connection,
                                  page_request *request) {
    (void)request;
    pthread_mutex_lock(&server->lock);
    if (!server->start)
        server->start = answer_start(server->settings->file, server->settings->text);
    char *text = server->start ? strdup(server->start) : NULL;
    pthread_mutex_unlock(&server->lock);
    return send_text(connection, "application/json", text);
}

static fc_run_settings run_of(const page_server *server, const page_request *request) {
    return (fc_run_settings){.threads = server->settings->threads, .cancel = request->cancel};
}

static char *work_forecast(void *context, const page_request *request, bool *html) {
    const page_server *server = context;
    *html = false;
    return answer_forecast(request, server->cache);
}

static char *work_explain(void *context, const page_request *request, bool *html) {
    const page_server *server = context;
    const fc_run_settings run = run_of(server, request);
    *html = false;
    return answer_explain(request, &run);
}

static char *work_report(void *context, const page_request *request, bool *html) {
    const page_server *server = context;
    const fc_run_settings run = run_of(server, request);
    return answer_report(request, server->cache, &run, html);
}

static enum MHD_Result call_simulate(page_server *server, struct MHD_Connection *connection,
                                     page_request *request) {
    struct MHD_Response *response = stream_begin(server->streams, connection, request);
    if (!response)
        return send_sentence(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
                             "too many simulations at once; try again when one has finished\n");
    return send_response(connection, MHD_HTTP_OK, "text/event-stream", response);
}

static const struct {
    const char *url;
    /* At once; NULL: a worker does. */
    enum MHD_Result (*answer)(page_server *server, struct MHD_Connection *connection,
                              page_request *request);
    page_work_answer work;
    bool wordless; /* no body is expected */
} calls[] = {
    {"/api/start", call_start, NULL, true},        {"/api/forecast", NULL, work_forecast, false},
    {"/api/explain", NULL, work_explain, false},   {"/api/report", NULL, work_report, false},
    {"/api/simulate", call_simulate, NULL, false},
};

static enum MHD_Result answer_call(page_server *server, struct MHD_Connection *connection,
                                   const char *url, call *made) {
    for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i) {
        if (strcmp(url, calls[i].url) != 0)
            continue;
        page_request request = {0};
        char sentence[160];
        if (!calls[i].wordless &&
            !page_request_read(made->body ? made->body : "", made->length, &request, sentence))
            return send_sentence(connection, MHD_HTTP_BAD_REQUEST, sentence);
        enum MHD_Result result = MHD_YES;
        if (calls[i].answer)
            result = calls[i].answer(server, connection, &request);
        else
            made->job = page_work_add(server->work, connection, &request, calls[i].work);
        page_request_clear(&request);
        return calls[i].answer || made->job
                   ? result
                   : send_sentence(connection, MHD_HTTP_SERVICE_UNAVAILABLE, "out of memory\n");
    }
    return send_sentence(connection, MHD_HTTP_NOT_FOUND, "there is no such call\n");
}

/* What a worker has found out. */
static enum MHD_Result answer_job(struct MHD_Connection *connection, page_job *job) {
    bool html;
    char *text = page_job_take(job, &html);
    if (!page_job_was_late(job))
        return send_text(connection, html ? "text/html; charset=utf-8" : "application/json", text);
    free(text);
    return send_sentence(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
                         "this takes longer than a minute: ask flitcast predict or explain on the "
                         "command line\n");
}

/* ---- requests ---- */

/* NULL: it may pass; else why not. */
static const char *refuse(const page_server *server, struct MHD_Connection *connection,
                          const char *url) {
    const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host");
    const char *origin = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Origin");
    const char *token =
        MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "X-Flitcast-Token");
    if (!guard_accepts_host(&server->guard, host))
        return "this server answers only to the address it printed\n";
    if (!guard_accepts_origin(&server->guard, origin))
        return "this server answers only to its own page\n";
    if (strncmp(url, "/api/", 5) == 0 && !guard_accepts_token(&server->guard, token))
        return "the token is missing or wrong: open the address that flitcast serve printed\n";
    return NULL;
}

static bool take_body(call *made, const char *data, size_t size) {
    if (made->length + size > BODY_MAX) {
        made->too_large = true;
        return true; /* the rest is read and dropped, so that the answer can be given */
    }
    if (made->length + size > made->capacity) {
        const size_t capacity = 2 * (made->length + size);
        char *grown = realloc(made->body, capacity);
        if (!grown)
            return false;
        made->body = grown;
        made->capacity = capacity;
    }
    memcpy(made->body + made->length, data, size);
    made->length += size;
    return true;
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *data,
                              size_t *size, void **state) {
    (void)version;
    page_server *server = context;
    call *made = *state;
    const bool post = strcmp(method, "POST") == 0;
    if (!made) {
        *state = made = calloc(1, sizeof *made);
        if (!made)
            return MHD_NO;
        made->start = now();
        const char *reason = refuse(server, connection, url);
        if (reason)
            return send_sentence(connection, MHD_HTTP_FORBIDDEN, reason);
        return MHD_YES;
    }
    if (made->job)
        return answer_job(connection, made->job);
    if (*size) {
        if (now() - made->start > body_seconds || !take_body(made, data, *size))
            return MHD_NO;
        *size = 0;
        return MHD_YES;
    }
    if (made->too_large)
        return send_sentence(connection, MHD_HTTP_CONTENT_TOO_LARGE,
                             "the request is larger than 1 MiB\n");
    const bool api = strncmp(url, "/api/", 5) == 0;
    if (api != post || (!post && strcmp(method, "GET") != 0))
        return send_sentence(connection, MHD_HTTP_METHOD_NOT_ALLOWED,
                             api ? "calls are made by POST\n" : "pages are read by GET\n");
    return api ? answer_call(server, connection, url, made) : send_page(connection, url);
}

static void forget(void *context, struct MHD_Connection *connection, void **state,
                   enum MHD_RequestTerminationCode code) {
    (void)context;
    (void)connection;
    (void)code;
    call *made = *state;
    if (made) {
        page_job_free(made->job);
        free(made->body);
    }
    free(made);
    *state = NULL;
}

/* ---- the whole ---- */

/* A scenario that asks for more fails with "out of memory", not the machine. */
static void limit_memory(void) {
#ifndef FC_SANITIZED
    static const rlim_t memory_most = 8ULL << 30; /* bytes of address space */
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 &&
        (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > memory_most)) {
        limit.rlim_cur = memory_most;
        setrlimit(RLIMIT_AS, &limit);
    }
#endif
}

typedef union any_address {
    struct sockaddr base;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
} any_address;

static bool read_address(const server_settings *settings, any_address *address) {
    *address = (any_address){0};
    if (inet_pton(AF_INET, settings->address, &address->four.sin_addr) == 1) {
        address->four.sin_family = AF_INET;
        address->four.sin_port = htons((uint16_t)settings->port);
        return true;
    }
    address->six.sin6_family = AF_INET6;
    address->six.sin6_port = htons((uint16_t)settings->port);
    return inet_pton(AF_INET6, settings->address, &address->six.sin6_addr) == 1;
}

static struct MHD_Daemon *start_daemon(page_server *server, const any_address *address) {
    const bool six = address->base.sa_family == AF_INET6;
    return MHD_start_daemon(
        MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD | MHD_ALLOW_SUSPEND_RESUME |
            (six ? MHD_USE_IPv6 : MHD_NO_FLAG),
        (uint16_t)server->settings->port, NULL, NULL, handle, server, MHD_OPTION_SOCK_ADDR,
        &address->base, MHD_OPTION_NOTIFY_COMPLETED, forget, NULL, MHD_OPTION_THREAD_POOL_SIZE,
        (unsigned)POOL_THREADS, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS_MAX,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)HEADER_BYTES, MHD_OPTION_END);
}

static int serve_until_stopped(page_server *server, char *sentence, size_t size) {
    any_address address;
    if (!read_address(server->settings, &address)) {
        snprintf(sentence, size,
                 "'%.60s' is not an address to listen on; expected one such as "
                 "127.0.0.1 or ::1",
                 server->settings->address);
        return 2;
    }
    errno = 0;
    struct MHD_Daemon *daemon = start_daemon(server, &address);
    if (!daemon) {
        snprintf(sentence, size,
                 "cannot listen on %.60s, port %u: %s; choose another port with "
                 "--port N (0: any that is free)",
                 server->settings->address, server->settings->port,
                 errno ? strerror(errno) : "the system refuses it");
        return 1;
    }
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    server->guard.port = info ? info->port : server->settings->port;
    const char *shape = strchr(server->guard.address, ':') ? "http://[%s]:%u/?token=%s\n"
                                                           : "http://%s:%u/?token=%s\n";
    printf(shape, server->guard.address, server->guard.port, server->guard.token);
    fflush(stdout);
    while (!*server->settings->stop) {
        const struct timespec moment = {.tv_nsec = 50000000};
        nanosleep(&moment, NULL);
    }
    MHD_quiesce_daemon(daemon);
    stream_pool_close(server->streams);
    page_work_close(server->work);
    MHD_stop_daemon(daemon);
    return 0;
}

int server_run(const server_settings *settings, char *sentence, size_t size) {
    page_server server = {.settings = settings};
    limit_memory();
    snprintf(server.guard.address, sizeof server.guard.address, "%.60s", settings->address);
    if (!guard_make_token(server.guard.token)) {
        snprintf(sentence, size, "the system gave no random numbers for the token");
        return 1;
    }
    pthread_mutex_init(&server.lock, NULL);
    server.cache = curve_cache_create();
    server.work = server.cache ? page_work_create(&server) : NULL;
    if (server.work)
        server.streams = stream_pool_create(server.cache, server.work, settings->threads);
    int code = 1;
    if (server.streams)
        code = serve_until_stopped(&server, sentence, size);
    else
        snprintf(sentence, size, "out of memory");
    stream_pool_free(server.streams);
    page_work_free(server.work);
    curve_cache_free(server.cache);
    free(server.start);
    pthread_mutex_destroy(&server.lock);
    return code;
}
