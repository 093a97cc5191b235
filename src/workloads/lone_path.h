/* Cycles of a header from node to node, alone in the network: no header is faster, whatever is
 * drawn for it and whichever way it chooses. Exact where it has one way. */
#ifndef FC_WORKLOADS_LONE_PATH_H
#define FC_WORKLOADS_LONE_PATH_H

#include "network/router_network.h"

typedef struct fc_lone_paths fc_lone_paths;

fc_status fc_lone_paths_create(const fc_router_network *network, const fc_routed *routed,
                               fc_error *error, fc_lone_paths **paths);
void fc_lone_paths_free(fc_lone_paths *paths);
/* UINT64_MAX: no memory. */
uint64_t fc_lone_path(fc_lone_paths *paths, uint32_t source, uint32_t destination);
/* Cycles that the flits of a message take behind its header: its packets may take ports side by
 * side, of which there are `parallel` (fc_ports_parallel). */
uint64_t fc_lone_tail(const fc_lone_paths *paths, uint32_t parallel, uint64_t flits);

#endif
