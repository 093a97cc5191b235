#include "workloads/communicators.h"

#include "base/memory.h"

#define NONE UINT32_MAX

void fc_communicators_clear(fc_communicators *groups) {
    fc_release(groups->group);
    fc_release(groups->place);
    fc_release(groups->member);
    fc_release(groups->first);
    *groups = (fc_communicators){0};
}

static bool allocate(uint32_t ranks, uint32_t count, fc_communicators *made) {
    *made = (fc_communicators){.count = count};
    made->group = fc_allocate(ranks, sizeof *made->group);
    made->place = fc_allocate(ranks, sizeof *made->place);
    made->member = fc_allocate(ranks, sizeof *made->member);
    made->first = fc_allocate((size_t)count + 1, sizeof *made->first);
    if (made->group && made->place && made->member && made->first)
        return true;
    fc_communicators_clear(made);
    return false;
}

/* group[] and place[] of each rank are known: who is where. */
static void list_members(uint32_t ranks, fc_communicators *made) {
    for (uint32_t rank = 0; rank < ranks; ++rank) {
        if (made->group[rank] != NONE)
            ++made->first[made->group[rank] + 1];
    }
    for (uint32_t g = 0; g < made->count; ++g)
        made->first[g + 1] += made->first[g];
    for (uint32_t rank = 0; rank < ranks; ++rank) {
        if (made->group[rank] != NONE)
            made->member[made->first[made->group[rank]] + made->place[rank]] = rank;
    }
}

fc_status fc_communicators_create(const fc_grouping *grouping, uint32_t ranks, fc_error *error,
                                  fc_communicators *made) {
    const uint32_t size = grouping && grouping->size ? (uint32_t)grouping->size : ranks;
    const uint32_t stride = grouping && grouping->size ? (uint32_t)grouping->stride : 1;
    const bool lists = grouping && !grouping->size;
    if (!allocate(ranks, lists ? (uint32_t)grouping->lists : ranks / size, made))
        return fc_fail_memory(error);
    for (uint32_t rank = 0; rank < ranks; ++rank) {
        made->group[rank] = lists ? NONE : rank / (stride * size) * stride + rank % stride;
        made->place[rank] = rank / stride % size;
    }
    for (uint32_t list = 0, at = 0; lists && list < grouping->lists; ++list) {
        for (uint32_t place = 0; at < grouping->end[list]; ++at, ++place) {
            made->group[grouping->member[at]] = list;
            made->place[grouping->member[at]] = place;
        }
    }
    list_members(ranks, made);
    return FC_OK;
}

fc_status fc_communicators_split(const fc_communicators *from, uint32_t ranks, uint32_t inner,
                                 bool across, fc_error *error, fc_communicators *made) {
    uint32_t count = 0;
    uint32_t *first = fc_allocate((size_t)from->count + 1, sizeof *first);
    if (!first)
        return fc_fail_memory(error);
    for (uint32_t g = 0; g < from->count; ++g) {
        first[g] = count;
        count += across ? inner : fc_communicators_size(from, g) / inner;
    }
    const bool enough = allocate(ranks, count, made);
    for (uint32_t rank = 0; enough && rank < ranks; ++rank) {
        const uint32_t group = from->group[rank], place = from->place[rank];
        const uint32_t of = across ? place % inner : place / inner;
        made->group[rank] = group == NONE ? NONE : first[group] + of;
        made->place[rank] = across ? place / inner : place % inner;
    }
    fc_release(first);
    if (!enough)
        return fc_fail_memory(error);
    list_members(ranks, made);
    return FC_OK;
}
