#include "base/free_list.h"

#include "base/memory.h"

void *fc_free_list_grow(fc_free_list *list, void *records, size_t size, size_t next,
                        uint32_t least) {
    if (list->room > UINT32_MAX / 4)
        return NULL;
    const uint32_t room = 2 * list->room > least ? 2 * list->room : least;
    void *grown = fc_reallocate(records, room, size);
    if (!grown)
        return NULL;
    for (uint32_t i = list->room; i < room; ++i)
        *fc_free_list_link(grown, size, next, i) = i + 1 < room ? i + 1 : list->first;
    list->first = list->room;
    list->room = room;
    return grown;
}
