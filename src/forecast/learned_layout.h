/* Where the numbers of one network are among the weights: matrices by rows of inputs, columns of
 * outputs, one behind the other. */
#ifndef FC_FORECAST_LEARNED_LAYOUT_H
#define FC_FORECAST_LEARNED_LAYOUT_H

#include "forecast/learned.h"

enum {
    FC_AT_ONCE = 8, /* numbers of a vector: widths are multiples of it */
    FC_WIDTH_MOST = 96,
    FC_ROUNDS_MOST = 8,
    FC_HEARD = 6,         /* vectors that a lane's next state is made of */
    FC_LANE_OUTPUTS = 16, /* 0: toward the saturation load; from 1: the growth at the knots */
    /* 0: tail at the knots; FC_KNOTS: log of the spread at the knots; then that of the saturation
     * load. Form `values`: corrections, from FC_LEARNED_VALUES_MOST their log spreads. */
    FC_NETWORK_OUTPUTS = 24
};

typedef struct fc_learned_shape {
    bool values;                  /* the form */
    size_t whole, lane, movement; /* inputs */
    size_t width, rounds;
    size_t prior; /* which of the inputs of the whole, from 1, is the first of fc_prior; 0: none */
} fc_learned_shape;

/* prior of a list of names, "a, b, c". */
size_t fc_learned_prior_in(const char *names);

/* Of a round, from where it begins. */
typedef struct fc_round_layout {
    size_t from, from_bias, to, movement, seen[FC_HEARD], seen_bias, change, change_bias, count;
} fc_round_layout;

typedef struct fc_learned_layout {
    size_t lane, whole, first_bias, second, second_bias;
    size_t rounds;                                   /* the first; the others follow it */
    size_t last[2], last_bias, out, out_bias;        /* of a lane */
    size_t tail, tail_bias, tail_out, tail_out_bias; /* of the network */
    fc_round_layout round;
    size_t count; /* of all numbers */
} fc_learned_layout;

fc_learned_layout fc_learned_layout_of(const fc_learned_shape *shape);

/* Inputs of the network's outputs: means over lanes, means weighted by waits, the whole. */
static inline size_t fc_tail_inputs(const fc_learned_shape *shape) {
    return 2 * shape->width + shape->whole;
}

#endif
