#include "base/free_list.h"

#include "base/memory.h"

/* Records from the first on are free, in order, before those that were. */
static void free_from(fc_free_list *list, uint32_t first, void *records, size_t size, size_t next) {
    for (uint32_t i = list->room; i-- > first;)
        fc_free_list_give(list, records, size, next, i);
}

void fc_free_list_clear(fc_free_list *list, void *records, size_t size, size_t next) {
    list->first = UINT32_MAX;
    free_from(list, 0, records, size, next);
}

void *fc_free_list_grow(fc_free_list *list, void *records, size_t size, size_t next,
                        uint32_t least) {
    if (list->room > UINT32_MAX / 4)
        return NULL;
    const uint32_t room = 2 * list->room > least ? 2 * list->room : least;
    void *grown = fc_reallocate(records, room, size);
    if (!grown)
        return NULL;
    const uint32_t before = list->room;
    list->room = room;
    free_from(list, before, grown, size, next);
    return grown;
}
