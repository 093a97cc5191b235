/* A pool of worker threads over independent jobs.
 *
 * fc_pool_run calls job(context, index) for index 0 .. count-1, each exactly once, on up to
 * `threads` threads, and returns when all are done, one failed or the run was cancelled. Which
 * thread runs which index is not determined, so a job may write only to what belongs to its index.
 */
#ifndef FC_BASE_POOL_H
#define FC_BASE_POOL_H

#include "flitcast/flitcast.h"

typedef fc_status (*fc_job)(void *context, size_t index);

/* settings (may be NULL) gives threads, progress (called with the share of jobs finished and what)
 * and cancel. Returns the status of the failing job of lowest index, FC_ERROR_CANCELLED if jobs
 * were left out, else FC_OK. */
fc_status fc_pool_run(const fc_run_settings *settings, const char *what, size_t count, fc_job job,
                      void *context);
unsigned fc_pool_threads(const fc_run_settings *settings); /* how many threads it would use */

#endif
