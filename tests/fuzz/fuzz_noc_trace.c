/* Any bytes as a trace of a chip's networks: an error with a sentence, or transfers that belong
 * to processors and barriers and lie on a chip. */
#include "fuzz_text.h"
#include "scenario/formats/noc_trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = fuzz_text(data, size);
    fc_noc_trace trace = {.transfer_count = 0};
    fc_error error = {{0}};
    if (text) {
        const fc_status status = fc_noc_trace_parse(text, "fuzz", &error, &trace);
        if (status != FC_OK && !error.text[0])
            abort();
        for (uint32_t i = 0; status == FC_OK && i < trace.transfer_count; ++i) {
            if (trace.transfers[i].processor >= trace.processor_count ||
                trace.transfers[i].barrier >= trace.barrier_count ||
                (trace.transfers[i].after >= trace.barrier_count &&
                 trace.transfers[i].after != FC_NOC_NO_BARRIER) ||
                trace.transfers[i].network >= trace.network_count ||
                trace.transfers[i].end_x > trace.largest_x ||
                trace.transfers[i].end_y > trace.largest_y)
                abort();
        }
    }
    fc_noc_trace_clear(&trace);
    free(text);
    return 0;
}
