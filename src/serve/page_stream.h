/* Simulated points that arrive one after the other, as server-sent events.
 *
 * A stream has two owners: the thread that simulates, and the response that the browser reads. The
 * last one to leave frees it. When the browser closes the connection the simulation is cancelled.
 */
#ifndef SERVE_PAGE_STREAM_H
#define SERVE_PAGE_STREAM_H

#include <microhttpd.h>
#include "page/page_answer.h"
#include "serve/page_work.h"

enum { STREAMS_MAX = 4 }; /* at once */

typedef struct stream_pool stream_pool;
/* threads  of each simulation; 0: one per core */
stream_pool *stream_pool_create(curve_cache *cache, page_work *work, unsigned threads);
/* Cancels all that run and waits for them: before the server is stopped. */
void stream_pool_close(stream_pool *pool);
void stream_pool_free(stream_pool *pool);

/* Takes the request over on success. The response to queue; NULL: STREAMS_MAX are running, or out
 * of memory. */
struct MHD_Response *stream_begin(stream_pool *pool, struct MHD_Connection *connection,
                                  page_request *request);

#endif
