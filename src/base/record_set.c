#include "base/record_set.h"

#include <string.h>
#include "base/memory.h"

enum { FIRST_ROOM = 256 };

static size_t find_place(const fc_record_set *set, const void *record) {
    const size_t mask = 2 * set->room - 1;
    const char *list = set->list;
    uint64_t hash = 1;
    for (size_t i = 0; i < set->size; i += sizeof hash) {
        uint64_t word;
        memcpy(&word, (const char *)record + i, sizeof word);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    size_t place = (size_t)hash & mask;
    while (set->slot[place] &&
           memcmp(list + (set->slot[place] - 1) * set->size, record, set->size) != 0)
        place = (place + 1) & mask;
    return place;
}

static bool grow(fc_record_set *set) {
    const size_t room = set->room ? 2 * set->room : FIRST_ROOM;
    char *list = fc_reallocate(set->list, room, set->size);
    if (!list)
        return false;
    set->list = list;
    uint32_t *place = fc_reallocate(set->place, room, sizeof *place);
    if (!place)
        return false;
    set->place = place;
    uint32_t *slot = fc_allocate(2 * room, sizeof *slot);
    if (!slot)
        return false;
    fc_release(set->slot);
    set->slot = slot;
    set->room = room;
    for (size_t i = 0; i < set->count; ++i) {
        place[i] = (uint32_t)find_place(set, list + i * set->size);
        slot[place[i]] = (uint32_t)i + 1;
    }
    return true;
}

bool fc_record_set_add(fc_record_set *set, const void *record) {
    if (set->count == set->room && !grow(set))
        return false;
    const size_t place = find_place(set, record);
    if (set->slot[place])
        return true;
    memcpy((char *)set->list + set->count * set->size, record, set->size);
    set->place[set->count++] = (uint32_t)place;
    set->slot[place] = (uint32_t)set->count;
    return true;
}

void fc_record_set_empty(fc_record_set *set) {
    for (size_t i = 0; i < set->count; ++i)
        set->slot[set->place[i]] = 0;
    set->count = 0;
}

void fc_record_set_release(fc_record_set *set) {
    fc_release(set->list);
    fc_release(set->slot);
    fc_release(set->place);
    *set = (fc_record_set){.size = set->size};
}
