/* Waits that graph networks forecast, fitted to simulations: the calibration of router-queueing.
 *
 * Their graph is that of the model: lanes (the virtual channels of a link that the same messages
 * may take) and movements from lane to lane. What they know of them are exact numbers (loads,
 * lengths, buffers, credit loops, shares) and the model's own waits at one reference load. So they
 * see which streams meet where, which numbers of the network as a whole do not tell.
 * docs/theory/calibration.md#routers has the equations and how they were fitted. */
#ifndef FC_MODELS_ROUTER_LEARNED_H
#define FC_MODELS_ROUTER_LEARNED_H

#include "models/router/router_split.h"

/* Numbers known of a lane, of a movement and of the network as a whole. Those of a lane: fixed,
 * proportional to the load, and the model's at the reference load. */
enum {
    FC_LANE_FIXED = 19,
    FC_LANE_LOADS = 5,
    FC_LANE_SOLVED = 8,
    FC_MOVEMENT_FIXED = 7,
    FC_WHOLE_INPUTS = 26
};

typedef struct fc_learned_lane {
    uint32_t link;
    float fixed[FC_LANE_FIXED];
    float loads[FC_LANE_LOADS]; /* at traffic.rate = 1 */
    float solved[FC_LANE_SOLVED];
    float alone;  /* cycles for which a message alone holds the link */
    float bursts; /* messages per cycle that come in bursts, at traffic.rate = 1 */
    float weight; /* of all messages, those that cross it */
} fc_learned_lane;

typedef struct fc_learned_movement {
    uint32_t from, to;
    float fixed[FC_MOVEMENT_FIXED];
    float load; /* flits per cycle at traffic.rate = 1 */
} fc_learned_movement;

/* Messages that come in bursts, if they meet no others than those of their source. */
typedef struct fc_learned_bursts {
    fc_injection injection;
    double time; /* cycles that each takes of its source */
} fc_learned_bursts;

typedef struct fc_learned_inputs {
    uint32_t lane_count, movement_count, link_count;
    fc_learned_lane *lanes;
    fc_learned_movement *movements;
    float whole[FC_WHOLE_INPUTS];
    double empty, tail_empty; /* mean latency and 99th percentile of the empty network */
    double capacity;          /* the rate at which the busiest link is full */
    fc_learned_bursts bursts;
} fc_learned_inputs;

/* router_learned_inputs.c. Solves the model at the reference load, roughly. known is false, and
 * nothing is left to release, where there is no such load or nothing like the network was fitted.
 */
fc_status fc_learned_inputs_create(fc_router_prepared *p, fc_error *error, bool *known,
                                   fc_learned_inputs *inputs);
void fc_learned_inputs_release(fc_learned_inputs *inputs);

/* What the graph networks say together at a load. */
typedef struct fc_learned_answer {
    double excess;    /* mean latency beyond the empty network's, cycles */
    double tail;      /* the same of the 99th percentile */
    double margin;    /* logarithm of the load over the saturation load */
    double deviation; /* of the logarithms of what the graph networks say of the excess */
} fc_learned_answer;

typedef struct fc_router_graph_learned fc_router_graph_learned; /* inputs prepared for evaluation */
/* router_learned.c. Keeps nothing of the inputs. */
fc_status fc_router_graph_learned_create(const fc_learned_inputs *inputs, fc_error *error,
                                         fc_router_graph_learned **graph);
void fc_router_graph_learned_free(fc_router_graph_learned *graph);
/* Whether every input lies among those it was fitted to: of the lanes, of the whole. */
bool fc_learned_lanes_are_near(const fc_learned_inputs *inputs);
bool fc_learned_whole_is_near(const float whole[FC_WHOLE_INPUTS]);
fc_learned_answer fc_router_graph_learned_evaluate(fc_router_graph_learned *graph, double rate);

#endif
