/* Layers of virtual channels for paths that would wait for each other in circles if they shared
 * all channels: each pair of routers is given a layer, such that the paths of a layer close no
 * circle (LASH: Skeie, Lysne and Theiss, IPDPS 2002). */
#ifndef FC_NETWORK_GRAPH_LAYERS_H
#define FC_NETWORK_GRAPH_LAYERS_H

#include "network/graph_routes.h"

/* layer: from * routers + to. *count: the layers used, 0 if more than `most` would be needed or
 * finding out would take too long. */
fc_status fc_graph_layers_find(const fc_router_network *network, const fc_graph_routes *routes,
                               uint32_t most, fc_error *error, uint8_t *layer, uint32_t *count);

#endif
