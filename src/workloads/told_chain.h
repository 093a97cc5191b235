/* The chain of messages that decided the end of a workload, as it is reported. */
#ifndef FC_WORKLOADS_TOLD_CHAIN_H
#define FC_WORKLOADS_TOLD_CHAIN_H

#include "network/router_network.h"
#include "workloads/work.h"

/* Longer chains are counted, but their messages are not listed. */
enum { FC_TOLD_MESSAGES_MAX = 1 << 16, FC_CHAIN_COLUMNS = 5 };
extern const char *const fc_chain_columns[FC_CHAIN_COLUMNS];

typedef struct fc_told_chain {
    fc_chain summary;
    /* a table of its messages, the first one first */
    size_t rows;
    char (*labels)[FC_NAME_SIZE];
    double *values; /* rows x FC_CHAIN_COLUMNS */
} fc_told_chain;

/* Of work that is done; of other work it is empty. */
fc_status fc_told_chain_find(const fc_work *work, const fc_router_network *network,
                             const fc_routed *routed, fc_error *error, fc_told_chain *chain);
void fc_told_chain_clear(fc_told_chain *chain);

#endif
