/* The messages of a file while they run: which are due, and which wait for which.
 *
 * A file in memory is there from the start. A longer one is read as far as a window beyond the
 * oldest message that is not delivered; where a message is read only after it was due, it is
 * counted as late. */
#ifndef FC_WORKLOADS_MESSAGE_GRAPH_H
#define FC_WORKLOADS_MESSAGE_GRAPH_H

#include "scenario/formats/trace_file.h"
#include "workloads/due_heap.h"
#include "workloads/message_chain.h"

typedef struct fc_message_graph fc_message_graph;

enum { FC_GRAPH_WINDOW = 1 << 20 };
/* start: the cycle that times without `after` are counted from. window: a power of two, messages;
 * only for files that are read while they run. alone: computing waits for no processor. */
fc_status fc_message_graph_create(const fc_trace *trace, uint64_t start, uint32_t window,
                                  bool alone, fc_error *error, fc_message_graph **graph);
void fc_message_graph_free(fc_message_graph *graph);
/* From now on it is kept which message led to which. first: the one that let the file begin. */
void fc_message_graph_follow(fc_message_graph *graph, fc_chains *chains, uint32_t first);

uint64_t fc_message_graph_next(const fc_message_graph *graph); /* UINT64_MAX: none as things are */
typedef struct fc_graph_due {
    uint32_t number;
    uint32_t before; /* of the chains: the message that let it be sent, with a reference to it */
    uint64_t time;
} fc_graph_due;
/* The next message that is due at `time` or before. False: none. */
bool fc_message_graph_take(fc_message_graph *graph, uint64_t time, fc_graph_due *due);
const fc_trace_message *fc_message_graph_message(const fc_message_graph *graph, uint32_t number);
/* Of a message that was taken: all of it is there. chained: its record of the chains. */
void fc_message_graph_delivered(fc_message_graph *graph, uint32_t number, uint64_t time,
                                uint32_t chained);
/* Reads further in a file that is read during the run. Also returns earlier failures. */
fc_status fc_message_graph_read_on(fc_message_graph *graph, uint64_t time, fc_error *error);
size_t fc_message_graph_left(const fc_message_graph *graph);
size_t fc_message_graph_late(const fc_message_graph *graph);

#endif
