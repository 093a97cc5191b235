/* Which nodes send each other messages of each class (traffic.classes), the answers of answers
 * included. */
#ifndef FC_NETWORK_ANSWER_FLOWS_H
#define FC_NETWORK_ANSWER_FLOWS_H

#include "network/destinations.h"
#include "network/node_ports.h"

enum { FC_ANSWER_NODES_MAX = 4096 }; /* a bit for each pair and class */

typedef struct fc_answer_flows {
    fc_classes classes; /* set by the caller */
    uint32_t nodes, words;
    uint64_t *goes[FC_CLASSES_MAX]; /* nodes x words, by destination: a bit for each source */
    fc_traffic *traffic;
} fc_answer_flows;

/* Whatever comes of it, fc_answer_flows_release follows. */
fc_status fc_answer_flows_fill(const fc_scenario *scenario, const fc_router_network *network,
                               fc_error *error, fc_answer_flows *flows);
void fc_answer_flows_release(fc_answer_flows *flows);

/* From one node to another; a node with several ports is one. */
static inline bool fc_answer_flows_goes(const fc_answer_flows *flows, uint32_t kind,
                                        uint32_t source, uint32_t to) {
    return flows->goes[kind][(size_t)to * flows->words + source / 64] >> source % 64 & 1;
}

/* The class that answers messages of a class at a node; FC_NONE: none does. */
uint32_t fc_answer_flows_answer(const fc_answer_flows *flows, uint32_t kind, uint32_t node);

#endif
