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
    FC_PHASE_TOGETHER,
    FC_PHASE_CHAKRA,
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
    FC_ALGORITHM_MULTI_RING,
    FC_ALGORITHM_HIERARCHICAL,
    FC_ALGORITHMS,
} fc_algorithm;
extern const char *const fc_algorithm_names[];

/* In which order a rank sends to the others where it sends to all at once. */
typedef enum fc_send_order { FC_ORDER_SHIFTED, FC_ORDER_RANK, FC_ORDER_RANDOM } fc_send_order;
extern const char *const fc_order_names[];

/* ---- groups of ranks ---- */

enum { FC_GROUPINGS_MAX = 8, FC_GROUP_NAME_SIZE = 32 };

/* A way to divide ranks into groups (traffic.groups). */
typedef struct fc_grouping {
    char name[FC_GROUP_NAME_SIZE];
    int64_t size;     /* ranks that differ in one digit of their number; 0: lists */
    int64_t stride;   /* derived: of that digit */
    uint32_t *member; /* lists, one behind the other */
    uint32_t *end;    /* of each list */
    size_t lists;
} fc_grouping;

typedef struct fc_groupings {
    size_t count;
    fc_grouping list[FC_GROUPINGS_MAX];
} fc_groupings;

typedef struct fc_byte_matrix { /* bytes from each rank to each */
    char file[FC_PATH_SIZE];
    uint64_t checksum;
    uint32_t ranks;
    double *bytes; /* ranks x ranks, row = source; NULL: none */
} fc_byte_matrix;

typedef struct fc_chakra fc_chakra; /* formats/chakra_file.h */

typedef struct fc_phase {
    fc_phase_kind kind;
    int algorithm;       /* fc_algorithm */
    int inner, outer;    /* hierarchical: algorithms */
    int64_t inner_ranks; /* hierarchical, multi-ring: neighbouring ranks; 0: the network's */
    int64_t rings;       /* multi-ring */
    int order;           /* direct: fc_send_order */
    char group[FC_GROUP_NAME_SIZE]; /* of traffic.groups; "": all ranks together */
    uint32_t grouping;              /* derived: its place there, from 1; 0: none */
    uint32_t first_strand, strands; /* together: what goes on at the same time */
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
    fc_chakra *chakra;     /* chakra */
    fc_byte_matrix matrix; /* matrix, mixture-of-experts */
} fc_phase;

enum { FC_STRANDS_MAX = 255 };

/* Phases that follow each other, so many times. Strand 0 is the workload itself; another is what a
 * rank does beside others in a phase `together`, each time it gets there. */
typedef struct fc_phase_group {
    size_t first, count;
    int64_t times;
    uint32_t strand;
    int64_t outer_times; /* of the phase `together`; 0 in strand 0 */
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

/* Ranks that compute more slowly than the others (traffic.slow_ranks): those of a list or a share
 * of all, drawn, by a factor; or each by a factor of its own, exp(deviation x a normal number). */
typedef struct fc_slow_ranks {
    uint32_t *rank;
    size_t count;
    double share, factor, deviation; /* all 0: none is slow */
} fc_slow_ranks;

typedef struct fc_workload fc_workload;

/* One of several workloads that run at the same time (traffic.jobs), each on nodes of its own. */
typedef struct fc_workload_job {
    fc_workload *work;
    int64_t start; /* cycle in which its ranks begin */
} fc_workload_job;
enum { FC_JOBS_MAX = 256 };

enum { FC_REPEATS_SKIPPED, FC_REPEATS_SIMULATED };

struct fc_workload {
    bool of_trace; /* the key is traffic.trace: messages are not cut */
    size_t count;
    fc_phase *phases; /* NULL: no workload */
    size_t group_count;
    fc_phase_group *groups;
    size_t job_count; /* traffic.jobs: `phases` are those of all jobs, one after the other, and
                         belong to them; ranks are numbered so too */
    fc_workload_job *jobs;
    uint32_t strands; /* beside strand 0 */
    fc_groupings groupings;
    int64_t flit_bytes, packet_flits;
    double reduction_time; /* cycles to add up a byte */
    int64_t send_overhead; /* cycles of a rank for each message that it sends (o) */
    int64_t send_gap;      /* cycles from the beginning of a message to that of the next (g) */
    int64_t ranks;         /* 0: as many as there are nodes; derived: their number */
    fc_placement placement;
    fc_slow_ranks slow;
    int repeats; /* FC_REPEATS_...: of a repetition whose passes take equally long */
    double cycles_of_microsecond; /* derived; 1000 without a clock */
    int64_t inner_ranks; /* derived: nodes that the network keeps close together; 0: none */
    /* derived, for halo-exchange: the network's own grid */
    fc_integer_list grid;
    bool wraps;
};

void fc_workload_initialise(fc_workload *workload); /* before its keys are read */
void fc_workload_release(fc_workload *workload);

#endif
