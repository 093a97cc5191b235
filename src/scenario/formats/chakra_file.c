#include "scenario/formats/chakra_file.h"

#include <stdlib.h>
#include <string.h>
#include "base/hash.h"
#include "base/memory.h"
#include "base/status.h"
#include "scenario/text_file.h"

#define NONE UINT32_MAX
enum { MESSAGE_MAX = 1 << 26, GROUPS_MAX = 1 << 16 };

const fc_phase_kind fc_chakra_forms[FC_CHAKRA_FORMS] = {FC_PHASE_ALL_REDUCE, FC_PHASE_ALL_GATHER,
                                                        FC_PHASE_REDUCE_SCATTER,
                                                        FC_PHASE_ALL_TO_ALL, FC_PHASE_BROADCAST};

/* ---- the wire format ---- */

/* What is left of a message. Reading beyond its end, or what cannot be, makes it bad. */
typedef struct wire {
    const uint8_t *at, *end;
    bool bad;
} wire;

typedef struct field {
    uint32_t number, type;
    uint64_t value; /* types 0, 1 and 5 */
    wire bytes;     /* type 2 */
} field;

static uint64_t read_varint(wire *w) {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        if (w->at == w->end)
            break;
        const uint8_t byte = *w->at++;
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return value;
    }
    w->bad = true;
    return 0;
}

static uint64_t read_fixed(wire *w, size_t size) {
    uint64_t value = 0;
    if ((size_t)(w->end - w->at) < size) {
        w->bad = true;
        return 0;
    }
    for (size_t i = 0; i < size; ++i)
        value |= (uint64_t)*w->at++ << 8 * i;
    return value;
}

/* False at the end, and if it is bad. */
static bool next_field(wire *w, field *found) {
    if (w->bad || w->at == w->end)
        return false;
    const uint64_t key = read_varint(w);
    *found = (field){.number = (uint32_t)(key >> 3), .type = (uint32_t)(key & 7)};
    switch (found->type) {
    case 0:
        found->value = read_varint(w);
        break;
    case 1:
        found->value = read_fixed(w, 8);
        break;
    case 5:
        found->value = read_fixed(w, 4);
        break;
    case 2: {
        const uint64_t length = read_varint(w);
        w->bad |= length > (uint64_t)(w->end - w->at);
        if (!w->bad)
            found->bytes = (wire){w->at, w->at + length, false};
        if (!w->bad)
            w->at += length;
        break;
    }
    default:
        w->bad = true;
    }
    return !w->bad && key >> 3 && key >> 3 <= UINT32_MAX;
}

/* ---- a node ---- */

typedef struct reading {
    const char *path;
    uint64_t message; /* from 0 */
    fc_chakra *chakra;
    fc_error *error;
} reading;

static fc_status refuse(const reading *r, const char *what) {
    return fc_fail(r->error, FC_ERROR_INPUT, "%.400s: message %llu: %s", r->path,
                   (unsigned long long)r->message, what);
}

static fc_status add_dependency(reading *r, fc_chakra_node *node, uint64_t id) {
    fc_chakra *c = r->chakra;
    uint64_t *ids =
        fc_make_room(c->dependency, &c->dependency_room, c->dependencies, 1, sizeof *ids);
    if (!ids)
        return fc_fail_memory(r->error);
    c->dependency = ids;
    ids[c->dependencies++] = id;
    if (++node->dependencies == NONE)
        return refuse(r, "too many dependencies");
    return FC_OK;
}

/* One, or a row of them packed together. */
static fc_status add_dependencies(reading *r, fc_chakra_node *node, field *given) {
    if (given->type == 0)
        return add_dependency(r, node, given->value);
    fc_status status = given->type == 2 ? FC_OK : refuse(r, "a dependency is not a number");
    while (status == FC_OK && given->bytes.at < given->bytes.end) {
        const uint64_t id = read_varint(&given->bytes);
        status = given->bytes.bad ? refuse(r, "a list of dependencies is cut off")
                                  : add_dependency(r, node, id);
    }
    return status;
}

