/* The chain of messages that decided the end of a workload, as it is reported. */
#ifndef FC_WORKLOADS_CRITICAL_CHAIN_H
#define FC_WORKLOADS_CRITICAL_CHAIN_H

#include "network/router_network.h"
#include "workloads/work.h"

/* Longer chains are counted, but their messages are not listed. */
enum { FC_CHAIN_MESSAGES_MAX = 1 << 16, FC_CHAIN_COLUMNS = 5 };
extern const char *const fc_chain_columns[FC_CHAIN_COLUMNS];

typedef struct fc_critical_chain {
    fc_chain summary;
    /* a table of its messages, the first one first */
    size_t rows;
    char (*labels)[FC_NAME_SIZE];
    double *values; /* rows x FC_CHAIN_COLUMNS */
} fc_critical_chain;

/* Of work that is done; of other work it is empty. */
fc_status fc_critical_chain_find(const fc_work *work, const fc_router_network *network,
                                 const fc_routed *routed, fc_error *error,
                                 fc_critical_chain *chain);
void fc_critical_chain_clear(fc_critical_chain *chain);

#endif
