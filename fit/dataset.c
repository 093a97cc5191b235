#include "fit/dataset.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/hash.h"

static const char magic[] = "flitcast dataset 1\n";
enum { ALIGNMENT = 8 }; /* of the first record */
enum {
    LANE_WORDS = sizeof(fc_lane_traits) / sizeof(float),
    MOVEMENT_WORDS = sizeof(fc_movement_traits) / sizeof(float)
};
static const double longest_wait = 1e6; /* cycles; of bursts */

/* What a record begins with. */
typedef struct sizes {
    uint32_t lanes, movements, links, loads, values, left_out, bursts, number;
    char group[FIT_GROUP_SIZE];
    double empty[FC_LATENCIES], capacity, saturation, saturation_half, weight;
} sizes;

struct fit_writer {
    FILE *stream;
    size_t whole, values;
    bool failed;
};

/* ---- writing ---- */

static size_t put_names(FILE *stream, const char *what, const char *const *names) {
    size_t count = 0;
    fprintf(stream, "%s:", what);
    for (; names && names[count]; ++count)
        fprintf(stream, "%s %s", count ? "," : "", names[count]);
    fputc('\n', stream);
    return count;
}

fit_writer *fit_writer_create(const char *path, const fit_head *head) {
    fit_writer *writer = calloc(1, sizeof *writer);
    if (!writer)
        return NULL;
    writer->stream = fopen(path, "wb");
    if (!writer->stream) {
        free(writer);
        return NULL;
    }
    fputs(magic, writer->stream);
    fprintf(writer->stream, "model %s\nrevision %u\nform %s\n", head->model, head->revision,
            head->values ? "values" : "curve");
    writer->whole = put_names(writer->stream, "whole", head->names->whole);
    put_names(writer->stream, "lane", head->names->lane);
    put_names(writer->stream, "movement", head->names->movement);
    writer->values = put_names(writer->stream, "values", head->values);
    for (size_t i = 0; head->seen && head->seen[i]; ++i)
        fprintf(writer->stream, "seen %s\n", head->seen[i]);
    fputc('\n', writer->stream);
    for (long at = ftell(writer->stream); at % ALIGNMENT; ++at)
        fputc('\0', writer->stream);
    return writer;
}

static void put(fit_writer *writer, const void *data, size_t size, size_t count) {
    writer->failed |= fwrite(data, size, count, writer->stream) != count;
}

/* The waits of bursts, by the lane that sends most of them. */
static void put_bursts(fit_writer *writer, const fc_traits *traits) {
    float waits[FIT_BURST_POINTS], rate = 0;
    for (uint32_t l = 0; l < traits->lane_count; ++l)
        if (traits->lanes[l].bursts > rate)
            rate = traits->lanes[l].bursts;
    for (int i = 0; i < FIT_BURST_POINTS; ++i) {
        const double load = traits->capacity * (i + 1) / FIT_BURST_POINTS;
        const double wait = traits->burst_wait(traits->burst_context, load * (double)rate);
        waits[i] = (float)(wait < longest_wait ? wait : longest_wait);
    }
    put(writer, waits, sizeof waits, 1);
}

bool fit_writer_add(fit_writer *writer, const fit_network *network, const fc_traits *traits) {
    sizes at = {.lanes = traits->lane_count,
                .movements = traits->movement_count,
                .links = traits->link_count,
                .loads = network->load_count,
                .values = network->value_count,
                .left_out = network->left_out,
                .number = network->number,
                .bursts = traits->burst_wait != NULL,
                .capacity = traits->capacity,
                .saturation = network->saturation,
                .saturation_half = network->saturation_half,
                .weight = network->weight > 0 ? network->weight : 1};
    memcpy(at.empty, traits->empty, sizeof at.empty);
    snprintf(at.group, sizeof at.group, "%s", network->group ? network->group : "");
    put(writer, &at, sizeof at, 1);
    put(writer, traits->whole, sizeof(float), writer->whole);
    put(writer, network->loads, sizeof *network->loads, at.loads);
    put(writer, network->value, sizeof(double), at.values);
    put(writer, network->variance, sizeof(double), at.values);
    if (at.bursts)
        put_bursts(writer, traits);
    put(writer, traits->lanes, sizeof *traits->lanes, at.lanes);
    put(writer, traits->lane, sizeof(float), at.lanes * traits->lane_inputs);
    put(writer, traits->movements, sizeof *traits->movements, at.movements);
    put(writer, traits->movement, sizeof(float), at.movements * traits->movement_inputs);
    /* the next record begins at a multiple of eight bytes of this one */
    static const char zeros[8] = {0};
    const size_t words = writer->whole + 5 * (size_t)at.loads +
                         at.lanes * (LANE_WORDS + traits->lane_inputs) +
                         at.movements * (MOVEMENT_WORDS + traits->movement_inputs);
    put(writer, zeros, 1, words % 2 * sizeof(float));
    return !writer->failed;
}

bool fit_writer_close(fit_writer *writer) {
    if (!writer)
        return true;
    const bool done = fclose(writer->stream) == 0 && !writer->failed;
    free(writer);
    return done;
}

/* ---- reading ---- */

typedef struct cursor {
    char *at, *end;
    bool failed;
} cursor;

static void *take(cursor *from, size_t size, size_t count) {
    if (from->failed || count > (size_t)(from->end - from->at) / size) {
        from->failed = true;
        return NULL;
    }
    char *taken = from->at;
    from->at += size * count;
    return taken;
}