static fc_status find_name(reading *r, const wire *text, uint32_t *number) {
    fc_chakra *c = r->chakra;
    const size_t length = (size_t)(text->end - text->at);
    *number = NONE;
    if (!length)
        return FC_OK;
    if (length >= FC_GROUP_NAME_SIZE || memchr(text->at, 0, length))
        return refuse(r, "pg_name is not a name of at most 31 letters");
    for (uint32_t i = 0; i < c->groups; ++i) {
        if (strlen(c->group[i]) == length && memcmp(c->group[i], text->at, length) == 0) {
            *number = i;
            return FC_OK;
        }
    }
    if (c->groups == GROUPS_MAX)
        return refuse(r, "more than 65536 names of process groups");
    char(*more)[FC_GROUP_NAME_SIZE] = fc_reallocate(c->group, c->groups + 1, sizeof *more);
    if (!more)
        return fc_fail_memory(r->error);
    c->group = more;
    memset(more[c->groups], 0, sizeof *more);
    memcpy(more[c->groups], text->at, length);
    *number = c->groups++;
    return FC_OK;
}

/* The value of an attribute as a whole number: the format has a field for each type. */
static bool whole_value(const field *given, uint64_t *value) {
    switch (given->number) {
    case 5: /* float */
    case 3: /* double */ {
        double number;
        float narrow;
        const uint32_t bits = (uint32_t)given->value;
        memcpy(&number, &given->value, sizeof number);
        memcpy(&narrow, &bits, sizeof narrow);
        number = given->number == 5 ? (double)narrow : number;
        *value = number >= 0 && number < 0x1p63 ? (uint64_t)number : 0;
        return number >= 0 && number < 0x1p63 && given->type == (given->number == 5 ? 5 : 1);
    }
    case 15: /* sint32, sint64 */
    case 17:
        *value = given->value >> 1;
        return given->type == 0 && !(given->value & 1);
    case 7: /* int32, int64, uint32, uint64, bool */
    case 9:
    case 11:
    case 13:
    case 27:
        *value = given->value;
        return given->type == 0 && given->value <= INT64_MAX;
    case 19: /* fixed */
    case 21:
    case 23:
    case 25:
        *value = given->value;
        return (given->type == 1 || given->type == 5) && given->value <= INT64_MAX;
    default:
        return false;
    }
}

/* Where a number of a node goes. */
typedef struct slot {
    const char *name;
    uint64_t *wide;
    uint32_t *narrow; /* if not wide */
    uint64_t most;
} slot;

static fc_status take_number(reading *r, const slot *to, bool known, uint64_t value) {
    if (!known || value > to->most)
        return fc_fail(r->error, FC_ERROR_INPUT,
                       "%.400s: message %llu: %s is not a whole number from 0 to %llu", r->path,
                       (unsigned long long)r->message, to->name, (unsigned long long)to->most);
    if (to->wide)
        *to->wide = value;
    else
        *to->narrow = (uint32_t)value;
    return FC_OK;
}

static bool is_name(const wire *text, const char *name) {
    const size_t length = (size_t)(text->end - text->at);
    return length == strlen(name) && memcmp(text->at, name, length) == 0;
}

static fc_status read_attribute(reading *r, fc_chakra_node *node, wire bytes) {
    const char *peer = node->kind == FC_CHAKRA_SEND ? "comm_dst" : "comm_src";
    const slot slots[] = {{"comm_size", &node->bytes, NULL, (uint64_t)1 << 50},
                          {"num_ops", &node->operations, NULL, INT64_MAX},
                          {"tensor_size", &node->tensor_bytes, NULL, INT64_MAX},
                          {"comm_type", NULL, &node->collective, 1000},
                          {peer, NULL, &node->peer, FC_RANKS_MAX - 1},
                          {"comm_tag", NULL, &node->tag, UINT32_MAX},
                          {"root_rank", NULL, &node->root, FC_RANKS_MAX - 1}};
    field found, value = {0};
    wire name = {0};
    while (next_field(&bytes, &found)) {
        if (found.number == 1 && found.type == 2)
            name = found.bytes;
        else if (found.number > 2)
            value = found;
    }
    if (bytes.bad)
        return refuse(r, "an attribute is cut off");
    uint64_t whole = 0;
    const bool known = whole_value(&value, &whole);
    if (!name.at)
        return FC_OK;
    if (is_name(&name, "pg_name"))
        return value.number == 29 && value.type == 2 ? find_name(r, &value.bytes, &node->group)
                                                     : FC_OK;
    if (is_name(&name, "is_cpu_op"))
        node->on_cpu = known && whole;
    for (size_t i = 0; i < sizeof slots / sizeof *slots; ++i) {
        if (is_name(&name, slots[i].name))
            return take_number(r, &slots[i], known, whole);
    }
    return FC_OK;
}

