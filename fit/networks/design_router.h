/* The networks of the design of routers: YAML within the braces; traffic without the rate. Lists
 * end with an entry of NULL. */
#ifndef DESIGN_ROUTER_H
#define DESIGN_ROUTER_H

#include <stddef.h>
#include "base/random.h"

typedef struct router_network {
    const char *network, *traffic;
} router_network;

extern const router_network router_training[], router_seen[], router_held_out[];

/* A network drawn at random over all keys; not all that are drawn exist. */
void router_draw(fc_random *random, char network[320], char traffic[320]);
/* One as people have them: design_router_wide.c. */
void router_draw_wide(fc_random *random, char network[320], char traffic[320]);

/* A network of graphs names a file, drawn-graphs/NUMBER.graph, that is written here if it is not
 * there; other networks need nothing. */
void drawn_graph_write(const char *network);
unsigned drawn_graph_nodes(unsigned number);

#endif
