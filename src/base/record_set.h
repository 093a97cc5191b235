/* A set of records of one size, in the order in which they were added. */
#ifndef FC_BASE_RECORD_SET_H
#define FC_BASE_RECORD_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Begins as {.size = ...}: bytes of a record, a multiple of 8. Records are compared byte by byte,
 * so they must have no padding. */
typedef struct fc_record_set {
    size_t size;
    size_t count, room;
    void *list;      /* count records; adding may move it */
    uint32_t *slot;  /* 2 * room, a hash table: 1 + index into list; 0: empty */
    uint32_t *place; /* of each record in slot */
} fc_record_set;

/* Adds it unless it is there; false if out of memory. */
bool fc_record_set_add(fc_record_set *set, const void *record);
/* Takes all records out and keeps the room. */
void fc_record_set_empty(fc_record_set *set);
void fc_record_set_release(fc_record_set *set);

#endif
