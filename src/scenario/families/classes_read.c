#include "scenario/families/classes_read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "scenario/patterns/traffic_readers.h"
#include "scenario/readers.h"

static const char what[] = "traffic.classes";

/* ---- the members of a class, in the order in which they are written ---- */

enum {
    NAME,
    RATE,
    SHARE,
    FLITS,
    MIX,
    DESTINATIONS,
    CHANNELS,
    PRIORITY,
    REPLY,
    MEMORY_REPLY,
    MEMORY_BUSY,
    MULTICAST,
    MEMBERS
};
static const char *const member_names[MEMBERS + 1] = {
    "name",         "rate",      "share",    "flits", "message_mix",
    "destinations", "channels",  "priority", "reply", "memory_reply",
    "memory_busy",  "multicast", NULL};

typedef struct reading {
    const fc_document *document;
    const fc_value *value; /* of the class */
    const fc_value *member[MEMBERS];
    fc_given_classes *given;
    size_t number;
} reading;

static fc_class *class_of(const reading *r) {
    return &r->given->classes.list[r->number];
}

/* Names begin those of metrics, so they are words. */
static fc_status read_class_name(const reading *r, fc_error *error) {
    const fc_value *value = r->member[NAME];
    fc_class *class = class_of(r);
    if (!value)
        return fc_fail_at(error, r->document, r->value,
                          "traffic.classes: a class needs a name, for example {name: request, "
                          "rate: 0.01, flits: 1}");
    const bool text = value->kind == FC_VALUE_SCALAR;
    const size_t length = text ? strlen(value->text) : 0;
    const char *letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    if (!text || length == 0 || length >= FC_CLASS_NAME_SIZE ||
        strspn(value->text, letters) != length || strspn(value->text, letters) == 0 ||
        !strpbrk(value->text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))
        return fc_fail_at(error, r->document, value,
                          "the name of a class is a word of 1 to %d letters, digits, '-' and '_'",
                          FC_CLASS_NAME_SIZE - 1);
    for (size_t i = 0; i < r->number; ++i)
        if (strcmp(r->given->classes.list[i].name, value->text) == 0)
            return fc_fail_at(error, r->document, value, "two classes are called '%s'",
                              value->text);
    memcpy(class->name, value->text, length + 1);
    return FC_OK;
}

static fc_status read_rate(const reading *r, fc_error *error) {
    const fc_range rate = {.minimum = 0, .maximum = 1, .above = true};
    if (r->member[RATE] && r->member[SHARE])
        return fc_fail_at(error, r->document, r->value,
                          "class '%s' has a rate and a share; a rate is in messages per node and "
                          "cycle, a share is a part of traffic.rate: give one of them",
                          class_of(r)->name);
    if (r->member[RATE])
        return fc_read_number(r->document, r->member[RATE], "traffic.classes.rate", rate, error,
                              &r->given->rate[r->number]);
    return r->member[SHARE] ? fc_read_number(r->document, r->member[SHARE], "traffic.classes.share",
                                             rate, error, &class_of(r)->share)
                            : FC_OK;
}

static fc_status read_class_lengths(const reading *r, fc_error *error) {
    const fc_range range = {.minimum = 1, .maximum = 1e6};
    fc_lengths *lengths = &class_of(r)->lengths;
    if (r->member[FLITS] && r->member[MIX])
        return fc_fail_at(error, r->document, r->value,
                          "class '%s' has flits and a message_mix; give one of them",
                          class_of(r)->name);
    if (r->member[MIX])
        return fc_lengths_read(r->document, r->member[MIX], lengths, error);
    if (!r->member[FLITS])
        return FC_OK;
    lengths->count = 1;
    lengths->share[0] = 1;
    return fc_read_integer(r->document, r->member[FLITS], "traffic.classes.flits", range, error,
                           &lengths->flits[0]);
}

/* [first, last], or one number. */
static fc_status read_channels(const reading *r, fc_error *error) {
    const fc_range range = {.minimum = 0, .maximum = 63};
    const fc_value *value = r->member[CHANNELS];
    fc_class *class = class_of(r);
    fc_integer_list list = {.count = 2};
    fc_status status = FC_OK;
    r->given->everywhere[r->number] = !value;
    if (!value)
        return FC_OK;
    if (value->kind == FC_VALUE_SEQUENCE) {
        status =
            fc_read_integers(r->document, value, "traffic.classes.channels", range, error, &list);
    } else {
        status = fc_read_integer(r->document, value, "traffic.classes.channels", range, error,
                                 &list.values[0]);
        list.values[1] = list.values[0];
    }
    if (status == FC_OK && (list.count != 2 || list.values[0] > list.values[1]))
        return fc_fail_at(error, r->document, value,
                          "channels of a class are its first and its last virtual channel, "
                          "counted from 0: [0, 1]");
    class->first = (uint32_t)list.values[0];
    class->last = (uint32_t)list.values[1];
    return status;
}

static fc_status read_memory(const reading *r, fc_error *error) {
    const fc_range cycles = {.minimum = 0, .maximum = 1e6};
    double *const times[] = {class_of(r)->memory_reply, class_of(r)->memory_busy};
    for (size_t i = 0; i < 2; ++i) {
        const fc_value *value = r->member[MEMORY_REPLY + i];
        int64_t time = 0;
        if (value && !r->member[REPLY])
            return fc_fail_at(error, r->document, value,
                              "%s is for a class that is answered; class '%s' has no reply",
                              member_names[MEMORY_REPLY + i], class_of(r)->name);
        const fc_status status =
            value ? fc_read_integer(r->document, value, member_names[MEMORY_REPLY + i], cycles,
                                    error, &time)
                  : FC_OK;
        if (status != FC_OK)
            return status;
        for (size_t length = 0; length < FC_LENGTHS_MAX; ++length)
            times[i][length] = (double)time;
    }
    return FC_OK;
}

