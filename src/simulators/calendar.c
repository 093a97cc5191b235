#include "simulators/calendar.h"

#include <assert.h>
#include "base/memory.h"

enum { BITS = 6 };
#define NOTHING UINT32_MAX

fc_status fc_calendar_create(uint32_t items, fc_error *error, fc_calendar *c) {
    *c = (fc_calendar){.due = fc_allocate(items, sizeof *c->due),
                       .next = fc_allocate(items, sizeof *c->next)};
    if (!c->due || !c->next)
        return fc_fail_memory(error);
    for (int level = 0; level < FC_CALENDAR_LEVELS; ++level)
        for (int slot = 0; slot < FC_CALENDAR_SLOTS; ++slot)
            c->first[level][slot] = NOTHING;
    return FC_OK;
}

void fc_calendar_free(fc_calendar *c) {
    fc_release(c->due);
    fc_release(c->next);
}

static uint32_t level_of(uint64_t difference) {
    return difference ? (63 - (uint32_t)__builtin_clzll(difference)) / BITS : 0;
}

static uint32_t slot_of(uint64_t cycle, uint32_t level) {
    return (uint32_t)(cycle >> (BITS * level)) & (FC_CALENDAR_SLOTS - 1);
}

static void put(fc_calendar *c, uint32_t item) {
    const uint32_t level = level_of(c->due[item] ^ c->now), slot = slot_of(c->due[item], level);
    c->next[item] = c->first[level][slot];
    c->first[level][slot] = item;
    c->filled[level] |= (uint64_t)1 << slot;
}

static uint32_t empty(fc_calendar *c, uint32_t level, uint32_t slot) {
    const uint32_t first = c->first[level][slot];
    c->first[level][slot] = NOTHING;
    c->filled[level] &= ~((uint64_t)1 << slot);
    return first;
}

void fc_calendar_add(fc_calendar *c, uint32_t item, uint64_t due) {
    assert(due >= c->now);
    c->due[item] = due;
    put(c, item);
}

uint64_t fc_calendar_earliest(const fc_calendar *c) {
    for (uint32_t level = 0; level < FC_CALENDAR_LEVELS; ++level) {
        if (!c->filled[level])
            continue;
        const uint64_t slot = (uint64_t)__builtin_ctzll(c->filled[level]);
        const uint32_t above = BITS * (level + 1);
        const uint64_t high = above < 64 ? c->now >> above << above : 0;
        return high | slot << (BITS * level);
    }
    return UINT64_MAX;
}

void fc_calendar_take(fc_calendar *c, uint64_t now, uint64_t *items) {
    const uint32_t top = level_of(c->now ^ now);
    assert(now >= c->now && now <= fc_calendar_earliest(c));
    c->now = now;
    for (uint32_t level = top; level > 0; --level) {
        for (uint32_t item = empty(c, level, slot_of(now, level)), next; item != NOTHING;
             item = next) {
            next = c->next[item];
            put(c, item);
        }
    }
    for (uint32_t item = empty(c, 0, slot_of(now, 0)); item != NOTHING; item = c->next[item])
        items[item >> 6] |= (uint64_t)1 << (item & 63);
}
