#include "workloads/outbox.h"

#include "base/memory.h"

#define NONE UINT32_MAX

bool fc_outbox_make(fc_outbox *outbox, uint32_t nodes, bool each) {
    *outbox = (fc_outbox){.free = fc_free_list_make(), .each = each};
    outbox->first = fc_allocate(nodes, sizeof *outbox->first);
    outbox->last = fc_allocate(nodes, sizeof *outbox->last);
    outbox->listed = fc_allocate(nodes, sizeof *outbox->listed);
    if (!outbox->first || !outbox->last || !outbox->listed)
        return false;
    for (uint32_t node = 0; node < nodes; ++node)
        outbox->first[node] = NONE;
    return true;
}

void fc_outbox_free(fc_outbox *outbox) {
    fc_release(outbox->bursts);
    fc_release(outbox->first);
    fc_release(outbox->last);
    fc_release(outbox->waking);
    fc_release(outbox->listed);
    *outbox = (fc_outbox){.free = fc_free_list_make()};
}

static bool make_room(fc_outbox *outbox) {
    if (outbox->free.first == NONE) {
        fc_burst *more = fc_free_list_grow(&outbox->free, FC_RECORDS(outbox->bursts), 256);
        if (!more)
            return false;
        outbox->bursts = more;
    }
    if (outbox->waking_end == outbox->waking_room) {
        const size_t room = outbox->waking_room ? 2 * outbox->waking_room : 256;
        uint32_t *more = fc_reallocate(outbox->waking, room, sizeof *more);
        if (!more)
            return false;
        outbox->waking = more;
        outbox->waking_room = room;
    }
    return true;
}

void fc_outbox_add(fc_outbox *outbox, uint32_t node, const fc_burst *made) {
    if (!make_room(outbox)) {
        outbox->failed = true;
        return;
    }
    const uint32_t number = fc_free_list_take(&outbox->free, FC_RECORDS(outbox->bursts));
    outbox->bursts[number] = *made;
    outbox->bursts[number].next = NONE;
    if (outbox->first[node] == NONE)
        outbox->first[node] = number;
    else
        outbox->bursts[outbox->last[node]].next = number;
    outbox->last[node] = number;
    if (outbox->listed[node])
        return;
    outbox->listed[node] = !outbox->each;
    outbox->waking[outbox->waking_end++] = node;
}

uint32_t fc_outbox_waking(fc_outbox *outbox) {
    if (!fc_outbox_wakes(outbox)) {
        outbox->waking_first = outbox->waking_end = 0;
        return NONE;
    }
    const uint32_t node = outbox->waking[outbox->waking_first++];
    outbox->listed[node] = 0;
    return node;
}
