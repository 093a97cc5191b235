/* What is to happen in the next cycles: a slot for each cycle, in a circle. */
#ifndef FC_SIMULATORS_ROUTER_WHEEL_H
#define FC_SIMULATORS_ROUTER_WHEEL_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include "base/status.h"

typedef struct fc_wheel {
    uint64_t *event;
    uint32_t *count; /* of each slot */
    uint32_t room;   /* of each slot */
    uint32_t slots;  /* a power of two, more than the longest delay */
    uint64_t total;  /* events to come */
} fc_wheel;

/* room: events of one cycle at most. longest: cycles ahead of an event at most. */
fc_status fc_wheel_create(uint32_t room, uint32_t longest, fc_error *error, fc_wheel *wheel);
void fc_wheel_free(fc_wheel *wheel);

static inline void fc_wheel_add(fc_wheel *wheel, uint64_t when, uint64_t event) {
    const uint32_t slot = (uint32_t)when & (wheel->slots - 1);
    assert(wheel->count[slot] < wheel->room);
    wheel->event[(size_t)slot * wheel->room + wheel->count[slot]++] = event;
    ++wheel->total;
}

/* The same if a condition holds that cannot be foretold: without a branch. */
static inline void fc_wheel_add_if(fc_wheel *wheel, uint64_t when, uint64_t event, bool condition) {
    const uint32_t slot = (uint32_t)when & (wheel->slots - 1);
    assert(wheel->count[slot] < wheel->room);
    wheel->event[(size_t)slot * wheel->room + wheel->count[slot]] = event;
    wheel->count[slot] += condition;
    wheel->total += condition;
}

/* The events of a cycle, which the caller works off; the slot is empty from here on. Nothing may be
 * added for a whole turn ahead meanwhile. */
static inline const uint64_t *fc_wheel_take(fc_wheel *wheel, uint64_t when, uint32_t *count) {
    const uint32_t slot = (uint32_t)when & (wheel->slots - 1);
    *count = wheel->count[slot];
    wheel->total -= *count;
    wheel->count[slot] = 0;
    return wheel->event + (size_t)slot * wheel->room;
}

#endif
