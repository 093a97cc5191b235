/* Execution traces of MLCommons Chakra: PREFIX.0.et, PREFIX.1.et, ..., a file for each rank.
 *
 * A file is a row of protobuf messages, each behind its length: one with global metadata, then the
 * nodes, each with the nodes it depends on. Files are read message by message. What is kept of a
 * node is what decides when it runs and what it sends; other fields are passed over. */
#ifndef FC_SCENARIO_CHAKRA_FILE_H
#define FC_SCENARIO_CHAKRA_FILE_H

#include <stdio.h>
#include "scenario/workload.h"

enum { FC_CHAKRA_NODES_MAX = 1 << 24 };

/* NodeType and CollectiveCommType of the format. */
typedef enum fc_chakra_kind {
    FC_CHAKRA_METADATA = 1,
    FC_CHAKRA_LOAD,
    FC_CHAKRA_STORE,
    FC_CHAKRA_COMPUTE,
    FC_CHAKRA_SEND,
    FC_CHAKRA_RECEIVE,
    FC_CHAKRA_COLLECTIVE,
} fc_chakra_kind;
typedef enum fc_chakra_collective {
    FC_CHAKRA_ALL_REDUCE = 0,
    FC_CHAKRA_ALL_GATHER = 2,
    FC_CHAKRA_BROADCAST = 5,
    FC_CHAKRA_ALL_TO_ALL = 6,
    FC_CHAKRA_REDUCE_SCATTER = 7,
    FC_CHAKRA_REDUCE_SCATTER_BLOCK = 8,
    FC_CHAKRA_BARRIER = 9,
} fc_chakra_collective;

typedef struct fc_chakra_node {
    uint64_t id;
    uint64_t micros, operations, tensor_bytes, bytes;
    uint32_t rank;
    int kind;            /* fc_chakra_kind */
    uint32_t collective; /* fc_chakra_collective, or another of the format */
    bool on_cpu;
    uint32_t peer, tag, root;
    uint32_t group; /* number of its name; UINT32_MAX: all ranks */
    uint32_t first_dependency, dependencies;
} fc_chakra_node;

/* Algorithms of a trace's collective operations, in this order. */
enum { FC_CHAKRA_FORMS = 5 };
extern const fc_phase_kind fc_chakra_forms[FC_CHAKRA_FORMS];

struct fc_chakra {
    char prefix[FC_PATH_SIZE];
    uint64_t checksum;
    uint32_t ranks;        /* files */
    fc_chakra_node *nodes; /* rank by rank, in the order of the files */
    size_t count, room;
    uint32_t *first;      /* of each rank; one more at the end */
    uint64_t *dependency; /* numbers of nodes */
    size_t dependencies, dependency_room;
    char (*group)[FC_GROUP_NAME_SIZE];
    uint32_t groups;
    /* how it is run */
    int64_t replicas;
    double operations_per_cycle, memory_bytes_per_cycle; /* 0: not said */
    fc_phase forms[FC_CHAKRA_FORMS];
};

/* One rank's file. path is only named in messages. */
fc_status fc_chakra_read_rank(FILE *stream, const char *path, fc_error *error, fc_chakra *chakra);
/* All files. */
fc_status fc_chakra_read_files(const char *prefix, fc_error *error, fc_chakra *chakra);
void fc_chakra_free(fc_chakra *chakra);

#endif
