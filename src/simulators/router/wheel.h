/* A timing wheel: the events of the next cycles, with a slot for each cycle in a circular array. */
#ifndef FC_SIMULATORS_ROUTER_WHEEL_H
#define FC_SIMULATORS_ROUTER_WHEEL_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include "base/status.h"

typedef struct fc_wheel {
    uint64_t *event;
    uint64_t **end; /* of the events of each slot */
    uint32_t room;  /* of each slot */
    uint32_t mask;  /* slots - 1: a power of two, more than the longest delay */
    uint64_t total; /* events to come */
} fc_wheel;

/* room: events of one cycle at most. longest: cycles ahead of an event at most. */
fc_status fc_wheel_create(uint32_t room, uint32_t longest, fc_error *error, fc_wheel *wheel);
void fc_wheel_free(fc_wheel *wheel);

/* Adds if the condition holds, without a branch (it is unpredictable). */
static inline void fc_wheel_add_if(fc_wheel *wheel, uint64_t when, uint64_t event, bool condition) {
    uint64_t **end = &wheel->end[when & wheel->mask];
    assert(*end < wheel->event + (size_t)((when & wheel->mask) + 1) * wheel->room);
    **end = event;
    *end += condition;
    wheel->total += condition;
}

static inline void fc_wheel_add(fc_wheel *wheel, uint64_t when, uint64_t event) {
    fc_wheel_add_if(wheel, when, event, true);
}

/* The events added for a cycle so far; they are not removed. */
static inline const uint64_t *fc_wheel_look(const fc_wheel *wheel, uint64_t when, uint32_t *count) {
    const uint32_t slot = (uint32_t)when & wheel->mask;
    const uint64_t *first = wheel->event + (size_t)slot * wheel->room;
    *count = (uint32_t)(wheel->end[slot] - first);
    return first;
}

/* Takes out the events of a cycle. Until the caller has processed them, no event may be added one
 * whole turn of the wheel ahead, since it would overwrite them. */
static inline const uint64_t *fc_wheel_take(fc_wheel *wheel, uint64_t when, uint32_t *count) {
    const uint32_t slot = (uint32_t)when & wheel->mask;
    uint64_t *first = wheel->event + (size_t)slot * wheel->room;
    *count = (uint32_t)(wheel->end[slot] - first);
    wheel->total -= *count;
    wheel->end[slot] = first;
    return first;
}

#endif
