/* Traffic matrices as lines of source,destination,rate.
 *
 *     src,dst,rate
 *     0,1,0.2
 *     0,2,0.1
 *     1,0,0.3
 *
 * Rates are relative to each other: a node's share of its rates go to each destination, and a node
 * whose rates add up to twice the mean over the nodes that send generates 2 * traffic.rate messages
 * a cycle. So traffic.rate stays the mean of those that send, as with permutations that leave some
 * silent, and files may hold messages per cycle, bytes or any other measure. Lines for the same
 * pair add up; a node without lines sends nothing. The header may be missing, '#' begins a comment
 * line. */
#ifndef FC_SCENARIO_MATRIX_CSV_H
#define FC_SCENARIO_MATRIX_CSV_H

#include "scenario/traffic.h"

enum { FC_MATRIX_CSV_NODES_MAX = 4096 };

/* From text, which it changes. The flows are freed with fc_release. */
fc_status fc_matrix_csv_parse(char *text, const char *path, fc_error *error, size_t *count,
                              fc_flow **flows);
/* The matrix and weights of a network of so many nodes from the flows, which are given up. */
fc_status fc_matrix_from_flows(fc_destinations *destinations, size_t nodes, fc_error *error);

#endif
