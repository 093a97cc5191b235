/* A scenario simulated while somebody looks on: events with what was found so far.
 *
 *   progress  {"done": 0 to 1, "what": ...}
 *   point     {"outcome": ..., "points": [{"load", "value", "half_width"}], "curve": SVG}
 *   failed    an error, as page_error_json has it
 *   end       {} */
#ifndef PAGE_SIMULATION_H
#define PAGE_SIMULATION_H

#include <jansson.h>
#include "page/page_answer.h"

typedef struct page_simulation_settings {
    unsigned threads; /* 0: one per core */
    const volatile int *cancel;
    /* Takes the tree over; called by one thread at a time. */
    void (*event)(void *context, const char *name, json_t *tree);
    void *event_context;
} page_simulation_settings;

/* First the load that the request has, then the curve over all loads. The last event is "end". */
void page_simulate(const page_request *request, curve_cache *cache,
                   const page_simulation_settings *settings);

#endif
