/* random-permutation: every node to one node, perhaps itself, drawn once from a seed of its own. */
#include "scenario/patterns/pattern.h"
#include "scenario/readers.h"

enum { PERMUTATION_STREAM = 0x7065726d }; /* apart from every stream of a simulator */

static fc_status read_value(const fc_document *document, const fc_value *value,
                            fc_destinations *destinations, fc_error *error) {
    return fc_read_integer(document, value, "traffic.destinations.random-permutation",
                           (fc_range){.minimum = 0, .maximum = 0x1p53}, error, &destinations->seed);
}

static void write_value(const fc_destinations *destinations, FILE *stream) {
    fprintf(stream, "%lld", (long long)destinations->seed);
}

static void map(const fc_destinations *destinations, const fc_traffic_shape *shape,
                uint32_t *image) {
    const uint32_t nodes = shape->routers * shape->concentration;
    fc_random random = fc_random_stream((uint64_t)destinations->seed, 0, PERMUTATION_STREAM);
    for (uint32_t node = 0; node < nodes; ++node)
        image[node] = node;
    for (uint32_t left = nodes; left > 1; --left) {
        const uint32_t chosen = fc_random_below(&random, left);
        const uint32_t last = image[left - 1];
        image[left - 1] = image[chosen];
        image[chosen] = last;
    }
}

const fc_pattern_info fc_pattern_random_permutation = {
    .example = "{random-permutation: 1}", .read = read_value, .write = write_value, .map = map};
