/* Answers that take time, worked out beside the threads that read requests: by so many workers, one
 * answer after the other. Meanwhile the connection is suspended, so that others are served. When
 * the client has gone, or the answer takes too long, its models are told to stop. */
#ifndef SERVE_PAGE_WORK_H
#define SERVE_PAGE_WORK_H

#include <microhttpd.h>
#include <stdbool.h>
#include "page/page_request.h"

enum { WORKERS = 4, WORK_SECONDS_MAX = 60 };

typedef struct page_job page_job;
typedef struct page_work page_work;

/* The text of an answer, to be freed; NULL: out of memory. It ends soon after request->cancel is
 * nonzero. *html: what it is, JSON otherwise. */
typedef char *(*page_work_answer)(void *context, const page_request *request, bool *html);

/* NULL: out of memory, or there can be no more threads. */
page_work *page_work_create(void *context);
/* Stops all jobs and waits for them; no more are taken. Before the server is stopped. */
void page_work_close(page_work *work);
void page_work_free(page_work *work); /* accepts NULL */

/* Takes the request over on success and suspends the connection until the job is done. NULL: out of
 * memory, or the work is closed. */
page_job *page_work_add(page_work *work, struct MHD_Connection *connection, page_request *request,
                        page_work_answer answer);
/* Once the connection has been resumed: the answer, taken out of the job; NULL: there is none. */
char *page_job_take(page_job *job, bool *html);
bool page_job_was_late(const page_job *job);
void page_job_free(page_job *job);

/* Also for answers that others work out: sets *cancel to 1 when the client has gone. Until
 * unwatched, which must be before the connection ends. */
typedef struct page_watch {
    struct page_watch *next;
    struct MHD_Connection *connection;
    volatile int *cancel;
} page_watch;
void page_work_watch(page_work *work, page_watch *watch);
void page_work_unwatch(page_work *work, const page_watch *watch);

#endif