/* The kind decides what attributes mean: they are read when all else is. */
static fc_status read_node(reading *r, wire bytes) {
    fc_chakra *c = r->chakra;
    fc_chakra_node node = {.rank = c->ranks,
                           .group = NONE,
                           .peer = NONE,
                           .collective = NONE,
                           .first_dependency = (uint32_t)c->dependencies};
    const wire whole = bytes;
    fc_status status = FC_OK;
    field found;
    while (status == FC_OK && next_field(&bytes, &found)) {
        if (found.number == 1 && found.type == 0)
            node.id = found.value;
        else if (found.number == 3 && found.type == 0)
            node.kind = found.value <= 1000 ? (int)found.value : 1000;
        else if (found.number == 4 || found.number == 5)
            status = add_dependencies(r, &node, &found);
        else if (found.number == 7 && found.type == 0)
            node.micros = found.value;
    }
    if (status == FC_OK && (bytes.bad || bytes.at != bytes.end))
        status = refuse(r, "it is not a message of this format");
    for (bytes = whole; status == FC_OK && next_field(&bytes, &found);) {
        if (found.number == 10 && found.type == 2)
            status = read_attribute(r, &node, found.bytes);
    }
    if (status == FC_OK && (node.kind < FC_CHAKRA_METADATA || node.kind > FC_CHAKRA_COLLECTIVE))
        status = refuse(r, "its type is not one of 1 to 7 (metadata, load, store, compute, send, "
                           "receive, collective)");
    if (status == FC_OK && node.micros > (uint64_t)1 << 40)
        status = refuse(r, "its duration is above 2^40 microseconds");
    const bool sends = node.kind == FC_CHAKRA_SEND, receives = node.kind == FC_CHAKRA_RECEIVE;
    if (status == FC_OK && (sends || receives) && node.peer == NONE)
        status = refuse(r, sends ? "a send without comm_dst" : "a receive without comm_src");
    if (status == FC_OK && node.kind == FC_CHAKRA_COLLECTIVE && node.collective == NONE)
        status = refuse(r, "a collective operation without comm_type");
    if (status == FC_OK && c->count == FC_CHAKRA_NODES_MAX)
        status = refuse(r, "more than 16777216 nodes in all files");
    if (status != FC_OK)
        return status;
    fc_chakra_node *nodes = fc_make_room(c->nodes, &c->room, c->count, 1, sizeof *nodes);
    if (!nodes)
        return fc_fail_memory(r->error);
    c->nodes = nodes;
    nodes[c->count++] = node;
    return FC_OK;
}

/* ---- dependencies ---- */

typedef struct numbered {
    uint64_t id;
    uint32_t number;
} numbered;

static int by_id(const void *a, const void *b) {
    const uint64_t left = ((const numbered *)a)->id, right = ((const numbered *)b)->id;
    return (left > right) - (left < right);
}

/* Names of nodes become their numbers, from the rank's first on. */
static fc_status resolve(reading *r, size_t first_node, size_t first_dependency) {
    fc_chakra *c = r->chakra;
    const size_t count = c->count - first_node;
    uint64_t *ids = c->dependency;
    numbered *list = fc_allocate(count + 1, sizeof *list);
    if (!list)
        return fc_fail_memory(r->error);
    for (size_t i = 0; i < count; ++i)
        list[i] = (numbered){c->nodes[first_node + i].id, (uint32_t)(first_node + i)};
    qsort(list, count, sizeof *list, by_id);
    fc_status status = FC_OK;
    for (size_t i = 1; i < count && status == FC_OK; ++i) {
        if (list[i].id == list[i - 1].id)
            status = fc_fail(r->error, FC_ERROR_INPUT, "%.400s: two nodes have the id %llu",
                             r->path, (unsigned long long)list[i].id);
    }
    for (size_t i = first_dependency; i < c->dependencies && status == FC_OK; ++i) {
        const numbered wanted = {.id = ids[i]};
        const numbered *found = count ? bsearch(&wanted, list, count, sizeof *list, by_id) : NULL;
        if (found)
            ids[i] = found->number;
        else
            status = fc_fail(r->error, FC_ERROR_INPUT,
                             "%.400s: a node depends on node %llu, which is not in the file",
                             r->path, (unsigned long long)ids[i]);
    }
    fc_release(list);
    return status;
}

