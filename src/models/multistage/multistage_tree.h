/* What the models of multistage networks share: how much traffic the buffers on the way to a hot
 * memory carry, the groups of cold memories, and how a solution becomes a result.
 *
 * Stages are counted from 1. The tree of the hot memory holds N / a^(i-1) buffers of stage i; with
 * b packets per source and cycle entering, each of them carries b f_i:
 * f_1 = 1 (all of stage 1), f_i = 1 - h + a^(i-1) h. A buffer off the tree carries b (1 - h).
 * Cold group g = 1 .. n: the (a-1) a^(g-1) memories whose way leaves the tree after stage n-g+1. */
#ifndef FC_MODELS_MULTISTAGE_TREE_H
#define FC_MODELS_MULTISTAGE_TREE_H

#include "registry/result.h"
#include "scenario/multistage.h"

/* f_i of a tree buffer, or of one off it. Without a hot spot: 1. */
double fc_tree_share(const fc_multistage *network, int64_t stage, bool tree);
/* Number of memories in cold group g; group 0 is the hot memory. */
double fc_tree_group_size(const fc_multistage *network, int64_t group);
/* The rate at which the busiest buffers are offered as much as they can serve. */
double fc_tree_capacity(const fc_multistage *network);

/* One kind of buffer in a solution. */
typedef struct fc_stage_solution {
    double utilisation; /* of the server, held packets included */
    double wait;        /* mean cycles before service */
    double blocking;    /* share of packets that find it full */
    double held;        /* mean cycles a packet stays after its service */
    double path;        /* cycles it adds to the latency of a packet that comes through it */
} fc_stage_solution;

typedef struct fc_multistage_solution {
    fc_stage_solution tree[FC_STAGES_MAX + 1]; /* by stage; all buffers without a hot spot */
    fc_stage_solution off[FC_STAGES_MAX + 1];  /* stages 2 .. n */
    double exit_hot, exit_cold; /* cycles before the line into the hot or another memory is free */
    double groups[FC_STAGES_MAX + 1]; /* latency by group; [0]: the hot memory */
    double latency, latency_hot, latency_cold;
    double throughput, offered; /* packets per node per cycle */
    double loss;                /* share of the offered */
    bool has_held;              /* the model knows how long packets are held */
} fc_multistage_solution;

/* Latencies of groups and means over all traffic from the paths of the stages. */
void fc_multistage_sum_paths(const fc_multistage *network, fc_multistage_solution *solution);
/* Metrics, parts and the tables "channels" and "groups". */
void fc_multistage_fill(const fc_multistage *network, const fc_multistage_solution *solution,
                        fc_result *result);
/* Infinite buffers, more offered than some can serve. */
void fc_multistage_fill_saturated(const fc_multistage *network, fc_result *result);
/* Exact for infinite buffers; with finite ones, or a limit on outstanding packets, nothing piles
 * up: infinity. */
fc_status fc_multistage_saturation(const fc_scenario *scenario, void *prepared, fc_error *error,
                                   double *load);

#endif
