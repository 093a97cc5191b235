/* Who sends to whom, and requests with their replies: what families of networks have in common. */
#ifndef FC_SCENARIO_TRAFFIC_H
#define FC_SCENARIO_TRAFFIC_H

#include "scenario/family.h"

enum { FC_OPEN, FC_CLOSED }; /* traffic.kind */

typedef enum fc_pattern {
    FC_UNIFORM,
    FC_NEAR_NEIGHBOUR,
    FC_HOT_SPOT,
    FC_MATRIX,
    FC_TRANSPOSE,
    FC_BIT_COMPLEMENT,
    FC_BIT_REVERSE,
    FC_SHUFFLE,
    FC_TORNADO,
    FC_BIT_ROTATION,
    FC_NEIGHBOUR,
    FC_DIAGONAL,
    FC_ASYMMETRIC,
    FC_RANDOM_PERMUTATION,
    FC_HOT_SPOTS,
} fc_pattern;

enum { FC_HOT_SPOTS_MAX = 4096 };
typedef struct fc_hot_spot {
    fc_integer_list place; /* as given: digits, dimension 0 first, or one number */
    int64_t node;          /* derived */
    double weight;         /* above 0 */
} fc_hot_spot;

typedef struct fc_flow { /* a line of a matrix in CSV */
    uint32_t source, destination;
    uint32_t line;
    double rate;
} fc_flow;

typedef struct fc_destinations {
    fc_pattern pattern;
    double share;            /* near-neighbour: of all messages; hot-spot: to the hot node */
    fc_integer_list node;    /* hot-spot: digits, dimension 0 first, or one number */
    char file[FC_PATH_SIZE]; /* matrix */
    double *matrix; /* nodes x nodes, row = source; rows sum to 1, or to 0 where the weight is 0;
                       diagonal 0 unless to_self; NULL without */
    size_t matrix_nodes;
    fc_flow *flows; /* CSV: until the network's size is known, then NULL */
    size_t flow_count;
    uint64_t matrix_checksum; /* so that the scenario's hash covers the file's content */
    double *weights;  /* nodes: rate of a node over traffic.rate, the mean of those that send;
                        NULL: all alike */
    int64_t seed;     /* random-permutation */
    size_t hot_count; /* hot-spots: every message goes to one of them, by their weights */
    fc_hot_spot *hot;
    int to_self; /* traffic.self_messages: 0: no node sends to itself; 1: a draw or a permutation's
                    fixed point may, through its own router */
} fc_destinations;

enum { FC_REQUEST_TYPES_MAX = 8 };
typedef struct fc_request_type {
    double share;
    int64_t flits, reply_flits;
    double memory_reply; /* cycles until the reply can be sent */
    double memory_busy;  /* cycles the memory is occupied */
} fc_request_type;

typedef struct fc_requests {
    size_t count;
    fc_request_type types[FC_REQUEST_TYPES_MAX];
} fc_requests;

#endif