/* ---- files ---- */

/* The length of the next message. False at the end of the file. */
static bool read_length(FILE *stream, uint64_t *length, bool *cut) {
    uint8_t bytes[10];
    wire w = {bytes, bytes, false};
    for (int byte; w.end < bytes + sizeof bytes && (byte = getc(stream)) != EOF;) {
        bytes[w.end++ - bytes] = (uint8_t)byte;
        if (byte < 128)
            break;
    }
    *cut = false;
    if (w.end == bytes)
        return false;
    *length = read_varint(&w);
    *cut = w.bad;
    return true;
}

static fc_status read_messages(reading *r, FILE *stream) {
    uint8_t *buffer = NULL;
    size_t room = 0;
    uint64_t length = 0;
    bool cut;
    fc_status status = FC_OK;
    for (; status == FC_OK && read_length(stream, &length, &cut); ++r->message) {
        if (cut || length > MESSAGE_MAX) {
            status = refuse(r, "its length cannot be; this is no Chakra trace, or it is cut off");
            break;
        }
        uint8_t *more = fc_make_room(buffer, &room, 0, (size_t)length + 1, 1);
        if (!more) {
            status = fc_fail_memory(r->error);
            break;
        }
        buffer = more;
        if (fread(buffer, 1, (size_t)length, stream) != length) {
            status = refuse(r, "the file ends within it");
            break;
        }
        r->chakra->checksum = fc_hash(r->chakra->checksum, buffer, (size_t)length);
        if (r->message)
            status = read_node(r, (wire){buffer, buffer + length, false});
    }
    if (status == FC_OK && !r->message)
        status = fc_fail(r->error, FC_ERROR_INPUT, "%.400s: the file is empty", r->path);
    fc_release(buffer);
    return status;
}

fc_status fc_chakra_read_rank(FILE *stream, const char *path, fc_error *error, fc_chakra *chakra) {
    reading r = {.path = path, .chakra = chakra, .error = error};
    const size_t nodes = chakra->count, dependencies = chakra->dependencies;
    uint32_t *first = fc_reallocate(chakra->first, (size_t)chakra->ranks + 2, sizeof *first);
    if (!first)
        return fc_fail_memory(error);
    chakra->first = first;
    first[chakra->ranks] = (uint32_t)nodes;
    fc_status status = read_messages(&r, stream);
    if (status == FC_OK && chakra->dependencies >= NONE)
        status = refuse(&r, "too many dependencies");
    if (status == FC_OK)
        status = resolve(&r, nodes, dependencies);
    first[++chakra->ranks] = (uint32_t)chakra->count;
    return status;
}

fc_status fc_chakra_read_files(const char *prefix, fc_error *error, fc_chakra *chakra) {
    chakra->checksum = FC_HASH_START;
    for (uint32_t rank = 0; rank < FC_RANKS_MAX; ++rank) {
        char path[2 * FC_PATH_SIZE + 16];
        FILE *stream;
        fc_error cause;
        snprintf(path, sizeof path, "%s.%u.et", prefix, rank);
        fc_status status = fc_file_open(path, &cause, &stream);
        if (status != FC_OK && rank)
            return FC_OK;
        if (status != FC_OK) {
            *error = cause;
            return status;
        }
        status = fc_chakra_read_rank(stream, path, error, chakra);
        fclose(stream);
        if (status != FC_OK)
            return status;
    }
    return FC_OK;
}

void fc_chakra_free(fc_chakra *chakra) {
    if (!chakra)
        return;
    fc_release(chakra->nodes);
    fc_release(chakra->first);
    fc_release(chakra->dependency);
    fc_release(chakra->group);
    fc_release(chakra);
}
