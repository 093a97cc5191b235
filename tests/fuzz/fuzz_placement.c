/* Any bytes as a file with the node of each rank: an error with a sentence, or nodes that are each
 * there once. */
#include "base/memory.h"
#include "fuzz_text.h"
#include "scenario/families/workload_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static uint8_t seen[FC_RANKS_MAX];
    char *text = fuzz_text(data, size);
    fc_placement placement = {.kind = FC_PLACE_FILE};
    fc_error error = {{0}};
    const bool read = text && fc_placement_parse(text, "fuzz", &error, &placement) == FC_OK;
    if (text && !read && !error.text[0])
        abort();
    if (read && !placement.count)
        abort();
    for (size_t i = 0; read && i < placement.count; ++i) {
        if (placement.node[i] >= FC_RANKS_MAX || seen[placement.node[i]]++)
            abort();
    }
    for (size_t i = 0; i < placement.count; ++i)
        seen[placement.node[i]] = 0;
    fc_release(placement.node);
    free(text);
    return 0;
}
