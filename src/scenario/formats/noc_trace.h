/* Traces of a chip's networks: what its processors read and wrote, and the waits for it.
 *
 *     [{"proc": "BRISC", "zone": "BRISC-KERNEL", "sx": 1, "sy": 1, "timestamp": 1000},
 *      {"proc": "BRISC", "noc": "NOC_1", "sx": 1, "sy": 1, "dx": 3, "dy": 1, "num_bytes": 4096,
 *       "type": "READ", "timestamp": 1020},
 *      {"proc": "BRISC", "sx": 1, "sy": 1, "type": "READ_BARRIER_START", "timestamp": 1040},
 *      {"proc": "BRISC", "sx": 1, "sy": 1, "type": "READ_BARRIER_END", "timestamp": 1500}]
 *
 * One array of objects, as tt-metal records them. An event has its processor (`proc` of the core at
 * `sx`, `sy`) and its time in cycles of one clock; a read has its network, where the data are and
 * how many bytes; a write, where they go; a multicast, the rectangle of tiles to which they go,
 * from the corner at which a packet of its network comes in. Transfers may take their place and
 * size from an event before them of the same processor that sets them (SET_STATE). Events of a
 * processor are in the order of time, those of different processors in any order. A processor that
 * has begun a barrier goes on when all it read, or wrote, before it has come. Marks of the program
 * (events without a type, semaphores, flushes) count only as the first or the last time. Members
 * that are not named here are allowed and ignored. */
#ifndef FC_SCENARIO_NOC_TRACE_H
#define FC_SCENARIO_NOC_TRACE_H

#include "scenario/family.h"

enum {
    FC_NOC_TRACE_BYTES_MAX = 1 << 28,
    FC_NOC_TRANSFERS_MAX = 1 << 22,
    FC_NOC_NETWORKS_MAX = 4,
    FC_NOC_SIDE_MAX = 32,  /* tiles along a side of a chip */
    FC_NOC_NAME_SIZE = 20, /* of a processor or network */
};
#define FC_NOC_NO_BARRIER UINT32_MAX

typedef enum fc_noc_kind { FC_NOC_READ, FC_NOC_WRITE, FC_NOC_MULTICAST } fc_noc_kind;

typedef struct fc_noc_transfer {
    uint64_t time; /* cycles after the first event of the trace */
    uint32_t processor, barrier;
    uint32_t after; /* barrier that its processor passed last; FC_NOC_NO_BARRIER: none */
    uint32_t bytes;
    uint8_t kind; /* fc_noc_kind */
    uint8_t x, y; /* of the tile that has the data, or gets them; of a rectangle the first */
    uint8_t end_x, end_y; /* the last; of others the same */
    uint8_t
        network; /* index into the trace's names; once it belongs to a chip, into its networks */
} fc_noc_transfer;

/* The wait of a processor for the reads before it, or the writes. */
typedef struct fc_noc_barrier {
    uint32_t processor;
    uint32_t previous; /* that it passed before; FC_NOC_NO_BARRIER: none */
    uint32_t transfers;
    uint8_t network;         /* of the last of them; an index like theirs */
    uint64_t started, ended; /* as measured, cycles after the first event */
    bool measured;           /* false: the file ends before the barrier does */
} fc_noc_barrier;

typedef struct fc_noc_processor {
    char name[FC_NOC_NAME_SIZE];
    uint8_t x, y;
    uint32_t first, count; /* its transfers */
} fc_noc_processor;

typedef struct fc_noc_name {
    char text[FC_NOC_NAME_SIZE];
    size_t line; /* where it is first */
} fc_noc_name;

typedef struct fc_noc_trace {
    char file[FC_PATH_SIZE];
    uint64_t checksum;          /* so that the scenario's hash covers the file's content */
    fc_noc_transfer *transfers; /* by processor, each one's in the order of the file */
    fc_noc_barrier *barriers;   /* in the order in which the file has the first transfer of each */
    fc_noc_processor *processors;
    uint32_t transfer_count, barrier_count, processor_count;
    uint32_t marks;  /* events with a type that count only as times */
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

/* Whether a processor has passed a barrier: what it waits for has come (left of each: 0) and so has
 * what the ones before it waited for. end: of each, the cycle of the last data; then no earlier
 * than the one before it. passed: those that are known to be, all false at first. */
bool fc_noc_pass(const fc_noc_trace *trace, const uint32_t *left, uint64_t *end, bool *passed,
                 uint32_t barrier);

/* The key traffic.workload of a chip, {noc-trace: FILE}, into an fc_noc_trace. */
fc_status fc_noc_trace_read(const fc_document *document, const fc_value *value, void *field,
                            fc_error *error);
void fc_noc_trace_write(const void *field, FILE *stream);

#endif
