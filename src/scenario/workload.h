/* Work that ends (traffic.workload, traffic.trace): phases that ranks go through one after another.
 *
 * A rank is a process of the workload; each has a node of its own (traffic.placement). A phase is a
 * collective operation, an exchange, a computation, a barrier, or the messages of a file. A trace
 * is a workload of one phase, a file whose messages are not cut into packets. */
#ifndef FC_SCENARIO_WORKLOAD_H
#define FC_SCENARIO_WORKLOAD_H

#include "scenario/family.h"

enum { FC_RANKS_MAX = 1 << 20, FC_PHASES_MAX = 256 };
#define FC_WORK_MESSAGES_MAX 500000000.0

/* ---- messages of a file (trace_file.h) ---- */

/* It is generated at `time` or, if it waits for others, `time` cycles after the last of those has
 * been delivered. */
typedef struct fc_trace_message {
    uint64_t time;
    uint32_t source, destination;
    uint32_t
        flits; /* or bytes, as the file says; 0: nothing is sent, those that wait for it go on */
    uint32_t after; /* message it waits for; UINT32_MAX: none */
} fc_trace_message;

/* What a message waits for beside its `after`. */
typedef struct fc_trace_wait {
    uint32_t message, after;
} fc_trace_wait;

/* A message of size 0 that computes: on its processor one after another, in the order in which they
 * can begin. */
typedef struct fc_trace_processor {
    uint32_t number; /* UINT32_MAX: none */
    uint64_t longer; /* cycles for which it is busy after the message's time is over */
} fc_trace_processor;

typedef struct fc_trace {
    char file[FC_PATH_SIZE];
    uint64_t checksum; /* so that the scenario's hash covers the file's content */
    size_t count;
    size_t independent; /* messages that wait for none: they come first, sorted by time; the others
                           follow, each behind those it waits for unless the file says otherwise */
    fc_trace_message
        *messages; /* NULL: the file is too long for memory and is read while it runs */
    fc_trace_wait *waits;
    size_t wait_count;
    fc_trace_processor *processors; /* of each message; NULL: none has one */
    uint32_t processor_count;
    bool in_bytes;
    char *stream_path; /* of a file read while it runs */
    uint32_t largest_node;
    size_t largest_line, self_line; /* where it is; the first from a node to itself, or 0 */
} fc_trace;

/* ---- phases ---- */

typedef enum fc_phase_kind {
    FC_PHASE_ALL_TO_ALL,
    FC_PHASE_ALL_REDUCE,
    FC_PHASE_REDUCE_SCATTER,
    FC_PHASE_ALL_GATHER,
    FC_PHASE_BROADCAST,
    FC_PHASE_HALO_EXCHANGE,
    FC_PHASE_EXPERTS,
    FC_PHASE_MATRIX,
    FC_PHASE_FILE,
    FC_PHASE_COMPUTE,
    FC_PHASE_BARRIER,
    FC_PHASE_KINDS,
} fc_phase_kind;

/* Algorithms of collective operations; which a phase takes is said in workload_read.c. */
typedef enum fc_algorithm {
    FC_ALGORITHM_RING,
    FC_ALGORITHM_RECURSIVE_DOUBLING,
    FC_ALGORITHM_HALVING_DOUBLING,
    FC_ALGORITHM_TWO_TREES,
    FC_ALGORITHM_RECURSIVE_HALVING,
    FC_ALGORITHM_BINOMIAL,
    FC_ALGORITHM_DIRECT,
    FC_ALGORITHM_PAIRWISE,
    FC_ALGORITHMS,
} fc_algorithm;
extern const char *const fc_algorithm_names[];

typedef struct fc_byte_matrix { /* bytes from each rank to each */
    char file[FC_PATH_SIZE];
    uint64_t checksum;
    uint32_t ranks;
    double *bytes; /* ranks x ranks, row = source; NULL: none */
} fc_byte_matrix;

typedef struct fc_phase {
    fc_phase_kind kind;
    int algorithm; /* fc_algorithm */
    int64_t bytes; /* all-to-all: of a pair; halo-exchange: to a neighbour; mixture-of-experts: of a
                      token; else of the whole vector */
    int64_t root;  /* broadcast */
    int64_t chunks;  /* two-trees, broadcast: parts that follow each other; 0: chosen by the size */
    int64_t cycles;  /* compute: of every rank; mixture-of-experts: of an expert for a token */
    int64_t tokens;  /* mixture-of-experts: of a rank */
    int64_t experts; /* of all ranks; 0: one for each rank */
    int64_t choices; /* experts that a token is sent to */
    double skew;     /* expert number k is chosen in proportion to 1 / (k + 1)^skew */
    fc_integer_list grid;  /* halo-exchange: ranks along each dimension; empty: the network's */
    int periodic;          /* halo-exchange: -1 as the network, 0 no, 1 yes */
    fc_trace trace;        /* file */
    fc_byte_matrix matrix; /* matrix, mixture-of-experts */
} fc_phase;

/* Phases that follow each other, so many times. */
typedef struct fc_phase_group {
    size_t first, count;
    int64_t times;
} fc_phase_group;

enum { FC_PLACE_LINEAR, FC_PLACE_RANDOM, FC_PLACE_BLOCKS, FC_PLACE_FILE };
typedef struct fc_placement { /* traffic.placement */
    int kind;
    int64_t seed;  /* random; -1: by the seed and the replication of the simulation */
    int64_t block; /* blocks: ranks that stay together */
    char file[FC_PATH_SIZE];
    uint64_t checksum;
    uint32_t *node; /* file: of each rank */
    size_t count;
} fc_placement;

typedef struct fc_workload {
    bool of_trace; /* the key is traffic.trace: messages are not cut */
    size_t count;
    fc_phase *phases; /* NULL: no workload */
    size_t group_count;
    fc_phase_group *groups;
    int64_t flit_bytes, packet_flits;
    int64_t ranks; /* 0: as many as there are nodes; derived: their number */
    fc_placement placement;
    /* derived, for halo-exchange: the network's own grid */
    fc_integer_list grid;
    bool wraps;
} fc_workload;

void fc_workload_initialise(fc_workload *workload); /* before its keys are read */
void fc_workload_release(fc_workload *workload);

#endif
