/* Writes a training step of a transformer as Chakra execution traces, a file for each rank:
 *
 *     write_transformer PREFIX TENSOR DATA PIPELINE [LAYERS MICROBATCHES]
 *
 * Rank t + TENSOR * (d + DATA * p) holds a part of the layers of stage p. Forwards, a layer is a
 * computation of 20 microseconds and an all-reduce of 1 MB in the tensor group; backwards the
 * computation takes twice as long. Stages hand activations to the next one and gradients back. At
 * the end each layer's gradients, 4 MB, are added up in the data group while earlier layers still
 * work. Read it with traffic.workload: {chakra: PREFIX}. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMPUTE = 4, SEND, RECEIVE, COLLECTIVE };
enum { FORWARD_MICROS = 20, ACTIVATION_BYTES = 1 << 20, GRADIENT_BYTES = 1 << 22 };

/* ---- protobuf ---- */

typedef struct message {
    uint8_t bytes[512];
    size_t length;
} message;

static void put_varint(message *m, uint64_t value) {
    while (value > 127) {
        m->bytes[m->length++] = (uint8_t)(value | 128);
        value >>= 7;
    }
    m->bytes[m->length++] = (uint8_t)value;
}

static void put_number(message *m, int field, uint64_t value) {
    put_varint(m, (uint64_t)field << 3);
    put_varint(m, value);
}

static void put_bytes(message *m, int field, const void *bytes, size_t length) {
    put_varint(m, (uint64_t)field << 3 | 2);
    put_varint(m, length);
    memcpy(m->bytes + m->length, bytes, length);
    m->length += length;
}

/* An attribute of a node: a number (int64) or a text. */
static void put_attribute(message *m, const char *name, uint64_t number, const char *text) {
    message attribute = {.length = 0};
    put_bytes(&attribute, 1, name, strlen(name));
    if (text)
        put_bytes(&attribute, 29, text, strlen(text));
    else
        put_number(&attribute, 9, number);
    put_bytes(m, 10, attribute.bytes, attribute.length);
}

static void write_message(FILE *file, const message *m) {
    message length = {.length = 0};
    put_varint(&length, m->length);
    fwrite(length.bytes, 1, length.length, file);
    fwrite(m->bytes, 1, m->length, file);
}

/* ---- the step ---- */

typedef struct step {
    int tensor, data, pipeline, layers, microbatches;
    int t, d, p; /* of the rank */
    FILE *file;
    uint64_t id; /* of the next node */
} step;

static message begin_node(step *s, int kind, uint64_t after) {
    message m = {.length = 0};
    put_number(&m, 1, ++s->id);
    put_number(&m, 3, (uint64_t)kind);
    if (after)
        put_number(&m, 5, after);
    return m;
}

static uint64_t compute(step *s, uint64_t after, uint64_t micros) {
    message m = begin_node(s, COMPUTE, after);
    put_number(&m, 7, micros);
    write_message(s->file, &m);
    return s->id;
}

static uint64_t all_reduce(step *s, uint64_t after, const char *group, uint64_t bytes) {
    message m = begin_node(s, COLLECTIVE, after);
    put_attribute(&m, "comm_type", 0, NULL);
    put_attribute(&m, "comm_size", bytes, NULL);
    put_attribute(&m, "pg_name", 0, group);
    write_message(s->file, &m);
    return s->id;
}

/* To or from another stage. */
static uint64_t hand_over(step *s, int kind, int stage, int tag, uint64_t after) {
    const int other = s->t + s->tensor * (s->d + s->data * stage);
    message m = begin_node(s, kind, after);
    put_attribute(&m, "comm_size", ACTIVATION_BYTES, NULL);
    put_attribute(&m, kind == SEND ? "comm_dst" : "comm_src", (uint64_t)other, NULL);
    put_attribute(&m, "comm_tag", (uint64_t)tag, NULL);
    write_message(s->file, &m);
    return s->id;
}

/* All layers of a stage for one microbatch, forwards or backwards. */
static uint64_t pass(step *s, int microbatch, int backwards, uint64_t after) {
    const int from = backwards ? s->p + 1 : s->p - 1, to = backwards ? s->p - 1 : s->p + 1;
    const int tag = 2 * microbatch + backwards;
    char tensor[32], data[32];
    snprintf(tensor, sizeof tensor, "tensor.%d.%d", s->d, s->p);
    snprintf(data, sizeof data, "data.%d.%d", s->t, s->p);
    if (from >= 0 && from < s->pipeline)
        after = hand_over(s, RECEIVE, from, tag, after);
    for (int layer = 0; layer < s->layers; ++layer) {
        after = compute(s, after, (uint64_t)(backwards ? 2 : 1) * FORWARD_MICROS);
        if (s->tensor > 1)
            after = all_reduce(s, after, tensor, ACTIVATION_BYTES);
        if (backwards && microbatch == s->microbatches - 1 && s->data > 1)
            all_reduce(s, after, data, GRADIENT_BYTES);
    }
    if (to >= 0 && to < s->pipeline)
        hand_over(s, SEND, to, tag, after);
    return after;
}

static int write_rank(step s, const char *prefix) {
    char path[4096];
    const message metadata = {.length = 0};
    uint64_t after = 0;
    snprintf(path, sizeof path, "%s.%d.et", prefix, s.t + s.tensor * (s.d + s.data * s.p));
    s.file = fopen(path, "wb");
    if (!s.file) {
        perror(path);
        return 1;
    }
    write_message(s.file, &metadata);
    for (int microbatch = 0; microbatch < s.microbatches; ++microbatch)
        after = pass(&s, microbatch, 0, after);
    for (int microbatch = 0; microbatch < s.microbatches; ++microbatch)
        after = pass(&s, microbatch, 1, after);
    return fclose(s.file) != 0;
}

int main(int count, char **arguments) {
    step s = {.layers = count > 5 ? atoi(arguments[5]) : 2,
              .microbatches = count > 6 ? atoi(arguments[6]) : 4};
    if (count < 5) {
        fprintf(stderr, "usage: %s PREFIX TENSOR DATA PIPELINE [LAYERS MICROBATCHES]\n",
                arguments[0]);
        return 2;
    }
    s.tensor = atoi(arguments[2]);
    s.data = atoi(arguments[3]);
    s.pipeline = atoi(arguments[4]);
    if (s.tensor < 1 || s.data < 1 || s.pipeline < 1 || s.layers < 1 || s.microbatches < 1) {
        fprintf(stderr, "sizes are whole numbers from 1 on\n");
        return 2;
    }
    for (s.p = 0; s.p < s.pipeline; ++s.p)
        for (s.d = 0; s.d < s.data; ++s.d)
            for (s.t = 0; s.t < s.tensor; ++s.t)
                if (write_rank(s, arguments[1]))
                    return 1;
    return 0;
}
