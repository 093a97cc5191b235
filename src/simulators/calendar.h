/* Items by the cycle in which they are due, in a queue that only moves forward.
 *
 * An item is in a slot of the level of the highest digit (of 6 bits) in which its cycle differs
 * from the present one. When the present comes to a slot of a level above 0, its items move to
 * lower levels: a few steps for each item, however far off it is and however many there are. */
#ifndef FC_SIMULATORS_CALENDAR_H
#define FC_SIMULATORS_CALENDAR_H

#include "base/status.h"

enum { FC_CALENDAR_LEVELS = 11, FC_CALENDAR_SLOTS = 64 };

typedef struct fc_calendar {
    uint64_t now;
    uint64_t filled[FC_CALENDAR_LEVELS]; /* a bit for each slot with items */
    uint32_t first[FC_CALENDAR_LEVELS][FC_CALENDAR_SLOTS];
    uint64_t *due;  /* items: cycle */
    uint32_t *next; /* items: the next in the slot */
} fc_calendar;

/* Empty, with the numbers 0 .. items - 1, at cycle 0. */
fc_status fc_calendar_create(uint32_t items, fc_error *error, fc_calendar *calendar);
void fc_calendar_free(fc_calendar *calendar);

/* due: not before the present. An item that is in the queue must not be added. */
void fc_calendar_add(fc_calendar *calendar, uint32_t item, uint64_t due);
/* No item is due before this cycle; UINT64_MAX: there are none. The same again after a call of
 * fc_calendar_take for it means that one is due in it. */
uint64_t fc_calendar_earliest(const fc_calendar *calendar);
/* Moves the present to a cycle, not after the earliest item, and takes the items due in it out: a
 * bit for each is set in `items`. */
void fc_calendar_take(fc_calendar *calendar, uint64_t now, uint64_t *items);

#endif
