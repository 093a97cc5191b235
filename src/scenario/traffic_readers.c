#include "scenario/traffic_readers.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "scenario/matrix_csv.h"
#include "scenario/matrix_market.h"
#include "scenario/readers.h"
#include "scenario/text_file.h"

/* ---- places ---- */

fc_status fc_place_read(const fc_document *document, const fc_value *value, const char *name,
                        fc_error *error, fc_integer_list *place) {
    const fc_range range = {.minimum = 0, .maximum = 0x1p31};
    if (value->kind == FC_VALUE_SEQUENCE)
        return fc_read_integers(document, value, name, range, error, place);
    place->count = 1;
    return fc_read_integer(document, value, name, range, error, &place->values[0]);
}

void fc_place_write(const fc_integer_list *place, FILE *stream) {
    for (size_t i = 0; i < place->count; ++i)
        fprintf(stream, "%s%lld", i ? ", " : "[", (long long)place->values[i]);
    fputs("]", stream);
}

/* ---- destinations ---- */

static const char what[] = "traffic.destinations";

typedef fc_status pattern_reader(const fc_document *document, const fc_value *value,
                                 fc_destinations *destinations, fc_error *error);

static fc_status read_near_neighbour(const fc_document *document, const fc_value *value,
                                     fc_destinations *destinations, fc_error *error) {
    return fc_read_number(document, value, "traffic.destinations.near-neighbour",
                          (fc_range){.minimum = 0, .maximum = 1}, error, &destinations->share);
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
        status = fc_place_read(document, node, "traffic.destinations.hot-spot.node", error,
                               &destinations->node);
    return status;
}

static fc_status read_weighted(const fc_document *document, const fc_value *value,
                               fc_hot_spot *spot, fc_error *error) {
    static const char name[] = "traffic.destinations.hot-spots";
    static const char *const names[] = {"node", "weight", NULL};
    const fc_range range = {.minimum = 0, .above = true, .maximum = 1e9};
    fc_status status = fc_check_members(document, value, name, names, error);
    if (status != FC_OK)
        return status;
    const fc_value *node = fc_value_member(value, "node");
    const fc_value *weight = fc_value_member(value, "weight");
    if (!node)
        return fc_fail_at(error, document, value,
                          "a hot spot needs a node, for example {node: 3, weight: 2}");
    spot->weight = 1;
    status =
        fc_place_read(document, node, "traffic.destinations.hot-spots.node", error, &spot->place);
    if (status == FC_OK && weight)
        status = fc_read_number(document, weight, "traffic.destinations.hot-spots.weight", range,
                                error, &spot->weight);
    return status;
}

static fc_status read_hot_spots(const fc_document *document, const fc_value *value,
                                fc_destinations *destinations, fc_error *error) {
    if (value->kind != FC_VALUE_SEQUENCE || value->count < 1 || value->count > FC_HOT_SPOTS_MAX)
        return fc_fail_at(error, document, value,
                          "traffic.destinations.hot-spots must be a list of 1 to %d hot spots, "
                          "for example [{node: 3, weight: 2}, {node: 9, weight: 1}]",
                          FC_HOT_SPOTS_MAX);
    destinations->hot = fc_allocate(value->count, sizeof *destinations->hot);
    if (!destinations->hot)
        return fc_fail_memory(error);
    destinations->hot_count = value->count;
    fc_status status = FC_OK;
    for (size_t i = 0; i < value->count && status == FC_OK; ++i)
        status = read_weighted(document, value->items[i], &destinations->hot[i], error);
    return status;
}

static fc_status read_permutation(const fc_document *document, const fc_value *value,
                                  fc_destinations *destinations, fc_error *error) {
    return fc_read_integer(document, value, "traffic.destinations.random-permutation",
                           (fc_range){.minimum = 0, .maximum = 0x1p53}, error, &destinations->seed);
}

/* Matrix Market if it says so in its first line or by its name, else lines of src,dst,rate. */
static bool is_matrix_market(const fc_named_file *file) {
    const char *dot = strrchr(file->path, '.');
    return strncmp(file->text, "%%", 2) == 0 || (dot && strcmp(dot, ".mtx") == 0);
}

