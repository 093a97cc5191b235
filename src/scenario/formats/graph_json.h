/* Graphs as networkx writes them: node-link JSON, as lines of a graph file (graph_file.h).
 *
 *     {"directed": false, "nodes": [{"id": "a", "hosts": 2}, {"id": "b"}],
 *      "edges": [{"source": "a", "target": "b", "delay": 3, "width": 0.5}]}
 *
 * A node of the graph is a router; routers are numbered in the order of the list, and each has
 * `hosts` nodes, 1 if it does not say. An edge is a link each way; `delay` is in cycles (default
 * network.link_delay), `width` in flits per cycle (default 1). Edges may be called "links". */
#ifndef FC_SCENARIO_GRAPH_JSON_H
#define FC_SCENARIO_GRAPH_JSON_H

#include "base/status.h"

/* Whether a text is JSON rather than lines: its first sign is a brace. */
bool fc_graph_is_json(const char *text);
/* The lines, to be freed with fc_release; path is only named in messages. */
fc_status fc_graph_json_lines(const char *text, const char *path, fc_error *error, char **lines);

#endif
