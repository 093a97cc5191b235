#include "network/torus_network.h"

#include <math.h>
#include "base/memory.h"

static const double pairs_most = 1 << 20;

static double mean_hops(const fc_geometry *geometry, const fc_traffic *traffic) {
    if ((double)traffic->senders * geometry->nodes > pairs_most || traffic->senders == 0)
        return NAN;
    double hops = 0;
    for (uint32_t i = 0; i < traffic->senders; ++i)
        for (uint32_t to = 0; to < geometry->nodes; ++to)
            hops += fc_traffic_share(traffic, traffic->sender[i], to) *
                    fc_geometry_distance(geometry, traffic->sender[i], to);
    return hops / traffic->senders;
}

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
    made->mean_hops = mean_hops(made->geometry, made->traffic);
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