static void take_copy(cursor *from, void *to, size_t size) {
    const void *taken = take(from, 1, size);
    if (taken)
        memcpy(to, taken, size);
}

/* How many names follow "what: ". */
static size_t count_names(const char *head, const char *what) {
    const size_t length = strlen(what);
    for (const char *line = head; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        if (strncmp(line, what, length) == 0 && line[length] == ':') {
            size_t count = line[length + 1] == ' ';
            for (const char *c = line + length; *c && *c != '\n'; ++c)
                count += *c == ',';
            return count;
        }
    return 0;
}

static void read_record(cursor *from, const size_t inputs[3], fit_record *to) {
    sizes at = {0};
    take_copy(from, &at, sizeof at);
    memcpy(to->group, at.group, sizeof to->group);
    to->group[FIT_GROUP_SIZE - 1] = '\0';
    fit_network *n = &to->network;
    fc_traits *t = &to->traits;
    *n = (fit_network){.left_out = at.left_out != 0,
                       .number = at.number,
                       .saturation = at.saturation,
                       .saturation_half = at.saturation_half,
                       .load_count = at.loads,
                       .value_count = at.values,
                       .weight = at.weight};
    *t = (fc_traits){.lane_count = at.lanes,
                     .movement_count = at.movements,
                     .link_count = at.links,
                     .whole_inputs = inputs[0],
                     .lane_inputs = inputs[1],
                     .movement_inputs = inputs[2],
                     .capacity = at.capacity};
    memcpy(t->empty, at.empty, sizeof t->empty);
    from->failed |= at.values > FIT_VALUES_MOST;
    if (from->failed)
        return;
    take_copy(from, t->whole, inputs[0] * sizeof(float));
    n->loads = take(from, sizeof *n->loads, at.loads);
    take_copy(from, n->value, at.values * sizeof(double));
    take_copy(from, n->variance, at.values * sizeof(double));
    to->bursts = at.bursts ? take(from, sizeof(float), FIT_BURST_POINTS) : NULL;
    t->lanes = take(from, sizeof *t->lanes, at.lanes);
    t->lane = take(from, sizeof(float), at.lanes * inputs[1]);
    t->movements = take(from, sizeof *t->movements, at.movements);
    t->movement = take(from, sizeof(float), at.movements * inputs[2]);
    const size_t words = inputs[0] + 5 * (size_t)at.loads + at.lanes * (LANE_WORDS + inputs[1]) +
                         at.movements * (MOVEMENT_WORDS + inputs[2]);
    take(from, sizeof(float), words % 2);
}

static char *read_file(const char *path, size_t *length) {
    FILE *stream = fopen(path, "rb");
    char *data = NULL;
    if (stream && fseek(stream, 0, SEEK_END) == 0) {
        const long size = ftell(stream);
        rewind(stream);
        data = size < 0 ? NULL : malloc((size_t)size + 1);
        *length = (size_t)size;
        if (data && fread(data, 1, *length, stream) != *length) {
            free(data);
            data = NULL;
        }
    }
    if (stream)
        fclose(stream);
    return data;
}

static bool read_records(cursor from, const size_t inputs[3], fit_dataset *dataset) {
    size_t room = 0;
    while (from.at < from.end && !from.failed) {
        if (dataset->count == room) {
            room = room ? 2 * room : 1024;
            fit_record *more = realloc(dataset->records, room * sizeof *more);
            if (!more)
                return false;
            dataset->records = more;
        }
        read_record(&from, inputs, &dataset->records[dataset->count++]);
    }
    return !from.failed;
}

bool fit_dataset_read(const char *path, fit_dataset *dataset, char *text) {
    size_t length = 0;
    *dataset = (fit_dataset){0};
    char *data = read_file(path, &length);
    dataset->file = data;
    if (!data) {
        snprintf(text, 256, "%.150s: %s", path, strerror(errno ? errno : ENOMEM));
        return false;
    }
    data[length] = '\0';
    char *rest = strstr(data, "\n\n");
    if (strncmp(data, magic, sizeof magic - 1) != 0 || !rest) {
        snprintf(text, 256, "%.150s: is no dataset of this version of the program", path);
        fit_dataset_release(dataset);
        return false;
    }
    dataset->hash = fc_hash(FC_HASH_START, data, length);
    dataset->head = data;
    rest[1] = '\0';
    const size_t inputs[3] = {count_names(data, "whole"), count_names(data, "lane"),
                              count_names(data, "movement")};
    const size_t text_length = (size_t)(rest + 2 - data);
    const size_t begin = (text_length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    const cursor from = {.at = data + (begin < length ? begin : length),
                         .end = data + length,
                         .failed = inputs[0] > FC_TRAIT_WHOLE_MOST ||
                                   inputs[1] > FC_TRAIT_LANE_MOST ||
                                   inputs[2] > FC_TRAIT_MOVEMENT_MOST};
    if (!read_records(from, inputs, dataset)) {
        snprintf(text, 256, "%.150s: ends within a network, or is not a dataset", path);
        fit_dataset_release(dataset);
        return false;
    }
    return true;
}

void fit_dataset_release(fit_dataset *dataset) {
    free(dataset->records);
    free(dataset->file);
    *dataset = (fit_dataset){0};
}
