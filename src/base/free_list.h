/* Records of a growing array that are free for use, linked by a member `next` of theirs (a
 * uint32_t). What was given back last is taken first. */
#ifndef FC_BASE_FREE_LIST_H
#define FC_BASE_FREE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct fc_free_list {
    uint32_t first; /* UINT32_MAX: none is free */
    uint32_t room;  /* records of the array, free or not */
} fc_free_list;

static inline fc_free_list fc_free_list_make(void) {
    return (fc_free_list){.first = UINT32_MAX};
}

/* An array of records as the functions below take it. */
#define FC_RECORDS(array) (array), sizeof *(array), offsetof(__typeof__(*(array)), next)

/* The array with twice as many records, at least `least`; the new ones are free, in order. NULL,
 * and all as it was, if there is no memory or no number for them. */
void *fc_free_list_grow(fc_free_list *list, void *records, size_t size, size_t next,
                        uint32_t least);

/* All records are free again, in order. */
void fc_free_list_clear(fc_free_list *list, void *records, size_t size, size_t next);

static inline uint32_t *fc_free_list_link(void *records, size_t size, size_t next, uint32_t index) {
    return (uint32_t *)((char *)records + index * size + next);
}

/* One that is free: there must be one. */
static inline uint32_t fc_free_list_take(fc_free_list *list, void *records, size_t size,
                                         size_t next) {
    const uint32_t taken = list->first;
    list->first = *fc_free_list_link(records, size, next, taken);
    return taken;
}

static inline void fc_free_list_give(fc_free_list *list, void *records, size_t size, size_t next,
                                     uint32_t index) {
    *fc_free_list_link(records, size, next, index) = list->first;
    list->first = index;
}

#endif
