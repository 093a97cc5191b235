#include "network/torus_network.h"

#include "base/memory.h"

fc_status fc_torus_network_create(const fc_torus *torus, fc_error *error,
                                  fc_torus_network **network) {
    fc_torus_network *made = fc_allocate(1, sizeof *made);
    if (!made)
        return fc_fail_memory(error);
    made->torus = torus;
    fc_status status = fc_geometry_create(torus, error, &made->geometry);
    if (status == FC_OK)
        status = fc_traffic_create(torus, made->geometry, error, &made->traffic);
    if (status != FC_OK) {
        fc_torus_network_free(made);
        return status;
    }
    *network = made;
    return FC_OK;
}

void fc_torus_network_free(fc_torus_network *network) {
    if (!network)
        return;
    fc_traffic_free(network->traffic);
    fc_geometry_free(network->geometry);
    fc_release(network);
}
