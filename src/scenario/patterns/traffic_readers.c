#include "scenario/patterns/traffic_readers.h"

#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "scenario/patterns/pattern.h"
#include "scenario/readers.h"

/* ---- coordinates of a node ---- */

fc_status fc_coordinates_read(const fc_document *document, const fc_value *value, const char *name,
                              fc_error *error, fc_integer_list *coordinates) {
    const fc_range range = {.minimum = 0, .maximum = 0x1p31};
    if (value->kind == FC_VALUE_SEQUENCE)
        return fc_read_integers(document, value, name, range, error, coordinates);
    coordinates->count = 1;
    return fc_read_integer(document, value, name, range, error, &coordinates->values[0]);
}

void fc_coordinates_write(const fc_integer_list *coordinates, FILE *stream) {
    for (size_t i = 0; i < coordinates->count; ++i)
        fprintf(stream, "%s%lld", i ? ", " : "[", (long long)coordinates->values[i]);
    fputs("]", stream);
}

/* ---- destinations ---- */

static const char what[] = "traffic.destinations";

fc_status fc_destinations_read(const fc_document *document, const fc_value *value, void *field,
                               fc_error *error) {
    fc_destinations *destinations = field;
    const char *const *names = fc_pattern_names, *with_value[FC_PATTERNS + 1] = {0};
    size_t count = 0;
    for (size_t i = 0; i < FC_PATTERNS; ++i) {
        if (fc_patterns[i]->read)
            with_value[count++] = names[i];
    }
    if (value->kind == FC_VALUE_SCALAR) {
        int choice;
        const fc_status status = fc_read_choice(document, value, what, names, error, &choice);
        if (status == FC_OK && fc_patterns[choice]->read)
            return fc_fail_at(error, document, value, "%s: %s needs a value: %s", what,
                              names[choice], fc_patterns[choice]->example);
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
    while (strcmp(value->keys[0], names[pattern]) != 0)
        ++pattern;
    destinations->pattern = (fc_pattern)pattern;
    return fc_patterns[pattern]->read(document, value->items[0], destinations, error);
}

void fc_destinations_write(const void *field, FILE *stream) {
    const fc_destinations *destinations = field;
    const fc_pattern_info *pattern = fc_patterns[destinations->pattern];
    const char *name = fc_pattern_names[destinations->pattern];
    if (!pattern->write) {
        fputs(name, stream);
        return;
    }
    fprintf(stream, "{%s: ", name);
    pattern->write(destinations, stream);
    fputs("}", stream);
    if (destinations->matrix_checksum)
        fprintf(stream, " # content %016llx", (unsigned long long)destinations->matrix_checksum);
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
