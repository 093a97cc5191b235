#include "scenario/torus_readers.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "scenario/matrix_market.h"
#include "scenario/readers.h"

/* ---- destinations ---- */

static const char *const pattern_names[] = {
    [FC_UNIFORM] = "uniform",         [FC_NEAR_NEIGHBOUR] = "near-neighbour",
    [FC_HOT_SPOT] = "hot-spot",       [FC_MATRIX] = "matrix",
    [FC_TRANSPOSE] = "transpose",     [FC_BIT_COMPLEMENT] = "bit-complement",
    [FC_BIT_REVERSE] = "bit-reverse", [FC_SHUFFLE] = "shuffle",
    [FC_TORNADO] = "tornado",         NULL,
};

static const char what[] = "traffic.destinations";

static fc_status read_place(const fc_document *document, const fc_value *value, const char *name,
                            fc_error *error, fc_integer_list *place) {
    const fc_range range = {.minimum = 0, .maximum = 0x1p31};
    if (value->kind == FC_VALUE_SEQUENCE)
        return fc_read_integers(document, value, name, range, error, place);
    place->count = 1;
    return fc_read_integer(document, value, name, range, error, &place->values[0]);
}

static fc_status read_hot_spot(const fc_document *document, const fc_value *value,
                               fc_destinations *destinations, fc_error *error) {
    static const char *const names[] = {"share", "node", NULL};
    const fc_range share = {.minimum = 0, .maximum = 1};
    fc_status status =
        fc_check_members(document, value, "traffic.destinations.hot-spot", names, error);
    if (status != FC_OK)
        return status;
    const fc_value *given = fc_value_member(value, "share");
    const fc_value *node = fc_value_member(value, "node");
    if (!given || !node)
        return fc_fail_at(error, document, value,
                          "a hot spot needs share and node, for example "
                          "{hot-spot: {share: 0.05, node: [2, 2]}}");
    status = fc_read_number(document, given, "traffic.destinations.hot-spot.share", share, error,
                            &destinations->share);
    if (status == FC_OK)
        status = read_place(document, node, "traffic.destinations.hot-spot.node", error,
                            &destinations->node);
    return status;
}

/* A file beside the scenario, unless its path is absolute. */
static bool find_beside(const fc_document *document, const char *name,
                        char path[2 * FC_PATH_SIZE]) {
    const char *slash = strrchr(document->origin, '/');
    const int folder = name[0] == '/' || !slash ? 0 : (int)(slash + 1 - document->origin);
    const int length = snprintf(path, 2 * FC_PATH_SIZE, "%.*s%s", folder, document->origin, name);
    return length > 0 && length < 2 * FC_PATH_SIZE;
}

static fc_status read_matrix(const fc_document *document, const fc_value *value,
                             fc_destinations *destinations, fc_error *error) {
    char path[2 * FC_PATH_SIZE];
    if (value->kind != FC_VALUE_SCALAR || !value->text[0] ||
        strlen(value->text) >= sizeof destinations->file ||
        !find_beside(document, value->text, path))
        return fc_fail_at(error, document, value,
                          "traffic.destinations.matrix must be the name of a Matrix Market file");
    fc_error cause;
    const fc_status status =
        fc_matrix_market_read(path, &cause, &destinations->matrix_nodes, &destinations->matrix,
                              &destinations->matrix_checksum);
    if (status != FC_OK) {
        fc_fail_at(error, document, value, "%.900s", cause.text);
        return status;
    }
    snprintf(destinations->file, sizeof destinations->file, "%s", value->text);
    return FC_OK;
}

fc_status fc_destinations_read(const fc_document *document, const fc_value *value, void *field,
                               fc_error *error) {
    fc_destinations *destinations = field;
    int choice;
    if (value->kind == FC_VALUE_SCALAR) {
        const fc_status status =
            fc_read_choice(document, value, what, pattern_names, error, &choice);
        if (status != FC_OK)
            return status;
        if (choice == FC_NEAR_NEIGHBOUR || choice == FC_HOT_SPOT || choice == FC_MATRIX)
            return fc_fail_at(error, document, value, "%s: %s needs a value: %s", what,
                              pattern_names[choice],
                              choice == FC_NEAR_NEIGHBOUR ? "{near-neighbour: 0.6}"
                              : choice == FC_HOT_SPOT ? "{hot-spot: {share: 0.05, node: [2, 2]}}"
                                                      : "{matrix: file.mtx}");
        destinations->pattern = (fc_pattern)choice;
        return FC_OK;
    }
    static const char *const names[] = {"near-neighbour", "hot-spot", "matrix", NULL};
    const fc_status status = fc_check_members(document, value, what, names, error);
    if (status != FC_OK)
        return status;
    if (value->count != 1)
        return fc_fail_at(error, document, value, "%s holds %zu patterns; expected one", what,
                          value->count);
    const fc_value *inner = value->items[0];
    const fc_range share = {.minimum = 0, .maximum = 1};
    if (strcmp(value->keys[0], "near-neighbour") == 0) {
        destinations->pattern = FC_NEAR_NEIGHBOUR;
        return fc_read_number(document, inner, "traffic.destinations.near-neighbour", share, error,
                              &destinations->share);
    }
    if (strcmp(value->keys[0], "hot-spot") == 0) {
        destinations->pattern = FC_HOT_SPOT;
        return read_hot_spot(document, inner, destinations, error);
    }
    destinations->pattern = FC_MATRIX;
    return read_matrix(document, inner, destinations, error);
}

static void write_list(const fc_integer_list *list, FILE *stream) {
    for (size_t i = 0; i < list->count; ++i)
        fprintf(stream, "%s%lld", i ? ", " : "[", (long long)list->values[i]);
    fputs("]", stream);
}

