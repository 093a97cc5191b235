/* What nodes have to send, in the order in which it became due, and which nodes have got something
 * since they were last asked for. */
#ifndef FC_WORKLOADS_OUTBOX_H
#define FC_WORKLOADS_OUTBOX_H

#include "base/free_list.h"
#include "base/status.h"

/* Messages of one task, or one message of a file, not all sent yet. */
typedef struct fc_burst {
    uint64_t due;
    uint64_t left;              /* flits of the message being sent */
    uint32_t phase, rank, task; /* of a file: task is the number of the message */
    uint32_t first_task;        /* number of the phase's task 0 */
    uint32_t i, sends;
    uint32_t destination, tag;
    uint32_t before;  /* of the chains: the message whose arrival let it be sent */
    uint32_t message; /* the one being sent */
    bool begun;
    uint32_t next;
} fc_burst;

typedef struct fc_outbox {
    fc_burst *bursts;
    fc_free_list free;
    uint32_t *first, *last; /* nodes: bursts; UINT32_MAX: none */
    uint32_t *waking;       /* nodes that have got something to send, in order */
    size_t waking_first, waking_end, waking_room;
    uint8_t *listed; /* nodes: it is in that list */
    bool each;       /* a node is listed once for each burst, not once for all */
    bool failed;     /* there was no memory */
} fc_outbox;

/* False if there is no memory; free it in any case. */
bool fc_outbox_make(fc_outbox *outbox, uint32_t nodes, bool each);
void fc_outbox_free(fc_outbox *outbox);
void fc_outbox_add(fc_outbox *outbox, uint32_t node, const fc_burst *made);
/* A node that has got something since the last time; UINT32_MAX: no more. */
uint32_t fc_outbox_waking(fc_outbox *outbox);

static inline bool fc_outbox_wakes(const fc_outbox *outbox) {
    return outbox->waking_first < outbox->waking_end;
}

/* What a node sends next; NULL: nothing. */
static inline fc_burst *fc_outbox_front(const fc_outbox *outbox, uint32_t node) {
    return outbox->first[node] == UINT32_MAX ? NULL : &outbox->bursts[outbox->first[node]];
}

/* It has been sent. */
static inline void fc_outbox_pop(fc_outbox *outbox, uint32_t node) {
    const uint32_t number = outbox->first[node];
    outbox->first[node] = outbox->bursts[number].next;
    fc_free_list_give(&outbox->free, FC_RECORDS(outbox->bursts), number);
}

#endif
