/* What a result says of failures in the network (network.faults). */
#ifndef FC_REGISTRY_FAILURES_H
#define FC_REGISTRY_FAILURES_H

#include "network/router_faults.h"
#include "registry/result.h"

static inline void fc_result_say_failures(fc_result *result, const fc_router_network *network) {
    if (network->failures)
        fc_result_add_note(result, "%s", network->failures->text);
}

#endif
