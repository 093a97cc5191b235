/* What is due, by cycle and then by order. */
#ifndef FC_WORKLOADS_DUE_HEAP_H
#define FC_WORKLOADS_DUE_HEAP_H

#include <assert.h>
#include "base/memory.h"
#include "base/status.h"

typedef struct fc_due {
    uint64_t time;
    uint64_t order; /* also what is due */
} fc_due;

typedef struct fc_due_heap {
    fc_due *item;
    size_t count, room;
} fc_due_heap;

static inline bool fc_due_before(const fc_due *a, const fc_due *b) {
    return a->time < b->time || (a->time == b->time && a->order < b->order);
}

/* False if there is no memory. */
static inline bool fc_due_push(fc_due_heap *heap, uint64_t time, uint64_t order) {
    fc_due *items = fc_make_room(heap->item, &heap->room, heap->count, 1, sizeof *items);
    if (!items)
        return false;
    heap->item = items;
    const fc_due item = {time, order};
    size_t at = heap->count++;
    while (at && fc_due_before(&item, &heap->item[(at - 1) / 2])) {
        heap->item[at] = heap->item[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap->item[at] = item;
    return true;
}

static inline fc_due fc_due_pop(fc_due_heap *heap) {
    assert(heap->item && heap->count > 0);
    const fc_due first = heap->item[0], item = heap->item[--heap->count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < heap->count; at = child) {
        child +=
            child + 1 < heap->count && fc_due_before(&heap->item[child + 1], &heap->item[child]);
        if (!fc_due_before(&heap->item[child], &item))
            break;
        heap->item[at] = heap->item[child];
    }
    heap->item[at] = item;
    return first;
}

static inline uint64_t fc_due_next(const fc_due_heap *heap) {
    return heap->count ? heap->item[0].time : UINT64_MAX;
}

#endif
