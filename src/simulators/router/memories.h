/* The memories of nodes: queues with a bandwidth, where requests wait for their turn. A memory
 * takes a request when it has been busy with the one before for its memory_busy cycles; the reply
 * can be sent memory_reply cycles after that.
 *
 * What waits are the records of the replies. Requests without memory_busy are taken at once. */
#ifndef FC_SIMULATORS_ROUTER_MEMORIES_H
#define FC_SIMULATORS_ROUTER_MEMORIES_H

#include "simulators/calendar.h"
#include "simulators/router/router.h"

typedef struct fc_memory {
    uint32_t first, last; /* replies whose requests wait */
    uint64_t free;        /* cycle from which it takes the next */
} fc_memory;

typedef struct fc_memories {
    fc_memory *memory; /* nodes; NULL: every request is taken at once */
    uint64_t *due;     /* a bit for each node whose memory takes a request now */
    uint32_t nodes;
    fc_calendar turns; /* nodes with requests that wait: when the memory is free */
} fc_memories;

/* Whether requests of some class wait for memories. */
bool fc_memories_needed(const fc_classes *classes);
fc_status fc_memories_create(uint32_t nodes, fc_error *error, fc_memories *memories);
void fc_memories_free(fc_memories *memories);

/* A request has come to a node at cycle `now`: true if its memory takes it at once. If not, its
 * reply waits. busy: cycles. */
bool fc_memories_take(fc_memories *memories, fc_router *engine, uint32_t node, uint32_t reply,
                      uint64_t busy);
/* The first cycle in which a memory takes a request that waits; UINT64_MAX: none waits. */
static inline uint64_t fc_memories_next(const fc_memories *memories) {
    return memories->memory ? fc_calendar_earliest(&memories->turns) : UINT64_MAX;
}
/* Of the memories that take a request now, each call the next one: its reply; FC_NONE: there is
 * none left. */
uint32_t fc_memories_turn(fc_memories *memories, fc_router *engine);

#endif
