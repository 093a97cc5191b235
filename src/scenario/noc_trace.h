/* Traces of a chip's networks: the reads that its processors asked for, and the waits for them.
 *
 *     [{"proc": "BRISC", "zone": "BRISC-KERNEL", "sx": 1, "sy": 1, "timestamp": 1000},
 *      {"proc": "BRISC", "noc": "NOC_1", "sx": 1, "sy": 1, "dx": 3, "dy": 1, "num_bytes": 4096,
 *       "type": "READ", "timestamp": 1020},
 *      {"proc": "BRISC", "sx": 1, "sy": 1, "type": "READ_BARRIER_START", "timestamp": 1040},
 *      {"proc": "BRISC", "sx": 1, "sy": 1, "type": "READ_BARRIER_END", "timestamp": 1500}]
 *
 * One array of objects, as tt-metal records them. An event has its processor (`proc` of the core at
 * `sx`, `sy`) and its time in cycles of one clock; a read has its network, where the data are and
 * how many bytes. Events of a processor are in the order of time, those of different processors in
 * any order. A processor that has begun a barrier goes on when all it asked for has come. An event
 * without a type marks a part of the program and counts only as the first or the last time. Members
 * that are not named here are allowed and ignored. */
#ifndef FC_SCENARIO_NOC_TRACE_H
#define FC_SCENARIO_NOC_TRACE_H

#include "scenario/family.h"

enum {
    FC_NOC_TRACE_BYTES_MAX = 1 << 28,
    FC_NOC_READS_MAX = 1 << 22,
    FC_NOC_NETWORKS_MAX = 4,
    FC_NOC_SIDE_MAX = 32,  /* tiles along a side of a chip */
    FC_NOC_NAME_SIZE = 20, /* of a processor or network */
};
#define FC_NOC_NO_BARRIER UINT32_MAX

typedef struct fc_noc_read {
    uint64_t time; /* cycles after the first event of the trace */
    uint32_t processor, barrier;
    uint32_t bytes;
    uint8_t x, y; /* of the tile that has the data */
    uint8_t
        network; /* index into the trace's names; once it belongs to a chip, into its networks */
} fc_noc_read;

/* The wait of a processor for the reads before it. */
typedef struct fc_noc_barrier {
    uint32_t processor;
    uint32_t previous; /* of the same processor; FC_NOC_NO_BARRIER: none */
    uint32_t reads;
    uint8_t network;         /* of its last read; an index like that of a read */
    uint64_t started, ended; /* as measured, cycles after the first event */
    bool measured;           /* false: the file ends before the barrier does */
} fc_noc_barrier;

typedef struct fc_noc_processor {
    char name[FC_NOC_NAME_SIZE];
    uint8_t x, y;
    uint32_t first, count; /* its reads */
} fc_noc_processor;

typedef struct fc_noc_name {
    char text[FC_NOC_NAME_SIZE];
    size_t line; /* where it is first */
} fc_noc_name;

typedef struct fc_noc_trace {
    char file[FC_PATH_SIZE];
    uint64_t checksum;        /* so that the scenario's hash covers the file's content */
    fc_noc_read *reads;       /* by processor, each one's in the order of the file */
    fc_noc_barrier *barriers; /* in the order in which the file has their first reads */
    fc_noc_processor *processors;
    uint32_t read_count, barrier_count, processor_count;
    uint64_t length; /* cycles from the first event to the last */
    fc_noc_name networks[FC_NOC_NETWORKS_MAX];
    size_t network_count;
    uint8_t largest_x, largest_y;
    size_t largest_x_line, largest_y_line;
} fc_noc_trace;

/* From text; path is only named in messages. Free with fc_noc_trace_clear, also after a failure. */
fc_status fc_noc_trace_parse(const char *text, const char *path, fc_error *error,
                             fc_noc_trace *trace);
void fc_noc_trace_clear(fc_noc_trace *trace);

/* The key traffic.workload of a chip, {noc-trace: FILE}, into an fc_noc_trace. */
fc_status fc_noc_trace_read(const fc_document *document, const fc_value *value, void *field,
                            fc_error *error);
void fc_noc_trace_write(const void *field, FILE *stream);

#endif
