#include "scenario/families/torus_readers.h"

#include "base/memory.h"
#include "base/status.h"
#include "scenario/readers.h"
#include "scenario/patterns/traffic_readers.h"

static fc_status read_fault(const fc_document *document, const fc_value *value, fc_fault *fault,
                            fc_error *error) {
    static const char name[] = "network.faults";
    const fc_range dimension = {.minimum = 0, .maximum = FC_LIST_MAX - 1};
    const fc_range direction = {.minimum = -1, .maximum = 1};
    if (value->kind != FC_VALUE_SEQUENCE || value->count != 3)
        return fc_fail_at(error, document, value,
                          "a fault is [node, dimension, direction], for example [[2, 3], 0, 1]");
    fc_status status =
        fc_coordinates_read(document, value->items[0], name, error, &fault->coordinates);
    if (status == FC_OK)
        status =
            fc_read_integer(document, value->items[1], name, dimension, error, &fault->dimension);
    if (status == FC_OK)
        status =
            fc_read_integer(document, value->items[2], name, direction, error, &fault->direction);
    if (status == FC_OK && fault->direction == 0)
        status = fc_fail_at(error, document, value->items[2],
                            "the direction of a fault is 1 (the digit grows) or -1 (it falls)");
    return status;
}

fc_status fc_faults_read(const fc_document *document, const fc_value *value, void *field,
                         fc_error *error) {
    fc_faults *faults = field;
    if (value->kind != FC_VALUE_SEQUENCE || value->count > FC_FAULTS_MAX)
        return fc_fail_at(error, document, value,
                          "network.faults must be a list of at most %d [node, dimension, "
                          "direction]",
                          FC_FAULTS_MAX);
    if (value->count == 0)
        return FC_OK;
    faults->list = fc_allocate(value->count, sizeof *faults->list);
    if (!faults->list)
        return fc_fail_memory(error);
    for (size_t i = 0; i < value->count; ++i) {
        const fc_status status = read_fault(document, value->items[i], &faults->list[i], error);
        if (status != FC_OK)
            return status;
    }
    faults->count = value->count;
    return FC_OK;
}

void fc_faults_write(const void *field, FILE *stream) {
    const fc_faults *faults = field;
    fputs("[", stream);
    for (size_t i = 0; i < faults->count; ++i) {
        fputs(i ? ", [" : "[", stream);
        fc_coordinates_write(&faults->list[i].coordinates, stream);
        fprintf(stream, ", %lld, %lld]", (long long)faults->list[i].dimension,
                (long long)faults->list[i].direction);
    }
    fputs("]", stream);
}
