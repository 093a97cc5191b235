/* Any bytes as a GOAL schedule: an error with a sentence, or messages that can be run to their end.
 */
#include "base/memory.h"
#include "fuzz_text.h"
#include "scenario/formats/goal_file.h"
#include "scenario/formats/trace_file.h"
#include "workloads/message_graph.h"

static void check(const fc_trace *trace) {
    for (size_t i = 0; i < trace->count; ++i) {
        const fc_trace_message *message = &trace->messages[i];
        if (message->source > trace->largest_node || message->destination > trace->largest_node)
            abort();
        if (i < trace->independent ? message->after != UINT32_MAX : message->after >= trace->count)
            abort();
        if (trace->processors[i].number != UINT32_MAX &&
            trace->processors[i].number >= trace->processor_count)
            abort();
    }
    for (size_t i = 0; i < trace->wait_count; ++i) {
        if (trace->waits[i].message >= trace->count || trace->waits[i].after >= trace->count)
            abort();
    }
}

/* Every message is delivered when it is due. */
static void run(const fc_trace *trace) {
    fc_message_graph *graph;
    fc_error error;
    if (fc_message_graph_create(trace, 0, 256, false, &error, &graph) != FC_OK)
        return;
    fc_graph_due due;
    while (fc_message_graph_take(graph, UINT64_MAX - 1, &due))
        fc_message_graph_delivered(graph, due.number, due.time, FC_NO_MESSAGE);
    if (fc_message_graph_left(graph))
        abort();
    fc_message_graph_free(graph);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = fuzz_text(data, size);
    fc_trace trace = {.count = 0};
    fc_error error = {{0}};
    if (text && fc_goal_parse(text, "fuzz", &error, &trace) == FC_OK) {
        check(&trace);
        run(&trace);
        fc_trace_clear(&trace);
    } else if (text && !error.text[0]) {
        abort();
    }
    free(text);
    return 0;
}
