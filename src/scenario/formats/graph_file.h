/* Networks from a file: routers, the nodes at them, and links with their delays.
 *
 *     # two routers with two nodes each; 3 cycles from 0 to 1, the usual ones back
 *     router 0 node 0 node 1 router 1 3
 *     router 1 node 2 node 3
 *
 * A line begins with a router (or a node) and names what it is joined to. Naming a router makes a
 * link each way; a number behind it is the delay of the link towards it, a number behind an x its
 * width in flits per cycle: 'router 1 3 x0.5', or 'router 1 delay 5 ns bandwidth 400 Gb/s'. 'at X
 * Y' is the place of the router that the line begins with. The link back has the delay of
 * network.link_delay and width 1 unless a line of the other router gives it others. Node-link JSON
 * of networkx is read as well (graph_json.h). '#' begins a comment. Routers and nodes are numbered
 * from 0 without gaps. A node at several routers, or named twice at one, has as many ports. */
#ifndef FC_SCENARIO_GRAPH_FILE_H
#define FC_SCENARIO_GRAPH_FILE_H

#include "scenario/fabric.h"

enum {
    FC_GRAPH_ROUTERS_MAX = 1 << 20,
    FC_GRAPH_NODES_MAX = FC_NODES_MAX,
    FC_GRAPH_LINKS_MAX = 1 << 23
};

/* From text, which it changes; path is only named in messages. Links come sorted by their ends;
 * those without a number have delay 0. Free with fc_graph_release. */
fc_status fc_graph_parse(char *text, const char *path, fc_error *error, fc_graph *graph);
void fc_graph_release(fc_graph *graph);

/* Delays and widths that are given with a unit; again if the units change. */
fc_status fc_graph_convert(fc_graph *graph, const fc_units *units, fc_error *error);

/* The key network.file. */
fc_status fc_graph_read(const fc_document *document, const fc_value *value, void *field,
                        fc_error *error);
void fc_graph_write(const void *field, FILE *stream);

#endif
