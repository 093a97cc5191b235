/* Which channels messages can wait for while they hold others, and whether such waiting can close a
 * circle. A channel is a virtual channel of an output; dependencies are added for whole sets of
 * channels, since routing hands out sets. */
#ifndef FC_NETWORK_DEPENDENCY_GRAPH_H
#define FC_NETWORK_DEPENDENCY_GRAPH_H

#include "base/status.h"

/* Whoever holds one of from_channels of output `from` may wait for any of to_channels of `to`. */
typedef struct fc_dependency {
    uint32_t from, to;
    uint64_t from_channels, to_channels;
} fc_dependency;

typedef struct fc_dependency_graph fc_dependency_graph;

fc_dependency_graph *fc_dependency_graph_create(uint32_t outputs); /* NULL: out of memory */
void fc_dependency_graph_free(fc_dependency_graph *graph);

/* Adds it unless it is there; false if out of memory. */
bool fc_dependency_graph_add(fc_dependency_graph *graph, fc_dependency dependency);

typedef struct fc_held_channel {
    uint32_t output, channel;
} fc_held_channel;

/* A circle of channels, each waited for by the holder of the one before; a short one if there are
 * several. *length 0: there is none. Free the list with fc_release. */
fc_status fc_dependency_graph_circle(const fc_dependency_graph *graph, fc_error *error,
                                     fc_held_channel **circle, size_t *length);

#endif
