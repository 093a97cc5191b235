/* A flit engine and the network it needs, one at a time. */
#ifndef FLIT_SUPPORT_H
#define FLIT_SUPPORT_H

#include "simulators/flit/flit.h"

static fc_torus_network *flit_network;

static inline fc_flit *flit_start(const fc_torus *torus, uint64_t seed) {
    fc_error error;
    fc_flit *engine;
    assert_null(flit_network);
    if (fc_torus_network_create(torus, &error, &flit_network) != FC_OK ||
        fc_flit_create(flit_network, seed, 0, &error, &engine) != FC_OK)
        fail_msg("%s", error.text);
    return engine;
}

static inline void flit_stop(fc_flit *engine) {
    fc_flit_free(engine);
    fc_torus_network_free(flit_network);
    flit_network = NULL;
}

#endif
