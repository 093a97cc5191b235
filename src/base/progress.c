#include "base/progress.h"

#include <time.h>

static const double seconds_between_calls = 0.1;

static double read_clock(clockid_t id) {
    struct timespec now;
    if (clock_gettime(id, &now) != 0)
        return 0;
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double fc_clock_elapsed(void) {
    return read_clock(CLOCK_MONOTONIC);
}

double fc_clock_thread(void) {
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

void fc_progress_start(fc_progress *progress, const fc_run_settings *settings) {
    progress->settings = settings;
    progress->reported = 0;
    progress->last_time = 0;
    pthread_mutex_init(&progress->lock, NULL);
}

void fc_progress_tell(fc_progress *progress, double done, const char *what) {
    if (!progress->settings || !progress->settings->progress)
        return;
    /* Another thread is telling: what this one has to say is no newer. */
    if (pthread_mutex_trylock(&progress->lock) != 0)
        return;
    const double now = fc_clock_elapsed();
    if (now - progress->last_time >= seconds_between_calls) {
        progress->last_time = now;
        if (done > progress->reported)
            progress->reported = done < 1 ? done : 1;
        progress->settings->progress(progress->settings->progress_context, progress->reported,
                                     what);
    }
    pthread_mutex_unlock(&progress->lock);
}

void fc_progress_finish(fc_progress *progress, const char *what) {
    if (what && progress->settings && progress->settings->progress)
        progress->settings->progress(progress->settings->progress_context, 1, what);
    pthread_mutex_destroy(&progress->lock);
}
