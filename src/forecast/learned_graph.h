/* One learned network, evaluated on the traits of one network: what the forecasts and the fit have
 * in common. */
#ifndef FC_FORECAST_LEARNED_GRAPH_H
#define FC_FORECAST_LEARNED_GRAPH_H

#include "forecast/learned_layout.h"

/* Inputs are taken as (value - mean) / scale; low, high: the least and the largest of those that
 * were fitted to. */
typedef struct fc_trait_norm {
    float low, high, mean, scale;
} fc_trait_norm;

typedef struct fc_trait_norms {
    fc_trait_norm *whole, *lane, *movement;
} fc_trait_norms;

/* The traits of a network, ready for learned networks. */
typedef struct fc_trait_graph {
    const fc_traits *traits;                            /* they outlive this */
    float whole[FC_TRAIT_WHOLE_MOST], *lane, *movement; /* inputs, scaled */
    /* Shares of each lane in the messages of all, in what they wait, in the messages of its link */
    float *mean, *waited, *of_link;
} fc_trait_graph;

fc_status fc_trait_graph_create(const fc_trait_norms *norms, const fc_learned_shape *shape,
                                const fc_traits *traits, fc_error *error, fc_trait_graph **graph);
void fc_trait_graph_free(fc_trait_graph *graph);

/* Of a round: sums over neighbours, the layer behind them; slopes are for the fit. */
typedef struct fc_round_tape {
    float *kept, *shared, *loaded, *mates, *work, *work_slope, *movement_slope;
} fc_round_tape;

/* What an evaluation leaves: rows of states, one per lane. */
typedef struct fc_learned_tape {
    size_t lanes, movements;                   /* that there is room for */
    float *first, *first_slope, *second_slope; /* the two layers of the inputs */
    float *now[FC_ROUNDS_MOST + 1];            /* states; [0] is that of the inputs */
    fc_round_tape round[FC_ROUNDS_MOST];
    float *from, *to; /* scratch */
    float *last, *last_slope;
    float *tail_in, *tail, *tail_slope;
    float *out; /* FC_LANE_OUTPUTS of each lane */
    float network[FC_NETWORK_OUTPUTS];
    const float *drop; /* factors of the last states, for the fit; NULL: none */
    float *memory;
} fc_learned_tape;

/* Room for so many. keeps: every round of its own, as a fit needs them. */
fc_status fc_learned_tape_create(const fc_learned_shape *shape, size_t lanes, size_t movements,
                                 bool keeps, fc_error *error, fc_learned_tape **tape);
void fc_learned_tape_free(fc_learned_tape *tape);

/* weights: of one learned network. */
void fc_learned_forward(const fc_learned_shape *shape, const fc_learned_layout *layout,
                        const float *weights, const fc_trait_graph *graph, fc_learned_tape *tape);

#endif
