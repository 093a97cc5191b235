/* Which message led to which: the chains of messages that wait for each other, while a workload
 * runs.
 *
 * Every message that is sent is a record that points to the one whose arrival let it be sent. A
 * record is kept while somebody refers to it: its packets on their way, a computation that it
 * started, messages that it led to. So what is kept are the chains that still go on, and of a
 * finished workload one chain, the one of its last arrival. */
#ifndef FC_WORKLOADS_MESSAGE_CHAIN_H
#define FC_WORKLOADS_MESSAGE_CHAIN_H

#include <assert.h>
#include "base/free_list.h"
#include "base/status.h"

#define FC_NO_MESSAGE UINT32_MAX
enum { FC_CHAINED_MAX = 1 << 21 }; /* records; with more of them chains are no longer followed */

typedef struct fc_chained {
    uint64_t due, delivered; /* cycles: it could be sent, its last packet was there */
    uint64_t flits;
    uint32_t source, destination; /* ranks */
    uint32_t phase;
    uint32_t before;     /* the message whose arrival let it be sent; FC_NO_MESSAGE */
    uint32_t references; /* 0: the record is free */
    uint32_t next;       /* free record */
} fc_chained;

typedef struct fc_chains {
    fc_chained *record;
    fc_free_list free;
    uint32_t used;
    bool given_up;  /* there were too many, or no memory for them: there are no records */
    bool no_memory; /* the latter */
} fc_chains;

fc_chains fc_chains_make(void);
void fc_chains_clear(fc_chains *chains);
/* A record with one reference, made like `message`; refers to message->before. FC_NO_MESSAGE if
 * chains are no longer followed. */
uint32_t fc_chains_add(fc_chains *chains, const fc_chained *message);
void fc_chains_free(fc_chains *chains, uint32_t number); /* nobody refers to it */

static inline uint32_t fc_chains_hold(fc_chains *chains, uint32_t number) {
    if (!chains || number == FC_NO_MESSAGE || chains->given_up)
        return number;
    assert(chains->record);
    ++chains->record[number].references;
    return number;
}

/* Gives a reference back. */
static inline void fc_chains_drop(fc_chains *chains, uint32_t number) {
    if (!chains || number == FC_NO_MESSAGE || chains->given_up)
        return;
    assert(chains->record);
    if (--chains->record[number].references == 0)
        fc_chains_free(chains, number);
}

/* The chain that ends with a message, the first one first; *count is 0 if chains are no longer
 * followed. The caller releases it with fc_release. */
fc_status fc_chains_list(const fc_chains *chains, uint32_t last, fc_error *error, fc_chained **list,
                         size_t *count);

#endif
