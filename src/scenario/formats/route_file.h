/* Paths through a graph from a file: what routers do with messages, and the whole path of some.
 *
 *     router 3 to 5 via 4      # at router 3, messages for nodes of router 5 go on to router 4
 *     route 0 3 2 5            # messages from nodes of router 0 to nodes of router 5 take this
 * path
 *
 * A route counts more than what the routers on it do. '#' begins a comment. */
#ifndef FC_SCENARIO_ROUTE_FILE_H
#define FC_SCENARIO_ROUTE_FILE_H

#include "scenario/fabric.h"

/* From text, which it changes; path is only named in messages. Free with fc_routes_release. */
fc_status fc_routes_parse(char *text, const char *path, fc_error *error, fc_routes *routes);
void fc_routes_release(fc_routes *routes);
/* Every router is one of the graph, every step a link of it, nothing is said twice. Sorts the
 * entries. The message names the file's line. */
fc_status fc_routes_check(fc_routes *routes, const fc_graph *graph, fc_error *error);

/* The key network.routes. */
fc_status fc_routes_read(const fc_document *document, const fc_value *value, void *field,
                         fc_error *error);
void fc_routes_write(const void *field, FILE *stream);

#endif
