#include "base/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>
#include "base/c_locale.h"
#include "base/progress.h"

enum { THREADS_MOST = 256 };

typedef struct pool {
    const fc_run_settings *settings;
    const char *what;
    size_t count;
    fc_job job;
    void *context;
    fc_progress progress;
    atomic_size_t next;     /* the index to hand out next */
    atomic_size_t finished; /* jobs that returned FC_OK */
    atomic_bool failed;
    pthread_mutex_t lock; /* of the two below */
    size_t failed_index;  /* the lowest that failed */
    fc_status status;
} pool;

static void remember_failure(pool *p, size_t index, fc_status status) {
    pthread_mutex_lock(&p->lock);
    if (p->status == FC_OK || index < p->failed_index) {
        p->failed_index = index;
        p->status = status;
    }
    pthread_mutex_unlock(&p->lock);
    atomic_store(&p->failed, true);
}

/* Indices are handed out in order, so every job below a failing one has been started and the
 * lowest failure does not depend on the number of threads. */
static void *work(void *argument) {
    FC_IN_C_LOCALE;
    pool *p = argument;
    while (!atomic_load(&p->failed) && !fc_cancelled(p->settings)) {
        const size_t index = atomic_fetch_add(&p->next, 1);
        if (index >= p->count)
            break;
        const fc_status status = p->job(p->context, index);
        if (status != FC_OK) {
            remember_failure(p, index, status);
            break;
        }
        const size_t finished = atomic_fetch_add(&p->finished, 1) + 1;
        fc_progress_tell(&p->progress, (double)finished / (double)p->count, p->what);
    }
    return NULL;
}

unsigned fc_pool_threads(const fc_run_settings *settings) {
    if (settings && settings->threads)
        return settings->threads < THREADS_MOST ? settings->threads : THREADS_MOST;
    int count = 0;
#ifdef __linux__
    cpu_set_t cores; /* those this process may use, which can be fewer than there are */
    count = sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 0;
#endif
    if (count < 1)
        count = (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (count < 1)
        return 1;
    return count < THREADS_MOST ? (unsigned)count : THREADS_MOST;
}

fc_status fc_pool_run(const fc_run_settings *settings, const char *what, size_t count, fc_job job,
                      void *context) {
    pool p = {.settings = settings, .what = what, .count = count, .job = job, .context = context};
    atomic_init(&p.next, 0);
    atomic_init(&p.finished, 0);
    atomic_init(&p.failed, false);
    pthread_mutex_init(&p.lock, NULL);
    fc_progress_start(&p.progress, settings);

    size_t threads = fc_pool_threads(settings);
    if (threads > count)
        threads = count;
    pthread_t helpers[THREADS_MOST];
    size_t started = 0; /* beside the calling thread, which works too */
    while (started + 1 < threads && pthread_create(&helpers[started], NULL, work, &p) == 0)
        ++started;
    work(&p);
    for (size_t helper = 0; helper < started; ++helper)
        pthread_join(helpers[helper], NULL);

    pthread_mutex_destroy(&p.lock);
    const bool complete = atomic_load(&p.finished) == count;
    fc_progress_finish(&p.progress, complete ? what : NULL);
    if (p.status != FC_OK)
        return p.status;
    return complete ? FC_OK : FC_ERROR_CANCELLED;
}
