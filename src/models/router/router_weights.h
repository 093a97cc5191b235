/* The numbers of the graph networks of router_learned.c: fitted, not derived. */
#ifndef FC_MODELS_ROUTER_WEIGHTS_H
#define FC_MODELS_ROUTER_WEIGHTS_H

#include "models/router/router_learned.h"

enum {
    FC_LEARNED_MEMBERS = 2, /* networks whose answers are averaged */
    FC_LEARNED_WIDTH = 48,  /* numbers that stand for the state of a lane */
    FC_LEARNED_ROUNDS = 5,  /* times that a lane hears of its neighbours */
    FC_LEARNED_SEEN = 6,    /* vectors that a lane's next state is made of */
    /* each load as it is, its logarithm, and as 1 over what is left of a link; the logarithm of
     * what the wait is proportional to */
    FC_LANE_BY_LOAD = 3 * FC_LANE_LOADS + 1,
    FC_LANE_INPUTS = FC_LANE_FIXED + FC_LANE_BY_LOAD + FC_LANE_SOLVED + FC_WHOLE_INPUTS,
    FC_MOVEMENT_INPUTS = FC_MOVEMENT_FIXED + 2, /* and the load, and its logarithm */
    FC_TAIL_INPUTS = 2 * FC_LEARNED_WIDTH + FC_WHOLE_INPUTS + 1
};

/* Rows: inputs; columns: outputs. */
typedef float fc_learned_row[FC_LEARNED_WIDTH];

typedef struct fc_learned_round {
    fc_learned_row from[FC_LEARNED_WIDTH], from_bias;
    fc_learned_row to[FC_LEARNED_WIDTH];
    fc_learned_row movement[FC_MOVEMENT_INPUTS];
    fc_learned_row seen[FC_LEARNED_SEEN][FC_LEARNED_WIDTH], seen_bias;
    fc_learned_row change[FC_LEARNED_WIDTH], change_bias;
} fc_learned_round;

/* Inputs are taken as (value - mean) / scale; low, high: those that it was fitted to. */
typedef struct fc_learned_norm {
    float mean, scale, low, high;
} fc_learned_norm;

typedef struct fc_learned_member {
    fc_learned_row first[FC_LANE_INPUTS], first_bias;
    fc_learned_row second[FC_LEARNED_WIDTH], second_bias;
    fc_learned_round rounds[FC_LEARNED_ROUNDS];
    fc_learned_row last[2][FC_LEARNED_WIDTH], last_bias; /* of the final state and of the first */
    fc_learned_row wait, margin;
    float wait_bias, margin_bias;
    fc_learned_row tail[FC_TAIL_INPUTS], tail_bias, tail_last;
    float tail_last_bias;
} fc_learned_member;

typedef struct fc_learned_weights {
    fc_learned_norm fixed[FC_LANE_FIXED], solved[FC_LANE_SOLVED];
    fc_learned_norm movement[FC_MOVEMENT_FIXED], whole[FC_WHOLE_INPUTS];
    fc_learned_member members[FC_LEARNED_MEMBERS];
} fc_learned_weights;

extern const fc_learned_weights fc_router_weights;

#endif
