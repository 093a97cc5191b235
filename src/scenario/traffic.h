/* Who sends to whom, and requests with their replies: what families of networks have in common. */
#ifndef FC_SCENARIO_TRAFFIC_H
#define FC_SCENARIO_TRAFFIC_H

#include "scenario/family.h"

enum { FC_OPEN, FC_CLOSED }; /* traffic.kind */

/* The number of what is not there. */
#define FC_NONE UINT32_MAX
#define FC_NO_NODE FC_NONE

/* Every pattern of destinations: its number, the name of its descriptor (fc_pattern_NAME, in a file
 * of patterns/), its word in a scenario, its form there. Measured cases name patterns by number, so
 * that a new one is added at the end. */
/* clang-format off */
#define FC_PATTERN_LIST(X)                                                                         \
    X(FC_UNIFORM, uniform, "uniform", "uniform")                                                   \
    X(FC_NEAR_NEIGHBOUR, near_neighbour, "near-neighbour", "{near-neighbour: SHARE}")              \
    X(FC_HOT_SPOT, hot_spot, "hot-spot", "{hot-spot: {share: SHARE, node: NODE}}")                 \
    X(FC_MATRIX, matrix, "matrix", "{matrix: FILE}")                                               \
    X(FC_TRANSPOSE, transpose, "transpose", "transpose")                                           \
    X(FC_BIT_COMPLEMENT, bit_complement, "bit-complement", "bit-complement")                       \
    X(FC_BIT_REVERSE, bit_reverse, "bit-reverse", "bit-reverse")                                   \
    X(FC_SHUFFLE, shuffle, "shuffle", "shuffle")                                                   \
    X(FC_TORNADO, tornado, "tornado", "tornado")                                                   \
    X(FC_BIT_ROTATION, bit_rotation, "bit-rotation", "bit-rotation")                               \
    X(FC_NEIGHBOUR, neighbour, "neighbour", "neighbour")                                           \
    X(FC_DIAGONAL, diagonal, "diagonal", "diagonal")                                               \
    X(FC_ASYMMETRIC, asymmetric, "asymmetric", "asymmetric")                                       \
    X(FC_RANDOM_PERMUTATION, random_permutation, "random-permutation", "{random-permutation: SEED}") \
    X(FC_HOT_SPOTS, hot_spots, "hot-spots", "{hot-spots: [{node: NODE, weight: W}, ...]}")          \
    X(FC_NEXT_GROUP, next_group, "next-group", "{next-group: NODES}")
/* clang-format on */

#define FC_PATTERN_NUMBER(id, symbol, word, form) id,
typedef enum fc_pattern { FC_PATTERN_LIST(FC_PATTERN_NUMBER) FC_PATTERNS } fc_pattern;
#undef FC_PATTERN_NUMBER

typedef struct fc_pattern_info fc_pattern_info; /* patterns/pattern.h */
extern const fc_pattern_info *const fc_patterns[FC_PATTERNS];
extern const char *const fc_pattern_names[FC_PATTERNS + 1]; /* NULL-terminated */
/* ", uniform, {near-neighbour: SHARE}, ...": what a scenario may hold, from the third character on
 */
extern const char fc_pattern_forms[];

enum { FC_HOT_SPOTS_MAX = 4096 };
typedef struct fc_hot_spot {
    fc_integer_list coordinates; /* as given: digits, dimension 0 first, or one number */
    int64_t node;                /* derived */
    double weight;               /* above 0 */
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
    double *weights;     /* nodes: rate of a node over traffic.rate, the mean of those that send;
                           NULL: all alike */
    int64_t seed;        /* random-permutation */
    int64_t group_nodes; /* next-group */
    size_t hot_count;    /* hot-spots: every message goes to one of them, by their weights */
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