void fc_destinations_write(const void *field, FILE *stream) {
    const fc_destinations *destinations = field;
    const char *name = pattern_names[destinations->pattern];
    switch (destinations->pattern) {
    case FC_NEAR_NEIGHBOUR:
        fprintf(stream, "{%s: %.17g}", name, destinations->share);
        break;
    case FC_HOT_SPOT:
        fprintf(stream, "{%s: {share: %.17g, node: ", name, destinations->share);
        write_list(&destinations->node, stream);
        fputs("}}", stream);
        break;
    case FC_MATRIX:
        fprintf(stream, "{%s: %s} # content %016llx", name, destinations->file,
                (unsigned long long)destinations->matrix_checksum);
        break;
    default:
        fputs(name, stream);
        break;
    }
}

static bool power_of_two(int64_t count) {
    return count > 0 && (count & (count - 1)) == 0;
}

const char *fc_pattern_misfit(fc_pattern pattern, const fc_torus *torus) {
    const size_t dimensions = torus->radix.count;
    switch (pattern) {
    case FC_TRANSPOSE:
        if (dimensions % 2 != 0)
            return "needs an even number of dimensions";
        for (size_t d = 0; d < dimensions / 2; ++d)
            if (torus->radix.values[d] != torus->radix.values[d + dimensions / 2])
                return "needs equal radices in the dimensions it exchanges";
        return NULL;
    case FC_BIT_REVERSE:
    case FC_SHUFFLE:
        return power_of_two(torus->nodes) ? NULL : "needs a number of nodes that is a power of two";
    default:
        return NULL;
    }
}

/* ---- requests ---- */

static fc_status read_request(const fc_document *document, const fc_value *value,
                              fc_request_type *type, fc_error *error) {
    static const char *const names[] = {"share",        "flits",       "reply_flits",
                                        "memory_reply", "memory_busy", NULL};
    const fc_range share = {.minimum = 0, .maximum = 1, .above = true};
    const fc_range flits = {.minimum = 1, .maximum = 1e6};
    const fc_range cycles = {.minimum = 0, .maximum = 1e6};
    fc_status status = fc_check_members(document, value, "traffic.requests", names, error);
    const fc_value *members[5] = {0};
    for (size_t i = 0; names[i] && status == FC_OK; ++i) {
        members[i] = fc_value_member(value, names[i]);
        if (!members[i])
            return fc_fail_at(error, document, value,
                              "traffic.requests: '%s' is missing; a request is {share: 0.8, "
                              "flits: 3, reply_flits: 9, memory_reply: 4, memory_busy: 4}",
                              names[i]);
    }
    if (status == FC_OK)
        status = fc_read_number(document, members[0], "share", share, error, &type->share);
    if (status == FC_OK)
        status = fc_read_integer(document, members[1], "flits", flits, error, &type->flits);
    if (status == FC_OK)
        status =
            fc_read_integer(document, members[2], "reply_flits", flits, error, &type->reply_flits);
    if (status == FC_OK)
        status = fc_read_number(document, members[3], "memory_reply", cycles, error,
                                &type->memory_reply);
    if (status == FC_OK)
        status =
            fc_read_number(document, members[4], "memory_busy", cycles, error, &type->memory_busy);
    return status;
}

fc_status fc_requests_read(const fc_document *document, const fc_value *value, void *field,
                           fc_error *error) {
    fc_requests *requests = field;
    if (value->kind != FC_VALUE_SEQUENCE || value->count < 1 || value->count > FC_REQUEST_TYPES_MAX)
        return fc_fail_at(error, document, value,
                          "traffic.requests must be a list of 1 to %d kinds of request",
                          FC_REQUEST_TYPES_MAX);
    double sum = 0;
    for (size_t i = 0; i < value->count; ++i) {
        const fc_status status =
            read_request(document, value->items[i], &requests->types[i], error);
        if (status != FC_OK)
            return status;
        sum += requests->types[i].share;
    }
    if (!(fabs(sum - 1) <= 1e-9))
        return fc_fail_at(error, document, value,
                          "the shares of traffic.requests add up to %.9g; expected 1", sum);
    requests->count = value->count;
    return FC_OK;
}

void fc_requests_write(const void *field, FILE *stream) {
    const fc_requests *requests = field;
    fputs("[", stream);
    for (size_t i = 0; i < requests->count; ++i) {
        const fc_request_type *type = &requests->types[i];
        fprintf(stream,
                "%s{share: %.17g, flits: %lld, reply_flits: %lld, memory_reply: %.17g, "
                "memory_busy: %.17g}",
                i ? ", " : "", type->share, (long long)type->flits, (long long)type->reply_flits,
                type->memory_reply, type->memory_busy);
    }
    fputs("]", stream);
}

/* ---- faults ---- */

static fc_status read_fault(const fc_document *document, const fc_value *value, fc_fault *fault,
                            fc_error *error) {
    static const char name[] = "network.faults";
    const fc_range dimension = {.minimum = 0, .maximum = FC_LIST_MAX - 1};
    const fc_range direction = {.minimum = -1, .maximum = 1};
    if (value->kind != FC_VALUE_SEQUENCE || value->count != 3)
        return fc_fail_at(error, document, value,
                          "a fault is [node, dimension, direction], for example [[2, 3], 0, 1]");
    fc_status status = read_place(document, value->items[0], name, error, &fault->place);
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
        write_list(&faults->list[i].place, stream);
        fprintf(stream, ", %lld, %lld]", (long long)faults->list[i].dimension,
                (long long)faults->list[i].direction);
    }
    fputs("]", stream);
}
