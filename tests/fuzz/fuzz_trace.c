/* Any bytes as a trace: an error with a sentence, or messages in the order the simulator needs. */
#include "base/memory.h"
#include "fuzz_text.h"
#include "scenario/formats/trace_file.h"

static void check(const fc_trace *trace) {
    if (!trace->count || trace->independent > trace->count)
        abort();
    for (size_t i = 0; i < trace->count; ++i) {
        const fc_trace_message *message = &trace->messages[i];
        if (message->source > trace->largest_node || message->destination > trace->largest_node)
            abort();
        if (i < trace->independent ? message->after != UINT32_MAX : message->after >= trace->count)
            abort(); /* those that wait for none come first */
        if (i && i < trace->independent && message->time < message[-1].time)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = fuzz_text(data, size);
    fc_trace trace = {.count = 0};
    fc_error error = {{0}};
    if (text && fc_trace_parse(text, "fuzz", &error, &trace) == FC_OK) {
        check(&trace);
        fc_trace_clear(&trace);
    } else if (text && !error.text[0]) {
        abort();
    }
    free(text);
    return 0;
}
