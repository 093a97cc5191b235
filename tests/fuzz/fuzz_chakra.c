/* Any bytes as a rank's Chakra trace, run by two copies of the rank: an error with a sentence, or
 * messages that can be run to their end. */
#include "base/memory.h"
#include "fuzz_text.h"
#include "scenario/formats/chakra_file.h"
#include "scenario/formats/trace_file.h"
#include "workloads/chakra_schedule.h"
#include "workloads/message_graph.h"

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

static void schedule(fc_chakra *chakra) {
    fc_phase phase = {.kind = FC_PHASE_CHAKRA, .chakra = chakra};
    const fc_workload workload = {.flit_bytes = 32,
                                  .packet_flits = 16,
                                  .cycles_of_microsecond = 1000,
                                  .ranks = 2 * chakra->ranks};
    const fc_phase_plan plan = {.phase = &phase, .workload = &workload};
    fc_trace trace;
    fc_error error = {{0}};
    chakra->replicas = 2;
    for (size_t i = 0; i < FC_CHAKRA_FORMS; ++i)
        chakra->forms[i] =
            (fc_phase){.kind = fc_chakra_forms[i],
                       .algorithm = fc_chakra_forms[i] == FC_PHASE_ALL_TO_ALL ? FC_ALGORITHM_DIRECT
                                                                              : FC_ALGORITHM_RING};
    if (fc_chakra_schedule(&plan, &error, &trace) == FC_OK)
        run(&trace);
    else if (!error.text[0])
        abort();
    fc_trace_clear(&trace);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fc_chakra *chakra = fc_allocate(1, sizeof *chakra);
    FILE *stream = size ? fmemopen((void *)(uintptr_t)data, size, "rb") : NULL;
    fc_error error = {{0}};
    if (chakra && stream) {
        fc_status status = fc_chakra_read_rank(stream, "fuzz", &error, chakra);
        if (status == FC_OK) {
            rewind(stream);
            status = fc_chakra_read_rank(stream, "fuzz", &error, chakra);
        }
        if (status == FC_OK)
            schedule(chakra);
        else if (!error.text[0])
            abort();
    }
    if (stream)
        fclose(stream);
    fc_chakra_free(chakra);
    return 0;
}
