/* Lanes and movements of a graph that no forecast can tell apart, as one each. */
#ifndef FC_MODELS_ROUTER_LEARNED_MERGE_H
#define FC_MODELS_ROUTER_LEARNED_MERGE_H

#include "models/router/router_learned.h"

/* Of a class of movements: how much of it a lane of the class that it leaves, or enters, has. */
typedef struct fc_merged_movement {
    uint32_t from, to; /* classes of lanes */
    uint32_t example;  /* movement */
    float kept;        /* sum of the shares of the lane that it leaves */
    float share;       /* sum of the shares of the lane that it enters */
    float times;       /* such movements into a lane */
    float load;        /* of one of them, at traffic.rate = 1 */
} fc_merged_movement;

/* Of a class of lanes, another lane of its link, itself included. */
typedef struct fc_merged_mate {
    uint32_t lane, mate; /* classes */
    float share;         /* of the link's messages */
} fc_merged_mate;

typedef struct fc_merged_lane {
    uint32_t example;
    float weight; /* of all its lanes */
    float used;   /* lanes that carry messages */
} fc_merged_lane;

typedef struct fc_merged_graph {
    uint32_t lane_count, movement_count, mate_count;
    fc_merged_lane *lanes;
    fc_merged_movement *movements;
    fc_merged_mate *mates;
} fc_merged_graph;

/* rounds: how often lanes hear of their neighbours. */
fc_status fc_learned_merge(const fc_learned_inputs *inputs, int rounds, fc_error *error,
                           fc_merged_graph *merged);
void fc_merged_graph_release(fc_merged_graph *merged);

#endif
