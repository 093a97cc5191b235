#include "simulators/router/memories.h"

#include "base/memory.h"

bool fc_memories_needed(const fc_classes *classes) {
    for (size_t c = 0; c < classes->count; ++c) {
        const fc_class *class = &classes->list[c];
        for (size_t i = 0; class->reply != FC_NONE && i < class->lengths.count; ++i)
            if (class->memory_busy[i] > 0)
                return true;
    }
    return false;
}

fc_status fc_memories_create(uint32_t nodes, fc_error *error, fc_memories *memories) {
    *memories = (fc_memories){.nodes = nodes};
    memories->memory = fc_allocate(nodes, sizeof *memories->memory);
    memories->due = fc_allocate(nodes / 64 + 1, sizeof *memories->due);
    if (!memories->memory || !memories->due)
        return fc_fail_memory(error);
    for (uint32_t node = 0; node < nodes; ++node)
        memories->memory[node].first = FC_NONE;
    return fc_calendar_create(nodes, error, &memories->turns);
}

void fc_memories_free(fc_memories *memories) {
    fc_release(memories->memory);
    fc_release(memories->due);
    fc_calendar_free(&memories->turns);
}

/* Moves the calendar's present on: what is added is then due after it. */
static void catch_up(fc_memories *memories, uint64_t time) {
    uint64_t earliest;
    while ((earliest = fc_calendar_earliest(&memories->turns)) < time)
        fc_calendar_take(&memories->turns, earliest, memories->due);
    if (earliest > time)
        fc_calendar_take(&memories->turns, time, memories->due);
}

bool fc_memories_take(fc_memories *memories, fc_router *e, uint32_t node, uint32_t reply,
                      uint64_t busy) {
    fc_memory *memory = &memories->memory[node];
    if (!busy)
        return true;
    if (memory->first == FC_NONE && memory->free <= e->time) {
        memory->free = e->time + busy;
        return true;
    }
    e->message[reply].memory_busy = (uint32_t)busy;
    e->message[reply].next = FC_NONE;
    if (memory->first == FC_NONE) {
        memory->first = reply;
        catch_up(memories, e->time);
        fc_calendar_add(&memories->turns, node, memory->free);
    } else {
        e->message[memory->last].next = reply;
    }
    memory->last = reply;
    return false;
}

uint32_t fc_memories_turn(fc_memories *memories, fc_router *e) {
    if (fc_memories_next(memories) <= e->time)
        fc_calendar_take(&memories->turns, e->time, memories->due);
    for (uint32_t w = 0; w <= memories->nodes / 64; ++w) {
        if (!memories->due[w])
            continue;
        const uint32_t node = w * 64 + (uint32_t)__builtin_ctzll(memories->due[w]);
        fc_memory *memory = &memories->memory[node];
        const uint32_t reply = memory->first;
        memories->due[w] &= memories->due[w] - 1;
        memory->first = e->message[reply].next;
        memory->free = e->time + e->message[reply].memory_busy;
        if (memory->first != FC_NONE)
            fc_calendar_add(&memories->turns, node, memory->free);
        return reply;
    }
    return FC_NONE;
}