static fc_status read_multicast(const reading *r, fc_error *error) {
    static const char *const words[] = {"false", "true", NULL};
    int chosen = 0;
    const fc_status status = fc_read_choice(r->document, r->member[MULTICAST],
                                            "traffic.classes.multicast", words, error, &chosen);
    class_of(r)->multicast = chosen;
    return status;
}

static fc_status read_class(reading *r, fc_error *error) {
    const fc_range priorities = {.minimum = 0, .maximum = FC_PRIORITY_MAX};
    fc_class *class = class_of(r);
    class->reply = FC_NONE;
    fc_status status = fc_check_members(r->document, r->value, what, member_names, error);
    for (size_t i = 0; i < MEMBERS && status == FC_OK; ++i)
        r->member[i] = fc_value_member(r->value, member_names[i]);
    if (status == FC_OK)
        status = read_class_name(r, error);
    if (status == FC_OK)
        status = read_rate(r, error);
    if (status == FC_OK)
        status = read_class_lengths(r, error);
    if (status == FC_OK)
        status = read_channels(r, error);
    if (status == FC_OK && r->member[PRIORITY])
        status = fc_read_integer(r->document, r->member[PRIORITY], "traffic.classes.priority",
                                 priorities, error, &class->priority);
    if (status == FC_OK)
        status = read_memory(r, error);
    if (status == FC_OK && r->member[MULTICAST])
        status = read_multicast(r, error);
    r->given->back[r->number] = !r->member[DESTINATIONS];
    if (status == FC_OK && r->member[DESTINATIONS])
        status = fc_destinations_read(r->document, r->member[DESTINATIONS],
                                      &r->given->destinations[r->number], error);
    return status;
}

/* When all names are known. */
static fc_status read_replies(const fc_document *document, const fc_value *value,
                              fc_given_classes *given, fc_error *error) {
    const char *names[FC_CLASSES_MAX + 1] = {0};
    for (size_t i = 0; i < given->classes.count; ++i)
        names[i] = given->classes.list[i].name;
    for (size_t i = 0; i < given->classes.count; ++i) {
        const fc_value *reply = fc_value_member(value->items[i], "reply");
        int chosen = 0;
        const fc_status status =
            reply ? fc_read_choice(document, reply, "traffic.classes.reply", names, error, &chosen)
                  : FC_OK;
        if (status != FC_OK)
            return status;
        if (reply)
            given->classes.list[i].reply = (uint32_t)chosen;
    }
    return FC_OK;
}

fc_status fc_classes_read(const fc_document *document, const fc_value *value, void *field,
                          fc_error *error) {
    fc_given_classes **given = field;
    if (value->kind != FC_VALUE_SEQUENCE || value->count < 1 || value->count > FC_CLASSES_MAX)
        return fc_fail_at(error, document, value,
                          "traffic.classes must be a list of 1 to %d classes of messages, for "
                          "example [{name: request, rate: 0.01, flits: 1, channels: [0, 1]}]",
                          FC_CLASSES_MAX);
    fc_given_classes *made = *given = fc_allocate(1, sizeof *made);
    if (!made)
        return fc_fail_memory(error);
    fc_status status = FC_OK;
    for (size_t i = 0; i < value->count && status == FC_OK; ++i) {
        reading r = {.document = document, .value = value->items[i], .given = made, .number = i};
        made->classes.count = i + 1;
        status = read_class(&r, error);
    }
    return status == FC_OK ? read_replies(document, value, made, error) : status;
}

/* ---- writing ---- */

static void write_class(const fc_given_classes *given, size_t number, FILE *stream) {
    const fc_class *class = &given->classes.list[number];
    const fc_lengths *lengths = &class->lengths;
    fprintf(stream, "{name: %s", class->name);
    if (given->rate[number] > 0)
        fc_number_write(", rate: ", given->rate[number], stream);
    else if (class->share > 0)
        fc_number_write(", share: ", class->share, stream);
    if (lengths->count == 1) {
        fprintf(stream, ", flits: %lld", (long long)lengths->flits[0]);
    } else if (lengths->count > 1) {
        fputs(", message_mix: ", stream);
        fc_lengths_write(lengths, stream);
    }
    if (!given->back[number]) {
        fputs(", destinations: ", stream);
        fc_destinations_write(&given->destinations[number], stream);
        if (given->destinations[number].matrix_checksum)
            fputs("\n   ", stream); /* after a comment */
    }
    if (!given->everywhere[number])
        fprintf(stream, ", channels: [%u, %u]", class->first, class->last);
    if (class->priority)
        fprintf(stream, ", priority: %lld", (long long)class->priority);
    if (class->reply != FC_NONE)
        fprintf(stream, ", reply: %s", given->classes.list[class->reply].name);
    if (class->memory_reply[0] > 0)
        fc_number_write(", memory_reply: ", class->memory_reply[0], stream);
    if (class->memory_busy[0] > 0)
        fc_number_write(", memory_busy: ", class->memory_busy[0], stream);
    fputs(class->multicast ? ", multicast: true}" : "}", stream);
}

void fc_classes_write(const void *field, FILE *stream) {
    const fc_given_classes *given = *(fc_given_classes *const *)field;
    fputs("[", stream);
    for (size_t i = 0; given && i < given->classes.count; ++i) {
        fputs(i ? ", " : "", stream);
        write_class(given, i, stream);
    }
    fputs("]", stream);
}

void fc_classes_release(fc_given_classes *given) {
    for (size_t i = 0; given && i < given->classes.count; ++i)
        fc_destinations_release(&given->destinations[i]);
    fc_release(given);
}
