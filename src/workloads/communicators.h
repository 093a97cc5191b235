/* Ranks divided into groups, in each of which they are numbered from 0. */
#ifndef FC_WORKLOADS_COMMUNICATORS_H
#define FC_WORKLOADS_COMMUNICATORS_H

#include "base/status.h"
#include "scenario/workload.h"

typedef struct fc_communicators {
    uint32_t count;   /* groups */
    uint32_t *group;  /* of each rank; UINT32_MAX: none */
    uint32_t *place;  /* of each rank in its group */
    uint32_t *member; /* ranks, group by group */
    uint32_t *first;  /* of each group in `member`; one more at the end */
} fc_communicators;

/* grouping NULL: one group of all ranks. */
fc_status fc_communicators_create(const fc_grouping *grouping, uint32_t ranks, fc_error *error,
                                  fc_communicators *made);
/* Each group is divided further: ranks whose place has the same quotient by `inner` (blocks of
 * neighbours), or with `across` the same remainder. */
fc_status fc_communicators_split(const fc_communicators *from, uint32_t ranks, uint32_t inner,
                                 bool across, fc_error *error, fc_communicators *made);
void fc_communicators_clear(fc_communicators *groups);

static inline uint32_t fc_communicators_size(const fc_communicators *groups, uint32_t group) {
    return groups->first[group + 1] - groups->first[group];
}

#endif
