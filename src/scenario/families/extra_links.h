/* network.extra_links: cables of a graph beside those of its file, so that one more or a second one
 * can be tried without another file. */
#ifndef FC_SCENARIO_EXTRA_LINKS_H
#define FC_SCENARIO_EXTRA_LINKS_H

#include "scenario/fabric.h"

fc_status fc_extra_links_read(const fc_document *document, const fc_value *value, void *field,
                              fc_error *error);
void fc_extra_links_write(const void *field, FILE *stream);
/* Adds them to a graph as read; its links stay sorted by their ends. */
fc_status fc_extra_links_join(const fc_scenario *scenario, const fc_extra_links *extra,
                              fc_graph *graph, fc_error *error);

#endif
