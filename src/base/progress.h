/* Passes progress on to the caller's function: from one thread at a time, never backwards, a few
 * times a second at most. Safe to call from any number of threads as often as one likes. */
#ifndef FC_BASE_PROGRESS_H
#define FC_BASE_PROGRESS_H

#include <pthread.h>
#include "flitcast/flitcast.h"

typedef struct fc_progress {
    const fc_run_settings *settings; /* may be NULL, as may its progress */
    pthread_mutex_t lock;
    double reported;  /* the largest share reported so far */
    double last_time; /* seconds on the monotonic clock */
} fc_progress;

void fc_progress_start(fc_progress *progress, const fc_run_settings *settings);
void fc_progress_tell(fc_progress *progress, double done, const char *what);
/* Reports that everything is done, however little time has passed since the last call. what NULL:
 * it is not done, so nothing is reported. Call when no other thread uses it any more. */
void fc_progress_finish(fc_progress *progress, const char *what);

/* True once the caller asked to stop. settings may be NULL. */
static inline bool fc_cancelled(const fc_run_settings *settings) {
    return settings && settings->cancel && __atomic_load_n(settings->cancel, __ATOMIC_RELAXED);
}

double fc_clock_elapsed(void); /* seconds on the monotonic clock */
double fc_clock_thread(void);  /* CPU seconds of the calling thread */

#endif