static fc_status read_matrix(const fc_document *document, const fc_value *value,
                             fc_destinations *destinations, fc_error *error) {
    fc_named_file file = {.what = "traffic.destinations.matrix",
                          .kind = "a Matrix Market file or of one with lines of src,dst,rate",
                          .most = FC_MATRIX_BYTES_MAX};
    fc_status status = fc_named_file_read(document, value, destinations->file, &file, error);
    if (status != FC_OK)
        return status;
    fc_error cause;
    destinations->matrix_checksum = file.checksum;
    if (is_matrix_market(&file))
        status = fc_matrix_market_parse(file.text, file.path, &cause, &destinations->matrix_nodes,
                                        &destinations->matrix);
    else
        status = fc_matrix_csv_parse(file.text, file.path, &cause, &destinations->flow_count,
                                     &destinations->flows);
    fc_release(file.text);
    return status == FC_OK ? FC_OK : fc_named_file_fail(document, value, &cause, status, error);
}

/* A pattern is a word, or a word with a value of its own form. */
static const struct {
    const char *name, *example;
    pattern_reader *read; /* NULL: the word says all */
} patterns[] = {
    [FC_UNIFORM] = {.name = "uniform"},
    [FC_NEAR_NEIGHBOUR] = {"near-neighbour", "{near-neighbour: 0.6}", read_near_neighbour},
    [FC_HOT_SPOT] = {"hot-spot", "{hot-spot: {share: 0.05, node: [2, 2]}}", read_hot_spot},
    [FC_MATRIX] = {"matrix", "{matrix: file.mtx}", read_matrix},
    [FC_TRANSPOSE] = {.name = "transpose"},
    [FC_BIT_COMPLEMENT] = {.name = "bit-complement"},
    [FC_BIT_REVERSE] = {.name = "bit-reverse"},
    [FC_SHUFFLE] = {.name = "shuffle"},
    [FC_TORNADO] = {.name = "tornado"},
    [FC_BIT_ROTATION] = {.name = "bit-rotation"},
    [FC_NEIGHBOUR] = {.name = "neighbour"},
    [FC_DIAGONAL] = {.name = "diagonal"},
    [FC_ASYMMETRIC] = {.name = "asymmetric"},
    [FC_RANDOM_PERMUTATION] = {"random-permutation", "{random-permutation: 1}", read_permutation},
    [FC_HOT_SPOTS] = {"hot-spots", "{hot-spots: [{node: 3, weight: 2}, {node: 9, weight: 1}]}",
                      read_hot_spots},
};
enum { PATTERNS = sizeof patterns / sizeof patterns[0] };

fc_status fc_destinations_read(const fc_document *document, const fc_value *value, void *field,
                               fc_error *error) {
    fc_destinations *destinations = field;
    const char *all[PATTERNS + 1] = {0}, *with_value[PATTERNS + 1] = {0};
    size_t count = 0;
    for (size_t i = 0; i < PATTERNS; ++i) {
        all[i] = patterns[i].name;
        if (patterns[i].read)
            with_value[count++] = patterns[i].name;
    }
    if (value->kind == FC_VALUE_SCALAR) {
        int choice;
        const fc_status status = fc_read_choice(document, value, what, all, error, &choice);
        if (status == FC_OK && patterns[choice].read)
            return fc_fail_at(error, document, value, "%s: %s needs a value: %s", what, all[choice],
                              patterns[choice].example);
        if (status == FC_OK)
            destinations->pattern = (fc_pattern)choice;
        return status;
    }
    const fc_status status = fc_check_members(document, value, what, with_value, error);
    if (status != FC_OK)
        return status;
    if (value->count != 1)
        return fc_fail_at(error, document, value, "%s holds %zu patterns; expected one", what,
                          value->count);
    size_t pattern = 0;
    while (strcmp(value->keys[0], all[pattern]) != 0)
        ++pattern;
    destinations->pattern = (fc_pattern)pattern;
    return patterns[pattern].read(document, value->items[0], destinations, error);
}

