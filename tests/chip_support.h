/* A small chip, and traces for it. */
#ifndef CHIP_SUPPORT_H
#define CHIP_SUPPORT_H

#include "scenario_support.h"

#include <unistd.h>
#include "scenario/families/chip.h"

/* 4 x 3 tiles; links 3 cycles, interfaces 2, memories 7 cycles and 4 between two reads. */
static const char small[] = "network:\n"
                            "  topology: chip\n"
                            "  radix: [4, 3]\n"
                            "  networks:\n"
                            "    - {name: A}\n"
                            "    - {name: B, direction: decreasing, order: descending}\n"
                            "  link_delay: 3\n"
                            "  node_delay: 2\n"
                            "  buffer: 64\n"
                            "  packet_bytes: 256\n"
                            "  barrier_delay: 5\n"
                            "  memories: [{name: L1, latency: 7, gap: 4}]\n"
                            "traffic: {workload: {noc-trace: /nowhere}}\n";

/* Of the trace; set by main. */
static char path[64];

/* A scenario whose trace is these events. */
static inline fc_scenario *with_trace(const char *network, const char *events) {
    char value[96];
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "[%s]\n", events);
    fclose(file);
    snprintf(value, sizeof value, "{noc-trace: %s}", path);
    return must_read(network, "traffic.workload", value);
}

/* Where one program makes its traces. */
static inline void set_path(void) {
    snprintf(path, sizeof path, "/tmp/flitcast-chip-%ld.json", (long)getpid());
}

#define EVENT(x, noc, dx, dy, bytes, time)                                                         \
    "{\"proc\": \"P\", \"noc\": \"" noc "\", \"sx\": " x ", \"sy\": 0, \"dx\": " dx                \
    ", \"dy\": " dy ", \"num_bytes\": " bytes ", \"type\": \"READ\", \"timestamp\": " time "}"
#define BARRIER(x, which, time)                                                                    \
    "{\"proc\": \"P\", \"sx\": " x ", \"sy\": 0, \"type\": \"READ_BARRIER_" which                  \
    "\", \"timestamp\": " time "}"

#define WRITE(noc, dx, dy, bytes, time)                                                            \
    "{\"proc\": \"P\", \"noc\": \"" noc "\", \"sx\": 0, \"sy\": 0, \"dx\": " dx ", \"dy\": " dy    \
    ", \"num_bytes\": " bytes ", \"type\": \"WRITE_\", \"timestamp\": " time "}"
#define MULTICAST(noc, x, y, end_x, end_y)                                                         \
    "{\"proc\": \"P\", \"noc\": \"" noc "\", \"sx\": 0, \"sy\": 0, \"mcast_start_x\": " x          \
    ", \"mcast_start_y\": " y ", \"mcast_end_x\": " end_x ", \"mcast_end_y\": " end_y              \
    ", \"num_bytes\": 64, \"type\": \"WRITE_MULTICAST\", \"timestamp\": 50}"
#define OTHER(type, rest, time)                                                                    \
    "{\"proc\": \"P\", \"sx\": 0, \"sy\": 0, \"type\": \"" type "\"" rest ", \"timestamp\": " time \
    "}"

#endif
