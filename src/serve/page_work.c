#include "serve/page_work.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

static const struct timespec between_looks = {.tv_nsec = 50000000};

struct page_job {
    page_job *next; /* in the list of all, the oldest first */
    struct MHD_Connection *connection;
    page_request request;
    page_work_answer answer;
    double start; /* seconds; 0: it waits */
    volatile int cancel;
    bool late;
    char *text;
    bool html;
};

struct page_work {
    void *context;
    pthread_mutex_t lock; /* for what follows */
    pthread_cond_t added;
    page_job *first; /* that wait or are worked on */
    page_watch *watched_others;
    bool closed;
    pthread_t workers[WORKERS], watcher;
    size_t started;
    bool watched;
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Whether the other end has been closed. What it sent stays to be read. */
static bool client_left(struct MHD_Connection *connection) {
    char byte;
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (!info)
        return false;
    const ssize_t got = recv(info->connect_fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

/* ---- jobs ---- */

void page_job_free(page_job *job) {
    if (!job)
        return;
    page_request_clear(&job->request);
    free(job->text);
    free(job);
}

char *page_job_take(page_job *job, bool *html) {
    char *text = job->text;
    *html = job->html;
    job->text = NULL;
    return text;
}

bool page_job_was_late(const page_job *job) {
    return job->late;
}

static page_job *first_waiting(const page_work *work) {
    page_job *job = work->first;
    while (job && job->start > 0)
        job = job->next;
    return job;
}

static void take_out(page_work *work, const page_job *job) {
    page_job **at = &work->first;
    while (*at != job)
        at = &(*at)->next;
    *at = job->next;
}

void page_work_watch(page_work *work, page_watch *watch) {
    pthread_mutex_lock(&work->lock);
    watch->next = work->watched_others;
    work->watched_others = watch;
    pthread_mutex_unlock(&work->lock);
}

void page_work_unwatch(page_work *work, const page_watch *watch) {
    pthread_mutex_lock(&work->lock);
    page_watch **at = &work->watched_others;
    while (*at && *at != watch)
        at = &(*at)->next;
    if (*at)
        *at = watch->next;
    pthread_mutex_unlock(&work->lock);
}

/* ---- threads ---- */

static void *work_on(void *context) {
    page_work *work = context;
    pthread_mutex_lock(&work->lock);
    for (;;) {
        page_job *job = first_waiting(work);
        if (!job && work->closed)
            break;
        if (!job) {
            pthread_cond_wait(&work->added, &work->lock);
            continue;
        }
        job->start = now();
        pthread_mutex_unlock(&work->lock);
        if (!job->cancel)
            job->text = job->answer(work->context, &job->request, &job->html);
        pthread_mutex_lock(&work->lock);
        take_out(work, job);
        MHD_resume_connection(job->connection); /* which owns the job from here on */
    }
    pthread_mutex_unlock(&work->lock);
    return NULL;
}

static void *watch(void *context) {
    page_work *work = context;
    pthread_mutex_lock(&work->lock);
    while (!work->closed || work->first) {
        for (page_job *job = work->first; job; job = job->next) {
            if (job->start > 0 && now() - job->start > WORK_SECONDS_MAX)
                job->late = true;
            if (job->late || work->closed || client_left(job->connection))
                job->cancel = 1;
        }
        for (page_watch *other = work->watched_others; other; other = other->next) {
            if (client_left(other->connection))
                *other->cancel = 1;
        }
        pthread_mutex_unlock(&work->lock);
        nanosleep(&between_looks, NULL);
        pthread_mutex_lock(&work->lock);
    }
    pthread_mutex_unlock(&work->lock);
    return NULL;
}

/* ---- the whole ---- */

page_work *page_work_create(void *context) {
    page_work *work = calloc(1, sizeof *work);
    if (!work)
        return NULL;
    work->context = context;
    pthread_mutex_init(&work->lock, NULL);
    pthread_cond_init(&work->added, NULL);
    work->watched = pthread_create(&work->watcher, NULL, watch, work) == 0;
    while (work->started < WORKERS &&
           pthread_create(&work->workers[work->started], NULL, work_on, work) == 0)
        ++work->started;
    if (work->watched && work->started)
        return work;
    page_work_free(work);
    return NULL;
}

void page_work_close(page_work *work) {
    pthread_mutex_lock(&work->lock);
    work->closed = true;
    for (page_job *job = work->first; job; job = job->next)
        job->cancel = 1;
    pthread_cond_broadcast(&work->added);
    pthread_mutex_unlock(&work->lock);
    for (size_t i = 0; i < work->started; ++i)
        pthread_join(work->workers[i], NULL);
    if (work->watched)
        pthread_join(work->watcher, NULL);
    work->started = 0;
    work->watched = false;
}

void page_work_free(page_work *work) {
    if (!work)
        return;
    page_work_close(work);
    pthread_mutex_destroy(&work->lock);
    pthread_cond_destroy(&work->added);
    free(work);
}

page_job *page_work_add(page_work *work, struct MHD_Connection *connection, page_request *request,
                        page_work_answer answer) {
    page_job *job = calloc(1, sizeof *job);
    if (!job)
        return NULL;
    job->connection = connection;
    job->answer = answer;
    pthread_mutex_lock(&work->lock);
    if (work->closed) {
        pthread_mutex_unlock(&work->lock);
        free(job);
        return NULL;
    }
    job->request = *request;
    job->request.cancel = &job->cancel;
    *request = (page_request){0};
    page_job **at = &work->first;
    while (*at)
        at = &(*at)->next;
    *at = job;
    MHD_suspend_connection(connection);
    pthread_cond_signal(&work->added);
    pthread_mutex_unlock(&work->lock);
    return job;
}