void fc_destinations_write(const void *field, FILE *stream) {
    const fc_destinations *destinations = field;
    const char *name = patterns[destinations->pattern].name;
    switch (destinations->pattern) {
    case FC_NEAR_NEIGHBOUR:
        fprintf(stream, "{%s", name);
        fc_number_write(": ", destinations->share, stream);
        fputs("}", stream);
        break;
    case FC_HOT_SPOT:
        fprintf(stream, "{%s", name);
        fc_number_write(": {share: ", destinations->share, stream);
        fputs(", node: ", stream);
        fc_place_write(&destinations->node, stream);
        fputs("}}", stream);
        break;
    case FC_HOT_SPOTS:
        fprintf(stream, "{%s: [", name);
        for (size_t i = 0; i < destinations->hot_count; ++i) {
            fputs(i ? ", {node: " : "{node: ", stream);
            fc_place_write(&destinations->hot[i].place, stream);
            fc_number_write(", weight: ", destinations->hot[i].weight, stream);
            fputs("}", stream);
        }
        fputs("]}", stream);
        break;
    case FC_RANDOM_PERMUTATION:
        fprintf(stream, "{%s: %lld}", name, (long long)destinations->seed);
        break;
    case FC_MATRIX:
        fprintf(stream, "{%s: ", name);
        fc_file_name_write(destinations->file, stream);
        fprintf(stream, "} # content %016llx", (unsigned long long)destinations->matrix_checksum);
        break;
    default:
        fputs(name, stream);
        break;
    }
}

void fc_destinations_release(fc_destinations *destinations) {
    fc_release(destinations->matrix);
    fc_release(destinations->flows);
    fc_release(destinations->weights);
    fc_release(destinations->hot);
}

/* ---- requests ---- */

static fc_status read_request(const fc_document *document, const fc_value *value,
                              fc_request_type *type, fc_error *error) {
    enum { NEEDED = 3 }; /* a memory that answers at once needs no cycles */
    static const char *const names[] = {"share",        "flits",       "reply_flits",
                                        "memory_reply", "memory_busy", NULL};
    const fc_range share = {.minimum = 0, .maximum = 1, .above = true};
    const fc_range flits = {.minimum = 1, .maximum = 1e6};
    const fc_range cycles = {.minimum = 0, .maximum = 1e6};
    fc_status status = fc_check_members(document, value, "traffic.requests", names, error);
    type->memory_reply = type->memory_busy = 0;
    const fc_value *members[5] = {0};
    for (size_t i = 0; names[i] && status == FC_OK; ++i) {
        members[i] = fc_value_member(value, names[i]);
        if (!members[i] && i < NEEDED)
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
    if (status == FC_OK && members[3])
        status = fc_read_number(document, members[3], "memory_reply", cycles, error,
                                &type->memory_reply);
    if (status == FC_OK && members[4])
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
        fc_number_write(i ? ", {share: " : "{share: ", type->share, stream);
        fprintf(stream, ", flits: %lld, reply_flits: %lld", (long long)type->flits,
                (long long)type->reply_flits);
        fc_number_write(", memory_reply: ", type->memory_reply, stream);
        fc_number_write(", memory_busy: ", type->memory_busy, stream);
        fputs("}", stream);
    }
    fputs("]", stream);
}

/* ---- message_mix ---- */

static fc_status read_length(const fc_document *document, const fc_value *value,
                             fc_lengths *lengths, fc_error *error) {
    static const char *const names[] = {"flits", "share", NULL};
    const fc_range flits = {.minimum = 1, .maximum = 1e6};
    const fc_range share = {.minimum = 0, .maximum = 1, .above = true};
    const size_t i = lengths->count;
    fc_status status = fc_check_members(document, value, "traffic.message_mix", names, error);
    if (status != FC_OK)
        return status;
    const fc_value *length = fc_value_member(value, "flits");
    const fc_value *part = fc_value_member(value, "share");
    if (!length || !part)
        return fc_fail_at(error, document, value,
                          "a length needs flits and share, for example {flits: 5, share: 0.2}");
    status = fc_read_integer(document, length, "traffic.message_mix.flits", flits, error,
                             &lengths->flits[i]);
    if (status == FC_OK)
        status = fc_read_number(document, part, "traffic.message_mix.share", share, error,
                                &lengths->share[i]);
    lengths->count = i + 1;
    return status;
}

fc_status fc_lengths_read(const fc_document *document, const fc_value *value, void *field,
                          fc_error *error) {
    fc_lengths *lengths = field;
    if (value->kind != FC_VALUE_SEQUENCE || value->count < 1 || value->count > FC_LENGTHS_MAX)
        return fc_fail_at(error, document, value,
                          "traffic.message_mix must be a list of 1 to %d lengths, for example "
                          "[{flits: 1, share: 0.8}, {flits: 5, share: 0.2}]",
                          FC_LENGTHS_MAX);
    double sum = 0;
    for (size_t i = 0; i < value->count; ++i) {
        const fc_status status = read_length(document, value->items[i], lengths, error);
        if (status != FC_OK)
            return status;
        sum += lengths->share[i];
    }
    if (!(fabs(sum - 1) <= 1e-9))
        return fc_fail_at(error, document, value,
                          "the shares of traffic.message_mix add up to %.9g; expected 1", sum);
    return FC_OK;
}

void fc_lengths_write(const void *field, FILE *stream) {
    const fc_lengths *lengths = field;
    fputs("[", stream);
    for (size_t i = 0; i < lengths->count; ++i) {
        fprintf(stream, "%s{flits: %lld", i ? ", " : "", (long long)lengths->flits[i]);
        fc_number_write(", share: ", lengths->share[i], stream);
        fputs("}", stream);
    }
    fputs("]", stream);
}

/* ---- injection ---- */

static const char *const processes[] = {"poisson", "bernoulli", "on-off", NULL};

static fc_status read_on_off(const fc_document *document, const fc_value *value,
                             fc_injection *injection, fc_error *error) {
    static const char name[] = "traffic.injection.on-off";
    static const char *const names[] = {"on", "off", NULL};
    const fc_range cycles = {.minimum = 1, .maximum = 1e9};
    fc_status status = fc_check_members(document, value, name, names, error);
    if (status != FC_OK)
        return status;
    const fc_value *on = fc_value_member(value, "on"), *off = fc_value_member(value, "off");
    if (!on || !off)
        return fc_fail_at(error, document, value,
                          "bursts need on and off, their mean cycles, for example {on-off: {on: "
                          "50, off: 150}}");
    injection->process = FC_ON_OFF;
    status =
        fc_read_number(document, on, "traffic.injection.on-off.on", cycles, error, &injection->on);
    if (status == FC_OK)
        status = fc_read_number(document, off, "traffic.injection.on-off.off", cycles, error,
                                &injection->off);
    return status;
}

fc_status fc_injection_read(const fc_document *document, const fc_value *value, void *field,
                            fc_error *error) {
    static const char name[] = "traffic.injection";
    static const char *const members[] = {"on-off", NULL};
    fc_injection *injection = field;
    if (value->kind == FC_VALUE_SCALAR) {
        int choice;
        const fc_status status = fc_read_choice(document, value, name, processes, error, &choice);
        if (status == FC_OK && choice == FC_ON_OFF)
            return fc_fail_at(error, document, value,
                              "%s: on-off needs a value: {on-off: {on: 50, off: 150}}", name);
        if (status == FC_OK)
            injection->process = (fc_process)choice;
        return status;
    }
    const fc_status status = fc_check_members(document, value, name, members, error);
    if (status != FC_OK)
        return status;
    if (value->count != 1)
        return fc_fail_at(error, document, value,
                          "%s is empty; expected poisson, bernoulli or {on-off: {on: 50, off: "
                          "150}}",
                          name);
    return read_on_off(document, value->items[0], injection, error);
}

void fc_injection_write(const void *field, FILE *stream) {
    const fc_injection *injection = field;
    if (injection->process == FC_ON_OFF) {
        fc_number_write("{on-off: {on: ", injection->on, stream);
        fc_number_write(", off: ", injection->off, stream);
        fputs("}}", stream);
    } else {
        fputs(processes[injection->process], stream);
    }
}
